package addresses

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/holdings"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/replay/pages/versions"
	"github.com/varve-archive/varve/replay/respond"
)

// A query is a request for a list of addresses, with its filters and order.
type query struct {
	pattern string      // as it was typed: "*", "*.example.org", "http://example.org/a/*"
	keys    []surt.Keys // the ranges of keys for it
	around  surt.Keys   // all of them
	level   change.Level

	sort         string // "" for pages and documents, a [holdings.Sort], or "any"
	words        string // that the address contains, in lower case
	status       string // "", "404" or "4xx"
	captures     int    // at least
	versions     int    // at least
	bytes        int64  // at least
	since, until cdx.Timestamp
	typed        struct{ since, until string }

	column string // by which the list is ordered, "" for the address
	down   bool
	start  string // key at which a page in the order of addresses begins
	page   int    // of a list in another order, from 1
}

const anySort = "any"

// columns are the columns by which a list can be ordered, with comparison functions; equal rows stay in the order of addresses.
var columns = map[string]func(a, b *holdings.ListedAddress) int{
	"address":  func(a, b *holdings.ListedAddress) int { return 0 },
	"captures": func(a, b *holdings.ListedAddress) int { return cmp.Compare(a.Captures, b.Captures) },
	"versions": func(a, b *holdings.ListedAddress) int { return cmp.Compare(a.Versions, b.Versions) },
	"changes":  func(a, b *holdings.ListedAddress) int { return cmp.Compare(a.Versions, b.Versions) },
	"changed":  func(a, b *holdings.ListedAddress) int { return cmp.Compare(a.Changed, b.Changed) },
	"type": func(a, b *holdings.ListedAddress) int {
		return cmp.Or(cmp.Compare(a.Sort(), b.Sort()), cmp.Compare(a.MIME, b.MIME))
	},
	"status": func(a, b *holdings.ListedAddress) int { return cmp.Compare(a.Status, b.Status) },
	"first":  func(a, b *holdings.ListedAddress) int { return cmp.Compare(a.First, b.First) },
	"last":   func(a, b *holdings.ListedAddress) int { return cmp.Compare(a.Last, b.Last) },
	"size":   func(a, b *holdings.ListedAddress) int { return cmp.Compare(a.Bytes, b.Bytes) },
}

// readQuery reads the parameters of a list. The error for an invalid value says what is allowed.
func readQuery(p respond.Path) (ask query, err error) {
	ask = query{pattern: p.URIR, sort: p.Params.Get("type"), start: p.Params.Get("start"), page: 1}
	if ask.keys, err = surt.Ranges(p.URIR, ""); err != nil {
		return ask, respond.BadRequest(err.Error())
	}
	ask.around = surt.Around(ask.keys)
	if ask.level, err = versions.LevelIn(p); err != nil {
		return ask, err
	}
	if ask.sort != "" && ask.sort != anySort && !slices.Contains(holdings.Sorts(), holdings.Sort(ask.sort)) {
		return ask, respond.BadRequest(fmt.Sprintf("type %.20q: want any or one of %v", ask.sort, holdings.Sorts()))
	}
	ask.words = strings.ToLower(strings.TrimSpace(p.Params.Get("has")))
	for _, f := range []func(respond.Path) error{ask.readStatus, ask.readNumbers, ask.readTimes, ask.readOrder} {
		if err := f(p); err != nil {
			return ask, err
		}
	}
	return ask, nil
}

// statusForm matches a status, or a class of them.
var statusForm = regexp.MustCompile(`^([1-9]xx|[1-9][0-9]{2})?$`)

func (a *query) readStatus(p respond.Path) error {
	a.status = strings.ToLower(p.Params.Get("status"))
	if !statusForm.MatchString(a.status) {
		return respond.BadRequest(fmt.Sprintf("status %.20q: want one like 404, or 4xx for all of its kind", a.status))
	}
	return nil
}

func (a *query) readNumbers(p respond.Path) error {
	for _, name := range []string{"captures", "versions", "changes", "size", "page"} {
		v := p.Params.Get(name)
		if v == "" {
			continue
		}
		least := int64(0)
		if name == "page" {
			least = 1
		}
		n, err := strconv.ParseInt(v, 10, 48)
		if err != nil || n < least {
			return respond.BadRequest(fmt.Sprintf("%s %.20q: want a whole number from %d", name, v, least))
		}
		switch name {
		case "captures":
			a.captures = int(n)
		case "versions":
			a.versions = max(a.versions, int(n))
		case "changes":
			a.versions = max(a.versions, int(n)+1)
		case "size":
			a.bytes = n
		case "page":
			a.page = int(n)
		}
	}
	return nil
}

func (a *query) readTimes(p respond.Path) (err error) {
	a.typed.since, a.typed.until = p.Params.Get("since"), p.Params.Get("until")
	if a.since, err = timeTyped("since", a.typed.since, cdx.ParseTimestamp); err == nil {
		a.until, err = timeTyped("until", a.typed.until, cdx.ParseTimestampEnd)
	}
	return err
}

func timeTyped(name, v string, parse func(string) (cdx.Timestamp, error)) (cdx.Timestamp, error) {
	if v == "" {
		return 0, nil
	}
	ts, err := parse(v)
	if err != nil {
		return 0, respond.BadRequest(fmt.Sprintf("%s %.20q is no datetime: want YYYYMMDDhhmmss or its beginning", name, v))
	}
	return ts, nil
}

func (a *query) readOrder(p respond.Path) error {
	name, down := strings.CutPrefix(p.Params.Get("sort"), "-")
	if name == "" || name == "address" && !down {
		return nil
	}
	if columns[name] == nil {
		return respond.BadRequest(fmt.Sprintf("sort %.20q: want a column, with - before it for the greatest first: %s", name,
			strings.Join(slices.Sorted(maps.Keys(columns)), ", ")))
	}
	a.column, a.down = name, down
	return nil
}

func (a *query) params() url.Values {
	v := url.Values{"url": {a.pattern}}
	set := func(name, value string) {
		if value != "" {
			v.Set(name, value)
		}
	}
	setNumber := func(name string, n int64) {
		if n != 0 {
			v.Set(name, strconv.FormatInt(n, 10))
		}
	}
	set("type", a.sort)
	set("has", a.words)
	set("status", a.status)
	setNumber("captures", int64(a.captures))
	setNumber("versions", int64(a.versions))
	setNumber("size", a.bytes)
	set("since", a.typed.since)
	set("until", a.typed.until)
	if a.column != "" {
		set("sort", a.order())
	}
	return versions.WithLevel(v, a.level)
}

func (a *query) order() string {
	if a.down {
		return "-" + a.column
	}
	return a.column
}

// fits reports whether an address matches the filters that need only its captures.
func (a *query) fits(at *holdings.Address) bool {
	switch {
	case !surt.InAny(a.keys, at.Key):
		return false
	case a.sort == "" && !at.IsRead(), a.sort != "" && a.sort != anySort && at.Sort() != holdings.Sort(a.sort):
		return false
	case a.words != "" && !strings.Contains(strings.ToLower(at.URL), a.words):
		return false
	case at.Captures < a.captures, at.Bytes < a.bytes, at.MostVersions() < a.versions:
		return false
	case a.since != 0 && at.Last < a.since, a.until != 0 && at.First > a.until:
		return false
	}
	status := strconv.Itoa(at.Status)
	return a.status == "" || status == a.status || strings.HasSuffix(a.status, "xx") && len(status) == 3 && status[0] == a.status[0]
}
