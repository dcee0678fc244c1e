package history

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/packed"
	"github.com/varve-archive/varve/internal/sentinel"
)

// An EditList collects the words that the edits of a part deleted and added. The zero value is an empty list.
type EditList struct{ edits []edit }

type edit struct {
	after cdx.Timestamp
	words [2][]editWord // deleted and added
}

// An editWord is a word, by number, with its occurrences in the version that had it.
type editWord struct{ number, times uint32 }

// Add adds the edit that led to the version first captured at after. It leaves out words for which counts returns false.
func (l *EditList) Add(after cdx.Timestamp, s *Step, counts func(w string) bool) {
	e := edit{after: after}
	for _, n := range s.b.touched {
		w := &s.b.words[n]
		switch before := w.now - w.step; {
		case w.step == 0 || before != 0 && w.now != 0 || !counts(w.text):
		case w.now == 0:
			e.words[0] = append(e.words[0], editWord{n, uint32(before)})
		default:
			e.words[1] = append(e.words[1], editWord{n, uint32(w.now)})
		}
	}
	l.edits = append(l.edits, e)
}

// The two encodings of a list.
const (
	editsInWords  = iota // words are written out
	editsByPlaces        // words are named by their places in the table
)

// placesFrom decides when a list names words by their places in the table: when it would otherwise take 1/placesFrom of the
// size of the table or more, as on pages that change as a whole. Reading places requires the table too, so short lists spell words out.
const placesFrom = 4

// Pack packs the edits of the part that was taken last. The result is empty if there are none. All numbers are varints:
//
//	the encoding, and for places: the length of the passages in the table
//	for each edit: the step from the datetime of the edit before
//	  the number of deleted words, then each. A spelt-out word: its length, the word, its occurrences. A place: twice the step from the
//	    place before, plus one if it occurred once; otherwise its occurrences follow
//	  the number of added words, and each likewise
//
// The place of a word is the number of words before its first occurrence in the passages.
func (l *EditList) Pack(p *Part) []byte {
	if len(l.edits) == 0 {
		return nil
	}
	out := []byte{editsInWords}
	last := cdx.Timestamp(0)
	for _, e := range l.edits {
		out = binary.AppendVarint(out, int64(e.after)-int64(last))
		last = e.after
		for _, words := range e.words {
			out = binary.AppendUvarint(out, uint64(len(words)))
			for _, w := range words {
				out = packed.AppendText(out, p.words[w.number].text)
				out = binary.AppendUvarint(out, uint64(w.times))
			}
		}
	}
	if len(out)*placesFrom < len(p.Table) {
		return out
	}
	return l.packPlaces(p)
}

func (l *EditList) packPlaces(p *Part) []byte {
	places, passages := p.firstPlaces()
	out := binary.AppendUvarint([]byte{editsByPlaces}, uint64(passages))
	last := cdx.Timestamp(0)
	for _, e := range l.edits {
		out = binary.AppendVarint(out, int64(e.after)-int64(last))
		last = e.after
		for _, words := range e.words {
			for i := range words {
				words[i].number = places[words[i].number]
			}
			slices.SortFunc(words, func(a, b editWord) int { return cmp.Compare(a.number, b.number) })
			out = appendPlaces(out, words)
		}
	}
	return out
}

func appendPlaces(out []byte, words []editWord) []byte {
	out = binary.AppendUvarint(out, uint64(len(words)))
	last := uint32(0)
	for _, w := range words {
		step := uint64(w.number-last) << 1
		last = w.number
		if w.times == 1 {
			out = binary.AppendUvarint(out, step|1)
		} else {
			out = binary.AppendUvarint(binary.AppendUvarint(out, step), uint64(w.times))
		}
	}
	return out
}

// firstPlaces returns the place of each word, by number, and the length of all passages in the table.
func (p *Part) firstPlaces() (places []uint32, passages int) {
	const none = ^uint32(0)
	places = make([]uint32, len(p.words))
	for i := range places {
		places[i] = none
	}
	at := uint32(0)
	for i := range p.places {
		passage := &p.places[i]
		for _, n := range p.ids[passage.from:passage.to] {
			if places[n] == none {
				places[n] = at
			}
			at++
		}
		passages += len(passage.text) + passageFrame
	}
	return places, passages
}

const errEdits = sentinel.Error("history: a list of edits is damaged")

// An EditReader reads packed edit lists and reuses its memory.
type EditReader struct {
	decoder
	words [][]byte // by place
	at    []byte   // the passages that words was read from, nil until needed
}

// Each calls edit with each edit of a list, and where that returns true, word with each word that the edit deleted (or added, if added is
// true). table returns the part's table; it is called at most once, and only if the list has places. The argument of word is valid until
// word returns.
func (r *EditReader) Each(
	packed []byte, table func() ([]byte, error), added bool, edit func(after cdx.Timestamp) bool, word func(w []byte, times int),
) error {
	r.decoder, r.words, r.at = decoderOf(packed), r.words[:0], nil
	if len(packed) == 0 {
		return nil
	}
	form, passages := r.Uint(), uint64(0)
	if form == editsByPlaces {
		passages = r.Uint()
	}
	if form > editsByPlaces {
		r.Fail()
	}
	for at := int64(0); len(r.Rest) > 0; {
		at += r.Int()
		in := edit(cdx.Timestamp(at))
		for _, of := range []bool{false, true} {
			wanted := in && of == added && !r.Failed
			if form == editsInWords {
				r.eachWord(wanted, word)
				continue
			}
			if wanted && r.at == nil {
				if err := r.read(table, passages); err != nil {
					return err
				}
			}
			r.eachPlace(wanted, word)
		}
	}
	if r.Failed {
		return errEdits
	}
	return nil
}

// read finds the words of a table, whose passages are its last bytes.
func (r *EditReader) read(table func() ([]byte, error), passages uint64) error {
	raw, err := table()
	if err != nil {
		return err
	}
	if passages > uint64(len(raw)) {
		return errEdits
	}
	r.at = raw[uint64(len(raw))-passages:]
	for rest := r.at; len(rest) > 0; {
		i := bytes.IndexByte(rest, ' ')
		if i < 0 {
			break // the newline after the last passage
		}
		if w := rest[:i]; len(w) > 0 && w[0] != '\n' {
			r.words = append(r.words, w)
		}
		rest = rest[i+1:]
	}
	return nil
}

func (r *EditReader) eachWord(wanted bool, word func(w []byte, times int)) {
	for n := r.Uint(); n > 0 && !r.Failed; n-- {
		w := r.Text()
		if times := r.Uint(); wanted && !r.Failed {
			word(w, int(times))
		}
	}
}

func (r *EditReader) eachPlace(wanted bool, word func(w []byte, times int)) {
	at := uint64(0)
	for n := r.Uint(); n > 0 && !r.Failed; n-- {
		step, times := r.Uint(), uint64(1)
		if step&1 == 0 {
			times = r.Uint()
		}
		at += step >> 1
		switch {
		case !wanted || r.Failed:
		case at >= uint64(len(r.words)) || times > beyondNumbers:
			r.Fail()
		default:
			word(r.words[at], int(times))
		}
	}
}
