package archive_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/content/office/officetest"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

func TestTextIsWhatAReaderSaw(t *testing.T) {
	pdf := func(_ context.Context, body []byte) (string, error) {
		if strings.Contains(string(body), "broken") {
			return "", archivetest.ErrBroken
		}
		return "words of " + string(body), nil
	}
	long := "<p>begin " + strings.Repeat("<!-- nothing -->", 8<<16)
	tests := []struct {
		name   string
		record archivetest.Record
		want   string
	}{
		{"a page", archivetest.Record{Body: "<p>some <b>words</b>"}, "some words"},
		{"a packed page", archivetest.Record{Head: "Content-Encoding: gzip\n", Body: gzipped("<p>some words")}, "some words"},
		{
			"a packed page that is cut off",
			archivetest.Record{Head: "Content-Encoding: gzip\n", Body: gzipped("<p>some words")[:len(gzipped("<p>some words"))-4]},
			"some words",
		},
		{"plain text", archivetest.Record{Head: "Content-Type: text/plain\n", Body: "a <b> c"}, "a <b> c"},
		{"a picture", archivetest.Record{Head: "Content-Type: image/png\n", Body: "png"}, ""},
		{
			"an office file",
			archivetest.Record{Head: "Content-Type: " + docx + "\n", Body: string(officetest.Document("Mills", "some", "words"))},
			"Mills some words",
		},
		{
			"a feed",
			archivetest.Record{
				Head: "Content-Type: application/rss+xml\n",
				Body: "<rss><channel><title>Mills</title><item><title>some</title><pubDate>Mon</pubDate>" +
					"<description>&lt;p>words</description></item></channel></rss>",
			},
			"Mills Mills some words",
		},
		{
			"a feed that is sent as XML",
			archivetest.Record{Head: "Content-Type: text/xml\n", Body: "<?xml version='1.0'?><feed><entry><title>Mills</title></entry></feed>"},
			"Mills",
		},
		{"XML that is no feed", archivetest.Record{Head: "Content-Type: text/xml\n", Body: "<urlset><title>words</title></urlset>"}, ""},
		{"RDF that is no feed", archivetest.Record{Head: "Content-Type: application/rdf+xml\n", Body: "<RDF><a>words</a></RDF>"}, ""},
		{"a page is read to 8 MiB", archivetest.Record{Body: long + "<p>end"}, "begin"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.record.Date, tt.record.URI = day(0), page
			shelf := archivetest.Keep(t, tt.record)
			s := over(t, archive.Config{Index: shelf.Index, Records: shelf, PDF: pdf})
			text, err := s.Text(t.Context(), shelf.Capture(t, day(0), page))
			if err != nil || strings.TrimSpace(text.String()) != tt.want {
				t.Errorf("%q, %v", text.String(), err)
			}
		})
	}
	shelf := archivetest.Keep(t,
		archivetest.Record{Date: day(0), URI: page, Head: "Content-Type: application/pdf\n", Body: "a file"},
		archivetest.Record{Date: day(1), URI: page, Head: "Content-Type: application/pdf\n", Body: "a broken file"},
		archivetest.Record{Date: day(2), URI: page, Head: "Content-Encoding: compress\n", Body: "<p>packed"},
		archivetest.Record{Date: day(3), URI: page, Head: "Content-Type: " + docx + "\n", Body: "PK a broken file"})
	read := func(cfg archive.Config, date string) (string, error) {
		cfg.Index, cfg.Records = shelf.Index, shelf
		c := shelf.Capture(t, date, page)
		c.Text = 1 // as if it had been indexed with its text
		text, err := over(t, cfg).Text(t.Context(), c)
		return strings.TrimSpace(text.String()), err
	}
	if got, err := read(archive.Config{PDF: pdf}, day(0)); got != "words of a file" || err != nil {
		t.Errorf("a PDF: %q, %v", got, err)
	}
	if got, err := read(archive.Config{}, day(0)); got != "" || err != nil {
		t.Errorf("a PDF that nobody reads: %q, %v", got, err)
	}
	var unreadable *archive.UnreadableError
	if _, err := read(archive.Config{PDF: pdf}, day(1)); !errors.As(err, &unreadable) {
		t.Errorf("a broken PDF: %v", err)
	}
	if _, err := read(archive.Config{}, day(3)); !errors.As(err, &unreadable) {
		t.Errorf("a broken office file: %v", err)
	}
	if _, err := read(archive.Config{}, day(2)); !errors.As(err, &unreadable) {
		t.Errorf("a page in a coding that nobody undoes: %v", err)
	}
}

func TestWordsAreThoseOfTheVersionValidThen(t *testing.T) {
	s, shelf := open(t, days(page, "one two", "one two", "404", "Three, four!")...)
	tl := timelineOf(t, s, page)
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

func TestAVersionIsReadFromAnyOfItsCaptures(t *testing.T) {
	for broken, readable := range map[int]bool{0: true, 4: true, 5: false} {
		s, shelf := open(t, days(page, "one", "one", "one", "one", "one", "one")...)
		tl := timelineOf(t, s, page)
		for i := range broken {
			shelf.Break(t, day(i), page)
		}
		text, err := s.VersionText(t.Context(), tl, at(0), tl.Captures[0].Text)
		if got := strings.TrimSpace(text.String()); (got == "one") != readable || (err == nil) != readable {
			t.Errorf("%d captures are broken: %q, %v", broken, got, err)
		}
	}
	s, _ := open(t, days(page, "one", "two", "one")...)
	tl := timelineOf(t, s, page)
	if text, err := s.VersionText(t.Context(), tl, at(1), tl.Captures[0].Text); err != nil || strings.TrimSpace(text.String()) != "one" {
		t.Errorf("past another version: %q, %v", text.String(), err)
	}
	if _, err := s.VersionText(t.Context(), tl, at(0), 1); err == nil {
		t.Error("a text that no capture has")
	}
}

func TestTitleIsThatOfTheText(t *testing.T) {
	s, shelf := open(t, on("2020", page, "<title>Weather</title><p>rain"), archivetest.Record{Date: "2021", URI: page, Status: 204})
	for date, want := range map[string]string{"20200101000000": "Weather", "20210101000000": ""} {
		if got, err := s.Title(t.Context(), shelf.Capture(t, date, page)); got != want || err != nil {
			t.Errorf("%s: %q, %v", date, got, err)
		}
	}
}

// pages lists the pages of an archive as the search reads them.
func pages(t *testing.T, s *archive.Archive) (out []search.Page) {
	t.Helper()
	for p, err := range s.Searchable("web").Pages(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

func TestPagesAreAddressesWithText(t *testing.T) {
	picture := archivetest.Record{Date: "2020", URI: "http://a.example/b.png", Head: "Content-Type: image/png\n", Body: "png"}
	shelf := archivetest.Keep(t, on("2020", "http://a.example/a", "<p>one"), picture, on("2020", "http://a.example/c", "<p>two"))
	shelf.Put(t, "example,a)/a?__wb_method=post&q=1", "http://a.example/a", at(0))
	s := over(t, archive.Config{Index: shelf.Index, Records: shelf})
	var keys []string
	for _, p := range pages(t, s) {
		keys = append(keys, p.Key)
		if tl := timelineOf(t, s, "http://a.example"+p.Key[len("example,a)"):]); s.SearchPage(tl) != p {
			t.Errorf("%s has another signature as a timeline", p.Key)
		}
	}
	if want := []string{"example,a)/a", "example,a)/c"}; !slices.Equal(keys, want) {
		t.Errorf("%q, want %q", keys, want)
	}
	for range s.Searchable("web").Pages(t.Context()) {
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
}

func TestSearchVersions(t *testing.T) {
	s, _ := open(t, days(page, acid, "<nav>x</nav>"+acid, fog, "404", ">/other", notFound, fog)...)
	build := s.Searchable("web")
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
	x, err := s.Search("web")
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
