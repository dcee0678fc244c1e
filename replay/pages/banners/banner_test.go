package banners_test

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

// A capture that shows an error sentence at status 200 must make no version, and its banner must name it.
func TestTheBannerNamesACaptureThatDidNotShowThePage(t *testing.T) {
	const uri = "http://harbour.example.org/rules"
	rules := "<title>Rules</title><h1>Rules of the harbour</h1><p>Boats moor at the east pier, and their owners pay by the week. " +
		"Whoever stays longer than a month tells the harbour master, who gives out the berths in the order of arrival.</p>"
	at := func(date, body string) replaytest.Record {
		return replaytest.Record{Date: date, URI: uri, Status: 200, Body: body}
	}
	s, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		at("20100101000000", rules), at("20110101000000", "<title>Rules</title><p>Something went wrong. Please try again later.</p>"),
		at("20120101000000", rules),
	}))
	const sentence = "This capture shows an error page."
	for date, want := range map[string]bool{"20100101000000": false, "20110101000000": true, "20120101000000": false} {
		w := replaytest.Get(t, s.Handler(), "/web/"+date+"/"+uri, "Accept", "text/html", "Accept-Language", "en")
		if got := strings.Contains(w.Body.String(), sentence); got != want {
			t.Errorf("%s: %q is said: %v", date, sentence, got)
		}
		page := w.Body.String()
		if counted := strings.Contains(page, "version 1 of 1") && strings.Contains(page, "in this version"); counted == want {
			t.Errorf("%s: it is a capture of the version: %v", date, counted)
		}
		if strings.Contains(w.Body.String(), " of 2") {
			t.Errorf("%s: the error makes a version", date)
		}
	}
}

// An arrow to a version without a page says so, and so does the calendar.
func TestArrowsSayWhereThePageEnds(t *testing.T) {
	const uri, page = "http://harbour.example.org/rules", "<title>Rules</title><p>Boats moor at the east pier."
	s, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{Date: "20100101000000", URI: uri, Status: 200, Body: page},
		{Date: "20110101000000", URI: uri, Status: 302, Location: "http://harbour.example.org/"},
		{Date: "20120101000000", URI: uri, Status: 200, Body: page},
		{Date: "20130101000000", URI: uri, Status: 404, Body: page},
		{Date: "20140101000000", URI: uri, Status: 200, Body: page},
		{Date: "20150101000000", URI: uri, Status: 410, Body: page},
		{Date: "20160101000000", URI: uri, Status: 410, Body: page},
	}))
	for target, says := range map[string][]string{
		"/web/20100101000000/" + uri: {"redirect to the home page"},
		"/web/20120101000000/" + uri: {"redirect to the home page", ">missing<"},
		"/web/20140101000000/" + uri: {">missing<", "missing since 2015"},
		"/web/*/" + uri:              {"redirect to the home page", ">missing<", "missing since 2015"},
	} {
		w := replaytest.Get(t, s.Handler(), target, "Accept", "text/html", "Accept-Language", "en")
		body := strings.NewReplacer("\n", "", "\t", "").Replace(w.Body.String())
		for _, words := range says {
			if !strings.Contains(body, words) {
				t.Errorf("%s does not say %q", target, words)
			}
		}
	}
}

func TestBannerOffersTheLandingPage(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, replaytest.Moved()))
	h := s.Handler()
	for path, want := range map[string]string{
		"20180101000011/" + replaytest.Site + "/ice.html":  `href="/web/landing/20180101000011/` + replaytest.Site + `/ice.html"`,
		"20180101000013/" + replaytest.Site + "/soft.html": `href="/web/landing/20180101000013/` + replaytest.Site + `/soft.html"`,
	} {
		if w := replaytest.Get(t, h, "/web/"+path, "Accept", "text/html"); !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d without %s", path, w.Code, want)
		}
	}
	const acid = "/web/20180101000002/" + replaytest.Site + "/topics/acid-rain"
	from := "/web/landing/20180101000001/" + replaytest.Site + "/acid"
	for range 2 { // the second answer may come from a cache
		if w := replaytest.Get(t, h, acid); strings.Contains(w.Body.String(), from) || strings.Contains(w.Header().Get("Vary"), "Referer") {
			t.Error("a reader who came from nowhere is told a way")
		}
		w := replaytest.Get(t, h, acid, "Referer", "http://varve.example"+from)
		if !strings.Contains(w.Body.String(), `href="`+from+`"`) || !strings.Contains(w.Header().Get("Vary"), "Referer") {
			t.Error("the banner does not say where the reader came from")
		}
		if w := replaytest.Get(t, h, acid, "Referer", "http://evil.example"+from); strings.Contains(w.Body.String(), from) {
			t.Error("another host's referrer is believed")
		}
	}
}

// Addresses that differ only in the case of a letter have one key, and each its own captures.
func TestEachSpellingHasItsOwnTimeline(t *testing.T) {
	const upper, lower = "http://harbour.example.org/Rules", "http://harbour.example.org/rules"
	s, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{Date: "20100101000000", URI: upper, Status: 200, Body: "<p>Boats moor at the east pier."},
		{Date: "20110101000000", URI: upper, Status: 200, Body: "<p>Boats moor at the west pier."},
		{Date: "20150101000000", URI: lower, Status: 200, Body: "<p>Nobody moors here any more."},
	}))
	for _, tt := range []struct{ page, says string }{
		{"/web/20100101000000/" + upper, "2 captures, 2 versions by content, from 1 January 2010 to 1 January 2011"},
		{"/web/20150101000000/" + lower, "1 capture, 1 version by content, from 1 January 2015 to 1 January 2015"},
		{"/web/20110101000000/" + upper, "2 captures, 2 versions by content, from 1 January 2010 to 1 January 2011"},
	} {
		page := replaytest.Get(t, s.Handler(), tt.page, "Accept", "text/html", "Accept-Language", "en").Body.String()
		if !strings.Contains(page, tt.says) {
			_, label, _ := strings.Cut(page, `<svg role="group" aria-label="`)
			t.Errorf("%s: the timeline is of %.120s", tt.page, label)
		}
	}
}
