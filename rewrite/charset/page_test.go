package charset

import (
	"strings"
	"testing"
)

func TestPageCharset(t *testing.T) {
	long := "<script>" + strings.Repeat("var a = '<meta charset=koi8-r>';\n", 200) + "</script>"
	for _, tt := range []struct{ name, declared, page, want string }{
		{"a byte order mark goes first", "iso-8859-1", "\xef\xbb\xbf<meta charset=big5>", "utf-8"},
		{"of UTF-16 too", "", "\xff\xfe<\x00", "utf-16le"},
		{"of the other UTF-16", "", "\xfe\xff\x00<", "utf-16be"},
		{"then the header", "ISO-8859-1", "<meta charset=utf-8>", "windows-1252"},
		{"one that is none is passed over", "none", "<meta charset=utf-8>", "utf-8"},
		{"then a meta element", "", "<html><head><meta charset='Shift_JIS'>", "shift_jis"},
		{"of the old kind", "", `<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=EUC-JP">`, "euc-jp"},
		{"both kinds", "", `<meta http-equiv=content-type content='text/html; charset=gb2312' charset=big5>`, "big5"},
		{"with quotes inside", "", `<meta http-equiv=content-type content='text/html; charset = "gb2312" x'>`, "gbk"},
		{"with other quotes", "", `<meta http-equiv=content-type content="charset='gb2312'">`, "gbk"},
		{"with quotes that don't end", "", `<meta http-equiv=content-type content="charset='gb2312">`, ""},
		{"an empty one", "", `<meta http-equiv=content-type content="text/html; charset=">`, ""},
		{"followed by something", "", `<meta http-equiv=content-type content="charset=big5;x">`, "big5"},
		{"the second word", "", `<meta http-equiv=content-type content="charset big5 charset=gb2312">`, "gbk"},
		{"in an element that closes itself", "", "<meta charset=big5 />", "big5"},
		{"one that speaks of something else isn't", "", `<meta name=description content="charset=big5">`, ""},
		{"one with a label that is none is passed over", "", `<meta charset=none><meta charset=koi8-r>`, "koi8-r"},
		{"text may stand before", "", "some text<html><head><meta charset=utf-8>", "utf-8"},
		{"far down in the head", "", "<head>" + long + "<title>a</title><meta charset=utf-8>", "utf-8"},
		{"in the body among the first bytes", "", "<body><p><meta charset=big5>", "big5"},
		{"in the body further down it isn't looked for", "", "<body>" + strings.Repeat("<p>a", 400) + "<meta charset=big5>", ""},
		{"in a comment or a title it is none", "", "<!-- <meta charset=big5> --><title><meta charset=big5></title>", ""},
		{"UTF-16 in a meta element is UTF-8", "", "<meta charset=utf-16>", "utf-8"},
		{"a label of one's own", "", "<meta charset=x-user-defined>", "windows-1252"},
		{"nothing", "", "<p>abc", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := OfPage(tt.declared, []byte(tt.page)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// A declaration is looked for beyond the first bytes only as long as the head may go on.
func TestTheHeadEndsWithAnythingElse(t *testing.T) {
	const far = "<!--" + "a comment of a thousand bytes and more"
	for name, want := range map[string]string{
		"html": "koi8-r", "head": "koi8-r", "title": "koi8-r", "base": "koi8-r", "link": "koi8-r", "meta": "koi8-r", "style": "koi8-r",
		"script": "koi8-r", "noscript": "koi8-r", "object": "koi8-r", "template": "koi8-r", "body": "", "p": "", "img": "", "header": "",
	} {
		page := "<" + name + "></" + name + ">" + far + strings.Repeat(".", SniffLen) + "--><meta charset=koi8-r>"
		if got := OfPage("", []byte(page)); got != want {
			t.Errorf("behind %s: %q, want %q", name, got, want)
		}
	}
}

// What a browser recognizes in a page it recognizes in an archive, too. The rest depends on the domain.
func TestDomainCharset(t *testing.T) {
	for _, tt := range []struct{ uri, head, want string }{
		{"http://www.example.jp/a", "Die Br\u00fccke", "shift_jis"},
		{"http://example.ru:8080/", "ASCII", "windows-1251"},
		{"http://example.ru/", "cut off \xd0", "windows-1251"},
		{"http://example.ru/", "cut off \xf0\x9f\x98", "windows-1251"},
		{"http://example.jp/", "\x82\xb1\x82\xea", ""},
		{"http://example.jp/", "no character \x98\x98\x98\x98", ""},
		{"http://example.org/", "Die Br\u00fccke", ""},
		{"http://jp/", "a", "shift_jis"},
		{"http://a.az/", "a", "windows-1254"},
		{"http://a.bg/", "a", "windows-1251"},
		{"http://a.cn/", "a", "gbk"},
		{"http://a.cz/", "a", "windows-1250"},
		{"http://a.gr/", "a", "iso-8859-7"},
		{"http://a.hk/", "a", "big5"},
		{"http://a.hu/", "a", "iso-8859-2"},
		{"http://a.il/", "a", "windows-1255"},
		{"http://a.kr/", "a", "euc-kr"},
		{"http://a.lt/", "a", "windows-1256"},
		{"http://a.ir/", "a", "windows-1257"}, // as Chromium has it
		{"http://127.0.0.1/", "a", ""},
		{"urn:x", "a", ""},
	} {
		if got := OfDomain(tt.uri, []byte(tt.head)); got != tt.want {
			t.Errorf("%s, %q: got %q, want %q", tt.uri, tt.head, got, tt.want)
		}
	}
}
