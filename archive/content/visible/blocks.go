package visible

import (
	"bytes"
	"encoding/binary"
	"html"
	"math/bits"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"
	"unsafe"
)

// A span is a block of the text being read.
type span struct {
	start, end int // in out
	links      int // bytes in links and buttons
	buttons    int // in buttons
	region     Region
	heading    uint8
	hints      hint
	zone       int
	slot       uint32
	joined     bool          // see [Block]
	place      int32         // in layout
	kept       *atomic.Value // in the passage that it was read in or is stored in, nil outside of passages
}

// text adds page text; entities says that it may contain character references.
func (e *Extractor) text(data []byte, entities bool) {
	if entities && bytes.IndexByte(data, '&') >= 0 {
		e.entity = appendUnescaped(e.entity[:0], data)
		data = e.entity
	}
	for i := 0; i < len(data); {
		if spaceStart[data[i]] {
			if n := spaceLen(data[i:]); n > 0 {
				e.space = true
				i += n
				continue
			}
		}
		start := i
		i += wordsLen(data[i:])
		e.words(data[start:i])
	}
}

// wordsLen returns how many bytes of b are words with single spaces between them: at least one.
func wordsLen(b []byte) int {
	for n := 1; ; n++ {
		n += plainLen(b[n:])
		if n == len(b) || spaceStart[b[n]] && !singleSpace(b[n:]) {
			return n
		}
	}
}

// plainLen returns the length of a prefix of b that is ASCII with single spaces, or other characters that are certainly
// not white space. It checks eight bytes at a time and may stop early.
func plainLen(b []byte) int {
	const ones, low, tops = 0x0101010101010101, 0x7f7f7f7f7f7f7f7f, 0x8080808080808080
	n := 0
	for len(b)-n >= 8 {
		v := binary.LittleEndian.Uint64(b[n:])
		spaces := zeroBytes(v ^ ' '*ones)
		stop := ^(v&low+(0x80-' ')*ones|v)&tops | spaces&(spaces>>8) // control characters, and spaces before another
		if v&tops != 0 {
			stop |= zeroBytes(v^0xc2*ones) | zeroBytes(v&(0xfc*ones)^0xe0*ones) // see spaceStart
		}
		if stop != 0 {
			n += bits.TrailingZeros64(stop) / 8
			break
		}
		n += 8 - int(spaces>>63) // whether a final space is single depends on the next byte
	}
	if n > 0 && b[n-1] == ' ' {
		n--
	}
	return n
}

// zeroBytes returns which bytes of v are zero, by their highest bits.
func zeroBytes(v uint64) uint64 {
	const low = 0x7f7f7f7f7f7f7f7f
	return ^(v&low + low | v | low)
}

// singleSpace reports whether b begins with a single space.
func singleSpace(b []byte) bool {
	return b[0] == ' ' && len(b) > 1 && !spaceStart[b[1]]
}

// words adds words with single spaces between them. The last word may continue in the next call.
func (e *Extractor) words(w []byte) {
	if !e.inBlock {
		e.beginBlock()
	} else if e.space {
		e.out = append(e.out, ' ')
	}
	e.space = false
	e.out = append(e.out, w...)
	if e.inLink || e.inButton {
		e.cur.links += len(w)
	}
	if e.inButton {
		e.cur.buttons += len(w)
	}
}

func (e *Extractor) beginBlock() {
	if len(e.out) > 0 {
		e.out = append(e.out, ' ')
	}
	top := &e.stack[len(e.stack)-1]
	e.cur = span{start: len(e.out), region: top.region, zone: top.zone, slot: top.slot, place: top.place, joined: e.item.next()}
	if n := len(top.tag); n == 2 && top.tag[0] == 'h' && IsDigit(top.tag[1]) {
		e.cur.heading = top.tag[1] - '0'
	}
	switch {
	case e.inTitle:
		e.cur.region = Title
	case e.cur.heading == 1 && e.cur.region == Header:
		e.cur.region = Main // a headline, wherever it is
	}
	e.inBlock = true
}

func (e *Extractor) endBlock() {
	e.space, e.box = true, lineBox{}
	if !e.inBlock {
		return
	}
	e.inBlock = false
	e.cur.end = len(e.out)
	e.cur.hints = e.hintsOf(e.out[e.cur.start:e.cur.end], e.cur.links)
	if isProbe(e.out[e.cur.start:e.cur.end]) {
		e.cur.region = Label
	}
	if e.cur.region == Title && e.title < 0 {
		e.title = len(e.outline.blocks)
	}
	e.outline.blocks = append(e.outline.blocks, e.cur)
}

// nameSite makes the first headline a part of the header if another one says the same, or if it is the name of the site: one end of the
// page's title, of which the rest has another headline.
func (e *Extractor) nameSite() {
	blocks := e.outline.blocks
	text := func(b *span) string { return strings.TrimFunc(string(e.out[b.start:b.end]), isSign) }
	var name *span
	first, rest := "", "" // the headline, and the title without it
	for i := range blocks {
		b := &blocks[i]
		if b.heading != 1 || b.region != Main {
			continue
		}
		said := text(b)
		switch {
		case name == nil:
			name, first = b, said
			if e.title >= 0 {
				rest = withoutEnd(text(&blocks[e.title]), said)
			}
		case said != "" && (said == first || strings.Contains(rest, said)):
			name.region = Header
			return
		}
	}
}

// withoutEnd returns a text without words at its end or beginning that a sign, such as a dash, divides from the rest, or "" if there are
// none.
func withoutEnd(text, words string) string {
	rest, found := strings.CutSuffix(text, words)
	divider := rest[len(strings.TrimRightFunc(rest, isSign)):]
	if !found {
		rest, found = strings.CutPrefix(text, words)
		divider = rest[:len(rest)-len(strings.TrimLeftFunc(rest, isSign))]
	}
	if !found || words == "" || strings.TrimSpace(divider) == "" {
		return ""
	}
	return rest
}

func (e *Extractor) finish() Text {
	e.endBlock()
	e.nameSite()
	e.outline.classifyBlocks()
	e.keepPictures()
	t := Text{
		all: unsafe.String(unsafe.SliceData(e.out), len(e.out)), room: e.out, memory: e.Memory, Address: e.address,
		Blocks: slices.Grow(e.spare.Blocks[:0], len(e.outline.blocks))[:len(e.outline.blocks)],
	}
	e.out = e.spare.room[:0]
	if e.Memory != nil {
		t.kept = slices.Grow(e.spare.kept[:0], len(e.outline.blocks))[:len(e.outline.blocks)]
	}
	t.Pictures = e.spare.Pictures[:0]
	for _, p := range e.pictures {
		t.Pictures = append(t.Pictures, Picture{p.address, min(p.after, len(e.outline.blocks)), p.film})
	}
	e.spare = Text{}
	for i, s := range e.outline.blocks {
		t.Enters = t.Enters || s.hints&enters != 0
		t.Blocks[i] = Block{
			Text: t.all[s.start:s.end], Region: s.region, Heading: s.heading, Slot: s.slot, Joined: s.joined, Place: e.layout.at(s.place),
			Links: float32(s.links) / float32(s.end-s.start),
		}
		if e.Memory != nil {
			t.kept[i] = s.kept
		}
	}
	if e.title >= 0 {
		t.Title = t.Blocks[e.title].Text
	}
	return t
}

// Recycle reuses the memory of a text, including its Blocks and all strings cut from it, for the next text. The text must not be used any
// more.
func (e *Extractor) Recycle(t *Text) { e.spare, *t = *t, Text{} }

// spaceStart marks the bytes that can begin white space in UTF-8.
var spaceStart = [256]bool{
	'\t': true, '\n': true, '\v': true, '\f': true, '\r': true, ' ': true,
	0x1c: true, 0x1d: true, 0x1e: true, 0x1f: true, 0xc2: true, 0xe1: true, 0xe2: true, 0xe3: true,
}

// spaceLen returns the length of the white space character at the start of b, 0 if there is none. White space is what
// Unicode calls so, including no-break spaces and the ASCII separators. b[0] is in spaceStart.
func spaceLen(b []byte) int {
	switch {
	case b[0] < utf8.RuneSelf:
		return 1
	case len(b) >= 2 && b[0] == 0xc2 && (b[1] == 0x85 || b[1] == 0xa0): // U+0085, U+00A0
		return 2
	case len(b) < 3:
		return 0
	// U+2000 to U+200A, U+2028, U+2029, U+202F
	case b[0] == 0xe2 && b[1] == 0x80 && (b[2] <= 0x8a || b[2] == 0xa8 || b[2] == 0xa9 || b[2] == 0xaf),
		b[0] == 0xe2 && b[1] == 0x81 && b[2] == 0x9f, // U+205F
		b[0] == 0xe3 && b[1] == 0x80 && b[2] == 0x80, // U+3000
		b[0] == 0xe1 && b[1] == 0x9a && b[2] == 0x80: // U+1680
		return 3
	}
	return 0
}

// maxEntity is longer than the longest named character reference with its ampersand (33 bytes).
const maxEntity = 40

// appendUnescaped appends src to dst with its character references replaced (HTML §13.2.5.72 and on).
func appendUnescaped(dst, src []byte) []byte {
	for {
		i := bytes.IndexByte(src, '&')
		if i < 0 {
			return append(dst, src...)
		}
		dst = append(dst, src[:i]...)
		src = src[i:]
		n := 1
		for n < len(src) && n < maxEntity && (IsAlnum(src[n]) || n == 1 && src[n] == '#') {
			n++
		}
		if n < len(src) && src[n] == ';' {
			n++
		}
		dst = appendEntity(dst, src[:n])
		src = src[n:]
	}
}

func appendEntity(dst, ref []byte) []byte {
	switch string(ref) {
	case "&amp;":
		return append(dst, '&')
	case "&lt;":
		return append(dst, '<')
	case "&gt;":
		return append(dst, '>')
	case "&quot;":
		return append(dst, '"')
	case "&nbsp;", "&#160;":
		return append(dst, "\u00a0"...)
	case "&":
		return append(dst, '&')
	}
	return append(dst, html.UnescapeString(string(ref))...)
}
