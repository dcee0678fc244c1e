package memento

import (
	"io"
	"iter"

	"github.com/varve-archive/varve/cdx"
)

// PageSize is the number of mementos on one page of a TimeMap.
const PageSize = 10_000

// A TimeMapInfo is everything in a TimeMap besides its mementos. The mementos are passed as a sequence, oldest first,
// from the first of the page on. The writers write at most [PageSize] of them, and read one more to know whether they
// wrote the last. They keep no captures, so the sequence may yield the same Capture again and again, and their memory
// does not grow with the number of captures.
type TimeMapInfo struct {
	URIs     URIs
	Original string // URI-R, as requested
	Page     int    // from 1; 0 means 1

	// From and Until are the first and the last memento of this page, for the attributes of the TimeMap itself (RFC
	// 7089 §5); 0 if not known beforehand.
	From, Until cdx.Timestamp

	// First and Last are the first and the last capture of the URI-R, for "first" and "last" in JSON; nil takes those
	// of this page.
	First, Last *cdx.Capture

	// Version returns the index of a capture's validity range, from 0, for "version" in JSON; nil leaves it out.
	Version func(cdx.Timestamp) int

	// Pages returns all pages of the TimeMap; nil if there is only one. It is called after the mementos have been
	// written (before them in CDXJ), so that counting does not delay the first byte.
	Pages func() ([]PageRange, error)
}

// A PageRange is a page of a TimeMap, with the datetimes of its first and last memento.
type PageRange struct {
	Page        int // from 1
	From, Until cdx.Timestamp
}

// PageRanges divides the datetimes of a URI-R's captures, oldest first, into the pages of its TimeMap.
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

// otherPages returns the pages other than this one.
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

// flushSize is how many bytes of a TimeMap are gathered before they are written.
const flushSize = 16 << 10

// out buffers bytes for a writer. After an error it discards them.
type out struct {
	w   io.Writer
	b   []byte
	err error
}

func newOut(w io.Writer) *out { return &out{w: w, b: make([]byte, 0, flushSize+4<<10)} }

// flushFull writes the buffer if it is large enough, and reports whether writing still works.
func (o *out) flushFull() bool {
	if len(o.b) >= flushSize {
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

// finish writes the rest. It returns err, or else the first error of the writer.
func (o *out) finish(err error) error {
	o.flush()
	if err != nil {
		return err
	}
	return o.err
}

// A position says whether a memento is the first or last of its TimeMap.
type position struct {
	first, last bool
}

// rels returns the relation types of a memento at this position.
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

// An entry is what a TimeMap says about a capture.
type entry struct {
	time cdx.Timestamp
	url  string
}

// eachMemento calls write for each memento of this page. It stays one behind the sequence, to know which one is the
// last.
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
