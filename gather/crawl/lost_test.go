package crawl_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/gather/crawl"
	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/gather/crawl/frontier/local"
)

// An unsynced frontier is never told that files are on the disk.
type unsynced struct{ frontier.Frontier }

func (u unsynced) Sync(_ context.Context, files func() error) error { return files() }

// What a loss of power took from a file, or the whole file, is asked for again; what is left of it isn't, and all of it counts once.
func TestALossOfPower(t *testing.T) {
	all := sorted(append(numbered("/%d", 1, 20), "/"))
	for name, tt := range map[string]struct {
		take func(path string, at int64) error
		kept int
	}{
		"the end of a file": {os.Truncate, 10},
		"the end of a file of a process that was killed": {func(path string, at int64) error {
			return errors.Join(os.Truncate(path, at+20), os.Rename(path, path+".open"))
		}, 10},
		"a file":  {func(path string, _ int64) error { return os.Remove(path) }, 0},
		"nothing": {func(string, int64) error { return nil }, 21},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, func(w http.ResponseWriter, _ *http.Request) { page(w, numbered("/%d", 1, 20)...) })
			set := settings(s)
			if err := set.Check(); err != nil {
				t.Fatal(err)
			}
			on, dir := kvtest.NewMemory(), t.TempDir()
			front, err := local.Open(t.Context(), on, set.Frontier())
			if err != nil {
				t.Fatal(err)
			}
			c, err := crawl.New(t.Context(), crawl.Config{Settings: set, Frontier: unsynced{front}, Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			if r, err := c.Run(t.Context()); err != nil || r.State != crawl.Completed {
				t.Fatalf("%+v, %v", r, err)
			}
			path, responses := responsesIn(t, dir)
			if err := tt.take(path, responses[10].offset); err != nil {
				t.Fatal(err)
			}
			want := slices.Clone(all)
			for _, r := range responses[min(tt.kept, len(responses)):] {
				want = append(want, r.path)
			}
			r := runOn(t, t.Context(), on, dir, set)
			if diff := cmp.Diff(all, r.got); diff != "" || r.Pages != 21 || r.Status["200"] != 21 {
				t.Errorf("%+v\nwritten (-want +got)\n%s", r.Report, diff)
			}
			if diff := cmp.Diff(sorted(want), s.requests()); diff != "" {
				t.Errorf("asked for (-want +got)\n%s", diff)
			}
		})
	}
}

// A bucket has files that were moved there, under paths that only it can open.
type bucket struct {
	warc.Local
	folder string
}

// moved finds the files of a bucket.
type moved struct{ bucket }

func (moved) Find(_ context.Context, name string) (string, error) { return "bucket:/" + name, nil }

func (moved) Names(context.Context) ([]string, error) { return nil, nil }

func (b bucket) Open(ctx context.Context, path string) (warc.File, error) {
	name, _ := strings.CutPrefix(path, "bucket:/")
	return b.Local.Open(ctx, filepath.Join(b.folder, name))
}

// What was moved before the frontier knew it to be on the disk is read in its new place, and nothing is asked for again.
func TestALossOfPowerAfterAFileWasMoved(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, _ *http.Request) { page(w, "/1") })
	set := settings(s)
	if err := set.Check(); err != nil {
		t.Fatal(err)
	}
	on, dir, there := kvtest.NewMemory(), t.TempDir(), t.TempDir()
	for range 2 {
		front, err := local.Open(t.Context(), on, set.Frontier())
		if err != nil {
			t.Fatal(err)
		}
		c, err := crawl.New(t.Context(), crawl.Config{
			Settings: set, Frontier: unsynced{front}, Dir: dir, Moved: moved{bucket{folder: there}}, Storage: bucket{folder: there},
		})
		if err != nil {
			t.Fatal(err)
		}
		if r, err := c.Run(t.Context()); err != nil || r.State != crawl.Completed || r.Pages != 2 {
			t.Fatalf("%+v, %v", r, err)
		}
		files, err := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			if err := os.Rename(path, filepath.Join(there, filepath.Base(path))); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := s.requests(); !slices.Equal(sorted(got), []string{"/", "/1"}) {
		t.Errorf("asked for %q", got)
	}
}

// A response is the answer of a page in a file.
type response struct {
	path   string
	offset int64
}

// responsesIn returns the one file in a folder and the responses of pages in it.
func responsesIn(t *testing.T, dir string) (path string, all []response) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	if err != nil || len(paths) != 1 {
		t.Fatal(paths, err)
	}
	f, err := warc.Local{}.Open(t.Context(), paths[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for rec, err := range warc.Scan(t.Context(), f, paths[0], 0) {
		if err != nil {
			t.Fatal(err)
		}
		u, _ := url.Parse(rec.TargetURI)
		if rec.Type == "response" && u.Path != "/robots.txt" || rec.Type == "revisit" {
			all = append(all, response{u.Path, rec.Offset})
		}
	}
	return paths[0], all
}

// Documents that were put aside are found again by the time in their names, and no other files.
func TestDocumentsThatWerePutAside(t *testing.T) {
	dir := t.TempDir()
	if paths, err := crawl.EarlierDocuments(filepath.Join(dir, "none"), "river"); err != nil || len(paths) > 0 {
		t.Errorf("%v, %v", paths, err)
	}
	write := func(names ...string) {
		t.Helper()
		for _, name := range names {
			if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	write("river.csv", "river.jsonl", "river-20260101000000.csv", "river-north.csv", "river-20260101000000.txt", "lake-20260101000000.csv")
	at := time.Date(2026, 3, 1, 13, 0, 0, 5e6, time.FixedZone("", 3600))
	for range 2 { // the second time there is nothing
		if err := crawl.KeepDocuments(dir, "river", at); err != nil {
			t.Fatal(err)
		}
	}
	paths, err := crawl.EarlierDocuments(dir, "river")
	want := "river-20260101000000.csv river-20260301120000.005.csv river-20260301120000.005.jsonl"
	for i := range paths {
		paths[i] = filepath.Base(paths[i])
	}
	if got := strings.Join(paths, " "); err != nil || got != want {
		t.Errorf("%s, %v", got, err)
	}
}

// A folder has its ID for good, and no two have the same.
func TestFolderID(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	first, err := crawl.FolderID(dir)
	again, err2 := crawl.FolderID(dir)
	other, err3 := crawl.FolderID(t.TempDir())
	if errors.Join(err, err2, err3) != nil || len(first) != 36 || first != again || first == other {
		t.Errorf("%q, %q, %q, %v %v %v", first, again, other, err, err2, err3)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(left) != 1 || filepath.Base(left[0]) != ".varve-folder" {
		t.Errorf("%v are in the folder, %v", left, err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if id, err := crawl.FolderID(file); err == nil {
		t.Errorf("%q is the ID of a file", id)
	}
}
