package sketch

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/growth"

	"github.com/varve-archive/varve/archive/content/visible"
)

// The time to read a page grows with the page, whatever it has more of.
func TestExtractionGrowsWithItsInput(t *testing.T) {
	for name, unit := range map[string]string{
		"paragraphs": "<p>The river rose.</p>", "nesting": "<div>", "sections": "<div>x</div><p>", "links": "<a href=x>y</a>",
		"lists": "<ul><li>x", "tables": "<table><tr><td>x", "open comments": "<!--", "comments": "<!-- x -->", "brackets": "<",
		"open scripts": "<script>", "styles": "<style></style>", "entities": "&eacute;", "ampersands": "&", "drawings": "<svg>",
		"words": "word ", "one word": "x", "blanks": " ", "hidden": "<div hidden>", "noscript": "<noscript>", "classes": "<div class='a b c'>",
		"attributes": "<a b=c d='e'", "titles": "<title>", "templates": "<template>", "buttons": "<button>", "ends": "</div>",
		"selects": "<select><option>",
	} {
		growth.Linear(t, name, func(n int) []byte { return []byte("<html><body>" + strings.Repeat(unit, n)) }, func(body []byte) {
			var e visible.Extractor
			text := e.Extract(body, "text/html; charset=utf-8")
			Of(&text)
		})
	}
	for _, charset := range []string{"utf-16le", "shift_jis", "gb18030", "iso-2022-jp", ""} {
		growth.Linear(t, "charset "+charset, func(n int) []byte { return []byte(strings.Repeat("\x1b$B\xe4<p>", n)) }, func(body []byte) {
			var e visible.Extractor
			e.Extract(body, "text/plain; charset="+charset)
		})
	}
}
