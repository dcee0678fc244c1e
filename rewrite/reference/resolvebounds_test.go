package reference

import (
	"testing"
)

func TestHostsAndPortsThatNeedNoLibrary(t *testing.T) {
	for host, want := range map[string]bool{
		"a": true, "a.b": true, "A-b_c.d9": true, "a.9d": false, "1.a": true, "9a.b": true, "a1": true, "z.Z": true,
		"": false, ".a": false,
		"a.": false, "a..b": false, "1": false, "a.1": false, "a.0x": false, "ä.b": false, "a b": false, "a@b": false, "[a]": false,
		"xn--a.b": false, "a.xn--b": false, "ab--": false, "ab-": true, "a--b": true, "ab--c": false, "abc--d": true, "a`": false,
		"a{": false, "a/": false,
		"a:": false,
	} {
		if got := plainHost([]byte(host)); got != want {
			t.Errorf("host %q: %v", host, got)
		}
	}
	for port, want := range map[string]bool{
		"": true, ":": true, ":1": true, ":9": true, ":80": true, ":9999": true, ":90": true, ":10000": false, ":0": false, ":080": false,
		":8a": false,
		":/":  false, ":1/": false,
	} {
		if got := plainPort([]byte(port)); got != want {
			t.Errorf("port %q: %v", port, got)
		}
	}
}

func TestSchemesAreCutOff(t *testing.T) {
	for in, want := range map[string]string{
		"http://a": "http", "a:b": "a", "A+-.9:b": "A+-.9", "h\nt\r\ttp:x": "h\nt\r\ttp", "z:": "z", "Z:b": "Z",
		":a": "", "9:a": "", "+:a": "", "a": "", "": "", "a/b:c": "", "a b:c": "", "a?b:c": "", "ä:b": "", "`:b": "", "{:b": "",
		"@:b": "", "[:b": "",
	} {
		scheme, rest := splitScheme([]byte(in))
		if string(scheme) != want {
			t.Errorf("%q: %q", in, scheme)
		}
		if scheme != nil && string(scheme)+":"+string(rest) != in || scheme == nil && string(rest) != in {
			t.Errorf("%q: the rest is %q", in, rest)
		}
	}
	for scheme, want := range map[string]bool{
		"http": true, "HTTPS": true, "h\nttp": true, "httpx": false, "htt": false, "ftp": false,
		"": false,
	} {
		if got := isHTTP([]byte(scheme)); got != want {
			t.Errorf("%q: %v", scheme, got)
		}
	}
}

func TestResolveAtTheEdgesOfWhatIsPlain(t *testing.T) {
	const doc = "http://example.com/a/b/page.html?x=1"
	for ref, want := range map[string]string{
		"?":                       "http://example.com/a/b/page.html?",
		"/":                       "http://example.com/",
		".":                       "http://example.com/a/b/",
		"./":                      "http://example.com/a/b/",
		"../":                     "http://example.com/a/",
		"../..":                   "http://example.com/",
		"../../../..":             "http://example.com/",
		"/..":                     "http://example.com/",
		"/../x":                   "http://example.com/x",
		"/x/..":                   "http://example.com/",
		"/x/.":                    "http://example.com/x/",
		"/x/./y/../z":             "http://example.com/x/z",
		"/x/...":                  "http://example.com/x/...",
		"/x/.y":                   "http://example.com/x/.y",
		"/x//y/../z":              "http://example.com/x//z",
		"x?y/../z":                "http://example.com/a/b/x?y/../z",
		"..?y":                    "http://example.com/a/?y",
		"/%2E/x":                  "http://example.com/x",
		"/y/%2E%2e/x":             "http://example.com/x",
		"//b.example":             "http://b.example/",
		"//b.example?x":           "http://b.example/?x",
		"//b.example/..":          "http://b.example/",
		"//b.example:":            "http://b.example/",
		"//b.example:80":          "http://b.example/",
		"//b.example:443":         "http://b.example:443/",
		"https://b.example:80":    "https://b.example:80/",
		"https://b.example:443/x": "https://b.example/x",
		"https:b":                 "https://b/",
		"ht\ttp://b.example/x":    "http://b.example/x",
		"http\ns://b.example/x":   "https://b.example/x",
		"h\n\n\n\n\nttp://a/":     "http://a/",
		"http:":                   "http://example.com/a/b/page.html?x=1",
		"http:/x":                 "http://example.com/x",
		"http://a@b.example/":     "http://a@b.example/",
		"http://[::1]/":           "http://[::1]/",
		"//":                      "",
		"http://":                 "",
		"!":                       "http://example.com/a/b/!",
		"~":                       "http://example.com/a/b/~",
		"a\x7fb":                  "http://example.com/a/b/a%7Fb",
		"a\x00":                   "http://example.com/a/b/a",
		"\x1fa\x20":               "http://example.com/a/b/a",
		"a!":                      "http://example.com/a/b/a!",
	} {
		uri, _, ok := New(doc, nil).Resolve([]byte("before "), []byte(ref))
		if ok != (want != "") || ok && string(uri) != "before "+want {
			t.Errorf("%q: %q, %v; want %q", ref, uri, ok, want)
		}
	}
}

func TestABaseIsTakenApart(t *testing.T) {
	b := New("HTTP://Example.com:81/a/b?c/d", nil)
	if b.href[:b.origin] != "http://example.com:81" || b.href[:b.dir] != "http://example.com:81/a/" ||
		b.href[:b.path] != "http://example.com:81/a/b" ||
		b.Authority() != "example.com:81" || b.scheme != "http" {
		t.Errorf("%+v", b)
	}
	if bare := New("https://example.com", nil); bare.href[:bare.dir] != "https://example.com/" || bare.path != len(bare.href) {
		t.Errorf("%+v", bare)
	}
}
