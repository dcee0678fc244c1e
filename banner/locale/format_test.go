package locale

import (
	"strings"
	"testing"
	"time"
)

func TestNumbers(t *testing.T) {
	de, fa := For("de"), For("fa")
	for n, want := range map[int]string{
		0: "0", 7: "7", 999: "999", 1000: "1" + de.Group + "000", -5: "−5", -1234567: "−1" + de.Group + "234" + de.Group + "567",
	} {
		if got := de.Number(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	if got := fa.Number(90); got != "۹۰" {
		t.Errorf("in Persian: %q", got)
	}
	if got := fa.Digits("a09/:"); got != "a۰۹/:" {
		t.Errorf("digits in Persian: %q", got)
	}
}

// A duration must be given in the largest unit of which there are at least two, not counting minutes.
func TestDurations(t *testing.T) {
	en := For("en")
	const day = 24 * time.Hour
	for d, want := range map[time.Duration]string{
		0: "", time.Minute - 1: "", time.Minute: en.Count(en.Minutes, 1), 2*time.Hour - 1: en.Count(en.Minutes, 119),
		2 * time.Hour: en.Count(en.Hours, 2), 2*day - 1: en.Count(en.Hours, 47), 2 * day: en.Count(en.Days, 2),
		730*day - 1: en.Count(en.Days, 729), 730 * day: en.Count(en.Years, 2), -3 * day: en.Count(en.Days, 3),
	} {
		if got := en.Duration(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
	if got := en.Drift(30 * time.Second); got != "" {
		t.Errorf("half a minute of drift: %q", got)
	}
	if later, earlier := en.Drift(3*day), en.Drift(-3*day); later == earlier || later != Fill(en.DriftLater, en.Duration(3*day)) {
		t.Errorf("later: %q, earlier: %q", later, earlier)
	}
}

func TestDates(t *testing.T) {
	const ts = 20160203040506
	for _, tag := range Tags() {
		l := For(tag)
		for what, got := range map[string]string{"date and time": l.DateTime(ts), "day": l.Day(ts), "short": l.Short(ts), "brief": l.Brief(ts)} {
			if !strings.Contains(got, l.Digits("2016")) || strings.ContainsAny(got, "{}") || strings.Contains(got, l.Digits("03")) {
				t.Errorf("%s: %s: %q", tag, what, got)
			}
		}
		if got := l.Clock(ts); !strings.Contains(got, l.Digits("04")+":"+l.Digits("05")) {
			t.Errorf("%s: clock: %q", tag, got)
		}
		if l.Day(0) != "–" || l.Year(ts) != l.Digits("2016") {
			t.Errorf("%s: %q, %q", tag, l.Day(0), l.Year(ts))
		}
	}
	odd := *For("en")
	odd.DatePattern = "{n}/{d}{"
	if got := odd.Day(ts); got != "2/3{" {
		t.Errorf("months as numbers: %q", got)
	}
	odd.DatePattern = "{N} {M}"
	if got := odd.Day(20161203040506); got != "Dec December" {
		t.Errorf("months as words: %q", got)
	}
}

func TestCounts(t *testing.T) {
	en := For("en")
	c := Count{One: "{0} page", Other: "{0} pages"}
	for n, want := range map[int]string{0: "", 1: "1 page", 2: "2 pages", -1: "−1 page"} {
		if got := en.Some(c, n); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
	if got := Fill("{1} of {0}, {2}", "a{1}", "b"); got != "b of a{1}, {2}" {
		t.Errorf("filled: %q", got)
	}
	if got := en.List("", "a", "", "b"); got != "a"+en.Comma+"b" {
		t.Errorf("list: %q", got)
	}
}

func TestChoice(t *testing.T) {
	for header, want := range map[string]string{
		"": "en", "de": "de", "de-AT,en;q=0.5": "de", "fr": "en", "fr,uk;q=0.1": "uk", "zh-Hans-CN": "zh", "no such; header=\x00": "en",
		"de," + strings.Repeat("x", 1000):  "de", // cut within a word that is not a language
		strings.Repeat("xx,", 1000) + "de": "en",
	} {
		if got := For(Choose(header)).Tag; got != For(want).Tag {
			t.Errorf("%.40q: %s, want %s", header, got, want)
		}
	}
	at := strings.Repeat(" ", 998) + "de"
	if got := Choose(at); got != "de" {
		t.Errorf("a header of the greatest length: %s", got)
	}
	if got := Choose(" " + at); got == "de" {
		t.Error("a longer header was read to its end")
	}
}

func TestSizes(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 999: "999 B", 1000: "1.0 kB", 9949: "9.9 kB", 9960: "10 kB", 999_499: "999 kB", 999_500: "1.0 MB", 1_400_000: "1.4 MB",
		1_000_000_000_000_000: "1000 TB",
	} {
		if got := strings.ReplaceAll(For("en").Size(n), "\u00a0", " "); got != want {
			t.Errorf("%d bytes are %s, want %s", n, got, want)
		}
	}
}
