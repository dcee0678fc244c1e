package page

import (
	"bytes"
	"net/http"
	"net/url"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/text"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/change"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/web"
)

// maxTicks is how many captures the banner's timeline shows; more would not have a pixel each.
const maxTicks = 300

// Banner is a [web.BannerFunc].
func (s *Handler) Banner(r *http.Request, request *web.BannerRequest) (render func(drift time.Duration) []byte) {
	v, err := s.bannerView(r, request)
	if err != nil {
		s.Log.Error("banner", "target", r.RequestURI, "error", err)
		return nil
	}
	return func(drift time.Duration) []byte {
		v.Drift = drift
		var b bytes.Buffer
		if err := banner.Banner(v).Render(r.Context(), &b); err != nil {
			s.Log.Error("banner", "target", r.RequestURI, "error", err)
			return nil
		}
		return b.Bytes()
	}
}

func (s *Handler) bannerView(r *http.Request, request *web.BannerRequest) (banner.BannerView, error) {
	c, tl, uris := request.Capture, request.Timeline, request.Pages
	ranges, err := tl.Ranges(change.LevelContent)
	if err != nil {
		return banner.BannerView{}, err
	}
	v := banner.BannerView{
		Lang: text.Choose(r.Header.Get("Accept-Language")),
		Home: request.Home, URIR: c.URL, Memento: request.Memento, Time: c.Time,
		Calendar: uris.Calendar(c.URL), Open: uris.Home(),
		Slider: uris.Endpoint("diff", url.Values{"url": {c.URL}, "at": {c.Time.String()}}.Encode()),
		Info:   uris.Info(c.Time, c.URL),
		Levels: uris.Endpoint("changes", url.Values{"url": {c.URL}}.Encode()),
		GoTo:   request.Moves.Home(), Search: s.SearchIn(uris, c.URL),
		Assets: request.Assets, NoRuntime: request.NoRuntime, CameFrom: request.CameFrom, Source: request.Source,
		Prev: captureLink(request.Moves, request.Near.Prev), Next: captureLink(request.Moves, request.Near.Next),
	}
	i := archive.RangeOf(ranges, c.Time)
	if i >= 0 {
		versions(&v, request, ranges, i)
	}
	if kind, _ := archive.KindAt(c, ranges, i); kind == change.Missing || kind == change.Redirect {
		v.Landing = uris.Landing(c.Time, c.URL)
	}
	v.Timeline = s.drawing(tl, ranges, request.Moves)
	return v, nil
}

// versions fills in what the banner says about validity range i and its neighbours.
func versions(v *banner.BannerView, request *web.BannerRequest, ranges []change.Range, i int) {
	tl, r := request.Timeline, &ranges[i]
	v.Kind, v.Version, v.Versions = shownKind(tl, request.Capture, ranges, i), i+1, len(ranges)
	v.UnchangedFrom, v.UnchangedTo, v.Captures = r.First, r.Last, r.Captures
	if i > 0 {
		last := tl.Memento(ranges[i-1].Last)
		if r.Kind == change.Page && ranges[i-1].Kind == change.Page {
			v.Diff = request.Pages.Diff(last.Time, request.Capture.Time, request.Capture.URL)
		}
		v.PrevVersion = &banner.VersionLink{Href: request.Moves.Memento(last.Time, "", last.URL), Time: last.Time, Delta: deltaOf(r.Change)}
	}
	if i+1 < len(ranges) {
		first := tl.Memento(ranges[i+1].First)
		v.NextVersion = &banner.VersionLink{
			Href: request.Moves.Memento(first.Time, "", first.URL), Time: first.Time, Delta: deltaOf(ranges[i+1].Change),
		}
	}
	from, _ := tl.Second(r.First)
	for j := from; j < len(tl.Captures) && (r.Until == 0 || tl.Captures[j].Time < r.Until); j++ {
		c := &tl.Captures[j]
		if c.Time == request.Capture.Time {
			v.Capture = j - from + 1
		}
		if len(v.CaptureList) < banner.MaxCaptureList {
			v.CaptureList = append(v.CaptureList, *captureLink(request.Moves, c))
		}
	}
}

// cachedDrawings bounds how many drawings of timelines are cached, some tens of kilobytes each.
const cachedDrawings = 256

// A drawingKey names the drawing of a timeline at one generation of the index.
type drawingKey struct {
	coll, key, base string
	generation      uint64
}

// drawing returns the banner's timeline of a URI-R, which is drawn once for all its captures.
func (s *Handler) drawing(t *archive.Timeline, ranges []change.Range, uris memento.URIs) *banner.Timeline {
	key := drawingKey{t.Coll, t.Key, uris.Base, t.Generation}
	if d, ok := s.drawings.Get(key); ok {
		return d
	}
	d := banner.NewTimeline(ticks(t, ranges, uris), len(t.Captures))
	s.drawings.Add(key, d)
	return d
}

// ticks samples the captures for the banner's timeline: all changes if there is room, then captures between them. The
// very first capture is not a change.
func ticks(t *archive.Timeline, ranges []change.Range, uris memento.URIs) []banner.Tick {
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
		tick := banner.Tick{Time: c.Time, Changed: begins, Kind: shownKind(t, c, ranges, r)}
		if begins {
			tick.Href = uris.Memento(c.Time, "", c.URL)
		}
		out = append(out, tick)
	}
	return out
}

func captureLink(uris memento.URIs, c *cdx.Capture) *banner.CaptureLink {
	if c == nil {
		return nil
	}
	return &banner.CaptureLink{Href: uris.Memento(c.Time, "", c.URL), Time: c.Time}
}

func kindOf(k change.Kind) banner.Kind {
	switch k {
	case change.Resource:
		return banner.KindResource
	case change.Redirect:
		return banner.KindRedirect
	case change.Missing:
		return banner.KindMissing
	case change.Error:
		return banner.KindError
	}
	return banner.KindPage
}

func deltaOf(d *change.Delta) banner.Delta {
	if d == nil {
		return banner.Delta{}
	}
	return banner.Delta{Added: d.Added, Deleted: d.Deleted, Known: true}
}
