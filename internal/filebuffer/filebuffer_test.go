package filebuffer

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func TestSpill(t *testing.T) {
	for name, memory := range map[string]int{"in memory": 1 << 10, "in both": 300, "just fits": 1000, "in a file": 0} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := &Buffer{Dir: dir, Memory: memory}
			var want []byte
			for i := range 10 {
				part := bytes.Repeat([]byte{byte('a' + i)}, 100)
				want = append(want, part...)
				if n, err := s.Write(part); n != 100 || err != nil {
					t.Fatal(n, err)
				}
			}
			if got, err := io.ReadAll(s.Reader()); err != nil || !bytes.Equal(got, want) || s.Size() != 1000 {
				t.Errorf("%d bytes of %d, %v: %q", len(got), s.Size(), err, got)
			}
			if inFile := s.file != nil; inFile != (memory < 1000) {
				t.Errorf("in a file: %v", inFile)
			}
			for _, at := range []int64{0, 250, 299, 300, 950, 1000} {
				p := make([]byte, 60)
				n, err := s.ReadAt(p, at)
				wanted := want[at:min(at+60, 1000)]
				if !bytes.Equal(p[:n], wanted) || (err == io.EOF) != (n < 60) {
					t.Errorf("at %d: %q, %v", at, p[:n], err)
				}
			}
			for range 2 {
				if err := s.Close(); err != nil || s.Size() != 0 {
					t.Errorf("%v, %d bytes stay", err, s.Size())
				}
			}
			if n, err := s.ReadAt(make([]byte, 10), 0); n != 0 || err != io.EOF {
				t.Errorf("of what was let go, %d bytes can be read: %v", n, err)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
				t.Errorf("%v is left, %v", left, err)
			}
		})
	}
}

// What is written after something that went into the file comes after it, though there is room in memory.
func TestOrder(t *testing.T) {
	s := &Buffer{Dir: t.TempDir(), Memory: 10}
	defer s.Close()
	for _, part := range []string{"eight...", "five.", "1", "2"} {
		if _, err := io.WriteString(s, part); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := io.ReadAll(s.Reader()); err != nil || string(got) != "eight...five.12" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestSpillToNowhere(t *testing.T) {
	s := &Buffer{Dir: filepath.Join(t.TempDir(), "none")}
	if n, err := s.Write([]byte("x")); n != 0 || err == nil || s.Size() != 0 {
		t.Errorf("%d bytes, %v", n, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
