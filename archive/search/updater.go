package search

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

// A Target is an index that an [Updater] brings up to date.
type Target interface {
	// Held returns what the index has of some pages, by key.
	Held(ctx context.Context, keys []string) (map[string]Held, error)
	// AllHeld yields what the index has, ordered by key.
	AllHeld(ctx context.Context) iter.Seq2[Held, error]
	// Replace indexes a page anew, or removes it. It is called concurrently, and may end steps of its own.
	Replace(ctx context.Context, p StalePage, s *Step) error
}

// A Held is what an index has of a page.
type Held struct {
	Key       string
	Complete  bool   // false if there are only parts of it, which an interrupted update left
	Signature uint64 // of the page when it was indexed, if it is complete
	Versions  int    // of which an engine has documents
}

// A StalePage is a page to index or, if Gone is set, to remove.
type StalePage struct {
	Page
	Held    Held // zero if the index has nothing of it
	Gone    bool
	Exposed bool // see [Touched]
}

// An Updater finds the pages whose state in an index is not the present one, and has them replaced.
type Updater struct {
	Archive  Archive
	Target   Target
	State    string // of the archive at the last complete update, "" for none
	Pages    int64  // in the index then
	Progress *Progress
	Pace     func(ctx context.Context, took time.Duration) error // see [Index]
}

const (
	// pagesAhead is how many stale pages may be queued. It is large so that their number is known early.
	pagesAhead = 1 << 16
	// strideLength is the number of pages between two pauses.
	strideLength = 256
	// keysAtOnce is how many touched pages are looked up at a time.
	keysAtOnce = 500
)

// Run returns what was touched once all stale pages are replaced. If the archive knows what has changed, only these pages are looked at.
func (u *Updater) Run(ctx context.Context) (touched Touched, err error) {
	work := make(chan StalePage, pagesAhead)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		defer asDamaged(&err)
		defer close(work)
		if touched, err = u.Archive.Touched(ctx, u.State); err != nil {
			return err
		}
		f := finder{Updater: u, exposed: touched.Exposed, work: work, stride: newStep(u.Pace)}
		if touched.All {
			return f.all(ctx)
		}
		return f.touched(ctx, touched.Keys)
	})
	for range makers(u.Pace != nil) {
		g.Go(func() (err error) {
			defer asDamaged(&err)
			for p := range work {
				s := newStep(u.Pace)
				if err := errors.Join(u.Target.Replace(ctx, p, s), s.end(ctx)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err = g.Wait()
	return touched, err
}

// makers returns how many pages are built at once: as many as there are processors, or half as many in a server, whose readers would
// otherwise wait for the ends of all steps that run when they come.
func makers(server bool) int {
	n := runtime.GOMAXPROCS(0)
	if server {
		return max(1, n/2)
	}
	return n
}

// A Step is a small piece of work, after which the pace is kept.
type Step struct {
	pace  func(ctx context.Context, took time.Duration) error
	began time.Time
}

func newStep(pace func(context.Context, time.Duration) error) *Step { return &Step{pace, time.Now()} }

// end pauses, if there is a pace, and begins the next step.
func (s *Step) end(ctx context.Context) error {
	if s.pace == nil {
		return nil
	}
	err := s.pace(ctx, time.Since(s.began))
	s.began = time.Now()
	return err
}

type finder struct {
	*Updater
	exposed bool
	work    chan<- StalePage
	stride  *Step
	looked  int
}

func (f *finder) send(ctx context.Context, p StalePage) error {
	p.Exposed = f.exposed
	select {
	case f.work <- p:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pause makes room for others after each stride.
func (f *finder) pause(ctx context.Context) error {
	if f.looked++; f.looked%strideLength != 0 {
		return nil
	}
	return f.stride.end(ctx)
}

// touched looks only at the pages with these keys.
func (f *finder) touched(ctx context.Context, keys []string) error {
	f.Progress.Pages.Store(f.Pages)
	f.Progress.Done.Store(f.Pages)
	for some := range slices.Chunk(keys, keysAtOnce) {
		held, err := f.Target.Held(ctx, some)
		if err != nil {
			return err
		}
		for _, key := range some {
			h, known := held[key]
			if err := errors.Join(f.one(ctx, key, h, known), f.pause(ctx)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *finder) one(ctx context.Context, key string, held Held, known bool) error {
	page, ok, err := f.Archive.Page(ctx, key)
	if err != nil {
		return err
	}
	switch {
	case !ok && !known, ok && held.isOf(page):
		return nil
	case held.Complete && ok:
		f.Progress.Done.Add(-1)
	case held.Complete:
		f.Progress.Done.Add(-1)
		f.Progress.Pages.Add(-1)
	case ok:
		f.Progress.Pages.Add(1)
	}
	page.Key = key
	return f.send(ctx, StalePage{Page: page, Held: held, Gone: !ok})
}

// isOf reports whether the index has a page in its present state.
func (h *Held) isOf(p Page) bool { return h.Complete && h.Signature == p.Signature }

// all walks over the pages of the archive and those of the index side by side, both ordered by key.
func (f *finder) all(ctx context.Context) error {
	next, stop := iter.Pull2(f.Target.AllHeld(ctx))
	defer stop()
	held, err, more := next()
	gone := func() error {
		p := StalePage{Page: Page{Key: held.Key}, Held: held, Gone: true}
		held, err, more = next()
		return errors.Join(err, f.send(ctx, p))
	}
	pages := int64(0)
	for page, failed := range f.Archive.Pages(ctx) {
		if err := errors.Join(err, failed, f.pause(ctx)); err != nil {
			return err
		}
		if pages++; pages > f.Progress.Pages.Load() {
			f.Progress.Pages.Store(pages)
		}
		for more && held.Key < page.Key {
			if err := gone(); err != nil {
				return err
			}
		}
		p := StalePage{Page: page}
		if more && held.Key == page.Key {
			p.Held = held
			if held, err, more = next(); err != nil {
				return err
			}
		}
		if p.Held.isOf(page) {
			f.Progress.Done.Add(1)
			continue
		}
		if err := f.send(ctx, p); err != nil {
			return err
		}
	}
	f.Progress.Pages.Store(pages)
	for err == nil && more {
		err = gone()
	}
	return err
}
