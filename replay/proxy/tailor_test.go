package proxy_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/proxy"
	"github.com/varve-archive/varve/replay/replaytest"
)

const (
	master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=2\nmid.m3u8\n" +
		"#EXT-X-STREAM-INF:BANDWIDTH=3\nhigh.m3u8\n"
	segments = "#EXTM3U\n#EXTINF:4,\n"
	variants = `{"variants":[{"url":"https://a.example/1.mp4"},{"url":"https://a.example/2.mp4"}]}`
)

func films(t *testing.T) string {
	const hls, script, day = "application/vnd.apple.mpegurl", "text/javascript", "20200101000000"
	return replaytest.WriteTyped(t, []replaytest.Typed{
		{Date: day, URI: "https://a.example/v/film.m3u8", Kind: hls, Body: master},
		{Date: day, URI: "https://a.example/v/low.m3u8", Kind: hls, Body: segments + "low.ts\n"},
		{Date: day, URI: "https://a.example/v/high.m3u8", Kind: hls, Body: segments + "high.ts\n"},
		{Date: day, URI: "https://a.example/v/high.ts", Kind: "video/mp2t", Body: "G"},
		{Date: day, URI: "https://a.example/data?callback=jQuery1_1410000000000", Kind: script, Body: `jQuery1_1410000000000({"a": 1})`},
		{Date: day, URI: "https://a.example/json?callback=jQuery1_1410000000000", Kind: "application/json", Body: `jQuery1_1410000000000([1])`},
		{Date: day, URI: "https://x.com/i/api", Kind: "application/json", Body: variants},
		{Date: day, URI: "https://x.com/a", Kind: "text/html", Body: "<p>a</p><script>player(" + variants + ")</script>"},
		{Date: day, URI: "https://a.example/1.mp4", Kind: "video/mp4", Body: "film"},
		{Date: day, URI: "https://a.example/other?callback=show", Kind: script, Body: `show(1)`},
	})
}

// Players and scripts that read through the proxy get what they can use, and say so where it isn't what was archived
// for that address.
func TestProxyTailorsAnswers(t *testing.T) {
	p := proxyOf(t, nil, films(t))
	list := p.get("https://a.example/v/film.m3u8")
	if list.body != "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=3\nhigh.m3u8\n" || list.Header.Get("Etag") != "" {
		t.Errorf("the list of renditions is %q (%q)", list.body, list.Header.Get("Etag"))
	}
	if got := p.get("https://a.example/v/low.m3u8"); got.body != segments+"low.ts\n" {
		t.Errorf("a list of segments is %q", got.body)
	}
	if got := p.get("https://x.com/i/api"); got.body != `{"variants":[{"url":"https://a.example/1.mp4"}]}` {
		t.Errorf("the list of a player is %q", got.body)
	}
	if got := p.get("https://x.com/a", clearNavigation...); !strings.Contains(got.body, "1.mp4") || strings.Contains(got.body, "2.mp4") {
		t.Errorf("in a page: %q", got.body)
	}
	got := p.get("https://a.example/data?callback=jQuery2_1500000000000")
	if got.body != `jQuery2_1500000000000({"a": 1})` || !strings.HasSuffix(got.Header.Get("X-Varve-Fuzzy"), "jQuery1_1410000000000") {
		t.Errorf("another callback gets %q (%q)", got.body, got.Header.Get("X-Varve-Fuzzy"))
	}
	if got := p.get("https://a.example/json?callback=jQuery2_1500000000000"); got.body != `jQuery2_1500000000000([1])` {
		t.Errorf("another callback for JSON gets %q", got.body)
	}
	if got := p.get("https://a.example/other?callback=show"); got.body != "show(1)" {
		t.Errorf("the archived callback gets %q", got.body)
	}
	if got := p.send(p.client(""), "HEAD", "https://a.example/v/film.m3u8", ""); got.StatusCode != 200 || got.body != "" {
		t.Errorf("HEAD: %d %q", got.StatusCode, got.body)
	}
}

// Without the banner all bytes are as archived.
func TestPlainProxyTailorsNothing(t *testing.T) {
	p := proxyOf(t, func(c *proxy.Config) { c.Banner = false }, films(t))
	if got := p.get("https://a.example/v/film.m3u8"); got.body != master {
		t.Errorf("the list of renditions is %q", got.body)
	}
	if got := p.get("https://a.example/data?callback=jQuery2_1500000000000"); !strings.HasPrefix(got.body, "jQuery1_") {
		t.Errorf("another callback gets %q", got.body)
	}
}

// An answer to another request repeats what was asked, as in rewritten replay.
func TestProxiedAnswersRepeatTheirRequest(t *testing.T) {
	const viewer = "https://www.facebook.com/ajax/pagelet/generic.php/PhotoViewerPagelet?data="
	files := replaytest.WriteTyped(t, []replaytest.Typed{
		{Date: "20200101000000", URI: viewer + `{"ssid":1234,"cursor":"A"}`, Kind: "application/json", Body: `{"ssid":"1234"}`},
	})
	p, bare := proxyOf(t, nil, files), proxyOf(t, func(c *proxy.Config) { c.Banner = false }, files)
	for data, want := range map[string]string{"1234": `{"ssid":"1234"}`, "5678": `{"ssid":"5678"}`, `"x"`: `{"ssid":"1234"}`} {
		uri := viewer + url.QueryEscape(`{"cursor":"A","ssid":`+data+`}`)
		if got := p.get(uri); got.body != want {
			t.Errorf("asked with %s: %q", data, got.body)
		}
		if got := bare.get(uri); got.body != `{"ssid":"1234"}` {
			t.Errorf("asked with %s, without banners: %q", data, got.body)
		}
	}
}
