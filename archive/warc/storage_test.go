package warc

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// shelve creates files in a new folder and returns the folder; a name that ends in a slash is a subfolder.
func shelve(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if strings.HasSuffix(name, "/") {
			err = errors.Join(err, os.MkdirAll(path, 0o755))
		} else {
			err = errors.Join(err, os.WriteFile(path, []byte(name), 0o644))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestLocalFind(t *testing.T) {
	dir := shelve(t, "a.warc", "b.warc", "c[1].warc", "d/", "x.wacz")
	t.Chdir(dir)
	for name, want := range map[string][]string{
		"a.warc":                    {"a.warc"},
		"none.warc":                 {"none.warc"}, // the error comes on opening it
		"d":                         {"d"},
		"?.warc":                    {"a.warc", "b.warc"},
		"*.arc":                     nil,
		"c[1].warc":                 {"c[1].warc"}, // there is such a file
		"x.wacz#archive/[1].warc":   {"x.wacz#archive/[1].warc"},
		filepath.Join(dir, "[ab]*"): {"a.warc", "b.warc"},
	} {
		found, err := Local{}.Find(t.Context(), name)
		var got []string
		for _, path := range found {
			if !filepath.IsAbs(path) {
				t.Errorf("%s: %q leads nowhere from elsewhere", name, path)
			}
			rest, _ := filepath.Rel(dir, path)
			got = append(got, filepath.ToSlash(rest))
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %q, %v; want %q", name, got, err, want)
		}
	}
	if _, err := (Local{}).Find(t.Context(), "[a"); err == nil {
		t.Error("a pattern that is none passes")
	}
}

// Only what a user wrote is a pattern, not the name of the folder that it is relative to.
func TestLocalFindBelowSignsOfPatterns(t *testing.T) {
	dir := filepath.Join(shelve(t, `[a]\?*/`, "a/", "a/b.warc"), `[a]\?*`)
	if err := os.WriteFile(filepath.Join(dir, "a.warc"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for name, want := range map[string]string{"*.warc": filepath.Join(dir, "a.warc"), "../a/?.warc": filepath.Join(dir, "../a/b.warc")} {
		if found, err := (Local{}).Find(t.Context(), name); err != nil || !slices.Equal(found, []string{want}) {
			t.Errorf("%s: %q, %v; want %s", name, found, err, want)
		}
	}
}

func TestLocalStat(t *testing.T) {
	dir := shelve(t, "a.warc", "d/")
	file, err := Local{}.Stat(t.Context(), filepath.Join(dir, "a.warc"))
	if err != nil || file.Folder || file.Size != 6 || time.Since(file.ModTime) > time.Hour {
		t.Errorf("got %+v, %v", file, err)
	}
	if folder, err := (Local{}).Stat(t.Context(), filepath.Join(dir, "d")); err != nil || !folder.Folder {
		t.Errorf("got %+v, %v", folder, err)
	}
	for _, name := range []string{"none", "a.warc/b"} {
		if _, err := (Local{}).Stat(t.Context(), filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is there", name)
		}
	}
	if _, err := (Local{}).Stat(t.Context(), filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if _, err := (Local{}).Stat(t.Context(), os.DevNull); err == nil {
		t.Error("a device passes for a file")
	}
	if _, err := (Local{}).Open(t.Context(), dir); err == nil {
		t.Error("a folder can be opened")
	}
}

func TestLocalList(t *testing.T) {
	dir := shelve(t, "a.warc", "b.txt", "d/c.warc", "d/e/f.warc", "empty/", "g.warc/h.txt")
	for link, to := range map[string]string{"link.warc": "a.warc", "lost.warc": "none", "loop": ".", "folder.warc": "d"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
	var files, folders, lost []string
	for e, err := range (Local{}).List(t.Context(), dir, func(path string) bool { return strings.HasSuffix(path, ".warc") }) {
		name, _ := filepath.Rel(dir, e.Path)
		name = filepath.ToSlash(name)
		switch {
		case err != nil:
			lost = append(lost, name)
		case e.Folder:
			folders = append(folders, name)
		default:
			if files = append(files, name); e.Size == 0 || e.ModTime.IsZero() {
				t.Errorf("of %s it says %+v", name, e)
			}
		}
	}
	if want := []string{"a.warc", "d/c.warc", "d/e/f.warc", "link.warc"}; !slices.Equal(files, want) {
		t.Errorf("files %q, want %q", files, want)
	}
	if want := []string{".", "d", "d/e", "empty", "g.warc"}; !slices.Equal(folders, want) {
		t.Errorf("folders %q, want %q", folders, want)
	}
	if want := []string{"lost.warc"}; !slices.Equal(lost, want) {
		t.Errorf("not to be looked at %q, want %q", lost, want)
	}
	var linked []string // in a folder that is named by a link to it
	inC := func(path string) bool { return strings.HasSuffix(path, "c.warc") }
	for e, err := range (Local{}).List(t.Context(), filepath.Join(dir, "loop"), inC) {
		name, _ := filepath.Rel(dir, e.Path)
		if linked = append(linked, filepath.ToSlash(name)); err != nil {
			t.Error(err)
		}
	}
	if want := []string{"loop", "loop/d", "loop/d/c.warc", "loop/d/e", "loop/empty", "loop/g.warc"}; !slices.Equal(linked, want) {
		t.Errorf("by a link %q, want %q", linked, want)
	}
	n := 0
	for range (Local{}).List(t.Context(), dir, func(string) bool { return true }) {
		if n++; n == 2 {
			break
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var ended []error
	for _, err := range (Local{}).List(ctx, dir, func(string) bool { return true }) {
		ended = append(ended, err)
	}
	if len(ended) != 1 || !errors.Is(ended[0], context.Canceled) {
		t.Errorf("under an ended context: %v", ended)
	}
	for e, err := range (Local{}).List(t.Context(), filepath.Join(dir, "none"), func(string) bool { return true }) {
		if !errors.Is(err, fs.ErrNotExist) || e.Path != filepath.Join(dir, "none") {
			t.Errorf("of no folder: %+v, %v", e, err)
		}
	}
}

func TestLocalBeside(t *testing.T) {
	abs, err := filepath.Abs("/other/x")
	if err != nil {
		t.Fatal(err)
	}
	at := filepath.FromSlash("/a/b/c.cdx")
	for name, want := range map[string]string{"d": "/a/b/d", "d/e": "/a/b/d/e", "../d": "/a/d", "./d": "/a/b/d"} {
		if got := (Local{}).Beside(at, name); got != filepath.FromSlash(want) {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	if got := (Local{}).Beside(at, abs); got != abs {
		t.Errorf("%s: got %s", abs, got)
	}
}

func TestEntriesOfTheSameFile(t *testing.T) {
	now := time.Now()
	one := Entry{Path: "a", Size: 1, ModTime: now, Version: "v"}
	for name, change := range map[string]func(e *Entry){
		"size":    func(e *Entry) { e.Size++ },
		"time":    func(e *Entry) { e.ModTime = e.ModTime.Add(1) },
		"version": func(e *Entry) { e.Version = "w" },
	} {
		if other := one; !one.Same(other) {
			t.Error("it isn't the same as itself")
		} else if change(&other); one.Same(other) {
			t.Errorf("another %s, and the same", name)
		}
	}
	dir := shelve(t, "a", "b")
	for _, name := range []string{"a", "b"} {
		if err := os.Chtimes(filepath.Join(dir, name), now, now); err != nil {
			t.Fatal(err)
		}
	}
	a, err := Local{}.Stat(t.Context(), filepath.Join(dir, "a"))
	again, err2 := Local{}.Stat(t.Context(), filepath.Join(dir, "a"))
	b, err3 := Local{}.Stat(t.Context(), filepath.Join(dir, "b"))
	if err := errors.Join(err, err2, err3); err != nil {
		t.Fatal(err)
	}
	if !a.Same(again) || a.Same(b) {
		t.Error("two files of one size and time are told apart by which they are")
	}
}

// wacz writes a WACZ into a folder and returns its path.
func wacz(t *testing.T, method uint16, members ...string) string {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, name := range members {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err == nil {
			_, err = io.WriteString(w, "content of "+name)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.WACZ")
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func paths(members []Member) (out []string) {
	for _, m := range members {
		out = append(out, m.Path)
	}
	return out
}

func TestMembersOfAWACZ(t *testing.T) {
	stored := wacz(t, zip.Store, "archive/a.warc.gz", "pages/pages.jsonl", "archive/B.ARC", "archive/c.warc.zst", "d.warc.txt", "fuzzy.json")
	members, err := Members(t.Context(), Local{}, stored)
	if want := []string{"archive/a.warc.gz", "archive/B.ARC", "archive/c.warc.zst"}; err != nil || !slices.Equal(paths(members), want) {
		t.Errorf("got %v, %v; want %q", members, err, want)
	}
	for _, m := range members {
		f, err := Open(t.Context(), Local{}, stored+"#"+m.Path)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(io.NewSectionReader(f, 0, 1000))
		if want := "content of " + m.Path; err != nil || string(b) != want || f.Size() != int64(len(want)) || m.Size != f.Size() {
			t.Errorf("%+v: %q of %d bytes, %v", m, b, f.Size(), err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	for path, want := range map[string]error{
		stored + "#none.warc":                             fs.ErrNotExist,
		filepath.Join(t.TempDir(), "no.wacz") + "#a.warc": fs.ErrNotExist,
		wacz(t, zip.Deflate, "a.warc") + "#a.warc":        errors.ErrUnsupported,
	} {
		if _, err := Open(t.Context(), Local{}, path); !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", path, err, want)
		}
	}
	if _, err := Members(t.Context(), Local{}, filepath.Join(t.TempDir(), "no.wacz")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	twice := wacz(t, zip.Store, "archive/a.warc", "note.txt", "archive/b.warc", "archive/a.warc", "note.txt")
	members, err = Members(t.Context(), Local{}, twice)
	if !slices.Equal(paths(members), []string{"archive/a.warc", "archive/b.warc"}) || err == nil ||
		err.Error() != filepath.Base(twice)+`: has two members "archive/a.warc", of which only the first can be read` {
		t.Errorf("members of one name: %v, %v", members, err)
	}
	broken := filepath.Join(shelve(t, "broken.wacz"), "broken.wacz")
	if _, err := Members(t.Context(), Local{}, broken); err == nil || !strings.HasPrefix(err.Error(), "broken.wacz: not a readable WACZ") {
		t.Errorf("got %v", err)
	}
	if _, err := Open(t.Context(), Local{}, broken+"#a.warc"); err == nil || !strings.HasPrefix(err.Error(),
		"broken.wacz: not a readable WACZ") {
		t.Errorf("got %v", err)
	}
}

func TestPathsIntoAWACZ(t *testing.T) {
	for _, c := range []struct {
		path, outer, member string
		inside              bool
		base                string
	}{
		{"/a/b.warc", "/a/b.warc", "", false, "b.warc"},
		{"/a/b.wacz", "/a/b.wacz", "", false, "b.wacz"},
		{"/a/b#c.warc", "/a/b#c.warc", "", false, "b#c.warc"},
		{"/a/b.wacz#archive/c.warc", "/a/b.wacz", "archive/c.warc", true, "c.warc"},
		{"/a/b.WACZ#c#d", "/a/b.WACZ", "c#d", true, "c#d"},
		{".wacz#c", ".wacz", "c", true, "c"},
		{"b.wacz#", "b.wacz", "", true, "."},
	} {
		outer, member, inside := CutMember(c.path)
		if outer != c.outer || member != c.member || inside != c.inside || Base(c.path) != c.base {
			t.Errorf("%s: %q, %q, %v, %q", c.path, outer, member, inside, Base(c.path))
		}
	}
}
