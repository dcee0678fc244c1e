package replay

import (
	"iter"
	"net/http"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
)

// timeMapPage streams a TimeMap as a page for people.
func (s *pages) timeMapPage(w http.ResponseWriter, r *http.Request, p Path, captures iter.Seq2[*cdx.Capture, error], info *memento.TimeMapInfo) error {
	uris := s.site.local(p.Coll)
	word, err := s.annotate(r.Context(), p.Coll, surt.Of(p.URIR))
	if err != nil {
		return err
	}
	var pages []memento.PageRange
	if info.Pages != nil {
		if pages, err = info.Pages(); err != nil {
			return err
		}
	}
	v := banner.TimeMapView{Page: s.site.shared(r, p), Calendar: uris.Calendar(p.URIR)}
	for _, f := range []string{"link", "json", "cdxj"} {
		v.Formats = append(v.Formats, banner.Link{Href: uris.TimeMap(f, info.Page, p.URIR), Text: f})
	}
	if info.Page > 1 {
		v.Prev = uris.TimeMap("html", info.Page-1, p.URIR)
	}
	if info.Page < len(pages) {
		v.Next = uris.TimeMap("html", info.Page+1, p.URIR)
	}
	var failed error
	v.Rows = func(yield func(banner.CaptureRow) bool) {
		n := 0
		for c, err := range captures {
			if err != nil {
				failed = err
				return
			}
			_, change := word(c)
			row := banner.CaptureRow{CaptureLink: *captureLink(uris, c), Status: c.Status, MIME: c.MIME, Change: changeOf[change]}
			if n++; n > memento.PageSize || !yield(row) {
				return
			}
		}
	}
	ownPage(w.Header())
	if r.Method == http.MethodHead {
		return nil
	}
	if err := banner.TimeMap(v).Render(r.Context(), w); err != nil || failed != nil {
		return breakOff(s.Log, r, err)
	}
	return nil
}

var changeOf = map[string]banner.Change{
	"none": banner.ChangeNone, "any": banner.ChangeAny, "text": banner.ChangeText, "content": banner.ChangeContent,
}
