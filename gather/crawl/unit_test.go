package crawl

import (
	"bytes"
	"compress/gzip"
	"errors"
	"log/slog"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/gather/crawl/browser"
	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

func TestFilesOfTheContract(t *testing.T) {
	const text = `
name: river
seeds: [https://www.example.org/, HTTP://Example.ORG:80/b#c]
scope: domain
include: ['^https://']
exclude: ['/login']
pagination: ['a.next', '//a[@rel="next"]']
order: depth
max_pages: 10
max_docs: 1
max_depth: 2
max_bytes: 1GB
walltime: 10m
threads: 2
per_host: 1
delay: 200ms
robots: https://www.example.org/other.txt
sitemaps: false
browser: false
allow_private: false
user_agent: 'me (+mailto:a@b.example)'
template:
  fields:
    - {name: title, css: h1, type: text}
    - {name: price, xpath: '//span[@class="price"]', type: number, clean: ['[^0-9.]'], attribute: '', all: false}
`
	s, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if s.MaxBytes != 1_000_000_000 || s.Walltime != 10*time.Minute || s.Delay != 200*time.Millisecond || s.Sitemaps ||
		len(s.Template.Fields) != 2 || s.template == nil || len(s.include) != 1 || s.Order != "depth" {
		t.Errorf("%+v", s)
	}
	if diff := cmp.Diff([]string{"https://www.example.org/", "http://example.org/b"}, s.Seeds); diff != "" {
		t.Error(diff)
	}
	s, err = Parse([]byte(strings.Replace(text, "browser: false", "browser: true", 1) +
		"actions:\n  - {wait: 500ms}\n  - {click: '#accept', optional: true}\n  - {scroll: end}\n"))
	if err != nil || len(s.Actions) != 3 || s.Actions[1].Line != 28 || s.Actions[1].On != "#accept" || !s.Browser {
		t.Errorf("%+v, %v", s.Actions, err)
	}
	s, err = Parse([]byte("seeds: ['http://example.org:8080/']"))
	want := Defaults()
	if err != nil || s.Name != "example.org-8080" || s.MaxBytes != want.MaxBytes || s.Scope != ScopeHost || s.Threads != 4 {
		t.Errorf("%+v, %v", s, err)
	}
}

// A crawl has a name by the host of its first seed, whatever that looks like.
func TestNamesOfSeeds(t *testing.T) {
	for seed, want := range map[string]string{
		"http://example.org/": "example.org", "https://example.org:8080/a": "example.org-8080", "http://[::1]:8080/": "0--1-8080",
		"http://[2001:db8::1]/": "2001-db8--1", "http://[::ffff:192.0.2.1]/": "0--ffff-c000-201", "http://localhost.:8080/": "localhost.-8080",
	} {
		s, err := Parse([]byte("seeds: ['" + seed + "']"))
		if err != nil || s.Name != want {
			t.Errorf("%s: %+v, %v; want %q", seed, s, err, want)
		}
	}
}

// The files in the manual are what it says: files, or the actions of one.
func TestFilesInTheManual(t *testing.T) {
	t.Setenv("VARVE_SECRET_PASSWORD", "hush")
	manual, err := os.ReadFile("../../docs/crawl.md")
	if err != nil {
		t.Fatal(err)
	}
	files := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(manual), -1)
	if len(files) != 2 {
		t.Fatalf("%d files", len(files))
	}
	for _, f := range files {
		text := f[1]
		if !strings.Contains(text, "seeds:") {
			text = "seeds: ['http://a.example/']\nbrowser: true\n" + text
		}
		s, err := Parse([]byte(text))
		if err != nil {
			t.Errorf("%v in\n%s", err, text)
		}
		if len(s.Actions) > 0 && !slices.Equal(s.secrets, []string{"hush"}) {
			t.Errorf("secrets %q", s.secrets)
		}
	}
}

func TestFaultyFiles(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "seeds: a crawl needs",
		"seeds: x":                            "line 1",
		"seeds: [x]":                          `line 1: seeds: "x": want`,
		"seeds: ['mailto:a@b']":               "line 1: seeds:",
		"seeds: ['http://a/']\nname: A B":     "line 2: name:",
		"seeds: ['http://a/']\nmax_pages: -1": "line 2: max_pages: -1",
		"seeds: ['http://a/']\nmax_pages: x":  "line 2",
		"seeds: ['http://a/']\nmax_bytes: x":  "line 2",
		"seeds: ['http://a/']\ndelay: soon":   "line 2",
		"seeds: ['http://a/']\ndelay: -1s":    "line 2: delay:",
		"seeds: ['http://a/']\nwalltime: -1s": "line 2: walltime:",
		"seeds: ['http://a/']\nthreads: 65":   "line 2: threads:",
		"seeds: ['http://a/']\norder: best":   "line 2: order:",
		"seeds: ['http://a/']\nseed: x":       "line 2: unknown key seed",
		"seeds: ['http://a/']\nuser_agent: é": "line 2: user_agent:",
		"seeds: ['http://a/']\ntemplate: {}":  "line 2: template.fields:",
		"seeds: ['http://a/']\ntemplate: {fields: [{name: url, css: a}]}": "url: each document has that",
		"seeds: [": "line 1",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	var e *Error
	if _, err := Parse([]byte("scope: x\nseeds: ['http://a/']")); !errors.As(err, &e) || e.Line != 1 || e.Key != "scope" {
		t.Errorf("%v", err)
	}
}

func TestKeys(t *testing.T) {
	const same = "http://a.example/x?b=1&a=2"
	for address, want := range map[string]bool{
		"https://www.a.example/x?a=2&b=1": true, "http://a.example:80/x/?b=1&a=2#There": true,
		"http://a.example/x?b=1&a=2&PHPSESSID=0123456789abcdef0123456789abcdef": true, "http://a.example/x?utm_source=y&b=1&a=2": true,
		"http://a.example/x;jsessionid=1?b=1&sid=7&a=2": true,
		"http://a.example/x?b=1":                        false, "http://a.example/x?b=1&a=2&page=3": false, "http://b.example/x?b=1&a=2": false,
		"http://a.example:8080/x?b=1&a=2": false, "http://a.example/x?b=1&a=2&side=1": false,
		"http://a.example/X?b=1&a=2": false, "http://a.example/x?B=1&a=2": false, // servers tell them apart
		"HTTP://A.Example/x?b=1&a=2": true, "http://a.example/(S(lit3py55t21z5v55vlm25s55))/x?b=1&a=2": true,
	} {
		if got := keyOf(address) == keyOf(same); got != want {
			t.Errorf("%s: %t, %s", address, got, keyOf(address))
		}
	}
	const capitals = "http://a.example/Watch/%c3%89?v=dQw4&T=1"
	for address, want := range map[string]bool{
		"https://www.a.example/Watch/%C3%89/?T=1&v=dQw4#t": true, "http://a.example/Watch/%c3%89?PHPSESSID=1&v=dQw4&T=1": true,
		"http://a.example/Watch/%c3%89?v=DQw4&T=1": false, "http://a.example/watch/%c3%89?v=dQw4&T=1": false,
	} {
		if got := keyOf(address) == keyOf(capitals); got != want {
			t.Errorf("%s: %t, %s", address, got, keyOf(address))
		}
	}
}

func TestTrapOf(t *testing.T) {
	address := func(n int) string { return "http://a.example/" + strings.Repeat("x", n-len("http://a.example/")) }
	segments := func(n int) (path string) {
		for i := range n {
			path += "/" + string(rune('a'+i/26)) + string(rune('a'+i%26))
		}
		return path
	}
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		address string
		run     int
		want    string
	}{
		{"http://a.example/", 0, ""},
		{"http://a.example/a/b/c/d/e/f/g", 0, ""},
		{"http://a.example/a/a/a", 0, ""},
		{"http://a.example/a/a/a/a", 0, trapPath},
		{"http://a.example/x/a/b/a/b/a/b/a/b/y", 0, trapPath},
		{"http://a.example/a/b/a/b/a/b", 0, ""},
		{"http://a.example/a/x/b/x/c/x/d/x/e/x", 0, ""},
		{"http://a.example/" + strings.Repeat("ab/", 31), 0, trapPath},
		{"http://a.example/a/b/b/a/a/b", 0, trapPath},
		{"http://a.example/a/b/c/b/a/c/a", 0, trapPath},
		{"http://a.example/news/about/news/contact/about/news/about/x.html", 0, trapPath},
		{"http://a.example/de/fr/en/fr/de/", 0, ""},
		{"http://a.example/wiki/a/edit/wiki/b/edit", 0, ""},
		{"http://a.example/a//b//c//d//e//f", 0, ""},
		{"http://a.example/2024/12/24/12/an-article", 0, ""},
		{"http://a.example/?a=1&amp;b=2", 0, ""},
		{"http://a.example/?a=1&amp;amp;amp;b=2", 0, trapArguments},
		{"http://a.example/?a=1&amp;x=1&amp;y=1&amp;z=1", 0, ""},
		{"http://a.example/?a=1&AMP;amp;Amp;b=2", 0, trapArguments},
		{"http://a.example/?a=1%26amp%3Bamp%3bamp%3Bb=2", 0, trapArguments},
		{"http://a.example/a&amp;amp;amp;b", 0, trapArguments},
		{"http://a.example/?a&%23038;%23038;%23038;b", 0, trapArguments},
		{"http://a.example/?q=%25252520", 0, ""},
		{"http://a.example/?q=%2525252520", 0, trapArguments},
		{"http://a.example/?q=%20%20%20%20%20", 0, ""},
		{"http://a.example/?a=1&b=2&a=1&a=1", 0, ""},
		{"http://a.example/?a=1&b=2&a=1&a=1&a=1", 0, trapArguments},
		{"http://a.example/?f=1&f=2&f=3&f=4&f=5", 0, ""},
		{address(2000), 0, ""},
		{address(2001), 0, trapLength},
		{"http://a.example" + segments(30), 0, ""},
		{"http://a.example" + segments(31), 0, trapPath},
		{"http://a.example/events?date=1900-01-01", 12, ""},
		{"http://a.example/events?date=1899-12-31", 1, trapCalendar},
		{"http://a.example/2026/03/an-article", 12, ""},
		{"http://a.example/2026/03/an-article", 1, ""},
		{"http://a.example/2026/03/an-article", 13, trapCalendar},
		{"http://a.example/events?month=2031-05", 1, trapCalendar},
		{"http://a.example/events?date=1850-01-01", 1, trapCalendar},
		{"http://a.example/events/2031/5/", 1, ""},
		{"http://a.example/events/2031/5/", 13, trapCalendar},
		{"http://a.example/item/203105", 13, ""},
		{"http://a.example/user/1234/7", 13, ""},
		{"http://a.example/item/9999", 0, ""},
		{"http://a.example/?p=9999&id=12", 0, ""},
	} {
		if got := trapOf(tt.address, tt.run, now); got != tt.want {
			t.Errorf("%.80s after %d: %q, want %q", tt.address, tt.run, got, tt.want)
		}
	}
}

func TestScopeHolds(t *testing.T) {
	for _, tt := range []struct {
		scope Scope
		in    []string
		out   []string
	}{
		{ScopePage, nil, []string{"http://a.example/dir/x"}},
		{
			ScopePrefix,
			[]string{"http://a.example/dir/x", "https://www.a.example/dir/sub/y?z"},
			[]string{"http://a.example/", "http://a.example/dirx", "http://b.example/dir/x"},
		},
		{
			ScopeHost,
			[]string{"http://a.example/", "https://www.a.example/x", "http://www.a.example/?a.example", "http://a.example./x"},
			[]string{
				"http://sub.a.example/", "http://a.example:8080/", "http://a.example.:8080/", "http://xa.example/", "http://a.example.b.example/",
			},
		},
		{
			ScopeDomain,
			[]string{"http://a.example/", "http://deep.sub.a.example/x"},
			[]string{"http://xa.example/", "http://example/", "http://b.example/a.example"},
		},
		{ScopeAny, []string{"http://b.example/"}, nil},
	} {
		s := Settings{Scope: tt.scope, Seeds: []string{"http://www.a.example/dir/page"}}
		at := newScope(&s)
		for _, address := range tt.in {
			if !at.holds(address) {
				t.Errorf("%s: %s is out", tt.scope, address)
			}
		}
		for _, address := range tt.out {
			if at.holds(address) {
				t.Errorf("%s: %s is in", tt.scope, address)
			}
		}
	}
}

func TestSitemapsThatAreOdd(t *testing.T) {
	for body, want := range map[string]string{
		"": "", "<": "", "<urlset>": "", "\x1f\x8bno": "",
		"<urlset><url><loc>/a</loc></url><url><loc>x:y</loc></url><url><loc>/b</loc>":                              "/a /b",
		"\xef\xbb\xbf<?xml version='1.0' encoding='iso-8859-1'?><urlset><url><loc>/\xe9</loc></url></urlset>":      "/%C3%A9",
		"<urlset><url><image><loc>/no</loc></image><loc><![CDATA[/a?b&c]]></loc></url></urlset>":                   "/a?b&c",
		"http://a.example/1\r\nhttp://a.example/2\n\nno":                                                           "/1 /2",
		"\xef\xbb\xbfhttp://a.example/1\nhttp://a.example/2":                                                       "/1 /2",
		"\xef\xbb\xbf\r\n  http://a.example/1\n\t http://a.example/2":                                              "/1 /2",
		"http://a.example/1\rhttp://a.example/2\r":                                                                 "/1 /2",
		"HTTP://a.example/1 \n\xef\xbb\xbfhttp://a.example/2":                                                      "/1 /2",
		"\xff\xfeh\x00t\x00t\x00p\x00:\x00/\x00/\x00a\x00.\x00e\x00x\x00a\x00m\x00p\x00l\x00e\x00/\x001\x00\n\x00": "/1",
		"\xef\xbb\xbf\n <?xml version='1.0' encoding='iso-8859-1'?><urlset><url><loc>/ä</loc></url></urlset>":      "/%C3%A4",
		"<?xml version='1.1'?><urlset><url><loc>/a</loc></url></urlset>":                                           "/a",
		"<?xml version='1.0' encoding='utf8mb4'?><urlset><url><loc>/ä</loc></url></urlset>":                        "/%C3%A4",
		"<urlset><url><loc>/a\x0b</loc></url><url><loc>/b&#x1f;</loc></url></urlset>":                              "/a /b",
		"<urlset><url><loc>/a</loc></url><url><loc>/b?c=":                                                          "/a",
		"<urlset><url><loc>/a</loc></url><url><loc>/b</lo":                                                         "/a",
		"<urlset><urlset><url><loc>/a</loc></url></urlset></urlset>":                                               "/a",
		"<urlset><url><loc>/a<![CDATA[?b]]><!-- c -->&amp;d</loc></url></urlset>":                                  "/a?b&d",
		`<rss version="2.0"><channel><link>http://a.example/</link><atom:link href="/feed" rel="self"/><image><link>/no</link></image>
<item><title>x</title><link> /1 </link><guid>/no</guid></item><item><link><![CDATA[/2?a&b]]></link></item><item><link>/cut`: "/ /1 /2?a&b",
		`<?xml version="1.0"?><rdf:RDF xmlns:rdf="r"><channel><link>/</link></channel>` +
			`<item rdf:about="x"><link>/1</link></item></rdf:RDF>`: "/ /1",
		`<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://a.example/x/"><link href="self" rel="self"/><link href="."/>
<entry xml:base="y/"><link rel="alternate" href="1"/><link rel="enclosure" href="no"/><content><a><link href="no"/></a></content></entry>
<entry><link href="/2"/><source><link href="/no"/></source></entry></feed>`: "/x/ /x/y/1 /2",
	} {
		locs, index := readSitemap("http://a.example/sitemap.xml", []byte(body), true)
		if got := strings.ReplaceAll(strings.Join(locs, " "), "http://a.example", ""); got != want || index {
			t.Errorf("%.60q: %s", body, got)
		}
	}
}

// The last line of a text that was cut off may be half an address; of what is packed, too.
func TestTextSitemapsThatAreCutOff(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write([]byte("http://a.example/1\nhttp://a.example/2"))
	if err := z.Flush(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		body  string
		whole bool
		want  int
	}{
		{"http://a.example/1\nhttp://a.example/2", true, 2},
		{"http://a.example/1\nhttp://a.example/2", false, 1},
		{"http://a.example/1\nhttp://a.example/2\n", false, 2},
		{packed.String(), true, 1}, // its end is missing
	} {
		if locs, _ := readSitemap("http://a.example/map.txt", []byte(tt.body), tt.whole); len(locs) != tt.want {
			t.Errorf("%.40q, %t: %v", tt.body, tt.whole, locs)
		}
	}
}

func TestLinksOf(t *testing.T) {
	const page = `<!doctype html><base href="/base/"><a href="a">a</a><form action="send"><button formaction="/other">x</button></form>
<form action="both"></form><a href="both">b</a><img src="i.png"><iframe src="f"></iframe><form></form><input formaction>`
	links, html := linksOf("http://a.example/x", "", "text/html; charset=utf-8", []byte(page), uses.Page)
	roles := map[string]int{}
	for _, l := range links {
		roles[strings.TrimPrefix(l.url, "http://a.example")] = roleOf(l.use)
	}
	want := map[string]int{"/base/a": toPage, "/base/both": toPage, "/base/i.png": toPart, "/base/f": toFrame}
	if diff := cmp.Diff(want, roles); diff != "" || !html {
		t.Errorf("a page: %t (-want +got)\n%s", html, diff)
	}
	for _, tt := range []struct{ contentType, body, want string }{
		{"text/css", "@import 'b.css'; a { background: url(c.png) }", "http://a.example/b.css http://a.example/c.png"},
		{"image/png", "\x89PNG\r\n\x1a\n<a href=x>", ""},
		{"text/plain", "<a href=/x>", ""},
		{
			"image/svg+xml", `<svg:svg xmlns:svg="s"><image href="/a.png"/><use xlink:href="b.svg#c"/></svg:svg>`,
			"http://a.example/a.png http://a.example/b.svg",
		},
		{
			"text/xml", `<?xml version="1.0"?><?xml-stylesheet href="a.xsl"?><!-- c --><rss><enclosure url="/b.mp3"/></rss>`,
			"http://a.example/a.xsl",
		},
		{"text/xsl", `<xsl:stylesheet><xsl:import href="/a.xsl"/></xsl:stylesheet>`, "http://a.example/a.xsl"},
		{
			"application/xhtml+xml", "<?xml version='1.0' encoding='iso-8859-1'?><html xmlns='http://www.w3.org/1999/xhtml'><head><title/>" +
				"<script src='a.js'/><style/></head><body><iframe src='b'/><textarea/><img src='c.png?\xe4'/></body></html>",
			"http://a.example/a.js http://a.example/b http://a.example/c.png?%E4",
		},
		{"text/xml", "<", ""},
		{"text/html; charset=koi8-r; x", "<img src=\xc1>", "http://a.example/%D0%B0"},
		{"text/html", "", ""},
	} {
		links, _ := linksOf("http://a.example/x", "", tt.contentType, []byte(tt.body), uses.Object)
		var got []string
		for _, l := range links {
			got = append(got, l.url)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s %q: %q", tt.contentType, tt.body, got)
		}
	}
}

// A drawing that is a page of its own leads to other pages.
func TestLinksOfDrawings(t *testing.T) {
	const svg = `<svg xmlns="s"><a href="/y"><text>y</text></a></svg>`
	links, page := linksOf("http://a.example/x", "", "image/svg+xml", []byte(svg), uses.Page)
	if len(links) != 1 || links[0].url != "http://a.example/y" || roleOf(links[0].use) != toPage || !page {
		t.Errorf("%v, %t", links, page)
	}
}

func FuzzLinks(f *testing.F) {
	f.Add([]byte(`<base href=b><form action=c><a href="//x/%zz">`), "text/html")
	f.Add([]byte(`@import url(x)`), "text/css")
	f.Add([]byte(`<?xml-stylesheet href="x"?><svg><a href="y"/></svg>`), "text/xml")
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		linksOf("http://a.example/x", "", contentType, body, uses.Page)
	})
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("seeds: ['http://a.example/']\ntemplate: {fields: [{name: a, css: b}]}\nactions: []"))
	f.Add([]byte("seeds: ['http://a.example/']\nbrowser: true\nactions: [{click: a, gone: b}, null, {fill: '//a', with: x}]"))
	f.Add([]byte("seeds: [x]\nscope: y"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := Parse(text)
		if err == nil && (s.Name == "" || len(s.Seeds) == 0 || s.Threads < 1) {
			t.Errorf("%+v", s)
		}
	})
}

// The memory that is allocated for a sitemap is in proportion to its length, whoever wrote it.
func TestHostileSitemaps(t *testing.T) {
	for what, body := range map[string]string{
		"a text in pieces":         "<rss><channel><link>" + strings.Repeat("a<!---->", 20_000),
		"elements in each other":   strings.Repeat("<link>", 20_000),
		"short ones in each other": strings.Repeat("<a>", 1<<20),
		"sitemaps in each other":   strings.Repeat("<url><loc>", 20_000),
		"a text that is in pieces": "<urlset><url><loc>" + strings.Repeat("a<![CDATA[b]]>", 20_000),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		readSitemap("http://a.example/", []byte(body), true)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 60<<20 {
			t.Errorf("%s: %d MB for %d KB", what, took>>20, len(body)>>10)
		}
	}
}

func FuzzSitemap(f *testing.F) {
	f.Add([]byte("<sitemapindex><sitemap><loc>/a</loc></sitemap></sitemapindex>"))
	f.Add([]byte("http://a.example/\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		locs, _ := readSitemap("http://a.example/", body, true)
		for _, l := range locs {
			if u, err := reference.Web("", l); err != nil || u != l {
				t.Errorf("%q is read as %q, %v", l, u, err)
			}
		}
	})
}

// A Location may have bytes that are no UTF-8, which browsers ask for as they are.
func TestAddressesOfBytes(t *testing.T) {
	for ref, want := range map[string]string{
		"/caf\xe9?\xe9": "/caf%E9?%E9", "/café": "/caf%C3%A9", "/\ufffd": "/%EF%BF%BD", "/é\xe9": "/%C3%A9%E9",
	} {
		if got, err := reference.Web("http://a.example/x", ref); got != "http://a.example"+want || err != nil {
			t.Errorf("%q is %s, %v", ref, got, err)
		}
	}
}

// A name and a password in an address are written nowhere, as little as other credentials.
func TestAddressesHaveNoUser(t *testing.T) {
	for _, address := range []string{"http://anna:hush@a.example/b?c=d@e", "http://anna@a.example/b?c=d@e", "http://a.example/b?c=d@e"} {
		const want = "http://a.example/b?c=d@e"
		if got, err := reference.Web("", address); got != want || err != nil {
			t.Errorf("%s is %s, %v", address, got, err)
		}
		if got := itemOf(address, frontier.Item{}); got.URL != want || got.Host != "a.example" {
			t.Errorf("%s is queued as %+v", address, got)
		}
	}
}

func FuzzAddresses(f *testing.F) {
	f.Add("http://a.example/2026/03?sid=1", 3)
	f.Add("http://a.example/%0X", 0)
	f.Add("http://a.example/a/a/a/a/a;jsessionid=1", 0)
	f.Fuzz(func(t *testing.T, address string, run int) {
		u, err := reference.Web("", address)
		if err != nil {
			return
		}
		if keyOf(u) == "" || reference.Host(u) == "" || strings.Contains(reference.Host(u), "\x00") {
			t.Errorf("%q: key %q, host %q", u, keyOf(u), reference.Host(u))
		}
		trapOf(u, run, time.Now())
	})
}

// What scripts make of a page is its document. What they led to elsewhere, and an error, is none, nor is anything learnt from that.
func TestDocumentsOfRenderedPages(t *testing.T) {
	t.Parallel()
	const at = "http://a.example/?k=1"
	set := Defaults()
	set.Name, set.Seeds = "test", []string{at}
	set.Template = &Template{Fields: []fields.Field{{Name: "title", CSS: "h1", Type: fields.Text}}}
	if err := set.Check(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name      string
		elsewhere bool
		status    int
		doc       string
		learns    bool
	}{
		{"the page", false, 200, "made", true},
		{"another page", true, 200, "served", false},
		{"an error", false, 404, "", false},
	} {
		c := &Crawl{tally: newTally(time.Time{}), set: &set, scope: newScope(&set), log: slog.New(slog.DiscardHandler)}
		found := frontier.Found{DocKey: "key", Doc: []byte("served")} // of the page as it was served
		f := &finder{crawl: c, item: frontier.Item{Kind: frontier.Page, URL: at}, now: time.Now(), found: &found}
		f.rendered(browser.Shown{
			Elsewhere: tt.elsewhere, Frames: []browser.Frame{{URL: at, HTML: "<h1>made</h1>"}, {URL: at, HTML: "<h1>of a frame</h1>"}},
		}, tt.status, time.Now())
		if !strings.Contains(string(found.Doc), tt.doc) || tt.doc == "" && found.Doc != nil || len(c.tally.learnt.shown) > 0 != tt.learns {
			t.Errorf("%s: %s, and %d texts are learnt", tt.name, found.Doc, len(c.tally.learnt.shown))
		}
	}
}
