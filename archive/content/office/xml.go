package office

import (
	"encoding/xml"
	"io"
	"strings"

	"golang.org/x/net/html/charset"

	"github.com/varve-archive/varve/internal/sentinel"
)

// A token is a tag, or text between two tags. Names have no namespaces: the ones that are read mean the same in all of them.
type token struct {
	kind  tokenKind
	name  string
	attrs []xml.Attr
	text  string
}

type tokenKind uint8

const (
	start tokenKind = iota
	end
	text
)

func (t *token) attr(name string) string {
	for _, a := range t.attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// relation returns the ID by which an element names another part.
func (t *token) relation() string {
	for _, a := range t.attrs {
		if a.Name.Local == "id" && strings.HasSuffix(a.Name.Space, "/relationships") {
			return a.Value
		}
	}
	return ""
}

// hidden elements contain text that isn't shown, or is shown elsewhere: deleted text, comments, fallbacks of drawings, readings of
// ideographs, numbers of notes, and what drawings are or are described by.
func hidden(name xml.Name) bool {
	switch name.Local {
	case "del", "moveFrom", "tracked-changes", "annotation", "Fallback", "rPh", "rt", "ruby-text", "note-citation", "footnote-citation",
		"endnote-citation", "binary-data":
		return true
	case "title", "desc":
		return strings.Contains(name.Space, "svg")
	}
	return false
}

// walk calls f with the tokens of a member until f returns false or there is a syntax error.
func (r *reader) walk(member string, f func(token) bool) {
	file := r.member(member)
	if file == nil {
		return
	}
	in, err := file.Open()
	if err != nil {
		return
	}
	defer in.Close()
	bounded := &boundedReader{r: in, total: &r.left}
	d := xml.NewDecoder(bounded)
	d.CharsetReader = charset.NewReaderLabel
	depth, hiding := 0, 0
	for {
		bounded.element = maxElement
		raw, err := d.Token()
		if err != nil {
			return
		}
		var t token
		switch raw := raw.(type) {
		case xml.StartElement:
			t = token{kind: start, name: raw.Name.Local, attrs: raw.Attr}
			if depth++; depth > maxDepth {
				return
			}
			if hiding > 0 || hidden(raw.Name) {
				hiding++
			}
		case xml.EndElement:
			t = token{kind: end, name: raw.Name.Local}
			depth--
			if hiding > 0 {
				hiding--
				continue
			}
		case xml.CharData:
			t = token{kind: text, text: string(raw)}
		default:
			continue
		}
		if hiding == 0 && !f(t) {
			return
		}
	}
}

// A boundedReader ends when an element, or all data together, is too long.
type boundedReader struct {
	r       io.Reader
	element int64
	total   *int64
}

const errLong = sentinel.Error("office: too long")

func (b *boundedReader) Read(p []byte) (int, error) {
	most := min(b.element, *b.total, int64(len(p)))
	if most <= 0 {
		return 0, errLong
	}
	n, err := b.r.Read(p[:most])
	b.element -= int64(n)
	*b.total -= int64(n)
	return n, err
}
