package crawl

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/rewrite/uses"
)

func TestWhatScriptsLoadLater(t *testing.T) {
	for _, tt := range []struct{ name, page, want string }{
		{"a picture", `<img src="data:image/gif;base64,R0" data-src="/a.jpg">`, "im_ /a.jpg"},
		{"relative to the page's base", `<base href="/dir/"><img data-original=a.jpg>`, "im_ /dir/a.jpg"},
		{"candidates", `<img data-srcset="/a.jpg 1x, /b.jpg 2x">`, "im_ /a.jpg im_ /b.jpg"},
		{
			"candidates with commas", `<img data-srcset="/w_200,h_100/a.jpg 1x, /w_400,h_200/a.jpg 2x">`,
			"im_ /w_200,h_100/a.jpg im_ /w_400,h_200/a.jpg",
		},
		{"a frame", `<iframe data-src="/f.html"></iframe>`, "if_ /f.html"},
		{"a background", `<div data-bg="url('/a.jpg')"><section data-background-image=/b.jpg>`, "im_ /a.jpg im_ /b.jpg"},
		{"a part of a page", `<turbo-frame src=/a></turbo-frame><include-fragment src=/b></include-fragment>`, "if_ /a if_ /b"},
		{
			"parts that htmx loads by itself",
			`<p hx-get=/a hx-trigger=load><p data-hx-get=/b data-hx-trigger="click, revealed once">` +
				`<p hx-trigger="intersect threshold:0.5" hx-get=/c><p hx-get=/d hx-trigger="every 2s">`,
			"if_ /a if_ /b if_ /c if_ /d",
		},
		{
			"parts that htmx loads when the reader acts",
			`<p hx-get=/a><p hx-get=/b hx-trigger="click, keyup[load]"><p hx-post=/c hx-trigger=load>`, "",
		},
		{
			"the routes of Nuxt",
			`<script type=module src="/_nuxt/a.js"></script><script>window.__NUXT__.config={app:{baseURL:"/",buildId:"1f-2e"}}</script>`,
			"esm_ /_nuxt/a.js oe_ /_nuxt/builds/meta/1f-2e.json",
		},
		{"another build", `<script type=module src="/js/a.js"></script><script>x={buildId:"1f-2e"}</script>`, "esm_ /js/a.js"},
		{"no build", `<script type=module src="/_nuxt/a.js"></script><script>x={buildId:"../a b"}</script>`, "esm_ /_nuxt/a.js"},
		{
			"the data of Gatsby", `<script>/*<![CDATA[*/window.pagePath="/";window.x="1";/*]]>*/</script>`,
			"oe_ /page-data/index/page-data.json oe_ /page-data/app-data.json",
		},
		{
			"files that the script in a page loads", `<script>r.u=e=>e+"."+{7:"a"}[e]+".js",r.m=e=>"s.css",r.p="./c/",f="Loading chunk "</script>`,
			"js_ /c/7.a.js cs_ /c/s.css",
		},
		{"what is no address", `<img data-src="{{ photo.url }}"><img data-src=lazy><div data-src=/a.jpg>`, ""},
		{"what nobody crawls", `<img data-src="javascript:a.b()"><img data-src="mailto:a@b.example">`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			links, _ := linksOf("http://a.example/", "", "text/html", []byte("<!doctype html><p>x"+tt.page), uses.Page)
			for _, l := range links {
				got = append(got, l.use.String(), strings.TrimPrefix(l.url, "http://a.example"))
			}
			if !slices.Equal(got, strings.Fields(tt.want)) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestDataOfGatsbyIsInTheFolderOfItsSite(t *testing.T) {
	for _, tt := range []struct{ address, path, want string }{
		{"/", "/", "/page-data/index/page-data.json /page-data/app-data.json"},
		{"/blog/", "/", "/blog/page-data/index/page-data.json /blog/page-data/app-data.json"},
		{"/about/", "/about/", "/page-data/about/page-data.json /page-data/app-data.json"},
		{"/blog/2020/a?b", "/2020/a/", "/blog/page-data/2020/a/page-data.json /blog/page-data/app-data.json"},
		{"/xabout/", "/about/", "/page-data/about/page-data.json /page-data/app-data.json"},
		{"/gone", "/404.html", "/page-data/404.html/page-data.json /page-data/app-data.json"},
	} {
		var got []string
		for _, l := range gatsbyData([]byte(`x;window.pagePath="`+tt.path+`";`), "http://a.example"+tt.address) {
			got = append(got, strings.TrimPrefix(l.url, "http://a.example"))
		}
		if !slices.Equal(got, strings.Fields(tt.want)) {
			t.Errorf("%s at %s: %q, want %q", tt.path, tt.address, got, tt.want)
		}
	}
}

func TestWhatTheScriptsOfBundlersLoadLater(t *testing.T) {
	const script = `import("./b.js");r.u=e=>e+"."+{7:"a"}[e]+".js",r.p="",f="Loading chunk ";d=["s/a.css"]`
	want := []link{
		{"http://a.example/s/b.js", uses.Module}, {"http://a.example/7.a.js", uses.Script}, {"http://a.example/s/a.css", uses.Style},
	}
	got, page := linksOf("http://a.example/s/a.js", "http://a.example/", "text/javascript", []byte(script), uses.Module)
	if !slices.Equal(got, want) || page {
		t.Errorf("%v, %t", got, page)
	}
}

func TestLinksInAHeader(t *testing.T) {
	got := headerLinks("http://a.example/x/", http.Header{
		"Link":    {"</a.css>; rel=preload; as=style, <b.js>; rel=modulepreload", "<c>; rel=next, <d>; rel=preload; as=document"},
		"Refresh": {"5; URL='e'", "60", "0;http://b.example/", "0; http://[/"},
	})
	var list []string
	for _, l := range got {
		list = append(list, fmt.Sprint(l.url, " ", roleOf(l.use) == toPage))
	}
	slices.Sort(list)
	want := []string{
		"http://a.example/a.css false", "http://a.example/x/b.js false", "http://a.example/x/e true", "http://b.example/ true",
	}
	if !slices.Equal(list, want) {
		t.Errorf("%v, want %v", list, want)
	}
}
