package visual

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/varve-archive/varve/cdx"
)

// Recipe numbers the way pictures are made. Pictures of another number are made again.
const Recipe = 4

// A Picture describes a memento in a window of one width.
type Picture struct {
	Recipe int           `json:"recipe"`
	URL    string        `json:"url"`
	Time   cdx.Timestamp `json:"time"`
	Width  int           `json:"width"`
	// Height is the height of the image, PageHeight that of the page, of which the image may show only the upper part.
	Height     int     `json:"height,omitempty"`
	PageHeight int     `json:"page_height,omitempty"`
	Image      File    `json:"image,omitzero"` // none if Note says why
	Thumb      File    `json:"thumb,omitzero"`
	Note       Note    `json:"note,omitempty"`
	Blocks     []Block `json:"blocks,omitempty"`
	Title      string  `json:"title,omitempty"`
	Errors     int     `json:"errors,omitempty"` // in the browser's console
	Asked      int     `json:"asked,omitempty"`  // resources that the page requested
	Lacked     int     `json:"lacked,omitempty"` // of these, resources that the archive lacks
	// Damage is the share of the page that is missing because the archive lacks resources, weighted by their size, from 0 to 1.
	Damage float64 `json:"damage,omitempty"`
	// Parts are the other mementos that are visible in the picture or affected it.
	Parts []Part `json:"parts,omitempty"`
	// Vector is the result of [model.Model.Vector]: how much of the page, and of its content, is words of which ink and shape.
	Vector []float32 `json:"vector,omitempty"`
}

// A File is a file of the store, under the hash of its content.
type File struct {
	Hash   string `json:"hash"`
	Type   string `json:"type"`
	Bytes  int    `json:"bytes"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

// A Part is a memento that a page embeds.
type Part struct {
	URL  string        `json:"url"`
	Time cdx.Timestamp `json:"time"`
}

// A Note says why a page has no image, or only one of its upper part.
type Note string

const (
	Cut     Note = "cut"     // the page is longer than pictures are
	Crashed Note = "crashed" // the browser crashed
	Hung    Note = "hung"    // the page did not finish loading, or could not be photographed
	Large   Note = "large"   // the page exceeded the memory limit
	Silent  Note = "silent"  // the archive did not answer with the page
	Crowded Note = "crowded" // the page embeds more resources than are recorded
)

// Sentence explains the note.
func (p *Picture) Sentence() string {
	switch p.Note {
	case "":
		return ""
	case Cut:
		return fmt.Sprintf("the page is %d pixels high, and its picture shows the first %d", p.PageHeight, p.Height)
	case Crashed:
		return "the browser crashed when it was to show this page"
	case Hung:
		return "this page did not come to rest in time to be pictured"
	case Large:
		return "this page takes more memory than a picture is worth"
	case Crowded:
		return "this page embeds more than a picture can answer for"
	}
	return "the archive did not answer with this page when it was to be pictured"
}

// HasImage reports whether there is an image.
func (p *Picture) HasImage() bool { return p != nil && p.Image.Hash != "" }

// A Block is a rectangle of a page with one thing in it: a paragraph, a picture, a row of a table.
type Block struct {
	Place    Place  `json:"place"`
	Kind     Kind   `json:"kind"`
	X        int    `json:"x"`
	Y        int    `json:"y"`
	W        int    `json:"w"`
	H        int    `json:"h"`
	Text     string `json:"text,omitempty"` // its beginning, with single spaces; of a picture its alternative text
	TextHash uint64 `json:"said,omitempty"` // hash of the whole text
	Links    int    `json:"links,omitempty"`
	Grain    []byte `json:"grain,omitempty"` // see [Grain]
}

// A Place is the part of a page in which a block is.
type Place string

const (
	Content    Place = "content"
	Header     Place = "header"
	Footer     Place = "footer"
	Navigation Place = "navigation"
	Sidebar    Place = "sidebar"
	Comments   Place = "comments"
	Ad         Place = "ad"
)

// Places returns all places.
func Places() []Place { return []Place{Content, Header, Footer, Navigation, Sidebar, Comments, Ad} }

// A Kind is the type of a block.
type Kind string

const (
	Text   Kind = "text"
	Title  Kind = "title"
	Links  Kind = "links"
	Table  Kind = "table"
	Image  Kind = "image"
	Logo   Kind = "logo"
	Video  Kind = "video"
	Frame  Kind = "frame"
	Search Kind = "search"
	Form   Kind = "form"
)

// drawn reports whether a block is compared by its pixels, not by its words.
func (b *Block) drawn() bool {
	switch b.Kind {
	case Image, Logo, Video, Frame:
		return true
	}
	return false
}

func (b *Block) area() float64 { return float64(b.W) * float64(b.H) }

// words returns the words of the beginning of the text, sorted. What is written without spaces is cut into pairs of letters.
func (b *Block) words() (out []string) {
	for _, w := range strings.Fields(b.Text) {
		letters := []rune(w)
		if len(letters) < 2 || !slices.ContainsFunc(letters, unspaced) {
			out = append(out, w)
			continue
		}
		for i := range letters[1:] {
			out = append(out, string(letters[i:i+2]))
		}
	}
	slices.Sort(out)
	return out
}

// unspaced reports whether a letter belongs to a script without spaces between words.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
