package rewrite

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

func TestURIsOfPlaylists(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"a line", "#EXTM3U\nx\n", "#EXTM3U\n@oe_/dir/x\n"},
		{"a last line without its end", "#EXTM3U\nx", "#EXTM3U\n@oe_/dir/x"},
		{"lines with carriage returns and spaces", "#EXTM3U\r\n x \r\ny\r\n", "#EXTM3U\r\n @oe_/dir/x \r\n@oe_/dir/y\r\n"},
		{"a comment", "# x\n#x URI=\"y\"\n", "# x\n#x URI=\"y\"\n"},
		{"an attribute", `#EXT-X-KEY:METHOD=A,URI="x",IV=1`, `#EXT-X-KEY:METHOD=A,URI="@oe_/dir/x",IV=1`},
		{"two attributes", `#EXT-X-A:URI="x",B-URI="y"`, `#EXT-X-A:URI="@oe_/dir/x",B-URI="@oe_/dir/y"`},
		{"an attribute at the start", `#EXTURI="x"`, `#EXTURI="@oe_/dir/x"`},
		{
			"a list of what comes between", `#EXT-X-DATERANGE:ID="URI=",X-ASSET-LIST="x",X-ASSET-LISTS="y",C="LIST"`,
			`#EXT-X-DATERANGE:ID="URI=",X-ASSET-LIST="@oe_/dir/x",X-ASSET-LISTS="y",C="LIST"`,
		},
		{"an attribute that doesn't end", `#EXT-X-A:URI="x`, `#EXT-X-A:URI="x`},
		{"an empty attribute", `#EXT-X-A:URI="",URI="y"`, `#EXT-X-A:URI="",URI="@oe_/dir/y"`},
		{"a variable", "{$a}/x\ny{$\n", "{$a}/x\ny{$\n"},
		{"empty lines", "\n\n \nx\n\n", "\n\n \n@oe_/dir/x\n\n"},
		{"a byte order mark", "\xef\xbb\xbf#EXTM3U\nx", "\xef\xbb\xbf#EXTM3U\n@oe_/dir/x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := run(t, HLS, tt.in, Options{Resolve: byUse}); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			var out bytes.Buffer
			o := Options{Base: "http://example.com/dir/page", Resolve: byUse}
			s := &hlsScanner{reference.New(o.Base, nil)}
			if err := rewrite(&out, iotest.OneByteReader(strings.NewReader(tt.in)), s, o, 1); err != nil || out.String() != tt.want {
				t.Errorf("byte by byte %q, %v", out.String(), err)
			}
		})
	}
}

func TestURIsOfJSON(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"a value", `{"a": "http://example.com/x.png"}`, `{"a": "@im_/x.png"}`},
		{"a name", `{"http://example.com/x" : 1}`, `{"http://example.com/x" : 1}`},
		{"a list", `["http://example.com/a","https://example.com/b"]`, `["@/a","@https://example.com/b"]`},
		{"in capitals", `["HTTP://example.com/a"]`, `["@/a"]`},
		{"escaped", `["http:\/\/example.com\/x.js"]`, `["@js_/x.js"]`},
		{"escaped otherwise", `["\u0068ttp://example.com/"]`, `["\u0068ttp://example.com/"]`},
		{"relative", `["/x", "x", "//example.com/x"]`, `["/x", "x", "//example.com/x"]`},
		{"in text", `["see http://example.com/x", "http://example.com/x y"]`, `["see http://example.com/x", "http://example.com/x y"]`},
		{"a scheme alone", `["http://", "http:/x", "http:x"]`, `["http://", "http:/x", "http:x"]`},
		{"a host of one letter", `["http://x"]`, `["@http://x/"]`},
		{"a string that doesn't end", `["http://example.com/a", "http://example.com/b`, `["@/a", "http://example.com/b`},
		{"a quote in a string", `["a\"", "http://example.com/b"]`, `["a\"", "@/b"]`},
		{"a backslash at the end", `["\`, `["\`},
		{"spaces before a colon", "{\"http://example.com/\"\n\t\r :1}", "{\"http://example.com/\"\n\t\r :1}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := run(t, JSON, tt.in, Options{Resolve: byUse}); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			var out bytes.Buffer
			o := Options{Base: "http://example.com/dir/page", Resolve: byUse}
			s := &jsonScanner{base: reference.New(o.Base, nil)}
			if err := rewrite(&out, iotest.OneByteReader(strings.NewReader(tt.in)), s, o, 1); err != nil || out.String() != tt.want {
				t.Errorf("byte by byte %s, %v", out.String(), err)
			}
		})
	}
}

func TestStringsOfJSON(t *testing.T) {
	for in, want := range map[string]string{
		"a": "a", `a\/b`: "a/b", `\"`: `"`, `\\`: `\`, `a\n\tb`: "a  b", `\u0041`: "A", `\u00e4b`: "äb", `\ud83d\ude00!`: "😀!",
		`\ud83d`: "\ufffd", `\ud83d!`: "\ufffd!", `\ud83d\u0041`: "\ufffd", `\ud83dxudc00`: "\ufffdxudc00", `\ud83d\x0041`: "\ufffdx0041",
		`\u00`: "\ufffd00", `\u00g0`: "\ufffd00g0"[:3] + "00g0", `a\`: `a\`,
	} {
		if got := string(jsonUnescape([]byte(in))); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func TestWhatURIsInDataAreFor(t *testing.T) {
	for uri, want := range map[string]uses.Use{
		"http://a/x.PNG": uses.Image, "http://a/x.svg?y.js": uses.Image, "http://a/x.js#y.css": uses.Script, "http://a/x.mjs": uses.Module,
		"http://a/x.css": uses.Style,
		"http://a/x.mp4": uses.Object, "http://a/x.json": uses.Object, "http://a/x": uses.Link, "http://a.js/x": uses.Link,
		"http://a/x.y/": uses.Link,
		"http://a/.js":  uses.Script, "http://a/x.": uses.Link, "x": uses.Link, "x.js": uses.Script, "?x.js": uses.Link,
	} {
		if got := guessUse([]byte(uri)); got != want {
			t.Errorf("%s: %q", uri, got)
		}
	}
	for text, want := range map[string]bool{
		"http://a": true, "https://a/b?c#d": true, "http://": false, "http:/a": false, "ftp://a": false, "//a": false, "http://a b": false,
		"": false, "http://a<": false, "http://a>": false, `http://a"`: false, "http://a{": false, "http://a|": false, "http://a^": false,
		`http://a\`: false, "http://a`": false, "http://a\x00": false, "http://a!": true, "http://a}": true,
	} {
		if got := wholeURI([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestSpacesAroundXML(t *testing.T) {
	for in, want := range map[string]string{
		"x": "x", " \t\r\nx\n ": "x", "&#32;&#xA;x&#9;": "x", "": "", "  ": "", "&#10;": "", "x y": "x y", "&amp;x": "&amp;x",
	} {
		start, end := trimXML([]byte("<"+in+">"), 1, 1+len(in))
		if got := ("<" + in + ">")[start:end]; got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}

func TestBasesOfXML(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"of an element and what is in it", `<a xml:base="/b/"><c href="x"/></a>`, `<a xml:base="@mp_/b/"><c href="@/b/x"/></a>`},
		{
			"up to its end", `<r><a xml:base="/b/"><c><d/></c></a><e href="x"/></r>`,
			`<r><a xml:base="@mp_/b/"><c><d/></c></a><e href="@/dir/x"/></r>`,
		},
		{
			"in one another", `<a xml:base="/b/"><c xml:base="d/"><e href="x"/></c><f href="y"/></a>`,
			`<a xml:base="@mp_/b/"><c xml:base="@mp_/b/d/"><e href="@/b/d/x"/></c><f href="@/b/y"/></a>`,
		},
		{
			"of an element without content", `<a xml:base="/b/"><c xml:base="d/" href="x"/><e href="y"/></a>`,
			`<a xml:base="@mp_/b/"><c xml:base="@mp_/b/d/" href="@/b/d/x"/><e href="@/b/y"/></a>`,
		},
		{
			"a presentation attribute", `<svg><rect fill="url(x)"/><rect fill="red"/></svg>`,
			`<svg><rect fill="url(@im_/dir/x)"/><rect fill="red"/></svg>`,
		},
		{"a section", `<a><![CDATA[http://example.com/x]]></a>`, `<a><![CDATA[@/x]]></a>`},
		{"an empty section", `<a><![CDATA[]]></a>`, `<a><![CDATA[]]></a>`},
		{"a section with mark-up", `<content><![CDATA[<a href="x">]]></content>`, `<content><![CDATA[<a href="@/dir/x">]]></content>`},
		{"mark-up as text", `<content>&lt;a href="x"&gt;</content>`, `<content>&lt;a href="@/dir/x"&gt;</content>`},
		{"a text between elements", `<a>http://example.com/x<b/>http://example.com/y</a>`, `<a>@/x<b/>http://example.com/y</a>`},
		{"an identifier", `<id>http://example.com/x</id>`, `<id>http://example.com/x</id>`},
		{"a guid", `<guid>http://example.com/x</guid>`, `<guid>@/x</guid>`},
		{"a guid that is none", `<guid isPermaLink="false">http://example.com/x</guid>`, `<guid isPermaLink="false">http://example.com/x</guid>`},
		{"a style sheet", `<?xml-stylesheet href="x"?><a/>`, `<?xml-stylesheet href="@cs_/dir/x"?><a/>`},
		{"a transformation", `<?xml-stylesheet type="text/xsl" href="x"?><a/>`, `<?xml-stylesheet type="text/xsl" href="@oe_/dir/x"?><a/>`},
		{"another instruction", `<?php href="x"?><a/>`, `<?php href="x"?><a/>`},
		{"a template of a value", `<a href="{x}"/>`, `<a href="{x}"/>`},
		{"a name space", `<a xmlns="http://example.com/x"/>`, `<a xmlns="http://example.com/x"/>`},
		{"any attribute that is a URI", `<a b=" http://example.com/x "/>`, `<a b=" @/x "/>`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := run(t, XML, tt.in, Options{Resolve: byUse}); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// A reader that gives nothing for long is broken; one that gives nothing now and then is not.
func TestReadersThatGiveLittle(t *testing.T) {
	o := Options{Base: "http://example.com/", Resolve: byUse}
	for name, r := range map[string]io.Reader{
		"byte by byte":        iotest.OneByteReader(strings.NewReader("a{b:url(x)}")),
		"its end with a byte": iotest.DataErrReader(strings.NewReader("a{b:url(x)}")),
	} {
		var out bytes.Buffer
		if err := CSS(&out, r, o); err != nil || out.String() != "a{b:url(@im_/x)}" {
			t.Errorf("%s: %s, %v", name, &out, err)
		}
	}
	for _, tt := range []struct {
		empty int // times in a row that it gives nothing
		want  error
	}{{0, nil}, {100, nil}, {101, io.ErrNoProgress}} {
		ws := &workspace{src: make([]byte, 0, 10)}
		if err := ws.fill(&idle{empty: tt.empty, then: "abc"}, 6); !errors.Is(err, tt.want) || err == nil && string(ws.src) != "abcabc" {
			t.Errorf("%d times nothing: %q, %v", tt.empty, ws.src, err)
		}
	}
}

// An idle gives nothing some times, then a text, and so on.
type idle struct {
	empty, n int
	then     string
}

func (r *idle) Read(b []byte) (int, error) {
	if r.n++; r.n <= r.empty {
		return 0, nil
	}
	r.n = 0
	return copy(b, r.then), nil
}

// Attributes that switch mark-up off are renamed only if a link leads into the archive or something stands in for the page.
func TestWhatMakesADocumentActive(t *testing.T) {
	const in = "<script integrity=x></script>"
	for name, tt := range map[string]struct {
		o    Options
		want bool
	}{
		"nothing":                      {Options{}, false},
		"the client side":              {Options{JS: true}, true},
		"a head":                       {Options{Head: []byte("<i>")}, true},
		"a banner":                     {Options{Banner: []byte("<i>")}, true},
		"a late banner":                {Options{LateBanner: func() []byte { return []byte("<i>") }}, true},
		"a banner on archived bytes":   {Options{Banner: []byte("<i>"), Use: uses.BannerOnly}, false},
		"a head on archived bytes":     {Options{Head: []byte("<script></script>"), Use: uses.BannerOnly}, false},
		"a late one on archived bytes": {Options{LateBanner: func() []byte { return []byte("<i>") }, Use: uses.BannerOnly}, false},
	} {
		tt.o.Resolve = nothing
		if got := strings.Contains(run(t, HTML, in, tt.o), "_integrity"); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A policy that a page names for itself would forbid what is put into it.
func TestAPolicyGivesWayToWhatIsPutIn(t *testing.T) {
	const in = `<script integrity=x></script><meta http-equiv=Content-Security-Policy content="script-src 'none'">`
	o := Options{Banner: []byte("<i>"), Use: uses.BannerOnly, Resolve: nothing}
	if got := run(t, HTML, in, o); strings.Contains(got, "_integrity") || !strings.Contains(got, "_content=") {
		t.Errorf("with a banner: %s", got)
	}
	if got := run(t, HTML, in, Options{Use: uses.BannerOnly, Resolve: nothing}); got != in {
		t.Errorf("with nothing: %s", got)
	}
}

// A token that is too large to be held passes unchanged. So does the rest, in a format without a sign of where it ends.
func TestLargeTokensOfDataPass(t *testing.T) {
	large := func(n int) string { return strings.Repeat("x", n) }
	for _, tt := range []struct {
		name          string
		format        Format
		before, after string
		behind        string // what the URI behind the token becomes if the token can be held
	}{
		{"a string of JSON", FormatJSON, `["`, `", "http://example.com/y"]`, `", "@/y"]`},
		{"a comment of a style sheet", FormatCSS, `/*`, `*/a{b:url(/y)}`, `*/a{b:url(@im_/y)}`},
		{"an attribute of XML", FormatXML, `<a b="`, `" href="/y"/>`, `" href="@/y"/>`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, size := range []int{3 << 20, 16<<20 + 3<<20} {
				after := tt.behind
				if size > 16<<20 {
					after = tt.after
				}
				var out bytes.Buffer
				o := Options{Base: "http://example.com/dir/page", Resolve: byUse}
				if err := tt.format.Rewrite(&out, strings.NewReader(tt.before+large(size)+tt.after), o); err != nil {
					t.Fatal(err)
				}
				if got := out.String(); got != tt.before+large(size)+after {
					t.Errorf("%d bytes: it ends in %s", size, got[len(got)-40:])
				}
			}
		})
	}
}

// A string at the end of a window is the name of a member or a value, as only the next window tells; names stay as they are.
func TestNamesOfMembersAtTheEndOfAWindow(t *testing.T) {
	const in = `{"http://example.com/a" : 1, "b": "http://example.com/c", "d": ["http://example.com/e" , "f"]}`
	const want = `{"http://example.com/a" : 1, "b": "@/c", "d": ["@/e" , "f"]}`
	for size := 1; size < len(in); size++ {
		var out bytes.Buffer
		o := Options{Base: "http://example.com/", Resolve: relative}
		s := &jsonScanner{base: reference.New(o.Base, nil)}
		if err := rewrite(&out, iotest.OneByteReader(strings.NewReader(in)), s, o, size); err != nil || out.String() != want {
			t.Errorf("in windows of %d bytes: %s, %v", size, &out, err)
		}
	}
}

// What an address in XML is used for depends on its element and, in an enclosure, on its extension.
func TestUsesOfAddressesInXML(t *testing.T) {
	for in, want := range map[string]string{
		"<enclosure url='http://example.com/a.jpg'/>":          "<enclosure url='@im_/a.jpg'/>",
		"<enclosure url='http://example.com/a.mp3'/>":          "<enclosure url='@oe_/a.mp3'/>",
		"<enclosure url='http://example.com/a'/>":              "<enclosure url='@oe_/a'/>",
		"<thumbnail url='http://example.com/a'/>":              "<thumbnail url='@im_/a'/>",
		"<content url='http://example.com/a'/>":                "<content url='@/a'/>",
		"<x:import href='http://example.com/a'/>":              "<x:import href='@oe_/a'/>",
		"<stylesheet href='http://example.com/a'/>":            "<stylesheet href='@cs_/a'/>",
		"<guid isPermaLink='false'>http://example.com/</guid>": "<guid isPermaLink='false'>http://example.com/</guid>",
		"<guid>http://example.com/a</guid>":                    "<guid>@/a</guid>",
		"<id>http://example.com/a</id>":                        "<id>http://example.com/a</id>",
	} {
		if got := run(t, XML, in, Options{Resolve: byUse}); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}
