package history

import (
	"encoding/binary"
	"errors"

	"github.com/varve-archive/varve/cdx"
)

// An EditList holds what the edits of a part deleted and added, word by word. Packed, each edit is, in varints:
//
//	the step from the datetime of the edit before
//	the number of deleted words, then each with its length in front and how often it stood there
//	the number of added words, likewise
//
// The zero value is an empty list.
type EditList struct {
	packed []byte
	last   cdx.Timestamp
}

// Packed returns the list as bytes for [EachEdit]. They are empty if no edit was added.
func (l *EditList) Packed() []byte { return l.packed }

// Add appends the edit that led to the version captured first at after. It leaves out words for which counts is false.
func (l *EditList) Add(after cdx.Timestamp, s *Step, counts func(w string) bool) {
	var words [2][]byte
	var n [2]uint64
	put := func(i int, w string, times int) {
		if counts(w) {
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

var errEdits = errors.New("history: a list of edits is damaged")

// EachEdit calls edit with each edit of a list, and word with each word that it deleted (or added, if added is true) where
// edit returned true. Words are valid until word returns.
func EachEdit(packed []byte, added bool, edit func(after cdx.Timestamp) bool, word func(w []byte, times int)) error {
	wanted := 0
	if added {
		wanted = 1
	}
	d := decoderOf(packed)
	for at := int64(0); len(d.Rest) > 0; {
		at += d.int()
		in := edit(cdx.Timestamp(at))
		for i := range 2 {
			for n := d.Uint(); n > 0 && !d.Failed; n-- {
				w := d.Text()
				if times := d.Uint(); in && i == wanted && !d.Failed {
					word(w, int(times))
				}
			}
		}
	}
	if d.Failed {
		return errEdits
	}
	return nil
}
