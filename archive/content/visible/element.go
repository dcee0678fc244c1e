package visible

// A kind says what a tag does to the text around it.
type kind uint8

const (
	// other tags separate words and have no other effect: img, label, input, unknown ones.
	other kind = iota
	// inline tags vanish: "a<b>b</b>" reads "ab".
	inline
	// breaking tags separate blocks and contain nothing: br, hr.
	breaking
	// block tags begin and end a block of text.
	block
	// hidden elements contain no visible text.
	hidden
	// shown elements separate words like other ones, and show a picture or a film.
	shown
)

// An element is the meaning of a tag name. Its name is shared, so that none is copied from a page.
type element struct {
	name   string
	kind   kind
	region Region // of furniture by HTML's own semantics, else Main
}

// elements are the tags that mean something here. The inline ones are those that browsers draw without a gap.
var elements = newElementTable(
	element{"a", inline, Main},
	element{"abbr", inline, Main},
	element{"acronym", inline, Main},
	element{"b", inline, Main},
	element{"bdi", inline, Main},
	element{"bdo", inline, Main},
	element{"big", inline, Main},
	element{"cite", inline, Main},
	element{"code", inline, Main},
	element{"data", inline, Main},
	element{"del", inline, Main},
	element{"dfn", inline, Main},
	element{"em", inline, Main},
	element{"font", inline, Main},
	element{"i", inline, Main},
	element{"ins", inline, Main},
	element{"kbd", inline, Main},
	element{"mark", inline, Main},
	element{"nobr", inline, Main},
	element{"q", inline, Main},
	element{"rb", inline, Main},
	element{"rp", inline, Main},
	element{"rt", inline, Main},
	element{"ruby", inline, Main},
	element{"s", inline, Main},
	element{"samp", inline, Main},
	element{"small", inline, Main},
	element{"span", inline, Main},
	element{"strike", inline, Main},
	element{"strong", inline, Main},
	element{"sub", inline, Main},
	element{"sup", inline, Main},
	element{"time", inline, Main},
	element{"tt", inline, Main},
	element{"u", inline, Main},
	element{"var", inline, Main},
	element{"wbr", inline, Main},
	element{"button", other, Main},
	element{"input", other, Main},
	element{"embed", shown, Main},
	element{"frame", shown, Main},
	element{"img", shown, Main},
	element{"object", shown, Main},
	element{"source", shown, Main},
	element{"video", shown, Main},
	element{"br", breaking, Main},
	element{"hr", breaking, Main},
	element{"iframe", hidden, Main},
	element{"noembed", hidden, Main},
	element{"noframes", hidden, Main},
	element{"noscript", hidden, Main},
	element{"script", hidden, Main},
	element{"style", hidden, Main},
	element{"template", hidden, Main},
	element{"address", block, Main},
	element{"article", block, Main},
	element{"aside", block, Aside},
	element{"blockquote", block, Main},
	element{"body", block, Main},
	element{"caption", block, Main},
	element{"center", block, Main},
	element{"dd", block, Main},
	element{"desc", block, Main},
	element{"details", block, Main},
	element{"dialog", block, Main},
	element{"dir", block, Main},
	element{"div", block, Main},
	element{"dl", block, Main},
	element{"dt", block, Main},
	element{"fieldset", block, Main},
	element{"figcaption", block, Main},
	element{"figure", block, Main},
	element{"footer", block, Footer},
	element{"form", block, Main},
	element{"frameset", block, Main},
	element{"h1", block, Main},
	element{"h2", block, Main},
	element{"h3", block, Main},
	element{"h4", block, Main},
	element{"h5", block, Main},
	element{"h6", block, Main},
	element{"head", block, Main},
	element{"header", block, Header},
	element{"hgroup", block, Main},
	element{"html", block, Main},
	element{"legend", block, Main},
	element{"li", block, Main},
	element{"main", block, Main},
	element{"nav", block, Nav},
	element{"metadata", block, Main},
	element{"ol", block, Main},
	element{"option", block, Main},
	element{"p", block, Main},
	element{"pre", block, Main},
	element{"search", block, Nav},
	element{"section", block, Main},
	element{"select", block, Label},
	element{"datalist", block, Label},
	element{"optgroup", block, Main},
	element{"xmp", block, Main},
	element{"plaintext", block, Main},
	element{"summary", block, Main},
	element{"table", block, Main},
	element{"tbody", block, Main},
	element{"td", block, Main},
	element{"textarea", block, Main},
	element{"tfoot", block, Main},
	element{"th", block, Main},
	element{"thead", block, Main},
	element{"title", block, Main},
	element{"tr", block, Main},
	element{"ul", block, Main},
	element{"menu", block, Main},
)

// An elementTable finds elements by name. It uses open addressing, since every tag is looked up in it.
type elementTable [512]element

func newElementTable(all ...element) *elementTable {
	t := new(elementTable)
	for _, e := range all {
		h := elementHash([]byte(e.name))
		for t[h%uint32(len(t))].name != "" {
			h++
		}
		t[h%uint32(len(t))] = e
	}
	return t
}

// find returns the element for a tag in lower case, or the zero element. The name ends at white space, or at a slash as
// in <a/href=x>.
func (t *elementTable) find(tag []byte) element {
	tag = tag[:nameLen(tag)]
	for h := elementHash(tag); ; h++ {
		e := &t[h%uint32(len(t))]
		if e.name == "" || e.name == string(tag) {
			return *e
		}
	}
}

func nameLen(tag []byte) int {
	for i, c := range tag {
		if c <= ' ' || c == '/' {
			return i
		}
	}
	return len(tag)
}

func elementHash(name []byte) uint32 {
	h := uint32(len(name))
	for _, c := range name[:min(len(name), 10)] { // no element has a longer name
		h = h*37 + uint32(c)
	}
	return h
}

// impliedEnd returns the elements that the start tag of a block element ends if they are its parent. Their end tags may be omitted (HTML
// §13.1.2.4, as far as it affects where text is).
func impliedEnd(tag string) []string {
	switch tag {
	case "li":
		return endedByItem
	case "dt", "dd":
		return endedByTerm
	case "td", "th":
		return endedByCell
	case "tr":
		return endedByRow
	case "option":
		return endedByOption
	case "body":
		return endedByBody
	}
	return endedByBlock
}

// endsSelect reports whether the start tag of an element ends the select around it. By the standard other controls do; here text elements
// do too, so that a select without an end tag doesn't hide the rest of the page.
func endsSelect(tag string) bool {
	switch tag {
	case "select", "input", "textarea",
		"p", "h1", "h2", "h3", "h4", "h5", "h6", "table", "ul", "ol", "dl", "form", "article", "section", "main", "header", "footer", "nav":
		return true
	}
	return false
}

var (
	endedByItem   = []string{"p", "li"}
	endedByTerm   = []string{"p", "dt", "dd"}
	endedByCell   = []string{"p", "td", "th"}
	endedByRow    = []string{"p", "td", "th", "tr"}
	endedByOption = []string{"option"}
	endedByBody   = []string{"head"}
	endedByBlock  = []string{"p"}
)
