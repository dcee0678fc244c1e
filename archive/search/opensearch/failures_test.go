package opensearch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/search"
)

// A failing engine is none: it fails in the ways in which an engine does, one after the other, and then does as it is told.
type failing struct {
	mu       sync.Mutex
	failures []func(w http.ResponseWriter, r *http.Request, body string)
	asked    int
	taken    map[string]int // how often each document was taken
}

func (f *failing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked++
	if len(f.failures) > 0 {
		fail := f.failures[0]
		f.failures = f.failures[1:]
		fail(w, r, string(body))
		return
	}
	f.take(w, string(body), func(string) int { return http.StatusCreated })
}

// take answers for the documents of a body, each with a status.
func (f *failing) take(w io.Writer, body string, status func(id string) int) {
	var items []string
	lines := strings.Split(strings.TrimSpace(body), "\n")
	for i := 0; i < len(lines); i += 2 {
		var action map[string]bulkAction
		_ = json.Unmarshal([]byte(lines[i]), &action)
		id := action["index"].ID
		is := status(id)
		if is < 300 {
			f.taken[id]++
		}
		items = append(items, fmt.Sprintf(`{"index":{"status":%d,"error":{"type":"rejected","reason":"too much to do"}}}`, is))
	}
	fmt.Fprintf(w, `{"errors":true,"items":[%s]}`, strings.Join(items, ","))
}

func fails(t *testing.T, failures ...func(http.ResponseWriter, *http.Request, string)) (*Index, *failing) {
	t.Helper()
	f := &failing{failures: failures, taken: map[string]int{}}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	c, err := New(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	c.wait = time.Microsecond
	t.Cleanup(c.Close)
	x := c.Index("archive", "web", "", "test")
	x.to = "varve-web-000001"
	return x, f
}

func says(status int, body string) func(http.ResponseWriter, *http.Request, string) {
	return func(w http.ResponseWriter, _ *http.Request, _ string) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// cut ends an answer before its end.
func cut(w http.ResponseWriter, _ *http.Request, _ string) {
	w.Header().Set("Content-Length", "100")
	_, _ = io.WriteString(w, `{"errors":false,"items":[`)
}

func write(t *testing.T, x *Index, n int) error {
	t.Helper()
	b := &bulk{index: x}
	for i := range n {
		if err := b.put(fmt.Sprint(i), "r", object{"n": i}); err != nil {
			t.Fatal(err)
		}
	}
	return b.flush(t.Context())
}

// What an engine does not take now is written again, and nothing else is.
func TestWritesAreTriedAgain(t *testing.T) {
	t.Parallel()
	x, f := fails(t)
	half := func(w http.ResponseWriter, _ *http.Request, body string) {
		f.take(w, body, func(id string) int {
			if id == "1" || id == "3" {
				return http.StatusTooManyRequests
			}
			return http.StatusCreated
		})
	}
	f.failures = []func(http.ResponseWriter, *http.Request, string){
		says(429, `{"error":{"type":"circuit_breaking_exception","reason":"too large"}}`), says(503, "away"), says(502, ""), cut, half, half,
	}
	if err := write(t, x, 5); err != nil {
		t.Fatal(err)
	}
	if f.asked != 7 || fmt.Sprint(f.taken) != "map[0:1 1:1 2:1 3:1 4:1]" {
		t.Errorf("%d requests, taken: %v", f.asked, f.taken)
	}
}

// A document that is refused for good ends the run, and so does an engine that never takes anything.
func TestWritesThatFail(t *testing.T) {
	t.Parallel()
	x, f := fails(t)
	f.failures = append(f.failures, func(w http.ResponseWriter, _ *http.Request, body string) {
		f.take(w, body, func(string) int { return http.StatusBadRequest })
	})
	if err := write(t, x, 1); err == nil || errors.Is(err, ErrAway) || f.asked != 1 {
		t.Errorf("a document that can't be taken: %v after %d requests", err, f.asked)
	}
	var never []func(http.ResponseWriter, *http.Request, string)
	for range maxTries {
		never = append(never, says(503, "away"))
	}
	x, _ = fails(t, never...)
	if err := write(t, x, 1); !errors.Is(err, ErrAway) {
		t.Errorf("an engine that is away: %v", err)
	}
	x, f = fails(t, says(200, `{"errors":false,"items":[]}`))
	if err := write(t, x, 2); err == nil || f.asked != 1 {
		t.Errorf("an answer for fewer documents: %v", err)
	}
}

// A question that is not answered whole is not answered: no page is missing without a word.
func TestQuestionsThatFail(t *testing.T) {
	t.Parallel()
	req := search.PresentRequest{All: []search.Clause{{Any: []search.Phrase{{"mill"}}}}, Limit: 10}
	for name, failure := range map[string]func(http.ResponseWriter, *http.Request, string){
		"too much to do":    says(429, `{"error":{"type":"rejected","reason":"queue full"}}`),
		"away":              says(503, ""),
		"a cut answer":      cut,
		"a part of it":      says(200, `{"timed_out":false,"_shards":{"failed":1},"hits":{"hits":[]}}`),
		"not in time":       says(200, `{"timed_out":true,"hits":{"hits":[]}}`),
		"another program":   says(200, `<html>`),
		"a wrong password":  says(401, `{"error":"Unauthorized"}`),
		"a broken question": says(400, `{"error":{"type":"parsing_exception","reason":"no"}}`),
		"a moved one":       says(302, ""),
	} {
		x, f := fails(t, failure)
		a, err := x.Present(t.Context(), req)
		if err == nil || f.asked != 1 {
			t.Errorf("%s: %+v after %d requests", name, a, f.asked)
		}
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	c, err := New(gone.URL)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Index("a", "web", "", "test").Present(t.Context(), req); !errors.Is(err, ErrAway) {
		t.Errorf("nobody there: %v", err)
	}
}

// A password is sent, and told nobody.
func TestPasswordsAreNotTold(t *testing.T) {
	t.Parallel()
	sent := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		sent = user + "/" + password
		w.WriteHeader(http.StatusForbidden)
	}))
	defer server.Close()
	c, err := New(strings.Replace(server.URL, "http://", "http://ada:secret@", 1))
	if err != nil {
		t.Fatal(err)
	}
	err = c.Ping(t.Context())
	if sent != "ada/secret" || err == nil || strings.Contains(err.Error()+c.String(), "secret") {
		t.Errorf("sent %q; it says %v, and is called %s", sent, err, c)
	}
	for _, bad := range []string{"", "ftp://a/", "https://", "ada:secret@host", "https://ada:secret@"} {
		if _, err := New(bad); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// An engine's reason is told in its words, in bounds.
func TestReasonsOfAnEngine(t *testing.T) {
	long := strings.Repeat("x", 300)
	for said, want := range map[string]string{
		`{"error": {"type": "index_not_found", "reason": "no such index"}}`: "index_not_found: no such index",
		`{"error": {"type": "a", "reason": "` + long + `yz"}}`:              "a: " + long,
		`{"error": {"reason": "no type"}}`:                                  `{"error": {"reason": "no type"}}`,
		`{"error": "plain"}`:                                                `{"error": "plain"}`,
		`{"took": 1}`:                                                       `{"took": 1}`,
		"gateway":                                                           "gateway",
		long + "yz":                                                         long,
		"a\xff":                                                             "a",
		"":                                                                  "",
	} {
		if got := reasonIn(strings.NewReader(said)); got != want {
			t.Errorf("%.40s: %q, want %q", said, got, want)
		}
	}
}
