package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

// A reader who opens what browsers show by themselves sees it below the banner. Everybody else gets the document as before.
func TestReadersSeeDocumentsBelowTheBanner(t *testing.T) {
	const day, site = "/web/20150101000000", "/http://a.example/"
	at := func(path, head string, status int) replaytest.Verbatim {
		return replaytest.Verbatim{Date: "20150101000000", URI: "http://a.example/" + path, Message: message(status, head, "the bytes of "+path)}
	}
	h, _ := serves(t, []replaytest.Verbatim{
		at("a.png", "Content-Type: image/png\r\n", 200), at("p/a%3Cb.JPG?x=%22", "Content-Type: image/jpeg; q=1; q=2\r\n", 200),
		at("a.pdf", "Content-Type: Application/PDF\r\nContent-Disposition: inline; filename=b.pdf\r\n", 200),
		at("a.txt", "Content-Type: text/plain; charset=koi8-r\r\n", 200), at("a.wav", "Content-Type: audio/x-wav\r\n", 200),
		at("a.mp4", "Content-Type: video/mp4\r\n", 200),
		at("b.mp4", "Content-Type: video/mp4\r\nContent-Range: bytes 0-17/18\r\n", 206), at("a.svg", "Content-Type: image/svg+xml\r\n", 200),
		at("a.tif", "Content-Type: image/tiff\r\n", 200), at("a.json", "Content-Type: application/json\r\n", 200),
		at("a.zip", "Content-Type: application/zip\r\n", 200), at("none", "", 200), at("gone.txt", "Content-Type: text/plain\r\n", 404),
		at("saved.pdf", "Content-Type: application/pdf\r\nContent-Disposition: Attachment\r\n", 200),
	})
	const frame = `<iframe allowfullscreen src="` + day + "if_" + site
	reader := []string{"Accept", "text/html,*/*", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}
	with := func(name, value string) []string { return append(slices.Clone(reader), name, value) }
	for _, c := range []struct {
		path    string
		header  []string
		element string // "" for the document itself
	}{
		{"a.png", reader, `<img alt="a.png" src="` + day + "im_" + site + `a.png">`},
		{"p/a%3Cb.JPG?x=%22", reader, `<img alt="a&lt;b.JPG" src="` + day + "im_" + site + `p/a%3Cb.JPG?x=%22">`},
		{"a.pdf", reader, frame + `a.pdf"></iframe><script>`},
		{"a.pdf", with("User-Agent", "Mozilla/5.0 (Linux; Android 14) Chrome/140 Mobile Safari"), ""},
		{"a.txt", reader, `<iframe sandbox src="` + day + "if_" + site + `a.txt"></iframe>`},
		{"a.wav", reader, frame + `a.wav"></iframe><script>`},
		{"a.mp4", reader, frame + `a.mp4"></iframe><script>`},
		{"b.mp4", reader, frame + `b.mp4"></iframe><script>`},
		{"a.mp4", []string{"Accept", "text/html", "Upgrade-Insecure-Requests", "1"}, frame},
		{"a.mp4", with("Range", "bytes=0-3"), ""},
		{"a.png", nil, ""},
		{"a.png", []string{"Accept", "text/html", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}, ""},
		{"a.png", []string{"Accept", "image/*", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"}, ""},
		{"a.txt", with("Prefer", "raw"), ""},
		{"a.txt", with("Prefer", "rewritten"), ""},
		{"a.svg", reader, ""},
		{"a.tif", reader, ""},
		{"a.json", reader, ""},
		{"a.zip", reader, ""},
		{"none", reader, ""},
		{"gone.txt", reader, ""},
		{"saved.pdf", reader, ""},
	} {
		w := ask(h, "GET", day+site+c.path, c.header...)
		head, body := w.Header(), w.Body.String()
		if head.Get("Memento-Datetime") == "" || !strings.Contains(head.Get("Link"), `rel="original"`) {
			t.Errorf("%s %q is no memento: %v", c.path, c.header, head)
		}
		if c.element == "" {
			if strings.Contains(body, "varve-banner") || !strings.Contains(body, "the bytes of") && w.Code < 300 && w.Code != 206 {
				t.Errorf("%s %q: want the document: %d %.300s", c.path, c.header, w.Code, body)
			}
			continue
		}
		if !strings.Contains(body, "<varve-banner>") || !strings.Contains(body, c.element) || strings.Contains(body, "the bytes of") {
			t.Errorf("%s %q: want %s: %d %s", c.path, c.header, c.element, w.Code, body)
		}
		if w.Code != 200 || head.Get("Content-Type") != "text/html; charset=utf-8" ||
			head.Get("Content-Disposition")+head.Get("Content-Range") != "" {
			t.Errorf("%s: %d %v", c.path, w.Code, head)
		}
		if head.Get("X-Archive-Orig-Content-Type") == "" {
			t.Errorf("%s does not say of which type it was", c.path)
		}
		if vary := head.Get("Vary"); !strings.Contains(vary, "Sec-Fetch-Dest") || !strings.Contains(vary, "Upgrade-Insecure-Requests") {
			t.Errorf("%s varies on %s", c.path, vary)
		}
		if again := ask(h, "GET", day+site+c.path, append(slices.Clone(c.header), "If-None-Match", head.Get("ETag"))...); again.Code != 304 {
			t.Errorf("%s: asked again with its ETag: %d", c.path, again.Code)
		}
	}
	if w := ask(h, "GET", day+"mp_"+site+"a.png", reader...); w.Body.String() != "the bytes of a.png" {
		t.Errorf("without the banner: %s", w.Body)
	}
	if vary := ask(h, "GET", day+site+"a.png").Header().Get("Vary"); !strings.Contains(vary, "Upgrade-Insecure-Requests") {
		t.Errorf("the document itself varies on %s", vary)
	}
}
