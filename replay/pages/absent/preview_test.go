package absent

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/content/visible"
)

func TestPreviewIsTheBeginningOfWhatThePageItselfSays(t *testing.T) {
	long, accents := strings.Repeat("word ", maxPreview/5), strings.Repeat("é", maxPreview)
	main := func(text string, links float32) visible.Block {
		return visible.Block{Text: text, Region: visible.Main, Links: links}
	}
	for _, tt := range []struct {
		name   string
		blocks []visible.Block
		want   string
	}{
		{"nothing", nil, ""},
		{"all of it", []visible.Block{main("one", 0), main("two", 0.8)}, "one two"},
		{"without navigation", []visible.Block{main("one", 0), {Text: "menu", Region: visible.Nav}, main("two", 0)}, "one two"},
		{"without lists of links", []visible.Block{main("one", 0), main("see also", 0.81), main("two", 0)}, "one two"},
		{"just as long", []visible.Block{main(long[:maxPreview], 0)}, long[:maxPreview]},
		{"cut at a word", []visible.Block{main(long, 0), main("more", 0)}, long[:maxPreview-1] + "…"},
		{"cut in a long word", []visible.Block{main("a "+strings.Repeat("b", maxPreview), 0)}, "a " + strings.Repeat("b", maxPreview-2) + "…"},
		{"cut between letters", []visible.Block{main("a"+accents, 0)}, "a" + accents[:maxPreview-2] + "…"},
	} {
		if got := preview(&visible.Text{Blocks: tt.blocks}); got != tt.want {
			t.Errorf("%s: %d bytes %q", tt.name, len(got), got)
		}
	}
}
