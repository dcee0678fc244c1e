package selector

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/varve-archive/varve/archive/fields"
)

// Field returns what a template would say of an element beside its selector: a name, a type, and what has to be cleaned away.
// text is what a field of type text reads from it.
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

var (
	noName = regexp.MustCompile(`[^a-z0-9]+`)
	byTag  = map[string]string{"h1": "heading", "title": "page_title", "a": "link", "img": "image", "time": "date"}
)

// nameOf returns a name for what an element says.
func nameOf(n *html.Node) string {
	var all []string
	for _, a := range telling() {
		if v, ok := attribute(n, a); ok && isLasting(strings.ReplaceAll(v, ":", "-")) {
			all = append(all, v)
		}
	}
	if id, _ := attribute(n, "id"); isLasting(id) {
		all = append(all, id)
	}
	for _, s := range append(append(all, classes(n)...), byTag[n.Data], n.Data) {
		s = strings.Trim(noName.ReplaceAllString(strings.ToLower(s), "_"), "_")
		if s = strings.TrimRight(s[:min(len(s), 40)], "_"); s != "" && s[0] >= 'a' && !taken(s) {
			return s
		}
	}
	return "value"
}

// taken are names that mean something else in searches.
func taken(key string) bool {
	switch key {
	case "title", "url", "site", "score", "newest", "oldest":
		return true
	}
	return false
}
