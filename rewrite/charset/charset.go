package charset

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"strings"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/transform"

	"github.com/varve-archive/varve/rewrite/ascii"
)

// SniffLen is the number of bytes that decide a document's charset (HTML, "prescan a byte stream").
const SniffLen = 1024

// BOM is the byte order mark with which a document in UTF-8 may begin.
const BOM = "\xef\xbb\xbf"

// Info is the encoding of a document.
type Info struct {
	Name     string            // WHATWG name, lower case
	Encoding encoding.Encoding // nil for UTF-8
}

// Sniff decides as browsers do: by a byte order mark, the HTTP header, a meta element, or a guess.
func Sniff(head []byte, declared string) Info {
	contentType := ""
	if declared != "" {
		contentType = "text/html; charset=" + declared
	}
	_, name, _ := charset.DetermineEncoding(head, contentType)
	if name == "utf-8" {
		return Info{Name: name}
	}
	enc, _ := htmlindex.Get(name) // never fails
	return Info{name, enc}
}

// NeverASCII reports whether bytes that look like ASCII may mean something else in a charset, because it has shift states or wide
// characters. Documents in such charsets are rewritten as UTF-8 and converted back.
func NeverASCII(name string) bool {
	return strings.HasPrefix(name, "utf-16") || name == "iso-2022-jp"
}

// Letters replaces each character of two bytes by a letter that has two bytes in UTF-8, so that the text can be read as code byte by byte:
// in some charsets the second byte may be a backslash, a backtick or a brace. In all others text is returned as it is.
func Letters(text []byte, enc encoding.Encoding) []byte {
	if enc == nil || ascii.Only(text) {
		return text
	}
	name, _ := htmlindex.Name(enc)
	if name != "shift_jis" && name != "big5" && name != "gbk" && name != "gb18030" {
		return text
	}
	out := bytes.Clone(text)
	for i := 0; i+1 < len(out); i++ {
		kana := name == "shift_jis" && 0xa0 <= out[i] && out[i] <= 0xdf // of one byte
		if out[i] > 0x80 && out[i] != 0xff && !kana && out[i+1] >= '@' && out[i+1] != 0x7f {
			i += copy(out[i:], "é") - 1
		}
	}
	return out
}

// Transcode calls f with r, a document whose Content-Type declares a charset or "". If [NeverASCII] holds for the document's charset, f
// gets the document as UTF-8, and its output is converted back. Bytes that are none of the charset become U+FFFD, as in browsers: if the
// document were left as it is because of one of them, it would lead to the live web.
func Transcode(w io.Writer, r io.Reader, declared string, f func(io.Writer, io.Reader, Info) error) error {
	br := bufio.NewReaderSize(r, SniffLen)
	head, err := br.Peek(SniffLen)
	if len(head) == 0 {
		if err == io.EOF {
			return nil
		}
		return err
	}
	c := Sniff(head, declared)
	if !NeverASCII(c.Name) {
		return f(w, br, c)
	}
	out := transform.NewWriter(w, encoding.HTMLEscapeUnsupported(c.Encoding.NewEncoder()))
	err = f(out, transform.NewReader(br, c.Encoding.NewDecoder()), c)
	return cmp.Or(err, out.Close())
}
