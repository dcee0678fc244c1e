package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
)

func readAll(t *testing.T, r io.Reader) string {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Errorf("reading: %v", err)
	}
	return string(b)
}

func chunkedMessage(codings string) Message {
	return Message{Header: Fields{{"Transfer-Encoding", codings}}}
}

func TestBody(t *testing.T) {
	long := strings.Repeat("0123456789", 10000)
	for _, tt := range []struct{ name, coding, stored, want string }{
		{"no transfer coding", "", "3\r\nabc\r\n0\r\n\r\n", "3\r\nabc\r\n0\r\n\r\n"},
		{"identity", "identity", "abc", "abc"},
		{"chunks", "chunked", "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", "abcde"},
		{"written otherwise", " Chunked ", "3\r\nabc\r\n0\r\n\r\n", "abc"},
		{"line ends of LF alone", "chunked", "3\nabc\n2\nde\n0\n\n", "abcde"},
		{
			"extensions, white space, zeros before the size, capitals", "chunked", "003;a=b\r\nabc\r\n A  \r\n0123456789\r\n0\r\n\r\n",
			"abc0123456789",
		},
		{"trailers", "chunked", "3\r\nabc\r\n0\r\nExpires: never\r\nX: y\r\n\r\n", "abc"},
		{"an empty body", "chunked", "0\r\n\r\n", ""},
		{"nothing at all", "chunked", "", ""},
		{"a chunk larger than any buffer", "chunked", fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(long), long), long},
		{"declared but not chunked", "chunked", "<html>\r\n</html>", "<html>\r\n</html>"},
		{"a text that starts like a size", "chunked", "add\nto the list\n", "add\nto the list\n"},
		{"a text that starts with a small number", "chunked", "3\r\nbears went into the woods\r\n", "3\r\nbears went into the woods\r\n"},
		{"a size that no body has", "chunked", "ffffffffffffffffff\r\nabc", "ffffffffffffffffff\r\nabc"},
		{"a broken size later on", "chunked", "3\r\nabc\r\nxyz\r\nrest", "abcxyz\r\nrest"},
		{"a chunk longer than its size", "chunked", "3\r\nabc\r\n2\r\ndef\r\n0\r\n\r\n", "abcdef\r\n0\r\n\r\n"},
		{"cut off within a chunk", "chunked", "3\r\nabc\r\nff\r\nde", "abcde"},
		{"cut off within the first chunk", "chunked", "ff\r\nde", "de"},
		{"cut off before the last chunk", "chunked", "3\r\nabc\r\n", "abc"},
		{"cut off before a line end", "chunked", "3\r\nabc", "abc"},
		{"gzip under the chunks", "gzip, chunked", fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(gz("abc")), gz("abc")), "abc"},
		{"a coding that can't be undone", "compress, chunked", "3\r\nabc\r\n0\r\n\r\n", "abc"},
		{"a coding that nobody knows", "frob, chunked", "3\r\nabc\r\n0\r\n\r\n", "abc"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for how, r := range map[string]io.Reader{
				"from a reader":       strings.NewReader(tt.stored),
				"from a line reader":  bufio.NewReader(strings.NewReader(tt.stored)),
				"from a block":        blockOf(t, tt.stored),
				"from a dripping tap": iotest.OneByteReader(strings.NewReader(tt.stored)),
			} {
				if got := readAll(t, Body(chunkedMessage(tt.coding), r)); got != tt.want {
					t.Errorf("%s: got %.100q, want %.100q", how, got, tt.want)
				}
			}
		})
	}
}

func TestChunked(t *testing.T) {
	for stored, want := range map[string][2]bool{ // chunked, incomplete
		"3\r\nabc\r\n0\r\n\r\n": {true, false}, "3\r\nabc\r\n0\r\nX: y": {true, false}, "0\r\n": {true, false},
		"3\r\nabc\r\nno size": {true, false},
		"3\r\nabc\r\n":        {true, true}, "3\r\nabc": {true, true}, "ff\r\nde": {true, true}, "a text": {false, false},
	} {
		body := Body(chunkedMessage("chunked"), strings.NewReader(stored))
		readAll(t, body)
		if chunks, incomplete := Chunked(body); chunks != want[0] || incomplete != want[1] {
			t.Errorf("%q: %v, incomplete %v", stored, chunks, incomplete)
		}
	}
}

// blockOf returns the block of a record with this content.
func blockOf(t *testing.T, content string) *Block {
	t.Helper()
	r := newReader()
	r.reset(t.Context(), inMemory([]byte(gz(record("http://a/", content)))), "x", new(zstdDecoders))
	rec, err := r.next()
	if err != nil {
		t.Fatal(err)
	}
	return rec.Block
}

func TestBodyOfADamagedRecordEndsWithTheDamage(t *testing.T) {
	head := "WARC-Target-URI: http://a/\r\nWARC-Date: 2014\r\nContent-Length: 500"
	for rec, err := range Scan(t.Context(), inMemory([]byte(gz(recordWith(head, "8\r\nabcdefgh\r\n80\r\nabc")))), "x", 0) {
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(Body(chunkedMessage("chunked"), rec.Block))
		var damage *Damage
		if !bytes.HasPrefix(got, []byte("abcdefghabc")) || !errors.As(err, &damage) {
			t.Errorf("got %q, %v", got, err)
		}
		return
	}
}

func compressed(w io.WriteCloser, b *bytes.Buffer, s string) string {
	_, _ = io.WriteString(w, s)
	_ = w.Close()
	return b.String()
}

func br(s string) string {
	var b bytes.Buffer
	return compressed(brotli.NewWriter(&b), &b, s)
}

func zlibbed(s string) string {
	var b bytes.Buffer
	return compressed(zlib.NewWriter(&b), &b, s)
}

func deflated(s string) string {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, 6)
	return compressed(w, &b, s)
}

func TestDecode(t *testing.T) {
	page := "<html>" + strings.Repeat("A page, and another page. ", 1000) + "</html>"
	random := make([]byte, 20000)
	for i := range random {
		random[i] = byte(rand.Uint32())
	}
	noise := string(random)
	for _, tt := range []struct{ name, coding, stored, want string }{
		{"no coding", "", page, page},
		{"identity", "identity", page, page},
		{"a coding that nobody knows", "utf-8", page, page},
		{"gzip", "gzip", gz(page), page},
		{"x-gzip in capitals", "X-GZIP", gz(page), page},
		{"gzip in two members", "gzip", gz("a") + gz("b"), "ab"},
		{"gzip and bytes behind it", "gzip", gz(page) + "\x00\x00 nothing", page},
		{"gzip and a line end behind it", "gzip", gz("a") + gz(page) + "\r\n", "a" + page},
		{"gzip and two bytes of another member", "gzip", gz(page) + "\x1f\x8b", page},
		{"gzip that is none", "gzip", page, page},
		{"gzip of nothing", "gzip", gz(""), ""},
		{"gzip that isn't there", "gzip", "", ""},
		{"deflate with zlib's wrapping", "deflate", zlibbed(page), page},
		{"deflate without", "deflate", deflated(page), page},
		{"deflate of noise", "deflate", deflated(noise), noise},
		{"deflate that is none", "deflate", page, page},
		{"deflate that is a short text", "deflate", "ok", "ok"},
		{"br", "br", br(page), page},
		{"br of noise", "br", br(noise), noise},
		{"br of three letters", "br", br("abc"), "abc"},
		{"br and a line end behind it", "br", br(page) + "\r\n", page},
		{"br of noise and bytes behind it", "br", br(noise) + "\x00\x00 nothing", noise},
		{"br that is none", "br", page, page},
		{"zstd", "zstd", zst(page), page},
		{"zstd and bytes behind it", "zstd", zst(page) + "\x00\x00 nothing", page},
		{"zstd that is none", "zstd", page, page},
		{"several", "gzip, br", br(gz(page)), page},
		{"twice gzip", "gzip,gzip", gz(gz(page)), page},
		{"twice gzip claimed, once done", "gzip, gzip", gz(page), page},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Decode(tt.coding, strings.NewReader(tt.stored))
			if err != nil {
				t.Fatal(err)
			}
			if got := readAll(t, r); got != tt.want {
				t.Errorf("got %.60q (%d bytes), want %.60q (%d bytes)", got, len(got), tt.want, len(tt.want))
			}
		})
	}
}

func TestDecodeGivesWhatABrokenBodyHas(t *testing.T) {
	var text strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&text, "line %d of many\n", i)
	}
	page := text.String()
	for coding, stored := range map[string]string{
		"gzip": gz(page), "deflate": zlibbed(page), "br": br(page), "zstd": zst(page),
	} {
		t.Run(coding, func(t *testing.T) {
			r, err := Decode(coding, strings.NewReader(stored[:len(stored)*2/3]))
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(r)
			if err != io.ErrUnexpectedEOF || !strings.HasPrefix(page, string(got)) || coding != "zstd" && len(got) < len(page)/3 {
				t.Errorf("%d of %d bytes, %v", len(got), len(page), err)
			}
			if n, again := r.Read(make([]byte, 1)); n != 0 || again != err {
				t.Errorf("reading on gives %d, %v", n, again)
			}
		})
	}
}

// An error of the storage isn't taken for the end of what was stored.
func TestDecodeGivesErrorsOfTheStorage(t *testing.T) {
	page := strings.Repeat("A page, and another page. ", 100)
	for coding, stored := range map[string]string{"gzip": gz(page), "deflate": zlibbed(page), "br": br(page), "zstd": zst(page)} {
		r, err := Decode(coding, io.MultiReader(strings.NewReader(stored[:len(stored)*2/3]), iotest.ErrReader(iotest.ErrTimeout)))
		if err == nil {
			_, err = io.ReadAll(r)
		}
		if !errors.Is(err, iotest.ErrTimeout) {
			t.Errorf("%s: %v", coding, err)
		}
	}
}

// What has no signature is told by how it begins, also where little of it is there.
func TestDecodeGivesWhatAShortBrokenBodyHas(t *testing.T) {
	page := "<!doctype html><title>cut off</title>" + strings.Repeat("<p>A page, and another page. ", 100)
	for name, tt := range map[string]struct{ coding, stored string }{
		"deflate without wrapping": {"deflate", deflated(page)}, "br": {"br", br(page)},
	} {
		r, err := Decode(tt.coding, strings.NewReader(tt.stored[:len(tt.stored)-4]))
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := io.ReadAll(r); len(got) < 50 || !strings.HasPrefix(page, string(got)) {
			t.Errorf("%s: got %.60q (%d of %d bytes)", name, got, len(got), len(page))
		}
	}
}

// What has no signature, and decodes at first but not further, is not coded: it is given as it is.
func TestDecodeGivesWhatOnlyBeginsAsIfCodedAsItIs(t *testing.T) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = w.Write(bytes.Repeat([]byte("A page. "), 4096))
	_ = w.Flush()
	for name, rest := range map[string]string{"short": "\xff\xff", "long": strings.Repeat("\xff", 2*probeSize)} {
		stored := b.String() + rest
		r, err := Decode("deflate", strings.NewReader(stored))
		if err != nil {
			t.Fatal(err)
		}
		if got := readAll(t, r); got != stored {
			t.Errorf("%s: %d bytes, want the %d that are stored", name, len(got), len(stored))
		}
	}
}

// A body that has hardly anything in it ends early: coded once more, a few bytes of it would keep a reader busy for hours.
func TestDecodeEndsWhatIsHollow(t *testing.T) {
	t.Parallel()
	packed := func(text string, flushed bool) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		for i := 0; flushed && i < len(text); i++ {
			_, _ = z.Write([]byte(text[i : i+1]))
			_ = z.Flush()
		}
		if !flushed {
			_, _ = z.Write([]byte(text))
		}
		_ = z.Close()
		return b.String()
	}
	const members = 3 << 16
	nothing := packed("", false)
	for name, tt := range map[string]struct {
		coding, stored string
		bytes          int // that come of it
		end            error
	}{
		"empty members":          {"gzip", strings.Repeat(nothing, members), 0, io.ErrUnexpectedEOF},
		"empty members, at last": {"gzip", packed("x", false) + strings.Repeat(nothing, members), 1, io.ErrUnexpectedEOF},
		"empty blocks":           {"deflate", "\x78\x9c" + strings.Repeat("\x00\x00\x00\xff\xff", members), 0, io.ErrUnexpectedEOF},
		"empty frames":           {"zstd", strings.Repeat("\x28\xb5\x2f\xfd\x20\x00\x01\x00\x00", members), 0, io.ErrUnexpectedEOF},
		"some empty members":     {"gzip", strings.Repeat(nothing, 99) + packed("x", false), 1, nil},
		"each byte flushed":      {"gzip", packed(strings.Repeat("x", members), true), members, nil},
		"twice":                  {"gzip, gzip", packed(strings.Repeat(nothing, members), false), 0, io.ErrUnexpectedEOF},
		"thrice": {
			"gzip, gzip, gzip", packed(strings.Repeat(packed(strings.Repeat(nothing, members), false), 9), false), 0, io.ErrUnexpectedEOF,
		},
	} {
		r, err := Decode(tt.coding, strings.NewReader(tt.stored))
		if err != nil {
			t.Fatal(name, err)
		}
		if got, err := io.ReadAll(r); len(got) != tt.bytes || !errors.Is(err, tt.end) {
			t.Errorf("%s: %d bytes, %v; want %d", name, len(got), err, tt.bytes)
		}
	}
}

func TestDecodeSaysWhatItCannotUndo(t *testing.T) {
	for _, coding := range []string{"compress", "dcz", strings.Repeat("gzip,", 50)} {
		if _, err := Decode(coding, strings.NewReader("x")); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%.20s: got %v", coding, err)
		}
	}
}
