package rewrite

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/varve-archive/varve/rewrite/charset"
	"github.com/varve-archive/varve/rewrite/header"
	"github.com/varve-archive/varve/rewrite/reference"
)

// FuzzNoReferenceOfATreeEscapes reads what was rewritten with a parser that builds the tree browsers build,
// and looks for references that still lead to the live web.
func FuzzNoReferenceOfATreeEscapes(f *testing.F) {
	seeds(f)
	for _, s := range []string{
		"<a/b/href=x>", "<a/=/href=x>", "<img\x00src=x>", "<a href\x00=x>", "<a =href=x>", "<a 'href=x>", "<a \"href=x>", "<a <b href=x>",
		"<a href= x>", "<a href=x/>", "<a\fhref=x>",
		"<svg><![CDATA[<a href=x>]]><a href=y>", "<svg></p><style><a href=x>", "<math><mtext><style><a href=x></style><a href=y>",
		"<svg><desc><title><a href=x></title><a href=y>",
		"<svg><foreignObject><textarea><a href=x></textarea><a href=y>", "<svg><script><a href=x></script><a href=y>",
		"<noembed><a href=x></noembed><a href=y>", "<noframes><a href=x></noframes><a href=y>",
		"<noscript><!--</noscript><a href=x>", "<noembed><!--</NOEMBED ><a href=x>", "<noframes><img alt='</noframes/><a href=x>",
		"<noscript><p title='</noscripts></noscript><a href=y>'", "<svg><noscript><a title='</noscript><a href=x>'></svg><a href=y>",
		"<xmp><a href=x></xmp ><a href=y>", "<xmp/><a href=x>", "<title/><a href=x></title><a href=y>", "<select><a href=x>",
		"<!--a--!><a href=x>", "<!-- --!x --><a href=y>", "<!--><!--><a href=x>", "<!doctype [<a href=x>]>",
		"</a href=x><a href=y>", "<?a href=x><a href=y>", "</ x><a href=y>", "<a href='x\"y'>", "<A HREF=x HREF=y>",
		"<script><!--</script><a href=x>", "<script><!--<script></script><a href=x>--></script><a href=y>",
		"<iframe><a href=x></iframe><a href=y>",
		"<style><!--</style><a href=x>", "<svg><style><!--</style><a href=x>--></style><a href=y>", "<a href=&#x2f;&#x2f;evil.example>",
		"<a href=&NewLine;//evil.example>", "<a href=&Tab;x>", "<a href='\\\\evil.example'>", "<a href=https:evil>",
		"<a href='http://a b/'>", "<a href=//[x>", "<img src='https://%zz/'>", "<a href='http://live.example:0x50/'>",
		"<img srcset='http://[ 2x'>",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if bytes.Contains(bytes.ToLower(in), []byte("base")) ||
			charset.NeverASCII(charset.Sniff(in[:min(len(in), charset.SniffLen)], "utf-8").Name) {
			return
		}
		out := apply(t, FormatHTML, in, Options{Resolve: archive, Charset: "utf-8"})
		root, err := html.Parse(bytes.NewReader(out))
		if err != nil {
			return
		}
		b := reference.New("http://example.com/dir/page.html", nil)
		for n := range root.Descendants() {
			for _, a := range n.Attr {
				if n.Type != html.ElementNode || n.Data == "meta" || !loadingAttrs[a.Key] || a.Key == "action" && n.Data != "form" {
					continue
				}
				if uri, _, ok := b.Lead(nil, []byte(a.Val)); ok && !strings.HasPrefix(string(uri), "http://archive.test/") {
					t.Errorf("%q became %q: %s of %s leads to %s", in, out, a.Key, n.Data, uri)
				}
			}
		}
	})
}

func TestNothingTooLongOrOddLeads(t *testing.T) {
	for _, ref := range []string{
		"http://live.example/\"" + strings.Repeat("x", 5<<10),
		"https://live.example:0x50/", "http://live.example:99999/", "http://live.example/:@[]:80:80", "https://user@live.example:port/a",
		"http://live.example%zz/", "https://live.example/" + strings.Repeat("y", 70<<10), "//live.example/<" + strings.Repeat("z", 70<<10),
	} {
		attr := html.EscapeString(ref)
		for name, got := range map[string]string{
			"link":    run(t, HTML, `<a href="`+attr+`">`, Options{}),
			"image":   run(t, HTML, `<img srcset="`+attr+` 2x">`, Options{}),
			"refresh": run(t, HTML, `<meta http-equiv=refresh content="0; url=`+attr+`">`, Options{}),
			"meta":    run(t, HTML, `<meta property=og:url content="`+attr+`">`, Options{}),
			"base":    run(t, HTML, `<base href="`+attr+`"><a href=x>`, Options{}),
			"css":     run(t, CSS, `a{background:url("`+strings.ReplaceAll(ref, `"`, `\"`)+`")}`, Options{}),
			"header":  header.Rewrite(http.Header{"Location": {ref}}, header.Options{Base: "http://example.com/", Resolve: archive}).Get("Location"),
			"reload": header.Rewrite(http.Header{"Refresh": {"0; url=" + ref}},
				header.Options{Base: "http://example.com/", Resolve: archive}).Get("Refresh"),
		} {
			if at := strings.Index(got, "live.example"); at < 0 || !strings.Contains(got[:at], "archive.test") ||
				strings.Count(got, "live.example") > 1 && name != "base" {
				t.Errorf("%s: %.300s", name, got)
			}
		}
	}
}
