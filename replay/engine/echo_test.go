package engine_test

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

// A page drops an answer that does not repeat what it asked with. An answer to another request does; archived bytes don't change.
func TestAnswersRepeatTheirRequest(t *testing.T) {
	const day, viewer = "20200101000000", "https://www.facebook.com/ajax/pagelet/generic.php/PhotoViewerPagelet?data="
	const held, asked = `{"ssid":1234,"cursor":"A"}`, `{"ssid":5678,"cursor":"A"}`
	long := strings.Repeat(" ", 4<<20)
	server, _ := replaytest.Serve(t, replaytest.WriteTyped(t, []replaytest.Typed{
		{Date: day, URI: viewer + held, Kind: "application/octet-stream", Body: `{"ssid":"1234","n":1234}`},
		{Date: day, URI: viewer + `{"ssid":1,"cursor":"long"}`, Kind: "application/json", Body: long + `{"ssid":1}`},
		{Date: day, URI: viewer + `{"ssid":1,"cursor":"js"}`, Kind: "text/javascript", Body: `parent.say({ssid: 1})`},
	}))
	s := server.Handler()
	for _, tt := range []struct{ name, mod, data, has, etag string }{
		{"asked as when it was captured", "mp_", held, `{"ssid":"1234","n":1234}`, `"`},
		{"asked with another value", "mp_", asked, `{"ssid":"5678","n":1234}`, `W/"`},
		{"by a script", "js_", `{"cursor":"js","ssid":7}`, `{ssid: 7}`, `W/"`},
		{"too long to be held", "mp_", `{"ssid":2,"cursor":"long"}`, `{"ssid":1}`, ""},
		{"raw", "id_", asked, `{"ssid":"1234","n":1234}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := replaytest.Get(t, s, "/web/"+day+tt.mod+"/"+viewer+tt.data, "Sec-Fetch-Dest", "empty", "Sec-Fetch-Mode", "cors")
			if tt.mod == "id_" && w.Code == 404 { // raw bytes are of the address that was asked, or of none
				return
			}
			if got := strings.TrimSpace(w.Body.String()); w.Code != 200 || !strings.Contains(got, tt.has) {
				t.Errorf("%d %.200s", w.Code, got)
			}
			if tag := w.Header().Get("Etag"); tt.etag != "" && !strings.HasPrefix(tag, tt.etag) {
				t.Errorf("tag %s, want %s…", tag, tt.etag)
			}
		})
	}
}
