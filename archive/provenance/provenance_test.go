package provenance_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/provenance"
)

const (
	page, other = "http://a.example/", "http://b.example/"
	falsely     = "WARC-Payload-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n"
	refers      = "WARC-Refers-To-Target-URI: " + other + "\nWARC-Refers-To-Date: 2020-01-01T00:00:00Z\n"
)

var writer = archivetest.Record{
	Date: "20200101000000", URI: "urn:info", Type: "warcinfo", Fields: "Content-Type: application/warc-fields\n",
	Block: "software: crawler/1\r\n",
}

// response returns a record of b.example, revisit one of a.example with the same body.
func response(fields string) archivetest.Record {
	return archivetest.Record{Date: "20200101000000", URI: other, Fields: fields, Body: "rain"}
}

func revisit(fields string) archivetest.Record {
	return archivetest.Record{Date: "20210101000000", URI: page, Type: "revisit", Fields: fields, Body: "rain"}
}

func of(
	t *testing.T, rules, date, uri string, records ...archivetest.Record,
) (*provenance.Provenance, *archivetest.Shelf, *archive.Archive) {
	t.Helper()
	shelf := archivetest.Keep(t, records...)
	if _, _, err := shelf.Index.Resolve(t.Context()); err != nil {
		t.Fatal(err)
	}
	a, err := archive.New(archive.Config{Index: shelf.Index, Records: shelf, Access: archivetest.Policy(t, "rules: ["+rules+"]")})
	if err != nil {
		t.Fatal(err)
	}
	p, err := provenance.Of(t.Context(), a, shelf.Capture(t, date, uri))
	if err != nil {
		t.Fatal(err)
	}
	return p, shelf, a
}

func TestOfAResponse(t *testing.T) {
	for _, tt := range []struct {
		name    string
		records []archivetest.Record
		writer  string
		wrong   string
	}{
		{"with its writer", []archivetest.Record{writer, response("")}, "crawler/1", ""},
		{"that names its writer", []archivetest.Record{writer, response("WARC-Warcinfo-ID: <urn:test:0>\n")}, "crawler/1", ""},
		{"that names another", []archivetest.Record{writer, response("WARC-Warcinfo-ID: <urn:test:9>\n")}, "", ""},
		{"without one", []archivetest.Record{response("")}, "", ""},
		{"with a wrong digest", []archivetest.Record{writer, response(falsely)}, "crawler/1", "payload digest"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, _, _ := of(t, "", "20200101000000", other, tt.records...)
			if p.Type != "response" || p.Version != "WARC/1.1" || p.Record.Get("WARC-Target-URI") != other || p.Body != "" {
				t.Errorf("%s %s %v, body in %q", p.Type, p.Version, p.Record, p.Body)
			}
			if p.HTTP.Get("Content-Type") != "text/html; charset=utf-8" || p.Writer.Get("software") != tt.writer ||
				(p.Writer == nil) != (tt.writer == "") {
				t.Errorf("message %v, writer %v", p.HTTP, p.Writer)
			}
			if said := strings.Join(p.Wrong, "\n"); !p.Checked || p.Damage != nil || !begins(said, tt.wrong) {
				t.Errorf("checked %t, %v, %q", p.Checked, p.Damage, said)
			}
		})
	}
}

// begins reports whether a text begins with another; only "" begins with "".
func begins(text, with string) bool {
	return strings.HasPrefix(text, with) && (text == "") == (with == "")
}

func TestOfARevisit(t *testing.T) {
	damaged := response("WARC-Block-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n")
	for _, tt := range []struct {
		name, rules string
		original    archivetest.Record
		names       string // what the record says of its original
		body, wrong string
	}{
		{"of one that is excluded at its time", "{url: b.example, captured: {from: 2020, to: 2020}, access: exclude}", response(""), "", "", ""},
		{"of another page", "", response(""), other, "records.warc", ""},
		{"of one whose body was damaged", "", damaged, other, "records.warc", "the record with its body: block digest"},
		{"of one that is excluded", "{url: b.example, access: exclude}", response(""), "", "", ""},
		{
			"of one that was excluded at another time", `{url: b.example, captured: {from: 2021}, access: exclude}`, response(""), other,
			"records.warc", "",
		},
		{"of one that is blocked", "{url: b.example, access: block}", response(""), other, "records.warc", ""},
	} {
		for _, spelled := range []string{other, "<" + other + ">"} { // with the brackets of WARC 1.0
			t.Run(tt.name+" "+spelled, func(t *testing.T) {
				p, _, _ := of(t, tt.rules, "20210101000000", page, writer, tt.original, revisit(strings.Replace(refers, other, spelled, 1)))
				if p.Type != "revisit" || strings.Trim(p.Record.Get("WARC-Refers-To-Target-URI"), "<>") != tt.names ||
					(p.Record.Get("WARC-Refers-To-Date") == "") != (tt.names == "") {
					t.Errorf("%s %v", p.Type, p.Record)
				}
				if p.Body != tt.body || !p.Checked || !begins(strings.Join(p.Wrong, "\n"), tt.wrong) || p.HTTP == nil {
					t.Errorf("body in %q, checked %t, %q, message %v", p.Body, p.Checked, p.Wrong, p.HTTP)
				}
			})
		}
	}
}

// Whether a rule with datetimes hides the original can't be told if the record doesn't say when it was captured.
func TestOfARevisitThatGivesNoDate(t *testing.T) {
	const undated = "WARC-Refers-To-Target-URI: " + other + "\n"
	for rules, want := range map[string]string{
		"": other, "{url: b.example, captured: {from: 2021}, access: exclude}": "", "{url: b.example, captured: {to: 2000}, access: exclude}": "",
		"{url: b.example, captured: {from: 2021}, access: block}": other, "{url: c.example, access: exclude}": other,
	} {
		p, _, _ := of(t, rules, "20210101000000", page, writer, response(""), revisit(undated))
		if got := p.Record.Get("WARC-Refers-To-Target-URI"); got != want {
			t.Errorf("%s: it names %q, want %q", rules, got, want)
		}
	}
}

func TestAnUnreadableRecordIsAnError(t *testing.T) {
	p, shelf, a := of(t, "", "20200101000000", other, response(""))
	shelf.Break(t, "20200101000000", other)
	var unreadable *archive.UnreadableError
	if _, err := provenance.Of(t.Context(), a, p.Capture); !errors.As(err, &unreadable) {
		t.Error(err)
	}
}
