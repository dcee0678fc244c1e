package inspect_test

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

// offers is a page that lists things, written as "name:price …".
func offers(date, list string) replaytest.Record {
	body := "<!doctype html><title>Offers</title><h1>Offers of the mill</h1><ul>"
	for _, offer := range strings.Fields(list) {
		name, price, _ := strings.Cut(offer, ":")
		body += "<li class=offer><b>" + name + "</b>"
		if price != "" {
			body += " <span class=price>" + price + " crowns</span>"
		}
	}
	return replaytest.Record{Date: date, URI: "http://mill.example/", Status: 200, Body: body + "</ul>"}
}

// Each row of a list is followed through the versions of its page: what is new, what is gone, what says something else.
func TestRowsOverTime(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		offers("20140101000000", "flour:10 bran: oats:7"), offers("20150101000000", "bran: flour:12 rye:9"),
		offers("20160101000000", "bran: flour:12 rye:9"),
	}))
	ask := url.Values{
		"url": {"http://mill.example/"}, "each": {"li.offer"}, "output": {"json"},
		"template": {"- {name: name, css: b}\n- {name: price, css: .price, type: number, clean: ['[^0-9.]']}"},
	}
	var got struct {
		Each, Key string
		Versions  []struct {
			First   string
			Rows    int
			Changes []struct {
				Op, Key     string
				Row         int
				Values, Was map[string][]string
			}
		}
	}
	w := replaytest.Get(t, s.Handler(), "/web/inspect?"+ask.Encode())
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 {
		t.Fatal(err, w.Code, w.Body)
	}
	var told []string
	for _, v := range got.Versions {
		for _, c := range v.Changes {
			told = append(told, fmt.Sprintf("%s %s %s %d %s→%s", v.First[:4], c.Op, c.Key, c.Row, c.Was["price"], c.Values["price"]))
		}
	}
	want := "2014 added flour 1 []→[10]; 2014 added bran 2 []→[]; 2014 added oats 3 []→[7]; " +
		"2015 removed oats 3 []→[7]; 2015 changed flour 2 [10]→[12]; 2015 added rye 3 []→[9]"
	if strings.Join(told, "; ") != want || got.Each != "li.offer" || got.Key != "name" || got.Versions[1].Rows != 3 {
		t.Errorf("%s\n%+v", strings.Join(told, "; "), got)
	}
	ask.Set("output", "csv")
	table := replaytest.Get(t, s.Handler(), "/web/inspect?"+ask.Encode()).Body.String()
	for _, want := range []string{
		"note,changed,row,name,price\r\n", ",added,2,bran,\r\n", ",removed,3,oats,7\r\n", ",changed,2,flour,12\r\n",
	} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in %s", want, table)
		}
	}
	for bounds, want := range map[[2]string]string{ // the last two versions have the same rows, so they are one
		{"2014", "2014"}: "2014", {"2015", ""}: "2015", {"2017", ""}: "", {"", "2013"}: "", {"", "2014"}: "2014", {"", ""}: "2014 2015",
		{"20160101000000", "20170101"}: "2015", {"20160101000001", ""}: "", {"", "20150101000000"}: "2014 2015", {"", "20141231"}: "2014",
	} {
		ask["from"], ask["to"], ask["output"] = bounds[:1], bounds[1:], []string{"json"}
		w := replaytest.Get(t, s.Handler(), "/web/inspect?"+ask.Encode())
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 {
			t.Fatal(err, w.Code, w.Body)
		}
		var years []string
		for _, v := range got.Versions {
			years = append(years, v.First[:4])
		}
		if strings.Join(years, " ") != want {
			t.Errorf("between %q: %q, want %q", bounds, years, want)
		}
	}
	ask.Del("from")
	ask.Del("to")
	ask.Del("output")
	ask.Set("at", "20150101000000")
	shown := replaytest.Get(t, s.Handler(), "/web/inspect?"+ask.Encode(), "Accept", "text/html").Body.String()
	for _, want := range []string{"<del><bdi>10</bdi></del>", "3 rows, 1 new, 1 gone, 1 changed", "each: &#39;li.offer&#39;"} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in %s", want, shown)
		}
	}
	ask.Set("each", "li[")
	if w := replaytest.Get(t, s.Handler(), "/web/inspect?"+ask.Encode(), "Accept", "text/html"); w.Code != 400 {
		t.Errorf("a selector that can't be read: %d", w.Code)
	}
}

// Rows are told apart by the field that is asked for. Texts that a spreadsheet would calculate get a sign before them, numbers don't.
func TestRowsByAnotherField(t *testing.T) {
	t.Parallel()
	s, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		offers("20140101000000", "=1+1:-7 rye:9"), offers("20150101000000", "oats:-7 rye:9"),
	}))
	ask := "/web/inspect?url=http://mill.example/&output=csv&each=li.offer&template=" + url.QueryEscape(
		"- {name: name, css: b}\n- {name: price, css: .price, type: number, clean: ['[^0-9.-]']}")
	const first, byName = ",added,1,'=1+1,-7 ,added,2,rye,9 ", ",removed,1,'=1+1,-7 ,added,1,oats,-7"
	for key, want := range map[string]string{"": byName, "&key=name": byName, "&key=price": ",changed,1,oats,-7"} {
		var got []string
		for _, line := range strings.Split(strings.TrimSpace(string(replaytest.Fetch(t, s.Handler(), ask+key))), "\r\n")[1:] {
			_, row, _ := strings.Cut(line, "mill.example/,")
			got = append(got, row)
		}
		if strings.Join(got, " ") != first+want {
			t.Errorf("%q: %q, want %q", key, got, want)
		}
	}
}

// A version without values says why, in JSON and in the table.
func TestVersionsWithoutValuesSayWhy(t *testing.T) {
	const page = "http://mill.example/"
	gone := replaytest.WriteTyped(t, []replaytest.Typed{
		{Date: "20110101000000", URI: page, Kind: "text/html", Body: "<title>Lost</title><h1>Lost</h1><p>The disk of this page failed."},
	})
	s, _ := replaytest.Serve(t, gone, replaytest.Write(t, []replaytest.Record{
		offers("20100101000000", "flour:10"),
		{Date: "20120101000000", URI: page, Status: 302, Location: "http://elsewhere.example/"},
		{Date: "20130101000000", URI: page, Status: 404, Body: "<title>Not found</title><p>Not found."},
		{Date: "20090101000000", URI: page, Status: 500, Body: "<title>Error</title><p>Error."},
	}), replaytest.WriteVerbatim(t, []replaytest.Verbatim{
		{Date: "20150101000000", URI: page, Message: "HTTP/1.1 200 OK\r\nContent-Type: image/gif\r\n\r\nGIF89a"},
	}))
	replaytest.Remove(t, gone)
	ask := "/web/inspect?css=h1&at=2010&level=any&url=" + page
	var got struct {
		Versions []struct {
			First string
			Note  *string
		}
	}
	if err := json.Unmarshal(replaytest.Fetch(t, s.Handler(), ask+"&output=json"), &got); err != nil {
		t.Fatal(err)
	}
	var notes []string
	for _, v := range got.Versions {
		notes = append(notes, fmt.Sprint(v.First[:4], " ", replaytest.Value(v.Note)))
	}
	want := "2009 error; 2010 <nil>; 2011 unreadable; 2012 redirect; 2013 missing; 2015 no page"
	if got := strings.Join(notes, "; "); got != want {
		t.Errorf("%s\n%s", got, want)
	}
	table, err := csv.NewReader(bytes.NewReader(replaytest.Fetch(t, s.Handler(), ask+"&output=csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	notes = nil
	for _, row := range table[1:] {
		notes = append(notes, row[0][:4]+" "+cmp.Or(row[3], "<nil>"))
	}
	if got := strings.Join(notes, "; "); got != want {
		t.Errorf("%s\n%s", got, want)
	}
}

// Whoever points at something in a list is offered to read each row of it.
func TestListsAreProposed(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{offers("20140101000000", "flour:10 bran:8 oats:7")}))
	var got struct {
		Element struct {
			Each  string
			InRow string `json:"in_row"`
			Rows  int
		}
	}
	for element := range 20 {
		w := replaytest.Get(t, s.Handler(), fmt.Sprintf("/web/inspect?url=http://mill.example/&at=2014&output=json&element=%d", element))
		if err := json.Unmarshal(w.Body.Bytes(), &got); err == nil && got.Element.InRow == ".price" {
			break
		}
	}
	w := replaytest.Get(t, s.Handler(), "/web/inspect?url=http://mill.example/&at=2014&output=json&element=999")
	if w.Code != 400 || !strings.Contains(w.Body.String(), "no element of this number") {
		t.Errorf("an element that isn't there: %d %s", w.Code, w.Body)
	}
	if e := got.Element; e.Each != "li.offer" || e.Rows != 3 || e.InRow != ".price" {
		t.Errorf("%+v", got)
	}
}

// Whatever operation of the index's store fails, no answer is wrong.
func TestAnswersWhileTheStoreFails(t *testing.T) {
	t.Parallel()
	replaytest.NewFaults(t, replaytest.Counted()).Ask(
		"/web/inspect?at=2012&css=p&url="+replaytest.CountedPage,
		"/web/inspect?at=2012&css=p&level=content&output=csv&url="+replaytest.CountedPage,
		"/web/inspect?at=2012&element=3&url="+replaytest.CountedPage, "/web/inspect/2012/"+replaytest.CountedPage,
		"/web/inspect?at=2012&template=-%20{name:%20a,%20css:%20p}&url="+replaytest.CountedPage,
	)
}
