package rewrite

import (
	"bytes"
	"strings"
	"testing"
)

func TestSelectorsByAddress(t *testing.T) {
	const other = `:not([href*="://example.com"],[href*=".example.com"])`
	const untold = `):not([href^="/~"]),` // how a page wrote an address is told before it, or else can be seen
	const inside = `:where(:not([href^="/~"],[href*="://example.com"],[href*=".example.com"]),[href^="/~http"])`
	for _, tt := range []struct{ name, in, want string }{
		{
			"any other site", `a[href^="http"]:after{}`,
			`a:is([href^="http"],:where(:is([href*="/http"]` + other + untold + `[href^="/~http"])):after{}`,
		},
		{
			"a scheme", `[href^='https://']{}`,
			`:is([href^='https://'],:where(:is([href*="/https://"]` + other + untold + `[href^="/~https%3A%2F%2F"])){}`,
		},
		{"without quotes", `a[href^=http]{}`, `a:is([href^=http],:where(:is([href*="/http"]` + other + untold + `[href^="/~http"])){}`},
		{"with spaces", `a[ HREF ^= "http" ]{}`, `a:is([ HREF ^= "http" ` +
			`],:where(:is([href*="/http"]` + other + untold + `[href^="/~http"])){}`},
		{"one site", `img[src^="http://b.example/x"]{}`, `img:is([src^="http://b.example/x"],` +
			`:where(:is([src*="/http://b.example/x"]):not([src^="/~"]),[src^="/~http%3A%2F%2Fb.example%2Fx"])){}`},
		{"one address", `[action="http://b.example/x"]{}`, `:is([action="http://b.example/x"],` +
			`:where(:is([action$="/http://b.example/x"]):not([action^="/~"]),[action^="/~http%3A%2F%2Fb.example%2Fx~"])){}`},
		{
			"one host", `[href="http://b.example"]{}`,
			`:is([href="http://b.example"],:where(:is([href$="/http://b.example"],[href$="/http://b.example/"]` + untold +
				`[href^="/~http%3A%2F%2Fb.example~"])){}`,
		},
		{"two", `[href^="http:"],[src^="http:"]{b:url(//example.com/x)}`, `:is([href^="http:"],:where(:is([href*="/http:"]` + other + untold +
			`[href^="/~http%3A"])),` +
			strings.ReplaceAll(`:is([href^="http:"],:where(:is([href*="/http:"]`+other+untold+`[href^="/~http%3A"]))`, "href", "src") +
			`{b:url(@im_/x)}`},
		{"an end", `[href$=".pdf"]{}`, `[href$=".pdf"]{}`},
		{
			"a part of what is written in full", `[href*="http"],[href*="://"]{}`,
			`[href*="http"]` + inside + `,[href*="://"]` + inside + `{}`,
		},
		{"a part of the host", `[href*="example.c"]{}`, `[href*="example.c"]` + inside + `{}`},
		{"a part of a path", `[href*="dir"]{}`, `[href*="dir"]{}`},
		{"a scheme alone as a whole", `[href="http"]{}`, `:is([href="http"],:where([href^="/~http~"])){}`},
		{"no address", `[href^="mailto:"],[href^="#"],[href^=""]{}`, `[href^="mailto:"],[href^="#"],[href^=""]{}`},
		{"no scheme", `[href^="//"]{}`, `:is([href^="//"],:where([href^="/~%2F%2F"])){}`},
		{
			"relative", `[href^="img/"],[href="../up"]{}`,
			`:is([href^="img/"],:where([href^="/~img%2F"])),:is([href="../up"],:where([href^="/~..%2Fup~"])){}`,
		},
		{
			"the site's root", `a[href^="/"]{}`,
			`a[href^="/"]:where(:not([href*="://"]),[href*="://example.com/"]:not([href^="/~"]),[href*=".example.com/"]:not([href^="/~"]),` +
				`[href^="/~%2F"]){}`,
		},
		{
			"a folder", `a:not([href^='/dir/']){}`,
			`a:not(:is([href^='/dir/'],:where(:is([href*="://example.com/dir/"],[href*=".example.com/dir/"]` + untold + `[href^="/~%2Fdir%2F"]))){}`,
		},
		{"a path", `[src="/x.svg"]{}`, `:is([src="/x.svg"],` +
			`:where(:is([src$="://example.com/x.svg"],[src$=".example.com/x.svg"]):not([src^="/~"]),[src^="/~%2Fx.svg~"])){}`},
		{"the root as a whole", `[href="/"]{}`, `:is([href="/"],` +
			`:where(:is([href$="://example.com/"],[href$=".example.com/"]` + untold + `[href^="/~%2F~"])){}`},
		{"another attribute", `[title^="http"]{}`, `[title^="http"]{}`},
		{"a flag", `[href^="HTTP" i]{}`, `:is([href^="HTTP" i],:where(:is([href*="/HTTP" i]` + other + untold + `[href^="/~HTTP" i])){}`},
		{"what ends a string", `[href^="http://b/\22 ]"]{}`, `[href^="http://b/\22 ]"]{}`},
		{"what ends an element", `[href^="http://b/</style>"]{}`, `[href^="http://b/</style>"]{}`},
		{"no selector", `a{grid-area:[href]}[href{}`, `a{grid-area:[href]}[href{}`},
		{"a bracket too many", `[href^="//"]]{}`, `:is([href^="//"],:where([href^="/~%2F%2F"]))]{}`},
		{"that doesn't end", `a[href^="http`, `a[href^="http`},
	} {
		o := Options{Base: "http://www.example.com/dir/a.css", Resolve: byUse, JS: true}
		if got := string(apply(t, FormatCSS, []byte(tt.in), o)); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
		o.JS, o.Resolve = false, nothing
		if got := apply(t, FormatCSS, []byte(tt.in), o); !bytes.Equal(got, []byte(tt.in)) {
			t.Errorf("%s: where nothing leads into an archive it is %s", tt.name, got)
		}
	}
}
