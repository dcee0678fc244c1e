package inspect

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/fields"
)

var someFields = []fields.Field{
	{Name: "price", CSS: ".price", Type: fields.Number, Clean: []string{"[^0-9.]", `^(\w+), (.*) => ${2}: 'x'`}},
	{Name: "by", XPath: `//a[@rel="author"]`, All: true},
	{Name: "odd", CSS: "a,\n b[title=\"# {x}: [y]\"]", Attribute: "data-x", Type: fields.Text},
	{Name: "yes", CSS: "yes"},
	{Name: "no", CSS: "null"},
}

func TestTemplatesComeBack(t *testing.T) {
	want := append([]fields.Field{}, someFields...)
	want[2].Type = ""
	for _, text := range []string{
		formatTemplate(someFields, ""), "fields:\n" + formatTemplate(someFields, ""), "template:\n  " +
			"fields:\n" + formatTemplate(someFields, "    "),
		"fields:\n- urls: [x.example/*]\n  fields: [{name: a, css: b}]\n- fields:\n" + formatTemplate(someFields, "    "),
	} {
		got, err := parseTemplate(text, "example,shop)/")
		if diff := cmp.Diff(want, got.Fields); err != nil || diff != "" {
			t.Errorf("%v\n%s\n%s", err, text, diff)
		}
	}
	if lines := strings.Count(formatTemplate(someFields, ""), "\n"); lines != len(someFields) {
		t.Errorf("%d fields are on %d lines", len(someFields), lines)
	}
}

func TestFaultyTemplates(t *testing.T) {
	for text, say := range map[string]string{
		"":                                   "",
		"  \n":                               "",
		"- {name: a, css: b}\n- {colour: c}": "line 2: unknown key colour",
		"template: [a]":                      "line 1",
		"a: b":                               "unknown key a",
		"- {name: [a]}":                      "line 1",
		"- urls: ['*.']\n  fields: []":       "urls",
		"- {urls: [other.example/], fields: [{name: a, css: b}]}":         "no rule of the template is for this address",
		strings.Repeat(" ", maxTemplate+1):                                "at most 16384 bytes",
		strings.Repeat("- {name: a, css: b}\n", maxFields+1):              "at most 30 fields",
		"a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n": "unknown key a",
	} {
		_, err := parseTemplate(text, "example,shop)/")
		if say == "" && err != nil || say != "" && (err == nil || !strings.Contains(err.Error(), say)) {
			t.Errorf("%.40q: %v, want %q", text, err, say)
		}
	}
}

func FuzzTemplate(f *testing.F) {
	f.Add(formatTemplate(someFields, ""))
	f.Add("template: {fields: [{name: a, css: \"b\\nc\", clean: [x]}]}")
	f.Add("- {urls: [a.example], fields: [{name: a, css: b}]}")
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := parseTemplate(text, "example,a)/")
		list := parsed.Fields
		if err != nil {
			t.Skip()
		}
		read, err := parseTemplate(formatTemplate(list, ""), "example,a)/")
		for i := range list {
			if list[i].Type == fields.Text {
				list[i].Type = ""
			}
			if len(list[i].Clean) == 0 {
				list[i].Clean = nil
			}
		}
		if diff := cmp.Diff(list, read.Fields); err != nil || diff != "" {
			t.Errorf("%v\n%q\n%s", err, formatTemplate(list, ""), diff)
		}
	})
}

func TestModest(t *testing.T) {
	for _, tt := range []struct {
		field fields.Field
		ok    bool
	}{
		{fields.Field{CSS: "a b > c ~ d"}, true},
		{fields.Field{CSS: "a:not(.b) c:has( i ) d:nth-child(2n + 1)"}, true},
		{fields.Field{CSS: "a:has(b c)"}, false},
		{fields.Field{CSS: "a:HAS(b:has(c))"}, false},
		{fields.Field{CSS: "a:not(b>c)"}, false},
		{fields.Field{CSS: "a:has(b"}, true}, // refused as a selector
		{fields.Field{CSS: `a:not([title="b (c) d"]):has([href="/x*"], i)`}, false},
		{fields.Field{CSS: `a:not([title="b (c) d"]):has([href="http://x/*"])`}, true},
		{fields.Field{CSS: `#a\:b\.c .md\:has\(x .d\:e\:f:not(:first-child)`}, true},
		{fields.Field{CSS: `[title=":has(a b) /*"]`}, true},
		{fields.Field{CSS: `:h\61s(x * * *)`}, false},
		{fields.Field{CSS: `:h\61 s(x * * *)`}, false},
		{fields.Field{CSS: `:\68 as(x * * *)`}, false},
		{fields.Field{CSS: `[a="\""]:has(x * * *)`}, false},
		{fields.Field{CSS: `:has(x/**/*/**/*)`}, false},
		{fields.Field{CSS: "a/*\"*/:has(b c)"}, false},
		{fields.Field{CSS: "a:has(b\fc)"}, false},
		{fields.Field{CSS: "a:has(b\rc)"}, false},
		{fields.Field{CSS: `a:has([x=")"] * *)`}, false},
		{fields.Field{CSS: `a:has(.a\) * *)`}, false},
		{fields.Field{CSS: "a:has(b:last-of-type)"}, false},
		{fields.Field{CSS: `a:matches(\() b:has(c d)`}, false},
		{fields.Field{CSS: `a[b#="] b:has(c d)`}, false},
		{fields.Field{XPath: `replace(replace("aaaaaaaaaa","a","aaaaaaaaaaaaaaaa"),"a","aaaaaaaaaaaaaaaa")`}, false},
		{fields.Field{XPath: "//a[fn:replace\u00a0\n(., 'a', 'b')]"}, false},
		{fields.Field{XPath: "string-join\t(//*, '')"}, false},
		{fields.Field{XPath: "//replace[@replace='replace(']/concat"}, true},
		{fields.Field{XPath: `//a[contains(concat(" ",normalize-space(@class)," "),"b")]/i[contains(concat(" ",@class," ")," c ")]`}, true},
		{fields.Field{XPath: "//a[matches(., '(a){1000}')]"}, false},
		{fields.Field{Clean: []string{`^(abc){1000}$ => a`}}, false},
		{fields.Field{Clean: []string{`^\D{1,200}(\d{4})-\d\d => ${1}`, "("}}, true}, // the last is refused as an expression
		{fields.Field{XPath: "concat(concat(., .), ')')"}, false},
		{fields.Field{XPath: "concat (., ')', concat(., .))"}, false},
		{fields.Field{XPath: "concat(.,.,.,.,.,.,.,.,.,.)"}, false},
		{fields.Field{XPath: "//" + strings.Repeat("a", maxSelector)}, false},
		{fields.Field{Clean: make([]string, maxCleans+1)}, false},
		{fields.Field{Clean: []string{strings.Repeat("a", maxClean+1)}}, false},
	} {
		if err := checkModest(&tt.field); (err == nil) != tt.ok {
			t.Errorf("%+v: %v", tt.field, err)
		}
	}
}
