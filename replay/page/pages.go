package page

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/change"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/web"
	"github.com/varve-archive/varve/static"
)

// Home answers "/": the collections, and a URL box. One collection is shown at once.
func (s *Handler) Home(w http.ResponseWriter, r *http.Request, p web.Path) error {
	colls := s.Index.Collections()
	if u := typed(&p); u != "" && len(colls) > 0 {
		return s.openAnywhere(w, r, colls, p)
	}
	if len(colls) == 1 {
		p.Coll = colls[0]
		return s.Collection(w, r, p)
	}
	v := banner.HomeView{Page: s.Shared(r, p), NoRuntime: !static.HasWombat()}
	if len(colls) > 0 {
		v.Open = s.site.Path() + "/"
	}
	for _, c := range colls {
		facts, err := s.facts(r.Context(), c)
		if err != nil {
			return err
		}
		v.Collections = append(v.Collections, facts)
	}
	return web.Render(w, r, http.StatusOK, banner.Home(v))
}

var errNoAddress = web.BadRequest("that is no address; one looks like http://example.org/")

// typed returns what was typed into the box, and gives it the name url. On pages of a search the box sends it as q.
func typed(p *web.Path) string {
	if q := p.Params.Get("q"); q != "" {
		p.Params = maps.Clone(p.Params)
		p.Params.Set("url", q)
	}
	return strings.TrimSpace(p.Params.Get("url"))
}

// openAnywhere answers the box of the home page, from the first collection that has the address, else the first of all. Words
// are searched in all collections.
func (s *Handler) openAnywhere(w http.ResponseWriter, r *http.Request, colls []string, p web.Path) error {
	if q := strings.TrimSpace(p.Params.Get("url")); len(colls) > 1 && s.IsWordsEverywhere(r.Context(), colls, q) {
		web.Redirect(w, s.Everywhere(url.Values{"q": {q}}))
		return nil
	}
	p.Coll = colls[0]
	for _, coll := range colls {
		if s.Captured(r.Context(), coll, memento.ParseURIR(p.Params.Get("url"))) {
			p.Coll = coll
			break
		}
	}
	return s.Collection(w, r, p)
}

// openBox redirects the reader of a URL box to the memento nearest to at, else to the calendar.
func (s *Handler) openBox(w http.ResponseWriter, _ *http.Request, coll string, p web.Path) error {
	uriR := memento.ParseURIR(p.Params.Get("url"))
	if uriR == "" {
		return errNoAddress
	}
	to := s.site.Local(coll).Calendar(uriR)
	if at, err := cdx.ParseTimestamp(p.Params.Get("at")); err == nil {
		to = s.site.Local(coll).Memento(at, "", uriR)
	}
	web.Redirect(w, to)
	return nil
}

// limits returns the parameters of a search for words. A box that sends q sends the limits of the search before as well.
func limits(asked url.Values, words string) url.Values {
	out := url.Values{}
	for name, values := range asked {
		if asked.Has("q") && len(values) > 0 && values[0] != "" {
			out[name] = values
		}
	}
	out.Set("q", words)
	return out
}

// facts counts a collection's files and captures.
func (s *Handler) facts(ctx context.Context, coll string) (banner.CollectionFacts, error) {
	f := banner.CollectionFacts{Name: s.site.Title(coll), Description: s.site.Description(coll), Href: s.site.Local(coll).Home()}
	for _, file := range s.Index.Files() {
		if file.Collection == coll && file.Done {
			f.Files++
		}
	}
	n, err := s.Index.Total(ctx, coll)
	f.Captures = int(n)
	return f, err
}

// maxExamples is how many addresses a collection's page suggests.
const maxExamples = 12

// Collection answers /{coll}/.
func (s *Handler) Collection(w http.ResponseWriter, r *http.Request, p web.Path) error {
	asked := p.Params
	u := typed(&p)
	if u != "" && s.IsWords(r.Context(), p.Coll, u) {
		s.Box(w, p.Coll, limits(asked, u))
		return nil
	} else if strings.HasSuffix(u, "*") || strings.HasPrefix(u, "*.") {
		p.URIR = u
		return s.PrefixList(w, r, p)
	} else if u != "" && p.Params.Get("level") != "" && p.Params.Get("at") == "" {
		if p.URIR = memento.ParseURIR(u); p.URIR == "" {
			return errNoAddress
		}
		return s.Calendar(w, r, p)
	} else if u != "" {
		return s.openBox(w, r, p.Coll, p)
	} else if p.Params.Get("url") != "" {
		return errNoAddress
	}
	v := banner.CollectionView{Page: s.Shared(r, p), NoRuntime: !static.HasWombat()}
	v.Search, v.Terms = s.Paths(s.site.Local(p.Coll))
	var err error
	if v.Facts, err = s.facts(r.Context(), p.Coll); err != nil {
		return err
	}
	if v.Examples, err = s.examples(r.Context(), p.Coll); err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, banner.Collection(v))
}

// examples suggests the shortest addresses of a collection that are pages, as starting points for a reader.
func (s *Handler) examples(ctx context.Context, coll string) ([]banner.Link, error) {
	var out []banner.Link
	seen, uris := 0, s.site.Local(coll)
	for key, err := range s.Index.Keys(ctx, coll, "", "") {
		if err != nil {
			return nil, err
		}
		if surt.HasMethod(key) { // the answer to a form is not a page to start with
			continue
		}
		c, err := archive.FirstOf(s.Index.Captures(ctx, cdx.Span{Coll: coll, From: key, Exact: true}))
		if err != nil {
			return nil, err
		}
		if c != nil && c.Text != 0 && c.Status == http.StatusOK && c.MIME == "text/html" {
			out = append(out, banner.Link{Href: uris.Calendar(c.URL), Text: c.URL})
		}
		if seen++; seen > 40*maxExamples || len(out) == maxExamples {
			break
		}
	}
	return out, nil
}

// Calendar answers /{coll}/*/{URI-R}, and /{coll}/?url={URI-R}&level={level}.
func (s *Handler) Calendar(w http.ResponseWriter, r *http.Request, p web.Path) error {
	tl, err := s.Timeline(r.Context(), p.Coll, surt.Of(p.URIR))
	if err != nil {
		return err
	}
	if len(tl.Captures) == 0 {
		return s.site.Missing(r, p)
	}
	level, err := levelIn(p)
	if err != nil {
		return err
	}
	ranges, err := tl.Ranges(level)
	if err != nil {
		return err
	}
	uris := s.site.Local(p.Coll)
	v := banner.CalendarView{
		Page: s.Shared(r, p), Captures: len(tl.Captures), Days: days(tl, ranges, uris), Table: uris.TimeMap("html", 1, p.URIR),
		Slider: sliderAt(level, uris, p.URIR),
	}
	if v.Counts, err = calendarCounts(tl, level, uris, p.URIR); err != nil {
		return err
	}
	v.Search, _ = s.Paths(uris)
	for i := range ranges {
		v.Versions = append(v.Versions, version(tl, level, ranges, i, uris, p.URIR))
	}
	return web.Render(w, r, http.StatusOK, banner.Calendar(v))
}

// calendarCounts returns the number of versions by content and by text, and by any byte if that level is shown. Levels
// that are not shown link to their calendar.
func calendarCounts(tl *archive.Timeline, shown change.Level, uris memento.URIs, uriR string) ([]banner.LevelCount, error) {
	var out []banner.LevelCount
	for _, l := range levels {
		if l == change.LevelAny && shown != l {
			continue
		}
		ranges, err := tl.Ranges(l)
		if err != nil {
			return nil, err
		}
		c := banner.LevelCount{Level: levelOf[l], Versions: len(ranges)}
		if l != shown {
			c.Href = calendarAt(l, uris, uriR)
		}
		out = append(out, c)
	}
	return out, nil
}

// days collects the captures of each day. A day links to its first change, else to its first capture. The very first
// capture is not a change.
func days(t *archive.Timeline, ranges []change.Range, uris memento.URIs) []banner.Day {
	var out []banner.Day
	r := -1
	for i := range t.Captures {
		c := &t.Captures[i]
		if len(out) == 0 || out[len(out)-1].Time/1_000_000 != c.Time/1_000_000 {
			out = append(out, banner.Day{Time: c.Time, Href: uris.Memento(c.Time, "", c.URL)})
		}
		d := &out[len(out)-1]
		d.Captures++
		for r+1 < len(ranges) && ranges[r+1].First <= c.Time {
			if r++; r == 0 {
				continue
			}
			if d.Changes++; d.Changes == 1 {
				d.Href = uris.Memento(c.Time, "", c.URL)
			}
		}
		d.Kind = shownKind(t, c, ranges, r)
	}
	return out
}

// shownKind returns what a capture shows: an error page, or a wall at status 200, belongs to the version around it.
func shownKind(tl *archive.Timeline, c *cdx.Capture, ranges []change.Range, r int) banner.Kind {
	unshown := func(i int) bool { return tl.Captures[i].Location == c.Location }
	switch {
	case c.Failed() && !c.Truncated, r >= 0 && slices.ContainsFunc(ranges[r].Unshown, unshown):
		return banner.KindError
	case r >= 0:
		return kindOf(ranges[r].Kind)
	}
	return banner.KindPage
}

func version(t *archive.Timeline, level change.Level, ranges []change.Range, i int, uris memento.URIs, uriR string) banner.Version {
	r := &ranges[i]
	v := banner.Version{
		First: *captureLink(uris, t.Memento(r.First)), Last: *captureLink(uris, t.Memento(r.Last)), Until: r.Until,
		Captures: r.Captures, Kind: kindOf(r.Kind), Status: r.Status, Soft404: r.Soft404, Delta: deltaOf(r.Change),
	}
	if i > 0 && r.Kind == change.Page && ranges[i-1].Kind == change.Page {
		v.Diff = diffAt(level, uris, ranges[i-1].Last, r.First, uriR)
	}
	return v
}

// prefixPage is how many addresses one page of a list shows.
const prefixPage = 200

// PrefixList answers /{coll}/*/{prefix}*, and /{coll}/?url={prefix}*&from={key} for further pages, with the addresses
// that begin with the prefix. Its links keep the level. A page begins at a key, so that new captures shift nothing.
func (s *Handler) PrefixList(w http.ResponseWriter, r *http.Request, p web.Path) error {
	from, to, err := surt.Range(p.URIR, "")
	if err != nil {
		return web.BadRequest(err.Error())
	}
	level, err := levelIn(p)
	if err != nil {
		return err
	}
	from = max(from, p.Params.Get("from"))
	v := banner.PrefixView{Page: s.Shared(r, p)}
	for key, err := range s.Index.Keys(r.Context(), p.Coll, from, to) {
		if err != nil {
			return err
		}
		if surt.HasMethod(key) {
			continue
		}
		if len(v.Rows) == prefixPage {
			v.Next = s.site.Local(p.Coll).Home() + "?" + withLevel(url.Values{"url": {p.URIR}, "from": {key}}, level).Encode()
			break
		}
		row, err := s.prefixRow(r, p, key, level)
		if err != nil {
			return err
		}
		v.Rows = append(v.Rows, row)
	}
	if len(v.Rows) == 0 {
		return web.NotFound(fmt.Sprintf("nothing in the collection %s begins with %s", p.Coll, p.URIR))
	}
	return web.Render(w, r, http.StatusOK, banner.PrefixList(v))
}

// prefixRow reads the first capture of an address and counts the others by their keys.
func (s *Handler) prefixRow(r *http.Request, p web.Path, key string, level change.Level) (banner.PrefixRow, error) {
	var row banner.PrefixRow
	first, err := archive.FirstOf(s.Index.Captures(r.Context(), cdx.Span{Coll: p.Coll, From: key, Exact: true}))
	if err != nil || first == nil {
		return row, err
	}
	row.URIR, row.First, row.Href = first.URL, first.Time, calendarAt(level, s.site.Local(p.Coll), first.URL)
	for ts, err := range s.Index.Times(r.Context(), p.Coll, key) {
		if err != nil {
			return row, err
		}
		row.Last = ts
		row.Captures++
	}
	return row, nil
}
