package fields_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/varve-archive/varve/archive/fields"
)

const shop = `<!doctype html><html><head><base href="/shop/"><title>Ladder</title>
<meta property="og:price" content="19.50"></head><body>
<h1>A  long
ladder</h1>
<p class="price">EUR <b>1,234</b>.50</p>
<div class="price">from <s>20</s></div>
<ul class="by"><li>Ada</li><li> Grace </li><li>Ada</li><li></li></ul>
<a class="more" href="parts?id=3">parts</a> <a class="more" href="mailto:a@b.example">mail</a>
<img class="big" src="//img.example/l.png">
<time datetime="2016-03-01T10:30:00+01:00">yesterday</time> <span class="day">5. 12. 2015</span>
<div class="text">one<p>two</p><script>three</script>fo<i>ur</i></div>
</body></html>`

func read(t *testing.T, body string, list ...fields.Field) fields.Values {
	t.Helper()
	for i := range list {
		if list[i].Name == "" {
			list[i].Name = fmt.Sprintf("f%d", i)
		}
	}
	template, err := fields.New(list)
	if err != nil {
		t.Fatal(err)
	}
	return template.Read(fields.Page{Body: []byte(body), ContentType: "text/html; charset=utf-8", URL: "https://www.example.org/a/b"})
}

func TestValues(t *testing.T) {
	for _, tt := range []struct {
		name  string
		field fields.Field
		want  []string
	}{
		{"the text of an element, with single spaces", fields.Field{CSS: "h1"}, []string{"A long ladder"}},
		{"the first with a value", fields.Field{CSS: ".price", Type: fields.Number, Clean: []string{"[^0-9.]"}}, []string{"1234.5"}},
		{"all with a value", fields.Field{CSS: ".price", Type: fields.Number, Clean: []string{"[^0-9.]"}, All: true}, []string{"1234.5", "20"}},
		{"what is no number has no value", fields.Field{CSS: ".price", Type: fields.Number}, nil},
		{"clean replaces", fields.Field{CSS: "h1", Clean: []string{`^A (\w+) => ${1}er`, "ladder"}}, []string{"longer"}},
		{"each value once, none that is empty", fields.Field{CSS: ".by li", All: true}, []string{"Ada", "Grace"}},
		{"a link", fields.Field{CSS: "a.more", Type: fields.Link}, []string{"https://www.example.org/shop/parts?id=3"}},
		{"an image", fields.Field{XPath: "//img[@class='big']", Type: fields.Image}, []string{"https://img.example/l.png"}},
		{"the datetime of a time element", fields.Field{CSS: "time", Type: fields.Date}, []string{"2016-03-01T09:30:00Z"}},
		{"a date that is written", fields.Field{CSS: ".day", Type: fields.Date}, []string{"2015-12-05"}},
		{"an attribute", fields.Field{CSS: "time", Attribute: "datetime"}, []string{"2016-03-01T10:30:00+01:00"}},
		{"the content of a meta element", fields.Field{CSS: "meta[property='og:price']", Type: fields.Number}, []string{"19.5"}},
		{"blocks divide words, scripts say nothing", fields.Field{CSS: ".text"}, []string{"one two four"}},
		{"an attribute by XPath", fields.Field{XPath: "//a/@href", All: true}, []string{"parts?id=3", "mailto:a@b.example"}},
		{"a text by XPath", fields.Field{XPath: "string(//li[2])"}, []string{"Grace"}},
		{"a number by XPath", fields.Field{XPath: "count(//li)", Type: fields.Number}, []string{"4"}},
		{"nothing there", fields.Field{CSS: ".none"}, nil},
		{"several selectors", fields.Field{CSS: ".none, h1"}, []string{"A long ladder"}},
	} {
		tt.field.Name = "f"
		if diff := cmp.Diff(tt.want, read(t, shop, tt.field)["f"]); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, diff)
		}
	}
}

// What says nothing, or leads nowhere, is no value.
func TestOddValues(t *testing.T) {
	link, date := fields.Field{CSS: "a", Type: fields.Link, All: true}, fields.Field{CSS: "i, time", Type: fields.Date, All: true}
	for body, want := range map[string][]string{
		`<a href="">`: nil, `<a href=" ">`: nil, `<a href="http://[">`: nil, `<a href="#top">`: {"https://www.example.org/a/b#top"},
		`<a href="/50%-off">`:                              {"https://www.example.org/50%-off"},
		`<a href="/ä[1]|?ö">`:                              {"https://www.example.org/%C3%A4[1]|?%C3%B6"},
		`<a href="\x">`:                                    {"https://www.example.org/x"},
		`<a href="1:2">`:                                   {"https://www.example.org/a/1:2"},
		`<a href="//BÜCHER.example:443/">`:                 {"https://xn--bcher-kva.example/"},
		`<base href="http://["><a href="c">`:               {"https://www.example.org/a/c"},
		`<base><base href=/x/><base href=/y/><a href="c">`: {"https://www.example.org/x/c"},
	} {
		if diff := cmp.Diff(want, read(t, body, link)["f0"]); diff != "" {
			t.Error(body, diff)
		}
	}
	for body, want := range map[string][]string{
		`<i datetime=2000-01-01>2015-12-05</i>`: {"2015-12-05"}, `<time>2015-12-05</time>`: {"2015-12-05"},
		`<time datetime="">2015-12-05</time>`: {"2015-12-05"},
	} {
		if diff := cmp.Diff(want, read(t, body, date)["f0"]); diff != "" {
			t.Error(body, diff)
		}
	}
	template, err := fields.New([]fields.Field{{Name: "f", CSS: "a", Type: fields.Link}})
	if err != nil {
		t.Fatal(err)
	}
	if v := template.Read(fields.Page{Body: []byte("<a href=b>"), ContentType: "text/html"}); len(v) > 0 {
		t.Errorf("a relative link of a page whose address nobody knows: %q", v)
	}
	text := fields.Field{CSS: "p, time"}
	for body, want := range map[string][]string{"<p>a<!-- x -->b": {"ab"}, "<time datetime=2000>yesterday</time>": {"yesterday"}} {
		if diff := cmp.Diff(want, read(t, body, text)["f0"]); diff != "" {
			t.Error(body, diff)
		}
	}
}

// A field has at most a hundred values of a page, each of at most five hundred bytes.
func TestValuesAreBounded(t *testing.T) {
	for n, want := range map[int]int{99: 99, 100: 100, 101: 100} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "<li>%d", i)
		}
		if got := read(t, b.String(), fields.Field{CSS: "li", All: true})["f0"]; len(got) != want || got[want-1] != fmt.Sprint(want-1) {
			t.Errorf("of %d elements %d values", n, len(got))
		}
	}
	for n, want := range map[int]int{499: 499, 500: 500, 501: 500} {
		if got := read(t, "<li>"+strings.Repeat("x", n), fields.Field{CSS: "li"})["f0"]; len(got) != 1 || len(got[0]) != want {
			t.Errorf("of %d bytes %d", n, len(got[0]))
		}
	}
}

func TestCharsetsAndRubbish(t *testing.T) {
	template, err := fields.New([]fields.Field{{Name: "h", CSS: "h1"}})
	if err != nil {
		t.Fatal(err)
	}
	late := "<!--" + strings.Repeat(" ", 1024) + "-->" // what follows is behind where browsers look first
	for _, tt := range []struct{ body, contentType, want string }{
		{"<h1>caf\xe9</h1>", "text/html; charset=iso-8859-1", "café"},
		{"<meta charset=windows-1251><h1>\xc4\xe0</h1>", "text/html", "Да"},
		{"<h1>no end", "", "no end"},
		{"", "", ""},
		{"<h1>\x00\xff", "text/html; charset=utf-8", "\ufffd"},
		{late + "<h1>Müller</h1>", "text/html", "Müller"},
		{late + "<meta charset=koi8-r><h1>\xe4\xc1</h1>", "text/html", "Да"},
		{late + "<h1>caf\xe9</h1>", "text/html", "café"},
		{"<h1>" + strings.Repeat("é", 400), "text/html; charset=utf-8", strings.Repeat("é", 250)},
	} {
		got := template.Read(fields.Page{Body: []byte(tt.body), ContentType: tt.contentType, URL: "://"})["h"]
		if strings.Join(got, "|") != tt.want {
			t.Errorf("%.40q: %q, want %q", tt.body, got, tt.want)
		}
	}
}

// A page without a byte is one in which nothing is found, as in a browser, and not one that can't be read.
func TestAnEmptyPageIsParsed(t *testing.T) {
	if d, err := fields.Parse(fields.Page{ContentType: "text/html", URL: "http://a.example/"}); err != nil || d.Root.FirstChild == nil {
		t.Errorf("%v, %v", d, err)
	}
}

// A template is used by many at once, each with a page of its own.
func TestManyReadAtOnce(t *testing.T) {
	template, err := fields.New([]fields.Field{{Name: "a", XPath: "//i[@class='x']", All: true}, {Name: "b", CSS: "i"}})
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for g := range 8 {
		wait.Go(func() {
			body := []byte(fmt.Sprintf("<p><i class=x>%d</i><b>-</b><i class=x>%d.1</i>", g, g))
			want := fields.Values{"a": {fmt.Sprint(g), fmt.Sprint(g) + ".1"}, "b": {fmt.Sprint(g)}}
			for range 200 {
				if diff := cmp.Diff(want, template.Read(fields.Page{Body: body, URL: "http://a.example/"})); diff != "" {
					t.Errorf("%d (-want +got)\n%s", g, diff)
					return
				}
			}
		})
	}
	wait.Wait()
}

func TestNumbersAndDates(t *testing.T) {
	for s, want := range map[string]string{
		"12": "12", "-0.5": "-0.5", "1e3": "1000", ".5": "0.5", "1,5": "", "": "", "NaN": "", "Inf": "", "0x10": "", "1_0": "", "1e999": "",
		"12 €": "", "\u22125.5": "-5.5", "-\u22125": "", "-0": "0",
	} {
		got := read(t, "<b>"+s+"</b>", fields.Field{Name: "n", CSS: "b", Type: fields.Number})["n"]
		if strings.Join(got, "") != want {
			t.Errorf("number %q is %q, want %q", s, got, want)
		}
	}
	for s, want := range map[string]string{
		"2016-03-01": "2016-03-01", "20160301": "2016-03-01", "20160301123000": "2016-03-01T12:30:00Z", "2016": "2016-01-01",
		"1 March 2016": "2016-03-01", "March 1, 2016": "2016-03-01", "Mar 1, 2016": "2016-03-01", "01.03.2016": "2016-03-01",
		"Tue, 01 Mar 2016 12:00:00 GMT": "2016-03-01T12:00:00Z", "2016-03-01T12:00:00-05:00": "2016-03-01T17:00:00Z",
		"2016-03-01T12:00:00+0100": "2016-03-01T11:00:00Z", "2016-03-01T12:00:00.5-0500": "2016-03-01T17:00:00Z",
		"2016-03-01 12:00+01:00": "2016-03-01T11:00:00Z", "2016-03-01 12:00:00 +0100": "2016-03-01T11:00:00Z",
		"2016-03-01 12:00Z":              "2016-03-01T12:00:00Z",
		"Tue, 1 Mar 2016 12:00:00 +0100": "2016-03-01T11:00:00Z", "Tue, 01 Mar 2016 12:00:00 EST": "2016-03-01T17:00:00Z",
		"Tue, 01 Mar 2016 12:00:00 EDT": "2016-03-01T16:00:00Z", "Tue, 01 Mar 2016 12:00:00 CST": "2016-03-01T18:00:00Z",
		"Tue, 01 Mar 2016 12:00:00 MST": "2016-03-01T19:00:00Z", "Tue, 01 Mar 2016 12:00:00 PST": "2016-03-01T20:00:00Z",
		"Tue, 01 Mar 2016 12:00:00 CET": "2016-03-01T12:00:00Z", "Tue Mar  1 12:00:00 2016": "2016-03-01T12:00:00Z",
		"Tue Mar 1 12:00:00 PDT 2016": "2016-03-01T19:00:00Z", "Tue Mar 01 12:00:00 +0100 2016": "2016-03-01T11:00:00Z",
		"Tuesday, 01-Mar-16 12:00:00 GMT": "2016-03-01T12:00:00Z", "Tuesday, March 1st, 2016 at 12:30 p.m.": "2016-03-01T12:30:00Z",
		"2nd Sept. 2016": "2016-09-02", "3rd sept 2016, 3:04 AM": "2016-09-03T03:04:00Z", "Mar. 2016": "2016-03-01", "31 April 2016": "",
		"Tue, 1 Mar 16 12:00 EST": "2016-03-01T17:00:00Z", "1 Mar 16 12:00:30 +0100": "2016-03-01T11:00:30Z", "01 Mar 16": "2016-03-01",
		"Tue, 01 Mar 2016 02:00 PM EST": "2016-03-01T19:00:00Z", "1 Mar 2016 2:00:05 PM -0500": "2016-03-01T19:00:05Z",
		"Tuesday, March 01, 2016 - 15:04": "2016-03-01T15:04:00Z", "March 1, 16": "", "1 Mar 116": "",
		"1 March 2016 15:04": "2016-03-01T15:04:00Z", "Tue, March 1": "", "Tuesday": "", ", at .": "",
		"03/01/2016": "", "2016-13-01": "", "yesterday": "", "0000-01-01": "", "0001-01-01": "0001-01-01",
	} {
		got := read(t, "<b>"+s+"</b>", fields.Field{Name: "d", CSS: "b", Type: fields.Date})["d"]
		if strings.Join(got, "") != want {
			t.Errorf("date %q is %q, want %q", s, got, want)
		}
	}
}

func TestOrder(t *testing.T) {
	for _, pair := range []struct {
		of          fields.Type
		less, great string
	}{
		{fields.Number, "-3", "2.5"},
		{fields.Number, "9", "10"},
		{fields.Date, "2016-03-01", "2016-03-01T00:00:01Z"},
		{fields.Date, "1969-12-31", "1970-01-01"},
	} {
		a, ok := pair.of.Order(pair.less)
		b, also := pair.of.Order(pair.great)
		if !ok || !also || a >= b {
			t.Errorf("%s: %s is %f, %s is %f", pair.of, pair.less, a, pair.great, b)
		}
	}
	if _, ok := fields.Text.Order("1"); ok {
		t.Error("texts have a number in their order")
	}
}

func TestPackedValuesComeBack(t *testing.T) {
	for _, v := range []fields.Values{nil, {"a": {"1"}}, {"b": {"x", "\"\n"}, "a": {"é"}}} {
		if diff := cmp.Diff(v, fields.Unpack(v.Pack())); diff != "" {
			t.Error(diff)
		}
	}
	if got := fields.Unpack("{"); got != nil {
		t.Errorf("what is no text of values is read as %v", got)
	}
}

func TestFaultyFieldsAreRefused(t *testing.T) {
	for want, f := range map[string]fields.Field{
		"price: css: ":              {Name: "price", CSS: "div["},
		"price: xpath: ":            {Name: "price", XPath: "//div["},
		"price: css: a field needs": {Name: "price"},
		"price: xpath: a field has": {Name: "price", CSS: "a", XPath: "//a"},
		"price: type: \"money\"":    {Name: "price", CSS: "a", Type: "money"},
		"price: clean: ":            {Name: "price", CSS: "a", Clean: []string{"("}},
		strings.Repeat("p", 41):     {Name: strings.Repeat("p", 41), CSS: "a"},
		"Price: name: ":             {Name: "Price", CSS: "a"},
		"name: \"\": want a letter": {CSS: "a"},
		"price: xpath: not yet":     {Name: "price", XPath: "unknown(//a)"},
	} {
		if _, err := fields.New([]fields.Field{f}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v: %v, want %s…", f, err, want)
		}
	}
	if _, err := fields.New([]fields.Field{{Name: strings.Repeat("p", 40), CSS: "a"}}); err != nil {
		t.Error(err)
	}
	if _, err := fields.New([]fields.Field{{Name: "a", CSS: "a"}, {Name: "a", CSS: "b"}}); err == nil {
		t.Error("two fields of one name are taken")
	}
}

func TestSet(t *testing.T) {
	one := []fields.Field{{Name: "price", CSS: ".price", Type: fields.Number}}
	s, err := fields.NewSet([]fields.Rule{
		{URLs: []string{"http://shop.example/items/*", "*.books.example"}, Fields: one},
		{URLs: []string{"http://shop.example/"}, Fields: []fields.Field{{Name: "name", CSS: "h1"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"example,shop)/items/3": ".50", "example,shop)/items": ".50", "example,shop)/items2": "",
		"example,books,old)/": ".50", "example,shop)/": "Ladder",
		"example,shop)/about": "", "example,other)/": "",
	} {
		template, sum := s.For(key)
		if (template == nil) != (want == "") || (sum == 0) != (want == "") {
			t.Errorf("%s: template %v, sum %x", key, template, sum)
		}
	}
	if diff := cmp.Diff([]fields.Column{{Name: "price", Type: fields.Number}, {Name: "name", Type: fields.Text}}, s.Columns()); diff != "" {
		t.Error(diff)
	}
	if c, ok := s.Column("name"); !ok || c.Type != fields.Text {
		t.Errorf("the column of names: %+v, %v", c, ok)
	}
	if c, ok := s.Column("other"); ok {
		t.Errorf("a column of no field: %+v", c)
	}
	for name, rules := range map[string][]fields.Rule{
		"title: name: ": {{Fields: []fields.Field{{Name: "title", CSS: "a"}}}}, // means something else in searches
		"price: type: ": {{Fields: one}, {Fields: []fields.Field{{Name: "price", CSS: "b"}}}},
		"urls: ":        {{URLs: []string{"*."}, Fields: one}},
	} {
		if _, err := fields.NewSet(rules); err == nil || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("%v, want %s", err, name)
		}
	}
	other, _ := fields.NewSet([]fields.Rule{{Fields: one}})
	if template, _ := other.For("anything)/"); template == nil {
		t.Error("a rule without addresses is not for all pages")
	}
	rows, _ := fields.NewSet([]fields.Rule{{Each: "li", Fields: one}})
	empty, _ := fields.NewSet(nil)
	var none *fields.Set
	if none.HasRows() || empty.HasRows() || s.HasRows() || !rows.HasRows() || empty.Sum() != 0 {
		t.Error("a set doesn't know whether it has templates, or whether they read rows")
	}
	if template, sum := none.For("a)/"); template != nil || sum != 0 || none.Sum() != 0 || none.Columns() != nil || other.Sum() == s.Sum() {
		t.Error("the nil set has something, or two sets have one sum")
	}
}

func FuzzRead(f *testing.F) {
	template, err := fields.New([]fields.Field{
		{Name: "a", CSS: "b, i", All: true},
		{Name: "b", XPath: "//a[position()=last()]/@href", Type: fields.Link, All: true},
		{Name: "c", XPath: "sum(//b)", Type: fields.Number},
		{Name: "d", CSS: "time", Type: fields.Date},
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(shop), "text/html")
	f.Add([]byte("<b>1</b><b>x"), "")
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		v := template.Read(fields.Page{Body: body, ContentType: contentType, URL: "http://a.example/"})
		if diff := cmp.Diff(v.Pack(), fields.Unpack(v.Pack()).Pack()); diff != "" {
			t.Error(diff)
		}
	})
}

func Example() {
	template, _ := fields.New([]fields.Field{
		{Name: "price", CSS: ".price", Type: fields.Number, Clean: []string{"[^0-9.]"}},
		{Name: "since", XPath: "//time", Type: fields.Date},
	})
	values := template.Read(fields.Page{Body: []byte(`<p class=price>$ 1,250.00</p><time>3 May 2015</time>`)})
	fmt.Println(values["price"], values["since"])
	// Output: [1250] [2015-05-03]
}

func TestFindEndsWhenItHasEnough(t *testing.T) {
	d, err := fields.Parse(fields.Page{Body: []byte("<ul><li>a<li>b<li>c</ul>"), ContentType: "text/html"})
	if err != nil {
		t.Fatal(err)
	}
	for most, want := range map[int]int{1: 1, 2: 2, 3: 3, 4: 3} {
		for _, by := range [][2]string{{"li", ""}, {"", "//li"}} {
			if found, err := d.Find(t.Context(), by[0], by[1], most); err != nil || len(found) != want {
				t.Errorf("up to %d by %q: %d, %v", most, by, len(found), err)
			}
		}
	}
}

func TestFieldsOfXHTML(t *testing.T) {
	t.Parallel()
	d, err := fields.Parse(fields.Page{
		Body:        []byte("<?xml version='1.0' encoding='iso-8859-1'?><html><script src='a.js'/><h1>Caf\xe9</h1></html>"),
		ContentType: "application/xhtml+xml",
	})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := html.Render(&out, d.Root); err != nil || !strings.Contains(out.String(), "<h1>Café</h1>") {
		t.Errorf("%s, %v", out.String(), err)
	}
}
