package banner

import (
	"strconv"
	"strings"

	"github.com/varve-archive/varve/cdx"
)

// Sizes that keep a banner, its script included, under 25 kB whatever the page's history and URI-R.
const (
	timelineUnits   = 1000 // width of the drawing, in its own units
	timelineBuckets = 250  // ticks closer than this part of the width are one
	timelineLinks   = 2400 // bytes for changes that are links; the others are drawn only
	bannerRoom      = 8700 // bytes for the timeline and the list of captures together
	timelineMarkup  = 86   // bytes around one href of the timeline
	captureMarkup   = 26   // bytes around one href of the list, without its words
)

// A timeline is the life of a URI-R as SVG path data, by what the ticks mean.
type timeline struct {
	Base, Captures, Redirects, Missing, Changes string
	Links                                       []timelineLink
	Cursor                                      string // x in per cent
	First, Last                                 cdx.Timestamp
}

type timelineLink struct {
	X    string // in per cent
	Href string
	Time cdx.Timestamp
}

// The height of the drawing is 26: the base line stands at 20, changes rise from it, a redirect hangs
// below it, a missing page is a broken tick. So none needs its colour to be told apart.
var (
	captureMark  = mark{14, 6, "v6"}
	redirectMark = mark{20, 5, "v5"}
	missingMark  = mark{11, 9, "v3m0 3v3"}
	changeMark   = mark{3, 17, "v17"}
)

// A mark is a tick's stroke as path data, with its upper end and how far down it goes.
type mark struct {
	top, height int
	stroke      string
}

// timelineOf draws the ticks, oldest first, mirrored where the language runs right to left.
func timelineOf(v *BannerView, rtl bool) timeline {
	if len(v.Timeline) == 0 {
		return timeline{}
	}
	s := scaleOf(v, rtl)
	t := timeline{First: v.Timeline[0].Time, Last: v.Timeline[len(v.Timeline)-1].Time}
	t.Base = s.base(v.Timeline)
	t.Captures = s.path(v.Timeline, captureMark, func(k Tick) bool { return k.Kind <= KindResource || k.Kind == KindError })
	t.Redirects = s.path(v.Timeline, redirectMark, func(k Tick) bool { return k.Kind == KindRedirect })
	t.Missing = s.path(v.Timeline, missingMark, func(k Tick) bool { return k.Kind == KindMissing })
	t.Changes, t.Links = s.changes(v.Timeline)
	t.Cursor = s.percent(v.Time)
	return t
}

// A scale places a moment on the line.
type scale struct {
	first, span int64 // seconds
	rtl         bool
}

func scaleOf(v *BannerView, rtl bool) scale {
	first, last := v.Timeline[0].Time.Unix(), v.Timeline[len(v.Timeline)-1].Time.Unix()
	if last <= first { // one moment stands in the middle of a day around it
		return scale{first - 43200, 86400, rtl}
	}
	return scale{first, last - first, rtl}
}

// x is between 0 and timelineUnits, also for a moment outside the line.
func (s scale) x(ts cdx.Timestamp) int {
	x := int(min(max(ts.Unix()-s.first, 0), s.span) * timelineUnits / s.span)
	if s.rtl {
		return timelineUnits - x
	}
	return x
}

func (s scale) bucket(ts cdx.Timestamp) int {
	return s.x(ts) * timelineBuckets / timelineUnits
}

func (s scale) percent(ts cdx.Timestamp) string {
	x := s.x(ts)
	return strconv.Itoa(x/10) + "." + strconv.Itoa(x%10) + "%"
}

// path draws one mark per bucket for the ticks that are wanted, each from where the last one ended.
func (s scale) path(ticks []Tick, m mark, wanted func(Tick) bool) string {
	var b strings.Builder
	at, x := -1, 0
	for _, k := range ticks {
		i := s.bucket(k.Time)
		if i == at || !wanted(k) {
			continue
		}
		if to := s.x(k.Time); at < 0 {
			b.WriteString("M" + strconv.Itoa(to) + " " + strconv.Itoa(m.top))
			x = to
		} else {
			b.WriteString("m" + strconv.Itoa(to-x) + "-" + strconv.Itoa(m.height))
			x = to
		}
		b.WriteString(m.stroke)
		at = i
	}
	return b.String()
}

// base is the line under the ticks, broken where nothing was archived for a twentieth of the whole life.
func (s scale) base(ticks []Tick) string {
	var b strings.Builder
	from := ticks[0].Time
	for i, k := range ticks {
		if i+1 < len(ticks) && ticks[i+1].Time.Unix()-k.Time.Unix() <= s.span/20 {
			continue
		}
		b.WriteString("M" + strconv.Itoa(s.x(from)) + " 20H" + strconv.Itoa(s.x(k.Time)))
		if i+1 < len(ticks) {
			from = ticks[i+1].Time
		}
	}
	return b.String()
}

// changes draws all changes and returns those that can be links within the budget, evenly picked.
func (s scale) changes(ticks []Tick) (path string, links []timelineLink) {
	isChange := func(k Tick) bool { return k.Changed }
	at, room := -1, 0
	for _, k := range ticks {
		if i := s.bucket(k.Time); k.Changed && k.Href != "" && i != at {
			at = i
			room = max(room, len(k.Href)+timelineMarkup)
			links = append(links, timelineLink{X: s.percent(k.Time), Href: k.Href, Time: k.Time})
		}
	}
	if len(links) > 0 {
		links = evenly(links, timelineLinks/room)
	}
	return s.path(ticks, changeMark, isChange), links
}

// evenly keeps at most n of the items, spread over all of them, the first and the last among them.
func evenly[T any](items []T, n int) []T {
	if len(items) <= n {
		return items
	}
	if n < 2 {
		return items[:max(n, 0)]
	}
	kept := make([]T, 0, n)
	for i := range n {
		kept = append(kept, items[i*(len(items)-1)/(n-1)])
	}
	return kept
}

// size is about how many bytes the drawing takes.
func (l *timeline) size() int {
	n := len(l.Base) + len(l.Captures) + len(l.Redirects) + len(l.Missing) + len(l.Changes)
	for _, k := range l.Links {
		n += len(k.Href) + timelineMarkup
	}
	return n
}

// listed is what of the capture list fits beside the timeline: a hundred at most, fewer where the URI-R is long.
func listed(t *texts, list []CaptureLink, l *timeline) []CaptureLink {
	room := bannerRoom - l.size()
	for i, c := range list {
		room -= len(c.Href) + len(t.brief(c.Time)) + captureMarkup
		if i == MaxCaptureList || room < 0 {
			return list[:i]
		}
	}
	return list
}
