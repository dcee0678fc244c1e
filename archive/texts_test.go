package archive_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/content/office/officetest"
	"github.com/varve-archive/varve/cdx"
)

const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

func TestTextIsWhatAReaderSaw(t *testing.T) {
	pdf := func(_ context.Context, body []byte) (string, error) {
		if strings.Contains(string(body), "broken") {
			return "", archivetest.ErrBroken
		}
		if len(body) > 1000 {
			return fmt.Sprint(len(body), " bytes"), nil
		}
		return "words of " + string(body), nil
	}
	long := "<p>begin " + strings.Repeat("<!-- nothing -->", 8<<16)
	tests := []struct {
		name   string
		record archivetest.Record
		want   string
	}{
		{"a page", archivetest.Record{Body: "<p>some <b>words</b>"}, "some words"},
		{"a packed page", archivetest.Record{Head: "Content-Encoding: gzip\n", Body: gzipped("<p>some words")}, "some words"},
		{
			"a packed page that is cut off",
			archivetest.Record{Head: "Content-Encoding: gzip\n", Body: gzipped("<p>some words")[:len(gzipped("<p>some words"))-4]},
			"some words",
		},
		{"plain text", archivetest.Record{Head: "Content-Type: text/plain\n", Body: "a <b> c"}, "a <b> c"},
		{"a picture", archivetest.Record{Head: "Content-Type: image/png\n", Body: "png"}, ""},
		{
			"an office file",
			archivetest.Record{Head: "Content-Type: " + docx + "\n", Body: string(officetest.Document("Mills", "some", "words"))},
			"Mills some words",
		},
		{
			"a feed",
			archivetest.Record{
				Head: "Content-Type: application/rss+xml\n",
				Body: "<rss><channel><title>Mills</title><item><title>some</title><pubDate>Mon</pubDate>" +
					"<description>&lt;p>words</description></item></channel></rss>",
			},
			"Mills Mills some words",
		},
		{
			"a feed that is sent as XML",
			archivetest.Record{
				Head: "Content-Type: text/xml\n",
				Body: "<?xml version='1.0'?><feed><entry><title>Mills</title></entry></feed>",
			},
			"Mills",
		},
		{
			"XML that is no feed",
			archivetest.Record{Head: "Content-Type: text/xml\n", Body: "<urlset><title>words</title></urlset>"},
			"words",
		},
		{"JSON", archivetest.Record{Head: "Content-Type: application/json\n", Body: `{"a": "words"}`}, "a: words"},
		{"JSON that is broken", archivetest.Record{Head: "Content-Type: application/json\n", Body: `words`}, ""},
		{"Markdown", archivetest.Record{Head: "Content-Type: text/markdown\n", Body: "# Mills\n\n*some* words"}, "Mills Mills some words"},
		{"Rich Text", archivetest.Record{Head: "Content-Type: application/rtf\n", Body: `{\rtf1 some\par words}`}, "some words"},
		{
			"Word",
			archivetest.Record{Head: "Content-Type: application/msword\n", Body: string(officetest.Word("some\r", "words\r"))},
			"some words",
		},
		{"RDF that is no feed", archivetest.Record{Head: "Content-Type: application/rdf+xml\n", Body: "<RDF><a>words</a></RDF>"}, "words"},
		{"a page is read to 8 MiB", archivetest.Record{Body: long + "<p>end"}, "begin"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.record.Date, tt.record.URI = day(0), page
			shelf := archivetest.Keep(t, tt.record)
			s := over(t, archive.Config{Index: shelf.Index, Records: shelf, PDF: pdf})
			text, err := s.Text(t.Context(), shelf.Capture(t, day(0), page))
			if err != nil || strings.TrimSpace(text.String()) != tt.want {
				t.Errorf("%q, %v", text.String(), err)
			}
		})
	}
	shelf := archivetest.Keep(t,
		archivetest.Record{Date: day(0), URI: page, Head: "Content-Type: application/pdf\n", Body: "a file"},
		archivetest.Record{Date: day(1), URI: page, Head: "Content-Type: application/pdf\n", Body: "a broken file"},
		archivetest.Record{Date: day(2), URI: page, Head: "Content-Encoding: compress\n", Body: "<p>packed"},
		archivetest.Record{Date: day(4), URI: page, Head: "Content-Type: application/pdf\n", Body: strings.Repeat("x", 9<<20)},
		archivetest.Record{Date: day(3), URI: page, Head: "Content-Type: " + docx + "\n", Body: "PK a broken file"})
	read := func(cfg archive.Config, date string) (string, error) {
		cfg.Index, cfg.Records = shelf.Index, shelf
		c := shelf.Capture(t, date, page)
		c.Text = 1 // as if it had been indexed with its text
		text, err := over(t, cfg).Text(t.Context(), c)
		return strings.TrimSpace(text.String()), err
	}
	if got, err := read(archive.Config{PDF: pdf}, day(0)); got != "words of a file" || err != nil {
		t.Errorf("a PDF: %q, %v", got, err)
	}
	if got, err := read(archive.Config{PDF: pdf}, day(4)); got != "9437184 bytes" || err != nil {
		t.Errorf("a PDF larger than pages may be: %q, %v", got, err)
	}
	if got, err := read(archive.Config{}, day(0)); got != "" || err != nil {
		t.Errorf("a PDF that nobody reads: %q, %v", got, err)
	}
	octets := archivetest.Keep(t, archivetest.Record{
		Date: day(0), URI: page + ".pdf", Head: "Content-Type: application/octet-stream\n", Body: strings.Repeat("x", 9<<20),
	})
	c := octets.Capture(t, day(0), page+".pdf")
	c.Text = 1
	text, err := over(t, archive.Config{Index: octets.Index, Records: octets, PDF: pdf}).Text(t.Context(), c)
	if got := strings.TrimSpace(text.String()); got != "9437184 bytes" || err != nil {
		t.Errorf("a PDF that was sent as octets: %q, %v", got, err)
	}
	var unreadable *archive.UnreadableError
	if _, err := read(archive.Config{PDF: pdf}, day(1)); !errors.As(err, &unreadable) {
		t.Errorf("a broken PDF: %v", err)
	}
	if _, err := read(archive.Config{}, day(3)); !errors.As(err, &unreadable) {
		t.Errorf("a broken office file: %v", err)
	}
	if _, err := read(archive.Config{}, day(2)); !errors.As(err, &unreadable) {
		t.Errorf("a page in a coding that nobody undoes: %v", err)
	}
}

func TestAVersionIsReadFromAnyOfItsCaptures(t *testing.T) {
	for broken, readable := range map[int]bool{0: true, 4: true, 5: false} {
		s, shelf := open(t, days(page, "one", "one", "one", "one", "one", "one")...)
		tl := timelineOf(t, s, page)
		for i := range broken {
			shelf.Break(t, day(i), page)
		}
		text, err := s.VersionText(t.Context(), tl, at(0), tl.Captures[0].Text)
		if got := strings.TrimSpace(text.String()); (got == "one") != readable || (err == nil) != readable {
			t.Errorf("%d captures are broken: %q, %v", broken, got, err)
		}
	}
	s, _ := open(t, days(page, "one", "two", "one")...)
	tl := timelineOf(t, s, page)
	if text, err := s.VersionText(t.Context(), tl, at(1), tl.Captures[0].Text); err != nil || strings.TrimSpace(text.String()) != "one" {
		t.Errorf("past another version: %q, %v", text.String(), err)
	}
	if _, err := s.VersionText(t.Context(), tl, at(0), 1); err == nil {
		t.Error("a text that no capture has")
	}
}

func TestTitleIsThatOfTheText(t *testing.T) {
	shelf := archivetest.Keep(t, on("2020", page, "<title>Weather</title><p>rain"), archivetest.Record{Date: "2021", URI: page, Status: 204},
		on("2022", page, "<title>Weather</title><p>rain"))
	s := over(t, archive.Config{Index: shelf.Index, Records: shelf, Access: &access.Policy{}})
	for date, want := range map[string]string{"20200101000000": "Weather", "20210101000000": ""} {
		if got, err := s.Title(t.Context(), shelf.Capture(t, date, page)); got != want || err != nil {
			t.Errorf("%s: %q, %v", date, got, err)
		}
	}
	titled, bare := shelf.Capture(t, "20200101000000", page), shelf.Capture(t, "20210101000000", page)
	all := []*cdx.Capture{titled, bare, titled, {Text: 1}}
	got, err := s.Titles(t.Context(), all)
	if diff := cmp.Diff(map[cdx.Location]string{titled.Location: "Weather"}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	twin := shelf.Capture(t, "20220101000000", page)
	s.Access.Put(archivetest.Rules(t, `rules: [{url: "`+page+`", access: block, captured: {to: 2021}}]`))
	got, err = s.Titles(t.Context(), []*cdx.Capture{titled, twin})
	if diff := cmp.Diff(map[cdx.Location]string{twin.Location: "Weather"}, got); diff != "" || err != nil {
		t.Errorf("of two captures with one text, of which one is blocked: %s, %v", diff, err)
	}
	if got, err := s.Title(t.Context(), titled); got != "" || err != nil {
		t.Errorf("of a blocked capture: %q, %v", got, err)
	}
	s.Access.Put(nil)
	shelf.Store.Err = archive.ErrUnavailable
	shelf.Store.FailAt(1)
	if _, err := s.Title(t.Context(), titled); !errors.Is(err, archive.ErrUnavailable) {
		t.Errorf("the title when the index is away: %v", err)
	}
	shelf.Store.FailAt(1)
	if _, err := s.Titles(t.Context(), all); !errors.Is(err, archive.ErrUnavailable) {
		t.Errorf("titles when the index is away: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Titles(ctx, all); !errors.Is(err, context.Canceled) {
		t.Errorf("titles that nobody waits for: %v", err)
	}
}
