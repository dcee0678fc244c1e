package searches_test

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/cdx/surt"
)

// What is blocked is listed, but its texts are in no search: neither where a search is built under the rule nor where it was built before.
func TestWhatIsBlockedIsNotSearched(t *testing.T) {
	const rule = `rules:
- {url: "http://b.example/", access: block}
- {url: "http://a.example/", captured: {from: 2019, to: 2019}, access: block}
- {url: "*", access: allow, group: staff}
`
	const a, b = "http://a.example/", "http://b.example/other"
	shelf := archivetest.Keep(t,
		on("2018", a, acid+"<p>Lakes and a mill."), on("2019", a, acid+"<p>Ponds and a mill."), on("2020", a, acid+"<p>Reeds and a mill."),
		on("2018", b, fog+"<p>Meadows and a tower."), on("2020", b, fog+"<p>Marshes and a tower."))
	rules := &access.Policy{}
	s := over(t, archive.Config{Index: shelf.Index, Records: shelf, Access: rules}, searches.Config{Dir: t.TempDir()})
	t.Cleanup(func() { _ = s.Close() })
	check := func(when string, seen ...string) {
		t.Helper()
		build(t, s)
		for _, word := range []string{"lakes", "ponds", "reeds", "meadows", "marshes"} {
			want := strings.Contains(strings.Join(seen, " "), word)
			if n, lost := versions(t, s, "web", word), hits(t, s, "web", word); n > 0 != want || lost > 0 && !want {
				t.Errorf("%s: %d versions have %s, %d changes deleted it", when, n, word, lost)
			}
		}
	}
	put := func(text string) {
		t.Helper()
		rules.Put(archivetest.Rules(t, text))
	}
	check("without rules", "lakes", "ponds", "reeds", "meadows", "marshes")
	put(rule)
	check("blocked", "lakes", "reeds")
	if tl, err := s.Archive.Timelines.Get(t.Context(), "web", surt.Of(b)); err != nil || len(tl.Captures) != 2 {
		t.Errorf("%v: what is blocked is not listed", err)
	}
	put("")
	check("without rules again", "lakes", "ponds", "reeds", "meadows", "marshes")
}
