package fetch

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The captured head and the body that fits it, as archives tell them.
func TestCaptured(t *testing.T) {
	const packed = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x2b\xcf\x2c\xc9\x48\x2d\x02\x00\x1d\x0e\x0c\x9a\x05\x00\x00\x00" // not read here
	at, _ := url.Parse("https://archive.example/web/20100101000000id_/http://river.example/")
	for name, tt := range map[string]struct {
		head   http.Header
		length int64
		body   string
		want   http.Header
	}{
		"marked": {
			http.Header{
				"X-Archive-Orig-Server": {"weir"}, "X-Archive-Orig-": {"nothing"}, "Server": {"nginx"}, "Content-Type": {"text/html"},
				"Memento-Datetime": {"x"},
			},
			4, "text",
			http.Header{"Server": {"weir"}, "Content-Type": {"text/html"}, "Content-Length": {"4"}},
		},
		"marked, in the coding of the capture": {
			http.Header{"X-Archive-Orig-Content-Encoding": {"gzip"}, "Content-Encoding": {"gzip"}},
			-1, packed,
			http.Header{"Content-Encoding": {"gzip"}},
		},
		"marked, in a coding that was stored": {
			http.Header{"X-Archive-Orig-Server": {"weir"}, "Content-Encoding": {"gzip"}},
			int64(len(packed)), packed,
			http.Header{"Server": {"weir"}, "Content-Encoding": {"gzip"}, "Content-Length": {"26"}},
		},
		"marked, decoded by the archive": {
			http.Header{"X-Archive-Orig-Content-Encoding": {"gzip"}, "X-Archive-Orig-Content-Length": {"26"}},
			5, "plain",
			http.Header{"Content-Length": {"5"}},
		},
		"marked, decoded by the archive, which says otherwise": {
			http.Header{"X-Archive-Orig-Content-Encoding": {"gzip"}, "Content-Encoding": {"gzip"}},
			5, "plain",
			http.Header{"Content-Length": {"5"}},
		},
		"not marked, decoded by the archive, which says otherwise": {
			http.Header{"Content-Encoding": {"GZIP"}}, -1, "plain", http.Header{},
		},
		"in a coding of which nobody sees whether it is one": {
			http.Header{"Content-Encoding": {"br"}}, -1, "plain", http.Header{"Content-Encoding": {"br"}},
		},
		"marked, coded on the way": {
			http.Header{"X-Archive-Orig-Server": {"weir"}, "Content-Encoding": {"gzip"}},
			-1, gzipped("plain"),
			http.Header{"Server": {"weir"}},
		},
		"marked, in a coding that nobody knows": {
			http.Header{"X-Archive-Orig-Server": {"weir"}, "Content-Encoding": {"x-odd"}},
			-1, "as it came",
			http.Header{"Server": {"weir"}},
		},
		"marked, empty in a coding": {
			http.Header{"X-Archive-Orig-Server": {"weir"}, "Content-Encoding": {"gzip"}},
			0, "",
			http.Header{"Server": {"weir"}, "Content-Encoding": {"gzip"}, "Content-Length": {"0"}},
		},
		"marked and passed on": {
			http.Header{
				"X-Archive-Orig-Server": {"weir"}, "X-Archive-Orig-Connection": {"close"}, "X-Archive-Orig-Transfer-Encoding": {"chunked"},
				"X-Powered-By": {"river"}, "X-Front": {"cdn"}, "Vary": {"Prefer"}, "Link": {`<http://river.example/>; rel="original"`},
				"Memento-Datetime": {"x"}, "Access-Control-Expose-Headers": {"Link, Memento-Datetime, Vary, X-Powered-By"},
			},
			4, "text",
			http.Header{"Server": {"weir"}, "Connection": {"close"}, "X-Powered-By": {"river"}, "Content-Length": {"4"}},
		},
		"not marked": {
			http.Header{
				"Server": {"weir"}, "Memento-Datetime": {"x"}, "Link": {`<http://river.example/>; rel="original"`}, "Transfer-Encoding": {"chunked"},
				"Content-Type": {"text/plain"}, "Keep-Alive": {"1"},
			},
			-1, "text",
			http.Header{"Server": {"weir"}, "Content-Type": {"text/plain"}},
		},
		"not marked, with links of its own": {
			http.Header{"Link": {"</a.css>; rel=preload"}, "X-Original": {"yes"}},
			-1, "text",
			http.Header{"Link": {"</a.css>; rel=preload"}, "X-Original": {"yes"}},
		},
		"a redirect out of the archive": {
			http.Header{"X-Archive-Orig-Server": {"weir"}, "Location": {"http://other.example/web/20100101000000/http://river.example/new"}},
			-1, "",
			http.Header{"Server": {"weir"}, "Location": {"http://other.example/web/20100101000000/http://river.example/new"}},
		},
		"a redirect without a scheme": {
			http.Header{"X-Archive-Orig-Server": {"weir"}, "Location": {"/web/20100101000000/river.example/new"}},
			-1, "",
			http.Header{"Server": {"weir"}, "Location": {"http://river.example/new"}},
		},
		"a redirect into the archive": {
			http.Header{"X-Archive-Orig-Server": {"weir"}, "Location": {"/web/20100101000000/http://river.example/new"}},
			0, "",
			http.Header{"Server": {"weir"}, "Location": {"http://river.example/new"}, "Content-Length": {"0"}},
		},
		"a redirect by another scheme": { // the archive's proxy ends TLS
			http.Header{"X-Archive-Orig-Server": {"weir"}, "Location": {"http://ARCHIVE.example:80/web/20100101000000/http://river.example/new"}},
			-1, "",
			http.Header{"Server": {"weir"}, "Location": {"http://river.example/new"}},
		},
		"a redirect to another port": {
			http.Header{"X-Archive-Orig-Server": {"weir"}, "Location": {"https://archive.example:81/web/20100101000000/http://river.example/new"}},
			-1, "",
			http.Header{"Server": {"weir"}, "Location": {"https://archive.example:81/web/20100101000000/http://river.example/new"}},
		},
		"a redirect with collapsed slashes": {
			http.Header{"X-Archive-Orig-Server": {"weir"}, "Location": {"/web/20100101000000id_/https:/river.example/new?at=http://b.example/"}},
			-1, "",
			http.Header{"Server": {"weir"}, "Location": {"https://river.example/new?at=http://b.example/"}},
		},
		"a redirect without a scheme, to an address with another in it": {
			http.Header{"X-Archive-Orig-Server": {"weir"}, "Location": {"/web/20100101000000id_/river.example/new?at=http://b.example/"}},
			-1, "",
			http.Header{"Server": {"weir"}, "Location": {"http://river.example/new?at=http://b.example/"}},
		},
		"a redirect to an address with a stray %": {
			http.Header{"X-Archive-Orig-Server": {"weir"}, "Location": {"/web/20100101000000id_/http://river.example/100%-off"}},
			-1, "",
			http.Header{"Server": {"weir"}, "Location": {"http://river.example/100%25-off"}},
		},
		"not marked, with links of both": {
			http.Header{"Link": {"</a.css>; rel=preload", `<http://river.example/>; rel="original"`}},
			-1, "text",
			http.Header{"Link": {"</a.css>; rel=preload"}},
		},
		"a redirect of its own": {
			http.Header{"X-Archive-Orig-Location": {"/new"}, "Location": {"/web/20100101000000/http://river.example/new"}},
			0, "",
			http.Header{"Location": {"/new"}, "Content-Length": {"0"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := &answer{
				Response: &http.Response{Header: tt.head, ContentLength: tt.length, Request: &http.Request{URL: at}}, body: strings.NewReader(tt.body),
			}
			fields, body := captured(a)
			if diff := cmp.Diff(tt.want, fields); diff != "" {
				t.Error(diff)
			}
			got, err := io.ReadAll(body)
			if name == "marked, coded on the way" {
				tt.body = "plain"
			}
			if err != nil || string(got) != tt.body {
				t.Errorf("body %q, %v", got, err)
			}
		})
	}
}

func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return b.String()
}

// Where most of a page leads into the archive, or archives have left their marks, it isn't what was captured.
func TestSignOfRewriting(t *testing.T) {
	const in, html = "https://archive.example/web/20100101000000/http://river.example/a", "text/html"
	const css = "text/css"
	a := func(href string) string { return "<a href=" + href + ">" }
	img := func(src string) string { return "<img src=" + src + ">" }
	for _, tt := range []struct {
		name, urim, kind, coding, body string
		status                         int
		promised                       bool
		sign                           string
	}{
		{"a page", in, html, "", a("/weir") + img("/fish.png"), 200, true, ""},
		{"that nobody promised", in, html, "", a("/weir"), 200, false, "the archive doesn't say"},
		{"of a site's own versions", "https://river.example/v/1", html, "", a("/weir"), 200, false, ""},
		{"of a site whose host begins like a scheme", "https://http.example/v/1", html, "", a("/weir"), 200, false, ""},
		{"a picture", in, "image/png", "", "\x89PNG\r\n\x1a\n\x00", 200, false, ""},
		{"a redirect", in, html, "", a(in), 302, false, ""},
		{"links", in, html, "", a(in) + a(in) + a("http://lake.example/"), 200, true, "its links lead into the archive, to " + in},
		{"half of the links", in, html, "", a(in) + a("/weir"), 200, true, ""},
		{"parts alone", in, html, "", img(in) + a("/weir") + a("/lake"), 200, true, "its links lead into the archive, to " + in},
		{"links to another archive", in, html, "", a("https://other.example/web/20100101000000/http://river.example/a"), 200, true, ""},
		{"links to the archive's site", in, html, "", a("https://archive.example/about"), 200, true, ""},
		{"links that are none", in, html, "", a("https://archive.example:x/web/20100101000000/http://river.example/a"), 200, true, ""},
		{"a style sheet", in, css, "", "p{background:url(fish.png)}", 200, true, ""},
		{
			"parts of a style sheet", in, css, "", "@import '" + in + "';p{background:url(/fish.png) url(" + in + ")}", 200, true,
			"its links lead into the archive, to " + in,
		},
		{"a script with addresses", in, "text/javascript", "", "x = '" + in + "'", 200, true, ""},
		{"a mark", in, html, "", "<!-- WB Insert -->", 200, true, `it has "<!-- WB Insert -->" in it`},
		{"a mark in a script", in, "text/javascript", "", "x;\n/*\n     FILE ARCHIVED ON 1", 200, true, `it has "FILE ARCHIVED ON" in it`},
		{"a mark, packed", in, html, "gzip", gzipped("<p>__wm.wombat("), 200, true, `it has "__wm.wombat(" in it`},
		{"a mark, half of it packed", in, html, "gzip", gzipped("<p>__wm.wombat(")[:28], 200, true, `it has "__wm.wombat(" in it`},
	} {
		at, _ := url.Parse(in)
		got := &http.Response{
			StatusCode: tt.status, Request: &http.Request{URL: at}, Header: http.Header{"Content-Type": {tt.kind}, "Content-Encoding": {tt.coding}},
		}
		sign := signOfRewriting(got, &Found{URIM: tt.urim}, []byte(tt.body), tt.promised)
		if !strings.HasPrefix(sign, tt.sign) || (sign == "") != (tt.sign == "") {
			t.Errorf("%s: %q, want %q", tt.name, sign, tt.sign)
		}
	}
}

// What was captured is named by its archive, else by the TimeMap, else by the address where it is.
func TestOriginalOf(t *testing.T) {
	const replay = "https://archive.example/web/20100101000000id_/river.example/a"
	link := []string{"<x>; rel=memento", `<t>; rel="timemap", <http://river.example/said>; rel="original"`}
	for _, tt := range []struct {
		link       []string
		urir, urim string
		want       string
	}{
		{link, "http://river.example/listed", replay, "http://river.example/said"},
		{link[:1], "http://river.example/listed", replay, "http://river.example/listed"},
		{nil, "", replay, "http://river.example/a"},
		{nil, "", "https://river.example/v/1", "https://river.example/v/1"},
	} {
		got := &answer{Response: &http.Response{Header: http.Header{"Link": tt.link}}}
		if uri := originalOf(got, &Found{URIM: tt.urim, URIR: tt.urir}); uri != tt.want {
			t.Errorf("%+v: %s", tt, uri)
		}
	}
}

// Whatever an archive answers, a look at it ends, and what is not rewritten by its own words stays.
func FuzzSignOfRewriting(f *testing.F) {
	f.Add("text/html", "<a href=/web/20100101000000/http://river.example/>x</a>")
	f.Add("text/html", "<img src='https://archive.example/web/20100101000000im_/http://river.example/a.png'>")
	f.Add("text/css", "a { background: url(/web/20100101000000im_/http://river.example/a.png) }")
	f.Add("", "\x1f\x8b<")
	at, _ := url.Parse("https://archive.example/web/20100101000000id_/http://river.example/")
	datetime, dropped := regexp.MustCompile(`\d{14}`), strings.NewReplacer("\t", "", "\n", "", "\r", "") // as in URLs
	f.Fuzz(func(t *testing.T, kind, body string) {
		m := &Found{URIM: "https://archive.example/web/20100101000000/http://river.example/"}
		got := &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {kind}}, Request: &http.Request{URL: at}}
		sign := signOfRewriting(got, m, []byte(body), true)
		if sign != "" && !datetime.MatchString(dropped.Replace(body)) && !strings.Contains(body, "<!--") && !strings.ContainsAny(body, "_&\\") {
			t.Errorf("%q is rewritten: %s", body, sign)
		}
	})
}
