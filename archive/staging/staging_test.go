package staging

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/varve-archive/varve/cdx"
)

// text returns some kilobytes that can't be compressed.
func text(file, offset, version int) []byte {
	b := make([]byte, 2000+offset%500)
	_, _ = rand.NewChaCha8([32]byte{byte(file), byte(version), byte(offset), byte(offset >> 8)}).Read(b)
	return b
}

// Files are read side by side, one of them twice; much of what is kept has been written to the file, and some waits.
func TestWhatIsPutIsThere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data [1]")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(dir, "area-1.tmp")
	if err := os.WriteFile(left, []byte("left by a kill"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := New(dir)
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("what a killed process left: %v", err)
	}
	const files, records = 4, 400
	var wg sync.WaitGroup
	for file := range files {
		wg.Go(func() {
			for version := range 1 + file%2 {
				for n := range records {
					offset := n * 37
					at := cdx.Location{File: cdx.FileID(file), Offset: int64(offset)}
					s.Put(at, text(file, offset, version))
					if got := s.Get(at); !bytes.Equal(got, text(file, offset, version)) {
						t.Errorf("file %d, offset %d, at once: %d bytes", file, offset, len(got))
					}
				}
			}
		})
	}
	wg.Wait()
	if v := s.last; v.at == 0 || len(v.buf) == 0 {
		t.Errorf("%d bytes are in the file, %d wait", v.at, len(v.buf))
	}
	for file := range files {
		for n := range records {
			offset := n * 37
			got := s.Get(cdx.Location{File: cdx.FileID(file), Offset: int64(offset), Length: 9})
			if !bytes.Equal(got, text(file, offset, file%2)) {
				t.Errorf("file %d, offset %d: %d bytes", file, offset, len(got))
			}
		}
	}
	for _, at := range []cdx.Location{{File: 9}, {File: 1, Offset: 1}, {File: 1, Offset: 1 << 40}, {File: 1, Offset: -1}} {
		if got := s.Get(at); got != nil {
			t.Errorf("at %v: %d bytes", at, len(got))
		}
	}
	s.Close()
	if names, _ := os.ReadDir(dir); len(names) > 0 {
		t.Errorf("left: %v", names)
	}
}

// An area that can't write loses nothing that it took, and takes nothing more.
func TestFull(t *testing.T) {
	s := New(t.TempDir())
	at := func(n int) cdx.Location { return cdx.Location{File: 1, Offset: int64(n)} }
	s.Put(at(0), text(1, 0, 0))
	s.last.Close()
	n := 1
	for ; !s.full && n < 1<<20; n++ {
		s.Put(at(n), text(1, n, 0))
	}
	s.Put(at(n), text(1, n, 0))
	if got := s.Get(at(n)); got != nil {
		t.Errorf("behind the end: %d bytes", len(got))
	}
	for i := range n {
		if got := s.Get(at(i)); !bytes.Equal(got, text(1, i, 0)) {
			t.Errorf("offset %d: %d bytes", i, len(got))
		}
	}
}

// What is kept of files goes with them, and so do the files of the area that have nothing else. What follows is kept again.
func TestWhatIsDroppedIsGone(t *testing.T) {
	s := New(t.TempDir())
	t.Cleanup(s.Close)
	s.volumeSize = 4 << 20
	at := func(file, n int) cdx.Location { return cdx.Location{File: cdx.FileID(file), Offset: int64(n)} }
	var volumes []*volume
	const records, files = 4500, 3
	for n := range records {
		s.Put(at(n*files/records, n), text(1, n, 0))
		if len(volumes) == 0 || volumes[len(volumes)-1] != s.last {
			volumes = append(volumes, s.last)
		}
	}
	if len(volumes) != 3 {
		t.Fatalf("%d files", len(volumes))
	}
	open := func() (n int) {
		for _, v := range volumes {
			if _, err := v.Stat(); err == nil {
				n++
			}
		}
		return n
	}
	for i, want := range []int{3, 2, 0} { // the first volume has part of the second file
		if n := i * records / files; s.Get(at(i, n)) == nil || s.Get(at(i, n+records/files-1)) == nil {
			t.Errorf("file %d is not there", i)
		}
		s.Drop([]cdx.FileID{cdx.FileID(i), 99})
		if got := s.Get(at(i, i*records/files)); got != nil {
			t.Errorf("file %d is still there", i)
		}
		if n := open(); n != want {
			t.Errorf("without file %d, %d files are left, want %d", i, n, want)
		}
	}
	s.full = true
	s.Drop(nil)
	s.Put(at(5, 5), text(5, 5, 5))
	if got := s.Get(at(5, 5)); !bytes.Equal(got, text(5, 5, 5)) {
		t.Errorf("after all was dropped: %d bytes", len(got))
	}
	s.Put(at(5, 5), text(5, 5, 6)) // in place of all that the volume has
	if got := s.Get(at(5, 5)); !bytes.Equal(got, text(5, 5, 6)) {
		t.Errorf("what was put again: %d bytes", len(got))
	}
	s.Put(at(6, 6), text(6, 6, 6))
	v := s.last
	if s.Drop([]cdx.FileID{5}); s.last != v {
		t.Error("a file with a record in it is gone")
	}
	if s.Drop([]cdx.FileID{6}); s.last != nil || s.volumes != 0 {
		t.Errorf("without any record there are %d files", s.volumes)
	}
}

// However much is kept, the area has no more files than it may; the last one takes the rest.
func TestFilesOfAnAreaAreBounded(t *testing.T) {
	s := New(t.TempDir())
	t.Cleanup(s.Close)
	s.volumeSize = 0 // each record would get a file
	at := func(n int) cdx.Location { return cdx.Location{File: 1, Offset: int64(n)} }
	const records = maxVolumes + 2
	for n := range records {
		s.Put(at(n), text(1, n, 0))
		if want := min(n+1, maxVolumes); s.volumes != want {
			t.Fatalf("%d files after %d records, want %d", s.volumes, n+1, want)
		}
	}
	for n := range records {
		if !bytes.Equal(s.Get(at(n)), text(1, n, 0)) {
			t.Errorf("record %d is not there", n)
		}
	}
}
