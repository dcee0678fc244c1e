package sketch

import (
	"testing"

	"github.com/varve-archive/varve/internal/testkit/corpora"

	"github.com/varve-archive/varve/archive/content/visible"
)

func BenchmarkSketch(b *testing.B) {
	pages, size := corpora.SomePages(b)
	b.SetBytes(size)
	b.ReportAllocs()
	var e visible.Extractor
	texts := make([]visible.Text, len(pages))
	stored := 0
	for i, p := range pages {
		texts[i] = e.Extract(p, "text/html; charset=utf-8")
		s := Of(&texts[i])
		stored += len(s.AppendBinary(nil))
	}
	for b.Loop() {
		for i := range texts {
			Of(&texts[i])
		}
	}
	b.ReportMetric(float64(stored)/float64(len(pages)), "stored-B/sketch")
	b.ReportMetric(float64(size)/float64(len(pages)), "html-B/page")
}
