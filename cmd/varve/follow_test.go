package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/gather/follow/status"
)

// What a file names is captured, indexed and told of; what is wrong with a file is named with its line.
func TestFollow(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/feed":
			fmt.Fprintf(w, `<rss version="2.0"><channel><title>News</title><item><guid>1</guid><link>/one</link></item></channel></rss>`)
		case "/one":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<!doctype html><title>One</title><p>The first of all entries.")
		default:
			http.NotFound(w, r)
		}
	}))
	defer s.Close()
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "HOST", s.URL)), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	varve := func(want int, args ...string) (stdout, stderr string) {
		t.Helper()
		var out, said bytes.Buffer
		if code := run(t.Context(), append(args, "--data", data), &out, &said); code != want {
			t.Errorf("%v: exit code %d, want %d\n%s%s", args, code, want, out.String(), said.String())
		}
		return out.String(), said.String()
	}
	good := file("news.yaml", "collection: news\nallow_private: true\ndelay: 0s\nsources:\n  - {feed: HOST/feed}\n")
	if out, _ := varve(0, "follow", good, "--status"); !strings.Contains(out, "never") {
		t.Errorf("before: %s", out)
	}
	if _, said := varve(0, "follow", good, "--once"); !strings.Contains(said, "follow news: 1 source, 1 new, 0 changed, 3 requests "+
		"today, 0 pages waiting") {
		t.Error(said)
	}
	if out, _ := varve(0, "cdx", "--collection", "news"); strings.Count(out, "\n") < 3 || !strings.Contains(out, "/one") {
		t.Errorf("indexed: %s", out)
	}
	var st status.Status
	out, _ := varve(0, "follow", good, "--status", "--json")
	if err := json.Unmarshal([]byte(out), &st); err != nil || len(st.Sources) != 1 || st.Sources[0].Title != "News" || st.New != 1 ||
		st.Running {
		t.Errorf("%s: %v", out, err)
	}
	if _, said := varve(1, "follow", file("part.yaml", "allow_private: true\nsources:\n  - {page: HOST/none}\n"),
		"--once"); !strings.Contains(said, "404") {
		t.Error(said)
	}
	bad := file("bad.yaml", "policy: fast\nsources: []\n")
	if _, said := varve(2, "follow", bad, "--once"); !strings.Contains(said, `line 1: policy: "fast": want adaptive, halving or fixed`) {
		t.Error(said)
	}
	varve(2, "follow", good, "--once", "--status")
}
