package memento

import (
	"io"
	"iter"

	"github.com/varve-archive/varve/cdx"
)

// PageSize is how many mementos a TimeMap lists before the next page begins.
const PageSize = 10_000

// A TimeMapInfo is what a TimeMap says besides its mementos. The mementos themselves come as a
// sequence, oldest first, from the page's first on; the writers stop after [PageSize] of them and look
// one further to know whether they wrote the last. The captures may be yielded in one and the same
// place, for they are not kept. A writer's memory does not grow with their number.
type TimeMapInfo struct {
	URIs     URIs
	Original string // URI-R, as asked for
	Page     int    // from 1; 0 is 1

	// The first and the last memento of this page, for "from" and "until" of the TimeMap itself
	// (RFC 7089 §5); 0 where not known beforehand.
	From, Until cdx.Timestamp

	// The first and last capture of the URI-R, for JSON's "first" and "last"; nil for those listed.
	First, Last *cdx.Capture

	// Version tells the index of the validity range that a capture falls in, from 0, for JSON's "version"; nil leaves it out.
	Version func(cdx.Timestamp) int

	// Pages tells all pages of the TimeMap; nil where there is one only. It is called after the
	// mementos have been written (in CDXJ before), so that counting does not delay the first byte.
	Pages func() ([]PageRange, error)
}

// A PageRange is a page of a TimeMap and the datetimes of its first and last memento.
type PageRange struct {
	Page        int // from 1
	From, Until cdx.Timestamp
}

// PageRanges cuts the datetimes of a URI-R's captures, oldest first, into the pages of its TimeMap.
func PageRanges(times iter.Seq2[cdx.Timestamp, error]) ([]PageRange, error) {
	var pages []PageRange
	n := 0
	for t, err := range times {
		if err != nil {
			return nil, err
		}
		if n%PageSize == 0 {
			pages = append(pages, PageRange{Page: len(pages) + 1, From: t})
		}
		pages[len(pages)-1].Until = t
		n++
	}
	return pages, nil
}

func (i *TimeMapInfo) page() int { return max(i.Page, 1) }

// uriT returns the URI-T of a page in a format.
func (i *TimeMapInfo) uriT(format string, page int) string {
	return i.URIs.TimeMap(format, page, i.Original)
}

// otherPages returns the pages that this one should name.
func (i *TimeMapInfo) otherPages() ([]PageRange, error) {
	if i.Pages == nil {
		return nil, nil
	}
	all, err := i.Pages()
	if err != nil {
		return nil, err
	}
	others := make([]PageRange, 0, len(all))
	for _, p := range all {
		if p.Page != i.page() {
			others = append(others, p)
		}
	}
	return others, nil
}

// flushAt is how much of a TimeMap is gathered before it is written.
const flushAt = 16 << 10

// out gathers bytes for a writer. After an error it only swallows.
type out struct {
	w   io.Writer
	b   []byte
	err error
}

func newOut(w io.Writer) *out { return &out{w: w, b: make([]byte, 0, flushAt+4<<10)} }

// spill writes what is gathered once it is worth a write, and reports whether writing still works.
func (o *out) spill() bool {
	if len(o.b) >= flushAt {
		o.flush()
	}
	return o.err == nil
}

func (o *out) flush() {
	if o.err == nil {
		_, o.err = o.w.Write(o.b)
	}
	o.b = o.b[:0]
}

// finish writes the rest and returns what went wrong first.
func (o *out) finish(err error) error {
	o.flush()
	if err != nil {
		return err
	}
	return o.err
}

// A position tells where a memento stands in its TimeMap.
type position struct {
	first, last bool
}

// rels returns the relation types of a memento there.
func (p position) rels() string {
	switch {
	case p.first && p.last:
		return "first last memento"
	case p.first:
		return "first memento"
	case p.last:
		return "last memento"
	}
	return "memento"
}

// entry is what a TimeMap says of a capture.
type entry struct {
	time cdx.Timestamp
	url  string
}

// eachMemento calls write for each memento of this page, one behind the sequence so that the last of all is known.
func (i *TimeMapInfo) eachMemento(captures iter.Seq2[*cdx.Capture, error], write func(entry, position) bool) error {
	var held entry
	n := 0
	for c, err := range captures {
		if err != nil {
			if n > 0 {
				write(held, position{first: n == 1 && i.page() == 1})
			}
			return err
		}
		if n > 0 && !write(held, position{first: n == 1 && i.page() == 1}) {
			return nil
		}
		if n == PageSize {
			return nil
		}
		held = entry{c.Time, c.URL}
		n++
	}
	if n > 0 {
		write(held, position{first: n == 1 && i.page() == 1, last: true})
	}
	return nil
}
