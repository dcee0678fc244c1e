package layout

import (
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
)

// A Page is what all pages around the archived ones share. Hrefs are ready to use; "" leaves a link out.
type Page struct {
	Lang   string // from locale.Choose
	Assets banner.Assets
	Home   string      // the server's home page
	Coll   banner.Link // the collection and its page; zero on the home page
	Open   string      // action of the box: GET with url=, or with q= if Asks
	Asks   bool        // the page shows search results: the box contains the query, and its form the filters
	Asked  string      // what was typed into the box, if not URIR
	URIR   string      // what the page is about, "" if nothing
	// OpenSearch describes the collection's search to browsers; Suggest completes queries, with q=.
	OpenSearch, Suggest string
	Feed                string // an Atom feed of what the page is about, "" if there is none
	Image               string // absolute address of a picture of what the page is about, for link previews; "" if there is none
	Again               int    // seconds after which a browser without scripts loads the page again, 0 for never
}

// boxVerb labels the button of the box: a page about an address opens another one, any other page searches.
func (p *Page) boxVerb(t *locale.Language) string {
	if p.URIR != "" && !p.Asks {
		return t.Open
	}
	return t.Search
}

// boxName is the name of the box's parameter.
func (p *Page) boxName() string {
	if p.Asks {
		return "q"
	}
	return "url"
}

// typed is the text in the box.
func (p *Page) typed() string {
	if p.Asks {
		return p.Asked
	}
	return p.URIR
}

// feedOf names what the feed is about.
func (p *Page) feedOf() string {
	if p.URIR != "" {
		return p.URIR
	}
	return p.Coll.Text
}

// BoxForm is the ID of the box's form, to which fields elsewhere on the page belong.
const BoxForm = "box"
