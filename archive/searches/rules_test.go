package searches_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/cdx/surt"
)

// A search shows what the rules allowed when it was built. It answers as long as that is what they allow, and a little longer
// only if it left out what ends by then.
func TestASearchIsBuiltAnewForANewDay(t *testing.T) {
	now := time.Date(2022, 6, 1, 12, 0, 0, 0, time.UTC)
	p := &access.Policy{Now: func() time.Time { return now }}
	shelf := archivetest.Keep(t, archivetest.Record{Date: "2021", URI: "http://example.org/", Body: "<p>one mill"})
	dir := t.TempDir()
	a := over(t, archive.Config{Index: shelf.Index, Records: shelf, Access: p}, searches.Config{Dir: dir})
	t.Cleanup(func() { _ = a.Close() })
	build := func() {
		t.Helper()
		if _, err := a.Build(t.Context(), "web", false, nil); err != nil {
			t.Fatal(err)
		}
	}
	check := func(when string, want error) {
		t.Helper()
		if _, err := a.Of("web"); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", when, err, want)
		}
	}
	put := func(text string) {
		p.Put(archivetest.Rules(t, text))
	}
	build()
	check("without rules", nil)
	now = now.AddDate(1, 0, 0)
	check("a year later", nil)
	put(`rules: [{url: "http://example.org/", access: exclude, embargo: {older: 1 year}}]`)
	check("under new rules", searches.ErrSearchBehind)
	a.ReadWords(t.Context()) // of none
	build()
	check("built anew", nil)
	now = now.Add(13 * time.Hour)
	check("the next night", nil)
	now = now.Add(2 * time.Hour)
	check("too late", searches.ErrSearchBehind)
	build()
	check("built on that day", nil)
}

// A page that can't be read under stricter rules is not found with what it had under the earlier ones.
func TestUnreadablePagesShowNothingThatIsExcluded(t *testing.T) {
	const secret = "http://secret.example/"
	shelf := archivetest.Keep(t, append(edits(), on("2018", secret, fog+"<p>Lakes."), on("2020", secret, fog+"<p>Ponds."))...)
	p := archivetest.Policy(t, `rules: [{url: "http://nothing.example/", access: exclude}]`)
	s := over(t, archive.Config{Index: shelf.Index, Records: shelf, Access: p}, searches.Config{Dir: t.TempDir()})
	t.Cleanup(func() { _ = s.Close() })
	build(t, s)
	if n := hits(t, s, "web", "lakes"); n != 3 {
		t.Fatalf("%d hits before", n)
	}
	shelf.Break(t, "20180101000000", secret)
	shelf.Break(t, "20200101000000", secret)
	p.Put(archivetest.Rules(t, `rules: [{url: "http://secret.example/", access: exclude, captured: {to: 2018}}]`))
	if run := build(t, s); run.Failed.Load() != 1 {
		t.Errorf("%d pages could not be read, want 1", run.Failed.Load())
	}
	if n := hits(t, s, "web", "lakes"); n != 2 {
		t.Errorf("%d hits, want 2", n)
	}
}

// A build that ended early under other rules leaves nothing that the present ones exclude, also where these are the earlier ones again.
func TestRulesThatComeBack(t *testing.T) {
	const strict, lax = `rules: [{url: "http://b.example/", access: exclude}]`, `rules: [{url: "http://nothing.example/", access: exclude}]`
	shelf := archivetest.Keep(t, edits()...)
	p := archivetest.Policy(t, strict)
	ended := errors.New("it ends")
	var left atomic.Int64 // steps until it ends; 0 for never
	s := over(t, archive.Config{Index: shelf.Index, Records: shelf, Access: p}, searches.Config{
		Dir: t.TempDir(), Pace: func(context.Context, time.Duration) error {
			if left.Add(-1) == 0 {
				return ended
			}
			return nil
		},
	})
	t.Cleanup(func() { _ = s.Close() })
	build(t, s)
	indexed := int64(0)
	for after := 1; indexed == 0; after++ {
		p.Put(archivetest.Rules(t, lax))
		left.Store(int64(after))
		run, err := s.Build(t.Context(), "web", false, nil)
		if !errors.Is(err, ended) {
			t.Fatalf("after %d steps: %v", after, err)
		}
		indexed = run.Indexed.Load()
		if _, err := s.Of("web"); !errors.Is(err, searches.ErrSearchBehind) {
			t.Errorf("what ended early answers: %v", err)
		}
		p.Put(archivetest.Rules(t, strict))
		build(t, s)
		if n := hits(t, s, "web", "lakes"); n != 1 {
			t.Errorf("after %d steps: %d hits, want 1", after, n)
		}
	}
}

// A build takes what changed since the last one, and everything if rules or templates are others: then the search may show more than is
// allowed.
func TestWhatABuildTakes(t *testing.T) {
	shelf := archivetest.Keep(t, edits()...)
	p := &access.Policy{}
	var templates *fields.Set
	s := over(t, archive.Config{Index: shelf.Index, Records: shelf, Access: p},
		searches.Config{Dir: t.TempDir(), Fields: func(string) *fields.Set { return templates }})
	t.Cleanup(func() { _ = s.Close() })
	state := ""
	check := func(when string, want search.Touched) {
		t.Helper()
		got, err := s.Source("web").Touched(t.Context(), state)
		state, got.State = got.State, ""
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v %s", when, err, diff)
		}
	}
	check("without a search", search.Touched{All: true, Exposed: true})
	check("nothing new", search.Touched{})
	shelf.Add(t, on("2021", "http://c.example/", fog+"<p>River."))
	check("a page more", search.Touched{Keys: []string{"example,c)/"}})
	p.Put(archivetest.Rules(t, `rules: [{url: "http://c.example/", access: exclude}]`))
	check("other rules", search.Touched{All: true, Exposed: true})
	check("the same rules", search.Touched{})
	var err error
	if templates, err = fields.NewSet([]fields.Rule{{Fields: []fields.Field{{Name: "heading", CSS: "h1"}}}}); err != nil {
		t.Fatal(err)
	}
	check("another template", search.Touched{All: true, Exposed: true})
	check("the same template", search.Touched{})
}

// Each group that the rules name has a search of its own, which is kept up to date with that for everybody.
func TestGroupsHaveSearchesOfTheirOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shelf := archivetest.Keep(t, edits()...)
		p := archivetest.Policy(t, `rules:
- {url: "http://b.example/", access: allow, group: staff}
- {url: "http://b.example/", access: exclude}
- {url: "http://a.example/", access: allow, group: board}
- {url: "http://a.example/", access: allow, group: staff}
- {url: "http://a.example/", access: exclude}
`)
		s := over(t, archive.Config{Index: shelf.Index, Records: shelf, Access: p}, searches.Config{Dir: t.TempDir()})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan bool)
		go func() { s.Keep(ctx); close(ended) }()
		synctest.Wait()
		staff := s.For("staff")
		if s.For("nobody") != s || staff == s || s.For("staff") != staff {
			t.Error("a group has no search, or several")
		}
		for range 2 {
			for group, want := range map[string]int{"nobody": 0, "board": 1, "staff": 2} {
				of := s.For(group)
				of.ReadWords(t.Context())
				if n := hits(t, of, "web", "lakes"); n != want {
					t.Errorf("%s: %d hits, want %d", group, n, want)
				}
			}
			if err := s.Close(); err != nil { // of all; they are opened again
				t.Fatal(err)
			}
		}
		cancel()
		<-ended
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestGroupsThatAreNamedLikeFolders: whatever a group is called, its search is in the folder of the groups.
func TestGroupsThatAreNamedLikeFolders(t *testing.T) {
	for _, group := range []string{"..", ".", "../b", "%2E"} {
		synctest.Test(t, func(t *testing.T) {
			shelf, dir := archivetest.Keep(t, edits()...), t.TempDir()
			p := archivetest.Policy(t, `rules: [{url: "http://b.example/", access: exclude, group: "`+group+`"}]`)
			s := over(t, archive.Config{Index: shelf.Index, Records: shelf, Access: p}, searches.Config{Dir: filepath.Join(dir, "search")})
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan bool)
			go func() { s.Keep(ctx); close(ended) }()
			synctest.Wait()
			cancel()
			<-ended
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if got := names(t, dir); got != "search search-groups" {
				t.Errorf("group %q: its folder has %s", group, got)
			}
			groups, err := filepath.Glob(filepath.Join(dir, "search-groups", "*", "web", "format"))
			if err != nil || len(groups) != 1 {
				t.Errorf("group %q: its search is in %q, %v", group, groups, err)
			}
		})
	}
}

func names(t *testing.T, dir string) string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

// A search has the values of templates, and a page that has another template is another one.
func TestValuesOfTemplates(t *testing.T) {
	shelf := archivetest.Keep(t, on("2018", page, "<h1>One</h1>"+acid))
	named := func(field string) *fields.Set {
		templates, err := fields.NewSet([]fields.Rule{{Fields: []fields.Field{{Name: field, CSS: "h1"}}}})
		if err != nil {
			t.Fatal(err)
		}
		return templates
	}
	signatures := map[uint64]bool{}
	for _, templates := range []*fields.Set{nil, named("heading"), named("subject")} {
		s := over(t, archive.Config{Index: shelf.Index, Records: shelf}, searches.Config{Fields: func(string) *fields.Set { return templates }})
		source := s.Source("web")
		key := surt.Of(page)
		list, err := source.Versions(t.Context(), key)
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		text, err := source.Text(t.Context(), key, list[0])
		if err != nil || (text.Fields != "") != (templates != nil) {
			t.Errorf("%q, %v", text.Fields, err)
		}
		for p, err := range source.Pages(t.Context()) {
			if err != nil || p != s.PageOf(timelineOf(t, s.Archive, page)) {
				t.Errorf("%+v, %v", p, err)
			}
			signatures[p.Signature] = true
		}
	}
	if len(signatures) != 3 {
		t.Error("some have the same signature")
	}
}
