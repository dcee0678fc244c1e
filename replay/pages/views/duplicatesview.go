package views

import (
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// A DuplicatesView is the page of similar captures in a collection.
type DuplicatesView struct {
	layout.Page
	Groups, Pictures []DuplicateGroup // some of Total and Equal
	Total, Equal     int
	Cut              bool // not everything was compared
	Across           bool // without versions of one address
	Other            string
	JSON, Pairs      string
	Prev, Next       string
}

// A DuplicateKind is the relation between similar captures.
type DuplicateKind uint8

// The kinds, as in archive/duplicates.
const (
	DuplicateVersion DuplicateKind = iota
	DuplicateCopy
	DuplicateMirror
	DuplicateArticle
	DuplicatePicture
)

func (k DuplicateKind) words(t texts) string {
	return [...]string{t.Alike.Versions, t.Alike.Copy, t.Alike.Mirror, t.Alike.Article, t.Alike.Pictures}[k]
}

// A DuplicateGroup has similar captures: the first of Total.
type DuplicateGroup struct {
	Kind       DuplicateKind
	Similarity layout.Similarity // the lowest
	Captures   []DuplicateCapture
	Total      int
	Picture    string // of equal pictures
	Hosts      [][2]HostPages
}

// A DuplicateCapture is a capture of a URI-R.
type DuplicateCapture struct {
	banner.CaptureLink
	URIR string
}

// HostPages says how many pages of a host have a page with the same content on another host.
type HostPages struct {
	Host      string
	Alike, Of int
}

func hostShare(t texts, h [2]HostPages) string {
	a, b := h[0], h[1]
	return locale.Fill(t.Alike.Hosts, a.Host, t.Number(a.Alike), t.Number(a.Of), b.Host, t.Number(b.Alike), t.Number(b.Of))
}
