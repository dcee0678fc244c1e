package edit

import (
	"strings"
	"testing"
)

func TestEveryContextEscapesWhatWouldEndIt(t *testing.T) {
	const odd = "a\"'<>&`\\() \t\n\r\f$,z"
	for name, tt := range map[string]struct {
		esc  Escape
		want string
	}{
		"none":                   {Verbatim, odd},
		"an attribute":           {InAttr, "a&#34;&#39;&lt;&gt;&amp;&#96;\\() \t\n\r\f$,z"},
		"an unquoted attribute":  {InUnquoted, "a&#34;&#39;&lt;&gt;&amp;&#96;\\()&#32;&#9;&#10;&#13;&#12;$,z"},
		"CSS":                    {InCSS, "a\\\"\\'\\3c >&`\\\\\\(\\)\\ \\9 \\a \\d \\c $,z"},
		"a script":               {InScript, "a\\\"\\'\\x3c>&\\`\\\\() \t\\n\\r\f\\x24,z"},
		"JSON":                   {InJSON, "a\\\"'\\u003c>&`\\\\() \\t\\n\\r\f$,z"},
		"a srcset":               {InSrcset, "a\"'<>&`\\() \t\n\r\f$%2Cz"},
		"a list":                 {InComma, "a\"'<>&`\\() \t\n\r\f$%2Cz"},
		"a list in an attribute": {InComma.within(InAttr), "a&#34;&#39;&lt;&gt;&amp;&#96;\\() \t\n\r\f$%2Cz"},
		"CSS in an attribute":    {InCSS.within(InAttr), "a\\&#34;\\&#39;\\3c &gt;&amp;&#96;\\\\\\(\\)\\ \\9 \\a \\d \\c $,z"},
		"an attribute in none":   {InAttr.within(Verbatim), "a&#34;&#39;&lt;&gt;&amp;&#96;\\() \t\n\r\f$,z"},
	} {
		if got := string(tt.esc.append([]byte("x"), []byte(odd))); got != "x"+tt.want {
			t.Errorf("%s: %q, want %q", name, got, "x"+tt.want)
		}
		if got := tt.esc.AppendString([]byte("x"), odd); string(got) != "x"+tt.want {
			t.Errorf("%s, a string: %q, want %q", name, got, "x"+tt.want)
		}
	}
	deep := Verbatim
	for range 8 {
		deep = InAttr.within(deep)
		if deep == Verbatim {
			t.Fatal("the escape is lost")
		}
	}
	for range 20 { // eight contexts are the most
		deep = deep.within(InAttr)
	}
	if got := string(deep.append(nil, []byte("&"))); got != "&"+strings.Repeat("amp;", 8) {
		t.Errorf("eight contexts deep: %q", got)
	}
}
