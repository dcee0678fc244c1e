// Package banners fills in the banner that is injected into archived pages.
package banners

import (
	"bytes"
	"context"
	"net/http"
	"net/url"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/gallery"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/search"
	"github.com/varve-archive/varve/replay/pages/versions"
	"github.com/varve-archive/varve/replay/respond"
)

// A Handler makes banners.
type Handler struct {
	archive  *archive.Archive
	box      *search.Handler
	drawings *lru.Cache[drawingKey, *banner.Timeline]
}

// New returns a handler over an archive with its searches.
func New(a *archive.Archive, box *search.Handler) *Handler {
	drawings, _ := lru.New[drawingKey, *banner.Timeline](cachedDrawings) // the error is for a size of 0
	return &Handler{a, box, drawings}
}

// maxTicks is how many captures the banner's timeline shows; more would not have a pixel each.
const maxTicks = 300

// Banner is a [respond.BannerFunc].
func (h *Handler) Banner(r *http.Request, request *respond.BannerRequest) (render func(banner.Embeds) []byte) {
	v, err := h.bannerView(r, request)
	if err != nil {
		h.log(r, err)
		return nil
	}
	return func(embeds banner.Embeds) []byte {
		v.Embeds = embeds
		var b bytes.Buffer
		if err := banner.Banner(v).Render(r.Context(), &b); err != nil {
			h.log(r, err)
			return nil
		}
		return b.Bytes()
	}
}

// log logs why there is no banner, unless the reader has left.
func (h *Handler) log(r *http.Request, err error) {
	if r.Context().Err() == nil {
		h.archive.Log.Error("banner", "target", r.RequestURI, "error", err)
	}
}

func (h *Handler) bannerView(r *http.Request, request *respond.BannerRequest) (banner.BannerView, error) {
	c, uris := request.Capture, request.Pages
	place, err := request.Original.Place(r.Context(), request.Near, banner.MaxCaptureList)
	if err != nil {
		return banner.BannerView{}, err
	}
	v := banner.BannerView{
		Lang: locale.Choose(r.Header.Get("Accept-Language")),
		Home: request.Home, URIR: c.URL, Memento: request.Memento, Time: c.Time,
		Calendar: uris.Calendar(c.URL), Open: uris.Home(),
		Slider: uris.Endpoint("diff", url.Values{"url": {c.URL}, "at": {c.Time.String()}}.Encode()),
		Info:   uris.Info(c.Time, c.URL),
		Feed:   uris.Endpoint("feed", url.Values{"url": {c.URL}}.Encode()),
		Levels: uris.Endpoint("changes", url.Values{"url": {c.URL}}.Encode()),
		GoTo:   request.Moves.Home(), Search: h.box.SearchIn(uris, c.URL),
		Assets: request.Assets, NoRuntime: request.NoRuntime, CameFrom: request.CameFrom, Source: request.Source, CutOff: request.CutOff,
		Prev: respond.CaptureLink(request.Moves, request.Near.Prev), Next: respond.CaptureLink(request.Moves, request.Near.Next),
	}
	if place.Range != nil {
		tellVersions(&v, request, place)
	}
	if kind := place.Kind(c); kind == change.Missing || kind == change.Redirect {
		v.Landing = uris.Landing(c.Time, c.URL)
	}
	if err := h.pictured(r.Context(), &v, request); err != nil {
		return v, err
	}
	v.Timeline, err = h.drawing(r.Context(), request.Original, request.Near.Last, request.Moves)
	return v, err
}

// pictured fills in what the picture of the capture says about missing resources.
func (h *Handler) pictured(ctx context.Context, v *banner.BannerView, request *respond.BannerRequest) error {
	pictures, err := h.archive.Gallery.Pictures(ctx, request.Original.Coll, request.Original.Key, 0)
	if err != nil {
		return err
	}
	if pictures = gallery.Spelled(pictures, request.Original.Spelling()); len(pictures) == 0 {
		return nil
	}
	v.Pictured = true
	for _, p := range pictures { // of this very capture, since others lack other parts
		if p.Time == request.Capture.Time && p.HasImage() {
			v.Damage = banner.Percent(p.Damage)
		}
	}
	return nil
}

// tellVersions fills in what the banner says about the version of the capture and its neighbours.
func tellVersions(v *banner.BannerView, request *respond.BannerRequest, at *timeline.Place) {
	r := at.Range
	v.Kind, v.Versions, v.Captures = kindIn(at, request.Capture), at.Versions, r.Captures
	if v.Kind != banner.KindError || r.Kind == change.Error { // an error between other captures isn't a version
		v.Version, v.UnchangedFrom, v.UnchangedTo, v.Capture = at.Number+1, r.First, r.Last, at.At
		v.Alternates = r.Alternates
	}
	if last := at.Last; last != nil {
		if r.Kind == change.Page && at.Before.Kind == change.Page {
			v.Diff = request.Pages.Diff(last.Time, request.Capture.Time, request.Capture.URL)
		}
		v.PrevVersion = &banner.VersionLink{
			Href: request.Moves.Memento(last.Time, "", last.URL), Time: last.Time, Ends: versions.EndingOf(at.Before),
			Delta: versions.DeltaOf(r.Change),
		}
	}
	if first := at.Next; first != nil {
		v.NextVersion = &banner.VersionLink{
			Href: request.Moves.Memento(first.Time, "", first.URL), Time: first.Time, Ends: versions.EndingOf(at.After),
			Delta: versions.DeltaOf(at.After.Change),
		}
	}
	for i := range at.Captures {
		v.CaptureList = append(v.CaptureList, *respond.CaptureLink(request.Moves, &at.Captures[i]))
	}
}

// kindIn returns what a capture shows, as [versions.ShownKind] does.
func kindIn(at *timeline.Place, c *cdx.Capture) banner.Kind {
	if c.Failed() && !c.Truncated || at.Unshown {
		return banner.KindError
	}
	return versions.KindOf(at.Range.Kind)
}

// cachedDrawings bounds how many drawings of timelines are cached, some tens of kilobytes each.
const cachedDrawings = 256

// A drawingKey identifies the drawing of a timeline at one generation of the index.
type drawingKey struct {
	coll, key, spelling, base string
	generation                uint64
}

// drawing returns the banner's timeline of a URI-R. It is drawn once for all captures, of which last is the last one.
func (h *Handler) drawing(ctx context.Context, o *timeline.Original, last *cdx.Capture, uris memento.URIs) (*banner.Timeline, error) {
	key := drawingKey{o.Coll, o.Key, o.Spelling(), uris.Base, h.archive.Index.Generation()}
	if d, ok := h.drawings.Get(key); ok {
		return d, nil
	}
	moments, captures, found, err := o.Moments(ctx, last)
	if err != nil {
		return nil, err
	}
	var drawn []banner.Tick
	if found {
		drawn = sampled(moments, last.URL, uris)
	} else {
		tl, err := o.Timeline(ctx)
		if err != nil {
			return nil, err
		}
		ranges, err := tl.Ranges(change.LevelContent)
		if err != nil {
			return nil, err
		}
		drawn, captures = ticks(tl, ranges, uris), len(tl.Captures)
	}
	d := banner.NewTimeline(drawn, captures)
	h.drawings.Add(key, d)
	return d, nil
}

// sampled reduces the moments of very many captures to ticks: maxTicks changes, and as many others.
func sampled(moments []timeline.Moment, uriR string, uris memento.URIs) (out []banner.Tick) {
	begins := 0
	for _, m := range moments {
		if m.Begins {
			begins++
		}
	}
	steps := map[bool]int{true: 1 + begins/maxTicks, false: 1 + (len(moments)-begins)/maxTicks}
	seen := map[bool]int{}
	for i, m := range moments {
		if seen[m.Begins]++; seen[m.Begins]%steps[m.Begins] != 0 && i > 0 && i < len(moments)-1 {
			continue
		}
		tick := banner.Tick{Time: m.Time, Changed: m.Begins, Kind: versions.KindOf(m.Kind)}
		if m.Begins {
			tick.Href = uris.Memento(m.Time, "", uriR)
		}
		out = append(out, tick)
	}
	return out
}

// ticks samples the captures for the banner's timeline: all changes if there is room, then captures between them. The
// very first capture is not a change.
func ticks(t *timeline.Timeline, ranges []change.Range, uris memento.URIs) []banner.Tick {
	step := 1 + len(t.Captures)/maxTicks
	changes := 1 + len(ranges)/maxTicks
	var out []banner.Tick
	r := -1
	for i := range t.Captures {
		c := &t.Captures[i]
		begins := false
		for r+1 < len(ranges) && ranges[r+1].First <= c.Time {
			r++
			begins = r > 0 && r%changes == 0
		}
		if !begins && i%step != 0 && i != len(t.Captures)-1 { // the last one is where the line ends
			continue
		}
		tick := banner.Tick{Time: c.Time, Changed: begins, Kind: versions.ShownKind(t, c, ranges, r)}
		if begins {
			tick.Href = uris.Memento(c.Time, "", c.URL)
		}
		out = append(out, tick)
	}
	return out
}
