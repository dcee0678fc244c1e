package render

import (
	"image"
	"maps"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/archive/visual/model"
)

// scripted is a block as page.js describes it.
type scripted struct {
	Place, Kind, Text string
	X, Y, W, H, Links float64
}

// keptText is the length of a block's text that is kept, in letters.
const keptText = 400

// blocks returns the blocks of a page. The place of a block follows from the names of its elements or, without such names, from its box.
func blocks(all []scripted, width, height int) []visual.Block {
	out := make([]visual.Block, 0, len(all))
	for _, s := range all {
		b := visual.Block{
			Place: visual.Place(s.Place), Kind: visual.Kind(s.Kind), X: int(s.X), Y: int(s.Y), W: int(s.W), H: int(s.H), Links: int(s.Links),
			TextHash: xxh3.HashString(strings.ToLower(s.Text)), Text: s.Text,
		}
		if r := []rune(s.Text); len(r) > keptText {
			b.Text = string(r[:keptText])
		}
		if b.Kind == visual.Text && b.Links >= minLinkShare {
			b.Kind = visual.Links
		}
		out = append(out, b)
	}
	place(out, width, height)
	return out
}

// boxes returns the header, footer, content and other areas of the page, for the model.
func (t *tab) boxes() ([]model.Block, error) {
	var found []struct {
		Kind       model.Kind
		X, Y, W, H int
	}
	if err := t.evaluate(&found, model.BlocksScript); err != nil {
		return nil, err
	}
	out := make([]model.Block, 0, len(found))
	for _, b := range found {
		out = append(out, model.Block{Kind: b.Kind, Box: image.Rect(b.X, b.Y, b.X+b.W, b.Y+b.H)})
	}
	return out, nil
}

// minLinkShare is the share of linked letters, in percent, from which on a text counts as a list of links.
const minLinkShare = 70

// place sets the place of blocks whose elements don't tell it. The widest column of words is the content; narrow columns beside it are
// sidebars, links above everything are navigation, and links below everything are the footer.
func place(all []visual.Block, width, height int) {
	left, right := column(all, width)
	first, last := height, 0
	for i := range all {
		if b := &all[i]; b.Place == "" && b.Kind == visual.Text && b.W*3 >= width && len(b.Text) > 60 {
			first, last = min(first, b.Y), max(last, b.Y+b.H)
		}
	}
	for i := range all {
		b := &all[i]
		if b.Place != "" {
			continue
		}
		b.Place = visual.Content
		middle := b.X + b.W/2
		switch {
		case b.W*3 < width && left < right && (middle < left || middle > right):
			b.Place = visual.Sidebar
		case b.Kind == visual.Links && b.Y+b.H <= first && last > 0:
			b.Place = visual.Navigation
		case b.Kind == visual.Logo && b.Y < height/5:
			b.Place = visual.Header
		case b.Kind == visual.Links && b.Y >= last && last > 0, strings.HasPrefix(b.Text, "©") && b.Y > height/2:
			b.Place = visual.Footer
		case b.Kind == visual.Search:
			b.Place = visual.Navigation
		}
	}
}

// column returns the left and the right end of the column that has most words, the leftmost of several. A page without words is one column.
func column(all []visual.Block, width int) (left, right int) {
	words, ends := map[int]int{}, map[int]int{} // by left end
	for i := range all {
		if b := &all[i]; b.Place == "" && b.Kind == visual.Text {
			x := b.X / 20 * 20
			words[x] += len(b.Text)
			ends[x] = max(ends[x], b.X+b.W)
		}
	}
	most := 0
	left, right = 0, width
	for _, x := range slices.Sorted(maps.Keys(words)) {
		if words[x] > most {
			most, left, right = words[x], x, ends[x]
		}
	}
	return left, right
}
