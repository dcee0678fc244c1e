package warc

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/growth"
)

// Heads of any shape must be read in time that grows no faster than their length.
func TestHeadsGrowWithTheirLength(t *testing.T) {
	for name, unit := range map[string]string{
		"folded lines": " x\r\n", "folded lines of nothing": " \r\n", "fields": "A: b\r\n", "lines without a colon": "x\r\n", "one value": "x",
		"colons": ":\r\n", "line ends": "\n", "returns": "\r",
	} {
		growth.Linear(t, name, func(n int) string {
			return "HTTP/1.1 200 OK\r\nA: b" + strings.Repeat(unit, min(n, maxHead/len(unit)-9))
		},
			func(in string) {
				if m, err := ParseHead(bufio.NewReader(strings.NewReader(in))); err == nil {
					m.Header.Get("Content-Type")
				}
			})
	}
}

// memoryFile is a stored file in memory.
type memoryFile struct{ *bytes.Reader }

func (memoryFile) Close() error { return nil }

// Files must be scanned in time that grows no faster than their length, whatever they contain.
func TestScanningGrowsWithTheFile(t *testing.T) {
	record := func(fields, block string) string {
		return fmt.Sprintf("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Date: 2010-01-01T00:00:00Z\r\nWARC-Target-URI: http://a.example/\r\n%s"+
			"Content-Length: %d\r\n\r\n%s\r\n\r\n", fields, len(block), block)
	}
	packed := func(s string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write([]byte(s))
		_ = z.Close()
		return b.String()
	}
	for name, units := range map[string][2]string{ // the name of a file, and what it has n of
		"records":          {"a.warc", record("", "x")},
		"members":          {"a.warc.gz", packed(record("", "x"))},
		"folds":            {"a.warc", record("A: b\r\n"+strings.Repeat(" c\r\n", 100), "")},
		"garbage":          {"a.warc", "garbage\r\n"},
		"heads cut off":    {"a.warc", "WARC/1.0\r\nWARC-Type: response\r\n"},
		"broken members":   {"a.warc.gz", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03xx"},
		"ARC lines":        {"a.arc", "http://a.example/ 1.1.1.1 20100101000000 text/plain 1\nx\n"},
		"long records":     {"a.warc", record("", strings.Repeat("x", 5000))},
		"lengths that lie": {"a.warc", strings.Replace(record("", "x"), "Content-Length: 1", "Content-Length: 9999999", 1)},
	} {
		growth.Linear(t, name, func(n int) []byte { return []byte(record("", "first") + strings.Repeat(units[1], n)) }, func(b []byte) {
			if strings.HasSuffix(units[0], ".gz") {
				b = append([]byte(packed(record("", "first"))), b[len(record("", "first")):]...)
			}
			for range Scan(t.Context(), memoryFile{bytes.NewReader(b)}, units[0], 0) {
			}
		})
	}
}

// All members of a WACZ are opened in time that grows no faster than their number.
func TestMembersGrowWithTheirNumber(t *testing.T) {
	growth.Linear(t, "members", func(n int) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for i := range n {
			w, err := z.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("archive/%d.warc", i), Method: zip.Store})
			if err == nil {
				_, err = w.Write([]byte("WARC/1.0\r\n\r\n"))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}, func(content []byte) {
		s := Remembering(oneFile{content: content})
		members, err := Members(t.Context(), s, "a.wacz")
		if err != nil || len(members) == 0 {
			t.Error(len(members), err)
		}
		for _, m := range members {
			f, err := Open(t.Context(), s, "a.wacz#"+m.Path)
			if err != nil {
				t.Error(err)
				return
			}
			f.Close()
		}
	})
}
