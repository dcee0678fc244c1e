package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/warc"
)

// counted returns the records of the WARC files in a folder: how many there are of each URI-R, all of them whole and with the digest
// that they claim.
func counted(t *testing.T, dir string) map[string]int {
	t.Helper()
	n := map[string]int{}
	paths, err := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	for _, path := range paths {
		f, err := warc.Open(t.Context(), warc.Local{}, path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for rec, err := range warc.Scan(t.Context(), f, path, 0) {
			if err != nil {
				t.Fatal(err)
			}
			want, err := warc.ParseDigest(rec.Header.Get("WARC-Payload-Digest"))
			if err != nil {
				t.Fatal(err)
			}
			m, err := warc.ParseHead(rec.Block)
			if err != nil {
				t.Fatal(err)
			}
			if fits, err := want.Check(m, rec.Block).Fits(); err != nil || !fits {
				t.Fatalf("%s: a digest that fits %t, %v", rec.TargetURI, fits, err)
			}
			n[rec.TargetURI]++
		}
	}
	return n
}

func TestManyAndTheirRepeats(t *testing.T) {
	dir := t.TempDir()
	if err := run(t.Context(), []string{"many", "-captures", "2000", "-originals", "300", dir}); err != nil {
		t.Fatal(err)
	}
	n, all := counted(t, dir), 0
	for _, of := range n {
		all += of
	}
	if all != 2000 || len(n) < 290 || n["http://www.huge0.example/"] < 60 {
		t.Errorf("%d captures of %d URI-Rs, %d of the first", all, len(n), n["http://www.huge0.example/"])
	}
	again, first := t.TempDir(), filepath.Join(dir, "many-00000.warc.gz")
	if err := run(t.Context(), []string{"repeat", "-times", "3", again, first}); err != nil {
		t.Fatal(err)
	}
	for uri, of := range counted(t, again) {
		if of != 3*n[uri] {
			t.Fatalf("%s: %d captures of %d", uri, of, n[uri])
		}
	}
}

func TestTheSameArgumentsGiveTheSameFiles(t *testing.T) {
	var files [2][]byte
	for i := range files {
		dir := t.TempDir()
		if err := run(t.Context(), []string{"many", "-captures", "500", "-originals", "100", dir}); err != nil {
			t.Fatal(err)
		}
		var err error
		if files[i], err = os.ReadFile(filepath.Join(dir, "many-00000.warc.gz")); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("they differ")
	}
}

func TestBadArguments(t *testing.T) {
	for _, args := range [][]string{
		nil,
		{"few"},
		{"many"},
		{"repeat", t.TempDir()},
		{"many", "-captures", "x", t.TempDir()},
		{"ask"},
		{"ask", "x@y"},
		{"ask", "y"},
		{"ask", "0@y"},
	} {
		if err := run(t.Context(), args); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}

func TestAskingCountsWhatIsThere(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.RequestURI, "7") {
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	var out bytes.Buffer
	ask := asker{servers: []asked{{server.URL, 1000}, {server.URL, 9}}, requests: 200}
	if err := ask.write(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "\n"); n != 2*len(kinds()) || strings.Contains(out.String(), " 200 requests") ||
		strings.Count(out.String(), "times those of the first") != len(kinds()) {
		t.Errorf("of %d kinds it says\n%s", len(kinds()), out.String())
	}
	server.Config.Handler = http.NotFoundHandler()
	if err := ask.write(t.Context(), &out); err == nil {
		t.Error("a store that isn't there is measured")
	}
}
