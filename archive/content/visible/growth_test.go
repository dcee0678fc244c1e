package visible

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/growth"
)

// A page is read in time that grows no faster than the page, whatever it has more of.
func TestTextsGrowWithTheirPages(t *testing.T) {
	units := append([]string{
		"<noscript><noframes>", "<template><noembed>", "<a href=b>c", "<a href=b><noscript>", "<li>a", "<div><p>a</div>", "<table><tr><td>a",
		"<svg><title>a", "<select><option>a", "&amp", `<div class="a b c">`, "<img src=a><p>a</p>", "<dialog>cookie<button>accept</button>",
		"<meta charset=x>", "<link rel=canonical>", "<pre>\n\na",
	}, openings...)
	for _, unit := range units {
		growth.Linear(t, unit, func(n int) []byte { return []byte(strings.Repeat(unit, n)) }, func(page []byte) {
			new(Extractor).Extract(page, "text/html")
			Links(page, "text/html")
		})
	}
}
