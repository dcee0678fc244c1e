package crawl

import (
	"testing"
	"time"
)

// A host is left alone after some time-outs in a row, for a while: an answer in between shows that it is there.
func TestSilences(t *testing.T) {
	t.Parallel()
	s := newSilentHosts()
	now := time.Now()
	const host = "http://page.example"
	s.timedOut(host, now)
	s.timedOut(host, now)
	if s.isSilent(host, now) {
		t.Error("it is left alone after two")
	}
	s.answered(host)
	s.timedOut(host, now)
	if s.isSilent(host, now) {
		t.Error("it is left alone though it has answered")
	}
	s.timedOut(host, now)
	s.timedOut(host, now)
	if !s.isSilent(host, now) || s.isSilent("http://other.example", now) {
		t.Error("it is asked after three, or others are not")
	}
	if s.isSilent(host, now.Add(silenceTime)) {
		t.Error("it is never asked again")
	}
	if !s.markLogged(host) || s.markLogged(host) {
		t.Error("it is said never or twice")
	}
}
