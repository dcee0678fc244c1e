// Package info is the page about one capture: its provenance, what its page lacks, how to cite it, and its record as a file.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package info

import (
	"math"
	"net/http"
	"net/url"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/landing"
	"github.com/varve-archive/varve/archive/provenance"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/film"
	"github.com/varve-archive/varve/replay/respond"
)

// A Handler answers the page.
type Handler struct {
	archive *archive.Archive
	site    *respond.Site
	shared  respond.SharedFunc
	parts   respond.PartsFunc
}

// New returns the handler over an archive, for a site. parts finds what a page embeds.
func New(a *archive.Archive, site *respond.Site, shared respond.SharedFunc, parts respond.PartsFunc) *Handler {
	return &Handler{archive: a, site: site, shared: shared, parts: parts}
}

// A source is everything known about the provenance of a capture.
type source struct {
	*provenance.Provenance
	coll  string
	title string
	hops  []landing.Hop // of a redirect, from the first target on
	parts []respond.PagePart
	rest  respond.MissingParts
}

// Serve answers /{coll}/{ts14}/info: the provenance of a capture, what its page lacks, and how to cite it. Browsers get a page, others
// JSON; with download=warc it sends the record, with download=wacz the page with all parts.
func (s *Handler) Serve(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	ts, err := respond.Datetime(p)
	if err != nil {
		return err
	}
	tl, err := s.archive.Timelines.Spelled(r.Context(), p.Coll, p.URIR)
	if err != nil {
		return err
	}
	c := tl.Memento(ts)
	if c == nil || len(p.From) != 14 {
		if c, err = s.archive.Timelines.Nearest(r.Context(), tl, ts); err != nil {
			return err
		}
		if c == nil {
			return s.site.Missing(r, p)
		}
		to := s.site.Local(p.Coll).Info(c.Time, c.URL)
		if p.Params.Has("download") {
			to += "&" + url.Values{"download": p.Params["download"]}.Encode()
		}
		respond.Redirect(w, to)
		return nil
	}
	if p.Params.Has("download") {
		return s.download(w, r, p, c)
	}
	src, err := s.source(r, p.Coll, c)
	if err != nil {
		return err
	}
	respond.Vary(w.Header(), "Accept")
	if respond.IsBrowser(r) {
		v := s.view(r, p, src)
		reel, err := film.Find(r.Context(), s.archive, s.site.Local(p.Coll), c.URL)
		if err != nil {
			return err
		}
		if picture := reel.At(c.Time); picture != nil && picture.Time == c.Time {
			v.Lost, v.Errors, v.Image = banner.Percent(picture.Damage), picture.Errors, reel.Image(s.site.Absolute(r, p.Coll), c.Time)
		}
		return respond.Render(w, r, http.StatusOK, infoPage(v))
	}
	return respond.WriteJSON(w, r, src.answer(s.site.Absolute(r, p.Coll)))
}

// source finds out where a capture is from.
func (s *Handler) source(r *http.Request, coll string, c *cdx.Capture) (*source, error) {
	from, err := provenance.Of(r.Context(), s.archive, c)
	if err != nil {
		return nil, err
	}
	title, err := s.archive.Title(r.Context(), c)
	if err != nil {
		return nil, err
	}
	src := &source{Provenance: from, coll: coll, title: title}
	if timeline.IsRedirect(c) {
		l, err := landing.Find(r.Context(), s.archive.Timelines, coll, c.URL, c.Time)
		if err != nil {
			return nil, err
		}
		if len(l.Hops) > 1 {
			src.hops = l.Hops[1:]
		}
		return src, nil
	}
	if src.Damage == nil && !c.Unresolved() {
		src.parts, src.rest, err = s.parts(r.Context(), coll, c)
	}
	return src, err
}

// apart returns how much later a part was captured than its page.
func (src *source) apart(part *cdx.Capture) time.Duration {
	return part.Time.Time().Sub(src.Capture.Time.Time())
}

// embeds counts the parts, and those that were never captured.
func (src *source) embeds() (e banner.Embeds) {
	for i := range src.parts {
		e.Loaded.Add(src.parts[i].Use)
		if src.parts[i].Capture == nil {
			e.Missing.Add(src.parts[i].Use)
		}
	}
	return e
}

// An infoAnswer is a source as JSON.
type infoAnswer struct {
	OriginalURI string      `json:"original_uri"`
	Datetime    string      `json:"datetime"`
	URIM        string      `json:"uri_m"`
	Title       string      `json:"title"`
	Status      int         `json:"status"`
	MIME        string      `json:"mime"`
	Digest      string      `json:"digest"`
	Type        string      `json:"type"`
	Format      string      `json:"format"`
	File        string      `json:"file"`
	Offset      int64       `json:"offset"`
	Length      int64       `json:"length"`
	BodyFile    *string     `json:"body_file"`
	Checked     bool        `json:"checked"`
	Problems    []string    `json:"problems"`
	Damage      *string     `json:"damage"`
	Record      [][2]string `json:"record"`
	HTTP        [][2]string `json:"http"`
	WrittenBy   [][2]string `json:"written_by"`
	Redirects   []infoHop   `json:"redirects"`
	Parts       infoParts   `json:"parts"`
	Cite        cited       `json:"cite"`
	Downloads   infoFiles   `json:"download"`
}

// infoFiles are the addresses of the record as WARC, and of the page with its parts as WACZ.
type infoFiles struct {
	WARC string `json:"warc"`
	WACZ string `json:"wacz"`
}

// An infoHop is a target of a redirect; the URI-M is null if it was never captured.
type infoHop struct {
	OriginalURI string  `json:"original_uri"`
	URIM        *string `json:"uri_m"`
	Loop        bool    `json:"loop"`
}

type infoParts struct {
	Total   int        `json:"total"`
	Missing int        `json:"missing"`
	Damage  float64    `json:"damage"`
	More    bool       `json:"more"`
	LeftOut int        `json:"left_out"`
	Unread  int        `json:"unread"`
	List    []infoPart `json:"list"`
}

// An infoPart is a part of a page. Without a capture its URI-M is null, and so is the number of seconds by which it was captured after
// the page.
type infoPart struct {
	OriginalURI string  `json:"original_uri"`
	URIM        *string `json:"uri_m"`
	Drift       *int64  `json:"drift_seconds"`
}

func (src *source) answer(uris memento.URIs) *infoAnswer {
	c, embeds := src.Capture, src.embeds()
	a := &infoAnswer{
		OriginalURI: c.URL, Datetime: c.Time.String(), URIM: uris.Memento(c.Time, "", c.URL), Title: src.title,
		Status: c.Status, MIME: c.MIME, Digest: c.Digest, Type: src.Type, Format: src.Version,
		File: c.FileName, Offset: c.Offset, Length: c.Length, BodyFile: respond.OrNull(src.Body), Checked: src.Checked,
		Problems: append([]string{}, src.Wrong...),
		Record:   pairs(src.Record), HTTP: pairs(src.HTTP), WrittenBy: pairs(src.Writer), Redirects: []infoHop{},
		Parts: infoParts{
			Total: len(src.parts), Missing: embeds.Missing.Total(), Damage: math.Round(1000*embeds.Damage()) / 1000,
			More: src.rest.More(), LeftOut: src.rest.LeftOut, Unread: src.rest.Unread,
			List: []infoPart{},
		},
		Cite: src.cite(uris).cited(), Downloads: infoFiles{uris.Download("warc", c.Time, c.URL), uris.Download("wacz", c.Time, c.URL)},
	}
	if src.Damage != nil {
		text := src.Damage.Error()
		a.Damage = &text
	}
	for _, h := range src.hops {
		a.Redirects = append(a.Redirects, infoHop{h.URIR, uris.OrNull(h.Capture), h.Loop})
	}
	for _, p := range src.parts {
		part := infoPart{OriginalURI: p.URIR, URIM: uris.OrNull(p.Capture)}
		if p.Capture != nil {
			seconds := int64(src.apart(p.Capture) / time.Second)
			part.Drift = &seconds
		}
		a.Parts.List = append(a.Parts.List, part)
	}
	return a
}

func pairs(fields warc.Fields) [][2]string {
	out := [][2]string{}
	for _, f := range fields {
		out = append(out, [2]string{f.Name, f.Value})
	}
	return out
}

func (src *source) cite(uris memento.URIs) citation {
	c := src.Capture
	return citation{Title: src.title, URIR: c.URL, Memento: uris.Memento(c.Time, "", c.URL), Time: c.Time, Archive: uris.Home()}
}

func (s *Handler) view(r *http.Request, p respond.Path, src *source) pageView {
	uris, c := s.site.Local(p.Coll), src.Capture
	v := pageView{
		Page: s.shared(r, p), Capture: *respond.CaptureLink(uris, c), Title: src.title, Status: c.Status, MIME: c.MIME, Digest: c.Digest,
		Type: src.Type, Format: src.Version, File: c.FileName, Body: src.Body, Offset: c.Offset, Length: c.Length,
		Checked: src.Checked, Wrong: src.Wrong, Record: src.Record, HTTP: src.HTTP, Writer: src.Writer,
		Embeds: src.embeds(), LeftOut: src.rest.LeftOut, Unread: src.rest.Unread, Cite: src.cite(s.site.Absolute(r, p.Coll)).cited(),
		Raw: uris.Memento(c.Time, "id_", c.URL), Calendar: uris.Calendar(c.URL),
		WARC: uris.Download("warc", c.Time, c.URL), WACZ: uris.Download("wacz", c.Time, c.URL),
	}
	v.URIR = c.URL
	if archive.IsHTML(c) {
		v.Inspect = uris.Inspect(c.Time, c.URL)
	}
	if src.Damage != nil {
		v.Damage, v.WARC, v.WACZ = src.Damage.Error(), "", ""
	}
	for _, h := range src.hops {
		v.Hops = append(v.Hops, partView{URIR: h.URIR, Capture: respond.CaptureLink(uris, h.Capture)})
	}
	for _, part := range src.parts {
		shown := partView{URIR: part.URIR, Capture: respond.CaptureLink(uris, part.Capture)}
		if part.Capture != nil {
			shown.Apart = src.apart(part.Capture)
		}
		v.Parts = append(v.Parts, shown)
	}
	return v
}
