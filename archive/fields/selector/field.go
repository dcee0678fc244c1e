package selector

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/varve-archive/varve/archive/fields"
)

// Field suggests the settings of a field for an element, except for its selector: a name, a type, and what to clean. text is what a field
// of type text reads from the element.
func Field(n *html.Node, text string) (f fields.Field) {
	f = fields.Field{Name: nameOf(n), Type: fields.Text}
	switch n.DataAtom {
	case atom.Img:
		f.Type = fields.Image
		return f
	case atom.Link:
		f.Type = fields.Link
		return f
	case atom.Time:
		f.Type = fields.Date
		return f
	case atom.Input, atom.Data, atom.Meter, atom.Progress:
		f.Attribute = "value"
		text, _ = attribute(n, "value")
	case atom.Iframe, atom.Embed, atom.Video, atom.Audio, atom.Source:
		f.Type, f.Attribute = fields.Link, "src"
		return f
	}
	_, isNumber := fields.ParseNumber(text)
	_, isDate := fields.ParseDate(text)
	switch {
	case isNumber:
		f.Type = fields.Number
	case isDate:
		f.Type = fields.Date
	case amount.MatchString(text):
		f.Type, f.Clean = fields.Number, []string{"[^0-9.]"}
	}
	return f
}

// amount is a number as people write it, with a currency or a unit: $ 1,234.50.
var amount = regexp.MustCompile(`^[^\d.,-]{0,4}\d{1,3}(,?\d{3})*(\.\d+)?[^\d.,-]{0,5}$`)

// usualName returns a name for an element without an identifying attribute, "" for most.
func usualName(tag string) string {
	switch tag {
	case "h1":
		return "heading"
	case "title":
		return "page_title"
	case "a":
		return "link"
	case "img":
		return "image"
	case "time":
		return "date"
	}
	return ""
}

// nameOf returns a name for the values of an element.
func nameOf(n *html.Node) string {
	var all []string
	for _, a := range identifying() {
		if v, _ := attribute(n, a); isLasting(strings.ReplaceAll(v, ":", "-")) {
			all = append(all, v)
		}
	}
	if id, _ := attribute(n, "id"); isLasting(id) {
		all = append(all, id)
	}
	for _, s := range append(append(all, classes(n)...), usualName(n.Data), n.Data) {
		s = strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }), "_")
		if s = strings.TrimRight(s[:min(len(s), 40)], "_"); s != "" && s[0] >= 'a' && !taken(s) {
			return s
		}
	}
	return "value"
}

// taken are names with another meaning in searches.
func taken(key string) bool {
	switch key {
	case "title", "url", "site", "score", "newest", "oldest":
		return true
	}
	return false
}
