package fields

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// rowsOf returns the rows of a page as "NUMBER FIELD=VALUE,VALUE …".
func rowsOf(t testing.TB, each, body string, list ...Field) (out []string, cut bool) {
	t.Helper()
	tmpl, err := NewRows(each, list)
	if err != nil {
		t.Fatal(err)
	}
	rows, cut, err := tmpl.Rows(context.Background(), parsed(t, body))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		line := fmt.Sprint(r.Number)
		for _, f := range list {
			if v := r.Values[f.Name]; v != nil {
				line += " " + f.Name + "=" + strings.Join(v, ",")
			}
		}
		out = append(out, line)
	}
	return out, cut
}

func TestRows(t *testing.T) {
	t.Parallel()
	const table = `<table><tr><th>Name<th>Price<tr><td class=n>Ladder<td class=p>2<tr><td class=n>Chair<td class=p>
		<tr><td class=n>Table<td class=p>40</table>`
	name, price := Field{Name: "n", CSS: ".n"}, Field{Name: "p", CSS: ".p", Type: Number}
	for what, tt := range map[string]struct {
		each, body string
		fields     []Field
		want       []string
	}{
		"a missing value stays empty": {"tr", table, []Field{name, price}, []string{"2 n=Ladder p=2", "3 n=Chair", "4 n=Table p=40"}},
		"by XPath, fields too": {
			"//tr[td]", table, []Field{{Name: "n", XPath: "//td[1]"}}, []string{"1 n=Ladder", "2 n=Chair", "3 n=Table"},
		},
		"by a relative XPath":    {"./html/body/table/tbody/tr[td]", table, []Field{name}, []string{"1 n=Ladder", "2 n=Chair", "3 n=Table"}},
		"relative expressions":   {"//tr[td]", table, []Field{{Name: "n", XPath: ".//td[2]"}}, []string{"1 n=2", "3 n=40"}},
		"attributes are no rows": {"//td/@class", table, []Field{name}, nil},
		"nothing":                {"li", table, []Field{name}, nil},
		"a row in a row has its own values": {
			"div", `<div><p class=n>a</p><div><p class=n>b</div></div>`, []Field{{Name: "n", CSS: ".n", All: true}}, []string{"1 n=a", "2 n=b"},
		},
		"cut off in a row":                   {"li", `<li><b class=n>a</b><li><b class=n>b`, []Field{name}, []string{"1 n=a", "2 n=b"}},
		"the element itself":                 {"li", `<li data-id=7>a`, []Field{{Name: "i", CSS: "li", Attribute: "data-id"}}, []string{"1 i=7"}},
		"what is around a row isn't in it":   {"li", `<ul class=n><li>a</ul>`, []Field{{Name: "n", CSS: "ul li"}}, nil},
		"a page without values is no row":    {"", `<p>a`, []Field{name}, nil},
		"a template without rows is one row": {"", `<p class=n>a`, []Field{name}, []string{"1 n=a"}},
	} {
		if got, cut := rowsOf(t, tt.each, tt.body, tt.fields...); cut || !cmp.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", what, got, tt.want)
		}
	}
	many := strings.Repeat("<li><b>a</b>", MaxRows+1)
	if got, cut := rowsOf(t, "li", many, Field{Name: "n", CSS: "b"}); !cut || len(got) != MaxRows {
		t.Errorf("%d rows of many, cut %t", len(got), cut)
	}
}

// A page has the values of all its rows, each once.
func TestAPageHasTheValuesOfItsRows(t *testing.T) {
	t.Parallel()
	tmpl, err := NewRows("li", []Field{{Name: "n", CSS: "b"}})
	if err != nil {
		t.Fatal(err)
	}
	got := tmpl.Read(Page{Body: []byte("<li><b>a</b><li><b>b</b><li><b>a</b>"), ContentType: "text/html"})
	if want := (Values{"n": {"a", "b"}}); !cmp.Equal(got, want) {
		t.Error(got)
	}
	var wrong *Error
	if _, err := NewRows("li[", []Field{{Name: "n", CSS: "b"}}); !errors.As(err, &wrong) || wrong.Key != "each" || wrong.Field != -1 {
		t.Errorf("%v", err)
	}
}

// Numbers and dates have an order, and searches have words of their own.
func TestTypesAndNamesOfFields(t *testing.T) {
	for kind, want := range map[Type]bool{Number: true, Date: true, Text: false, "": false} {
		if got := kind.Ordered(); got != want {
			t.Errorf("%q: ordered %v", kind, got)
		}
	}
	for name, want := range map[string]bool{
		"title": true, "url": true, "site": true, "score": true, "newest": true, "oldest": true, "price": false, "": false,
	} {
		if got := IsReserved(name); got != want {
			t.Errorf("%q: reserved %v", name, got)
		}
	}
}
