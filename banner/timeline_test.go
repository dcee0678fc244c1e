package banner

import (
	"strings"
	"testing"
	"time"
)

func TestTimelineCursor(t *testing.T) {
	life := smallLife()
	for _, c := range []struct {
		name  string
		ticks []Tick
		now   int
		rtl   bool
		want  string
	}{
		{"the first capture stands at the left end", life, 1997, false, "0.0%"},
		{"right to left it stands at the right end", life, 1997, true, "100.0%"},
		{"the only capture stands in the middle", life[:1], 1997, false, "50.0%"},
		{"a moment after the last capture stays on the line", life, 2040, false, "100.0%"},
		{"a moment before the first stays on the line", life, 1990, false, "0.0%"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := NewTimeline(c.ticks, len(c.ticks))
			if got := Position(l.x(at(c.now, 5, 1, 0, 0)), c.rtl); got != c.want {
				t.Errorf("the cursor stands at %s, want %s", got, c.want)
			}
		})
	}
}

func TestNoCapturesDrawNothing(t *testing.T) {
	if l := NewTimeline(nil, 0); l != nil || l.size() != 0 {
		t.Errorf("no captures draw %v", l)
	}
}

func TestTimelineBreaksWhereNothingWasArchived(t *testing.T) {
	l := NewTimeline(smallLife(), 7)
	if want := "M0 20H0M707 20H713M784 20H784M1000 20H1000"; l.base != want {
		t.Errorf("the line is %s, want %s", l.base, want)
	}
}

func TestTimelineMarksEachKindInItsOwnWay(t *testing.T) {
	l := NewTimeline(smallLife(), 7)
	for _, c := range []struct {
		name, path, stroke string
		want               int
	}{
		{"captures", l.captures, "v6", 4},
		{"redirects", l.redirects, "v5", 1},
		{"missing pages", l.missing, "v3m0 3v3", 1},
		{"changes", l.changes, "v17", 4},
	} {
		if got := strings.Count(c.path, c.stroke); got != c.want {
			t.Errorf("%s: %d marks in %q, want %d", c.name, got, c.path, c.want)
		}
	}
}

func TestTimelineLinksAreSpreadOverTheWholeLife(t *testing.T) {
	var changes []Tick
	for _, k := range fullLife() {
		if k.Changed {
			changes = append(changes, k)
		}
	}
	links := NewTimeline(fullLife(), 1).links
	if len(links) < 10 {
		t.Fatalf("only %d links", len(links))
	}
	if links[0].time != changes[0].Time {
		t.Errorf("the first link is of %s, want %s", links[0].time, changes[0].Time)
	}
	last, want := links[len(links)-1].time, changes[len(changes)-1].Time
	if want.Distance(last) > int64(400*24*time.Hour/time.Second) {
		t.Errorf("the last link is of %s, far from %s", last, want)
	}
}

func BenchmarkNewTimeline(b *testing.B) {
	var life []Tick
	for range 14 {
		life = append(life, fullLife()...)
	}
	b.ReportAllocs()
	for b.Loop() {
		NewTimeline(life, len(life))
	}
	b.ReportMetric(float64(len(life)), "captures")
}
