package replay_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

// A leaving context is canceled when it has been asked a number of times.
type leaving struct {
	context.Context
	leave func()
	after atomic.Int64
}

func (l *leaving) Done() <-chan struct{} {
	l.count()
	return l.Context.Done()
}

func (l *leaving) Err() error {
	l.count()
	return l.Context.Err()
}

func (l *leaving) count() {
	if l.after.Add(-1) < 0 {
		l.leave()
	}
}

// A client that gave up its request, or ended its input and still reads, gets the whole answer or is cut off: it must take no part for the
// whole, and no error either, as nothing has failed.
func TestReadersWhoLeaveGetNoPart(t *testing.T) {
	const page, home = "http://www.riverbend.example/history.html", "http://www.riverbend.example/"
	s, _ := replaytest.Serve(t)
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
			ask := func(after int64) (w *httptest.ResponseRecorder, aborted any) {
				ctx, leave := context.WithCancel(t.Context())
				defer leave()
				l := &leaving{Context: ctx, leave: leave}
				l.after.Store(after)
				r := httptest.NewRequest(http.MethodGet, "http://varve.example"+path, nil).WithContext(l)
				r.Header.Set("Accept", accept)
				w = httptest.NewRecorder()
				defer func() { aborted = recover() }()
				s.Handler().ServeHTTP(w, r)
				return w, nil
			}
			whole, _ := ask(1 << 40)
			for _, after := range []int64{0, 1, 2, 3, 4, 5, 7, 10, 15, 25, 50, 100} {
				left, aborted := ask(after)
				if aborted != http.ErrAbortHandler && (aborted != nil || left.Code != whole.Code) {
					t.Errorf("%s as %s, %d: %v, %d %.100q, not %d", path, accept, after, aborted, left.Code, left.Body, whole.Code)
				}
				if aborted == nil && left.Code == whole.Code && left.Body.Len() < whole.Body.Len()*9/10 {
					t.Errorf("%s as %s, %d: %d bytes of %d", path, accept, after, left.Body.Len(), whole.Body.Len())
				}
			}
		}
	}
}
