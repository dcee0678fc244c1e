package site

import (
	"fmt"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
)

// wordsOf returns n different words.
func wordsOf(seed string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s%c%c ", seed, 'a'+rune(i%26), 'a'+rune(i/26))
	}
	return b.String()
}

func sketchOfBlocks(blocks ...string) *sketch.Sketch {
	var e visible.Extractor
	text := e.Extract([]byte("<main><p>"+strings.Join(blocks, "<p>")+"</main>"), "text/html; charset=utf-8")
	s := sketch.Of(&text)
	return &s
}

func TestWhatASiteShowsEverywhereMakesNoPagesAlike(t *testing.T) {
	frame := wordsOf("frame", 150)
	ads := []string{wordsOf("ada", 60), wordsOf("adb", 60), wordsOf("adc", 60)}
	var samples []Sample
	for i := range 12 {
		var pages []*sketch.Sketch
		for j := range 9 { // an advertisement that is swapped with others
			pages = append(pages, sketchOfBlocks(wordsOf(fmt.Sprintf("page%c", 'a'+rune(i)), 100), frame, ads[(i+j)%len(ads)]))
		}
		samples = append(samples, Sample{Pages: pages})
	}
	site := New(samples)
	own, other := wordsOf("rain", 100), wordsOf("snow", 100)
	half := wordsOf("rain", 50) + wordsOf("fog", 50)
	for _, c := range []struct {
		name      string
		a, b      *sketch.Sketch
		site      *Site
		from, to  float64
		plainFrom float64 // the result of Similarity, to show that there is something to set aside
		plainTo   float64
	}{
		{"the same page with another advertisement", sketchOfBlocks(own, ads[0]), sketchOfBlocks(own, ads[1]), site, 1, 1, 0.3, 0.7},
		{"different pages in the same frame", sketchOfBlocks(own, frame), sketchOfBlocks(other, frame), site, 0, 0.25, 0.3, 0.6},
		{"half the page in the same frame", sketchOfBlocks(own, frame), sketchOfBlocks(half, frame), site, 0.15, 0.5, 0.5, 0.8},
		{"nothing but the frame", sketchOfBlocks(frame), sketchOfBlocks(frame, ads[0]), site, 0.6, 0.9, 0.6, 0.9},
		{"nothing but the frame of one", sketchOfBlocks(own, frame), sketchOfBlocks(frame), site, 0.4, 0.8, 0.4, 0.8},
		{"an unknown site", sketchOfBlocks(own, ads[0]), sketchOfBlocks(own, ads[1]), nil, 0.3, 0.7, 0.3, 0.7},
	} {
		t.Run(c.name, func(t *testing.T) {
			if v := sketch.Similarity(c.a, c.b); v < c.plainFrom || v > c.plainTo {
				t.Errorf("all in all %.3f, want %.2f to %.2f", v, c.plainFrom, c.plainTo)
			}
			v := SimilarityAside(c.a, c.site, c.b, c.site)
			if v < c.from || v > c.to || v != SimilarityAside(c.b, c.site, c.a, c.site) {
				t.Errorf("got %.3f, want %.2f to %.2f", v, c.from, c.to)
			}
		})
	}
}
