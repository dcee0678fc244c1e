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
	for i := range 3 * many {
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
	if ok, wait := h.Take("resting", later); ok || wait != patience-time.Minute {
		t.Errorf("a host that asked to be left alone is asked after %s", wait)
	}
	h.Take("refusing", later)
	if pause := h.Done("refusing", later, Answer{Status: 429}); pause != 2*firstBackoff {
		t.Errorf("a host that refused before is left alone for %s", pause)
	}
}
