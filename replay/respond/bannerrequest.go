package respond

import (
	"html"
	"net/http"
	"slices"

	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
)

// A BannerRequest says which memento a banner is for, and where its links lead.
type BannerRequest struct {
	Original *timeline.Original
	Capture  *cdx.Capture
	Near     *memento.Neighbourhood
	Pages    memento.URIs // for pages about the URI-R
	Moves    memento.URIs // for its captures
	Home     string       // of the server
	Memento  string       // the URI-M to cite
	Assets   banner.Assets

	CameFrom  *banner.Link // the landing page that the reader comes from
	CutOff    bool         // the record is truncated
	Source    string       // host of the archive that the capture was fetched from, or ""
	NoRuntime bool         // scripts run without a client-side runtime; the banner says so
}

// HeadEnd ends what the archive inserts into a page's head. Clients that look for [Toolbar] remove everything between the start of the
// head and HeadEnd.
const HeadEnd = "<!-- End Wayback Rewrite JS Include -->"

// Toolbar puts a banner between the Wayback Machine's comments. Programs that download archived pages look for these to
// remove what the archive inserted.
func Toolbar(banner []byte) []byte {
	if len(banner) == 0 {
		return nil
	}
	return slices.Concat([]byte("<!-- BEGIN WAYBACK TOOLBAR INSERT -->"), banner, []byte("<!-- END WAYBACK TOOLBAR INSERT -->"))
}

// InFrameset returns a banner for a page whose body is a frameset, with the scripts that show it. There, browsers keep no element outside
// of the frames but noframes, whose content is text for them and mark-up for agents without frames.
func InFrameset(banner []byte, scripts ...string) []byte {
	if len(banner) == 0 {
		return nil
	}
	out := slices.Concat([]byte("<noframes>"), banner, []byte("</noframes>"))
	for _, src := range scripts {
		out = append(out, `<script src="`+html.EscapeString(src)+`"></script>`...)
	}
	return out
}

// A BannerFunc makes the banner of a memento. It returns nil if it can't, since the page matters more. The returned
// function renders the banner once it is known what the page loads.
type BannerFunc func(r *http.Request, ask *BannerRequest) (render func(banner.Embeds) []byte)
