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
	"github.com/varve-archive/varve/archive/holdings"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/internal/sentinel"
	"github.com/varve-archive/varve/memento"
)

// An Ask selects versions.
type Ask struct {
	Coll  string
	Level change.Level
	URL   string      // one address; "" means ranges of keys
	Keys  []surt.Keys // in order; nil for all
	Parts bool        // include images, styles, scripts and the like
	// Since and Until bound the datetime of a version's first capture, both inclusive; 0 leaves that side open.
	Since, Until cdx.Timestamp
}

// A Version is a version of an address.
type Version struct {
	URL    string // of its first capture
	Range  change.Range
	Before *change.Range // nil if it is the first version
}

// ErrMany says that too many addresses match to look at all of them.
const ErrMany = sentinel.Error("latest: too much has changed to look at all of it")

// A CountingError says that the addresses of a large collection are still being counted.
type CountingError struct{ holdings.Progress }

func (*CountingError) Error() string {
	return "latest: the addresses of this collection are still being counted"
}

const (
	// maxOpened bounds the addresses whose versions are read by one walk; each takes about a millisecond.
	maxOpened = 2000
	// maxOfOne bounds the versions of one address.
	maxOfOne = 10_000
)

// Walk yields versions, newest first; those of one moment in the order of their addresses. The caller may keep the *Version.
func Walk(ctx context.Context, a *archive.Archive, of *holdings.Counts, ask Ask) iter.Seq2[*Version, error] {
	return func(yield func(*Version, error) bool) {
		w := walk{archive: a, counts: of, ask: ask}
		if err := w.run(ctx, yield); err != nil {
			yield(nil, err)
		}
	}
}

// A walk merges the versions of many addresses. It reads the versions of an address only when no version in its queue is certainly newer.
type walk struct {
	archive *archive.Archive
	counts  *holdings.Counts
	ask     Ask
	queue   queue
	more    bool // there are more addresses or versions than it may read
}

func (w *walk) run(ctx context.Context, yield func(*Version, error) bool) error {
	if w.ask.URL != "" {
		if err := w.open(ctx, w.ask.URL); err != nil {
			return err
		}
	} else if err := w.find(ctx); err != nil {
		return err
	}
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

// find queues the matching addresses that changed last.
func (w *walk) find(ctx context.Context) error {
	counted, counting, err := w.counts.Of(ctx, w.ask.Coll, w.ask.Level, false)
	if err != nil {
		return err
	}
	if counted == nil {
		return &CountingError{counting}
	}
	most := newest{most: maxOpened}
	for i, e := range w.entries(counted) {
		if at := w.ask.changed(e); at > most.least && w.ask.reads(e) && (w.ask.Keys == nil || surt.InAny(w.ask.Keys, e.Key)) {
			most.add(item{time: at, number: i})
		}
	}
	most.cut()
	w.queue, w.more = queue(most.list), most.more // sorted, thus a heap
	for i := range w.queue {
		w.queue[i].url = counted.At(w.queue[i].number).URL
	}
	return nil
}

// entries yields the matching addresses, without texts if these aren't needed: there may be millions.
func (w *walk) entries(counted *holdings.List) iter.Seq2[int, *catalogue.Entry] {
	if w.ask.Keys != nil {
		around := surt.Around(w.ask.Keys)
		return counted.Between(around.From, around.To)
	}
	if w.ask.Until != 0 {
		return counted.Between("", "")
	}
	return func(yield func(int, *catalogue.Entry) bool) {
		for i := range counted.Len() {
			if e := counted.Facts(i); !yield(i, &e) {
				return
			}
		}
	}
}

// reads reports whether an address is selected by its sort.
func (ask *Ask) reads(e *catalogue.Entry) bool {
	listed := holdings.ListedOf(e)
	return ask.Parts || listed.IsRead()
}

// changed returns a datetime after which an address has no selected version, 0 if it has none.
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
	if list == nil || err != nil { // removed since it was counted
		return err
	}
	for i, taken := list.Len()-1, 0; i >= 0; i-- {
		v := &Version{}
		if v.Range, v.URL = list.Version(i); v.Range.First < w.ask.Since {
			break
		} else if w.ask.Until != 0 && v.Range.First > w.ask.Until {
			continue
		} else if taken == maxOfOne {
			w.more = true
			break
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

// An item is a version, or an address whose versions are all at most as new as time.
type item struct {
	time    cdx.Timestamp
	number  int // position of the address
	url     string
	version *Version
}

// compare puts newer items first, and an address before versions of the same moment, since it may have another one.
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

// newest keeps the first items, up to a limit.
type newest struct {
	most  int
	list  []item
	least cdx.Timestamp // items of this time or earlier no longer fit
	more  bool          // items were left out
}

func (n *newest) add(i item) {
	if n.list = append(n.list, i); len(n.list) >= 2*n.most {
		n.cut()
	}
}

func (n *newest) cut() {
	slices.SortFunc(n.list, func(a, b item) int { return a.compare(&b) })
	if len(n.list) > n.most { // later items rank lower, because they come in the order of addresses
		n.more = true
		n.list = n.list[:n.most]
		n.least = n.list[n.most-1].time
	}
}
