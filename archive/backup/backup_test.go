package backup_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/backup"
	"github.com/varve-archive/varve/archive/blobstore"
	"github.com/varve-archive/varve/archive/blobstore/s3"
	"github.com/varve-archive/varve/internal/testkit/s3test"
)

// A content is that of a store.
type content map[string]string

// some returns n entries that are like those of an index.
func some(n int) content {
	c := content{}
	for i := range n {
		c[fmt.Sprintf("ccom,example)/%06d", i*7)] = strings.Repeat(fmt.Sprintf("value %d ", i), 40)
	}
	return c
}

func (c content) entries(put func(key, value []byte) error) error {
	for _, k := range slices.Sorted(maps.Keys(c)) {
		if err := put([]byte(k), []byte(c[k])); err != nil {
			return err
		}
	}
	return nil
}

var day = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func in(t *testing.T, at string) *blobstore.Store {
	t.Helper()
	c := blobstore.Config{Private: true}
	var err error
	if c.S3, err = s3.New(os.Getenv("TEST_ENDPOINT")); err != nil {
		t.Fatal(err)
	}
	d, err := blobstore.Open(at, c)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// onEach runs a test with a folder, and with a bucket of each kind of server.
func onEach(t *testing.T, test func(t *testing.T, at string)) {
	t.Run("folder", func(t *testing.T) { test(t, t.TempDir()) })
	s3test.OnEach(t, func(t *testing.T, s *s3test.Server) {
		s.Make("backups")
		t.Setenv("TEST_ENDPOINT", s.URL)
		test(t, "s3://backups/of varve")
	})
}

func write(t *testing.T, dir string, n int, c content, files ...backup.File) *backup.Done {
	t.Helper()
	done, err := backup.Write(t.Context(), in(t, dir), "varve test", day.AddDate(0, 0, n), c.entries, files)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func read(t *testing.T, dir, name string) (content, []backup.File, error) {
	t.Helper()
	c, files := content{}, []backup.File(nil)
	_, err := backup.Read(t.Context(), in(t, dir), name, func(f backup.File) error { files = append(files, f); return nil },
		func(key, value []byte) error { c[string(key)] = string(value); return nil })
	return c, files, err
}

func TestWhatIsBackedUpComesBack(t *testing.T) {
	onEach(t, func(t *testing.T, dir string) {
		file := backup.File{Name: "proxy/ca.pem", Mode: 0o600, Content: []byte("secret")}
		write(t, dir, 0, some(9000), file, backup.File{Name: "empty", Mode: 0o644})
		got, files, err := read(t, dir, "")
		if err != nil || !maps.Equal(got, some(9000)) {
			t.Errorf("%d entries, %v", len(got), err)
		}
		if len(files) != 2 || files[0].Name != file.Name || files[0].Mode != file.Mode || !bytes.Equal(files[0].Content, file.Content) {
			t.Errorf("files %+v", files)
		}
	})
}

// Whoever can write where backups are must not reach what is beside the index.
func TestFilesStayBesideTheIndex(t *testing.T) {
	for _, name := range []string{"../rules.yaml", "proxy/../../rules.yaml", "/etc/rules.yaml", "", ".."} {
		dir := t.TempDir()
		write(t, dir, 0, some(1), backup.File{Name: name, Content: []byte("rules: []")})
		if _, files, err := read(t, dir, ""); err == nil || len(files) > 0 {
			t.Errorf("%q: %v, %v", name, files, err)
		}
	}
	dir := t.TempDir()
	write(t, dir, 0, some(1), backup.File{Name: "proxy/ca.pem", Mode: fs.ModeSetuid | 0o640})
	if _, files, err := read(t, dir, ""); err != nil || files[0].Mode != 0o640 {
		t.Errorf("%v, %v", files, err)
	}
}

func TestABackupStoresWhatChanged(t *testing.T) {
	onEach(t, func(t *testing.T, dir string) {
		c := some(50_000)
		first := write(t, dir, 0, c)
		if first.Parts < 10 || first.Fresh != first.Parts {
			t.Fatalf("the first has %d parts, %d of them new", first.Parts, first.Fresh)
		}
		if again := write(t, dir, 1, c); again.Fresh != 0 || again.Written != 0 {
			t.Errorf("nothing changed, and %d parts are new", again.Fresh)
		}
		before := maps.Clone(c)
		delete(c, "ccom,example)/000007")
		c["ccom,example)/200000 more"] = "x"
		changed := write(t, dir, 2, c)
		if changed.Fresh == 0 || changed.Fresh > 6 {
			t.Errorf("%d of %d parts are new after two changes", changed.Fresh, changed.Parts)
		}
		if got, _, err := read(t, dir, ""); err != nil || !maps.Equal(got, c) {
			t.Errorf("the newest has %d entries, want %d: %v", len(got), len(c), err)
		}
		if got, _, err := read(t, dir, first.Name); err != nil || !maps.Equal(got, before) {
			t.Errorf("the first has %d entries, want %d: %v", len(got), len(before), err)
		}
	})
}

func TestABackupThatStoppedIsNone(t *testing.T) {
	onEach(t, func(t *testing.T, dir string) {
		first := write(t, dir, 0, some(100))
		stopped := errors.New("stopped")
		left := 30_000
		_, err := backup.Write(t.Context(), in(t, dir), "", day.AddDate(0, 0, 1), func(put func(key, value []byte) error) error {
			return some(50_000).entries(func(key, value []byte) error {
				if left--; left == 0 {
					return stopped
				}
				return put(key, value)
			})
		}, nil)
		if !errors.Is(err, stopped) {
			t.Fatal(err)
		}
		if names, err := backup.Names(t.Context(), in(t, dir)); err != nil || !slices.Equal(names, []string{first.Name}) {
			t.Errorf("there are %q, %v", names, err)
		}
		if got, _, err := read(t, dir, ""); err != nil || !maps.Equal(got, some(100)) {
			t.Errorf("%d entries, %v", len(got), err)
		}
	})
}

// Every file of a backup, damaged in several ways, is refused by its name.
func TestDamagedBackupsAreRefused(t *testing.T) {
	harm := map[string]func([]byte) []byte{
		"cut off":  func(b []byte) []byte { return b[:len(b)-1] },
		"emptied":  func([]byte) []byte { return nil },
		"replaced": func(b []byte) []byte { return bytes.Repeat([]byte("x"), len(b)) },
	}
	for at := range 8 {
		harm[fmt.Sprintf("a bit at %d/8", at)] = func(b []byte) []byte { b[len(b)*at/8] ^= 4; return b }
	}
	for name, ruin := range harm {
		dir := t.TempDir()
		write(t, dir, 0, some(3000), backup.File{Name: "a", Content: []byte("b")})
		for _, path := range files(t, dir) {
			whole, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, ruin(slices.Clone(whole)), 0o600); err != nil {
				t.Fatal(err)
			}
			got, _, err := read(t, dir, "")
			if err == nil && maps.Equal(got, some(3000)) { // a bit of the compressed form that says nothing
				err = &backup.Damage{File: path, Reason: "none"}
			}
			var damage *backup.Damage
			if !errors.As(err, &damage) && !strings.Contains(fmt.Sprint(err), "format") {
				t.Errorf("%s %s: %v", filepath.Base(path), name, err)
			} else if damage != nil && (damage.File != path || damage.Offset > int64(len(whole)) || damage.Reason == "") {
				t.Errorf("%s %s: %+v", filepath.Base(path), name, damage)
			}
			if err := os.WriteFile(path, whole, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestADamagedPartIsStoredAgain(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, 0, some(5000))
	for _, path := range files(t, dir) {
		if strings.HasSuffix(path, ".zst") {
			if err := os.WriteFile(path, []byte("ruined"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if again := write(t, dir, 1, some(5000)); again.Fresh != again.Parts {
		t.Errorf("%d of %d parts were stored again", again.Fresh, again.Parts)
	}
	if got, _, err := read(t, dir, ""); err != nil || !maps.Equal(got, some(5000)) {
		t.Errorf("%d entries, %v", len(got), err)
	}
}

func files(t *testing.T, dir string) (paths []string) {
	t.Helper()
	parts, _ := filepath.Glob(filepath.Join(dir, "parts", "*", "*"))
	lists, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	if len(parts) == 0 || len(lists) == 0 {
		t.Fatalf("%d parts and %d lists", len(parts), len(lists))
	}
	return append(parts, lists...)
}

func TestAStreamArrivesWholeOrNotAtAll(t *testing.T) {
	var sent bytes.Buffer
	if err := backup.Send(&sent, some(4).entries); err != nil {
		t.Fatal(err)
	}
	arrive := func(b []byte) (content, error) {
		c := content{}
		err := backup.Receive(bytes.NewReader(b))(func(key, value []byte) error { c[string(key)] = string(value); return nil })
		return c, err
	}
	if got, err := arrive(sent.Bytes()); err != nil || !maps.Equal(got, some(4)) {
		t.Errorf("%d entries, %v", len(got), err)
	}
	for n := range sent.Len() {
		if _, err := arrive(sent.Bytes()[:n]); err == nil {
			t.Fatalf("%d of %d bytes were taken for all", n, sent.Len())
		}
	}
}

// Each part in turn can't be written, since a file is where its folder should be.
func TestAPartThatCannotBeWrittenFailsTheBackup(t *testing.T) {
	c, files, whole := some(3000), []backup.File{{Name: "log", Content: []byte("of takedowns")}}, t.TempDir()
	write(t, whole, 0, c, files...)
	parts, err := filepath.Glob(filepath.Join(whole, "parts", "*"))
	if err != nil || len(parts) < 3 {
		t.Fatal(parts, err)
	}
	for _, p := range parts {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "parts"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "parts", filepath.Base(p)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := backup.Write(t.Context(), in(t, dir), "", day, c.entries, files); err == nil {
			t.Errorf("without %s it is a backup", filepath.Base(p))
		}
		if names, _ := backup.Names(t.Context(), in(t, dir)); len(names) > 0 {
			t.Errorf("without %s there are %q", filepath.Base(p), names)
		}
	}
}

func TestWithoutABackupNothingIsRestored(t *testing.T) {
	if _, _, err := read(t, t.TempDir(), ""); err == nil || !strings.Contains(err.Error(), "no backup") {
		t.Error(err)
	}
	if _, _, err := read(t, filepath.Join(t.TempDir(), "nowhere"), ""); err == nil {
		t.Error("a folder that isn't there has a backup")
	}
}

// FuzzReceive reads what a socket may send: no entry comes of bytes that are none, and nothing panics.
func FuzzReceive(f *testing.F) {
	var sent bytes.Buffer
	if err := backup.Send(&sent, some(3).entries); err != nil {
		f.Fatal(err)
	}
	f.Add(sent.Bytes())
	f.Add(binary.AppendUvarint(nil, 1<<63))
	f.Fuzz(func(t *testing.T, b []byte) {
		var again bytes.Buffer
		err := backup.Send(&again, backup.Receive(bytes.NewReader(b)))
		if err != nil {
			return
		}
		if !bytes.HasPrefix(b, again.Bytes()) && len(again.Bytes()) > len(b) {
			t.Errorf("%x became %x", b, again.Bytes())
		}
	})
}
