package politeness

import (
	"fmt"
	"testing"
	"time"
)

// What a host has asked for holds, however many others are asked meanwhile.
func TestWhatHostsAskForIsRemembered(t *testing.T) {
	h := New(Config{})
	h.Crawl("slow", time.Minute)
	if ok, _ := h.Take("asking", now); !ok {
		t.Fatal("no turn")
	}
	h.Rest("resting", now, Answer{Status: 503, RetryAfter: "7200"})
	h.Take("refusing", now)
	h.Done("refusing", now, Answer{Status: 429})
	later := now.Add(time.Minute)
	for i := range 3 * maxHosts {
		name := fmt.Sprint(i)
		h.Take(name, later)
		h.Done(name, later, Answer{Status: 200})
	}
	h.Take("slow", later)
	if pause := h.Done("slow", later, Answer{Status: 200}); pause != time.Minute {
		t.Errorf("the Crawl-delay is %s", pause)
	}
	if ok, wait := h.Take("asking", later); ok || wait != 0 {
		t.Error("a turn that hasn't ended is forgotten")
	}
	if ok, wait := h.Take("resting", later); ok || wait != maxAskedPause-time.Minute {
		t.Errorf("a host that asked to be left alone is asked after %s", wait)
	}
	h.Take("refusing", later)
	if pause := h.Done("refusing", later, Answer{Status: 429}); pause != 2*firstBackoff {
		t.Errorf("a host that refused before is left alone for %s", pause)
	}
}

// Parts of a page that are refused together ask for one pause; if they are refused again after it, the next pause is longer.
func TestPausesOfRequestsWithoutTurnsGrow(t *testing.T) {
	h := New(Config{})
	at := now
	for _, want := range []time.Duration{firstBackoff, 2 * firstBackoff, 4 * firstBackoff} {
		for range 5 {
			h.Rest("busy", at, Answer{Status: 429})
			h.Rest("busy", at, Answer{})
		}
		if ok, wait := h.Take("busy", at); ok || wait != want {
			t.Errorf("after %s: %v, %s, want %s", at.Sub(now), ok, wait, want)
		}
		at = at.Add(want)
	}
	h.Rest("busy", at, Answer{Status: 200})
	if ok, _ := h.Take("busy", at); !ok {
		t.Error("a good answer asks for a pause")
	}
}

// What robots.txt asks for is noted without a time, and makes no room for others.
func TestCrawlDelaysForgetNobody(t *testing.T) {
	h := New(Config{})
	for i := range maxHosts + 10 {
		name := fmt.Sprint(i)
		h.Take(name, now)
		h.Done(name, now, Answer{Status: 200})
		h.Crawl(name, 0)
	}
	h.Take("one more", now)
	if len(h.of) > maxHosts/2 {
		t.Errorf("%d hosts are remembered", len(h.of))
	}
}
