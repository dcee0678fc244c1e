package crawl

import (
	"bytes"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// ownReading reads of a page what only a crawler wants to know. no counts the addresses that nobody goes to by a link: what forms are
// sent to, which may change something there, and what relative addresses are relative to. later are what scripts load when a reader
// comes near it.
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
			if to, err := resolve(base, ref); err == nil {
				later = append(later, link{to, laterUse(t)})
			}
		}
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
		no[to]++
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
