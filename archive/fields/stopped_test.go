package fields

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/internal/testkit/countdown"
)

// Whoever stops reading gets the error, not a part of the values.
func TestReadingIsWholeOrStopped(t *testing.T) {
	t.Parallel()
	d := parsed(t, page+`<ul class="offers"><li><b>flour</b><i>10</i><li><b>bran</b><i>8</i></ul>`)
	list := []Field{
		{Name: "one", CSS: "li > b", All: true},
		{Name: "two", XPath: "//li[b]/i", All: true},
		{Name: "three", XPath: "count(//li[b])"},
		{Name: "four", Each: "ul.offers li", Fields: []Field{{Name: "a", CSS: "b"}, {Name: "c", XPath: "//i"}}, All: true},
	}
	plain, err := New(list)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := NewRows("//li", list[:3])
	if err != nil {
		t.Fatal(err)
	}
	type answer struct {
		Values Values
		Rows   []Row
		Cut    bool
		Found  int
	}
	for name, ask := range map[string]func(context.Context) (answer, error){
		"the values of a page": func(ctx context.Context) (a answer, err error) { a.Values, err = plain.ReadFrom(ctx, d); return a, err },
		"the values of rows":   func(ctx context.Context) (a answer, err error) { a.Values, err = rows.ReadFrom(ctx, d); return a, err },
		"rows":                 func(ctx context.Context) (a answer, err error) { a.Rows, a.Cut, err = rows.Rows(ctx, d); return a, err },
		"a page as a row": func(ctx context.Context) (a answer, err error) {
			a.Rows, a.Cut, err = plain.Rows(ctx, d)
			return a, err
		},
		"elements": func(ctx context.Context) (a answer, err error) {
			found, err := d.Find(ctx, "li", "", 1000)
			return answer{Found: len(found)}, err
		},
		"elements of an expression": func(ctx context.Context) (a answer, err error) {
			found, err := d.Find(ctx, "", "//li", 1000)
			return answer{Found: len(found)}, err
		},
	} {
		whole, err := ask(t.Context())
		if err != nil || cmp.Equal(whole, answer{}) {
			t.Fatalf("%s: %+v, %v", name, whole, err)
		}
		stopped, done := 0, false
		for n := 0; !done && n < 100_000; n += 1 + n/10 {
			ctx := countdown.New(t, n)
			got, err := ask(ctx)
			switch {
			case err == nil:
				if diff := cmp.Diff(whole, got); diff != "" {
					t.Errorf("%s, stopped after %d: no error, and\n%s", name, n, diff)
				}
				done = !ctx.Over()
			case !errors.Is(err, context.Canceled):
				t.Errorf("%s, stopped after %d: %v", name, n, err)
			default:
				stopped++
			}
		}
		if !done || stopped < 3 {
			t.Errorf("%s: stopped %d times, done %v", name, stopped, done)
		}
	}
}

// Expressions give texts, numbers and truth. Where a page makes the library panic it has no value, and the next page has one.
func TestWhatExpressionsGive(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string]string{
		"count(//li)": "3", "count(//li) div 2": "1.5", "count(//li) > 2": "true", "count(//li) > 3": "false", "string(//li[2])": "5",
		"//b/@title": "a > b, c", "//nothing": "", "//li[3]/b/text()": "7",
	} {
		tmpl, err := New([]Field{{Name: "a", XPath: expression}})
		if err != nil {
			t.Fatal(expression, err)
		}
		for range 2 { // an expression is used again
			got, err := tmpl.ReadFrom(t.Context(), parsed(t, page))
			if err != nil || strings.Join(got["a"], "|") != want {
				t.Errorf("%s: %q, %v, want %q", expression, got["a"], err, want)
			}
		}
	}
}

// A page that is nested too deeply has no values; it is no error of whoever reads many pages.
func TestPagesNestedTooDeeply(t *testing.T) {
	t.Parallel()
	p := Page{Body: []byte(strings.Repeat("<div>", 1000) + "<b>x</b>"), ContentType: "text/html"}
	if d, err := Parse(p); err == nil {
		t.Fatalf("it is parsed: %+v", d)
	}
	for _, each := range []string{"", "b"} {
		tmpl, err := NewRows(each, []Field{{Name: "a", CSS: "b"}})
		if err != nil {
			t.Fatal(err)
		}
		if packed := tmpl.Pack(p); len(tmpl.Read(p)) > 0 || packed != "" {
			t.Errorf("each %q: %v, %q", each, tmpl.Read(p), packed)
		}
	}
}

// What a search stores of a page with rows are its rows, and its values are those of all of them.
func TestPackedRowsComeBack(t *testing.T) {
	t.Parallel()
	p := Page{Body: []byte("<ul><li><b>flour</b> <i>10</i><li><b>bran</b><li><b>flour</b> <i>12</i></ul>"), ContentType: "text/html"}
	tmpl, err := NewRows("li", []Field{{Name: "name", CSS: "b"}, {Name: "price", CSS: "i"}})
	if err != nil {
		t.Fatal(err)
	}
	packed := tmpl.Pack(p)
	want := []Row{
		{1, Values{"name": {"flour"}, "price": {"10"}}}, {2, Values{"name": {"bran"}}}, {3, Values{"name": {"flour"}, "price": {"12"}}},
	}
	all := Values{"name": {"flour", "bran"}, "price": {"10", "12"}}
	if diff := cmp.Diff(want, UnpackRows(packed)) + cmp.Diff(all, Unpack(packed)); diff != "" {
		t.Errorf("%s\n%s", packed, diff)
	}
	for _, other := range []string{"", "x", "{", "[", `[{"row":"x"}]`} {
		if UnpackRows(other) != nil || Unpack(other) != nil {
			t.Errorf("%q: %v, %v", other, UnpackRows(other), Unpack(other))
		}
	}
	if PackRows(nil) != "" {
		t.Errorf("of nothing: %q", PackRows(nil))
	}
}

// Rows are stored up to a megabyte exactly; of more the first ones are.
func TestPackedRowsAreBounded(t *testing.T) {
	t.Parallel()
	row := func(bytes int) Row { // as JSON
		const frame = len(`{"row":1,"values":{"a":[""]}}`)
		return Row{1, Values{"a": {strings.Repeat("x", bytes-frame)}}}
	}
	const most = 1 << 20
	for _, tt := range []struct {
		rows       []Row
		kept, size int
	}{
		{[]Row{row(most - 2)}, 1, most},
		{[]Row{row(most - 1)}, 0, 0},
		{[]Row{row(most - 103), row(100)}, 2, most},
		{[]Row{row(most - 103), row(101)}, 1, most - 101},
		{[]Row{row(100), row(most), row(100)}, 1, 102},
	} {
		packed := PackRows(tt.rows)
		if got := UnpackRows(packed); len(got) != tt.kept || len(packed) != tt.size {
			t.Errorf("%d rows in %d bytes, want %d in %d", len(got), len(packed), tt.kept, tt.size)
		}
	}
}

// The text of an element is read up to 256 KB; a selector may have 64 parts.
func TestLimitsOfReading(t *testing.T) {
	t.Parallel()
	tmpl, err := New([]Field{{Name: "a", CSS: "p", Clean: []string{"x+"}}})
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]string{ // a space precedes the text of a block
		256<<10 - 4: "end", 256<<10 - 3: "en", 256<<10 - 2: "e", 256<<10 - 1: "", 300 << 10: "",
	} {
		d := parsed(t, "<p>"+strings.Repeat("x", n)+"<i>end</i>")
		if got, err := tmpl.ReadFrom(t.Context(), d); err != nil || strings.Join(got["a"], "") != want {
			t.Errorf("%d: %q, %v, want %q", n, got["a"], err, want)
		}
	}
	deep := "<div>" + strings.Repeat("<i>", 70)
	for parts, ok := range map[int]bool{64: true, 65: false} {
		tmpl, err := New([]Field{{Name: "a", CSS: "div " + strings.TrimSpace(strings.Repeat("> i ", parts-1)), Attribute: "id", All: true}})
		if (err == nil) != ok || err != nil && !strings.Contains(err.Error(), "at most 64 parts") {
			t.Fatalf("%d parts: %v", parts, err)
		}
		if !ok {
			continue
		}
		body := strings.Replace(deep, strings.Repeat("<i>", parts-1), strings.Repeat("<i>", parts-2)+"<i id=found>", 1)
		if got, err := tmpl.ReadFrom(t.Context(), parsed(t, body)); err != nil || fmt.Sprint(got) != "map[a:[found]]" {
			t.Errorf("%d parts: %v, %v", parts, got, err)
		}
	}
}

// An error of a set says which rule is wrong, and where.
func TestWhichRuleIsWrong(t *testing.T) {
	t.Parallel()
	good := []Field{{Name: "a", CSS: "b"}}
	for name, tt := range map[string]struct {
		second Rule
		want   Error
	}{
		"a selector":                 {Rule{Fields: []Field{{Name: "c", CSS: "b"}, {Name: "d", CSS: "b["}}}, Error{1, 1, "d", "css", nil}},
		"rows":                       {Rule{Each: "li[", Fields: good}, Error{1, -1, "", "each", nil}},
		"another type":               {Rule{Fields: []Field{{Name: "a", CSS: "b", Type: Number}}}, Error{1, 0, "a", "type", nil}},
		"a name of searches":         {Rule{Fields: []Field{{Name: "score", CSS: "b"}}}, Error{1, 0, "score", "name", nil}},
		"no address":                 {Rule{URLs: []string{"a.example", ""}, Fields: good}, Error{1, -1, "", "urls", nil}},
		"white space":                {Rule{URLs: []string{" "}, Fields: good}, Error{1, -1, "", "urls", nil}},
		"no host":                    {Rule{URLs: []string{"*."}, Fields: good}, Error{1, -1, "", "urls", nil}},
		"the same, of the same kind": {Rule{URLs: []string{"*"}, Fields: good}, Error{}},
	} {
		set, err := NewSet([]Rule{{URLs: []string{"a.example/*"}, Fields: good}, tt.second})
		if tt.want.Key == "" {
			if err != nil || len(set.Columns()) != 1 {
				t.Errorf("%s: %v, %+v", name, err, set)
			}
			continue
		}
		of, ok := errors.AsType[*Error](err)
		if !ok || of.Err == nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := *of; got.Rule != tt.want.Rule || got.Field != tt.want.Field || got.Name != tt.want.Name || got.Key != tt.want.Key {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}
