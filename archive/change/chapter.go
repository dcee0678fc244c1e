package change

import (
	"encoding/binary"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/cdx"

	"github.com/varve-archive/varve/archive/change/site"
	"github.com/varve-archive/varve/archive/content/sketch"
)

// A URI-R may have very many captures, and a new one must not require reading all of them again. So they are divided into chapters. What
// depends on the page as a whole, such as its volatile blocks, is learnt for each chapter from it and its two neighbours. The datetimes
// alone decide where chapters begin, not the number of captures. So new captures only affect the chapters near them; reading the others
// again would give the same result.

// A Division says how captures are divided into chapters. The zero Division has one chapter.
type Division struct {
	Whole int    // up to so many captures are a single chapter
	Mean  uint64 // mean number of captures in a chapter; 0 means one chapter
}

// Begins reports whether a chapter begins with a capture at ts that follows one at before.
func (d Division) Begins(before, ts cdx.Timestamp) bool {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], uint64(ts))
	return d.Mean > 0 && before != ts && xxh3.Hash(b[:])%d.Mean == 0
}

// Divides reports whether so many captures are divided into chapters.
func (d Division) Divides(captures int) bool { return d.Mean > 0 && captures > d.Whole }

// A Carry is the state that the captures before a chapter leave to it. Equal states lead to equal results.
type Carry struct {
	Begun    bool  // a range has begun
	Waiting  int   // captures that will belong to the first range, while none has begun
	Good     bool  // there was a good capture
	Last     State // the last good one
	LastKind Kind
	Real     uint64 // last text that wasn't a soft 404; here and below 0 is none
	Page     uint64 // last text of the page itself, before the site's front page replaced it for good
}

// A Window is a chapter with its neighbours.
type Window struct {
	States   []State // of the previous chapter, the chapter and the next
	From, To int     // the chapter is States[From:To]
	Start    Carry   // at the beginning of States
	In       Carry   // at the beginning of the chapter
}

// A Chapter is the result of reading a chapter. Its indices count from the chapter's first capture.
type Chapter struct {
	Captures int
	In, Out  Carry
	// Goes has what the chapter adds to the range that is open at its beginning: Captures, Unshown, and Last and LastIndex unless LastIndex is
	// negative.
	Goes   Range
	Ranges []Range // the ranges that begin in the chapter; Until refers to ranges of the chapter only
}

// ReadChapter reads a chapter.
func ReadChapter(level Level, w *Window, src Source, site *site.Site) (Chapter, error) {
	c, err := newComparer(level, w, src, site)
	if err != nil {
		return Chapter{}, err
	}
	f := folding{c: c, w: w, last: w.In.Last, kind: w.In.LastKind, good: w.In.Good, waiting: w.In.Waiting}
	f.out = Chapter{Captures: w.To - w.From, In: w.In, Goes: Range{LastIndex: -1}}
	for i := w.From; i < w.To; i++ {
		f.add(i)
	}
	if !f.begun() && w.To == len(w.States) {
		f.beginUnshown()
	}
	f.out.Out = f.carry()
	return f.out, c.gallery.err
}

// A folding makes ranges of a chapter's captures, one by one.
type folding struct {
	c    *comparer
	w    *Window
	out  Chapter
	last State // the last good capture
	kind Kind
	good bool // there is one

	waiting int           // captures that belong to the next range
	second  cdx.Timestamp // of the last capture that a URI-M shows
}

// open returns the current range.
func (f *folding) open() *Range {
	if n := len(f.out.Ranges); n > 0 {
		return &f.out.Ranges[n-1]
	}
	return &f.out.Goes
}

func (f *folding) begun() bool { return f.w.In.Begun || len(f.out.Ranges) > 0 }

// waits reports whether later captures decide to which range a capture belongs. A capture that no URI-M shows belongs to the range of the
// capture of its second that is shown. What only refers to another capture, at the beginning, belongs to the page that follows.
func (f *folding) waits(s *State) bool {
	if s.Beside {
		return f.second != s.Time || !f.begun()
	}
	return s.refers() && !f.begun()
}

// beginUnshown begins a range if all captures only refer to others of their URI-R.
func (f *folding) beginUnshown() {
	for i := f.w.From; i < f.w.To; i++ {
		if f.w.States[i].Beside {
			continue
		}
		if !f.begun() {
			f.out.Ranges = append(f.out.Ranges, f.c.begin(i, f.w.From))
		}
		r := f.open()
		r.Last, r.LastIndex, r.Captures = f.w.States[i].Time, i-f.w.From, f.waiting
	}
}

// add reads the next capture.
func (f *folding) add(i int) {
	state := &f.w.States[i]
	waits := f.waits(state)
	if !state.Beside {
		f.second = state.Time
	}
	if waits {
		f.waiting++
		return
	}
	f.place(i)
	f.open().Captures += f.waiting
	f.waiting = 0
}

// place adds a capture to the current range or begins the next one.
func (f *folding) place(i int) {
	c, state := f.c, &f.w.States[i]
	switch {
	case c.passing(i) && f.begun():
		r := f.open()
		r.Captures++
		if c.failed[i] {
			r.Unshown = append(r.Unshown, i-f.w.From)
		}
		if !f.good && !state.Beside {
			r.Last, r.LastIndex = state.Time, i-f.w.From
		}
		return
	case c.passing(i):
		f.out.Ranges = append(f.out.Ranges, c.begin(i, f.w.From))
		return
	case f.good && c.same(&f.last, f.kind, i):
		r := f.open()
		r.Captures++
		r.Last, r.LastIndex = state.Time, i-f.w.From
	default:
		r := c.begin(i, f.w.From)
		r.Change = f.change(state)
		if n := len(f.out.Ranges); n > 0 {
			f.out.Ranges[n-1].Until = r.First
		}
		f.out.Ranges = append(f.out.Ranges, r)
	}
	f.last, f.kind, f.good = *state, c.kinds[i], true
}

// change compares the texts of the last good capture and of the first capture of a range. It is nil unless both have one.
func (f *folding) change(first *State) *sketch.Delta {
	if !f.good {
		return nil
	}
	a, b := f.c.sketches[f.last.Text], f.c.sketches[first.Text]
	if a == nil || b == nil {
		return nil
	}
	d := sketch.Compare(a, b)
	if f.c.level == LevelContent {
		if d.Pictures = f.c.pictured(&f.last, first); d.Pictures > 0 {
			d.Similarity = min(d.Similarity, sketch.NearlySame)
		}
	}
	return &d
}

// carry returns the state that the chapter leaves to the next.
func (f *folding) carry() Carry {
	return Carry{
		Begun: f.begun(), Waiting: f.waiting, Good: f.good, Last: f.last, LastKind: f.kind,
		Real: f.c.realBefore(f.w.To), Page: f.c.pageBefore(f.w.To),
	}
}

// Join returns the ranges of consecutive chapters. at is the index of the first chapter's first capture.
func Join(chapters []Chapter, at int) []Range {
	var out []Range
	for i := range chapters {
		c := &chapters[i]
		if n := len(out); n > 0 {
			out[n-1].extend(&c.Goes, at)
		}
		for _, r := range c.Ranges {
			if n := len(out); n > 0 {
				out[n-1].Until = r.First
			}
			r.FirstIndex, r.LastIndex = r.FirstIndex+at, r.LastIndex+at
			r.Unshown = shifted(nil, r.Unshown, at)
			out = append(out, r)
		}
		at += c.Captures
	}
	return out
}

// extend adds a later chapter's Goes to a range. at is the index of the chapter's first capture.
func (r *Range) extend(goes *Range, at int) {
	r.Captures += goes.Captures
	if goes.LastIndex >= 0 {
		r.Last, r.LastIndex = goes.Last, goes.LastIndex+at
	}
	r.Unshown = shifted(r.Unshown, goes.Unshown, at)
}

func shifted(to, indices []int, by int) []int {
	for _, i := range indices {
		to = append(to, i+by)
	}
	return to
}
