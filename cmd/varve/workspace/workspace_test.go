package workspace

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cmd/varve/config"
	"github.com/varve-archive/varve/cmd/varve/console"
)

// in returns a workspace of a folder, and what it says.
func in(t *testing.T, s Settings) (*Workspace, *bytes.Buffer) {
	t.Helper()
	var said bytes.Buffer
	if s.Collection == "" {
		s.Collection = "web"
	}
	w, err := New(&console.Console{Stdout: io.Discard, Stderr: &said}, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return w, &said
}

func TestNewChecksTheSettings(t *testing.T) {
	for _, tt := range []struct {
		name  string
		s     Settings
		wrong string
	}{
		{"a folder", Settings{Collection: "web"}, ""},
		{"PostgreSQL", Settings{Collection: "web", Database: "postgres://me@host/db"}, ""},
		{"its other name", Settings{Collection: "web", Database: "postgresql://me@host/db"}, ""},
		{"another engine", Settings{Collection: "web", Database: "mysql://me@host/db"}, "--index mysql://: no such engine"},
		{"a folder as database", Settings{Collection: "web", Database: "index"}, `--index "index": want a URL`},
		{"no collection", Settings{}, `--collection ""`},
		{"one that is no name", Settings{Collection: "a/b"}, `--collection "a/b"`},
		{"no search engine", Settings{Collection: "web", SearchEngine: "nowhere"}, "--search-engine"},
		{"no object storage", Settings{Collection: "web", S3Endpoint: "nowhere"}, "--s3-endpoint"},
		{"a cache in no folder", Settings{Collection: "web", CacheDir: os.Args[0] + "/cache"}, "--cache-dir: "},
	} {
		_, err := New(&console.Console{Stdout: io.Discard, Stderr: io.Discard}, tt.s, nil)
		if (err == nil) != (tt.wrong == "") || err != nil && !strings.HasPrefix(err.Error(), tt.wrong) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.wrong)
		}
	}
}

func TestIndexPlace(t *testing.T) {
	for database, want := range map[string]string{
		"": "folder " + filepath.Join("data", "index"), "postgres://me:secret@host/db": "postgres://me:xxxxx@host/db",
		"postgres://me:sec%ret@host/db": "the database", // no part of it may show the password
	} {
		w := &Workspace{Settings: Settings{Folder: Folder{Data: "data"}, Database: database}}
		if got := w.IndexPlace(); got != want {
			t.Errorf("%q: %s, want %s", database, got, want)
		}
	}
}

// A command that only reads makes no index, and a workspace that only reads changes none.
func TestOpening(t *testing.T) {
	w, said := in(t, Settings{Folder: Folder{Data: t.TempDir()}})
	if _, err := w.OpenExisting(t.Context()); err == nil || !strings.Contains(err.Error(), "there is no index in "+w.Data) {
		t.Errorf("before there is one: %v", err)
	}
	w.ReadOnly = true
	if _, _, err := w.OpenToServe(t.Context()); err == nil {
		t.Error("nothing may be written, and an index is made")
	}
	w.ReadOnly = false
	x, why, err := w.OpenToServe(t.Context())
	if err != nil || why != "" || w.ReadOnly || w.Store == nil {
		t.Fatalf("to serve: %v, %s, read only %t", err, why, w.ReadOnly)
	}
	if _, err := w.OpenExisting(t.Context()); !errors.Is(err, kv.ErrInUse) {
		t.Errorf("while it is open: %v", err)
	}
	if _, err := x.PutFile(t.Context(), index.File{Collection: "web", Path: "/a.warc"}); err != nil {
		t.Fatal(err)
	}
	w.Fills = true
	if x, err = w.Compacted(t.Context(), x); err != nil || len(x.Files()) != 1 || w.Fills {
		t.Fatalf("compacted: %v", err)
	}
	if strings.Contains(said.String(), "not merged") {
		t.Errorf("it says %s", said)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	w.ReadOnly = true
	x, why, err = w.OpenToServe(t.Context())
	if err != nil || why != "--read-only" || len(x.Files()) != 1 {
		t.Fatalf("to read: %v, %s", err, why)
	}
	if _, err := x.PutFile(t.Context(), index.File{Collection: "web", Path: "/b.warc"}); !errors.Is(err, kv.ErrReadOnly) {
		t.Errorf("written though it is only read: %v", err)
	}
	if err := x.Close(); err != nil {
		t.Error(err)
	}
}

// An index that is made by a command that writes much has all of it for the next command.
func TestAnIndexThatIsFilled(t *testing.T) {
	w, _ := in(t, Settings{Folder: Folder{Data: t.TempDir()}})
	for _, fills := range []bool{true, false} {
		w.Fills = fills
		x, err := w.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if fills {
			_, err = x.PutFile(t.Context(), index.File{Collection: "web", Path: "/a.warc"})
		}
		if files := x.Files(); err != nil || len(files) != 1 {
			t.Errorf("filling %v: %+v, %v", fills, files, err)
		}
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// What stands in the data folder is found there by the next version of the program, and backups name it.
func TestWhereThingsAreKept(t *testing.T) {
	f := Folder{Data: "data"}
	for want, got := range map[string]string{
		"index": f.IndexDir(), "search": f.SearchDir(), "pictures": f.PicturesDir(), "warcs": f.WarcsDir(), "proxy": f.ProxyDir(),
		"takedowns.jsonl": f.TakedownsFile(), "crawls": string(f.Crawls()), "settings": f.settingsDir(), "jobs": string(f.Jobs()),
		"follow": string(f.Follows()),
	} {
		if got != filepath.Join("data", want) {
			t.Errorf("%s is %s", want, got)
		}
	}
	s := Settings{Version: "v1.2.3"}
	if got := s.Software(); got != "varve/v1.2.3" {
		t.Errorf("the software is %s", got)
	}
	if got := s.Agent(); !strings.HasPrefix(got, "varve/1.2.3 (+https://") {
		t.Errorf("servers are told %s", got)
	}
}

// An index in a database that is away for a moment is read once it answers; after some seconds that is given up.
func TestADatabaseThatIsAwayForAMoment(t *testing.T) {
	for _, tt := range []struct {
		away, calls int
		ended       bool
		want        error
	}{{0, 1, false, nil}, {3, 4, false, nil}, {99, openTries, false, kv.ErrUnavailable}, {3, 1, true, kv.ErrUnavailable}} {
		synctest.Test(t, func(t *testing.T) {
			ctx, end := context.WithCancel(t.Context())
			defer end()
			if tt.ended {
				end()
			}
			calls := 0
			err := tried(ctx, func() error {
				if calls++; calls <= tt.away {
					return kv.ErrUnavailable
				}
				return nil
			})
			if calls != tt.calls || err != tt.want {
				t.Errorf("%+v: read %d times, %v", tt, calls, err)
			}
		})
	}
}

// Beside a database a folder has other files, so who writes makes it, and who reads can do without it.
func TestOpeningADatabase(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w, _ := in(t, Settings{Folder: Folder{Data: filepath.Join(file, "data")}, Database: "postgres://me:secret@127.0.0.1:1/db"})
	_, writing := w.Open(t.Context())
	if _, ok := errors.AsType[*os.PathError](writing); !ok {
		t.Errorf("where no folder can be made: %v", writing)
	}
	_, reading := w.OpenExisting(t.Context())
	if !errors.Is(reading, kv.ErrUnavailable) || !strings.HasSuffix(reading.Error(), "(postgres://me:xxxxx@127.0.0.1:1/db)") {
		t.Errorf("without a folder: %v", reading)
	}
}

func TestWhatALentWorkspaceMay(t *testing.T) {
	w, _ := in(t, Settings{Folder: Folder{Data: t.TempDir()}})
	own, err := w.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	lent := w.Lend(nil, w.Console, "news")
	if lent.Collection != "news" || w.Collection != "web" || w.ReadOnly {
		t.Errorf("lent %+v, own %+v", lent.Settings, w.Settings)
	}
	x, err := lent.OpenExisting(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.PutFile(t.Context(), index.File{Path: "/a.warc"}); !errors.Is(err, kv.ErrReadOnly) {
		t.Errorf("written by who borrowed it: %v", err)
	}
	if err := x.Close(); err != nil {
		t.Error(err)
	}
	if _, err := own.PutFile(t.Context(), index.File{Path: "/a.warc"}); err != nil {
		t.Errorf("closed by who borrowed it: %v", err)
	}
}

func TestNoteServing(t *testing.T) {
	w, said := in(t, Settings{Folder: Folder{Data: t.TempDir()}})
	forget := w.NoteServing("http://127.0.0.1:8080/")
	if w.ServingURL() != "http://127.0.0.1:8080/" || w.Serving() != ", which serves at http://127.0.0.1:8080/" ||
		w.ServingCollection() != "http://127.0.0.1:8080/web/" || said.Len() > 0 {
		t.Errorf("%q %q %q, %s", w.ServingURL(), w.Serving(), w.ServingCollection(), said)
	}
	elsewhere, told := in(t, Settings{Folder: Folder{Data: filepath.Join(w.Data, "none")}})
	if elsewhere.NoteServing("x")(); !strings.Contains(told.String(), "won't be told") {
		t.Errorf("where nothing can be written: %s", told)
	}
	forget()
	if w.ServingURL() != "" || w.Serving() != "" || w.ServingCollection() != "" {
		t.Errorf("afterwards %q %q %q", w.ServingURL(), w.Serving(), w.ServingCollection())
	}
}

func TestUnpacker(t *testing.T) {
	for _, tt := range []struct {
		at, database string
		want         bool
	}{{"", "", true}, {"no", "", false}, {"", "postgres://host/db", false}, {"here", "postgres://host/db", true}} {
		w, _ := in(t, Settings{Folder: Folder{Data: t.TempDir()}, Database: tt.database})
		if got, err := w.Unpacker(tt.at); (got != nil) != tt.want || err != nil {
			t.Errorf("at %q with %q: %t, %v", tt.at, tt.database, got != nil, err)
		}
	}
}

// The index keeps the path of an unpacked file, which has to lead there from wherever a server is started.
func TestPathsOfUnpackedFiles(t *testing.T) {
	w, _ := in(t, Settings{Folder: Folder{Data: t.TempDir()}})
	t.Chdir(w.Data)
	var whole bytes.Buffer
	z := gzip.NewWriter(&whole)
	_, err := z.Write(archivetest.WARC(t, archivetest.On("2020", "http://a.example/", "a"), archivetest.On("2021", "http://a.example/", "b")))
	if err := errors.Join(err, z.Close(), os.WriteFile("a.warc.gz", whole.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	unpack, err := w.Unpacker("here")
	if err != nil {
		t.Fatal(err)
	}
	got, err := unpack(t.Context(), "a.warc.gz")
	if want := filepath.Join(w.Data, "here"); err != nil || filepath.Dir(got) != want {
		t.Errorf("unpacked into %s, want %s: %v", got, want, err)
	}
}

func TestUsable(t *testing.T) {
	w, said := in(t, Settings{Folder: Folder{Data: t.TempDir()}})
	good, missing := filepath.Join(w.Data, "a.warc"), filepath.Join(w.Data, "b.warc")
	if err := os.WriteFile(good, archivetest.WARC(t, archivetest.On("2020", "http://a.example/", "a")), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		paths []string
		bad   bool
		err   error
	}{{[]string{good}, false, nil}, {[]string{good, missing}, true, nil}, {[]string{missing}, true, console.ErrUsage}, {nil, false, nil}} {
		said.Reset()
		bad, err := w.Usable(t.Context(), tt.paths)
		if bad != tt.bad || !errors.Is(err, tt.err) || strings.Contains(said.String(), "b.warc") != bad {
			t.Errorf("%q: %t, %v; said %s", tt.paths, bad, err, said)
		}
	}
}

// The first index that names a file says where it is.
func TestPathIndexes(t *testing.T) {
	w, said := in(t, Settings{Folder: Folder{Data: t.TempDir()}})
	one, two := filepath.Join(w.Data, "one"), filepath.Join(w.Data, "two")
	if err := errors.Join(os.WriteFile(one, []byte("a.warc\t/one/a.warc\nb.warc\thdfs://host/b.warc\n"), 0o600),
		os.WriteFile(two, []byte("a.warc\t/two/a.warc\nc.warc\t/two/c.warc\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	find, err := w.PathIndexes([]string{one, two})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a.warc": "/one/a.warc", "c.warc": "/two/c.warc", "d.warc": ""} {
		if got := find(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if !strings.Contains(said.String(), one+": 1 file is not on this machine") || strings.Contains(said.String(), two) {
		t.Errorf("said %s", said)
	}
	if _, err := w.PathIndexes([]string{one, filepath.Join(w.Data, "three")}); !os.IsNotExist(err) {
		t.Errorf("a missing one: %v", err)
	}
	if _, err := w.PathIndexes([]string{w.Data}); err == nil || !strings.HasPrefix(err.Error(), w.Data+": ") {
		t.Errorf("one that can't be read: %v", err)
	}
}

// Tables are merged after a run that added much and a good part of all.
func TestAddedMuch(t *testing.T) {
	for _, tt := range []struct {
		added, before int64
		want          bool
	}{{199_999, 0, false}, {200_000, 0, true}, {200_000, 599_999, true}, {200_000, 600_000, false}, {300_000, 600_000, true}} {
		x := indextest.Open(t, "")
		for path, n := range map[string]int64{"/old": tt.before, "/new": tt.added} {
			if _, err := x.PutFile(t.Context(), index.File{Collection: "web", Path: path, Captures: n}); err != nil {
				t.Fatal(err)
			}
		}
		done := &ingest.Progress{}
		done.Captures.Store(tt.added)
		if got := AddedMuch(x, done); got != tt.want {
			t.Errorf("%d to %d: %t", tt.added, tt.before, got)
		}
	}
}

// That versions were not revalidated is said, unless the command was stopped.
func TestVersionsThatAreNotRevalidated(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, ctx := range []context.Context{t.Context(), stopped} {
		w, said := in(t, Settings{Folder: Folder{Data: t.TempDir()}})
		x, err := w.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
		w.RevalidateVersions(ctx, x)
		if told := strings.Contains(said.String(), "were not all worked out"); told != (ctx != stopped) {
			t.Errorf("stopped: %t, and it says %s", ctx == stopped, said)
		}
	}
}

// What is indexed is found where it was moved to, and an archive and a search over it are opened and closed by who uses them.
func TestWhatIsIndexedIsOpened(t *testing.T) {
	w, said := in(t, Settings{Folder: Folder{Data: t.TempDir()}})
	if _, _, err := w.OpenArchive(t.Context(), nil); err == nil {
		t.Error("an archive without an index")
	}
	if _, _, err := w.OpenSearchable(t.Context()); err == nil {
		t.Error("a search without an index")
	}
	var err error
	if w.Collections, err = (&config.File{}).Collections(); err != nil {
		t.Fatal(err)
	}
	if w.Ingest(nil, "web", w.Progress()).Texts != nil {
		t.Error("texts are kept though there is no search")
	}
	w.Staging = searches.NewStaging(t.TempDir())
	at, to := filepath.Join(w.Data, "a.warc"), filepath.Join(w.Data, "moved", "a.warc")
	if err := os.WriteFile(at, archivetest.WARC(t, archivetest.On("2020", "http://a.example/", "<p>a mill")), 0o600); err != nil {
		t.Fatal(err)
	}
	x, err := w.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	cfg := w.Ingest(x, "web", w.Progress())
	if _, err := ingest.Run(t.Context(), cfg, []string{at}); err != nil || cfg.Texts == nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Mkdir(filepath.Dir(to), 0o755), os.Rename(at, to)); err != nil {
		t.Fatal(err)
	}
	for paths, want := range map[string]string{"": "map[]", t.TempDir(): "map[]", w.Data: "map[1:" + to + "]"} {
		said.Reset()
		if got := fmt.Sprint(w.Locate(t.Context(), x, strings.Fields(paths))); got != want ||
			strings.Contains(said.String(), "found at another place") != (want != "map[]") {
			t.Errorf("%q: %s, want %s; said %s", paths, got, want, said)
		}
	}
	if err := errors.Join(os.Rename(to, at), x.Close()); err != nil {
		t.Fatal(err)
	}
	all, closeAll, err := w.OpenSearchable(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := all.Build(t.Context(), "web", false, nil); err != nil {
		t.Error(err)
	}
	lent, giveBack, err := w.Lend(all, w.Console, "web").OpenSearchable(t.Context())
	if err := errors.Join(err, giveBack()); err != nil || lent != all {
		t.Errorf("a borrowed search: %v", err)
	}
	if _, err := all.Of("web"); err != nil {
		t.Errorf("closed by who borrowed it: %v", err)
	}
	if err := closeAll(); err != nil {
		t.Error(err)
	}
	arch, closeArchive, err := w.OpenArchive(t.Context(), nil)
	if err != nil {
		t.Fatalf("who opened the search didn't close the index: %v", err)
	}
	if tl, err := arch.Timelines.Get(t.Context(), "web", "example,a)/"); err != nil || len(tl.Captures) != 1 {
		t.Errorf("%v, %v", tl, err)
	}
	copied := Folder{Data: t.TempDir()}
	if err := errors.Join(os.CopyFS(copied.IndexDir(), os.DirFS(w.IndexDir())), closeArchive()); err != nil {
		t.Error(err)
	}
	policy := archivetest.Policy(t, `rules: [{url: "http://a.example/", access: exclude}]`)
	if arch, closeArchive, err = w.OpenArchive(t.Context(), policy); err != nil {
		t.Fatal(err)
	}
	if tl, err := arch.Timelines.Get(t.Context(), "web", "example,a)/"); err != nil || len(tl.Captures) != 0 {
		t.Errorf("under rules: %v, %v", tl, err)
	}
	if err := closeArchive(); err != nil {
		t.Error(err)
	}
	killed, _ := in(t, Settings{Folder: copied})
	killed.ReadOnly = true
	_, err = killed.OpenExisting(t.Context())
	if !errors.Is(err, kv.ErrUnfinished) || !strings.Contains(err.Error(), `run "varve files" once`) {
		t.Errorf("what a killed process left: %v", err)
	}
}

// Who can't write is told where and why.
func TestWhatCannotBeWritten(t *testing.T) {
	for _, tt := range []struct {
		database string
		err      error
		want     string
	}{
		{"postgres://me:secret@host/db", kv.ErrReadOnly, "postgres://me:xxxxx@host/db can't be written"},
		{"", kv.ErrReadOnly, "data can't be written"},
		{"", fmt.Errorf("x: %w", &os.PathError{Err: os.ErrPermission}), "data can't be written (permission denied)"},
	} {
		w := &Workspace{Settings: Settings{Folder: Folder{Data: "data"}, Database: tt.database}}
		if got := w.unwritable(tt.err); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}

func TestRecordsOfFilesThatMoved(t *testing.T) {
	w, _ := in(t, Settings{Folder: Folder{Data: t.TempDir()}})
	x := indextest.Open(t, "")
	page := archivetest.WARC(t, archivetest.On("2020", "http://a.example/", "a"))
	paths := []string{filepath.Join(w.Data, "a.warc"), filepath.Join(w.Data, "moved", "b.warc")}
	for _, path := range paths {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, page, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	var ids []cdx.FileID
	for _, path := range []string{paths[0], filepath.Join(w.Data, "b.warc"), ""} {
		id, err := x.PutFile(t.Context(), index.File{Collection: "web", Path: path, Name: "x.warc"})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	store := w.Records(x, map[cdx.FileID]string{ids[1]: paths[1]})
	defer store.Close()
	for i, want := range []bool{true, true, false} {
		rec, err := store.Record(t.Context(), cdx.Location{File: ids[i]})
		if (err == nil) != want {
			t.Errorf("file %d: %v", i, err)
		}
		if err == nil {
			rec.Close()
		}
	}
}
