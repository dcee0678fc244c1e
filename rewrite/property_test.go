package rewrite

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

var formats = []Format{FormatHTML, FormatCSS, FormatJS, FormatJSON, FormatManifest, FormatXML, FormatHLS, FormatDASH}

// odd holds beginnings of everything that has an end, and inputs that lexers and browsers read differently.
var odd = []string{
	"", "<", "</", "<!", "<a", "<a ", "<a href", "<a href=", `<a href="`, `<a href="x`, "<a/href=x>", "<img/src=x/>", "<!-->x<!--->",
	"<!--[if IE]><a href=x><![endif]-->",
	"<svg/><p>x</p><a href=y>", "<svg><style/><title/><a href=x></svg>", "<math><a href=x>", "<script>x</script",
	"<script><!--<script></script>--></script><a href=x>",
	"<style>@import 'x'", "<title></title><a href=x>", "<plaintext><a href=x>", "<![CDATA[<a href=x>]]>", "<xml src=x><a href=y></xml>",
	"<a href=a&#x26;b&amp;c&copy=1&lt>",
	"<iframe srcdoc='<a href=&quot;x?a&amp;amp;b&quot;>'>", "<p style='background:url(&quot;x&quot;)'>", "<img srcset='a 1x,b 2x,,c(1,2)'>",
	"<base href=//x/><a href=y>",
	"<meta http-equiv=refresh content='0;url=\"x'>", "\xef\xbb\xbf<html>", "\xff\xfe<\x00a\x00", "<a disabled/href=x>",
	"<textarea><a href=x></textarea ><a href=y>",
	"@import url(x);@namespace url(http://n/);a{b:url('x\\27')}", "a{b:image-set('x' 1x,url(y))", "a{b:url(", "@font-face{src:url(x)}", "/*",
	"a{b:'",
	"import x from './y';import('./z')", "export * from \"../a\"", "`${`${a}`}`/1/g", "a=b/c;/'/.test(d)", "x=`", "'", "/*", "//", "{}/x/",
	"#!x\nimport './y'",
	`{"a":"http://x/y","http://b":1,"c":"\u0068ttp:\/\/d"}`, `cb({"a":"http://x/"})`, `["`, `{"src":"a.png","icons":[{"src":"/b"}]}`,
	`<?xml version="1.0"?><?xml-stylesheet href="a.css"?><rss><link>http://x/</link><guid isPermaLink="false">http://y/</guid></rss>`,
	`<a xml:base="b/"><c href="d"/></a><e href="f"/>`, `<x><![CDATA[http://y/]]></x>`, `<description>&lt;a href="x"&gt;</description>`,
	"<x a='b\tc' href='d'/>",
	"#EXTM3U\n#EXT-X-KEY:URI=\"k\",IV=0\nseg.ts\r\n\nseg{$x}.ts",
	`<MPD><BaseURL>http://x/</BaseURL><S media="/a$Number$" sourceURL="b"/></MPD>`,
}

func seeds(f *testing.F) {
	for _, s := range odd {
		f.Add([]byte(s))
	}
	inputs, err := filepath.Glob("testdata/*.in.*")
	if err != nil || len(inputs) == 0 {
		f.Fatalf("no inputs in testdata: %v", err)
	}
	for _, name := range inputs {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
}

func apply(t testing.TB, format Format, in []byte, o Options) []byte {
	t.Helper()
	o.Base = "http://example.com/dir/page.html"
	var out bytes.Buffer
	if err := format.Rewrite(&out, bytes.NewReader(in), o); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func FuzzWithNothingToResolveTheOutputIsTheInput(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, format := range formats {
			if out := apply(t, format, in, Options{Resolve: nothing}); !bytes.Equal(in, out) {
				t.Errorf("%v: %q became %q", format, in, out)
			}
		}
	})
}

func FuzzTheOutputIsNotRewrittenAgain(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, format := range formats {
			once := apply(t, format, in, Options{Resolve: archive})
			if bytes.Contains(once, []byte("integrity")) || bytes.Contains(bytes.ToLower(once), []byte("base")) {
				continue // names that were made inert and bases that moved are not found again
			}
			twice := apply(t, format, once, Options{Resolve: archive})
			if bytes.Contains(twice, []byte("http://archive.test/web/20200101000000/http://archive.test/")) {
				t.Errorf("%v: %q became %q and then %q", format, in, once, twice)
			}
		}
	})
}

func scannerFor(format Format, o *Options) scanner {
	b := reference.New(o.Base, nil)
	switch format {
	case FormatHTML:
		return newHTMLScanner(o, b)
	case FormatCSS:
		return &cssScanner{base: b}
	case FormatXML:
		return &xmlScanner{o: o, at: xmlPlace{base: b}}
	case FormatHLS:
		return &hlsScanner{base: b}
	}
	return &jsonScanner{base: b}
}

func FuzzWindowsMakeNoDifference(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, format := range []Format{FormatHTML, FormatCSS, FormatXML, FormatHLS, FormatJSON} {
			o := Options{Base: "http://example.com/dir/page.html", Resolve: archive}
			if format == FormatHTML {
				o.Head, o.Banner, o.FramesetBanner = []byte("<HEAD>"), []byte("<BANNER>"), func() []byte { return []byte("<FRAMES>") }
			}
			var whole, windows bytes.Buffer
			if err := rewrite(&whole, bytes.NewReader(in), scannerFor(format, &o), o, windowSize); err != nil {
				t.Fatal(err)
			}
			if err := rewrite(&windows, iotest.OneByteReader(bytes.NewReader(in)), scannerFor(format, &o), o, 5); err != nil {
				t.Fatal(err)
			}
			if o.Head == nil && strings.Contains(string(in), "ntegrity") {
				continue
			}
			if whole.String() != windows.String() {
				t.Errorf("%v: %q became %q in one piece, %q in windows", format, in, whole.String(), windows.String())
			}
		}
	})
}

func FuzzClientSideNeverPanics(f *testing.F) {
	seeds(f)
	f.Add([]byte("window.a(top)"))
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, format := range []Format{FormatHTML, FormatJS} {
			o := Options{Resolve: archive, JS: true, Head: []byte("<h>"), Banner: []byte("<b>"), Callback: "c"}
			o.Base = "http://example.com/?f=window.a"
			for _, o.Use = range []uses.Use{uses.Link, uses.Script, uses.Module, uses.Worker} {
				apply(t, format, in, o)
			}
		}
	})
}
