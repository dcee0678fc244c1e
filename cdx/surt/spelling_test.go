package surt_test

import (
	"testing"

	"github.com/varve-archive/varve/cdx/surt"
)

func TestSameSpelling(t *testing.T) {
	const page = "http://example.org/a/B?q=1"
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{page, page, true},
		{page, "https://example.org/a/B?q=1", true},
		{page, "https://WWW.Example.org:443/a/B/?q=1", true},
		{page, "http://example.org/a/B?q=1#part", true},
		{"http://example.org", "http://www.example.org:80/", true},
		{"http://example.org/caf\xc3\xa9", "http://example.org/caf%C3%A9", true},
		{page, "http://example.org/a/b?q=1", false},
		{page, "http://www2.example.org/a/B?q=1", false},
		{page, "http://example.org:8080/a/B?q=1", false},
		{"http://example.org/s?q=c++", "http://example.org/s?q=c%2B%2B", false},
		{"http://example.org/a,1", "http://example.org/a%2C1", false},
		{"http://example.org/a/b", "http://example.org/a%2Fb", false},
		{"http://example.org/?b=1&a=2", "http://example.org/?a=2&b=1", false},
	} {
		if got := surt.SameSpelling(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %t", c.a, c.b, got)
		}
	}
}
