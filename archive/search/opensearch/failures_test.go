package opensearch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/searchtest"
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
	f.take(w, string(body), takeAll)
}

// A refusal is why an engine does not take a document.
type refusal struct {
	Status int `json:"status"`
	Error  struct {
		Type   string `json:"type"`
		Reason string `json:"reason"`
	} `json:"error"`
}

func refuse(status int, kind, reason string) (r refusal) {
	r.Status, r.Error.Type, r.Error.Reason = status, kind, reason
	return r
}

// take answers for the operations of a body. refused says which documents it does not take.
func (f *failing) take(w io.Writer, body string, refused func(id, document string) refusal) {
	var items []map[string]refusal
	for lines := strings.Split(strings.TrimSpace(body), "\n"); len(lines) > 0; {
		var action map[string]bulkAction
		_ = json.Unmarshal([]byte(lines[0]), &action)
		for verb, of := range action {
			is := refusal{Status: http.StatusOK}
			if verb == "delete" {
				delete(f.taken, of.ID)
			} else {
				if is = refused(of.ID, lines[1]); is.Status < 300 {
					f.taken[of.ID]++
				}
				lines = lines[1:]
			}
			items = append(items, map[string]refusal{verb: is})
		}
		lines = lines[1:]
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"errors": true, "items": items})
}

func takeAll(string, string) refusal { return refusal{Status: http.StatusCreated} }

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
	var all []operation
	for i := range n {
		o, err := (&replacement{hash: "r"}).operation("index", fmt.Sprint(i), object{"n": i})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, o)
	}
	return bulk{x}.write(t.Context(), all)
}

// What an engine does not take now is written again, and nothing else is.
func TestWritesAreTriedAgain(t *testing.T) {
	t.Parallel()
	x, f := fails(t)
	half := func(w http.ResponseWriter, _ *http.Request, body string) {
		f.take(w, body, func(id, document string) refusal {
			if id == "1" || id == "3" {
				return refuse(http.StatusTooManyRequests, "rejected", "too much to do")
			}
			return takeAll(id, document)
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

// A page of which the engine refuses a document for what is in it is removed, counted and named, and the others are written. What concerns
// the whole index ends the run.
func TestRefusedDocuments(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		refused refusal
		ends    bool
	}{
		{refuse(400, "mapper_parsing_exception", "failed to parse field [first] of type [long]"), false},
		{refuse(400, "document_parsing_exception", "[1:7] failed to parse"), false},
		{refuse(400, "illegal_argument_exception", `Document contains at least one immense term in field="words"`), false},
		{refuse(400, "illegal_argument_exception", "Limit of total fields [1000] has been exceeded"), true},
		{refuse(400, "strict_dynamic_mapping_exception", "mapping set to strict"), true},
		{refuse(400, "index_closed_exception", "closed"), true},
		{refuse(403, "cluster_block_exception", "index [varve] blocked by: [FORBIDDEN/8/index write (api)]"), true},
		{refuse(401, "security_exception", "missing authentication"), true},
		{refuse(404, "index_not_found_exception", "no such index"), true},
		{refuse(500, "mapper_parsing_exception", "no"), true},
	} {
		for document, of := range map[string]string{"of a version": `"kind":"version"`, "of the page": `"kind":"page"`} {
			name := fmt.Sprintf("%d %s: %s, %s", tt.refused.Status, tt.refused.Error.Type, tt.refused.Error.Reason, document)
			bad := func(w http.ResponseWriter, body string, f *failing) {
				f.take(w, body, func(id, document string) refusal {
					if strings.Contains(document, `"key":"org,b)/"`) && strings.Contains(document, of) {
						return tt.refused
					}
					return takeAll(id, document)
				})
			}
			p, f, said, err := replaceAll(t, bad, "org,a)/", "org,b)/", "org,c)/")
			if tt.ends {
				if err == nil || errors.Is(err, ErrAway) {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			if err != nil || p.Failed.Load() != 1 || p.Indexed.Load() != 2 || p.Done.Load() != 2 || !strings.Contains(said, "page=org,b)/") ||
				!strings.Contains(said, tt.refused.Error.Type) {
				t.Errorf("%s: %v, %d failed, %d indexed, %s", name, err, p.Failed.Load(), p.Indexed.Load(), said)
			}
			if want := documentsOf("org,a)/", "org,c)/"); fmt.Sprint(f.taken) != fmt.Sprint(want) {
				t.Errorf("%s: the engine has %v, want %v", name, f.taken, want)
			}
		}
	}
}

// An engine that refuses each page is no place for pages.
func TestAnEngineThatRefusesAll(t *testing.T) {
	t.Parallel()
	var keys []string
	for i := range maxRefused + 1 {
		keys = append(keys, fmt.Sprintf("org,host%d)/", i))
	}
	all := func(w http.ResponseWriter, body string, f *failing) {
		f.take(w, body, func(string, string) refusal { return refuse(400, "mapper_parsing_exception", "no") })
	}
	if p, _, _, err := replaceAll(t, all, keys...); err == nil {
		t.Errorf("%d failed", p.Failed.Load())
	}
	if p, _, _, err := replaceAll(t, all, keys[1:]...); err != nil || p.Failed.Load() != maxRefused {
		t.Errorf("%v, %d failed", err, p.Failed.Load())
	}
}

// The document of a page is written once those of its versions are there, so that the page isn't taken for complete before.
func TestAPageIsWrittenBehindItsVersions(t *testing.T) {
	t.Parallel()
	busy := 0
	answer := func(w http.ResponseWriter, body string, f *failing) {
		f.take(w, body, func(id, document string) refusal {
			switch {
			case strings.Contains(document, `"kind":"page"`):
				if len(f.taken) != 2 {
					t.Errorf("the page is written when there are %v", f.taken)
				}
			case strings.HasSuffix(id, "-1") && busy < 3:
				busy++
				return refuse(http.StatusTooManyRequests, "rejected", "too much to do")
			}
			return takeAll(id, document)
		})
	}
	if p, f, _, err := replaceAll(t, answer, "org,a)/"); err != nil || busy != 3 || p.Indexed.Load() != 1 || len(f.taken) != 3 {
		t.Errorf("%v after %d refusals, %v", err, busy, f.taken)
	}
}

// documentsOf returns the IDs of the documents of pages with two versions, each taken once.
func documentsOf(keys ...string) map[string]int {
	out := map[string]int{}
	for _, key := range keys {
		hash := hashOf(key)
		out[hash], out[hash+"-0"], out[hash+"-1"] = 1, 1, 1
	}
	return out
}

// replaceAll writes pages with two versions each to an engine that answers so, and returns what was logged too.
func replaceAll(
	t *testing.T, answer func(w http.ResponseWriter, body string, f *failing), keys ...string,
) (*search.Progress, *failing, string, error) {
	t.Helper()
	x, f := fails(t)
	for range 100 {
		f.failures = append(f.failures, func(w http.ResponseWriter, _ *http.Request, body string) { answer(w, body, f) })
	}
	var said strings.Builder
	a := searchtest.NewArchive()
	u := &update{
		Index: x, archive: a, progress: &search.Progress{}, log: slog.New(slog.NewTextHandler(&said, nil)), written: make(chan []operation, 100),
	}
	for _, key := range keys {
		a.Put(key, searchtest.Version{Day: 1, Text: "a mill"}, searchtest.Version{Day: 2, Text: "a mill and a town"})
		page, _, _ := a.Page(t.Context(), key)
		if err := u.Replace(t.Context(), search.StalePage{Page: page}, nil); err != nil {
			t.Fatal(err)
		}
	}
	close(u.written)
	err := u.write(t.Context())
	return u.progress, f, said.String(), err
}

// An engine that never takes anything ends the run.
func TestWritesThatFail(t *testing.T) {
	t.Parallel()
	var never []func(http.ResponseWriter, *http.Request, string)
	for range maxTries {
		never = append(never, says(503, "away"))
	}
	x, _ := fails(t, never...)
	if err := write(t, x, 1); !errors.Is(err, ErrAway) {
		t.Errorf("an engine that is away: %v", err)
	}
	x, f := fails(t, says(200, `{"errors":false,"items":[]}`))
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
