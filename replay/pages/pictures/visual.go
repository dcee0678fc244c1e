package pictures

import (
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/film"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/respond"
)

// An Answer is the answer of /{coll}/visual.
type Answer struct {
	From      End      `json:"from"`
	To        End      `json:"to"`
	Distance  float64  `json:"distance"`
	Important bool     `json:"important"`
	Regions   []Region `json:"regions"`
}

// An End is one of the two captures.
type End struct {
	URIM     string `json:"uri_m"`
	Datetime string `json:"datetime"`
	Picture  string `json:"picture"`
}

// A Region is a rectangle of a picture that differs. Side is from or to, Kind changed, added, removed or moved, Block its place on the
// page, and Shows its content.
type Region struct {
	Side  string `json:"side"`
	Kind  string `json:"kind"`
	Block string `json:"block"`
	Shows string `json:"shows"`
	X     int    `json:"x"`
	Y     int    `json:"y"`
	W     int    `json:"w"`
	H     int    `json:"h"`
}

// A comparison is two captures and how the pictures of their versions differ.
type comparison struct {
	*visual.Comparison
	older, newer  *cdx.Capture
	before, after *visual.Picture
	reel          *film.Reel
	tl            *timeline.Timeline
	matters       []visual.Place // chosen by the reader; none means the content
}

// Visual answers /{coll}/visual?url=…&from=…&to=…: a page for browsers, else JSON.
func (h *Handler) Visual(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	matters, err := chosen(p)
	if err != nil {
		return err
	}
	c, err := h.compare(r, p, matters)
	if err != nil {
		return err
	}
	if c == nil {
		return h.site.Missing(r, p)
	}
	respond.Vary(w.Header(), "Accept")
	if respond.IsBrowser(r) {
		return respond.Render(w, r, http.StatusOK, visualPage(h.view(r, p, c)))
	}
	return respond.WriteJSON(w, r, c.answer(h.site.Absolute(r, p.Coll), p.URIR))
}

// chosen returns the blocks that are important to the reader.
func chosen(p respond.Path) (out []visual.Place, err error) {
	all := visual.Places()
	for _, name := range p.Params["block"] {
		if !slices.Contains(all, visual.Place(name)) {
			return nil, respond.BadRequest(fmt.Sprintf("block %.20q: want one of %v", name, all))
		}
		out = append(out, visual.Place(name))
	}
	return out, nil
}

// compare returns nil if the URI-R has no captures.
func (h *Handler) compare(r *http.Request, p respond.Path, matters []visual.Place) (*comparison, error) {
	reel, tl, err := h.reel(r, p)
	if tl == nil || err != nil {
		return nil, err
	}
	c := &comparison{reel: reel, tl: tl, matters: matters}
	if c.older, c.newer, err = h.pair(r, p, tl); err != nil {
		return nil, err
	}
	for _, side := range []struct {
		of *cdx.Capture
		to **visual.Picture
	}{{c.older, &c.before}, {c.newer, &c.after}} {
		if *side.to = reel.At(side.of.Time); *side.to == nil {
			return nil, none(reel.Picture(side.of.Time))
		}
	}
	c.Comparison = h.archive.Pictures.Compare(c.before, c.after, matters...)
	return c, nil
}

func (c *comparison) answer(uris memento.URIs, uriR string) *Answer {
	end := func(of *cdx.Capture, p *visual.Picture) End {
		return End{URIM: uris.Memento(of.Time, "", of.URL), Datetime: of.Time.String(), Picture: uris.Picture(p.Time, uriR)}
	}
	out := &Answer{
		From: end(c.older, c.before), To: end(c.newer, c.after), Distance: math.Round(c.Distance*1e4) / 1e4, Important: c.Important,
		Regions: []Region{},
	}
	for i := range c.Regions {
		g := &c.Regions[i]
		out.Regions = append(out.Regions, Region{string(g.Side), string(g.Op), string(g.Place), string(g.Kind), g.X, g.Y, g.W, g.H})
	}
	return out
}

func (h *Handler) view(r *http.Request, p respond.Path, c *comparison) pageView {
	uris := h.site.Local(p.Coll)
	v := pageView{
		Page: h.shared(r, p), Older: side(uris, c.older, c.before, p.URIR), Newer: side(uris, c.newer, c.after, p.URIR),
		Distance: banner.Percent(c.Distance), Important: c.Important, Film: c.reel.Versions(c.older.Time, c.newer.Time),
		Calendar: uris.Calendar(p.URIR), Matters: c.choice(uris, p),
	}
	v.Image = c.reel.Image(h.site.Absolute(r, p.Coll), c.newer.Time)
	if c.older.Text != 0 && c.newer.Text != 0 {
		v.Diff = uris.Diff(c.older.Time, c.newer.Time, p.URIR)
	}
	numbers := map[int]int{}
	for i := range c.Regions {
		g := &c.Regions[i]
		number, known := numbers[g.Pair]
		if g.Pair == 0 || !known {
			number = len(v.List) + 1
			numbers[g.Pair] = number
		}
		shown := regionView{
			Number: number, Op: string(g.Op), Place: string(g.Place), Kind: string(g.Kind), X: g.X, Y: g.Y, W: g.W, H: g.H, Text: g.Text,
			Words: wordsOf(v.Diff, g),
		}
		if number > len(v.List) {
			v.List = append(v.List, shown)
		}
		if g.Side == visual.From {
			v.Older.Regions = append(v.Older.Regions, shown)
		} else {
			v.Newer.Regions = append(v.Newer.Regions, shown)
		}
	}
	v.Earlier, v.Later = c.beside(uris, p.URIR)
	return v
}

// choice returns the form for choosing important blocks.
func (c *comparison) choice(uris memento.URIs, p respond.Path) *mattersView {
	m := &mattersView{
		Action: uris.Endpoint("visual", ""), Hidden: []layout.Hidden{
			{Name: "url", Value: p.URIR}, {Name: "from", Value: c.older.Time.String()}, {Name: "to", Value: c.newer.Time.String()},
		},
	}
	for _, b := range visual.Places() {
		is := slices.Contains(c.matters, b) || len(c.matters) == 0 && b == visual.Content
		m.Blocks = append(m.Blocks, blockView{Place: string(b), Chosen: is})
	}
	return m
}

// address returns the address of a comparison with the same choice.
func (c *comparison) address(uris memento.URIs, a, b cdx.Timestamp, uriR string) string {
	to := uris.Visual(a, b, uriR)
	for _, m := range c.matters {
		to += "&block=" + string(m)
	}
	return to
}

func side(uris memento.URIs, of *cdx.Capture, p *visual.Picture, uriR string) sideView {
	return sideView{
		CaptureLink: banner.CaptureLink{Href: uris.Memento(of.Time, "", of.URL), Time: of.Time},
		Of:          banner.CaptureLink{Href: uris.Memento(p.Time, "", p.URL), Time: p.Time},
		Picture:     uris.Picture(p.Time, uriR), Width: p.Image.Width, Height: p.Image.Height, PageHeight: p.PageHeight, Title: p.Title,
		Damage: banner.Percent(p.Damage), Errors: p.Errors,
	}
}

// linkedWords is the number of words from the start of a text that a link to it contains.
const linkedWords = 4

// wordsOf returns the address of a text's place in the diff (URL Fragment Text Directives).
func wordsOf(diff string, g *visual.Region) string {
	words := strings.Fields(g.Text)
	switch g.Kind {
	case visual.Image, visual.Logo, visual.Video, visual.Frame:
		return ""
	}
	if diff == "" || len(words) == 0 {
		return ""
	}
	said := url.PathEscape(strings.Join(words[:min(len(words), linkedWords)], " "))
	return diff + "#:~:text=" + strings.NewReplacer("-", "%2D", ",", "%2C", "&", "%26").Replace(said)
}

// beside returns the addresses of the comparisons of the previous and the next pair of versions, or "" if there is no such pair with
// pictures.
func (c *comparison) beside(uris memento.URIs, uriR string) (earlier, later string) {
	ranges, err := c.tl.Ranges(change.LevelContent)
	if err != nil {
		return "", ""
	}
	of := func(i int) cdx.Timestamp {
		if i < 0 || i >= len(ranges) || c.reel.At(ranges[i].First) == nil {
			return 0
		}
		return ranges[i].First
	}
	i, j := timeline.RangeOf(ranges, c.older.Time), timeline.RangeOf(ranges, c.newer.Time)
	if a, b := of(i-1), of(i); a != 0 && b != 0 {
		earlier = c.address(uris, a, b, uriR)
	}
	if a, b := of(j), of(j+1); a != 0 && b != 0 {
		later = c.address(uris, a, b, uriR)
	}
	return earlier, later
}
