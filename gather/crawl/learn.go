package crawl

import (
	"cmp"
	neturl "net/url"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/gather/runs"
)

const (
	maxLearnt     = 1 << 18 // addresses without a parameter that are remembered, about 40 bytes each
	maxParameters = 20      // parameters of an address that are checked, and that a report names
	minEqual      = 3       // pages with an equal text before a parameter counts as one that makes duplicates
)

// A learner finds the parameters of a site that don't affect the text of its pages: addresses that differ only in this parameter
// always showed the same text, several times.
type learner struct {
	shown map[uint64]shown
	about map[parameter]*verdict
}

type parameter struct{ host, name string }

// shown is the text of a page, and the value of the parameter that its key leaves out.
type shown struct{ value, text uint64 }

type verdict struct{ equal, differ int }

func newLearner() learner {
	return learner{shown: map[uint64]shown{}, about: map[parameter]*verdict{}}
}

func (l *learner) note(address string, text uint64) {
	u, err := neturl.Parse(address)
	if err != nil {
		return
	}
	pairs := strings.Split(u.RawQuery, "&")
	if u.RawQuery == "" {
		pairs = nil
	}
	slices.Sort(pairs)
	base := u.Host + u.EscapedPath() + "?"
	for i := range pairs[:min(len(pairs), maxParameters)] {
		name, _, _ := strings.Cut(pairs[i], "=")
		rest := base + strings.Join(slices.Delete(slices.Clone(pairs), i, i+1), "&")
		p, here := parameter{u.Host, name}, shown{xxh3.HashString(pairs[i]), text}
		l.compare(p, xxh3.HashString(rest), here) // with the page without it
		with := xxh3.HashString(name + " " + rest)
		if !l.compare(p, with, here) {
			l.keep(with, here)
		}
	}
	l.keep(xxh3.HashString(base+strings.Join(pairs, "&")), shown{0, text})
}

func (l *learner) keep(key uint64, s shown) {
	if _, known := l.shown[key]; !known && len(l.shown) < maxLearnt {
		l.shown[key] = s
	}
}

// compare compares a page with the one under a key, and reports whether there is one.
func (l *learner) compare(p parameter, key uint64, here shown) bool {
	other, known := l.shown[key]
	if !known || other.value == here.value {
		return known
	}
	v := l.about[p]
	if v == nil {
		if len(l.about) == maxLearnt {
			return true
		}
		v = &verdict{}
		l.about[p] = v
	}
	if other.text == here.text {
		v.equal++
	} else {
		v.differ++
	}
	return true
}

// parameters returns the parameters that were found, those with most equal pages first.
func (l *learner) parameters() (out []runs.Parameter) {
	for p, v := range l.about {
		if v.equal >= minEqual && v.differ == 0 {
			out = append(out, runs.Parameter{Host: p.host, Name: p.name, Equal: v.equal})
		}
	}
	slices.SortFunc(out, func(a, b runs.Parameter) int {
		return cmp.Or(cmp.Compare(b.Equal, a.Equal), cmp.Compare(a.Host, b.Host), cmp.Compare(a.Name, b.Name))
	})
	return out[:min(len(out), maxParameters)]
}

// textOf returns a hash of a page's visible text.
func textOf(body []byte, contentType string) uint64 {
	t := new(visible.Extractor).Extract(body, contentType)
	k := sketch.Of(&t)
	return k.ID
}
