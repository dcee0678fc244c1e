package replay_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/replay/replaytest"
)

// When the storage is away, each answer is what it was, or says that something can't be read now: 503 with Retry-After, or these words on
// a page that shows more than the record. Nothing is said to be missing, and no other capture takes a place.
func TestWhatCannotBeReadIsNotMissing(t *testing.T) {
	t.Parallel()
	const page = "http://page.example/"
	at := func(date, path string, status int, location, body string) replaytest.Record {
		return replaytest.Record{Date: date, URI: page + path, Status: status, Location: location, Body: body}
	}
	file := replaytest.Write(t, []replaytest.Record{
		at("20100101000000", "", 200, "", replaytest.Paragraphs("the mill grinds", "the river runs")),
		at("20120101000000", "", 200, "", replaytest.Paragraphs("the mill burns", "the river runs")),
		at("20140101000000", "", 301, "http://page.example/moved", ""),
		at("20140101000001", "moved", 200, "", replaytest.Paragraphs("the mill burns", "the river runs")),
		at("20160101000000", "", 404, "", "<h1>404 Not found</h1>"),
		at("20180101000000", "", 200, "", "<title>Not found</title><h1>404 Not found</h1>"),
	})
	s := replaytest.Searchable(t, []string{file})
	h := s.Handler()
	paths := []string{
		"/web/" + page, "/web/2010/" + page, "/web/2013id_/" + page, "/web/2014/" + page, "/web/20100101000000/" + page,
		"/web/20100101000000id_/" + page, "/web/20140101000000/" + page, "/web/landing/20140101000000/" + page,
		"/web/landing/20160101000000/" + page, "/web/landing/20180101000000/" + page, "/web/diff/2010/2012/" + page, "/web/diff/" + page,
		"/web/animate/2010/2012/" + page, "/web/similar/20140101000001/" + page + "moved", "/web/20100101000000/info?url=" + page,
		"/web/inspect/20100101000000/" + page, "/web/inspect?at=2010&css=p&url=" + page, "/web/still/20100101000000/" + page,
		"/web/*/" + page, "/web/*/" + page + "*", "/web/changes/" + page, "/web/changes?level=text&url=" + page, "/web/search?q=mill",
		"/web/search?q=grinds&change=deleted", "/web/terms?change=deleted", "/web/timemap/link/" + page, "/web/cdx?url=" + page,
		"/wayback/available?url=" + page,
	}
	answers := func() map[string]*httptest.ResponseRecorder {
		all := map[string]*httptest.ResponseRecorder{}
		for _, accept := range []string{"text/html", "application/json"} {
			for _, path := range paths {
				all[path+" as "+accept] = replaytest.Get(t, h, path, "Accept", accept)
			}
		}
		return all
	}
	before := answers()
	replaytest.Remove(t, file)
	unread := 0
	for what, after := range answers() {
		was := before[what]
		switch {
		case after.Code == http.StatusServiceUnavailable && was.Code < 400 && after.Header().Get("Retry-After") != "",
			after.Code == was.Code && strings.Contains(after.Body.String(), "can&#39;t be read at the moment"):
			unread++
		case after.Code != was.Code || after.Header().Get("Location") != was.Header().Get("Location") || after.Body.String() != was.Body.String():
			t.Errorf("%s: %d before, now %d %s", what, was.Code, after.Code, cmp.Diff(was.Body.String(), after.Body.String()))
		}
	}
	if unread < 10 {
		t.Errorf("only %d answers say that they can't read something", unread)
	}
}
