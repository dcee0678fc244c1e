package follow

import (
	"time"

	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/gather/follow/policy"
	"github.com/varve-archive/varve/gather/follow/status"
)

func (f *state) count(change func(*totals)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.today()
	change(&f.totals)
}

// today starts the counts of a new day. f.mu is held.
func (f *state) today() {
	if day := f.now().UTC().Format(time.DateOnly); f.totals.Day != day {
		f.totals.Day, f.totals.Today = day, status.Usage{}
	}
}

// spend counts a request.
func (f *state) spend(e *client.Exchange) {
	var bytes int64
	if e != nil {
		bytes = e.Response().Size()
	}
	f.count(func(t *totals) {
		t.Requests++
		t.Bytes += bytes
		t.Today.Requests++
		t.Today.Bytes += bytes
	})
}

// spent reports whether today's budget is used up.
func (f *state) spent() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.isSpent()
}

// isSpent is spent for callers that hold f.mu.
func (f *state) isSpent() bool {
	f.today()
	t := &f.totals.Today
	return f.set.Budget > 0 && t.Requests >= f.set.Budget || f.set.BudgetBytes > 0 && t.Bytes >= int64(f.set.BudgetBytes)
}

// untilTomorrow returns the time until the next UTC day.
func (f *state) untilTomorrow() time.Duration {
	now := f.now().UTC()
	return now.Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(now)
}

// allow sets the number of requests a day for sources: without a budget, one per source and initial interval; with a budget, what
// visits leave of it. f.mu is held.
func (f *state) allow() *policy.Allowance {
	t := &f.totals
	day := float64(len(f.sources)) * (24 * time.Hour).Hours() / f.set.Every.Hours()
	share := (float64(t.Polls) + 10) / (float64(t.Requests) + 20) // of polls among the requests; initially one half
	if f.set.Budget > 0 {
		day = share * float64(f.set.Budget)
	}
	if f.set.BudgetBytes > 0 && t.Requests > 0 {
		perRequest := max(float64(t.Bytes)/float64(t.Requests), 1)
		day = min(day, share*float64(f.set.BudgetBytes)/perRequest)
	}
	t.Allowance.PerDay = max(day, 1)
	return &t.Allowance
}
