package history

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/packed"
	"github.com/varve-archive/varve/internal/sentinel"
)

// A Table is a part that was read back. It is not safe for concurrent use.
type Table struct {
	Rows  []Row
	lists [][]uint32 // passages of each row
	text  []byte     // of all passages
	ends  []int      // of each passage in text, after its newline

	hits []int32 // by passage: occurrences of what is being counted; all 0 between counts
}

// maxLists bounds the lists of a table, far above [DefaultLimits], because a single version may exceed those.
const maxLists = 1 << 22

const errTable = sentinel.Error("history: this is no table")

// ParseTable reads the Table of a [Part]. The Table refers to raw.
func ParseTable(raw []byte) (*Table, error) {
	d := decoderOf(raw)
	texts := d.strings()
	t := &Table{Rows: d.rows(texts)}
	longest := d.lists(t)
	t.text = d.Rest
	if d.Failed {
		return nil, errTable
	}
	n := bytes.Count(t.text, []byte{'\n'})
	if longest > n {
		return nil, fmt.Errorf("%w: a version has passage %d of %d", errTable, longest, n)
	}
	t.ends = make([]int, 0, n)
	for at := 0; at < len(t.text); {
		i := bytes.IndexByte(t.text[at:], '\n')
		if i < 2 || t.text[at] != ' ' || t.text[at+i-1] != ' ' {
			return nil, fmt.Errorf("%w: passage %d is damaged", errTable, len(t.ends))
		}
		at += i + 1
		t.ends = append(t.ends, at)
	}
	return t, nil
}

// passage returns the bytes of a passage: its words with a space before each and after the last.
func (t *Table) passage(p uint32) []byte {
	start := 0
	if p > 0 {
		start = t.ends[p-1]
	}
	return t.text[start : t.ends[p]-1]
}

// A decoder reads a table. After the first error, all it returns is empty.
type decoder struct{ packed.Reader }

func decoderOf(b []byte) decoder { return decoder{packed.Reader{Rest: b}} }

func (d *decoder) strings() []string {
	out := make([]string, d.Count(1))
	for i := range out {
		out[i] = string(d.Text())
	}
	return out
}

// beyondNumbers is greater than every number in a row.
const beyondNumbers = 1 << 40

// numbers is the inverse of [Row.appendNumbers].
func (d *decoder) numbers(r *Row, first *int64) {
	*first += d.Int()
	r.First, r.Last = cdx.Timestamp(*first), cdx.Timestamp(*first+d.Int())
	if b := d.Bytes(1); len(b) == 1 {
		for i, f := range r.flags() {
			*f = b[0]&(1<<i) != 0
		}
	}
	for _, n := range []*int{&r.Words, &r.Deleted, &r.Added, &r.Status} {
		v := d.Uint()
		if v > beyondNumbers {
			d.Fail()
		}
		*n = int(v)
	}
}

func (d *decoder) rows(texts []string) []Row {
	out := make([]Row, d.Count(1))
	first := int64(0)
	for i := range out {
		if d.Failed {
			return nil
		}
		r := &out[i]
		d.numbers(r, &first)
		for _, s := range []*string{&r.Title, &r.Lang, &r.MIME, &r.Fields} {
			n := d.Uint()
			if d.Failed || n >= uint64(len(texts)) {
				d.Fail()
				return nil
			}
			*s = texts[n]
		}
	}
	return out
}

// lists reads the passages of all rows, and returns how many passages they refer to.
func (d *decoder) lists(t *Table) (passages int) {
	t.lists = make([][]uint32, len(t.Rows))
	var before []uint32
	total := 0
	for i := range t.lists {
		head, tail, middle := d.Uint(), d.Uint(), d.Count(1)
		if has := uint64(len(before)); d.Failed || head > has || tail > has-head {
			d.Fail()
			return 0
		}
		n := int(head) + middle + int(tail)
		if total += n; total > maxLists {
			d.Fail()
			return 0
		}
		if n == len(before) && middle == 0 {
			t.lists[i] = before
			continue
		}
		list := append(make([]uint32, 0, n), before[:head]...)
		last := int64(-1)
		if head > 0 {
			last = int64(list[head-1])
		}
		for range middle {
			last += d.Int() + 1
			if last < 0 || last >= maxLists {
				d.Fail()
				return 0
			}
			passages = max(passages, int(last)+1)
			list = append(list, uint32(last))
		}
		t.lists[i] = append(list, before[len(before)-int(tail):]...)
		before = t.lists[i]
	}
	return passages
}

// Text returns the words of a row in their order.
func (t *Table) Text(row int) (words []string) {
	for _, p := range t.lists[row] {
		words = append(words, strings.Fields(string(t.passage(p)))...)
	}
	return words
}
