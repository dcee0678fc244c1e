package rewrite

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/rewrite/uses"
)

// What a URI-M does not tell of how an address was written precedes it, and is gone when a browser resolves it.
func TestSpelling(t *testing.T) {
	const at, own, other = "/web/20200101000000/", "http://example.com", "http://other.example"
	resolve := func(refs []uses.Ref) []string {
		out := make([]string, len(refs))
		for i, r := range refs {
			out[i] = at + strings.Replace(r.URI, "http://moved", "https://moved", 1)
		}
		return out
	}
	a := func(before, uri string) string { return `<a href="` + before + at + uri + `">` }
	for _, tt := range []struct{ name, in, want string }{
		{"from the root", `<a href="/about?x#y">`, a("", own+"/about?x#y")},
		{"another site in full", `<a href="http://other.example/x">`, a("", other+"/x")},
		{"its own in full", `<a href="http://example.com/x">`, a("/~http%3A%2F%2Fexample.com%2Fx~40/..", own+"/x")},
		{"from the folder", `<a href="img/x.png#y">`, a("/~img%2Fx.png%23y~54/..", own+"/dir/img/x.png#y")},
		{"from above", `<a href="../x">`, a("/~..%2Fx~40/..", own+"/x")},
		{"without a scheme", `<a href="//other.example/x">`, a("/~%2F%2Fother.example%2Fx~42/..", other+"/x")},
		{"its own without a scheme", `<a href="//example.com/x">`, a("/~%2F%2Fexample.com%2Fx~40/..", own+"/x")},
		{"a host alone", `<a href="http://other.example">`, a("/~http%3A%2F%2Fother.example~41/..", other+"/")},
		{"captured elsewhere", `<a href="http://moved.example/x">`, a("/~http%3A%2F%2Fmoved.example%2Fx~43/..", "https://moved.example/x")},
		{"a query", `<a href="?a=1&amp;b">`, a("/~%3Fa%3D1%26b~58/..", own+"/dir/page.html?a=1&amp;b")},
		{"spaces around", `<a href=" x ">`, `<a href=" /~x~44/..` + at + own + `/dir/x ">`},
		{"not quoted", `<a href=x>`, `<a href=/~x~44/..` + at + own + `/dir/x>`},
		{"what ends a mark", `<a href="a~b(c)'*!">`, a("/~a%7Eb%28c%29%27%2A%21~52/..", own+"/dir/a~b(c)&#39;*!")},
		{"UTF-8", `<a href="ä">`, a("/~%C3%A4~49/..", own+"/dir/%C3%A4")},
		{"a host whose name goes on", `<a href="http://example.com.au/x">`, a("/~http%3A%2F%2Fexample.com.au%2Fx~43/..", own+".au/x")},
		{"a fragment", `<a href="#x">`, `<a href="#x">`},
		{"a list", `<img srcset="x.png 1x, /y.png 2x">`, `<img srcset="/~x.png~51/../web/20200101000000im_/http://example.com/dir/x.png 1x, ` +
			`/web/20200101000000im_/http://example.com/y.png 2x">`},
		{"a style", `<p style="background:url(x)">`, `<p style="background:url(/~x~47/../web/20200101000000im_/http://example.com/dir/x)">`},
		{"a sheet", `<style>p{background:url('x')}</style>`, `<style>` +
			`p{background:url('/~x~47/../web/20200101000000im_/http://example.com/dir/x')}</style>`},
		{"with a base", `<base href="b/"><a href="x">`, `<base href="/~b%2F~45/../web/20200101000000/http://example.com/dir/b/">` +
			a("/~x~46/..", own+"/dir/b/x")},
		{"no script's", `<script type=module>import "./x"</script>`, `<script type=module>import ` +
			`"/web/20200101000000esm_/http://example.com/dir/x"</script>`},
		{"what a page says of itself", `<meta property="og:url" content="http://example.com/x">`, `<meta property="og:url" ` +
			`content="/~http%3A%2F%2Fexample.com%2Fx~40/..` + at + own + `/x">`},
		{"no refresh", `<meta http-equiv=refresh content="1;url=x">`, `<meta http-equiv=refresh content="1;url=` + at + own + `/dir/x">`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := Options{Resolve: func(refs []uses.Ref) []string {
				out := resolve(refs)
				for i := range out {
					out[i] = strings.Replace(out[i], at, "/web/20200101000000"+refs[i].Use.String()+"/", 1)
				}
				return out
			}, JS: true, Spelling: true}
			if got := run(t, HTML, tt.in, o); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			o.Spelling = false
			if got := run(t, HTML, tt.in, o); strings.Contains(got, "/~") {
				t.Errorf("unasked: %s", got)
			}
		})
	}
}
