package archive_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
)

// uris are those of the collection in which the records of a test are.
var uris = memento.URIs{Coll: "web"}

// open returns an archive of records, and the shelf they are on.
func open(t *testing.T, records ...archivetest.Record) (*archive.Archive, *archivetest.Shelf) {
	t.Helper()
	shelf := archivetest.Keep(t, records...)
	return over(t, archive.Config{Index: shelf.Index, Records: shelf}), shelf
}

func over(t *testing.T, cfg archive.Config) *archive.Archive {
	t.Helper()
	s, err := archive.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func timeline(t *testing.T, s *archive.Archive, uriR string) *archive.Timeline {
	t.Helper()
	tl, err := s.Timeline(t.Context(), "web", surt.Of(uriR))
	if err != nil {
		t.Fatal(err)
	}
	return tl
}

// days are the records of a URI-R, one a day from 1 January 2020, in a short notation: a number is a status, ">" begins
// the target of a redirect, "=" a revisit of the page after it, anything else is the text of a page.
func days(uriR string, words ...string) []archivetest.Record {
	var out []archivetest.Record
	for i, w := range words {
		r := archivetest.Record{Date: day(i), URI: uriR, Body: "<p>" + w}
		switch {
		case w[0] == '>':
			r = archivetest.Moved(day(i), uriR, w[1:])
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

// day returns the ts14 of a day of January 2020, counted from 0.
func day(i int) string { return fmt.Sprintf("202001%02d000000", i+1) }

// at is the same as a number.
func at(i int) cdx.Timestamp {
	ts, err := cdx.ParseTimestamp(day(i))
	if err != nil {
		panic(err)
	}
	return ts
}

// dayOf returns which day a capture is from, "none" for no capture.
func dayOf(c *cdx.Capture) string {
	if c == nil {
		return "none"
	}
	return strconv.Itoa(c.Time.Time().Day() - 1)
}

// prose returns a page of about 120 different words made from seed.
func prose(seed string) string {
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
