package crawl_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/gather/crawl"
	"github.com/varve-archive/varve/gather/runs"
)

func TestOnlyPaginationIsFollowed(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			page(w, "/about", "/items/1")
			fmt.Fprint(w, `<a class="next" href="/2">next</a><img src="/a.png">`)
		case "/2":
			page(w, "/items/2")
		default:
			http.NotFound(w, r)
		}
	})
	set := settings(s)
	set.Links, set.Pagination, set.Sitemaps = crawl.LinksPagination, []string{"a.next"}, true
	r := run(t, set)
	if diff := cmp.Diff([]string{"/", "/2", "/a.png"}, s.requests()); diff != "" {
		t.Error(diff)
	}
	if r.Run.Visited != 2 || r.Run.Found != 1 {
		t.Errorf("%+v", r.Run)
	}
	set.Pagination = nil
	if err := set.Check(); err == nil {
		t.Error("links: pagination without pagination is allowed")
	}
}

// Documents that equal another are counted, in one run and in the next, and left out where that is asked.
func TestEqualDocuments(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		page(w, "/a", "/b", "/c", "http://elsewhere.example/", "/private/x")
		name := r.URL.Path
		if name == "/b" {
			name = "/a"
		}
		fmt.Fprintf(w, "<h1>%s</h1>", name)
	})
	for _, unique := range []bool{false, true} {
		set := settings(s)
		set.Exclude = []string{"/private/"}
		set.Template = &crawl.Template{Unique: unique, Fields: []fields.Field{{Name: "title", CSS: "h1", Type: fields.Text}}}
		on, dir := kvtest.NewMemory(), t.TempDir()
		r := runOn(t, t.Context(), on, dir, set)
		text, err := os.ReadFile(filepath.Join(dir, "test.csv"))
		if err != nil {
			t.Fatal(err)
		}
		docs, lines := int64(4), 5
		if unique {
			docs, lines = 3, 4
		}
		if r.Docs != docs || strings.Count(string(text), "\n") != lines {
			t.Errorf("unique %t: %d documents, %q", unique, r.Docs, text)
		}
		got := *r.Run
		want := runs.Stats{
			Found: 20, Known: 13, OutOfScope: 4, Excluded: 4, Visited: 4, Status: map[string]int64{"200": 4}, Documents: 4, Duplicates: 1,
			Harvested: 4, Started: got.Started, Bytes: got.Bytes, FetchSeconds: got.FetchSeconds,
		}
		want.Known = want.Found - want.OutOfScope - want.Excluded - 3
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

// A parameter is learnt that makes no difference to the text, and none that does, or that was seen too seldom.
func TestParametersThatMakeDuplicates(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		q := r.URL.Query()
		fmt.Fprintf(w, `<title>Items</title><h1>Item %s</h1><a href="?id=1&ref=%s">same</a>`, q.Get("id"), q.Get("ref"))
		if r.URL.RawQuery != "" {
			return
		}
		for id := range 3 {
			for ref := range 3 {
				fmt.Fprintf(w, `<a href="/?id=%d&amp;ref=r%d">item</a>`, id, ref)
			}
		}
		fmt.Fprint(w, `<a href="/?id=1&amp;once=x">item</a>`)
	})
	r := run(t, settings(s))
	host := strings.TrimPrefix(s.URL, "http://")
	if diff := cmp.Diff([]runs.Parameter{{Host: host, Name: "ref", Equal: 7}}, r.Run.Parameters); diff != "" {
		t.Error(diff)
	}
}
