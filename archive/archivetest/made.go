package archivetest

import (
	"fmt"
	"strings"

	"github.com/varve-archive/varve/cdx"
)

// NotFound is the body of a missing page.
const NotFound = "<title>404 Not found</title><h1>404 Not found</h1>"

// On returns the record of a page.
func On(date, uri, body string) Record { return Record{Date: date, URI: uri, Body: body} }

// Missing returns the record of a page that was not there.
func Missing(date, uri string) Record {
	return Record{Date: date, URI: uri, Status: 404, Body: NotFound}
}

// Days are the records of a URI-R, one a day from 1 January 2020, in a short notation: a number is a status, ">" begins
// the target of a redirect, "=" a revisit of the page after it, anything else is the text of a page.
func Days(uriR string, words ...string) []Record {
	var out []Record
	for i, w := range words {
		r := Record{Date: Day(i), URI: uriR, Body: "<p>" + w}
		switch {
		case w[0] == '>':
			r = Moved(Day(i), uriR, w[1:])
		case w[0] == '=':
			r.Type, r.Body = "revisit", "<p>"+w[1:]
			r.Fields = "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\n"
		case strings.Trim(w, "0123456789") == "":
			_, _ = fmt.Sscan(w, &r.Status)
			r.Body = ""
		}
		out = append(out, r)
	}
	return out
}

// Day returns the ts14 of a day of January 2020, counted from 0.
func Day(i int) string { return fmt.Sprintf("202001%02d000000", i+1) }

// At is the same as a number.
func At(i int) cdx.Timestamp {
	ts, err := cdx.ParseTimestamp(Day(i))
	if err != nil {
		panic(err)
	}
	return ts
}

// Prose returns a page of about 120 different words made from seed.
func Prose(seed string) string {
	var b strings.Builder
	words := strings.Fields(seed)
	for p := range 4 {
		b.WriteString("<p>")
		for i := range 30 {
			fmt.Fprintf(&b, "%s%c%c ", words[(p*7+i*i+p*i)%len(words)], 'a'+rune((i*3+p)%26), 'a'+rune((i+p*5)%26))
		}
	}
	return b.String()
}
