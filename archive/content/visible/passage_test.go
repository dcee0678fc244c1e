package visible

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/corpora"
)

// aloneAndAfterOthers reads a page with a new Extractor and with one that has read other pages.
func aloneAndAfterOthers(t *testing.T, used *Extractor, body []byte, contentType string) {
	t.Helper()
	var fresh Extractor
	want := fresh.Extract(slices.Clone(body), contentType)
	got := used.Extract(slices.Clone(body), contentType)
	if got.all != want.all || got.Title != want.Title || !slices.Equal(got.Blocks, want.Blocks) || !slices.Equal(got.Pictures, want.Pictures) {
		t.Errorf("after other pages this one reads differently (%d blocks, want %d):\n%.2000q", len(got.Blocks), len(want.Blocks), body)
	}
	used.Recycle(&got)
}

func TestPagesReadTheSameAfterOthers(t *testing.T) {
	readers := map[string]*Extractor{}
	corpora.Pages(t, 4, func(truth string, body []byte, contentType string) {
		if readers[truth] == nil {
			readers[truth] = new(Extractor)
		}
		aloneAndAfterOthers(t, readers[truth], body, contentType)
	})
}

func TestMemoryIsBounded(t *testing.T) {
	r := new(recall[[]byte])
	for i := range uint64(1000) {
		r.put(&remembered[[]byte]{key: i, size: maxRecall / 100})
		if held := r.held.Load(); held > maxRecall || held < 0 {
			t.Fatalf("%d bytes are held, %d may be", held, maxRecall)
		}
	}
	r.put(&remembered[[]byte]{key: 7, size: 3, value: []byte("new")})
	if got := r.get(7); got == nil || string(*got) != "new" {
		t.Error("what was put last is not there")
	}
	if r.get(7+recallSlots) != nil {
		t.Error("another key of the same slot is answered")
	}
	e := Extractor{Memory: new(Memory)}
	e.Extract(bytes.Repeat([]byte("<p>a paragraph</p>\n<span>more</span> "), 1000), "text/html")
	if held := e.Memory.passages.held.Load(); held < 4_000 || held > 1<<20 {
		t.Errorf("of a page, %d bytes are said to be held", held)
	}
}

// Pages made of the same pieces in different orders share passages in states of all kinds.
func TestShuffledPagesReadTheSameAfterOthers(t *testing.T) {
	pieces := []string{
		"<div class=nav>", "</div>", "<div id=footer>", "<section>", "</section>", "<p>", "</p>", "<ul><li>", "</ul>", "<a href=x>", "</a>",
		"<noscript>", "</noscript>", "<template>", "</template>", "<title>T &amp; u</title>", "<svg><title>s</title>", "</svg>",
		"<script>x</script>",
		"<!-- c -->", "<br>", "<h1>", "</h1>", "text of its own ", "1 < 2", "</", "<b>bold</b>", "<main>", "</main>", "<table><tr><td>cell",
		"</table>",
	}
	filler := []string{}
	for i := range 6 {
		filler = append(filler, string(bytes.Repeat([]byte("<p>paragraph "+string(rune('a'+i))+"</p>\n<span>more</span> "), 60)))
	}
	pages := 3000
	if testing.Short() {
		pages = 300
	}
	r := rand.New(rand.NewPCG(1, 2))
	var e Extractor
	for range pages {
		var page []byte
		for range 2 + r.IntN(5) {
			for range r.IntN(4) {
				page = append(page, pieces[r.IntN(len(pieces))]...)
			}
			page = append(page, filler[r.IntN(len(filler))]...)
		}
		aloneAndAfterOthers(t, &e, page, "text/html")
		if t.Failed() {
			return
		}
	}
}

func TestWildPagesReadTheSameHowever(t *testing.T) {
	readers := map[string]*Extractor{}
	corpora.WildPages(t, 9, func(truth string, body []byte, contentType string) {
		if readers[truth] == nil {
			readers[truth] = new(Extractor)
		}
		aloneAndAfterOthers(t, readers[truth], body, contentType)
	})
}
