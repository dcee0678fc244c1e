package rendition_test

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/growth"
	"github.com/varve-archive/varve/rewrite/rendition"
)

// Lists of renditions are trimmed in time that grows no faster than they do, whatever they have more of.
func TestTrimmingGrowsWithTheLists(t *testing.T) {
	const player = "https://www.youtube.com/youtubei/v1/player"
	for name, unit := range map[string]string{
		"variants": "#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n", "tags": "#EXT-X-STREAM-INF:\n",
		"media":      "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",URI=\"a\"\n",
		"attributes": ",URI=\"a\"", "commas": ",", "white space": " ", "variables": "{$a}",
	} {
		growth.Linear(t, "HLS "+name, func(n int) []byte { return []byte("#EXTM3U\n#EXT-X-STREAM-INF:a\n" + strings.Repeat(unit, n)) },
			func(list []byte) {
				rendition.HLS(list, "http://a.example/x", odd{list})
			})
	}
	for name, unit := range map[string]string{
		"representations": "<AdaptationSet><Representation id='1'><BaseURL>a.mp4</BaseURL></Representation></AdaptationSet>",
		"nesting":         "<Period>",
		"bases in bases":  "<Period><BaseURL>a/</BaseURL>", "bases": "<BaseURL>a/</BaseURL>", "templates": "<SegmentTemplate media='$Number$'/>",
		"numbers": "<Representation id='1'><SegmentTemplate media='$Number%099d$'/></Representation>", "comments": "<!-- x -->",
		"entities": "&amp;",
	} {
		growth.Linear(t, "DASH "+name, func(n int) []byte { return []byte("<MPD>" + strings.Repeat(unit, n) + "</MPD>") }, func(list []byte) {
			rendition.DASH(list, "http://a.example/x", odd{list})
		})
	}
	for name, unit := range map[string]string{
		"lists": `"formats":[{"url":"https://a.example/1"}],`, "lists in lists": `"formats":[{`, "open lists": `"formats":[`,
		"renditions": `{"url":"https://a.example/1"},`,
		"other ways": `"dash":{`, "quotes": `"`,
	} {
		growth.Linear(t, "player's "+name, func(n int) []byte { return []byte(`{"formats":[` + strings.Repeat(unit, n)) }, func(text []byte) {
			rendition.Player(text, player, odd{text})
			rendition.Player(text, "https://player.vimeo.com/video/7", odd{text})
		})
	}
}
