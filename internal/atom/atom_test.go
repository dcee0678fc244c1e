package atom_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/internal/atom"
)

func written(t testing.TB, f *atom.Feed, entries ...atom.Entry) string {
	t.Helper()
	var b bytes.Buffer
	w, err := atom.NewWriter(&b, f)
	for i := range entries {
		if err == nil {
			err = w.Entry(&entries[i])
		}
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	t.Parallel()
	at := time.Date(2017, 2, 18, 11, 42, 0, 0, time.UTC)
	e := atom.Entry{
		ID: "tag:example.org,2026:1", Title: "A < B & \"C\"", Updated: atom.Time{Time: at},
		Links:   []atom.Link{{Rel: "alternate", Href: "http://example.org/?a=1&b=2", Type: "text/html"}},
		Terms:   []atom.Category{{Term: "page"}},
		Summary: atom.HTML{Type: "html", Body: "<del>a &lt; b</del>"},
	}
	text := written(t, &atom.Feed{
		Lang: "en", ID: "http://example.org/feed", Title: "T", Updated: at, Author: "varve",
		Links: []atom.Link{{Rel: "next", Href: "http://example.org/feed?before=1"}},
	}, e)
	for _, want := range []string{
		`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">`, "<updated>2017-02-18T11:42:00Z</updated>",
		"<author><name>varve</name></author>", "&lt;del&gt;a &amp;lt; b&lt;/del&gt;", `href="http://example.org/?a=1&amp;b=2"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	page, err := atom.Read(strings.NewReader(text), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]atom.Entry{e}, page.Entries); d != "" || page.Next() != "http://example.org/feed?before=1" {
		t.Errorf("next %s\n%s", page.Next(), d)
	}
}

// RFC 4287 §2: a feed is well-formed XML 1.0, which has no control characters. Archived titles have them.
func TestControlCharactersAreReplaced(t *testing.T) {
	t.Parallel()
	text := written(t, &atom.Feed{ID: "x", Title: "a\x00b\x1bc\xff"}, atom.Entry{Title: "\x08"})
	page, err := atom.Read(strings.NewReader(text), 1<<20)
	if err != nil || page.Title != "a\uFFFDb\uFFFDc\uFFFD" {
		t.Errorf("%v %q", err, page)
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]string{
		"":                                   "no Atom feed at byte 0",
		"<rss version='2.0'/>":               "no Atom feed",
		"<html>":                             "no Atom feed",
		written(t, &atom.Feed{})[:80]:        "no Atom feed",
		strings.Repeat(" ", 2000) + "<feed>": "longer than 1000 bytes",
	} {
		if _, err := atom.Read(strings.NewReader(input), 1000); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %s", input, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(written(f, &atom.Feed{ID: "x", Title: "t", Links: []atom.Link{{Rel: "next", Href: "y"}}}, atom.Entry{ID: "1", Title: "e"}))
	f.Add("<feed xmlns='http://www.w3.org/2005/Atom'><entry><updated>soon</updated></entry></feed>")
	f.Fuzz(func(t *testing.T, text string) {
		page, err := atom.Read(strings.NewReader(text), 1<<16)
		if err != nil {
			return
		}
		again, err := atom.Read(strings.NewReader(written(t, &atom.Feed{Title: page.Title, Links: page.Links}, page.Entries...)), 1<<24)
		if err != nil || len(again.Entries) != len(page.Entries) {
			t.Errorf("%d entries were written, %v read: %v", len(page.Entries), again, err)
		}
	})
}
