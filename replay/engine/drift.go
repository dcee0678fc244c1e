package engine

import (
	"net/http"
	"strings"
	"time"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/respond"
	"github.com/varve-archive/varve/rewrite/uses"
)

// The datetime of a page is the target for all its parts. The resources of a style sheet or a module are looked up around the datetime of
// the page, not around that of the sheet, which may have been captured years earlier or later.
//
// The Referer names the page: browsers send it when they request the parts of a page. If a sheet imports another one, the Referer names
// the sheet. So if the sheet is more than [driftReach] from the page, the modifier of the imported URI-M carries the target:
// 20160101000000$cs.20140101000000 is the capture of 2016 as a style sheet of a page of 2014.

// driftReach is the largest difference, in seconds, between a sheet and its page at which the page's datetime isn't passed on: the
// captures of one crawl count as simultaneous.
const driftReach = 24 * 60 * 60

// carrierName returns the short name of a use whose answers refer to further resources, or "".
func carrierName(use uses.Use) string {
	switch use {
	case uses.Style:
		return "cs"
	case uses.Module:
		return "esm"
	}
	return ""
}

// targetMod returns the modifier that carries a target.
func targetMod(use uses.Use, target cdx.Timestamp) string {
	return "$" + carrierName(use) + "." + target.String()
}

// parseTargetMod reads such a modifier. ok is false for any other.
func parseTargetMod(mod string) (use uses.Use, target cdx.Timestamp, ok bool) {
	for _, use := range []uses.Use{uses.Style, uses.Module} {
		if ts, found := strings.CutPrefix(mod, "$"+carrierName(use)+"."); found && len(ts) == 14 {
			target, err := cdx.ParseTimestamp(ts)
			return use, target, err == nil
		}
	}
	return 0, 0, false
}

// target returns the datetime around which the references in an answer are looked up.
func (m *answer) target() cdx.Timestamp {
	if _, ts, ok := parseTargetMod(m.p.Mod); ok {
		return ts
	}
	if embedded(m.use) {
		if ts, ok := m.s.fromPage(m.r, m.p.Coll); ok {
			return ts
		}
	}
	if asked, err := cdx.ParseAsked(m.p.From); err == nil && len(m.p.From) == 14 { // differs for a fuzzy answer
		return asked
	}
	return m.a.Capture.Time
}

// embedded reports whether the request is for a part of a page that may refer to further parts.
func embedded(use uses.Use) bool {
	switch use {
	case uses.Style, uses.Script, uses.Module, uses.Worker, uses.ModuleWorker, uses.Object, uses.Image:
		return true
	}
	return false
}

// fromPage reads the datetime of the page from the Referer.
func (s *Handler) fromPage(r *http.Request, coll string) (cdx.Timestamp, bool) {
	rest, ok := s.site.FromReplay(r)
	if !ok {
		return 0, false
	}
	p := respond.ParsePath("/" + rest)
	if p.Coll != coll || p.Kind != respond.Memento && p.Kind != respond.Animate || len(p.From) != 14 {
		return 0, false
	}
	if _, ts, carried := parseTargetMod(p.Mod); carried {
		return ts, true
	}
	ts, err := cdx.ParseAsked(p.From)
	return ts, err == nil
}

// A drift is the largest difference between a page's datetime and that of a part it embeds: part minus page.
type drift time.Duration

// far returns the drift if it is worth mentioning, else 0.
func (d drift) far() time.Duration {
	if max(d, -d) < drift(driftReach*time.Second) {
		return 0
	}
	return time.Duration(d)
}

func (d *drift) note(use uses.Use, page, part cdx.Timestamp) {
	if use == uses.Link || use == uses.Page {
		return
	}
	if apart := drift(part.Time().Sub(page.Time())); max(apart, -apart) > max(*d, -*d) {
		*d = apart
	}
}
