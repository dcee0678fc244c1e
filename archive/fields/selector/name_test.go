package selector

import (
	"strings"
	"testing"
)

func TestNamesAreWrittenForCSSAndXPath(t *testing.T) {
	for _, tt := range []struct{ in, name, text, xpath string }{
		{"a", "a", `"a"`, `"a"`},
		{"azAZ09_-é", "azAZ09_-é", `"azAZ09_-é"`, `"azAZ09_-é"`},
		{"x@[`{/:", "x\\@\\[\\`\\{\\/\\:", "\"x@[`{/:\"", "\"x@[`{/:\""},
		{"0a", `\30 a`, `"0a"`, `"0a"`},
		{"9", `\39 `, `"9"`, `"9"`},
		{"-1", `-\31 `, `"-1"`, `"-1"`},
		{"-/", `-\/`, `"-/"`, `"-/"`},
		{"a-1", `a-1`, `"a-1"`, `"a-1"`},
		{"-", `\-`, `"-"`, `"-"`},
		{"-a", `-a`, `"-a"`, `"-a"`},
		{"--", `-\-`, `"--"`, `"--"`},
		{"\x01\x1f \x7f\u0080", "\\1 \\1f \\ \\7f \u0080", "\"\\1 \\1f  \\7f \u0080\"", "\"\x01\x1f \x7f\u0080\""},
		{`a"b`, `a\"b`, `"a\"b"`, `'a"b'`},
		{`a'b\`, `a\'b\\`, `"a'b\\"`, `"a'b\"`},
		{`'"`, `\'\"`, `"'\""`, ""},
	} {
		if got := identifier(tt.in); got != tt.name {
			t.Errorf("%q is named %s, want %s", tt.in, got, tt.name)
		}
		if got := quoted(tt.in); got != tt.text {
			t.Errorf("%q is quoted %s, want %s", tt.in, got, tt.text)
		}
		if got := literal(tt.in); got != tt.xpath {
			t.Errorf("%q is %s for XPath, want %s", tt.in, got, tt.xpath)
		}
	}
}

func TestNamesThatLast(t *testing.T) {
	for name, want := range map[string]bool{
		"price": true, "": false, strings.Repeat("a", 40): true, strings.Repeat("a", 41): false, "Active": false, "a:b": false, "a#": false,
		"is-open": false, "wow2": false, "column2": true, "12px": true, "x-3f9a2c": false, "a_12": true, "a.123": false, "a1b": false,
		"camelCaseTwice": true, "aBcDe": false, "caMel": true,
	} {
		if isLasting(name) != want {
			t.Errorf("%q: %t", name, !want)
		}
	}
	for name, want := range map[string]bool{
		"": false, "a": true, "z-9": true, "h1": true, "1h": false, "-a": false, "linearGradient": false, "xml:a": false,
	} {
		if isPlain(name) != want {
			t.Errorf("%q is plain: %t", name, !want)
		}
	}
}
