package search

import (
	"context"
	"errors"
	"strings"
	"time"

	index "github.com/blevesearch/bleve_index_api"
)

const (
	// pagesAhead is how many stale pages may be queued. It is large so that their number is known early.
	pagesAhead = 1 << 16
	// strideLength is the number of pages between two pauses.
	strideLength = 256
)

// A stalePage is a page to index or, if gone is set, to remove.
type stalePage struct {
	Page
	known bool // the index may have documents of it
	gone  bool
}

// find sends the pages that the index lacks or has in an old state to work.
func (u *update) find(ctx context.Context, work chan<- stalePage) error {
	touched, err := u.archive.Touched(ctx, u.before.state)
	if err != nil {
		return err
	}
	u.now, u.exposed = touched.State, touched.Exposed
	f := finder{update: u, work: work, stride: &step{u, time.Now()}}
	if touched.All {
		return f.all(ctx)
	}
	return f.touched(ctx, touched.Keys)
}

type finder struct {
	*update
	work   chan<- stalePage
	stride *step
	looked int
}

func (f *finder) send(ctx context.Context, p stalePage) error {
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
	f.progress.Pages.Store(f.before.pages)
	f.progress.Done.Store(f.before.pages)
	for _, key := range keys {
		if err := errors.Join(f.one(ctx, key), f.pause(ctx)); err != nil {
			return err
		}
	}
	return nil
}

func (f *finder) one(ctx context.Context, key string) error {
	page, ok, err := f.archive.Page(ctx, key)
	if err != nil {
		return err
	}
	docs, err := f.reader.ofPage(key)
	if err != nil {
		return err
	}
	if ok {
		live, err := f.reader.live(key, page.Signature)
		if err != nil || live {
			return err
		}
	} else if len(docs) == 0 {
		return nil
	}
	complete, err := f.complete(key)
	switch {
	case err != nil:
		return err
	case complete && ok:
		f.progress.Done.Add(-1)
	case complete:
		f.progress.Done.Add(-1)
		f.progress.Pages.Add(-1)
	case ok:
		f.progress.Pages.Add(1)
	}
	page.Key = key
	return f.send(ctx, stalePage{Page: page, known: len(docs) > 0, gone: !ok})
}

// complete reports whether the index has a complete history of a page, up to date or not.
func (f *finder) complete(key string) (bool, error) {
	ids, err := f.reader.ids(pageID, key)
	for _, id := range ids {
		_, live, err := f.reader.number(id)
		if live || err != nil {
			return live, err
		}
	}
	return false, err
}

// all walks over the pages of the archive and those of the index side by side, both ordered by key.
func (f *finder) all(ctx context.Context) error {
	parted, err := f.parted()
	if err != nil {
		return err
	}
	dict, err := f.reader.FieldDictPrefix("_id", []byte{pageID})
	if err != nil {
		return err
	}
	defer dict.Close()
	known := &names{dict: dict}
	if err := known.next(); err != nil {
		return err
	}
	gone := func() error {
		delete(parted, known.key)
		return errors.Join(f.gone(ctx, known.key), known.next())
	}
	pages := int64(0)
	for page, err := range f.archive.Pages(ctx) {
		if err := errors.Join(err, f.pause(ctx)); err != nil {
			return err
		}
		if pages++; pages > f.progress.Pages.Load() {
			f.progress.Pages.Store(pages)
		}
		for known.ok && known.key < page.Key {
			if err := gone(); err != nil {
				return err
			}
		}
		p := stalePage{Page: page, known: parted[page.Key]}
		delete(parted, page.Key)
		if known.ok && known.key == page.Key {
			p.known = true
			live, err := f.reader.live(page.Key, page.Signature)
			if err := errors.Join(err, known.next()); err != nil {
				return err
			}
			if live {
				f.progress.Done.Add(1)
				continue
			}
		}
		if err := f.send(ctx, p); err != nil {
			return err
		}
	}
	f.progress.Pages.Store(pages)
	for known.ok {
		if err := gone(); err != nil {
			return err
		}
	}
	for key := range parted {
		if err := f.gone(ctx, key); err != nil {
			return err
		}
	}
	return nil
}

// gone sends the removal of a page that the index has.
func (f *finder) gone(ctx context.Context, key string) error {
	if docs, err := f.reader.ofPage(key); err != nil || len(docs) == 0 {
		return err
	}
	return f.send(ctx, stalePage{Page: Page{Key: key}, known: true, gone: true})
}

// parted returns the pages with earlier parts in the index. An interrupted run may have left parts of a page without the last.
func (f *finder) parted() (map[string]bool, error) {
	out := map[string]bool{}
	err := f.reader.terms("_id", []byte{partID}, func(e *index.DictEntry) bool {
		if n, ok := parseDocID(e.Term); ok {
			out[strings.Clone(n.key)] = true
		}
		return true
	})
	return out, err
}

// names iterates over the keys of the pages in the index, deleted ones included.
type names struct {
	dict index.FieldDict
	key  string
	ok   bool
}

func (n *names) next() error {
	for {
		e, err := n.dict.Next()
		if err != nil || e == nil {
			n.ok = false
			return err
		}
		name, ok := parseDocID(e.Term)
		if ok && (!n.ok || name.key != n.key) {
			n.key, n.ok = strings.Clone(name.key), true
			return nil
		}
	}
}
