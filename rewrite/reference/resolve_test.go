package reference

import (
	"strings"
	"testing"

	"github.com/nlnwa/whatwg-url/url"
	"golang.org/x/text/encoding/htmlindex"
)

func TestResolve(t *testing.T) {
	const doc = "http://example.com/a/b/page.html?x=1#top"
	for _, tt := range []struct{ name, base, ref, want, fragment string }{
		{"a relative path is put behind the directory", doc, "c.png", "http://example.com/a/b/c.png", ""},
		{"a rooted path is put behind the origin", doc, "/c.png", "http://example.com/c.png", ""},
		{"a query alone keeps the path", doc, "?y=2", "http://example.com/a/b/page.html?y=2", ""},
		{"a network-path reference takes the scheme", doc, "//Cdn.Example.org/x", "http://cdn.example.org/x", ""},
		{"dot segments are taken out", doc, "../../../c/./d/../e", "http://example.com/c/e", ""},
		{"a trailing dot segment leaves the slash", doc, "..", "http://example.com/a/", ""},
		{"dots in the query stay", doc, "/x?y=/../z", "http://example.com/x?y=/../z", ""},
		{"an absolute URI stays", doc, "https://example.org/x?y", "https://example.org/x?y", ""},
		{"a missing path becomes a slash", doc, "http://example.org?q", "http://example.org/?q", ""},
		{"the default port goes", doc, "HTTP://example.org:80/", "http://example.org/", ""},
		{"another port stays", doc, "http://example.org:8080/", "http://example.org:8080/", ""},
		{"the fragment is handed back", doc, "x#y", "http://example.com/a/b/x", "#y"},
		{"white space around is cut", doc, " \n x \t", "http://example.com/a/b/x", ""},
		{"newlines inside are dropped", doc, "ht\ntp://exa\tmple.org/x", "http://example.org/x", ""},
		{"backslashes are slashes", doc, `\x\y`, "http://example.com/x/y", ""},
		{"one slash after the own scheme is relative", doc, "http:c.png", "http://example.com/a/b/c.png", ""},
		{"three slashes are mended", doc, "http:///example.org/x", "http://example.org/x", ""},
		{"non-ASCII paths are percent-encoded", doc, "ä b", "http://example.com/a/b/%C3%A4%20b", ""},
		{"IDN hosts become punycode", doc, "http://bücher.example/", "http://xn--bcher-kva.example/", ""},
		{"an integer host is an IPv4 address", doc, "http://2130706433/", "http://127.0.0.1/", ""},
		{"encoded dot segments count", doc, "/a/%2e%2E/b", "http://example.com/b", ""},
		{"data: is no URI of the archive", doc, "data:image/gif;base64,R0", "", ""},
		{"javascript: neither", doc, "JavaScript:void(0)", "", ""},
		{"mailto: neither", doc, "mailto:a@example.org", "", ""},
		{"ftp: is one", doc, "FTP://Ftp.example.org:21/pub/a%20b.txt?x#y", "ftp://ftp.example.org/pub/a%20b.txt?x", "#y"},
		{"a page of an FTP server has paths", "ftp://a.example/pub/index.html", "../c.png", "ftp://a.example/c.png", ""},
		{"and a root", "ftp://a.example/pub/index.html", "/c.png", "ftp://a.example/c.png", ""},
		{"and a scheme", "ftp://a.example/pub/", "//b.example:21/c", "ftp://b.example/c", ""},
		{"a fragment alone stays in the page", doc, "#x", "", ""},
		{"nothing is nothing", doc, "  ", "", ""},
		{"without base a relative URI is none", "urn:x", "a", "", ""},
		{"without base an absolute URI is one", "urn:x", "http://a.example/b", "http://a.example/b", ""},
		{"a host that can't be is no URI", doc, "http://exa mple/", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			uri, fragment, ok := New(tt.base, nil).Resolve(nil, []byte(tt.ref))
			if ok != (tt.want != "") || string(uri) != tt.want || ok && string(fragment) != tt.fragment {
				t.Errorf("got %q, %q, %v; want %q, %q", uri, fragment, ok, tt.want, tt.fragment)
			}
		})
	}
}

func TestResolveReadsPathAndQueryInThePagesCharset(t *testing.T) {
	for _, tt := range []struct{ charset, ref, want string }{
		{"iso-8859-1", "caf\xe9?q=\xe9", "caf%C3%A9?q=%E9"},
		{"iso-8859-1", "caf\xc3\xa9", "caf%C3%A9"}, // many pages in UTF-8 say so
		{"euc-jp", "\xc6\xbb?q=\xc6\xbb", "%E9%81%93?q=%C6%BB"},
		{"gbk", "\xd2\xbb", "%E4%B8%80"},
		{"shift_jis", "\x95\\.png", "%E8%A1%A8.png"},
		{"utf-8", "caf\xc3\xa9", "caf%C3%A9"},
		{"iso-2022-jp", "caf\xc3\xa9", "caf%C3%A9"}, // rewritten as UTF-8
	} {
		enc, err := htmlindex.Get(tt.charset)
		if err != nil {
			t.Fatal(err)
		}
		uri, _, _ := New("http://example.com/", enc).Resolve(nil, []byte(tt.ref))
		if want := "http://example.com/" + tt.want; string(uri) != want {
			t.Errorf("%s: got %s, want %s", tt.charset, uri, want)
		}
	}
}

func TestWhatIsTooLongIsShortened(t *testing.T) {
	const doc = "http://example.com/a/b.html"
	long, longer := strings.Repeat("x", 5<<10), strings.Repeat("x", 70<<10)
	for _, tt := range []struct{ name, base, ref, want string }{
		{"long and plain stays whole", doc, "/" + long, "http://example.com/" + long},
		{"as long as may be", doc, "/" + longer[:64<<10-1], "http://example.com/" + longer[:64<<10-1]},
		{"one byte more", doc, "/" + longer[:64<<10], "http://example.com/" + longer[:1023] + ellipsis},
		{"odd, as long as may be", doc, "/\"" + longer[:4<<10-2], "http://example.com/%22" + longer[:4<<10-2]},
		{"odd, one byte more", doc, "/\"" + longer[:4<<10-1], "http://example.com/%22" + longer[:1022] + ellipsis},
		{"long and odd", doc, `http://example.org/"` + long, `http://example.org/%22` + strings.Repeat("x", 1004) + ellipsis},
		{"longer than any capture's", doc, "http://example.org/" + longer, "http://example.org/" + strings.Repeat("x", 1005) + ellipsis},
		{"a relative one", doc, longer, "http://example.com/a/" + strings.Repeat("x", 1024) + ellipsis},
		{
			"no half of an escape", doc, "/" + strings.Repeat("x", 1021) + "%41" + longer,
			"http://example.com/" + strings.Repeat("x", 1021) + ellipsis,
		},
		{
			"no half of a character", doc, "/" + strings.Repeat("x", 1022) + "ä" + longer,
			"http://example.com/" + strings.Repeat("x", 1022) + ellipsis,
		},
		{"a host that long", doc, "http://" + longer + "/", "http://" + strings.Repeat("x", 1017) + "/" + ellipsis},
		{"a host that can't be", doc, "http://a b" + longer, "http://example.com/" + ellipsis},
		{"the same without a base", "urn:x", "http://a b" + longer, "http://invalid/" + ellipsis},
		{"another scheme", doc, "data:," + longer, ""},
		{"a long fragment", doc, "c#" + longer, "http://example.com/a/c"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			uri, fragment, ok := New(tt.base, nil).Resolve(nil, []byte(tt.ref))
			if ok != (tt.want != "") || string(uri) != tt.want || len(fragment) > 0 {
				t.Errorf("got %.1100q, %q, %v; want %.1100q", uri, fragment, ok, tt.want)
			}
		})
	}
}

// A browser may follow what the library does not accept as a URI.
func TestWhatIsNoURILeadsToThePageThatSaysSo(t *testing.T) {
	for _, tt := range []struct{ name, base, ref, want string }{
		{"a host with a space", "http://example.com/", "http://live example/a", "http://invalid/http://live%20example/a"},
		{"a port that is none", "http://example.com/", "https://live.example:0x50/", "http://invalid/https://live.example:0x50/"},
		{"no host", "http://example.com/", "https://", "http://invalid/https://"},
		{"the document's scheme", "http://example.com/", "//[live.example", "http://invalid///%5Blive.example"},
		{"a document without one", "urn:x", "//live.example/a", "http://live.example/a"},
		{"the same with backslashes", "urn:x", `\\\live.example/a`, "http://live.example/a"},
		{"a path there stays", "urn:x", "/a", ""},
		{"newlines in between", "urn:x", "/\n/live.example", "http://live.example/"},
		{"another scheme", "http://example.com/", "mailto:a b", ""},
		{"nothing", "http://example.com/", "", ""},
		{"a place in the page", "http://example.com/", "#a b", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			uri, _, ok := New(tt.base, nil).Lead(nil, []byte(tt.ref))
			if ok != (tt.want != "") || string(uri) != tt.want {
				t.Errorf("got %q, %v; want %q", uri, ok, tt.want)
			}
		})
	}
}

func FuzzResolvePlainAgreesWithTheLibrary(f *testing.F) {
	for _, ref := range []string{
		"a", "../a", "/a/./b/..", "//h/x", "//h", "http://a.b:80/../c", "https://a_b.c:443?x", "?q", "a?b?c", "./", "..",
		"/..", "a/..", "//h:/x", "http://a..b/", "http://1.2.3.4/", "http://0x7f.1/", "http://xn--a/", "a:b", "%2e/x", "..a", ".a/...",
		"http://h:0/", "h\n\n\n\n\n\nttp://h/",
	} {
		f.Add("http://example.com/d/e/f?g", ref)
	}
	f.Fuzz(func(t *testing.T, doc, ref string) {
		b := New(doc, nil)
		scheme, rest := splitScheme([]byte(ref))
		if b.scheme == "" || len(rest) == 0 || !plainReference(rest) || scheme != nil && !isHTTP(scheme) ||
			rest[0] == '#' {
			return
		}
		for _, c := range ref {
			if c == '#' {
				return
			}
		}
		got, done := b.resolvePlain(nil, scheme, rest)
		if !done {
			return
		}
		want, err := url.ParseRef(b.href, ref)
		if err != nil {
			t.Fatalf("%q on %q: resolved as %q, the library refuses: %v", ref, doc, got, err)
		}
		if string(got) != want.Href(true) {
			t.Fatalf("%q on %q: %q, the library says %q", ref, doc, got, want.Href(true))
		}
	})
}

func BenchmarkResolve(b *testing.B) {
	base := New("http://example.com/a/b/c.html", nil)
	refs := []string{"../img/x.png", "http://www.example.org/x/y/z.html?q=1", "/style/main.css", "page2.html"}
	b.Run("plain", func(b *testing.B) {
		var buf []byte
		for i := 0; b.Loop(); i++ {
			buf, _, _ = base.Resolve(buf[:0], []byte(refs[i&3]))
		}
	})
	b.Run("library", func(b *testing.B) {
		var buf []byte
		for i := 0; b.Loop(); i++ {
			buf, _ = base.resolveOdd(buf[:0], []byte(refs[i&3]))
		}
	})
}
