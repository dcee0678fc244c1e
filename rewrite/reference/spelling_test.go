package reference

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
)

func TestSpellingsThatAURIMDoesNotTell(t *testing.T) {
	const origin, m = "http://a.example", "/web/2020im_/"
	for _, tt := range []struct{ name, uriM, ref, fragment, want string }{
		{"a path on the page's own origin", m + "http://a.example/x", "/x", "", ""},
		{"with a fragment", m + "http://a.example/x", "/x#y", "#y", ""},
		{"another origin in full", m + "http://b.example/x", "http://b.example/x", "", ""},
		{"its own in full", m + "http://a.example/x", "http://a.example/x", "", "/~http%3A%2F%2Fa.example%2Fx~31/.."},
		{"a relative path", m + "http://a.example/x", "x", "", "/~x~31/.."},
		{"another spelling of as many characters", m + "http://a.example/x", "/y", "", "/~%2Fy~31/.."},
		{"another fragment", m + "http://a.example/x", "/x#z", "#y", "/~%2Fx%23z~33/.."},
		{"escapes", m + "http://a.example/a-b_c.d%21", "/a-b_c.d!", "", "/~%2Fa-b_c.d%21~40/.."},
		{"characters as scripts count them", m + "http://a.example/ä😀", "/ö", "#😀", "/~%2F%C3%B6~36/.."},
		{"an origin that has no path", m + "http://a.example", "//a.example", "", "/~%2F%2Fa.example~29/.."},
		{"no URI-R", "/other", "x", "", "/~x~6/.."},
		{"an address elsewhere", "http://archive.example" + m + "http://a.example/x", "x", "", ""},
	} {
		if got := string(AppendSpelling([]byte("before"), []byte(tt.ref), []byte(tt.fragment), tt.uriM, origin)); got != "before"+tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	utf8, latin := New("http://a.example/", nil), New("http://a.example/", charmap.ISO8859_1)
	for ref, want := range map[string][2]bool{
		"": {true, true}, "ä": {true, false}, "\xe4": {false, false}, strings.Repeat("x", 2048): {true, true}, strings.Repeat("x", 2049): {},
	} {
		if got := [2]bool{IsSpellable([]byte(ref), utf8), IsSpellable([]byte(ref), latin)}; got != want {
			t.Errorf("%.10q, %d bytes: %v", ref, len(ref), got)
		}
	}
}

func TestABaseIsJoinedInADocument(t *testing.T) {
	base := New("http://a.example/b/c", nil)
	for ref, want := range map[string]string{
		"../d/e": "http://a.example/d/e", "https://b.example": "https://b.example/", "data:,x": base.Href(), "#x": base.Href(),
		"/" + strings.Repeat("x", 4096-17): "http://a.example/" + strings.Repeat("x", 4096-17), "/" + strings.Repeat("x", 4096-16): base.Href(),
	} {
		if got := base.Join([]byte(ref)).Href(); got != want {
			t.Errorf("%.20s: %.40s", ref, got)
		}
	}
}

func TestAddressesThatBrowsersRequest(t *testing.T) {
	const page = "https://a.example/b/c"
	for _, tt := range []struct{ base, ref, want string }{
		{page, " d#e ", "https://a.example/b/d"},
		{page, "//B.example", "https://b.example/"},
		{"", "http://a.example:80", "http://a.example/"},
		{"", "d", ""},
		{page, "mailto:a", ""},
		{page, "http://a b/", ""},
		{page, "/%zz", "https://a.example/%25zz"},
		{page, "/é%41/100%?50%#%", "https://a.example/%C3%A9%41/100%25?50%"},
		{page, "/?50%", "https://a.example/?50%"},
	} {
		if got, err := Web(tt.base, tt.ref); got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%q in %q: %q, %v", tt.ref, tt.base, got, err)
		}
	}
	for address, want := range map[string]string{
		"http://a.example/": "a.example", "http://a.example:81": "a.example:81", "urn:x": "", "http://a b/": "",
	} {
		if got := Host(address); got != want {
			t.Errorf("host of %s: %s", address, got)
		}
	}
	for uri, want := range map[string]string{
		"http://www.a.example:81/": "a.example", "http://b.co.uk/": "b.co.uk", "http://co.uk/": "", "urn:x": "",
	} {
		if got := New(uri, nil).Domain(); got != want {
			t.Errorf("domain of %s: %s", uri, got)
		}
	}
}
