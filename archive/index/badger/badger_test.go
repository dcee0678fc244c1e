package badger

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	checksums "github.com/dgraph-io/badger/v4/options"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/internal/disk"
)

func opened(t *testing.T, dir string) kv.Store {
	t.Helper()
	s, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestOnDisk(t *testing.T) {
	kvtest.Run(t,
		func(t *testing.T) kv.Store { return opened(t, filepath.Join(t.TempDir(), "index")) },
		func(t *testing.T, s kv.Store) kv.Store {
			dir := s.(*engine).dir()
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return opened(t, dir)
		})
}

func TestInMemory(t *testing.T) {
	kvtest.Run(t, func(t *testing.T) kv.Store { return opened(t, "") }, nil)
}

func TestSecondProcessIsToldThatTheStoreIsInUse(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	s := opened(t, dir)
	defer s.Close()
	if _, err := Open(dir, nil); !errors.Is(err, kv.ErrInUse) {
		t.Errorf("got %v, want ErrInUse", err)
	}
}

func TestFoldersThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "LOCK"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{filepath.Join(dir, "file"), dir} {
		if _, err := Open(bad, nil); err == nil || !strings.Contains(err.Error(), "index folder") {
			t.Errorf("%s: %v", bad, err)
		}
	}
	for err, wanted := range map[error]bool{
		&fs.PathError{Err: syscall.EACCES}: true, &fs.PathError{Err: syscall.EROFS}: true, &fs.PathError{Err: syscall.ENOSPC}: false,
	} {
		got := folderError(err)
		if errors.Is(got, kv.ErrReadOnly) != wanted || strings.Contains(got.Error(), "the right to") != wanted || !errors.Is(got, err) {
			t.Errorf("%v: %v", err, got)
		}
	}
}

func TestReadOnly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	if _, err := OpenReadOnly(dir, nil); err == nil {
		t.Error("a store that isn't there is opened")
	}
	key, large := []byte("a"), make([]byte, inlineValue+1) // which is in the value log
	s := opened(t, dir)
	if _, err := OpenReadOnly(dir, nil); !errors.Is(err, kv.ErrInUse) {
		t.Errorf("beside a writer: %v", err)
	}
	b := s.Batch(t.Context())
	if err := errors.Join(b.Set(key, []byte("1")), b.Set([]byte("b"), large), b.Flush(), s.Close()); err != nil {
		t.Fatal(err)
	}
	for range 2 { // side by side
		s, err := OpenReadOnly(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}()
		refuses(t, s, key)
		err = s.View(t.Context(), func(snap kv.Snapshot) error {
			return errors.Join(
				snap.Get(key, func(v []byte) error { return equal(v, []byte("1")) }),
				snap.Get([]byte("b"), func(v []byte) error { return equal(v, large) }),
			)
		})
		if err != nil {
			t.Error(err)
		}
	}
	if _, err := Open(dir, nil); !errors.Is(err, kv.ErrInUse) {
		t.Errorf("a writer beside readers: %v", err)
	}
}

// refuses checks that nothing can be written to a store.
func refuses(t *testing.T, s kv.Store, key []byte) {
	t.Helper()
	b := s.Batch(t.Context())
	defer b.Cancel()
	for name, err := range map[string]error{
		"update": s.Update(t.Context(), func(txn kv.Txn) error { return txn.Set(key, nil) }),
		"set":    b.Set(key, nil), "delete": b.Delete(key), "flush": b.Flush(), "compact": s.(kv.Compactor).Compact(t.Context()),
	} {
		if !errors.Is(err, kv.ErrReadOnly) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := s.Sync(t.Context()); err != nil {
		t.Error(err)
	}
}

func equal(got, want []byte) error {
	if !bytes.Equal(got, want) {
		return fmt.Errorf("%d bytes, want %d", len(got), len(want))
	}
	return nil
}

// A store that is open has a log, which a killed process leaves. Its files are copied in that state.
func TestReadOnlyUnfinished(t *testing.T) {
	dir, copied := filepath.Join(t.TempDir(), "index"), filepath.Join(t.TempDir(), "index")
	s := opened(t, dir)
	b := s.Batch(t.Context())
	if err := errors.Join(b.Set([]byte("a"), []byte("1")), b.Flush(), os.CopyFS(copied, os.DirFS(dir)), s.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenReadOnly(copied, nil); !errors.Is(err, kv.ErrUnfinished) {
		t.Errorf("got %v, want ErrUnfinished", err)
	}
	if err := opened(t, copied).Close(); err != nil {
		t.Fatal(err)
	}
	finished, err := OpenReadOnly(copied, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := finished.Close(); err != nil {
		t.Error(err)
	}
}

// Badger syncs the folder that it reads, which some file systems refuse. Links to the files do.
func TestReadThroughLinks(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	s := opened(t, dir)
	b := s.Batch(t.Context())
	if err := errors.Join(b.Set([]byte("a"), []byte("1")), b.Flush(), s.Close()); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", t.TempDir())
	linked := &engine{log: &logger{stuck: make(chan error, 1)}, readOnly: true}
	var err error
	if linked.db, linked.links, err = openLinks(options(dir, linked.log).WithReadOnly(true)); err != nil {
		t.Fatal(err)
	}
	refuses(t, linked, []byte("a"))
	err = linked.View(t.Context(), func(snap kv.Snapshot) error {
		return snap.Get([]byte("a"), func(v []byte) error { return equal(v, []byte("1")) })
	})
	if err := errors.Join(err, linked.Close()); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("it leaves %v, %v", left, err)
	}
}

func TestCompactingAnOpenStoreLosesNothing(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "index"))
	defer s.Close()
	b := s.Batch(t.Context())
	if err := errors.Join(b.Set([]byte("a"), []byte("1")), b.Flush(), s.(kv.Compactor).Compact(t.Context())); err != nil {
		t.Fatal(err)
	}
	err := s.View(t.Context(), func(snap kv.Snapshot) error {
		return snap.Get([]byte("a"), func([]byte) error { return nil })
	})
	if err != nil {
		t.Error(err)
	}
}

// What was written to be filled, over what was there, is all there before and after it was compacted, and in fewer tables.
func TestFillingAndCompactingLoseNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	if err := write(dir, 1); err != nil {
		t.Fatal(err)
	}
	for round := range 32 {
		s, err := OpenToFill(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		b := s.Batch(t.Context())
		for i := round; i < manyKeys && err == nil; i += 100 {
			err = b.Set(keyOf(i), valueOf(i))
		}
		if err := errors.Join(err, b.Flush(), s.Close()); err != nil {
			t.Fatal(err)
		}
	}
	assertWhole(t, dir)
	before := tables(t, dir)
	if err := Compact(dir, nil); err != nil {
		t.Fatal(err)
	}
	assertWhole(t, dir)
	if after := tables(t, dir); after > before || after > 2 {
		t.Errorf("%d tables, %d before", after, before)
	}
}

// tables returns how many tables a store has.
func tables(t *testing.T, dir string) int {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*.sst"))
	if err != nil {
		t.Fatal(err)
	}
	return len(found)
}

// A log that a killed server left may be larger than those of a process that fills.
func TestALargeLogIsFilledFurther(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	s := opened(t, dir)
	defer s.Close()
	b := s.Batch(t.Context())
	value := make([]byte, 10_000)
	for i := range 2 * fillMemTable / len(value) {
		if err := b.Set(keyOf(i), value); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(b.Flush(), s.Sync(t.Context())); err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func(string) error{
		"fill": func(dir string) error {
			s, err := OpenToFill(dir, nil)
			if err != nil {
				return err
			}
			return s.Close()
		},
		"compact": func(dir string) error { return Compact(dir, nil) },
	} {
		killed := filepath.Join(t.TempDir(), name) // as a process leaves it that is killed now
		if err := os.CopyFS(killed, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		if err := open(killed); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		left := opened(t, killed)
		err := left.View(t.Context(), func(snap kv.Snapshot) error {
			return snap.Get(keyOf(2*fillMemTable/len(value)-1), func(v []byte) error { return equal(v, value) })
		})
		if err := errors.Join(err, left.Close()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Badger counts in a file what could be removed. One that is there stays; an empty one remains where a disk was full.
func TestTheFileOfDiscards(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "DISCARD")
	for _, tt := range []struct {
		before string
		want   string
	}{{"", strings.Repeat("\x00", 1<<20)}, {"counts", "counts"}} {
		if err := os.WriteFile(path, []byte(tt.before), 0o600); err != nil {
			t.Fatal(err)
		}
		err := makeDiscards(filepath.Dir(path))
		if got, err2 := os.ReadFile(path); string(got) != tt.want || errors.Join(err, err2) != nil {
			t.Errorf("%q became %d bytes, %v", tt.before, len(got), errors.Join(err, err2))
		}
	}
}

// A loss of power leaves files empty or cut off, and who copies an open store, lacking. That of the keys, of which there are none, is made
// anew; others are damage, and it is said.
func TestFilesThatALossOfPowerCutOff(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		file    string
		damage  func([]byte) []byte
		damaged bool
	}{
		{"KEYREGISTRY", func([]byte) []byte { return nil }, false},
		{"KEYREGISTRY", func(b []byte) []byte { return b[:len(b)/2] }, false},
		{"KEYREGISTRY", func(b []byte) []byte { return bytes.Repeat([]byte{7}, len(b)) }, false},
		{"MANIFEST", func([]byte) []byte { return nil }, true},
		{"MANIFEST", nil, true},
		{"000001.sst", nil, true},
		{"MANIFEST", func(b []byte) []byte { return append(b[:8:8], bytes.Repeat([]byte{7}, len(b))...) }, true},
	} {
		dir := filepath.Join(t.TempDir(), "data [1]")
		put := func(key string) error {
			s, err := Open(dir, slog.New(slog.DiscardHandler))
			if err != nil {
				return err
			}
			err = s.Update(t.Context(), func(tx kv.Txn) error { return errors.Join(tx.Set([]byte(key), nil), tx.Set([]byte("a"), nil)) })
			return errors.Join(err, s.Close())
		}
		if err := put("b"); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, tt.file)
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if tt.damage == nil {
			err = os.Remove(path)
		} else {
			err = os.WriteFile(path, tt.damage(before), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := put("c"); errors.Is(err, kv.ErrDamaged) != tt.damaged || (err != nil) != tt.damaged {
			t.Errorf("%s, lacking: %t: %v", tt.file, tt.damage == nil, err)
		}
		if tt.damaged {
			continue
		}
		s, err := OpenReadOnly(dir, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"a", "b", "c"} {
			if err := s.View(t.Context(), func(at kv.Snapshot) error {
				return at.Get([]byte(key), func([]byte) error { return nil })
			}); err != nil {
				t.Errorf("%s: %v", key, err)
			}
		}
		s.Close()
	}
}

// What Badger says is logged; what it would try for ever because the disk is full ends the closing of the store.
func TestWhatBadgerSays(t *testing.T) {
	t.Parallel()
	var said bytes.Buffer
	l := &logger{log: slog.New(slog.NewTextHandler(&said, nil)), stuck: make(chan error, 1)}
	l.Infof("a compaction")
	for _, text := range []string{"odd", "retrying", syscall.ENOSPC.Error()} {
		if l.Errorf("%s\n", text); len(l.stuck) > 0 {
			t.Errorf("%s is taken for a full disk", text)
		}
	}
	for range 2 {
		if l.Errorf("%v, retrying", syscall.ENOSPC); len(l.stuck) != 1 {
			t.Error("a full disk is not noticed")
		}
	}
	if text := said.String(); strings.Contains(text, "compaction") || !strings.Contains(text, "level=ERROR msg=odd from=badger") {
		t.Error(text)
	}
	if err := readError("dir", errors.New("x: permission denied")); !strings.Contains(err.Error(), "the right to read") {
		t.Error(err)
	}
}

// What a folder is called is no damage.
func TestFoldersThatAreCalledLikeDamage(t *testing.T) {
	t.Parallel()
	err := errors.New("open /srv/magic/data: too many open files")
	if err := openError("/srv/magic/data/", err); errors.Is(err, kv.ErrDamaged) {
		t.Error(err)
	}
	for _, dir := range []string{"/srv/magic/corrupted crc", "crc", "checksum/", "/srv/data"} {
		file := filepath.Join(dir, "000001.sst")
		for _, tt := range []struct {
			said    string
			damaged bool
		}{
			{"while opening file " + file + ": too many open files", false},
			{"failed to read table: file does not exist for table 1", true},
			{"while opening table " + file + ": CHECKSUM_MISMATCH: checksum mismatch", true},
		} {
			if err := openError(dir, errors.New(tt.said)); errors.Is(err, kv.ErrDamaged) != tt.damaged {
				t.Errorf("%s: %v, damaged: %t", dir, err, !tt.damaged)
			}
		}
	}
}

// A store that is open is not compacted, and one that isn't there is not made.
func TestCompactRefuses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	if err := Compact(dir, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no store: %v", err)
	}
	s := opened(t, dir)
	defer s.Close()
	if err := Compact(dir, nil); !errors.Is(err, kv.ErrInUse) {
		t.Errorf("an open store: %v", err)
	}
}

// In memory a value has a largest size, which is an error and no panic; on a disk it has not.
func TestTheLargestValue(t *testing.T) {
	t.Parallel()
	for dir, most := range map[string]int{"": maxInline - 1, filepath.Join(t.TempDir(), "index"): maxInline + 1} {
		s := opened(t, dir)
		for size, want := range map[int]error{most: nil, maxInline: map[bool]error{true: kv.ErrTooLarge}[dir == ""]} {
			err := s.Update(t.Context(), func(txn kv.Txn) error { return txn.Set([]byte("key"), make([]byte, size)) })
			if !errors.Is(err, want) {
				t.Errorf("%d bytes in %q: %v, want %v", size, dir, err, want)
			}
		}
	}
}

// What a store can't take is told by one error, whatever Badger says of it.
func TestSizesThatBadgerRefuses(t *testing.T) {
	t.Parallel()
	s := opened(t, "")
	for name, refused := range map[string]func(kv.Txn) error{
		"a long key": func(txn kv.Txn) error { return txn.Set(make([]byte, 1<<16), nil) },
		"very many keys": func(txn kv.Txn) (err error) {
			for n := 0; err == nil; n++ {
				err = txn.Set(binary.BigEndian.AppendUint64(nil, uint64(n)), make([]byte, maxInline-1))
			}
			return err
		},
	} {
		if err := s.Update(t.Context(), refused); !errors.Is(err, kv.ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
	other := errors.New("other")
	if err := s.Update(t.Context(), func(kv.Txn) error { return sizeError(other) }); err != other {
		t.Errorf("another error: %v", err)
	}
	if err := s.Update(t.Context(), func(txn kv.Txn) error { return txn.Set([]byte("key"), nil) }); err != nil {
		t.Errorf("what fits: %v", err)
	}
}

// A batch writes nothing for somebody who has gone, nor where there is no room, however often that is tried: Badger would end the process.
func TestBatchesThatMayNotBeWritten(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "index"))
	defer s.Close()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	b := s.Batch(ended)
	for range 2 {
		if err := b.Set([]byte("key"), nil); !errors.Is(err, context.Canceled) {
			t.Errorf("of a context that has ended: %v", err)
		}
	}
	b.Cancel()
	const full = "/proc" // has no room anywhere
	if err := disk.CheckRoom(full, 1); err == nil {
		t.Skip("there is no folder without room on this system")
	}
	if err := Compact(full, nil); !errors.Is(err, disk.ErrFull) {
		t.Errorf("compacting where there is no room: %v", err)
	}
	b = s.Batch(t.Context())
	defer b.Cancel()
	b.(*batch).dir = full
	for range 2 {
		if err := b.Set([]byte("key"), nil); !errors.Is(err, disk.ErrFull) {
			t.Errorf("on a full disk: %v", err)
		}
	}
	b.(*batch).dir = s.(*engine).dir()
	if err := b.Set([]byte("key"), nil); err != nil {
		t.Errorf("after room was made: %v", err)
	}
}

// Stores are verified when they are opened if that takes no time.
func TestWhenStoresAreVerified(t *testing.T) {
	for name, tt := range map[string]struct {
		tables []int64 // their sizes
		want   checksums.ChecksumVerificationMode
	}{
		"no table":                 {nil, checksums.OnTableRead},
		"as large as they may be":  {[]int64{verifiedOnOpening - 1, 1}, checksums.OnTableRead},
		"larger":                   {[]int64{verifiedOnOpening, 1}, checksums.NoVerification},
		"one that is larger alone": {[]int64{verifiedOnOpening + 1}, checksums.NoVerification},
	} {
		dir := t.TempDir()
		for i, size := range tt.tables {
			at := filepath.Join(dir, fmt.Sprint(i, ".sst"))
			if err := errors.Join(os.WriteFile(at, nil, 0o600), os.Truncate(at, size)); err != nil { // nothing is written to the disk
				t.Fatal(err)
			}
		}
		if got := verification(dir); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}
