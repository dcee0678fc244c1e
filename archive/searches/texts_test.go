package searches_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/content/office/officetest"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

func TestWordsAreThoseOfTheVersionValidThen(t *testing.T) {
	s, shelf := open(t, days(page, "one two", "one two", "404", "Three, four!")...)
	tl := timelineOf(t, s.Archive, page)
	words := func(ts cdx.Timestamp) []string {
		t.Helper()
		w, err := s.Words(t.Context(), tl, ts)
		if err != nil {
			t.Fatal(err)
		}
		if len(w.Words) != len(w.At) {
			t.Errorf("%d words at %d places", len(w.Words), len(w.At))
		}
		for i, p := range w.At {
			if got := strings.ToLower(w.Text[p.Start:p.End]); got != w.Words[i] {
				t.Errorf("the place of %q holds %q", w.Words[i], got)
			}
		}
		return w.Words
	}
	for i, want := range [][]string{{"one", "two"}, {"one", "two"}, nil, {"three", "four"}} {
		if got := words(at(i)); !slices.Equal(got, want) {
			t.Errorf("day %d: %q", i, got)
		}
	}
	if got := words(cdx.Timestamp(20190101000000)); got != nil {
		t.Errorf("before the first capture: %q", got)
	}
	opened := shelf.Opened.Load()
	if words(at(0)); shelf.Opened.Load() != opened {
		t.Error("a text is read again")
	}
}

// Words that were read before a rule blocked their version are not told any more, and never because another page says the same.
func TestWordsOfBlockedVersions(t *testing.T) {
	const other = "http://other.example/"
	shelf := archivetest.Keep(t, append(days(page, "one two"), days(other, "one two")...)...)
	rules := &access.Policy{}
	s := over(t, archive.Config{Index: shelf.Index, Records: shelf, Access: rules}, searches.Config{})
	blocked := func(uriR string, want bool) {
		t.Helper()
		w, err := s.Words(t.Context(), timelineOf(t, s.Archive, uriR), at(0))
		if (err != nil) != want || (len(w.Words) == 0) != want {
			t.Errorf("%s: %q, %v", uriR, w.Words, err)
		}
	}
	blocked(page, false)
	rules.Put(archivetest.Rules(t, `rules: [{url: "`+page+`", access: block}]`))
	blocked(page, true)
	blocked(other, false)
	blocked(page, true)
}

// pages lists the pages of an archive as the search reads them.
func pages(t *testing.T, s *searches.Searches) (out []search.Page) {
	t.Helper()
	for p, err := range s.Source("web").Pages(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

func TestPagesAreAddressesWithText(t *testing.T) {
	picture := archivetest.Record{Date: "2020", URI: "http://a.example/b.png", Head: "Content-Type: image/png\n", Body: "png"}
	long := on("2020", "http://a.example/b/"+strings.Repeat("b", 20_000), "<p>too long for a term of a search engine")
	shelf := archivetest.Keep(t, on("2020", "http://a.example/a", "<p>one"), picture, on("2020", "http://a.example/c", "<p>two"), long)
	shelf.Put(t, "example,a)/a?__wb_method=post&q=1", "http://a.example/a", at(0))
	s := over(t, archive.Config{Index: shelf.Index, Records: shelf}, searches.Config{})
	var keys []string
	for _, p := range pages(t, s) {
		keys = append(keys, p.Key)
		if tl := timelineOf(t, s.Archive, "http://a.example"+p.Key[len("example,a)"):]); s.PageOf(tl) != p {
			t.Errorf("%s has another signature as a timeline", p.Key)
		}
	}
	if want := []string{"example,a)/a", "example,a)/c"}; !slices.Equal(keys, want) {
		t.Errorf("%q, want %q", keys, want)
	}
	for range s.Source("web").Pages(t.Context()) {
		break
	}
	if empty, _ := open(t); pages(t, empty) != nil {
		t.Error("pages of an empty archive")
	}
}

// A page whose signature has not changed is not indexed again, so whatever begins a version must change it.
func TestTheSignatureOfAPageCoversItsVersions(t *testing.T) {
	base := []string{"one", "two"}
	signature := func(words ...string) uint64 {
		s, _ := open(t, days(page, words...)...)
		return pages(t, s)[0].Signature
	}
	first := signature(base...)
	if signature(base...) != first {
		t.Error("the same page has another signature")
	}
	seen := map[uint64]string{first: "the same"}
	for name, history := range map[string][]string{
		"another text": {"one", "three"}, "a capture more": {"one", "two", "two"}, "a 404": {"one", "404"}, "a 410": {"one", "410"},
		"a 503": {"one", "503"}, "a redirect": {"one", ">/a"}, "another": {"one", ">/b"}, "a redirect to itself": {"one", ">" + page},
		"a revisit without its original": {"one", "=x"},
	} {
		got := signature(history...)
		if other, taken := seen[got]; taken {
			t.Errorf("%s has the signature of %s", name, other)
		}
		seen[got] = name
	}
	cut := days(page, base...)
	cut[1].Fields = "WARC-Truncated: length\n"
	if s, _ := open(t, cut...); pages(t, s)[0].Signature == first {
		t.Error("a capture that was cut off has the signature of a whole one")
	}
	later, _ := open(t, on(at(0).String(), page, "<p>one"), on(at(2).String(), page, "<p>two"))
	earlier, _ := open(t, on(at(0).String(), page, "<p>one"), on(at(1).String(), page, "<p>two"))
	if p, ok, err := later.Source("web").Page(t.Context(), surt.Of("http://nowhere.example/")); ok || err != nil {
		t.Errorf("a page without captures: %+v, %v", p, err)
	}
	if pages(t, later)[0].Signature == pages(t, earlier)[0].Signature {
		t.Error("another time has the same signature")
	}
}

func TestSearchVersions(t *testing.T) {
	s, _ := open(t, days(page, acid, "<nav>x</nav>"+acid, fog, "404", ">/other", notFound, fog)...)
	build := s.Source("web")
	versions, err := build.Versions(t.Context(), surt.Of(page))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range versions {
		line := fmt.Sprintf("%d", v.First.Time().Day()-1)
		for word, yes := range map[string]bool{" minor": v.Minor, " missing": v.Missing} {
			if yes {
				line += word
			}
		}
		if v.Soft404 {
			line += " soft"
		}
		text, err := build.Text(t.Context(), surt.Of(page), v)
		if err != nil || (len(text.Blocks) == 0) != (v.Text == 0) {
			t.Errorf("day %s: text %q, %v", line, text.Blocks, err)
		}
		got = append(got, line)
	}
	if want := []string{"0", "1 minor", "2", "3 missing", "4 missing", "5 missing soft", "6"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// An office file is found by its words and its title, counts among its type, and shows when a word went.
func TestOfficeFilesAreInTheSearch(t *testing.T) {
	file := func(date, title, text string) archivetest.Record {
		return archivetest.Record{
			Date: date, URI: "http://a.example/report.docx", Head: "Content-Type: " + docx + "\n", Body: string(officetest.Document(title, text)),
		}
	}
	s, _ := searchable(t,
		file("2018", "Weirs", "Lakes and a mill."), file("2020", "Weirs", "Ponds and a mill."), on("2018", page, acid+"<p>A mill."))
	x, err := s.Of("web")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []search.Clause{{Any: []search.Phrase{{"a", "mill"}}}, {Field: search.FieldTitle, Any: []search.Phrase{{"weirs"}}}} {
		a, err := x.Present(t.Context(), search.PresentRequest{All: []search.Clause{c}, MIME: docx, Limit: 5})
		if err != nil || a.Total != 1 || a.Hits[0].Versions != 2 || a.Hits[0].Best.Version.Title != "Weirs" {
			t.Errorf("%q: %+v, %v", c.Any, a, err)
		}
	}
	a, err := x.Present(t.Context(), search.PresentRequest{All: []search.Clause{{Any: []search.Phrase{{"mill"}}}}, Limit: 5})
	if err != nil || !slices.Contains(a.MIMEs, search.Count{Name: docx, Count: 1}) {
		t.Errorf("types %v, %v", a.MIMEs, err)
	}
	if n := hits(t, s, "web", "lakes"); n != 1 {
		t.Errorf("%d changes deleted the word", n)
	}
}

// What the store can't give ends a build, and is never taken for a page without captures.
func TestPagesOfAStoreThatFails(t *testing.T) {
	read := func(n int) (*archivetest.Shelf, error) {
		s, shelf := open(t, days(page, "one", "404", ">/other")...)
		shelf.Store.FailAt(n)
		for _, err := range s.Source("web").Pages(t.Context()) {
			if err != nil {
				return shelf, err
			}
		}
		return shelf, nil
	}
	shelf, err := read(0)
	if err != nil {
		t.Fatal(err)
	}
	for n := range shelf.Store.Steps() {
		if _, err := read(n + 1); err == nil {
			t.Errorf("no error when step %d fails", n+1)
		}
	}
}
