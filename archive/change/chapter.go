package change

import (
	"encoding/binary"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/cdx"

	"github.com/varve-archive/varve/archive/change/site"
	"github.com/varve-archive/varve/archive/content/sketch"
)

// The captures of a URI-R may be very many, and a new one must not make it necessary to look at all of them again. So very many
// are read in chapters. What is learnt of the page as a whole, such as which of its blocks change by themselves, is learnt for
// each chapter, from it and the two beside it. Where chapters begin depends on the datetimes alone, not on how many captures
// there are. So what arrives changes the chapters near it, and the others are as they would be if all were read again.

// A Division says how captures are divided into chapters. The zero Division has one chapter.
type Division struct {
	Whole int    // so many captures are one chapter, however they are divided otherwise
	Mean  uint64 // captures of a chapter, about; 0 divides none
}

// Begins reports whether a chapter begins with a capture at ts that follows one at before.
func (d Division) Begins(before, ts cdx.Timestamp) bool {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], uint64(ts))
	return d.Mean > 0 && before != ts && xxh3.Hash(b[:])%d.Mean == 0
}

// Divides reports whether so many captures are divided.
func (d Division) Divides(captures int) bool { return d.Mean > 0 && captures > d.Whole }

// A Carry is what the captures before a chapter are to it. Two of them that are equal lead to the same.
type Carry struct {
	Begun    bool  // there is a range
	Waiting  int   // captures that belong to the first one, as long as there is none
	Good     bool  // there is a good capture
	Last     State // the last good one
	LastKind Kind
	Text     uint64 // the text that was shown last by a capture that didn't fail; 0 is none, here and below
	Real     uint64 // the last text that wasn't that of a soft 404
	Page     uint64 // the last text that was the page's, before another took its place for good
}

// A Window is a chapter among those beside it.
type Window struct {
	States   []State // of the chapter before, the chapter, and the one after
	From, To int     // the chapter's
	Start    Carry   // at the beginning of States
	In       Carry   // at the beginning of the chapter
}

// A Chapter is what a chapter says. Its indices are those in the chapter.
type Chapter struct {
	Captures int
	In, Out  Carry
	// Goes is what it adds to the range that is open at its beginning: Captures, Unshown, and Last and LastIndex if LastIndex isn't
	// negative.
	Goes   Range
	Ranges []Range // that begin in it; Until is that in the chapter
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

// A folding reads the captures of a chapter one by one.
type folding struct {
	c    *comparer
	w    *Window
	out  Chapter
	last State // the last good capture
	kind Kind
	good bool // there is one

	waiting int           // captures that belong to a range that is yet to begin
	second  cdx.Timestamp // of the last capture that a URI-M shows
}

// open returns the range to which the next capture may belong.
func (f *folding) open() *Range {
	if n := len(f.out.Ranges); n > 0 {
		return &f.out.Ranges[n-1]
	}
	return &f.out.Goes
}

func (f *folding) begun() bool { return f.w.In.Begun || len(f.out.Ranges) > 0 }

// waits reports whether a capture belongs to a range that later captures decide: one that no URI-M shows goes with the
// capture of its second that is shown, and a redirect to the same URI-R before anything else with the page that it led to.
func (f *folding) waits(s *State) bool {
	if s.Beside {
		return f.second != s.Time || !f.begun()
	}
	return s.ToSelf && !s.Failed && !f.begun()
}

// beginUnshown begins a range of kind redirect where all captures lead to themselves.
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
	f.waiting = 0
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

// place puts a capture into the open range or begins the next with it.
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

// change compares the text with which a range begins with that of the last good capture, and returns nil unless both have one.
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

// carry returns what the chapter leaves to the next.
func (f *folding) carry() Carry {
	out := Carry{Begun: f.begun(), Waiting: f.waiting, Good: f.good, Last: f.last, LastKind: f.kind, Text: f.w.In.Text}
	for i := f.w.From; i < f.w.To; i++ {
		if s := &f.w.States[i]; !s.unseen() && s.Text != 0 {
			out.Text = s.Text
		}
	}
	out.Real, out.Page = f.c.realBefore(f.w.To), f.c.pageBefore(f.w.To)
	return out
}

// Join returns the ranges that begin in chapters, which follow each other. The first chapter begins with the capture of an index.
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

// extend adds what a chapter that begins at an index says of a range that began before it.
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
