package xmltext_test

import (
	"testing"

	"github.com/varve-archive/varve/internal/xmltext"
)

func TestLegal(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                                    "",
		"a\tb\r\n&#9;&#xA;&#13;&#xd7ff;&#32;": "a\tb\r\n&#9;&#xA;&#13;&#xd7ff;&#32;",
		"a\x00b\x0b\x1f\ufffe\uffffc\ufffd":   "abc\ufffd",
		"a&#0;&#x8;&#011;&#X1f;&#31;&#xDFFF;": "a",
		"caf\xe9\x0b":                         "caf\xe9\x0b",
		"\x1b$B4A\x1b(B":                      "\x1b$B4A\x1b(B",
	} {
		if got := string(xmltext.Legal([]byte(in))); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestEncoding(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "", "<a encoding='x'/>": "", "<?xml version='1.0'?><a encoding='x'/>": "", "<?xml version='1.0' encoding=''?>": "",
		"\r\n <?xml version='1.0' encoding = \"KOI8-R\"?>": "KOI8-R", "a<?xml encoding='x'?>": "",
		"<?xml version='1.0' encoding='UTF-16LE'?>": "utf-8",
	} {
		if got := xmltext.Encoding([]byte(in)); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestInUTF8(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, contentType, want string }{
		{"<?xml version='1.1'?><a/>", "", "<a/>"},
		{"\n<?xml version='1.0' encoding='utf8mb4'?><a>ä</a>", "text/xml; charset=iso-8859-1", "<a>ä</a>"},
		{"<a>\xe4</a>", "text/xml; charset=iso-8859-1", "<a>ä</a>"},
		{"<a>\xe4</a>", "text/xml; charset=utf-8", "<a>ä</a>"},
		{"\xef\xbb\xbf<?xml version='1.0' encoding='iso-8859-1'?><a>ä</a>", "", "<a>ä</a>"},
		{"\xef\xbb\xbf<?xml version='1.0' encoding='iso-8859-2'?><a>\xb1</a>", "", "<a>ą</a>"},
		{"<?xml version='1.0' encoding='utf-16'?><a>ä</a>", "", "<a>ä</a>"},
		{"\xff\xfe<\x00a\x00/\x00>\x00", "text/xml; charset=utf-8", "<a/>"},
	} {
		if got := string(xmltext.InUTF8([]byte(tt.in), tt.contentType)); got != tt.want {
			t.Errorf("%q, %s: %q, want %q", tt.in, tt.contentType, got, tt.want)
		}
	}
}

func TestCharsetIsFoundHoweverBadlyTheRestIsWritten(t *testing.T) {
	t.Parallel()
	for declared, want := range map[string]string{
		"text/html":                             "",
		"text/html; charset=UTF-8":              "utf-8",
		`text/html;charset="iso-8859-1" ; x=y`:  "iso-8859-1",
		"charset=utf-8":                         "utf-8",
		"text/html; ; Charset= 'windows-1252' ": "windows-1252",
		"text/html; charset":                    "",
		"text/html; charset=":                   "",
	} {
		if got := xmltext.Charset(declared); got != want {
			t.Errorf("%s: got %q, want %q", declared, got, want)
		}
	}
}
