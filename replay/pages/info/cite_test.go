package info

import (
	"encoding/json"
	"strings"
	"testing"
)

// What a page is called, and its address, end no field of a citation.
func TestCitationsHoldAnyTitle(t *testing.T) {
	c := citation{
		Title: "50 % of\n {rivers} & \\seas_$#~^ <b>\"", URIR: `http://a.example/{x}\y?a=%20&b="`,
		Memento: `http://h/web/2014/http://a.example/{x}\y?a=%20&b="`,
		Time:    at(2014, 1, 2, 3, 4), Archive: "http://h/web/",
	}.cited()
	const want = `@misc{varve-20140102030400,
  title = {50 \% of \{rivers\} \& \textbackslash{}seas\_\$\#\textasciitilde{}\textasciicircum{} <b>"},
  howpublished = {\url{http://a.example/%7Bx%7D%5Cy?a=%20&b="}},
  url = {http://h/web/2014/http://a.example/%7Bx%7D%5Cy?a=%20&b="},
  date = {2014-01-02},
  note = {Archived 2 January 2014, 03:04 UTC}
}`
	if c.BibTeX != want {
		t.Errorf("%s\nwant\n%s", c.BibTeX, want)
	}
	var items []struct {
		Title  string
		Issued map[string][][]int
	}
	if err := json.Unmarshal([]byte(c.CSL), &items); err != nil || len(items) != 1 || !strings.HasPrefix(items[0].Title, "50 % of {rivers}") ||
		items[0].Issued["date-parts"][0][0] != 2014 {
		t.Errorf("%s: %v", c.CSL, err)
	}
	if n := strings.Count(c.Embed, "<"); n != 10 || strings.Contains(c.Embed, "<script") {
		t.Errorf("mark-up in %s", c.Embed)
	}
	if strings.Count(c.RobustLink, "<") != 2 {
		t.Errorf("mark-up in %s", c.RobustLink)
	}
	if untitled := (citation{URIR: "http://a.example/"}).title(); untitled != "http://a.example/" {
		t.Errorf("without a title: %q", untitled)
	}
}
