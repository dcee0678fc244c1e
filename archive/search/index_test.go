package search_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/history"
	"github.com/varve-archive/varve/cdx"
)

// A fake is an archive in memory: the texts of each page's versions, one a year from 2001 on. "-" is a missing page.
type fake struct {
	pages map[string][]string
	read  atomic.Int64    // texts read
	lost  map[string]bool // pages whose texts can't be read
	title string          // of all versions
	kinds bool            // by the ends of their keys, some pages are headings or furniture
	links func(key string, v search.Version) []search.Link

	touched []string // since the last update
	state   string
	asked   atomic.Int64 // single pages asked for
}

func year(i int) cdx.Timestamp { return cdx.Timestamp(2001+i)*1_00_00_00_00_00 + 1_01_00_00_00 }

func (f *fake) Pages(context.Context) iter.Seq2[search.Page, error] {
	return func(yield func(search.Page, error) bool) {
		keys := make([]string, 0, len(f.pages))
		for k := range f.pages {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			if !yield(f.page(k), nil) {
				return
			}
		}
	}
}

func (f *fake) page(key string) search.Page {
	return search.Page{Key: key, Signature: xxh3.HashString(strings.Join(f.pages[key], "\x00"))}
}

func (f *fake) Page(_ context.Context, key string) (search.Page, bool, error) {
	f.asked.Add(1)
	_, ok := f.pages[key]
	return f.page(key), ok, nil
}

// Touched says that any page may have changed, unless the test knows better.
func (f *fake) Touched(_ context.Context, state string) (search.Touched, error) {
	t := search.Touched{All: f.touched == nil || state != f.state, Keys: f.touched, State: f.state + "+"}
	f.state = t.State
	return t, nil
}

func (f *fake) Versions(_ context.Context, key string) ([]search.Version, error) {
	var out []search.Version
	for i, text := range f.pages[key] {
		v := search.Version{First: year(i), Last: year(i) + 5_00_00_00_00, Text: xxh3.HashString(text)}
		if text == "-" {
			v.Text, v.Missing = 0, true
		}
		out = append(out, v)
	}
	return out, nil
}

func (f *fake) Text(_ context.Context, key string, v search.Version) (search.Text, error) {
	if f.lost[key] {
		return search.Text{}, errors.New("the disk is away")
	}
	f.read.Add(1)
	out := search.Text{Text: history.Text{Title: f.title, Blocks: strings.Split(f.at(key, v.First), "\n")}}
	if n := strings.IndexByte("12", key[len(key)-1]); f.kinds && n >= 0 {
		out.Kinds = []history.Kind{[]history.Kind{history.Heading, history.Furniture}[n]}
	}
	if f.links != nil {
		out.Links = slices.Values(f.links(key, v))
	}
	return out, nil
}

func (f *fake) at(key string, ts cdx.Timestamp) string {
	text := ""
	for i, t := range f.pages[key] {
		if year(i) <= ts {
			text = t
		}
	}
	if text == "-" {
		return ""
	}
	return text
}

func open(t testing.TB, dir string) *search.Index {
	t.Helper()
	x, err := search.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

func update(t testing.TB, x *search.Index, f search.Archive) *search.Progress {
	t.Helper()
	var p search.Progress
	if err := x.Update(t.Context(), f, &p, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	return &p
}

// found lists the results of a query as "page after ×times".
func found(t testing.TB, x *search.Index, k search.Kind, q string) []string {
	t.Helper()
	query, err := search.Parse(q)
	if err != nil {
		t.Fatal(err)
	}
	a, err := x.Search(t.Context(), search.Request{Query: query, Kind: k, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, h := range a.Hits {
		out = append(out, fmt.Sprintf("%s %s ×%d", h.Key, h.After.String()[:4], h.Times))
	}
	if a.Total != len(out) {
		t.Errorf("%q: %d hits, but a total of %d", q, len(out), a.Total)
	}
	return out
}

func TestSearch(t *testing.T) {
	t.Parallel()
	f := &fake{pages: map[string][]string{
		"org,example)/rain": {
			"Acid rain falls. Acid rain harms lakes.",
			"Acid rain falls. It harms lakes.",
			"Rain falls. It harms lakes.",
			"-",
			"Acid rain falls again.",
		},
		"org,example)/same": {"Acid rain falls on the same town.", "Acid rain falls on the same old town."},
		"org,other)/cjk":    {"我们要求言论自由和民主。", "我们要求自由。"},
	}}
	x := open(t, "")
	update(t, x, f)
	for _, test := range []struct {
		kind search.Kind
		q    string
		want []string
	}{
		{search.SemiDeleted, "acid", []string{"org,example)/rain 2002 ×1"}},
		{search.Deleted, "acid", []string{"org,example)/rain 2003 ×1"}},
		{search.Added, "acid", []string{"org,example)/rain 2001 ×2", "org,example)/rain 2005 ×1", "org,example)/same 2001 ×1"}},
		{search.Deleted, "lakes", []string{"org,example)/rain 2004 ×1"}},
		{search.Deleted, `"rain harms"`, []string{"org,example)/rain 2002 ×1"}},
		{search.SemiDeleted, `"acid rain"`, []string{"org,example)/rain 2002 ×1"}},
		{search.Deleted, `"Acid Rain harms lakes"`, []string{"org,example)/rain 2002 ×1"}},
		{search.Added, `"falls it"`, []string{"org,example)/rain 2002 ×1"}},
		{search.Deleted, `"same town"`, []string{"org,example)/same 2002 ×1"}},
		{search.Added, `old`, []string{"org,example)/same 2002 ×1"}},
		{search.Deleted, "it lakes", []string{"org,example)/rain 2004 ×2"}},
		{search.Deleted, "acid lakes", []string{}},
		{search.Deleted, "言论自由", []string{"org,other)/cjk 2002 ×1"}},
		{search.Deleted, "民主", []string{"org,other)/cjk 2002 ×1"}},
		{search.SemiDeleted, "自由", []string{}},
		{search.Deleted, "unknown", []string{}},
		{search.Deleted, `"acid rain falls acid rain harms lakes and then some more words follow"`, []string{}},
		{search.Added, `"我们要求言论自由和民主"`, []string{"org,other)/cjk 2001 ×1"}},
		{search.Deleted, `"我们要求言论自由和民主"`, []string{"org,other)/cjk 2002 ×1"}},
	} {
		if diff := cmp.Diff(test.want, found(t, x, test.kind, test.q)); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", test.kind, test.q, diff)
		}
	}
}

func TestBounds(t *testing.T) {
	t.Parallel()
	f := &fake{pages: map[string][]string{
		"org,example)/a":     {"word one", "one", "word", "one"},
		"org,example)/a/b":   {"word two", "two"},
		"org,example)/ab":    {"word three", "three"},
		"org,example,www)/a": {"word four", "four"},
		"org,other)/a":       {"word five", "five"},
	}}
	x := open(t, "")
	update(t, x, f)
	q, _ := search.Parse("word")
	for _, test := range []struct {
		name string
		req  search.Request
		want int
	}{
		{"all", search.Request{}, 6},
		{"page", search.Request{Page: "org,example)/a"}, 2},
		{"prefix", search.Request{Bounds: search.Bounds{From: "org,example)/a/", To: "org,example)/a0", Also: "org,example)/a"}}, 3},
		{"domain", search.Request{Bounds: search.Bounds{From: "org,example)", To: "org,example-"}}, 5},
		{"since", search.Request{Bounds: search.Bounds{Since: year(3)}}, 1},
		{"until", search.Request{Bounds: search.Bounds{Until: year(1)}}, 5},
	} {
		test.req.Query, test.req.Limit = q, 100
		a, err := x.Search(t.Context(), test.req)
		if err != nil {
			t.Fatal(err)
		}
		if a.Total != test.want || len(a.Hits) != test.want {
			t.Errorf("%s: %d changes, %d listed, want %d", test.name, a.Total, len(a.Hits), test.want)
		}
	}
}

func TestPagesOfResultsAreStable(t *testing.T) {
	t.Parallel()
	f := &fake{pages: map[string][]string{}}
	for i := range 57 {
		f.pages[fmt.Sprintf("org,example)/%02d", i)] = []string{strings.Repeat("word ", 1+i%3) + "stays", "stays", "-"}
	}
	f.pages["org,example)/gone"] = []string{strings.Repeat("word ", 40) + "stays", "-"}
	x := open(t, "")
	update(t, x, f)
	q, _ := search.Parse("word")
	list := func(skip, limit int) (out []string) {
		a, err := x.Search(t.Context(), search.Request{Query: q, Skip: skip, Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		if a.Total != 58 {
			t.Errorf("total %d, want 58", a.Total)
		}
		for _, h := range a.Hits {
			out = append(out, h.Key)
		}
		return out
	}
	all := list(0, 1000)
	var paged []string
	for skip := 0; skip < 58; skip += 10 {
		paged = append(paged, list(skip, 10)...)
	}
	if diff := cmp.Diff(all, paged); diff != "" {
		t.Errorf("all at once and by pages (-all +pages):\n%s", diff)
	}
	if last := all[len(all)-1]; last != "org,example)/gone" {
		t.Errorf("%s stands last, want the page whose whole content went", last)
	}
}

// Several runs in any order must give the same index as one run.
func TestUpdateFollowsTheArchive(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f := &fake{pages: map[string][]string{
		"org,example)/a": {"one two three", "one three"},
		"org,example)/b": {"four five", "four"},
	}}
	x := open(t, dir)
	if p := update(t, x, f); p.Pages.Load() != 2 || p.Indexed.Load() != 2 || p.Done.Load() != 2 || p.Changes.Load() != 4 {
		t.Errorf("first run: %d pages, %d indexed, %d done, %d changes", p.Pages.Load(), p.Indexed.Load(), p.Done.Load(), p.Changes.Load())
	}
	before := f.read.Load()
	if p := update(t, x, f); p.Indexed.Load() != 0 || p.Done.Load() != 2 || f.read.Load() != before {
		t.Errorf("a run with nothing new indexed %d pages and read %d texts", p.Indexed.Load(), f.read.Load()-before)
	}
	f.pages["org,example)/a"] = []string{"one two three", "one three and more", "one three"} // a capture between two others
	delete(f.pages, "org,example)/b")
	f.pages["org,example)/c"] = []string{"six seven", "six"}
	if p := update(t, x, f); p.Indexed.Load() != 2 {
		t.Errorf("%d pages indexed, want the one that changed and the new one", p.Indexed.Load())
	}
	check := func(when string) {
		t.Helper()
		for q, want := range map[string][]string{
			"two": {"org,example)/a 2002 ×1"}, "more": {"org,example)/a 2003 ×1"}, "five": {}, "seven": {"org,example)/c 2002 ×1"},
		} {
			if diff := cmp.Diff(want, found(t, x, search.Deleted, q)); diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", when, q, diff)
			}
		}
	}
	check("after the archive changed")
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	if err := x.Clear(); err == nil {
		t.Error("a closed index, which another process may have, was cleared")
	}
	x = open(t, dir)
	check("after it was opened again")
	if err := x.Clear(); err != nil {
		t.Fatal(err)
	}
	if got := found(t, x, search.Deleted, "two"); len(got) != 0 {
		t.Errorf("after it was cleared: %v", got)
	}
	update(t, x, f)
	check("after it was built anew")
}

func TestUpdateContinuesAStoppedRun(t *testing.T) {
	t.Parallel()
	f := &fake{pages: map[string][]string{}, lost: map[string]bool{}}
	for i := range 40 {
		f.pages[fmt.Sprintf("org,example)/%02d", i)] = []string{"word stays", "stays"}
	}
	x := open(t, t.TempDir())
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := x.Update(ctx, f, &search.Progress{}, slog.New(slog.DiscardHandler)); !errors.Is(err, context.Canceled) {
		t.Errorf("a stopped run: %v", err)
	}
	f.lost["org,example)/07"] = true
	if p := update(t, x, f); p.Failed.Load() != 1 || p.Done.Load() != 39 {
		t.Errorf("with one page that can't be read: %d failed, %d done", p.Failed.Load(), p.Done.Load())
	}
	f.lost = nil
	if p := update(t, x, f); p.Failed.Load() != 0 || p.Indexed.Load() != 1 || p.Done.Load() != 40 {
		t.Errorf("once it can be read: %d failed, %d indexed, %d done", p.Failed.Load(), p.Indexed.Load(), p.Done.Load())
	}
	if got := found(t, x, search.Deleted, "word"); len(got) != 40 {
		t.Errorf("%d changes, want 40", len(got))
	}
}

func TestAnotherFormatIsRebuilt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f := &fake{pages: map[string][]string{"org,example)/a": {"one two", "one"}}}
	x := open(t, dir)
	update(t, x, f)
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "format"), []byte("varve-search-0"), 0o644); err != nil {
		t.Fatal(err)
	}
	x = open(t, dir)
	if got := found(t, x, search.Deleted, "two"); len(got) != 0 {
		t.Errorf("an index of another format answers %v", got)
	}
	if p := update(t, x, f); p.Indexed.Load() != 1 {
		t.Errorf("%d pages indexed, want 1", p.Indexed.Load())
	}
}

// TestWhatCannotBeOpenedIsKept: an index that can't be read for now, as with too many open files, isn't of another format or damaged.
func TestWhatCannotBeOpenedIsKept(t *testing.T) {
	t.Parallel()
	for name, hide := range map[string]func(t *testing.T, dir string){
		"format": func(t *testing.T, dir string) {
			path := filepath.Join(dir, "format")
			if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o755)); err != nil {
				t.Fatal(err)
			}
		},
		"segment": func(t *testing.T, dir string) {
			l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "terms", "s.zap")})
			if err != nil {
				t.Skip(err)
			}
			t.Cleanup(func() { _ = l.Close() })
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, err := os.MkdirTemp("", "kept") // short enough for a socket's address
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.RemoveAll(dir) })
			x := open(t, dir)
			update(t, x, &fake{pages: map[string][]string{"org,example)/a": {"one two", "one"}}})
			if err := x.Close(); err != nil {
				t.Fatal(err)
			}
			hide(t, dir)
			if x, err := search.Open(dir); err == nil {
				t.Errorf("opened, emptied because of: %v", errors.Join(x.Emptied(), x.Close()))
			}
			if _, err := search.OpenReadOnly(dir); err == nil || errors.Is(err, search.ErrUnbuilt) {
				t.Errorf("to read: %v", err)
			}
			if _, err := os.Stat(filepath.Join(dir, "terms", "root.bolt")); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestTerms(t *testing.T) {
	t.Parallel()
	f := &fake{pages: map[string][]string{
		"org,example)/a": {
			"the smog and the smog of 1999 in this town", "the town has clean air in it",
			"the town has clean air and trees in it",
		},
		"org,example)/b": {"the smog is in the city", "the city is here"},
		"org,other)/c":   {"smog over the river", "fog over the river"},
		"org,other)/d":   {"smog", "-"},
	}}
	x := open(t, "")
	update(t, x, f)
	a, err := x.Terms(t.Context(), search.TermsRequest{Kind: search.Deleted, Limit: 2})
	if err != nil {
		t.Fatal(err)
	}
	want := []search.TermCount{{
		Term: "smog", Changes: 3, Times: 4, Years: []search.Count{{Name: "2002", Count: 3}},
		Hosts: []search.Count{{Name: "example.org", Count: 2}, {Name: "other.org", Count: 1}},
	}}
	if diff := cmp.Diff(want, a.Terms[:min(1, len(a.Terms))]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, term := range a.Terms[1:] {
		t.Errorf("%s: stop words and numbers say nothing", term.Term)
	}
	for limit := 1; limit <= 3; limit++ { // the best ones, not the first by alphabet
		many := &fake{pages: map[string][]string{
			"org,example)/a": {"apple brick cloud stays", "stays"},
			"org,example)/b": {"cloud and more", "and more"}, "org,example)/c": {"brick cloud stays", "stays"},
		}}
		y := open(t, "")
		update(t, y, many)
		best, err := y.Terms(t.Context(), search.TermsRequest{Kind: search.Deleted, Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, term := range best.Terms {
			got = append(got, fmt.Sprint(term.Term, " ", term.Changes))
		}
		if diff := cmp.Diff([]string{"cloud 3", "brick 2", "apple 1"}[:limit], got); diff != "" {
			t.Errorf("the best %d (-want +got):\n%s", limit, diff)
		}
	}
	a, err = x.Terms(t.Context(), search.TermsRequest{
		Kind: search.Added, Limit: 10,
		Bounds: search.Bounds{From: "org,example)", To: "org,example-", Since: year(2)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Terms) != 1 || a.Terms[0].Term != "trees" {
		t.Errorf("added to example.org from 2003 on: %+v, want trees", a.Terms)
	}
	for _, tt := range []struct {
		since, until cdx.Timestamp
		want         int // edits that deleted smog, all in the second of year(1)
	}{{year(1), year(1), 3}, {year(1) + 1, 0, 0}, {0, year(1) - 1, 0}, {0, year(1), 3}} {
		a, err := x.Terms(t.Context(), search.TermsRequest{Limit: 1, Bounds: search.Bounds{Since: tt.since, Until: tt.until}})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, term := range a.Terms {
			n += term.Changes
		}
		if n != tt.want {
			t.Errorf("deleted from %s to %s: %+v, want %d edits", tt.since, tt.until, a.Terms, tt.want)
		}
	}
}

func ExampleIndex_Search() {
	x, err := search.Open("") // "" keeps it in memory
	if err != nil {
		fmt.Println(err)
		return
	}
	defer x.Close()
	archive := &fake{pages: map[string][]string{
		"org,example)/": {"The tannery closed in 1987. The market stayed.", "The market stayed."},
	}}
	if err := x.Update(context.Background(), archive, &search.Progress{}, slog.New(slog.DiscardHandler)); err != nil {
		fmt.Println(err)
		return
	}
	q, _ := search.Parse(`"tannery closed"`)
	answer, err := x.Search(context.Background(), search.Request{Query: q, Kind: search.Deleted, Limit: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, h := range answer.Hits {
		fmt.Println(h.Key, "between", h.Before, "and", h.After)
	}
	// Output: org,example)/ between 20010601000000 and 20020101000000
}
