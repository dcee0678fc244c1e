package postgres

import (
	"bytes"
	"sort"

	"github.com/varve-archive/varve/cdx/index/store"
)

const (
	firstPage = 32      // rows: most walks are short
	nextPages = 4       // times as many as in the page before
	longest   = 4096    // rows
	pageBytes = 1 << 20 // about: from the rows before, it is told how many the next page may have
)

// A cursor walks a range page by page.
type cursor struct {
	snap *snapshot
	r    store.Range
	end  []byte // behind the range
	page *page
	at   int          // in page
	size int          // of the next page
	next chan fetched // the next page, if it was asked for
	err  error
}

type fetched struct {
	page *page
	err  error
}

// Cursor implements [store.Snapshot].
func (s *snapshot) Cursor(r store.Range) store.Cursor {
	r.Prefix = bytes.Clone(r.Prefix)
	end := behind(r.Prefix)
	if end == nil {
		end = bytes.Repeat([]byte{0xff}, headLen+1) // no head is as long
	}
	return &cursor{snap: s, r: r, end: end, page: new(page)}
}

// Seek implements [store.Cursor].
func (c *cursor) Seek(key []byte) {
	if c.err != nil || c.seekInPage(key) {
		return
	}
	c.forget()
	from, to := c.r.Prefix, c.end
	if c.r.Reverse {
		if past := append(bytes.Clone(key), 0); bytes.Compare(past, to) < 0 {
			to = past
		}
	} else if bytes.Compare(key, from) > 0 {
		from = bytes.Clone(key)
	}
	c.size = firstPage
	c.take(c.snap.fetch(c.r, from, to, c.size))
}

// seekInPage moves to key if what it leads to is in the page that is there.
func (c *cursor) seekInPage(key []byte) bool {
	p := c.page
	if len(p.rows) == 0 {
		return false
	}
	first, last := p.key(0), p.key(len(p.rows)-1)
	if c.r.Reverse {
		if bytes.Compare(key, first) > 0 || bytes.Compare(key, last) < 0 {
			return false
		}
		c.at = sort.Search(len(p.rows), func(i int) bool { return bytes.Compare(p.key(i), key) <= 0 })
		return true
	}
	if bytes.Compare(key, first) < 0 || bytes.Compare(key, last) > 0 {
		return false
	}
	c.at = sort.Search(len(p.rows), func(i int) bool { return bytes.Compare(p.key(i), key) >= 0 })
	return true
}

// forget waits for a page that was asked for and is not wanted any more: a connection answers one question after the other.
func (c *cursor) forget() {
	if c.next != nil {
		<-c.next
		c.next = nil
	}
}

// take makes a page the current one. Behind the second one it asks for the next at once: such a walk is likely to go on.
func (c *cursor) take(p *page, err error) {
	c.page, c.at, c.err = p, 0, err
	if err != nil {
		c.page = new(page)
		return
	}
	if p.more && c.size > firstPage {
		c.ahead()
	}
}

// ahead asks for the page behind the current one.
func (c *cursor) ahead() {
	last := c.page.key(len(c.page.rows) - 1)
	from, to := append(bytes.Clone(last), 0), c.end
	if c.r.Reverse {
		from, to = c.r.Prefix, bytes.Clone(last)
	}
	c.size = min(c.size*nextPages, longest, max(firstPage, pageBytes/(1+len(c.page.bytes)/len(c.page.rows))))
	c.next = make(chan fetched, 1)
	go func(n int, next chan<- fetched) {
		p, err := c.snap.fetch(c.r, from, to, n)
		next <- fetched{p, err}
	}(c.size, c.next)
}

// Next implements [store.Cursor].
func (c *cursor) Next() {
	if c.at++; c.at < len(c.page.rows) || !c.page.more || c.err != nil {
		return
	}
	if err := c.snap.ctx.Err(); err != nil {
		c.err = err
		return
	}
	if c.next == nil {
		c.ahead()
	}
	got := <-c.next
	c.next = nil
	c.take(got.page, got.err)
}

// Valid implements [store.Cursor].
func (c *cursor) Valid() bool { return c.err == nil && c.at < len(c.page.rows) }

// Key implements [store.Cursor].
func (c *cursor) Key() []byte { return c.page.key(c.at) }

// Value implements [store.Cursor].
func (c *cursor) Value(f func([]byte) error) error { return f(c.page.value(c.at)) }

// Err implements [store.Cursor].
func (c *cursor) Err() error { return c.err }

// Close implements [store.Cursor].
func (c *cursor) Close() { c.forget() }

// A page is some rows in a row, in one piece of memory.
type page struct {
	bytes []byte
	rows  []row
	more  bool // there may be more behind them
}

// A row is a key and a value, which ends where the next row begins.
type row struct{ start, value, end int }

func (p *page) key(i int) []byte   { return p.bytes[p.rows[i].start:p.rows[i].value:p.rows[i].value] }
func (p *page) value(i int) []byte { return p.bytes[p.rows[i].value:p.rows[i].end:p.rows[i].end] }

// fetch reads the first n rows with keys from from on and before to, or the last n, last first.
func (s *snapshot) fetch(r store.Range, from, to []byte, n int) (*page, error) {
	p := &page{rows: make([]row, 0, n)}
	if bytes.Compare(from, to) >= 0 {
		return p, s.ctx.Err()
	}
	fromHead, fromRest := split(from)
	toHead, toRest := to, []byte{} // the end of all has a longer head than any row
	if len(to) != headLen+1 {
		toHead, toRest = split(to)
	}
	sql := s.sql.pages[which(r.Reverse)][which(r.KeysOnly)]
	err := s.query(sql, []any{nonNil(fromHead), fromRest, toHead, toRest, n}, func(v [][]byte) error {
		start := len(p.bytes)
		p.bytes = append(append(p.bytes, v[0]...), v[1]...)
		value := len(p.bytes)
		p.bytes = append(p.bytes, v[2]...)
		p.rows = append(p.rows, row{start, value, len(p.bytes)})
		return nil
	})
	p.more = len(p.rows) == n
	return p, err
}

func which(second bool) int {
	if second {
		return 1
	}
	return 0
}

// nonNil returns no bytes instead of nil, which the database would take for NULL.
func nonNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
