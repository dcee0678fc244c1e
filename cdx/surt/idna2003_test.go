package surt

import "testing"

func TestIDNA2003(t *testing.T) {
	tests := []struct{ name, uri, want string }{ // want "" is the key of the URI itself
		{"sharp s", "http://straße.example/a?b=1", "example,strasse)/a?b=1"},
		{"sharp s in punycode", "http://www.xn--strae-oqa.example/", "example,strasse)/"},
		{"sharp s percent-encoded", "http://stra%C3%9Fe.example/", "example,strasse)/"},
		{"sharp s before a port", "http://straße:8080/", "strasse:8080)/"},
		{"sharp s below another label", "http://a.straße.example:81/", "example,strasse,a:81)/"},
		{"sharp s beside another letter", "http://größe.example/", "example,xn--grsse-kua)/"},
		{"final sigma", "http://ὀδυσσεύς.example/", "example,xn--pxac5babi3d8526a)/"},
		{"zero-width non-joiner", "http://نامه\u200cای.example/", "example,xn--mgba3gch31f)/"},
		{"zero-width joiner", "http://क्\u200dष.example/", "example,xn--11b2ezc)/"},
		{"zero-width joiner where none may stand", "http://a\u200db.example/", "example,ab)/"},
		{"nothing but joiners", "http://\u200d.example/", ""},
		{"double s", "http://strasse.example/", ""},
		{"capital sharp s is double s to both", "http://STRAẞE.example/", ""},
		{"medial sigma", "http://ὀδυσσεύσ.example/", ""},
		{"other IDNs", "http://bücher.example/", ""},
		{"punycode that is none", "http://xn--abcd.example/", ""},
		{"in the path", "http://a.example/straße/xn--strae-oqa", ""},
		{"percent sign", "http://a%25b.example/", ""},
		{"IPv6", "http://[fe80::1%25eth0]:8080/", ""},
		{"no host", "dns:xn--strae-oqa.example", ""},
		{"no host, with a bracket", "urn:xn--strae-oqa)", ""},
		{"nothing", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			key := Of(tt.uri)
			want := tt.want
			if want == "" {
				want = key
			}
			if got, other := IDNA2003(key); got != want || other != (tt.want != "") {
				t.Errorf("IDNA2003(%q) = %q, %t, want %q", key, got, other, want)
			}
		})
	}
}

func FuzzIDNA2003(f *testing.F) {
	for _, s := range []string{"de,xn--strae-oqa)/", "de,xn--strae-oqa:8080)/a)b", "com,a%e2%80%8db)/", "::1:8080)/", "xn--,%)", "-"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, key string) {
		if !Valid(key) {
			return
		}
		old, other := IDNA2003(key)
		if other == (old == key) || !Valid(old) {
			t.Fatalf("IDNA2003(%q) = %q, %t", key, old, other)
		}
		if again, other := IDNA2003(old); other {
			t.Fatalf("IDNA2003(%q) = %q, and of that %q", key, old, again)
		}
	})
}
