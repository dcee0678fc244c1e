package change

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/corpora"

	"github.com/varve-archive/varve/archive/change/site"
)

// goal is the precision and recall that change detection needs to be of use.
const goal = 0.99

// siteSample is how many URI-Rs of a host a server samples.
const siteSample = 60

// A score counts the changes found and not found.
type score struct {
	tp, fp, fn, tn int
	wrong          []string
}

func (s *score) add(want, got bool, what string) {
	switch {
	case want && got:
		s.tp++
	case got:
		s.fp++
		s.wrong = append(s.wrong, "found, but is none: "+what)
	case want:
		s.fn++
		s.wrong = append(s.wrong, "not found: "+what)
	default:
		s.tn++
	}
}

func (s *score) precision() float64 { return float64(s.tp) / float64(max(1, s.tp+s.fp)) }
func (s *score) recall() float64    { return float64(s.tp) / float64(max(1, s.tp+s.fn)) }

func (s *score) String() string {
	return fmt.Sprintf("precision %.4f recall %.4f  tp %d fp %d fn %d tn %d",
		s.precision(), s.recall(), s.tp, s.fp, s.fn, s.tn)
}

// Compares what is claimed about whole sites with what their own histories show. Each site is read once.
func TestVersionedSites(t *testing.T) {
	for _, file := range corpora.TruthFiles(t) {
		c := readCorpus(t, file)
		dir := filepath.Dir(file)
		t.Run(c.name+" changes are found", func(t *testing.T) { testChanges(t, c, dir) })
		t.Run(c.name+" versions go by better evidence only", func(t *testing.T) { testEvidence(t, c) })
		t.Run(c.name+" soft 404s are recognised", func(t *testing.T) { testSoft404s(t, c) })
		t.Run(c.name+" moved pages are almost the same", func(t *testing.T) { testMoves(t, c) })
		t.Run(c.name+" removed texts are found where they live on", func(t *testing.T) { testRemovals(t, c) })
		t.Run(c.name+" noise of other kinds makes no versions", func(t *testing.T) { testOtherNoise(t, c, dir) })
	}
}

func testChanges(t *testing.T, c *corpus, dir string) {
	stored := c.site(siteSample).AppendBinary(nil)
	t.Logf("%-8s what is known of the site takes %d bytes", c.name, len(stored))
	site, err := site.Parse(stored)
	if err != nil {
		t.Fatal(err)
	}
	for _, level := range []Level{LevelText, LevelContent} {
		s := c.measure(t, level, site)
		t.Logf("%-8s %-12s %s", c.name, level, s)
		if s.precision() < goal || s.recall() < goal {
			t.Errorf("level %s: want precision and recall of at least %v", level, goal)
		}
		if os.Getenv("VARVE_SHOW") != "" {
			c.show(t, dir, s.wrong)
		}
	}
	alone := c.measure(t, LevelContent, nil)
	t.Logf("%-8s %-12s %s", c.name, "no site", alone)
	t.Logf("%-8s %-12s %s", c.name, "digest only", c.measureDigests())
}

func (c *corpus) measure(t *testing.T, level Level, site *site.Site) *score {
	t.Helper()
	var s score
	for _, uri := range c.uris {
		ranges, err := Ranges(level, c.states(uri), c, site)
		if err != nil {
			t.Fatal(err)
		}
		cuts := map[string]bool{}
		for _, r := range ranges[1:] {
			cuts[r.First.String()] = true
		}
		for _, v := range c.captures[uri] {
			if want, ok := v.wants(level); ok {
				s.add(want, cuts[v.Datetime], v.Datetime+" "+uri)
			}
		}
	}
	return &s
}

func (c *corpus) measureDigests() *score {
	var s score
	for _, uri := range c.uris {
		for _, v := range c.captures[uri] {
			if want, ok := v.wants(LevelContent); ok {
				s.add(want, *v.DigestChanged, v.Datetime+" "+uri)
			}
		}
	}
	return &s
}

// wants returns whether the capture is a change at the level; ok is false if either answer is fair.
func (v *truth) wants(level Level) (want, ok bool) {
	if v.TextChanged == nil {
		return false, false
	}
	if level == LevelText {
		return *v.TextChanged, !v.visibleNoise()
	}
	if v.marksOnly {
		return false, true
	}
	fair := *v.TextChanged != *v.MainChanged || v.Boilerplate || v.FurnitureMaybe
	return *v.MainChanged, !fair
}

// visibleNoise reports whether the capture has parts that differ every time and that a reader sees.
func (v *truth) visibleNoise() bool {
	for _, n := range v.Noise {
		if n == "timestamp" || n == "ad" || n == "counter" {
			return true
		}
	}
	return false
}

func testSoft404s(t *testing.T, c *corpus) {
	var s score
	site := c.site(siteSample)
	for _, uri := range c.uris {
		ranges, err := Ranges(LevelContent, c.states(uri), c, site)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range ranges {
			for _, v := range c.captures[uri][r.FirstIndex : r.LastIndex+1] {
				if v.Status == 200 {
					s.add(v.Soft404, r.Soft404, v.Datetime+" "+uri)
				}
			}
		}
	}
	t.Logf("%-8s soft 404s: %s", c.name, &s)
	if s.fp > 0 || s.fn > 0 {
		t.Errorf("%s: %q", c.name, s.wrong)
	}
}
