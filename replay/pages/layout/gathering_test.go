package layout

import (
	"testing"

	"github.com/varve-archive/varve/banner/locale"
)

func TestClockTime(t *testing.T) {
	t.Parallel()
	for seconds, want := range map[float64]string{
		0: "0:00", 9.9: "0:09", 75: "1:15", 3599: "59:59", 3600: "1:00:00", 86_399: "23:59:59", 360_000: "100:00:00",
	} {
		if got := ClockTime(locale.For("en"), seconds); got != want {
			t.Errorf("%g seconds: %s, want %s", seconds, got, want)
		}
	}
	if got := ClockTime(locale.For("fa"), 75); got != "۱:۱۵" {
		t.Errorf("in Persian: %s", got)
	}
}

func TestOfLimit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		n, most int
		want    string
	}{{1234, 0, "1,234"}, {0, 20, "0 of at most 20"}, {1234, 5000, "1,234 of at most 5,000"}} {
		if got := OfLimit(locale.For("en"), tt.n, tt.most); got != tt.want {
			t.Errorf("%d, %d: %s, want %s", tt.n, tt.most, got, tt.want)
		}
	}
}
