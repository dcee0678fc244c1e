package unpack_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/varve-archive/varve/archive/blobstore"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/archive/warc/unpack"
)

// records returns a WARC file of n records.
func records(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		block := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>page %d", i)
		fmt.Fprintf(&b, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/%d\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"+
			"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, len(block), block)
	}
	return b.Bytes()
}

func gzipped(t *testing.T, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write(b); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zstandard(t *testing.T, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z, err := zstd.NewWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write(b); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// byRecord compresses each record by itself, as the standard demands.
func byRecord(t *testing.T, b []byte) []byte {
	t.Helper()
	var out []byte
	for part := range strings.SplitSeq(string(b), "WARC/1.1") {
		if part != "" {
			out = append(out, gzipped(t, []byte("WARC/1.1"+part))...)
		}
	}
	return out
}

func wacz(t *testing.T, method uint16, name string, member []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(member); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func write(t *testing.T, dir, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// count scans a file and opens each record again at its offset.
func count(t *testing.T, path string) (n int) {
	t.Helper()
	f, err := warc.Open(t.Context(), warc.Local{}, path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for rec, err := range warc.Scan(t.Context(), f, path, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, rec.Block); err != nil {
			t.Fatal(err)
		}
		if _, err := rec.Finish(); err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

// place opens a folder for copies.
func place(t *testing.T, dir string) *blobstore.Store {
	t.Helper()
	s, err := blobstore.Open(dir, blobstore.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A counted storage counts the files that are open.
type counted struct {
	warc.Local
	open *int
}

func (c counted) Open(ctx context.Context, path string) (warc.File, error) {
	f, err := c.Local.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	*c.open++
	return countedFile{f, c.open}, nil
}

type countedFile struct {
	warc.File
	open *int
}

func (f countedFile) Close() error {
	*f.open--
	return f.File.Close()
}

func TestPath(t *testing.T) {
	dir, side, open := t.TempDir(), t.TempDir(), 0
	folder := unpack.Folder{To: place(t, side), Storage: counted{open: &open}}
	const inside = "archive/data.warc.gz"
	for _, test := range []struct {
		name, path string
		suffix     string // of the unpacked file, "" if it is readable where it is
	}{
		{"compressed by record", write(t, dir, "a.warc.gz", byRecord(t, records(3))), ""},
		{"not compressed", write(t, dir, "b.warc", records(3)), ""},
		{"compressed as a whole", write(t, dir, "c.warc.gz", gzipped(t, records(3))), ".warc"},
		{"in another coding", write(t, dir, "d.warc.zst", zstandard(t, records(3))), ".warc"},
		{"stored in a WACZ", write(t, dir, "e.wacz", wacz(t, zip.Store, inside, byRecord(t, records(3)))) + "#" + inside, ""},
		{
			"deflated in a WACZ in a WACZ",
			write(t, dir, "h.wacz", wacz(t, zip.Store, "f.wacz", wacz(t, zip.Deflate, inside, byRecord(t, records(3))))) + "#f.wacz#" + inside,
			".warc.gz",
		},
		{"deflated in a WACZ", write(t, dir, "f.wacz", wacz(t, zip.Deflate, inside, byRecord(t, records(3)))) + "#" + inside, ".warc.gz"},
		{"deflated, not compressed", write(t, dir, "g.wacz", wacz(t, zip.Deflate, "x.warc", records(3))) + "#x.warc", ".warc"},
	} {
		path, err := folder.Path(t.Context(), test.path)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if unpacked := filepath.Dir(path) == side; unpacked != (test.suffix != "") || !strings.HasSuffix(path, test.suffix) {
			t.Errorf("%s: %s", test.name, path)
		}
		if n := count(t, path); n != 3 {
			t.Errorf("%s: %d records", test.name, n)
		}
	}
	if left, err := filepath.Glob(filepath.Join(side, ".*")); err != nil || len(left) > 0 || open != 0 {
		t.Errorf("left over: %v %v, and %d open files", left, err, open)
	}
}

// A file is unpacked once, and again when it has changed.
func TestUnpackedFilesFollowTheirSources(t *testing.T) {
	dir := t.TempDir()
	begun := 0
	folder := unpack.Folder{To: place(t, filepath.Join(dir, "side")), Storage: warc.Local{}, Began: func(string, int64) { begun++ }}
	path := write(t, dir, "a.warc.gz", gzipped(t, records(2)))
	side := func() string {
		t.Helper()
		s, err := folder.Path(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first := side()
	if side() != first || begun != 1 {
		t.Errorf("unpacked %d times", begun)
	}
	write(t, dir, "a.warc.gz", gzipped(t, records(5)))
	if err := os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if side() != first || begun != 2 || count(t, first) != 5 {
		t.Errorf("after a change: unpacked %d times, %d records", begun, count(t, first))
	}
	if err := os.Mkdir(filepath.Join(dir, "other"), 0o755); err != nil {
		t.Fatal(err)
	}
	path = write(t, dir, "other/a.warc.gz", gzipped(t, records(1)))
	if other := side(); other == first || count(t, other) != 1 || count(t, first) != 5 {
		t.Error("two files of one name share an unpacked one")
	}
}

// What was made to fill a disk is given up.
func TestBombsAreNotUnpacked(t *testing.T) {
	dir := t.TempDir()
	folder := unpack.Folder{To: place(t, filepath.Join(dir, "side")), Storage: warc.Local{}, Most: 1 << 16}
	bomb := write(t, dir, "bomb.warc.gz", gzipped(t, append(records(2), make([]byte, 20<<20)...)))
	if _, err := folder.Path(t.Context(), bomb); err == nil || !strings.Contains(err.Error(), "bomb.warc.gz") ||
		!strings.Contains(err.Error(), "no archive packs so small") {
		t.Errorf("a bomb: %v", err)
	}
	if left, err := os.ReadDir(filepath.Join(dir, "side")); err != nil || len(left) > 0 {
		t.Errorf("it leaves %v, %v", left, err)
	}
	for over, ok := range map[int]bool{0: true, 1: false} {
		most := write(t, dir, "most.warc.gz", gzipped(t, append(records(2), make([]byte, 1<<16+over-len(records(2)))...)))
		if _, err := folder.Path(t.Context(), most); (err == nil) != ok {
			t.Errorf("%d bytes more than a copy may have: %v", over, err)
		}
	}
	for window, ok := range map[byte]bool{0x88: true, 0x90: false} { // of 128 MiB and 256 MiB (RFC 8878 §3.1.1.1.2), which a decoder holds
		second := zstandard(t, records(1))
		second[5] = window
		file := write(t, dir, "windows.warc.zst", append(zstandard(t, records(2)), second...))
		if _, err := folder.Path(t.Context(), file); (err == nil) != ok {
			t.Errorf("a window of %x: %v", window, err)
		}
	}
	small := write(t, dir, "small.warc.gz", gzipped(t, records(200)))
	if side, err := folder.Path(t.Context(), small); err != nil || count(t, side) != 200 {
		t.Errorf("a small file: %v", err)
	}
}

// A file that can't be unpacked is an error that names it, and leaves nothing behind. Other faults are left to the scan.
func TestFilesThatCannotBeUnpacked(t *testing.T) {
	dir, side, open := t.TempDir(), t.TempDir(), 0
	folder := unpack.Folder{To: place(t, side), Storage: counted{open: &open}}
	whole := gzipped(t, bytes.Repeat(records(2000), 3))
	cut := write(t, dir, "cut.warc.gz", whole[:len(whole)/2])
	if _, err := folder.Path(t.Context(), cut); err == nil || !strings.Contains(err.Error(), "cut.warc.gz") {
		t.Errorf("a file that is cut off: %v", err)
	}
	const method = 93 // zstd, which archive/zip has no decoder for
	var odd bytes.Buffer
	z := zip.NewWriter(&odd)
	_, err := z.CreateRaw(&zip.FileHeader{Name: "x.warc", Method: method, CompressedSize64: 0, UncompressedSize64: 9})
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	path := write(t, dir, "odd.wacz", odd.Bytes()) + "#x.warc"
	if _, err := folder.Path(t.Context(), path); err == nil || !strings.Contains(err.Error(), "x.warc") {
		t.Errorf("a member in another coding: %v", err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := folder.Path(stopped, write(t, dir, "a.warc.gz", gzipped(t, records(2)))); err == nil {
		t.Error("a run that was stopped goes on")
	}
	for _, path := range []string{filepath.Join(dir, "none.warc.gz"), write(t, dir, "b.wacz", []byte("no zip")) + "#x.warc"} {
		if got, err := folder.Path(t.Context(), path); got != path || err != nil {
			t.Errorf("%s: %s, %v", path, got, err)
		}
	}
	if left, err := os.ReadDir(side); err != nil || len(left) > 0 {
		t.Errorf("left over: %v %v", left, err)
	}
	if open != 0 {
		t.Errorf("%d files stay open", open)
	}
	blocked := unpack.Folder{To: place(t, cut), Storage: warc.Local{}}
	if _, err := blocked.Path(t.Context(), filepath.Join(dir, "a.warc.gz")); err == nil || !strings.Contains(err.Error(), "a.warc.gz") {
		t.Errorf("into a file instead of a folder: %v", err)
	}
}
