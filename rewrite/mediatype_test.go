package rewrite

import (
	"net/http"
	"slices"
	"testing"

	"github.com/varve-archive/varve/rewrite/uses"
)

// What browsers handle before a document exists, or hand to a program, is only saved, whoever asks and however it is spelled.
func TestOnlySafeTypesPass(t *testing.T) {
	for _, declared := range [][]string{
		{"application/signed-exchange"},
		{"application/signed-exchange;v=b3"},
		{"Application/Signed-Exchange ;v=b3"},
		{"application/signed-exchange(v=b3)"},
		{"text/html, application/signed-exchange;v=b3"},
		{"text/html", "application/signed-exchange;v=b3"},
		{"application/signed-exchange;v=b3", "text/html"},
		{"application/webbundle"},
		{"application/webbundle;v=b2"},
		{"multipart/related"},
		{"message/rfc822"},
		{"application/x-mimearchive"},
		{"multipart/x-mixed-replace; boundary=x"},
		{"multipart/mixed"},
		{"text/calendar"},
		{"text/vcard"},
		{"application/x-chrome-extension"},
		{"application/x-xpinstall"},
		{"application/x-ms-application"},
		{"application/x-java-jnlp-file"},
		{"application/x-apple-aspen-config"},
		{"application/x-shockwave-flash"},
		{"audio/x-pn-realaudio"},
		{"audio/x-scpls"},
		{"video/x-ms-asf"},
		{"application/vnd.google-earth.kml+xml"},
		{"application/opensearchdescription+xml"},
		{"application/x-futuristic"},
		{"text/x-futuristic"},
		{"image/vnd.djvu"},
		{"x-world/x-vrml"},
		{"application/"},
	} {
		got := Header(http.Header{"Content-Type": declared, "Content-Disposition": {"inline"}}, HeaderOptions{Resolve: keepAll})
		if got.Get("Content-Type") != "application/octet-stream" || got.Get("Content-Disposition") != "attachment" {
			t.Errorf("%q is sent as %v", declared, got)
		}
		if !slices.Equal(got["X-Archive-Orig-Content-Type"], declared) || got.Get("X-Archive-Orig-Content-Disposition") != "inline" {
			t.Errorf("%q is shown as %v", declared, got)
		}
	}
}

func TestSafeTypesPassAsTheyAre(t *testing.T) {
	for _, declared := range []string{
		"text/html", "TEXT/HTML;charset=utf-8", "text/html, text/html; charset=utf-8", "text/plain", "text/css", "text/javascript1.5",
		"application/json", "application/vnd.api+json", "application/xhtml+xml", "application/xml", "text/xml", "image/svg+xml",
		"image/png", "video/mp4", "audio/mpeg", "font/woff2", "application/x-font-ttf", "application/pdf", "application/wasm",
		"application/octet-stream", "application/vnd.apple.mpegurl", "text/event-stream", "html", "*/*", "unknown/unknown", ";",
	} {
		got := Header(http.Header{"Content-Type": {declared}}, HeaderOptions{Resolve: keepAll})
		if len(got) != 1 || got.Get("Content-Type") != declared {
			t.Errorf("%q is sent as %v", declared, got)
		}
	}
}

func TestFeedsAreXML(t *testing.T) {
	for declared, want := range map[string]string{
		"application/rss+xml": "application/xml", "application/atom+xml; charset=utf-8": "application/xml; charset=utf-8",
	} {
		got := Header(http.Header{"Content-Type": {declared}}, HeaderOptions{Resolve: keepAll})
		if got.Get("Content-Type") != want || got.Get("X-Archive-Orig-Content-Type") != declared {
			t.Errorf("%q is sent as %v", declared, got)
		}
	}
}

func keepAll(refs []uses.Ref) []string { return make([]string, len(refs)) }
