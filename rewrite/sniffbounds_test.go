package rewrite

import (
	"bytes"
	"strings"
	"testing"

	"github.com/varve-archive/varve/rewrite/uses"
)

func TestWhatABodyLooksLike(t *testing.T) {
	for _, tt := range []struct {
		in               string
		page, json, html bool
	}{
		{"<!doctype html>", true, false, false},
		{"<!DOCTYPE HTML PUBLIC", true, false, false},
		{"<!doctype htm", false, false, false},
		{"<!doctype svg>", false, false, false},
		{"<html>", true, false, true},
		{"<html", false, false, false},
		{"<html x>", true, false, true},
		{"<HTML\n>", true, false, true},
		{"<htmlx>", false, false, false},
		{"<html5>", false, false, false},
		{"<head>", true, false, false},
		{"<header>", false, false, false},
		{"<body>", true, false, false},
		{"<title>", true, false, false},
		{"<p>", false, false, false},
		{"<!-- a --><html>", true, false, false},
		{"<!-- a -->\n<!-- b --> <body>", true, false, false},
		{"<!-- a -->", false, false, false},
		{"<!-- a <html>", false, false, false},
		{"<!-- a --> var b", false, false, false},
		{"", false, false, false},
		{"{", false, false, false},
		{"{ ", false, false, false},
		{`{"a":1}`, false, true, false},
		{"{\n\t\"a\":1}", false, true, false},
		{"{}", false, true, false},
		{"{a:1}", false, false, false},
		{`["a"]`, false, true, false},
		{"[{}]", false, true, false},
		{"[[]]", false, true, false},
		{"[ ]", false, true, false},
		{"[1]", false, false, false},
		{`"a"`, false, false, false},
		{`("a")`, false, false, false},
	} {
		if got := looksLikePage([]byte(tt.in)); got != tt.page {
			t.Errorf("%q, a page: %v", tt.in, got)
		}
		if got := looksLikeJSON([]byte(tt.in)); got != tt.json {
			t.Errorf("%q, JSON: %v", tt.in, got)
		}
		if got := hasTag([]byte(tt.in), "<html"); got != tt.html {
			t.Errorf("%q, html: %v", tt.in, got)
		}
	}
}

func TestMediaTypesAndTheirFormats(t *testing.T) {
	for contentType, want := range map[string]Format{
		"text/html": FormatHTML, "TEXT/HTML": FormatHTML, "application/vnd.wap.xhtml+xml": FormatHTML, "text/css; x": FormatCSS,
		"text/json":                FormatJSON,
		"application/vnd.api+json": FormatJSON, "application/x-mpegurl": FormatHLS, "audio/mpegurl": FormatHLS, "audio/x-mpegurl": FormatHLS,
		"application/xml": FormatXML, "text/xsl": FormatXML, "application/atom+xml": FormatXML, "text/javascript1.5": FormatJS,
		"text/x-javascript": FormatJS, "image/png": FormatNone, "video/mp4": FormatNone,
	} {
		if got, known := declaredFormat(contentType); got != want || !known {
			t.Errorf("%s: %s, known %v", contentType, got, known)
		}
	}
	for _, contentType := range []string{
		"", "text/plain", "text/plain; charset=x", "application/octet-stream", "binary/octet-stream", "unknown/unknown",
		"application/unknown", "*/*", "html",
	} {
		if got, known := declaredFormat(contentType); got != FormatNone || known {
			t.Errorf("%q: %s, known %v", contentType, got, known)
		}
	}
}

func TestSniffByUse(t *testing.T) {
	for _, tt := range []struct {
		name, declared string
		use            uses.Use
		head           string
		want           Format
	}{
		{"archived bytes to follow", "text/html", uses.RawRedirect, "<p>", FormatNone},
		{"a socket", "text/html", uses.WebSocket, "<p>", FormatNone},
		{"archived bytes with a banner", "text/html", uses.BannerOnly, "<p>", FormatNone},
		{"a file to save", "text/html", uses.Download, "<p>", FormatNone},
		{"a service worker", "text/plain", uses.ServiceWorker, "f()", FormatJS},
		{"a module worker", "text/html", uses.ModuleWorker, "f()", FormatJS},
		{"XML asked for as a style sheet", "text/xml", uses.Style, "<xsl>", FormatXML},
		{"a picture by type asked for as a script", "image/svg", uses.Script, "f()", FormatNone},
		{"a film by type asked for as a script", "video/mp4", uses.Script, "f()", FormatNone},
		{"a table by type asked for as a script", "text/csv", uses.Script, "f()", FormatNone},
		{"a script of an unknown type", "application/x-unknown", uses.Script, "f()", FormatJS},
		{"a script called a form", "application/x-www-form-urlencoded; charset=utf-8", uses.Script, "f()", FormatJS},
		{"a script called XML", "text/xml", uses.Script, "f()", FormatJS},
		{"XML asked for as a script", "text/xml", uses.Script, "<a/>", FormatXML},
		{"a script called JSON", "application/json", uses.Script, "if (a) { f() }", FormatJS},
		{"an object asked for as a script", "application/json", uses.Script, `{"a":1}`, FormatJSON},
		{"an argument asked for as a script", "application/json", uses.Script, `/**/a.b[0]({"a":1})`, FormatJSON},
		{"JSON asked for as a module", "application/json", uses.Module, "1", FormatJSON},
		{"a style sheet of an unknown type", "application/x-unknown", uses.Style, "a{}", FormatCSS},
		{"a style sheet asked for as a script", "text/css", uses.Script, "a{}", FormatJS},
		{"a script asked for as a style sheet", "text/javascript", uses.Style, "a{}", FormatCSS},
		{"a script asked for as an image", "text/javascript", uses.Image, "f()", FormatJS},
		{"a byte order mark before a page", "", uses.Link, "\xef\xbb\xbf \n<html>", FormatHTML},
		{"a playlist behind white space", "text/html", uses.Link, "\n#EXTM3U", FormatHLS},
		{"a page of an unknown type", "unknown/unknown", uses.Link, "<html>", FormatHTML},
		{"a page of any type", "*/*", uses.Link, "<html>", FormatHTML},
		{"a page called bytes", "application/octet-stream", uses.Link, "<html>", FormatNone},
		{"PostScript called a script", "text/javascript", uses.Script, "%!PS-Adobe-", FormatJS},
		{"XML with a page's name but not its name space", "text/xml", uses.Link, "<html>", FormatXML},
		{"XML with its name space but no page", "text/xml", uses.Link, `<svg xmlns:h="http://www.w3.org/1999/xhtml">`, FormatXML},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Sniff(tt.declared, tt.use, []byte(tt.head)); got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}

func TestEachFormatHasItsRewriter(t *testing.T) {
	const uri = "http://example.com/x"
	for format, body := range map[Format]string{
		FormatHTML: `<img src="` + uri + `">`, FormatCSS: "a{b:url(" + uri + ")}", FormatJS: "import '" + uri + "'",
		FormatJSON: `{"a":"` + uri + `"}`, FormatManifest: `{"start_url":"` + uri + `"}`, FormatXML: "<a>" + uri + "</a>",
		FormatHLS: "#EXTM3U\n" + uri, FormatDASH: "<MPD><BaseURL>" + uri + "</BaseURL></MPD>", FormatNone: uri,
	} {
		var b bytes.Buffer
		if err := format.Rewrite(&b, strings.NewReader(body),
			Options{Base: "http://example.com/", Resolve: relative, Use: uses.Module}); err != nil {
			t.Error(err)
		}
		if got := b.String() != body; got != (format != FormatNone) {
			t.Errorf("%s: %s", format, &b)
		}
	}
}

// What a script asked for as data and got as a page stays data; anything with mark-up is a page.
func TestDataThatWasSentAsAPage(t *testing.T) {
	long := strings.Repeat("word ", SniffLen)
	for body, want := range map[string]Format{
		"[1,2,3]": FormatNone, "[true]": FormatNone, `"text"`: FormatNone, "a,b\n1,2": FormatNone, "ok": FormatNone, "[1" + long: FormatNone,
		`{"a":1}`: FormatJSON, `[{"a":"<p>"}]`: FormatJSON,
		"[1] <a href=/x>": FormatHTML, "text <b>bold</b>": FormatHTML, "<p>": FormatHTML, long: FormatHTML, "": FormatHTML,
	} {
		if got := Sniff("text/html", uses.Page, []byte(body[:min(len(body), SniffLen)])); got != want {
			t.Errorf("%.20q: %v, want %v", body, got, want)
		}
		if got := Sniff("text/html", uses.Link, []byte(body[:min(len(body), SniffLen)])); got != FormatHTML {
			t.Errorf("%.20q for a reader: %v", body, got)
		}
	}
}
