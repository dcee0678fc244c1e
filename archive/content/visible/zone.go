package visible

import (
	"slices"

	"github.com/varve-archive/varve/archive/content/hashing"
)

// A zone is a container of blocks: an element that contains others, or the page, which is zone 0.
type zone struct {
	parent int
	called int    // the zone around it that begins a region, or 0
	sure   bool   // it begins one by its element, not by its class or id
	like   uint32 // tag.like of its element
	modal  bool   // its element says that it is a dialog
	inside bool   // it is in a main element, an article or a section
	weight        // set after the page was read
	text   int    // the outermost main element, article or section that it is or is in, or 0; set then too
}

// A weight is what a zone contains, in bytes of text or in blocks.
type weight struct {
	size, links  int
	prose        int // text that is read rather than clicked, without furniture
	blocks       int
	heads, parts int // headlines, and headings of sections
	asks         int // blocks that ask for consent
	tells        int // blocks that mention cookies
	lists        int // blocks that are in a list of cookies
	names        int // of these, blocks that name one

	heavy  int  // the inner zone with the most prose, 0 if none
	notice bool // it is a notice
	above  bool // it contains the container of the page's own text
}

// A calling says where an element's region comes from.
type calling uint8

const (
	inherited calling = iota // from the element around it
	byName                   // its class or id says so, and may be wrong
	byItself                 // the element itself says so
)

// container has the elements that make zones. Other elements belong to the zone around them.
var container = map[string]bool{
	"article": true, "aside": true, "body": true, "center": true, "details": true, "dialog": true, "div": true, "dl": true,
	"fieldset": true, "footer": true, "form": true, "header": true, "main": true, "menu": true, "nav": true, "ol": true,
	"search": true, "section": true, "table": true, "td": true, "ul": true,
}

// An outline has the blocks of a page and the zones that contain them. It separates the page's own text from the rest.
type outline struct {
	blocks  []span // of Extractor.out
	zones   []zone
	subject bool // the page is about cookies
	content content

	ownProse []int  // of each zone: the prose directly in it
	inside   []bool // whether each zone is part of the page's own text
}

// A content is where the page's own text is.
type content struct {
	whole       bool // the page has too little prose to separate it from the rest
	main        int  // the zone that contains it
	first, last int  // its first and last block of prose
}

// beginZone returns a new zone in parent.
func (o *outline) beginZone(parent int, calls calling, like uint32) int {
	z := zone{parent: parent, called: o.zones[parent].called, sure: calls == byItself, like: like}
	if calls != inherited {
		z.called = len(o.zones)
	}
	o.zones = append(o.zones, z)
	return len(o.zones) - 1
}

// weigh adds up the content of each zone.
func (o *outline) weigh() {
	for i := range o.zones {
		switch z := &o.zones[i]; {
		case !z.inside:
			z.text = 0
		case i > 0 && o.zones[z.parent].inside:
			z.text = o.zones[z.parent].text
		default:
			z.text = i
		}
	}
	for i := range o.blocks {
		b := &o.blocks[i]
		z := &o.zones[b.zone]
		z.blocks++
		z.size += b.end - b.start
		z.links += b.links
		z.heads += int(hashing.Bit(b.heading == 1))
		z.parts += int(hashing.Bit(b.heading > 1))
		z.asks += int(b.hints & asks)
		z.tells += int(b.hints & tells / tells)
		z.lists += int(b.hints & lists / lists)
		z.names += int(b.hints & names / names)
	}
	for i := len(o.zones) - 1; i > 0; i-- {
		z := &o.zones[i]
		p := &o.zones[z.parent]
		p.blocks += z.blocks
		p.size += z.size
		p.links += z.links
		p.heads += z.heads
		p.parts += z.parts
		p.asks += z.asks
		p.tells += z.tells
		p.lists += z.lists
		p.names += z.names
	}
}

// wrapper reports whether a zone is wrongly called furniture, because what is so called has most of the page or, in an
// article, of that: its names say so, or it is an element with the headline that never ends.
func (o *outline) wrapper(zone int, r Region) bool {
	called := o.zones[zone].called
	z := &o.zones[called]
	around := 0
	if r == Aside || r == Notice {
		around = o.zones[z.parent].text
	}
	return called > 0 && (!z.sure || z.heads > 0) && z.size*2 > o.zones[around].size && !z.asksInDialog()
}

// introduces reports whether a block in a header is a paragraph with the page's headline, so that it introduces what follows.
func (o *outline) introduces(b *span) bool {
	return b.region == Header && b.read() > 0 && o.zones[o.zones[b.zone].called].heads > 0
}

// asksInDialog reports whether a zone is a dialog that asks for consent to cookies, however long it is.
func (z *zone) asksInDialog() bool { return z.modal && z.asks > 0 && z.tells > 0 }

const (
	// Prose is text of at least this length, in bytes, most of which is not links.
	MinProse = 100
	// MinPageProse is the length of prose in bytes from which on a page's own text is expected to be in one container.
	MinPageProse = 500
	// mainShare is the least share of the surrounding prose that this container has. sideShare is the greatest share in any other container
	// next to it, ownShare the greatest share outside of containers.
	mainShare = 0.7
	sideShare = 0.1
	ownShare  = 0.03
	// besideShare is the share of prose from which on a container next to it belongs to the page's own text too.
	besideShare = 0.6
	// continueShare is the least size of such a container's text that isn't links, in shares of the page's own text.
	continueShare = 0.25
	// menuShare is the share of a menu's text that is links, minMap the least number of blocks of a site map.
	menuShare = 0.75
	minMap    = 8
	// maxOffer bounds the length of a short text with a link, such as an offer.
	maxOffer = 200
)

// prose returns the size of a block of prose that is the page's own, else 0.
func (s *span) prose() int {
	if s.region.Furniture() || s.region == Title {
		return 0
	}
	return s.read()
}

// read returns the size of a block that is long enough to be read, most of which is not links, else 0.
func (s *span) read() int {
	if n := s.end - s.start - s.links; n >= MinProse && n > s.links {
		return n
	}
	return 0
}

// mainZone returns the innermost container with nearly all of the page's prose, 0 for the page itself.
func (o *outline) mainZone(own []int) int {
	if o.zones[0].prose < MinPageProse {
		return 0
	}
	at := 0
	for {
		next := o.zones[at].heavy
		all := float64(o.zones[at].prose)
		if next == 0 || float64(o.zones[next].prose) < mainShare*all || float64(own[at]) > ownShare*all || o.hasOther(at, next) {
			return at
		}
		at = next
	}
}

// hasOther reports whether zones in at other than next hold a part of the page's own text: much prose, or text under a
// heading in a similar element.
func (o *outline) hasOther(at, next int) bool {
	like, most := o.zones[next].like, int(sideShare*float64(o.zones[at].prose))
	for i := at + 1; i < len(o.zones); i++ {
		z := &o.zones[i]
		if z.parent != at || i == next || z.notice || o.ofCookies(z, next) {
			continue
		}
		if z.prose > most || like != 0 && z.like == like && (z.prose > 0 || z.parts > 0) {
			return true
		}
	}
	return false
}

// weighProse adds up the prose of each zone and returns the prose directly in it.
func (o *outline) weighProse() (own []int) {
	own = slices.Grow(o.ownProse[:0], len(o.zones))[:len(o.zones)]
	clear(own)
	o.ownProse = own
	for i := range o.zones {
		o.zones[i].prose, o.zones[i].heavy = 0, 0
	}
	for i := range o.blocks {
		own[o.blocks[i].zone] += o.blocks[i].prose()
	}
	for i := len(o.zones) - 1; i >= 0; i-- {
		z := &o.zones[i]
		z.prose += own[i]
		if i == 0 {
			break
		}
		p := &o.zones[z.parent]
		p.prose += z.prose
		if z.prose > 0 && (p.heavy == 0 || z.prose > o.zones[p.heavy].prose) {
			p.heavy = i
		}
	}
	return own
}

// classifyBlocks sets the final region of each block.
func (o *outline) classifyBlocks() {
	o.weigh()
	o.subject = o.cookiesAreSubject()
	for i := range o.blocks {
		b := &o.blocks[i]
		if b.region.Furniture() && o.wrapper(b.zone, b.region) || b.region == Notice && o.explains(b.zone) || o.introduces(b) {
			b.region = Main
		}
	}
	own := o.weighProse()
	if o.findNotices() {
		own = o.weighProse()
	}
	main := o.mainZone(own)
	if main == 0 {
		o.nameButtons()
	}
	if o.zones[0].prose < MinPageProse {
		o.content = content{whole: true}
		o.findMenus()
		return
	}
	within := o.within(main)
	first, last := o.proseEnds(within)
	o.content = content{main: main, first: first, last: last}
	lead, begin := false, o.begin(main)
	for i := range o.blocks {
		b := &o.blocks[i]
		lead = lead || b.heading == 1 && b.region == Main && i < begin
		switch {
		case b.region != Main || b.heading == 1 && !(i > last && !within[b.zone] && o.aside(b.zone, main)):
		case !within[b.zone] && (b.linked() || b.hints != 0 || !(lead && i < begin) && !o.zones[b.zone].above),
			(i < first || i > last) && o.linkedZone(b.zone, main, i > last):
			b.region = Margin
		}
	}
}

// ofContent reports whether a picture in a zone, after a number of blocks, belongs to the page's own content.
func (o *outline) ofContent(zone, after int) bool {
	c := &o.content
	return c.whole || o.inside[zone] && (after > c.first && after <= c.last || !o.linkedZone(zone, c.main, after > c.last))
}

// proseEnds returns the first and the last block of the page's own prose.
func (o *outline) proseEnds(within []bool) (first, last int) {
	first = len(o.blocks)
	for i := range o.blocks {
		if b := &o.blocks[i]; within[b.zone] && b.prose() > 0 {
			first, last = min(first, i), i
		}
	}
	return first, last
}

// begin returns the first block of prose in a zone, which has some.
func (o *outline) begin(zone int) int {
	return slices.IndexFunc(o.blocks, func(b span) bool { return b.prose() > 0 && o.contains(zone, b.zone) })
}

// contains reports whether a zone is another one or contains it.
func (o *outline) contains(outer, inner int) bool {
	for inner > outer {
		inner = o.zones[inner].parent
	}
	return inner == outer
}

// linked reports whether most of a block is links.
func (s *span) linked() bool { return s.links*2 >= s.end-s.start }

// linkedZone reports whether a block is in a container that is nearly all links and has no prose: a menu before the page's own text, or a
// site map after it. A few links after the text are its sources; a few words with a link are an offer.
func (o *outline) linkedZone(at, main int, behind bool) bool {
	if o.zones[at].prose > 0 || at == main {
		return false
	}
	for up := o.zones[at].parent; up != main && up > 0 && o.zones[up].prose == 0; up = o.zones[up].parent {
		at = up
	}
	z := &o.zones[at]
	menu := z.linked() && (!behind || z.blocks >= minMap)
	offer := z.links > 0 && z.links*2 < z.size && z.size <= maxOffer && z.blocks < minMap && z.parts == 0 && z.heads == 0
	return menu || offer
}

// linked reports whether nearly all of a container is links.
func (z *zone) linked() bool { return float64(z.links) >= menuShare*float64(z.size) }

// findMenus finds the containers that are nearly all links after the page's footer, such as a table of contents that a style sheet puts
// beside the text. They are no content even of a page that is too short to separate its own text from the rest.
func (o *outline) findMenus() {
	foot := len(o.blocks) - 1
	for foot >= 0 && o.blocks[foot].region != Footer {
		foot--
	}
	for i := foot + 1; foot >= 0 && i < len(o.blocks); i++ {
		b := &o.blocks[i]
		at := b.zone
		for o.zones[at].parent > o.blocks[foot].zone {
			at = o.zones[at].parent
		}
		if z := &o.zones[at]; b.region == Main && at > o.blocks[foot].zone && z.linked() && z.blocks >= minMap {
			b.region = Margin
		}
	}
}

// maxAside bounds the length of a small dialog in bytes.
const maxAside = 500

// aside reports whether a zone is in a small container outside of the page's own text, such as a dialog, whose headline isn't the page's.
func (o *outline) aside(at, main int) bool {
	for up := o.zones[at].parent; up != main && !o.zones[up].above; up = o.zones[up].parent {
		at = up
	}
	return at > 0 && at != main && !o.zones[at].above && o.zones[at].size <= maxAside
}

// within returns, for each zone, whether it belongs to the page's own text: the zones in its container, and those next to it that are
// mostly prose too.
func (o *outline) within(main int) []bool {
	within := slices.Grow(o.inside[:0], len(o.zones))[:len(o.zones)]
	clear(within)
	o.inside = within
	within[0] = main == 0
	for z := main; z > 0; z = o.zones[z].parent {
		o.zones[z].above = z != main
	}
	o.zones[0].above = true
	type kind struct {
		parent int
		like   uint32
	}
	own := map[kind]bool{} // of elements beside the container that belong to the text
	for i := 1; i < len(o.zones); i++ {
		z := &o.zones[i]
		switch {
		case z.above && main > 0:
		case i == main, within[z.parent]:
			within[i] = true
		default:
			within[i] = o.zones[z.parent].above && (o.explains(i) && z.listsCookies() ||
				!o.ofCookies(z, main) && (o.continues(i, main) ||
					float64(z.prose) >= besideShare*float64(z.size) && (own[kind{z.parent, z.like}] || !o.remark(i, main))))
			if within[i] && z.like != 0 {
				own[kind{z.parent, z.like}] = true
			}
		}
	}
	return within
}

// continues reports whether a container beside the page's own text is in the same main element or article and introduces it, or has much of
// its text, such as a list that it introduces.
func (o *outline) continues(at, main int) bool {
	z := &o.zones[at]
	return z.text > 0 && z.text == o.zones[main].text &&
		(at < main && z.prose > 0 || float64(z.size-z.links) >= continueShare*float64(o.zones[main].size))
}

// remarkShare is how many times shorter than the page's own text a remark after it is.
const remarkShare = 8

// cookieShare is the least share of the blocks of a cookie dialog that mention cookies.
const cookieShare = 0.25

// ofCookies reports whether a container beside the page's own text explains cookies and that text does not.
func (o *outline) ofCookies(z *zone, main int) bool {
	speaks := func(z *zone) bool { return float64(z.tells) >= cookieShare*float64(z.blocks) }
	return main > 0 && z.tells > 1 && speaks(z) && !speaks(&o.zones[main])
}

// remark reports whether a container after the page's own text is short and has no heading, like the form of a dialog.
func (o *outline) remark(at, main int) bool {
	z := &o.zones[at]
	return main > 0 && at > main && z.parts+z.heads == 0 && z.size <= maxAside && z.size*remarkShare <= o.zones[main].size
}

// nameButtons makes the text of buttons labels if the page's own text has no container.
func (o *outline) nameButtons() {
	for i := range o.blocks {
		if b := &o.blocks[i]; b.region == Main && b.buttons == b.end-b.start && b.heading == 0 {
			b.region = Label
		}
	}
}
