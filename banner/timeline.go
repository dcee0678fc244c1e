package banner

import (
	"strconv"
	"strings"

	"github.com/varve-archive/varve/cdx"
)

// Sizes that keep a banner with its script under 25 kB, however long the page's history and URI-R are.
const (
	timelineUnits   = 1000 // width of the drawing, in its own units
	timelineBuckets = 250  // ticks closer than this fraction of the width are merged
	timelineLinks   = 2400 // bytes for changes that are links; the others are only drawn
	bannerRoom      = 5750 // bytes for the timeline and the list of captures together
	timelineMarkup  = 86   // bytes around one href of the timeline
	captureMarkup   = 26   // bytes around one href of the list, without its words
)

// A Tick is one capture on the timeline. Changed marks the first capture of a version.
type Tick struct {
	Time    cdx.Timestamp
	Kind    Kind
	Changed bool
	Href    string // URI-M; used for changes only
}

// A Timeline is a drawing of the captures of a URI-R: SVG path data, by the meaning of the ticks. It is the same for every capture of the
// URI-R and never changes, so it can be cached and shared.
type Timeline struct {
	count       int
	first, last cdx.Timestamp
	from, span  int64 // seconds

	base, captures, redirects, missing, errors, changes string
	links                                               []timelineLink
}

type timelineLink struct {
	x    int
	href string
	time cdx.Timestamp
}

// NewTimeline draws all captures of a URI-R, oldest first, or a sample of them; count is the number of all. Without ticks it returns nil,
// which draws nothing.
func NewTimeline(ticks []Tick, count int) *Timeline {
	if len(ticks) == 0 {
		return nil
	}
	l := &Timeline{count: count, first: ticks[0].Time, last: ticks[len(ticks)-1].Time}
	l.from, l.span = l.first.Unix(), l.last.Unix()-l.first.Unix()
	if l.span <= 0 { // a single time goes into the middle of its day
		l.from, l.span = l.from-43200, 86400
	}
	l.draw(ticks)
	return l
}

// A mark is a tick's stroke as path data, with its upper end and its height.
type mark struct {
	top, height int
	stroke      string
}

// draw draws the ticks. The height of the drawing is 26, the base line is at 20. Changes rise from it, a redirect hangs below it, a
// missing page is a broken tick, an error a dot, so that they can be distinguished without colour.
func (l *Timeline) draw(ticks []Tick) {
	captures, redirects := pen{mark: mark{14, 6, "v6"}}, pen{mark: mark{20, 5, "v5"}}
	missing, changes := pen{mark: mark{11, 9, "v3m0 3v3"}}, pen{mark: mark{3, 17, "v17"}}
	errors := pen{mark: mark{17, 2, "v2"}}
	var base baseLine
	for _, k := range ticks {
		x := l.x(k.Time)
		base.to(x)
		switch k.Kind {
		case KindRedirect:
			redirects.tick(x)
		case KindMissing:
			missing.tick(x)
		case KindError:
			errors.tick(x)
		default:
			captures.tick(x)
		}
		if k.Changed && changes.tick(x) && k.Href != "" {
			l.links = append(l.links, timelineLink{x, k.Href, k.Time})
		}
	}
	l.base, l.captures, l.redirects = base.path(), captures.String(), redirects.String()
	l.missing, l.errors, l.changes = missing.String(), errors.String(), changes.String()
	l.links = affordable(l.links)
}

// x returns a position between 0 and timelineUnits, even for a time outside the line.
func (l *Timeline) x(ts cdx.Timestamp) int {
	return int(min(max(ts.Unix()-l.from, 0), l.span) * timelineUnits / l.span)
}

// Position returns x as a position on the page, mirrored if the language runs right to left.
func Position(x int, rtl bool) string {
	if rtl {
		x = timelineUnits - x
	}
	return strconv.Itoa(x/10) + "." + strconv.Itoa(x%10) + "%"
}

// A pen draws marks as one path, each relative to the one before, at most one in each bucket.
type pen struct {
	strings.Builder
	mark
	drawn bool
	at    int
}

// tick draws a mark at x, unless the bucket has one already. It reports whether it did.
func (p *pen) tick(x int) bool {
	const unit = timelineUnits / timelineBuckets
	switch {
	case p.drawn && x/unit == p.at/unit:
		return false
	case p.drawn:
		p.WriteString("m" + strconv.Itoa(x-p.at) + "-" + strconv.Itoa(p.height))
	default:
		p.WriteString("M" + strconv.Itoa(x) + " " + strconv.Itoa(p.top))
	}
	p.WriteString(p.stroke)
	p.drawn, p.at = true, x
	return true
}

// A baseLine runs below the ticks, with a gap where nothing was archived for a twentieth of the whole life.
type baseLine struct {
	strings.Builder
	drawn bool
	at    int
}

func (b *baseLine) to(x int) {
	if !b.drawn || x-b.at > timelineUnits/20 {
		b.end()
		b.WriteString("M" + strconv.Itoa(x) + " 20")
	}
	b.drawn, b.at = true, x
}

func (b *baseLine) end() {
	if b.drawn {
		b.WriteString("H" + strconv.Itoa(b.at))
	}
}

func (b *baseLine) path() string {
	b.end()
	return b.String()
}

// affordable returns as many links as fit, evenly distributed.
func affordable(links []timelineLink) []timelineLink {
	longest := 0
	for _, k := range links {
		longest = max(longest, len(k.href)+timelineMarkup)
	}
	if longest == 0 {
		return links
	}
	return Evenly(links, timelineLinks/longest)
}

// Evenly keeps at most n of the items, spread over all of them and including the first and the last.
func Evenly[T any](items []T, n int) []T {
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

// size returns the approximate size of the drawing in bytes.
func (l *Timeline) size() int {
	if l == nil {
		return 0
	}
	n := len(l.base) + len(l.captures) + len(l.redirects) + len(l.missing) + len(l.errors) + len(l.changes)
	for _, k := range l.links {
		n += len(k.href) + timelineMarkup
	}
	return n
}

// listed returns the part of the capture list that fits beside the timeline: at most a hundred captures, fewer if the URI-R is long.
func listed(t texts, list []CaptureLink, l *Timeline) []CaptureLink {
	room := bannerRoom - l.size()
	for i, c := range list {
		room -= len(c.Href) + len(t.Brief(c.Time)) + captureMarkup
		if i == MaxCaptureList || room < 0 {
			return list[:i]
		}
	}
	return list
}
