package export_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/export"
	"github.com/varve-archive/varve/cdx"
)

const revisitFields = "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\n"

func page(date, uri, body string) archivetest.Record {
	return archivetest.Record{Date: date, URI: uri, Body: body, Fields: "WARC-Concurrent-To: <urn:test:of-" + date + ">\n"}
}

func again(date, uri, body string) archivetest.Record {
	return archivetest.Record{Date: date, URI: uri, Body: body, Type: "revisit", Fields: revisitFields}
}

// ISO 28500 §5: what is handed on is the record, so that its digests, its IDs and its place in gzip files stay true.
func TestRecordsStayByteForByte(t *testing.T) {
	a := one(t, page("20200101000000", "http://a.example/", "<p>one"))
	b := one(t, page("20200102000000", "http://b.example/", "<p>two"))
	h := newHouse(t, map[string][]byte{"a.warc.gz": packed(t, a), "b.warc": b})
	var gz, plain bytes.Buffer
	job, _ := h.job(t, "", "")
	if err := job.WARC(t.Context(), &gz, true); err != nil {
		t.Fatal(err)
	}
	job, _ = h.job(t, "", "")
	if err := job.WARC(t.Context(), &plain, false); err != nil {
		t.Fatal(err)
	}
	for _, record := range [][]byte{a, b} {
		if !bytes.Contains(plain.Bytes(), record) {
			t.Errorf("without compression this is not in it:\n%s", record)
		}
	}
	if !bytes.Contains(gz.Bytes(), packed(t, a)) {
		t.Error("the gzip member was not taken as it is")
	}
	z, err := gzip.NewReader(&gz)
	if err != nil {
		t.Fatal(err)
	}
	if all, _ := io.ReadAll(z); !bytes.Contains(all, b) || !bytes.HasSuffix(all, []byte("\r\n\r\n")) {
		t.Errorf("compressed it is\n%s", all)
	}
	first, _, _ := strings.Cut(plain.String(), "\r\n\r\n\r\n")
	for _, want := range []string{
		"WARC-Type: warcinfo\r\n", "WARC-Date: 2026-01-02T03:04:05Z\r\n",
		"software: varve test\r\nformat: WARC File Format 1.1\r\nconformsTo: http",
		"description: export of everything in the collection web",
	} {
		if !strings.Contains(first, want) {
			t.Errorf("it begins without %q:\n%s", want, first)
		}
	}
}

func TestAHeadOfLinesWithoutCRStaysSo(t *testing.T) {
	record := strings.ReplaceAll(string(one(t, page("20200101000000", "http://a.example/", "<p>one"))), "\r\n", "\n")
	head, block, _ := strings.Cut(record, "\n\n")
	block = strings.TrimSuffix(block, "\n\n")
	head = head[:strings.LastIndex(head, " ")+1] + fmt.Sprint(len(block))
	record = head + "\n\n" + block
	h := newHouse(t, map[string][]byte{"a.warc.gz": packed(t, []byte(record+"\r\n\r\n"))})
	var out bytes.Buffer
	job, problems := h.job(t, "", "")
	if err := job.WARC(t.Context(), &out, false); err != nil || len(*problems) > 0 {
		t.Fatal(err, *problems)
	}
	if !strings.Contains(out.String(), record+"\r\n\r\n") {
		t.Errorf("got\n%q\nwant in it\n%q", out.String(), record)
	}
}

func TestRequestsComeWithTheirResponses(t *testing.T) {
	one20, two20 := "20200101000000", "20200102000000"
	uri := "http://a.example/"
	files := map[string][][]byte{
		"before": {request("of-"+one20, uri, one20, ""), one(t, page(one20, uri, "<p>x")), one(t, page(two20, uri, "<p>y"))},
		"after": {
			one(t, page(two20, uri, "<p>y")), one(t, page(one20, uri, "<p>x")),
			request("other", uri, one20, "WARC-Concurrent-To: <urn:test:0>\r\n"),
		},
		"silent": {
			one(t, archivetest.Record{Date: one20, URI: uri, Body: "<p>x"}), request("silent", uri, one20, ""),
			request("stranger", "http://b.example/", one20, ""),
		},
	}
	for name, records := range files {
		for _, file := range []struct {
			name    string
			content []byte
		}{{"a.warc.gz", packed(t, records...)}, {"a.warc", bytes.Join(records, nil)}} {
			t.Run(name+" "+file.name, func(t *testing.T) {
				h := newHouse(t, map[string][]byte{file.name: file.content})
				job, _ := h.job(t, "20200101", "20200101")
				var out bytes.Buffer
				if err := job.WARC(t.Context(), &out, true); err != nil {
					t.Fatal(err)
				}
				wantLines(t, list(t, out.Bytes()), "warcinfo\nresponse http://a.example/ 20200101\nrequest http://a.example/ 20200101")
			})
		}
	}
}

// Several records of an exchange keep their order, on whichever side of the response they are.
func TestRecordsOfAnExchangeKeepTheirOrder(t *testing.T) {
	const date, uri = "20200101000000", "http://a.example/"
	of := func(id string) []byte { return request(id, uri, date, "WARC-Concurrent-To: <urn:test:0>\r\n") }
	records := [][]byte{of("one"), of("two"), one(t, archivetest.Record{Date: date, URI: uri, Body: "<p>x"}), of("three"), of("four")}
	for name, content := range map[string][]byte{"a.warc.gz": packed(t, records...), "a.warc": bytes.Join(records, nil)} {
		h := newHouse(t, map[string][]byte{name: content})
		job, _ := h.job(t, "", "")
		var out bytes.Buffer
		if err := job.WARC(t.Context(), &out, false); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range regexp.MustCompile(`Record-ID: <urn:test:([a-z]+)>`).FindAllStringSubmatch(out.String(), -1) {
			got = append(got, m[1])
		}
		if want := []string{"one", "two", "three", "four"}; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestRevisitsCanBeResolved(t *testing.T) {
	content := archivetest.WARC(t,
		archivetest.Record{Date: "20190101000000", URI: "http://a.example/", Body: "<p>same"},
		again("20200101000000", "http://a.example/", "<p>same"),
		again("20200102000000", "http://a.example/", "<p>same"),
		again("20200103000000", "http://b.example/", "<p>same"),
	)
	tests := []struct {
		name, from string
		urls       []string
		exclude    string
		want       string
	}{
		{
			name: "the original is selected too", want: `
warcinfo
response http://a.example/ 20190101
revisit http://a.example/ 20200101
revisit http://a.example/ 20200102
revisit http://b.example/ 20200103`,
		},
		{
			name: "the original is of another time and comes along once", from: "2020", want: `
warcinfo
response http://a.example/ 20190101
revisit http://a.example/ 20200101
revisit http://a.example/ 20200102
revisit http://b.example/ 20200103`,
		},
		{
			name: "the original is of another URL", urls: []string{"b.example"}, want: `
warcinfo
response http://a.example/ 20190101
revisit http://b.example/ 20200103`,
		},
		{
			name: "overlapping URLs are one selection", urls: []string{"*.b.example", "http://b.example/", "http://b.example/*"}, want: `
warcinfo
response http://a.example/ 20190101
revisit http://b.example/ 20200103`,
		},
		{
			name: "the original may not be seen", exclude: "http://a.example/", want: `
warcinfo
response http://b.example/ 20200103`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := newHouse(t, map[string][]byte{"a.warc": content})
			if test.exclude != "" {
				h.decide(t, access.Exclude, test.exclude)
			}
			job, problems := h.job(t, test.from, "", test.urls...)
			var out bytes.Buffer
			if err := job.WARC(t.Context(), &out, true); err != nil || len(*problems) > 0 {
				t.Fatal(err, *problems)
			}
			wantLines(t, list(t, out.Bytes()), test.want)
			resolvesAll(t, out.Bytes())
			var wacz bytes.Buffer
			job, _ = h.job(t, test.from, "", test.urls...)
			if err := job.WACZ(t.Context(), &wacz); err != nil {
				t.Fatal(err)
			}
			if got, want := strings.Count(unpacked(t, wacz.Bytes()), "warc/revisit"), strings.Count(test.want, "revisit "); got != want {
				t.Errorf("the index of a WACZ has %d revisits, want %d", got, want)
			}
		})
	}
}

// resolvesAll indexes an export and reads every capture in it.
func resolvesAll(t *testing.T, content []byte) {
	t.Helper()
	h := newHouse(t, map[string][]byte{"out.warc.gz": content})
	for c, err := range h.index.Captures(t.Context(), cdx.Span{Coll: "web"}) {
		if err != nil {
			t.Fatal(err)
		}
		resp, err := h.archive.Open(t.Context(), c)
		if err != nil {
			t.Errorf("%s %s: %v", c.Time, c.URL, err)
			continue
		}
		if body, err := io.ReadAll(resp.Body); err != nil || string(body) != "<p>same" {
			t.Errorf("%s %s: %q, %v", c.Time, c.URL, body, err)
		}
		resp.Close()
	}
}

const arcBlock = "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<p>old"

// arcFile is an ARC file with one page.
func arcFile() []byte {
	return []byte("filedesc://a.arc 0.0.0.0 20000101000000 text/plain 76\n" +
		"1 0 Archive\nURL IP-address Archive-date Content-type Archive-length\n" + strings.Repeat(" ", 8) + "\n" +
		fmt.Sprintf("http://a.example/ 192.0.2.7 20000102030405 text/html %d\n%s\n", len(arcBlock), arcBlock))
}

func TestRecordsOfARCFilesAreConverted(t *testing.T) {
	h := newHouse(t, map[string][]byte{"a.arc": arcFile()})
	job, problems := h.job(t, "", "")
	var out bytes.Buffer
	if err := job.WARC(t.Context(), &out, false); err != nil || len(*problems) > 0 {
		t.Fatal(err, *problems)
	}
	wantLines(t, list(t, out.Bytes()), "warcinfo\nresponse http://a.example/ 20000102")
	for _, want := range []string{
		"\r\n\r\n" + arcBlock + "\r\n\r\n",
		"WARC-IP-Address: 192.0.2.7\r\n", "WARC-Source-URI: filedesc://a.arc\r\n", "WARC-Source-Range: bytes=",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}

func TestDamagedRecordsAreNamedAndLeftOut(t *testing.T) {
	a, b := one(t, page("20200101000000", "http://a.example/", "<p>one")), one(t, page("20200102000000", "http://b.example/", "<p>two"))
	file := packed(t, a, b)
	h := newHouse(t, map[string][]byte{"a.warc.gz": slices.Clone(file)})
	h.damage(t, "a.warc.gz", 200)
	job, problems := h.job(t, "", "")
	var out bytes.Buffer
	if err := job.WARC(t.Context(), &out, true); err != nil {
		t.Fatal(err)
	}
	wantLines(t, list(t, out.Bytes()), "warcinfo\nresponse http://b.example/ 20200102")
	if len(*problems) != 1 || !strings.Contains((*problems)[0], "a.warc.gz offset 0: ") || job.Progress.Problems.Load() != 1 {
		t.Errorf("the problems are %q", *problems)
	}
}

// A revisit says nothing without its original.
func TestRevisitsOfDamagedOriginalsAreLeftOut(t *testing.T) {
	original := archivetest.WARC(t, archivetest.Record{Date: "20190101000000", URI: "http://a.example/", Body: "<p>same"})
	h := newHouse(t, map[string][]byte{
		"a.warc.gz": packed(t, original), "b.warc": archivetest.WARC(t, again("20200101000000", "http://a.example/", "<p>same"),
			again("20200102000000", "http://b.example/", "<p>same"), page("20200102000000", "http://c.example/", "<p>other")),
	})
	h.damage(t, "a.warc.gz", 200)
	job, problems := h.job(t, "2020", "")
	var out bytes.Buffer
	if err := job.WARC(t.Context(), &out, true); err != nil {
		t.Fatal(err)
	}
	wantLines(t, list(t, out.Bytes()), "warcinfo\nresponse http://c.example/ 20200102")
	if len(*problems) != 2 || !strings.Contains((*problems)[0], "b.warc offset 0: a.warc.gz: damaged at byte 0") {
		t.Errorf("the problems are %q", *problems)
	}
}

func TestWhatIsExcludedIsInNoFormat(t *testing.T) {
	content := archivetest.WARC(t,
		page("20200101000000", "http://a.example/", "<p>open"), page("20200101000000", "http://b.example/", "<p>secret"))
	h := newHouse(t, map[string][]byte{"a.warc": content})
	h.decide(t, access.Exclude, "http://b.example/")
	for name, run := range h.formats(t) {
		var out bytes.Buffer
		if err := run(t.Context(), &out); err != nil {
			t.Fatal(err)
		}
		if text := unpacked(t, out.Bytes()); !strings.Contains(text, "a.example") || strings.Contains(text, "b.example") ||
			strings.Contains(text, "secret") {
			t.Errorf("%s is\n%s", name, text)
		}
	}
}

// A revisit names its original, whether or not that is in the archive. If readers may not know of that, it isn't named.
func TestRevisitsNameNothingThatIsExcluded(t *testing.T) {
	const names = "WARC-Refers-To-Target-URI: http://b.example/\nWARC-Refers-To-Date: 2019-01-01T00:00:00Z\nWARC-Refers-To: <urn:test:1>\n"
	revisit := again("20200102000000", "http://a.example/", "<p>same")
	revisit.Fields += names
	for name, test := range map[string]struct {
		records []archivetest.Record
		want    string
	}{
		"without an original":   {[]archivetest.Record{revisit}, "warcinfo\nrevisit http://a.example/ 20200102"},
		"with another original": {[]archivetest.Record{page("20200101000000", "http://a.example/", "<p>same"), revisit}, ""},
	} {
		h := newHouse(t, map[string][]byte{"a.warc": archivetest.WARC(t, test.records...)})
		for _, rule := range []access.Access{access.Allow, access.Exclude} {
			h.decide(t, rule, "http://b.example/")
			for format, run := range h.formats(t) {
				var out bytes.Buffer
				if err := run(t.Context(), &out); err != nil {
					t.Fatal(err)
				}
				says := strings.Contains(unpacked(t, out.Bytes()), "b.example")
				if mayWARC := format == "warc" || format == "wacz"; says != (mayWARC && rule == access.Allow) {
					t.Errorf("%s: %s names what is %v: %v\n%s", name, format, rule, says, unpacked(t, out.Bytes()))
				}
				if format == "warc" && rule == access.Exclude && test.want != "" {
					wantLines(t, list(t, out.Bytes()), test.want)
				}
			}
		}
	}
}

// Of a revisit whose original may not be named all else stays: each field once, and the block.
func TestRevisitsThatNameNothingStayElse(t *testing.T) {
	revisit := again("20200102000000", "http://a.example/", "<p>same")
	revisit.Head = "X-Own: yes\n"
	revisit.Fields += "WARC-Refers-To-Target-URI: http://b.example/\nWARC-IP-Address: 192.0.2.7\n"
	h := newHouse(t, map[string][]byte{"a.warc": archivetest.WARC(t, revisit)})
	h.decide(t, access.Exclude, "http://b.example/")
	job, _ := h.job(t, "", "")
	var out bytes.Buffer
	if err := job.WARC(t.Context(), &out, false); err != nil {
		t.Fatal(err)
	}
	_, record, _ := strings.Cut(out.String(), "WARC-Type: revisit")
	for _, once := range []string{
		"WARC-Profile: ", "WARC-IP-Address: 192.0.2.7\r\n", "WARC-Record-ID: ", "WARC-Date: ", "WARC-Target-URI: ", "Content-Length: ",
		"X-Own: yes\r\n",
	} {
		if n := strings.Count(record, once); n != 1 {
			t.Errorf("%d times %q in\n%s", n, once, record)
		}
	}
}

// A revisit that becomes a response has the body of its original, decoded, and says how long that is.
func TestRevisitsThatBecomeResponses(t *testing.T) {
	original := archivetest.Record{
		Date: "20190101000000", URI: "http://b.example/", Head: "Transfer-Encoding: chunked\n", Body: "7\r\n<p>same\r\n0\r\n\r\n",
	}
	revisit := archivetest.Record{
		Date: "20200101000000", URI: "http://a.example/", Type: "revisit", Body: original.Body,
		Head: "transfer-encoding: chunked\nX-Own: yes\n", Fields: revisitFields,
	}
	h := newHouse(t, map[string][]byte{"a.warc": archivetest.WARC(t, original, revisit)})
	h.decide(t, access.Exclude, "http://b.example/")
	job, problems := h.job(t, "", "")
	var out bytes.Buffer
	if err := job.WARC(t.Context(), &out, false); err != nil || len(*problems) > 0 {
		t.Fatal(err, *problems)
	}
	wantLines(t, list(t, out.Bytes()), "warcinfo\nresponse http://a.example/ 20200101")
	_, block, _ := strings.Cut(out.String(), "HTTP/1.1 200 OK\r\n")
	want := "Content-Type: text/html; charset=utf-8\r\nX-Own: yes\r\nContent-Length: 7\r\n\r\n<p>same\r\n\r\n"
	if block != want {
		t.Errorf("got\n%q, want\n%q", block, want)
	}
	resolvesAll(t, packed(t, out.Bytes()[bytes.LastIndex(out.Bytes(), []byte("WARC/1.")):]))
}

// What is blocked has its place, so it is counted, and its text is left out.
func TestWhatIsBlockedIsCounted(t *testing.T) {
	h := newHouse(t, map[string][]byte{"a.warc": archivetest.WARC(t,
		page("20200101000000", "http://a.example/", "<p>open"), page("20200101000000", "http://b.example/", "<p>secret"))})
	h.decide(t, access.Block, "http://b.example/")
	for name, run := range map[string]func(*export.Job, io.Writer) error{
		"warc":  func(j *export.Job, w io.Writer) error { return j.WARC(t.Context(), w, false) },
		"wacz":  func(j *export.Job, w io.Writer) error { return j.WACZ(t.Context(), w) },
		"jsonl": func(j *export.Job, w io.Writer) error { return j.JSONL(t.Context(), w) },
	} {
		job, problems := h.job(t, "", "")
		var out bytes.Buffer
		if err := run(job, &out); err != nil || len(*problems) > 0 || job.Progress.Held.Load() != 1 || job.Progress.Captures.Load() != 2 {
			t.Errorf("%s: %v %q, %d held of %d", name, err, *problems, job.Progress.Held.Load(), job.Progress.Captures.Load())
		}
		if text := unpacked(t, out.Bytes()); !strings.Contains(text, "open") || strings.Contains(text, "secret") {
			t.Errorf("%s is\n%s", name, text)
		}
	}
}

// Answers to sent forms are no versions of the page.
func TestJSONLLeavesOutAnswersToForms(t *testing.T) {
	sent := bytes.ReplaceAll(request("of-20200102000000", "http://a.example/", "20200102000000", ""), []byte("GET"), []byte("PUT"))
	h := newHouse(t, map[string][]byte{"a.warc": slices.Concat(one(t, page("20200101000000", "http://a.example/", "<p>asked")),
		sent, one(t, page("20200102000000", "http://a.example/", "<p>sent")))})
	job, _ := h.job(t, "", "")
	var out bytes.Buffer
	if err := job.JSONL(t.Context(), &out); err != nil || !strings.Contains(out.String(), "asked") || strings.Contains(out.String(), "sent") {
		t.Errorf("%v: %s", err, out.String())
	}
	if lines := cdxj(t, h); strings.Count(lines, "__wb_method") != 1 {
		t.Errorf("it has no key of its own: %s", lines)
	}
}

// An export that is interrupted fails, and none leaves temporary files.
func TestAnInterruptedExportFails(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	h := newHouse(t, map[string][]byte{"a.warc": archivetest.WARC(t, page("20200101000000", "http://a.example/", "<p>x"))})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, run := range h.formats(t) {
		if err := run(ctx, io.Discard); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		if err := run(t.Context(), io.Discard); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
			t.Errorf("%s leaves %v, %v", name, left, err)
		}
	}
}

// A failing store must not look like a small archive: the export fails, or names what is missing.
func TestNoExportOfAFailingStore(t *testing.T) {
	t.Parallel()
	records := []archivetest.Record{
		page("20200101000000", "http://a.example/", "<p>one"), page("20200102000000", "http://a.example/", "<p>two"),
		again("20200103000000", "http://b.example/", "<p>two"), page("20200103000000", "http://c.example/x.css", "p {}"),
	}
	for name := range newHouse(t, nil).formats(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			archivetest.EachFault(t, records, func(s *archivetest.Shelf) error {
				a, err := archive.New(archive.Config{Index: s.Index, Records: s})
				if err != nil {
					t.Fatal(err)
				}
				var failed error
				h := &house{index: s.Index, archive: a}
				run := h.formatsOf(func() *export.Job {
					job, _ := h.job(t, "", "")
					job.Report = func(err error) { failed = err }
					return job
				})[name]
				return errors.Join(run(t.Context(), io.Discard), failed)
			})
		})
	}
}

// A full is a place that takes so many bytes.
type full struct{ left int }

var errFull = errors.New("the place is full")

func (f *full) Write(p []byte) (int, error) {
	n := min(len(p), f.left)
	if f.left -= n; n < len(p) {
		return n, errFull
	}
	return n, nil
}

// Who can't take all of an export is told that it failed, wherever that was.
func TestNoExportToAFullPlace(t *testing.T) {
	t.Parallel()
	h := newHouse(t, map[string][]byte{
		"a.warc.gz": packed(t, one(t, page("20200101000000", "http://a.example/", "<p>x"))),
		"b.warc": archivetest.WARC(t,
			page("20200102000000", "http://a.example/", "<p>y"), again("20200103000000", "http://b.example/", "<p>y")),
		"c.arc": arcFile(),
	})
	formats := h.formats(t)
	formats["warc.gz"] = func(ctx context.Context, w io.Writer) error { j, _ := h.job(t, "", ""); return j.WARC(ctx, w, true) }
	for name, run := range formats {
		var whole bytes.Buffer
		if err := run(t.Context(), &whole); err != nil {
			t.Fatal(err)
		}
		for size := 0; size < whole.Len(); size += max(1, min(whole.Len()/60, whole.Len()-1-size)) {
			if err := run(t.Context(), &full{size}); !errors.Is(err, errFull) {
				t.Errorf("%s, %d of %d bytes: %v", name, size, whole.Len(), err)
			}
		}
		if err := run(t.Context(), &full{whole.Len()}); err != nil {
			t.Errorf("%s, all bytes: %v", name, err)
		}
	}
}

// WACZ 1.1.1.
func TestWACZ(t *testing.T) {
	content := archivetest.WARC(t,
		archivetest.Record{Date: "20190101000000", URI: "http://z.example/", Body: "<title>T</title><p>same"},
		again("20200101000000", "http://a.example/", "<title>T</title><p>same"),
		archivetest.Record{Date: "20200101000000", URI: "http://m.example/", Body: "<title>M</title><p>other"},
		archivetest.Record{Date: "20200201000000", URI: "http://m.example/", Body: "<title>M</title><p>other"},
		archivetest.Record{Date: "20200301000000", URI: "http://m.example/", Body: "<p>gone", Status: 404},
		archivetest.Record{Date: "20200401000000", URI: "http://m.example/", Body: "<title>N</title><p>new", Head: "Content-Type: \n"},
		archivetest.Record{Date: "20200101000000", URI: "http://m.example/x", Body: "a text", Head: "Content-Type: text/plain\n"},
	)
	h := newHouse(t, map[string][]byte{"a.warc": content})
	job, _ := h.job(t, "2020", "")
	var out bytes.Buffer
	if err := job.WACZ(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		parts[f.Name] = string(text)
		if strings.HasPrefix(f.Name, "archive/") && f.Method != zip.Store { // §4.1
			t.Errorf("%s is compressed twice", f.Name)
		}
	}
	var described struct {
		Profile     string
		WACZVersion string `json:"wacz_version"`
		Resources   []struct {
			Path, Hash string
			Bytes      int
		}
	}
	if err := json.Unmarshal([]byte(parts["datapackage.json"]), &described); err != nil {
		t.Fatal(err)
	}
	var main struct{ MainPageURL, MainPageDate string }
	if _ = json.Unmarshal([]byte(parts["datapackage.json"]), &main); main.MainPageURL != "http://z.example/" ||
		main.MainPageDate != "2019-01-01T00:00:00Z" { // the first of the pages
		t.Errorf("one begins with %+v", main)
	}
	if described.Profile != "data-package" || described.WACZVersion != "1.1.1" || len(described.Resources) != 3 {
		t.Errorf("datapackage.json is\n%s", parts["datapackage.json"])
	}
	for _, r := range described.Resources {
		if sum := sha256.Sum256([]byte(parts[r.Path])); r.Hash != "sha256:"+hex.EncodeToString(sum[:]) || r.Bytes != len(parts[r.Path]) {
			t.Errorf("%s: %+v is not so", r.Path, r)
		}
	}
	sum := sha256.Sum256([]byte(parts["datapackage.json"]))
	if !strings.Contains(parts["datapackage-digest.json"], hex.EncodeToString(sum[:])) {
		t.Errorf("the digest is %s", parts["datapackage-digest.json"])
	}
	lines := strings.Split(strings.TrimSpace(parts["indexes/index.cdxj"]), "\n")
	if len(lines) != 7 || !slices.IsSorted(lines) || !strings.HasPrefix(lines[6], "example,z)/ 20190101000000 ") {
		t.Errorf("the index is\n%s", parts["indexes/index.cdxj"])
	}
	for _, line := range lines {
		var at struct{ Offset, Length, URL string }
		_ = json.Unmarshal([]byte(line[strings.Index(line, "{"):]), &at)
		var from, n int
		_, _ = fmt.Sscan(at.Offset+" "+at.Length, &from, &n)
		if got := list(t, []byte(parts["archive/data.warc.gz"][from:from+n])); len(got) != 1 || !strings.Contains(got[0], at.URL) {
			t.Errorf("%s leads to %s", line, got)
		}
	}
	pages := strings.Split(strings.TrimSpace(parts["pages/pages.jsonl"]), "\n")
	for i, line := range pages[1:] {
		var page struct{ TS, URL, Title string }
		if err := json.Unmarshal([]byte(line), &page); err != nil {
			t.Error(err)
		}
		pages[i+1] = strings.TrimSpace(page.TS + " " + page.URL + " " + page.Title)
	}
	wantLines(t, pages, `
{"format":"json-pages-1.0","id":"pages","title":"All Pages"}
2019-01-01T00:00:00Z http://z.example/ T
2020-01-01T00:00:00Z http://a.example/ T
2020-01-01T00:00:00Z http://m.example/ M
2020-04-01T00:00:00Z http://m.example/ N`)
	h = newHouse(t, map[string][]byte{"out.wacz": out.Bytes()})
	if got := cdxj(t, h); strings.Count(got, "\n") != 7 {
		t.Errorf("read again it has\n%s", got)
	}
}

func TestJSONLHasTheVersionsOfATime(t *testing.T) {
	content := archivetest.WARC(t,
		archivetest.Record{Date: "20180101000000", URI: "http://a.example/", Body: "<title>A</title><p>one"},
		archivetest.Record{Date: "20200101000000", URI: "http://a.example/", Body: "<title>A</title><p>two &amp; <b>bold</b>"},
		archivetest.Record{Date: "20200201000000", URI: "http://a.example/", Body: "<title>A</title><p class=x>two &amp; bold"},
		archivetest.Record{Date: "20220101000000", URI: "http://a.example/", Body: "<title>A</title><p>three"},
		archivetest.Moved("20200101000000", "http://b.example/", "http://c.example/"),
	)
	h := newHouse(t, map[string][]byte{"a.warc": content})
	job, _ := h.job(t, "202002", "2020")
	var out bytes.Buffer
	if err := job.JSONL(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	want := map[string]any{
		"url": "http://a.example/", "datetime": "20200101000000", "first": "20200101000000", "last": "20200201000000", "captures": 2.0,
		"kind": "page", "status": 200.0, "mime": "text/html", "redirect": nil, "title": "A", "text": "A two & bold",
	}
	for key, value := range want {
		if got[key] != value {
			t.Errorf("%s is %v, want %v", key, got[key], value)
		}
	}
	job, _ = h.job(t, "", "", "b.example")
	out.Reset()
	if err := job.JSONL(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	if line := out.String(); !strings.Contains(line, `"redirect":"http://c.example/"`) || !strings.Contains(line, `"text":null`) {
		t.Errorf("the redirect is %s", line)
	}
}

func TestNothingSelectedIsNoLine(t *testing.T) {
	h := newHouse(t, nil)
	if got := cdxj(t, h); got != "" {
		t.Errorf("nothing is %q", got)
	}
}

func TestWrongSelectionsAreRefused(t *testing.T) {
	if _, err := export.Select("web", nil, 20210000000000, 20200000000000); err == nil {
		t.Error("a time that ends before it begins was taken")
	}
	if _, err := export.Select("web", nil, 20200101000000, 20200101000000); err != nil {
		t.Errorf("one second: %v", err)
	}
}
