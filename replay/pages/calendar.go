package pages

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/varve-archive/varve/replay/pages/versions"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/film"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/pages/views"
	"github.com/varve-archive/varve/replay/respond"
)

const (
	// maxOfDay is the number of captures of a day that are listed.
	maxOfDay = 500
	// maxOfAllYears is the number of versions up to which those of all years are listed; if there are more, only those of the year in
	// view are.
	maxOfAllYears = 100
)

// A calendar is a timeline with the year or day in view.
type calendar struct {
	*timeline.Timeline
	uris   memento.URIs
	uriR   string
	level  change.Level
	ranges []change.Range
	when   string // the requested year or day: four digits or more

	// If captures of several collections are together: where each is, and the address of the calendar.
	place func(c *cdx.Capture) (coll string, uris memento.URIs)
	href  func(when string) string
}

// Calendar answers /{coll}/*/{URI-R}, where the digits of a year or a day before the star select what is in view, and
// /{coll}/?url={URI-R}&level={level}&on={digits}.
func (s *Handler) Calendar(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	tl, err := s.Timelines.Spelled(r.Context(), p.Coll, p.URIR)
	if err != nil {
		return err
	}
	if len(tl.Captures) == 0 {
		return s.site.Missing(r, p)
	}
	level, err := versions.LevelIn(p)
	if err != nil {
		return err
	}
	ranges, err := tl.Ranges(level)
	if err != nil {
		return err
	}
	c := &calendar{Timeline: tl, uris: s.site.Local(p.Coll), uriR: p.URIR, level: level, ranges: ranges, when: p.From}
	if on := p.Params.Get("on"); on != "" {
		c.when = on
	}
	v := views.CalendarView{
		Page: s.Shared(r, p), Captures: len(tl.Captures), Table: c.uris.TimeMap("html", 1, p.URIR),
		Slider: versions.SliderAt(level, c.uris, p.URIR), Years: c.years(), Year: c.year(),
	}
	if v.Counts, err = calendarCounts(tl, level, c.uris, p.URIR); err != nil {
		return err
	}
	v.Search, _ = s.Paths(c.uris)
	having, err := s.Having(r.Context(), p.URIR)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(having, func(coll string) bool { return coll != p.Coll }) {
		v.Together = allCollections{s}.together(p.URIR)
	}
	if err := c.fill(&v); err != nil {
		return err
	}
	reel, err := film.Of(r.Context(), s.Archive, c.uris, tl, p.URIR)
	if err != nil {
		return err
	}
	v.Film, v.Image = reel.Versions(), reel.Newest(s.site.Absolute(r, p.Coll))
	damaged := reel.Damaged()
	for i := range v.Days {
		v.Days[i].Damage = damaged[day8(v.Days[i].Time)]
	}
	return respond.Render(w, r, http.StatusOK, views.Calendar(v))
}

// fill fills in what is in view.
func (c *calendar) fill(v *views.CalendarView) (err error) {
	v.Days = c.days(c.between(v.Year*1e4, (v.Year+1)*1e4))
	if v.Day, err = c.day(); err == nil {
		c.versions(v)
	}
	return err
}

// placed returns the collection and the URIs of a capture. coll is "" if all captures are in one collection.
func (c *calendar) placed(of *cdx.Capture) (coll string, uris memento.URIs) {
	if c.place == nil {
		return "", c.uris
	}
	return c.place(of)
}

// at returns the address of the calendar with a year or a day in view.
func (c *calendar) at(when string) string {
	if c.href != nil {
		return c.href(when)
	}
	if c.level == change.LevelContent {
		return c.uris.CalendarAt(when, c.uriR)
	}
	return c.uris.Home() + "?" + versions.WithLevel(url.Values{"url": {c.uriR}, "on": {when}}, c.level).Encode()
}

// day8 is the day of a datetime as a number, YYYYMMDD.
func day8(ts cdx.Timestamp) int { return int(ts / 1_000_000) }

// between returns the captures on the days in [from, to), given as YYYYMMDD, as those with indices in [i, j).
func (c *calendar) between(from, to int) (i, j int) {
	i, _ = c.Second(cdx.Timestamp(from) * 1_000_000)
	j, _ = c.Second(cdx.Timestamp(to) * 1_000_000)
	return i, j
}

// span returns the first and the last year with a capture.
func (c *calendar) span() (first, last int) {
	return c.Captures[0].Time.Year(), c.Captures[len(c.Captures)-1].Time.Year()
}

// year returns the year in view: the requested one, else the newest with a capture.
func (c *calendar) year() int {
	first, last := c.span()
	if len(c.when) >= 4 {
		if y, err := strconv.Atoi(c.when[:4]); err == nil && y >= first && y <= last {
			return y
		}
	}
	return last
}

// years counts the captures and changes of each year from the first to the last. The very first version is no change.
func (c *calendar) years() (out []layout.YearBar) {
	first, last := c.span()
	for y := first; y <= last; y++ {
		i, j := c.between(y*1e4, (y+1)*1e4)
		bar := layout.YearBar{Year: y, Captures: j - i}
		if bar.Captures > 0 {
			bar.Href = c.at(strconv.Itoa(y))
		}
		out = append(out, bar)
	}
	for i := range c.ranges {
		if i > 0 {
			out[c.ranges[i].First.Year()-first].Changes++
		}
	}
	return out
}

// days collects the captures with indices in [from, to) by their day. The very first capture is not a change.
func (c *calendar) days(from, to int) (out []views.Day) {
	r := -1
	if from < to {
		r = timeline.RangeOf(c.ranges, c.Captures[from].Time-1)
	}
	for i := from; i < to; i++ {
		at := &c.Captures[i]
		if len(out) == 0 || day8(out[len(out)-1].Time) != day8(at.Time) {
			out = append(out, views.Day{Time: at.Time, Href: c.at(strconv.Itoa(day8(at.Time))) + "#day"})
		}
		d := &out[len(out)-1]
		d.Captures++
		for r+1 < len(c.ranges) && c.ranges[r+1].First <= at.Time {
			if r++; r > 0 {
				d.Changes++
			}
		}
		d.Kind = versions.ShownKind(c.Timeline, at, c.ranges, r)
	}
	return out
}

// day lists the captures of the requested day, or returns nil.
func (c *calendar) day() (*views.DayView, error) {
	if len(c.when) < 8 {
		return nil, nil
	}
	ts, err := cdx.ParseTimestamp(c.when[:8])
	if err != nil {
		return nil, respond.BadRequest(strconv.Quote(c.when[:8]) + " is no day: want YYYYMMDD")
	}
	word, err := c.Annotate()
	if err != nil {
		return nil, err
	}
	out := &views.DayView{Time: ts}
	from, to := c.between(day8(ts), day8(ts)+1)
	for i := from; i < to && len(out.Rows) < maxOfDay; i++ {
		at := &c.Captures[i]
		_, change := word(at)
		coll, uris := c.placed(at)
		out.Rows = append(out.Rows, views.CaptureRow{
			CaptureLink: *respond.CaptureLink(uris, at), Status: at.Status, MIME: at.MIME, Change: changeOf[change], Coll: coll,
			Note: versions.NoteAt(c.Timeline, c.ranges, at),
		})
	}
	out.More = to - from - len(out.Rows)
	if from > 0 {
		out.Prev = c.at(strconv.Itoa(day8(c.Captures[from-1].Time))) + "#day"
	}
	if to < len(c.Captures) {
		out.Next = c.at(strconv.Itoa(day8(c.Captures[to].Time))) + "#day"
	}
	return out, nil
}

// versions fills in the versions beside the months: all of them, or those of the year if that is too many.
func (c *calendar) versions(v *views.CalendarView) {
	from, to := 0, len(c.ranges)
	if v.AllVersions = to <= maxOfAllYears; !v.AllVersions {
		began := func(r change.Range, year int) int { return r.First.Year() - year }
		from, _ = slices.BinarySearchFunc(c.ranges, v.Year, began)
		to, _ = slices.BinarySearchFunc(c.ranges, v.Year+1, began)
	}
	v.FirstVersion = from + 1
	for i := from; i < to; i++ {
		v.Versions = append(v.Versions, c.version(i))
	}
}

// calendarCounts returns the number of versions by content, by look if there are pictures, by text, and also by any byte if that level is
// shown. Levels that aren't shown link to their calendar.
func calendarCounts(tl *timeline.Timeline, shown change.Level, uris memento.URIs, uriR string) ([]layout.LevelCount, error) {
	var out []layout.LevelCount
	for _, l := range versions.Levels() {
		if l == change.LevelAny && shown != l {
			continue
		}
		ranges, err := tl.Ranges(l)
		if errors.Is(err, timeline.ErrNotPictured) {
			continue
		}
		if err != nil {
			return nil, err
		}
		c := layout.LevelCount{Level: versions.LevelOf(l), Versions: len(ranges)}
		if l != shown {
			c.Href = versions.CalendarAt(l, uris, uriR)
		}
		out = append(out, c)
	}
	return out, nil
}

func (c *calendar) version(i int) views.Version {
	r := &c.ranges[i]
	first, last := c.Memento(r.First), c.Memento(r.Last)
	coll, uris := c.placed(first)
	_, urisOfLast := c.placed(last)
	v := views.Version{
		First: *respond.CaptureLink(uris, first), Last: *respond.CaptureLink(urisOfLast, last), Until: r.Until, Coll: coll,
		Captures: r.Captures, VersionNote: versions.NoteOf(r), Status: r.Status, Delta: versions.DeltaOf(r.Change),
	}
	if i > 0 && r.Kind == change.Page && c.ranges[i-1].Kind == change.Page {
		before, _ := c.placed(c.Memento(c.ranges[i-1].Last))
		if before == coll { // a diff has only one collection
			v.Diff = versions.DiffAt(c.level, uris, c.ranges[i-1].Last, r.First, c.uriR)
		}
	}
	return v
}
