package warc

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestLooksLikeARC(t *testing.T) {
	for line, want := range map[string]bool{
		"http://a.example/ 1.2.3.4 20100101000000 text/html 5\nbody": true,
		"filedesc://a.arc 0.0.0.0 20100101000000 text/plain 5":       true,
		"svn+ssh://a 1.2.3.4":          true,
		"x-a.b:c d":                    true,
		"az:c d":                       true,
		"AZ:c d":                       true,
		"a:b c":                        false, // a drive letter, not a scheme
		"http://a.example/\n1.2.3.4 b": false, // the space is in another line
		"http://a.example/":            false,
		"h2://a.example/ b":            false,
		"a`z:b c":                      false,
		"a{z:b c":                      false,
		"averyveryverylongscheme:a b":  false,
		"no scheme":                    false,
		"a.example/b 1.2.3.4 20100101000000 text/html 5\n":  true,
		"a.example/b 1.2.3.4 20100101000000 text/html 5":    false, // perhaps not the whole line
		"a.example/b nowhere 20100101000000 text/html 5\n":  false,
		"anywhere 1.2.3.4 20100101000000 text/html 5\n":     false,
		"a.example/b 1.2.3.4 the-first text/html 5 times\n": false,
		":nothing before the colon":                         false,
		"http ://a.example/ 1.2.3.4 2010":                   false,
	} {
		if got := looksLikeARC([]byte(line)); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

func TestLooksLikeWARC(t *testing.T) {
	for head, want := range map[string]bool{
		"WARC/1.0\r\nWARC-Type: response":        true,
		"WARC/0.18\ncontent-length: 5":           true,
		"WARC/1.0 \r\nWarc-Date: 2014":           true,
		"WARC/1.0\r\nX: y":                       false,
		"WARC/1.0":                               false, // perhaps not the whole line
		"WARC/1\r\nWARC-Type: response":          false,
		"WARC/100\r\nWARC-Type: response":        false,
		"WARC/1.0000000000\nWARC-Type: response": false,
		"WARC/1.000000000\nWARC-Type: response":  true,
	} {
		if got := looksLikeWARC([]byte(head)); got != want {
			t.Errorf("%q: %v", head, got)
		}
	}
}

func TestARCLines(t *testing.T) {
	const v2 = "http://a.example/ 1.2.3.4 20100101000000 text/html 200 abc - 77 a.arc 5"
	for line, want := range map[string]string{
		"http://a.example/ 1.2.3.4 20100101000000 text/html 5":      "http://a.example/ 1.2.3.4 text/html",
		"http://a.example/b c 1.2.3.4 201001010000 text/html 5":     "http://a.example/b c 1.2.3.4 text/html",
		"http://a.example/ 1.2.3.4 20100101000000 text/html; x 5":   "http://a.example/ 1.2.3.4 text/html;",
		"http://a.example/ 1.2.3.4 20100101000000 text/html; x y 5": "http://a.example/ 1.2.3.4 text/html;",
		v2: "http://a.example/ 1.2.3.4 text/html",
		"http://a.example/ 1.2.3.4 20100101000000 5":            "", // a field is missing
		"http://a.example/ 1.2.3.4 20100101000000 text/html -5": "",
		"http://a.example/ 1.2.3.4 20100101000000 text/html x":  "",
		"http://a.example/ 1.2.3.4 20100101 text/html 5":        "",
		"http://a.example/ 1.2.3.4 20101301000000 text/html 5":  "", // no month 13
		"a.example/ 1.2.3.4 20100101000000 text/html 5":         "a.example/ 1.2.3.4 text/html",
		"a.example/ nowhere 20100101000000 text/html 5":         "",

		"http://a.example/ 20100101000000 text/html 5 5":               "", // nothing before the address
		"http://a.example/ 1.2.3.4 201001010000001 text/html 5":        "", // 15 digits
		"http://a.example/20100101000000 1.2.3.4 2010 text/html 1 5 6": "",
	} {
		got := ""
		if l, err := parseARCLine(line); err == nil {
			got = l.url + " " + l.ip + " " + l.mime
		}
		if got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

func TestTextIsNotTakenForCompressedData(t *testing.T) {
	for text, want := range map[string]bool{
		"":                           true,
		"plain\ttext\r\n\fend":       true,
		"naïve 河":                    true,
		"cut within a rune \xe6":     true,
		"cut within \xf0\x9f\x98":    true,
		"a byte \xff in the middle":  false,
		"a byte \xff\x80\x80\x80":    false,
		"\x00":                       false,
		"a bell \x07":                false,
		"an escape \x1b[0m":          false,
		"a unit separator \x1f here": false,
	} {
		if got := isText([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestFieldNamesAreTokens(t *testing.T) {
	const others = "!#$%&'*+-.^_`|~"
	for c := range 256 {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if got, want := isToken(byte(c)), letter || strings.ContainsRune(others, rune(c)) && c < 0x80; got != want {
			t.Errorf("%#x: %v", c, got)
		}
	}
}

func TestWhatStartsAHead(t *testing.T) {
	for block, want := range map[string]bool{
		"HTTP/1.1 200 OK":          true,
		"http/1.0 200":             true,
		"HTTP 200":                 true,
		"ICY 200 OK\r\n":           true,
		"Content-Type: text/html":  true,
		"Content-Type:\ttext/html": true,
		"GET / HTTP/1.1\r\nHost:":  true,
		"GET /":                    true, // may be cut
		"GET /\nHost:":             false,
		"Get / HTTP/1.1":           false,
		"Content-Type:text/html":   false,
		"Content-Type:":            false,
		"http://a.example/":        false,
		"://a":                     false,
		"":                         false,
		"word":                     false,
		"<html>":                   false,
		"word\x00: x":              false,
	} {
		if got := startsHead([]byte(block)); got != want {
			t.Errorf("%q: %v", block, got)
		}
	}
}

func TestIndexLines(t *testing.T) {
	const row = "com,example)/ 20100101000000 http://example.com/ text/html 200 ABC - - 5"
	for line, want := range map[string]Format{
		"com,example)/ 20100101000000 {\"a\":1}": CDXJ,
		row:                                      CDX, // nine columns
		row + " 6 a.warc.gz":                     CDX,
		row + " 6 7 8 9 10":                      CDX,     // fourteen
		row + " 6 7 8 9 10 11":                   Unknown, // fifteen
		"com,example)/ 20100101000000 http://example.com/ text/html 200 ABC - -": Unknown,
		"com,example)/ 20100101000000":                                           Unknown,
		"words 20100101000000 {}":                                                Unknown,
		"com,example)/ then {}":                                                  Unknown,
		"com,example)/ 2010\tpart\t0\t99":                                        ZipNum,
		"com,example)/ 2010\tpart\t0\t99\t1":                                     ZipNum,
		"com,example)/ 2010\tpart\t0":                                            Unknown,
		"com,example)/ 2010\tpart\tx\t99":                                        Unknown,
		"com,example)/ 2010\tpart\t0\tlast one":                                  Unknown,
	} {
		if got := indexLineFormat(line); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

func TestFormatsWithRecords(t *testing.T) {
	for f := Unknown; f <= ZipNum; f++ {
		want := strings.HasPrefix(f.String(), "WARC") || strings.HasPrefix(f.String(), "ARC")
		if f.Records() != want {
			t.Errorf("%v: %v", f, f.Records())
		}
	}
}

func TestChunkSizes(t *testing.T) {
	for line, want := range map[string]int64{
		"0": 0, "9": 9, "a\r\n": 10, "F": 15, "1f ;x=y": 31, "10;": 16, " 1 \t": 1, "4000000000000": maxChunk, "00000000000000000005": 5,
		"": -1, ";x": -1, "g": -1, "1g": -1, "4000000000001": -1, "1 2": -1, "@": -1, "`": -1, "/": -1, ":": -1, "-1": -1,
	} {
		size, ok := chunkSize([]byte(line))
		if !ok {
			size = -1
		}
		if size != want {
			t.Errorf("%q: %d, want %d", line, size, want)
		}
	}
}

// A chunked body of every shape gives the same, however few bytes a reader asks for at a time.
func TestChunksReadInSmallSteps(t *testing.T) {
	for body, want := range map[string]string{
		"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n":          "abcde",
		"3\nabc\n2\nde\n0\n\n":                      "abcde",
		"3\r\nabc\r\n0\r\nTrailer: x\r\n\r\nbehind": "abc",
		"3\r\nabc\r\nno size\r\n":                   "abcno size\r\n",      // the rest as it is
		"3\r\nabc2\r\nde\r\n":                       "3\r\nabc2\r\nde\r\n", // not chunked at all
		"3\r\nabc\r\n2\r\ndefg":                     "abcdefg",
		"3\r\nabc\r\n2":                             "abc",
		"3\r\nabc\r\n5\r\nde":                       "abcde",
	} {
		for _, reader := range []func(io.Reader) io.Reader{iotest.OneByteReader, iotest.HalfReader, func(r io.Reader) io.Reader { return r }} {
			c := dechunk(bufio.NewReader(strings.NewReader(body)))
			got, err := io.ReadAll(reader(c))
			if string(got) != want || err != nil && err != io.ErrUnexpectedEOF {
				t.Errorf("%q: %q, %v", body, got, err)
			}
		}
	}
}

// Behind damage, the next record is found at the least offset at which one can be read, wherever in the window it is.
func TestTheNextRecordIsFound(t *testing.T) {
	const arc = "http://a.example/ 1.2.3.4 20100101000000 text/html 5\nhello\n"
	warc := "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
	for _, test := range []struct {
		name, before string
		record       string
		arc          bool
		found        bool
	}{
		{"at once", "", warc, false, true},
		{"behind text", "text\r\n", warc, false, true},
		{"behind a quotation of a version line", "the line WARC/1.0 begins it\r\n", warc, false, true},
		{"at the end of a window", strings.Repeat("x", bufferSize-4), warc, false, true},
		{"behind a window", strings.Repeat("x", 3*bufferSize+1), warc, false, true},
		{"behind a window of quotations", strings.Repeat("WARC/1.0 is quoted\n", bufferSize/16), warc, false, true},
		{"nowhere", "text", "and more\n", false, false},
		{"an ARC record", "text\n", arc, true, true},
		{"an ARC record behind lines", "text with http in it\nmore: of it\n", arc, true, true},
		{"no ARC record in a WARC file", "text\n", arc, false, false},
	} {
		r := newReader()
		r.reset(context.Background(), memory{bytes.NewReader([]byte(test.before + test.record))}, "a", new(zstdDecoders))
		r.arc = test.arc
		found := r.seekRecord(0, r.size, nothing)
		if found != test.found || found && r.in.offset() != int64(len(test.before)) {
			t.Errorf("%s: %v at %d, want %d", test.name, found, r.in.offset(), len(test.before))
		}
		r.release()
	}
}

// A line of a block ends at its delimiter, at the end of the block, or where the buffer is full.
func TestLinesOfABlock(t *testing.T) {
	open := func(content string, size int64) *Block {
		return &Block{buf: bufio.NewReaderSize(strings.NewReader(content), 16), left: size}
	}
	for _, test := range []struct {
		name, content string
		size          int64
		want          []string
		last          error
	}{
		{"lines", "a\nbc\n", 5, []string{"a\n", "bc\n", ""}, io.EOF},
		{"the block ends before the line", "a\nbcdef\n", 4, []string{"a\n", "bc"}, io.EOF},
		{"as long as the buffer", strings.Repeat("x", 15) + "\nb\n", 18, []string{strings.Repeat("x", 15) + "\n", "b\n"}, nil},
		{"longer than the buffer", strings.Repeat("x", 20) + "\n", 21, []string{strings.Repeat("x", 16)}, bufio.ErrBufferFull},
		{"fills buffer and block", strings.Repeat("x", 16), 16, []string{strings.Repeat("x", 16)}, bufio.ErrBufferFull},
	} {
		b := open(test.content, test.size)
		for i, want := range test.want {
			got, err := b.ReadSlice('\n')
			if string(got) != want {
				t.Errorf("%s: line %d is %q, want %q", test.name, i, got, want)
			}
			if i == len(test.want)-1 && err != test.last {
				t.Errorf("%s: %v, want %v", test.name, err, test.last)
			}
		}
	}
	var all bytes.Buffer
	if n, err := open("hello, world, and more", 12).WriteTo(&all); n != 12 || err != nil || all.String() != "hello, world" {
		t.Errorf("WriteTo: %d %v %q", n, err, all.String())
	}
	from, to := io.Pipe()
	go func() {
		_, _ = io.ReadFull(from, make([]byte, 3))
		from.CloseWithError(io.ErrShortWrite)
	}()
	b := open("hello, world", 12)
	if n, err := b.WriteTo(to); n != 3 || err != io.ErrShortWrite {
		t.Errorf("WriteTo a disk that is full: %d %v", n, err)
	}
	if rest, err := io.ReadAll(b); string(rest) != "lo, world" || err != nil {
		t.Errorf("behind what was written: %q %v", rest, err)
	}
	if p, err := open("hello", 5).Peek(5); string(p) != "hello" || err != nil {
		t.Errorf("Peek of all: %q, %v", p, err)
	}
	if p, err := open("hello", 5).Peek(6); string(p) != "hello" || err != io.EOF {
		t.Errorf("Peek of more: %q, %v", p, err)
	}
}
