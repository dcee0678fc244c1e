package e2e

import (
	"encoding/csv"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	floods   = "http://www.riverbend.example/history.html"
	floodsAt = "20161001092236"
)

// An inspected is what /{coll}/inspect says as JSON.
type inspected struct {
	Datetime string
	Level    string
	Total    int
	Element  *struct {
		Number       *int
		CSS, XPath   string
		Finds        int
		Holds, Tried *int
	}
	Template string
	Fields   []struct{ Name, CSS, Type string }
	Versions []struct {
		First, Last string
		URIM        string `json:"uri_m"`
		Values      map[string][]string
		Changed     []string
		Note        *string
	}
	Next *string
}

func inspect(t *testing.T, s *server, query url.Values) (out inspected) {
	t.Helper()
	a := s.get(t, "/web/inspect?"+query.Encode()).expect(t, 200, "Content-Type: application/json", "Access-Control-Allow-Origin: *")
	if err := json.Unmarshal([]byte(a.body), &out); err != nil {
		t.Fatalf("%v: %.300s", err, a.body)
	}
	return out
}

// All versions of a page of the sample archive, with what a selector finds in each.
func TestValuesOfAllVersions(t *testing.T) {
	s := demo(t)
	got := inspect(t, s, url.Values{"url": {floods}, "css": {"p"}, "name": {"drowned"}, "all": {"1"}, "clean": {"^The great " +
		"flood.*(Eleven|Fourteen).*$ => ${1}"}})
	if got.Level != "text" || got.Total != len(got.Versions) || len(got.Versions) < 10 || got.Next != nil || got.Element == nil {
		t.Fatalf("%+v", got)
	}
	var seen []string
	for _, v := range got.Versions {
		for _, number := range []string{"Eleven", "Fourteen"} {
			if slices.Contains(v.Values["drowned"], number) {
				seen = append(seen, v.First[:4]+" "+number)
			}
		}
		if v.First > v.Last || !strings.Contains(v.URIM, "/web/"+v.First+"/http") {
			t.Errorf("%+v", v)
		}
	}
	if len(seen) != len(got.Versions) || seen[0] != "2008 Eleven" || !slices.Contains(seen, "2012 Fourteen") {
		t.Error(seen)
	}
	changes := inspect(t, s, url.Values{"url": {floods}, "css": {"h1"}, "level": {"content"}, "from": {"2012"}, "to": {"2017"}})
	if changes.Level != "content" || len(changes.Versions) == 0 || len(changes.Versions) >= changes.Total {
		t.Errorf("%d of %d versions", len(changes.Versions), changes.Total)
	}
	for _, v := range changes.Versions {
		if v.Last < "2012" || v.First > "2018" || len(v.Changed) > 0 {
			t.Errorf("%+v", v)
		}
	}
}

// An element by its number: a selector that finds it alone.
func TestSelectorForAnElement(t *testing.T) {
	s := demo(t)
	still := s.get(t, "/web/still/"+floodsAt+"/"+floods).expect(t, 200)
	_, after, ok := strings.Cut(still.body, "<h1 data-varve-n=\"")
	number, _, _ := strings.Cut(after, `"`)
	if !ok {
		t.Fatal("the page has no heading with a number")
	}
	got := inspect(t, s, url.Values{"url": {floods}, "at": {floodsAt}, "element": {number}})
	if e := got.Element; e == nil || e.CSS != "h1" || e.XPath != "//h1" || e.Finds != 1 || *e.Tried == 0 || *e.Holds != *e.Tried {
		t.Errorf("%+v", got.Element)
	}
	if len(got.Fields) != 1 || got.Fields[0].Name != "heading" || got.Fields[0].CSS != "h1" || got.Template != "- {name: heading, css: h1}\n" {
		t.Errorf("%+v %q", got.Fields, got.Template)
	}
	for i := range 30 { // whatever is pointed at
		if got := inspect(t, s, url.Values{"url": {floods}, "at": {floodsAt}, "element": {strconv.Itoa(i)}}); got.Element.Finds != 1 {
			t.Errorf("element %d: %+v", i, got.Element)
		}
	}
}

// A template that was pasted, as it stands in a crawl file and in a configuration: versions are rows, fields are columns.
func TestTemplateOverAllVersions(t *testing.T) {
	s := demo(t)
	const list = "- {name: heading, css: h1}\n- {name: links, css: '#nav a', type: link, all: true}\n- {name: floods, xpath: " +
		"'count(//p)', type: number}\n"
	for _, template := range []string{
		list, "fields:\n" + list, "template:\n  fields:\n" + strings.ReplaceAll("  "+strings.TrimSpace(list), "\n", "\n  "),
		"fields:\n- urls: ['other.example/*']\n  fields:\n  - {name: no, css: a}\n- urls: ['*.riverbend.example']\n  fields:\n  " +
			strings.ReplaceAll(strings.TrimSpace(list), "\n", "\n  "),
	} {
		a := s.get(t, "/web/inspect?"+url.Values{"url": {floods}, "template": {template}, "output": {"csv"}}.Encode()).
			expect(t, 200, "Content-Type: text/csv; charset=utf-8; header=present")
		rows, err := csv.NewReader(strings.NewReader(a.body)).ReadAll()
		if err != nil || len(rows) < 10 || strings.Join(rows[0], " ") != "from to memento note changed heading links floods" {
			t.Fatalf("%v %v\n%s", err, rows, template)
		}
		if r := rows[8]; !strings.HasPrefix(r[5], "A history") || !strings.HasPrefix(r[6], "http://www.riverbend.example/") || r[7] < "1" {
			t.Errorf("%q", r)
		}
	}
	a := s.get(t, "/web/inspect?"+url.Values{
		"url": {floods}, "at": {floodsAt}, "template": {list}, "css": {"h2"}, "name": {"second"},
		"add": {"1"},
	}.Encode(), "Accept: text/html").expect(t, 200)
	if !strings.Contains(a.body, "{name: second, css: h2}") || strings.Contains(a.body, `value="h2"`) {
		t.Error("a field is not put into the template")
	}
}

// What is wrong is said in a sentence: to programs, and beside the form.
func TestWrongSelectors(t *testing.T) {
	s := demo(t)
	for what, say := range map[string]string{
		"css=div[":         "the CSS selector of value is wrong: expected identifier",
		"xpath=//div[":     "the XPath expression of value is wrong: ",
		"css=a&xpath=//a":  "not both",
		"css=a&type=money": "want text, link, image, number or date",
		"css=a&name=A":     "the name is wrong: ",
		"css=a&clean=(":    "an expression of clean of value is wrong: ",
		"template=%7B":     "line 1",
		"template=-+%7Bname%3A+a%2C+colour%3A+b%7D":    "unknown key colour",
		"template=fields%3A+%5B%7Burls%3A+%5Bx%5D%7D]": "no rule of the template",
		"css=a:has(b+c)":                  "inside of :has",
		"css=" + strings.Repeat("a", 700): "at most 600 bytes",
	} {
		target := "/web/inspect?url=" + url.QueryEscape(floods) + "&at=" + floodsAt + "&" + what
		if a := s.get(t, target, "Accept: text/plain").expect(t, 400); !strings.Contains(a.body, say) {
			t.Errorf("%s: %s, want %s", what, a.body, say)
		}
		if a := s.get(t, target, "Accept: text/html").expect(t, 400); !strings.Contains(a.body,
			`id="wrong"`) || !strings.Contains(a.body, "fieldform") {
			t.Errorf("%s: the page doesn't say what is wrong beside the form", what)
		}
	}
	for _, what := range []string{"css=a&from=x", "css=a&level=x", "css=a&output=x", "element=x", "element=99999", "output=csv"} {
		s.get(t, "/web/inspect?url="+url.QueryEscape(floods)+"&at="+floodsAt+"&"+what).expect(t, 400)
	}
	s.get(t, "/web/inspect?url=http://nowhere.example/&css=a").expect(t, 404)
	s.get(t, "/web/still/20161001092237/"+floods).expect(t, 404)
	s.get(t, "/web/inspect/2016/"+floods, "Accept: text/html").expect(t, 302)
}

// Versions without a page, and without the element, say so.
func TestVersionsWithoutValues(t *testing.T) {
	const uri = host + "/price"
	page := func(body string) string { return "<!doctype html><title>Shop</title><h1>Ladder</h1>" + body }
	a := (&archive{}).
		page(uri, "20100101000000", page(`<p class=price>EUR 1,234.50</p><time class=day datetime=2010-01-01>new</time>`)).
		page(uri, "20110101000000", page(`<p class=price>EUR 1,234.50</p><p>It is long, and stands by itself.</p>`)).
		page(uri, "20120101000000", page(`<p>Ask for the price of this ladder.</p>`)).
		response(uri, "20130101000000", "302 Found", "", "Location: "+host+"/elsewhere").
		response(uri, "20140101000000", "404 Not Found", "gone", "Content-Type: text/html").
		response(uri, "20150101000000", "200 OK", "%PNG", "Content-Type: image/png").
		page(uri, "20160101000000", page(`<p class=price>EUR 999</p><p>now cheaper than ever</p>`))
	s := a.serve(t)
	got := inspect(t, s, url.Values{"url": {uri}, "level": {"any"}, "template": {"- {name: price, css: .price, type: number, " +
		"clean: ['[^0-9.]']}\n" +
		"- {name: day, css: .day, type: date}"}})
	want := []string{
		"2010 1234.5 2010-01-01 | ", "2011 1234.5  | day", "2012   | price", "2013 redirect", "2014 missing", "2015 no page", "2016 999  | price",
	}
	for i, v := range got.Versions {
		said := v.First[:4] + " "
		if v.Note != nil {
			said += *v.Note
		} else {
			said += strings.Join(v.Values["price"], ",") + " " + strings.Join(v.Values["day"], ",") + " | " + strings.Join(v.Changed, " ")
		}
		if i >= len(want) || said != want[i] {
			t.Errorf("version %d: %q, want %q", i, said, want)
		}
	}
	if len(got.Versions) != len(want) {
		t.Errorf("%d versions, want %d", len(got.Versions), len(want))
	}
	b := s.get(t, "/web/inspect?url="+url.QueryEscape(uri)+"&at=20120101000000&level=any&css=.price", "Accept: text/html").expect(t, 200)
	for _, say := range []string{"nothing found", "a redirect", "there was no page", "no HTML page", "finds nothing on this page"} {
		if !strings.Contains(b.body, say) {
			t.Errorf("the page doesn't say %q", say)
		}
	}
}
