package replay_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

// longPage is a page of some hundred kilobytes.
func longPage() string {
	var b strings.Builder
	b.WriteString("<!doctype html><title>Long</title><h1>A long page</h1>")
	for i := range 3000 {
		fmt.Fprintf(&b, "<p>Paragraph %d of a long text, with %d words that no other has.</p>", i, i*7)
	}
	return b.String() + "<p>The end</p>"
}

func gzipOf(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What there is of a page is shown whole, in a document that is finished, whatever ended it; who asks for the bytes sees that some lack.
func TestCutOffPagesAreShownAsFarAsTheyGo(t *testing.T) {
	packed := gzipOf(t, longPage())
	paths := []string{replaytest.WriteVerbatim(t, []replaytest.Verbatim{
		{
			Date: "20140101000000", URI: "http://cut.example/coding",
			Message: "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n" + packed[:len(packed)/2],
		},
		{
			Date: "20140101000000", URI: "http://cut.example/length",
			Message: fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s",
				len(longPage()), longPage()[:len(longPage())/2]),
		},
	})}
	chunk := fmt.Sprintf("%x\r\n%s\r\n", len(longPage())/2, longPage()[:len(longPage())/2])
	for name, body := range map[string]string{"chunk": chunk[:len(chunk)*2/3], "chunks": chunk} {
		paths = append(paths, replaytest.WriteVerbatim(t, []replaytest.Verbatim{{
			Date: "20140101000000", URI: "http://cut.example/" + name,
			Message: "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n" + body,
		}}))
	}
	whole := replaytest.Write(t, []replaytest.Record{{Date: "20140101000000", URI: "http://cut.example/file", Status: 200, Body: longPage()}})
	text, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(t.TempDir(), "cut"+filepath.Ext(whole))
	if strings.HasSuffix(whole, ".warc.gz") {
		cut = filepath.Join(t.TempDir(), "cut.warc.gz")
	}
	if err := os.WriteFile(cut, text[:len(text)*3/4], 0o600); err != nil {
		t.Fatal(err)
	}
	s, _ := replaytest.Serve(t, append(paths, cut)...)
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	for _, name := range []string{"coding", "file", "length", "chunk", "chunks"} {
		get := func(mod string) (string, error) {
			r, err := http.Get(server.URL + "/web/20140101000000" + mod + "/http://cut.example/" + name)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Body.Close()
			body, err := io.ReadAll(r.Body)
			return string(body), err
		}
		page, err := get("")
		half := strings.Contains(page, "Paragraph 500 ") && !strings.Contains(page, "The end")
		if err != nil || !half || !strings.Contains(page, "<varve-banner") {
			t.Errorf("%s: %d bytes, %v", name, len(page), err)
		}
		if !strings.Contains(page, "This record is cut off") {
			t.Errorf("%s: the banner doesn't say so", name)
		}
		if _, err := get("id_"); err == nil && (name == "coding" || name == "file") { // of the others it is all that the record has
			t.Errorf("%s: its bytes pass for all of them", name)
		}
	}
}

// A page of which nothing was stored is blank, as it was: but its reader sees the banner, and finds the way to another memento.
func TestPagesWithoutAByteHaveABanner(t *testing.T) {
	const day = "20140101000000"
	s, _ := replaytest.Serve(t, replaytest.WriteVerbatim(t, []replaytest.Verbatim{
		{Date: day, URI: "http://cut.example/none", Message: "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n"},
		{Date: day, URI: "http://cut.example/promised", Message: "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 70\r\n\r\n"},
		{Date: day, URI: "http://cut.example/script", Message: "HTTP/1.1 200 OK\r\nContent-Type: text/javascript\r\n\r\n"},
	}))
	for name, want := range map[string]struct{ banner, cutOff bool }{
		"none": {true, false}, "promised": {true, true}, "script": {false, false},
	} {
		get := func(mod string, fields ...string) string {
			r := httptest.NewRequest(http.MethodGet, "/web/"+day+mod+"/http://cut.example/"+name, nil)
			for _, f := range fields {
				field, value, _ := strings.Cut(f, ": ")
				r.Header.Set(field, value)
			}
			w := httptest.NewRecorder()
			s.Handler().ServeHTTP(w, r)
			return w.Body.String()
		}
		page := get("", "Accept: text/html")
		if strings.Contains(page, "<varve-banner") != want.banner || strings.Contains(page, "This record is cut off") != want.cutOff {
			t.Errorf("%s: %.200q", name, page)
		}
		if got := get("id_") + get("if_", "Accept: text/html"); got != "" {
			t.Errorf("%s: asked for otherwise it has %q", name, got)
		}
	}
}
