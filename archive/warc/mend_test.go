package warc

import (
	"bufio"
	"strings"
	"testing"
)

func TestContentTypesAreReadAsBrowsersDo(t *testing.T) {
	for _, test := range []struct {
		values []string
		want   string
	}{
		{[]string{"text/html"}, "text/html"},
		{[]string{"Text/HTML ; Charset=x"}, "Text/HTML ; Charset=x"},
		{[]string{"text/html;"}, "text/html;"},
		{[]string{"html"}, ""},
		{[]string{"text/"}, ""},
		{[]string{"text html"}, ""},
		{[]string{""}, ""},
		{nil, ""},
		{[]string{"text/html, text/html; charset=utf-8"}, "text/html; charset=utf-8"},
		{[]string{"text/html; charset=utf-8, text/html"}, "text/html; charset=utf-8"},
		{[]string{"text/html; charset=utf-8, text/plain"}, "text/plain"},
		{[]string{"text/html; charset=utf-8, text/plain, text/html"}, "text/html"},
		{[]string{"text/plain", "text/html"}, "text/html"},
		{[]string{"text/html", "text/plain"}, "text/plain"},
		{[]string{"text/html", "*/*"}, "text/html"},
		{[]string{"text/html", "nonsense"}, "text/html"},
		{[]string{"nonsense", "text/html"}, "text/html"},
		{[]string{`text/html; a="b, text/plain"`}, "text/html"},
		{[]string{`text/html; a="b/c, application/signed-exchange"; charset=utf-8`}, "text/html; charset=utf-8"},
		{[]string{`text/html; charset="a,b"`}, "text/html"},
		{[]string{`text/plain; a=", text/html`}, "text/plain"},
		{[]string{`text/html; a="\", text/plain"`, "image/png"}, "image/png"},
	} {
		var f Fields
		for _, v := range test.values {
			f = append(f, Field{"content-type", v})
		}
		if got := ContentType(f); got != test.want {
			t.Errorf("%q: %q, want %q", test.values, got, test.want)
		}
		if got := f.WithContentType().Get("Content-Type"); got != test.want {
			t.Errorf("%q sent: %q, want %q", test.values, got, test.want)
		}
		if n := len(f.WithContentType().All("Content-Type")); n > 1 {
			t.Errorf("%q: %d are left", test.values, n)
		}
	}
}

func TestUnreadableTypesThatMayNotBeGuessedAreText(t *testing.T) {
	for options, want := range map[string]string{
		"nosniff": "text/plain", "NOSNIFF ": "text/plain", "nosniff, x": "text/plain", "x, nosniff": "", "": "", "sniff": "",
	} {
		for _, declared := range []string{"", "html", "text/"} {
			f := Fields{{"Content-Type", declared}, {"X-Content-Type-Options", options}}
			if got := ContentType(f); got != want {
				t.Errorf("%q, %q: %q, want %q", declared, options, got, want)
			}
		}
	}
	for _, f := range []Fields{
		{{"X-Content-Type-Options", "nosniff"}}, // browsers guess where nothing at all was declared
		{{"Content-Type", "x"}, {"Content-Type", "image/png"}, {"X-Content-Type-Options", "nosniff"}},
	} {
		if got := ContentType(f); got == "text/plain" {
			t.Errorf("%v: %q", f, got)
		}
	}
}

func TestAddressesInHeadsAreReadAsBrowsersDo(t *testing.T) {
	m, err := ParseHead(bufio.NewReader(strings.NewReader(
		"HTTP/1.1 302 Found\r\nLocation: /caf\xe9?\xfc=1\x80~\r\nRefresh: 0; url=/caf\xe9\r\nLink: </\xe9>; rel=preload\r\nX-Note: \xe9\r\n" +
			"Content-Location: /caf\u00e9\r\n\r\n")))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"Location": "/caf%E9?%FC=1%80~", "Refresh": "0; url=/café", "Link": "</%E9>; rel=preload", "X-Note": "\xe9", "Content-Location": "/café",
	} {
		if got := m.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestInterimAnswersArePassedOver(t *testing.T) {
	for head, want := range map[string]int{
		"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n":                                                         200,
		"HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 404 No\r\nA: b\r\n\r\n": 404,
		"HTTP/1.1 100 Continue\n\nHTTP/1.1 301 Moved\n\n":                                                              301,
		"HTTP/1.1 100 Continue\r\n\r\n":                                                                                100,
		"HTTP/1.1 100 Continue\r\n\r\nand a body":                                                                      100,
		"HTTP/1.1 101 Switching Protocols\r\n\r\nHTTP/1.1 200 OK\r\n\r\n":                                              101,
	} {
		r := bufio.NewReader(strings.NewReader(head + "x"))
		m, err := ParseHead(r)
		if err != nil || m.Status != want {
			t.Errorf("%q: %d, %v, want %d", head, m.Status, err, want)
		}
		if want >= 200 && m.Size != len(head) {
			t.Errorf("%q: %d bytes, want %d", head, m.Size, len(head))
		}
	}
}

func TestTargetsWithoutAScheme(t *testing.T) {
	for written, want := range map[string]string{
		"example.org/a": "http://example.org/a", "example.org": "http://example.org", "example.org:8080/a?b:c": "http://example.org:8080/a?b:c",
		"//example.org/a": "http://example.org/a", "http://example.org/": "http://example.org/", "dns:example.org": "dns:example.org",
		"urn:uuid:1": "urn:uuid:1", "metadata://gnu.org/x": "metadata://gnu.org/x", "nowhere": "nowhere", "": "", "a.b:c": "a.b:c",
		"filedesc:x.arc": "filedesc:x.arc", "localhost/a": "localhost/a", "...": "...",
	} {
		if got := withScheme(written); got != want {
			t.Errorf("%q: %q, want %q", written, got, want)
		}
	}
}

// JSON can't hold bytes that are no UTF-8, so that addresses with them would lead nowhere.
func TestTargetsAreUTF8(t *testing.T) {
	for written, want := range map[string]string{
		"http://a.example/é 河": "http://a.example/é 河", "<http://a.example/caf\xe9>": "http://a.example/caf%E9",
		"a.example/\xff?é=%e9": "http://a.example/%FF?%C3%A9=%e9",
	} {
		if got := walk(t, gz(record(written, "A")), "x.warc.gz"); len(got) != 1 || got[0] != want+" at 0, block of 1" {
			t.Errorf("%q: %q, want %q", written, got, want)
		}
	}
}
