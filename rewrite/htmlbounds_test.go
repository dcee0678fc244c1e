package rewrite

import (
	"bytes"
	"html"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

func TestForeignContentAndItsEnds(t *testing.T) {
	// "+" begins an element and "-" ends it.
	for _, tt := range []struct {
		name, tags string
		foreign    bool
	}{
		{"nothing", "", false},
		{"HTML", "+div +p", false},
		{"an svg", "+svg", true},
		{"math", "+math", true},
		{"a graphic in an svg", "+svg +g +path", true},
		{"behind an svg", "+svg +g -svg", false},
		{"behind math", "+math +mrow -math", false},
		{"an end that nothing began", "-svg", false},
		{"the end of a graphic", "+svg +g -g", true},
		{"an svg in an svg", "+svg +svg -svg", true},
		{"HTML in an svg", "+svg +foreignobject", false},
		{"in its title", "+svg +title", false},
		{"in a formula's text", "+math +mtext", false},
		{"behind HTML in an svg", "+svg +foreignobject -foreignobject", true},
		{"an element of HTML in HTML in an svg", "+svg +foreignobject +div -div", false},
		{"an svg in HTML in an svg", "+svg +foreignobject +svg", true},
		{"behind it", "+svg +foreignobject +svg -svg", false},
		{"an svg that ends with all it holds", "+svg +foreignobject +svg +desc -svg", false},
		{"HTML that ends with all it holds", "+svg +foreignobject +p -foreignobject -svg", false},
		{"what is no foreign element ends it", "+svg +p", false},
		{"a heading too", "+math +mrow +h1", false},
		{"each around it", "+svg +math +table", false},
		{"but not HTML around it", "+svg +desc +svg +ul -desc", true},
		{"an end tag of p too", "+svg -p", false},
		{"an end tag of br too", "+svg -br", false},
		{"an end tag of div not", "+svg -div", true},
		{"an end tag of a title that none began", "+svg -title", true},
		{"a title in HTML", "+title -title +svg", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var m modes
			for tag := range strings.FieldsSeq(tt.tags) {
				if tag[0] == '+' {
					m.start(tag[1:])
				} else {
					m.end(tag[1:])
				}
			}
			if m.foreign() != tt.foreign {
				t.Errorf("foreign: %v", m.foreign())
			}
		})
	}
	for _, depth := range []int{63, 64, 100} {
		var m modes
		for range depth {
			m.start("svg")
		}
		if want := uint8(min(depth, 64)); m.depth != want || !m.foreign() {
			t.Errorf("%d deep: depth %d, foreign %v", depth, m.depth, m.foreign())
		}
		for range 64 {
			m.end("svg")
		}
		if m.depth != 0 {
			t.Errorf("%d deep and out again: depth %d", depth, m.depth)
		}
	}
}

func TestTagsAsBrowsersReadThem(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"a slash for a space", "<a/href=x>", "<a/href=@/dir/x>"},
		{"a slash and a space", "<a / href=x>", "<a / href=@/dir/x>"},
		{"two attributes joined by a slash", "<img alt/src=x>", "<img alt/src=@im_/dir/x>"},
		{"an attribute that begins with =", "<a =href href=x>", "<a =href href=@/dir/x>"},
		{"an empty value", "<a href='' id=x>", "<a href='' id=x>"},
		{"no value", "<a href id=x>", "<a href id=x>"},
		{"spaces around =", "<a href = x>", "<a href = @/dir/x>"},
		{"spaces in quotes", "<a href=' \tx\n '>", "<a href=' \t@/dir/x\n '>"},
		{"a value of spaces", "<a href='  '>", "<a href='  '>"},
		{"an unquoted value", "<a href=x>y", "<a href=@/dir/x>y"},
		{"a fragment", "<a href=#x>", "<a href=#x>"},
		{"the first of two", "<base href=/b/><base href=/c/><a href=x>", "<base href=@/b/><base href=@/c/><a href=@/b/x>"},
		{
			"a base in a fallback", "<noscript><base href=/b/></noscript><template><base href=/c/></template><a href=x>",
			"<noscript><base href=@/b/></noscript><template><base href=@/c/></template><a href=@/dir/x>",
		},
		{"a fallback in a graphic", "<svg><noscript><a title='</noscript>' href=x>", "<svg><noscript><a title='</noscript>' href=@/dir/x>"},
		{
			"fallbacks with open ends", "<noscript><img src='x></noscript><a href=y></a><noembed><!--</NOEMBED\n><a href=z>",
			"<noscript><img src='x></noscript><a href=@/dir/y></a><noembed><!--</NOEMBED\n><a href=@/dir/z>",
		},
		{"a fallback in others", strings.Repeat("<noscript>", 12) + "<a href=x>", strings.Repeat("<noscript>", 12) + "<a href=@/dir/x>"},
		{"a base without href", "<base target=x><a href=x>", "<base target=x><a href=@/dir/x>"},
		{"a base with an empty value", "<base href><a href=x>", "<base href><a href=@/dir/x>"},
		{"an object with a place for its code", "<object codebase=/c/ data=x>", "<object codebase=@oe_/c/ data=@oe_/c/x>"},
		{"an object that is a page", "<object type=text/html data=x>", "<object type=text/html data=@if_/dir/x>"},
		{"data of another element", "<div data=x action=y srcdoc=z>", "<div data=x action=y srcdoc=z>"},
		{"a form", "<form action=x>", "<form action=@/dir/x>"},
		{"a list of archives", "<applet archive=' a , b,c'>", "<applet archive=' @oe_/dir/a , @oe_/dir/b,@oe_/dir/c'>"},
		{"a ping of one", "<a ping=x>", "<a ping=@/dir/x>"},
		{"a parameter named so", "<param name=Movie value=x>", "<param name=Movie value=@oe_/dir/x>"},
		{"a parameter that is a URI", "<param name=a value=http://example.com/x>", "<param name=a value=@oe_/x>"},
		{"a parameter that is none", "<param name=a value=x>", "<param name=a value=x>"},
		{"a parameter that says against what", "<param name=base value=http://example.com/>", "<param name=base value=@oe_/>"},
		{"the value of an input", "<input value=http://example.com/x>", "<input value=http://example.com/x>"},
		{"a presentation attribute", "<rect fill=url(x)>", "<rect fill=url(@im_/dir/x)>"},
		{"a presentation attribute that is none", "<rect fill=red>", "<rect fill=red>"},
		{"an empty style", "<p style=''>", "<p style=''>"},
		{"a script of SVG", "<svg><script href=x /><a href=y></svg>", "<svg><script href=@js_/dir/x /><a href=@/dir/y></svg>"},
		{"a script of SVG, in capitals", "<SVG><SCRIPT href=x /></SVG>", "<SVG><SCRIPT href=@js_/dir/x /></SVG>"},
		{"a title of SVG", "<svg><title><a href=y></title></svg>", "<svg><title><a href=@/dir/y></title></svg>"},
		{"a comment that ends at once", "<!--><a href=x>-->", "<!--><a href=@/dir/x>-->"},
		{"a comment that ends a little later", "<!---><a href=x>-->", "<!---><a href=@/dir/x>-->"},
		{"a comment", "<!-- <a href=x> -->", "<!-- <a href=x> -->"},
		{"a conditional comment", "<!--[if IE]><a href=x><![endif]-->", "<!--[if IE]><a href=@/dir/x><![endif]-->"},
		{"a conditional comment of nothing", "<!--[if IE]><![endif]-->", "<!--[if IE]><![endif]-->"},
		{"a conditional comment without end", "<!--[if IE]><a href=x>-->", "<!--[if IE]><a href=x>-->"},
		{"a condition that doesn't end", "<!--[if IE-->", "<!--[if IE-->"},
		{"a section in HTML", "<![CDATA[<a href=x>]]>", "<![CDATA[<a href=x>]]>"},
		{"a title in HTML", "<title><a href=x></title>", "<title><a href=x></title>"},
		{"a title in an svg", "<svg><title><a href=x></title></svg>", "<svg><title><a href=@/dir/x></title></svg>"},
		{"a style in an svg", "<svg><style>a{b:url(x)}</style></svg>", "<svg><style>a{b:url(@im_/dir/x)}</style></svg>"},
		{
			"a style in a section in an svg", "<svg><style><![CDATA[a{b:url(x)}]]></style></svg>",
			"<svg><style><![CDATA[a{b:url(@im_/dir/x)}]]></style></svg>",
		},
		{
			"a style in a section behind another", "<svg><style><![CDATA[a{b:url(x)}]]></style><style><![CDATA[c{b:url(y)}]]></style></svg>",
			"<svg><style><![CDATA[a{b:url(@im_/dir/x)}]]></style><style><![CDATA[c{b:url(@im_/dir/y)}]]></style></svg>",
		},
		{"an element in a style in an svg", "<svg><style><a href=x></style></svg>", "<svg><style><a href=@/dir/x></style></svg>"},
		{
			"an element named like a style's end", "<svg><style><xstyle><a href=x></xstyle></style></svg>",
			"<svg><style><xstyle><a href=@/dir/x></xstyle></style></svg>",
		},
		{"a style in an svg that is cut off", "<svg><style>a</st", "<svg><style>a</st"},
		{"a style that doesn't begin", "<svg><style>", "<svg><style>"},
		{"a style that ends with its tag", "<svg><style/><a href=x></svg>", "<svg><style/><a href=@/dir/x></svg>"},
		{"a style in HTML doesn't", "<style/><a href=x></style>", "<style/><a href=x></style>"},
		{"an svg in capitals", "<SVG><IMAGE HREF=x></SVG>", "<SVG><IMAGE HREF=@im_/dir/x></SVG>"},
		{"math", "<math href=x></math>", "<math href=@/dir/x></math>"},
		{"an xml", "<xml href=x></xml>", "<xml href=@/dir/x></xml>"},
		{"a style sheet", "<style>a{b:url(x)}</style>", "<style>a{b:url(@im_/dir/x)}</style>"},
		{"a style sheet that doesn't end", "<style>a{b:url(x)}", "<style>a{b:url(@im_/dir/x)}"},
		{"an empty style sheet", "<style></style><a href=x>", "<style></style><a href=@/dir/x>"},
		{"what is no tag", "< a href=x><1 href=x>", "< a href=x><1 href=x>"},
		{"a tag at the end", "<a href=x", "<a href=x"},
		{"an iframe in an iframe", `<iframe srcdoc="<a href=x>">`, `<iframe srcdoc="<a href=@/dir/x>">`},
		{
			"a module's map", `<script type=importmap>{"a":"./x","b/":"/y/"}</script>`,
			`<script type=importmap>{"a":"@esm_/dir/x","b/":"@esm_/y/"}</script>`,
		},
		{"a script that is data", "<script type=text/template><a href=x></script>", "<script type=text/template><a href=x></script>"},
		{"integrity", "<script src=x integrity=y nonce=z crossorigin>", "<script src=@js_/dir/x _integrity=y _nonce=z _crossorigin>"},
		{"a font ahead", `<link rel=preload href=x as=Font crossorigin="">`, `<link rel=preload href=@oe_/dir/x as=Font crossorigin="">`},
		{"a script ahead", "<link rel=preload href=x as=script crossorigin>", "<link rel=preload href=@js_/dir/x as=script _crossorigin>"},
		{
			"a policy", "<a href=x><meta http-equiv=X-Frame-Options content=DENY>",
			"<a href=@/dir/x><meta http-equiv=X-Frame-Options _content=DENY>",
		},
		{"a picture of a page", "<meta property=og:image content=http://example.com/x>", "<meta property=og:image content=@im_/x>"},
		{"a page's address", "<meta name=a content=//example.com/x>", "<meta name=a content=@/x>"},
		{"a content of words", "<meta name=a content='http://example.com/ x'>", "<meta name=a content='http://example.com/ x'>"},
		{"a meta without content", "<meta http-equiv=refresh>", "<meta http-equiv=refresh>"},
		{"a meta with content without value", "<meta name=a content>", "<meta name=a content>"},
		{
			"a referrer policy that tells nobody", "<a href=y><meta name=referrer content='Never'>",
			"<a href=@/dir/y><meta name=referrer content='same-origin'>",
		},
		{"a referrer policy", "<a href=y><meta name=Referrer content=x>", "<a href=@/dir/y><meta name=Referrer _content=x>"},
		{"a refresh to a short place", "<meta http-equiv=refresh content='0;url'>", "<meta http-equiv=refresh content='0;@/dir/url'>"},
		{"a refresh to nowhere", "<meta http-equiv=refresh content='0;url='>", "<meta http-equiv=refresh content='0;url='>"},
		{
			"a refresh with a space before =", "<meta http-equiv=refresh content='0; url =x '>",
			"<meta http-equiv=refresh content='0; url =@/dir/x '>",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := run(t, HTML, tt.in, Options{Resolve: byUse}); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			var out bytes.Buffer // byte by byte, so that every place is once the end of what was read
			o := Options{Base: "http://example.com/dir/page", Resolve: byUse}
			s := newHTMLScanner(&o, reference.New(o.Base, nil))
			if err := rewrite(&out, iotest.OneByteReader(strings.NewReader(tt.in)), s, o, 1); err != nil {
				t.Fatal(err)
			}
			if got := out.String(); got != tt.want {
				t.Errorf("byte by byte %s, want %s", got, tt.want)
			}
		})
	}
}

// Documents in documents are rewritten up to a depth; what lies deeper stays.
func TestHowDeepDocumentsAreRewritten(t *testing.T) {
	in := "<a href=x>"
	for depth := range 10 {
		if got := strings.Contains(run(t, HTML, in, Options{Resolve: byUse}), "@/dir/x"); got != (depth <= 8) {
			t.Errorf("at depth %d: rewritten %t", depth, got)
		}
		in = `<iframe srcdoc="` + html.EscapeString(in) + `">`
	}
}

func TestWhatALinkElementIsFor(t *testing.T) {
	for in, want := range map[string]string{
		"rel=stylesheet": "cs_", "rel='alternate stylesheet'": "cs_", "rel=Icon": "im_", "rel=image_src": "im_", "rel=modulepreload": "esm_",
		"rel=manifest": "oe_", "rel=import": "mp_", "rel=preload as=script": "js_", "rel=preload as=fetch": "wkrf_",
		"rel=preload as=Style": "cs_", "rel=prefetch as=image": "im_",
		"rel=preload as=document": "if_", "rel=preload as=worker": "wkr_", "rel=preload as=sharedworker": "wkr_",
		"rel=preload as=serviceworker": "sw_", "rel=preload as=font": "oe_", "rel=preload": "", "rel=next": "", "": "",
	} {
		in = "<link " + in + " href=x>"
		if got, want := run(t, HTML, in, Options{Resolve: byUse}), strings.Replace(in, "href=x", "href=@"+want+"/dir/x", 1); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	for in, want := range map[string]string{
		"img": "im_", "input": "im_", "script": "js_", "iframe": "if_", "frame": "fr_", "embed": "oe_", "video": "oe_", "source": "oe_",
		"embed type=text/html": "if_", "script type=module": "esm_", "portal": "if_",
	} {
		in = "<" + in + " src=x>"
		if got, want := run(t, HTML, in, Options{Resolve: byUse}), strings.Replace(in, "src=x", "src=@"+want+"/dir/x", 1); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestWhatIsSavedHasNoBanner(t *testing.T) {
	for in, want := range map[string]string{
		"<a href=x>": "", "<a href=x download>": "mp_", "<A DOWNLOAD=y.pdf href=x>": "mp_", "<area download href=x>": "mp_",
		"<a href=x data-download>": "", "<b download><a href=x>": "",
	} {
		if got, want := run(t, HTML, in, Options{Resolve: byUse}), strings.Replace(in, "href=x", "href=@"+want+"/dir/x", 1); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestScriptTypes(t *testing.T) {
	for _, tt := range []struct {
		kind, language string
		want           scriptKind
	}{
		{"", "", scriptClassic},
		{" Text/JavaScript ", "", scriptClassic},
		{"text/javascript; charset=x", "", scriptClassic},
		{"module", "", scriptModule},
		{"importmap", "", scriptImportMap},
		{"application/ld+json", "", scriptData},
		{"", "JavaScript1.2", scriptClassic},
		{"", "ECMAScript", scriptClassic},
		{"", "JScript", scriptClassic},
		{"", "LiveScript", scriptClassic},
		{"", "VBScript", scriptData},
		{"text/javascript", "VBScript", scriptClassic},
	} {
		if got := scriptType([]byte(tt.kind), []byte(tt.language)); got != tt.want {
			t.Errorf("%q, %q: %v", tt.kind, tt.language, got)
		}
	}
}

func TestIndexFold(t *testing.T) {
	for _, tt := range []struct {
		s, what string
		want    int
	}{
		{"url(", "url(", 0},
		{"a url(x", "url(", 2},
		{"uurl(", "url(", 1},
		{"url", "url(", -1},
		{"", "x", -1},
		{"ur url(", "url(", 3},
		{"uRL(", "url(", 0},
		{"xurl", "url(", -1},
	} {
		if got := indexFold([]byte(tt.s), []byte(tt.what)); got != tt.want {
			t.Errorf("%q in %q: %d", tt.what, tt.s, got)
		}
	}
}

// A prefix in an import map ends in a slash, and so must what it leads to: else a browser drops it.
func TestPrefixesOfImportMapsKeepTheirSlash(t *testing.T) {
	cut := func(refs []uses.Ref) []string {
		out := byUse(refs)
		for i := range out {
			out[i] = strings.TrimSuffix(out[i], "/")
		}
		return out
	}
	for _, tt := range []struct{ name, in, slash, noSlash string }{
		{"a file", `{"a":"/x.js"}`, `{"a":"@esm_/x.js"}`, `{"a":"@esm_/x.js"}`},
		{"a prefix", `{"a/":"/x/"}`, `{"a/":"@esm_/x/"}`, `{"a/":"/x/"}`},
		{"a specifier that is a URL", `{"/a/":"/x/"}`, `{"@esm_/a/":"@esm_/x/"}`, `{"/a/":"/x/"}`},
		{"what is in no archive", `{"b":"/y","a":"data:,/"}`, `{"b":"@esm_/y","a":"data:,/"}`, `{"b":"@esm_/y","a":"data:,/"}`},
		{"what is escaped", `{"a":"\/x.js"}`, `{"a":"\/x.js"}`, `{"a":"\/x.js"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			const before, after = "<script type=importmap>", "</script>"
			if got := run(t, HTML, before+tt.in+after, Options{Resolve: byUse}); got != before+tt.slash+after {
				t.Errorf("got %s", got)
			}
			if got := run(t, HTML, before+tt.in+after, Options{Resolve: cut}); got != before+tt.noSlash+after {
				t.Errorf("without a slash got %s", got)
			}
		})
	}
}

// A browser loads no module whose hash isn't the one in the import map, and the archive's modules are rewritten.
func TestHashesInImportMapsAreOff(t *testing.T) {
	for in, want := range map[string]string{
		`{"integrity" : {"/x.js":"sha384-A"}}`:      `{"_integrity" : {"@esm_/x.js":"sha384-A"}}`,
		`{"imports":{"integrity":"/x.js"}}`:         `{"imports":{"integrity":"@esm_/x.js"}}`,
		`{"imports":{"a":"integrity","b":"/b.js"}}`: `{"imports":{"a":"integrity","b":"@esm_/b.js"}}`,
	} {
		const before, after = "<script type=importmap>", "</script>"
		if got := run(t, HTML, before+in+after, Options{Resolve: byUse}); got != before+want+after {
			t.Errorf("%s: %s", in, got)
		}
	}
}

// Attributes that are named after an event hold scripts.
func TestAttributesThatHoldScripts(t *testing.T) {
	for in, want := range map[string]bool{"<p onclick='f(top)'>": true, "<p on='f(top)'>": false, "<p on-click='f(top)'>": false} {
		if got := run(t, HTML, in, Options{JS: true}); strings.Contains(got, "_varve_") != want {
			t.Errorf("%s: %s", in, got)
		}
	}
}
