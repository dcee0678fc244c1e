package control

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/sentinel"
)

const errTake = sentinel.Error("no room")

// listen starts a server for a test.
func listen(t *testing.T, s *Server) Client {
	t.Helper()
	data, err := os.MkdirTemp("", "control") // a short path, as sockets want it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(data) })
	killed := filepath.Join(data, "control") // by a server that was killed
	if err := errors.Join(os.Mkdir(killed, 0o755), os.WriteFile(filepath.Join(killed, "socket"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	c := Client{Data: data}
	if _, err := c.Index(t.Context(), "web", nil); !errors.Is(err, ErrNoServer) {
		t.Errorf("before a server listens: %v", err)
	}
	stop, err := s.Listen(data)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(killed); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("others may reach the socket: %v, %v", info, err)
	}
	t.Cleanup(func() {
		stop()
		if _, err := c.Index(context.Background(), "web", nil); !errors.Is(err, ErrNoServer) {
			t.Errorf("after a server stopped: %v", err)
		}
		if _, err := os.Stat(killed); !os.IsNotExist(err) {
			t.Errorf("it leaves its folder: %v", err)
		}
	})
	return c
}

func TestIndex(t *testing.T) {
	var taken []string
	c := listen(t, &Server{Take: func(_ context.Context, coll string, files []string) (Indexed, error) {
		if len(files) == 0 {
			return Indexed{}, errTake
		}
		taken = files
		return Indexed{Message: coll + " " + strings.Join(files, " "), Problems: int64(len(files))}, nil
	}})
	if done, err := c.Index(t.Context(), "a b", []string{"x", "y"}); err != nil || done.Message != "a b x y" || done.Problems != 2 {
		t.Errorf("%+v, %v", done, err)
	}
	notText := []string{"caf\xe9.warc", "new\nline"}
	if _, err := c.Index(t.Context(), "web", notText); err != nil || !slices.Equal(taken, notText) {
		t.Errorf("%v: the server indexes %q, want %q", err, taken, notText)
	}
	if _, err := c.Index(t.Context(), "web", nil); err == nil || !strings.Contains(err.Error(), errTake.Error()) {
		t.Errorf("the server's error: %v", err)
	}
	long := Client{Data: "/" + strings.Repeat("x", maxSocketPath-len("//control/socket")+1)}
	if _, err := long.Index(t.Context(), "web", nil); err == nil || errors.Is(err, ErrNoServer) {
		t.Errorf("a path that no socket can have: %v", err)
	}
	long.Data = long.Data[:len(long.Data)-1]
	if _, err := long.Index(t.Context(), "web", nil); !errors.Is(err, ErrNoServer) {
		t.Errorf("the longest path: %v", err)
	}
}

func TestRun(t *testing.T) {
	c := listen(t, &Server{Run: func(_ context.Context, o Order, stdout, stderr io.Writer) int {
		fmt.Fprintf(stdout, "%s %s %s;", o.Command, o.Collection, o.Flags)
		fmt.Fprint(stderr, "careful;")
		fmt.Fprint(stdout, "more;")
		return 3
	}})
	var both strings.Builder
	exit, err := c.Run(t.Context(), Order{Command: "search", Collection: "web", Flags: []byte(`{"q":1}`)}, &both, &both)
	if want := `search web {"q":1};careful;more;`; err != nil || exit != 3 || both.String() != want {
		t.Errorf("%d, %v, %q; want %q", exit, err, both.String(), want)
	}
	var out, told strings.Builder
	if _, err := c.Run(t.Context(), Order{Command: "search"}, &out, &told); err != nil || told.String() != "careful;" {
		t.Errorf("%v; %q on stdout, %q on stderr", err, out.String(), told.String())
	}
}

// A server that stops ends the commands that it runs, and their clients are told how.
func TestStopEndsWhatRuns(t *testing.T) {
	data, err := os.MkdirTemp("", "control")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(data) })
	runs := make(chan bool)
	s := &Server{Run: func(ctx context.Context, _ Order, _, _ io.Writer) int {
		runs <- true
		<-ctx.Done()
		return 7
	}}
	stop, err := s.Listen(data)
	if err != nil {
		t.Fatal(err)
	}
	go func() { <-runs; stop() }()
	if exit, err := (Client{data}).Run(t.Context(), Order{}, io.Discard, io.Discard); err != nil || exit != 7 {
		t.Errorf("%d, %v", exit, err)
	}
}

// What no client of varve asks is answered with what is wanted, and what fails with why.
func TestOtherRequests(t *testing.T) {
	x := indextest.Open(t, "")
	s := &Server{Index: x, Take: func(context.Context, string, []string) (Indexed, error) { return Indexed{}, errTake }}
	var noFiles bytes.Buffer
	if err := gob.NewEncoder(&noFiles).Encode([]string(nil)); err != nil {
		t.Fatal(err)
	}
	const digest = "&digest=sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	for _, tt := range []struct {
		method, target, body, want string
	}{
		{"POST", "/index", "x", "400 want a collection and a list of files"},
		{"POST", "/index", noFiles.String(), "500 no room"},
		{"POST", "/run", "x", "400 want a command"},
		{"GET", "/known?status=200", "", "400 want url, digest and status"},
		{"GET", "/known?status=x" + digest, "", "400 want url, digest and status"},
		{"GET", "/known?status=200" + digest, "", "500 context canceled"},
	} {
		ended, end := context.WithCancel(t.Context())
		end()
		w := httptest.NewRecorder()
		s.handler().ServeHTTP(w, httptest.NewRequestWithContext(ended, tt.method, tt.target, strings.NewReader(tt.body)))
		if got := fmt.Sprint(w.Code, " ", strings.TrimSpace(w.Body.String())); got != tt.want {
			t.Errorf("%s %s: %s, want %s", tt.method, tt.target, got, tt.want)
		}
	}
}

func TestRunOfAServerThatBreaksOff(t *testing.T) {
	c := listen(t, &Server{Run: func(context.Context, Order, io.Writer, io.Writer) int { panic(http.ErrAbortHandler) }})
	if exit, err := c.Run(t.Context(), Order{}, io.Discard, io.Discard); err == nil {
		t.Errorf("exit code %d, and no error", exit)
	}
}

func TestEntries(t *testing.T) {
	x := indextest.Open(t, "")
	indextest.Fill(t, x, "web", []cdx.Capture{{Key: "example)/", URL: "http://example/", Time: 20200101000000, FileName: "a.warc"}})
	want := 0
	if err := x.Dump(t.Context(), func(_, _ []byte) error { want++; return nil }); err != nil || want == 0 {
		t.Fatal(want, err)
	}
	c := listen(t, &Server{Index: x})
	entries, closeAll, err := c.Entries(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := 0
	if err := errors.Join(entries(func(_, _ []byte) error { got++; return nil }), closeAll()); err != nil || got != want {
		t.Errorf("%d entries, %v; want %d", got, err, want)
	}
}

func TestKnown(t *testing.T) {
	const sum, otherSum = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"
	capture := func(key string, at int, kind cdx.Kind, status int, digest string) cdx.Capture {
		ts := cdx.FromTime(time.Date(2020, 1, at, 0, 0, 0, 0, time.UTC))
		return cdx.Capture{
			Key: "example)/" + key, URL: "http://example/" + key, Time: ts, Kind: kind, Status: status, Digest: digest, FileName: "a.warc",
		}
	}
	captures := []cdx.Capture{
		capture("a", 1, cdx.Response, 200, sum), capture("a", 2, cdx.Response, 200, otherSum), capture("a", 3, cdx.Response, 404, sum),
		capture("a", 4, cdx.Revisit, 200, sum),
	}
	for key, others := range map[string]int{"near": maxSearched - 1, "far": maxSearched} {
		captures = append(captures, capture(key, 1, cdx.Response, 200, sum))
		for i := range others {
			captures = append(captures, capture(key, i+2, cdx.Response, 200, otherSum))
		}
	}
	x := indextest.Open(t, "")
	indextest.Fill(t, x, "web", captures)
	c := listen(t, &Server{Index: x})
	for _, tt := range []struct {
		name, coll, uri string
		status          int
		digest          string
		want            cdx.Timestamp
	}{
		{"the response, not a later revisit", "web", "a", 200, sum, 20200101000000},
		{"of another spelling", "web", "A", 200, sum, 20200101000000},
		{"with another status", "web", "a", 404, sum, 20200103000000},
		{"with a status that there is not", "web", "a", 500, sum, 0},
		{"of another address", "web", "b", 200, sum, 0},
		{"in another collection", "news", "a", 200, sum, 0},
		{"behind many", "web", "near", 200, sum, 20200101000000},
		{"behind too many", "web", "far", 200, sum, 0},
	} {
		digest, err := warc.ParseDigest(tt.digest)
		if err != nil {
			t.Fatal(err)
		}
		got, ok, err := c.Known(t.Context(), tt.coll, write.Payload{URI: "http://example/" + tt.uri, Status: tt.status, Digest: digest})
		if err != nil || ok != (tt.want != 0) ||
			ok && (cdx.FromTime(got.Time) != tt.want || !strings.EqualFold(got.URI, "http://example/"+tt.uri)) {
			t.Errorf("%s: %v %t, %v", tt.name, got, ok, err)
		}
	}
	if _, _, err := c.Known(t.Context(), "web", write.Payload{URI: "http://example/a", Status: 200}); err == nil {
		t.Error("a payload without a digest is no error")
	}
}
