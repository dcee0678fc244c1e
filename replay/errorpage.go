package replay

import (
	"net/http"
	"strings"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
)

// missingPage shows what there is in place of a URI-R without usable captures. It reports whether it could.
func (s *pages) missingPage(w http.ResponseWriter, r *http.Request, p Path) bool {
	ts, err := moment(p)
	if asked, bad := acceptDatetime(r); p.Kind == TimeGate && asked != 0 && bad == nil {
		ts = asked
	}
	if err != nil {
		return false
	}
	if err = s.Missing(w, r, p, ts, nil); err != nil {
		s.Log.Error("missing page", "target", r.RequestURI, "error", err)
	}
	return err == nil
}

// Missing shows what there is in place of a URI-R without usable captures, at ts. link says where alternatives lead, nil to
// their URI-Ms.
func (s *pages) Missing(w http.ResponseWriter, r *http.Request, p Path, ts cdx.Timestamp, link func(uriR string) string) error {
	l, err := s.findLanding(r.Context(), p.Coll, p.URIR, ts)
	if err != nil {
		return err
	}
	v := s.landingView(r, p, l)
	for i := range v.Alternatives {
		if link != nil {
			v.Alternatives[i].Href = link(v.Alternatives[i].URIR)
		}
	}
	return render(w, r, http.StatusNotFound, banner.Landing(v))
}

// errorPage shows a failure to a person: what is known, and where to go.
func (s *pages) errorPage(w http.ResponseWriter, r *http.Request, p Path, f *failure) {
	if f.absent && s.missingPage(w, r, p) {
		return
	}
	v := banner.ErrorView{Page: s.site.shared(r, p), Status: f.status, Detail: sentence(f.say)}
	if p.URIR != "" && s.Index.Has(p.Coll) {
		uris := s.site.local(p.Coll)
		v.Prefix = uris.Home() + "*/" + hostPrefix(p.URIR)
		for i := len(f.others) - 1; i >= 0 && len(v.Others) < maxOthers; i-- {
			v.Others = append(v.Others, *captureLink(uris, &f.others[i]))
		}
		if len(f.others) > 0 {
			v.Calendar = uris.Calendar(p.URIR)
		}
	} else if p.Coll != "" && !s.Index.Has(p.Coll) {
		v.Coll, v.Open = banner.Link{}, ""
	}
	if err := render(w, r, f.status, banner.Error(v)); err != nil {
		s.Log.Error("error page", "error", err)
		http.Error(w, f.say, f.status)
	}
}

// hostPrefix is the list of everything on the host of a URI-R.
func hostPrefix(uriR string) string {
	i := strings.Index(uriR, "://")
	if i < 0 {
		return uriR + "*"
	}
	if j := strings.IndexAny(uriR[i+3:], "/?"); j >= 0 {
		return uriR[:i+3+j] + "/*"
	}
	return uriR + "/*"
}

func sentence(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}
