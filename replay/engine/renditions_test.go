package engine_test

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
	"github.com/varve-archive/varve/static"
)

// A player sees only the renditions that were captured, whether the list is rewritten for it or read by its script.
func TestListsOfRenditionsHaveWhatWasCaptured(t *testing.T) {
	const hls = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=2\nhttp://a.example/v/high.m3u8\n"
	const dash = `<MPD><Period><AdaptationSet><SegmentTemplate initialization="$RepresentationID$.mp4"/><Representation id="low"/>` +
		`<Representation id="high"/></AdaptationSet></Period></MPD>`
	server, _ := replaytest.Serve(t, replaytest.WriteTyped(t, []replaytest.Typed{
		{Date: "20200101000000", URI: "http://a.example/v/film.m3u8", Kind: "application/vnd.apple.mpegurl", Body: hls},
		{Date: "20200101000000", URI: "http://a.example/v/film.mpd", Kind: "application/dash+xml", Body: dash},
		{Date: "20200101000000", URI: "http://a.example/v/high.m3u8", Kind: "application/vnd.apple.mpegurl", Body: "#EXTM3U\n"},
		{Date: "20200101000000", URI: "http://a.example/v/high.mp4", Kind: "video/mp4", Body: "film"},
		{Date: "20200101000000", URI: "http://a.example/w/film.m3u8", Kind: "application/vnd.apple.mpegurl", Body: hls[:50] + "x.m3u8\n"},
	}))
	s := server.Handler()
	const rewritten = "http://varve.example/web/20200101000000"
	for _, test := range []struct {
		name, path, header string
		has, lacks         string
	}{
		{"HLS", "/web/20200101000000oe_/http://a.example/v/film.m3u8", "", "/web/20200101000000oe_/http://a.example/v/high.m3u8", "low.m3u8"},
		{"HLS for a script", "/web/20200101000000/http://a.example/v/film.m3u8", "XMLHttpRequest", "\nhttp://a.example/v/high.m3u8", "low.m3u8"},
		{"HLS raw", "/web/20200101000000id_/http://a.example/v/film.m3u8", "", "low.m3u8", rewritten},
		{"DASH", "/web/20200101000000oe_/http://a.example/v/film.mpd", "", `id="high"`, `id="low"`},
		{"DASH for a script", "/web/20200101000000/http://a.example/v/film.mpd", "XMLHttpRequest", `id="high"`, `id="low"`},
		{"DASH raw", "/web/20200101000000id_/http://a.example/v/film.mpd", "", `id="low"`, rewritten},
		{"nothing captured", "/web/20200101000000oe_/http://a.example/w/film.m3u8", "", "low.m3u8", "x-none"},
	} {
		var header []string
		if test.header != "" {
			if !static.HasWombat() { // nothing tells a script's request from others
				continue
			}
			header = []string{"X-Pywb-Requested-With", test.header}
		}
		w := replaytest.Get(t, s, test.path, header...)
		if got := w.Body.String(); w.Code != 200 || !strings.Contains(got, test.has) || strings.Contains(got, test.lacks) {
			t.Errorf("%s: %d %s", test.name, w.Code, got)
		}
		again := replaytest.Get(t, s, test.path, append(header, "If-None-Match", w.Header().Get("ETag"))...)
		if again.Code != 304 || again.Body.Len() > 0 {
			t.Errorf("%s: the client has %q and gets %d with %d bytes", test.name, w.Header().Get("ETag"), again.Code, again.Body.Len())
		}
	}
}

// The same for the lists that players of some sites read, in JSON and in pages, under addresses that vary.
func TestListsOfPlayersHaveWhatWasCaptured(t *testing.T) {
	const day, video = "20200101000000", "https://rr1---sn-a.googlevideo.com/videoplayback?id=7&source=youtube&expire=1577836800&itag="
	player := `{"formats":[{"url":"` + video + `18"},{"url":"` + video + `22"}]}`
	const timeline = `{"variants":[{"url":"https://video.twimg.com/7/360.mp4"},{"url":"https://video.twimg.com/7/720.mp4"}]}`
	server, _ := replaytest.Serve(t, replaytest.WriteTyped(t, []replaytest.Typed{
		{Date: day, URI: "https://www.youtube.com/watch?v=7", Kind: "text/html", Body: "<script>var player = " + player + ";</script>"},
		{Date: day, URI: strings.Replace(video, "rr1---sn-a", "rr5---sn-b", 1) + "18", Kind: "video/mp4", Body: "film"},
		{Date: day, URI: "https://api.twitter.com/2/timeline.json", Kind: "application/json", Body: timeline},
		{Date: day, URI: "https://api.other.example/2/timeline.json", Kind: "application/json", Body: timeline},
		{Date: day, URI: "https://video.twimg.com/7/720.mp4", Kind: "video/mp4", Body: "film"},
	}))
	w := replaytest.Get(t, server.Handler(), "/web/"+day+"/https://www.youtube.com/watch?v=7", "Prefer", "banner-only")
	if got := w.Body.String(); w.Header().Get("Preference-Applied") != "banner-only" || !strings.Contains(got, "itag=22") {
		t.Errorf("a page with the banner and else as it was: %v %s", w.Header(), got)
	}
	for _, test := range []struct{ name, path, header, has, lacks string }{
		{"a page", "/web/" + day + "mp_/https://www.youtube.com/watch?v=7", "", "itag=18", "itag=22"},
		{"the archived page", "/web/" + day + "id_/https://www.youtube.com/watch?v=7", "", "itag=22", "varve"},
		{"JSON for a script", "/web/" + day + "mp_/https://api.twitter.com/2/timeline.json", "fetch", "720.mp4", "360.mp4"},
		{"JSON", "/web/" + day + "oe_/https://api.twitter.com/2/timeline.json", "", "720.mp4", "360.mp4"},
		{"another site", "/web/" + day + "mp_/https://api.other.example/2/timeline.json", "fetch", "360.mp4", "varve"},
	} {
		var header []string
		if test.header != "" {
			header = []string{"X-Pywb-Requested-With", test.header}
		}
		w := replaytest.Get(t, server.Handler(), test.path, header...)
		if got := w.Body.String(); w.Code != 200 || !strings.Contains(got, test.has) || strings.Contains(got, test.lacks) {
			t.Errorf("%s: %d %s", test.name, w.Code, got)
		}
	}
}
