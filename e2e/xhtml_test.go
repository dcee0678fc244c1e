package e2e

import (
	"strings"
	"testing"
)

// A page that browsers parse as XML breaks when HTML is inserted. So it must be sent as HTML, and say so.
func TestXHTMLIsReplayedAsHTML(t *testing.T) {
	const page = `<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>X</title>` +
		`<script src="/a.js"/></head><body><div id="empty"/><p>Strict &amp; fine</p><a href="/b">b</a></body></html>`
	s := (&archive{}).response("http://x.example/", "20100101000000", "200 OK", page, "Content-Type: application/xhtml+xml").serve(t)
	for _, mod := range []string{"", "mp_"} {
		a := s.get(t, "/web/20100101000000"+mod+"/http://x.example/", "Accept: text/html").
			expect(t, 200, "Content-Type: text/html; charset=UTF-8", "X-Archive-Orig-Content-Type: application/xhtml+xml")
		for _, want := range []string{`<div id="empty"></div>`, `/http://x.example/a.js"></script>`, `/http://x.example/b"`} {
			if !strings.Contains(a.body, want) {
				t.Errorf("%q: %s is not in the page", mod, want)
			}
		}
	}
	if raw := s.get(t, "/web/20100101000000id_/http://x.example/").expect(t, 200, "Content-Type: application/xhtml+xml"); raw.body != page {
		t.Errorf("id_: %s", raw.body)
	}
}
