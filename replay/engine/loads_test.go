package engine_test

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

// The banner says what of a page was never captured, by what it is, and leads to the list.
func TestTheBannerTellsWhatIsMissing(t *testing.T) {
	const day, html = "20200101000000", "Content-Type: text/html\r\n"
	s, _ := serves(t, []replaytest.Verbatim{
		{Date: day, URI: "http://a.example/", Message: message(200, html, "<!doctype html><link rel=stylesheet href=/gone.css>"+
			"<img src=/there.png><img src=/gone.png><img src=/gone.png><img src=/gone2.png><a href=/elsewhere>x</a>")},
		{Date: day, URI: "http://a.example/whole", Message: message(200, html, "<!doctype html><img src=/there.png><a href=/elsewhere>x</a>")},
		{Date: day, URI: "http://a.example/there.png", Message: message(200, "Content-Type: image/png\r\n", "\x89PNG")},
	})
	page := ask(s, "GET", "/web/"+day+"/http://a.example/").Body.String()
	if !strings.Contains(page, "missing here: 1 style sheet, 2 pictures (3 of 4 parts)") || !strings.Contains(page, "#embeds") {
		t.Errorf("the banner doesn't say it: %s", page)
	}
	if page := ask(s, "GET", "/web/"+day+"/http://a.example/whole").Body.String(); strings.Contains(page, "missing here") {
		t.Error("the banner of a whole page says that something is missing")
	}
	info := ask(s, "GET", "/web/"+day+"/info?url=http://a.example/").Body.String()
	if !strings.Contains(strings.ReplaceAll(info, " ", ""), `"total":4,"missing":3,"damage":0.909,`) {
		t.Errorf("info: %s", info)
	}
}
