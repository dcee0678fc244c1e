package follow

import (
	"context"
	"errors"
	"time"

	"github.com/varve-archive/varve/gather/follow/status"
	"github.com/varve-archive/varve/internal/sleep"
	"github.com/varve-archive/varve/rewrite/reference"
)

// A task makes requests to one host.
type task struct {
	host string
	do   func(ctx context.Context)
}

const (
	// maxNap is the longest wait of the loop.
	maxNap = time.Second
	// handOverInterval is how often captures are handed over to be indexed.
	handOverInterval = time.Minute
)

// Once does what is due now: it polls sources and visits queued pages. It returns the number of sources that failed.
func (f *Follower) Once(ctx context.Context) (problems int, err error) {
	err = f.run(ctx, f.now())
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.problems, err
}

// Run follows the sources until ctx ends.
func (f *Follower) Run(ctx context.Context) error { return f.run(ctx, time.Time{}) }

// run works until everything that was due at a time is done; if due is zero, until ctx ends.
func (f *Follower) run(ctx context.Context, due time.Time) error {
	running, stop := context.WithCancel(ctx)
	free := make(chan struct{}, f.set.Threads)
	stopReporting := f.reportStatus()
	took := f.now()
	for f.problem() == nil && running.Err() == nil {
		if f.dirty.Load() && due.IsZero() && f.now().Sub(took) > handOverInterval {
			took = f.now()
			f.hand(running)
		}
		t, wait, idle := f.pick(due)
		if t != nil {
			select {
			case free <- struct{}{}:
			case <-running.Done():
				f.leave(t.host)
				continue
			}
			go func() {
				t.do(running)
				f.leave(t.host)
				<-free
			}()
			continue
		}
		if idle && !due.IsZero() {
			break
		}
		select {
		case <-f.woken:
		case <-time.After(min(max(wait, 10*time.Millisecond), maxNap)):
		case <-running.Done():
		}
	}
	failed := f.problem()
	stop()
	for range f.set.Threads { // wait for all running tasks
		free <- struct{}{}
	}
	stopReporting()
	return failed
}

// leave ends a task at a host.
func (f *Follower) leave(host string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.busy[host]--; f.busy[host] <= 0 {
		delete(f.busy, host)
	}
	f.wake()
}

// pick returns the next task whose host is free. Sources come before pages, since their news is the most urgent. If there is no
// task, it returns the wait, and whether everything due is done.
func (f *Follower) pick(due time.Time) (t *task, wait time.Duration, idle bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now()
	for _, s := range f.sources {
		if len(s.fat) > 0 && !s.busy {
			return f.fatTask(s), 0, false
		}
	}
	if f.isSpent() {
		return nil, f.untilTomorrow(), len(f.busy) == 0
	}
	wait = maxNap
	left := false
	try := func(host string, at time.Time) bool {
		at = later(at, f.resting[host])
		if at.After(now) {
			wait = min(wait, at.Sub(now))
			return false
		}
		left = true
		return f.busy[host] < f.set.PerHost
	}
	limit := now
	if !due.IsZero() {
		limit = due
	}
	var first *source
	for _, s := range f.sources {
		if s.busy || s.Aside != "" {
			continue
		}
		hub := reference.Host(s.Push.Hub + s.Push.Cloud)
		if due.IsZero() && f.set.Push.PublicURL != "" && s.Push.Due(now) && try(hub, s.Push.Renew) {
			return f.taskAt(hub, s, func(ctx context.Context) { f.poller.subscribe(ctx, s) }), 0, false
		}
		if s.Next.After(limit) || !try(reference.Host(s.url), s.Next) {
			continue
		}
		if first == nil || s.Next.Before(first.Next) {
			first = s
		}
	}
	if first != nil {
		return f.taskAt(reference.Host(first.url), first, func(ctx context.Context) { f.poller.poll(ctx, first) }), 0, false
	}
	for i, v := range f.queue {
		if try(reference.Host(v.URL), v.After) {
			f.queue = append(f.queue[:i:i], f.queue[i+1:]...)
			return f.visitTask(v), 0, false
		}
	}
	return nil, wait, !left && len(f.busy) == 0
}

// taskAt returns a task for a source. f.mu is held.
func (f *Follower) taskAt(host string, s *source, do func(ctx context.Context)) *task {
	f.busy[host]++
	s.busy = true
	return &task{host, func(ctx context.Context) {
		do(ctx)
		f.mu.Lock()
		defer f.mu.Unlock()
		s.busy = false
	}}
}

// visitTask returns a task that visits a page. f.mu is held.
func (f *Follower) visitTask(v *visit) *task {
	host := reference.Host(v.URL)
	f.busy[host]++
	return &task{host, func(ctx context.Context) { f.visitor.visit(ctx, v) }}
}

// hand has captures indexed.
func (f *Follower) hand(ctx context.Context) {
	f.writing.Lock()
	f.dirty.Store(false)
	err := errors.Join(f.store.Sync(ctx), f.writer.Roll()) // in this order, so that the store knows the content of every finished file
	f.writing.Unlock()
	if err == nil && f.cfg.Taken != nil {
		err = f.cfg.Taken(ctx)
	}
	if err != nil && ctx.Err() == nil {
		f.log.Warn("what was captured could not be handed on; that is tried again", "error", err)
		f.dirty.Store(true)
	}
}

// reportStatus writes the status repeatedly until stop is called.
func (f *Follower) reportStatus() (stop func()) {
	write := func(running bool) {
		s := f.Status()
		s.Running = running
		if err := f.cfg.Status.Write(s); err != nil {
			f.log.Warn("the status could not be written", "error", err)
		}
	}
	f.cfg.Status.Tidy(f.set.Name)
	write(true)
	interval := statusInterval * time.Duration(1+len(f.sources)/500) // the status of many sources is long
	end := sleep.Repeat(context.Background(), interval, func(context.Context) { write(true) })
	return func() {
		end()
		write(false)
	}
}

// Status returns the current state of the sources.
func (f *Follower) Status() status.Status {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.today()
	s := status.Status{
		Name: f.set.Name, Collection: f.set.Collection, Policy: string(f.set.Policy), Written: f.now().UTC(), Today: f.totals.Today,
		Budget: status.Usage{Requests: f.set.Budget, Bytes: int64(f.set.BudgetBytes)}, Totals: f.totals.Totals, Waiting: len(f.queued),
	}
	for _, src := range f.sources {
		m := &src.memory
		s.Sources = append(s.Sources, status.Source{
			Kind: src.kind, URL: src.url, Title: m.Title, Format: m.Format, Asked: m.Asked, Next: m.Next, News: m.News, PerDay: m.Rate.PerDay(),
			Polls: m.Polls, Useful: m.Useful, Entries: m.Entries, Captured: m.Captured, Lag: m.Lag, Problem: m.Problem, Aside: m.Aside,
			Push: m.Push.String(),
		})
	}
	return s
}
