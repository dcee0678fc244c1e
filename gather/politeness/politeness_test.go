package politeness

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestPauses(t *testing.T) {
	const ms = time.Millisecond
	for name, tt := range map[string]struct {
		cfg     Config
		crawl   time.Duration
		answers []Answer
		want    time.Duration // after the last
	}{
		"the delay":                {Config{Delay: 200 * ms}, 0, []Answer{{Took: ms, Status: 200}}, 200 * ms},
		"a slow answer":            {Config{Delay: 200 * ms}, 0, []Answer{{Took: 900 * ms, Status: 200}}, 900 * ms},
		"a very slow answer":       {Config{Delay: 200 * ms}, 0, []Answer{{Took: time.Hour, Status: 200}}, maxPause},
		"no delay":                 {Config{}, 0, []Answer{{Took: time.Second, Status: 200}}, 0},
		"Crawl-delay":              {Config{}, 3 * time.Second, []Answer{{Status: 200}}, 3 * time.Second},
		"a shorter Crawl-delay":    {Config{Delay: 200 * ms}, ms, []Answer{{Status: 200}}, 200 * ms},
		"an endless Crawl-delay":   {Config{}, 1000 * time.Hour, []Answer{{Status: 200}}, maxAskedPause},
		"Retry-After in seconds":   {Config{}, 0, []Answer{{Status: 503, RetryAfter: " 120 "}}, 2 * time.Minute},
		"Retry-After as a date":    {Config{}, 0, []Answer{{Status: 429, RetryAfter: now.Add(time.Minute).Format(http.TimeFormat)}}, time.Minute},
		"Retry-After in the past":  {Config{Delay: ms}, 0, []Answer{{Status: 429, RetryAfter: now.Add(-time.Hour).Format(http.TimeFormat)}}, ms},
		"Retry-After that is long": {Config{}, 0, []Answer{{Status: 429, RetryAfter: "99999999"}}, maxAskedPause},
		"Retry-After has no end":   {Config{}, 0, []Answer{{Status: 429, RetryAfter: strings.Repeat("9", 30)}}, maxAskedPause},
		"Retry-After is rubbish":   {Config{}, 0, []Answer{{Status: 429, RetryAfter: "soon"}}, firstBackoff},
		"refused twice":            {Config{}, 0, []Answer{{Status: 429}, {Status: 503}}, 2 * firstBackoff},
		"refused, then not":        {Config{}, 0, []Answer{{Status: 429}, {Status: 200}, {Status: 429}}, firstBackoff},
		"refused, then no answer":  {Config{}, 0, []Answer{{Status: 429}, {}, {Status: 429}}, 2 * firstBackoff},
		"no answer":                {Config{Delay: ms}, 0, []Answer{{Took: time.Second}}, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			h := New(tt.cfg)
			h.Crawl("a", tt.crawl)
			at := now
			var pause time.Duration
			for i, a := range tt.answers {
				if ok, wait := h.Take("a", at); !ok {
					t.Fatalf("turn %d: wait %s", i, wait)
				}
				pause = h.Done("a", now, a)
				at = at.Add(maxAskedPause)
			}
			if pause != tt.want {
				t.Errorf("%s, want %s", pause, tt.want)
			}
		})
	}
}

func TestTurns(t *testing.T) {
	h := New(Config{Delay: time.Second, PerHost: 2})
	take := func(name string, at time.Time, wantOK bool, wantWait time.Duration) {
		t.Helper()
		if ok, wait := h.Take(name, at); ok != wantOK || wait != wantWait {
			t.Errorf("%s at %s: %t, %s", name, at, ok, wait)
		}
	}
	take("a", now, true, 0)
	take("a", now, false, time.Second)
	take("b", now, true, 0)
	take("a", now.Add(time.Second), true, 0)
	take("a", now.Add(time.Hour), false, 0)
	h.Done("a", now.Add(time.Hour), Answer{Status: 200})
	take("a", now.Add(time.Hour), false, time.Second)
	take("a", now.Add(time.Hour+time.Second), true, 0)
}

func TestHostsAreForgotten(t *testing.T) {
	h := New(Config{})
	for i := range 3 * maxHosts {
		name := string(rune(0x4e00+i%20_000)) + string(rune('a'+i/20_000))
		h.Take(name, now)
		h.Done(name, now, Answer{Status: 200})
	}
	if len(h.of) > maxHosts+1 {
		t.Errorf("%d hosts are remembered", len(h.of))
	}
}

// A pause lasts though its host is one of too many, and a request without a turn may begin one.
func TestPausesLast(t *testing.T) {
	h := New(Config{Delay: time.Second})
	h.Take("a", now)
	h.Rest("a", now, Answer{Status: 429})
	h.Done("a", now, Answer{Status: 200})
	h.most = 0
	if ok, wait := h.Take("a", now.Add(time.Second)); ok || wait != time.Second {
		t.Errorf("%t, %s", ok, wait)
	}
}
