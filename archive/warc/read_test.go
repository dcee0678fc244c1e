package warc

import (
	"archive/zip"
	"bufio"
	"bytes"
	"crypto/sha512"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/varve-archive/varve/cdx"
)

func TestScanReadsEachPacking(t *testing.T) {
	a, b := record("http://a/", "AAA"), record("http://b/", strings.Repeat("B", 100000))
	filedesc := "filedesc://x.arc 0.0.0.0 20040101000000 text/plain 10\n1 1 IA\nabc\n"
	arc := "http://a/ 1.2.3.4 20040101000000 text/html 3\nAAA\n"
	dict := trainedDictionary(t)
	withDict := func(s string) string { return zst(s, zstd.WithEncoderDict(dict)) }
	for _, tt := range []struct {
		name   string
		pieces []string
		want   []string
	}{
		{"plain WARC", []string{a, b}, []string{"http://a/ at @0, block of 3", "http://b/ at @1, block of 100000"}},
		{
			"line ends of LF alone",
			[]string{strings.ReplaceAll(a, "\r", ""), strings.ReplaceAll(b, "\r", "")},
			[]string{"http://a/ at @0, block of 3", "http://b/ at @1, block of 100000"},
		},
		{"gzip", []string{gz(a), gz(b)}, []string{"http://a/ at @0, block of 3", "http://b/ at @1, block of 100000"}},
		{"zstd", []string{zst(a), zst(b)}, []string{"http://a/ at @0, block of 3", "http://b/ at @1, block of 100000"}},
		{
			"zstd with a block that is one byte, repeated",
			[]string{zst(record("http://a/", strings.Repeat("A", 300_000))), zst(b)},
			[]string{"http://a/ at @0, block of 300000", "http://b/ at @1, block of 100000"},
		},
		{"zstd with a large window", []string{windowed(a, 0x88)}, []string{"http://a/ at @0, block of 3"}},
		{"zstd with a dictionary of other bytes", []string{
			skippableFrame(zstdDictionaryFrame, "WARC/1.1"), zst(a, zstd.WithEncoderDictRaw(0, []byte("WARC/1.1"))),
		}, []string{"http://a/ at @1, block of 3"}},
		{
			"zstd with a dictionary",
			[]string{skippableFrame(zstdDictionaryFrame, string(dict)), withDict(a), withDict(b)},
			[]string{"http://a/ at @1, block of 3", "http://b/ at @2, block of 100000"},
		},
		{
			"zstd with a compressed dictionary, and padding",
			[]string{skippableFrame(zstdDictionaryFrame, zst(string(dict))), withDict(a), skippableFrame(zstdSkippable, "x"), withDict(b)},
			[]string{"http://a/ at @1, block of 3", "http://b/ at @3, block of 100000"},
		},
		{
			"plain ARC",
			[]string{filedesc, arc, arc},
			[]string{"filedesc://x.arc at @0, block of 10", "http://a/ at @1, block of 3", "http://a/ at @2, block of 3"},
		},
		{
			"gzipped ARC",
			[]string{gz(filedesc), gz(arc), gz(arc)},
			[]string{"filedesc://x.arc at @0, block of 10", "http://a/ at @1, block of 3", "http://a/ at @2, block of 3"},
		},
		{"an empty file", nil, nil},
		{"empty lines", []string{"\r\n\r\n", a, "\r\n\n", a, "\n\n"}, []string{"http://a/ at @1, block of 3", "http://a/ at @3, block of 3"}},
		{
			"an angle-bracketed URI and a short date",
			[]string{gz(recordWith("warc-target-uri: <http://a/>\r\nWARC-DATE: 2014-01\r\ncontent-length: 0", ""))},
			[]string{"http://a/ at @0, block of 0"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := placed(tt.pieces, tt.want)
			file := strings.Join(tt.pieces, "")
			if diff := cmp.Diff(want, walk(t, file, "x")); diff != "" {
				t.Errorf("want (-), got (+):\n%s", diff)
			}
			checkStore(t, file, want)
		})
	}
}

// windowed returns a zstd frame that asks for a window: 0x88 is 128 MiB (RFC 8878 §3.1.1.1.2).
func windowed(s string, window byte) string {
	var b bytes.Buffer
	w, _ := zstd.NewWriter(&b, zstd.WithSingleSegment(false))
	_, _ = io.WriteString(w, s)
	_ = w.Close()
	frame := b.Bytes()
	frame[5] = window
	return string(frame)
}

// placed replaces "@1" with the offset of piece 1.
func placed(pieces, lines []string) []string {
	offset, places := 0, []string{}
	for i, p := range pieces {
		places = append(places, fmt.Sprintf("@%d", i), fmt.Sprint(offset))
		offset += len(p)
	}
	at := strings.NewReplacer(places...)
	var placed []string
	for _, line := range lines {
		placed = append(placed, at.Replace(line))
	}
	return placed
}

// checkStore reads each record that Scan found, the last one first.
func checkStore(t *testing.T, file string, want []string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	s := NewStore(func(cdx.FileID) (string, bool) { return path, true })
	defer s.Close()
	for i := len(want) - 1; i >= 0; i-- {
		var uri string
		var offset, size int64
		if _, err := fmt.Sscanf(want[i], "%s at %d, block of %d", &uri, &offset, &size); err != nil {
			t.Fatal(err)
		}
		rec, err := s.Record(t.Context(), cdx.Location{Offset: offset})
		if err != nil {
			t.Errorf("Store: %v", err)
			continue
		}
		n, err := io.Copy(io.Discard, rec.Block)
		if rec.TargetURI != uri || n != size || err != nil {
			t.Errorf("Store at %d: %s, %d bytes, %v, want %s", offset, rec.TargetURI, n, err, want[i])
		}
		rec.Close()
	}
}

func trainedDictionary(t *testing.T) []byte {
	t.Helper()
	var samples [][]byte
	for i := range 200 {
		samples = append(samples, []byte(record(fmt.Sprintf("http://a/%d", i), strings.Repeat(fmt.Sprint(i), i))))
	}
	dict, err := zstd.BuildDict(zstd.BuildDictOptions{
		ID: 1234, Contents: samples, History: bytes.Join(samples[:20], nil),
		Offsets: [3]int{1, 4, 8},
	})
	if err != nil {
		t.Fatal(err)
	}
	return dict
}

func TestLengthLeadsToTheNextRecord(t *testing.T) {
	a := record("http://a/", "AAA")
	for name, pieces := range map[string][]string{
		"plain": {a, a, a}, "gzip": {gz(a), gz(a), gz(a)}, "zstd": {zst(a), zst(a), zst(a)},
	} {
		t.Run(name, func(t *testing.T) {
			end := int64(0)
			for rec, err := range Scan(t.Context(), inMemory([]byte(strings.Join(pieces, ""))), "x", 0) {
				if err != nil {
					t.Fatal(err)
				}
				if rec.Offset != end {
					t.Errorf("record at %d, the one before ended at %d", rec.Offset, end)
				}
				length, err := rec.Finish() // although none of the block has been read
				if err != nil || length != rec.Length {
					t.Errorf("length is %d and %d, %v", length, rec.Length, err)
				}
				end += length
				if name == "plain" {
					end += int64(len("\r\n\r\n")) // not counted in index lines
				}
			}
			if end != int64(len(strings.Join(pieces, ""))) {
				t.Errorf("lengths sum up to %d", end)
			}
		})
	}
}

func TestScanFromAnOffset(t *testing.T) {
	a, b := gz(record("http://a/", "A")), gz(record("http://b/", "B"))
	for rec, err := range Scan(t.Context(), inMemory([]byte(a+b)), "x", int64(len(a))) {
		if err != nil || rec.TargetURI != "http://b/" {
			t.Errorf("got %v, %v", rec, err)
		}
	}
}

func TestARCRecordsAreGivenAsWARCRecords(t *testing.T) {
	file := "dns:a.org 1.2.3.4 20040102030405 text/dns 3\nDNS\n" +
		"http://a.org/x y 1.2.3.4 200401020304 text/html; charset=utf-8 200 - - 0 f.arc 3\nABC\n" +
		"http://a.org/caf\xe9 1.2.3.4 20040102030406 text/html 3\nABC\n"
	var got []Record
	for rec, err := range Scan(t.Context(), inMemory([]byte("filedesc://x 0.0.0.0 20040101000000 text/plain 0\n\n"+file)), "x", 0) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, Record{
			Type: rec.Type, TargetURI: rec.TargetURI, Date: rec.Date, Version: rec.Version,
			Header: append(Fields{}, rec.Header...),
		})
	}
	want := []Record{
		{Type: "warcinfo", TargetURI: "filedesc://x", Date: 20040101000000, Version: "ARC"},
		{Type: "response", TargetURI: "dns:a.org", Date: 20040102030405, Version: "ARC"},
		{Type: "response", TargetURI: "http://a.org/x y", Date: 20040102030400, Version: "ARC"},
		{Type: "response", TargetURI: "http://a.org/caf%E9", Date: 20040102030406, Version: "ARC"},
	}
	for i := range got {
		content := [...]string{"text/plain", "text/dns", "application/http; msgtype=response", "application/http; msgtype=response"}[i]
		if c := got[i].Header.Get("content-type"); c != content {
			t.Errorf("Content-Type %q, want %q", c, content)
		}
		if i == 2 && got[i].Header.Get("WARC-IP-Address") != "1.2.3.4" {
			t.Errorf("header is %v", got[i].Header)
		}
		got[i].Header = nil
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(Record{}, Block{})); diff != "" {
		t.Errorf("want (-), got (+):\n%s", diff)
	}
}

func TestDates(t *testing.T) {
	for in, want := range map[string]string{
		"2014-01-26T20:06:24Z":             "20140126200624",
		"2014-01-26T20:06:24.123456Z":      "20140126200624",
		"2014-01-26T20:06:24,5Z":           "20140126200624",
		"2014-01-26 20:06:24":              "20140126200624",
		"2014-01-26t20:06:24z":             "20140126200624",
		"2014-01-26T20:06:24+01:00":        "20140126190624",
		"2014-01-26T20:06-0530":            "20140127013600",
		"2014-01-26T20:06Z":                "20140126200600",
		"2014-01-26 20:06:24 UTC":          "20140126200624",
		"2014-01-26 20:06:24 -00:30":       "20140126203624",
		"2014-01-26T20":                    "20140126200000",
		"2014-01-26":                       "20140126000000",
		"2014-1-6":                         "20140106000000",
		"2014-01":                          "20140101000000",
		"2014":                             "20140101000000",
		"20140126200624":                   "20140126200624",
		"201401262006":                     "20140126200600",
		"2016-12-31T23:59:60Z":             "20161231235959",
		"99999-13-45T99:99:99Z":            "error",
		"2014-02-30T00:00:00Z":             "error",
		"2008-10-294T04:53:45-0700":        "20081020115345", // the day of the year
		"2009-03-82T07:34:44-0700":         "20090323143444",
		"2009-02-32T00:00:00Z":             "20090201000000",
		"2009-03-32T00:00:00Z":             "error", // in February
		"2009-12-366T00:00:00Z":            "error",
		"2008-02-400T00:00:00Z":            "error", // in the February after
		"2008-12-366T00:00:00Z":            "20081231000000",
		"2008-10-294":                      "error", // without the time
		"2008/10-294T04:53:45Z":            "error",
		"2008-10/294T04:53:45Z":            "error",
		"2014T20:06:24Z":                   "error",
		"2014-13-01":                       "error",
		"0000-01-01":                       "error",
		"20140126200624123":                "20140126200624", // milliseconds
		"20140126200624123456789":          "20140126200624",
		"201401262006241234567890":         "error",
		"2014/01/26 20:06:24":              "20140126200624",
		"Sun, 26 Jan 2014 20:06:24 GMT":    "20140126200624",
		"Sunday, 26-Jan-14 20:06:24 GMT":   "20140126200624",
		"Sun Jan 26 20:06:24 2014":         "20140126200624",
		"26 Jan 2014 20:06:24 +0100":       "20140126190624",
		"01/02/2014":                       "error", // the first of February, or the second of January
		"now":                              "error",
		"-":                                "error",
		"2014-01-26T20:06:24Z and so on":   "20140126200624",
		strings.Repeat("9", 1<<16) + "-01": "error",
	} {
		ts, err := ParseDate(in)
		got := ts.String()
		if err != nil {
			got = "error"
			if len(err.Error()) > 100 {
				t.Errorf("error of %d bytes", len(err.Error()))
			}
		}
		if got != want {
			t.Errorf("%.60s: got %s (%v), want %s", in, got, err, want)
		}
	}
}

func TestDetect(t *testing.T) {
	a := record("http://a/", "A")
	arc := "filedesc://x 0.0.0.0 20040101000000 text/plain 0\n\n"
	cdxj := "org,example)/ 20140126200624 {\"url\": \"http://example.org/\"}\n"
	head, block, _ := strings.Cut(a, "\r\n\r\n")
	head += "\r\n\r\n"
	cdx11 := "org,example)/ 20140126200624 http://example.org/ text/html 200 ABC - - 123 456 x.warc.gz\n"
	for _, tt := range []struct {
		name, file, content string
		want                Format
		err                 error
	}{
		{"WARC", "x", a, WARC, nil},
		{"gzipped WARC whatever its name", "x.arc", gz(a), WARCGzip, nil},
		{"gzipped WARC behind an empty member", "x", gz("") + gz(a), WARCGzip, nil},
		{"WARC in zstd", "x", zst(a), WARCZstd, nil},
		{"WARC in zstd behind a skippable frame", "x", skippableFrame(zstdSkippable, "abc") + zst(a), WARCZstd, nil},
		{"ARC", "x", arc, ARC, nil},
		{"gzipped ARC", "x", gz(arc), ARCGzip, nil},
		{"WACZ", "x", "PK\x03\x04....", WACZ, nil},
		{"CDXJ", "x", cdxj, CDXJ, nil},
		{"CDXJ behind metadata", "x", "!meta {}\n" + cdxj, CDXJ, nil},
		{"gzipped CDXJ", "x", gz(cdxj), CDXJGzip, nil},
		{"CDX with its line of names", "x", " CDX N b a m s k r M S V g\n" + cdx11, CDX, nil},
		{"CDX without", "x", cdx11, CDX, nil},
		{"gzipped CDX", "x", gz(cdx11), CDXGzip, nil},
		{"ZipNum index", "x", "org,example)/ 20140126200624\tpart-0.gz\t0\t276\t1\n", ZipNum, nil},
		{"an empty file goes by its name", "x.warc.gz", "", WARCGzip, nil},
		{"an empty WACZ too", "x.wacz", "", WACZ, nil},
		{"a damaged file goes by its name", "x.WARC.gz", "rubbish" + gz(a), WARCGzip, nil},
		{"rubbish without such a name", "x.txt", "rubbish", Unknown, errAny},
		{"an empty file without such a name", "x", "", Unknown, errAny},
		{"one gzip stream over several records", "x.warc.gz", gz(a + a), WARCGzip, ErrNotRecordCompressed},
		{
			"one gzip stream over several ARC records", "x.arc.gz", gz(arc + "http://a/ 1.2.3.4 20040101000000 text/html 1\nA\n"), ARCGzip,
			ErrNotRecordCompressed,
		},
		{"one zstd frame over several records", "x", zst(a + a), WARCZstd, ErrNotRecordCompressed},
		{"a record, then one stream over several", "x.warc.gz", gz(a) + gz(a+a), WARCGzip, ErrNotRecordCompressed},
		{"three records, then one stream over several", "x.warc.gz", gz(a) + gz(a) + gz(a) + gz(a+a), WARCGzip, nil},
		{"members that end within records", "x", gz(a[:len(a)-9]) + gz(a[len(a)-9:]+a[:20]) + gz(a[20:]), WARCGzip, ErrNotRecordCompressed},
		{"heads and blocks in members of their own", "x", gz(head) + gz(block) + gz(head) + gz(block), WARCGzip, ErrNotRecordCompressed},
		{"a member that ends within a head", "x", gz(a[:20]) + gz("") + gz(a[20:]), WARCGzip, ErrNotRecordCompressed},
		{"frames that end within records", "x", zst(a[:len(a)-9]) + zst(a[len(a)-9:]), WARCZstd, ErrNotRecordCompressed},
		{"a record that is too short, then another", "x.warc.gz", gz(head) + gz(a), WARCGzip, nil},
		{"a record that is too short, then rubbish", "x.warc.gz", gz(head) + "rubbish", WARCGzip, nil},
		{"line ends before a record and in members of their own", "x", gz("\r\n") + gz("\n"+a) + gz("\n"), WARCGzip, nil},
		{"line ends in members of their own", "x.warc.gz", gz(strings.TrimSpace(a)) + gz("\r\n\r\n") + gz(a), WARCGzip, nil},
		{
			"one stream over records whose lengths are wrong", "x", gz(strings.Repeat(strings.ReplaceAll(a, "Length: 1", "Length: 9"), 3)),
			WARCGzip, ErrNotRecordCompressed,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Detect(inMemory([]byte(tt.content)), tt.file)
			if got != tt.want || (err == nil) != (tt.err == nil) || tt.err != errAny && !errors.Is(err, tt.err) {
				t.Errorf("got %v, %v, want %v, %v", got, err, tt.want, tt.err)
			}
		})
	}
}

var errAny = errors.New("any")

// A WACZ that holds others, as crawling services pack all files of a crawl, is read like these.
func TestWACZInAWACZ(t *testing.T) {
	pack := func(method uint16, members ...string) string {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for i := 0; i < len(members); i += 2 {
			w, err := z.CreateHeader(&zip.FileHeader{Name: members[i], Method: method})
			if err != nil {
				t.Fatal(err)
			}
			_, _ = io.WriteString(w, members[i+1])
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	first := pack(zip.Store, "archive/a.warc.gz", gz(record("http://a/", "A")), "archive/b.warc.gz", gz(record("http://b/", "B")))
	second := pack(zip.Store, "archive/a.warc.gz", gz(record("http://c/", "C")))
	path := filepath.Join(t.TempDir(), "all.wacz")
	put := func(content string) {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(pack(zip.Store, "datapackage.json", "{}", "1.wacz", first, "crawls/2.WACZ", second, "deep.wacz", pack(zip.Store, "3.wacz", second)))
	members, err := Members(t.Context(), Local{}, path)
	want := []string{"1.wacz#archive/a.warc.gz", "1.wacz#archive/b.warc.gz", "crawls/2.WACZ#archive/a.warc.gz"}
	if diff := cmp.Diff(want, paths(members)); diff != "" || err != nil {
		t.Fatalf("%v, %s", err, diff)
	}
	s := NewStore(func(id cdx.FileID) (string, bool) { return path + "#" + members[id].Path, true })
	defer s.Close()
	for id, uri := range []string{"http://a/", "http://b/", "http://c/"} {
		rec, err := s.Record(t.Context(), cdx.Location{File: cdx.FileID(id)})
		if err != nil || rec.TargetURI != uri {
			t.Fatalf("%s: got %v, %v, want %s", members[id].Path, rec, err, uri)
		}
		rec.Close()
	}
	if _, err := Open(t.Context(), Local{}, path+"#none.wacz#a.warc"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a WACZ that isn't there: %v", err)
	}
	put(pack(zip.Store, "1.wacz", first, "1.wacz", second)) // of the second one no member can be opened
	members, err = Members(t.Context(), Local{}, path)
	if err == nil || !strings.Contains(err.Error(), `has two members "1.wacz"`) || !slices.Equal(paths(members), want[:2]) {
		t.Errorf("two of one name: %v, %v", members, err)
	}
	for content, want := range map[string]string{
		pack(zip.Deflate, "1.wacz", first, "a.warc", "x"):   `all.wacz: member "1.wacz" is deflated: store it without`,
		pack(zip.Store, "1.wacz", "rubbish", "a.warc", "x"): "all.wacz: 1.wacz: not a readable WACZ: zip: not a valid zip file",
	} {
		put(content)
		members, err := Members(t.Context(), Local{}, path)
		if err == nil || !strings.HasPrefix(err.Error(), want) || !slices.Equal(paths(members), []string{"a.warc"}) {
			t.Errorf("got %v, %v, want a.warc and %s", members, err, want)
		}
	}
}

func TestWACZIsReadInPlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a#b.WACZ")
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, m := range []struct {
		name    string
		method  uint16
		content string
	}{
		{"datapackage.json", zip.Deflate, "{}"},
		{"archive/data.warc.gz", zip.Store, gz(record("http://a/", "A"))},
		{"archive/deflated.warc", zip.Deflate, record("http://b/", "B")},
	} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: m.name, Method: m.method})
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(w, m.content)
	}
	if err := errors.Join(z.Close(), os.WriteFile(path, b.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	members, err := Members(t.Context(), Local{}, path)
	if diff := cmp.Diff([]string{"archive/data.warc.gz", "archive/deflated.warc"}, paths(members)); diff != "" || err != nil {
		t.Fatalf("%v, %s", err, diff)
	}
	s := NewStore(func(cdx.FileID) (string, bool) { return path + "#" + members[0].Path, true })
	defer s.Close()
	rec, err := s.Record(t.Context(), cdx.Location{})
	if err != nil || rec.TargetURI != "http://a/" {
		t.Fatalf("got %v, %v", rec, err)
	}
	rec.Close()
	for member, want := range map[string]string{
		members[1].Path: `a#b.WACZ: member "archive/deflated.warc" is deflated; only stored members can be read in place ` +
			"(varve index --unpack DIR writes it once more, unpacked): unsupported operation",
		"nothing": `a#b.WACZ: has no member "nothing": file does not exist`,
	} {
		if _, err := Open(t.Context(), Local{}, path+"#"+member); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestStoreNoticesAReplacedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.warc.gz")
	s := NewStore(func(cdx.FileID) (string, bool) { return path, true })
	defer s.Close()
	for i, uri := range []string{"http://a/", "http://b/", "http://c/"} {
		if err := os.WriteFile(path+".new", []byte(gz(record(uri, "A"))), 0o600); err != nil {
			t.Fatal(err)
		}
		stamp := time.Unix(1e9+int64(i), 0)
		if err := errors.Join(os.Chtimes(path+".new", stamp, stamp), os.Rename(path+".new", path)); err != nil {
			t.Fatal(err)
		}
		rec, err := s.Record(t.Context(), cdx.Location{})
		if err != nil || rec.TargetURI != uri {
			t.Fatalf("got %v, %v, want %s", rec, err, uri)
		}
		rec.Close()
	}
}

func TestStoreServesManyAtOnce(t *testing.T) {
	dir := t.TempDir()
	const files = maxOpenFiles + 20 // so that files are closed while others are read
	for i := range files {
		content := gz(record(fmt.Sprintf("http://%d/", i), strings.Repeat(fmt.Sprint(i), 5000)))
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := NewStore(func(id cdx.FileID) (string, bool) { return filepath.Join(dir, fmt.Sprint(id)), true })
	var readers sync.WaitGroup
	for worker := range 8 {
		readers.Go(func() {
			for i := range files {
				id := (i*7 + worker*31) % files
				rec, err := s.Record(t.Context(), cdx.Location{File: cdx.FileID(id)})
				if err != nil {
					t.Error(err)
					return
				}
				body, err := io.ReadAll(rec.Block)
				if want := strings.Repeat(fmt.Sprint(id), 5000); string(body) != want || err != nil || rec.TargetURI != fmt.Sprintf("http://%d/", id) {
					t.Errorf("file %d: %s, %d bytes, %v", id, rec.TargetURI, len(body), err)
				}
				rec.Close()
			}
		})
	}
	readers.Wait()
	if n := s.files.open.Len(); n > maxOpenFiles {
		t.Errorf("%d files are open", n)
	}
	s.Close()
}

func TestDigests(t *testing.T) {
	const base32 = "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"
	for in, want := range map[string]string{
		"sha1:" + base32:                   base32,
		"SHA-1:" + strings.ToLower(base32): base32,
		base32:                             base32,
		"sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709": base32,
		"sha1:2jmj7l5rSw0yVb/vlWAYkK/YBwk=":             base32,
		"sha1:2jmj7l5rSw0yVb_vlWAYkK_YBwk":              base32,
		"md5:d41d8cd98f00b204e9800998ecf8427e":          "md5:d41d8cd98f00b204e9800998ecf8427e",
		"sha-256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ====": "sha256:" +
			"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"sha512:" + fmt.Sprintf("%X", sha512.Sum512(nil)): "sha512:" + fmt.Sprintf("%x", sha512.Sum512(nil)),
		"sha1:asdf": "error",
		"sha1:da39a3ee5e6b4b0d3255bfef95601890afd807090": "error", // a digit too many
		"sha1:" + base32 + "!":                           "error",
		"crc32:00":                                       "error",
		"":                                               "error",
	} {
		d, err := ParseDigest(in)
		got := d.String()
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%s: got %s (%v), want %s", in, got, err, want)
		}
	}
}

func TestVerify(t *testing.T) {
	const ofABC = "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5" // SHA-1 of "abc"
	response := func(fields, block string) string {
		return recordWith(fmt.Sprintf("WARC-Target-URI: http://a/\r\nWARC-Date: 2014\r\nContent-Length: %d\r\n%s", len(block), fields), block)
	}
	plainBody := "HTTP/1.1 200 OK\r\n\r\nabc"
	chunkedBody := "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
	for _, tt := range []struct {
		name, content string
		want          []string
	}{
		{"a payload digest that fits", gz(response("WARC-Payload-Digest: "+ofABC, plainBody)), nil},
		{"one that fits the body without its chunks", gz(response("WARC-Payload-Digest: "+ofABC, chunkedBody)), nil},
		{"one that fits the chunks", gz(response("WARC-Payload-Digest: sha1:265822614bc31d6bbd062aee59eed6f69f0ac60f", chunkedBody)), nil},
		{
			"one that fits nothing", gz(response("WARC-Payload-Digest: "+ofABC, plainBody+"d")),
			[]string{"payload digest VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5 fits neither the stored body nor the one without transfer coding"},
		},
		{
			"a block digest that doesn't fit", gz(response("WARC-Block-Digest: "+ofABC, plainBody)),
			[]string{"block digest is " + digestOf(plainBody) + ", not VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5"},
		},
		{"a block digest that does", gz(response("WARC-Block-Digest: "+digestOf(plainBody), plainBody)), nil},
		{
			"a head that is longer than any", gz(response("WARC-Payload-Digest: "+ofABC, "HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", maxHead))),
			[]string{errHeadTooLong.Error()},
		},
		{"no digests", gz(response("X: y", plainBody)), nil},
		{
			"a digest of a kind nobody knows", gz(response("WARC-Block-Digest: crc:1", plainBody)),
			[]string{`WARC-Block-Digest: digest "crc:1": unknown algorithm`},
		},
		{
			"a revisit's payload digest is another's",
			gz(strings.Replace(response("WARC-Payload-Digest: "+ofABC, "HTTP/1.1 200 OK\r\n\r\n"), "response", "revisit", 1)), nil,
		},
		{
			"damage", wrongSum(gz(response("WARC-Payload-Digest: "+ofABC, plainBody))),
			[]string{"x: damaged at byte 0: record can't be inflated beyond 22 of 22 bytes of its block: gzip: invalid checksum"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x")
			if err := os.WriteFile(path, []byte(tt.content), 0o600); err != nil {
				t.Fatal(err)
			}
			s := NewStore(func(cdx.FileID) (string, bool) { return path, true })
			defer s.Close()
			got, err := s.Verify(t.Context(), cdx.Location{})
			if err != nil {
				got = append(got, err.Error())
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("want (-), got (+):\n%s", diff)
			}
		})
	}
}

// The payload is the body without its transfer coding, and its SHA-1 is known whatever the record's digest is of.
func TestDigestsOfPayloads(t *testing.T) {
	const plain, chunked = "Content-Length: 3\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
	const sha1, sha1OfChunks = "sha1:a9993e364706816aba3e25717850c26c9cd0d89d", "sha1:265822614bc31d6bbd062aee59eed6f69f0ac60f"
	const md5, other = "md5:900150983cd24fb0d6963f7d28e17f72", "sha1:0000000000000000000000000000000000000000"
	for _, tt := range []struct {
		name, message, digest string
		fits, differs         bool
		payload               string
	}{
		{"plain", plain, sha1, true, false, sha1},
		{"plain, of something else", plain, other, false, false, other},
		{"plain, of another algorithm", plain, md5, true, true, sha1},
		{"chunked", chunked, sha1, true, false, sha1},
		{"chunked, of the chunks", chunked, sha1OfChunks, true, true, sha1},
		{"chunked, of another algorithm", chunked, md5, true, true, sha1},
	} {
		want, err := ParseDigest(tt.digest)
		if err != nil {
			t.Fatal(err)
		}
		r := bufio.NewReader(strings.NewReader("HTTP/1.1 200 OK\r\n" + tt.message))
		m, err := ParseHead(r)
		if err != nil {
			t.Fatal(err)
		}
		c := want.Check(m, r)
		fits, err := c.Fits()
		payload, differs := c.Payload()
		wanted, err2 := ParseDigest(tt.payload)
		if fits != tt.fits || differs != tt.differs || payload != wanted || errors.Join(err, err2) != nil {
			t.Errorf("%s: fits %t, differs %t, %s, %v", tt.name, fits, differs, payload, errors.Join(err, err2))
		}
	}
}

func digestOf(s string) string {
	d := Digest{Algorithm: "sha1"}
	h := d.NewHash()
	_, _ = io.WriteString(h, s)
	return DigestOf("sha1", h).String()
}

func TestFieldsAsAnHTTPHeader(t *testing.T) {
	h := Fields{{"x-a", "1"}, {"Content-Type", "text/html"}, {"X-A", "2"}}.HTTP()
	if got := h.Values("X-A"); len(h) != 2 || len(got) != 2 || got[0] != "1" || got[1] != "2" || h.Get("content-type") != "text/html" {
		t.Errorf("got %v", h)
	}
}
