package search

import (
	"testing"
)

func TestChangeIDRoundTrip(t *testing.T) {
	for _, c := range []Change{
		{Key: "org,example)/", Before: 20100101000000, After: 20110101000000, Deleted: 3, Added: 400},
		{Key: "org,example:8080)/a?b=c", After: 20110101000000, First: true, Came: true, NoTextBefore: true, Added: 1 << 20},
		{Key: "com,a)/", Before: 1, After: 99991231235959, Gone: true, SoftBefore: true, SoftAfter: true, NoTextAfter: true, Minor: true},
	} {
		if got, err := parseChange(c.id()); err != nil || got != c {
			t.Errorf("%+v became %+v, %v", c, got, err)
		}
	}
}

func FuzzParseChange(f *testing.F) {
	c := Change{Key: "org,example)/", Before: 20100101000000, After: 20110101000000, Deleted: 3, Added: 400}
	f.Add(c.id())
	f.Add(pageDocID("org,example)/", 7))
	f.Add("c\x00")
	f.Fuzz(func(t *testing.T, id string) {
		c, err := parseChange(id)
		if err != nil {
			return
		}
		if again, err := parseChange(c.id()); err != nil || again != c {
			t.Fatalf("%q is %+v, which became %+v, %v", id, c, again, err)
		}
	})
}

func TestHost(t *testing.T) {
	for key, want := range map[string]string{
		"org,example,www)/a": "www.example.org", "org,example:8080)/": "example.org:8080", "dns:example.org": "", "1,0,0,127)/": "127.0.0.1",
	} {
		if got := host(key); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
}
