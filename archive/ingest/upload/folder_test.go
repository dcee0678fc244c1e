package upload

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/iotest"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/internal/disk"
)

func anything(string) func() { return func() {} }

// names are the names in a folder.
func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func receive(t *testing.T, f *Folder, content string) *Incoming {
	t.Helper()
	p, err := f.Receive(t.Context(), strings.NewReader(content), 1000, new(atomic.Int64))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestReceiveAndKeep(t *testing.T) {
	f := &Folder{Dir: filepath.Join(t.TempDir(), "a", "b"), Owner: "me"}
	if err := f.Prepare(); err != nil {
		t.Fatal(err)
	}
	if got := names(t, f.Dir); len(got) != 0 {
		t.Fatalf("left by preparing: %v", got)
	}
	var received atomic.Int64
	p, err := f.Receive(t.Context(), strings.NewReader("abc"), 3, &received)
	if err != nil || received.Load() != 3 || p.Size != 3 {
		t.Fatal(p, err, received.Load())
	}
	if p.SHA256 != "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" { // FIPS 180-2, B.1
		t.Error(p.SHA256)
	}
	if got := names(t, f.Dir); len(got) != 1 || !strings.HasPrefix(got[0], ".incoming-me-") || strings.Contains(got[0], "warc") {
		t.Errorf("on its way it is %v", got)
	}
	for i, want := range []string{"a.warc.gz", "a-2.warc.gz", "a-3.warc.gz"} {
		if i > 0 {
			p = receive(t, f, "other")
		}
		path, release, err := p.Keep(t.Context(), "a.warc.gz", anything)
		if err != nil || release == nil || path != filepath.Join(f.Dir, want) {
			t.Fatal(path, err)
		}
	}
	if b, err := os.ReadFile(filepath.Join(f.Dir, "a.warc.gz")); string(b) != "abc" {
		t.Errorf("replaced by %q (%v)", b, err)
	}
	if got := names(t, f.Dir); !slices.Equal(got, []string{"a-2.warc.gz", "a-3.warc.gz", "a.warc.gz"}) {
		t.Errorf("in the end %v", got)
	}
}

// A shelfElsewhere is a place that has some names, and room for a file.
type shelfElsewhere struct {
	has    map[string]string
	failed error
}

func (s *shelfElsewhere) Address(name string) string { return "s3://bucket/" + name }

func (s *shelfElsewhere) PutNew(_ context.Context, name string, from io.Reader) error {
	if _, taken := s.has[name]; taken {
		return fs.ErrExist
	}
	content, err := io.ReadAll(from)
	if err = errors.Join(err, s.failed); err == nil {
		s.has[name] = string(content)
	}
	return err
}

// What belongs elsewhere is put there under a name that is free, and nothing of it stays; if that fails it is not lost.
func TestFilesThatBelongElsewhere(t *testing.T) {
	to := &shelfElsewhere{has: map[string]string{"a.warc.gz": "another's"}}
	f := &Folder{Dir: t.TempDir(), Owner: "me", To: to}
	path, release, err := receive(t, f, "abc").Keep(t.Context(), "a.warc.gz", anything)
	if err != nil || release == nil || path != "s3://bucket/a-2.warc.gz" {
		t.Errorf("%s, %v", path, err)
	}
	if to.has["a-2.warc.gz"] != "abc" || to.has["a.warc.gz"] != "another's" {
		t.Errorf("there is %q", to.has)
	}
	if left := names(t, f.Dir); len(left) != 0 {
		t.Errorf("left here: %q", left)
	}
	to.failed = errors.New("no rights")
	if _, _, err := receive(t, f, "abc").Keep(t.Context(), "b.warc.gz", anything); !errors.Is(err, to.failed) {
		t.Error(err)
	}
	if left := names(t, f.Dir); len(left) != 1 || !strings.HasPrefix(left[0], ".incoming-") {
		t.Errorf("left here: %q", left)
	}
}

// A name that others have is passed over, and claims to names that weren't given are taken back.
func TestClaimsOfNames(t *testing.T) {
	f := &Folder{Dir: t.TempDir(), Owner: "me"}
	if err := os.WriteFile(filepath.Join(f.Dir, "a-2.warc"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	held := map[string]bool{}
	path, release, err := receive(t, f, "x").Keep(t.Context(), "a.warc", func(path string) func() {
		if filepath.Base(path) == "a.warc" { // in another folder
			return nil
		}
		held[filepath.Base(path)] = true
		return func() { delete(held, filepath.Base(path)) }
	})
	if err != nil || filepath.Base(path) != "a-3.warc" || len(held) != 1 || !held["a-3.warc"] {
		t.Fatal(path, err, held)
	}
	if release(); len(held) != 0 {
		t.Error(held)
	}
}

// Links in the folder lead nothing astray: a name that is a link is taken.
func TestLinksAreNotFollowed(t *testing.T) {
	f, outside := &Folder{Dir: t.TempDir(), Owner: "me"}, filepath.Join(t.TempDir(), "outside")
	if err := os.Symlink(outside, filepath.Join(f.Dir, "a.warc")); err != nil {
		t.Skip("no links can be made here")
	}
	path, _, err := receive(t, f, "x").Keep(t.Context(), "a.warc", anything)
	if err != nil || filepath.Base(path) != "a-2.warc" {
		t.Error(path, err)
	}
	if _, err := os.Stat(outside); !errors.Is(err, os.ErrNotExist) {
		t.Error("something was written outside of the folder")
	}
}

func TestNothingStaysOfWhatWasNotReceived(t *testing.T) {
	f := &Folder{Dir: t.TempDir(), Owner: "me"}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, tt := range map[string]struct {
		ctx  context.Context
		from io.Reader
		want error
	}{
		"too large":             {t.Context(), strings.NewReader("abcd"), ErrTooLarge},
		"endless":               {t.Context(), endless{}, ErrTooLarge},
		"broken off":            {t.Context(), iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("abc"))), iotest.ErrTimeout},
		"the server is stopped": {ended, strings.NewReader("abc"), context.Canceled},
	} {
		_, err := f.Receive(tt.ctx, tt.from, 3, new(atomic.Int64))
		if !errors.Is(err, tt.want) {
			t.Errorf("%s: %v", name, err)
		}
		if got := names(t, f.Dir); len(got) != 0 {
			t.Errorf("%s: %v stays", name, got)
		}
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// What a killed server has left is removed, and nothing of anybody else's.
func TestClean(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".incoming-me-1", ".incoming-me-2", ".incoming-you-1", "a.warc", ".hidden"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ".incoming-me-3"), 0o700); err != nil {
		t.Fatal(err)
	}
	f := &Folder{Dir: dir, Owner: "me"}
	if err := f.Clean(); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); !slices.Equal(got, []string{".hidden", ".incoming-me-3", ".incoming-you-1", "a.warc"}) {
		t.Errorf("left: %v", got)
	}
	if err := (&Folder{Dir: filepath.Join(dir, "nowhere"), Owner: "me"}).Clean(); err != nil {
		t.Errorf("a folder that isn't there: %v", err)
	}
}

func TestAFullDiskIsRecognised(t *testing.T) {
	for err, full := range map[error]bool{disk.ErrFull: true, syscall.ENOSPC: true, syscall.EPERM: false} {
		if got := IsFull(&fs.PathError{Err: err}); got != full {
			t.Errorf("%v: %v", err, got)
		}
	}
}

func TestSame(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"shorter": "ab", "other": "abd", "same": "abc"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := receive(t, &Folder{Dir: t.TempDir(), Owner: "me"}, "abc")
	at := func(names ...string) (paths []string) {
		for _, n := range names {
			paths = append(paths, filepath.Join(dir, n))
		}
		return paths
	}
	for want, among := range map[string][]string{filepath.Join(dir, "same"): at("gone", "shorter", "other", "same"), "": at("other", ".")} {
		if got, err := p.Same(t.Context(), among); got != want || err != nil {
			t.Errorf("among %v: %q %v", among, got, err)
		}
	}
}

// A watchedStorage notes which files are opened, and fails for those whose name says so.
type watchedStorage struct {
	warc.Local
	opened []string
}

func (s *watchedStorage) Open(ctx context.Context, path string) (warc.File, error) {
	s.opened = append(s.opened, filepath.Base(path))
	if strings.Contains(path, "unreadable") {
		return nil, fs.ErrPermission
	}
	return s.Local.Open(ctx, path)
}

// Only files of the same size are read, and one that can't be read doesn't keep others from being found.
func TestSameReadsNoMoreThanItMust(t *testing.T) {
	dir, storage := t.TempDir(), &watchedStorage{}
	var paths []string
	for i, content := range []string{"ab", "abc", "abd", "abc", "abc"} {
		path := filepath.Join(dir, []string{"shorter", "unreadable", "other", "same", "behind"}[i])
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	p := receive(t, &Folder{Dir: t.TempDir(), Owner: "me", Storage: storage}, "abc")
	if got, err := p.Same(t.Context(), paths); got != paths[3] || err != nil {
		t.Errorf("%q %v", got, err)
	}
	if want := []string{"unreadable", "other", "same"}; !slices.Equal(storage.opened, want) {
		t.Errorf("opened %q, want %q", storage.opened, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := p.Same(ctx, paths[2:]); got != "" || !errors.Is(err, context.Canceled) {
		t.Errorf("of a request that ended: %q %v", got, err)
	}
}
