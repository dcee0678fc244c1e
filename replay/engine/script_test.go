package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
	"github.com/varve-archive/varve/static"
)

// servesAPI serves a list of two pages, of which the first says where the second is, captured a second after its page.
func servesAPI(t *testing.T) func(method, path string, header ...string) (status int, body string, head func(string) string) {
	t.Helper()
	if !static.HasWombat() {
		t.Skip("without the client-side runtime scripts are answered as all others: run make build")
	}
	s, _ := serves(t, []replaytest.Verbatim{{
		Date: "20200101000001", URI: "http://a.example/list", Message: message(200, "Content-Type: application/json\r\nETag: \"v7\"\r\n"+
			"Link: <?page=2>; rel=\"next\", <http://live.example/>; rel=preconnect\r\n"+
			"X-Next-Cursor: 9\r\nLast-Modified: Wed, 01 Jan 2020 00:00:00 GMT\r\n",
			"[1]"),
	}})
	return func(method, path string, header ...string) (int, string, func(string) string) {
		w := ask(s, method, path, header...)
		return w.Code, w.Body.String(), func(name string) string { return strings.Join(w.Header().Values(name), ", ") }
	}
}

func TestScriptsReadTheHeadersOfTheirServer(t *testing.T) {
	get := servesAPI(t)
	const at = "/web/20200101000001/http://a.example/list"
	status, _, head := get("GET", at, "Sec-Fetch-Dest", "empty")
	if status != 200 || head("ETag") != `"v7"` || head("Last-Modified") == "" || head("X-Next-Cursor") != "9" {
		t.Errorf("%d, ETag %s, Last-Modified %q, X-Next-Cursor %q", status, head("ETag"), head("Last-Modified"), head("X-Next-Cursor"))
	}
	link := head("Link")
	if strings.Count(link, "next") != 1 || !strings.Contains(link, `<?page=2>; rel="next"`) || strings.Contains(link, "preconnect") ||
		!strings.Contains(link, `rel="timegate"`) {
		t.Errorf("Link: %s", link)
	}
	if exposed := head("Access-Control-Expose-Headers"); !strings.Contains(exposed, "X-Next-Cursor") || !strings.Contains(exposed, "Etag") {
		t.Errorf("scripts of other hosts may read %s", exposed)
	}
	if vary := head("Vary"); !strings.Contains(vary, "Sec-Fetch-Dest") {
		t.Errorf("Vary: %s", vary)
	}
	if status, _, _ = get("GET", at, "Sec-Fetch-Dest", "empty", "If-None-Match", `"v7"`); status != 304 {
		t.Errorf("the same version: %d", status)
	}
	_, _, head = get("GET", at)
	if link := head("Link"); !strings.Contains(link, "last memento") || strings.Contains(link, "page=2") || head("ETag") == `"v7"` {
		t.Errorf("to a Memento client: ETag %s, Link %s", head("ETag"), link)
	}
}

// A redirect from an inexact datetime would be varve's own: fetch reports it, and the live server sent none.
func TestScriptsAreAnsweredAtOnce(t *testing.T) {
	get := servesAPI(t)
	const inexact, exact = "/web/20200101000000mp_/http://a.example/list", "/web/20200101000001mp_/http://a.example/list"
	for name, header := range map[string][]string{
		"fetch": {"Sec-Fetch-Dest", "empty"}, "XMLHttpRequest": {"X-Pywb-Requested-With", "XMLHttpRequest"},
		"a worker": {"Sec-Fetch-Dest", "worker"},
	} {
		status, body, head := get("GET", inexact, header...)
		if status != 200 || body != "[1]" || head("Content-Location") != exact || head("Memento-Datetime") != "Wed, 01 Jan 2020 00:00:01 GMT" {
			t.Errorf("%s: %d %q at %s", name, status, body, head("Content-Location"))
		}
		if strings.Contains(head("Cache-Control"), "max-age=3600") {
			t.Errorf("%s: another capture may be nearer soon, but caches hold it: %s", name, head("Cache-Control"))
		}
	}
	if status, body, _ := get("GET", strings.Replace(inexact, "mp_", "wkrf_", 1)); status != 200 || body != "[1]" {
		t.Errorf("where browsers don't say who asks: %d %q", status, body)
	}
	status, _, head := get("GET", inexact, "Sec-Fetch-Dest", "document")
	if status != 302 || head("Location") != exact || !strings.Contains(head("Vary"), "Sec-Fetch-Dest") {
		t.Errorf("a document: %d to %s, Vary: %s", status, head("Location"), head("Vary"))
	}
	if status, _, _ := get("GET", "/web/20200101000000mp_/http://a.example/none", "Sec-Fetch-Dest", "empty"); status != 404 {
		t.Errorf("no capture: %d", status)
	}
}

// What a script asks for is what its server sent, whatever type that has. On plain http browsers don't say that a script asks.
func TestScriptsGetWhatWasSent(t *testing.T) {
	t.Parallel()
	bodies := []string{
		`a,<b>b</b>,"http://live.example/"`, `<li><a href="http://live.example/">more</a></li>`, "<!doctype html><title>whole</title><p>x",
		`{"html": "<a href='http://live.example/'>"}`, "[1]", `"text"`, "#EXTM3U\nhttp://live.example/a.ts\n",
	}
	var records []replaytest.Verbatim
	for i, body := range bodies {
		records = append(records, replaytest.Verbatim{
			Date: "20200101000001", URI: fmt.Sprintf("http://a.example/%d", i), Message: message(200, "Content-Type: text/html\r\n", body),
		})
	}
	s, _ := serves(t, records)
	for i, body := range bodies {
		at := fmt.Sprintf("/http://a.example/%d", i)
		for _, ts := range []string{"20200101000001wkrf_", "20200101000000wkrf_"} {
			if w := ask(s, "GET", "/web/"+ts+at); w.Code != 200 || w.Body.String() != body {
				t.Errorf("%s: %d %q, want %q", ts+at, w.Code, w.Body, body)
			}
		}
	}
}

// A crawler that doesn't click captures the pages of a site made with Inertia, but not the data that links request. A browser that clicked
// captured these too, at the same address.
func TestPagesWhoseDataWereNotCapturedAreLoadedWhole(t *testing.T) {
	t.Parallel()
	const page, data = "<!doctype html><title>One</title><p>one", `{"component":"Page","url":"/one"}`
	s, _ := serves(t, []replaytest.Verbatim{
		{Date: "20200101000001", URI: "http://a.example/one", Message: message(200, "Content-Type: text/html\r\n", page)},
		{
			Date: "20210101000001", URI: "http://a.example/one",
			Message: message(200, "Content-Type: application/json\r\nX-Inertia: true\r\n", data),
		},
		{Date: "20200101000001", URI: "http://a.example/gone", Message: message(404, "Content-Type: text/html\r\n", page)},
	})
	for _, tc := range []struct {
		name, at string
		header   []string
		status   int
		body     string
	}{
		{"a link", "20200101000001wkrf_/http://a.example/one", []string{"X-Inertia", "true"}, 409, ""},
		{"a link from another datetime", "20200101000000wkrf_/http://a.example/one", []string{"X-Inertia", "true"}, 409, ""},
		{"a script's own request", "20200101000001wkrf_/http://a.example/one", nil, 200, page},
		{"data", "20210101000001wkrf_/http://a.example/one", []string{"X-Inertia", "true"}, 200, data},
		{"an error's page", "20200101000001wkrf_/http://a.example/gone", []string{"X-Inertia", "true"}, 404, page},
		{"the archived bytes", "20200101000001id_/http://a.example/one", []string{"X-Inertia", "true"}, 200, page},
	} {
		w := ask(s, "GET", "/web/"+tc.at, tc.header...)
		if w.Code != tc.status || w.Body.String() != tc.body {
			t.Errorf("%s: %d %q", tc.name, w.Code, w.Body)
		}
		if to := w.Header().Get("X-Inertia-Location"); tc.status == 409 && to != "http://a.example/one" {
			t.Errorf("%s: leads to %q", tc.name, to)
		}
		vary := strings.Join(w.Header().Values("Vary"), ", ")
		for _, name := range []string{"X-Inertia", "X-Pywb-Requested-With", "Sec-Fetch-Dest"} {
			if tc.status == 409 && !strings.Contains(vary, name) {
				t.Errorf("%s: Vary: %s", tc.name, vary)
			}
		}
	}
}
