package change

// An interlude is a run of captures that shows something else while the page is there before and after.
type interlude struct{ before, run, after *showing }

const (
	// What takes a page's place for a while and is none of it is so many times shorter. Two texts of like length that take
	// turns are both the page's.
	interludeShrunk = 2
	// What is no part of a page is less like it than unlikePage. A page that comes back is at least as much like it as
	// comesBack, for it may have been amended meanwhile; two texts of the same kind are likePage.
	unlikePage = 0.2
	comesBack  = 0.5
	likePage   = 0.7
	// minInterludes is how often another text takes the place of a page's, each time for a while, to be none of it.
	minInterludes = 2
	// maxInterludes bounds how many before and after it one is compared with, maxRow how many stand in a row.
	maxInterludes = 16
	maxRow        = 4
	// minLabels is how many blocks a list, a menu or a form has at least.
	minLabels = 6
)

// failInterludes marks what takes the place of a page, is shorter and nothing like it, while the page comes back, if anything
// else says that it is none of it: it does so again and again, on other pages of the site too, names another address, has
// nothing to read, or wants to be let in as the page did not. What went and came back once may have been deleted and restored.
func (c *comparer) failInterludes(runs []showing) {
	found := interludes(runs)
	for i := range found {
		f := &found[i]
		f.run.failed = f.returns(found, i) || c.site.elsewhere(f.run.sketch) || f.asksIn() || f.named() || f.labels()
	}
}

// returns reports whether it is one of several alike.
func (f *interlude) returns(found []interlude, at int) bool {
	times := 0
	for _, other := range found[max(0, at-maxInterludes):min(len(found), at+maxInterludes)] {
		if Similarity(f.run.sketch, other.run.sketch) >= likePage {
			times++
		}
	}
	return times >= minInterludes
}

// asksIn reports whether it asks to log in, in the place of a page that doesn't.
func (f *interlude) asksIn() bool {
	return f.run.sketch.Enters && !f.before.sketch.Enters && !f.after.sketch.Enters
}

// named reports whether it calls itself other than the page does on both sides.
func (f *interlude) named() bool {
	a := f.run.sketch.Address
	return a != Unnamed && a != f.before.sketch.Address && a != f.after.sketch.Address
}

// labels reports whether it is nothing but names of things, in the place of text: a list, a menu, a form.
func (f *interlude) labels() bool {
	blocks, prose := f.run.sketch.weighOwn()
	_, before := f.before.sketch.weighOwn()
	_, after := f.after.sketch.weighOwn()
	return prose == 0 && blocks >= minLabels && min(before, after) >= minPageProse
}

// weighOwn counts the blocks that are no furniture, and the bytes of those that are long enough to be read.
func (s *Sketch) weighOwn() (blocks, prose int) {
	for i := range s.Blocks {
		b := &s.Blocks[i]
		if b.Region != Main {
			continue
		}
		blocks++
		if b.Size >= minProse {
			prose += int(b.Size)
		}
	}
	return blocks, prose
}

// interludes returns the runs, up to maxRow in a row, that stand between two of a page and are none of it.
func interludes(runs []showing) (found []interlude) {
	var kept []*showing // that have not failed yet
	for i := range runs {
		if !runs[i].failed {
			kept = append(kept, &runs[i])
		}
	}
	for a := 0; a < len(kept); a++ {
		for b := a + 2; b < len(kept) && b <= a+1+maxRow; b++ {
			if between := kept[a+1 : b]; strange(kept[a], between, kept[b]) {
				for _, r := range between {
					found = append(found, interlude{kept[a], r, kept[b]})
				}
				a = b - 1
				break
			}
		}
	}
	return found
}

// strange reports whether runs are nothing like those around them, which are alike.
func strange(before *showing, runs []*showing, after *showing) bool {
	a, b := before.sketch, after.sketch
	for _, r := range runs {
		s := r.sketch
		if s.Words*interludeShrunk > min(a.Words, b.Words) || Similarity(a, s) >= unlikePage || Similarity(b, s) >= unlikePage {
			return false
		}
	}
	return Similarity(a, b) >= comesBack
}

// findGone marks the runs that show the site's front page in the place of a page that called itself otherwise: it was taken
// away, and its address leads there.
func findGone(runs []showing) {
	var page *showing // that was shown last
	for i := range runs {
		r := &runs[i]
		switch {
		case r.failed:
		case page != nil && page.sketch.Address >= named && r.sketch.Address == Front &&
			r.sketch.Words*interludeShrunk <= page.sketch.Words && Similarity(page.sketch, r.sketch) < unlikePage:
			r.gone = true
		default:
			page = r
		}
	}
}
