package change

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// aloneAndAfterOthers reads a page with a new Extractor and with one that has read other pages.
func aloneAndAfterOthers(t *testing.T, used *Extractor, body []byte, contentType string) {
	t.Helper()
	var fresh Extractor
	want := fresh.Extract(slices.Clone(body), contentType)
	got := used.Extract(slices.Clone(body), contentType)
	if got.all != want.all || got.Title != want.Title || !slices.Equal(got.Blocks, want.Blocks) {
		t.Errorf("after other pages this one reads differently (%d blocks, want %d):\n%.2000q", len(got.Blocks), len(want.Blocks), body)
	}
	used.Recycle(&got)
}

func TestPagesReadTheSameAfterOthers(t *testing.T) {
	for _, file := range corpora(t) {
		var e Extractor
		n := 0
		eachTruth(t, file, func(v truth) {
			if v.TextLen == 0 || v.Record != "response" || t.Failed() {
				return
			}
			if n++; n%4 == 0 {
				body, contentType := readBody(t, filepath.Join(filepath.Dir(file), v.File), v.Offset, v.Rlen)
				aloneAndAfterOthers(t, &e, body, contentType)
			}
		})
	}
}

func TestExtractorsSideBySideShareAMemory(t *testing.T) {
	page := func(i int) []byte {
		return []byte("<title>T</title><ul>" + strings.Repeat("<li><a href=x>entry of all pages</a></li> ", 50) + "</ul><p>" +
			prose(i%20, 200) + "</p>" +
			strings.Repeat("<div class=footer>the same for all</div>\n", 40))
	}
	m := new(Memory)
	var g sync.WaitGroup
	for range 4 {
		g.Go(func() {
			e := Extractor{Memory: m}
			for i := range 200 {
				var fresh Extractor
				want, got := fresh.Extract(page(i), "text/html"), e.Extract(page(i), "text/html")
				if a, b := want.Sketch(), got.Sketch(); !reflect.DeepEqual(a, b) || got.all != want.all {
					t.Errorf("page %d reads differently with a shared memory", i)
				}
			}
		})
	}
	g.Wait()
	if m.passages.held.Load() == 0 || m.blocks.held.Load() == 0 {
		t.Error("nothing was remembered")
	}
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

// A Memory must take no more memory than it says, however many different pages were read: what is remembered must not
// keep alive what is forgotten.
func TestMemoryTakesWhatItSays(t *testing.T) {
	if testing.Short() {
		t.Skip("filling a memory takes its time: the long form of the tests does it")
	}
	m := new(Memory)
	e := Extractor{Memory: m}
	r := rand.New(rand.NewPCG(1, 2))
	furniture := make([]string, 100)
	for i := range furniture {
		furniture[i] = "<ul class=nav><li>" + strings.ReplaceAll(prose(1_000_000+i, 200), " ", "</li><li>") + "</ul>"
	}
	const most = 3 * maxRecall
	for i := range 24_000 {
		page := furniture[r.IntN(len(furniture))] + paragraphs(i, 300) + furniture[r.IntN(len(furniture))]
		text := e.Extract([]byte(page), "text/html; charset=utf-8")
		text.AppendSketch(nil)
		e.Recycle(&text)
		if i%8000 == 7999 {
			var heap runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&heap)
			if heap.HeapAlloc > most {
				t.Fatalf("after %d pages %d bytes are held, want %d at most", i+1, heap.HeapAlloc, most)
			}
		}
	}
	runtime.KeepAlive(m)
}

// paragraphs returns n words that no other seed gives, in paragraphs.
func paragraphs(seed, n int) string {
	var b strings.Builder
	for i := range n {
		if i%30 == 0 {
			b.WriteString("</p>\n<p>")
		}
		fmt.Fprintf(&b, "%x ", mix(uint64(seed*n+i))>>36)
	}
	return b.String()
}
