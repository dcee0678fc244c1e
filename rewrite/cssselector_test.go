package rewrite

import (
	"bytes"
	"strings"
	"testing"
)

func TestSelectorsByAddress(t *testing.T) {
	const other = `:not([href*="://example.com"],[href*=".example.com"])`
	for _, tt := range []struct{ name, in, want string }{
		{"any other site", `a[href^="http"]:after{}`, `a:is([href^="http"],:where([href*="/http"]` + other + `)):after{}`},
		{"a scheme", `[href^='https://']{}`, `:is([href^='https://'],:where([href*="/https://"]` + other + `)){}`},
		{"without quotes", `a[href^=http]{}`, `a:is([href^=http],:where([href*="/http"]` + other + `)){}`},
		{"with spaces", `a[ HREF ^= "http" ]{}`, `a:is([ HREF ^= "http" ],:where([href*="/http"]` + other + `)){}`},
		{"one site", `img[src^="http://b.example/x"]{}`, `img:is([src^="http://b.example/x"],:where([src*="/http://b.example/x"])){}`},
		{"one address", `[action="http://b.example/x"]{}`, `:is([action="http://b.example/x"],:where([action$="/http://b.example/x"])){}`},
		{
			"one host", `[href="http://b.example"]{}`,
			`:is([href="http://b.example"],:where([href$="/http://b.example"],[href$="/http://b.example/"])){}`,
		},
		{"two", `[href^="http:"],[src^="http:"]{b:url(//example.com/x)}`, `:is([href^="http:"],:where([href*="/http:"]` + other + `)),` +
			`:is([src^="http:"],:where([src*="/http:"]` + strings.ReplaceAll(other, "href", "src") + `)){b:url(@im_/x)}`},
		{"an end", `[href$=".pdf"]{}`, `[href$=".pdf"]{}`},
		{"a part", `[href*="http"]{}`, `[href*="http"]{}`},
		{"a scheme alone as a whole", `[href="http"]{}`, `[href="http"]{}`},
		{"no address", `[href^="mailto:"],[href^="#"],[href^="//"],[href^=""]{}`, `[href^="mailto:"],[href^="#"],[href^="//"],[href^=""]{}`},
		{
			"the site's root", `a[href^="/"]{}`,
			`a[href^="/"]:where(:not([href*="://"]),[href*="://example.com/"],[href*=".example.com/"]){}`,
		},
		{
			"a folder", `a:not([href^='/dir/']){}`,
			`a:not(:is([href^='/dir/'],:where([href*="://example.com/dir/"],[href*=".example.com/dir/"]))){}`,
		},
		{"a path", `[src="/x.svg"]{}`, `:is([src="/x.svg"],:where([src$="://example.com/x.svg"],[src$=".example.com/x.svg"])){}`},
		{"the root as a whole", `[href="/"]{}`, `:is([href="/"],:where([href$="://example.com/"],[href$=".example.com/"])){}`},
		{"another attribute", `[title^="http"]{}`, `[title^="http"]{}`},
		{"a flag", `[href^="http" i]{}`, `[href^="http" i]{}`},
		{"what ends a string", `[href^="http://b/\22 ]"]{}`, `[href^="http://b/\22 ]"]{}`},
		{"what ends an element", `[href^="http://b/</style>"]{}`, `[href^="http://b/</style>"]{}`},
		{"no selector", `a{grid-area:[href]}[href{}`, `a{grid-area:[href]}[href{}`},
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
