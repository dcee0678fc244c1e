package studio

import (
	"regexp"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/visual"
)

func TestEstimate(t *testing.T) {
	for _, tt := range []struct {
		n, have int
		known   pace
		want    string
	}{
		{1, 0, usualPace(), "1 picture, about 2 seconds, 150 kB"},
		{90, 1, usualPace(), "90 pictures, about 3 minutes, 14 MB; 1 picture is there already"},
		{10_000, 5, pace{Pictures: 10, Seconds: 10, Bytes: 1_000_000}, "10000 pictures, about 3 hours, 1.0 GB; 5 pictures are there already"},
	} {
		s := &Studio{known: tt.known}
		if got := s.Estimate(tt.n, tt.have); got != tt.want {
			t.Errorf("%d: %s, want %s", tt.n, got, tt.want)
		}
	}
}

func TestRoughly(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "1 second", 1400 * time.Millisecond: "1 second", 1500 * time.Millisecond: "2 seconds", 59 * time.Second: "59 seconds",
		time.Minute: "1 minute", 90 * time.Second: "2 minutes", 119 * time.Minute: "119 minutes", 2 * time.Hour: "2 hours",
		150 * time.Minute: "3 hours",
	} {
		if got := roughly(d); got != want {
			t.Errorf("%s: %s, want %s", d, got, want)
		}
	}
}

// A picture of the upper part of a page is one; a page that could not be pictured is not.
func TestSummary(t *testing.T) {
	s := &Studio{began: time.Now().Add(-time.Minute), made: 30, bytes: 1_000_000}
	s.notes = map[visual.Note]int{"": 20, visual.Cut: 7, visual.Hung: 2, visual.Crashed: 1}
	want := regexp.MustCompile(`^pictured 30 pages, \d+ a minute, 1\.0 MB; of 3 pages there is only a note that says why$`)
	if got := s.Summary(); !want.MatchString(got) {
		t.Error(got)
	}
	s.notes = map[visual.Note]int{"": 29, visual.Cut: 1}
	if got := s.Summary(); !regexp.MustCompile(`1\.0 MB$`).MatchString(got) {
		t.Error(got)
	}
}
