package history

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/varve-archive/varve/cdx"
)

// An EditList holds what the edits of a part deleted and added. It names words by their numbers, because the part has them:
// a page that changes whole would say them once more. The number of a word is its place among the [Table.Distinct] words.
// Packed, each edit is, in varints:
//
//	the step from the datetime of the edit before
//	the number of deleted words, then each: the step from the number before, doubled, and one more if it stood there once;
//	    else how often it did follows
//	the number of added words, likewise
//
// The zero value is an empty list.
type EditList struct {
	packed []byte
	last   cdx.Timestamp
	words  [2][]editWord // room for deleted and added ones
}

type editWord struct{ number, times uint32 }

// Packed returns the list as bytes for [EachEdit]. They are empty if no edit was added.
func (l *EditList) Packed() []byte { return l.packed }

// Add appends the edit that led to the version captured first at after. It leaves out words for which counts is false.
func (l *EditList) Add(after cdx.Timestamp, s *Step, counts func(w string) bool) {
	deleted, added := l.words[0][:0], l.words[1][:0]
	s.changed(func(n uint32, before, after int) {
		switch {
		case before != 0 && after != 0, !counts(s.b.words[n].text):
		case after == 0:
			deleted = append(deleted, editWord{n, uint32(before)})
		default:
			added = append(added, editWord{n, uint32(after)})
		}
	})
	l.packed = binary.AppendVarint(l.packed, int64(after)-int64(l.last))
	l.last, l.words = after, [2][]editWord{deleted, added}
	for _, words := range l.words {
		l.put(words)
	}
}

func (l *EditList) put(words []editWord) {
	slices.SortFunc(words, func(a, b editWord) int { return cmp.Compare(a.number, b.number) })
	l.packed = binary.AppendUvarint(l.packed, uint64(len(words)))
	last := uint32(0)
	for _, w := range words {
		step := uint64(w.number-last) << 1
		last = w.number
		if w.times == 1 {
			l.packed = binary.AppendUvarint(l.packed, step|1)
		} else {
			l.packed = binary.AppendUvarint(binary.AppendUvarint(l.packed, step), uint64(w.times))
		}
	}
}

var errEdits = errors.New("history: a list of edits is damaged")

// EachEdit calls edit with each edit of a list, and word with each word that it deleted (or added, if added is true) where
// edit returned true. distinct returns the words of the part; it is called only if one is needed.
func EachEdit(
	packed []byte, distinct func() ([]string, error), added bool, edit func(after cdx.Timestamp) bool, word func(w string, times int),
) error {
	r := editReader{decoder: decoderOf(packed), distinct: distinct}
	for at := int64(0); len(r.Rest) > 0; {
		at += r.int()
		in := edit(cdx.Timestamp(at))
		for _, of := range []bool{false, true} {
			if err := r.eachWord(in && of == added, word); err != nil {
				return err
			}
		}
	}
	if r.Failed {
		return errEdits
	}
	return nil
}

// An editReader reads a list of edits.
type editReader struct {
	decoder
	distinct func() ([]string, error)
	words    []string // nil until one was needed
}

// eachWord reads the deleted or the added words of an edit, and passes them on if they are wanted.
func (r *editReader) eachWord(wanted bool, word func(w string, times int)) error {
	at := uint64(0)
	for n := r.Uint(); n > 0 && !r.Failed; n-- {
		step, times := r.Uint(), uint64(1)
		if step&1 == 0 {
			times = r.Uint()
		}
		if at += step >> 1; !wanted || r.Failed {
			continue
		}
		if r.words == nil {
			var err error
			if r.words, err = r.distinct(); err != nil {
				return err
			}
		}
		if at >= uint64(len(r.words)) || times > largest {
			return errEdits
		}
		word(r.words[at], int(times))
	}
	return nil
}
