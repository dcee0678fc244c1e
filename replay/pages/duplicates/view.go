package duplicates

import (
	"github.com/varve-archive/varve/archive/duplicates"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// A pageView is the page of similar captures in a collection.
type pageView struct {
	layout.Page
	Groups, Pictures []groupView // some of Total and Equal
	Total, Equal     int
	Cut              bool // not everything was compared
	Across           bool // without versions of one address
	Other            string
	JSON, Pairs      string
	Prev, Next       string
}

func relation(t *locale.Language, k duplicates.Kind) string {
	return [...]string{t.Duplicates.Versions, t.Duplicates.Copy, t.Duplicates.Mirror, t.Duplicates.Article, t.Duplicates.Pictures}[k]
}

// A groupView has similar captures: the first of Total.
type groupView struct {
	Kind       duplicates.Kind
	Similarity layout.Similarity // the lowest
	Captures   []captureView
	Total      int
	Picture    string // of equal pictures
	Hosts      []duplicates.HostShare
}

// A captureView is a capture of a URI-R.
type captureView struct {
	banner.CaptureLink
	URIR string
}

func hostShare(t *locale.Language, h duplicates.HostShare) string {
	a, b := h.A, h.B
	return locale.Fill(t.Duplicates.Hosts, a.Host, t.Number(a.Alike), t.Number(a.Of), b.Host, t.Number(b.Alike), t.Number(b.Of))
}
