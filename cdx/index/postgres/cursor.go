package postgres

import (
	"bytes"
	"sort"

	"github.com/varve-archive/varve/cdx/index/store"
)

const (
	firstPage = 64      // rows: most walks are short
	nextPages = 4       // times as many as in the page before
	longest   = 4096    // rows
	pageBytes = 1 << 20 // about: from the rows before, it is told how many the next page may have
)

// A cursor walks a range page by page.
type cursor struct {
	snap       *snapshot
	r          store.Range
	begin, end []byte // of the range, or of the walk that the cursor is on
	page       *page
	at         int          // in page
	size       int          // of the next page
	next       chan fetched // the next page, if it was asked for
	err        error

	walk    int           // the next of r.Walks
	fetched map[int]*page // of walks, by their index: what was fetched and not walked yet
}

type fetched struct {
	page *page
	err  error
}

// Cursor implements [store.Snapshot].
func (s *snapshot) Cursor(r store.Range) store.Cursor {
	r.Prefix = bytes.Clone(r.Prefix)
	return &cursor{snap: s, r: r, begin: r.Prefix, end: endOf(r.Prefix), page: new(page), size: firstPage}
}

// endOf returns what is behind all keys that begin with prefix.
func endOf(prefix []byte) []byte {
	if end := behind(prefix); end != nil {
		return end
	}
	return bytes.Repeat([]byte{0xff}, headLen+1) // no head is as long
}

// Seek implements [store.Cursor].
func (c *cursor) Seek(key []byte) {
	if c.err != nil || c.r.Walks != nil && c.seekWalk(key) || c.seekInPage(key) {
		return
	}
	c.forget()
	if onwards := len(c.page.rows) > 0 && c.isBehind(key); onwards {
		c.grow() // who seeks forward will seek on: a few long pages are better than many short ones
	} else {
		c.size = firstPage
	}
	from, to := c.bounds(key)
	c.take(c.snap.fetch(c.r, from, to, c.size))
}

// bounds returns the first key that is wanted when the cursor is sought to key, and the one behind the last.
func (c *cursor) bounds(key []byte) (from, to []byte) {
	from, to = c.begin, c.end
	if c.r.Reverse {
		if past := append(bytes.Clone(key), 0); bytes.Compare(past, to) < 0 {
			to = past
		}
	} else if bytes.Compare(key, from) > 0 {
		from = bytes.Clone(key)
	}
	return from, to
}

// isBehind reports whether a key is behind the current page, in the direction of the cursor.
func (c *cursor) isBehind(key []byte) bool {
	last := bytes.Compare(key, c.page.key(len(c.page.rows)-1))
	return c.r.Reverse && last < 0 || !c.r.Reverse && last > 0
}

// grow makes the next page longer than the one before.
func (c *cursor) grow() {
	weight := 1
	if n := len(c.page.rows); n > 0 {
		weight += len(c.page.bytes) / n
	}
	c.size = min(c.size*nextPages, longest, max(firstPage, pageBytes/weight))
}

// seekWalk moves to the beginning of a walk that was announced. It fetches those of the next ones too.
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
		if c.fetched, c.err = c.snap.fetchWalks(c.r, i); c.err != nil {
			c.page = new(page)
			return true
		}
		p = c.fetched[i]
	}
	delete(c.fetched, i)
	prefix := c.r.Walks[i].Prefix
	c.begin, c.end, c.size, c.walk = prefix, endOf(prefix), max(firstPage, c.r.Rows), i+1
	c.page, c.at = p, 0
	return true
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
		from, to = c.begin, bytes.Clone(last)
	}
	c.grow()
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

// add adds a row.
func (p *page) add(head, rest, value []byte) {
	start := len(p.bytes)
	p.bytes = append(append(p.bytes, head...), rest...)
	at := len(p.bytes)
	p.bytes = append(p.bytes, value...)
	p.rows = append(p.rows, row{start, at, len(p.bytes)})
}

// fetch reads the first n rows with keys from from on and before to, or the last n, last first.
func (s *snapshot) fetch(r store.Range, from, to []byte, n int) (*page, error) {
	p := &page{rows: make([]row, 0, n)}
	if bytes.Compare(from, to) >= 0 {
		return p, s.ctx.Err()
	}
	a, b := split(from)
	y, z := splitEnd(to)
	sql := s.sql.pages[which(r.Reverse)][which(r.KeysOnly)]
	err := s.query(sql, []any{nonNil(a), b, y, z, n}, func(v [][]byte) error {
		p.add(v[0], v[1], v[2])
		return nil
	})
	p.more = len(p.rows) == n
	return p, err
}

// walksAtOnce is how many walks begin with one question.
const walksAtOnce = 512

// fetchWalks reads the beginnings of walks, from the walk i on.
func (s *snapshot) fetchWalks(r store.Range, i int) (map[int]*page, error) {
	walks := r.Walks[i:min(len(r.Walks), i+walksAtOnce)]
	var a, b, y, z [][]byte
	pages := make(map[int]*page, len(walks))
	for n, w := range walks {
		from, to := w.From, endOf(w.Prefix)
		if r.Reverse {
			from, to = w.Prefix, append(bytes.Clone(w.From), 0)
		}
		head, rest := split(from)
		a, b = append(a, nonNil(head)), append(b, rest)
		head, rest = splitEnd(to)
		y, z = append(y, head), append(z, rest)
		pages[i+n] = new(page)
	}
	err := s.query(s.sql.walks[which(r.Reverse)], []any{a, b, y, z, r.Rows}, func(v [][]byte) error {
		pages[i+int(number(v[0]))-1].add(v[1], v[2], v[3])
		return nil
	})
	for _, p := range pages {
		p.more = len(p.rows) == r.Rows
	}
	return pages, err
}

// splitEnd splits the key behind a range; the end of all has a longer head than any row.
func splitEnd(to []byte) (head, rest []byte) {
	if len(to) == headLen+1 && to[0] == 0xff {
		return to, []byte{}
	}
	return split(to)
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
