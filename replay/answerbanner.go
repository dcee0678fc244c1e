package replay

import (
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/rewrite"
	"github.com/varve-archive/varve/static"
)

// banner returns what renders the banner of a memento, once the parts of the page are found; nil where there is none.
func (m *answer) banner() func() []byte {
	c, site := m.a.capture, m.s.site
	uris := site.local(m.p.Coll)
	ask := BannerAsk{
		Timeline: m.tl, Capture: c, Near: m.n, Pages: uris, Moves: uris, Home: site.path() + "/",
		Memento: site.absolute(m.r, m.p.Coll).Memento(c.Time, "", c.URL), Assets: site.assets(), CameFrom: m.cameFrom(),
		NoRuntime: !static.HasWombat(),
	}
	if !ask.NoRuntime && m.use != rewrite.BannerOnly { // the page's head loads it, before wombat
		ask.Assets.BannerScript = ""
	}
	render := m.s.Banner(m.r, &ask)
	if render == nil {
		return nil
	}
	return func() []byte { return render(m.drift.far()) }
}

// cameFrom links the landing page that the reader left for this page, nil if there is none.
func (m *answer) cameFrom() *banner.Link {
	link, p := m.s.site.fromLanding(m.r, m.p.Coll)
	if link == nil || surt.Of(p.URIR) == m.tl.key {
		return nil
	}
	vary(m.w.Header(), "Referer")
	return link
}
