//go:build !race

// Under the race detector these comparisons take ten times as long; scripts/test.sh runs them without.

package duplicates_test

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/archive/duplicates"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/internal/testkit/corpora"
	"github.com/varve-archive/varve/replay/replaytest"
)

// A distinctText is one text of a collection, with all its shingles.
type distinctText struct {
	id       uint64
	shingles []uint64
}

// distinctTexts reads each text of the good pages once, from its oldest capture.
func distinctTexts(t *testing.T, h http.Handler, x *index.Index) []distinctText {
	t.Helper()
	var out []distinctText
	var e visible.Extractor
	for c, err := range x.Texts().ByText(t.Context(), "web") {
		if err != nil {
			t.Fatal(err)
		}
		if c.Status != 200 || len(out) > 0 && out[len(out)-1].id == c.Text {
			continue
		}
		w := replaytest.Get(t, h, "/web/"+c.Time.String()+"id_/"+c.URL)
		var body io.Reader = w.Body
		if w.Header().Get("Content-Encoding") == "gzip" {
			if body, err = gzip.NewReader(body); err != nil {
				t.Fatal(err)
			}
		}
		page, err := io.ReadAll(body)
		if err != nil {
			t.Fatal(err)
		}
		text := e.Extract(page, w.Header().Get("Content-Type"))
		if s := sketch.Shingles(&text); len(s) > 0 {
			out = append(out, distinctText{c.Text, s})
		}
	}
	return out
}

// The search by bands must find what comparing all texts with all others, shingle by shingle, finds.
func TestDuplicatesMatchBruteForce(t *testing.T) {
	corpora.SkipShort(t)
	for _, dir := range replaytest.Corpora(t) {
		s, x := replaytest.Serve(t, dir)
		found := map[[2]uint64]bool{}
		for d, err := range duplicates.Texts(t.Context(), s.Archive(), "web", duplicates.Near, false) {
			if err != nil {
				t.Fatal(err)
			}
			if d.A.Text != d.B.Text {
				pair := [2]uint64{min(d.A.Text, d.B.Text), max(d.A.Text, d.B.Text)}
				if found[pair] {
					t.Errorf("%s and %s come twice", d.A.URL, d.B.URL)
				}
				found[pair] = true
			}
		}
		texts := distinctTexts(t, s.Handler(), x)
		want, right := 0, 0
		for i, a := range texts {
			for _, b := range texts[:i] {
				n, m := float64(len(a.shingles)), float64(len(b.shingles))
				if min(n, m) >= duplicates.Near*max(n, m) && sketch.Jaccard(a.shingles, b.shingles) >= duplicates.Near {
					want++
					if found[[2]uint64{min(a.id, b.id), max(a.id, b.id)}] {
						right++
					}
				}
			}
		}
		recall, precision := float64(right)/float64(max(1, want)), float64(right)/float64(max(1, len(found)))
		t.Logf("%s: %d texts, %d near-duplicates: recall %.4f, precision %.4f", filepath.Base(dir), len(texts), want, recall, precision)
		if recall < 0.98 || precision < 0.98 {
			t.Error("too few are found, or too many")
		}
	}
}

// textsOf fills an index with n made-up pages in families of four near-duplicates. Only their sketches exist.
func textsOf(tb testing.TB, n int) *index.Index {
	tb.Helper()
	x := indextest.Open(tb, "")
	id, err := x.PutFile(tb.Context(), index.File{Collection: "web", Name: "a", Done: true, Scanned: 1 << 40})
	if err != nil {
		tb.Fatal(err)
	}
	w, rnd := x.Writer(tb.Context(), "web"), rand.New(rand.NewPCG(1, 2))
	var family sketch.MinHash
	for i := range n {
		if i%4 == 0 {
			for j := range family {
				family[j] = uint16(rnd.Uint32() | 1)
			}
		}
		k := sketch.Sketch{ID: uint64(i + 1), Core: uint64(i + 1), MinHash: family}
		for range 3 {
			k.MinHash[rnd.IntN(len(family))] = uint16(rnd.Uint32() | 1)
		}
		c := cdx.Capture{
			URL: fmt.Sprintf("http://example.com/%d", i), Time: 20200101000000, Status: 200, MIME: "text/html", Text: k.ID,
			Location: cdx.Location{File: id, Offset: int64(i)},
		}
		c.Key = surt.Of(c.URL)
		if err := w.AddText(k.ID, k.AppendBinary(nil), k.MinHash.Bands()); err != nil {
			tb.Fatal(err)
		}
		if err := w.Add(&c); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		tb.Fatal(err)
	}
	return x
}

// BenchmarkDuplicates reports the time per text at growing sizes, which should hardly grow, and that of comparing all
// with all, which grows with the number of texts.
func BenchmarkDuplicates(b *testing.B) {
	for _, n := range []int{1_000, 4_000, 16_000, 64_000} {
		x := textsOf(b, n)
		s := replaytest.ServeIndex(b, x)
		b.Run(fmt.Sprintf("texts=%d/by=bands", n), func(b *testing.B) {
			for b.Loop() {
				pairs := 0
				for _, err := range duplicates.Texts(context.Background(), s.Archive(), "web", duplicates.Near, false) {
					if err != nil {
						b.Fatal(err)
					}
					pairs++
				}
				b.ReportMetric(float64(pairs)/float64(n), "pairs/text")
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/text")
		})
		if n > 16_000 {
			continue
		}
		b.Run(fmt.Sprintf("texts=%d/by=all-pairs", n), func(b *testing.B) {
			var hashes []sketch.MinHash
			for i := range n {
				if err := x.Texts().Get(b.Context(), uint64(i+1), func(v []byte) error {
					k, err := sketch.ParseHead(v)
					hashes = append(hashes, k.MinHash)
					return err
				}); err != nil {
					b.Fatal(err)
				}
			}
			for b.Loop() {
				pairs := 0
				for i := range hashes {
					for j := range i {
						if hashes[i].Jaccard(&hashes[j]) >= duplicates.Near {
							pairs++
						}
					}
				}
				b.ReportMetric(float64(pairs)/float64(n), "pairs/text")
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/text")
		})
	}
}
