package office

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// rich reads the text of a Rich Text file (RTF 1.9.1).
type rich struct {
	*reader
	in     []byte
	groups []group
	bytes  []byte // of the charset, not decoded yet
	line   strings.Builder
	name   strings.Builder           // the title
	skip   int                       // characters to skip: substitutes for the preceding \u
	high   rune                      // the high surrogate of a character beyond 16 bits
	ansi   encoding.Encoding         // of fonts without a charset of their own
	fonts  map[int]encoding.Encoding // those with one
	first  int                       // the font without any other
}

// maxFonts bounds the fonts with a charset of their own.
const maxFonts = 10_000

// A group is what stands between braces.
type group struct {
	hidden     bool // a destination whose text is not shown
	v, deleted bool // the text from here on is not shown
	title      bool
	stand      int  // number of substitutes after each \u
	table      bool // of the fonts
	font       int
}

var richHead = []byte(`{\rtf`)

// hiddenGroups are destinations whose text isn't part of the document.
var hiddenGroups = []string{
	"fonttbl", "colortbl", "stylesheet", "info", "pict", "objdata", "themedata", "colorschememapping", "latentstyles", "datastore",
	"listtable", "listoverridetable", "rsidtbl", "generator", "xmlnstbl", "fldinst", "header", "headerl", "headerr", "headerf", "footer",
	"footerl", "footerr", "footerf", "filetbl", "revtbl", "bkmkstart", "bkmkend", "template", "nonshppict", "mmathPr", "sp",
}

// richPage converts a Rich Text file to an HTML page.
func richPage(file []byte) ([]byte, error) {
	file = bytes.TrimLeft(file, "\ufeff \r\n\t")
	if !bytes.HasPrefix(file, richHead) {
		return nil, fmt.Errorf("%w: no Rich Text", ErrNone)
	}
	r := &rich{reader: &reader{}, in: file, groups: []group{{stand: 1}}, ansi: charmap.Windows1252, fonts: map[int]encoding.Encoding{}}
	for len(r.in) > 0 && len(r.groups) > 0 && !r.full() {
		r.next()
	}
	r.paragraph()
	if !r.some {
		return nil, ErrNone
	}
	page := r.out.Bytes()
	if title := strings.TrimSpace(r.name.String()); title != "" {
		head := &reader{}
		head.block("title", title)
		page = append(head.out.Bytes(), page...)
	}
	return page, nil
}

func (g *group) shown() bool { return !g.hidden && !g.v && !g.deleted }

func (r *rich) group() *group { return &r.groups[len(r.groups)-1] }

func (r *rich) next() {
	c := r.in[0]
	r.in = r.in[1:]
	switch c {
	case '{':
		r.skip = 0
		if len(r.groups) == maxDepth {
			r.in = nil
			return
		}
		r.groups = append(r.groups, *r.group())
	case '}':
		if r.decode(); len(r.groups) == 1 {
			r.paragraph()
		}
		r.skip = 0
		r.groups = r.groups[:len(r.groups)-1]
	case '\\':
		r.control()
	case '\r', '\n':
	default:
		r.add(c)
	}
}

func (r *rich) add(c byte) {
	if r.skip > 0 {
		r.skip--
		return
	}
	if r.bytes = append(r.bytes, c); len(r.bytes) >= maxElement {
		r.decode()
	}
}

// decode writes the collected bytes in UTF-8.
func (r *rich) decode() {
	if len(r.bytes) == 0 {
		return
	}
	charset := r.fonts[r.group().font]
	if charset == nil {
		charset = r.ansi
	}
	text, err := charset.NewDecoder().Bytes(r.bytes)
	if err == nil {
		r.write(string(text))
	}
	r.bytes = r.bytes[:0]
}

// write adds a text, behind U+FFFD for a high surrogate that none followed.
func (r *rich) write(s string) {
	if r.high != 0 {
		r.high, s = 0, string(utf8.RuneError)+s
	}
	switch g := r.group(); {
	case g.title:
		if r.name.Len() < 1000 {
			r.name.WriteString(s)
		}
	case g.shown():
		r.line.WriteString(s)
		if r.line.Len() > maxElement {
			r.paragraph()
		}
	}
}

func (r *rich) paragraph() {
	r.decode()
	if len(r.groups) > 0 {
		r.write("")
	}
	r.block("p", r.line.String())
	r.line.Reset()
}

// control reads what follows a backslash.
func (r *rich) control() {
	if len(r.in) == 0 {
		return
	}
	switch c := r.in[0]; {
	case c == '\'' && len(r.in) >= 3:
		if n, err := strconv.ParseUint(string(r.in[1:3]), 16, 8); err == nil {
			r.add(byte(n))
		}
		r.in = r.in[3:]
	case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
		r.word()
	default:
		r.in = r.in[1:]
		switch c {
		case '\\', '{', '}':
			r.add(c)
		case '~':
			r.add(' ')
		case '_':
			r.add('-')
		case '\n', '\r':
			r.paragraph()
		case '*': // a destination that older programs ignore
			r.decode()
			r.group().hidden = true
		}
	}
}

// word reads a control word, with its number.
func (r *rich) word() {
	i := 0
	for i < len(r.in) && i < 40 && (r.in[i] >= 'a' && r.in[i] <= 'z' || r.in[i] >= 'A' && r.in[i] <= 'Z') {
		i++
	}
	name, j := string(r.in[:i]), i
	for j < len(r.in) && j < i+12 && (r.in[j] >= '0' && r.in[j] <= '9' || j == i && r.in[j] == '-') {
		j++
	}
	n, err := strconv.Atoi(string(r.in[i:j]))
	hasNumber := err == nil
	if r.in = r.in[j:]; len(r.in) > 0 && r.in[0] == ' ' {
		r.in = r.in[1:]
	}
	switch name {
	case "par", "line", "page", "sect", "row", "nestrow", "column", "shptxt":
		if r.group().shown() {
			r.paragraph()
		}
	case "tab", "cell", "nestcell", "emspace", "enspace", "footnote":
		r.add(' ')
	case "emdash", "endash", "lquote", "rquote", "ldblquote", "rdblquote", "bullet", "zwj", "zwnj":
		r.named(name)
	case "shpinst": // a shape, which older programs ignore though its text is shown
		r.decode()
		r.group().hidden = len(r.groups) > 1 && r.groups[len(r.groups)-2].hidden
	case "ansicpg":
		r.ansi = codePage(n)
	case "mac":
		r.ansi = charmap.Macintosh
	case "deff":
		r.decode()
		r.first, r.group().font = n, n
	case "f":
		r.decode()
		r.group().font = n
	case "fcharset":
		if e := charsetOf(n); e != nil && r.group().table && len(r.fonts) < maxFonts {
			r.fonts[r.group().font] = e
		}
	case "uc":
		r.group().stand = min(max(n, 0), 8)
	case "u":
		if hasNumber {
			r.character(rune(uint16(n)))
		}
	case "bin":
		r.in = r.in[min(max(n, 0), len(r.in)):]
	case "title":
		r.decode()
		if r.group().hidden {
			r.group().title = true
		}
	case "v":
		r.decode()
		r.group().v = !hasNumber || n != 0
	case "deleted":
		r.decode()
		r.group().deleted = !hasNumber || n != 0
	case "plain":
		r.decode()
		r.group().v, r.group().deleted, r.group().font = false, false, r.first
	default:
		if slices.Contains(hiddenGroups, name) {
			r.decode()
			r.group().hidden = true
			r.group().table = r.group().table || name == "fonttbl"
		}
	}
}

// named adds a character that is given by its name, unless it is the substitute for another.
func (r *rich) named(name string) {
	if r.skip > 0 {
		r.skip--
		return
	}
	r.decode()
	r.write(map[string]string{
		"emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "bullet": "•",
		"zwj": "\u200d", "zwnj": "\u200c",
	}[name])
}

// character adds a character that is given by its code.
func (r *rich) character(c rune) {
	r.decode()
	pair := utf16.DecodeRune(r.high, c)
	if pair != utf8.RuneError {
		r.high, c = 0, pair
	}
	if r.write(""); utf16.IsSurrogate(c) && c < 0xDC00 {
		r.high = c
	} else {
		r.write(string(c)) // U+FFFD for a low surrogate
	}
	r.skip = r.group().stand
}

// charsetOf returns the charset that a number in the table of fonts means, nil if it is that of the document.
func charsetOf(n int) encoding.Encoding {
	if n == 77 {
		return charmap.Macintosh
	}
	page := map[int]int{
		128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250,
		254: 437, 255: 850,
	}[n]
	if page == 0 {
		return nil
	}
	return codePage(page)
}

// codePage returns the charset of a Windows code page, the most frequent one if it is unknown.
func codePage(n int) encoding.Encoding {
	switch n {
	case 437:
		return charmap.CodePage437
	case 850:
		return charmap.CodePage850
	case 866:
		return charmap.CodePage866
	case 874:
		return charmap.Windows874
	case 932:
		return japanese.ShiftJIS
	case 936:
		return simplifiedchinese.GBK
	case 949:
		return korean.EUCKR
	case 950:
		return traditionalchinese.Big5
	case 1250:
		return charmap.Windows1250
	case 1251:
		return charmap.Windows1251
	case 1253:
		return charmap.Windows1253
	case 1254:
		return charmap.Windows1254
	case 1255:
		return charmap.Windows1255
	case 1256:
		return charmap.Windows1256
	case 1257:
		return charmap.Windows1257
	case 1258:
		return charmap.Windows1258
	}
	return charmap.Windows1252
}
