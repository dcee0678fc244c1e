package follow

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/varve-archive/varve/archive/index/kv"
)

const (
	maxTries   = 6
	firstRetry = 5 * time.Minute
)

// A visitor captures queued pages.
type visitor struct{ *web }

// visit captures a page and removes it from the queue, or puts it back.
func (f *visitor) visit(ctx context.Context, v *visit) {
	got, err := f.capture(ctx, v.URL, v.Source, f.useOf(v))
	switch {
	case err == nil:
		f.visited(ctx, v, got)
	case ctx.Err() != nil || f.problem() != nil || errors.Is(err, errBudget):
		f.back(v)
	case isRefusal(err):
		f.count(func(t *totals) { t.Refused++ })
		f.log.Info("a page is left out", "url", v.URL, "error", err)
		_ = f.fatal(f.drop(ctx, v))
	default:
		f.later(ctx, v, err)
	}
	f.mu.Lock()
	s := f.byURL[v.Source]
	f.mu.Unlock()
	if s != nil { // it is still followed
		_ = f.fatal(f.remember(ctx, s))
	}
}

// useOf returns how the address of a visit is requested.
func (f *web) useOf(v *visit) use {
	if v.Part {
		return asPart
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.useFor(f.byURL[v.Source])
}

// useFor returns how pages of a source are requested; s may be nil.
func (f *web) useFor(s *source) use {
	if f.set.Browser || s != nil && s.set.Browser {
		return inBrowser
	}
	return asPage
}

func (f *visitor) visited(ctx context.Context, v *visit, got outcome) {
	f.mu.Lock()
	s := f.byURL[v.Source]
	if got != same {
		f.countNews(got)
		if s != nil {
			s.Captured++
		}
		if lag := f.now().Sub(v.Published); s != nil && v.Published.After(s.First) && lag >= 0 {
			s.Lag.Add(lag)
			f.totals.Lag.Add(lag)
		}
	}
	f.mu.Unlock()
	err := f.drop(ctx, v)
	if err == nil && v.Entry != nil {
		err = f.looked(ctx, v.Entry, got)
	}
	_ = f.fatal(err)
}

// looked counts how often in a row the page of an entry was unchanged, so that entries of a feed that calls everything new are
// visited less.
func (f *visitor) looked(ctx context.Context, entry []byte, got outcome) error {
	return f.store.Update(context.WithoutCancel(ctx), func(tx kv.Txn) error {
		var k known
		v, err := tx.Get(entry)
		if err == nil {
			err = json.Unmarshal(v, &k)
		}
		if err != nil && !errors.Is(err, kv.ErrNoKey) {
			return err
		}
		if k.Same++; got != same {
			k.Same = 0
		}
		return kv.SetJSON(tx, entry, k)
	})
}

// later puts a failed visit back for a later attempt, or gives it up.
func (f *visitor) later(ctx context.Context, v *visit, err error) {
	wait, rests := f.rest(err)
	if refused, ok := errors.AsType[*statusError](err); ok {
		wait = max(wait, refused.wait)
	}
	if !rests {
		v.Tries++
	}
	if v.Tries >= maxTries {
		f.count(func(t *totals) {
			t.Lost++
			f.problems++
		})
		f.log.Warn("a page never answered, so it is given up", "url", v.URL, "error", err)
		_ = f.fatal(f.drop(ctx, v))
		return
	}
	f.log.Debug("a page is visited later", "url", v.URL, "error", err)
	if !rests {
		wait = max(wait, firstRetry<<v.Tries)
	}
	v.After = f.now().Add(wait)
	_ = f.fatal(f.put(ctx, v.Key, v))
	f.back(v)
}
