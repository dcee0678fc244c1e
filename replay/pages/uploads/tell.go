package uploads

import (
	"context"
	"net/http"

	"github.com/varve-archive/varve/archive/ingest/upload"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/respond"
)

// A deliveryStatus is what /-/uploads/ID answers as JSON.
type deliveryStatus struct {
	ID         string       `json:"id"`
	Collection string       `json:"collection"`
	Done       bool         `json:"done"` // nothing changes any more
	Files      []fileStatus `json:"files"`
}

type fileStatus struct {
	Name     string          `json:"name"`    // as it came
	Stored   *string         `json:"stored"`  // the name that it was given
	SameAs   *string         `json:"same_as"` // the name of the same file that the collection had
	State    upload.State    `json:"state"`
	Percent  int             `json:"percent"` // of what the state says
	Size     int64           `json:"size"`
	Received int64           `json:"received"`
	Captures int             `json:"captures"`
	Damaged  int             `json:"damaged"`
	Problems []problemStatus `json:"problems"`
	Pages    []pageStatus    `json:"pages"`
	Reason   *string         `json:"reason"` // why it was refused, or failed
}

type problemStatus struct {
	Member string `json:"member,omitempty"`
	Offset int64  `json:"offset"`
	Reason string `json:"reason"`
}

type pageStatus struct {
	OriginalURI string `json:"original_uri"`
	Datetime    string `json:"datetime"`
	URIM        string `json:"uri_m"`
}

func (h *Handler) statusOf(r *http.Request, v *upload.Delivery) deliveryStatus {
	d := deliveryStatus{ID: v.ID, Collection: v.Coll, Done: true, Files: []fileStatus{}}
	uris := h.site.Absolute(r, v.Coll)
	for _, s := range v.Status() {
		f := fileStatus{
			Name: s.GivenName, Stored: respond.OrNull(s.Stored), SameAs: respond.OrNull(s.SameAs), State: s.State, Percent: s.Percent, Size: s.Size,
			Received: s.Received, Captures: s.Captures, Damaged: s.Damaged, Problems: []problemStatus{}, Pages: []pageStatus{},
			Reason: respond.OrNull(s.Reason),
		}
		for _, p := range s.Problems {
			f.Problems = append(f.Problems, problemStatus(p))
		}
		for _, p := range h.pages(r.Context(), v.Coll, &s) {
			f.Pages = append(f.Pages, pageStatus{p.URIR, p.Time.String(), uris.Memento(p.Time, "", p.URIR)})
		}
		d.Done = d.Done && s.State.Over()
		d.Files = append(d.Files, f)
	}
	return d
}

// pages returns the pages of an indexed file that the reader may see.
func (h *Handler) pages(ctx context.Context, coll string, s *upload.Status) (all []upload.Page) {
	if s.State != upload.Done {
		return nil
	}
	for _, p := range s.Pages {
		tl, err := h.archive.Timelines.Get(ctx, coll, surt.Of(p.URIR))
		if err == nil && tl.Memento(p.Time) != nil {
			all = append(all, p)
		}
	}
	return all
}

func (h *Handler) showDelivery(w http.ResponseWriter, r *http.Request, id string, shared layout.Page) error {
	respond.Vary(w.Header(), "Accept")
	v := h.Queue.Delivery(id)
	if v == nil {
		return respond.NotFound("nothing is known of this delivery: the server may have been started since")
	}
	if !respond.IsBrowser(r) {
		return respond.WriteJSON(w, r, h.statusOf(r, v))
	}
	view := pageView{Page: shared, Again: h.site.Path() + path, Done: true}
	uris := h.site.Local(v.Coll)
	view.Coll, view.Open = banner.Link{Href: uris.Home(), Text: h.site.Title(v.Coll)}, uris.Home()
	for _, s := range v.Status() {
		f := fileView{Status: s, CollHref: uris.Home()}
		for _, p := range h.pages(r.Context(), v.Coll, &s) {
			f.Shown = append(f.Shown, pageOfFile{
				URIR: p.URIR, CaptureLink: banner.CaptureLink{Time: p.Time, Href: uris.Memento(p.Time, "", p.URIR)},
			})
		}
		view.Done = view.Done && s.State.Over()
		view.Files = append(view.Files, f)
	}
	if !view.Done && r.Header.Get("Sec-Fetch-Dest") != "empty" { // a page without scripts looks again by itself
		w.Header().Set("Refresh", "3")
	}
	return respond.RenderAlone(w, r, http.StatusOK, uploadsPage(view))
}
