package banner

import (
	"strings"
	"testing"
	"time"
)

func TestTimelineMirrorsWhereWritingDoes(t *testing.T) {
	v := smallBanner("en")
	v.Time = v.Timeline[0].Time
	if got := timelineOf(&v, false).Cursor; got != "0.0%" {
		t.Errorf("left to right the first capture stands at %s", got)
	}
	if got := timelineOf(&v, true).Cursor; got != "100.0%" {
		t.Errorf("right to left the first capture stands at %s", got)
	}
}

func TestTimelineOfOneCaptureStandsInTheMiddle(t *testing.T) {
	v := endBanner("en")
	if got := timelineOf(&v, false).Cursor; got != "50.0%" {
		t.Errorf("the only capture stands at %s", got)
	}
}

func TestTimelineCursorStaysOnTheLine(t *testing.T) {
	v := smallBanner("en")
	v.Time = at(2040, 1, 1, 0, 0)
	if got := timelineOf(&v, false).Cursor; got != "100.0%" {
		t.Errorf("a moment after the last capture stands at %s", got)
	}
}

func TestTimelineBreaksWhereNothingWasArchived(t *testing.T) {
	v := smallBanner("en")
	if got := strings.Count(timelineOf(&v, false).Base, "M"); got != 4 {
		t.Errorf("the line is in %d pieces, want 4: 1997, 2017, 2019, 2025", got)
	}
}

func TestTimelineMarksEachKindInItsOwnWay(t *testing.T) {
	v := smallBanner("en")
	l := timelineOf(&v, false)
	for _, c := range []struct {
		name, path, stroke string
		want               int
	}{
		{"captures", l.Captures, "v6", 4},
		{"redirects", l.Redirects, "v5", 1},
		{"missing pages", l.Missing, "v3m0 3v3", 1},
		{"changes", l.Changes, "v17", 4},
	} {
		if got := strings.Count(c.path, c.stroke); got != c.want {
			t.Errorf("%s: %d marks in %q, want %d", c.name, got, c.path, c.want)
		}
	}
}

func TestTimelineLinksKeepTheFirstAndTheLastChange(t *testing.T) {
	v := fullBanner("en")
	var changes []Tick
	for _, k := range v.Timeline {
		if k.Changed {
			changes = append(changes, k)
		}
	}
	links := timelineOf(&v, false).Links
	if len(links) < 10 {
		t.Fatalf("only %d links", len(links))
	}
	if links[0].Time != changes[0].Time {
		t.Errorf("the first link is of %s, want %s", links[0].Time, changes[0].Time)
	}
	if last := links[len(links)-1].Time; changes[len(changes)-1].Time.Distance(last) > int64(400*24*time.Hour/time.Second) {
		t.Errorf("the last link is of %s, far from %s", last, changes[len(changes)-1].Time)
	}
}
