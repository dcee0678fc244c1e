package history

// A Run says which rows of a part have a word.
type Run struct {
	From, To int  // the first row that has it, and the one after the last
	Gaps     bool // a row in between lacks it
	Steady   bool // all rows that have it have it equally often
	Dwindled bool // the count falls between two rows that have it
}

// A run is the builder's form of a [Run].
type run struct {
	from, to              int32 // to is 0 as long as the newest row has the word
	gaps, grown, dwindled bool
}

// step records that the count of a word changes at a row.
func (r *run) step(before, after, row int32) {
	switch {
	case before == after:
	case after == 0:
		r.to = row
	case before == 0 && r.to > 0:
		r.gaps, r.to = true, 0
	case before == 0:
		r.from = row
	case after < before:
		r.dwindled = true
	default:
		r.grown = true
	}
}

// word returns the Word for a part with rows. shown is the number of the version whose headings and furniture are counted.
func (w *wordState) word(rows int, shown int32) Word {
	r := &w.run
	out := Word{
		Text: w.text, Most: int(w.most), Run: Run{
			From: int(r.from), To: int(r.to), Gaps: r.gaps, Steady: !r.gaps && !r.grown && !r.dwindled, Dwindled: r.dwindled,
		},
	}
	if r.to == 0 {
		out.To = rows
	}
	if shown > 0 && w.shown == shown {
		out.Heading, out.Furniture = int(w.kinds[Heading-1]), int(w.kinds[Furniture-1])
	}
	return out
}

// countIn counts an occurrence in a block of kind k, in the version numbered shown.
func (w *wordState) countIn(k Kind, shown int32) {
	if k == Body {
		return
	}
	if w.shown != shown {
		w.shown, w.kinds = shown, [2]int32{}
	}
	w.kinds[k-1]++
}
