package absent

import (
	"strings"
	"unicode/utf8"

	"github.com/varve-archive/varve/archive/content/visible"
)

// maxPreview is the greatest length of a preview in bytes.
const maxPreview = 300

// preview returns the beginning of the page's own text, without the text common to its site.
func preview(t *visible.Text) string {
	var b strings.Builder
	for _, block := range t.Blocks {
		if block.Region != visible.Main || block.Links > 0.8 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(block.Text)
		if b.Len() > maxPreview {
			break
		}
	}
	s := b.String()
	if len(s) <= maxPreview {
		return s
	}
	cut := maxPreview
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	if i := strings.LastIndexByte(s[:cut], ' '); i > cut/2 {
		cut = i
	}
	return s[:cut] + "…"
}
