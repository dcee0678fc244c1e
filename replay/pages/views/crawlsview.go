package views

import (
	"strconv"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// A CrawlsView is the page of all crawls.
type CrawlsView struct {
	layout.Page
	Crawls []Crawl
	Steer  layout.Steering
	Order  string // page for ordering crawls, "" if there is none
	Edit   string // page for editing templates and rankings, likewise
}

// A CrawlView is the page of one crawl.
type CrawlView struct {
	layout.Page
	Crawl          Crawl
	All            string // the page of all crawls
	Steer          layout.Steering
	Settings       []KeyValue // as in a crawl file
	Seeds          []layout.Address
	Recent, Failed []CrawlAsked
	Documents      string     // its documents as CSV, "" for none
	Runs           []CrawlRun // the oldest first
	Parameters     []KeyValue // that make no difference: their names and hosts
}

// A CrawlRun is the statistics of one run.
type CrawlRun struct {
	Started                                                                                 cdx.Timestamp
	Found, Known, OutOfScope, Excluded, Visited, Documents, Duplicates, Harvested, Rendered int
	Bytes                                                                                   int64
	FetchSeconds, RenderSeconds                                                             float64
	Status                                                                                  []CrawlCount
}

// statistics are the rows by which runs are compared, each with a function that returns its value for a run.
func statistics(t texts) []runStatistic {
	c := &t.Crawls
	count := func(of func(*CrawlRun) int) func(*CrawlRun) string {
		return func(r *CrawlRun) string { return t.Number(of(r)) }
	}
	seconds := func(of func(*CrawlRun) (sum float64, n int)) func(*CrawlRun) string {
		return func(r *CrawlRun) string {
			sum, n := of(r)
			if n == 0 {
				return ""
			}
			return t.Digits(strconv.FormatFloat(sum/float64(n), 'f', 2, 64)) + " s"
		}
	}
	return []runStatistic{
		{c.Found, count(func(r *CrawlRun) int { return r.Found })},
		{c.Visited, count(func(r *CrawlRun) int { return r.Visited })},
		{c.MetBefore, count(func(r *CrawlRun) int { return r.Known })},
		{c.ByScope, count(func(r *CrawlRun) int { return r.OutOfScope })},
		{c.ByExcluded, count(func(r *CrawlRun) int { return r.Excluded })},
		{c.Documents, count(func(r *CrawlRun) int { return r.Documents })},
		{c.Duplicates, count(func(r *CrawlRun) int { return r.Duplicates })},
		{c.PerPage, func(r *CrawlRun) string { return tenths(t, float64(r.Documents), float64(r.Visited)) }},
		{c.Harvest, func(r *CrawlRun) string {
			if r.Visited == 0 {
				return ""
			}
			return locale.Fill(t.Percent, t.Number(r.Harvested*100/r.Visited))
		}},
		{c.MeanFetch, seconds(func(r *CrawlRun) (float64, int) { return r.FetchSeconds, r.Visited })},
		{c.MeanRender, seconds(func(r *CrawlRun) (float64, int) { return r.RenderSeconds, r.Rendered })},
		{c.MeanSize, func(r *CrawlRun) string {
			if r.Visited == 0 {
				return ""
			}
			return t.Size(r.Bytes / int64(r.Visited))
		}},
		{c.Answers, func(r *CrawlRun) string {
			var all []string
			for _, s := range r.Status {
				all = append(all, t.Digits(s.Sort)+": "+t.Number(s.N))
			}
			return t.List(all...)
		}},
	}
}

// A runStatistic is a row of the table of runs.
type runStatistic struct {
	name string
	say  func(*CrawlRun) string
}

// A KeyValue is a key of a crawl file with its value.
type KeyValue struct{ Key, Value string }

// A CrawlCount is the number of addresses of a kind.
type CrawlCount struct {
	Sort string
	N    int
}

// A CrawlAsked is an address that was requested, or left out.
type CrawlAsked struct {
	layout.Address
	Time   cdx.Timestamp
	Status int // 0 if there was no answer
	Bytes  int64
	Reason string // key of the reason why there is no answer
	Error  string // the same in English
}

// A Crawl is the progress of a crawl. Its state, orders, reasons and traps are words of package runs.
type Crawl struct {
	Name, Href             string
	State                  string
	Live                   bool     // it has a process
	Orders                 []string // that it would accept now
	Coll                   banner.Link
	Pages, MaxPages        int // a maximum of 0 is no limit
	Docs, Parts            int
	FailedSteps            int // actions that could not be performed on their pages
	Bytes                  int64
	Seconds                float64
	Now                    layout.Address // the last request, while it runs
	Status, Skipped, Traps []CrawlCount
	Limit, Error           string
	Begun, Started, Last   cdx.Timestamp // 0 if unknown
}

func crawlState(t texts, state string) string {
	c := &t.Crawls
	switch state {
	case "new":
		return c.New
	case "running":
		return c.Running
	case "paused":
		return c.Paused
	case "completed":
		return c.Completed
	case "failed":
		return c.Failed
	}
	return c.Stopped
}

// crawlOrder names a button.
func crawlOrder(t texts, order string) string {
	switch order {
	case "pause":
		return t.Crawls.Pause
	case "resume":
		return t.Crawls.Resume
	}
	return t.Crawls.Stop
}

// crawlReason explains why addresses were left out. An unknown reason is shown as it is.
func crawlReason(t texts, reason string) string {
	c := &t.Crawls
	known := map[string]string{
		"robots": c.ByRobots, "scope": c.ByScope, "depth": c.ByDepth, "excluded": c.ByExcluded, "private": c.ByPrivate,
		"unreachable": c.ByUnreachable, "malformed": c.ByMalformed, "trap": c.ByTrap,
	}
	if said := known[reason]; said != "" {
		return said
	}
	return reason
}

func crawlTrap(t texts, sort string) string {
	c := &t.Crawls
	known := map[string]string{
		"length": c.TrapLength, "path": c.TrapPath, "redirects": c.TrapRedirects, "calendar": c.TrapCalendar,
		"requests": c.TrapRequests, "links": c.TrapLinks,
	}
	if said := known[sort]; said != "" {
		return said
	}
	return sort
}

// tenths formats a quotient with one decimal place, "" if the divisor is 0.
func tenths(t texts, a, b float64) string {
	if b == 0 {
		return ""
	}
	return t.Digits(strconv.FormatFloat(a/b, 'f', 1, 64))
}

// lives reports whether something may change on the page.
func (v *CrawlsView) lives() bool {
	for i := range v.Crawls {
		if v.Crawls[i].Live {
			return true
		}
	}
	return false
}

func statusAsItIs(t texts, code string) string { return t.Digits(code) }
