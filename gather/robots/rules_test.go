package robots

import (
	"net/url"
	"testing"
	"time"
)

// RFC 9309 §2.2.2: what is compared is percent-encoded in one way on both sides.
func TestComparedAfterEncoding(t *testing.T) {
	for _, tt := range []struct {
		rule, address string
		matches       bool
	}{
		// the table of the RFC
		{"/foo/bar?baz=quz", "/foo/bar?baz=quz", true},
		{"/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar", true},
		{"/foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar", true},
		{"/foo/bar/ツ", "/foo/bar/%E3%83%84", true},
		{"/foo/bar/%E3%83%84", "/foo/bar/%E3%83%84", true},
		{"/foo/bar/%62%61%7A", "/foo/bar/baz", true},

		{"/größe", "/gr%C3%B6%C3%9Fe", true},
		{"/größe", "/gr%c3%b6%c3%9fe/x", true},
		{"/gr%c3%b6%C3%9fe", "/gr%C3%B6%C3%9Fe", true},
		{"/größe", "/gr%C3%B6", false},
		{"/suche?q=für", "/suche?q=f%C3%BCr", true},
		{"/suche?q=für", "/suche?q=fur", false},
		{"/%7Eann", "/~ann", true},
		{"/~ann", "/%7eann/x", true},
		{"/a%2Db%2E%5f", "/a-b._", true},
		{"/a%2fb", "/a%2Fb", true},
		{"/a%2Fb", "/a/b", false},
		{"/a/b", "/a%2Fb", false},
		{"/a?b%26c", "/a?b&c", false},
		{"/a?b=1%2B2", "/a?b=1+2", false},
		{"/a(b)", "/a%28b%29", true},
		{"/a:b,c", "/a%3ab%2Cc", true},
		{"/a%20b", "/a%20b", true},
		{"/a b", "/a%20b", true},
		{"/100%", "/100%25", true},
		{"/100%4", "/100%254", true},
		{"/", "", true},
		{"/100%zz", "/100%25zz", true},
		{"/A", "/a", false},
		{"/a[1]", "/a[1]", true},

		// special characters (§2.2.3)
		{"/a$", "/a", true},
		{"/a$", "/ab", false},
		{"/a$", "/a?x", false},
		{"/a$b", "/a$b/c", true},
		{"/a$b", "/a", false},
		{"/a$b", "/a%24b", true},
		{"/a%24", "/a$", true},
		{"/a%24", "/a", false},
		{"/a$$", "/a$", true},
		{"/a$$", "/a$b", false},
		{"/$price*", "/$price/1", true},
		{"/a%2A", "/a*b", true},
		{"/a%2Ab", "/axb", false},
		{"/a*c", "/abc", true},
		{"/a*c", "/ac", true},
		{"/a*c", "/x/abc", false},
		{"*c", "/ab/c", true},
		{"/*.pdf$", "/x/y.pdf", true},
		{"/*.pdf$", "/x/y.pdf?z", false},
		{"/*.pdf$", "/x.pdf/y.pdf", true},
		{"/a*b*c$", "/axbxbxc", true},
		{"/a*b*c", "/axcxb", false},
		{"/a*b*b", "/axb", false},
		{"/a*b*c$", "/axcxb", false},
		{"/aa*aa$", "/aaa", false},
		{"/a*$", "/abc", true},
		{"/**", "/x", true},
		{"/*für", "/x/f%C3%BCr", true},
		{"/*to=http%3A%2F%2F", "/go?to=http://x", true},
		{"/*to=http://", "/go?to=http%3a%2f%2fx", true},
		{"/*to=http%3A%2F%2F", "/go?to=http%3A%2F%2Fx", true},
		{"/*%2Fx", "/a%2Fx", true},
		{"/*/x", "/a?b=/x", true},
		{"/a.c", "/abc", false},
		{"/(a|b)", "/a", false},
		{"a", "/a", true},
	} {
		u, err := url.Parse("http://a.example" + tt.address)
		if err != nil {
			t.Fatal(err)
		}
		if got := !read([]byte("User-agent: *\nDisallow: "+tt.rule), "varve").Allow(u); got != tt.matches {
			t.Errorf("%s matches %s: %t", tt.rule, tt.address, got)
		}
	}
}

func TestWhichRuleCounts(t *testing.T) {
	for name, tt := range map[string]struct {
		file  string
		allow map[string]bool
	}{
		"the longest": {
			"User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c",
			map[string]bool{"/a": false, "/a/b": true, "/a/b/c": false},
		},
		"the longest, in any order": {"User-agent: *\nDisallow: /a/b\nAllow: /a\nDisallow: /a", map[string]bool{"/a/b": false, "/a": true}},
		"with its end":              {"User-agent: *\nDisallow: /a$\nAllow: /a", map[string]bool{"/a": false, "/ab": true}},
		"that which allows":         {"User-agent: *\nDisallow: /a\nAllow: /a", map[string]bool{"/a": true}},
		"octets that need no encoding": {
			"User-agent: *\nAllow: /az09AZ-._~\nDisallow: /***********",
			map[string]bool{"/az09AZ-._~": false},
		},
		"octets that need it, encoded": {
			"User-agent: *\nAllow: /`{@[:ü\nDisallow: /********************",
			map[string]bool{"/%60%7B%40%5B%3A%C3%BC": true},
		},
		"as many octets":   {"User-agent: *\nDisallow: /größe\nAllow: /gr%c3%b6%c3%9fe", map[string]bool{"/gr%C3%B6%C3%9Fe": true}},
		"a longer pattern": {"User-agent: *\nAllow: /a\nDisallow: /*.gif", map[string]bool{"/a.gif": false, "/a": true}},
		"an empty one":     {"User-agent: *\nDisallow:\n\nUser-agent: other\nDisallow: /", map[string]bool{"/": true}},
		"all groups of the name": {
			"User-agent: Varve\nDisallow: /a\n\nUser-agent: x\nUser-agent: varve\nDisallow: /b",
			map[string]bool{"/a": false, "/b": false},
		},
		"a version behind the name": {
			"User-agent: varve/1.0\nDisallow: /a\nUser-agent: *\nDisallow: /b",
			map[string]bool{"/a": false, "/b": true},
		},
		"a shorter name": {
			"User-agent: var\nDisallow: /a\nUser-agent: varve-x\nDisallow: /c\nUser-agent: *\nDisallow: /b",
			map[string]bool{"/a": true, "/b": false, "/c": true},
		},
		"a delay is a rule": {"User-agent: varve\nCrawl-delay: 1\nUser-agent: other\nDisallow: /", map[string]bool{"/": true}},
		"names as people write them": {
			"User agent: *\nDissallow: /a\nDisalow: /b\nDisallow /c\nUseragent: x\nDisallow: /d\nDisallow e f",
			map[string]bool{"/a": false, "/b": false, "/c": false, "/d": true, "/e": true},
		},
		"some crawlers of all":  {"User-agent: *\nDisallow: /a\nUser-agent: *Press*\nDisallow: /", map[string]bool{"/a": false, "/b": true}},
		"a group without rules": {"User-agent: *\nDisallow: /a\nUser-agent: varve\nSitemap: /x", map[string]bool{"/a": true}},
	} {
		rules := read([]byte(tt.file), "varve")
		for address, want := range tt.allow {
			u, err := url.Parse("http://a.example" + address)
			if err != nil {
				t.Fatal(err)
			}
			if got := rules.Allow(u); got != want {
				t.Errorf("%s: %s: %t", name, address, got)
			}
		}
	}
}

// RFC 9309 §2.2.1: a name has letters, - and _, and no version.
func TestProductToken(t *testing.T) {
	for value, want := range map[string]string{
		"Varve/1.0": "varve", "azAZ-_@": "azaz-_", "a`": "a", "a{": "a", "a[": "a", "*x": "", "*": "*", "* x": "*", "*\t": "*", "": "",
	} {
		if got := productToken(value); got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
}

// Only numbers of seconds that can be waited count; others leave what was said before.
func TestDelays(t *testing.T) {
	for value, want := range map[string]time.Duration{
		"0": 0, "0.25": 250 * time.Millisecond, "2147483647": 2147483647 * time.Second,
		"": time.Second, "x": time.Second, "-1": time.Second, "NaN": time.Second, "2147483648": time.Second, "1e999": time.Second,
	} {
		if got := read([]byte("User-agent: *\nCrawl-delay: 1\nCrawl-delay: "+value), "varve").Delay; got != want {
			t.Errorf("%q: %s, want %s", value, got, want)
		}
	}
}
