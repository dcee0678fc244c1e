package visible

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
)

func TestLinks(t *testing.T) {
	const utf8 = "text/html; charset=utf-8"
	for _, tt := range []struct {
		name, page string
		want       []Link
	}{
		{"plain", `<p>see <a href="/a">the  old<b>est</b> mill</a>.`, []Link{{"/a", "the oldest mill"}}},
		{"upper case, no quotes", `<A HREF=a.html CLASS=x>Mill</A>`, []Link{{"a.html", "Mill"}}},
		{"references", `<a href="/a?x=1&amp;y=2">R&amp;D</a>`, []Link{{"/a?x=1&y=2", "R&D"}}},
		{"a picture", `<a href="/a"><img src=m.png alt="The mill"></a>`, []Link{{"/a", "The mill"}}},
		{"blocks in it", `<a href="/a"><div>One</div><div>two</div></a>`, []Link{{"/a", "One two"}}},
		{"a block in its middle", `<a href="/a">One<div>two</div>three</a>`, []Link{{"/a", "One two three"}}},
		{"a map", `<map><area href="/n" alt="North"><area href="/s"></map>`, []Link{{"/n", "North"}, {"/s", ""}}},
		{"text beside a map's area", `<map><area href="/n" alt="North"> not of it</map>`, []Link{{"/n", "North"}}},
		{"a map in a link", `<a href="/a">one<area href="/n" alt="North">two</a>`, []Link{{"/a", "one"}, {"/n", "North"}}},
		{"no address", `<a name=top>Top</a><a href="">here</a><a href="#b">below</a>`, nil},
		{"one that never ends", `<a href="/a">one<a href="/b">two`, []Link{{"/a", "one"}, {"/b", "two"}}},
		{"one behind a place", `<a href="/a">one<a name=x>two</a>`, []Link{{"/a", "one"}}},
		{"in a script", `<script>"<a href='/a'>a</a>"</script><style>a{}</style><a href="/b">b</a>`, []Link{{"/b", "b"}}},
		{"a script in it", `<a href="/a">one<script>two</script> three</a>`, []Link{{"/a", "one three"}}},
		{"behind comments of a few characters", `<!--><a href="/a">a</a><!---><![CDATA[><a href="/b">b</a>`, []Link{{"/a", "a"}, {"/b", "b"}}},
		{"in a comment", `<!-- <a href="/a">a</a> --><a href="/b">b</a>`, []Link{{"/b", "b"}}},
		{"not shown", `<noscript><a href="/a">a</a></noscript><template><a href="/c">c</a></template><a href="/b">b</a>`, []Link{{"/b", "b"}}},
		{"behind a drawing without end", `<svg><path><a href="/b">b</a>`, []Link{{"/b", "b"}}},
		{"broken references", "<a href='/a'>\xff b", []Link{{"/a", "\ufffd b"}}},
	} {
		_, got := Links([]byte(tt.page), utf8)
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
	if _, got := Links([]byte("<a href=/a>caf\xe9</a>"), "text/html; charset=iso-8859-1"); len(got) != 1 || got[0].Text != "café" {
		t.Errorf("in another charset: %q", got)
	}
	base, _ := Links([]byte(`<base target=_top><base href=" /old/ "><base href="/other/">`), utf8)
	if base != "/old/" {
		t.Errorf("base %q", base)
	}
}

func TestLinksAreBounded(t *testing.T) {
	_, got := Links([]byte(strings.Repeat("<a href=/a>", maxLinks+5)), "text/html")
	if len(got) != maxLinks {
		t.Errorf("%d links", len(got))
	}
	_, got = Links([]byte("<a href=/a>"+strings.Repeat("mill ", 10000)), "text/html")
	if len(got) != 1 || len(got[0].Text) > 2*maxLinkText {
		t.Errorf("a link of %d bytes", len(got[0].Text))
	}
}

// Whatever the page, links have an address and a text without white space around it.
func FuzzLinks(f *testing.F) {
	for i, s := range []string{
		`<a href="/a">one</a><p><a href='b'>two<b>three</b></a>`, `<a href=x><a href=y>z`, `<area href=a alt=b>`, `<base href=/x/>`,
		`<noscript><a href=a>`, `<template><a href=a></template>`, `<svg><a href=b></svg>`, `<script><!--<a href=c>`, `<a href="a`,
	} {
		f.Add(fmt.Sprint(i, s))
	}
	f.Fuzz(func(t *testing.T, page string) {
		_, links := Links([]byte(page), "text/html; charset=utf-8")
		for _, l := range links {
			if l.Href == "" || strings.TrimSpace(l.Text) != l.Text {
				t.Errorf("%q", l)
			}
		}
	})
}

func TestLinksAreThoseOfTheTree(t *testing.T) {
	page := `<html><body><ul><li><a href="/1">one</a><li><a href=/2 title=x>two <i>2</i></a></ul>
<table><tr><td><a
 href = "/3" >three</a></table><p><a class=x href='/4'>four</a> <map><area href="/5"></map>`
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			if a.Key == "href" {
				want = append(want, a.Val)
			}
		}
	}
	_, links := Links([]byte(page), "text/html; charset=utf-8")
	var got []string
	for _, l := range links {
		got = append(got, l.Href)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
