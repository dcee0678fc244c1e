package inspect

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
)

// some are n fields of a template.
func some(n int) (list []fields.Field) {
	for i := range n {
		list = append(list, fields.Field{Name: fmt.Sprint("f", i), CSS: "b"})
	}
	return list
}

// What is typed is taken up to its limits exactly, and the sentence says what is too long and where.
func TestWhatMayBeTyped(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	field := func(f fields.Field) []fields.Field { f.Name = "a"; return []fields.Field{f} }
	nested := func(each string, n int) []fields.Field {
		return field(fields.Field{CSS: "p", Each: each, Fields: some(n)})
	}
	for _, tt := range []struct {
		name, each string
		list       []fields.Field
		says       string
	}{
		{"a selector", "", field(fields.Field{CSS: x(600)}), ""},
		{"a longer one", "", field(fields.Field{CSS: x(601)}), "a: a selector may have at most 600 bytes here"},
		{"an expression", "", field(fields.Field{XPath: x(600)}), ""},
		{"a longer one", "", field(fields.Field{XPath: x(601)}), "a: an expression may have at most 600 bytes here"},
		{"expressions of clean", "", field(fields.Field{CSS: "b", Clean: make([]string, 10)}), ""},
		{"one more", "", field(fields.Field{CSS: "b", Clean: make([]string, 11)}), "a: a field may have at most 10 expressions of clean here"},
		{"one of clean", "", field(fields.Field{Clean: []string{x(200)}}), ""},
		{"a longer one", "", field(fields.Field{Clean: []string{"x", x(201)}}), "a: an expression of clean may have at most 200 bytes here"},
		{"one that repeats", "", field(fields.Field{Clean: []string{"x{998}"}}), ""},
		{"more often", "", field(fields.Field{Clean: []string{"x", "x{999} => y"}}), "a: an expression of clean may not repeat so much here"},
		{"what stands for it doesn't repeat", "", field(fields.Field{Clean: []string{"x => x{999}"}}), ""},
		{"texts joined", "", field(fields.Field{XPath: "concat(a,b,c,d,e)"}), ""},
		{"one more", "", field(fields.Field{XPath: "concat(a,b,c,d,e,f)"}), "a: concat() may join at most 5 texts here"},
		{"fields", "", some(30), ""},
		{"one more", "", some(31), "a template may have at most 30 fields here"},
		{"fields of an item", "", nested("li", 30), ""},
		{"one more", "", nested("li", 31), "a: a template may have at most 30 fields here"},
		{"one more of a list without a selector", "", nested("", 31), "a: a template may have at most 30 fields here"},
		{"items", "", nested(x(601), 1), "a: each: a selector may have at most 600 bytes here"},
		{"items without fields", "", nested(x(601), 0), "a: each: a selector may have at most 600 bytes here"},
		{"rows", x(600), some(1), ""},
		{"rows of a longer selector", x(601), some(1), "each: a selector may have at most 600 bytes here"},
		{"rows of a longer expression", "/" + x(600), some(1), "each: an expression may have at most 600 bytes here"},
	} {
		err := checkAllModest(tt.each, tt.list)
		if (err == nil) != (tt.says == "") || err != nil && !strings.HasPrefix(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.says)
		}
	}
	for text, ok := range map[string]bool{
		strings.Repeat(" ", 16<<10): true, strings.Repeat(" ", 16<<10+1): false,
		formatTemplate(some(30), ""): true, formatTemplate(some(31), ""): false,
	} {
		if got, err := parseTemplate(text, "example,a)/"); (err == nil) != ok || !ok && len(got.Fields) > 0 {
			t.Errorf("%d bytes: %v", len(text), err)
		}
	}
}

// What is wrong with a template is said in words that name the part of the form.
func TestWhatIsWrongWithATemplate(t *testing.T) {
	of := func(f fields.Field) []fields.Field { f.Name = "a"; return []fields.Field{f} }
	for _, tt := range []struct {
		each string
		list []fields.Field
		says string
	}{
		{"", of(fields.Field{CSS: "b["}), "the CSS selector of a is wrong: "},
		{"", of(fields.Field{XPath: "//["}), "the XPath expression of a is wrong: "},
		{"", of(fields.Field{CSS: "b", Clean: []string{"("}}), "an expression of clean of a is wrong: "},
		{"", of(fields.Field{CSS: "b", Type: "colour"}), "the type of a is wrong: "},
		{"", []fields.Field{{Name: "A b", CSS: "b"}}, "the name is wrong: "},
		{"li[", of(fields.Field{CSS: "b"}), "the selector of rows is wrong: "},
		{"li", of(fields.Field{CSS: strings.Repeat("x", 601)}), "a: a selector may have at most 600 bytes here"},
		{"li", of(fields.Field{CSS: "b"}), ""},
	} {
		a := &ask{each: tt.each, template: tt.list, element: -1}
		tmpl, list, err := a.compile()
		if (err == nil) != (tt.says == "") || err != nil && !strings.HasPrefix(err.Error(), tt.says) || (tmpl != nil) != (err == nil) {
			t.Errorf("%+v: %v, want %q", tt.list, err, tt.says)
		}
		if diff := cmp.Diff(tt.list, list); diff != "" {
			t.Error(diff)
		}
	}
	if plain := errors.New("plain"); explain(plain) != plain {
		t.Error("another error isn't said as it is")
	}
}

// Lists within a document, and texts of several lines, are written on one line and read again.
func TestListsWithinDocumentsAreWritten(t *testing.T) {
	list := []fields.Field{{
		Name: "offers", Each: "li", All: true, Fields: []fields.Field{
			{Name: "name", CSS: "b\ni", Type: fields.Text}, {Name: "price", XPath: "//i", Type: fields.Number, Clean: []string{"a", "b\nc"}},
		},
	}}
	const want = `- {name: offers, each: li, all: true, fields: [{name: name, css: "b\ni"}, ` +
		`{name: price, xpath: //i, type: number, clean: [a, "b\nc"]}]}` + "\n"
	text := formatTemplate(list, "")
	if text != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
	list[0].Fields[0].Type = ""
	got, err := parseTemplate(text, "example,a)/")
	if diff := cmp.Diff(list, got.Fields); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

func TestNamesOfElements(t *testing.T) {
	for tag, want := range map[string]string{
		"<p>": "p", "<p id=a>": "p#a", "<p class=b>": "p.b", "<p class=b id=a>": "p.b#a", "<p title=a>": "p", "<p id=''>": "p",
		"<p id=" + strings.Repeat("x", 30) + ">": "p#" + strings.Repeat("x", 30), "<p id=" + strings.Repeat("x", 31) + ">": "p",
	} {
		doc, err := html.Parse(strings.NewReader(tag))
		if err != nil {
			t.Fatal(err)
		}
		if got := nameOf(doc.FirstChild.LastChild.FirstChild); got != want {
			t.Errorf("%s: %q, want %q", tag, got, want)
		}
	}
}

// The page that is shown is the capture asked for, or else the nearest page before a nearer picture or redirect; the earlier at a tie.
func TestTheNearestPage(t *testing.T) {
	for _, tt := range []struct {
		name, captures string // days and what was captured then
		day, want      int
	}{
		{"nothing", "", 15, 0},
		{"itself", "14 page 15 page", 15, 15},
		{"the nearest", "14 page 17 page", 15, 14},
		{"a later one", "10 page 17 page", 15, 17},
		{"the earlier at a tie", "14 page 16 page", 15, 14},
		{"a page, not a nearer picture", "10 page 15 gif", 15, 10},
		{"a page, not a nearer redirect", "15 redirect 18 page", 15, 18},
		{"a page, not a missing one", "15 missing 18 page", 15, 18},
		{"a picture, if there are no pages", "10 gif 15 gif", 16, 15},
	} {
		tl := &timeline.Timeline{}
		words := strings.Fields(tt.captures)
		for i := 0; i < len(words); i += 2 {
			var day int
			if _, err := fmt.Sscan(words[i], &day); err != nil {
				t.Fatal(err)
			}
			c := cdx.Capture{Time: archivetest.At(day - 1), URL: "http://a.example/", MIME: "text/html", Status: 200}
			switch words[i+1] {
			case "gif":
				c.MIME = "image/gif"
			case "missing":
				c.Status = 404
			case "redirect":
				c.Status = 302
			}
			tl.Captures = append(tl.Captures, c)
		}
		got := 0
		if c := nearestPage(tl, archivetest.At(tt.day-1)); c != nil {
			got = c.Time.Time().Day()
		}
		if got != tt.want {
			t.Errorf("%s: the %d., want the %d.", tt.name, got, tt.want)
		}
	}
}
