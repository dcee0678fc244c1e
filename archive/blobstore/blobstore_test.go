package blobstore_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/varve-archive/varve/archive/blobstore"
	"github.com/varve-archive/varve/archive/blobstore/s3"
	"github.com/varve-archive/varve/internal/testkit/s3test"
)

// onEach runs a test with a blob store in each kind of place. left returns how many files or uploads are there that are not whole.
func onEach(t *testing.T, test func(t *testing.T, d *blobstore.Store, left func() int)) {
	t.Run("folder", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "deep", "folder")
		test(t, open(t, dir, blobstore.Config{}), func() (n int) {
			_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
				if err == nil && strings.HasPrefix(e.Name(), ".putting-") {
					n++
				}
				return nil
			})
			return n
		})
	})
	s3test.OnEach(t, func(t *testing.T, s *s3test.Server) {
		s.Make("files")
		d := open(t, "s3://files/some/where/", blobstore.Config{S3: client(t, s)})
		test(t, d, func() int { return s.Uploads("files", "some/where/large") })
	})
}

func client(t *testing.T, s *s3test.Server) *s3.Client {
	t.Helper()
	c, err := s3.New(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func open(t *testing.T, at string, c blobstore.Config) *blobstore.Store {
	t.Helper()
	d, err := blobstore.Open(at, c)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func names(t *testing.T, d *blobstore.Store, prefix string) (all []string) {
	t.Helper()
	for f, err := range d.List(t.Context(), prefix) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f.Name)
	}
	return all
}

// noise returns n bytes that look like no others.
func noise(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{byte(n), byte(n >> 8), byte(n >> 16)}).Read(b) // it never fails
	return b
}

func TestWhatIsPutIsThere(t *testing.T) {
	onEach(t, func(t *testing.T, d *blobstore.Store, left func() int) {
		ctx := t.Context()
		if got := names(t, d, ""); got != nil {
			t.Fatalf("before anything: %q", got)
		}
		odd := "a b/100%41+ä é#?&=;'\"(1)~.warc.gz"
		sizes := map[string]int{"empty": 0, "a-b": 1, "a/b": 2, odd: 5_000, "large": 33<<20 + 7, "large-exact": 32 << 20}
		for name, n := range sizes {
			if err := d.Put(ctx, name, bytes.NewReader(noise(n))); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		for name, n := range sizes {
			got, err := d.Read(ctx, name)
			if err != nil || !bytes.Equal(got, noise(n)) {
				t.Errorf("%s: %d bytes, %v", name, len(got), err)
			}
			if f, err := d.Stat(ctx, name); err != nil || f.Name != name || f.Size != int64(n) || f.Time.IsZero() {
				t.Errorf("%s: %+v, %v", name, f, err)
			}
		}
		want := []string{"a b/100%41+ä é#?&=;'\"(1)~.warc.gz", "a-b", "a/b", "empty", "large", "large-exact"}
		if got := names(t, d, ""); !slices.Equal(got, want) {
			t.Errorf("all: %q", got)
		}
		for prefix, want := range map[string][]string{
			"a": want[:3], "a/": {"a/b"}, "large": {"large", "large-exact"}, "none/at/all": nil, "../": nil, odd: {odd},
		} {
			if got := names(t, d, prefix); !slices.Equal(got, want) {
				t.Errorf("%s: %q", prefix, got)
			}
		}
		if err := d.Put(ctx, "a/b", strings.NewReader("another")); err != nil {
			t.Error(err)
		}
		if got, err := d.Read(ctx, "a/b"); string(got) != "another" {
			t.Errorf("replaced: %q, %v", got, err)
		}
		for what, err := range map[string]error{"read": second(d.Read(ctx, "a/c")), "described": second(d.Stat(ctx, "a/c"))} {
			if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), d.Address("a/c")) {
				t.Errorf("what isn't there is %s: %v", what, err)
			}
		}
		if n := left(); n != 0 {
			t.Errorf("%d are not whole", n)
		}
	})
}

func second[T any](_ T, err error) error { return err }

func TestNothingIsPutInPart(t *testing.T) {
	onEach(t, func(t *testing.T, d *blobstore.Store, left func() int) {
		broken := errors.New("broken")
		for _, n := range []int{0, 100, 16 << 20, 40 << 20} {
			from := io.MultiReader(bytes.NewReader(noise(n)), iotest.ErrReader(broken))
			if err := d.Put(t.Context(), "large", from); !errors.Is(err, broken) {
				t.Errorf("%d bytes: %v", n, err)
			}
		}
		stopped, stop := context.WithCancel(t.Context())
		from := io.MultiReader(bytes.NewReader(noise(40<<20)), readerFunc(func([]byte) (int, error) { stop(); return 1, nil }))
		if err := d.Put(stopped, "large", from); !errors.Is(err, context.Canceled) {
			t.Errorf("stopped: %v", err)
		}
		if got := names(t, d, ""); got != nil || left() != 0 {
			t.Errorf("there is %q, and %d that are not whole", got, left())
		}
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// Of several that put the same name at once one succeeds, and its content is there.
func TestWhatIsNewReplacesNothing(t *testing.T) {
	onEach(t, func(t *testing.T, d *blobstore.Store, left func() int) {
		for name, size := range map[string]int{"small": 100, "large": 33 << 20} {
			var won atomic.Int64
			var puts sync.WaitGroup
			for i := range 3 {
				puts.Go(func() {
					content := append([]byte{byte(i)}, noise(size)...)
					switch err := d.PutNew(t.Context(), name, bytes.NewReader(content)); {
					case err == nil:
						won.Add(1 + 100*int64(i))
					case !errors.Is(err, fs.ErrExist):
						t.Errorf("%s: %v", name, err)
					}
				})
			}
			puts.Wait()
			if won.Load()%100 != 1 {
				t.Errorf("%s: %d were put", name, won.Load()%100)
			}
			got, err := d.Read(t.Context(), name)
			if err != nil || len(got) != size+1 || int64(got[0]) != won.Load()/100 {
				t.Errorf("%s: %d bytes, %v", name, len(got), err)
			}
			if err := d.PutNew(t.Context(), name, strings.NewReader("x")); !errors.Is(err, fs.ErrExist) {
				t.Errorf("%s again: %v", name, err)
			}
		}
		if n := left(); n != 0 {
			t.Errorf("%d are not whole", n)
		}
	})
}

func TestFilesArePutAsTheyAre(t *testing.T) {
	onEach(t, func(t *testing.T, d *blobstore.Store, _ func() int) {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, noise(40<<20), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := d.PutNew(t.Context(), "file", f); err != nil {
			t.Fatal(err)
		}
		if got, err := d.Read(t.Context(), "file"); err != nil || !bytes.Equal(got, noise(40<<20)) {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	})
}

func TestNamesThatAreNone(t *testing.T) {
	onEach(t, func(t *testing.T, d *blobstore.Store, _ func() int) {
		for _, name := range []string{"", ".", "..", "/a", "a/", "a//b", "a/../b", "./a", `a\b`, "a/.putting-1", "a\x00b"} {
			_, opened := d.Open(t.Context(), name)
			for what, err := range map[string]error{
				"put": d.Put(t.Context(), name, strings.NewReader("x")), "opened": opened,
			} {
				if !errors.Is(err, fs.ErrInvalid) {
					t.Errorf("%q is %s: %v", name, what, err)
				}
			}
		}
	})
}

func TestPlacesThatAreNone(t *testing.T) {
	for at, ok := range map[string]bool{
		"": false, "https://host/a": false, "s3://": false, "s3:///a": false, "s3://b/../c": false, "s3://b//c": false, "s3://b/.": false,
		"s3://b": true, "s3://b/": true, "s3://b/c/d/": true, "folder": true, "/folder": true,
	} {
		if _, err := blobstore.Open(at, blobstore.Config{}); (err == nil) != ok {
			t.Errorf("%q: %v", at, err)
		}
	}
}

func TestAddresses(t *testing.T) {
	for at, want := range map[string][2]string{
		"s3://b": {"s3://b", "s3://b/a"}, "s3://b/": {"s3://b", "s3://b/a"}, "s3://b/c/d/": {"s3://b/c/d", "s3://b/c/d/a"},
		"/e/": {"/e/", "/e/a"},
	} {
		d := open(t, at, blobstore.Config{})
		if got := [2]string{d.String(), d.Address("a")}; got != want {
			t.Errorf("%s: %q, want %q", at, got, want)
		}
	}
}

// A list that ends with an error isn't taken for a short one, and names that nobody can ask for are in none.
func TestListsThatFail(t *testing.T) {
	onEach(t, func(t *testing.T, d *blobstore.Store, _ func() int) {
		if err := d.Put(t.Context(), "a/b", strings.NewReader("x")); err != nil {
			t.Fatal(err)
		}
		if err := d.Put(t.Context(), "a/b/c", strings.NewReader("x")); err == nil && !blobstore.IsRemote(d.String()) {
			t.Error("a file is a folder")
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		n := 0
		for f, err := range d.List(ended, "a") {
			if n++; !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), d.String()) {
				t.Errorf("%+v, %v", f, err)
			}
		}
		if n != 1 {
			t.Errorf("%d errors", n)
		}
		for f := range d.List(t.Context(), "") { // may be left at any time
			if f.Name != "a/b" {
				t.Error(f.Name)
			}
			break
		}
	})
	s := s3test.Memory(t).Make("files")
	s.Put("files", "in//odd", nil)
	s.Put("files", "in/even", nil)
	if got := names(t, open(t, "s3://files/in", blobstore.Config{S3: client(t, s)}), ""); !slices.Equal(got, []string{"even"}) {
		t.Errorf("%q", got)
	}
}

// A torn answer breaks off after some bytes.
type torn struct {
	http.ResponseWriter
	left int
}

func (w *torn) Write(p []byte) (int, error) {
	n, err := w.ResponseWriter.Write(p[:min(len(p), w.left)])
	if w.left -= n; w.left == 0 {
		w.ResponseWriter.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	return n, err
}

// Reading goes on where a connection broke, unless there is something else by then.
func TestReadingGoesOn(t *testing.T) {
	var tears atomic.Int64
	s := s3test.Wrapped(t, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet && tears.Add(-1) >= 0 {
				w = &torn{w, 10_000}
			}
			h.ServeHTTP(w, r)
		})
	}).Make("files")
	d := open(t, "s3://files", blobstore.Config{S3: client(t, s)})
	for name, between := range map[string]func(){
		"unchanged": nil, "replaced": func() { s.Put("files", "replaced", noise(50_001)) }, "removed": func() { s.Remove("files", "removed") },
	} {
		s.Put("files", name, noise(50_000))
		tears.Store(2)
		f, err := d.Open(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		begin := make([]byte, 1000)
		if _, err := io.ReadFull(f, begin); err != nil {
			t.Fatal(err)
		}
		want := error(nil)
		if between != nil {
			between()
			want = s3.ErrChanged
		}
		rest, err := io.ReadAll(f)
		if got := append(begin, rest...); !errors.Is(err, want) || !bytes.HasPrefix(noise(50_000), got) || len(got) < 50_000 && want == nil {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	s.Put("files", "stopped", noise(50_000))
	tears.Store(1)
	ctx, cancel := context.WithCancel(t.Context())
	f, err := d.Open(ctx, "stopped")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cancel()
	if got, err := io.ReadAll(f); err == nil {
		t.Errorf("%d bytes taken for all", len(got))
	}
}

// What of a folder is nobody else's is for nobody else.
func TestPrivateFolders(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "folder")
	for private, want := range map[bool]fs.FileMode{true: 0o600, false: 0o644} {
		d := open(t, filepath.Join(dir, fmt.Sprint(private)), blobstore.Config{Private: private})
		if err := d.Put(t.Context(), "a/b", strings.NewReader("x")); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(d.Address("a/b"))
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("private %v: %v, %v", private, info.Mode(), err)
		}
	}
}

// FuzzNames puts files under any names: they are in the folder, under that name, or refused.
func FuzzNames(f *testing.F) {
	for _, name := range []string{"a", "a/b", "../a", "/a", "a/../../b", ".putting-a", "a\\b", "s3://a/b", "ä 日本/%2e%2e/x", "C:/a", ""} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		dir := t.TempDir()
		d := open(t, filepath.Join(dir, "in"), blobstore.Config{})
		err := d.Put(t.Context(), name, strings.NewReader("x"))
		var found []string
		_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				found = append(found, path)
			}
			return err
		})
		if err != nil {
			if found != nil {
				t.Errorf("%q: %v, and there is %q", name, err, found)
			}
			return
		}
		if want := filepath.Join(dir, "in", filepath.FromSlash(name)); len(found) != 1 || found[0] != want {
			t.Errorf("%q: there is %q", name, found)
		}
		if got := names(t, d, ""); !slices.Equal(got, []string{name}) {
			t.Errorf("%q: listed %q", name, got)
		}
	})
}

// A backup's folder may be the root of a disk, which has lost+found, or a link to one.
func TestListingReadsOnlyFoldersThatMatter(t *testing.T) {
	real, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	d := open(t, link, blobstore.Config{})
	for _, name := range []string{"ab", "a/b", "a/c/d", "b"} {
		if err := d.Put(t.Context(), name, strings.NewReader(name)); err != nil {
			t.Fatal(err)
		}
	}
	hidden := filepath.Join(real, "lost+found")
	if err := os.Mkdir(hidden, 0); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(real, "a"), filepath.Join(real, "e")); err != nil {
		t.Fatal(err)
	}
	for prefix, want := range map[string][]string{
		"a": {"a/b", "a/c/d", "ab"}, "a/": {"a/b", "a/c/d"}, "a/c": {"a/c/d"}, "b": {"b"}, "x/y": nil, "e/": {"e/b", "e/c/d"}, "e": nil,
	} {
		if got := names(t, d, prefix); !slices.Equal(got, want) {
			t.Errorf("List(%q): %q, want %q", prefix, got, want)
		}
	}
	gone := filepath.Join(t.TempDir(), "gone")
	if got := names(t, open(t, gone, blobstore.Config{}), ""); got != nil {
		t.Errorf("a folder that isn't there has %q", got)
	}
}

// What a killed process was putting goes when somebody puts something there long afterwards; what is being put stays.
func TestWhatKilledProcessesWerePuttingGoes(t *testing.T) {
	dir := t.TempDir()
	long := time.Now().Add(-25 * time.Hour)
	for name, old := range map[string]bool{
		"in/.putting-1": true, "in/.putting-new-2": true, "in/.putting-3": false, "in/kept": true, ".putting-4": true, "in/deep/.putting-5": true,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("x"), 0o600)); err != nil {
			t.Fatal(err)
		}
		if old {
			if err := os.Chtimes(path, long, long); err != nil {
				t.Fatal(err)
			}
		}
	}
	d := open(t, dir, blobstore.Config{})
	left := func() (names []string) {
		_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				name, _ := filepath.Rel(dir, path)
				names = append(names, filepath.ToSlash(name))
			}
			return nil
		})
		return names
	}
	if err := d.Put(t.Context(), "in/new", strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	if got := names(t, d, ""); !slices.Equal(got, []string{"in/kept", "in/new"}) {
		t.Errorf("listed: %q", got)
	}
	if got := left(); !slices.Equal(got, []string{".putting-4", "in/.putting-3", "in/deep/.putting-5", "in/kept", "in/new"}) {
		t.Errorf("left: %q", got)
	}
	if err := d.PutNew(t.Context(), "top", strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	if got := left(); len(got) != 5 || got[0] == ".putting-4" {
		t.Errorf("left then: %q", got)
	}
}
