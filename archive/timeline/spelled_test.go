package timeline_test

import (
	"iter"
	"testing"

	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// An address that was captured exactly is answered by its own captures, all others by any of their key.
func TestAnExactAddressAnswersForItself(t *testing.T) {
	const upper, lower, odd = "http://example.org/P", "http://example.org/p", "https://www.example.org/P/"
	for name, c := range map[string]struct {
		captured []string // one a day
		asked    string
		want     int // captures that count
	}{
		"alike":                    {[]string{upper, odd, upper}, upper, 3},
		"two spellings":            {[]string{upper, lower, odd}, upper, 2},
		"the other of them":        {[]string{upper, lower, odd}, lower, 1},
		"none is spelled as asked": {[]string{upper, odd}, lower, 2},
	} {
		records := make([]archivetest.Record, len(c.captured))
		for i, uri := range c.captured {
			records[i] = archivetest.Record{Date: day(i), URI: uri, Body: "<p>" + uri}
		}
		s, _ := open(t, records...)
		o, err := s.Timelines.Original(t.Context(), "web", surt.Of(c.asked), 0)
		if err != nil {
			t.Fatal(err)
		}
		if o, err = o.Spelled(t.Context(), c.asked); err != nil {
			t.Fatal(err)
		}
		tl, err := o.Timeline(t.Context())
		if err != nil || len(tl.Captures) != c.want {
			t.Errorf("%s: %d captures, %v", name, len(tl.Captures), err)
		}
		if own, err := s.Timelines.Spelled(t.Context(), "web", c.asked); err != nil || len(own.Captures) != c.want {
			t.Errorf("%s: %d captures of the timeline, %v", name, len(own.Captures), err)
		}
		found := 0
		err = s.Index.Nearest(t.Context(), "web", 20200102000000, []string{surt.Of(c.asked)}, func(_ int, near iter.Seq2[*cdx.Capture, error]) {
			if got := timeline.FirstSpelled(c.asked, 20200102000000, near); got != nil && c.want < len(records) &&
				!surt.SameSpelling(got.URL, c.asked) {
				t.Errorf("%s: a link leads to %s", name, got.URL)
			}
			found++
		})
		if err != nil || found != 1 {
			t.Errorf("%s: found %d, %v", name, found, err)
		}
	}
}

// A redirect to another spelling is no answer by itself.
func TestASpellingThatOnlyRedirects(t *testing.T) {
	const upper, lower = "http://example.org/P", "http://example.org/p"
	tl := &timeline.Timeline{Key: surt.Of(lower), Captures: []cdx.Capture{
		{Key: surt.Of(upper), URL: upper, Status: 301, Redirect: lower}, {Key: surt.Of(lower), URL: lower, Status: 200},
	}}
	if got := tl.Spelled(upper); len(got.Captures) != 2 {
		t.Errorf("%d captures, want both", len(got.Captures))
	}
}
