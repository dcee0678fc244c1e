package replay

import (
	"context"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/change"
	"github.com/varve-archive/varve/memento"
)

// landingView is the page's view of a landing.
func (s *pages) landingView(r *http.Request, p Path, l *landing) banner.LandingView {
	uris := s.site.local(p.Coll)
	v := banner.LandingView{Page: s.site.shared(r, p), Case: banner.LandingNever, Status: http.StatusNotFound, Site: siteOf(l.uriR)}
	v.URIR, v.Prefix = l.uriR, uris.Home()+"*/"+hostPrefix(l.uriR)
	if c := l.capture; c != nil {
		v.Case, v.Time, v.Status, v.Calendar = l.landingCase(), c.Time, c.Status, uris.Calendar(c.URL)
		v.Target, v.TargetIsHome = l.target, isHome(l.endURIR())
		v.TargetCard = s.card(r.Context(), uris, l.leadsTo())
		v.Before, v.After = s.card(r.Context(), uris, l.before), s.card(r.Context(), uris, l.after)
		v.Similarity = similarityView(l.similarity)
		v.Chain = hopViews(uris, l.hops)
	}
	for _, a := range l.alternatives {
		v.Alternatives = append(v.Alternatives, banner.Alternative{
			CaptureLink: *captureLink(uris, a.capture), URIR: a.capture.URL, Title: a.title,
			Similarity: a.shownSimilarity(), Why: a.why,
		})
	}
	return v
}

// shownSimilarity leaves out what would only say that a neighbour is another page.
func (a *alternative) shownSimilarity() banner.Similarity {
	if a.rank() == 0 {
		return banner.Similarity{}
	}
	return similarityView(a.similarity)
}

func (l *landing) landingCase() banner.LandingCase {
	switch {
	case l.kind == change.Redirect:
		return banner.LandingRedirect
	case l.soft:
		return banner.LandingSoft404
	}
	return banner.LandingMissing
}

// isHome reports whether a URI-R is the home page of its host.
func isHome(uriR string) bool {
	_, path, ok := strings.Cut(surt.Of(uriR), ")")
	if !ok {
		return false
	}
	for _, name := range indexPages {
		if path == "/"+name {
			return true
		}
	}
	return path == "/"
}

func similarityView(v *float64) banner.Similarity {
	if v == nil {
		return banner.Similarity{}
	}
	return banner.Similarity{Value: *v, Known: true}
}

func hopViews(uris memento.URIs, hops []hop) []banner.Hop {
	var out []banner.Hop
	for _, h := range hops {
		v := banner.Hop{URIR: h.uriR, Loop: h.loop}
		if c := h.capture; c != nil {
			v.Href, v.Time, v.Status = uris.Memento(c.Time, "", c.URL), c.Time, c.Status
		}
		out = append(out, v)
	}
	return out
}

// card shows a capture with the beginning of its text; without it where the record can't be read.
func (s *pages) card(ctx context.Context, uris memento.URIs, c *cdx.Capture) *banner.Card {
	if c == nil {
		return nil
	}
	v := &banner.Card{CaptureLink: *captureLink(uris, c), URIR: c.URL}
	if c.Text == 0 {
		return v
	}
	t, err := s.text(ctx, c)
	if err != nil {
		s.Log.Warn("no preview", "uri", c.URL, "file", c.FileName, "offset", c.Offset, "error", err)
		return v
	}
	v.Title, v.Preview = t.Title, preview(&t)
	return v
}

// maxPreview is the length of a preview in bytes.
const maxPreview = 300

// preview is the beginning of what the page itself says, without what stands on all pages of its site.
func preview(t *change.Text) string {
	var b strings.Builder
	for _, block := range t.Blocks {
		if block.Region != change.Main || block.Links > 0.8 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(block.Text)
		if b.Len() > maxPreview {
			break
		}
	}
	s := b.String()
	if len(s) <= maxPreview {
		return s
	}
	cut := maxPreview
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	if i := strings.LastIndexByte(s[:cut], ' '); i > cut/2 {
		cut = i
	}
	return s[:cut] + "…"
}
