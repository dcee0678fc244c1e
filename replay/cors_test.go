package replay_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/replaytest"
)

func TestWhoMayRead(t *testing.T) {
	first, _ := replaytest.Serve(t, replaytest.Write(t, replaytest.Moved()))
	const page, data = "/web/20150101000000/" + replaytest.Site + "/", "/web/cdx?url=" + replaytest.Site
	for _, tt := range []struct {
		name           string
		origins        []string
		private        bool
		origin         string
		page, data     string // Access-Control-Allow-Origin
		privateNetwork string
	}{
		{"as it is", nil, false, "https://a.example", "*", "*", ""},
		{"on loopback", nil, true, "https://a.example", "", "*", ""},
		{"on loopback for all", []string{"*"}, true, "https://a.example", "*", "*", "true"},
		{
			"one origin",
			[]string{"https://a.example", "https://b.example"},
			true, "https://b.example", "https://b.example",
			"https://b.example", "true",
		},
		{"another", []string{"https://a.example"}, false, "https://b.example", "", "", ""},
		{"none", []string{"https://a.example"}, false, "", "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := replay.New(replay.Config{Archive: first.Archive(), Origins: tt.origins, Private: tt.private})
			if err != nil {
				t.Fatal(err)
			}
			for path, want := range map[string]string{page: tt.page, data: tt.data} {
				h := replaytest.Get(t, s.Handler(), path, "Origin", tt.origin).Header()
				if got := h.Get("Access-Control-Allow-Origin"); got != want || (want == "") != (h.Get("Access-Control-Expose-Headers") == "") {
					t.Errorf("%s: %q may, exposing %q; want %q", path, got, h.Get("Access-Control-Expose-Headers"), want)
				}
			}
			r, w := httptest.NewRequest(http.MethodOptions, "http://varve.example"+page, nil), httptest.NewRecorder()
			r.RequestURI = page
			r.Header.Set("Origin", tt.origin)
			r.Header.Set("Access-Control-Request-Private-Network", "true")
			s.Handler().ServeHTTP(w, r)
			if got := w.Header().Get("Access-Control-Allow-Private-Network"); got != tt.privateNetwork ||
				w.Header().Get("Access-Control-Allow-Origin") != tt.page {
				t.Errorf("preflight: %v", w.Header())
			}
		})
	}
	for _, bad := range []string{"a.example", "https://a.example/", "https://", ""} {
		if _, err := replay.New(replay.Config{Archive: first.Archive(), Origins: []string{bad}}); err == nil {
			t.Errorf("%q is taken for an origin", bad)
		}
	}
}
