package change

import (
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
)

// An interlude is a run of captures that shows something else, with the page before and after it.
type interlude struct{ before, run, after *showing }

const (
	// interludeShrunk is how many times shorter than the page an interlude is at least. Two texts of similar length that alternate both belong
	// to the page.
	interludeShrunk = 2
	// A text is another page if its similarity to the page is below unlikePage. A page that comes back has at least the similarity comesBack
	// to its earlier text, since it may have changed meanwhile. Two texts of the same kind have at least likePage.
	unlikePage = 0.2
	comesBack  = 0.5
	likePage   = 0.7
	// minInterludes is how many times a similar text must interrupt a page to count as an interlude for that reason.
	minInterludes = 2
	// maxInterludes bounds the interludes before and after one that it is compared with, maxRow the runs in an interlude.
	maxInterludes = 16
	maxRow        = 4
	// minLabels is the least number of blocks of a list, a menu or a form.
	minLabels = 6
)

// failInterludes marks texts that interrupt a page, are shorter and quite different, while the page comes back. There must be further
// evidence that such a text isn't the page: it returns repeatedly, other pages of the site show it too, it names another address, it has no
// prose, it is data, or it asks for a login that the page didn't ask for. Otherwise the page may have been deleted and restored.
func (c *comparer) failInterludes(runs []showing) {
	found := interludes(runs)
	for i := range found {
		f := &found[i]
		f.run.failed = f.returns(found, i) || c.site.Elsewhere(f.run.sketch) || f.asksIn() || f.named() || f.labels() || c.isData(f)
	}
}

// returns reports whether several similar interludes exist.
func (f *interlude) returns(found []interlude, at int) bool {
	times := 0
	for _, other := range found[max(0, at-maxInterludes):min(len(found), at+maxInterludes+1)] {
		if sketch.Similarity(f.run.sketch, other.run.sketch) >= likePage {
			times++
		}
	}
	return times >= minInterludes
}

// asksIn reports whether the interlude asks for a login and the page doesn't.
func (f *interlude) asksIn() bool {
	return f.run.sketch.Enters && !f.before.sketch.Enters && !f.after.sketch.Enters
}

// named reports whether the interlude names an address other than the page does, before and after.
func (f *interlude) named() bool {
	a := f.run.sketch.Address
	return a != visible.Unnamed && a != f.before.sketch.Address && a != f.after.sketch.Address
}

// labels reports whether the interlude consists of labels without prose: a list, a menu, a form.
func (f *interlude) labels() bool {
	blocks, prose := weighOwn(f.run.sketch)
	_, before := weighOwn(f.before.sketch)
	_, after := weighOwn(f.after.sketch)
	return prose == 0 && blocks >= minLabels && min(before, after) >= visible.MinPageProse
}

// isData reports whether the interlude is an answer for programs in place of a page.
func (c *comparer) isData(f *interlude) bool {
	return c.states[f.run.first].Data && !c.states[f.before.first].Data && !c.states[f.after.first].Data
}

// weighOwn returns the number of blocks that are not furniture, and the bytes of those that are long enough to be prose.
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

// interludes returns the runs, up to maxRow in a row, that interrupt a page.
func interludes(runs []showing) (found []interlude) {
	var kept []*showing // those that have not failed yet
	for i := range runs {
		if !runs[i].failed {
			kept = append(kept, &runs[i])
		}
	}
	for a := 0; a < len(kept); a++ {
		for b := a + 2; b < len(kept) && b <= a+1+maxRow; b++ {
			if between := kept[a+1 : b]; isInterlude(kept[a], between, kept[b]) {
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

// isInterlude reports whether runs are quite different from the runs around them, which are alike.
func isInterlude(before *showing, runs []*showing, after *showing) bool {
	a, b := before.sketch, after.sketch
	for _, r := range runs {
		s := r.sketch
		if s.Words*interludeShrunk > min(a.Words, b.Words) || sketch.Similarity(a, s) >= unlikePage || sketch.Similarity(b, s) >= unlikePage {
			return false
		}
	}
	return sketch.Similarity(a, b) >= comesBack
}

// findGone marks the runs that show the site's front page instead of a page with another name: the page was removed, and its address now
// leads to the front page. page is the last text of the page before the runs, nil if there was none.
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
