package feed

import (
	"cmp"
	"context"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/atom"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/pages/versions"
	"github.com/varve-archive/varve/replay/respond"
)

const (
	// usualSince is the default period of a monitor.
	usualSince = "7d"
	// maxMonitored bounds the changes that are ordered.
	maxMonitored = 5000
	// monitorRows is the default number of rows.
	monitorRows = maxEntries
	// beforeNewest is the number of days, before the last change of a collection, that are offered if nothing changed since.
	beforeNewest = -30
)

// A monitor is the answer of /{coll}/monitor.
type monitor struct {
	Since   string    `json:"since"`
	Until   string    `json:"until"`
	Level   string    `json:"level"`
	Total   int       `json:"total"`             // of changes, also of those that are not listed
	Bounded bool      `json:"bounded,omitempty"` // there may be more than Total
	Changes []changed `json:"changes"`           // most important first
	Rising  []rising  `json:"rising,omitempty"`  // what is least likely by chance first
}

// A changed is one change. Added and Deleted count distinct words; Share is the part of the page's own content that changed.
type changed struct {
	OriginalURI string  `json:"original_uri"`
	Title       string  `json:"title"`
	Kind        string  `json:"kind"` // page, resource, redirect, missing or error: what the address shows now
	URIM        string  `json:"uri_m"`
	Datetime    string  `json:"datetime"`
	Diff        *string `json:"diff"` // null for a first version
	Added       int     `json:"added"`
	Deleted     int     `json:"deleted"`
	Share       float64 `json:"share"`
	Score       float64 `json:"score,omitempty"` // against what is watched for
}

// Monitor answers /{coll}/monitor: a page for browsers, the same changes as a feed where Accept names one, else JSON.
func (h *Handler) Monitor(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	if p.Params.Get("since") == "" {
		p.Params.Set("since", usualSince)
	}
	if p.Params.Get("limit") == "" {
		p.Params.Del("limit")
	}
	respond.Vary(w.Header(), "Accept")
	if strings.Contains(r.Header.Get("Accept"), atom.Type) && !respond.IsBrowser(r) {
		return h.Feed(w, r, p)
	}
	a, err := read(p, h.now())
	if err != nil {
		return err
	}
	if a.query != nil {
		return respond.BadRequest("a monitor tells of all changes; those of a query are in feed?q=… and search?q=…")
	}
	if !p.Params.Has("limit") {
		a.limit = monitorRows
	}
	found, err := h.find(r.Context(), a, 0, maxMonitored)
	if err != nil {
		return counting(err)
	}
	total := len(found.items)
	slices.SortStableFunc(found.items, func(x, y item) int {
		return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(y.version.Importance(), x.version.Importance()))
	})
	shown := found.items[:min(total, a.limit)]
	for i := range shown {
		if err := h.open(r.Context(), p.Coll, &shown[i]); err != nil {
			return err
		}
	}
	bounded := found.many || found.more
	if respond.IsBrowser(r) && p.Params.Get("output") != "json" {
		v, err := h.view(r, p, a, shown, total, bounded)
		if err != nil {
			return err
		}
		return respond.Render(w, r, http.StatusOK, monitorPage(v))
	}
	out := monitor{
		Since: a.Since.String(), Until: h.until(a).String(), Level: a.Level.String(), Total: total, Bounded: bounded, Changes: []changed{},
	}
	uris := h.site.Absolute(r, p.Coll)
	if out.Rising, err = h.rise(r.Context(), a, uris); err != nil {
		return err
	}
	for i := range shown {
		out.Changes = append(out.Changes, changedBy(&shown[i], a.Level, uris))
	}
	return respond.WriteJSON(w, r, out)
}

func (h *Handler) until(a *ask) cdx.Timestamp {
	return cmp.Or(a.Until, cdx.FromTime(h.now()))
}

func changedBy(i *item, level change.Level, uris memento.URIs) changed {
	out := changed{
		OriginalURI: i.url, Title: i.title, Kind: i.kind.String(), URIM: uris.Memento(i.time, "", i.url), Datetime: i.time.String(),
		Share: rounded(i.version.Share()), Score: rounded(i.score),
	}
	if i.before != 0 {
		out.Diff = new(versions.DiffAt(level, uris, i.before, i.time, i.url))
	}
	if d := i.version.Range.Change; d != nil {
		out.Added, out.Deleted = d.Added, d.Deleted
	}
	return out
}

func rounded(n float64) float64 { return math.Round(n*1000) / 1000 }

func (h *Handler) view(r *http.Request, p respond.Path, a *ask, shown []item, total int, bounded bool) (v pageView, err error) {
	uris := h.site.Local(p.Coll)
	with := func(name, endpoint, value string) string {
		params := a.params(p)
		params.Set(name, value)
		if name == "since" { // it lasts until now
			params.Del("until")
		}
		return uris.Endpoint(endpoint, params.Encode())
	}
	v = pageView{
		Page: h.shared(r, p), Of: cmp.Or(a.URL, a.url), Since: a.Since, Until: a.Until, Total: total, Bounded: bounded,
		Action: uris.Endpoint("monitor", ""), JSON: with("output", "monitor", "json"),
	}
	v.Page.Feed = uris.Endpoint("feed", followed(a, p).Encode())
	v.SinceAsked = a.since
	for _, days := range []string{"1d", "7d", "30d", "365d"} {
		v.Spans = append(v.Spans, spanView{Days: days, Href: with("since", "monitor", days), Current: a.since == days})
		if a.since == days {
			v.SinceAsked = ""
		}
	}
	for _, name := range []string{"url", "matchType", "level", "type", "watch", "threshold", "rising"} {
		if value := p.Params.Get(name); value != "" {
			v.Hidden = append(v.Hidden, layout.Hidden{Name: name, Value: value})
		}
	}
	for i := range shown {
		v.Rows = append(v.Rows, row(&shown[i], a.Level, uris))
	}
	if h.searches.Exist() && a.URL == "" {
		v.Rising = with("rising", "monitor", search.Added.String())
	}
	if v.RisingRows, err = h.rise(r.Context(), a, uris); err != nil {
		return v, err
	}
	if total == 0 {
		v.Newest, v.SinceNewest, err = h.newest(r.Context(), a, uris, with)
	}
	return v, err
}

// followed returns the parameters of the corresponding feed. A feed continues, so it has no bounds of time.
func followed(a *ask, p respond.Path) url.Values {
	v := a.params(p)
	for _, name := range []string{"since", "until", "limit", "rising"} {
		v.Del(name)
	}
	return v
}

func row(i *item, level change.Level, uris memento.URIs) rowView {
	out := rowView{
		CaptureLink: banner.CaptureLink{Href: uris.Memento(i.time, "", i.url), Time: i.time}, URIR: i.url, Title: i.title,
		Calendar: versions.CalendarAt(level, uris, i.url), First: i.before == 0, Share: i.version.Share(),
	}
	switch i.kind {
	case change.Missing:
		out.Kind = banner.KindMissing
	case change.Redirect:
		out.Kind = banner.KindRedirect
	case change.Error:
		out.Kind = banner.KindError
	case change.Resource:
		out.Kind = banner.KindResource
	}
	if i.version.Range.Alternates {
		out.Note.Alternates = i.version.Range.First
	}
	if i.before != 0 {
		out.Diff, out.Rested = versions.DiffAt(level, uris, i.before, i.time, i.url), i.version.Before.First
	}
	if d := i.version.Range.Change; d != nil {
		out.Delta = banner.Delta{Added: d.Added, Deleted: d.Deleted, Pictures: d.Pictures, Known: true}
	}
	return out
}

// newest returns the newest change of all if nothing changed in the period, and the address of a page with it and those shortly before.
func (h *Handler) newest(
	ctx context.Context, a *ask, uris memento.URIs, with func(name, endpoint, value string) string,
) (*banner.CaptureLink, string, error) {
	ever := *a
	ever.Since, ever.Until, ever.watch = 0, 0, nil
	found, err := h.find(ctx, &ever, 0, 1)
	if err != nil || len(found.items) == 0 {
		return nil, "", err
	}
	last := &found.items[0]
	since := cdx.FromTime(last.time.Time().AddDate(0, 0, beforeNewest))
	return &banner.CaptureLink{Href: uris.Memento(last.time, "", last.url), Time: last.time}, with("since", "monitor", since.String()[:8]), nil
}
