package visible

import (
	"bytes"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/content/hashing"
)

// maxDepth bounds the element stack; anything nested deeper belongs to the element at the bound.
const maxDepth = 512

// maxPop bounds how far up an end tag looks for its element, so that stray ones cost little.
const maxPop = 64

// An open is an element that has begun and not ended.
type open struct {
	tag     string
	region  Region
	zone    int // index in zones
	slot    uint32
	place   int32  // in layout
	path    uint64 // hash of the element and its ancestors
	content bool   // inside main, article or section, whose header, footer and aside are part of the content
}

// A tag is a start tag whose attributes are still being read.
type tag struct {
	name   string // "" for tags without a meaning of their own
	kind   kind
	slot   uint32 // hash of name, class and id, without digits
	like   uint32 // hash of name and class; 0 if such elements need not be similar
	region Region // by element or role, if sure
	sure   bool
	class  Region // by class and id; Main if they say nothing
	id     Region
	part   bool // the class says that it is a section of a text
	dialog bool // it opens over the page, so it may be a notice, or the whole content
	boxed  bool // its style makes an inline element a block
}

// A lineBox is the outermost inline element around the text that its own style shows as a block, up to the next block.
type lineBox struct {
	name  string // "" if there is none
	depth int    // elements of that name, this one included, that are open
}

// isBoxed reports whether a style attribute shows an element in lines of its own.
func isBoxed(style []byte) bool {
	_, after, _ := strings.Cut(strings.ToLower(string(style)), "display")
	after, ok := strings.CutPrefix(strings.TrimLeft(after, " \t\r\n"), ":")
	shown := strings.TrimLeft(after, " \t\r\n")
	return ok && slices.ContainsFunc([]string{"block", "flex", "grid", "table", "list-item", "flow-root"}, func(kind string) bool {
		return strings.HasPrefix(shown, kind)
	})
}

// named returns the region that class and id indicate. The id of a section of a text is an anchor and often the word
// that the section explains: "navigation", "cookies".
func (t *tag) named() Region {
	switch {
	case t.class != Main:
		return t.class
	case t.dialog:
		return Notice
	case t.part:
		return Main
	}
	return t.id
}

// describes reports whether an element of a drawing says what it is, and isn't drawn.
func (t *tag) describes() bool { return t.name == "title" || t.name == "desc" || t.name == "metadata" }

const slotSeed = 2166136261 // FNV-1a, 32 bits

// slotHash adds s to h, with each run of digits as one digit: ids are often numbered at random.
func slotHash(h uint32, s []byte) uint32 {
	digit := false
	for _, c := range s {
		if IsDigit(c) {
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
	if el.kind == shown || el.name == "iframe" {
		e.shown = pictureTag{}
	}
	if el.kind == block {
		e.pending.slot = slotHash(slotSeed, []byte(el.name))
		if el.name == "section" || el.name == "article" {
			e.pending.like = e.pending.slot
		}
		e.pending.dialog = el.name == "dialog"
		e.pending.region, e.pending.sure = el.region, el.region != Main || el.name == "main"
	}
}

func (e *Extractor) attribute(key, val []byte) {
	if len(val) >= 2 && (val[0] == '"' || val[0] == '\'') {
		val = bytes.Trim(val, `"'`)
	}
	if e.pending.kind == shown {
		e.pictureAttribute(key, val)
		return
	}
	p := &e.pending
	if p.kind == hidden {
		if p.name == "iframe" {
			e.pictureAttribute(key, val)
		}
		if mode := strings.ToLower(string(val)); p.name == "template" && string(key) == "shadowrootmode" && (mode == "open" || mode == "closed") {
			p.kind = breaking // a shadow root, which is shown (HTML §13.2.6.4.4)
		}
		return
	}
	switch string(key) {
	case "class":
		p.slot = slotHash(p.slot, val)
		if len(val) > 0 {
			p.like = slotHash(slotHash(slotSeed, []byte(p.name)), val)
		}
		if named := namedBy[p.name]; named >= byClass {
			p.class = p.called(e.names.read(val))
			p.part = bytes.Contains(val, []byte("sect")) || bytes.Contains(val, []byte("chapter"))
		}
	case "id":
		p.slot = slotHash(p.slot, val)
		if namedBy[p.name] == byClassAndID {
			p.id = p.called(e.names.read(val))
		}
	case "role":
		if r, ok := roleRegions[string(val)]; ok {
			p.region, p.sure = r, true
		}
		p.dialog = p.dialog || string(val) == "dialog" || string(val) == "alertdialog"
	case "aria-modal":
		p.dialog = p.dialog || string(val) == "true"
	}
}

// called returns the region that a name indicates. An element in which a consent platform asks is a notice, whatever else its names say.
func (t *tag) called(r Region, consents bool) Region {
	if consents {
		t.region, t.sure = Notice, true
	}
	return r
}

// startTagEnd handles the pending tag. rest is the page after it; its first skip bytes must not be read as mark-up.
func (e *Extractor) startTagEnd(void bool, rest []byte) (skip int) {
	if e.hiding > 0 {
		return 0
	}
	switch p := &e.pending; p.kind {
	case inline:
		if p.name == "a" {
			e.inLink = !void
		}
		switch {
		case void:
		case e.box.name == p.name:
			e.box.depth++
		case p.boxed && e.box.name == "":
			e.box = lineBox{p.name, 1}
		}
		e.space = e.space || p.boxed
	case other:
		e.space = true
		e.endSelect(p.name)
		e.inButton = e.inButton || p.name == "button" && !void
	case shown:
		e.space = true
		e.addPicture()
	case breaking:
		e.endBlock()
	case hidden:
		e.space = true
		if p.name == "iframe" {
			e.addPicture()
		}
		return e.hide(p.name, void, rest)
	case block:
		e.endBlock()
		if void && e.inForeign && p.describes() {
			return 0
		}
		e.popImplied(p.name)
		e.push()
		e.item.begin(p.name)
		e.inTitle = e.inTitle || p.name == "title" && !e.inForeign
	}
	return 0
}

// hide skips a hidden element. If scripts run, a noscript is raw text up to its end tag, whatever it contains (HTML §13.2.6.4.7); so an
// unclosed frame of a tag manager hides nothing after it. Fallbacks of frames and plug-ins are always raw text. If one of these, or a
// template, never ends, it hides nothing.
func (e *Extractor) hide(name string, void bool, rest []byte) (skip int) {
	raw := name == "noscript" || name == "noframes" || name == "noembed"
	if raw || name == "template" {
		if void {
			return 0
		}
		end := e.endless.endOfRaw(rest, name)
		if end < 0 {
			return 0
		}
		if raw {
			return end
		}
	}
	e.hidden, e.hiding = name, 1
	return 0
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
		if e.box.name == el.name {
			if e.box.depth--; e.box.depth == 0 {
				e.box, e.space = lineBox{}, true
			}
		}
	case other, hidden, shown:
		e.space = true
		e.inButton = e.inButton && el.name != "button"
	case breaking:
		e.endBlock()
	case block:
		e.endBlock()
		e.inTitle = e.inTitle && el.name != "title"
		e.pop(el.name)
		e.item.end(el.name)
	}
}

func (e *Extractor) popImplied(name string) {
	e.endSelect(name)
	for _, t := range impliedEnd(name) {
		if n := len(e.stack); n > 1 && e.stack[n-1].tag == t {
			e.cutStack(n - 1)
		}
	}
}

// endSelect ends the open select if the start tag of an element does.
func (e *Extractor) endSelect(by string) {
	switch e.stack[len(e.stack)-1].tag {
	case "select", "option", "optgroup":
		if endsSelect(by) {
			e.endBlock()
			e.pop("select")
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
		slot: p.slot, place: parent.place,
	}
	if e.Layout {
		o.place = e.layout.within(parent.place, p.name)
	}
	named := p.named()
	if p.sure && p.region == Main || !parent.region.Furniture() && (p.name == "article" || p.name == "section") {
		o.content = true
	}
	calls := inherited
	switch {
	case p.sure && applies(p.region, parent):
		o.region, calls = p.region, byItself
	case (!p.sure || named == apart) && named != Main && applies(named, parent):
		if named == apart {
			named = Aside
		}
		o.region, calls = named, byName
	case e.inForeign && p.describes():
		o.region, calls = Label, byItself
	}
	if calls != inherited || container[p.name] {
		o.zone = e.outline.beginZone(parent.zone, calls, p.like)
		e.outline.zones[o.zone].modal, e.outline.zones[o.zone].inside = p.dialog, o.content
	}
	o.path = hashing.Mix(hashing.Mix(parent.path+o.id()) + o.flags(calls))
	e.stack = append(e.stack, o)
}

// id returns a hash of the element itself.
func (o *open) id() uint64 { return uint64(o.slot)<<32 | uint64(elementHash([]byte(o.tag))) }

// flags returns o's properties that matter for its content.
func (o *open) flags(calls calling) uint64 {
	return uint64(hashing.Bit(o.content)) | uint64(calls)<<1 | uint64(o.region)<<3
}

// applies reports whether a region counts where it would begin. The header, footer or aside of an article is part of it
// (HTML-AAM: only those of the page are banner, contentinfo and complementary). Furniture stays furniture, except for a
// main element, and an advertisement or a notice in it.
func applies(r Region, parent *open) bool {
	switch r {
	case Header, Footer, Aside:
		return !parent.content && !parent.region.Furniture()
	case Main, Ad, Notice:
		return true
	}
	return !parent.region.Furniture()
}

// endless are the names of elements that have no end tag in the rest of a page, which is searched once for each.
type endless []string

// endOfRaw calls the function of this name, unless it has found no end of such an element before.
func (l *endless) endOfRaw(b []byte, name string) int {
	if slices.Contains(*l, name) {
		return -1
	}
	end := endOfRaw(b, []byte(name))
	if end < 0 {
		*l = append(*l, name)
	}
	return end
}

// endOfRaw returns where in b the end tag begins. It returns -1 if there is none or if a script contains a comment
// (HTML §13.2.5.20).
func endOfRaw(b, name []byte) int {
	for at := 0; ; at++ {
		n := bytes.IndexByte(b[at:], '<')
		if n < 0 {
			return -1
		}
		at += n
		switch rest := b[at+1:]; {
		case bytes.HasPrefix(rest, []byte("!--")) && string(name) == "script":
			return -1
		case len(rest) > len(name) && rest[0] == '/' && bytes.EqualFold(rest[1:1+len(name)], name) &&
			(len(rest) == 1+len(name) || !isLetter(rest[1+len(name)])):
			return at
		}
	}
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
