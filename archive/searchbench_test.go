//go:build !race

package archive_test

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/loadlimit"
	"github.com/varve-archive/varve/internal/testkit/invented"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/replaytest"
)

// BenchmarkSearchBuild builds the search of all corpora, and of invented archives in which all is new, in which versions share
// most of their paragraphs, and in which pages change whole, from what indexing kept and from the records. It compares what
// this adds to the time of indexing with that time, and its size with that of the HTML records.
func BenchmarkSearchBuild(b *testing.B) {
	b.Run("corpora", func(b *testing.B) { benchmarkSearchBuild(b, replaytest.Corpora(b)) })
	for name, shape := range map[string]invented.Shape{
		"new":        {Pages: 2000},
		"paragraphs": {Pages: 400, Captures: 5},
		"whole":      {Pages: 400, Captures: 5, Change: invented.Whole},
	} {
		b.Run(name, func(b *testing.B) { benchmarkSearchBuild(b, []string{inventedArchive(b, shape)}) })
	}
}

func inventedArchive(b *testing.B, shape invented.Shape) string {
	b.Helper()
	dir := b.TempDir()
	if err := invented.Write(dir, shape); err != nil {
		b.Fatal(err)
	}
	return dir
}

func benchmarkSearchBuild(b *testing.B, dirs []string) {
	for range b.N {
		plain, indexing := indexed(b, dirs, nil)
		kept := archive.NewStaging(b.TempDir())
		x, keeping := indexed(b, dirs, kept.Keep)
		peak := mostMemory()
		building := searchOf(b, x, kept, false).took
		b.ReportMetric(float64(keeping+building-indexing)/float64(indexing), "x-indexing")
		b.ReportMetric(peak(), "MB-more")
		kept.Close()
		peak = mostMemory()
		built := searchOf(b, plain, nil, true)
		b.ReportMetric(float64(built.took)/float64(indexing), "x-indexing-later")
		b.ReportMetric(peak(), "MB-more-later")
		b.ReportMetric(float64(built.again)/float64(indexing), "again-x-indexing")
		b.ReportMetric(built.size/htmlRecords(b, plain), "x-html")
		b.ReportMetric(float64(built.changes), "changes")
		x.Close()
		plain.Close()
	}
}

// indexed indexes folders, and says how long that took.
func indexed(b *testing.B, dirs []string, texts func(*cdx.Capture, *visible.Text, []byte, string)) (*index.Index, time.Duration) {
	x := indextest.Open(b, filepath.Join(b.TempDir(), "index"))
	cfg := ingest.Config{Index: x, Collection: "web", Report: func(ingest.Problem) {}, Texts: texts}
	began := time.Now()
	if _, err := ingest.Run(b.Context(), cfg, dirs); err != nil {
		b.Fatal(err)
	}
	return x, time.Since(began)
}

// A builtSearch says what it took to build a search, and to find that nothing had changed.
type builtSearch struct {
	took, again time.Duration
	size        float64
	changes     int64
}

func searchOf(b *testing.B, x *index.Index, kept *archive.Staging, again bool) (out builtSearch) {
	store := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	defer store.Close()
	dir := filepath.Join(b.TempDir(), "search")
	a := replaytest.Archive(b, archive.Config{Index: x, Records: store, SearchDir: dir, Staging: kept})
	began := time.Now()
	done, err := a.BuildSearch(b.Context(), "web", false, nil)
	if err != nil {
		b.Fatal(err)
	}
	out.took, out.changes = time.Since(began), done.Changes.Load()
	if again {
		began = time.Now()
		if _, err := a.BuildSearch(b.Context(), "web", false, nil); err != nil {
			b.Fatal(err)
		}
		out.again = time.Since(began)
	}
	if err := a.CloseSearch(); err != nil {
		b.Fatal(err)
	}
	out.size = sizeOf(b, dir)
	return out
}

// mostMemory returns a function that tells by how much the memory of the process has grown at most since, in MB.
func mostMemory() func() float64 {
	used := func() uint64 {
		m := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
		metrics.Read(m)
		return m[0].Value.Uint64() - m[1].Value.Uint64()
	}
	debug.FreeOSMemory()
	before, most := used(), uint64(0)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			most = max(most, used())
			select {
			case <-tick.C:
			case <-stop:
				return
			}
		}
	}()
	return func() float64 {
		close(stop)
		<-stopped
		return float64(max(most, before)-before) / 1e6
	}
}

// sizeOf returns how much is in a folder.
func sizeOf(b *testing.B, dir string) float64 {
	var n int64
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			var info fs.FileInfo
			if info, err = d.Info(); err == nil {
				n += info.Size()
			}
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return float64(n)
}

// htmlRecords returns the size of the HTML records of an index as they are stored, compressed.
func htmlRecords(b *testing.B, x *index.Index) float64 {
	var n int64
	for c, err := range x.Captures(b.Context(), cdx.Span{Coll: "web"}) {
		if err != nil {
			b.Fatal(err)
		}
		if c.MIME == "text/html" && c.Kind != cdx.Revisit {
			n += c.Length
		}
	}
	return float64(n)
}

// BenchmarkServingWhileSearchIsBuilt answers requests one after the other, on each core, and compares how many, and how long
// all but one in a hundred take at most, while the search is being built with the same while the build is held. Both take
// turns, so that whatever else the machine does weighs on both.
func BenchmarkServingWhileSearchIsBuilt(b *testing.B) {
	x := indextest.Open(b, filepath.Join(b.TempDir(), "index"))
	cfg := ingest.Config{Index: x, Collection: "web", Report: func(ingest.Problem) {}}
	if _, err := ingest.Run(b.Context(), cfg, replaytest.Corpora(b)); err != nil {
		b.Fatal(err)
	}
	store := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	defer store.Close()
	var gate loadlimit.Gate
	var held sync.RWMutex // write-locked while the build is held
	a := replaytest.Archive(b, archive.Config{
		Index: x, Records: store, SearchDir: filepath.Join(b.TempDir(), "search"),
		Pace: func(ctx context.Context, took time.Duration) error {
			held.RLock()
			defer held.RUnlock()
			return gate.Pace(ctx, took)
		},
	})
	s, err := replay.New(replay.Config{Archive: a, Gate: &gate})
	if err != nil {
		b.Fatal(err)
	}
	defer a.CloseSearch()
	var cdxPaths, pagePaths []string
	for p, err := range a.Searchable("web").Pages(b.Context()) {
		if err != nil {
			b.Fatal(err)
		}
		if c, err := a.Timelines.Get(b.Context(), "web", p.Key); err == nil {
			first := &c.Captures[0]
			cdxPaths = append(cdxPaths, "/web/cdx?limit=20&url="+url.QueryEscape(first.URL))
			pagePaths = append(pagePaths, "/web/"+first.Time.String()+"mp_/"+first.URL)
		}
	}
	for name, paths := range map[string][]string{"cdx": cdxPaths, "pages": pagePaths} {
		b.Run(name, func(b *testing.B) { benchmarkBeside(b, s, a, paths, &held) })
	}
}

// benchmarkBeside asks for paths while the build is held and while it isn't.
func benchmarkBeside(b *testing.B, s *replay.Server, a *archive.Archive, paths []string, held *sync.RWMutex) {
	const turns, turn = 20, 250 * time.Millisecond
	var next atomic.Int64
	answers := func(took [][]time.Duration) {
		var g errgroup.Group
		end := time.Now().Add(turn)
		for i := range took {
			g.Go(func() error {
				for began := time.Now(); began.Before(end); began = time.Now() {
					r := httptest.NewRequest("GET", paths[int(next.Add(1))%len(paths)], nil)
					s.Handler().ServeHTTP(httptest.NewRecorder(), r)
					took[i] = append(took[i], time.Since(began))
				}
				return nil
			})
		}
		_ = g.Wait()
	}
	answers(make([][]time.Duration, runtime.GOMAXPROCS(0))) // warms up
	for b.Loop() {
		ctx, stop := context.WithCancel(b.Context())
		built := make(chan error, 1)
		go func() {
			_, err := a.BuildSearch(ctx, "web", true, nil)
			built <- err
		}()
		alone, beside := make([][]time.Duration, runtime.GOMAXPROCS(0)), make([][]time.Duration, runtime.GOMAXPROCS(0))
		for range turns {
			held.Lock()
			answers(alone)
			held.Unlock()
			answers(beside)
		}
		n, p99 := summary(alone)
		meanwhile, p99Meanwhile := summary(beside)
		b.ReportMetric(meanwhile/n, "of-alone")
		b.ReportMetric(p99Meanwhile/p99, "x-p99-alone")
		stop()
		if err := <-built; err != nil && !errors.Is(err, context.Canceled) {
			b.Fatal(err)
		}
	}
}

// summary returns how many answers there were, and how long all but one in a hundred took at most.
func summary(took [][]time.Duration) (n, p99 float64) {
	all := slices.Concat(took...)
	slices.Sort(all)
	return float64(len(all)), float64(all[len(all)*99/100])
}

// BenchmarkSearch searches for random terms and phrases in all corpora, and compares with brute force over the texts,
// which are then all in memory.
func BenchmarkSearch(b *testing.B) {
	s := replaytest.Searchable(b, replaytest.Corpora(b))
	texts := s.Archive().Searchable("web")
	x, err := s.Archive().Search("web")
	if err != nil {
		b.Fatal(err)
	}
	pages := pagesWithWords(b, texts, 1)
	for _, bench := range []struct {
		name               string
		minWords, maxWords int // words
	}{{"term", 1, 1}, {"phrase", 2, 6}} {
		b.Run(bench.name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(3, 7))
			asked := changedPhrases(r, pages, 200, bench.minWords, bench.maxWords)
			took := make([]time.Duration, 0, b.N)
			b.ResetTimer()
			for i := range b.N {
				began := time.Now()
				searchFor(b, x.Index, "", asked[i%len(asked)], search.Kind(i%2))
				took = append(took, time.Since(began))
			}
			b.StopTimer()
			began := time.Now()
			const forced = 5
			for i := range forced {
				bruteForceAll(pages, asked[i])
			}
			brute := time.Since(began) / forced
			slices.Sort(took)
			p50, p99 := took[len(took)/2], took[len(took)*99/100]
			b.ReportMetric(float64(p50.Microseconds()), "p50-µs")
			b.ReportMetric(float64(p99.Microseconds()), "p99-µs")
			b.ReportMetric(float64(brute)/float64(p50), "x-brute-p50")
			b.ReportMetric(float64(brute)/float64(p99), "x-brute-p99")
		})
	}
}

// changedPhrases takes phrases from random versions.
func changedPhrases(r *rand.Rand, pages map[string][]versionWords, n, minWords, maxWords int) []search.Phrase {
	keys := make([]string, 0, len(pages))
	for k := range pages {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	var out []search.Phrase
	for len(out) < n {
		versions := pages[keys[r.IntN(len(keys))]]
		words := versions[r.IntN(len(versions))].words
		length := minWords + r.IntN(maxWords-minWords+1)
		if len(words) < length {
			continue
		}
		at := r.IntN(len(words) - length + 1)
		out = append(out, words[at:at+length])
	}
	return out
}
