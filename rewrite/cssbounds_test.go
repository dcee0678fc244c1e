package rewrite

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/rewrite/uses"
)

func TestCSSUnescape(t *testing.T) {
	for in, want := range map[string]string{
		"a": "a", `\61`: "a", `\e4`: "ä", `\1F600`: "😀", `\9`: "\t", `\A`: "\n", `\f`: "\x0f", `\F`: "\x0f",
		// One white space ends an escape and goes with it, and so do six digits.
		`\61 b`: "ab", `\61  b`: "a b", `\61g`: "ag", `\000061b`: "ab", `\0000611`: "a1",
		"\\61\nb": "ab", "\\61\rb": "ab", "\\61\r\nb": "ab", "\\61\r": "a", "\\61\tb": "ab", "\\61 \nb": "a\nb",
		// Other characters mean themselves, and a line end nothing.
		`\)`: ")", `\\`: `\`, `\g`: "g", `\G`: "G", `\/`: "/", `\:`: ":", "\\`": "`", `\@`: "@",
		"a\\\nb": "ab", "a\\\r\nb": "ab", "a\\\rb": "ab", "a\\\fb": "ab", "\\\r": "", `a\`: `a\`,
	} {
		if got := string(cssUnescape([]byte(in))); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestURIsOfStyleSheets(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"bare", "a{b:url(x)}", "a{b:url(@im_/dir/x)}"},
		{"in quotes", `a{b:url("x") url('y')}`, `a{b:url("@im_/dir/x") url('@im_/dir/y')}`},
		{"with spaces", "a{b:url( \t'x' \n)}", "a{b:url( \t'@im_/dir/x' \n)}"},
		{"bare with spaces", "a{b:url(  x\t)}", "a{b:url(  @im_/dir/x\t)}"},
		{"that is empty", "a{b:url() url( ) url('')}", "a{b:url() url( ) url('')}"},
		{"that doesn't end", "a{b:url(x", "a{b:url(@im_/dir/x"},
		{"of spaces that doesn't end", "a{b:url(  ", "a{b:url(  "},
		{"a string that isn't one", `a{content:"x"}`, `a{content:"x"}`},
		{"escaped", `a{b:url(\78 y)}`, `a{b:url(@im_/dir/xy)}`},
		{"with an escaped name", `a{b:u\rl(x)}`, `a{b:u\rl(@im_/dir/x)}`},
		{"import", `@import "x";@import url(y);`, `@import "@cs_/dir/x";@import url(@cs_/dir/y);`},
		{"import in capitals", `@IMPORT 'x'`, `@IMPORT '@cs_/dir/x'`},
		{"import with conditions", `@import "x" layer("y");`, `@import "@cs_/dir/x" layer("y");`},
		{"a rule behind an import", `@import "x";a{content:"y";b:url(z)}`, `@import "@cs_/dir/x";a{content:"y";b:url(@im_/dir/z)}`},
		{"a font", "@font-face{src:url(x),url(y);a:url(z)}", "@font-face{src:url(@oe_/dir/x),url(@oe_/dir/y);a:url(@oe_/dir/z)}"},
		{"behind a font", "@font-face{src:url(x)}a{b:url(y)}", "@font-face{src:url(@oe_/dir/x)}a{b:url(@im_/dir/y)}"},
		{"names", `@namespace url(x);@namespace "y";@-moz-document url(z){}`, `@namespace url(x);@namespace "y";@-moz-document url(z){}`},
		{"behind names", `@namespace url(x);a{b:url(y)}`, `@namespace url(x);a{b:url(@im_/dir/y)}`},
		{"another at-rule", `@media "x"{a{b:url(y)}}`, `@media "x"{a{b:url(@im_/dir/y)}}`},
		{"a set of images", `a{b:image-set("x" 1x, url(y) 2x)}`, `a{b:image-set("@im_/dir/x" 1x, url(@im_/dir/y) 2x)}`},
		{"a set of images with types", `a{b:image-set("x" type("y"))}`, `a{b:image-set("@im_/dir/x" type("y"))}`},
		{"a string behind a set", `a{b:image-set("x") "y"}`, `a{b:image-set("@im_/dir/x") "y"}`},
		{"a set that doesn't end", `a{b:image-set("x"}c{content:"y"}`, `a{b:image-set("@im_/dir/x"}c{content:"y"}`},
		{"in parentheses in a set", `a{b:image-set(("y") "x")}`, `a{b:image-set(("y") "@im_/dir/x")}`},
		{
			"in many parentheses in a set", `a{b:image-set(` + strings.Repeat("(", 300) + strings.Repeat(")", 300) + ` "x") "y"}`,
			`a{b:image-set(` + strings.Repeat("(", 300) + strings.Repeat(")", 300) + ` "@im_/dir/x") "y"}`,
		},
		{"a closing parenthesis before a set", `a{b:) image-set("y")}`, `a{b:) image-set("@im_/dir/y")}`},
		{"a closing parenthesis too many", `a{b:) "x";c:image-set("y")}`, `a{b:) "x";c:image-set("@im_/dir/y")}`},
		{
			"other functions of images", `a{b:-webkit-image-set("x" 1x) image("y") cross-fade("z") src("w")}`,
			`a{b:-webkit-image-set("@im_/dir/x" 1x) image("@im_/dir/y") cross-fade("@im_/dir/z") src("@im_/dir/w")}`,
		},
		{"another function", `a{b:attr("x")}`, `a{b:attr("x")}`},
		{"a string that doesn't end", `@import "x`, `@import "@cs_/dir/x`},
		{"a string of one quote", `@import "`, `@import "`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := run(t, CSS, tt.in, Options{Resolve: byUse}); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestStyleSheetsInTheirCharset(t *testing.T) {
	for _, tt := range []struct{ name, declared, start, want string }{
		{"declared by the sheet", "", `@charset "windows-1251";`, "%D0%BA"},
		{"declared in the header too", "iso-8859-1", `@charset "windows-1251";`, "%C3%AA"},
		{"not at the start", "", ` @charset "windows-1251";`, "%C3%AA"},
		{"in other quotes", "", `@charset 'windows-1251';`, "%C3%AA"},
		{"without an end", "", `@charset "windows-1251" `, "%C3%AA"},
		{"that is none", "", `@charset "no such";`, "%C3%AA"},
		{"that the sheet can't be in", "", `@charset "utf-16le";`, "%EF%BF%BD"},
	} {
		in, want := tt.start+"a{b:url(/\xea)}", tt.start+"a{b:url(@im_/"+tt.want+")}"
		if got := run(t, CSS, in, Options{Charset: tt.declared, Resolve: byUse}); got != want {
			t.Errorf("%s: got %s, want %s", tt.name, got, want)
		}
	}
}

// byUse answers "@" with the modifier of the use and the path.
func byUse(refs []uses.Ref) []string {
	out := make([]string, len(refs))
	for i, r := range refs {
		out[i] = "@" + r.Use.String() + strings.TrimPrefix(r.URI, "http://example.com")
	}
	return out
}
