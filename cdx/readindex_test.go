package cdx

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/internal/testkit/corpora"
)

func readAll(seq func(func(Capture, error) bool)) (captures []Capture, errs []string) {
	for c, err := range seq {
		if err != nil {
			errs = append(errs, err.Error())
			continue
		}
		captures = append(captures, c)
	}
	return captures, errs
}

func TestReadIndexLine(t *testing.T) {
	const digest = "B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A"
	want := Capture{
		Key: "com,example)/?example=1", Time: 20140103030321, URL: "http://example.com?example=1", MIME: "text/html", Status: 200, Digest: digest,
		Location: Location{Offset: 333, Length: 1043}, FileName: "example.warc.gz",
	}
	with := func(f func(*Capture)) Capture { c := want; f(&c); return c }
	noLength := with(func(c *Capture) { c.Length = 0 })
	spaced := with(func(c *Capture) { c.Key, c.URL = "com,example)/a%20b%20c", "http://example.com/a b c" })
	const head, mid = "com,example)/?example=1 20140103030321 http://example.com?example=1 ", "text/html 200 " + digest
	tests := []struct {
		name, in string
		want     Capture
	}{
		{"11 columns with their header", CDX11Header + "\n" + head + mid + " - - 1043 333 example.warc.gz\n", want},
		{"11 columns without a header", head + mid + " - - 1043 333 example.warc.gz", want},
		{"10 columns", head + mid + " - - 333 example.warc.gz\n", noLength},
		{"9 columns", head + mid + " - 333 example.warc.gz\n", noLength},
		{"14 columns", head + mid + " - - 1043 333 example.warc.gz 1 2 orig.warc.gz\n", want},
		{"12 columns", head + mid + " - 333 example.warc.gz 1 2 orig.warc.gz\n", noLength},
		{"columns in another order", " CDX g V S k s m a b N\nexample.warc.gz 333 1043 " + digest +
			" 200 text/html http://example.com?example=1 20140103030321 com,example)/?example=1\n", want},
		{"tabs", "\tCDX\tN\tb\ta\tm\ts\tk\tr\tM\tS\tV\tg\n" + strings.ReplaceAll(head+mid+" - - 1043 333 example.warc.gz", " ", "\t"), want},
		{"bars", "|CDX|N|b|a|m|s|k|r|M|S|V|g\n" + strings.ReplaceAll(head+mid+" - - 1043 333 example.warc.gz", " ", "|"), want},
		{"CRLF", CDX11Header + "\r\n" + head + mid + " - - 1043 333 example.warc.gz\r\n", want},
		{"a MIME type with a space", " CDX N b a m s k r M V g\n" + head + "text/html; charset=utf-8 200 " + digest +
			" - - 333 example.warc.gz", noLength},
		{
			"a URL and a MIME type with spaces", CDX11Header + "\ncom,example)/a%20b%20c 20140103030321 http://example.com/a b c text/html; " +
				"charset=utf-8 200 " + digest + " - - 1043 333 example.warc.gz",
			spaced,
		},
		{"a path", head + mid + " - - 1043 333 /store/one/example.warc.gz", want},
		{"a key that is no SURT", "example.com/?example=1 20140103030321 http://example.com?example=1 " + mid +
			" - - 1043 333 example.warc.gz", want},
		{"a key with a trailing comma", "(com,example,)/?example=1 20140103030321 http://example.com?example=1 " + mid +
			" - - 1043 333 example.warc.gz", want},
		{
			"a key of IDNA2003, a URL in letters",
			"example,strasse)/ 20140103030321 http://straße.example/ " + mid + " - - 1043 333 example.warc.gz",
			with(func(c *Capture) { c.Key, c.URL = "example,xn--strae-oqa)/", "http://straße.example/" }),
		},
		{
			"a key of IDNA2003, its URL", "example,strasse)/ 20140103030321 http://strasse.example/ " + mid + " - - 1043 333 example.warc.gz",
			with(func(c *Capture) { c.Key, c.URL = "example,strasse)/", "http://strasse.example/" }),
		},
		{
			"a URL that is no UTF-8", "com,example)/caf%E9 20140103030321 http://example.com/caf\xe9 " + mid + " - - 1043 333 example.warc.gz",
			with(func(c *Capture) { c.Key, c.URL = "com,example)/caf%e9", "http://example.com/caf%E9" }),
		},
		{
			"a short time", strings.Replace(head, "20140103030321", "201401030303", 1) + mid + " - - 1043 333 example.warc.gz",
			with(func(c *Capture) { c.Time = 20140103030300 }),
		},
		{"a long time", strings.Replace(head, "20140103030321", "20140103030321777", 1) + mid + " - - 1043 333 example.warc.gz", want},
		{
			"a revisit", head + "warc/revisit - " + digest + " - - 1043 333 example.warc.gz",
			with(func(c *Capture) { c.Kind, c.MIME, c.Status = Revisit, "", 0 }),
		},
		{
			"a redirect", head + "text/html 301 - /there - 1043 333 example.warc.gz",
			with(func(c *Capture) { c.Status, c.Digest, c.Redirect = 301, "", "http://example.com/there" }),
		},
		{
			"an unknown type", head + "unk - - - - - 333 example.warc.gz",
			with(func(c *Capture) { c.MIME, c.Status, c.Digest, c.Length = "", 0, "", 0 }),
		},
		{
			"the key of a POST", "com,example)/?__wb_method=post&example=1&q=2 20140103030321 http://example.com?example=1 " + mid +
				" - - 1043 333 example.warc.gz",
			with(func(c *Capture) { c.Key = "com,example)/?__wb_method=post&example=1&q=2" }),
		},
		{
			"the key of a POST in an old index", "com,example)/?&&&example=1&q=2 20140103030321 http://example.com?example=1 " + mid +
				" - - 1043 333 example.warc.gz",
			with(func(c *Capture) { c.Key = "com,example)/?&&&example=1&q=2" }),
		},
		{
			"CDXJ", `com,example)/?example=1 20140103030321 {"url": "http://example.com?example=1", "mime": "text/html", "status": "200", ` +
				`"digest": "sha1:` + digest +
				`", "length": "1043", "offset": "333", "filename": "example.warc.gz"}`, want,
		},
		{
			"CDXJ with numbers and unknown names", `x 20140103030321 ` +
				`{"filename":"example.warc.gz","offset":333,"length":1043,"status":200,"x":{"y":[1]},"mime":"TEXT/HTML;a=b","digest":"` + digest +
				`","url":"http://example.com?example=1"}`, want,
		},
		{
			"CDXJ with other digests", `x 20140103030321 ` +
				`{"filename":"example.warc.gz","offset":"333","length":"1043","status":"200","mime":"text/html","digest":"SHA-256:abC",` +
				`"url":"http://example.com?example=1"}`, with(func(c *Capture) { c.Digest = "sha-256:abC" }),
		},
		{
			"a status below 100 is none", `x 20140103030321 {"filename":"example.warc.gz","offset":333,"length":1043,"status":"099",` +
				`"mime":"text/html","digest":"` + digest + `","url":"http://example.com?example=1"}`, with(func(c *Capture) { c.Status = 0 }),
		},
		{
			"a status of four digits is none", `x 20140103030321 {"filename":"example.warc.gz","offset":333,"length":1043,"status":1000,` +
				`"mime":"text/html","digest":"` + digest + `","url":"http://example.com?example=1"}`, with(func(c *Capture) { c.Status = 0 }),
		},
		{
			"CDXJ of OpenWayback", `(com,example,)/?example=1 2014-01-03T03:03:21Z response ` +
				`{"ref":"warcfile:example.warc.gz#333","hsc":200,"digest":"` + digest +
				`","rle":1043,"uri":"http://example.com?example=1","mct":"text/html"}`, want,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, errs := readAll(ReadIndex(strings.NewReader(tt.in), "x"))
			if len(errs) > 0 || len(got) != 1 {
				t.Fatalf("got %d captures, errors %q", len(got), errs)
			}
			if got[0] != tt.want {
				t.Errorf("got  %+v\nwant %+v", got[0], tt.want)
			}
		})
	}
}

func TestReadIndexGoesOnBehindBadLines(t *testing.T) {
	const good = "com,example)/ 20140103030321 http://example.com/ text/html 200 - - - 1043 333 example.warc.gz\n"
	tests := []struct {
		name, in string
		captures int
		errs     []string
	}{
		{"nothing", "", 0, nil},
		{"metadata and empty lines", "!meta {\"a\": 1}\n\n@context x\n" + good, 1, nil},
		{"a warcinfo record", "- 20140206032125 - warc/warcinfo0.1.0 - - - - - 0 example.com.warc.gz\n" + good, 1, nil},
		{"prose", "This file is to test handling of illegal cdx files\n" + good, 1, []string{`x, line 1: timestamp "file": want 1 to 14 digits`}},
		{"too few columns", "a b c\n" + good, 1, []string{"x, line 1: 3 columns: want 9 to 14, or a header that names them"}},
		{"fewer columns than the header has", CDX11Header + "\na b c\n" + good, 1, []string{"x, line 2: 3 columns: want 11"}},
		{"more columns than the header has", " CDX N b a V g\na b c d e f\n", 0, []string{"x, line 2: 6 columns: want 5"}},
		{
			"no date", strings.Replace(good, "20140103030321", "20140230000000", 1) + good, 1,
			[]string{`x, line 1: timestamp "20140230000000": no such date`},
		},
		{"no URL", strings.Replace(good, " http://example.com/", " -", 1) + good, 1, []string{"x, line 1: has no URL"}},
		{"no file", strings.Replace(good, "example.warc.gz", "-", 1) + good, 1, []string{"x, line 1: names no file"}},
		{
			"a negative offset", strings.Replace(good, " 333 ", " -333 ", 1) + good, 1,
			[]string{`x, line 1: offset "-333": want a number of 0 or more`},
		},
		{
			"a length of letters", strings.Replace(good, " 1043 ", " many ", 1) + good, 1,
			[]string{`x, line 1: length "many": want a number of 0 or more`},
		},
		{
			"no JSON", "com,example)/ 20140103030321 {\n" + good, 1,
			[]string{"x, line 1: want a key, a timestamp and a JSON object: unexpected end of JSON input"},
		},
		{"a line that is too long", strings.Repeat("a", 2<<20) + "\n" + good, 1, []string{"x, line 1: longer than 1048576 bytes"}},
		{"a long line", strings.Replace(good, "http://example.com/", "http://example.com/"+strings.Repeat("a", 200_000), 1) + good, 2, nil},
		{
			"a header that leads nowhere", " CDX N b\nno,vg)/ 20070905173549\nno,vg)/ 20070905173549\n", 0,
			[]string{`x, line 1: the header " CDX N b" lacks URL (a), time (b), offset (V) or file (g), so its lines lead nowhere`},
		},
		{"gzip that breaks off", pack(good)[:40], 0, []string{"x, line 1: unexpected EOF"}},
		{"gzip members whose last lines have no end", pack(good+good[:len(good)-1]) + pack(good), 3, nil},
		{"gzip members with empty ones between", pack(good) + pack("") + pack("") + pack(good), 2, nil},
		{"bgzip, whose members cut lines in two", blocked(good[:20]) + blocked(good[20:]), 1, nil},
		{"rubbish behind gzip", pack(good) + "rubbish rubbish", 1, []string{"x, line 2: gzip: invalid header"}},
		{"several gzip members", pack(good) + pack(good+good), 3, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, errs := readAll(ReadIndex(strings.NewReader(tt.in), "x"))
			if len(got) != tt.captures || !slices.Equal(errs, tt.errs) {
				t.Errorf("got %d captures, errors %q; want %d, %q", len(got), errs, tt.captures, tt.errs)
			}
		})
	}
}

// A line without an address, a time or a place leads nowhere; the status and the rest may be missing.
func TestHeadersNameWhatLinesNeed(t *testing.T) {
	const needed = "N a b V g"
	for _, without := range strings.Fields(needed) {
		header := " CDX" + strings.ReplaceAll(" "+needed, " "+without, "") + "\n"
		_, errs := readAll(ReadIndex(strings.NewReader(header), "x"))
		if (len(errs) == 0) != (without == "N") {
			t.Errorf("without %s: %q", without, errs)
		}
	}
}

func pack(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, s)
	w.Close()
	return b.String()
}

// blocked compresses like pack, with the mark of bgzip.
func blocked(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Extra = []byte{'B', 'C', 2, 0, 0, 0}
	io.WriteString(w, s)
	w.Close()
	return b.String()
}

// readFile reads the index at path.
func readFile(path string) iter.Seq2[Capture, error] {
	return ReadIndexFile(filepath.Base(path), func(name string) (IndexFile, error) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(path), name)
		}
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		info, err := f.Stat()
		if err != nil {
			return nil, err
		}
		return sized{f, info.Size()}, nil
	})
}

type sized struct {
	*os.File
	size int64
}

func (s sized) Size() int64 { return s.size }

func TestReadCluster(t *testing.T) {
	const a = "com,example)/a 20140103030321 http://example.com/a text/html 200 - - - 1043 333 example.warc.gz\n"
	one, two := pack(a+strings.ReplaceAll(a, "/a", "/b")), pack("bad\n"+strings.ReplaceAll(a, "/a", "/c"))
	dir := t.TempDir()
	write := func(name, data string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("part-0.cdx.gz", one+two)
	write("other.gz", one)
	tabs := fmt.Sprintf("com,example)/a 20140103030321\tpart-0\t0\t%d\t1\ncom,example)/c 20140103030321\tpart-0\t%d\t%d\t2\n", len(one),
		len(one), len(two))
	badLine := "line 1 of its block: 1 columns: want 9 to 14, or a header that names them"
	tests := []struct {
		name, idx string
		keys      string
		errs      []string
	}{
		{"tabs", tabs, "a b c", []string{"x.idx, line 2: " + badLine}},
		{"objects", fmt.Sprintf("!meta {\"format\": \"cdxj-gzip-1.0\", \"filename\": \"part-0.cdx.gz\"}\ncom,example)/a 20140103030321 "+
			"{\"offset\": 0, \"length\": %d}\n", len(one)), "a b", nil},
		{
			"objects after a key with braces",
			fmt.Sprintf("com,example)/a?x={\"y\":1} 20140103030321 {\"offset\": 0, \"length\": %d, \"filename\": \"part-0.cdx.gz\"}\n", len(one)),
			"a b", nil,
		},
		{
			"an object without a length", "com,example)/a 20140103030321 {\"offset\": 0, \"filename\": \"part-0.cdx.gz\"}\n", "",
			[]string{"x.idx, line 1: block of 0 bytes at 0: want 1 to 67108864 bytes"},
		},
		{
			"tabs, with a length that is none", "k\tpart-0\t0\tx\nk\tpart-0\t0\t0\n", "", []string{
				`x.idx, line 1: length "x": want a number of 0 or more`, "x.idx, line 2: block of 0 bytes at 0: want 1 to 67108864 bytes",
			},
		},
		{
			"a block behind the end", fmt.Sprintf("k\tpart-0\t%d\t99\n", len(one+two)) + tabs, "a b c",
			[]string{fmt.Sprintf("x.idx, line 1: block of 99 bytes at %d of part-0: EOF", len(one+two)), "x.idx, line 3: " + badLine},
		},
		{
			"a huge block", "k\tpart-0\t0\t99999999999\n", "",
			[]string{"x.idx, line 1: block of 99999999999 bytes at 0: want 1 to 67108864 bytes"},
		},
		{
			"no such part", "k\tnone/../../x\t0\t9\n", "",
			[]string{"x.idx, line 1: part \"none/../../x\" of the cluster: open " + filepath.Join(dir, "x.cdx.gz") + ": no such file or directory"},
		},
		{"no cluster", "hello\n", "", []string{"x.idx, line 1: want key and time, part, offset and length with tabs between them"}},
		{
			"an object without a key", `{"offset": 0, "length": 9}` + "\n", "",
			[]string{"x.idx, line 1: want key and time, part, offset and length with tabs between them"},
		},
		{"a part named in the .loc file", fmt.Sprintf("k\tshard\t0\t%d\n", len(one)), "a b", nil},
	}
	long := func(n int) string { return "shard" + strings.Repeat("\tmissing.gz", n/len("\tmissing.gz")) + "\n" }
	write("x.loc", long(maxLine+100)+long(100_000)+"shard\tmissing.gz\tother.gz\n")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, errs := readAll(readFile(write("x.idx", tt.idx)))
			var keys []string
			for _, c := range got {
				keys = append(keys, c.Key[len(c.Key)-1:])
			}
			if strings.Join(keys, " ") != tt.keys || !slices.Equal(errs, tt.errs) {
				t.Errorf("got %q, errors %q; want %q, %q", keys, errs, tt.keys, tt.errs)
			}
		})
	}
	idx := io.MultiReader(strings.NewReader(strings.Repeat("x", maxLine+1)+"\nhello\n"), iotest.ErrReader(errors.New("gone")))
	var said []string
	for _, err := range ReadCluster(idx, "x.idx", nil) {
		if said = append(said, err.Error()); len(said) > 3 {
			break
		}
	}
	if len(said) != 3 || said[2] != "x.idx, line 3: gone" {
		t.Errorf("an index that can't be read to its end: %q", said)
	}
	if _, errs := readAll(readFile(filepath.Join(dir, "none.cdx"))); len(errs) != 1 {
		t.Errorf("a file that isn't there: errors %q", errs)
	}
}

// Each index in the corpus can be read, apart from the lines known to be bad.
func TestReadIndexOfCorpus(t *testing.T) {
	bad := map[string]int{
		"cdxfile3.cdx": 1, // has keys and times only
		"notcdx.cdx":   1,
	}
	lines := 0
	for _, path := range corpora.Files(t, ".cdx", ".cdx.gz", ".cdxj", "/zipnum-sample.idx") {
		if strings.Contains(path, "oduwsdl+ipwb/samples/indexes") { // addresses in IPFS
			continue
		}
		captures, errs := readAll(readFile(path))
		lines += len(captures)
		if len(errs) != bad[filepath.Base(path)] {
			t.Errorf("%s: %d captures, %d errors: %.500q", path, len(captures), len(errs), errs)
		}
	}
	if lines < 20_000 {
		t.Errorf("only %d captures", lines)
	}
}

func TestLineErrorUnwraps(t *testing.T) {
	for _, err := range ReadIndex(strings.NewReader(pack("x")[:12]), "x") {
		var line *LineError
		if !errors.As(err, &line) || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("got %v", err)
		}
	}
}

// A written line can be read again without change.
func FuzzLineRoundTrip(f *testing.F) {
	f.Add("http://example.org/a b", "text/html", 200, "AAAA", "http://example.org/é", int64(7), int64(9), "a b.warc.gz", false)
	f.Add("dns:example.org", "", 0, "sha-256:x", "", int64(0), int64(0), "x", true)
	f.Fuzz(func(t *testing.T, uri, mime string, status int, digest, redirect string, offset, length int64, file string, revisit bool) {
		c := Capture{
			Key: surt.Of(uri), Time: 20140103030321, URL: uri, MIME: bareMIME(mime), Status: status, Digest: bareDigest(digest),
			Redirect: absolute(redirect, uri),
			Location: Location{Offset: offset, Length: length}, FileName: baseName(file),
		}
		if revisit {
			c.Kind, c.MIME = Revisit, ""
		}
		for _, line := range [][]byte{AppendCDXJ(nil, &c, -1, ""), AppendCDX11(nil, &c)} {
			if bytes.ContainsAny(line, "\n\r") {
				t.Fatalf("a line break in %q", line)
			}
			for got, err := range ReadIndex(bytes.NewReader(line), "x") {
				if err != nil {
					continue
				}
				again := [][]byte{AppendCDXJ(nil, &got, -1, ""), AppendCDX11(nil, &got)}
				for back, err := range ReadIndex(bytes.NewReader(again[1]), "x") {
					if err != nil {
						t.Fatalf("%q was read, but written as %q it is not: %v", line, again[1], err)
					}
					if back.Time != got.Time || back.Offset != got.Offset || back.Status != got.Status || back.Kind != got.Kind {
						t.Fatalf("%q was read as %+v, then as %+v", line, got, back)
					}
				}
			}
		}
	})
}

func TestCDXJRoundTrip(t *testing.T) {
	c := Capture{
		Key: "org,example)/%c3%a9", Time: 20140103030321, URL: "http://example.org/é\"\\", MIME: "text/html", Status: 301, Digest: "AAAA",
		Redirect: "http://example.org/x",
		Location: Location{Offset: 7, Length: 9}, FileName: "a b.warc.gz",
	}
	c.Key = surt.Of(c.URL)
	got, err := ParseCDXJ(string(AppendCDXJ(nil, &c, 3, "text")))
	if err != nil || got != c {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, c)
	}
}

func FuzzReadIndex(f *testing.F) {
	f.Add([]byte(CDX11Header + "\ncom,example)/ 20140103030321 http://example.com/ text/html 200 - - - 1043 333 example.warc.gz\n"))
	f.Add([]byte("x 20140103030321 {\"url\":\"a\",\"offset\":1,\"filename\":\"f\"}\n!meta\n"))
	f.Add([]byte(pack("\tCDX\ta\tb\tV\tg\nx\t2014\t1\tf\n")))
	f.Fuzz(func(t *testing.T, data []byte) {
		n := 0
		for c, err := range ReadIndex(bytes.NewReader(data), "x") {
			if n++; n > 2*len(data)*1100 {
				t.Fatal("more lines than bytes")
			}
			if err == nil && (!surt.Valid(c.Key) || !c.Time.Valid() || c.Offset < 0 || c.Length < 0 || c.URL == "" || c.FileName == "") {
				t.Fatalf("%+v", c)
			}
		}
	})
}

func ExampleReadIndex() {
	in := CDX11Header + "\n" +
		"com,example)/ 20140103030321 http://example.com/ text/html 200 B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A - - 1043 333 example.warc.gz\n" +
		"com,example)/ 20140103030341 http://example.com/ text/html 200 B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A - - 553 here example.warc.gz\n"
	for c, err := range ReadIndex(strings.NewReader(in), "example.cdx") {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(c.Key, c.Time, c.URL, c.Status, c.Offset, c.FileName)
	}
	// Output:
	// com,example)/ 20140103030321 http://example.com/ 200 333 example.warc.gz
	// example.cdx, line 3: offset "here": want a number of 0 or more
}

func BenchmarkLine(b *testing.B) {
	c := Capture{
		Key: "org,example)/news/2019/article.html", Time: 20190103030321, URL: "https://www.example.org/news/2019/article.html",
		MIME: "text/html", Status: 200,
		Digest: "B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A", Location: Location{Offset: 123456, Length: 1043},
		FileName: "example-20190103030321-00000.warc.gz",
	}
	cdxj, cdx11 := string(AppendCDXJ(nil, &c, -1, "")), string(AppendCDX11(nil, &c))
	var buf []byte
	b.Run("format-cdxj", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			buf = AppendCDXJ(buf[:0], &c, -1, "")
		}
	})
	b.Run("format-cdx11", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			buf = AppendCDX11(buf[:0], &c)
		}
	})
	b.Run("parse-cdxj", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := ParseCDXJ(cdxj); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("parse-cdx11", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := parseCDX(cdx11, " ", ""); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// A ZipNum cluster of any bytes is read or refused line by line.
func FuzzReadCluster(f *testing.F) {
	block := pack("org,example)/ 20140103030321 http://example.org/ text/html 200 - - - 1 2 a.warc.gz\n")
	f.Add([]byte("k 1\tpart\t0\t"+strconv.Itoa(len(block))+"\t1\n"), []byte(block))
	f.Add([]byte("!meta 0 {\"filename\": \"part\"}\nk 1 {\"offset\": 0, \"length\": 9}\n"), []byte(block))
	f.Add([]byte("k\tpart\t-1\t-1\nk\tpart\t1\t99999999999999\n\t\t\t\n"), []byte("x"))
	f.Fuzz(func(t *testing.T, idx, part []byte) {
		n := 0
		open := func(string) (io.ReaderAt, error) { return bytes.NewReader(part), nil }
		for c, err := range ReadCluster(bytes.NewReader(idx), "x.idx", open) {
			if n++; n > 2*(len(idx)+1)*(len(part)+1)*1100 {
				t.Fatal("more lines than bytes")
			}
			if err == nil && (!surt.Valid(c.Key) || !c.Time.Valid() || c.Offset < 0 || c.Length < 0 || c.URL == "" || c.FileName == "") {
				t.Fatalf("%+v", c)
			}
		}
	})
}
