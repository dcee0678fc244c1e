package selector_test

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/fields/selector"
)

// pointed returns a page, and the element in it whose text is "here".
func pointed(t *testing.T, body string) (*fields.Document, *html.Node) {
	t.Helper()
	d, err := fields.Parse(fields.Page{Body: []byte(body), ContentType: "text/html; charset=utf-8"})
	if err != nil {
		t.Fatal(err)
	}
	for n := range d.Root.Descendants() {
		if n.Type == html.TextNode && strings.TrimSpace(n.Data) == "here" {
			return d, n.Parent
		}
	}
	t.Fatal("nothing is pointed at")
	return nil, nil
}

func TestListsAroundAnElement(t *testing.T) {
	t.Parallel()
	cards := func(n int, inner string) string {
		return strings.Repeat(`<div class="card x"><h3>t</h3><b>p</b></div>`, n) + `<div class="card y"><h3>t</h3>` + inner + "</div>"
	}
	for name, tt := range map[string]struct {
		body, each, css string
		rows            int
	}{
		"cards": {"<main>" + cards(3, "<b>here</b>") + "</main>", "div.card", "b", 4},
		"cards in lines": {
			strings.Repeat("<div class=line>"+cards(2, "<i>no</i>")+"</div>", 2) + "<div class=line>" + cards(2, "<i>here</i>") + "</div>",
			"div.card", "i", 9,
		},
		"a table":                      {"<table><tr><td>1<td>2<tr><td>3<td>here<tr><td>5<td>6</table>", "tbody > tr", "td:nth-of-type(2)", 3},
		"one of two lists":             {"<ul id=menu><li>a<li>b<li>c</ul><ul id=list><li>a<li>b<li>here</ul>", "#list > li", "li", 3},
		"by class":                     {"<ul><li><b class=n>a</b><li><b class=n>b</b><li><b>x</b><b class=n>here</b></ul>", "ul > li", ".n", 3},
		"another element of the class": {"<main>" + strings.Repeat("<section class=c></section>", 3) + "<div class=c>here", "", "", 0},
		"another class":                {"<main>" + strings.Repeat("<div class=x>x</div>", 3) + "<div class=c>here</div></main>", "", "", 0},
		"rows in other elements": {
			strings.Repeat("<ul class=m><li class=r>a<li class=r>b</ul>", 2) + "<ol class=m><li class=r>a<li class=r>b<li class=r>here</ol>",
			"ol.m > li.r", ".r", 3,
		},
		"rows in another class": {
			"<ul class=n><li class=r>a<li class=r>b</ul><ul class=m><li class=r>a<li class=r>b<li class=r>here</ul>", "ul.m > li.r", ".r", 3,
		},
		"a name that few rows have": {"<ul><li><b>a</b><li><b>b</b><li><b class=n>here</b></ul>", "ul > li", "b", 3},
		"in what has a name": {
			"<ul>" + strings.Repeat("<li><b>a</b><i class=v><b>b</b></i>", 2) + "<li><b>a</b><i class=v><b>here</b></i></ul>", "ul > li", ".v b", 3,
		},
		"by places": {
			"<ul>" + strings.Repeat("<li><p><b>1</b><b>2</b><p><b>3</b><b>4</b>", 2) + "<li><p><b>1</b><b>2</b><p><b>3</b><b>here</b></ul>",
			"ul > li", "p:nth-of-type(2) > b:nth-of-type(2)", 3,
		},
		"too few":              {"<ul><li>a<li>here</ul>", "", "", 0},
		"words are no rows":    {"<p><b>a</b><b>b</b><b>here</b></p>", "", "", 0},
		"the outer of the two": {"<ul class=o><li class=r>a<p>x</p><li class=r>b<li class=r>c<ul><li>1<li>here</ul></ul>", "li.r", "li li", 3},
	} {
		d, at := pointed(t, tt.body)
		l := selector.ListOf(t.Context(), d, at)
		if l.Each != tt.each || l.Rows != tt.rows {
			t.Errorf("%s: %+v, want %q with %d", name, l, tt.each, tt.rows)
		}
		if tt.each == "" || tt.css == "li li" { // rows within rows
			continue
		}
		if css, ok := selector.InRow(t.Context(), d, l.Each, at); !ok || css != tt.css {
			t.Errorf("%s: %q, want %q in a row", name, css, tt.css)
		}
	}
	d, at := pointed(t, "<ul><li>a<li>b</ul><p>here</p>")
	if css, ok := selector.InRow(t.Context(), d, "li", at); ok {
		t.Errorf("an element outside of rows is found by %q", css)
	}
}

// What is proposed reads what was pointed at, and something from most rows.
func TestWhatIsProposedReadsRows(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 20 {
		price := fmt.Sprintf("<span class=price>%d</span>", i)
		if i == 7 {
			price = "<span class=price>here</span>"
		} else if i%5 == 0 {
			price = "<em>sold out</em>"
		}
		fmt.Fprintf(&b, "<article class=product><h2><a href=/p%d>Product %d</a></h2><div>%s</div></article>", i, i, price)
	}
	d, at := pointed(t, "<main>"+b.String()+"</main>")
	l := selector.ListOf(t.Context(), d, at)
	css, ok := selector.InRow(t.Context(), d, l.Each, at)
	if !ok {
		t.Fatal(l)
	}
	tmpl, err := fields.NewRows(l.Each, []fields.Field{{Name: "price", CSS: css}})
	if err != nil {
		t.Fatal(err)
	}
	rows, _, err := tmpl.Rows(t.Context(), d)
	if err != nil || len(rows) != 16 || rows[6-1].Number != 8 || rows[5].Values["price"][0] != "here" {
		t.Errorf("%+v, %v", rows, err)
	}
}
