package fields_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/fields"
)

const reviewed = `<ul>
<li class=offer><b class=name>Boat</b><p class=review><i class=who>Ann</i> <b class=stars>5</b> <a>x</a><a>y</a>
<p class=review><i class=who>Bob</i>
<li class=offer><b class=name>Oar</b>
<li class=offer><p class=review><b class=stars>1</b><p class=review></p>
</ul>`

func reviews() []fields.Field {
	return []fields.Field{{Name: "name", CSS: ".name"}, {Name: "reviews", Each: ".review", Fields: []fields.Field{
		{Name: "who", CSS: ".who"}, {Name: "stars", CSS: ".stars", Type: fields.Number}, {Name: "tags", CSS: "a", All: true},
	}}}
}

// A list within a row has an object for each item that has any value.
func TestListsWithinDocuments(t *testing.T) {
	t.Parallel()
	tmpl, err := fields.NewRows("li.offer", reviews())
	if err != nil {
		t.Fatal(err)
	}
	d, err := fields.Parse(fields.Page{Body: []byte(reviewed), ContentType: "text/html", URL: "http://a.example/"})
	if err != nil {
		t.Fatal(err)
	}
	rows, cut, err := tmpl.Rows(t.Context(), d)
	if err != nil || cut || len(rows) != 3 {
		t.Fatal(rows, cut, err)
	}
	var got []string
	for _, r := range rows {
		text, err := json.Marshal(tmpl.Data(r.Values))
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(text))
	}
	want := []string{
		`{"name":["Boat"],"reviews":[{"stars":"5","tags":["x","y"],"who":"Ann"},{"who":"Bob"}]}`,
		`{"name":["Oar"]}`,
		`{"reviews":[{"stars":"1"}]}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if unpacked := fields.UnpackRows(fields.PackRows(rows)); !cmp.Equal(unpacked, rows) {
		t.Error(cmp.Diff(rows, unpacked))
	}
	if packed := fields.PackRows(nil); packed != "" {
		t.Errorf("no rows are %q", packed)
	}
	whole, err := fields.New(reviews())
	if err != nil {
		t.Fatal(err)
	}
	values := whole.Read(fields.Page{Body: []byte(reviewed), ContentType: "text/html", URL: "http://a.example/"})
	if len(values["reviews"]) != 3 || values["name"][0] != "Boat" {
		t.Errorf("of the page: %v", values)
	}
}

// However many items a list has, a document has some of them, each whole.
func TestListsWithinDocumentsAreBounded(t *testing.T) {
	t.Parallel()
	tmpl, err := fields.New(reviews())
	if err != nil {
		t.Fatal(err)
	}
	for item, want := range map[string]int{
		`<p class=review><i class=who>Ann</i></p>`:                                                   100,
		`<p class=review>` + strings.Repeat("<a>"+strings.Repeat("x", 50)+"</a>", 100) + `</p>`:      100,
		`<p class=review>` + strings.Repeat("<a>"+strings.Repeat("x", 400)+"NUMBER</a>", 1) + `</p>`: 100,
		`<p class=review>` + manyTags() + `</p>`:                                                     1,
	} {
		values := tmpl.Read(fields.Page{Body: []byte(strings.Repeat(item, 300)), ContentType: "text/html", URL: "http://a.example/"})
		if got := values["reviews"]; len(got) != want || !json.Valid([]byte(got[len(got)-1])) {
			t.Errorf("%.40s: %d items, want %d", item, len(got), want)
		}
	}
}

// manyTags are as many values of a field as are read, each as long as one may be.
func manyTags() string {
	var b strings.Builder
	for i := range 100 {
		b.WriteString("<a>" + strings.Repeat(string(rune('a'+i%26)), 300+i) + "</a>")
	}
	return b.String()
}

func TestListsWithinDocumentsThatCantBeMeant(t *testing.T) {
	t.Parallel()
	one := []fields.Field{{Name: "a", CSS: "b"}}
	for key, f := range map[string]fields.Field{
		"each: fields within a field need each":      {Name: "x", Fields: one},
		"fields: a field with each has fields":       {Name: "x", Each: "p"},
		"each: a field with each has fields, and no": {Name: "x", Each: "p", Fields: one, CSS: "p"},
		"type: a field with each has no type":        {Name: "x", Each: "p", Fields: one, Type: fields.Number},
		"fields: a list within a list":               {Name: "x", Each: "p", Fields: []fields.Field{{Name: "y", Each: "p", Fields: one}}},
		"fields: B: name":                            {Name: "x", Each: "p", Fields: []fields.Field{{Name: "B", CSS: "b"}}},
		"each: expected":                             {Name: "x", Each: "p[", Fields: one},
	} {
		_, err := fields.New([]fields.Field{f})
		var of *fields.Error
		if !errors.As(err, &of) || of.Name != "x" || !strings.HasPrefix(err.Error(), "x: "+key) {
			t.Errorf("%+v: %v", f, err)
		}
	}
}
