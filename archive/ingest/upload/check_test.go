package upload

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/varve-archive/varve/archive/warc"
)

// response is a record with a page.
func response(uri, body string) string {
	block := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2017-02-18T11:42:00Z\r\n"+
		"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\nContent-Type: application/http; msgtype=response\r\n"+
		"Content-Length: %d\r\n\r\n%s\r\n\r\n", uri, len(block), block)
}

// arcFile has a head and one page.
func arcFile() string {
	head := "1 0 test\nURL IP-address Archive-date Content-type Archive-length\n\n"
	page := "HTTP/1.1 200 OK\nContent-Type: text/html\n\n<p>an ARC"
	return fmt.Sprintf("filedesc://a.arc 0.0.0.0 20170218114200 text/plain %d\n%s\n"+
		"http://a.example/ 127.0.0.1 20170218114200 text/html %d\n%s\n",
		len(head), head, len(page), page)
}

func gz(records ...string) string {
	var b bytes.Buffer
	for _, r := range records {
		w := gzip.NewWriter(&b)
		_, _ = io.WriteString(w, r)
		_ = w.Close()
	}
	return b.String()
}

func zst(records ...string) string {
	w, err := zstd.NewWriter(nil)
	if err != nil {
		panic(err)
	}
	var b []byte
	for _, r := range records {
		b = w.EncodeAll([]byte(r), b)
	}
	return string(b)
}

// packed is a WACZ with members that are stored, or deflated.
func packed(method uint16, members map[string]string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, content := range members {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err != nil {
			panic(err)
		}
		_, _ = io.WriteString(w, content)
	}
	_ = z.Close()
	return b.String()
}

// overlapping is a WACZ of which many members are the same bytes: as small as one, as long to read as all.
func overlapping(content string, n int) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.CreateRaw(&zip.FileHeader{
		Name: "archive/0.warc.gz", Method: zip.Store, CRC32: crc32.ChecksumIEEE([]byte(content)),
		CompressedSize64: uint64(len(content)), UncompressedSize64: uint64(len(content)),
	})
	if err != nil {
		panic(err)
	}
	_, _ = io.WriteString(w, content)
	_ = z.Close()
	whole := b.Bytes()
	start := bytes.Index(whole, []byte("PK\x01\x02"))
	end := bytes.Index(whole, []byte("PK\x05\x06"))
	entry, tail := whole[start:end], bytes.Clone(whole[end:])
	out := bytes.Clone(whole[:start])
	for i := range n {
		out = append(out, bytes.Replace(entry, []byte("archive/0"), fmt.Appendf(nil, "archive/%c", 'a'+i), 1)...)
	}
	size := n * len(entry)
	tail[8], tail[10] = byte(n), byte(n)
	for i := range 4 {
		tail[12+i] = byte(size >> (8 * i))
	}
	return string(append(out, tail...))
}

func write(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), ".incoming-x-1")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCheck(t *testing.T) {
	one, two := response("http://a.example/b", "<p>one"), response("http://a.example/", "<p>two")
	cut := func(s string, n int) string { return s[:len(s)-n] }
	for _, tt := range []struct {
		name, content    string
		format           warc.Format
		records, damaged int
		refused          string // part of the reason
	}{
		{name: "a WARC", content: one + two, format: warc.WARC, records: 2},
		{name: "compressed record by record", content: gz(one, two), format: warc.WARCGzip, records: 2},
		{name: "with zstd", content: zst(one, two), format: warc.WARCZstd, records: 2},
		{name: "an ARC", content: arcFile(), format: warc.ARC, records: 2},
		{name: "an ARC of its head alone", content: arcFile()[:strings.Index(arcFile(), "http://")], format: warc.ARC, records: 1},
		{name: "a WACZ", content: packed(zip.Store, map[string]string{"archive/a.warc.gz": gz(one, two)}), format: warc.WACZ, records: 2},
		{name: "cut off in its last record", content: cut(one+two, 10), format: warc.WARC, records: 1, damaged: 1},
		{name: "compressed and cut off", content: cut(gz(one, two), 30), format: warc.WARCGzip, records: 1, damaged: 1},
		{name: "garbage between records", content: gz(one) + strings.Repeat("junk", 9) + gz(two), format: warc.WARCGzip, records: 2, damaged: 1},

		{name: "nothing", content: "", refused: "empty"},
		{
			name: "a WACZ of WACZs", format: warc.WACZ, records: 2,
			content: packed(zip.Store, map[string]string{"a.wacz": packed(zip.Store, map[string]string{"archive/a.warc.gz": gz(one, two)})}),
		},
		{name: "a page", content: "<!doctype html><p>WARC/1.0", refused: "neither WARC, ARC nor WACZ"},
		{name: "a program", content: "\x7fELF" + strings.Repeat("\x00", 5000), refused: "neither WARC, ARC nor WACZ"},
		{name: "an archive of something else", content: gz("not a record"), refused: "neither WARC, ARC nor WACZ"},
		{name: "an index", content: " CDX N b a m s k r M S V g\n" +
			"example,a)/ 20170218114200 http://a.example/ text/html 200 X - - 1 0 a.warc\n", refused: "an index"},
		{name: "only the beginning of a record", content: one[:60], refused: "no record in it can be read"},
		{name: "compressed as a whole", content: gz(one + two), refused: "one stream"},
		{name: "a ZIP of something else", content: packed(zip.Store, map[string]string{"a.txt": "a"}), refused: "holds no WARC file"},
		{
			name: "a WACZ cut off", content: cut(packed(zip.Store, map[string]string{"archive/a.warc.gz": gz(one)}), 30),
			refused: "can't be read as a WACZ",
		},
		{name: "a deflated WACZ", content: packed(zip.Deflate, map[string]string{"archive/a.warc": one}), refused: "deflated"},
		{
			name: "a member that is no WARC", content: packed(zip.Store, map[string]string{"archive/a.warc": "x"}),
			refused: `"archive/a.warc" is neither`,
		},
		{name: "members over one another", content: overlapping(gz(one, two), 9), refused: "over one another"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var read atomic.Int64
			path := write(t, tt.content)
			got, err := Check(t.Context(), path, &read)
			var refusal *Refusal
			switch {
			case tt.refused != "":
				if !errors.As(err, &refusal) || !strings.Contains(refusal.Reason, tt.refused) {
					t.Fatalf("%v, want one with %q", err, tt.refused)
				}
				if strings.Contains(err.Error(), "incoming") || strings.Contains(err.Error(), filepath.Dir(path)) {
					t.Errorf("it names what is on this machine: %v", err)
				}
				return
			case err != nil:
				t.Fatal(err)
			}
			if got.Format != tt.format || got.Records != tt.records || got.Damaged != tt.damaged || len(got.Problems) != tt.damaged {
				t.Errorf("%+v", got)
			}
			if tt.format != warc.WACZ && read.Load() != int64(len(tt.content)) {
				t.Errorf("%d of %d bytes were read", read.Load(), len(tt.content))
			}
		})
	}
}

// Of a file with very much damage only the first places are listed, and one with more than that is refused. Errors that are no damage
// end the check.
func TestDamageIsCounted(t *testing.T) {
	c := checker{report: &Report{}}
	for i := range maxDamaged {
		if err := c.damage(fmt.Errorf("a: %w", &warc.Damage{Offset: int64(i), Reason: "bad"}), "m"); err != nil {
			t.Fatal(i, err)
		}
	}
	if r := c.report; r.Damaged != maxDamaged || len(r.Problems) != maxProblems || r.Problems[1] != (Problem{"m", 1, "bad"}) {
		t.Errorf("%d places, listed %v", r.Damaged, r.Problems)
	}
	var refusal *Refusal
	if err := c.damage(&warc.Damage{}, ""); !errors.As(err, &refusal) || refusal.Why != "many-damaged" {
		t.Errorf("one more: %v", err)
	}
	if err := c.damage(io.ErrUnexpectedEOF, ""); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("an error of the disk: %v", err)
	}
}

// What a file unpacks to is bounded by its size, whatever is in it.
func TestBombsAreRefused(t *testing.T) {
	bomb := gz(response("http://a.example/", "small"), response("http://a.example/b", strings.Repeat("\x00", 16<<20)))
	for name, content := range map[string]string{
		"a WARC": bomb, "in a WACZ": packed(zip.Store, map[string]string{"archive/a.warc.gz": bomb}),
		"zstd": zst(response("http://a.example/", "small"), response("http://a.example/b", strings.Repeat("\x00", 16<<20))),
		"in heads": gz(response("http://a.example/", "small")) + strings.Repeat(
			gz("WARC/1.0\r\nWARC-Type: metadata\r\nWARC-Date: 2017-02-18T11:42:00Z\r\nX: "+
				strings.Repeat("y", 900<<10)+"\r\nContent-Length: 0\r\n\r\n\r\n\r\n"), 20),
	} {
		_, err := check(t.Context(), write(t, content), new(atomic.Int64), 1<<20)
		var refusal *Refusal
		if !errors.As(err, &refusal) || !strings.Contains(refusal.Reason, "times its size") {
			t.Errorf("%s of %d bytes: %v", name, len(content), err)
		}
		if _, err := check(t.Context(), write(t, content), new(atomic.Int64), 1<<30); err != nil {
			t.Errorf("%s, of a size that is usual: %v", name, err) // or else the test sees nothing
		}
	}
}

// The list of the members of a WACZ is bounded before it is in memory.
func TestLongListsOfMembersAreRefused(t *testing.T) {
	budget := int64(1000)
	f, err := singleFile{path: write(t, strings.Repeat("x", 5000)), budget: &budget}.Open(t.Context(), "any")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b := make([]byte, 500)
	for range 2 {
		if _, err := f.ReadAt(b, 0); err != nil {
			t.Error(err)
		}
	}
	if _, err := f.ReadAt(b[:1], 600); !errors.Is(err, errDirectory) {
		t.Errorf("the third read: %v", err)
	}
}

func TestPagesToBeginWith(t *testing.T) {
	var records []string
	long := "http://c.example/" + strings.Repeat("x", 2_000-len("http://c.example/"))
	records = append(records, response(long, "x"), response(long+"x", "x"),
		strings.Replace(response("http://c.example/", "x"), "WARC-Type: response", "WARC-Type: request", 1),
		strings.Replace(response("http://c.example/", "x"), "text/html", "text/plain", 1))
	for i := range 9 {
		records = append(records, response(fmt.Sprintf("http://a.example/%d", i), "x"))
	}
	records = append(records, response("http://b.example/", "x"), response("http://b.example/", "y"),
		response("http://a.example/", "x"), strings.Replace(response("http://c.example/", "x"), "200 OK", "404 No", 1))
	got, err := Check(t.Context(), write(t, strings.Join(records, "")), new(atomic.Int64))
	if err != nil {
		t.Fatal(err)
	}
	var uris []string
	for _, p := range got.Pages {
		uris = append(uris, p.URIR)
	}
	want := "http://b.example/ http://a.example/ " + long + " http://a.example/0 http://a.example/1"
	if strings.Join(uris, " ") != want {
		t.Errorf("%v, want %s", uris, want)
	}
}

func TestCheckEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	path := write(t, strings.Repeat(response("http://a.example/", "x"), 1000))
	if _, err := Check(ctx, path, new(atomic.Int64)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Any bytes are taken or refused: nothing else happens to them.
func FuzzCheck(f *testing.F) {
	one := response("http://a.example/", "<p>one")
	for _, s := range []string{
		one, gz(one, one), zst(one), arcFile(), packed(zip.Store, map[string]string{"archive/a.warc.gz": gz(one)}),
		overlapping(gz(one), 3), "PK\x03\x04",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		if len(content) > 1<<16 {
			return
		}
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := check(t.Context(), path, new(atomic.Int64), 1<<22)
		var refusal *Refusal
		switch {
		case err != nil && !errors.As(err, &refusal):
			t.Errorf("neither taken nor refused: %v", err)
		case err == nil && (got.Records == 0 || extensionOf(got.Format) == ""):
			t.Errorf("taken: %+v", got)
		}
	})
}
