package replay_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/countdown"
	"github.com/varve-archive/varve/replay/replaytest"
)

// A client that gave up its request, or ended its input and still reads, gets the whole answer or is cut off: it must take no part for the
// whole, and no error either, as nothing has failed.
func TestReadersWhoLeaveGetNoPart(t *testing.T) {
	const page, home = "http://www.riverbend.example/history.html", "http://www.riverbend.example/"
	s, _ := replaytest.Serve(t)
	var logged bytes.Buffer
	s.Archive().Log = slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelError}))
	asked := url.QueryEscape(page)
	for _, path := range []string{
		"/", "/web/", "/web/?url=*", "/web/?url=*&output=csv", "/web/?url=*&sort=-captures", "/web/*/" + page, "/web/" + page,
		"/web/20160901092136/" + page, "/web/20160901092136id_/" + page, "/web/20160901092136mp_/" + page, "/web/2016/" + page,
		"/web/timemap/link/" + page, "/web/timemap/json/" + page, "/web/timemap/cdxj/" + page, "/web/timemap/html/" + page,
		"/web/cdx?url=" + asked, "/web/cdx?output=json&url=" + asked, "/web/cdx?showNumPages=true&url=" + asked,
		"/web/cdx?closest=2016&url=" + asked, "/web/changes/" + page, "/web/changes?level=text&url=" + asked,
		"/web/diff/20160101/20160901092136/" + page, "/web/diff/" + page, "/web/diff?term=river&url=" + asked,
		"/web/similar/2016/" + page, "/web/landing/20170301092254/" + home + "water.html", "/web/feed?url=" + asked,
		"/web/feed?url=*.riverbend.example", "/web/monitor?since=2010", "/web/duplicates", "/web/20160901092136/info?url=" + asked,
		"/web/20160901092136/info?download=warc&url=" + asked, "/web/20160901092136/info?download=wacz&url=" + asked,
		"/web/inspect?css=h1&url=" + asked, "/web/inspect?css=h1&output=csv&url=" + asked,
		"/-/available?url=" + asked, "/-/calendar?url=" + asked, "/collinfo.json",
	} {
		for _, accept := range []string{"text/html", "*/*"} {
			ask := func(after int) (w *httptest.ResponseRecorder, aborted any) {
				r := httptest.NewRequest(http.MethodGet, "http://varve.example"+path, nil).WithContext(countdown.New(t, after))
				r.Header.Set("Accept", accept)
				w = httptest.NewRecorder()
				defer func() { aborted = recover() }()
				s.Handler().ServeHTTP(w, r)
				return w, nil
			}
			counts := []int{0, 1, 2, 3, 4, 5, 7, 10, 15, 25, 50, 100}
			var finished []*httptest.ResponseRecorder // whose reader left too late
			for _, after := range counts {
				left, aborted := ask(after)
				if aborted == nil {
					finished = append(finished, left)
				} else if aborted != http.ErrAbortHandler {
					t.Errorf("%s as %s, %d: %v", path, accept, after, aborted)
				}
			}
			whole, _ := ask(1 << 40) // the last, as it may be cached
			for _, left := range finished {
				if left.Code != whole.Code || left.Body.Len() < whole.Body.Len()*9/10 {
					t.Errorf("%s as %s: %d with %d bytes, not %d with %d", path, accept, left.Code, left.Body.Len(), whole.Code, whole.Body.Len())
				}
			}
		}
	}
	if logged.Len() > 0 {
		t.Errorf("logged as errors:\n%.2000s", logged.String())
	}
}
