package memento_test

import (
	"testing"

	"github.com/varve-archive/varve/memento"
)

func TestParseURIR(t *testing.T) {
	for given, want := range map[string]string{
		"http://example.org/a":                "http://example.org/a",
		"HTTPS://example.org":                 "HTTPS://example.org",
		"  http://example.org/":               "http://example.org/",
		"http:/example.org/":                  "http://example.org/", // proxies and shells collapse slashes
		"http:example.org/":                   "http://example.org/",
		"http:////example.org//b":             "http://example.org//b",
		"http%3A//example.org/":               "http://example.org/",
		"http%3a%2f%2Fexample.org/%2F":        "http://example.org/%2F",
		"http%3A%2Fexample.org/":              "http://example.org/",
		"http%3A%2F%2F%2Fexample.org/":        "http://%2Fexample.org/", // two are the scheme's, the third is the URI's
		"http%3A%2":                           "http://%2",
		"http%3A%2F%2Fa.org%2Fb%3Fc%3Dd%2526": "http://a.org/b?c=d%26", // encoded as a whole
		"https%3A%2F%2Fa.org":                 "https://a.org",
		"example.org":                         "http://example.org",
		"//example.org/a":                     "http://example.org/a",
		"example.org/a:b":                     "http://example.org/a:b",
		"example.org?q=a":                     "http://example.org?q=a",
		"example.org:8080/a":                  "http://example.org:8080/a",
		"example.org:8080":                    "http://example.org:8080",
		"example.org:65535?x":                 "http://example.org:65535?x",
		"localhost:80":                        "http://localhost:80",
		"localhost:123456":                    "localhost:123456", // a scheme, for no port has six digits
		"localhost:80x":                       "localhost:80x",
		"[::1]/a":                             "http://[::1]/a",
		"ftp://example.org/f":                 "ftp://example.org/f",
		"wss://example.org/s":                 "wss://example.org/s",
		"urn:isbn:1":                          "urn:isbn:1",
		"screenshot:http://example.org":       "screenshot:http://example.org",
		"dns:":                                "dns:",
		"example.org/é":                       "http://example.org/é",
		"example.org/é/caf\xe9?\xe9=%E9":      "http://example.org/%C3%A9/caf%E9?%E9=%E9", // as archives have it
		"http%3A%2F%2Fa.org%2Fcaf%E9":         "http://a.org/caf%E9",

		"":           "",
		"http://":    "",
		"http://?a":  "",
		"words":      "",
		"words/a.b":  "",
		"words?a.b":  "",
		"..":         "",
		":.:/a":      "",
		"/":          "",
		"robots/txt": "",
	} {
		if got := memento.ParseURIR(given); got != want {
			t.Errorf("ParseURIR(%q) = %q, want %q", given, got, want)
		}
	}
}
