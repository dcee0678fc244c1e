package postgres

import (
	"bytes"
	"context"

	"github.com/varve-archive/varve/archive/index/kv"
)

const (
	firstPage = 64      // rows; most walks are short
	nextPages = 4       // growth from one page to the next
	maxRows   = 4096    // rows
	pageBytes = 1 << 20 // approximate limit, estimated from the rows of the previous page
	// walksAtOnce bounds the walks that are fetched by one query.
	walksAtOnce = 512
)

// A page is consecutive rows in one piece of memory.
type page struct {
	bytes []byte
	rows  []row
	more  bool // more rows may follow
}

// A row is a key and a value, as offsets in the page. Its value ends where the next row begins.
type row struct{ start, value, end int }

// Len returns the number of rows.
func (p *page) Len() int { return len(p.rows) }

func (p *page) key(i int) []byte   { return p.bytes[p.rows[i].start:p.rows[i].value:p.rows[i].value] }
func (p *page) value(i int) []byte { return p.bytes[p.rows[i].value:p.rows[i].end:p.rows[i].end] }

// Add appends a row. The key may come in pieces.
func (p *page) Add(value []byte, key ...[]byte) {
	start := len(p.bytes)
	for _, piece := range key {
		p.bytes = append(p.bytes, piece...)
	}
	at := len(p.bytes)
	p.bytes = append(p.bytes, value...)
	p.rows = append(p.rows, row{start, at, len(p.bytes)})
}

// A cursor is a [kv.Cursor] over a snapshot.
type cursor struct {
	ctx        context.Context
	src        *snapshot
	r          kv.Range
	begin, end []byte // of the range, or of the current walk; end is nil if there is none
	page       *page
	at         int          // in page
	size       int          // of the next page
	next       chan fetched // receives the next page, if it is being fetched
	err        error

	walk    int           // index of the next walk in r.Walks
	fetched map[int]*page // by index of the walk: pages that were fetched and not read yet
}

type fetched struct {
	page *page
	err  error
}

// rowsOf returns the number of rows in the first page of a range, fewer if keys are long.
func rowsOf(r kv.Range) int {
	if r.Rows == 0 {
		return firstPage
	}
	return min(r.Rows, max(firstPage, pageBytes/(1+len(r.Prefix))))
}

// bounds returns the first key of a walk and the key after its last, nil if there is none.
func bounds(w kv.Walk, reverse bool) (from, to []byte) {
	if !reverse {
		return w.From, kv.AfterPrefix(w.Prefix)
	}
	return w.Prefix, append(bytes.Clone(w.From), 0)
}

func (c *cursor) Seek(key []byte) {
	if c.err != nil || c.r.Walks != nil && c.seekWalk(key) || c.seekInPage(key) || c.r.Walks == nil && c.seekPrefetched(key) {
		return
	}
	c.forget()
	if n := len(c.page.rows); n > 0 && before(c.r.Reverse, c.page.key(n-1), key) {
		c.grow() // a cursor that seeks forward once will do so again, and a few long pages are faster than many short ones
	} else {
		c.size = c.firstSize()
	}
	from, to := boundsOf(c.r, c.begin, c.end, key)
	c.take(c.fetch(from, to, c.size))
}

// firstSize returns the size of the first page, in rows.
func (c *cursor) firstSize() int {
	if c.r.Walks != nil {
		return firstPage
	}
	return rowsOf(c.r)
}

// boundsOf restricts the bounds of a cursor to the keys from a sought key on.
func boundsOf(r kv.Range, begin, end, key []byte) (from, to []byte) {
	from, to = begin, end
	if r.Reverse {
		if past := append(bytes.Clone(key), 0); to == nil || bytes.Compare(past, to) < 0 {
			to = past
		}
	} else if bytes.Compare(key, from) > 0 {
		from = bytes.Clone(key)
	}
	return from, to
}

// grow makes the next page larger than the current one.
func (c *cursor) grow() {
	weight := 1 + len(c.page.bytes)/max(1, len(c.page.rows))
	c.size = min(c.size*nextPages, maxRows, max(firstPage, pageBytes/weight))
}

// seekWalk moves to the beginning of an announced walk. It fetches the beginnings of the following walks too.
func (c *cursor) seekWalk(key []byte) bool {
	i := c.walk
	for i < len(c.r.Walks) && !bytes.Equal(c.r.Walks[i].From, key) {
		i++
	}
	if i == len(c.r.Walks) {
		return false
	}
	c.forget()
	p, ok := c.fetched[i]
	if !ok {
		if c.fetched, c.err = c.fetchWalks(i); c.err != nil {
			c.page = new(page)
			return true
		}
		p = c.fetched[i]
	}
	delete(c.fetched, i)
	prefix := c.r.Walks[i].Prefix
	c.begin, c.end, c.size, c.walk = prefix, kv.AfterPrefix(prefix), max(firstPage, c.r.Rows), i+1
	c.page, c.at = p, 0
	return true
}

// seekPrefetched moves to key if an announced range covers it.
func (c *cursor) seekPrefetched(key []byte) bool {
	p, at, ok, err := c.src.prefetched.seek(c.ctx, c.src, c.r, key)
	if !ok {
		return false
	}
	c.forget()
	if c.page, c.at, c.err, c.size = p, at, err, c.firstSize(); err != nil {
		c.page = new(page)
	}
	return true
}

// seekInPage moves to key if the current page covers it.
func (c *cursor) seekInPage(key []byte) bool {
	p := c.page
	if len(p.rows) == 0 {
		return false
	}
	first, last := p.key(0), p.key(len(p.rows)-1)
	if before(c.r.Reverse, key, first) || before(c.r.Reverse, last, key) {
		return false
	}
	c.at = p.at(c.r.Reverse, key)
	return true
}

// forget waits for a page that is no longer needed, because a snapshot can't run two queries at once.
func (c *cursor) forget() {
	if c.next != nil {
		<-c.next
		c.next = nil
	}
}

// take makes p the current page. From the second page on it also begins to fetch the next, since such a cursor is likely to go on.
func (c *cursor) take(p *page, err error) {
	c.page, c.at, c.err = p, 0, err
	if err != nil {
		c.page = new(page)
		return
	}
	if p.more && c.size > c.firstSize() {
		c.fetchNext()
	}
}

// fetchNext begins to fetch the page after the current one.
func (c *cursor) fetchNext() {
	last := c.page.key(len(c.page.rows) - 1)
	from, to := append(bytes.Clone(last), 0), c.end
	if c.r.Reverse {
		from, to = c.begin, bytes.Clone(last)
	}
	c.grow()
	c.next = make(chan fetched, 1)
	go func(n int, next chan<- fetched) {
		p, err := c.fetch(from, to, n)
		next <- fetched{p, err}
	}(c.size, c.next)
}

func (c *cursor) fetch(from, to []byte, n int) (*page, error) {
	p := &page{rows: make([]row, 0, n)}
	if to != nil && bytes.Compare(from, to) >= 0 {
		return p, c.ctx.Err()
	}
	err := c.src.fetch(p, c.r, from, to, n)
	p.more = len(p.rows) >= n
	return p, err
}

// fetchWalks fetches the beginnings of walks, from walk i on.
func (c *cursor) fetchWalks(i int) (map[int]*page, error) {
	walks := c.r.Walks[i:min(len(c.r.Walks), i+walksAtOnce)]
	pages, byWalk := make([]*page, len(walks)), make(map[int]*page, len(walks))
	for n := range walks {
		pages[n] = new(page)
		byWalk[i+n] = pages[n]
	}
	err := c.src.fetchWalks(pages, c.r, walks)
	for _, p := range pages {
		p.more = len(p.rows) >= c.r.Rows
	}
	return byWalk, err
}

func (c *cursor) Next() {
	if c.at++; c.at < len(c.page.rows) || !c.page.more || c.err != nil {
		return
	}
	if err := c.ctx.Err(); err != nil {
		c.err = err
		return
	}
	if c.next == nil {
		c.fetchNext()
	}
	got := <-c.next
	c.next = nil
	c.take(got.page, got.err)
}

func (c *cursor) Valid() bool { return c.err == nil && c.at < len(c.page.rows) }

func (c *cursor) Key() []byte { return c.page.key(c.at) }

func (c *cursor) Value(f func([]byte) error) error { return f(c.page.value(c.at)) }

func (c *cursor) Err() error { return c.err }

func (c *cursor) Close() { c.forget() }
