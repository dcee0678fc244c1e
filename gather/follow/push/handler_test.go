package push_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/varve-archive/varve/gather/follow/push"
)

// A sink knows the token "mine", and notes what it is told.
type sink struct{ told string }

func (s *sink) Verify(token string, q url.Values) (string, bool) {
	return q.Get("hub.challenge"), token == "mine"
}

func (s *sink) Deliver(token, signature, contentType string, body []byte) bool {
	s.told = signature + " " + contentType + " " + string(body[:min(len(body), 9)])
	return token == "mine"
}

func (s *sink) Challenged(token, feed string) bool { s.told = feed; return token == "mine" }
func (s *sink) Changed(token, feed string) bool    { s.told = feed; return token == "mine" }
func (s *sink) Ping(p push.Ping) bool              { s.told = p.Name; return p.Name == "known" }

func TestHandler(t *testing.T) {
	t.Parallel()
	ping := func(name string) string {
		return "<methodCall><methodName>weblogUpdates.ping</methodName><params><param><value>" + name +
			"</value></param><param><value>http://a.example/</value></param></params></methodCall>"
	}
	const feed, saying = "http://a.example/feed", "</boolean></value></member><member><name>message</name><value>"
	for _, tt := range []struct {
		name, method, target, body string
		status                     int
		says                       string // in the answer
		told                       string
	}{
		{"a verification", "GET", "/push/websub/mine?hub.challenge=x", "", 200, "x", ""},
		{"of a stranger", "GET", "/push/websub/yours?hub.challenge=x", "", 404, "no such subscription", ""},
		{"without the prefix", "GET", "/websub/mine?hub.challenge=x", "", 200, "x", ""},
		{"a delivery", "POST", "/push/websub/mine", "news", 202, "", "sha1=0 text/xml news"},
		{"to nobody", "POST", "/push/websub/yours", "news", 410, "no such subscription", "sha1=0 text/xml news"},
		{"a challenge of a cloud", "GET", "/push/rsscloud/mine?challenge=y&url=" + feed, "", 200, "y", feed},
		{"of none", "GET", "/push/rsscloud/yours?challenge=y&url=" + feed, "", 404, "no such subscription", feed},
		{"what a cloud tells", "POST", "/push/rsscloud/mine?url=" + feed, "", 200, "", feed},
		{"what none tells", "POST", "/push/rsscloud/yours?url=" + feed, "", 404, "no such registration", feed},
		{"a ping", "POST", "/push/RPC2", ping("known"), 200, "<boolean>0" + saying + "Thanks for the ping.", "known"},
		{"for a stranger", "POST", "/push/RPC2", ping("other"), 200, "<boolean>1" + saying + "This site is not followed", "other"},
		{"that is none", "POST", "/push/RPC2", "hello", 200, "be taken", ""},
		{"elsewhere", "GET", "/push/RPC3", "", 404, "", ""},
	} {
		to := new(sink)
		r := httptest.NewRequest(tt.method, "http://me.example"+tt.target, strings.NewReader(tt.body))
		r.Header.Set("X-Hub-Signature", "sha1=0")
		r.Header.Set("Content-Type", "text/xml")
		w := httptest.NewRecorder()
		push.Handler("/push", to).ServeHTTP(w, r)
		if kind := w.Header().Get("Content-Type"); strings.HasSuffix(tt.target, "RPC2") != (kind == "text/xml; charset=utf-8") ||
			w.Body.Len() > 0 && kind == "" || strings.HasPrefix(kind, "text/plain") && w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", tt.name, w.Header())
		}
		if w.Code != tt.status || !strings.Contains(w.Body.String(), tt.says) || to.told != tt.told {
			t.Errorf("%s: %d %s, told %q", tt.name, w.Code, w.Body, to.told)
		}
	}
	for size, want := range map[int]string{64 << 10: feed, 64<<10 + 1: ""} {
		to, form := new(sink), "url="+feed+"&x="
		r := httptest.NewRequest("POST", "http://me.example/rsscloud/mine", strings.NewReader(form+strings.Repeat("x", size-len(form))))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if push.Handler("", to).ServeHTTP(httptest.NewRecorder(), r); to.told != want {
			t.Errorf("%d bytes: told %q, want %q", size, to.told, want)
		}
	}
	for size, want := range map[int64]int{16 << 20: http.StatusAccepted, 16<<20 + 1: http.StatusRequestEntityTooLarge} {
		r := httptest.NewRequest("POST", "http://me.example/websub/mine", io.LimitReader(endless{}, size))
		w := httptest.NewRecorder()
		push.Handler("", new(sink)).ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%d bytes: %d, want %d", size, w.Code, want)
		}
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }
