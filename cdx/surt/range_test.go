package surt

import (
	"fmt"
	"testing"
)

func TestRange(t *testing.T) {
	tests := []struct {
		name     string
		url      string
		match    Match
		from, to string
		in, out  []string // URLs whose keys are in the range, or not
	}{
		{
			"exact ends before longer keys", "http://example.com/path", Exact, "com,example)/path", "com,example)/path!",
			[]string{"https://www.example.com/path/"},
			[]string{"http://example.com/path?a", "http://example.com/path/a", "http://example.com/path!"},
		},
		{
			"exact is the default", "http://example.com/", "", "com,example)/", "com,example)/!",
			nil,
			[]string{"http://example.com/a"},
		},
		{
			"prefix", "http://example.com/path", Prefix, "com,example)/path", "com,example)/pati",
			[]string{"http://example.com/path2", "http://example.com/path?x", "http://example.com/path/~~"},
			[]string{"http://example.com/pat"},
		},
		{
			"prefix keeps its slash", "http://example.com/path/", Prefix, "com,example)/path/", "com,example)/path0", nil,
			[]string{"http://example.com/path2"},
		},
		{
			"prefix keeps its question mark", "http://example.com/path?", Prefix, "com,example)/path?", "com,example)/path@", nil,
			[]string{"http://example.com/path/a"},
		},
		{
			"prefix with a slash before its question mark", "http://example.com/path/?", Prefix, "com,example)/path?", "com,example)/path@",
			nil, nil,
		},
		{"prefix that is a host", "example.com", Prefix, "com,example)/", "com,example)0", nil, []string{"http://example.community/"}},
		{"prefix wildcard", "http://example.com/a/*", "", "com,example)/a/", "com,example)/a0", nil, nil},
		{"prefix wildcard on a query", "http://example.com/?b=1*", "", "com,example)/?b=1", "com,example)/?b=2", nil, nil},
		{"prefix wildcard without a host", "dns:*", "", "dns:", "dns;", []string{"dns:example.org"}, nil},
		{"a wildcard alone is everything", "*", "", "", "", nil, nil},
		{"an asterisk is literal where a match type is given", "http://example.com/*", Exact, "com,example)/*", "com,example)/*!", nil, nil},
		{
			"host", "http://example.com/path", Host, "com,example)", "com,example*",
			[]string{"http://example.com/", "http://www.example.com/zzz"},
			[]string{"http://example2.com/", "http://a.example.com/"},
		},
		{
			"domain", "http://example.com/path", Domain, "com,example)", "com,example-",
			[]string{"http://example.com/", "http://a.b.example.com/"},
			[]string{"http://example2.com/", "http://example-a.com/"},
		},
		{"domain wildcard", "*.example.org/", "", "org,example)", "org,example-", nil, nil},
		{"domain wildcard with a scheme", "http://*.example.org/", "", "org,example)", "org,example-", nil, nil},
		{
			"top-level domain", "com", Domain, "com)", "com-",
			[]string{"http://example.com/"},
			[]string{"http://example.community/"},
		},
		{
			"domain of one label", "http://intranet/", Domain, "intranet)", "intranet-",
			[]string{"http://intranet/a", "http://wiki.intranet/"},
			[]string{"http://intranet2/"},
		},
		{
			"domain of an IPv6 address", "http://[2001:db8::1]/", Domain, "2001:db8::1)", "2001:db8::1-",
			[]string{"http://[2001:db8:0::1]/a"},
			[]string{"http://[2001:db8::1:2]/", "http://[2001:db8::12]/"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			from, to, err := Range(tt.url, tt.match)
			if err != nil || from != tt.from || to != tt.to {
				t.Fatalf("got %q to %q, %v, want %q to %q", from, to, err, tt.from, tt.to)
			}
			for _, u := range tt.in {
				if k := Of(u); k < from || to != "" && k >= to {
					t.Errorf("%s (%s) is outside %q to %q", u, k, from, to)
				}
			}
			for _, u := range tt.out {
				if k := Of(u); k >= from && (to == "" || k < to) {
					t.Errorf("%s (%s) is inside %q to %q", u, k, from, to)
				}
			}
		})
	}
	for _, bad := range []struct {
		url   string
		match Match
	}{{"http://a.org/", "range"}, {"dns:a.org", Host}, {"urn:x", Domain}} {
		if from, to, err := Range(bad.url, bad.match); err == nil {
			t.Errorf("Range(%q, %q) = %q to %q, want an error", bad.url, bad.match, from, to)
		}
	}
}

func ExampleRange() {
	from, to, err := Range("*.example.org", "")
	fmt.Println(from, to, err)
	// Output: org,example) org,example- <nil>
}

func TestRanges(t *testing.T) {
	for _, tt := range []struct {
		url     string
		match   Match
		in, out []string // URLs whose keys are in the ranges, or not
	}{
		{
			"http://example.com/a/*", "",
			[]string{
				"http://example.com/a/", "http://example.com/a", "http://example.com/a/b", "http://example.com/a/?x=1",
				"http://example.com/a/;v=1",
			},
			[]string{
				"http://example.com/", "http://example.com/a.html", "http://example.com/a-b/", "http://example.com/a2/", "http://example.com/ab",
				"http://example.com/a@b", "http://example.com/a!", "http://example.com/a=", "http://example.com/a;v=1",
			},
		},
		{"http://example.com/A/B/", Prefix, []string{"http://example.com/a/b", "http://example.com/a/b/c"}, []string{"http://example.com/a/bc"}},
		{"http://example.com/a", Prefix, []string{"http://example.com/a/", "http://example.com/ab"}, []string{"http://example.com/"}},
		{"http://example.com/", Prefix, []string{"http://example.com", "http://example.com/?a"}, []string{"http://example.com:81/"}},
		{"http://example.com/?u=a/", Prefix, []string{"http://example.com/?u=a/b"}, []string{"http://example.com/?u=a"}},
		{"urn:text:http://example.com/*", "", []string{"urn:text:http://example.com/", "urn:text:http://example.com/a"}, nil},
		{"http://example.com/a/", Exact, []string{"http://example.com/a"}, []string{"http://example.com/a/b", "http://example.com/a?b"}},
		{"*.example.com/a/", "", []string{"http://b.example.com/", "http://example.com/b"}, nil},
		{"*", "", []string{"http://example.com/", "dns:example.com"}, nil},
	} {
		ranges, err := Ranges(tt.url, tt.match)
		if err != nil {
			t.Fatal(err)
		}
		for _, uri := range tt.in {
			if !InAny(ranges, Of(uri)) {
				t.Errorf("%s, %q: lacks %s", tt.url, tt.match, uri)
			}
		}
		for _, uri := range tt.out {
			if InAny(ranges, Of(uri)) {
				t.Errorf("%s, %q: has %s", tt.url, tt.match, uri)
			}
		}
		for i := 1; i < len(ranges); i++ {
			if ranges[i-1].To > ranges[i].From {
				t.Errorf("%s, %q: %v is not in order", tt.url, tt.match, ranges)
			}
		}
	}
	if _, err := Ranges("http://example.com/", "nope"); err == nil {
		t.Error("an unknown match is taken")
	}
}

func TestAround(t *testing.T) {
	for want, ranges := range map[Keys][]Keys{
		{From: "a", To: "b"}: {{From: "a", To: "b"}}, {From: "a", To: "f"}: {{From: "a", To: "b"}, {From: "c", To: "d"}, {From: "e", To: "f"}},
	} {
		if got := Around(ranges); got != want {
			t.Errorf("%v: %v, want %v", ranges, got, want)
		}
	}
}
