package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/gather/notify"
	"github.com/varve-archive/varve/replay/replaytest"
)

// A server that indexes a new version has whoever asked for it told, by the command and the server's own feed.
func TestNotifyTellsOfANewVersion(t *testing.T) {
	t.Parallel()
	page := func(date, words string) string {
		return replaytest.Write(t, []replaytest.Record{{
			Date: date, URI: "http://mill.example/", Status: 200,
			Body: "<!doctype html><title>Mills</title><main><h1>Mills</h1><p>The river drives a wheel here.</p><p>" + words + "</p></main>",
		}})
	}
	x := indextest.Open(t, filepath.Join(t.TempDir(), "index"))
	index := func(path string) {
		if _, err := ingest.Run(t.Context(), ingest.Config{Index: x, Collection: "web"}, []string{path}); err != nil {
			t.Fatal(err)
		}
	}
	index(page("20150101000000", "A tannery stands beside the weir."))
	server := httptest.NewServer(replaytest.ServeIndex(t, x).Handler())
	defer server.Close()
	var mu sync.Mutex
	var took []notify.Message
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		body, _ := io.ReadAll(r.Body)
		var m notify.Message
		if json.Unmarshal(body, &m) == nil && r.Header.Get(notify.SignatureHeader) == "sha256="+notify.Sign("s", body) {
			took = append(took, m)
		}
	}))
	defer hook.Close()
	file := filepath.Join(t.TempDir(), "mills.yaml")
	if err := os.WriteFile(file, []byte("archive: "+server.URL+"/web/\nallow_private: true\nnotify:\n"+
		"  - {url: 'http://mill.example/', matchType: host, to: webhook, address: '"+hook.URL+"', secret: s}\n"+
		"  - {watch: {tannery: 2, museum: 1}, threshold: 0.1, to: webhook, address: '"+hook.URL+"', secret: s}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	data := t.TempDir()
	tell := func() (out notify.Counts) {
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), []string{"notify", "--data", data, "--once", file}, &stdout, &stderr); code != exitDone {
			t.Fatalf("exit %d\n%s", code, &stderr)
		}
		if err := json.Unmarshal(stdout.Bytes(), &out); err != nil {
			t.Fatalf("%v: %s", err, &stdout)
		}
		return out
	}
	if got := tell(); got != (notify.Counts{}) {
		t.Errorf("what was there before: %+v", got)
	}
	index(page("20160101000000", "A museum stands beside the weir."))
	if got := tell(); got.New != 2 || got.Delivered != 2 || len(took) != 2 {
		t.Fatalf("%+v, took %d", got, len(took))
	}
	for _, m := range took {
		if len(m.Changes) != 1 || !strings.HasPrefix(m.Changes[0].URIM, server.URL+"/web/20160101000000/") ||
			!strings.Contains(m.Changes[0].Summary, "<del>") {
			t.Errorf("%+v", m)
		}
	}
	if got := tell(); got != (notify.Counts{}) || len(took) != 2 {
		t.Errorf("told again: %+v", got)
	}
}

// Whoever follows sources tells of changes by the same rules. Without a server to ask it says that it tells nobody.
func TestFollowTellsOfANewVersion(t *testing.T) {
	t.Parallel()
	x := indextest.Open(t, filepath.Join(t.TempDir(), "index"))
	index := func(date, words string) {
		if _, err := ingest.Run(t.Context(), ingest.Config{Index: x, Collection: "web"}, []string{replaytest.Write(t, []replaytest.Record{{
			Date: date, URI: "http://mill.example/", Status: 200, Body: "<!doctype html><title>Mills</title><main><p>" + words + "</main>",
		}})}); err != nil {
			t.Fatal(err)
		}
	}
	index("20150101000000", "A tannery stands beside the weir.")
	server := httptest.NewServer(replaytest.ServeIndex(t, x).Handler())
	defer server.Close()
	var took atomic.Int64
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			took.Add(1)
		}
	}))
	defer hook.Close()
	dir := t.TempDir()
	follow := func(name, archive string) (said string) {
		file := filepath.Join(dir, name+".yaml")
		if err := os.WriteFile(file, []byte(archive+"allow_private: true\ndelay: 0s\nsources: [{page: '"+hook.URL+"/page'}]\nnotify:\n"+
			"  - {url: 'http://mill.example/', to: webhook, address: '"+hook.URL+"'}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		args := []string{"follow", "--data", filepath.Join(dir, "data"), "--once", file}
		if code := run(t.Context(), args, &stdout, &stderr); code != exitDone {
			t.Fatalf("exit %d\n%s", code, &stderr)
		}
		return stderr.String()
	}
	follow("mills", "archive: "+server.URL+"/web/\n")
	index("20160101000000", "A museum stands beside the weir.")
	follow("mills", "archive: "+server.URL+"/web/\n")
	if n := took.Load(); n != 1 {
		t.Errorf("told %d times", n)
	}
	if said := follow("nobody", ""); !strings.Contains(said, "notify: nobody is told of changes: no server has the index open") {
		t.Error(said)
	}
}
