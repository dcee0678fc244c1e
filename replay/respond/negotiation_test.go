package respond

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/varve-archive/varve/cdx/surt"
)

// RFC 9110 §12.5.3, but for a client that says nothing: it gets no coding.
func TestAccepts(t *testing.T) {
	for _, tt := range []struct {
		name, coding string
		accept       []string
		want         bool
	}{
		{"says nothing", "gzip", nil, false},
		{"says nothing, emptily", "gzip", []string{""}, false},
		{"names it", "gzip", []string{"deflate, GZIP"}, true},
		{"names it with a weight", "gzip", []string{"br;q=1.0, gzip; q=0.1"}, true},
		{"refuses it", "gzip", []string{"gzip;q=0, *"}, false},
		{"refuses it in many digits", "gzip", []string{"gzip;q=0.000"}, false},
		{"names others", "br", []string{"gzip, deflate"}, false},
		{"names all", "br", []string{"*"}, true},
		{"names all others", "br", []string{"gzip;q=0, *;q=0.5"}, true},
		{"refuses all others", "br", []string{"gzip, *;q=0"}, false},
		{"names it behind all", "br", []string{"*;q=0, br"}, true},
		{"names one that begins alike", "gzip", []string{"gzipped"}, false},
		{"under its old name", "x-gzip", []string{"gzip"}, true},
		{"both of two", "gzip, br", []string{"br, gzip"}, true},
		{"one of two", "gzip, br", []string{"gzip"}, false},
		{"on several lines", "br", []string{"gzip", "br"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Accepts(&http.Request{Header: http.Header{"Accept-Encoding": tt.accept}}, tt.coding); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
}

func TestPreferred(t *testing.T) {
	for _, tt := range []struct {
		name   string
		prefer []string
		want   string
	}{
		{"nothing", nil, ""},
		{"archived bytes", []string{"raw"}, "raw"},
		{"in other letters", []string{"Banner-Only"}, "banner-only"},
		{"with a parameter", []string{"rewritten; foo=1"}, "rewritten"},
		{"behind one that is unknown", []string{"respond-async, raw"}, "raw"},
		{"the first that is known", []string{"rewritten, raw"}, "rewritten"},
		{"on another line", []string{"respond-async", "raw"}, "raw"},
		{"only unknown ones", []string{"respond-async, wait=10, rawer"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Preferred(&http.Request{Header: http.Header{"Prefer": tt.prefer}}); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestIsBrowser(t *testing.T) {
	for _, tt := range []struct {
		name   string
		accept []string
		want   bool
	}{
		{"a browser", []string{"text/html,application/xhtml+xml,*/*;q=0.8"}, true},
		{"in other letters", []string{"Text/HTML"}, true},
		{"on another line", []string{"application/xml", "text/html"}, true},
		{"anything", []string{"*/*"}, false},
		{"nothing", nil, false},
		{"data", []string{"application/json"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := IsBrowser(&http.Request{Header: http.Header{"Accept": tt.accept}}); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
}

func TestAcceptDatetime(t *testing.T) {
	for _, tt := range []struct {
		name, value string
		want        string // "" for a failure
	}{
		{"none", "", "0"},
		{"a datetime", "Thu, 31 May 2007 20:35:00 GMT", "20070531203500"},
		{"another format", "2007-05-31", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ts, err := AcceptDatetime(&http.Request{Header: pairs("Accept-Datetime", tt.value)})
			switch {
			case tt.want == "":
				if err == nil {
					t.Fatal("no failure")
				}
				if f := AsFailure(err); f.Status != http.StatusBadRequest || f.Header.Get("Vary") != "accept-datetime" || f.Unwrap() == nil {
					t.Errorf("%+v", f)
				}
			case err != nil || tt.want != "0" && ts.String() != tt.want || tt.want == "0" && ts != 0:
				t.Errorf("%s %v", ts, err)
			}
		})
	}
}

func TestMoment(t *testing.T) {
	for _, tt := range []struct {
		from, want string
		fails      bool
	}{
		{"", "99991231235959", false},
		{"2014", "20140101000000", false},
		{"20140203040506", "20140203040506", false},
		{"20141301", "20141201000000", false},
		{"x", "", true},
	} {
		ts, err := Datetime(Path{From: tt.from})
		if (err != nil) != tt.fails || !tt.fails && ts.String() != tt.want {
			t.Errorf("%q: %s %v", tt.from, ts, err)
		}
		if err != nil && (AsFailure(err).Status != http.StatusBadRequest || !strings.HasPrefix(err.Error(), tt.from)) {
			t.Errorf("%q: %v", tt.from, err)
		}
	}
}

func TestRequestKeyIsThatOfTheCapture(t *testing.T) {
	const uriR, form = "http://a.example/x?a=1", "application/x-www-form-urlencoded"
	const keyed = 16 << 10 // what indexers read of a body
	long := "q=" + strings.Repeat("a", keyed)
	for _, tt := range []struct {
		method, body, kind string
		want               string
	}{
		{"GET", "q=1", form, surt.Of(uriR)},
		{"HEAD", "q=1", form, surt.Of(uriR)},
		{"POST", "q=1", form, surt.OfRequest(uriR, "POST", []byte("q=1"), form)},
		{"POST", "q=2", form, surt.OfRequest(uriR, "POST", []byte("q=2"), form)},
		{"PUT", "q=1", form, surt.OfRequest(uriR, "PUT", []byte("q=1"), form)},
		{"POST", `{"q":1}`, "application/json", surt.OfRequest(uriR, "POST", []byte(`{"q":1}`), "application/json")},
		{"POST", long, "text/plain", surt.OfRequest(uriR, "POST", []byte(long[:keyed]), "text/plain")},
	} {
		r := httptest.NewRequest(tt.method, "/", strings.NewReader(tt.body))
		r.Header.Set("Content-Type", tt.kind)
		if got, err := RequestKey(r, uriR); err != nil || got != tt.want {
			t.Errorf("%s %.20s: %s %v", tt.method, tt.body, got, err)
		}
	}
	r := httptest.NewRequest(http.MethodPost, "/", iotest.ErrReader(iotest.ErrTimeout))
	if _, err := RequestKey(r, uriR); err == nil || AsFailure(err).Status != http.StatusBadRequest {
		t.Errorf("of a body that can't be read: %v", err)
	}
}

func TestCompressible(t *testing.T) {
	for kind, want := range map[string]bool{
		"text/html; charset=utf-8": true, "TEXT/CSS": true, "application/json": true, "application/ld+json": true, "image/svg+xml": true,
		"application/javascript ; v=1": true, "font/ttf": true, "application/link-format": true,
		"image/png": false, "video/mp4": false, "application/zip": false, "font/woff2": false, "application/octet-stream": false, "": false,
		"application/json-seq": false, "x-text/html": false,
	} {
		if got := Compressible(kind); got != want {
			t.Errorf("%q: got %t", kind, got)
		}
	}
}

type asIs struct {
	http.ResponseWriter
	told bool
}

func (a *asIs) SendAsIs() { a.told = true }

func TestSendAsIsTellsTheWriterThatCanDoSo(t *testing.T) {
	w := &asIs{ResponseWriter: httptest.NewRecorder()}
	if SendAsIs(w); !w.told {
		t.Error("not told")
	}
	under := &asIs{ResponseWriter: httptest.NewRecorder()}
	if SendAsIs(NewKeeper(under, false)); !under.told {
		t.Error("not told under another writer")
	}
	SendAsIs(httptest.NewRecorder()) // which can't: nothing happens
}

func TestRedirects(t *testing.T) {
	const to, sent = "http://varve.example/web/2014/http://a.example/ü b", "http://varve.example/web/2014/http://a.example/%C3%BC%20b"
	keeping := func(method string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) { RedirectKeepingMethod(w, &http.Request{Method: method}, to) }
	}
	for _, tt := range []struct {
		name     string
		redirect func(http.ResponseWriter)
		status   int
	}{
		{"to a page", func(w http.ResponseWriter) { Redirect(w, to) }, http.StatusFound},
		{"of GET", keeping("GET"), http.StatusFound},
		{"of HEAD", keeping("HEAD"), http.StatusFound},
		{"of POST, which stays one", keeping("POST"), http.StatusTemporaryRedirect},
		{"of PUT, which stays one", keeping("PUT"), http.StatusTemporaryRedirect},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			tt.redirect(w)
			h := w.Header()
			if w.Code != tt.status || h.Get("Location") != sent || h.Get("Content-Length") != "0" || h.Get("Cache-Control") != "no-cache" {
				t.Errorf("%d %v", w.Code, h)
			}
		})
	}
	w := httptest.NewRecorder()
	w.Header().Set("Cache-Control", "public")
	if Redirect(w, to); w.Header().Get("Cache-Control") != "public" {
		t.Errorf("Cache-Control: %s", w.Header().Get("Cache-Control"))
	}
}

func TestPreflight(t *testing.T) {
	w := httptest.NewRecorder()
	Preflight(w, Memento)
	for name, want := range map[string]string{
		"Access-Control-Allow-Origin":  "*",
		"Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, OPTIONS",
		"Access-Control-Allow-Headers": "Accept-Datetime, Content-Type, Prefer, Range",
		"Allow":                        "GET, HEAD, POST, PUT, OPTIONS",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
	if w.Code != http.StatusNoContent || !strings.Contains(w.Header().Get("Access-Control-Expose-Headers"), "Memento-Datetime") {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}
