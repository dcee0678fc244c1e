package archive

import (
	"fmt"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/index"
	"github.com/varve-archive/varve/cdx/index/indextest"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/change"
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
	offset, extractor := int64(0), new(change.Extractor)
	f(func(url string, minute, text int) {
		body := fmt.Sprintf("<title>News</title><nav><ul><li>Home<li>Politics<li>Sport</ul></nav><main><h1>The news of page %s</h1>", url)
		for i := range 8 {
			body += fmt.Sprintf("<p>Headline number %d says that something has happened somewhere to some people, and what they think.", text-i)
		}
		body += fmt.Sprintf("</main><footer>It is now %d o'clock. There are %d readers.</footer>", text%24, text*7)
		page := extractor.Extract([]byte(body), "text/html")
		sketch := page.Sketch()
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

// BenchmarkLongPage asks for the versions around a capture of a page with 200,000, in an archive that has nothing in memory: when
// nothing is kept, when all is kept, and after a file came with captures at the end or in the middle, or with other pages. The
// baseline is that nothing is kept.
func BenchmarkLongPage(b *testing.B) {
	const captures = 200_000
	x := indextest.Open(b, b.TempDir())
	p := newLongPages(b, x, captures)
	ask := func(many int) time.Duration {
		s, err := New(Config{Index: x, Records: archivetest.NoRecords{}, Software: "varve of this test"})
		if err != nil {
			b.Fatal(err)
		}
		if many > 0 {
			s.timelines.many = many
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
		{"kept", func(int) {}},
		{"at the end", func(n int) {
			p.file(func(add func(string, int, int)) { add(longPage, 60*(captures+n), captures/4+n) })
		}},
		{"in the middle", func(n int) {
			p.file(func(add func(string, int, int)) { add(longPage, 60*captures/2+n, n) })
		}},
		{"beside it", func(n int) {
			p.file(func(add func(string, int, int)) { add(fmt.Sprint(longPage, "story/", n), n, 7*n) })
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
