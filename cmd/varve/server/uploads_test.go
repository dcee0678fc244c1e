package server

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/blobstore/s3"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/ingest/upload"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/cmd/varve/workspace"
	"github.com/varve-archive/varve/internal/testkit/s3test"
)

// open returns a server of an empty index, for places.
func open(t *testing.T, data string, at []Place) *server {
	t.Helper()
	return &server{
		Workspace: &workspace.Workspace{
			Console:  &console.Console{Stdout: io.Discard, Stderr: io.Discard},
			Settings: workspace.Settings{Folder: workspace.Folder{Data: data}, Collection: "web"},
		},
		cfg:   Config{Places: at},
		index: indextest.Open(t, filepath.Join(t.TempDir(), "index")),
	}
}

// Files go into the first watched folder that can be written, never into one of another program, and else beside the index.
func TestWhereUploadsGo(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.warc"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	beside := func(coll string) string { return filepath.Join(data, "uploads", coll) }
	for _, tt := range []struct {
		name, coll string
		at         []Place
		want       string
	}{
		{"a watched folder", "web", []Place{{Coll: "web", Paths: []string{dir}}}, dir},
		{"of another collection", "web", []Place{{Coll: "news", Paths: []string{dir}}}, beside("web")},
		{"a watched file", "web", []Place{{Coll: "web", Paths: []string{filepath.Join(dir, "a.warc")}}}, beside("web")},
		{"files, then a folder", "web", []Place{{Coll: "web", Paths: []string{filepath.Join(dir, "a.warc"), dir}}}, dir},
		{"a folder of another program", "web", []Place{{Coll: "web", Paths: []string{dir}, foreign: true}}, beside("web")},
		{"folders, of which one can't be written", "web", []Place{{Coll: "web", Paths: []string{"/proc", dir}}}, dir},
		{"nothing", "new", nil, beside("new")},
	} {
		s := &uploadStorage{server: open(t, data, tt.at), folders: map[string]*upload.Folder{}}
		f, err := s.Folder(tt.coll)
		if err != nil || f.Dir != tt.want {
			t.Errorf("%s: %v %v, want %s", tt.name, f, err, tt.want)
		}
	}
}

// What readers have handed in is watched from the next start on, with the other files of its collection, and what was captured.
func TestUploadsAreWatched(t *testing.T) {
	s, elsewhere := open(t, t.TempDir(), nil), t.TempDir()
	put(t, filepath.Join(elsewhere, "news", "a.warc"), nil)
	for _, of := range []string{"web/a.warc", "new/a.warc", "No Collection/a.warc", "file"} {
		put(t, filepath.Join(s.uploadsDir(), of), nil)
	}
	uploaded, captured := filepath.Join(s.uploadsDir(), "web"), filepath.Join(s.WarcsDir(), "web")
	var said strings.Builder
	s.Stderr = &said
	for _, tt := range []struct {
		readOnly bool
		web      []string
	}{{true, []string{"x", uploaded}}, {false, []string{"x", uploaded, captured}}} {
		s.ReadOnly = tt.readOnly
		before := []Place{{Coll: "web", Paths: []string{"x"}}}
		got := s.withOwn(t.Context(), before, elsewhere)
		want := []Place{
			{Coll: "web", Paths: tt.web},
			{Coll: "new", Paths: []string{filepath.Join(s.uploadsDir(), "new")}},
			{Coll: "news", Paths: []string{filepath.Join(elsewhere, "news")}},
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(Place{})); diff != "" || len(before[0].Paths) != 1 || said.Len() > 0 {
			t.Errorf("read-only %t: %s; before %+v; said %s", tt.readOnly, diff, before, &said)
		}
	}
}

// In a bucket each collection has a folder of its own.
func TestUploadsInABucketAreWatched(t *testing.T) {
	bucket := s3test.Memory(t).Make("given")
	s := open(t, t.TempDir(), nil)
	var err error
	if s.S3, err = s3.New(bucket.URL); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"to/new/a.warc.gz", "to/new/b.warc.gz", "to/No Collection/a.warc.gz", "to/a.warc.gz", "web/a.warc.gz"} {
		bucket.Put("given", key, nil)
	}
	got := s.withOwn(t.Context(), nil, "s3://given/to/")
	if len(got) != 2 || got[0].Coll != "new" || !slices.Equal(got[0].Paths, []string{"s3://given/to/new"}) {
		t.Errorf("%+v", got)
	}
}

// Files that a new one may equal are those of its collection, and of buckets those of its size; none may have its name.
func TestFilesThatANewOneMayEqual(t *testing.T) {
	s := &uploadStorage{server: open(t, t.TempDir(), nil)}
	s.claims = new(ingest.Claims)
	for _, f := range []index.File{
		{Collection: "web", Path: "/a.warc", Size: 1, Done: true},
		{Collection: "web", Path: "/begun.warc", Size: 2},
		{Collection: "news", Path: "/other.warc", Size: 2, Done: true},
		{Collection: "web", Path: "s3://b/1.warc", Size: 1, Done: true},
		{Collection: "web", Path: "s3://b/2.warc", Size: 2, Done: true},
		{Collection: "web", Path: "s3://b/c.wacz#archive/d.warc", Size: 3, Done: true},
	} {
		if _, err := s.index.PutFile(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.Files("web", 2); !slices.Equal(got, []string{"/a.warc", "s3://b/2.warc", "s3://b/c.wacz"}) {
		t.Errorf("%q", got)
	}
	for path, want := range map[string]bool{"/x/A.WARC": false, "/x/1.warc": false, "/x/other.warc": true, "/x/new.warc": true} {
		if got := s.Claim("web", path); (got != nil) != want {
			t.Errorf("%s: %t", path, got != nil)
		}
	}
}

// What was on its way when a server was killed goes with the next, also of collections that have nothing yet; others' files stay.
func TestCutOffUploadsGo(t *testing.T) {
	for name, to := range map[string]string{
		"into a bucket": "s3://given/here", "into a folder": filepath.Join(t.TempDir(), "to"), "beside the index": "",
	} {
		watched := t.TempDir()
		s := &uploadStorage{server: open(t, t.TempDir(), []Place{{Coll: "web", Paths: []string{watched}}}), folders: map[string]*upload.Folder{}}
		s.cfg.UploadTo = to
		mine := ".incoming-" + s.folder("").Owner + "-1"
		dirs := []string{watched}
		if to != "" {
			dirs = nil
		}
		for _, coll := range []string{"web", "new"} {
			f := s.candidates(coll)
			dirs = append(dirs, f[len(f)-1].Dir)
		}
		kept := []string{".incoming-ffffffff0-1", "a.warc.gz"}
		for _, dir := range dirs {
			for _, file := range append([]string{mine}, kept...) {
				if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, file), nil, 0o600)); err != nil {
					t.Fatal(err)
				}
			}
		}
		s.clean()
		for _, dir := range dirs {
			found, err := os.ReadDir(dir)
			if err != nil || len(found) != 2 || found[0].Name() != kept[0] || found[1].Name() != kept[1] {
				t.Errorf("%s: in %s there is %v, %v", name, dir, found, err)
			}
		}
	}
}
