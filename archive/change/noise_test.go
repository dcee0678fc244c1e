package change

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/testkit/corpora"

	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
)

var (
	quotes = []string{
		"Simplicity is prerequisite for reliability.", "The map is not the territory.", "Премудрий навчається до старості.",
		"Make it work, then make it beautiful.", "A rose is a rose is a rose.", "Wer rastet, der rostet.",
		"Everything flows and nothing abides.", "千里之行，始於足下", "Well begun is half done.", "Fortune favours the bold.",
		"The unexamined life is not worth living.", "Less is more.",
	}
	months = []string{
		"січня", "лютого", "березня", "квітня", "травня", "червня", "липня", "серпня", "вересня", "жовтня", "листопада",
		"грудня",
	}
)

// noises are ways in which a page differs every time without having changed. None is marked by a telling class name or
// by English words.
var noises = map[string]struct {
	at   string
	make func(r *rand.Rand, at cdx.Timestamp) string
}{
	"clock without seconds": {"heading", func(_ *rand.Rand, at cdx.Timestamp) string {
		t := at.Time()
		return fmt.Sprintf(`<div class="z">%d %s %d, %02d:%02d</div>`, t.Day(), months[t.Month()-1], t.Year(), t.Hour(), t.Minute())
	}},
	"bare number": {"top", func(r *rand.Rand, _ cdx.Timestamp) string {
		return fmt.Sprintf(`<table><tr><td class=k>%d</td></tr></table>`, r.IntN(1e6))
	}},
	"token": {"heading", func(r *rand.Rand, _ cdx.Timestamp) string {
		return fmt.Sprintf(`<p>Ref: %016x</p>`, r.Uint64())
	}},
	"quote": {"end", func(r *rand.Rand, _ cdx.Timestamp) string {
		return `<blockquote class="q"><p>` + quotes[r.IntN(len(quotes))] + `</p></blockquote>`
	}},
	"nameless ad": {"top", func(r *rand.Rand, _ cdx.Timestamp) string {
		return `<div><a href="http://x.example/` + fmt.Sprint(r.IntN(1e6)) + `">` + quotes[r.IntN(7)] + `</a></div>`
	}},
	"counter in a sentence": {"end", func(r *rand.Rand, _ cdx.Timestamp) string {
		return fmt.Sprintf(`<span>Heute waren schon %d Leser hier und %d davon angemeldet</span>`, r.IntN(9000), r.IntN(90))
	}},
}

// places are where noise is put: before everything, after everything, or after the first heading.
var places = map[string]func(page, noise []byte) []byte{
	"top": func(page, noise []byte) []byte { return insertAfter(page, noise, "<body", ">") },
	"end": func(page, noise []byte) []byte {
		if i := bytes.LastIndex(page, []byte("</body>")); i >= 0 {
			return splice(page, noise, i)
		}
		return splice(page, noise, len(page))
	},
	"heading": func(page, noise []byte) []byte { return insertAfter(page, noise, "</h1", ">") },
}

func insertAfter(page, noise []byte, from, to string) []byte {
	i := bytes.Index(page, []byte(from))
	if i < 0 {
		return splice(page, noise, len(page))
	}
	j := bytes.Index(page[i:], []byte(to))
	return splice(page, noise, i+j+1)
}

func splice(page, noise []byte, at int) []byte {
	return append(append(append([]byte(nil), page[:at]...), noise...), page[at:]...)
}

// addNoise gives a third of the pages noise of one kind, in every capture.
func (c *corpus) addNoise(bodies map[string]page, noise func(*rand.Rand, cdx.Timestamp) string, place func(page, noise []byte) []byte) {
	c.noise = map[string]uint64{}
	var e visible.Extractor
	for i, u := range c.uris {
		r := rand.New(rand.NewPCG(uint64(i), 1))
		for _, v := range c.captures[u] {
			p, ok := bodies[v.Digest]
			if !ok || !chosen(u) || v.TextSHA == "" {
				continue
			}
			ts, _ := cdx.ParseTimestamp(v.Datetime)
			text := e.Extract(place(p.body, []byte(noise(r, ts))), p.contentType)
			s := sketch.Of(&text)
			c.sketches[s.ID] = &s
			c.noise[u+" "+v.Datetime] = s.ID
		}
	}
}

// A page is a body as it was sent.
type page struct {
	body        []byte
	contentType string
}

// chosenBodies reads the pages that get noise, by payload digest.
func (c *corpus) chosenBodies(t *testing.T, dir string) map[string]page {
	t.Helper()
	bodies := map[string]page{}
	corpora.Each(t, filepath.Join(dir, c.name+".truth.jsonl.gz"), func(v corpora.Truth) {
		if v.Record != "response" || v.TextSHA == "" || !chosen(v.URI) {
			return
		}
		body, contentType := corpora.Body(t, filepath.Join(dir, v.File), v.Offset, v.Rlen)
		bodies[v.Digest] = page{body, contentType}
	})
	return bodies
}

func chosen(uri string) bool {
	h := fnv.New32a()
	h.Write([]byte(uri))
	return h.Sum32()%3 == 0
}

// The corpora have only a few kinds of noise. What finds these must find others too.
func testOtherNoise(t *testing.T, c *corpus, dir string) {
	corpora.SkipShort(t)
	bodies := c.chosenBodies(t, dir)
	for name, n := range noises {
		c.addNoise(bodies, n.make, places[n.at])
		s := c.measure(t, LevelContent, c.site(siteSample))
		alone := c.measure(t, LevelContent, nil)
		t.Logf("%-8s %-22s %-8s %s · without site %.4f %.4f", c.name, name, n.at, s, alone.precision(), alone.recall())
		if s.precision() < goal || s.recall() < goal {
			t.Errorf("%s, %s: want precision and recall of at least %v", c.name, name, goal)
		}
	}
}
