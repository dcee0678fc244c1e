package rewrite

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/rewrite/uses"
)

func TestSniff(t *testing.T) {
	for _, tt := range []struct {
		name, declared string
		use            uses.Use
		head           string
		want           Format
	}{
		{"a page is a page", "text/html; charset=utf-8", uses.Link, "<p>x", FormatHTML},
		{"XHTML is a page", "application/xhtml+xml", uses.Link, "<?xml version='1.0'?><html>", FormatHTML},
		{"XHTML as XML is a page", "text/xml", uses.Link, `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">`, FormatHTML},
		{"a broken type still counts", "text/html; charset=", uses.Link, "<p>x", FormatHTML},
		{"archived bytes are nothing", "text/html", uses.Raw, "<p>x", FormatNone},
		{"what a script fetches is nothing", "text/html", uses.Fetch, "<p>x", FormatNone},
		{"an image called a page is an image", "text/html", uses.Link, "\x89PNG\r\n\x1a\n", FormatNone},
		{"an image called a style sheet is an image", "text/css", uses.Style, "GIF89a", FormatNone},
		{"a bitmap called a script is none", "text/javascript", uses.Script, "BM\x36\x00\x0c\x00", FormatNone},
		{"a font that begins with a zero", "text/javascript", uses.Script, "\x00---------------------------------LP", FormatNone},
		{"the start of long data", "text/html", uses.Object, "[1" + strings.Repeat(`,"<p>"`, SniffLen), FormatNone},
		{"a long page that begins like data", "text/html", uses.Object, "[1] " + strings.Repeat(`,"<p>"`, SniffLen), FormatHTML},
		{"a script that begins like a bitmap", "text/javascript", uses.Script, "BMap._cbk1({})", FormatJS},
		{"like an MP3 file", "text/javascript", uses.Script, "ID3.loadTags()", FormatJS},
		{"a style sheet that a module imports", "text/css", uses.Module, "b{top:0}", FormatCSS},
		{"a script called a style sheet", "text/css", uses.Script, "b={top:0}", FormatJS},
		{"a style sheet like a font", "text/css", uses.Style, "OTTO{top:0}", FormatCSS},
		{"a page like another font", "text/html", uses.Link, "What is in here, and what isn't HELP", FormatHTML},
		{"a page called a script is a page", "application/javascript", uses.Script, "<!DOCTYPE html><html>", FormatHTML},
		{"a script in comment marks is a script", "text/javascript", uses.Script, "<!-- hide\nf();\n-->", FormatJS},
		{"a script called a page is a script", "text/html", uses.Script, "var a = 1", FormatJS},
		{"a script called text is a script", "text/plain", uses.Script, "var a = 1", FormatJS},
		{"a script without type is a script", "", uses.Module, "var a = 1", FormatJS},
		{"a worker is a script", "application/octet-stream", uses.Worker, "var a = 1", FormatJS},
		{"JSON asked for as a script is JSON", "application/json", uses.Script, `{"a":1}`, FormatJSON},
		{"a style sheet called text is one", "text/plain", uses.Style, "a{}", FormatCSS},
		{"a page called a style sheet is a page", "text/css", uses.Style, " <html>", FormatHTML},
		{"a PDF is nothing", "application/pdf", uses.Link, "%PDF-1.4", FormatNone},
		{"text is nothing", "text/plain", uses.Link, "<p>x", FormatNone},
		{"JSON called a page is JSON to a frame's fetch", "text/html", uses.Page, `{"a": 1}`, FormatJSON},
		{"numbers and strings of mark-up called a page are data", "text/html", uses.Page, `[1,"<p>"]`, FormatNone},
		{"a number below zero begins data", "text/html", uses.Page, `[ -1.5e3, "<p>"]`, FormatNone},
		{"a string of mark-up is data", "text/html", uses.Page, `"<p>x</p>"`, FormatNone},
		{"but not what quotes and goes on", "text/html", uses.Page, `"Well" <p>she said`, FormatHTML},
		{"a footnote is no array", "text/html", uses.Page, `[1] <a href="/x">x</a>`, FormatHTML},
		{"data behind what keeps it from running as a script", "text/html", uses.Page, ")]}'\n{\"a\":\"<p>\"}", FormatNone},
		{"data behind a loop that never ends", "text/html", uses.Page, `for(;;);{"a":"<p>"}`, FormatNone},
		{"data behind another loop", "text/html", uses.Page, `while(1);[{"a":"<p>"}]`, FormatNone},
		{"data in a call", "text/html", uses.Page, `cb_1.x({"a":"<p>"});`, FormatNone},
		{"a call of mark-up is none", "text/html", uses.Page, `alert(<p>)`, FormatHTML},
		{"to a navigation they are a page", "text/html", uses.Link, `[1,"<p>"]`, FormatHTML},
		{"but to a navigation a page", "text/html", uses.Link, `{"a": 1}`, FormatHTML},
		{"no type, a page", "", uses.Link, "<html>", FormatHTML},
		{"no type, XML", "", uses.Link, "<?xml version='1.0'?>", FormatXML},
		{"no type, no idea", "", uses.Link, "hello", FormatNone},
		{"JSON by suffix", "application/ld+json", uses.Link, "{}", FormatJSON},
		{"a manifest", "application/manifest+json", uses.Object, "{}", FormatManifest},
		{"SVG", "image/svg+xml", uses.Image, "<svg>", FormatXML},
		{"a feed", "application/rss+xml; charset=utf-8", uses.Link, "<rss>", FormatXML},
		{"DASH by type", "application/dash+xml", uses.Object, "<MPD>", FormatDASH},
		{"DASH by content", "text/xml", uses.Object, "<?xml version='1.0'?>\n<MPD>", FormatDASH},
		{"DASH by its older type", "video/vnd.mpeg.dash.mpd", uses.Object, "<MPD>", FormatDASH},
		{"DASH as mere bytes", "application/octet-stream", uses.Object, "<?xml version='1.0'?>\n<MPD>", FormatDASH},
		{"DASH as text", "text/plain", uses.Object, "\ufeff <MPD xmlns='urn:mpeg:dash:schema:mpd:2011'>", FormatDASH},
		{"DASH without a type", "", uses.Page, "<?xml version='1.0'?><!-- --><MPD>", FormatDASH},
		{"a text about DASH", "text/plain", uses.Object, "see <MPD>", FormatNone},
		{"XML as text", "text/plain", uses.Object, "<?xml version='1.0'?><a>", FormatNone},
		{"HLS by type", "application/vnd.apple.mpegurl", uses.Object, "x", FormatHLS},
		{"HLS by content", "text/plain", uses.Object, "#EXTM3U\n", FormatHLS},
		{"an unknown type is nothing", "font/woff2", uses.Object, "wOF2", FormatNone},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Sniff(tt.declared, tt.use, []byte(tt.head)); got != tt.want {
				t.Errorf("Sniff(%q, %q, %q) = %v, want %v", tt.declared, tt.use, tt.head, got, tt.want)
			}
		})
	}
}
