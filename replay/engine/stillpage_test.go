package engine_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

// A page for pointing at elements has no script but varve's own.
func TestAStillOfAPage(t *testing.T) {
	h, read := serves(t, []replaytest.Verbatim{
		{Date: "20200101000000", URI: "http://a.example/", Message: message(200, "Content-Type: text/html\r\n",
			"<title>t</title><script>alert(1)</script><p onclick=alert(2)>text <img src=/a.png>")},
		{Date: "20200101000000", URI: "http://a.example/a.png", Message: message(200, "Content-Type: image/png\r\n", "\x89PNG")},
	})
	const path = "/web/still/20200101000000/http://a.example/"
	w := ask(h, http.MethodGet, path)
	body, policy := w.Body.String(), w.Header().Get("Content-Security-Policy")
	if w.Code != http.StatusOK || strings.Contains(body, "alert") || !strings.Contains(body, "pick.js") ||
		strings.Count(body, "<script") != 1 ||
		!strings.Contains(body, "/web/20200101000000") || !strings.Contains(policy, "sandbox allow-scripts") ||
		!strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "img-src data: http://varve.example/web/;") {
		t.Errorf("%d, %s\n%s", w.Code, policy, body)
	}
	if head := ask(h, http.MethodHead, path); head.Code != http.StatusOK || head.Body.Len() != 0 ||
		head.Header().Get("Content-Length") != strconv.Itoa(len(body)) {
		t.Errorf("HEAD: %d, %s", head.Code, head.Header())
	}
	for name, path := range map[string]string{
		"another datetime": "/web/still/20200101000001/http://a.example/", "part of one": "/web/still/2020/http://a.example/",
		"no page": path + "a.png", "never captured": path + "b",
	} {
		if w := ask(h, http.MethodGet, path); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
	read.broken.Store(true)
	if w := ask(h, http.MethodGet, path); w.Code < 500 {
		t.Errorf("unreadable: %d", w.Code)
	}
}
