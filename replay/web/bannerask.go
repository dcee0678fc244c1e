package web

import (
	"net/http"
	"slices"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
)

// A BannerAsk says for which memento a banner is wanted, and where its links lead.
type BannerAsk struct {
	Timeline *archive.Timeline
	Capture  *cdx.Capture
	Near     *memento.Neighbourhood
	Pages    memento.URIs // of pages about the URI-R
	Moves    memento.URIs // of its captures
	Home     string       // of the server
	Memento  string       // the URI-M to be quoted
	Assets   banner.Assets

	CameFrom  *banner.Link // the landing page that the reader comes from
	NoRuntime bool         // scripts run without a client-side runtime, which the banner says
}

// HeadEnd stands behind what the archive put into a page's head, for the same clients as [Toolbar]: what is between the
// head's beginning and it they take out.
const HeadEnd = "<!-- End Wayback Rewrite JS Include -->"

// Toolbar puts a banner between the comments by which downloaders of archived pages find what the archive put in, to take
// it out again. They are the Wayback Machine's.
func Toolbar(banner []byte) []byte {
	if len(banner) == 0 {
		return nil
	}
	return slices.Concat([]byte("<!-- BEGIN WAYBACK TOOLBAR INSERT -->"), banner, []byte("<!-- END WAYBACK TOOLBAR INSERT -->"))
}

// A BannerFunc makes the banner of a memento, nil where it can't be made: the page goes first. What it returns renders it
// once it is known how far the parts of the page are from it, 0 where not far.
type BannerFunc func(r *http.Request, ask *BannerAsk) (render func(drift time.Duration) []byte)
