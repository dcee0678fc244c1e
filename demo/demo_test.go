package demo

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/textproto"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/text/encoding/charmap"
)

// A record is a WARC record, read in the simplest way.
type record struct {
	header textproto.MIMEHeader
	block  []byte
}

func (r *record) uri() string  { return r.header.Get("WARC-Target-URI") }
func (r *record) date() string { return r.header.Get("WARC-Date") }

// split returns the HTTP head and what follows it.
func (r *record) split(t *testing.T) (head string, rest []byte) {
	t.Helper()
	h, rest, ok := bytes.Cut(r.block, []byte("\r\n\r\n"))
	if !ok {
		t.Fatalf("%s %s: no end of the HTTP head", r.date(), r.uri())
	}
	return string(h), rest
}

// http returns the response as net/http reads it, and its payload without transfer coding.
func (r *record) http(t *testing.T) (*http.Response, []byte) {
	t.Helper()
	resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(r.block)), nil)
	if err != nil {
		t.Fatalf("%s %s: %v", r.date(), r.uri(), err)
	}
	payload, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", r.date(), r.uri(), err)
	}
	return resp, payload
}

// body returns the payload without its content coding.
func (r *record) body(t *testing.T) string {
	t.Helper()
	resp, payload := r.http(t)
	if resp.Header.Get("Content-Encoding") != "gzip" {
		return string(payload)
	}
	z, err := gzip.NewReader(bytes.NewReader(payload))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// written returns the records of the archive, which is written once for all tests.
func written(t *testing.T) []*record {
	t.Helper()
	members, err := writeOnce()
	if err != nil {
		t.Fatal(err)
	}
	var records []*record
	for _, m := range members {
		records = append(records, readRecord(t, m))
	}
	return records
}

var writeOnce = sync.OnceValues(func() (members [][]byte, err error) {
	dir, err := os.MkdirTemp("", "demo")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	files, err := Write(dir)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		m, err := readMembers(f)
		if err != nil {
			return nil, err
		}
		members = append(members, m...)
	}
	return members, nil
})

// readMembers inflates the gzip members of a file one by one. Each must hold one record.
func readMembers(name string) ([][]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var members [][]byte
	br := bufio.NewReader(f)
	for {
		z, err := gzip.NewReader(br)
		if err == io.EOF {
			return members, nil
		}
		if err != nil {
			return nil, err
		}
		z.Multistream(false)
		m, err := io.ReadAll(z)
		if err != nil {
			return nil, err
		}
		members = append(members, m)
	}
}

func readRecord(t *testing.T, member []byte) *record {
	t.Helper()
	head, rest, ok := bytes.Cut(member, []byte("\r\n\r\n"))
	version, fields, _ := bytes.Cut(head, []byte("\r\n"))
	if !ok || string(version) != "WARC/1.1" {
		t.Fatalf("not a WARC/1.1 record: %.60q", member)
	}
	h, err := textproto.NewReader(bufio.NewReader(io.MultiReader(bytes.NewReader(fields), strings.NewReader("\r\n\r\n")))).ReadMIMEHeader()
	if err != nil {
		t.Fatal(err)
	}
	block, ok := bytes.CutSuffix(rest, []byte("\r\n\r\n"))
	if n, err := strconv.Atoi(h.Get("Content-Length")); !ok || err != nil || n != len(block) {
		t.Fatalf("Content-Length %q, but %d bytes", h.Get("Content-Length"), len(block))
	}
	return &record{h, block}
}

func TestFilesAreTheSameEachTime(t *testing.T) {
	a, err := Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b, err := Write(filepath.Join(t.TempDir(), "new", "folder"))
	if err != nil {
		t.Fatal(err)
	}
	if len(a) != 3 || len(b) != 3 {
		t.Fatalf("got %v and %v", a, b)
	}
	for i := range a {
		x, err := os.ReadFile(a[i])
		if err != nil {
			t.Fatal(err)
		}
		y, err := os.ReadFile(b[i])
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(x, y) || filepath.Base(a[i]) != filepath.Base(b[i]) {
			t.Errorf("%s and %s differ", a[i], b[i])
		}
	}
}

// A server that reads a file while it is written again reads the old one to its end.
func TestFilesAreReplaced(t *testing.T) {
	dir := t.TempDir()
	before, after := filepath.Join(dir, "riverbend-2008.warc.gz"), filepath.Join(dir, "read")
	if err := errors.Join(os.WriteFile(before, []byte("of before"), 0o600), os.Link(before, after)); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(dir); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(after); err != nil || string(got) != "of before" {
		t.Errorf("it has %d other bytes, %v", len(got), err)
	}
}

func TestRecordsAreWhole(t *testing.T) {
	records := written(t)
	ids := map[string]bool{}
	for _, r := range records {
		id := r.header.Get("WARC-Record-Id")
		if ids[id] {
			t.Errorf("%s comes twice", id)
		}
		ids[id] = true
		if got := digest(r.block); got != r.header.Get("WARC-Block-Digest") {
			t.Errorf("%s: block digest %s, want %s", id, r.header.Get("WARC-Block-Digest"), got)
		}
		if strings.Contains(r.header.Get("WARC-Profile"), "not-modified") || r.header.Get("WARC-Type") == "request" {
			if d := r.header.Get("WARC-Payload-Digest"); d != "" {
				t.Errorf("%s %s: payload digest %s of what has no payload", r.date(), r.uri(), d)
			}
		}
		if r.header.Get("WARC-Type") != "response" {
			continue
		}
		if _, payload := r.http(t); digest(payload) != r.header.Get("WARC-Payload-Digest") {
			t.Errorf("%s %s: payload digest %s, want %s", r.date(), r.uri(), r.header.Get("WARC-Payload-Digest"), digest(payload))
		}
	}
}

func TestRevisitsReferToAnEarlierResponse(t *testing.T) {
	records := written(t)
	responses := map[string]*record{}
	identical, notModified := 0, 0
	for _, r := range records {
		switch r.header.Get("WARC-Type") {
		case "response":
			responses[r.uri()+" "+r.date()] = r
		case "revisit":
			before := responses[r.header.Get("WARC-Refers-To-Target-Uri")+" "+r.header.Get("WARC-Refers-To-Date")]
			if before == nil {
				t.Fatalf("%s %s refers to nothing", r.date(), r.uri())
			}
			head, rest := r.split(t)
			if len(rest) > 0 {
				t.Errorf("%s %s has a body", r.date(), r.uri())
			}
			if strings.HasSuffix(r.header.Get("WARC-Profile"), "server-not-modified") {
				notModified++
				if !strings.HasPrefix(head, "HTTP/1.1 304 ") {
					t.Errorf("%s %s: %s", r.date(), r.uri(), head)
				}
				continue
			}
			identical++
			if r.header.Get("WARC-Payload-Digest") != before.header.Get("WARC-Payload-Digest") {
				t.Errorf("%s %s: another digest than what it refers to", r.date(), r.uri())
			}
		}
	}
	if identical < 100 || notModified < 20 {
		t.Errorf("%d identical, %d not modified: too few to show what a revisit is", identical, notModified)
	}
}

// history returns date, status and body of each response of a path, whatever its scheme, oldest first.
func history(t *testing.T, records []*record, path string) (dates []string, statuses []int, bodies []string) {
	t.Helper()
	for _, r := range records {
		_, after, _ := strings.Cut(r.uri(), "://www.riverbend.example")
		if r.header.Get("WARC-Type") != "response" || after != path {
			continue
		}
		resp, _ := r.http(t)
		dates, statuses, bodies = append(dates, r.date()), append(statuses, resp.StatusCode), append(bodies, r.body(t))
	}
	return dates, statuses, bodies
}

func TestTheSiteHasWhatArchivesHave(t *testing.T) {
	records := written(t)
	tests := []struct {
		name, path, since, until string // captures show the text from since on, before until
		text                     string
	}{
		{"a sentence disappears", "/history.html", "2008", "2016-09", "dye and chromium through the town"},
		{"another takes its place", "/history.html", "2016-09", "9", "damaged several businesses upstream"},
		{"a removed page", "/water.html", "2008", "2017-03", "nobody in Riverbend kept fish"},
		{"its text lives on elsewhere", "/archive/water-quality-2016.html", "2017-03", "9", "nobody in Riverbend kept fish"},
		{"a moved page", "/about.html", "2008", "2014-03", "schoolteacher Edda Marrow"},
		{"where it moved to", "/about/", "2014-03", "9", "schoolteacher Edda Marrow"},
		{"a soft 404", "/visit.html", "2020-09", "9", "Sorry, we could not find that page"},
		{"Persian, right to left", "/fa/", "2015", "9", `dir="rtl"`},
		{"Ukrainian in UTF-8", "/uk/", "2010-09", "9", "Чаплі просять не шуміти"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dates, _, bodies := history(t, records, tt.path)
			if len(dates) == 0 {
				t.Fatal("no responses")
			}
			for i, date := range dates {
				want := date >= tt.since && date < tt.until
				if got := strings.Contains(bodies[i], tt.text); got != want {
					t.Errorf("%s: has %q: %v, want %v", date, tt.text, got, want)
				}
			}
		})
	}
}

func TestStatuses(t *testing.T) {
	records := written(t)
	tests := []struct {
		name, path string
		want       []int // the statuses that occur
	}{
		{"moved", "/about.html", []int{200, 301}},
		{"gone", "/water.html", []int{200, 404}},
		{"soft 404", "/visit.html", []int{200}},
		{"failures", "/events", []int{200, 503}},
		{"to https", "/", []int{200, 301, 503}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, statuses, _ := history(t, records, tt.path)
			slices.Sort(statuses)
			if got := slices.Compact(statuses); !slices.Equal(got, tt.want) {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

func TestOldCharsetDecodes(t *testing.T) {
	records := written(t)
	dates, _, bodies := history(t, records, "/uk/")
	if utf8.ValidString(bodies[0]) || dates[0] > "2010" {
		t.Fatal("the oldest capture should be in windows-1251")
	}
	text, err := charmap.Windows1251.NewDecoder().String(bodies[0])
	if err != nil || !strings.Contains(text, "Чаплі просять не шуміти") || !strings.Contains(text, "charset=windows-1251") {
		t.Errorf("got %s, %v", text, err)
	}
}

func TestPagesAreValidTextWithoutTemplateSyntax(t *testing.T) {
	records := written(t)
	for _, r := range records {
		if r.header.Get("WARC-Type") != "response" {
			continue
		}
		resp, _ := r.http(t)
		if !strings.Contains(resp.Header.Get("Content-Type"), "charset=utf-8") {
			continue
		}
		if body := r.body(t); !utf8.ValidString(body) || strings.Contains(body, "<no value>") || strings.Contains(body, "{{") {
			t.Errorf("%s %s: %s", r.date(), r.uri(), body)
		}
	}
}

// On one day the birds page first failed and then answered, to show that a good capture is preferred to a failed one.
func TestAFailureAndAGoodCaptureOnOneDay(t *testing.T) {
	records := written(t)
	dates, statuses, _ := history(t, records, "/events")
	var day []int
	for i, d := range dates {
		if strings.HasPrefix(d, "2016-03-01") {
			day = append(day, statuses[i])
		}
	}
	if !slices.Equal(day, []int{503, 200}) {
		t.Errorf("got %d", day)
	}
}

func TestOnlyNoiseDiffers(t *testing.T) {
	records := written(t)
	_, _, home := history(t, records, "/")
	seen := map[string]bool{}
	for _, body := range home {
		if strings.Contains(body, "<h1>The river at our door</h1>") && seen[body] {
			t.Error("two captures of the home page are the same")
		}
		seen[body] = true
	}
}

func TestPostedForm(t *testing.T) {
	records := written(t)
	byID := map[string]*record{}
	posts := 0
	for _, r := range records {
		byID[r.header.Get("WARC-Record-Id")] = r
		if r.header.Get("WARC-Type") != "request" {
			continue
		}
		posts++
		answer := byID[r.header.Get("WARC-Concurrent-To")]
		if answer == nil || answer.uri() != r.uri() || !strings.Contains(answer.body(t), "Thank you") {
			t.Errorf("the request of %s has no answer", r.date())
		}
		req, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(r.block)))
		if err != nil || req.Method != http.MethodPost || req.FormValue("email") != "reader@river.example" {
			t.Errorf("got %v, %v", req, err)
		}
	}
	if posts == 0 {
		t.Error("no POST capture")
	}
}

func TestHighlightsPointIntoTheArchive(t *testing.T) {
	records := written(t)
	known := map[string]bool{}
	for _, r := range records {
		known[r.uri()] = true
		date := strings.NewReplacer("-", "", "T", "", ":", "", "Z", "").Replace(r.date())
		known[date+"/"+r.uri()] = true
	}
	if len(Highlights()) != 3 {
		t.Errorf("%d highlights", len(Highlights()))
	}
	for _, h := range Highlights() {
		target := strings.TrimPrefix(strings.TrimPrefix(h.Path, "landing/"), "*/")
		if !known[target] || h.Title == "" || h.Why == "" {
			t.Errorf("%+v leads nowhere", h)
		}
	}
}

// Every link of a page must lead to something that was crawled at some time.
func TestLinksLeadSomewhere(t *testing.T) {
	records := written(t)
	known := map[string]bool{"/search": true} // a form that no crawler fills in
	for _, r := range records {
		_, path, _ := strings.Cut(r.uri(), "://www.riverbend.example")
		known[path] = true
	}
	for _, r := range records {
		if r.header.Get("WARC-Type") != "response" || !strings.Contains(string(r.block), "text/html") {
			continue
		}
		for _, attr := range []string{`href="/`, `src="/`, `action="/`} {
			for _, part := range strings.Split(r.body(t), attr)[1:] {
				path, _, _ := strings.Cut(part, `"`)
				if !known["/"+path] {
					t.Errorf("%s %s: /%s was never crawled", r.date(), r.uri(), path)
				}
			}
		}
	}
}

func TestMediaIsWellFormed(t *testing.T) {
	wav := iceSound()
	if string(wav[:4]) != "RIFF" || len(wav) != 44+48000 {
		t.Errorf("%d bytes of sound beginning with %q", len(wav), wav[:4])
	}
	pdf := string(report())
	i := strings.LastIndex(pdf, "startxref\n")
	at, err := strconv.Atoi(strings.Fields(pdf[i:])[1])
	if err != nil || !strings.HasPrefix(pdf[at:], "xref\n") {
		t.Errorf("the PDF's table is not at %d", at)
	}
}
