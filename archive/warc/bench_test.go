package warc

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/varve-archive/varve/cdx"
)

// BenchmarkScan walks all records of a file and reads their blocks. As a baseline it inflates the same bytes member by
// member, taking turns with the scan; "x-inflate" is the scan's time divided by the baseline's.
func BenchmarkScan(b *testing.B) {
	f, err := Open(b.Context(), Local{}, corpus(b, "backbone")[0])
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	b.SetBytes(f.Size())
	b.ReportAllocs()
	var scanning, inflating time.Duration
	records := 0
	for b.Loop() {
		start := time.Now()
		records = scanBlocks(b, f)
		scanning += time.Since(start)
		b.StopTimer()
		start = time.Now()
		inflateMembers(b, f)
		inflating += time.Since(start)
		b.StartTimer()
	}
	b.ReportMetric(scanning.Seconds()/inflating.Seconds(), "x-inflate")
	b.ReportMetric(float64(records), "records/op")
}

func scanBlocks(b *testing.B, f File) (records int) {
	for rec, err := range Scan(context.Background(), f, "bench.warc.gz", 0) {
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, rec.Block); err != nil {
			b.Fatal(err)
		}
		records++
	}
	return records
}

func inflateMembers(b *testing.B, f File) {
	buf := bufio.NewReaderSize(io.NewSectionReader(f, 0, f.Size()), bufferSize)
	z := new(gzip.Reader)
	for z.Reset(buf) == nil {
		z.Multistream(false)
		if _, err := io.Copy(io.Discard, z); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStoreRecord reads whole responses at random.
func BenchmarkStoreRecord(b *testing.B) {
	path := corpus(b, "backbone")[0]
	f, err := Open(b.Context(), Local{}, path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	var places []cdx.Location
	for rec, err := range Scan(context.Background(), f, path, 0) {
		if err != nil {
			b.Fatal(err)
		}
		if length, _ := rec.Finish(); rec.Type == "response" {
			places = append(places, cdx.Location{File: 1, Offset: rec.Offset, Length: length})
		}
	}
	s := NewStore(func(cdx.FileID) (string, bool) { return path, true })
	defer s.Close()
	b.ReportAllocs()
	var body bytes.Buffer
	for b.Loop() {
		rec, err := s.Record(context.Background(), places[rand.IntN(len(places))])
		if err != nil {
			b.Fatal(err)
		}
		body.Reset()
		if _, err := body.ReadFrom(rec.Block); err != nil {
			b.Fatal(err)
		}
		rec.Close()
	}
}
