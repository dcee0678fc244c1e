package pdf

import (
	"math"

	"github.com/ledongthuc/pdf"
)

// A pen knows where a text was shown and where the next one begins, as far as the widths of glyphs are known (ISO 32000-1 §9.4.4). Some
// programs place each glyph by itself; what follows at its end belongs to its word.
type pen struct {
	widths  *widths
	size    float64    // of the font
	char    float64    // character spacing
	scale   float64    // horizontal scaling
	leading float64    // distance of lines
	matrix  [6]float64 // of the text
	line    [6]float64 // the same at the beginning of the line
	view    int        // the coordinate system of the page, which cm changes
	saved   []int      // those that q saved
	views   int        // how many there were

	shown bool    // the following tell where the last text ended
	at    int     // its view
	x, y  float64 // its end
	em    float64 // the width of an em
}

// maxSaved bounds how many states of the page are saved.
const maxSaved = 1000

func newPen() pen {
	p := pen{scale: 1}
	p.place(1, 0, 0, 1, 0, 0)
	return p
}

// place begins a line with a matrix of its own.
func (p *pen) place(matrix ...float64) {
	copy(p.line[:], matrix)
	p.matrix = p.line
}

// follows reports whether the next text begins where the last one ended.
func (p *pen) follows() bool {
	if !p.shown || p.at != p.view || p.em == 0 {
		return false
	}
	gap := (p.matrix[4] - p.x) / p.em
	return math.Abs(p.matrix[5]-p.y) < math.Abs(p.em)/1000 && gap > -0.5 && gap < float64(wordKern)/1000
}

// show moves the pen over a text.
func (p *pen) show(codes string) {
	width, glyphs, known := p.widths.of(codes)
	p.advance((width/1000*p.size + float64(glyphs)*p.char) * p.scale)
	p.shown, p.at, p.x, p.y = known && p.matrix[1] == 0 && p.matrix[2] == 0, p.view, p.matrix[4], p.matrix[5]
	p.em = p.size * p.scale * p.matrix[0]
}

// kern moves what comes next back by thousandths of an em.
func (p *pen) kern(by float64) { p.advance(-by / 1000 * p.size * p.scale) }

func (p *pen) advance(by float64) {
	p.matrix[4] += by * p.matrix[0]
	p.matrix[5] += by * p.matrix[1]
}

// nextLine begins a line at an offset from the beginning of the last one.
func (p *pen) nextLine(x, y float64) {
	p.line[4], p.line[5] = p.line[4]+x*p.line[0]+y*p.line[2], p.line[5]+x*p.line[1]+y*p.line[3]
	p.matrix = p.line
}

// operator follows an operator that shows nothing.
func (p *pen) operator(op string, args []pdf.Value) {
	number := func(i int) float64 {
		if i < len(args) {
			return args[i].Float64()
		}
		return 0
	}
	switch op {
	case "BT":
		p.place(1, 0, 0, 1, 0, 0)
	case "Tm":
		p.place(number(0), number(1), number(2), number(3), number(4), number(5))
	case "TD":
		p.leading = -number(1)
		p.nextLine(number(0), number(1))
	case "Td":
		p.nextLine(number(0), number(1))
	case "T*", "'", `"`:
		p.nextLine(0, -p.leading)
	case "TL":
		p.leading = number(0)
	case "Tc":
		p.char = number(0)
	case "Tz":
		p.scale = number(0) / 100
	case "Tf":
		p.size = number(1)
	case "cm":
		p.views++
		p.view = p.views
	case "q":
		if len(p.saved) < maxSaved {
			p.saved = append(p.saved, p.view)
		}
	case "Q":
		if n := len(p.saved); n > 0 {
			p.view, p.saved = p.saved[n-1], p.saved[:n-1]
		}
	}
}

// widths are those of a font's glyphs, in thousandths of an em.
type widths struct {
	bytes int             // of a code: 1 or 2, or 0 if the widths are unknown
	of1   map[int]float64 // by code
	other float64         // of other codes
}

// maxWidths bounds how many are read.
const maxWidths = 1 << 16

// widthsOf reads the widths of a font.
func widthsOf(font pdf.Value) *widths {
	w := &widths{of1: map[int]float64{}}
	if font.Key("Subtype").Name() == "Type0" {
		if font.Key("Encoding").Name() == "Identity-H" {
			w.readDescendant(font.Key("DescendantFonts").Index(0))
		}
		return w
	}
	list, first := font.Key("Widths"), int(font.Key("FirstChar").Int64())
	for i := range min(list.Len(), 256) {
		w.bytes, w.of1[first+i] = 1, list.Index(i).Float64()
	}
	return w
}

// readDescendant reads the widths of a font with two bytes for each glyph (§9.7.4.3).
func (w *widths) readDescendant(font pdf.Value) {
	w.bytes, w.other = 2, 1000
	if dw := font.Key("DW"); !dw.IsNull() {
		w.other = dw.Float64()
	}
	list, left := font.Key("W"), maxWidths
	set := func(code int, width float64) bool {
		w.of1[code] = width
		left--
		return left > 0
	}
	for i := 0; i+1 < list.Len() && left > 0; {
		first, second := max(0, int(list.Index(i).Int64())), list.Index(i+1)
		if second.Kind() == pdf.Array {
			for k := 0; k < second.Len() && set(first+k, second.Index(k).Float64()); k++ {
			}
			i += 2
			continue
		}
		last, width := int(second.Int64()), list.Index(i+2).Float64()
		for code := first; code <= last && set(code, width); code++ {
		}
		i += 3
	}
}

// of returns the width of a text in thousandths of an em, how many glyphs it has, and whether the width is known.
func (w *widths) of(codes string) (sum float64, glyphs int, known bool) {
	if w == nil || w.bytes == 0 || len(codes)%w.bytes != 0 {
		return 0, 0, false
	}
	for i := 0; i < len(codes); i += w.bytes {
		code := int(codes[i])
		if w.bytes == 2 {
			code = code<<8 | int(codes[i+1])
		}
		width, ok := w.of1[code]
		if !ok {
			width = w.other
		}
		sum += width
		glyphs++
	}
	return sum, glyphs, true
}
