package office

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"

	"github.com/richardlehane/mscfb"
	"golang.org/x/text/encoding/charmap"
)

// Offsets in the file information block of Word 97 and later ([MS-DOC] 2.5).
const (
	fibIdent    = 0xA5EC
	fibFlags    = 0x0A
	fibTexts    = 0x4C   // lengths of the document's text and of those that follow it, as below
	fibClx      = 0x01A2 // offset and length of the list of pieces
	fibLen      = 0x01AA
	encrypted   = 0x0100
	otherTable  = 0x0200
	compressed  = 1 << 30
	clxFormats  = 1
	clxPieces   = 2
	pieceLen    = 8
	maxCompound = 2_000 // entries of a compound file
)

// Kinds of texts, in their order: between footnotes and endnotes are headers, macros and comments.
const (
	footnotes = 1
	endnotes  = 5
	textBoxes = 6
)

var compoundHead = []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")

// wordPage converts a file of Word 97 to 2003 to an HTML page.
func wordPage(file []byte) ([]byte, error) {
	if bytes.HasPrefix(bytes.TrimLeft(file, "\ufeff \r\n\t"), richHead) { // many Rich Text files have the suffix doc
		return richPage(file)
	}
	if bytes.HasPrefix(file, []byte("PK\x03\x04")) {
		return Page(file)
	}
	if isWeb(file) { // what many programs write for Word
		return webPage(file)
	}
	streams, err := streamsOf(file, "WordDocument", "0Table", "1Table")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNone, err)
	}
	text, err := wordText(streams)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNone, err)
	}
	r := &reader{}
	for line := range strings.FieldsFuncSeq(plainWord(text), func(c rune) bool { return c == '\r' || c == '\f' || c == '\a' || c == '\v' }) {
		r.block("p", line)
	}
	if !r.some {
		return nil, ErrNone
	}
	return r.out.Bytes(), nil
}

// streamsOf returns streams of a compound file ([MS-CFB]).
func streamsOf(file []byte, names ...string) (map[string][]byte, error) {
	if !bytes.HasPrefix(file, compoundHead) {
		return nil, errors.New("no compound file")
	}
	d, err := mscfb.New(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for n := 0; n < maxCompound; n++ {
		e, err := d.Next()
		if err != nil {
			break
		}
		for _, name := range names {
			if e.Name == name && len(e.Path) == 0 && out[name] == nil {
				if out[name], err = io.ReadAll(io.LimitReader(e, min(e.Size, int64(len(file))))); err != nil {
					return nil, err
				}
			}
		}
	}
	return out, nil
}

// wordText joins the pieces of a document.
func wordText(streams map[string][]byte) (string, error) {
	doc := streams["WordDocument"]
	if len(doc) < fibLen || binary.LittleEndian.Uint16(doc) != fibIdent {
		return "", errors.New("no document of Word 97 or later")
	}
	flags := binary.LittleEndian.Uint16(doc[fibFlags:])
	table := streams["0Table"]
	if flags&otherTable != 0 {
		table = streams["1Table"]
	}
	if flags&encrypted != 0 {
		return "", errors.New("it is encrypted")
	}
	at, n := uint64(binary.LittleEndian.Uint32(doc[fibClx:])), uint64(binary.LittleEndian.Uint32(doc[fibClx+4:]))
	if n == 0 || at+n > uint64(len(table)) {
		return "", errors.New("its pieces can't be found")
	}
	pieces, err := piecesOf(table[at : at+n])
	if err != nil {
		return "", err
	}
	var b strings.Builder
	place := uint64(0)
	for kind := range textBoxes + 1 {
		n := uint64(binary.LittleEndian.Uint32(doc[fibTexts+4*kind:]))
		if kind <= footnotes || kind >= endnotes {
			joinPieces(&b, doc, pieces, place, place+n)
		}
		place += n
	}
	return b.String(), nil
}

// piecesOf skips formats and returns the list of pieces.
func piecesOf(clx []byte) ([]byte, error) {
	for len(clx) > 2 {
		switch clx[0] {
		case clxFormats:
			n := 3 + int(binary.LittleEndian.Uint16(clx[1:]))
			clx = clx[min(n, len(clx)):]
		case clxPieces:
			if len(clx) < 5 || uint64(binary.LittleEndian.Uint32(clx[1:])) > uint64(len(clx)-5) {
				return nil, errors.New("the list of its pieces is cut off")
			}
			return clx[5 : 5+binary.LittleEndian.Uint32(clx[1:])], nil
		default:
			return nil, errors.New("its pieces can't be read")
		}
	}
	return nil, errors.New("it has no pieces")
}

// joinPieces writes the characters with numbers from first to end-1.
func joinPieces(b *strings.Builder, doc, list []byte, first, end uint64) {
	n := (len(list) - 4) / (4 + pieceLen)
	for i := range max(n, 0) {
		start, stop := uint64(binary.LittleEndian.Uint32(list[4*i:])), uint64(binary.LittleEndian.Uint32(list[4*i+4:]))
		from, to := max(start, first), min(stop, end)
		if b.Len() > maxText {
			break
		} else if from >= to {
			continue
		}
		at := uint64(binary.LittleEndian.Uint32(list[4*(n+1)+pieceLen*i+2:]))
		if skip, count := from-start, to-from; at&compressed != 0 {
			b.Write(latin(part(doc, at&^(1<<30|1<<31)/2+skip, count)))
		} else {
			b.WriteString(wide(part(doc, at+2*skip, 2*count)))
		}
	}
}

// part returns a part of a stream, as far as it exists.
func part(of []byte, at, n uint64) []byte {
	at = min(at, uint64(len(of)))
	return of[at:min(at+n, uint64(len(of)))]
}

func latin(text []byte) []byte {
	out, err := charmap.Windows1252.NewDecoder().Bytes(text)
	if err != nil { // can't fail: every byte is valid
		return nil
	}
	return out
}

func wide(text []byte) string {
	units := make([]uint16, len(text)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(text[2*i:])
	}
	return string(utf16.Decode(units))
}

// plainWord removes characters that represent pictures and notes, and the instructions of fields.
func plainWord(text string) string {
	var b strings.Builder
	var open fields
	for _, c := range text {
		switch {
		case c == 0x13:
			open.begin()
		case c == 0x14:
			open.separate()
		case c == 0x15:
			open.end()
		case open.computing > 0:
		case c == '\t' || c == 0xA0:
			b.WriteByte(' ')
		case c == 0x1E: // a hyphen at which no line ends
			b.WriteByte('-')
		case c >= ' ' || c == '\r' || c == '\f' || c == '\a' || c == '\v':
			b.WriteRune(c)
		}
	}
	return b.String()
}

// fields are those that have begun and not ended where a document is being read. Each has instructions, and then the text that they make.
type fields struct {
	open      []bool // whether the instructions are being read
	computing int    // of how many
}

func (f *fields) begin() {
	if len(f.open) < maxDepth {
		f.open, f.computing = append(f.open, true), f.computing+1
	}
}

func (f *fields) separate() {
	if last := len(f.open) - 1; last >= 0 && f.open[last] {
		f.open[last], f.computing = false, f.computing-1
	}
}

func (f *fields) end() {
	f.separate()
	f.open = f.open[:max(len(f.open)-1, 0)]
}
