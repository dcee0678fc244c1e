package engine_test

import (
	"encoding/json"
	"fmt"
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

// The parts of a page are those that it embeds itself and by its frames, style sheets and redirects, each once, as far as it is read.
func TestPartsOfAPage(t *testing.T) {
	t.Parallel()
	const day, html, css, png = "20200101000000", "Content-Type: text/html\r\n", "Content-Type: text/css\r\n", "Content-Type: image/png\r\n"
	at := func(path, message string) replaytest.Verbatim {
		return replaytest.Verbatim{Date: day, URI: "http://a.example/" + path, Message: message}
	}
	many, pictures := "<!doctype html>", ""
	for i := range 2003 {
		many += fmt.Sprintf("<img src=/%d.png>", i)
	}
	for i := range 3 {
		pictures += fmt.Sprintf("<iframe src=/frame%d></iframe>", i)
	}
	long := strings.Repeat(" ", 9<<20) + "<img src=/late.png>"
	s, _ := serves(t, []replaytest.Verbatim{
		at("", message(200, html, "<!doctype html><link rel=stylesheet href=/a.css><iframe src=/frame></iframe><img src=/1.png><img src=/1.png>"+
			"<a href=/elsewhere>x</a><link rel=stylesheet href=/moved.css>")),
		at("a.css", message(200, css, "@import 'b.css'; p { background: url(2.png) }")),
		at("b.css", message(200, css, "p { background: url(3.png) }")),
		at("frame", message(200, html, "<!doctype html><img src=/4.png><img src=/1.png><iframe src=/></iframe>")),
		at("moved.css", message(301, "Location: /c.css\r\n", "")),
		at("c.css", message(200, css, "p { background: url(5.png) }")),
		at("1.png", message(200, png, "<img src=/no.png>")),
		at("many", message(200, html, many)),
		at("long", message(200, html, "<!doctype html>"+pictures)),
		at("frame0", message(200, html, "<!doctype html>"+long)), at("frame1", message(200, html, "<!doctype html>"+long)),
		at("frame2", message(200, html, "<!doctype html><img src=/unread.png>")),
		at("plain", message(200, plainText, "<img src=/1.png>")),
		at("sealed", message(200, html+"Content-Encoding: dcz\r\n", "<!doctype html><img src=/1.png>")),
	})
	for path, want := range map[string]struct {
		parts              string
		total, out, unread int
	}{
		"":      {"a.css frame 1.png moved.css b.css 2.png 4.png c.css 3.png 5.png", 10, 0, 0},
		"plain": {"", 0, 0, 0}, "sealed": {"", 0, 0, 0},
		"many": {"", 2000, 3, 0},
		"long": {"frame0 frame1 frame2 late.png", 4, 0, 2},
	} {
		var got struct {
			Parts struct {
				Total   int
				LeftOut int `json:"left_out"`
				Unread  int
				More    bool
				List    []struct {
					URIR string `json:"original_uri"`
				}
			}
		}
		text := ask(s, "GET", "/web/"+day+"/info?url=http://a.example/"+path).Body.Bytes()
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err, string(text))
		}
		var list []string
		for _, p := range got.Parts.List {
			list = append(list, strings.TrimPrefix(p.URIR, "http://a.example/"))
		}
		if got := got.Parts; got.Total != want.total || got.LeftOut != want.out || got.Unread != want.unread ||
			got.More != (want.out+want.unread > 0) || path != "many" && strings.Join(list, " ") != want.parts {
			t.Errorf("%q: %d, %d left out, %d unread, %v", path, got.Total, got.LeftOut, got.Unread, list)
		}
	}
}
