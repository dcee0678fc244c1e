package render

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/visual"
)

// Blocks are compared by all of their words, of which the beginning is kept. A text that is mostly links is a list of links.
func TestBlocksOfAPage(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("É", keptText)
	all := blocks([]scripted{
		{Kind: "text", Text: "Gauge Birds", X: 1, Y: 2, W: 1000, H: 20, Links: 70},
		{Kind: "text", Text: "See Birds", X: 1, Y: 3, W: 1000, H: 20, Links: 69},
		{Kind: "title", Text: "Birds", Links: 100},
		{Kind: "text", Text: long},
		{Kind: "text", Text: long + "a"},
		{Kind: "text", Text: strings.ToLower(long) + "A", Place: "footer"},
	}, 1000, 2000)
	if all[0].Kind != visual.Links || all[1].Kind != visual.Text || all[2].Kind != visual.Title {
		t.Errorf("kinds: %v", all[:3])
	}
	if b := all[1]; b.X != 1 || b.Y != 3 || b.W != 1000 || b.H != 20 || b.Links != 69 || b.Text != "See Birds" || b.Place != visual.Content {
		t.Errorf("%+v", b)
	}
	if all[3].Text != long || all[4].Text != long || all[5].Place != visual.Footer {
		t.Errorf("kept: %d and %d bytes, in the %s", len(all[3].Text), len(all[4].Text), all[5].Place)
	}
	if all[3].TextHash == all[4].TextHash || all[4].TextHash != all[5].TextHash {
		t.Error("words that aren't kept don't count, or capitals do")
	}
}

// Where a block stands on a page is told by the column with most words.
func TestPlaceOfBlocks(t *testing.T) {
	t.Parallel()
	const width, height = 1200, 2000
	text := strings.Repeat("words of the page ", 20)
	block := func(kind visual.Kind, x, y, w, h int, text string) visual.Block {
		return visual.Block{Kind: kind, X: x, Y: y, W: w, H: h, Text: text}
	}
	usual, edge := []visual.Block{block(visual.Text, 300, 300, 600, 800, text)}, []visual.Block{block(visual.Text, 0, 300, 600, 800, text)}
	links := block(visual.Links, 0, 1100, 1200, 100, "")
	for _, tt := range []struct {
		name   string
		column []visual.Block
		of     visual.Block
		want   visual.Place
	}{
		{"left of it", usual, block(visual.Text, 0, 400, 200, 9, "a"), visual.Sidebar},
		{"right of it", usual, block(visual.Text, 1000, 400, 200, 9, "a"), visual.Sidebar},
		{"right of one at the edge", edge, block(visual.Text, 900, 400, 200, 9, "a"), visual.Sidebar},
		{"half in it", usual, block(visual.Text, 200, 400, 200, 9, "a"), visual.Content},
		{"within it", usual, block(visual.Text, 400, 400, 200, 9, "a"), visual.Content},
		{"links above it", usual, block(visual.Links, 0, 200, 1200, 100, ""), visual.Navigation},
		{"links that reach into it", usual, block(visual.Links, 0, 201, 1200, 100, ""), visual.Content},
		{"links below it", usual, links, visual.Footer},
		{"links of a page without text", nil, block(visual.Links, 0, 0, 1200, 100, ""), visual.Content},
		{"rights in the lower half", usual, block(visual.Text, 300, 1001, 600, 9, "© 2020"), visual.Footer},
		{"rights in the upper half", usual, block(visual.Text, 300, 1000, 600, 9, "© 2020"), visual.Content},
		{"a logo at the top", usual, block(visual.Logo, 300, 399, 600, 9, ""), visual.Header},
		{"a logo further down", usual, block(visual.Logo, 300, 400, 600, 9, ""), visual.Content},
		{"a logo beside it", usual, block(visual.Logo, 0, 400, 200, 9, ""), visual.Sidebar},
		{"as wide as a third of the page", usual, block(visual.Text, 0, 400, 400, 9, "a"), visual.Content},
		{"links above a text as wide as a third", append(usual, block(visual.Text, 300, 1500, 400, 9, text)), links, visual.Content},
		{"links above a narrow text", append(usual, block(visual.Text, 300, 1500, 399, 9, text)), links, visual.Footer},
		{"links above a few words", append(usual, block(visual.Text, 300, 1500, 600, 9, text[:60])), links, visual.Footer},
		{"a search", usual, block(visual.Search, 300, 400, 600, 9, ""), visual.Navigation},
		{"what says where it stands", nil, visual.Block{Kind: visual.Search, Place: visual.Footer}, visual.Footer},
		{
			"of two columns alike, the left one is the content",
			[]visual.Block{block(visual.Text, 0, 300, 300, 9, text)},
			block(visual.Text, 800, 300, 300, 9, text), visual.Sidebar,
		},
	} {
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
