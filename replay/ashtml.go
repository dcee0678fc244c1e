package replay

import (
	"bufio"
	"io"
	"net/http"

	"github.com/varve-archive/varve/rewrite"
)

// asHTML has an XHTML page read as HTML, because what is put into it is HTML. declared is its archived Content-Type, h is
// told the one it has now.
func asHTML(body io.Reader, declared string, h http.Header) (io.Reader, error) {
	if !rewrite.IsXHTML(declared) {
		return body, nil
	}
	peek := bufio.NewReader(body)
	start, _ := peek.Peek(rewrite.SniffLen)
	h.Set("Content-Type", rewrite.XHTMLType(declared, start))
	h.Set("X-Archive-Orig-Content-Type", declared)
	return rewrite.FromXHTML(peek)
}
