package crawl

import (
	"context"

	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/gather/runs"
)

// A Report describes the progress of a crawl.
type Report = runs.Report

// A State is the state of a crawl.
type State = runs.State

// The states of a crawl in this process. Others see two more: [runs.New], and that of a killed process.
const (
	Running   = runs.Running
	Paused    = runs.Paused
	Completed = runs.Completed
	Stopped   = runs.Stopped
	Failed    = runs.Failed
)

func (c *Crawl) reportOf(s State, t frontier.Totals) Report {
	return Report{Name: c.set.Name, State: s, Totals: runs.Totals(t), Run: c.tally.snapshot()}
}

// Report returns the progress of the crawl. It may be called while it runs.
func (c *Crawl) Report() Report {
	ran, on := c.watch.read()
	state := Running
	if !on {
		state = Paused
	}
	t := c.newTotals(context.Background())
	t.Seconds += ran.Seconds()
	r := c.reportOf(state, t)
	c.mu.Lock()
	defer c.mu.Unlock()
	r.URL = c.last
	return r
}

// Published returns the settings in the form that is published.
func (s *Settings) Published() runs.Settings {
	public := runs.Settings{
		Seeds: s.Seeds[:min(len(s.Seeds), runs.MaxKept)], Scope: string(s.Scope), Order: string(s.Order), MaxPages: s.MaxPages,
		MaxDocs: s.MaxDocs, MaxDepth: s.MaxDepth, MaxBytes: int64(s.MaxBytes), Walltime: s.Walltime.Seconds(), Threads: s.Threads,
		Delay: s.Delay.Seconds(), Robots: s.Robots,
	}
	if s.Template != nil {
		for _, f := range s.Template.Fields {
			public.Fields = append(public.Fields, f.Name)
		}
	}
	return public
}
