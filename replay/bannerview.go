package replay

import (
	"bytes"
	"net/url"
	"time"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/change"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/rewrite"
	"github.com/varve-archive/varve/static"
)

// maxTicks is how many captures the banner's timeline shows; more would be more than there are pixels.
const maxTicks = 300

// banner returns what renders the banner of a memento, once the parts of the page are found; a banner that can't be
// made is left out, the page goes first.
func (m *answer) banner() func() []byte {
	v, err := m.bannerView()
	if err != nil {
		m.s.Log.Error("banner", "target", m.r.RequestURI, "error", err)
		return nil
	}
	return func() []byte {
		if far := time.Duration(m.drift); max(far, -far) >= driftReach*time.Second {
			v.Drift = far
		}
		var b bytes.Buffer
		if err := banner.Banner(v).Render(m.r.Context(), &b); err != nil {
			m.s.Log.Error("banner", "target", m.r.RequestURI, "error", err)
			return nil
		}
		return b.Bytes()
	}
}

func (m *answer) bannerView() (banner.BannerView, error) {
	c, uris := m.a.capture, m.s.local(m.p.Coll)
	ranges, err := m.tl.levels(change.LevelContent)
	if err != nil {
		return banner.BannerView{}, err
	}
	v := banner.BannerView{
		Lang: banner.Language(m.r.Header.Get("Accept-Language")),
		Home: m.s.path() + "/", URIR: c.URL, Memento: m.s.absolute(m.r, m.p.Coll).Memento(c.Time, "", c.URL), Time: c.Time,
		Calendar: uris.Calendar(c.URL), Open: uris.Home(), Slider: sliderURI(uris, c.URL, c.Time, nil),
		Levels:    uris.Endpoint("changes", url.Values{"url": {c.URL}}.Encode()),
		GoTo:      uris.Home(),
		Assets:    m.s.assets(),
		NoRuntime: !static.HasWombat(),
		Prev:      captureLink(uris, m.n.Prev), Next: captureLink(uris, m.n.Next),
	}
	v.Search = m.s.searchIn(uris, c.URL)
	i := rangeOf(ranges, c.Time)
	if i >= 0 {
		m.versions(&v, ranges, i, uris)
	}
	v.Landing, v.CameFrom = m.landingOf(ranges, i), m.cameFrom()
	v.Timeline = m.tl.drawing(ranges, uris)
	if !v.NoRuntime && m.use != rewrite.BannerOnly { // the page's head loads it, before wombat
		v.Assets.BannerScript = ""
	}
	return v, nil
}

func (s *Server) assets() banner.Assets {
	at := func(name string) string { return s.path() + static.URL(name) }
	return banner.Assets{BannerScript: at("banner.js"), PageStyle: at("page.css"), PageScript: at("page.js"), SliderScript: at("slider.js")}
}

func captureLink(uris memento.URIs, c *cdx.Capture) *banner.CaptureLink {
	if c == nil {
		return nil
	}
	return &banner.CaptureLink{Href: uris.Memento(c.Time, "", c.URL), Time: c.Time}
}

// versions fills in what the banner says of validity range i and its neighbours.
func (m *answer) versions(v *banner.BannerView, ranges []change.Range, i int, uris memento.URIs) {
	r := &ranges[i]
	v.Kind, v.Version, v.Versions = kindOf(r.Kind), i+1, len(ranges)
	v.UnchangedFrom, v.UnchangedTo, v.Captures = r.First, r.Last, r.Captures
	if i > 0 {
		last := m.tl.stands(ranges[i-1].Last)
		if r.Kind == change.Page && ranges[i-1].Kind == change.Page {
			v.Diff = uris.Diff(last.Time, m.a.capture.Time, m.a.capture.URL)
		}
		v.PrevVersion = &banner.VersionLink{Href: uris.Memento(last.Time, "", last.URL), Time: last.Time, Delta: deltaOf(r.Change)}
	}
	if i+1 < len(ranges) {
		first := m.tl.stands(ranges[i+1].First)
		v.NextVersion = &banner.VersionLink{Href: uris.Memento(first.Time, "", first.URL), Time: first.Time, Delta: deltaOf(ranges[i+1].Change)}
	}
	from, _ := m.tl.second(r.First)
	for j := from; j < len(m.tl.captures) && (r.Until == 0 || m.tl.captures[j].Time < r.Until); j++ {
		c := &m.tl.captures[j]
		if c.Time == m.a.capture.Time {
			v.Capture = j - from + 1
		}
		if len(v.CaptureList) < banner.MaxCaptureList {
			v.CaptureList = append(v.CaptureList, *captureLink(uris, c))
		}
	}
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

// drawing returns the banner's picture of the life of the URI-R, drawn once.
func (t *timeline) drawing(ranges []change.Range, uris memento.URIs) *banner.Timeline {
	t.draw.Do(func() { t.drawn = banner.NewTimeline(t.ticks(ranges, uris), len(t.captures)) })
	return t.drawn
}

// ticks samples the captures for the banner's timeline: all changes as far as there is room, then captures between them.
func (t *timeline) ticks(ranges []change.Range, uris memento.URIs) []banner.Tick {
	step := 1 + len(t.captures)/maxTicks
	changes := 1 + len(ranges)/maxTicks
	var out []banner.Tick
	r := -1
	for i := range t.captures {
		c := &t.captures[i]
		begins := false
		for r+1 < len(ranges) && ranges[r+1].First <= c.Time {
			r++
			begins = r%changes == 0
		}
		if !begins && i%step != 0 && i != len(t.captures)-1 { // the last is where the line ends
			continue
		}
		tick := banner.Tick{Time: c.Time, Changed: begins}
		if r >= 0 {
			tick.Kind = kindOf(ranges[r].Kind)
		}
		if begins {
			tick.Href = uris.Memento(c.Time, "", c.URL)
		}
		out = append(out, tick)
	}
	return out
}
