package change

import "bytes"

// maxDepth bounds the element stack; what is nested deeper belongs to the element at the bound.
const maxDepth = 512

// maxPop bounds how far up an end tag looks for its element, so that stray ones cost little.
const maxPop = 64

// An open is an element that has begun and not ended.
type open struct {
	tag     string
	region  Region
	zone    int // index in zones, 0 for none
	slot    uint32
	path    uint64 // sums up the element and all it stands in
	content bool   // inside main, article or section, where header, footer and aside belong to it
}

// A zone is a container that its class or id calls furniture.
type zone struct{ bytes int }

// A tag is a start tag whose attributes are still being read.
type tag struct {
	name   string // "" for tags without a meaning of their own
	kind   kind
	slot   uint32 // hash of name, class and id, digits aside
	region Region // by element or role, where sure
	sure   bool
	class  Region // by class and id, Main where they say nothing
	id     Region
	part   bool // the class says that it is a section of a text
}

// named returns the region that class and id speak for. The id of a section of a text is an anchor
// and often the word that the section explains: "navigation", "cookies".
func (t *tag) named() Region {
	if t.class == Main && !t.part {
		return t.id
	}
	return t.class
}

const slotSeed = 2166136261 // FNV-1a, 32 bits

// slotHash adds s to h, each run of digits as one: ids are often numbered at random.
func slotHash(h uint32, s []byte) uint32 {
	digit := false
	for _, c := range s {
		if isDigit(c) {
			if digit {
				continue
			}
			c, digit = '0', true
		} else {
			digit = false
		}
		h = (h ^ uint32(c)) * 16777619
	}
	return (h ^ ' ') * 16777619
}

func (e *Extractor) startTag(name []byte) {
	el := elements.find(name)
	if e.hiding > 0 {
		if el.name == e.hidden {
			e.hiding++
		}
		return
	}
	e.pending = tag{kind: el.kind, name: el.name}
	if el.kind == block {
		e.pending.slot = slotHash(slotSeed, []byte(el.name))
		e.pending.region, e.pending.sure = el.region, el.region != Main || el.name == "main"
	}
}

func (e *Extractor) attribute(key, val []byte) {
	if len(val) >= 2 && (val[0] == '"' || val[0] == '\'') {
		val = bytes.Trim(val, `"'`)
	}
	p := &e.pending
	switch string(key) {
	case "class":
		p.slot = slotHash(p.slot, val)
		if named := namedBy[p.name]; named >= byClass {
			p.class = e.names.region(val)
			p.part = bytes.Contains(val, []byte("sect")) || bytes.Contains(val, []byte("chapter"))
		}
	case "id":
		p.slot = slotHash(p.slot, val)
		if namedBy[p.name] == byClassAndID {
			p.id = e.names.region(val)
		}
	case "role":
		if r, ok := roleRegions[string(val)]; ok {
			p.region, p.sure = r, true
		}
	}
}

// startTagEnd acts on the pending tag; rest is the page after it.
func (e *Extractor) startTagEnd(void bool, rest []byte) {
	if e.hiding > 0 {
		return
	}
	switch p := &e.pending; p.kind {
	case inline:
		if p.name == "a" {
			e.inLink = !void
		}
	case other:
		e.space = true
	case breaking:
		e.endBlock()
	case hidden:
		e.space = true
		e.hide(p.name, void, rest)
	case block:
		e.endBlock()
		e.popImplied(p.name)
		e.push()
		if p.name == "title" && e.title < 0 {
			e.inTitle = true
		}
	}
}

// hide passes over a hidden element. A noscript or template that never ends hides nothing.
func (e *Extractor) hide(name string, void bool, rest []byte) {
	if name == "noscript" || name == "template" {
		if void || e.endless == name {
			return
		}
		if !hasEndTag(rest, name) {
			e.endless = name
			return
		}
	}
	e.hidden, e.hiding = name, 1
}

func hasEndTag(b []byte, name string) bool {
	for {
		i := bytes.Index(b, []byte("</"))
		if i < 0 {
			return false
		}
		b = b[i+2:]
		if len(b) >= len(name) && bytes.EqualFold(b[:len(name)], []byte(name)) {
			return true
		}
	}
}

func (e *Extractor) endTag(name []byte) {
	el := elements.find(name)
	if e.hiding > 0 {
		if el.name == e.hidden {
			e.hiding--
		}
		return
	}
	switch el.kind {
	case inline:
		if el.name == "a" {
			e.inLink = false
		}
	case other, hidden:
		e.space = true
	case breaking:
		e.endBlock()
	case block:
		e.endBlock()
		e.inTitle = e.inTitle && el.name != "title"
		e.pop(el.name)
	}
}

func (e *Extractor) popImplied(name string) {
	for _, t := range impliedEnd(name) {
		if n := len(e.stack); n > 1 && e.stack[n-1].tag == t {
			e.cutStack(n - 1)
		}
	}
}

func (e *Extractor) pop(name string) {
	for i := len(e.stack) - 1; i > 0 && i > len(e.stack)-maxPop; i-- {
		if e.stack[i].tag == name {
			e.cutStack(i)
			return
		}
	}
}

func (e *Extractor) cutStack(depth int) {
	e.stack = e.stack[:depth]
	e.rec.depth = min(e.rec.depth, depth)
}

func (e *Extractor) push() {
	if len(e.stack) >= maxDepth {
		return
	}
	parent, p := &e.stack[len(e.stack)-1], &e.pending
	o := open{
		tag: p.name, region: parent.region, zone: parent.zone, content: parent.content,
		slot: p.slot,
	}
	if p.sure && p.region == Main || !parent.region.Furniture() && (p.name == "article" || p.name == "section") {
		o.content = true
	}
	switch named := p.named(); {
	case p.sure && applies(p.region, parent):
		o.region, o.zone = p.region, 0
	case !p.sure && named != Main && applies(named, parent):
		e.zones = append(e.zones, zone{})
		o.region, o.zone = named, len(e.zones)-1
	}
	o.path = mix(mix(parent.path+o.id()) + o.flags(parent))
	e.stack = append(e.stack, o)
}

// id stands for the element itself.
func (o *open) id() uint64 { return uint64(o.slot)<<32 | uint64(elementHash([]byte(o.tag))) }

// flags say what o means for what it contains, given its parent.
func (o *open) flags(parent *open) uint64 {
	return uint64(boolByte(o.content)) | uint64(boolByte(o.zone == parent.zone))<<1 | uint64(o.region)<<2
}

// applies reports whether a region counts where it would begin. The header, footer or aside of an
// article is part of it (HTML-AAM: only those of the page are banner, contentinfo and complementary).
// Furniture stays furniture, but for a main element, and for an advertisement in it.
func applies(r Region, parent *open) bool {
	switch r {
	case Header, Footer, Aside:
		return !parent.content && !parent.region.Furniture()
	case Main, Ad, Notice:
		return true
	}
	return !parent.region.Furniture()
}
