package memento

import (
	"bytes"
	"io"
	"testing"

	"github.com/varve-archive/varve/cdx"
)

// A TimeMap of 350 mementos, the size at which the project compares itself with others.
func BenchmarkTimeMap(b *testing.B) {
	captures := make([]cdx.Capture, 0, 350)
	for c := range series(0, 350, "http://river.example/level?station=12") {
		captures = append(captures, *c)
	}
	seq := func(yield func(*cdx.Capture, error) bool) {
		for i := range captures {
			if !yield(&captures[i], nil) {
				return
			}
		}
	}
	for _, w := range writers {
		b.Run(w.format, func(b *testing.B) {
			b.ReportAllocs()
			var size bytes.Buffer
			if err := w.write(&size, seq, riverInfo()); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(size.Len()))
			for b.Loop() {
				if err := w.write(io.Discard, seq, riverInfo()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkReadTimeMap(b *testing.B) {
	for _, w := range writers {
		b.Run(w.format, func(b *testing.B) {
			var text bytes.Buffer
			if err := w.write(&text, series(0, 350, riverR), riverInfo()); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				if _, err := ReadTimeMap(bytes.NewReader(text.Bytes())); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The cost of the Link header of each replayed page.
func BenchmarkMementoLinks(b *testing.B) {
	u := URIs{Base: "http://archive.example", Coll: "web"}
	n := Neighbourhood{
		Current: capture(20030101000000), First: capture(20010101000000), Prev: capture(20020101000000),
		Next: capture(20040101000000), Last: capture(20050101000000),
		Predecessor: capture(20020101000000), Successor: capture(20050101000000),
	}
	b.ReportAllocs()
	for b.Loop() {
		_ = FormatLinks(u.MementoLinks(&n))
	}
}

func BenchmarkParseAcceptDatetime(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseAcceptDatetime("Thu, 31 May 2007 20:35:00 GMT"); err != nil {
			b.Fatal(err)
		}
	}
}
