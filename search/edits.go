package search

import (
	"encoding/binary"
	"errors"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/search/history"
)

// An editList holds what the edits of a part deleted and added, stop words left out, for [Index.Terms]. Packed, each edit
// is, in varints:
//
//	the step from the datetime of the edit before
//	the number of deleted words, then each with its length in front and how often it stood there
//	the number of added words, likewise
type editList struct {
	packed []byte
	last   cdx.Timestamp
}

func (l *editList) add(after cdx.Timestamp, s *history.Step, significant func(string) bool) {
	var words [2][]byte
	var n [2]uint64
	put := func(i int, w string, times int) {
		if significant(w) {
			n[i]++
			words[i] = append(binary.AppendUvarint(words[i], uint64(len(w))), w...)
			words[i] = binary.AppendUvarint(words[i], uint64(times))
		}
	}
	s.Changed(func(w string, before, after int) {
		switch {
		case after == 0:
			put(0, w, before)
		case before == 0:
			put(1, w, after)
		}
	})
	l.packed = binary.AppendVarint(l.packed, int64(after)-int64(l.last))
	l.last = after
	for i := range words {
		l.packed = append(binary.AppendUvarint(l.packed, n[i]), words[i]...)
	}
}

var errEdits = errors.New("search: a list of edits is damaged")

// eachEdit calls edit with each edit of a list, and word with each word that it deleted (or added), if edit returned true.
// Words are valid until word returns.
func eachEdit(packed []byte, k Kind, edit func(after cdx.Timestamp) bool, word func(w []byte, times int)) error {
	wanted := 0
	if k == Added {
		wanted = 1
	}
	d := editDecoder{packed, false}
	for at := int64(0); len(d.rest) > 0; {
		at += d.int()
		in := edit(cdx.Timestamp(at))
		for i := range 2 {
			for n := d.uint(); n > 0 && !d.failed; n-- {
				w := d.bytes(d.uint())
				if times := d.uint(); in && i == wanted && !d.failed {
					word(w, int(times))
				}
			}
		}
	}
	if d.failed {
		return errEdits
	}
	return nil
}

// An editDecoder reads a list of edits. After the first mistake it returns nothing more.
type editDecoder struct {
	rest   []byte
	failed bool
}

func (d *editDecoder) skip(n int) {
	if n <= 0 {
		d.rest, d.failed = nil, true
		return
	}
	d.rest = d.rest[n:]
}

func (d *editDecoder) int() int64 {
	v, n := binary.Varint(d.rest)
	d.skip(n)
	return v
}

func (d *editDecoder) uint() uint64 {
	v, n := binary.Uvarint(d.rest)
	d.skip(n)
	return v
}

func (d *editDecoder) bytes(n uint64) []byte {
	if n > uint64(len(d.rest)) {
		d.rest, d.failed = nil, true
		return nil
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}
