package fetch

import (
	"io"
	"net/http"
	"net/url"
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
			http.Header{"X-Archive-Orig-Server": {"weir"}, "Server": {"nginx"}, "Content-Type": {"text/html"}, "Memento-Datetime": {"x"}},
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
				"Content-Type": {"text/plain"},
			},
			-1, "text",
			http.Header{"Server": {"weir"}, "Content-Type": {"text/plain"}},
		},
		"a redirect into the archive": {
			http.Header{"X-Archive-Orig-Server": {"weir"}, "Location": {"/web/20100101000000/http://river.example/new"}},
			0, "",
			http.Header{"Server": {"weir"}, "Location": {"http://river.example/new"}, "Content-Length": {"0"}},
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
			if err != nil || string(got) != tt.body {
				t.Errorf("body %q, %v", got, err)
			}
		})
	}
}

// Whatever an archive answers, a look at it ends, and what is not rewritten by its own words stays.
func FuzzSignOfRewriting(f *testing.F) {
	f.Add("text/html", "<a href=/web/20100101000000/http://river.example/>x</a>")
	f.Add("text/html", "<img src='https://archive.example/web/20100101000000im_/http://river.example/a.png'>")
	f.Add("text/css", "a { background: url(/web/20100101000000im_/http://river.example/a.png) }")
	f.Add("", "\x1f\x8b<")
	at, _ := url.Parse("https://archive.example/web/20100101000000id_/http://river.example/")
	f.Fuzz(func(t *testing.T, kind, body string) {
		m := &Found{URIM: "https://archive.example/web/20100101000000/http://river.example/"}
		got := &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {kind}}, Request: &http.Request{URL: at}}
		sign := signOfRewriting(got, m, []byte(body), true)
		if sign != "" && !strings.Contains(body, "web/") && !strings.Contains(body, "<!--") && !strings.ContainsAny(body, "_&\\") {
			t.Errorf("%q is rewritten: %s", body, sign)
		}
	})
}
