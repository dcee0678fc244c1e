package change

import (
	"strings"

	"github.com/varve-archive/varve/archive/content/hashing"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
)

// sketchOf returns the sketch of a page.
func sketchOf(html string) *sketch.Sketch {
	text := new(visible.Extractor).Extract([]byte(html), "text/html; charset=utf-8")
	s := sketch.Of(&text)
	return &s
}

// plainWords are n words without a special meaning.
func plainWords(n int) string { return strings.TrimSpace(strings.Repeat("sailing ", n)) }

func prose(seed, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString([]string{
			"river", "stone", "layer", "sediment", "flood", "clay", "sand", "bed", "core", "year",
			"ice",
		}[hashing.Mix(uint64(seed*1e6+i))%11] + " ")
	}
	return b.String()
}

func shareBand(a, b []uint32) bool {
	for i := range a {
		if i < len(b) && a[i] == b[i] {
			return true
		}
	}
	return false
}
