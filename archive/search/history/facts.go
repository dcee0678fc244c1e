package history

import (
	"encoding/binary"

	"github.com/varve-archive/varve/internal/packed"
	"github.com/varve-archive/varve/internal/sentinel"
)

// MostFactRows bounds the rows that facts are kept for. Few pages have more versions.
const MostFactRows = 256

const errFacts = sentinel.Error("history: these are no facts")

// PackFacts packs the key of a page and its rows without titles and template values, for use without the history. All numbers are varints:
//
//	the length of the key, the key
//	the number of rows, then each: the step from the last First, Last - First, flags, Words, Deleted, Added, Status,
//	    and Lang and MIME with their lengths
func PackFacts(key string, rows []Row) []byte {
	out := packed.AppendText(make([]byte, 0, len(key)+32*len(rows)+8), key)
	out = binary.AppendUvarint(out, uint64(len(rows)))
	first := int64(0)
	for i := range rows {
		r := &rows[i]
		out = packed.AppendText(packed.AppendText(r.appendNumbers(out, &first), r.Lang), r.MIME)
	}
	return out
}

// ParseFacts is the inverse of [PackFacts]. It reuses the memory of rows. name converts bytes to a string, and can return the same string
// for equal bytes.
func ParseFacts(packed []byte, rows []Row, name func([]byte) string) (key string, _ []Row, err error) {
	d := decoderOf(packed)
	key = string(d.Text())
	n := d.Count(1)
	if n > MostFactRows {
		d.Fail()
	}
	rows = rows[:0]
	for first := int64(0); n > 0 && !d.Failed; n-- {
		var r Row
		d.numbers(&r, &first)
		r.Lang, r.MIME = name(d.Text()), name(d.Text())
		rows = append(rows, r)
	}
	if d.Failed {
		return "", nil, errFacts
	}
	return key, rows, nil
}
