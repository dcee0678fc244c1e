package comparison

import (
	"bytes"
	"net/http"
	"time"

	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/replay/respond"
)

// noPage reports whether one of the captures is an error or a redirect: then the page changed, not its text.
func (c *comparison) noPage() bool {
	return timeline.IsRedirect(c.older) || timeline.IsRedirect(c.newer) ||
		c.older.Status >= http.StatusBadRequest || c.newer.Status >= http.StatusBadRequest
}

// playOrExplain answers with the older page under the bar, or with a page that says why the change can't be played.
func (h *Handler) playOrExplain(w http.ResponseWriter, r *http.Request, p respond.Path, c *comparison) error {
	if c.noText() || c.noPage() {
		return h.notPlayable(w, r, p, c)
	}
	v, err := newAnimation(c).view(r, h.site.Path()+"/", h.site.Local(p.Coll), p.URIR)
	if err != nil {
		return err
	}
	played, err := h.play(w, r, p, c.tl, c.older, h.bar(r, v))
	if played || err != nil {
		return err
	}
	return h.notPlayable(w, r, p, c)
}

// bar renders the bar over the page. Like the banner, it says how far in time parts of the page are from it.
func (h *Handler) bar(r *http.Request, v AnimationView) func(drift time.Duration) []byte {
	return func(drift time.Duration) []byte {
		v.Drift = drift
		var b bytes.Buffer
		if err := Animation(v).Render(r.Context(), &b); err != nil {
			h.archive.Log.Error("animation", "target", r.RequestURI, "error", err)
			return nil
		}
		return b.Bytes()
	}
}

// notPlayable answers that a change can't be played, and links to its diff.
func (h *Handler) notPlayable(w http.ResponseWriter, r *http.Request, p respond.Path, c *comparison) error {
	uris := h.site.Local(p.Coll)
	v := NoAnimationView{Page: h.shared(r, p), Diff: c.diffURI(uris, c.older.Time, c.newer.Time, p.URIR)}
	switch {
	case c.noPage():
		v.Why = NotBothPages
	case c.noText():
		v.Why = NoTextToPlay
	}
	var err error
	if v.Older, v.Newer, err = c.sides(uris); err != nil {
		return err
	}
	return respond.Render(w, r, http.StatusOK, NoAnimation(v))
}
