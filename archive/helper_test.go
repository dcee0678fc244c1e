package archive_test

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/archive/timeline"
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

func timelineOf(t *testing.T, s *archive.Archive, uriR string) *timeline.Timeline {
	t.Helper()
	tl, err := s.Timelines.Get(t.Context(), "web", surt.Of(uriR))
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

// A shown is a capture of a text of which only the sketch exists. like says how many of the 128 values of the text's
// MinHash are those of every other text that has them, from the first on: two texts are as similar as the smaller of
// their numbers, of 128.
type shown struct {
	uri    string
	day    int
	text   uint64
	like   int
	status int    // 0 is 200
	key    string // "" is that of uri
}

// sketched returns an archive of captures without records.
func sketched(t *testing.T, list ...shown) *archive.Archive {
	t.Helper()
	x, err := index.New(t.Context(), kvtest.NewMemory())
	if err != nil {
		t.Fatal(err)
	}
	file := index.File{Collection: "web", Name: "a.warc", Path: "/a.warc"}
	if file.ID, err = x.PutFile(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	w := x.Writer(t.Context(), "web")
	for i, s := range list {
		k := sketch.Sketch{ID: s.text, Title: fmt.Sprint("Title ", s.text)}
		for j := range k.MinHash {
			if k.MinHash[j] = uint16(j + 1); j >= s.like {
				k.MinHash[j] = uint16(1000 + 131*int(s.text) + 7919*j)
			}
		}
		c := cdx.Capture{
			Key: cmp.Or(s.key, surt.Of(s.uri)), URL: s.uri, Time: at(0) + cdx.Timestamp(s.day)*1000000, Status: cmp.Or(s.status, 200),
			MIME: "text/html", Text: s.text, Digest: fmt.Sprintf("x:%d", s.text),
			Location: cdx.Location{File: file.ID, Offset: int64(i) * 1000, Length: 900},
		}
		if s.text != 0 {
			err = w.AddText(k.ID, k.AppendBinary(nil), k.MinHash.Bands())
		}
		if err := errors.Join(err, w.Add(&c)); err != nil {
			t.Fatal(err)
		}
	}
	file.Done, file.Scanned = true, int64(len(list))*1000
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if _, err := x.PutFile(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	return over(t, archive.Config{Index: x, Records: archivetest.NoRecords{}})
}
