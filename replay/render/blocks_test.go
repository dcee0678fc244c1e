package render

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/visual"
)

// Where a block stands on a page is told by the column with most words.
func TestPlaceOfBlocks(t *testing.T) {
	t.Parallel()
	const width, height = 1200, 2000
	text := strings.Repeat("words of the page ", 20)
	block := func(kind visual.Kind, x, y, w, h int, text string) visual.Block {
		return visual.Block{Kind: kind, X: x, Y: y, W: w, H: h, Text: text}
	}
	usual, edge := []visual.Block{block(visual.Text, 300, 300, 600, 800, text)}, []visual.Block{block(visual.Text, 0, 300, 600, 800, text)}
	for _, tt := range []struct {
		name   string
		column []visual.Block
		of     visual.Block
		want   visual.Place
	}{
		{"left of it", usual, block(visual.Text, 0, 400, 200, 9, "a"), visual.Sidebar},
		{"right of it", usual, block(visual.Text, 1000, 400, 200, 9, "a"), visual.Sidebar},
		{"right of one at the edge", edge, block(visual.Text, 900, 400, 200, 9, "a"), visual.Sidebar},
		{"within it", usual, block(visual.Text, 400, 400, 200, 9, "a"), visual.Content},
		{"links above it", usual, block(visual.Links, 0, 200, 1200, 100, ""), visual.Navigation},
		{"links that reach into it", usual, block(visual.Links, 0, 201, 1200, 100, ""), visual.Content},
		{"links below it", usual, block(visual.Links, 0, 1100, 1200, 100, ""), visual.Footer},
		{"links of a page without text", nil, block(visual.Links, 0, 0, 1200, 100, ""), visual.Content},
		{"rights in the lower half", usual, block(visual.Text, 300, 1001, 600, 9, "© 2020"), visual.Footer},
		{"rights in the upper half", usual, block(visual.Text, 300, 1000, 600, 9, "© 2020"), visual.Content},
		{"a logo at the top", usual, block(visual.Logo, 300, 399, 600, 9, ""), visual.Header},
		{"a logo further down", usual, block(visual.Logo, 300, 400, 600, 9, ""), visual.Content},
		{"a search", usual, block(visual.Search, 300, 400, 600, 9, ""), visual.Navigation},
		{"what says where it stands", nil, visual.Block{Kind: visual.Search, Place: visual.Footer}, visual.Footer},
		{
			"of two columns alike, the left one is the content",
			[]visual.Block{block(visual.Text, 0, 300, 300, 9, text)},
			block(visual.Text, 800, 300, 300, 9, text), visual.Sidebar,
		},
	} {
		for range 4 { // the columns come in any order
			all := append([]visual.Block{tt.of}, tt.column...)
			if place(all, width, height); all[0].Place != tt.want {
				t.Errorf("%s: %s, want %s", tt.name, all[0].Place, tt.want)
			}
			for _, b := range all[1:] {
				if b.Place != visual.Content {
					t.Errorf("%s: the content is %s", tt.name, b.Place)
				}
			}
		}
	}
}
