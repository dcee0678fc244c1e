package rewrite

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
)

// prescanSize is how much of a document decides its charset (HTML, "prescan a byte stream").
const prescanSize = 1024

// charsetInfo is the encoding of a document.
type charsetInfo struct {
	name     string            // WHATWG name, lower case
	encoding encoding.Encoding // nil for UTF-8
}

// sniffCharset decides as browsers do: by a byte order mark, the HTTP header, a meta element, or a guess.
func sniffCharset(head []byte, declared string) charsetInfo {
	contentType := ""
	if declared != "" {
		contentType = "text/html; charset=" + declared
	}
	enc, name, _ := charset.DetermineEncoding(head, contentType)
	if name == "utf-8" {
		return charsetInfo{name: name}
	}
	return charsetInfo{name, enc}
}

// neverASCII reports whether bytes that look like ASCII may not be ASCII in a charset, because state or width decides
// what they mean. Documents in such charsets are rewritten as UTF-8 and converted back.
func neverASCII(name string) bool {
	return strings.HasPrefix(name, "utf-16") || name == "iso-2022-jp" || name == "hz-gb-2312"
}

// doubleByteUnsafe adds the charsets whose second bytes may be a backslash or a back tick. These begin something in CSS
// and JavaScript, though not in HTML and XML.
func doubleByteUnsafe(name string) bool {
	return neverASCII(name) || name == "shift_jis" || name == "big5" || name == "gbk" || name == "gb18030"
}

// transcoded calls f with r. If must holds for the document's charset, f gets the document as UTF-8, and what it writes
// is converted back. A document that does not survive the way there and back passes through unchanged.
func transcoded(w io.Writer, r io.Reader, o Options, must func(name string) bool, f func(io.Writer, io.Reader, charsetInfo) error) error {
	br := bufio.NewReaderSize(r, prescanSize)
	head, err := br.Peek(prescanSize)
	if err != nil && len(head) == 0 {
		if err == io.EOF {
			return nil
		}
		return err
	}
	c := sniffCharset(head, o.Charset)
	if !must(c.name) {
		return f(w, br, c)
	}
	whole, err := io.ReadAll(io.LimitReader(br, maxToken))
	if err != nil {
		return passOn(w, whole, err)
	}
	text, ok := decodeLossless(whole, c.encoding)
	if !ok || len(whole) == maxToken {
		if _, err := w.Write(whole); err != nil {
			return err
		}
		_, err := io.Copy(w, br)
		return err
	}
	var out bytes.Buffer
	if err := f(&out, bytes.NewReader(text), charsetInfo{c.name, c.encoding}); err != nil {
		return err
	}
	encoded, err := encoding.ReplaceUnsupported(c.encoding.NewEncoder()).Bytes(out.Bytes())
	if err != nil {
		return passOn(w, whole, nil)
	}
	_, err = w.Write(encoded)
	return err
}

// passOn writes b and returns err, or else the error of writing.
func passOn(w io.Writer, b []byte, err error) error {
	if _, writeErr := w.Write(b); writeErr != nil && err == nil {
		err = writeErr
	}
	return err
}

// decodeLossless returns b as UTF-8 if encoding it again gives b.
func decodeLossless(b []byte, enc encoding.Encoding) ([]byte, bool) {
	text, err := enc.NewDecoder().Bytes(b)
	if err != nil {
		return nil, false
	}
	again, err := enc.NewEncoder().Bytes(text)
	return text, err == nil && bytes.Equal(again, b)
}
