package main

import (
	"fmt"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/varve-archive/varve/search"
)

// startSearch shows how much of the change-text search is built.
func (p *progress) startSearch(run *search.Progress) {
	if !isTerminal(p.out) {
		p.each(lineEvery, func() {
			fmt.Fprintf(p.out, "varve: search: %d of %d pages, %d changes\n", run.Done.Load(), run.Pages.Load(), run.Changes.Load())
		})
		return
	}
	p.mu.Lock()
	p.bars = mpb.New(mpb.WithOutput(p.out), mpb.WithWidth(40))
	p.mu.Unlock()
	bar := p.bars.AddBar(0, mpb.PrependDecorators(decor.Name("change-text search "), decor.CountersNoUnit("%d / %d pages")),
		mpb.AppendDecorators(decor.AverageETA(decor.ET_STYLE_GO), decor.Name(" left")))
	p.wg.Go(func() {
		<-p.quit
		bar.Abort(false)
	})
	p.each(100*time.Millisecond, func() {
		bar.SetTotal(run.Pages.Load(), false)
		bar.SetCurrent(run.Done.Load())
	})
}
