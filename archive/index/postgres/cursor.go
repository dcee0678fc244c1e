package postgres

import (
	"bytes"

	"github.com/varve-archive/varve/archive/index/kv"
)

func (s *snapshot) Cursor(r kv.Range) kv.Cursor {
	r.Prefix = bytes.Clone(r.Prefix)
	return &cursor{ctx: s.ctx, src: s, r: r, begin: r.Prefix, end: kv.AfterPrefix(r.Prefix), page: new(page), size: rowsOf(r)}
}

// fetch appends to p the first n rows of r with keys in [from, to), or for a reverse range the last n, last first. to is nil if there is no
// end. Only one goroutine may use a snapshot at a time.
func (s *snapshot) fetch(p *page, r kv.Range, from, to []byte, n int) error {
	return s.query(s.page(p, r, from, to, n))
}

func (s *snapshot) page(p *page, r kv.Range, from, to []byte, n int) question {
	a, b := split(from)
	y, z := splitEnd(to)
	sql := s.sql.pages[which(r.Reverse)][which(r.KeysOnly)]
	return question{sql, []any{nonNil(a), b, y, z, n}, func(v [][]byte) error {
		p.Add(v[2], v[0], v[1])
		return nil
	}}
}

// fetchWalks appends the first r.Rows rows of each walk to its page.
func (s *snapshot) fetchWalks(pages []*page, r kv.Range, walks []kv.Walk) error {
	var a, b, y, z [][]byte
	for _, w := range walks {
		from, to := bounds(w, r.Reverse)
		head, rest := split(from)
		a, b = append(a, nonNil(head)), append(b, rest)
		head, rest = splitEnd(to)
		y, z = append(y, head), append(z, rest)
	}
	return s.query(question{s.sql.walks[which(r.Reverse)], []any{a, b, y, z, r.Rows}, func(v [][]byte) error {
		pages[number(v[0])-1].Add(v[3], v[1], v[2])
		return nil
	}})
}

// splitEnd splits the end of a range as a key. No end is represented by a head that is greater than any row's.
func splitEnd(to []byte) (head, rest []byte) {
	if to == nil {
		return bytes.Repeat([]byte{0xff}, headLen+1), []byte{}
	}
	return split(to)
}

func which(second bool) int {
	if second {
		return 1
	}
	return 0
}

// nonNil returns an empty slice for nil, which the database would take for NULL.
func nonNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
