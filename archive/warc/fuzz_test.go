package warc

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

// Scan ends on any file, stays within the file, moves forwards, and yields only records and damage.
func FuzzScan(f *testing.F) {
	for _, tt := range damageTests {
		f.Add([]byte(strings.Join(tt.pieces, ""))[:min(4000, len(strings.Join(tt.pieces, "")))])
	}
	f.Add([]byte(skippableFrame(zstdDictionaryFrame, "abc") + zst(record("http://a/", "A"))))
	f.Add([]byte(record("http://a/", "A") + gz(record("http://b/", "B")) + zst(record("http://c/", "C"))))
	f.Fuzz(func(t *testing.T, file []byte) {
		_, _ = Detect(inMemory(file), "x.warc.gz")
		last := int64(-1)
		for rec, err := range Scan(context.Background(), inMemory(file), "x.warc.gz", 0) {
			var damage *Damage
			if err != nil && !errors.As(err, &damage) {
				t.Fatalf("neither record nor damage: %v", err)
			}
			if err != nil {
				if damage.Offset < 0 || damage.Offset > int64(len(file)) {
					t.Fatalf("damage outside of the file: %v", damage)
				}
				continue
			}
			if rec.Offset <= last || rec.Offset >= int64(len(file)) {
				t.Fatalf("record at %d after one at %d in a file of %d bytes", rec.Offset, last, len(file))
			}
			last = rec.Offset
			m, err := ParseHead(rec.Block)
			if err == nil {
				n, _ := io.Copy(io.Discard, Body(m, rec.Block))
				if n < 0 {
					t.Fatal(n)
				}
			}
			if length, _ := rec.Finish(); rec.Offset+length > int64(len(file)) {
				t.Fatalf("record at %d of %d bytes in a file of %d", rec.Offset, length, len(file))
			}
		}
	})
}

// A head takes up as many bytes as its Size says; the rest is left unread.
func FuzzParseHead(f *testing.F) {
	for _, s := range []string{
		"HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\nbody", "GET / HTTP/1.0\n\n", "ICY 200OK\r\n", "A: b\n<html>", "<html>", "HTTP/1.1\r\n\r\n",
		"HTTP", "",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, block []byte) {
		r := bufio.NewReader(bytes.NewReader(block))
		m, err := ParseHead(r)
		if err != nil {
			return
		}
		rest, err := io.ReadAll(r)
		if err != nil || m.Size < 0 || m.Size > len(block) || !bytes.Equal(rest, block[m.Size:]) {
			t.Fatalf("head of %d bytes, %d left of %d, %v", m.Size, len(rest), len(block), err)
		}
		if m.Status != 0 && (m.Status < 100 || m.Status > 999) {
			t.Fatalf("status %d", m.Status)
		}
		for _, field := range m.Header {
			if strings.Contains(field.Name+field.Value, "\n") {
				t.Fatalf("line end in field %q", field)
			}
		}
	})
}

// A properly coded body decodes to the original. Anything else ends without a panic, and without an error if only
// chunking is undone.
func FuzzBody(f *testing.F) {
	for _, s := range []string{
		"3\r\nabc\r\n0\r\n\r\n", "3\nabc\n0\nA: b\n\n", "ffffffffffffffff\r\n", "0\r\n", "3;a\r\nabcd", gz("abc"),
		br("abc"), zst("abc"), zlibbed("abc"),
	} {
		f.Add([]byte(s), "chunked", "gzip, br")
		f.Add([]byte(s), "gzip, chunked", "deflate")
		f.Add([]byte(s), "", "zstd")
	}
	f.Fuzz(func(t *testing.T, stored []byte, transfer, content string) {
		m := chunkedMessage(transfer)
		got, err := io.ReadAll(io.LimitReader(Body(m, bytes.NewReader(stored)), 1<<20))
		if transfer == "chunked" && (err != nil || len(got) > len(stored)) {
			t.Fatalf("%d bytes of %d, %v", len(got), len(stored), err)
		}
		if r, err := Decode(content, bytes.NewReader(got)); err == nil {
			_, _ = io.Copy(io.Discard, io.LimitReader(r, 1<<20))
		}
		if r, err := Decode("gzip", strings.NewReader(gz(string(stored)))); err != nil {
			t.Fatal(err)
		} else if back, err := io.ReadAll(r); err != nil || !bytes.Equal(back, stored) {
			t.Fatalf("%d bytes came back as %d, %v", len(stored), len(back), err)
		}
	})
}

// A parsed digest can be written and read again without change.
func FuzzParseDigest(f *testing.F) {
	f.Add("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ")
	f.Add("md5:d41d8cd98f00b204e9800998ecf8427e")
	f.Fuzz(func(t *testing.T, s string) {
		d, err := ParseDigest(s)
		if err != nil {
			return
		}
		if again, err := ParseDigest(d.String()); err != nil || again != d {
			t.Fatalf("%q: %v, then %v, %v", s, d, again, err)
		}
	})
}

func FuzzDates(f *testing.F) {
	for _, s := range []string{"2014-01-26T20:06:24.5+01:00", "2014", "99999-01-01", "20140126200624", "2014-1-6"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if ts, err := ParseDate(s); err == nil && !ts.Valid() {
			t.Fatalf("%q gives %d", s, ts)
		}
	})
}
