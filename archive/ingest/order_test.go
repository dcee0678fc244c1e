package ingest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/testkit/corpora"
)

// holdings returns what an index says of each capture, the sketch of its text included, whatever the numbers of its files are.
func (b *bench) holdings() (out []string) {
	b.t.Helper()
	for c, err := range b.x.Captures(b.t.Context(), cdx.Span{Coll: "web"}) {
		if err != nil {
			b.t.Fatal(err)
		}
		line := fmt.Sprintf("%s %s %s %d %s %s %s %x", c.Key, c.Time, c.URL, c.Status, c.MIME, c.Digest, c.FileName, c.Text)
		if c.Text != 0 {
			add := func(sketch []byte) error { line += fmt.Sprintf(" %x", sketch); return nil }
			if err := b.x.Texts().Get(b.t.Context(), c.Text, add); err != nil {
				b.t.Fatal(err)
			}
		}
		out = append(out, line)
	}
	slices.Sort(out)
	return out
}

// sameInAnyOrder indexes files at once, one by one, and one by one backwards: the index is the same.
func sameInAnyOrder(t *testing.T, files map[string]string) {
	t.Helper()
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	indexed := func(groups ...[]string) []string {
		b := newBench(t, shelves["bucket"](t))
		for _, group := range groups {
			for _, name := range group {
				b.shelf.put(name, files[name])
			}
			if _, err := Run(t.Context(), b.config(), []string{b.shelf.folder()}); err != nil {
				t.Fatal(err)
			}
		}
		return b.holdings()
	}
	want := indexed(names)
	one := slices.Collect(slices.Chunk(names, 1))
	if diff := cmp.Diff(want, indexed(one...)); diff != "" {
		t.Errorf("one by one (-at once +so)\n%s", diff)
	}
	slices.Reverse(one)
	if diff := cmp.Diff(want, indexed(one...)); diff != "" {
		t.Errorf("one by one, backwards (-at once +so)\n%s", diff)
	}
}

// Pages of unrelated hosts with the same words, in a menu and in a paragraph, and in two charsets.
func TestTheIndexIsTheSameInAnyOrder(t *testing.T) {
	t.Parallel()
	page := func(uri, contentType, body string) string {
		return file(uri, record("response", uri, response("200 OK", "Content-Type: "+contentType+"\r\n", body), overHTTP))
	}
	const words = "one two three four five six seven eight nine ten"
	sameInAnyOrder(t, map[string]string{
		"a.warc.gz": page("http://a.example/", "text/html", "<nav>"+words+"</nav>"),
		"b.warc.gz": page("http://b.example/", "text/html", "<p>"+words),
		"c.warc.gz": page("http://c.example/", "text/html", "<h1>"+words+"</h1>"),
		"d.warc.gz": page("http://d.example/", "text/html; charset=utf-8", "<p>caf\xc3\xa9"),
		"e.warc.gz": page("http://e.example/", "text/html; charset=windows-1252", "<p>caf\xc3\xa9"),
		"f.warc.gz": page("http://f.example/", "text/html", ""),
	})
}

func TestReportedCasesAreTheSameInAnyOrder(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join(corpora.Dir(t), "reported", "*.warc.gz"))
	if err != nil || len(paths) == 0 {
		t.Skipf("no reported cases beside the checkout: %v", err)
	}
	files := map[string]string{}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(path)] = string(content)
	}
	sameInAnyOrder(t, files)
}
