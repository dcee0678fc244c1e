package visible

import (
	"bytes"
	"slices"

	"github.com/zeebo/xxh3"
)

// A Region is the part of a page in which a block is.
type Region uint8

// The regions. All but Main and Title are furniture: they do not make a version at level content.
const (
	Main Region = iota
	Title
	Header
	Nav
	Aside
	Footer
	Ad
	Notice  // cookie and consent notices, dialogs
	Margin  // outside of the container of the page's own text
	Label   // labels of controls and pictures: options of a select, title of a drawing
	Regions // how many there are
)

// String returns the region's name in lower case.
func (r Region) String() string {
	return [...]string{"main", "title", "header", "nav", "aside", "footer", "ad", "notice", "margin", "label"}[r]
}

// Furniture reports whether the region is not the page's own content.
func (r Region) Furniture() bool { return r != Main && r != Title }

// apart is an [Aside] that is none of an article's own, where it stands in one: what others say of it or wrote like it.
const apart = Regions + 1

var roleRegions = map[string]Region{
	"navigation": Nav, "menu": Nav, "menubar": Nav, "banner": Header, "contentinfo": Footer,
	"complementary": Aside, "search": Nav, "main": Main, "listbox": Label, "tooltip": Label,
}

// nameRegions are words in class names and ids that tell the purpose of a container.
var nameRegions = map[string]Region{
	"nav": Nav, "navbar": Nav, "navigation": Nav, "menu": Nav, "menubar": Nav, "breadcrumb": Nav, "breadcrumbs": Nav,
	"crumbs": Nav, "navheader": Nav, "navfooter": Nav,
	"topnav": Nav, "subnav": Nav, "sidenav": Nav, "mainnav": Nav, "pagination": Nav, "pager": Nav,
	"skiplink": Nav, "skiplinks": Nav, "skip": Nav,
	"header": Header, "masthead": Header, "titlearea": Header, "banner": Header, "topbar": Header,
	"sidebar": Aside, "aside": Aside, "sidepanel": Aside, "share": apart, "social": apart, "sharing": apart,
	"footer": Footer, "colophon": Footer, "copyright": Footer, "foot": Footer,
	"ad": Ad, "ads": Ad, "advert": Ad, "adverts": Ad, "advertisement": Ad, "advertising": Ad, "adsense": Ad,
	"adsbygoogle": Ad, "sponsor": Ad, "sponsored": Ad, "adslot": Ad, "adunit": Ad, "adbox": Ad,
	"cookie": Notice, "cookies": Notice, "consent": Notice, "gdpr": Notice, "ccpa": Notice, "cookiebar": Notice,
	"cookiebanner": Notice, "cookielaw": Notice, "cookieconsent": Notice, "cookienotice": Notice, "popup": Notice,
	"modal": Notice, "lightbox": Notice, "toast": Notice, "snackbar": Notice, "newsletter": apart, "promo": Aside, "related": apart,
	"recent": Aside, "recently": Aside, "popular": Aside, "trending": Aside, "votes": apart, "vote": apart, "relatives": apart,
	"comments": apart, "feedback": apart, "rating": apart, "ratings": apart, "subscribe": Aside, "subscription": Aside,
	"relatedposts": apart, "yarpp": apart, "sharedaddy": apart, "likes": apart, "respond": apart, "commentform": apart, "nocontent": apart,
	"language": Nav, "languages": Nav, "lang": Nav, "locale": Nav, "megamenu": Nav, "hamburger": Nav, "offcanvas": Nav,
}

// isPadding reports whether a word may accompany one of nameRegions without changing its meaning: "site-footer" is the
// footer, "card-header" or "article-footer" is part of the content.
func isPadding(word string) bool {
	switch word {
	case "site", "page", "global", "main", "primary", "secondary", "top", "bottom", "left", "right", "side", "wrapper", "wrap",
		"container", "inner", "outer", "bar", "box", "area", "list", "links", "fixed", "default", "mobile", "desktop", "slot",
		"unit", "zone", "space", "block", "row", "col", "column", "sm", "md", "lg", "xl", "static", "sticky", "inverse",
		"light", "dark", "js", "the", "notice", "message", "popup", "overlay", "policy", "law", "first", "last", "text",
		"group", "widget", "widgets", "rail", "articles", "posts", "pages", "stories", "topics", "news", "products", "viewed",
		"reading", "count", "location", "elementor", "wp", "et", "l", "builder", "theme", "layout", "item", "items", "toggle",
		"toggler", "button", "btn", "brand", "logo", "dialog", "window", "root", "settings", "preferences", "declaration",
		"info", "panel", "form", "selector", "switcher", "picker", "select", "icon", "icons", "buttons", "content", "dropdown",
		"jp", "jetpack", "sd", "robots", "comment", "table", "section":
		return true
	}
	return false
}

const maxNameTokens = 8

// Which names count depends on the element. The class of a container says what it looks like and so what it is. An id may be an anchor in a
// text; on headings and sections it always is.
type naming uint8

const (
	byNothing naming = iota
	byClass
	byClassAndID
)

var namedBy = map[string]naming{
	"center": byClassAndID, "div": byClassAndID, "form": byClassAndID, "ol": byClassAndID, "table": byClassAndID,
	"td": byClassAndID, "tr": byClassAndID, "ul": byClassAndID,
	"address": byClass, "aside": byClass, "dl": byClass, "fieldset": byClass, "li": byClass, "menu": byClass, "p": byClass, "section": byClass,
	"tbody": byClass,
}

// regionOfName reads one class name or id. It returns a region only if every word of the name indicates furniture, because names are only a
// convention, and wrongly assumed furniture hides real changes.
func regionOfName(name []byte) (Region, bool) {
	var found Region
	language, own := false, false
	for range maxNameTokens {
		var word []byte
		word, name = nextNameWord(name)
		if word == nil {
			return found, found != Main && (!own || found == apart)
		}
		r, ok := nameRegions[string(word)]
		switch {
		case ok:
			found = max(found, r)
			language = string(word) == "language" || string(word) == "lang"
		case language && isNumber(word): // TYPO3 says in which language a page is
			return Main, false
		case isText(string(word)):
			own = true
		case !isPadding(string(word)) && !isNumber(word):
			return Main, false
		}
	}
	return Main, false
}

// isText reports whether a word names a text of its own. The header of an article is a part of it, its comments are not.
func isText(word string) bool {
	switch word {
	case "article", "entry", "post", "story", "blog", "single":
		return true
	}
	return false
}

// nextNameWord splits off the first word of a name: at anything but letters and digits, where an upper-case letter
// follows a lower-case one, and between letters and digits. It lower-cases the word in place.
func nextNameWord(name []byte) (word, rest []byte) {
	for len(name) > 0 && !IsAlnum(name[0]) {
		name = name[1:]
	}
	if len(name) == 0 {
		return nil, nil
	}
	end := 1
	for end < len(name) && IsAlnum(name[end]) && !nameBoundary(name[end-1], name[end]) {
		end++
	}
	rest = name[end:]
	word = name[:end]
	for i, c := range word {
		if 'A' <= c && c <= 'Z' {
			word[i] = c | 0x20
		}
	}
	return word, rest
}

func nameBoundary(a, b byte) bool {
	return 'a' <= a && a <= 'z' && 'A' <= b && b <= 'Z' || IsDigit(a) != IsDigit(b)
}

func isNumber(word []byte) bool { return IsDigit(word[0]) }

// IsDigit reports whether c is a digit of ASCII.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsAlnum reports whether c is a letter or digit of ASCII.
func IsAlnum(c byte) bool {
	return IsDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// regionOfNames reads a class or id attribute: names separated by white space. It returns Main if none indicates
// furniture.
func regionOfNames(names []byte) Region {
	for len(names) > 0 {
		i := bytes.IndexAny(names, " \t\r\n\f")
		one := names
		if i >= 0 {
			one, names = names[:i], names[i+1:]
		} else {
			names = nil
		}
		if r, ok := regionOfName(one); ok {
			return r
		}
	}
	return Main
}

// A nameCache caches the meaning of class and id attributes, since pages repeat a few of them.
type nameCache [256]struct {
	names    string
	region   Region
	consents bool // it is a consent platform's name for its container
}

// maxCachedName bounds the length of the attributes that are remembered, in bytes.
const maxCachedName = 64

func (c *nameCache) read(names []byte) (r Region, consents bool) {
	if len(names) == 0 || len(names) > maxCachedName {
		return regionOfNames(slices.Clone(names)), ofConsent(names) // regionOfNames writes into its argument
	}
	e := &c[xxh3.Hash(names)%uint64(len(c))]
	if e.names != string(names) {
		e.names = string(names)
		e.region, e.consents = regionOfNames([]byte(e.names)), ofConsent(names)
	}
	return e.region, e.consents
}
