package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// typedBody is a page, read as which it shows a bold word.
const typedBody = "<!doctype html><title>t</title><p>a <b>bold</b> word</p>"

// typedHeads are fields of answers from which browsers take what the body is.
var typedHeads = [][]string{
	{"Content-Type: text/html"},
	{"Content-Type: text/plain"},
	{},
	{"Content-Type: "},
	{"Content-Type: html"},
	{"Content-Type: unknown/unknown"},
	{"Content-Type: application/unknown"},
	{"Content-Type: */*"},
	{"X-Content-Type-Options: nosniff"},
	{"Content-Type: ", "X-Content-Type-Options: nosniff"},
	{"Content-Type: html", "X-Content-Type-Options: nosniff"},
	{"Content-Type: unknown/unknown", "X-Content-Type-Options: nosniff"},
	{"Content-Type: */*", "X-Content-Type-Options: NoSniff"},
	{"X-Content-Type-Options: nosniff, nosniff"},
	{"X-Content-Type-Options: none"},
	{"Content-Type: text/html", "X-Content-Type-Options: nosniff"},
	{"Content-Type: text/plain", "X-Content-Type-Options: nosniff"},
	{"Content-Type: text/html, text/html; charset=utf-8"},
	{"Content-Type: text/html, text/plain"},
	{"Content-Type: text/plain, text/html"},
	{"Content-Type: text/plain", "Content-Type: text/html"},
	{"Content-Type: text/html", "Content-Type: text/plain"},
	{"Content-Type: text/html, html"},
	{"Content-Type: html, text/html"},
	{"Content-Type: text/html, */*"},
	{`Content-Type: text/html; charset="a,b"`},
	{`Content-Type: text/html; x="text/plain, text/plain"`},
	{`Content-Type: text/html; x="a/b, image/png"; charset=utf-8`},
	{`Content-Type: text/plain; x=", text/html`},
	{`Content-Type: text/html; charset="utf\",8", text/plain`},
	{"Content-Type: text/html ; charset = utf-8"},
	{"Content-Type: TEXT/HTML;"},
	{"Content-Type: text/html;;"},
	{"Content-Type: text /html"},
	{"Content-Type: application/xhtml+xml, text/html"},
	{"Content-Type: text/html; charset=utf-8, text/html; charset=x"},
	{"Content-Type: multipart/mixed; boundary=b"},
	{"Content-Type: application/octet-stream"},
	{"Content-Type: text/markdown"},
	{"Content-Type: application/json"},
	{"Content-Type: text/csv"},
}

// typesShown tells how a browser reads the documents in the frames of a page.
const typesShown = `new Promise((done) => { const look = () => {
	const all = [...document.querySelectorAll("iframe")].map((f) => { try {
		const d = f.contentDocument;
		return !d ? "sealed" : d.URL === "about:blank" ? "nothing" : d.querySelector("b") ? "a page"
			: /a <b>bold/.test(d.documentElement.textContent) ? "text" : d.contentType;
	} catch (e) { return e.name } });
	done(all.join("\n"));
}; setTimeout(look, 2500) })`

// typed serves the bodies live, and keeps them as records.
func typed() (live http.Handler, a *archive) {
	a, mux, frames := &archive{}, http.NewServeMux(), "<!doctype html><title>types</title>"
	for i, head := range typedHeads {
		path := fmt.Sprintf("/types/%d", i)
		message := strings.Join(append(append([]string{"HTTP/1.1 200 OK"}, head...), fmt.Sprintf("Content-Length: %d", len(typedBody))), "\r\n") +
			"\r\n\r\n" + typedBody
		a.verbatim(host+path, day, message)
		frames += `<iframe src="` + path + `"></iframe>`
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				return
			}
			defer conn.Close()
			_, _ = conn.Write([]byte(strings.Replace(message, "\r\n", "\r\nConnection: close\r\n", 1)))
		})
	}
	a.page(host+"/types", day, frames)
	mux.HandleFunc("/types", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, frames)
	})
	return mux, a
}

// typesAsLive compares what a browser shows of each document.
func typesAsLive(t *testing.T, live, replayed string) {
	t.Helper()
	want, got := strings.Split(live, "\n"), strings.Split(replayed, "\n")
	if len(want) != len(typedHeads) || len(got) != len(typedHeads) {
		t.Fatalf("of %d documents %d are shown live and %d replayed", len(typedHeads), len(want), len(got))
	}
	for _, kind := range []string{"a page", "text"} { // or the documents had not been read yet, which is the same on both sides
		if !slices.Contains(want, kind) {
			t.Errorf("no document is %s live: %q", kind, want)
		}
	}
	for i, head := range typedHeads {
		if want[i] != got[i] {
			t.Errorf("%q: %s, live %s", head, got[i], want[i])
		}
	}
}

func TestTypesAreReadAsTheyWereLive(t *testing.T) {
	t.Parallel() // it mostly waits
	mux, a := typed()
	origin := httptest.NewServer(mux)
	defer origin.Close()
	live, replayed := browse(t, &server{url: origin.URL}), browse(t, a.serve(t))
	live.navigate(t, live.url+"/types")
	replayed.navigate(t, replayed.url+at14("/types"))
	typesAsLive(t, evaluate[string](t, live, typesShown), evaluate[string](t, replayed, typesShown))
}

func TestTypesAreReadAsTheyWereLiveInFirefox(t *testing.T) {
	t.Parallel()
	mux, a := typed()
	origin := httptest.NewServer(mux)
	defer origin.Close()
	live, replayed := browseFox(t, &server{url: origin.URL}), browseFox(t, a.serve(t))
	live.open(t, "/types")
	replayed.open(t, at14("/types"))
	typesAsLive(t, fmt.Sprint(live.evaluate(t, typesShown)), fmt.Sprint(replayed.evaluate(t, typesShown)))
}
