package fields

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

const page = `<!doctype html><html><head><title>t</title></head><body><div id="a,b" class="x y"><p>1<p class="x">2<span>3</span></div>
<div><ul><li class="x">4<li>5<li class="x y">6<b title="a > b, c">7</b></ul></div><p id="1">8</p><svg><linearGradient/><g><a>9</a></g></svg>
<table><tr><td>10<td>11<table><tr><td class="y">12</table></table></body></html>`

var selectors = []string{
	"p", "div p", "div > p", "p + p", "li ~ li", "div, p", "body div ul > li.x + li", "#a\\,b p", "#a\\2c b p", "#\\31", "#\\31  ~ svg a",
	"b[title='a > b, c']", `[title="a > b, c"]`, "li:not(.x)", "div:has(span) p", "*", ":root > body", "li:nth-child(2n+1)", "a b c d e",
	"td td", "table table td, td > table", "div/* , */p", "  p  ", "html body > div ~ div li", "p:contains('2')", "p:matches(2) span",
	"li:nth-of-type(3) > b", "svg a", "LI", ".x .x", ".y", "div:not(.x, .z) li", "p\n>\nspan", "p:matchesOwn(it's) b",
	"[title], li.x", "div/**/p", "p:not([id]), b", ".\\78\r\n.y", ".\\78 .y",
	`[title="] > b"], div p`, `[title='\'] > b'], div p`, `div p, [title='it\'s ] or [']`,
}

func parsed(t testing.TB, s string) *Document {
	t.Helper()
	d, err := Parse(Page{Body: []byte(s), ContentType: "text/html; charset=utf-8"})
	if err != nil {
		t.Skip(err)
	}
	return d
}

// found is what a selector finds, and what it finds matched against each element as the library does it.
func found(t testing.TB, d *Document, selector string) (got, want []*html.Node) {
	t.Helper()
	group, err := cascadia.ParseGroup(selector)
	if err != nil {
		t.Skip(err)
	}
	for n := range d.Root.Descendants() {
		if n.Type == html.ElementNode && group.Match(n) {
			want = append(want, n)
		}
	}
	if got, err = d.Find(t.Context(), selector, "", 1<<30); err != nil {
		t.Fatalf("%q: %v", selector, err)
	}
	return got, want
}

func TestSelectorsAreTakenApart(t *testing.T) {
	d := parsed(t, page)
	some := 0
	for _, s := range selectors {
		got, want := found(t, d, s)
		if !slices.Equal(got, want) {
			t.Errorf("%q finds %d elements, want %d", s, len(got), len(want))
		}
		some += min(len(want), 1)
	}
	if some < len(selectors)/2 {
		t.Errorf("only %d selectors find anything", some)
	}
}

func FuzzSelectorsAreTakenApart(f *testing.F) {
	for _, s := range selectors {
		f.Add(s, page)
	}
	f.Fuzz(func(t *testing.T, selector, body string) {
		if len(selector) > 60 || len(body) > 2000 || strings.Count(selector, ":") > 2 {
			t.Skip("the library would take too long")
		}
		if got, want := found(t, parsed(t, body), selector); !slices.Equal(got, want) {
			t.Errorf("%q finds %d elements, want %d", selector, len(got), len(want))
		}
	})
}

// Without bounds each of these takes longer than anybody waits.
func TestNothingTakesForEver(t *testing.T) {
	deep := parsed(t, strings.Repeat("<div>", 400)+strings.Repeat("<p><i></i></p>", 2000))
	got, err := deep.Find(t.Context(), "a div div div div div div div div div i", "", 10)
	if err != nil || len(got) != 0 {
		t.Error(len(got), err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	for _, field := range []Field{
		{Name: "a", XPath: "//*[count(//*[count(//*[count(//*) > 1]) > 1]) > 1]"},
		{Name: "a", XPath: "count(//*[contains(string(/), 'x')][count(//*[contains(string(/), 'x')]) > 0])"},
		{Name: "a", CSS: "p:has(i:nth-child(7))", All: true},
	} {
		template, err := New([]Field{field})
		if err != nil {
			t.Fatal(err)
		}
		<-ctx.Done()
		if _, err := template.ReadFrom(ctx, deep); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%+v: %v", field, err)
		}
	}
	running, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	template, err := New([]Field{{Name: "a", XPath: "//*[count(//*[count(//*[count(//*) > 1]) > 1]) > 1]"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := template.ReadFrom(running, deep); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}
