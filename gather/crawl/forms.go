package crawl

import (
	"bytes"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/varve-archive/varve/rewrite/reference"
)

// ownReading finds what only matters to a crawler. no counts addresses that aren't followed as links: form actions, which may
// change something on the server, and base URLs. later are resources that scripts load when the reader scrolls near them.
func ownReading(address string, page []byte) (no map[string]int, later []link) {
	no = map[string]int{}
	base := address
	for z := html.NewTokenizer(bytes.NewReader(page)); ; {
		switch z.Next() {
		case html.ErrorToken: // the end
			return no, later
		case html.StartTagToken, html.SelfClosingTagToken:
		default:
			continue
		}
		t := z.Token()
		for _, ref := range loadedLater(t) {
			if to, err := reference.Web(base, ref); err == nil {
				later = append(later, link{to, laterUse(t)})
			}
		}
		ref, ok := attribute(t, map[atom.Atom]string{
			atom.Form: "action", atom.Button: "formaction", atom.Input: "formaction", atom.Base: "href",
		}[t.DataAtom])
		if !ok {
			continue
		}
		to, err := reference.Web(base, ref)
		if err != nil {
			continue
		}
		no[to]++
		if t.DataAtom == atom.Base {
			base = to
		}
	}
}

func attribute(t html.Token, name string) (value string, ok bool) {
	for _, a := range t.Attr {
		if a.Key == name && name != "" {
			return a.Val, true
		}
	}
	return "", false
}
