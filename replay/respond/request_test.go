package respond

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
)

func TestVaryNamesEachHeaderOnce(t *testing.T) {
	for _, tt := range []struct {
		name  string
		have  []string
		names []string
		want  string
	}{
		{"the first", nil, []string{"Accept"}, "Accept"},
		{"a name that is part of another's", []string{"Accept-Language"}, []string{"Accept"}, "Accept-Language, Accept"},
		{"several", []string{"Prefer"}, []string{"Accept", "Cookie"}, "Prefer, Accept, Cookie"},
		{"twice", []string{"Accept-Language, Accept"}, []string{"Accept", "accept-language"}, "Accept-Language, Accept"},
		{"twice at once", nil, []string{"Accept", "accept"}, "Accept"},
		{"on several lines", []string{"Prefer", "Accept"}, []string{"Accept", "Referer"}, "Prefer, Accept, Referer"},
		{"everything varies", []string{"*"}, []string{"Accept"}, "*"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := http.Header{}
			for _, v := range tt.have {
				h.Add("Vary", v)
			}
			Vary(h, tt.names...)
			if got := h.Values("Vary"); len(got) != 1 || got[0] != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestParametersOfRequests(t *testing.T) {
	for _, tt := range []struct{ param, accept, want, vary string }{
		{"html", "text/csv", "html", ""},
		{"json", "text/html", "json", ""},
		{"csv", "", "csv", ""},
		{"xml", "text/html", "", ""},
		{"", "text/html, text/csv", "html", "Accept"},
		{"", "Text/CSV", "csv", "Accept"},
		{"", "*/*", "json", "Accept"},
	} {
		w, r := httptest.NewRecorder(), &http.Request{Header: pairs("Accept", tt.accept)}
		got, err := Format(w, r, Path{Params: url.Values{"output": {tt.param}}}, "output")
		if got != tt.want || (err == nil) != (tt.want != "") || w.Header().Get("Vary") != tt.vary {
			t.Errorf("format %q for %q: %q, %v, varies by %q", tt.param, tt.accept, got, err, w.Header().Get("Vary"))
		}
	}
	for asked, want := range map[string]float64{"": 0.7, "0": 0, "1": 1, "0.25": 0.25, "-0.1": -1, "1.1": -1, "NaN": -1, "x": -1} {
		got, err := Threshold(Path{Params: url.Values{"threshold": {asked}}}, 0.7)
		if err != nil {
			got = -1
		}
		if got != want || err != nil && AsFailure(err).Status != http.StatusBadRequest {
			t.Errorf("threshold %q: %v, %v", asked, got, err)
		}
	}
}

func TestJSONOfAllOriginsAndOfOne(t *testing.T) {
	for _, tt := range []struct {
		name, method, kind string
		send               func(http.ResponseWriter, *http.Request, any) error
		origin, body       string
	}{
		{"any may read", "GET", "", WriteJSON, "*", "[null,\"<a>\"]\n"},
		{"its own", "GET", "", SendJSON, "", "[null,\"<a>\"]\n"},
		{"another type", "GET", "application/ld+json", SendJSON, "", "[null,\"<a>\"]\n"},
		{"only asked of", "HEAD", "", SendJSON, "", ""},
	} {
		w := httptest.NewRecorder()
		if tt.kind != "" {
			w.Header().Set("Content-Type", tt.kind)
		}
		err := tt.send(w, httptest.NewRequest(tt.method, "/", nil), []*string{OrNull(""), OrNull("<a>")})
		if h := w.Header(); err != nil || w.Body.String() != tt.body || h.Get("Access-Control-Allow-Origin") != tt.origin ||
			h.Get("Content-Type") != cmp.Or(tt.kind, "application/json") {
			t.Errorf("%s: %q %v %v", tt.name, w.Body, h, err)
		}
	}
}

// A status is sent with what can be sent, else it is left to the failure.
func TestJSONWithAStatus(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		of     any
		status int
		body   string
		failed bool
	}{{1, http.StatusAccepted, "1\n", false}, {make(chan int), http.StatusOK, "", true}} {
		w := httptest.NewRecorder()
		err := SendStatusJSON(w, httptest.NewRequest("POST", "/", nil), http.StatusAccepted, tt.of)
		if h := w.Header(); (err != nil) != tt.failed || w.Code != tt.status || w.Body.String() != tt.body ||
			h.Get("Content-Type") != "application/json" || h.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%v: %d %q %v %v", tt.of, w.Code, w.Body, h, err)
		}
	}
}

func TestMethodsThatAreAnswered(t *testing.T) {
	const reads, table, all = "GET, HEAD, OPTIONS", "GET, HEAD, POST, OPTIONS", "GET, HEAD, POST, PUT, OPTIONS"
	for kind, want := range map[Kind]string{TimeGate: all, Memento: all, TermTable: table, Home: reads, CDX: reads} {
		if f := AsFailure(NoMethod(&http.Request{Method: "PATCH"}, kind)); f.Status != 405 || f.Header.Get("Allow") != want ||
			f.Say != `nothing answers "PATCH" here; what does is `+want {
			t.Errorf("%v: %+v", kind, f)
		}
	}
	for takes, want := range map[bool]string{true: table, false: reads} {
		if f := AsFailure(NoOtherMethod(takes)); f.Status != 405 || f.Header.Get("Allow") != want {
			t.Errorf("takes POST %t: %+v", takes, f)
		}
	}
	h := http.Header{}
	AllowOrigins(h, "X-B", "Set-Cookie", "Vary", "X-A")
	if diff := gocmp.Diff(http.Header{"Access-Control-Allow-Origin": {"*"}, "Access-Control-Expose-Headers": {
		"Link, Memento-Datetime, Location, Vary, Content-Location, Preference-Applied, X-A, X-B",
	}}, h); diff != "" {
		t.Error(diff)
	}
}

func TestWhatAPageMayEmbedBeyondItsParts(t *testing.T) {
	for rest, more := range map[MissingParts]bool{{}: false, {LeftOut: 1}: true, {Unread: 1}: true} {
		if rest.More() != more {
			t.Errorf("%+v: more %t", rest, !more)
		}
	}
}

func TestStampOfAnUnknownTimeIsZero(t *testing.T) {
	if got := Stamp(time.Time{}); got != 0 {
		t.Error(got)
	}
	if got := Stamp(time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)); got != 20200102030405 {
		t.Error(got)
	}
}
