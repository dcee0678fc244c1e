package latest

import (
	"cmp"
	"container/heap"
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/catalogue"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/sentinel"
	"github.com/varve-archive/varve/memento"
)

// An Ask says which versions are wanted.
type Ask struct {
	Coll  string
	Level change.Level
	URL   string // one address; "" means those of a range of keys
	// From and To bound the keys; To is exclusive, "" for no end.
	From, To string
	Parts    bool // images, styles, scripts and the like too, not only what people read
	// Since and Until bound the datetime of a version's first capture, both inclusive; 0 leaves that side open.
	Since, Until cdx.Timestamp
}

// A Version is a version of an address.
type Version struct {
	URL    string // of its first capture
	Range  change.Range
	Before *change.Range // nil if it is the first version
}

// ErrMany ends a walk that would have to look at more addresses than one answer may.
const ErrMany = sentinel.Error("latest: too many addresses have changed to look at all of them")

// A CountingError ends a walk before its first version: the addresses of a large collection are still being counted.
type CountingError struct{ archive.Counting }

func (*CountingError) Error() string {
	return "latest: the addresses of this collection are still being counted"
}

const (
	// maxOpened bounds the addresses whose versions one walk reads, about a millisecond each.
	maxOpened = 2000
	// maxOfOne bounds the versions that are taken of one address.
	maxOfOne = 10_000
)

// Walk yields versions, the newest first; those of one moment in the order of their addresses. A *Version is the caller's.
func Walk(ctx context.Context, a *archive.Archive, ask Ask) iter.Seq2[*Version, error] {
	return func(yield func(*Version, error) bool) {
		w := walk{archive: a, ask: ask}
		if err := w.run(ctx, yield); err != nil {
			yield(nil, err)
		}
	}
}

// A walk merges the versions of many addresses. It opens an address only when none that it holds can have a newer version.
type walk struct {
	archive *archive.Archive
	ask     Ask
	queue   queue
	more    bool // addresses than it may open
}

func (w *walk) run(ctx context.Context, yield func(*Version, error) bool) error {
	if w.ask.URL != "" {
		if err := w.open(ctx, w.ask.URL); err != nil {
			return err
		}
	} else if err := w.find(ctx); err != nil {
		return err
	}
	heap.Init(&w.queue)
	for len(w.queue) > 0 {
		next := heap.Pop(&w.queue).(item)
		if next.version == nil {
			if err := w.open(ctx, next.url); err != nil {
				return err
			}
		} else if !yield(next.version, nil) {
			return nil
		}
	}
	if w.more {
		return ErrMany
	}
	return nil
}

// find queues the addresses that changed last, of those that are asked for.
func (w *walk) find(ctx context.Context) error {
	counted, counting, err := w.archive.Counted(ctx, w.ask.Coll, w.ask.Level, false)
	if err != nil {
		return err
	}
	if counted == nil {
		return &CountingError{counting}
	}
	most := newest{most: maxOpened}
	for i, e := range w.entries(counted) {
		if at := w.ask.changed(e); at > most.least && w.ask.reads(e) {
			most.add(item{time: at, number: i})
		} else if at != 0 && at <= most.least {
			most.more = true
		}
	}
	most.cut()
	w.queue, w.more = queue(most.list), most.more
	for i := range w.queue {
		w.queue[i].url = counted.At(w.queue[i].number).URL
	}
	return nil
}

// entries yields the addresses that are asked for, without their texts if nothing needs these: there may be millions.
func (w *walk) entries(counted *archive.Counted) iter.Seq2[int, *catalogue.Entry] {
	if w.ask.From != "" || w.ask.To != "" || w.ask.Until != 0 {
		return counted.Between(w.ask.From, w.ask.To)
	}
	return func(yield func(int, *catalogue.Entry) bool) {
		for i := range counted.Len() {
			if e := counted.Facts(i); !yield(i, &e) {
				return
			}
		}
	}
}

// reads reports whether people read what is at an address, or parts of pages are asked for too.
func (ask *Ask) reads(e *catalogue.Entry) bool {
	listed := archive.ListedOf(e)
	return ask.Parts || listed.IsRead()
}

// changed returns a moment after which an address has no version that is asked for, 0 if it has none at all.
func (ask *Ask) changed(e *catalogue.Entry) cdx.Timestamp {
	at := cmp.Or(e.Changed, e.First)
	if at < ask.Since || ask.Until != 0 && e.First > ask.Until {
		return 0
	}
	if ask.Until == 0 || at <= ask.Until {
		return at
	}
	for _, year := range e.Began {
		if year >= ask.Since.Year() && year <= ask.Until.Year() {
			return ask.Until
		}
	}
	return 0
}

// open queues the versions of an address.
func (w *walk) open(ctx context.Context, url string) error {
	list, err := w.archive.Timelines.ChangeRanges(ctx, memento.URIs{Coll: w.ask.Coll}, url, w.ask.Level)
	if list == nil || err != nil { // it is gone since it was counted
		return err
	}
	for i, taken := list.Len()-1, 0; i >= 0 && taken < maxOfOne; i-- {
		v := &Version{}
		if v.Range, v.URL = list.Version(i); v.Range.First < w.ask.Since {
			break
		} else if w.ask.Until != 0 && v.Range.First > w.ask.Until {
			continue
		}
		if i > 0 {
			before, _ := list.Version(i - 1)
			v.Before = &before
		}
		taken++
		heap.Push(&w.queue, item{time: v.Range.First, url: v.URL, version: v})
	}
	return nil
}

// An item is a version, or an address with no version that is newer than time.
type item struct {
	time    cdx.Timestamp
	number  int // of the address, in the order of addresses
	url     string
	version *Version
}

// compare puts what is newer first, and an address before versions of the same moment: it may have another one.
func (i *item) compare(o *item) int {
	if c := cmp.Compare(o.time, i.time); c != 0 {
		return c
	}
	if x, y := i.version != nil, o.version != nil; x != y {
		if y {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(i.number, o.number), strings.Compare(i.url, o.url))
}

// A queue is a heap with the item that comes first on top.
type queue []item

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].compare(&q[j]) < 0 }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(item)) }

func (q *queue) Pop() any {
	old := *q
	last := old[len(old)-1]
	*q = old[:len(old)-1]
	return last
}

// newest keeps the items that come first, as many as it may.
type newest struct {
	most  int
	list  []item
	least cdx.Timestamp // nothing of then or earlier has room
	more  bool          // than it could keep
}

func (n *newest) add(i item) {
	if n.list = append(n.list, i); len(n.list) >= 2*n.most {
		n.cut()
	}
}

func (n *newest) cut() {
	slices.SortFunc(n.list, func(a, b item) int { return a.compare(&b) })
	if len(n.list) >= n.most { // those that come later are behind, in the order of addresses
		n.more = n.more || len(n.list) > n.most
		n.list = n.list[:n.most]
		n.least = n.list[n.most-1].time
	}
}
