package crawl

import (
	"bytes"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// noLinks counts the addresses in a page that nobody goes to by a link: what forms are sent to, which may change something there, and
// what relative addresses are relative to.
func noLinks(address string, page []byte) map[string]int {
	found := map[string]int{}
	base := address
	for z := html.NewTokenizer(bytes.NewReader(page)); ; {
		switch z.Next() {
		case html.ErrorToken: // the end
			return found
		case html.StartTagToken, html.SelfClosingTagToken:
		default:
			continue
		}
		t := z.Token()
		ref, ok := attribute(t, map[atom.Atom]string{
			atom.Form: "action", atom.Button: "formaction", atom.Input: "formaction", atom.Base: "href",
		}[t.DataAtom])
		if !ok {
			continue
		}
		to, err := resolve(base, ref)
		if err != nil {
			continue
		}
		found[to]++
		if t.DataAtom == atom.Base {
			base = to
		}
	}
}

// attribute returns an attribute of a tag. No tag has one without a name.
func attribute(t html.Token, name string) (value string, ok bool) {
	for _, a := range t.Attr {
		if a.Key == name && name != "" {
			return a.Val, true
		}
	}
	return "", false
}
