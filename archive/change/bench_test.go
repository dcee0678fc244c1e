package change

import (
	"path/filepath"
	"testing"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/html"
)

// bodies returns some hundred pages of the corpora, and their total size in bytes.
func bodies(b *testing.B) (all [][]byte, size int64) {
	b.Helper()
	for _, file := range corpora(b) {
		n := 0
		eachTruth(b, file, func(v truth) {
			if v.TextLen == 0 || v.Record != "response" || n >= 150 {
				return
			}
			n++
			body, _ := readBody(b, filepath.Join(filepath.Dir(file), v.File), v.Offset, v.Rlen)
			all = append(all, body)
			size += int64(len(body))
		})
	}
	return all, size
}

func BenchmarkExtract(b *testing.B) {
	pages, size := bodies(b)
	b.SetBytes(size)
	b.ReportAllocs()
	var e Extractor
	for b.Loop() {
		for _, p := range pages {
			e.Extract(p, "text/html; charset=utf-8")
		}
	}
}

func BenchmarkSketch(b *testing.B) {
	pages, size := bodies(b)
	b.SetBytes(size)
	b.ReportAllocs()
	var e Extractor
	texts := make([]Text, len(pages))
	stored := 0
	for i, p := range pages {
		texts[i] = e.Extract(p, "text/html; charset=utf-8")
		s := texts[i].Sketch()
		stored += len(s.AppendBinary(nil))
	}
	for b.Loop() {
		for i := range texts {
			texts[i].Sketch()
		}
	}
	b.ReportMetric(float64(stored)/float64(len(pages)), "stored-B/sketch")
	b.ReportMetric(float64(size)/float64(len(pages)), "html-B/page")
}

// The least that it can cost to read a page with this lexer.
func BenchmarkLexerAlone(b *testing.B) {
	pages, size := bodies(b)
	b.SetBytes(size)
	var scratch []byte
	for b.Loop() {
		for _, p := range pages {
			scratch = append(append(scratch[:0], p...), 0)
			l := html.NewLexer(parse.NewInputBytes(scratch[:len(p)]))
			for kind := html.TextToken; kind != html.ErrorToken; {
				kind, _ = l.Next()
			}
		}
	}
}

func BenchmarkNewSite(b *testing.B) {
	for _, file := range corpora(b) {
		c := readCorpus(b, file)
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.site(siteSample)
			}
		})
	}
}
