package edit

import (
	"strconv"
	"unicode/utf8"

	"github.com/varve-archive/varve/rewrite/ascii"
)

// InsertMarkup inserts HTML at a place of the document.
func (e *List) InsertMarkup(at int, markup []byte) { e.Insert(at, asciiMarkup(markup), Verbatim) }

// InsertLate inserts the HTML that late returns, which is called once the references are resolved; late may be nil.
func (e *List) InsertLate(at int, late func() []byte) { e.FillLate(e.Reserve(at, at), late) }

// FillLate does the same as [List.InsertLate] in a reserved place. There is one such insertion in a document.
func (e *List) FillLate(place int, late func() []byte) { e.late, e.lateEdit = late, place }

// asciiMarkup writes non-ASCII characters as character references, which are right in every charset.
func asciiMarkup(markup []byte) string {
	if ascii.Only(markup) {
		return string(markup)
	}
	out := make([]byte, 0, 2*len(markup))
	for _, r := range string(markup) {
		if r < utf8.RuneSelf {
			out = append(out, byte(r))
			continue
		}
		out = append(out, "&#"...)
		out = strconv.AppendInt(out, int64(r), 10)
		out = append(out, ';')
	}
	return string(out)
}
