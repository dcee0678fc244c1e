package change

import (
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
)

// An interlude is a run of captures that shows something else, while the page is there before and after.
type interlude struct{ before, run, after *showing }

const (
	// What replaces a page for a while and is not a version of it is this many times shorter. Two texts of similar
	// length that take turns both belong to the page.
	interludeShrunk = 2
	// A text less similar to a page than unlikePage is not the page. A page that comes back is at least as similar as
	// comesBack, since it may have been amended meanwhile. Two texts of the same kind are at least as similar as
	// likePage.
	unlikePage = 0.2
	comesBack  = 0.5
	likePage   = 0.7
	// minInterludes is how many times such a text must replace a page for a while so as not to count as the page.
	minInterludes = 2
	// maxInterludes bounds with how many interludes before and after it one is compared, maxRow how many may follow
	// each other.
	maxInterludes = 16
	maxRow        = 4
	// minLabels is the least number of blocks of a list, a menu or a form.
	minLabels = 6
)

// failInterludes marks a text that replaces a page, is shorter and quite unlike it, while the page comes back.
// Something else must also show that it is not the page: it returns again and again, other pages of the site show it
// too, it names another address, has nothing to read, or wants a login that the page did not want. Otherwise it may
// have been deleted and restored.
func (c *comparer) failInterludes(runs []showing) {
	found := interludes(runs)
	for i := range found {
		f := &found[i]
		f.run.failed = f.returns(found, i) || c.site.Elsewhere(f.run.sketch) || f.asksIn() || f.named() || f.labels()
	}
}

// returns reports whether it is one of several similar ones.
func (f *interlude) returns(found []interlude, at int) bool {
	times := 0
	for _, other := range found[max(0, at-maxInterludes):min(len(found), at+maxInterludes+1)] {
		if sketch.Similarity(f.run.sketch, other.run.sketch) >= likePage {
			times++
		}
	}
	return times >= minInterludes
}

// asksIn reports whether it asks for a login and the page doesn't.
func (f *interlude) asksIn() bool {
	return f.run.sketch.Enters && !f.before.sketch.Enters && !f.after.sketch.Enters
}

// named reports whether it calls itself something other than the page does on both sides.
func (f *interlude) named() bool {
	a := f.run.sketch.Address
	return a != visible.Unnamed && a != f.before.sketch.Address && a != f.after.sketch.Address
}

// labels reports whether it contains only names of things instead of text: a list, a menu, a form.
func (f *interlude) labels() bool {
	blocks, prose := weighOwn(f.run.sketch)
	_, before := weighOwn(f.before.sketch)
	_, after := weighOwn(f.after.sketch)
	return prose == 0 && blocks >= minLabels && min(before, after) >= visible.MinPageProse
}

// weighOwn counts the blocks that are not furniture, and the bytes of those that are long enough to be read.
func weighOwn(s *sketch.Sketch) (blocks, prose int) {
	for i := range s.Blocks {
		b := &s.Blocks[i]
		if b.Region != visible.Main {
			continue
		}
		blocks++
		if b.Size >= visible.MinProse {
			prose += int(b.Size)
		}
	}
	return blocks, prose
}

// interludes returns the runs, up to maxRow in a row, that lie between two of a page and are not the page.
func interludes(runs []showing) (found []interlude) {
	var kept []*showing // those that have not failed yet
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

// strange reports whether runs are quite unlike those around them, which are alike.
func strange(before *showing, runs []*showing, after *showing) bool {
	a, b := before.sketch, after.sketch
	for _, r := range runs {
		s := r.sketch
		if s.Words*interludeShrunk > min(a.Words, b.Words) || sketch.Similarity(a, s) >= unlikePage || sketch.Similarity(b, s) >= unlikePage {
			return false
		}
	}
	return sketch.Similarity(a, b) >= comesBack
}

// findGone marks the runs that show the site's front page instead of a page that called itself something else: that
// page was removed, and its address now leads to the front page. page is what was shown last before the runs, nil if nothing was.
func findGone(runs []showing, page *sketch.Sketch) {
	for i := range runs {
		r := &runs[i]
		switch {
		case r.failed:
		case page != nil && page.Address >= visible.Named && r.sketch.Address == visible.Front &&
			r.sketch.Words*interludeShrunk <= page.Words && sketch.Similarity(page, r.sketch) < unlikePage:
			r.gone = true
		default:
			page = r.sketch
		}
		if page != nil {
			r.page = page.ID
		}
	}
}
