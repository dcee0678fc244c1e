package inspect_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

// Data may be read by other sites, and answers to HEAD have no body. What can't be read is refused with a sentence.
func TestInspectionsAsData(t *testing.T) {
	t.Parallel()
	s, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		offers("20140101000000", "flour:10"), offers("20150101000000", "flour:12"),
	}))
	const ask = "/web/inspect?url=http://mill.example/&at=2015"
	for _, tt := range []struct {
		query, kind, attached string
		header                []string
	}{
		{"&css=b", "application/json", "", nil},
		{"&css=b&output=json", "application/json", "", []string{"Accept", "text/html"}},
		{"&css=b&output=csv", "text/csv; charset=utf-8; header=present", "attachment; filename=web-values.csv", []string{"Accept", "text/html"}},
	} {
		for _, method := range []string{"GET", "HEAD"} {
			w := replaytest.At(s.Handler(), method, replaytest.Loopback, ask+tt.query, "", tt.header...)
			h := w.Header()
			if w.Code != 200 || (w.Body.Len() == 0) != (method == "HEAD") || h.Get("Content-Type") != tt.kind ||
				h.Get("Content-Disposition") != tt.attached || h.Get("Access-Control-Allow-Origin") != "*" {
				t.Errorf("%s %s: %d, %v: %s", method, tt.query, w.Code, h, w.Body)
			}
			if varies := strings.Contains(strings.Join(h.Values("Vary"), ","), "Accept,"); varies != !strings.Contains(tt.query, "output") {
				t.Errorf("%s %s varies by %q", method, tt.query, h.Values("Vary"))
			}
		}
	}
	for query, says := range map[string]string{
		"&output=csv": "a table needs a field, as in css=h1", "&css=b[": "the CSS selector of value is wrong", "&level=deep": "", "&at=x": "",
		"&output=csv&css=b[":               "the CSS selector of value is wrong",
		"&css=" + strings.Repeat("x", 601): "a selector may have at most 600 bytes here",
	} {
		w := replaytest.Get(t, s.Handler(), "/web/inspect?url=http://mill.example/"+query)
		if w.Code != 400 || !strings.Contains(w.Body.String(), says) {
			t.Errorf("%.60s: %d %s", query, w.Code, w.Body)
		}
	}
	if w := replaytest.Get(t, s.Handler(), "/web/inspect?css=b&url=http://mill.example/none"); w.Code != 404 {
		t.Errorf("of no page: %d %s", w.Code, w.Body)
	}
	w := replaytest.Get(t, s.Handler(), ask+"&css=b", "Accept", "text/html")
	if to := w.Header().Get("Location"); w.Code != 302 || to != "/web/inspect?at=20150101000000&css=b&url=http%3A%2F%2Fmill.example%2F" {
		t.Errorf("an address that is to be cited: %d to %s", w.Code, to)
	}
}

// An answer has the fields as they were read, and what is known of the element: with a selector that was made for it more than with one
// that was typed.
func TestWhatAnAnswerSaysOfAnElement(t *testing.T) {
	t.Parallel()
	s, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		offers("20140101000000", "flour:10"), offers("20150101000000", "flour:12 bran:8"), offers("20160101000000", "flour: bran:8"),
	}))
	get := func(query string) (element, field string, versions int) {
		t.Helper()
		var got struct {
			Element  json.RawMessage
			Fields   []json.RawMessage
			Versions []struct{}
		}
		body := replaytest.Fetch(t, s.Handler(), "/web/inspect?url=http://mill.example/&output=json&at=20150101000000"+query)
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Fields) > 0 {
			field = string(got.Fields[0])
		}
		return string(got.Element), field, len(got.Versions)
	}
	for _, tt := range []struct {
		query, element, field string
		versions              int
	}{
		{"", "null", "", 0},
		{"&each=li.offer", "null", "", 0},
		{"&css=.none", `{"number":null,"css":".none","finds":0}`, `{"name":"value","css":".none","type":"text"}`, 3},
		{
			"&xpath=//li&type=number&attribute=title&all=1&clean=a", `{"number":6,"xpath":"//li","finds":2}`,
			`{"name":"value","xpath":"//li","type":"number","attribute":"title","clean":["a"],"all":true}`, 3,
		},
		{
			"&element=0", `{"number":0,"css":"html","xpath":"//html","finds":1,"holds":2,"tried":2}`,
			`{"name":"html","css":"html","type":"text"}`, 3,
		},
		{
			"&element=4", `{"number":4,"css":"h1","xpath":"//h1","finds":1,"holds":2,"tried":2}`, `{"name":"heading","css":"h1","type":"text"}`, 3,
		},
	} {
		element, field, versions := get(tt.query)
		if element != tt.element || field != tt.field || versions != tt.versions {
			t.Errorf("%s: %d versions\n%s\n%s", tt.query, versions, element, field)
		}
	}
}

// What a chosen element says now decides of which type its field is.
func TestTypesOfChosenElements(t *testing.T) {
	t.Parallel()
	s, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{Date: "20140101000000", URI: "http://mill.example/", Status: 200, Body: "<p>Flour <b>12.50</b> <i>2019-05-03</i> <u>now</u>"},
	}))
	for element, want := range map[int]string{4: "number", 5: "date", 6: "text"} {
		var got struct{ Fields []struct{ Type string } }
		body := replaytest.Fetch(t, s.Handler(), fmt.Sprintf("/web/inspect?url=http://mill.example/&output=json&at=2014&element=%d", element))
		if err := json.Unmarshal(body, &got); err != nil || len(got.Fields) != 1 || got.Fields[0].Type != want {
			t.Errorf("element %d is %+v, want %s: %v", element, got.Fields, want, err)
		}
	}
}

// Elements are counted up to a thousand; what finds as many finds at least as many.
func TestHowManyElementsAreCounted(t *testing.T) {
	t.Parallel()
	const many = "1,000 elements on this page or more"
	for n, says := range map[int]string{999: "999 elements on this page", 1000: many, 1001: many} {
		s, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{{
			Date: "20140101000000", URI: "http://mill.example/", Status: 200, Body: "<p>" + strings.Repeat("<i>x</i> ", n),
		}}))
		w := replaytest.Get(t, s.Handler(), "/web/inspect?url=http://mill.example/&at=20140101000000&css=i", "Accept", "text/html")
		if page := w.Body.String(); !strings.Contains(page, says) || strings.Contains(page, "or more") != (n >= 1000) {
			t.Errorf("%d: no %q in %s", n, says, page)
		}
	}
}

// A version is read from the first of its first three captures that can be read.
func TestCapturesThatAreTried(t *testing.T) {
	t.Parallel()
	for lost, want := range map[int]string{0: "2010 <nil>", 2: "2012 <nil>", 3: "2010 unreadable"} {
		var files []string
		for year := range 4 {
			files = append(files, replaytest.Write(t, []replaytest.Record{
				{Date: fmt.Sprintf("201%d0101000000", year), URI: "http://mill.example/", Status: 200, Body: "<h1>Mill</h1>"},
			}))
		}
		s, _ := replaytest.Serve(t, files...)
		for _, file := range files[:lost] {
			replaytest.Remove(t, file)
		}
		var got struct {
			Versions []struct {
				URIM   string `json:"uri_m"`
				Note   *string
				Values map[string][]string
			}
		}
		body := replaytest.Fetch(t, s.Handler(), "/web/inspect?url=http://mill.example/&output=json&css=h1")
		if err := json.Unmarshal(body, &got); err != nil || len(got.Versions) != 1 {
			t.Fatal(err, string(body))
		}
		v := got.Versions[0]
		_, at, _ := strings.Cut(v.URIM, "/web/")
		if is := at[:4] + " " + fmt.Sprint(replaytest.Value(v.Note)); is != want || (len(v.Values["value"]) == 1) == (lost == 3) {
			t.Errorf("%d are lost: %s, want %s: %s", lost, is, want, body)
		}
	}
}

// A capture with another text than its version's first is not read instead of it. What was read before has its values again.
func TestCapturesWithAnotherText(t *testing.T) {
	t.Parallel()
	page := func(date, nav, price string) string {
		body := strings.Replace(replaytest.PageOf("Mill", "weir lock "+price), "<nav>", "<nav><a id=n href=/x>"+nav+"</a>", 1)
		return replaytest.Write(t, []replaytest.Record{{Date: date, URI: "http://mill.example/", Status: 200, Body: body}})
	}
	files := []string{
		page("20100101000000", "one", "ten"), page("20110101000000", "two", "ten"), page("20120101000000", "two", "twelve crowns for all"),
		page("20130101000000", "one", "ten"),
	}
	for lost, want := range []string{"one two one", "unreadable two one"} {
		s, _ := replaytest.Serve(t, files...)
		for _, file := range files[:lost] {
			replaytest.Remove(t, file)
		}
		var got struct {
			Versions []struct {
				Note   *string
				Values map[string][]string
			}
		}
		body := replaytest.Fetch(t, s.Handler(), "/web/inspect?url=http://mill.example/&output=json&level=content&css=%23n")
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatal(err)
		}
		var says []string
		for _, v := range got.Versions {
			says = append(says, append(v.Values["value"], fmt.Sprint(replaytest.Value(v.Note)))[0])
		}
		if strings.Join(says, " ") != want {
			t.Errorf("%d are lost: %q, want %s: %s", lost, says, want, body)
		}
	}
}

// A version whose rows are those of the version before has one line in a table, which says when it was.
func TestVersionsWithoutAChangedRow(t *testing.T) {
	t.Parallel()
	before, after := offers("20140101000000", "flour:10"), offers("20150101000000", "flour:10")
	after.Body = strings.Replace(after.Body, "Offers of the mill", "All offers of the mill", 1)
	s, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{before, after}))
	got := string(replaytest.Fetch(t, s.Handler(), "/web/inspect?url=http://mill.example/&output=csv&each=li&css=b"))
	const uri = "http://example.com/web/"
	want := "from,to,memento,note,changed,row,value\r\n" +
		"20140101000000,20140101000000," + uri + "20140101000000/http://mill.example/,,added,1,flour\r\n" +
		"20150101000000,20150101000000," + uri + "20150101000000/http://mill.example/,,,,\r\n"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
