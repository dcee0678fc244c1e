package respond

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/archive/search/opensearch"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
)

func TestAsFailure(t *testing.T) {
	trouble := errors.New("disk on fire at /secret")
	blocked := &archive.BlockedError{}
	for _, tt := range []struct {
		name   string
		err    error
		status int
		say    string
		cause  error
		retry  string
	}{
		{"a failure", NotFound("no such page"), 404, "no such page", nil, ""},
		{"a failure, wrapped", fmt.Errorf("page: %w", BadRequest("no number")), 400, "no number", nil, ""},
		{"an address that is missing", BadURIR(), 400, "this path needs an address behind it, such as http://example.org/", nil, ""},
		{"a question put badly", fmt.Errorf("x: %w", &answers.QueryError{Say: "limit must be a number"}), 400, "limit must be a number", nil, ""},
		{
			"an unreadable file", fmt.Errorf("x: %w", &archive.UnreadableError{Capture: cdx.Capture{FileName: "a.warc.gz"}, Cause: trouble}), 503,
			"the file a.warc.gz, which holds this capture, can't be read now", trouble, "120",
		},
		{"an unbuilt search", fmt.Errorf("x: %w", &searches.NoSearchError{Say: "none was built"}), 404, "none was built", nil, ""},
		{"no search", fmt.Errorf("x: %w", searches.ErrNoSearch), 404, searches.ErrNoSearch.Error(), nil, ""},
		{"a client that left", fmt.Errorf("x: %w", context.Canceled), 499, "the request was given up", context.Canceled, ""},
		{"out of time", context.DeadlineExceeded, 499, "the request was given up", context.DeadlineExceeded, ""},
		{"anything else", trouble, 500, "something went wrong on the server; its log says what", trouble, ""},
		{"what is blocked", fmt.Errorf("x: %w", blocked), 451, blocked.Error(), nil, ""},
		{"a search that is behind", fmt.Errorf("x: %w", searches.ErrSearchBehind), 503, searches.ErrSearchBehind.Error(), nil, "5"},
		{"an engine that is away", fmt.Errorf("x: %w", opensearch.ErrAway), 503, opensearch.ErrAway.Error(), opensearch.ErrAway, "5"},
		{
			"a database that is away", fmt.Errorf("x: %w", archive.ErrUnavailable), 503,
			"the index of the archive can't be reached now, try again soon", archive.ErrUnavailable, "5",
		},
		{"no picture", fmt.Errorf("x: %w", timeline.ErrNotPictured), 404, timeline.ErrNotPictured.Error(), nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := AsFailure(tt.err)
			if f.Header.Get("Retry-After") != tt.retry {
				t.Errorf("Retry-After %q", f.Header.Get("Retry-After"))
			}
			if f.Status != tt.status || f.Say != tt.say || !errors.Is(f, tt.cause) && tt.cause != nil {
				t.Errorf("%d %q, cause %v", f.Status, f.Say, f.Unwrap())
			}
			if tt.cause == nil && f.Error() != tt.say || tt.cause != nil && !strings.HasPrefix(f.Error(), tt.say+": ") {
				t.Errorf("the log is told %q", f.Error())
			}
			if strings.Contains(f.Say, "secret") {
				t.Errorf("the reader is told %q", f.Say)
			}
		})
	}
}

func TestMissingSaysWhereToLookFurther(t *testing.T) {
	s, err := NewSite("https://varve.example", "")
	if err != nil {
		t.Fatal(err)
	}
	f := AsFailure(s.Missing(&http.Request{}, Path{Coll: "web", URIR: "http://a.example/"}))
	link := f.Header.Get("Link")
	if f.Status != 404 || !f.Absent || f.Say != "the collection web has no capture of http://a.example/" ||
		!strings.Contains(link, `<http://a.example/>; rel="original"`) || f.Header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("%+v", f)
	}
}

func TestFailJSON(t *testing.T) {
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		w := httptest.NewRecorder()
		FailJSON(w, &http.Request{Method: method}, &Failure{Status: 404, Say: `no "page"`, cause: io.EOF})
		if w.Code != 404 || w.Header().Get("Content-Type") != "application/json" || w.Header().Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: %d %v", method, w.Code, w.Header())
		}
		if method == http.MethodHead {
			if w.Body.Len() > 0 {
				t.Errorf("the answer to HEAD has a body: %s", w.Body)
			}
			continue
		}
		var got map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || len(got) != 2 || got["status"] != 404.0 || got["error"] != `no "page"` {
			t.Errorf("%s %v", w.Body, err)
		}
	}
}

func TestWriteJSON(t *testing.T) {
	for method, want := range map[string]string{http.MethodGet: `{"a":"<&>"}` + "\n", http.MethodHead: ""} {
		w := httptest.NewRecorder()
		if err := WriteJSON(w, &http.Request{Method: method}, map[string]string{"a": "<&>"}); err != nil || w.Body.String() != want {
			t.Errorf("%s: %q %v", method, w.Body, err)
		}
		if w.Header().Get("Content-Type") != "application/json" || w.Header().Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: %v", method, w.Header())
		}
	}
}
