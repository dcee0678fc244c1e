package crawls

import (
	"slices"
	"strconv"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// An allView is the page of all crawls.
type allView struct {
	layout.Page
	Crawls []Progress
	Steer  layout.Steering
	Order  string // page for ordering crawls, "" if there is none
	Edit   string // page for editing templates and rankings, likewise
}

// A oneView is the page of one crawl.
type oneView struct {
	layout.Page
	Crawl          Progress
	All            string // the page of all crawls
	Steer          layout.Steering
	Settings       []keyValue // as in a crawl file
	Seeds          []layout.Address
	Recent, Failed []askedView
	Documents      string     // its documents as CSV, "" for none
	Runs           []RunView  // the oldest first
	Parameters     []keyValue // that make no difference: their names and hosts
}

// A RunView is the statistics of one run.
type RunView struct {
	Started                                                                                 cdx.Timestamp
	Found, Known, OutOfScope, Excluded, Visited, Documents, Duplicates, Harvested, Rendered int
	Bytes                                                                                   int64
	FetchSeconds, RenderSeconds                                                             float64
	Status                                                                                  []sortCount
}

// statistics are the rows by which runs are compared, each with a function that returns its value for a run.
func Statistics(t *locale.Language) []Statistic {
	c := &t.Crawls
	count := func(of func(*RunView) int) func(*RunView) string {
		return func(r *RunView) string { return t.Number(of(r)) }
	}
	seconds := func(of func(*RunView) (sum float64, n int)) func(*RunView) string {
		return func(r *RunView) string {
			sum, n := of(r)
			if n == 0 {
				return ""
			}
			return t.Digits(strconv.FormatFloat(sum/float64(n), 'f', 2, 64)) + " s"
		}
	}
	return []Statistic{
		{c.Found, count(func(r *RunView) int { return r.Found })},
		{c.Visited, count(func(r *RunView) int { return r.Visited })},
		{c.MetBefore, count(func(r *RunView) int { return r.Known })},
		{c.ByScope, count(func(r *RunView) int { return r.OutOfScope })},
		{c.ByExcluded, count(func(r *RunView) int { return r.Excluded })},
		{c.Documents, count(func(r *RunView) int { return r.Documents })},
		{c.Duplicates, count(func(r *RunView) int { return r.Duplicates })},
		{c.PerPage, func(r *RunView) string { return tenths(t, float64(r.Documents), float64(r.Visited)) }},
		{c.Harvest, func(r *RunView) string {
			if r.Visited == 0 {
				return ""
			}
			return locale.Fill(t.Percent, t.Number(r.Harvested*100/r.Visited))
		}},
		{c.MeanFetch, seconds(func(r *RunView) (float64, int) { return r.FetchSeconds, r.Visited })},
		{c.MeanRender, seconds(func(r *RunView) (float64, int) { return r.RenderSeconds, r.Rendered })},
		{c.MeanSize, func(r *RunView) string {
			if r.Visited == 0 {
				return ""
			}
			return t.Size(r.Bytes / int64(r.Visited))
		}},
		{c.Answers, func(r *RunView) string {
			var all []string
			for _, s := range r.Status {
				all = append(all, t.Digits(s.Sort)+": "+t.Number(s.N))
			}
			return t.List(all...)
		}},
	}
}

// A runStatistic is a row of the table of runs.
type Statistic struct {
	Name string
	Say  func(*RunView) string
}

// A keyValue is a key of a crawl file with its value.
type keyValue struct{ Key, Value string }

// A sortCount is the number of addresses of a kind.
type sortCount struct {
	Sort string
	N    int
}

// A askedView is an address that was requested, or left out.
type askedView struct {
	layout.Address
	Time   cdx.Timestamp
	Status int // 0 if there was no answer
	Bytes  int64
	Reason string // key of the reason why there is no answer
	Error  string // the same in English
}

// A Progress is the progress of a crawl. Its state, orders, reasons and traps are words of package runs.
type Progress struct {
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
	Status, Skipped, Traps []sortCount
	Limit, Error           string
	Begun, Started, Last   cdx.Timestamp // 0 if unknown
}

func crawlState(t *locale.Language, state string) string {
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
func crawlOrder(t *locale.Language, order string) string {
	switch order {
	case "pause":
		return t.Crawls.Pause
	case "resume":
		return t.Crawls.Resume
	}
	return t.Crawls.Stop
}

// crawlReason explains why addresses were left out. An unknown reason is shown as it is.
func crawlReason(t *locale.Language, reason string) string {
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

func crawlTrap(t *locale.Language, sort string) string {
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
func tenths(t *locale.Language, a, b float64) string {
	if b == 0 {
		return ""
	}
	return t.Digits(strconv.FormatFloat(a/b, 'f', 1, 64))
}

// lives reports whether something may change on the page.
func (v *allView) lives() bool {
	return slices.ContainsFunc(v.Crawls, func(c Progress) bool { return c.Live })
}

func statusAsItIs(t *locale.Language, code string) string { return t.Digits(code) }
