package console

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/internal/sleep"
)

// LineInterval is the interval between lines of progress if there is no terminal for a bar.
const LineInterval = 5 * time.Second

// A Progress shows how far indexing has got: as a bar on a terminal, otherwise as a line every few seconds.
type Progress struct {
	out  io.Writer
	log  *slog.Logger // for problems; nil prints them
	bars *mpb.Progress
	ends []func()   // what ends the display
	mu   sync.Mutex // keeps each problem on its own line
	same Repeats    // of problems
}

// Progress returns a [Progress] for this console.
func (c *Console) Progress() *Progress {
	p := &Progress{out: c.Stderr}
	if c.JSON {
		p.log = c.Log()
	}
	return p
}

// Problem prints what could not be indexed, above the bar. Equal ones are said together by [Progress.Say].
func (p *Progress) Problem(pr ingest.Problem) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.log != nil {
		p.log.Warn("problem", "file", pr.File, "offset", pr.Offset, "reason", pr.Reason, "indexed", pr.Warning)
		return
	}
	reason, place := pr.Reason, ""
	if pr.Warning {
		reason = "warning: " + reason
	}
	if pr.Offset >= 0 {
		place = fmt.Sprintf("offset %d", pr.Offset)
	}
	switch {
	case !p.same.Add(reason, pr.File, place):
	case p.bars != nil:
		fmt.Fprintf(p.bars, "varve: %s\n", OneLine(pr.String()))
	default:
		fmt.Fprintf(p.out, "varve: %s\n", OneLine(pr.String()))
	}
}

// Say prints the problems that were kept back, because they are as others. [Progress.Stop] does so too.
func (p *Progress) Say() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, line := range p.same.Rest() {
		fmt.Fprintf(p.out, "varve: %s\n", OneLine(line))
	}
}

// IsTerminal reports whether a person reads what is written.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Start begins to show progress, as soon as the amount of work is known.
func (p *Progress) Start(run *ingest.Progress) {
	if run.TotalFiles.Load() == 0 {
		return
	}
	if IsTerminal(p.out) {
		p.bar(run)
		return
	}
	start := time.Now()
	p.each(LineInterval, func() { p.line(run, time.Since(start)) })
}

// each calls f at each interval until [Progress.Stop].
func (p *Progress) each(interval time.Duration, f func()) {
	p.ends = append(p.ends, sleep.Repeat(context.Background(), interval, func(context.Context) { f() }))
}

func (p *Progress) line(run *ingest.Progress, took time.Duration) {
	done, total := run.Bytes.Load(), run.TotalBytes.Load()
	rate := float64(done) / took.Seconds()
	left := "?"
	if rate > 0 {
		left = (time.Duration(float64(total-done)/rate) * time.Second).Round(time.Second).String()
	}
	fmt.Fprintf(p.out, "varve: indexing: %d of %s, %.0f of %.0f MB, %s, %.1f MB/s, %s left\n",
		run.Files.Load(), Count(int64(run.TotalFiles.Load()), "file"), float64(done)/1e6, float64(total)/1e6,
		Count(int64(run.Captures.Load()), "capture"), rate/1e6, left)
}

func (p *Progress) bar(run *ingest.Progress) {
	p.addBar(max(1, run.TotalBytes.Load()), func(bar *mpb.Bar) { bar.SetCurrent(run.Bytes.Load()) },
		mpb.PrependDecorators(decor.Any(func(decor.Statistics) string {
			return fmt.Sprintf("indexing %d/%d files ", run.Files.Load(), run.TotalFiles.Load())
		}), decor.CountersKibiByte("% .1f / % .1f")),
		mpb.AppendDecorators(decor.AverageSpeed(decor.SizeB1024(0), " % .1f "), decor.AverageETA(decor.ET_STYLE_GO),
			decor.Any(func(decor.Statistics) string {
				return " left, " + Count(int64(run.Captures.Load()), "capture")
			})))
}

// addBar adds a bar that set keeps up to date, also in the end.
func (p *Progress) addBar(total int64, set func(bar *mpb.Bar), options ...mpb.BarOption) {
	p.mu.Lock()
	p.bars = mpb.New(mpb.WithOutput(p.out), mpb.WithWidth(40))
	p.mu.Unlock()
	bar := p.bars.AddBar(total, options...)
	p.each(100*time.Millisecond, func() { set(bar) })
	p.ends = append(p.ends, func() {
		set(bar)
		bar.Abort(false)
	})
}

// A Tally counts finished items of a kind.
type Tally struct {
	Doing       string // such as "exporting"
	Noun        string // such as "captures"
	Done, Total *atomic.Int64
	More        func() string // additional text, may be nil
}

// Count shows the number of finished items, as a bar on a terminal.
func (p *Progress) Count(of Tally) {
	if !IsTerminal(p.out) {
		p.each(LineInterval, func() {
			more := ""
			if of.More != nil {
				more = ", " + of.More()
			}
			fmt.Fprintf(p.out, "varve: %s: %d of %d %s%s\n", of.Doing, of.Done.Load(), of.Total.Load(), of.Noun, more)
		})
		return
	}
	set := func(bar *mpb.Bar) {
		bar.SetTotal(of.Total.Load(), false)
		bar.SetCurrent(of.Done.Load())
	}
	p.addBar(0, set, mpb.PrependDecorators(decor.Name(of.Doing+" "), decor.CountersNoUnit("%d / %d "+of.Noun)),
		mpb.AppendDecorators(decor.AverageETA(decor.ET_STYLE_GO), decor.Name(" left")))
}

// Stop ends the display.
func (p *Progress) Stop() {
	for _, end := range p.ends {
		end()
	}
	if p.bars != nil {
		p.bars.Wait()
	}
	p.Say()
}

// Summary describes in one line what a run did.
func Summary(run *ingest.Progress) string {
	s := fmt.Sprintf("indexed %s from %s (%.1f MB)", Count(run.Captures.Load(), "capture"), Count(run.Files.Load(), "file"),
		float64(run.Bytes.Load())/1e6)
	if n := run.Problems.Load(); n > 0 {
		s += ", " + Count(n, "problem")
	}
	if n := run.Unresolved.Load(); n > 0 {
		s += ", " + Count(n, "revisit") + " without an original"
	}
	return s
}
