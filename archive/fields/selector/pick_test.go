package selector_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/fields/selector"
)

func parse(t testing.TB, body string) *fields.Document {
	t.Helper()
	d, err := fields.Parse(fields.Page{Body: []byte(body), ContentType: "text/html; charset=utf-8", URL: "http://a.example/"})
	if err != nil {
		t.Skip(err)
	}
	return d
}

// marked returns the element with the attribute "here", which it takes away.
func marked(t testing.TB, d *fields.Document) *html.Node {
	t.Helper()
	for n := range d.Root.Descendants() {
		for i, a := range n.Attr {
			if a.Key == "here" {
				n.Attr = append(n.Attr[:i:i], n.Attr[i+1:]...)
				return n
			}
		}
	}
	t.Fatal("nothing is marked")
	return nil
}

func TestBest(t *testing.T) {
	long := strings.Repeat("l", 60)
	for _, tt := range []struct {
		name, body string
		css, xpath string
	}{
		{"an id", `<p id=price here>1</p><p>2`, "#price", `//*[@id="price"]`},
		{"an id that looks made is avoided", `<p id=x-3f9a2c class=price here>1</p><p>2`, "p.price", ""},
		{"so is a number", `<p id=post-120934 class=price here>1</p><p>2`, "p.price", ""},
		{"and one in a style's name", `<p class="css-1q2w3e Card_title__2Hx9a price" here>1</p><p>2`, "p.price", ""},
		{"letters that look made", `<p class="bdVaJxQq price" here>1</p><p>2`, "p.price", ""},
		{"more letters are a name", `<p class="bdVaJxQqz" here>1</p><p>2`, "p.bdVaJxQqz", ""},
		{"classes of state are avoided", `<ul><li class="active item-a" here>1<li class=item-b>2</ul>`, "li.item-a", ""},
		{"a state alone", `<ul class=menu><li>1<li class="active" here>2</ul>`, "ul.menu > li:nth-of-type(2)", `//ul[contains(concat(` +
			`" ",normalize-space(@class)," ")," menu ")]/li[2]`},
		{"microdata", `<span itemprop=price class=a here>1</span><span class=a>2</span>`, `span[itemprop="price"]`, `//span[@itemprop="price"]`},
		{"microdata before a class", `<div class=card><b itemprop=name class=x here>1</b></div>`, `b[itemprop="name"]`, ""},
		{
			"a data attribute is there, its value changes", `<span data-price=12.50 here>1</span><span>2</span>`, "span[data-price]",
			"//span[@data-price]",
		},
		{"one for tests has a value", `<span data-testid=total here>1</span><span data-testid=sum>2</span>`, `span[data-testid="total"]`, ""},
		{"a property", `<meta property="og:title" content=x here>`, `meta[property="og:title"]`, ""},
		{"the only one of its kind", `<h1 here>1</h1><h2>2</h2>`, "h1", "//h1"},
		{"inside of what has a name", `<div id=a><b>1</b></div><div id=b><b here>2</b></div>`, "#b b", `//*[@id="b"]//b`},
		{"the nearest that tells", `<main><div class=card><p>1</p></div></main><div class=box><p here>2</p></div>`, "div.box p", ""},
		{"the same text twice", `<main><p>same</p><p here>same</p></main>`, "main > p:nth-of-type(2)", "//main/p[2]"},
		{"no names at all", `<div><p>a</p></div><div><p>b</p><p here>c</p></div>`, "p:nth-of-type(2)", "//p[2]"},
		{"a cell", `<table id=t><tr><td>1<td>2<tr><td>3<td here>4</table>`, "#t > tbody > tr:nth-of-type(2) > td:nth-of-type(2)", ""},
		{"a cell behind a label", `<table><tr><th>Price<td here>4<tr><th>Weight<td>5</table>`, "", `//th[normalize-space(` +
			`.)="Price"]/following-sibling::td[1]`},
		{"a label as long as may be", "<dl><dt>" + long + "<dd here>1<dt>b<dd>2</dl>", "", `//dt[normalize-space(.)="` + long +
			`"]/following-sibling::dd[1]`},
		{"a longer one", "<dl><dt>" + long + "l<dd here>1<dt>b<dd>2</dl>", "", "//dd[1]"},
		{"one with much space", "<dl><dt>a" + strings.Repeat(" ", 70) + "b<dd here>1<dt>c<dd>2</dl>", "", `//dt[normalize-space(.)="a b"]` +
			"/following-sibling::dd[1]"},
		{"an empty one", "<dl><dt> <dd here>1<dt>b<dd>2</dl>", "", "//dd[1]"},
		{"a definition", `<dl><dt>Height <dd>1<dt>Width<dd here>2</dl>`, "", `//dt[normalize-space(.)="Width"]/following-sibling::dd[1]`},
		{"an entry of a list", `<ol class=steps><li>1<li here>2<li>3</ol>`, "ol.steps > li:nth-of-type(2)", ""},
		{"svg", `<svg class=chart><g><circle r=1 /><circle r=2 here /></g></svg>`, "svg.chart > g > circle:nth-of-type(2)", ""},
		{"svg with capitals", `<svg class=chart><g/><linearGradient here /></svg>`, "svg.chart > :nth-child(2)", ""},
		{"MathML", `<math><mi>x</mi><mi here>y</mi></math>`, "mi:nth-of-type(2)", "//mi[2]"},
		{"characters that need escapes", `<p id="a,b.c" here>1</p><p>2`, `#a\,b\.c`, `//*[@id="a,b.c"]`},
		{"a digit first", `<p class="2nd" here>1</p><p>2`, `p.\32 nd`, ""},
		{"letters of any script", `<p id=цена here>1</p><p>2`, `#цена`, ""},
		{"the outermost", `<html here><body><p>`, "html", "//html"},
		{"quotes of both kinds", `<p id="a'&quot;b" here>1</p><p>2`, `#a\'\"b`, "/*/*[2]/*[1]"},
		{"a class with quotes of both kinds", `<p class="a'&quot;b" here>1</p><p>2`, `p.a\'\"b`, "/*/*[2]/*[1]"},
		{"a label with quotes of both kinds", `<dl><dt>a'"<dd here>1<dt>b<dd>2</dl>`, "", "//dd[1]"},
		{"a cell behind cells", `<table><tr><th>Price<td>3<td here>4<tr><th>Weight<td>5<td>6</table>`, "", "/*/*[2]/*[1]/*[1]/*[1]/*[3]"},
		{"a cell behind two labels", `<table><tr><th>a<th>Price<td here>4<tr><th>c<th>d<td>6</table>`, "", "/*/*[2]/*[1]/*[1]/*[1]/*[3]"},
		{"a cell without a label", `<table><tr><td here>4<td>3<tr><td>5<td>6</table>`, "", "/*/*[2]/*[1]/*[1]/*[1]/*[1]"},
		{"a value behind no label", `<dl><dd here>1<dd>2</dl>`, "dd:nth-of-type(1)", "//dd[1]"},
		{"a value of state", `<b role=active here>1</b><b role=other>2</b>`, "b:nth-of-type(1)", ""},
		{"a made data attribute", `<b data-3f9a2c=1 here>1</b><b>2</b>`, "b:nth-of-type(1)", ""},
		{"a date", `<i datetime=1 here>1</i><i>2</i>`, "i[datetime]", "//i[@datetime]"},
		{"an attribute that is no data", `<i lang=de here>1</i><i>2</i>`, "i:nth-of-type(1)", ""},
		{"the fourth of its data", `<i data-a data-b data-c data-d here>1</i><i data-a data-b data-c>`, "i[data-a]:nth-of-type(1)", ""},
		{"the fourth of its classes", `<i class="a b c d" here>1</i><i class="a b c">2</i>`, "i.a:nth-of-type(1)", ""},
		{"what was written twice under one id", `<p id=a>1</p><p id=a here>2</p>`, "p:nth-of-type(2)", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := parse(t, tt.body)
			n := marked(t, d)
			got := selector.Best(t.Context(), d, n, nil)
			if tt.css != "" && got.CSS != tt.css || tt.xpath != "" && got.XPath != tt.xpath {
				t.Errorf("%s and %s\nwant %s and %s", got.CSS, got.XPath, tt.css, tt.xpath)
			}
			check(t, d, n, got)
		})
	}
}

// check holds that a choice finds one element and no other.
func check(t *testing.T, d *fields.Document, n *html.Node, c selector.Choice) {
	t.Helper()
	for _, s := range [][2]string{{c.CSS, ""}, {"", c.XPath}} {
		found, err := d.Find(t.Context(), s[0], s[1], 5)
		if err != nil || len(found) != 1 || found[0] != n {
			t.Errorf("%q finds %d elements: %v", s, len(found), err)
		}
	}
}

// Of several selectors the one counts that finds one element in most of the other versions.
func TestBestHoldsInOtherVersions(t *testing.T) {
	d := parse(t, `<div id=offer><span class=price here>1</span></div>`)
	n := marked(t, d)
	others := []*fields.Document{
		parse(t, `<div id=offer><span class=price>1</span></div><p><span class=price>2</span>`),
		parse(t, `<div id=offer><b class=amount itemprop=price>1</b></div><div><span class=price>1</span></div>`),
		parse(t, `<div id=offer><span class=price>1</span></div><aside><span class=price>1</span></aside>`),
	}
	got := selector.Best(t.Context(), d, n, others)
	if got.CSS != "#offer span.price" || got.Holds < 2 {
		t.Errorf("%+v", got)
	}
	check(t, d, n, got)
	got = selector.Best(t.Context(), d, n, others[2:])
	if got.CSS != "#offer span.price" || got.Holds != 1 {
		t.Errorf("%+v", got)
	}
	// A name that finds it in half as many versions is as good as a position.
	d = parse(t, `<ul class=menu><li>1<li here data-price=2>2</ul>`)
	const with, without = "<ul class=menu><li>1<li data-price=2>2</ul>", "<ul class=menu><li>1<li>2</ul>"
	for more, want := range []string{"li[data-price]", "ul.menu > li:nth-of-type(2)"} {
		others := []*fields.Document{parse(t, with), parse(t, without)}
		for range more {
			others = append(others, parse(t, without))
		}
		n := selector.Element(d, 5)
		if got := selector.Best(t.Context(), d, n, others); got.CSS != want {
			t.Errorf("%d more without: %+v, want %s", more, got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	d := parse(t, `<p>1</p><template><b>2</b></template><svg><g/></svg><i>3</i>`)
	for i := range 9 {
		n := selector.Element(d, i)
		if n == nil || selector.Number(d, n) != i {
			t.Fatalf("element %d is %v", i, n)
		}
	}
	if selector.Element(d, 9) != nil || selector.Element(d, -1) != nil || selector.Number(d, &html.Node{}) != -1 {
		t.Error("there are elements that aren't")
	}
}

func TestField(t *testing.T) {
	for _, tt := range []struct{ body, want string }{
		{`<h1 here>Ladder</h1>`, "heading text"},
		{`<b class=price here>$ 1,234.50</b>`, "price number [^0-9.]"},
		{`<b class=price here>12.50</b>`, "price number"},
		{`<b itemprop=datePublished here>3 May 2015</b>`, "datepublished date"},
		{`<time datetime=2015 here>yesterday</time>`, "date date"},
		{`<img class=big src=a.png here>`, "big image"},
		{`<a href=/x here>more</a>`, "link text"},
		{`<b id=title here>x</b>`, "b text"},
		{`<p class=x-3f9a2c here>room 12, second floor</p>`, "p text"},
		{`<b class=жук here>x</b>`, "b text"},
		{`<input name=amount value=3 here>`, "amount number value"},
		{`<link rel=stylesheet href=a.css here>`, "stylesheet link"},
		{`<iframe src=/x here></iframe>`, "iframe link src"},
		{`<b id=price role=active here>x</b>`, "price text"},
		{`<b id=active here>x</b>`, "b text"},
		{`<b id=a-zA-Z-09-z here>x</b>`, "a_za_z_09_z text"},
		{`<b id=2nd class=one here>x</b>`, "one text"},
	} {
		d := parse(t, tt.body)
		n := marked(t, d)
		text := ""
		if n.FirstChild != nil {
			text = n.FirstChild.Data
		}
		f := selector.Field(n, text)
		got := strings.TrimSpace(strings.Join(append([]string{f.Name, string(f.Type), f.Attribute}, f.Clean...), " "))
		if strings.Join(strings.Fields(got), " ") != tt.want {
			t.Errorf("%s: %s, want %s", tt.body, got, tt.want)
		}
		f.CSS = "a"
		if _, err := fields.New([]fields.Field{f}); err != nil {
			t.Error(err)
		}
	}
}

func TestStill(t *testing.T) {
	got := string(selector.Still(parse(t, `<!doctype html><html><head><base href="http://evil.example/"><meta charset=koi8-r>
<meta http-equiv=refresh content="0;url=http://evil.example/"><meta name=viewport content="width=device-width"><script>alert(1)</script>
<link rel=stylesheet href=a.css integrity=x crossorigin><link rel=preconnect href=//evil.example><title>T</title></head>
<body onload="alert(2)"><a href="javascript:alert(3)" target=_top data-varve-n=99 onclick=x>go</a><svg>
<a xlink:href="http://evil.example/">s</a>
<script>alert(4)</script></svg><iframe src="http://evil.example/" srcdoc="<script>" width=3></iframe><object data=x.swf></object>
<noembed>no</noembed><noframes>no</noframes>
<applet code=x.swf archive=y.swf></applet><map><area href="http://evil.example/"></map><img src=i.png><b href=/b></b>
<div><template shadowrootmode=closed><p>in</p></template></div>
<form action="http://evil.example/"><input autofocus formaction=x></form><noscript><p>no</noscript><details>more
</details><!-- c --></body>`)))
	for _, bad := range []string{
		"evil", "alert", "refresh", "koi8", "onload", "onclick", "target", "99", "<script", "srcdoc", "swf", "autofocus",
		"formaction", "integrity",
		"crossorigin", "noscript", "<!--", "base", "noembed", "noframes", "closed",
	} {
		if strings.Contains(got, bad) {
			t.Errorf("%q is in\n%s", bad, got)
		}
	}
	for _, good := range []string{
		`<link rel="stylesheet" href="a.css"`, `name="viewport"`, `<title`, `href="#"`, `<iframe width="3"`, `<details open="" ` +
			`data-varve-n="30">`, `<img src="i.png"`, `<b href="/b"`, `shadowrootmode="open"`,
	} {
		if !strings.Contains(got, good) {
			t.Errorf("%q is not in\n%s", good, got)
		}
	}
}

// Whatever a page is, all of it is written: what can't be is left out.
func FuzzStill(f *testing.F) {
	for _, s := range []string{
		`<svg><source><g/></source></svg><p>`, `<math><wbr>x</math>`, `<svg><script>a</script><img></svg>`, `<plaintext>`, `<frameset><frame>`,
		`<select><option><hr>`, `<template><col></template>`, `<svg><style><!--</style>`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if got := selector.Still(parse(t, body)); !strings.HasSuffix(string(got), "</html>") {
			t.Errorf("it ends with %.100q", got[max(0, len(got)-100):])
		}
	})
}

func FuzzBest(f *testing.F) {
	for _, s := range []string{
		`<p id=a>1</p><div class="b c"><span data-x=1>2</span></div>`, `<table><tr><th>x<td>y</table>`, `<svg><linearGradient ` +
			`id="1'&quot;"/></svg>`,
		`<dl><dt>a"'b<dd>c`, "<p class='\x01 -'>", `<template><p>x</p></template>`, `<math><mi xlink:href=a>`, `<a"b>`, `<p id="\">`,
		"<p name='a\nb'>", `<frameset><frame>`,
	} {
		f.Add(s, 3)
		f.Add(s, 5)
	}
	f.Fuzz(func(t *testing.T, body string, number int) {
		if len(body) > 4000 {
			t.Skip("a long page takes long and has nothing that a short one has not")
		}
		d := parse(t, body)
		n := selector.Element(d, number)
		if n == nil {
			return // the page has no such element
		}
		c := selector.Best(t.Context(), d, n, nil)
		check(t, d, n, c)
		f := selector.Field(n, "text")
		f.CSS = c.CSS
		if _, err := fields.New([]fields.Field{f}); err != nil {
			t.Error(err)
		}
	})
}
