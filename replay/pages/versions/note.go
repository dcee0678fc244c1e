package versions

import (
	"net/url"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// EndingOf returns how a version without a page is presented.
func EndingOf(r *change.Range) banner.Ending {
	e := banner.Ending{Kind: KindOf(r.Kind), Soft404: r.Soft404}
	switch {
	case r.Kind == change.Redirect:
		e.Home = isHome(r.Redirect)
	case r.Kind == change.Missing && r.Until == 0:
		e.Since = r.First.Year()
	}
	return e
}

// isHome reports whether an address is that of a site's home page.
func isHome(uriR string) bool {
	u, err := url.Parse(uriR)
	return err == nil && u.Host != "" && u.RawQuery == "" && (u.Path == "" || u.Path == "/")
}

// NoteOf returns the note on a version in lists and diffs.
func NoteOf(r *change.Range) layout.VersionNote {
	n := layout.VersionNote{Ends: EndingOf(r)}
	if r.Alternates {
		n.Alternates = r.First
	}
	return n
}

// NoteAt returns the note on a capture: that of its version, unless the capture shows an error within it.
func NoteAt(tl *timeline.Timeline, ranges []change.Range, c *cdx.Capture) (n layout.VersionNote) {
	i := timeline.RangeOf(ranges, c.Time)
	if i >= 0 {
		n = NoteOf(&ranges[i])
	}
	if k := ShownKind(tl, c, ranges, i); k == banner.KindError {
		n.Ends = banner.Ending{Kind: k}
	}
	return n
}
