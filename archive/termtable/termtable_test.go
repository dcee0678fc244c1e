package termtable_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/termtable"
)

func lines(n int, line string) string { return strings.Repeat(line+"\n", n) }

func TestParse(t *testing.T) {
	for _, tt := range []struct{ name, terms, pages, times, wrong string }{
		{"one of each", "mill", "a.example", "2020", ""},
		{"empty lines", "\n mill \n\n", "\na.example\n", "2020\n\n2021", ""},
		{"no term", "\n", "a.example", "2020", "terms: want 1 to 500 lines, not 0"},
		{"the most terms", lines(500, "mill"), "a.example", "2020", ""},
		{"more", lines(501, "mill"), "a.example", "2020", "terms: want 1 to 500 lines, not 501"},
		{"a term without a word", "mill\n\n--", "a.example", "2020", `terms: line 3: "--" has no word`},
		{"the most pages", "mill", lines(10_000, "a.example"), "2020", ""},
		{"more pages", "mill", lines(10_001, "a.example"), "2020", "urls: want 1 to 10000 lines, not 10001"},
		{"no address", "mill", "a.example\n ", "2020", ""},
		{"the most times", "mill", "a.example", lines(200, "2020"), ""},
		{"more times", "mill", "a.example", lines(201, "2020"), "at: want 1 to 200 lines, not 201"},
		{"a time that is none", "mill", "a.example", "2020\nyesterday", `at: line 2: "yesterday": want 1 to 14 digits`},
	} {
		q, err := termtable.Parse("web", []string{tt.terms}, []string{tt.pages}, []string{tt.times})
		if (err == nil) != (tt.wrong == "") || err != nil && !strings.HasPrefix(err.Error(), tt.wrong) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.wrong)
		}
		if err == nil && (q.Coll != "web" || !strings.HasPrefix(q.Pages[0], "http://a.example") || q.Times[0] != 20201231235959) {
			t.Errorf("%s: %q, %v", tt.name, q.Pages[0], q.Times[0])
		}
	}
	q, err := termtable.Parse("web", []string{"mill", "old wheel\nweir"}, []string{"a.example"}, []string{"2020"})
	if err != nil || len(q.Terms) != 3 {
		t.Errorf("several texts: %q, %v", q.Terms, err)
	}
}

// A page counts as it was at a datetime: in its last capture until then.
func TestRows(t *testing.T) {
	const page, hidden = "http://a.example/", "http://b.example/"
	shelf := archivetest.Keep(t,
		archivetest.On("20180101000000", page, "<p>mill, mill and old wheel"), archivetest.Missing("20190101000000", page),
		archivetest.On("20200101000000", page, "<p>an old mill wheel"), archivetest.On("20180101000000", hidden, "<p>mill"))
	a, err := archive.New(archive.Config{
		Index: shelf.Index, Records: shelf, Access: archivetest.Policy(t, "rules: [{url: b.example, access: block}]"),
	})
	if err != nil {
		t.Fatal(err)
	}
	s := searches.New(searches.Config{Archive: a, Dir: t.TempDir()})
	defer s.Close()
	q, err := termtable.Parse("web", []string{"mill\nold wheel\nweir"}, []string{page + "\n" + hidden},
		[]string{"2017\n20180101000000\n2018\n2019\n2020"})
	if err != nil {
		t.Fatal(err)
	}
	var table, lines strings.Builder
	if err := errors.Join(q.WriteCSV(&table, q.Rows(t.Context(), a, s)), q.WriteJSON(&lines, q.Rows(t.Context(), a, s))); err != nil {
		t.Fatal(err)
	}
	one := func(url, at, datetime, status, mill, wheel, weir string) string {
		head := strings.Join([]string{url, at, datetime, status}, ",") + ","
		return head + "mill," + mill + "\n" + head + "old wheel," + wheel + "\n" + head + "weir," + weir + "\n"
	}
	var got []string
	for row, err := range q.Rows(t.Context(), a, s) {
		if err != nil {
			t.Fatal(err)
		}
		at := "none"
		if row.Capture != nil {
			at = row.Capture.Time.String()[:4]
		}
		got = append(got, fmt.Sprint(row.Time.String()[:4], " ", at, " ", row.Counts, " ", row.Unread))
	}
	want := `2017 none [] false, 2018 2018 [2 1 0] false, 2018 2018 [2 1 0] false, 2019 2019 [] false, 2020 2020 [1 0 0] false, ` +
		`2017 none [] false, 2018 2018 [] true, 2018 2018 [] true, 2019 2018 [] true, 2020 2018 [] true`
	if all := strings.Join(got, ", "); all != want {
		t.Errorf("%s\nwant\n%s", all, want)
	}
	const end17, end18, end19, end20 = "20171231235959", "20181231235959", "20191231235959", "20201231235959"
	if want := "url,at,datetime,status,term,count\n" + one(page, end17, "", "", "NA", "NA", "NA") +
		one(page, "20180101000000", "20180101000000", "200", "2", "1", "0") + one(page, end18, "20180101000000", "200", "2", "1", "0") +
		one(page, end19, "20190101000000", "404", "404", "404", "404") + one(page, end20, "20200101000000", "200", "1", "0", "0") +
		one(hidden, end17, "", "", "NA", "NA", "NA"); !strings.HasPrefix(table.String(), want) ||
		!strings.HasSuffix(table.String(), one(hidden, end20, "20180101000000", "200", "unread", "unread", "unread")) {
		t.Errorf("as CSV:\n%s", &table)
	}
	var read struct {
		Terms, At []string
		Rows      []struct {
			Datetime *string
			Status   *int
			Counts   map[string]any
		}
	}
	if err := json.Unmarshal([]byte(lines.String()), &read); err != nil || len(read.Terms) != 3 || len(read.At) != 5 || len(read.Rows) != 10 ||
		read.Rows[0].Datetime != nil || read.Rows[0].Status != nil || read.Rows[0].Counts["mill"] != "NA" || *read.Rows[3].Status != 404 ||
		*read.Rows[3].Datetime != "20190101000000" || read.Rows[3].Counts["weir"] != "404" || read.Rows[4].Counts["mill"] != 1.0 ||
		read.Rows[9].Counts["mill"] != "unread" {
		t.Errorf("as JSON: %v\n%s", err, &lines)
	}
}

// What was deleted between two datetimes is compared with the queries that had led to the page.
func TestFound(t *testing.T) {
	const page, gone, hidden, grown = "http://a.example/", "http://gone.example/", "http://b.example/", "http://grown.example/"
	shelf := archivetest.Keep(t,
		archivetest.On("20180101000000", grown, "<p>wheel"), archivetest.On("20200101000000", grown, "<p>wheel and weir"),
		archivetest.On("20180101000000", page, "<p>old mill wheel mill"), archivetest.On("20200101000000", page, "<p>old wheel and weir"),
		archivetest.On("20180101000000", gone, "<p>inn"), archivetest.Missing("20200101000000", gone),
		archivetest.On("20180101000000", hidden, "<p>mill"))
	a, err := archive.New(archive.Config{
		Index: shelf.Index, Records: shelf, Access: archivetest.Policy(t, "rules: [{url: b.example, access: block}]"),
	})
	if err != nil {
		t.Fatal(err)
	}
	s := searches.New(searches.Config{Archive: a, Dir: t.TempDir()})
	defer s.Close()
	const queries = "mill\thttp://a.example/\t7\nold wheel mill\thttp://a.example/\t2\nold inn\thttp://a.example/\t4\n" +
		"inn\thttp://gone.example/\t5\nmill\thttp://b.example/\t3\nmill\thttp://never.example/\t1\n" +
		"wheel\thttp://grown.example/\t2\n"
	for _, tt := range []struct {
		name  string
		only  []string
		want  string
		total termtable.FoundTotal
	}{
		{"all of the log", nil, "http://a.example/,20180101000000,200,20200101000000,200,3,13,4,3,1,3,1,9,mill\n" +
			"http://gone.example/,20180101000000,200,20200101000000,404,1,5,1,1,404,1,404,404,\n" +
			"http://b.example/,20180101000000,200,20180101000000,200,1,3,1,unread,unread,unread,unread,unread,\n" +
			"http://grown.example/,20180101000000,200,20200101000000,200,1,2,1,1,0,1,0,0,\n" +
			"total,,,,,4,15,5,4,1,4,1,9,\n", termtable.FoundTotal{
			Addresses: 5, Compared: 2, Queries: 4, Clicks: 15, QueryWords: 5, Terms: 4, DeletedTerms: 1, QueryWordsPresent: 4,
			QueryWordsDeleted: 1, ClicksDeleted: 9,
		}},
		{"what is asked for by name", []string{"http://never.example/", page}, "http://never.example/,,,,,1,1,1,NA,NA,NA,NA,NA,\n" +
			"http://a.example/,20180101000000,200,20200101000000,200,3,13,4,3,1,3,1,9,mill\n" +
			"total,,,,,3,13,4,3,1,3,1,9,\n", termtable.FoundTotal{
			Addresses: 2, Compared: 1, Queries: 3, Clicks: 13, QueryWords: 4, Terms: 3, DeletedTerms: 1, QueryWordsPresent: 3,
			QueryWordsDeleted: 1, ClicksDeleted: 9,
		}},
	} {
		log, err := termtable.ReadLog(t.Context(), strings.NewReader(queries), tt.only)
		if err != nil {
			t.Fatal(err)
		}
		f := termtable.Found{Coll: "web", From: 20181231235959, To: 20201231235959, Log: log}
		var table, text strings.Builder
		if err := errors.Join(f.WriteCSV(&table, f.Rows(t.Context(), a, s)), f.WriteJSON(&text, f.Rows(t.Context(), a, s))); err != nil {
			t.Fatal(err)
		}
		if _, rows, _ := strings.Cut(table.String(), "\n"); rows != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, rows, tt.want)
		}
		var read struct {
			From, To string
			Rows     []struct {
				URL   string
				Words []string
			}
			Total termtable.FoundTotal
		}
		if err := json.Unmarshal([]byte(text.String()), &read); err != nil || read.From != "20181231235959" || read.To != "20201231235959" ||
			len(read.Rows) != strings.Count(tt.want, "\n")-1 || read.Total != tt.total || strings.Contains(text.String(), "null}") {
			t.Errorf("%s as JSON: %v\n%s", tt.name, err, &text)
		}
	}
}
