package visible

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// rawElements contain no mark-up, or none that a reader sees, up to their own end tags.
var rawElements = []string{"noscript", "noframes", "noembed", "iframe", "xmp", "textarea", "title", "style", "script"}

// openings begin what nobody ends: in a raw element that hides nothing behind it.
var openings = []string{
	"words", "<p>words", "<iframe src=x>", "<iframe src=x />", "<noscript>", "<noframes>", "<noembed>", "<xmp>", "<textarea>", "<title>",
	"<style>", "<template>", "<plaintext>", "<select><option>words", "<table><tr><td>words", "<svg><text>words", "<math>", "<!-- words",
	`<a href="x`, "<b><i><div>", "</div></p></body></html>", "</p", "<", "&lt;p&gt; &amp;amp;",
	"<![CDATA[", "<?php", "<a/", "<body>", "<head>",
}

func TestRawElementsHideNothingBehindThem(t *testing.T) {
	for _, raw := range rawElements {
		for _, opening := range openings {
			for _, page := range []string{
				"<p>before<" + raw + ">" + opening + "</" + raw + "><p>after",
				"<title>Rules</title><div><" + strings.ToUpper(raw) + " class=x>" + opening + "</" + strings.ToUpper(raw) + " >after<p>all</div>",
				"<ul><li><" + raw + ">" + opening + "</" + raw + "s></" + raw + "><li>after<" + raw + "></" + raw + "> all</ul>",
			} {
				if raw == "script" && strings.Contains(opening, "<!--") {
					continue // a script may go on behind an end tag in a comment
				}
				text := new(Extractor).Extract([]byte(page), "text/html; charset=utf-8")
				if got, want := squeezed(text.String()), squeezed(seen(t, page)); got != want {
					t.Errorf("%s: got %q, want %q", page, got, want)
				}
			}
		}
	}
}

func squeezed(s string) string { return strings.Join(strings.Fields(s), "") }

// seen is the text that the tree of a page shows, as an independent parser builds it where scripts run.
func seen(t *testing.T, page string) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode && !unseen(n) {
			out.WriteString(n.Data)
		}
	}
	return out.String()
}

func unseen(n *html.Node) bool {
	for p := range n.Ancestors() {
		switch p.Data {
		case "script", "style", "noscript", "noframes", "noembed", "iframe", "template":
			return true
		}
	}
	return false
}

// A select is a control: it ends where no control goes on, so that one that nobody ends swallows no page.
func TestASelectEndsWhereAnotherControlBegins(t *testing.T) {
	for _, test := range []struct{ name, page, want string }{
		{"ended", "<select><option>a</select><p>b", "a:label b:main"},
		{"by another select", "<select><option>a<select><option>b</select><p>c", "a:label b:label c:main"},
		{"by a field", "<select><option>a<input><p>b", "a:label b:main"},
		{"by a text field", "<select><option>a<textarea>b</textarea><p>c", "a:label b:main c:main"},
		{"by a paragraph", "<select><option>a<p>b<p>c", "a:label b:main c:main"},
		{"by a headline", "<select><option>a<h1>b</h1>c", "a:label b:main c:main"},
		{"by what it stands in", "<div><select><option>a</div><p>b", "a:label b:main"},
		{"not by groups, rules and boxes", "<select><optgroup label=x><option>a<hr><option><div>b</div></select>c", "a:label b:label c:main"},
		{"a field is in no select", "<p>a<input><p>b", "a:main b:main"},
	} {
		text := new(Extractor).Extract([]byte(test.page), "text/html")
		var got []string
		for _, b := range text.Blocks {
			got = append(got, b.Text+":"+b.Region.String())
		}
		if g := strings.Join(got, " "); g != test.want {
			t.Errorf("%s: got %s, want %s", test.name, g, test.want)
		}
	}
}

// In XHTML any element may end with its start tag, so what follows is not its text.
func TestXHTMLEndsElementsWithTheirStartTags(t *testing.T) {
	t.Parallel()
	const page = "<?xml version='1.0' encoding='iso-8859-1'?><html xmlns='http://www.w3.org/1999/xhtml'><head><title/><script src='a.js'/>" +
		"<style/></head><body><p>Caf\xe9</p><textarea/><iframe src='x'/><p><![CDATA[<b>]]> <a href='/y'>more</a></p></body></html>"
	var e Extractor
	var blocks []string
	for _, b := range e.Extract([]byte(page), "application/xhtml+xml").Blocks {
		blocks = append(blocks, b.Text)
	}
	if got := strings.Join(blocks, "|"); got != "Café|<b> more" {
		t.Errorf("%q", got)
	}
	if _, links := Links([]byte(page), "application/xhtml+xml"); len(links) != 1 || links[0].Href != "/y" {
		t.Errorf("%+v", links)
	}
}
