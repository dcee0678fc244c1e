package gathering

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/blobstore"
	"github.com/varve-archive/varve/archive/blobstore/s3"
	"github.com/varve-archive/varve/gather/crawl"
	"github.com/varve-archive/varve/internal/testkit/s3test"
)

// A name may be taken: by a machine of the same name, say, before marks were random. That keeps back nothing that comes after it, and the
// file gets another name once nobody looks for it under its first.
func TestAFileWhoseNameIsTaken(t *testing.T) {
	name := func(n int) string { return fmt.Sprintf("a-20260101000000-%05d-m.warc.gz", n) }
	here, there := t.TempDir(), t.TempDir()
	for path, text := range map[string]string{
		filepath.Join(here, name(1)): "of here", filepath.Join(here, name(2)): "next", filepath.Join(there, name(1)): "of another",
		filepath.Join(there, name(3)): "of another, too", filepath.Join(here, name(4)): "the last",
		filepath.Join(here, name(4)+".open"): "in progress",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at, err := blobstore.Open(there, blobstore.Config{})
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	w := in(here)
	w.Stderr = &said
	g := &Output{Workspace: w, name: "a", dir: here, to: &bucket{at: at, name: "a", has: map[string]bool{}}}
	check := func(want map[string]string) {
		t.Helper()
		got := map[string]string{}
		for _, dir := range []string{here, there} {
			found, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range found {
				content, err := os.ReadFile(filepath.Join(dir, e.Name()))
				if err != nil {
					t.Fatal(err)
				}
				got[filepath.Base(dir)+" "+e.Name()] = string(content)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	}
	h, a := filepath.Base(here)+" ", filepath.Base(there)+" "
	if err := g.move(t.Context(), false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("%v, want %v", err, fs.ErrExist)
	}
	want := map[string]string{
		h + name(1): "of here", h + name(4) + ".open": "in progress",
		a + name(1): "of another", a + name(2): "next", a + name(3): "of another, too", a + name(4): "the last",
	}
	check(want)
	if err := g.move(t.Context(), true); err != nil || !strings.Contains(said.String(), name(5)) {
		t.Errorf("%v: %s", err, &said)
	}
	delete(want, h+name(1))
	want[a+name(5)] = "of here"
	check(want)
	files, err := g.files(t.Context())
	if err != nil || len(files) != 5 {
		t.Errorf("to be indexed: %q, %v", files, err)
	}
}

// A file that is there already, and can't be compared for the moment, is not taken for another: it stays, and is not there twice.
func TestAFileThatCannotBeCompared(t *testing.T) {
	var silent, torn atomic.Bool
	s := s3test.Wrapped(t, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			reads := r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, ".gz")
			if reads && (silent.Load() || r.Header.Get("Range") != "") {
				w.WriteHeader(http.StatusForbidden)
				return
			}
			if reads && torn.Load() {
				w = tornWriter{w}
			}
			h.ServeHTTP(w, r)
		})
	}).Make("crawls")
	client, err := s3.New(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	at, err := blobstore.Open("s3://crawls/p", blobstore.Config{S3: client})
	if err != nil {
		t.Fatal(err)
	}
	here := t.TempDir()
	name, content := "a-20260101000000-00001-m.warc.gz", []byte("content of the file.")
	path := filepath.Join(here, name)
	if err := errors.Join(os.WriteFile(path, content, 0o600), at.Put(t.Context(), name, bytes.NewReader(content))); err != nil {
		t.Fatal(err)
	}
	g := &Output{Workspace: in(here), name: "a", dir: here, to: &bucket{at: at, name: "a", has: map[string]bool{}}}
	for _, state := range []*atomic.Bool{&silent, &torn} {
		state.Store(true)
		if err := g.move(t.Context(), true); err == nil || errors.Is(err, fs.ErrExist) || !exists(path) {
			t.Errorf("%v, and it stays: %t", err, exists(path))
		}
		state.Store(false)
	}
	if err := g.move(t.Context(), true); err != nil || exists(path) {
		t.Errorf("%v, and it stays: %t", err, exists(path))
	}
	if files, err := g.files(t.Context()); err != nil || len(files) != 1 {
		t.Errorf("there are %q, %v", files, err)
	}
}

// A tornWriter breaks off in the middle of what is written to it.
type tornWriter struct{ http.ResponseWriter }

func (w tornWriter) Write(p []byte) (int, error) {
	_, _ = w.ResponseWriter.Write(p[:len(p)/2])
	_ = http.NewResponseController(w.ResponseWriter).Flush()
	panic(http.ErrAbortHandler)
}

// What other processes have moved since the bucket was listed is found. The bucket is not asked again for what is known to be there.
func TestFilesThatOthersHaveMoved(t *testing.T) {
	there := t.TempDir()
	o, err := openBucket(t.Context(), nil, there, "a")
	if err != nil {
		t.Fatal(err)
	}
	const name = "a-20260101000000-00001-m.warc.gz"
	if path, err := o.Find(t.Context(), name); path != "" || err != nil {
		t.Errorf("before it is there: %q, %v", path, err)
	}
	if err := os.WriteFile(filepath.Join(there, name), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if path, err := o.Find(t.Context(), name); path != filepath.Join(there, name) || err != nil {
		t.Errorf("%q, %v", path, err)
	}
	if err := os.Rename(filepath.Join(there, name), filepath.Join(there, "hidden")); err != nil {
		t.Fatal(err)
	}
	if path, err := o.Find(t.Context(), name); path == "" || err != nil {
		t.Errorf("it is asked for again: %q, %v", path, err)
	}
	moved := filepath.Join(t.TempDir(), "a-20260101000000-00002-m.warc.gz")
	if err := errors.Join(os.WriteFile(moved, nil, 0o600), o.move(t.Context(), moved)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(there, filepath.Base(moved))); err != nil {
		t.Fatal(err)
	}
	if path, err := o.Find(t.Context(), filepath.Base(moved)); path == "" || err != nil {
		t.Errorf("what was moved is asked for: %q, %v", path, err)
	}
	if err := os.WriteFile(filepath.Join(there, name), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if names, err := o.Names(t.Context()); !slices.Equal(names, []string{name}) || err != nil {
		t.Errorf("%q, %v", names, err)
	}
	listed, err := openBucket(t.Context(), nil, there, "a")
	if err := errors.Join(err, os.Remove(filepath.Join(there, name))); err != nil {
		t.Fatal(err)
	}
	if path, err := listed.Find(t.Context(), name); path == "" || err != nil {
		t.Errorf("what was listed is asked for: %q, %v", path, err)
	}
}

// Documents that were put aside go where the others are, under their own names.
func TestDocumentsThatWerePutAside(t *testing.T) {
	here, there := t.TempDir(), t.TempDir()
	for path, text := range map[string]string{
		filepath.Join(here, "a.csv"): "first", filepath.Join(here, "a.jsonl"): "first", filepath.Join(here, "a-b.csv"): "of another crawl",
		filepath.Join(here, "a-20250102030405.csv"): "older", // put aside by a varve that wrote whole seconds
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	begun := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for n, text := range []string{"second", "third"} { // within a second
		if err := crawl.KeepDocuments(here, "a", begun.Add(time.Duration(n)*time.Millisecond)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(here, "a.csv"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at, err := blobstore.Open(there, blobstore.Config{})
	if err != nil {
		t.Fatal(err)
	}
	g := &Output{Workspace: in(here), name: "a", dir: here, to: &bucket{at: at, name: "a", has: map[string]bool{}}}
	for range 2 {
		if err := g.copyBeside(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"a.csv": "third", "a-20260102030405.000.csv": "first", "a-20260102030405.000.jsonl": "first", "a-20260102030405.001.csv": "second",
		"a-20250102030405.csv": "older",
	} {
		if got, err := os.ReadFile(filepath.Join(there, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(here, "*")); err != nil || len(left) != 2 {
		t.Errorf("left here: %q, %v", left, err)
	}
	const earlier = "a-20250102030406.csv"
	for _, taken := range []string{earlier, "a.csv"} { // by folders
		if err := errors.Join(
			os.WriteFile(filepath.Join(here, earlier), nil, 0o600), os.RemoveAll(filepath.Join(there, earlier)),
			os.RemoveAll(filepath.Join(there, taken)), os.MkdirAll(filepath.Join(there, taken, "held"), 0o755),
		); err != nil {
			t.Fatal(err)
		}
		if err := g.copyBeside(t.Context()); err == nil {
			t.Errorf("it is not said that %s can't go there", taken)
		}
	}
}

// One place is one, however its end is written.
func TestPlacesAreTheSameWithASlash(t *testing.T) {
	s := s3test.Memory(t).Make("crawls")
	client, err := s3.New(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{}
	for _, at := range []string{"s3://crawls/p", "s3://crawls/p/", "s3://crawls/p//"} {
		w := in(t.TempDir())
		w.S3 = client
		g, err := Open(t.Context(), w, at, "a")
		if err != nil {
			t.Fatal(err)
		}
		if want := filepath.Join(w.Data, "outgoing", "web", g.to.id); g.dir != want {
			t.Errorf("files wait in %s, want %s", g.dir, want)
		}
		j := &Crawl{Output: g}
		said[fmt.Sprint(j.fixed(), g.to.id)] = true
	}
	if len(said) != 1 {
		t.Errorf("they are %d: %v", len(said), said)
	}
}

func TestEachProcessHasItsMark(t *testing.T) {
	place := t.TempDir()
	a, err := openBucket(t.Context(), nil, place, "a")
	if err != nil {
		t.Fatal(err)
	}
	b, err := openBucket(t.Context(), nil, place, "a")
	if err != nil || a.mark == b.mark || a.id != b.id {
		t.Errorf("%v: marks %s and %s, folders %s and %s", err, a.mark, b.mark, a.id, b.id)
	}
}
