package timeline

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/archive/view"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
)

// longPages are the pages of a news site: the first has as many captures as one asks for, the others have some.
type longPages struct {
	tb    testing.TB
	x     *index.Index
	files int
}

const longPage = "http://news.example/"

func newLongPages(tb testing.TB, x *index.Index, captures int) *longPages {
	tb.Helper()
	p := &longPages{tb: tb, x: x}
	p.file(func(add func(url string, minute, text int)) {
		for i := range captures {
			add(longPage, 60*i, i/4)
		}
		for page := range 40 {
			for i := range 30 {
				add(fmt.Sprintf("%sarticle/%d", longPage, page), 6000*i, 100*page+i/6)
			}
		}
	})
	return p
}

// file indexes a file with what f adds. Minutes are counted from 1990 on.
func (p *longPages) file(f func(add func(url string, minute, text int))) {
	p.tb.Helper()
	ctx := p.tb.Context()
	p.files++
	file := index.File{Collection: "web", Name: fmt.Sprint(p.files, ".warc.gz"), Path: fmt.Sprint("/", p.files, ".warc.gz")}
	id, err := p.x.PutFile(ctx, file)
	if err != nil {
		p.tb.Fatal(err)
	}
	file.ID = id
	w := p.x.Writer(ctx, "web")
	offset, extractor := int64(0), new(visible.Extractor)
	f(func(url string, minute, text int) {
		body := fmt.Sprintf("<title>News</title><nav><ul><li>Home<li>Politics<li>Sport</ul></nav><main><h1>The news of page %s</h1>", url)
		for i := range 8 {
			body += fmt.Sprintf("<p>Headline number %d says that something has happened somewhere to some people, and what they think.", text-i)
		}
		body += fmt.Sprintf("</main><footer>It is now %d o'clock. There are %d readers.</footer>", text%24, text*7)
		page := extractor.Extract([]byte(body), "text/html")
		sketch := sketch.Of(&page)
		offset += 1000
		c := cdx.Capture{
			Key: surt.Of(url), URL: url, Status: 200, MIME: "text/html", Digest: fmt.Sprintf("x:%s%d", url, text), Text: sketch.ID,
			Time:     cdx.FromTime(time.Date(1990, 1, 1, 0, minute, 0, 0, time.UTC)),
			Location: cdx.Location{File: id, Offset: offset, Length: 900},
		}
		if err := w.AddText(sketch.ID, sketch.AppendBinary(nil), nil); err != nil {
			p.tb.Fatal(err)
		}
		if err := w.Add(&c); err != nil {
			p.tb.Fatal(err)
		}
	})
	if err := w.Flush(); err != nil {
		p.tb.Fatal(err)
	}
	file.Done, file.Scanned = true, offset+1000
	if _, err := p.x.PutFile(ctx, file); err != nil {
		p.tb.Fatal(err)
	}
}

// otherSite indexes pages that say much the same: so that is furniture of the site, and its sum is another.
func (p *longPages) otherSite(n int) {
	p.file(func(add func(url string, minute, text int)) {
		for page := range 60 {
			for i := range 3 {
				add(fmt.Sprintf("%sstory/%d/%d", longPage, n, page), 6000*i, 10*(n+1)+i)
			}
		}
	})
}

// Whatever comes to other pages of a site, a page with very many captures answers from what is cached; once that is revalidated, it says
// what all captures say.
func TestALongPageNeverWaitsForItsSite(t *testing.T) {
	const captures = 3000
	x, reads := indextest.Counting(t)
	p := newLongPages(t, x, captures)
	uris := memento.URIs{Coll: "web"}
	levels := []change.Level{change.LevelAny, change.LevelText, change.LevelContent}
	said := func(many int) (all []string) {
		for _, level := range levels {
			all = append(all, changesJSON(t, overIndex(t, x, many), uris, longPage, level))
		}
		return all
	}
	before := said(50)
	for n := range 2 {
		p.otherSite(n)
		s := overIndex(t, x, 50)
		reads.Reset()
		o, err := s.Original(t.Context(), "web", surt.Of(longPage), 19900201000000)
		if err != nil {
			t.Fatal(err)
		}
		c, err := FirstOf(o.Closest(t.Context(), 19900201000000))
		if err == nil {
			_, err = o.Neighbourhood(t.Context(), c)
		}
		if err != nil || reads.Values.Load() > 200 {
			t.Errorf("%d entries read, %v", reads.Values.Load(), err)
		}
		first, last, err := o.Ends(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []*cdx.Capture{first, last} {
			before := int64(200)
			for range 2 {
				reads.Reset()
				_, err := o.Neighbourhood(t.Context(), c)
				if read := reads.Values.Load(); err != nil || read >= before {
					t.Errorf("of the capture at %s, %d entries read, %d before, %v", c.Time, read, before, err)
				}
				before = max(reads.Values.Load(), 1)
			}
		}
		if now := said(50); !slices.Equal(now, before) {
			t.Error("it says something else before it is revalidated")
		}
		if n == 1 { // what came to the page itself is told by the same site
			p.file(func(add func(string, int, int)) { add(longPage, 60*captures+60, captures) })
			reads.Reset()
			said(50)
			if reads.Values.Load() > captures {
				t.Errorf("after captures came, %d entries were read", reads.Values.Load())
			}
		}
		generation := x.Generation()
		if err := overIndex(t, x, 50).Revalidate(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		now, want := said(50), said(math.MaxInt)
		if !slices.Equal(now, want) {
			t.Errorf("revalidated, it doesn't say what all captures say")
		}
		if slices.Equal(now, before) || x.Generation() == generation {
			t.Errorf("the site is no other: versions are the same, generation %d after %d", x.Generation(), generation)
		}
		before = now
		reads.Reset()
		if err := overIndex(t, x, 50).Revalidate(t.Context(), nil); err != nil || reads.Values.Load() > 0 {
			t.Errorf("revalidated once more, %d entries were read, %v", reads.Values.Load(), err)
		}
	}
}

// BenchmarkLongPage asks for the versions around a capture of a page with 200,000, in an archive that has nothing in memory: when
// nothing is cached, when all is cached, and after a file came with captures at the end or in the middle, or with other pages, by which
// the site may have become another. The baseline is that nothing is cached.
func BenchmarkLongPage(b *testing.B) {
	const captures = 200_000
	x := indextest.Open(b, b.TempDir())
	p := newLongPages(b, x, captures)
	ask := func(many int) time.Duration {
		s := New(Config{View: &view.View{Whole: x}, Software: "varve of this test", CacheSites: true})
		if many > 0 {
			s.many = many
		}
		began := time.Now()
		o, err := s.Original(b.Context(), "web", surt.Of(longPage), 20000101000000)
		if err != nil {
			b.Fatal(err)
		}
		c, err := FirstOf(o.Closest(b.Context(), 20000101000000))
		if err == nil {
			_, err = o.Neighbourhood(b.Context(), c)
		}
		if err != nil {
			b.Fatal(err)
		}
		return time.Since(began)
	}
	whole := ask(1 << 30)
	b.Logf("from all captures: %v", whole)
	b.Logf("for the first time: %v", ask(0))
	for _, bench := range []struct {
		name string
		come func(n int)
	}{
		{"cached", func(int) {}},
		{"at the end", func(n int) {
			p.file(func(add func(string, int, int)) { add(longPage, 60*(captures+n), captures/4+n) })
		}},
		{"in the middle", func(n int) {
			p.file(func(add func(string, int, int)) { add(longPage, 60*captures/2+n, n) })
		}},
		{"beside it", func(n int) {
			p.file(func(add func(string, int, int)) { add(fmt.Sprint(longPage, "story/", n), n, 7*n) })
		}},
		{"on a site that is another", p.otherSite},
		{"in the middle on such a site", func(n int) {
			p.otherSite(1000 + n)
			p.file(func(add func(string, int, int)) { add(longPage, 60*captures/2+500+n, n) })
		}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			var took time.Duration
			for n := range b.N {
				b.StopTimer()
				bench.come(n)
				b.StartTimer()
				took += ask(0)
			}
			b.ReportMetric(float64(took)/float64(b.N)/float64(whole), "x-all-captures")
		})
	}
}

// Each operation of the store that an answer about a long page takes fails once, and the answer is an error then.
func TestEachFaultOfALongPageIsAnError(t *testing.T) {
	t.Parallel()
	store := kvtest.NewFaulty(kvtest.NewMemory())
	x, err := index.New(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	newLongPages(t, x, 400)
	changesJSON(t, overIndex(t, x, 50), memento.URIs{Coll: "web"}, longPage, change.LevelContent)
	o, err := overIndex(t, x, 50).Original(t.Context(), "web", surt.Of(longPage), 0)
	if err != nil {
		t.Fatal(err)
	}
	c, err := FirstOf(o.Closest(t.Context(), 19900108000000))
	if err != nil {
		t.Fatal(err)
	}
	asks := map[string]func(o *Original) error{
		"ends":          func(o *Original) error { _, _, err := o.Ends(t.Context()); return err },
		"closest":       func(o *Original) error { _, err := FirstOf(o.Closest(t.Context(), 19900110000000)); return err },
		"memento":       func(o *Original) error { _, err := o.Memento(t.Context(), c.Time); return err },
		"nearest":       func(o *Original) error { _, err := o.Nearest(t.Context(), 19900110000000); return err },
		"neighbourhood": func(o *Original) error { _, err := o.Neighbourhood(t.Context(), c); return err },
		"place": func(o *Original) error {
			n, err := o.Neighbourhood(t.Context(), c)
			if err == nil {
				_, err = o.Place(t.Context(), n, 9)
			}
			return err
		},
		"moments": func(o *Original) error { _, _, _, err := o.Moments(t.Context(), c); return err },
		"spelled": func(o *Original) error { _, err := o.Spelled(t.Context(), "http://news.example"); return err },
	}
	for name, ask := range asks {
		for _, ts := range []cdx.Timestamp{0, 19900105000000} {
			fresh := func(n int) error {
				store.FailAt(n)
				o, err := overIndex(t, x, 50).Original(t.Context(), "web", surt.Of(longPage), ts)
				if err == nil {
					err = ask(o)
				}
				return err
			}
			if err := fresh(0); err != nil {
				t.Fatal(name, err)
			}
			steps := store.Steps()
			for n := 1; n <= len(steps); n++ {
				if fresh(n) == nil {
					t.Errorf("%s: no error when step %d of %d fails: %q", name, n, len(steps), steps[n-1])
				}
			}
		}
	}
}
