package cdx

import "testing"

// A revisit has the body of its original, and of the head what it doesn't say itself.
func TestRevisitsReferToTheirOriginal(t *testing.T) {
	orig := Capture{
		Status: 301, MIME: "text/html", Redirect: "http://a.example/b", Digest: "AAAA", Text: 7,
		Location: Location{File: 2, Offset: 30}, Truncated: true,
	}
	for _, tt := range []struct {
		name     string
		c        Capture
		own      bool
		status   int
		mime     string
		redirect string
		digest   string
	}{
		{"without a head", Capture{Kind: Revisit}, false, 301, "text/html", "http://a.example/b", "AAAA"},
		{"not modified", Capture{Kind: Revisit, Status: 304, MIME: "text/plain"}, false, 301, "text/html", "http://a.example/b", "AAAA"},
		{
			"not modified, by its profile",
			Capture{Kind: Revisit, Status: 200, MIME: "text/plain", NotModified: true},
			false, 301, "text/html", "http://a.example/b", "AAAA",
		},
		{"with another head", Capture{Kind: Revisit, Status: 200, Digest: "BBBB"}, true, 200, "text/html", "", "AAAA"},
		{"with its own type", Capture{Kind: Revisit, Status: 200, MIME: "text/plain"}, true, 200, "text/plain", "", "AAAA"},
		{
			"with its own redirect",
			Capture{Kind: Revisit, Status: 301, Redirect: "http://a.example/c"},
			true, 301, "text/html", "http://a.example/c", "AAAA",
		},
		{
			"that referred to another before",
			Capture{Kind: Revisit, Status: 200, MIME: "text/plain", Origin: Location{File: 1}},
			false, 301, "text/html", "http://a.example/b", "AAAA",
		},
	} {
		c := tt.c
		c.Refer(&orig)
		if c.OwnHead != tt.own || c.Status != tt.status || c.MIME != tt.mime || c.Redirect != tt.redirect || c.Digest != tt.digest ||
			c.Origin != orig.Location || c.Text != 7 || !c.Truncated || c.Unresolved() {
			t.Errorf("%s: %+v", tt.name, c)
		}
	}
	c := Capture{Kind: Revisit, Digest: "BBBB", Truncated: true}
	if c.Refer(&Capture{Location: Location{File: 1}}); c.Digest != "BBBB" || !c.Truncated {
		t.Errorf("of an original without a digest: %+v", c)
	}
}
