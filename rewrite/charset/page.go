package charset

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"github.com/varve-archive/varve/rewrite/reference"
)

// PageLen is the number of bytes that decide a page's charset: browsers search the whole head for a meta element, and scripts and
// styles make heads long.
const PageLen = 64 << 10

// OfPage returns the charset in which a browser reads an HTML page (HTML, "determining the character encoding"). declared is the
// charset parameter of its Content-Type, head its first [PageLen] bytes. The result is "" if nothing declares a charset, so that
// the browser guesses. The replayed header has to declare the result, because inserted markup pushes a meta element beyond the
// bytes that a browser searches.
func OfPage(declared string, head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte(BOM)):
		return "utf-8"
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return "utf-16be"
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		return "utf-16le"
	}
	if _, name := charset.Lookup(declared); name != "" {
		return name
	}
	return metaCharset(head)
}

// OfDomain returns the charset that a browser derives from the top-level domain of a page that declares none; the browser doesn't
// see that domain in an archive. It does so only for ASCII and UTF-8, which browsers don't detect; it detects other charsets in an
// archive too. The result is "" if the browser needs no help.
func OfDomain(uri string, head []byte) string {
	for n := 1; n < utf8.UTFMax && n < len(head) && !utf8.Valid(head); n++ { // the last character may be cut off
		if cut := head[:len(head)-n]; utf8.Valid(cut) {
			head = cut
		}
	}
	if !utf8.Valid(head) {
		return ""
	}
	host := reference.New(uri, nil).Hostname()
	return ofTopLevel(host[strings.LastIndexByte(host, '.')+1:])
}

// ofTopLevel returns Chromium's default charset for a top-level domain (measured with version 152, which has Arabic and Baltic the
// wrong way round).
func ofTopLevel(domain string) string {
	switch domain {
	case "az":
		return "windows-1254"
	case "bg", "mk", "rs", "ru":
		return "windows-1251"
	case "cn":
		return "gbk"
	case "cz", "hr":
		return "windows-1250"
	case "ee", "lt", "lv":
		return "windows-1256"
	case "eg", "ir":
		return "windows-1257"
	case "gr":
		return "iso-8859-7"
	case "hk":
		return "big5"
	case "hu", "pl", "ro":
		return "iso-8859-2"
	case "il":
		return "windows-1255"
	case "jp":
		return "shift_jis"
	case "kr":
		return "euc-kr"
	}
	return ""
}

// metaCharset returns the charset of a meta element in the head of a page, or anywhere in its first bytes.
func metaCharset(head []byte) string {
	z := html.NewTokenizer(bytes.NewReader(head))
	inHead, read := true, 0
	for {
		tt := z.Next()
		if tt == html.ErrorToken || !inHead && read >= SniffLen {
			return ""
		}
		read += len(z.Raw())
		if tt != html.StartTagToken && tt != html.SelfClosingTagToken {
			continue
		}
		name, more := z.TagName()
		switch string(name) {
		case "meta":
			if found := metaDeclares(z, more); found != "" {
				return found
			}
		case "html", "head", "title", "base", "link", "style", "script", "noscript", "object", "template":
		default:
			inHead = false
		}
	}
}

// metaDeclares returns the charset that a meta element declares, or "" if it declares no known one (HTML, "prescan a
// byte stream").
func metaDeclares(z *html.Tokenizer, more bool) string {
	var label, content string
	pragma := false
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "charset":
			label = string(value)
		case "content":
			content = string(value)
		case "http-equiv":
			pragma = strings.EqualFold(strings.TrimSpace(string(value)), "content-type")
		}
	}
	if label == "" && pragma {
		label = contentCharset(content)
	}
	_, name := charset.Lookup(label)
	switch {
	case strings.HasPrefix(name, "utf-16"): // a page in which this is readable as ASCII is not UTF-16
		return "utf-8"
	case name == "x-user-defined":
		return "windows-1252"
	}
	return name
}

// contentCharset returns the value of "charset=" in the content of a meta element (HTML, "extracting a character
// encoding").
func contentCharset(content string) string {
	for rest := strings.ToLower(content); ; {
		_, after, ok := strings.Cut(rest, "charset")
		if !ok {
			return ""
		}
		rest = after
		value, ok := strings.CutPrefix(strings.TrimLeft(after, " \t\r\n\f"), "=")
		if !ok {
			continue
		}
		value = strings.TrimLeft(value, " \t\r\n\f")
		if value != "" && (value[0] == '"' || value[0] == '\'') {
			quoted, _, closed := strings.Cut(value[1:], value[:1])
			if !closed {
				return ""
			}
			return quoted
		}
		if end := strings.IndexAny(value, " \t\r\n\f;"); end >= 0 {
			value = value[:end]
		}
		return value
	}
}
