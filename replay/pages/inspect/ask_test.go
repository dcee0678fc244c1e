package inspect

import (
	"net/url"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/replay/respond"
)

func TestWhatIsAskedFor(t *testing.T) {
	a, err := parse(respond.Path{URIR: "http://a.example/", Params: url.Values{
		"name": {" price "}, "css": {" .price "}, "xpath": {""}, "type": {"number"}, "attribute": {" title "}, "all": {"1"},
		"clean": {"[^0-9]\r\n\r\n^0\n", "x"}, "element": {"0"}, "from": {"2016"}, "to": {"2016"}, "level": {"any"}, "output": {"csv"},
		"each": {" li "}, "key": {" name "}, "template": {"- {name: a, css: b}"},
	}})
	if err != nil || a.err != nil {
		t.Fatal(err, a.err)
	}
	want := fields.Field{
		Name: "price", CSS: ".price", Type: fields.Number, Attribute: "title", All: true, Clean: []string{"[^0-9]", "^0", "x"},
	}
	if diff := cmp.Diff(want, a.field); diff != "" {
		t.Error(diff)
	}
	if a.element != 0 || a.from != 20160101000000 || a.to != 20161231235959 || a.level != change.LevelAny || a.output != "csv" ||
		a.each != "li" || a.key != "name" || len(a.template) != 1 {
		t.Errorf("%+v", a)
	}
	a, err = parse(respond.Path{URIR: "http://a.example/", Params: url.Values{}})
	if err != nil || a.element != -1 || a.level != change.LevelText || a.hasField() || a.from != 0 || a.to != 0 {
		t.Errorf("nothing: %+v, %v", a, err)
	}
	for name, value := range map[string]string{"output": "xls", "element": "-1", "level": "deep", "from": "x", "to": "x"} {
		_, err := parse(respond.Path{URIR: "http://a.example/", Params: url.Values{name: {value}}})
		if f := respond.AsFailure(err); err == nil || f.Status != 400 {
			t.Errorf("%s=%s: %v", name, value, err)
		}
	}
	if _, err := parse(respond.Path{Params: url.Values{"element": {"x"}}}); err == nil {
		t.Error("an element without a number")
	}
}

// The chosen element gets a name that no field of the template has. A field that is named is the field of that name.
func TestNamesOfFields(t *testing.T) {
	long := "a_name_that_is_just_as_long_as_names_may_be"
	for _, tt := range []struct {
		name    string
		element int
		has     []string
		want    string
		all     []string // once it is put into the template
	}{
		{"", 3, nil, "value", []string{"value"}},
		{"", -1, []string{"value"}, "value_2", []string{"value", "value_2"}},
		{"", 3, []string{"value", "value_2"}, "value_3", []string{"value", "value_2", "value_3"}},
		{"price", 3, []string{"name"}, "price", []string{"name", "price"}},
		{"price", 3, []string{"price"}, "price_2", []string{"price", "price_2"}},
		{"price", -1, []string{"price", "name"}, "price", []string{"price", "name"}},
		{long, 3, []string{long}, long[:36] + "_2", []string{long, long[:36] + "_2"}},
	} {
		a := ask{element: tt.element, field: fields.Field{Name: tt.name, CSS: "new"}}
		for _, name := range tt.has {
			a.template = append(a.template, fields.Field{Name: name, CSS: "old"})
		}
		a.name()
		got := a.field.Name
		a.put()
		var all []string
		changed := ""
		for _, f := range a.template {
			all = append(all, f.Name)
			if f.CSS == "new" {
				changed += f.Name
			}
		}
		if got != tt.want || changed != tt.want || !slices.Equal(all, tt.all) || a.hasField() {
			t.Errorf("%q beside %q: %q, then %q, of which %q is new", tt.name, tt.has, got, all, changed)
		}
	}
}
