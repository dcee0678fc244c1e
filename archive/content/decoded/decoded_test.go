package decoded_test

import (
	"encoding/xml"
	"testing"

	"github.com/varve-archive/varve/archive/content/decoded"
)

func TestCharsetIsWhatHTTPOrAMarkSays(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ body, contentType, want string }{
		"nothing is said":       {"Млин", "", "Млин"},
		"UTF-8":                 {"Млин", "text/csv; charset=UTF-8", "Млин"},
		"UTF-8 with a mark":     {"\xef\xbb\xbfМ", "", "М"},
		"a mark before HTTP":    {"\xef\xbb\xbfМ", "text/csv; charset=windows-1251", "М"},
		"HTTP says it badly":    {"\xcc\xeb\xe8\xed", "text/csv; charset=windows-1251; x", "Млин"},
		"HTTP says it":          {"\xcc\xeb\xe8\xed", "text/csv; charset=windows-1251", "Млин"},
		"a mark of UTF-16 BE":   {"\xfe\xff\x04\x1c", "text/csv", "М"},
		"a mark of UTF-16 LE":   {"\xff\xfe\x1c\x04", "text/csv; charset=utf-8", "М"},
		"an unknown charset":    {"abc", "text/csv; charset=klingon", "abc"},
		"no Content-Type":       {"abc", ";;", "abc"},
		"no UTF-8":              {"caf\xe9", "text/csv", "café"},
		"UTF-8 that is cut off": {"Мли\xd0", "text/csv", "Мли\xd0"},
		"it isn't, though said": {"caf\xe9", "text/csv; charset=utf-8", "caf\xe9"},
	} {
		if got := string(decoded.UTF8([]byte(tt.body), tt.contentType)); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestDeclarationsOfXMLCountUnlessHTTPSaysMore(t *testing.T) {
	t.Parallel()
	const mill = "\xcc\xeb\xe8\xed"
	for name, tt := range map[string]struct{ body, contentType string }{
		"only the declaration": {`<?xml version="1.0" encoding="windows-1251"?><a>` + mill + "</a>", "text/xml"},
		"both say the same":    {`<?xml version="1.0" encoding="windows-1251"?><a>` + mill + "</a>", "text/xml; charset=windows-1251"},
		"HTTP says another":    {`<?xml version="1.0" encoding="koi8-r"?><a>` + mill + "</a>", "text/xml; charset=windows-1251"},
		"only HTTP":            {"<a>" + mill + "</a>", "text/xml; charset=windows-1251"},
		"nobody":               {"<a>Млин</a>", "text/xml"},
		"a wrong one":          {"<?xml version='1.0' encoding='utf-16'?><a>Млин</a>", "text/xml"},
		"a mark before HTTP":   {"\xef\xbb\xbf<a>Млин</a>", "text/xml; charset=windows-1251"},
		"forbidden characters": {"<a>М\x0bл&#8;ин\x00</a>", "text/xml; charset=utf-8"},
	} {
		var got string
		if err := decoded.XML([]byte(tt.body), tt.contentType).DecodeElement(&got, nil); err != nil || got != "Млин" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	var faulty string
	if err := decoded.XML([]byte("<?xml version='1.0' encoding='UTF-8'?><a>Caf\xe9 Млин</a>"), "").DecodeElement(&faulty, nil); err != nil ||
		faulty != "Caf\uFFFD Млин" {
		t.Errorf("a byte that is no UTF-8: %q, %v", faulty, err)
	}
	var none string
	err := decoded.XML([]byte(`<!DOCTYPE a [<!ENTITY x "grown">]><a>&x;</a>`), "").DecodeElement(&none, &xml.StartElement{})
	if none == "grown" {
		t.Errorf("an entity of the document is expanded: %q, %v", none, err)
	}
}
