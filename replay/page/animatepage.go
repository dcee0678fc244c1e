package page

import (
	"bytes"
	"net/http"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/replay/web"
)

// noPage reports whether one of the captures is an error or a redirect: then the text did not change, the page went.
func (c *comparison) noPage() bool {
	return archive.IsRedirect(c.older) || archive.IsRedirect(c.newer) ||
		c.older.Status >= http.StatusBadRequest || c.newer.Status >= http.StatusBadRequest
}

// playable answers with the older page under the bar; where there is none to play in, with a page that says so.
func (s *Handler) playable(w http.ResponseWriter, r *http.Request, p web.Path, c *comparison) error {
	if c.noText() || c.noPage() {
		return s.notPlayable(w, r, p, c)
	}
	played, err := s.Play(w, r, p, c.tl, c.older, s.bar(r, p, newAnimation(c)))
	if played || err != nil {
		return err
	}
	return s.notPlayable(w, r, p, c)
}

// bar is the mark-up over the page; it says how far parts of the page are from it, as the banner does.
func (s *Handler) bar(r *http.Request, p web.Path, a *animation) func(drift time.Duration) []byte {
	v := a.view(r, s.site.Path()+"/", s.site.Local(p.Coll), p.URIR)
	return func(drift time.Duration) []byte {
		v.Drift = drift
		var b bytes.Buffer
		if err := banner.Animation(v).Render(r.Context(), &b); err != nil {
			s.Log.Error("animation", "target", r.RequestURI, "error", err)
			return nil
		}
		return b.Bytes()
	}
}

// notPlayable says that a change can't be played, and where it can be read.
func (s *Handler) notPlayable(w http.ResponseWriter, r *http.Request, p web.Path, c *comparison) error {
	uris := s.site.Local(p.Coll)
	v := banner.NoAnimationView{Page: s.site.Shared(r, p), Diff: c.diffURI(uris, c.older.Time, c.newer.Time, p.URIR)}
	switch {
	case c.noPage():
		v.Why = banner.NotBothPages
	case c.noText():
		v.Why = banner.NoTextToPlay
	}
	v.Older, v.Newer = c.sides(uris)
	return web.Render(w, r, http.StatusOK, banner.NoAnimation(v))
}
