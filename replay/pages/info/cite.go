package info

import (
	"encoding/json"
	"html"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
)

// A citation has the data for citing a capture.
type citation struct {
	Title   string // "" if it has none
	URIR    string
	Memento string // its URI-M, absolute
	Time    cdx.Timestamp
	Archive string // the page of its collection, absolute
}

// cited is a citation in several formats.
type cited struct {
	Text       string `json:"text"`
	BibTeX     string `json:"bibtex"`
	CSL        string `json:"csl"`         // CSL-JSON, an array of one item
	RobustLink string `json:"robust_link"` // an <a> element as robustlinks.mementoweb.org has it
	Embed      string `json:"embed"`       // a card for pages elsewhere: mark-up without scripts, frames or pictures
}

// cited writes a citation in all formats. They are in English, like the names of their fields.
func (c citation) cited() cited {
	return cited{Text: c.text(), BibTeX: c.bibTeX(), CSL: c.csl(), RobustLink: c.robustLink(), Embed: c.embed()}
}

// title is the title, else the URI-R.
func (c citation) title() string {
	if t := strings.Join(strings.Fields(c.Title), " "); t != "" {
		return t
	}
	return c.URIR
}

func (c citation) text() string {
	when := locale.For("en").DateTime(c.Time)
	return "“" + c.title() + "”. " + c.URIR + ". Archived " + when + ". " + c.Memento
}

// date is the day of the capture in ISO 8601.
func (c citation) date() string {
	ts := c.Time.String()
	return ts[:4] + "-" + ts[4:6] + "-" + ts[6:8]
}

// texText escapes the special characters of TeX. Braces would end the value.
func texText(s string) string {
	return strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`, "%", `\%`, "_", `\_`,
		"~", `\textasciitilde{}`, "^", `\textasciicircum{}`).Replace(s)
}

// texURL escapes what would end a \url.
func texURL(s string) string {
	return strings.NewReplacer("{", "%7B", "}", "%7D", `\`, "%5C", " ", "%20", "\n", "%0A", "\r", "%0D").Replace(s)
}

func (c citation) bibTeX() string {
	return "@misc{varve-" + c.Time.String() + ",\n" +
		"  title = {" + texText(c.title()) + "},\n" +
		"  howpublished = {\\url{" + texURL(c.URIR) + "}},\n" +
		"  url = {" + texURL(c.Memento) + "},\n" +
		"  date = {" + c.date() + "},\n" +
		"  note = {Archived " + locale.For("en").DateTime(c.Time) + "}\n}"
}

func (c citation) csl() string {
	ts := c.Time.String()
	part := func(from, to int) int { n, _ := strconv.Atoi(ts[from:to]); return n }
	b, _ := json.MarshalIndent([]map[string]any{{ // strings and numbers never fail
		"id": "varve-" + ts, "type": "webpage", "title": c.title(), "URL": c.URIR,
		"archive": c.Archive, "archive_location": c.Memento,
		"issued": map[string]any{"date-parts": [][]int{{part(0, 4), part(4, 6), part(6, 8)}}},
	}}, "", "  ")
	return string(b)
}

func (c citation) robustLink() string {
	return `<a href="` + html.EscapeString(c.Memento) + `" data-originalurl="` + html.EscapeString(c.URIR) +
		`" data-versiondate="` + c.date() + `">` + html.EscapeString(c.title()) + `</a>`
}

// embed is a quotation that links to the capture. It isn't a frame: other sites may not frame archived pages, since they could navigate
// them.
func (c citation) embed() string {
	return `<blockquote cite="` + html.EscapeString(c.Memento) + `"><p>` + c.robustLink() + `</p><footer>` + html.EscapeString(c.URIR) +
		`, <time datetime="` + c.date() + `">` + html.EscapeString(locale.For("en").Day(c.Time)) + `</time></footer></blockquote>`
}
