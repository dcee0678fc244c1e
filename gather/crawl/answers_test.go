package crawl

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/gather/client"
)

// After a crash, the answer to a request with a body, or with another method than GET, counts for that request alone.
func TestRequestsOfWrittenAnswers(t *testing.T) {
	t.Parallel()
	const uri = "http://a.example/rpc"
	of := func(method, body string) string { return sentKey(uri, method, []byte(body)) }
	for _, tt := range []struct{ name, message, want string }{
		{"a page", "GET /rpc HTTP/1.1\r\nHost: a.example\r\n\r\n", ""},
		{"a form", "POST /rpc HTTP/1.1\r\nContent-Length: 3\r\n\r\na=b", of("POST", "a=b")},
		{"a form in chunks", "POST /rpc HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na=b\r\n0\r\n\r\n", of("POST", "a=b")},
		{"nothing sent", "POST / HTTP/1.1\r\n\r\n", of("POST", "")},
		{"a file", "PUT /rpc HTTP/1.1\r\n\r\nfile", of("PUT", "file")},
		{"a method with a long name", "PROPFIND /rpc HTTP/1.1\r\n\r\n<a/>", of("PROPFIND", "<a/>")},
		{"as much as is kept", "POST / HTTP/1.1\r\n\r\n" + strings.Repeat("a", maxSent), of("POST", strings.Repeat("a", maxSent))},
		{"more than is kept", "POST / HTTP/1.1\r\n\r\n" + strings.Repeat("a", maxSent+1), keyOf(uri) + " POST"},
		{"no request", "rubbish", ""},
	} {
		path := filepath.Join(t.TempDir(), "a.warc")
		record := fmt.Sprintf("WARC/1.1\r\nWARC-Type: request\r\nWARC-Target-URI: %s\r\nWARC-Date: 2014-01-26T20:06:24Z\r\n"+
			"Content-Type: application/http; msgtype=request\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", uri, len(tt.message), tt.message)
		if err := os.WriteFile(path, []byte(record), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := warc.Local{}.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for rec, err := range warc.Scan(t.Context(), f, path, 0) {
			if err != nil {
				t.Fatal(tt.name, err)
			}
			a := writtenAnswer{uri: uri, status: 200}
			if a.asked(rec); a.sent != tt.want {
				t.Errorf("%s: %q, want %q", tt.name, a.sent, tt.want)
			}
			if found := a.foundIn([]string{"b"}); (len(found) == 2) != (tt.want == "") {
				t.Errorf("%s: found %q", tt.name, found)
			}
		}
	}
	if found := (&writtenAnswer{}).foundIn([]string{"b"}); len(found) != 1 {
		t.Errorf("no answer: found %q", found)
	}
}

func TestAnswersThatComeBackOrAreCut(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, truncated, kind, length string
		status                        int
		back, cut                     bool
	}{
		{"whole", "", "text/html", "5", 200, false, false},
		{"too many requests", "", "text/html", "5", 429, true, false},
		{"busy", "", "", "", 503, true, false},
		{"another error", "", "", "", 500, false, false},
		{"a connection that ended", "disconnect", "text/html", "5", 200, true, false},
		{"too long", "length", "video/mp4", "5", 200, false, false},
		{"cut by the visit", "time", "video/mp4", "5", 200, false, true},
		{"cut, of unknown length", "time", "video/mp4", "", 200, false, false},
		{"a stream that never ends", "time", "Text/Event-Stream; charset=utf-8", "5", 200, false, false},
	} {
		e := &client.Exchange{Status: tt.status, Truncated: tt.truncated, Header: http.Header{}}
		for name, value := range map[string]string{"Content-Type": tt.kind, "Content-Length": tt.length} {
			if value != "" {
				e.Header.Set(name, value)
			}
		}
		if back, cut := comesBack(e), isCut(e); back != tt.back || cut != tt.cut {
			t.Errorf("%s: comes back %t, is cut %t", tt.name, back, cut)
		}
	}
}

// The browser keeps what other pages need as well, and asks for anything else each time.
func TestWhatTheBrowserMayReuse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind, method string
		status       int
		keeps        bool
	}{
		{"Stylesheet", "GET", 200, true},
		{"Script", "GET", 200, true},
		{"Image", "GET", 200, true},
		{"Font", "GET", 200, true},
		{"Media", "GET", 200, true},
		{"Image", "POST", 200, false},
		{"Image", "GET", 404, false},
		{kindDocument, "GET", 200, false},
		{kindFetch, "GET", 200, false},
	} {
		archived := http.Header{
			"Expires": {"0"}, "Pragma": {"no-cache"}, "Age": {"5"}, "Strict-Transport-Security": {"max-age=1"}, "Vary": {"Cookie"}, "X-A": {"b"},
		}
		answer := &http.Response{StatusCode: tt.status, Header: archived}
		(&asking{use: use{kind: tt.kind}, method: tt.method}).store(answer)
		want := http.Header{"Cache-Control": {"no-store"}, "Vary": {"Cookie"}, "X-A": {"b"}}
		if tt.keeps {
			want = http.Header{"Cache-Control": {"max-age=86400"}, "X-A": {"b"}}
		}
		if got := fmt.Sprint(answer.Header); got != fmt.Sprint(want) || len(archived) != 6 {
			t.Errorf("%+v: %s, want %s; of what is archived there is left %v", tt, got, want, archived)
		}
	}
}

func TestPausesBeforeTheNextCheck(t *testing.T) {
	t.Parallel()
	for known, want := range map[time.Duration]time.Duration{
		0: maxNap, -1: maxNap, 1: 1, maxNap: maxNap, maxNap + 1: maxNap, time.Millisecond: time.Millisecond,
	} {
		if got := nextCheck(known); got != want {
			t.Errorf("after %v: %v, want %v", known, got, want)
		}
	}
}
