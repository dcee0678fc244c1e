package rewrite

import "testing"

func TestSniff(t *testing.T) {
	for _, tt := range []struct {
		name, declared string
		use            Use
		head           string
		want           Format
	}{
		{"a page is a page", "text/html; charset=utf-8", Link, "<p>x", FormatHTML},
		{"XHTML is a page", "application/xhtml+xml", Link, "<?xml version='1.0'?><html>", FormatHTML},
		{"XHTML as XML is a page", "text/xml", Link, `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">`, FormatHTML},
		{"a broken type still counts", "text/html; charset=", Link, "<p>x", FormatHTML},
		{"archived bytes are nothing", "text/html", Raw, "<p>x", FormatNone},
		{"what a worker fetches is nothing", "text/html", WorkerFetch, "<p>x", FormatNone},
		{"an image called a page is an image", "text/html", Link, "\x89PNG\r\n\x1a\n", FormatNone},
		{"an image called a style sheet is an image", "text/css", Style, "GIF89a", FormatNone},
		{"a page called a script is a page", "application/javascript", Script, "<!DOCTYPE html><html>", FormatHTML},
		{"a script in comment marks is a script", "text/javascript", Script, "<!-- hide\nf();\n-->", FormatJS},
		{"a script called a page is a script", "text/html", Script, "var a = 1", FormatJS},
		{"a script called text is a script", "text/plain", Script, "var a = 1", FormatJS},
		{"a script without type is a script", "", Module, "var a = 1", FormatJS},
		{"a worker is a script", "application/octet-stream", Worker, "var a = 1", FormatJS},
		{"JSON asked for as a script is JSON", "application/json", Script, `{"a":1}`, FormatJSON},
		{"a style sheet called text is one", "text/plain", Style, "a{}", FormatCSS},
		{"a page called a style sheet is a page", "text/css", Style, " <html>", FormatHTML},
		{"a PDF is nothing", "application/pdf", Link, "%PDF-1.4", FormatNone},
		{"text is nothing", "text/plain", Link, "<p>x", FormatNone},
		{"JSON called a page is JSON to a frame's fetch", "text/html", Page, `{"a": 1}`, FormatJSON},
		{"but to a navigation a page", "text/html", Link, `{"a": 1}`, FormatHTML},
		{"no type, a page", "", Link, "<html>", FormatHTML},
		{"no type, XML", "", Link, "<?xml version='1.0'?>", FormatXML},
		{"no type, no idea", "", Link, "hello", FormatNone},
		{"JSON by suffix", "application/ld+json", Link, "{}", FormatJSON},
		{"a manifest", "application/manifest+json", Object, "{}", FormatManifest},
		{"SVG", "image/svg+xml", Image, "<svg>", FormatXML},
		{"a feed", "application/rss+xml; charset=utf-8", Link, "<rss>", FormatXML},
		{"DASH by type", "application/dash+xml", Object, "<MPD>", FormatDASH},
		{"DASH by content", "text/xml", Object, "<?xml version='1.0'?>\n<MPD>", FormatDASH},
		{"HLS by type", "application/vnd.apple.mpegurl", Object, "x", FormatHLS},
		{"HLS by content", "text/plain", Object, "#EXTM3U\n", FormatHLS},
		{"an unknown type is nothing", "font/woff2", Object, "wOF2", FormatNone},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Sniff(tt.declared, tt.use, []byte(tt.head)); got != tt.want {
				t.Errorf("Sniff(%q, %q, %q) = %v, want %v", tt.declared, tt.use, tt.head, got, tt.want)
			}
		})
	}
}

func TestEveryUseIsParsedFromItsModifier(t *testing.T) {
	for u := Use(0); int(u) < uses; u++ {
		if got, ok := ParseUse(u.String()); !ok || got != u {
			t.Errorf("ParseUse(%q) = %v, %v; want %v", u.String(), got, ok, u)
		}
	}
	if _, ok := ParseUse("xx_"); ok {
		t.Error("xx_ is known")
	}
}
