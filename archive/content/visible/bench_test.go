package visible

import (
	"testing"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/html"

	"github.com/varve-archive/varve/internal/testkit/corpora"
)

func BenchmarkExtract(b *testing.B) {
	pages, size := corpora.SomePages(b)
	b.SetBytes(size)
	b.ReportAllocs()
	var e Extractor
	for b.Loop() {
		for _, p := range pages {
			e.Extract(p, "text/html; charset=utf-8")
		}
	}
}

// The least that it can cost to read a page with this lexer.
func BenchmarkLexerAlone(b *testing.B) {
	pages, size := corpora.SomePages(b)
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
