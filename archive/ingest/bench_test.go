package ingest

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/demo"
)

// BenchmarkIndex indexes the corpora, or the demo archive if there are none. It compares this with inflating the same
// files once on one core, and with indexing without texts.
func BenchmarkIndex(b *testing.B) {
	files := archives(b)
	for _, cores := range []int{1, runtime.NumCPU()} {
		b.Run(fmt.Sprintf("cores=%d", cores), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
			var inflating, indexing, without time.Duration
			var p *Progress
			for b.Loop() {
				inflating += inflateAll(b, files)
				took, _ := indexAll(b, files, true)
				without += took
				took, p = indexAll(b, files, false)
				indexing += took
			}
			seconds := indexing.Seconds() / float64(b.N)
			b.ReportMetric(indexing.Seconds()/inflating.Seconds(), "x-inflate")
			b.ReportMetric(indexing.Seconds()/without.Seconds(), "x-no-change")
			b.ReportMetric(float64(p.Captures.Load())/seconds, "captures/s")
			b.ReportMetric(float64(p.Bytes.Load())/1e6/seconds, "MB/s")
			b.ReportMetric(peakMB(), "MB-peak")
		})
	}
}

// archives returns the files to index.
func archives(b *testing.B) []string {
	files, _ := filepath.Glob(filepath.Join("..", "..", "..", "shared", "corpus", "[bil]*", "*.warc.gz"))
	if len(files) > 0 {
		return files
	}
	files, err := demo.Write(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	return files
}

func inflateAll(b *testing.B, files []string) time.Duration {
	start := time.Now()
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			b.Fatal(err)
		}
		z, err := gzip.NewReader(f)
		if err == nil {
			_, err = io.Copy(io.Discard, z)
		}
		f.Close()
		if err != nil {
			b.Fatal(err)
		}
	}
	return time.Since(start)
}

// indexAll indexes into a new index on disk and returns the time until that is closed.
func indexAll(b *testing.B, files []string, noTexts bool) (time.Duration, *Progress) {
	debug.FreeOSMemory()
	dir, err := os.MkdirTemp("", "varve-bench")
	if err != nil {
		b.Fatal(err)
	}
	defer os.RemoveAll(dir)
	start := time.Now()
	x := indextest.Open(b, dir)
	r := newRun(Config{Index: x, Collection: "web"})
	r.noTexts = noTexts
	if err := r.runRounds(context.Background(), files); err != nil {
		b.Fatal(err)
	}
	if err := x.Close(); err != nil {
		b.Fatal(err)
	}
	return time.Since(start), r.progress
}

// peakMB returns the process's peak resident memory in MB, or 0 if the system doesn't tell.
func peakMB() float64 {
	status, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kB, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, _ := strconv.ParseFloat(kB, 64)
	return n / 1024
}
