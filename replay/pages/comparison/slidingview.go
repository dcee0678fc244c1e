package comparison

import (
	"net/url"
	"strconv"

	"github.com/varve-archive/varve/replay/pages/versions"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/respond"
)

// view returns what the page shows, except for what all pages share.
func (sl *slide) view() SliderView {
	v := SliderView{
		Captures: len(sl.tl.Captures), Versions: sl.levels(), Pairs: max(sl.pairs(), 0), Level: versions.LevelOf(sl.level),
		Index: sl.index, Self: sl.link(sl.index),
		Find: sl.uris.Endpoint("diff", ""), Calendar: versions.CalendarAt(sl.level, sl.uris, sl.uriR), Steps: sl.steps(), Pair: sl.pairView(),
	}
	if w := sl.wanted; w != nil {
		v.Term = &sliderTerm{
			Text: w.q, Earlier: sl.linkTo(sl.places.prev), Later: sl.linkTo(sl.places.next),
			LookBack: sl.linkTo(sl.places.prevUnseen), LookOn: sl.linkTo(sl.places.nextUnseen),
		}
	}
	v.Position = sl.uris.Endpoint("diff", sl.params(url.Values{"url": {sl.uriR}}).Encode()+"&index=")
	v.Years, v.Dates = sl.years(), sl.dates()
	v.Life = newLife(sl.bars(), sl.places.all)
	return v
}

func (sl *slide) pairView() pairView {
	p := pairView{
		Older:      sl.side(sl.older, &sl.ranges[sl.index], sl.texts[0].Title),
		Difference: sl.difference(sl.uris), Unshown: sl.unshown,
	}
	if sl.newer != nil {
		p.Terms = sl.terms
		newer := sl.side(sl.newer, &sl.ranges[sl.index+1], sl.texts[1].Title)
		p.Newer = &newer
	}
	if sl.delta != nil {
		p.Watch = sl.watchURI(sl.uris, sl.uriR)
	}
	return p
}

// levels counts the versions at each level and links to those at the other levels.
func (sl *slide) levels() []layout.LevelCount {
	var out []layout.LevelCount
	for _, l := range versions.Levels() {
		n, known := sl.versions[l]
		if !known {
			continue
		}
		c := layout.LevelCount{Level: versions.LevelOf(l), Versions: n}
		if l != sl.level {
			c.Href = sl.atLevel(l)
		}
		out = append(out, c)
	}
	return out
}

func (sl *slide) side(c *cdx.Capture, r *change.Range, title string) versionSide {
	return versionSide{
		DiffSide: DiffSide{CaptureLink: *respond.CaptureLink(sl.uris, c), Title: title, Note: versions.NoteOf(r)},
		First:    r.First, Last: r.Last, Captures: r.Captures, Kind: versions.KindOf(r.Kind), Status: r.Status, Soft404: r.Soft404,
		MIME: c.MIME, Target: r.Redirect,
	}
}

// years links to the first pair of each year in which a version began.
func (sl *slide) years() []banner.Link {
	var out []banner.Link
	for i := range sl.pairs() {
		year := strconv.Itoa(sl.ranges[i+1].First.Time().Year())
		if len(out) == 0 || out[len(out)-1].Text != year {
			out = append(out, banner.Link{Href: sl.link(i), Text: year})
		}
	}
	return out
}

// dates returns when the newer versions of the pairs began, for at most [MaxSliderDates] pairs, including the
// first and the last.
func (sl *slide) dates() []cdx.Timestamp {
	n := min(sl.pairs(), MaxSliderDates)
	out := make([]cdx.Timestamp, n)
	for i := range out {
		pair := 0
		if n > 1 {
			pair = i * (sl.pairs() - 1) / (n - 1)
		}
		out[i] = sl.ranges[pair+1].First
	}
	return out
}

// bars returns what each pair changed, as far as the index knows.
func (sl *slide) bars() []lifeBar {
	out := make([]lifeBar, max(sl.pairs(), 0))
	for i := range out {
		if d := sl.ranges[i+1].Change; d != nil {
			out[i] = lifeBar{Added: d.Added, Deleted: d.Deleted, Other: sl.ranges[i].Kind != sl.ranges[i+1].Kind}
		} else {
			out[i].Other = true
		}
		if kind := sl.ranges[i+1].Kind; kind != sl.ranges[i].Kind {
			out[i].Kind = versions.KindOf(kind)
		}
	}
	return out
}
