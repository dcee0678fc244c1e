package visible

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/wlynxg/chardet"
	"github.com/zeebo/xxh3"
	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"

	"github.com/varve-archive/varve/archive/content/filetext"
	"github.com/varve-archive/varve/internal/xmltext"
)

var (
	utf8BOM = []byte("\xef\xbb\xbf")
	// XML 1.0 §4.3.3. An XHTML page may declare its charset only there.
	xmlEncoding = regexp.MustCompile(`^<\?xml[^>]*\bencoding\s*=\s*["']([A-Za-z0-9._:-]+)`)
)

// UTF8 returns a page as valid UTF-8, decoded as [Extractor.Extract] does. The result may be body itself.
func UTF8(body []byte, contentType string) []byte { return new(declared).toUTF8(body, contentType) }

// toUTF8 returns body as valid UTF-8. The charset is that of the byte-order mark, else of the Content-Type header, else
// of a meta element or XML declaration; without these it is UTF-8 if body is valid UTF-8, else guessed, else windows-1252. Bytes that
// are invalid in the charset become U+FFFD. The result may be body itself.
func (d *declared) toUTF8(body []byte, contentType string) []byte {
	if said := xmltext.Charset(contentType); said != "" {
		contentType = "text/html; charset=" + said // the library reads no type that is badly written
	}
	e, name, certain := d.determine(body, contentType)
	if !certain && name == undeclaredName {
		e, name = undeclared(body, e, name)
	}
	if name == "utf-8" {
		body = bytes.TrimPrefix(body, utf8BOM)
		if utf8.Valid(body) {
			return body
		}
		return bytes.ToValidUTF8(body, []byte("\ufffd"))
	}
	// The WHATWG decoders don't fail on invalid input. If one did, its output so far would still be text.
	out, _, _ := transform.Bytes(e.NewDecoder(), body)
	return bytes.ToValidUTF8(bytes.TrimPrefix(out, utf8BOM), []byte("\ufffd"))
}

// A declared caches which charset the beginnings of recent pages declare, since pages of a site begin alike.
type declared [64]struct {
	start, contentType string
	encoding           encoding.Encoding
	name               string
}

// sniffed is the number of bytes of a page that are searched for a declaration.
const sniffed = 1024

// determine is [charset.DetermineEncoding] with a cache.
func (d *declared) determine(body []byte, contentType string) (e encoding.Encoding, name string, certain bool) {
	start := untilDeclared(body)
	if start == nil {
		return charset.DetermineEncoding(body, contentType)
	}
	known := &d[xxh3.Hash(start)%uint64(len(d))]
	if known.start != string(start) || known.contentType != contentType {
		e, name, certain = charset.DetermineEncoding(start, contentType)
		if certain || name == undeclaredName { // given by the header, or declared later
			return charset.DetermineEncoding(body, contentType)
		}
		known.start, known.contentType, known.encoding, known.name = string(start), strings.Clone(contentType), e, name
	}
	return known.encoding, known.name, false
}

// undeclaredName is the result of [charset.DetermineEncoding] for ASCII without a declaration.
const undeclaredName = "windows-1252"

// untilDeclared returns the beginning of a page up to the end of the first tag that seems to declare a charset. It
// returns nil if there is no such tag, or anything but ASCII before its end.
func untilDeclared(body []byte) []byte {
	start := body[:min(len(body), sniffed)]
	at := bytes.Index(start, []byte("charset"))
	if at < 0 {
		return nil
	}
	end := bytes.IndexByte(start[at:], '>')
	if end < 0 {
		return nil
	}
	start = start[:at+end+1]
	for _, c := range start {
		if c >= utf8.RuneSelf {
			return nil
		}
	}
	return start
}

// undeclared decides for a page that declares nothing, or windows-1252. Valid UTF-8 is never meant as windows-1252; only the first 1024
// bytes have been examined so far.
func undeclared(body []byte, e encoding.Encoding, name string) (encoding.Encoding, string) {
	if m := xmlEncoding.FindSubmatch(body[:min(len(body), 256)]); m != nil {
		if x, n := charset.Lookup(string(m[1])); x != nil {
			return x, n
		}
	}
	if utf8.Valid(body) {
		return encoding.Nop, "utf-8"
	}
	if late, n := declaredLate(body); late != nil {
		return late, n
	}
	if guess, n := guessed(body); guess != nil {
		return guess, n
	}
	return e, name
}

const (
	// maxGuessed bounds what is read to guess a charset, in bytes.
	maxGuessed = 4 << 10
	// minGuess is how sure a guess has to be, from 0 to 1. Those of Latin charsets never are.
	minGuess = 0.8
)

// guessed returns the charset of a script other than Latin that a page seems to be in, as browsers guess it; nil if there is none.
func guessed(body []byte) (encoding.Encoding, string) {
	from := bytes.IndexFunc(body, func(r rune) bool { return r >= utf8.RuneSelf })
	sample := body[from:min(from+maxGuessed, len(body))]
	if isLatin(sample) {
		return nil, ""
	}
	guess := chardet.Detect(sample)
	if guess.Confidence < minGuess {
		return nil, ""
	}
	e, name := charset.Lookup(labelOfGuess(guess.Encoding))
	if e == nil {
		return nil, ""
	}
	text, err := e.NewDecoder().Bytes(sample)
	if err != nil || bytes.ContainsRune(bytes.TrimSuffix(text, []byte("\ufffd")), utf8.RuneError) { // the last character may be cut off
		return nil, ""
	}
	return e, name
}

// FilePage converts a file as [filetext.Page] does. The charset of a text in another one than UTF-8 that nobody declares is guessed, as
// that of a page is.
func FilePage(mime, contentType string, file []byte) ([]byte, error) {
	declares := filetext.IsWhole(mime) || strings.Contains(mime, "xml") || strings.Contains(mime, "json") ||
		xmltext.Charset(contentType) != "" || bytes.HasPrefix(file, []byte("\xfe\xff")) || bytes.HasPrefix(file, []byte("\xff\xfe"))
	if !declares && !utf8.Valid(file) {
		if guess, _ := guessed(file); guess != nil {
			text, _, _ := transform.Bytes(guess.NewDecoder(), file) // as far as it goes
			file, contentType = text, mime+"; charset=utf-8"
		}
	}
	return filetext.Page(mime, contentType, file)
}

// isLatin reports whether most bytes besides ASCII stand alone, as letters with accents do. It is far cheaper than a guess.
func isLatin(text []byte) bool {
	high, pairs, before := 0, 0, byte(0)
	for _, c := range text {
		if c >= utf8.RuneSelf {
			if high++; before >= utf8.RuneSelf {
				pairs++
			}
		}
		before = c
	}
	return pairs*8 < high
}

// labelOfGuess returns a label (Encoding standard) of a charset that pages without a declaration may be in, "" for all others.
func labelOfGuess(name string) string {
	switch name {
	case "SHIFT_JIS", "EUC-JP", "GB2312", "Big5", "EUC-KR", "Windows-1251", "ISO-8859-5", "IBM866", "ISO-8859-7", "Windows-1253",
		"Windows-1255", "TIS-620":
		return name
	case "CP932":
		return "shift_jis"
	case "CP949":
		return "euc-kr"
	case "KOI8-R":
		return "koi8-u" // which has all letters of it, and the Ukrainian ones
	case "MacCyrillic": // which has nearly the same letters
		return "windows-1251"
	}
	return ""
}

// declaredLate returns the charset of the first meta element that declares one, wherever it is; nil if none does. A browser that finds one
// late reads the page again (HTML §13.2.3.5).
func declaredLate(body []byte) (encoding.Encoding, string) {
	for z := html.NewTokenizer(bytes.NewReader(body)); ; {
		switch kind := z.Next(); {
		case kind == html.ErrorToken:
			return nil, ""
		case kind != html.StartTagToken && kind != html.SelfClosingTagToken:
			continue
		}
		if name, more := z.TagName(); more && string(name) == "meta" {
			if e, n := charset.Lookup(charsetOfMeta(z)); e != nil {
				if strings.HasPrefix(n, "utf-16") {
					return encoding.Nop, "utf-8" // what was read so far can't have been UTF-16
				}
				return e, n
			}
		}
	}
}

// charsetOfMeta returns the charset that a meta element declares, "" if it declares none.
func charsetOfMeta(z *html.Tokenizer) string {
	var own, content, equiv string
	for more := true; more; {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "charset":
			own = string(value)
		case "content":
			content = string(value)
		case "http-equiv":
			equiv = string(value)
		}
	}
	if own == "" && strings.EqualFold(equiv, "content-type") {
		own = xmltext.Charset(content)
	}
	return own
}
