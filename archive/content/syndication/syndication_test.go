package syndication_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/content/syndication"
)

func TestPage(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, body, contentType, want string }{
		{
			"RSS", `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
				<title>Mills &amp; more</title>
				<link>http://mill.example/</link><description>News of mills</description><lastBuildDate>Mon, 1 Jan 2024</lastBuildDate>
				<item><title>The weir</title><guid>1</guid><pubDate>Mon</pubDate><description>short</description>
				<content:encoded><![CDATA[<p>The weir <b>broke</b>.</p><script>alert(1)</script><p>Nobody &lt;was&gt; hurt.</p>]]>
				</content:encoded></item>
				</channel></rss>`, "application/rss+xml",
			"<title>Mills &amp; more</title>|<h1>Mills &amp; more</h1>|<p>News of mills</p>|<h2>The weir</h2>|<p>The weir broke.</p>|" +
				"<p>Nobody &lt;was&gt; hurt.</p>|",
		},
		{
			"Atom", `<feed xmlns="http://www.w3.org/2005/Atom"><title>Mills</title><updated>2024</updated><author><name>A</name></author>
				<entry><id>1</id><title type="html">A &lt;i&gt;wheel&lt;/i&gt;</title><summary>It turns.</summary></entry>
				<entry><title>B</title>
				<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>One.</p><p>Two <em>words</em>.</p></div></content></entry>
				</feed>`, "application/atom+xml",
			"<title>Mills</title>|<h1>Mills</h1>|<h2>A wheel</h2>|<p>It turns.</p>|<h2>B</h2>|<p>One.</p>|<p>Two words.</p>|",
		},
		{
			"Atom about mark-up", `<feed xmlns="http://www.w3.org/2005/Atom"><title>Mills</title><entry><title>A</title>
				<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>A <code>&lt;script></code> is &amp;lt;.</p><script>f()</script>
				<style/><p>Two.</p></div></content></entry></feed>`, "application/atom+xml",
			"<title>Mills</title>|<h1>Mills</h1>|<h2>A</h2>|<p>A &lt;script&gt; is &amp;lt;.</p>|<p>Two.</p>|",
		},
		{
			"RSS 1.0", `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
				<channel><title>Mills</title></channel><item><title>Weir</title></item></rdf:RDF>`, "text/xml",
			"<title>Mills</title>|<h1>Mills</h1>|<h2>Weir</h2>|",
		},
		{
			"the header's charset", "<rss><channel><title>Caf\xe9</title></channel></rss>", "text/xml; charset=iso-8859-1",
			"<title>Café</title>|<h1>Café</h1>|",
		},
		{
			"the document's charset", "<?xml version='1.0' encoding='windows-1251'?><rss><channel><title>\xcc\xeb\xe8\xed</title></channel></rss>",
			"text/xml",
			"<title>Млин</title>|<h1>Млин</h1>|",
		},
		{
			"characters that XML forbids", "<rss><channel><title>M\x0bills</title><item><title>We&#8;ir</title></item></channel></rss>", "",
			"<title>Mills</title>|<h1>Mills</h1>|<h2>Weir</h2>|",
		},
		{
			"cut off", "<rss><channel><title>Mills</title><item><title>Weir</title><description>It br", "",
			"<title>Mills</title>|<h1>Mills</h1>|<h2>Weir</h2>|<p>It br</p>|",
		},
		{
			"entities that grow", `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>
				<rss><channel><title>x &b; y&nbsp;z</title></channel></rss>`, "",
			"<title>x &amp;b; y\u00a0z</title>|<h1>x &amp;b; y\u00a0z</h1>|",
		},
	} {
		page, err := syndication.Page([]byte(tt.body), tt.contentType)
		if got := strings.ReplaceAll(string(page), "\n", "|"); err != nil || got != tt.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", tt.name, err, got, tt.want)
		}
	}
	for _, none := range []string{
		"", "no XML", "<html><title>x</title>", "<rss/>", `<svg xmlns="http://www.w3.org/2000/svg"><title>x</title></svg>`,
		"<RDF><Project><name>x</name></Project></RDF>", strings.Repeat("<a>", 1000),
	} {
		if page, err := syndication.Page([]byte(none), ""); !errors.Is(err, syndication.ErrNone) {
			t.Errorf("%.30q: %q %v", none, page, err)
		}
	}
}

func TestDeepFeedsEnd(t *testing.T) {
	t.Parallel()
	page, err := syndication.Page([]byte("<rss><channel><title>T</title><item><description>"+strings.Repeat("<x>deep", 100_000)), "")
	if err != nil || len(page) > 10_000 || !strings.Contains(string(page), "deep") {
		t.Errorf("%d bytes, %v", len(page), err)
	}
}

func FuzzPage(f *testing.F) {
	f.Add([]byte("<rss><channel><title>a</title><item><description>&lt;b>x</description></item></channel></rss>"), "text/xml; charset=koi8-r")
	f.Add([]byte("<feed><entry><content><p>x</p></content></entry></feed>"), "")
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		page, err := syndication.Page(body, contentType)
		if (err == nil) != (len(page) > 0) {
			t.Errorf("%d bytes and %v", len(page), err)
		}
	})
}

func TestJSONFeeds(t *testing.T) {
	t.Parallel()
	const mills = "<title>Mills</title>\n<h1>Mills</h1>\n<p>All of them</p>\n<h2>One</h2>\n<p>Some words</p>\n<p>a &lt; b</p>\n<p>short</p>\n"
	for body, want := range map[string]string{
		`{"version": "https://jsonfeed.org/version/1.1", "title": "Mills", "description": "All of them", "items": [
			{"title": "One", "content_html": "<p>Some <b>words</b><script>no</script>"},
			{"content_text": "a < b"}, {"summary": "short"}]}`: mills,
		`{"error": "none"}`: "",
		`{"title": `:        "",
	} {
		got, err := syndication.Page([]byte(body), "application/feed+json")
		if string(got) != want || (err != nil) != (want == "") {
			t.Errorf("%s: %q, %v", body, got, err)
		}
	}
}
