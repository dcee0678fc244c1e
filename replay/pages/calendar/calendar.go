package calendar

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/pages/versions"
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

// calendarOf returns the calendar of a timeline at a level, with the year or day in view that a path names.
func calendarOf(tl *timeline.Timeline, level change.Level, p respond.Path) (*calendar, error) {
	when := cmp.Or(p.Params.Get("on"), p.From)
	if strings.Trim(when, "0123456789") != "" {
		return nil, respond.BadRequest(fmt.Sprintf("on %.20q: want a year or a day, YYYY or YYYYMMDD", when))
	}
	ranges, err := tl.Ranges(level)
	return &calendar{Timeline: tl, uriR: p.URIR, level: level, ranges: ranges, when: when}, err
}

func (c *calendar) view(page layout.Page) (v pageView, err error) {
	v = pageView{Page: page, Captures: len(c.Captures), Years: c.years(), Year: c.year()}
	v.Days = c.days(c.between(v.Year*1e4, (v.Year+1)*1e4))
	if v.Day, err = c.day(); err == nil {
		c.versions(&v)
	}
	return v, err
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
func (c *calendar) days(from, to int) (out []dayBar) {
	r := -1
	if from < to {
		r = timeline.RangeOf(c.ranges, c.Captures[from].Time-1)
	}
	for i := from; i < to; i++ {
		at := &c.Captures[i]
		if len(out) == 0 || day8(out[len(out)-1].Time) != day8(at.Time) {
			out = append(out, dayBar{Time: at.Time, Href: c.at(strconv.Itoa(day8(at.Time))) + "#day"})
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
func (c *calendar) day() (*dayView, error) {
	if len(c.when) < 8 || c.when[6:8] == "00" { // other archives link a year as 20150000000000*
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
	out := &dayView{Time: ts}
	from, to := c.between(day8(ts), day8(ts)+1)
	for i := from; i < to && len(out.Rows) < maxOfDay; i++ {
		at := &c.Captures[i]
		_, change := word(at)
		coll, uris := c.placed(at)
		out.Rows = append(out.Rows, rowOf(c.Timeline, c.ranges, uris, coll, at, change))
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

func rowOf(tl *timeline.Timeline, ranges []change.Range, uris memento.URIs, coll string, c *cdx.Capture, change string) captureRow {
	return captureRow{
		CaptureLink: *respond.CaptureLink(uris, c), Status: c.Status, MIME: c.MIME, Change: change, Coll: coll,
		Note: versions.NoteAt(tl, ranges, c),
	}
}

// versions fills in the versions beside the months: all of them, or those of the year if that is too many.
func (c *calendar) versions(v *pageView) {
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

// counts returns the number of versions by content, by look if there are pictures, by text, and also by any byte if that level is
// shown. Levels that aren't shown link to their calendar.
func (c *calendar) counts() (out []layout.LevelCount, err error) {
	for _, l := range versions.Levels() {
		if l == change.LevelAny && c.level != l {
			continue
		}
		ranges, err := c.Ranges(l)
		if errors.Is(err, timeline.ErrNotPictured) {
			continue
		}
		if err != nil {
			return nil, err
		}
		count := layout.LevelCount{Level: versions.LevelOf(l), Versions: len(ranges)}
		if l != c.level {
			count.Href = versions.CalendarAt(l, c.uris, c.uriR)
		}
		out = append(out, count)
	}
	return out, nil
}

func (c *calendar) version(i int) versionView {
	r := &c.ranges[i]
	first, last := c.Memento(r.First), c.Memento(r.Last)
	coll, uris := c.placed(first)
	_, urisOfLast := c.placed(last)
	v := versionView{
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
