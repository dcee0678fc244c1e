package xhtml_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/growth"
	"github.com/varve-archive/varve/internal/xhtml"
)

func TestToHTML(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{`<p class="a">Fish &amp; chips<br/></p>`, `<p class="a">Fish &amp; chips<br/></p>`},
		{`<div id="x"/><p>after</p>`, `<div id="x"></div><p>after</p>`},
		{`<script src="a.js" /><p>after</p>`, `<script src="a.js"></script><p>after</p>`},
		{`<a name="top"/><img src="a" /><hr />`, `<a name="top"></a><img src="a"/><hr/>`},
		{`<p><![CDATA[1 < 2 & 3]]></p>`, `<p>1 &lt; 2 &amp; 3</p>`},
		{`<script><![CDATA[if (1 < 2 && 3) f();]]></script>`, `<script>if (1 < 2 && 3) f();</script>`},
		{"<script>//<![CDATA[\nif (1 < 2) f();\n//]]></script>", "<script>//\nif (1 < 2) f();\n//</script>"},
		{`<script>if (1 &lt; 2 &amp;&amp; 3) f();</script>`, `<script>if (1 < 2 && 3) f();</script>`},
		{`<style>a &gt; b { color: red }</style>`, `<style>a > b { color: red }</style>`},
		{`<svg xmlns="s"><path d="M0"/><g/></svg><b/>`, `<svg xmlns="s"><path d="M0"/><g/></svg><b></b>`},
		{
			`<?xml version="1.0"?><!DOCTYPE html PUBLIC "x" "y"><html><!-- <a/> --></html>`,
			`<?xml version="1.0"?><!DOCTYPE html PUBLIC "x" "y"><html><!-- <a/> --></html>`,
		},
		{`<p title='a/>b' checked="checked">x`, `<p title='a/>b' checked="checked">x`},
		{``, ``},
	} {
		r, err := xhtml.ToHTML(strings.NewReader(test.in))
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := io.ReadAll(r); string(got) != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.in, got, test.want)
		}
	}
}

// A page that is too long to be written as HTML stays as it is.
func TestLongXHTML(t *testing.T) {
	for more, want := range map[int]string{0: "<b></b>", 1: "<b/>"} {
		page := "<b/>" + strings.Repeat(" ", 16<<20-4+more)
		r, err := xhtml.ToHTML(strings.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := io.ReadAll(r); strings.TrimSpace(string(got)) != want || len(got) != len(want)+16<<20-4+more {
			t.Errorf("%d bytes more: %.10s, %d bytes", more, got, len(got))
		}
	}
}

func TestTypeAsHTML(t *testing.T) {
	for _, test := range []struct{ declared, start, want string }{
		{"application/xhtml+xml", "<html", "text/html; charset=utf-8"},
		{"application/xhtml+xml", `<?xml version="1.0" encoding="ISO-8859-1"?>`, "text/html; charset=ISO-8859-1"},
		{"application/xhtml+xml; charset=windows-1251; x", "<html", "text/html; charset=windows-1251"},
		{"application/xhtml+xml; charset=windows-1251", `<?xml version="1.0" encoding="ISO-8859-1"?>`, "text/html; charset=windows-1251"},
	} {
		if !xhtml.Is(test.declared) {
			t.Errorf("%s is XHTML", test.declared)
		}
		if got := xhtml.TypeAsHTML(test.declared, []byte(test.start)); got != test.want {
			t.Errorf("%s, %s: %s, want %s", test.declared, test.start, got, test.want)
		}
	}
	for _, other := range []string{"text/html", "", "application/xml", "xhtml"} {
		if xhtml.Is(other) {
			t.Errorf("%s is no XHTML", other)
		}
	}
}

func TestAsHTML(t *testing.T) {
	for _, test := range []struct{ declared, body, wantType, want string }{
		{"text/html", "<b/>", "text/html", "<b/>"},
		{"application/xhtml+xml", "<b/>", "text/html; charset=utf-8", "<b></b>"},
		{"Application/XHTML+XML ; charset=utf-8; charset=utf-8", "<b/>", "text/html; charset=utf-8", "<b></b>"},
		{
			"application/xhtml+xml", "<?xml version='1.0' encoding='koi8-r'?><i/>",
			"text/html; charset=koi8-r", "<?xml version='1.0' encoding='koi8-r'?><i></i>",
		},
	} {
		if kind, body := xhtml.AsHTML(test.declared, []byte(test.body)); kind != test.wantType || string(body) != test.want {
			t.Errorf("%s as %s: %s as %s", test.body, test.declared, body, kind)
		}
	}
}

func TestTimeGrowsWithThePage(t *testing.T) {
	for name, unit := range map[string]string{"elements": "<p/>", "nesting": "<p>", "sections": "<![CDATA[x]]>", "instructions": "<?x?>"} {
		growth.Linear(t, "XHTML "+name, func(n int) string { return strings.Repeat(unit, n) }, func(in string) {
			if r, err := xhtml.ToHTML(strings.NewReader("<html xmlns='http://www.w3.org/1999/xhtml'>" + in)); err == nil {
				_, _ = io.Copy(io.Discard, r)
			}
		})
	}
}

// For any input, the output must end, and must contain the text outside tags, scripts and CDATA sections.
func FuzzToHTML(f *testing.F) {
	f.Add([]byte(`<p class="a">Fish &amp; chips<br></p>`))
	f.Add([]byte(`<a/><![CDATA[x]]><script>&lt;</script>`))
	f.Fuzz(func(t *testing.T, in []byte) {
		r, err := xhtml.ToHTML(bytes.NewReader(append([]byte("first<div/>"), in...)))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(got, []byte("first<div></div>")) {
			t.Errorf("%q became %q", in, got)
		}
	})
}
