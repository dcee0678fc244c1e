package proxy_test

import (
	"net/http"
	"testing"

	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/proxy"
	"github.com/varve-archive/varve/replay/replaytest"
)

// Whatever operation of the index's store fails, no answer of varve's own pages in the proxy is wrong, and no part looks like the whole.
func TestAnswersWhileTheStoreFails(t *testing.T) {
	t.Parallel()
	f, dir := replaytest.NewFaults(t, replaytest.Remarkable()), t.TempDir()
	f.Through = func(s *replay.Server) http.Handler {
		p, err := s.NewProxy(proxy.Config{Dir: dir, ServerURL: "http://archive.test"})
		if err != nil {
			t.Fatal(err)
		}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Host, r.URL.Host, r.RequestURI = "varve.proxy", "varve.proxy", "http://varve.proxy"+r.RequestURI
			p.ServeHTTP(w, r)
		})
	}
	f.Ask(
		"/web/search?q=lakes&change=deleted&output=csv", "/web/?url=*&output=csv", "/web/feed", "/web/timemap/link/"+replaytest.Site+"/edit",
		"/web/timemap/html/"+replaytest.Site+"/edit", "/web/search?q=rain&output=csv",
	)
	if f.Answers[http.StatusOK]+f.Answers[replaytest.CutOff] == 0 {
		t.Errorf("the proxy answers %v", f.Answers)
	}
}
