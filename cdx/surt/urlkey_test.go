package surt

import "testing"

func TestURLKey(t *testing.T) {
	tests := []struct{ name, uri, want string }{ // want "" is the key that the capture is kept under
		{"letters", "http://straße.example/a?b=1", "example,strasse)/a?b=1"},
		{"letters with www", "http://www.straße.example/", "example,strasse)/"},
		{"letters percent-encoded", "http://stra%C3%9Fe.example/", "example,strasse)/"},
		{"letters with a port", "http://straße.example:8080/", "example,strasse:8080)/"},
		{"letters with the scheme's port", "https://straße.example:443/", "example,strasse)/"},
		{"letters behind user info", "http://me:ß@straße.example/", "example,strasse)/"},
		{"letters beside others", "http://größe.example/", "example,xn--grsse-kua)/"},
		{"letters in one label, punycode in another", "http://xn--strae-oqa.straße.example/", "example,strasse,xn--strae-oqa)/"},
		{"final sigma", "http://ὀδυσσεύς.example/", "example,xn--pxac5babi3d8526a)/"},
		{"zero-width non-joiner", "http://نامه\u200cای.example/", "example,xn--mgba3gch31f)/"},
		{"a joiner where none may be", "http://a\u200db.example/", "example,ab)/"},
		{"a label of a joiner", "http://\u200d.example/", "example)/"},
		{"nothing but a joiner", "http://\u200d/", ""},
		{"punycode", "http://xn--strae-oqa.example/", ""},
		{"letters in the path only", "http://a.example/stra%C3%9Fe/ß", ""},
		{"another IDN", "http://bücher.example/ß", ""},
		{"capital sharp s", "http://STRAẞE.example/", ""},
		{"double s", "http://strasse.example/", ""},
		{"no host", "urn:straße", ""},
		{"nothing", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			kept := Of(tt.uri)
			want := tt.want
			if want == "" {
				want = kept
			}
			if got := URLKey(kept, tt.uri); got != want {
				t.Errorf("URLKey(%q, %q) = %q, want %q", kept, tt.uri, got, want)
			}
		})
	}
}

func TestURLKeyOfRequests(t *testing.T) {
	const uri = "http://straße.example/a"
	const want = "example,strasse)/a?__wb_method=post&b=1"
	if got := URLKey(OfRequest(uri, "POST", []byte("b=1"), "application/x-www-form-urlencoded"), uri); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := URLKey("example,other)/", uri); got != "example,other)/" {
		t.Errorf("the key of another host became %q", got)
	}
}

func FuzzURLKey(f *testing.F) {
	for _, s := range []string{
		"http://straße.example:81/?ß", "http://a\u200db/", "ß", "ß:8", "http://u@%C3%9F)x/", "//ς..a", "[ß]", "http://\u200d:",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		kept := Of(uri)
		if got := URLKey(kept, uri); !Valid(got) {
			t.Fatalf("URLKey(%q, %q) = %q", kept, uri, got)
		}
	})
}
