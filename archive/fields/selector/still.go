package selector

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/varve-archive/varve/archive/fields"
)

// Numbered is the attribute with an element's number in the output of [Still].
const Numbered = "data-varve-n"

// Still writes a page in UTF-8 with a number on each element and without active parts: no scripts and handlers, frames, plugins, refreshes,
// links and base. Embedded resources have absolute addresses. Browsers may parse the output differently from d (HTML, "serialising HTML
// fragments", has a warning), so show it only where no script can run. Still modifies d, which must not be used afterwards.
func Still(d *fields.Document) []byte {
	i := 0
	var gone []*html.Node
	for n := range d.Root.Descendants() {
		switch {
		case n.Type == html.CommentNode:
			gone = append(gone, n)
		case n.Type == html.ElementNode:
			if isGone(n) {
				gone = append(gone, n)
			}
			if empty(n.Data) { // with content only in SVG and MathML, where it can't be written
				gone = slices.AppendSeq(gone, n.ChildNodes())
			}
			n.Attr = append(inactive(n), html.Attribute{Key: Numbered, Val: strconv.Itoa(i)})
			i++
		}
	}
	for _, n := range gone {
		if n.Parent != nil {
			n.Parent.RemoveChild(n)
		}
	}
	var b bytes.Buffer
	_ = html.Render(&b, d.Root) // writes to memory
	return b.Bytes()
}

// isGone reports whether an element is left out with its content. Fallbacks for browsers without scripts were not parsed.
func isGone(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Noscript, atom.Base, atom.Plaintext, atom.Noembed, atom.Noframes:
		return true
	case atom.Meta:
		_, acts := attribute(n, "http-equiv")
		_, charset := attribute(n, "charset")
		return acts || charset
	case atom.Link:
		rel, _ := attribute(n, "rel")
		return !strings.EqualFold(strings.TrimSpace(rel), "stylesheet")
	}
	return false
}

// empty are void elements.
func empty(key string) bool {
	switch key {
	case "area", "base", "br", "col", "embed", "hr", "img", "input", "keygen", "link",
		"meta", "param", "source", "track", "wbr":
		return true
	}
	return false
}

// acting are attributes that cause actions or navigation, take the focus, or become invalid by the rewriting.
func acting(key string) bool {
	switch key {
	case "ping", "nonce", "integrity", "crossorigin", "target", "download", "autofocus",
		"accesskey", "autoplay", "contenteditable", "inert", "action", "formaction", "form",
		"popovertarget", "command", "commandfor", "shadowrootmode", "attributionsrc", "srcdoc":
		return true
	}
	return false
}

// embedding are elements that show a document of their own, or something like it.
func embedding(key string) bool {
	switch key {
	case "iframe", "frame", "object", "embed", "applet", "portal", "fencedframe":
		return true
	}
	return false
}

// inactive returns the inactive attributes of an element. Links lead nowhere, but look like links.
func inactive(n *html.Node) (out []html.Attribute) {
	isLink := n.Data == "a" || n.Data == "area"
	for _, a := range n.Attr {
		key := strings.ToLower(a.Key)
		switch {
		case strings.HasPrefix(key, "on"), strings.HasPrefix(key, "data-varve"), acting(key):
			continue
		case embedding(n.Data) && (key == "src" || key == "data" || key == "code" || key == "archive"):
			continue
		case isLink && key == "href":
			a.Val = "#"
		}
		out = append(out, a)
	}
	if n.DataAtom == atom.Template { // declared open, so that one can point into its content
		if _, ok := attribute(n, "shadowrootmode"); ok {
			out = append(out, html.Attribute{Key: "shadowrootmode", Val: "open"})
		}
	}
	if n.DataAtom == atom.Details {
		out = append(out, html.Attribute{Key: "open"})
	}
	return out
}
