package visible

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"sync/atomic"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/content/hashing"
)

// A passage is a stretch of mark-up that has been read: what it adds to the text, and the state in which it leaves the reader. Pages share
// passages with earlier captures and with other pages of the site. The same bytes, read in the same state, need not be lexed again.
//
// A passage ends after an end tag where no block of text and no hidden element is open. So the whole state is the stack, the zones, whether
// a link, a button or an item is open, and whether there has been a title or any text.
type passage struct {
	sum    uint64 // of the bytes after those that the key covers
	length int    // bytes of mark-up

	text             []byte
	blocks           []cachedBlock
	zones            []zone    // that begin in it; parent and named are as in [recording.zoneRef]
	pictures         []picture // after counts from the passage's first block
	title            int       // index in blocks of the page's first title, -1 if none
	from             int       // depth of the stack at its start
	depth            int       // how much of that stack remained
	pushed           []open    // elements pushed above that
	inLink, inButton bool
	item             item
}

// A cachedBlock is a block of a passage. Its offsets count from the start of the passage's text, and its zone is as in [recording.zoneRef].
// words is set when it is first needed.
type cachedBlock struct {
	span
	words atomic.Value
}

const (
	// From minPassage on, the bytes before an end tag decide whether a passage ends there, so that passages coincide again after a difference.
	minPassage = 1 << 9
	maxPassage = 8 << 10 // from here on, a passage ends at any end tag
	endRarity  = 4       // one end tag in so many ends a passage
	endWindow  = 16      // number of bytes that decide
	windowBase = 0x9e3779b97f4a7c15
)

// planEnd returns the first place where a passage at the start of b may end, or 0 if that is too near the end of b.
func planEnd(b []byte) int {
	for i := minPassage; ; i += 2 {
		n := bytes.Index(b[min(i, len(b)):], []byte("</"))
		if n < 0 {
			return 0
		}
		i += n
		window := binary.LittleEndian.Uint64(b[i-endWindow:])*windowBase + binary.LittleEndian.Uint64(b[i-endWindow/2:])
		if hashing.Mix(window)%endRarity == 0 || i >= maxPassage {
			return i
		}
	}
}

// state returns a hash of all that the reading of the following mark-up depends on.
func (e *Extractor) state() uint64 {
	flags := uint64(hashing.Bit(e.inLink)) | uint64(hashing.Bit(e.title >= 0))<<1 | uint64(hashing.Bit(len(e.out) > 0))<<2 |
		uint64(hashing.Bit(e.inButton))<<3 | uint64(e.item)<<4
	return e.stack[len(e.stack)-1].path<<6 | flags
}

// A recording has the state at the start of the current passage.
type recording struct {
	start, end int    // in the page; end is where the passage may end
	key        uint64 // of the state and the bytes up to end
	out        int
	blocks     int
	zones      int
	pictures   int
	title      int
	depth      int   // the least depth of the stack since the start
	stackZones []int // the zone of each element on the stack
}

// passOver skips the passages from offset at in body on that are known, and starts recording the first unknown one. It
// returns where that one starts.
func (e *Extractor) passOver(body []byte, at int) int {
	for {
		n := planEnd(body[at:])
		if n == 0 {
			e.rec.end = math.MaxInt
			return at
		}
		key := xxh3.HashSeed(body[at:at+n], e.state())
		p := e.Memory.passages.get(key)
		if p == nil || p.from != len(e.stack) || len(body)-at < p.length || xxh3.Hash(body[at+n:at+p.length]) != p.sum {
			e.record(at, at+n, key)
			return at
		}
		e.replay(p)
		at += p.length
	}
}

func (e *Extractor) record(start, end int, key uint64) {
	r := &e.rec
	*r = recording{
		start: start, end: end, key: key, out: len(e.out), blocks: len(e.outline.blocks), zones: len(e.outline.zones), pictures: len(e.pictures),
		title: e.title, depth: len(e.stack), stackZones: r.stackZones[:0],
	}
	for i := range e.stack {
		r.stackZones = append(r.stackZones, e.stack[i].zone)
	}
}

// mayEndPassage reports whether a passage may end after this end tag. A page with a hidden element that has no end tag has no passages,
// since what that element hides depends on all that follows.
func (e *Extractor) mayEndPassage() bool {
	return e.hiding == 0 && !e.inBlock && !e.inTitle && e.box.name == "" && len(e.endless) == 0
}

// keep stores the recorded passage, which ends at offset end in body.
func (e *Extractor) keep(body []byte, end int) {
	r := &e.rec
	m := &remembered[passage]{key: r.key, value: passage{
		sum: xxh3.Hash(body[r.end:end]), length: end - r.start,
		text: slices.Clone(e.out[r.out:]), blocks: make([]cachedBlock, len(e.outline.blocks)-r.blocks),
		zones: slices.Clone(e.outline.zones[r.zones:]), pictures: slices.Clone(e.pictures[r.pictures:]),
		title: -1, inLink: e.inLink, inButton: e.inButton, item: e.item,
		from: len(r.stackZones), depth: r.depth, pushed: slices.Clone(e.stack[r.depth:]),
	}}
	p := &m.value
	if e.title != r.title {
		p.title = e.title - r.blocks
	}
	for i := range p.zones {
		z := &p.zones[i]
		z.parent, z.called = r.zoneRef(z.parent), r.zoneRef(z.called)
	}
	for i := range p.blocks {
		b, read := &p.blocks[i], &e.outline.blocks[r.blocks+i]
		read.kept = &b.words
		b.span = *read
		b.start, b.end, b.zone = b.start-r.out, b.end-r.out, r.zoneRef(b.zone)
	}
	for i := range p.pictures {
		s := &p.pictures[i]
		s.after, s.zone = s.after-r.blocks, r.zoneRef(s.zone)
	}
	for i := range p.pushed {
		p.pushed[i].zone = r.zoneRef(p.pushed[i].zone)
	}
	m.size = p.size()
	e.Memory.passages.put(m)
}

// size returns roughly the memory that p will take, in bytes, including the words of its text.
func (p *passage) size() int {
	return 160 + 2*len(p.text) + 80*len(p.blocks) + 128*len(p.zones) + 64*len(p.pushed) + 200*len(p.pictures)
}

// zoneRef describes a zone independently of where in a page the passage is: a zone that begins in the passage by its
// number, any other by the complement of the depth of an element in it.
func (r *recording) zoneRef(zone int) int {
	if zone >= r.zones {
		return zone - r.zones
	}
	for depth, z := range r.stackZones {
		if z == zone {
			return ^depth
		}
	}
	return ^0 // the page itself: an element is in its own zone, a parent's or none
}

// replay has the same effect as reading the passage.
func (e *Extractor) replay(p *passage) {
	out, blocks, zones := len(e.out), len(e.outline.blocks), len(e.outline.zones)
	place := func(ref int) int {
		if ref < 0 {
			return e.stack[^ref].zone
		}
		return zones + ref
	}
	for _, z := range p.zones {
		e.outline.zones = append(e.outline.zones,
			zone{parent: place(z.parent), called: place(z.called), sure: z.sure, like: z.like, modal: z.modal, inside: z.inside})
	}
	if p.title >= 0 {
		e.title = len(e.outline.blocks) + p.title
	}
	e.out = append(e.out, p.text...)
	for i := range p.blocks {
		b := p.blocks[i].span
		b.start, b.end, b.zone = b.start+out, b.end+out, place(b.zone)
		e.outline.blocks = append(e.outline.blocks, b)
	}
	for _, s := range p.pictures {
		s.after, s.zone = s.after+blocks, place(s.zone)
		e.pictures = append(e.pictures, s)
	}
	e.pushed = append(e.pushed[:0], p.pushed...)
	for i := range e.pushed {
		e.pushed[i].zone = place(e.pushed[i].zone)
	}
	e.stack = append(e.stack[:p.depth], e.pushed...)
	e.inLink, e.inButton, e.item, e.space = p.inLink, p.inButton, p.item, true
}
