package warc

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/cdx"
)

// A record is passed on as it is stored, or without its compression, and the records before it are found.
func TestStoredRecords(t *testing.T) {
	t.Parallel()
	plainly := func(s string) string { return s }
	packed := func(s string) string { return zst(s) }
	message := "HTTP/1.1 200 OK\r\n\r\na page"
	first, second := record("http://a.example/1", message), record("http://a.example/2", message)
	bare := strings.Replace(second, "\r\n\r\nHTTP", "\n\nHTTP", 1)
	arc := "filedesc://x.arc 0.0.0.0 20100101000000 text/plain 5\n1 0 a\n\n"
	for _, tt := range []struct {
		name          string
		pack          func(string) string
		first, second string
		isPacked, gz  bool
	}{
		{"plain", plainly, first, second, false, false},
		{"plain, with bare line ends", plainly, first, bare, false, false},
		{"gzip", gz, first, second, true, true},
		{"zstd", packed, first, second, true, false},
		{"ARC", gz, arc, "http://a.example/2 1.2.3.4 20140101000000 text/html 5\nhello\n", true, true},
	} {
		file := tt.pack(tt.first) + tt.pack(tt.second)
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		s := NewStore(func(id cdx.FileID) (string, bool) { return path, id == 7 })
		defer s.Close()
		if e, err := s.Stat(t.Context(), 7); err != nil || e.Size != int64(len(file)) {
			t.Errorf("%s: %+v, %v", tt.name, e, err)
		}
		if _, err := s.Stat(t.Context(), 8); !errors.Is(err, ErrFileMissing) {
			t.Errorf("%s: an unknown file: %v", tt.name, err)
		}
		lost := NewStore(func(cdx.FileID) (string, bool) { return filepath.Join(filepath.Dir(path), "lost"), true })
		if _, err := lost.Stat(t.Context(), 7); !errors.Is(err, ErrFileMissing) || strings.Contains(err.Error(), filepath.Dir(path)) {
			t.Errorf("%s: a file that is gone: %v", tt.name, err)
		}
		at := int64(len(tt.pack(tt.first)))
		get := func() *Record {
			rec, err := s.Record(t.Context(), cdx.Location{File: 7, Offset: at})
			if err != nil {
				t.Fatal(tt.name, err)
			}
			return rec
		}
		rec := get()
		if _, err := rec.Finish(); err != nil {
			t.Fatal(tt.name, err)
		}
		offsets, err := rec.Before()
		if err != nil || !slices.Equal(offsets, []int64{0}) || rec.Packed() != tt.isPacked || rec.Gzipped() != tt.gz {
			t.Errorf("%s: records before it at %v, packed %t, by gzip %t, %v", tt.name, offsets, rec.Packed(), rec.Gzipped(), err)
		}
		if got := readAll(t, rec.Stored()); got != strings.TrimRight(file[at:], "\r\n") && got != file[at:] || tt.isPacked && got != file[at:] {
			t.Errorf("%s: stored as %q, want %q", tt.name, got, file[at:])
		}
		rec.Close()
		rec = get()
		var out strings.Builder
		if err := rec.Unpack(&out); err == nil == (tt.name == "ARC") || err == nil && out.String() != tt.second {
			t.Errorf("%s: unpacked as %q, %v", tt.name, out.String(), err)
		}
		rec.Close()
	}
}
