package surt

import (
	"net/url"
	"strings"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/growth"
)

// A key is made in time that grows no faster than the address, whatever that has more of.
func TestKeysGrowWithTheirAddresses(t *testing.T) {
	for name, unit := range map[string]string{
		"letters": "x", "labels": "a.", "arguments": "&a=b", "the same arguments": "&a", "empty arguments": "&", "segments": "/a",
		"parents":              "/../",
		"segments and parents": "/a/..", "slashes": "/", "escapes": "%41", "escaped escapes": "%25",
		"sessions":          ";jsessionid=0123456789abcdef0123456789abcdef",
		"session arguments": "&sid=0123456789abcdef0123456789abcdef", "question marks": "?", "signs": "#",
		"letters of other alphabets": "ä", "names in letters": "ä.",
		"white space": " ", "at signs": "@", "colons": ":", "capitals": "X", "dots": ".", "line ends": "\r\n", "www": "www.",
	} {
		for begin, uri := range map[string]string{"": "http://a.example/", " in a query": "http://a.example/?", " in a host": "http://"} {
			growth.Linear(t, name+begin, func(n int) string { return uri + strings.Repeat(unit, n) }, func(uri string) {
				key := Of(uri)
				URLKey(key, uri)
				IDNA2003(key)
				HostOf(key)
			})
		}
	}
}

// Each letter that a host has for the first time takes punycode another pass over all of them.
func TestKeysGrowWithTheLettersOfHosts(t *testing.T) {
	host := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteRune('一' + rune(i%20_000))
		}
		return b.String()
	}
	for name, of := range map[string]func(string) string{
		"letters": func(s string) string { return s }, "escaped letters": url.PathEscape,
		"letters that may be punycode": func(s string) string { return "xn--" + strings.Repeat("a", len(s)) },
	} {
		growth.Linear(t, name, func(n int) string { return "http://" + of(host(n)) + ".example/" }, func(uri string) {
			key := Of(uri)
			URLKey(key, uri)
			IDNA2003(key)
		})
	}
}

// So is that of a request with a body.
func TestKeysOfRequestsGrowWithTheirBodies(t *testing.T) {
	for kind, units := range map[string][]string{
		"application/x-www-form-urlencoded": {"a=b&", "%41", "+", "%", "a"},
		"multipart/form-data; boundary=x": {
			"--x\r\nContent-Disposition: form-data; name=a\r\n\r\nb\r\n", "--", "\r\n", "--x\r\n",
			"A: b\r\n", "--x\r\nA: b",
		},
		"application/json":         {"{\"a\":", "[", "{\"a\":1}", "\"a\",", "1"},
		"text/plain":               {"{\"a\":1}\n", "a", "[[]]"},
		"application/octet-stream": {"\x00"},
	} {
		for _, unit := range units {
			growth.Linear(t, kind+" "+unit, func(n int) []byte { return []byte(strings.Repeat(unit, n)) }, func(body []byte) {
				OfRequest("http://a.example/", "POST", body, kind)
			})
		}
	}
}
