package termtable_test

import (
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
}
