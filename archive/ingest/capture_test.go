package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/varve-archive/varve/archive/content/office/officetest"
	"github.com/varve-archive/varve/archive/content/pdf/sandbox"
	"github.com/varve-archive/varve/cdx"
)

// captures indexes records as one file and returns their captures in the index, by key.
func captures(t *testing.T, change func(*Config), records ...string) (out []cdx.Capture, problems []string) {
	t.Helper()
	b := newBench(t, shelves["bucket"](t))
	b.shelf.put("x.warc.gz", file("x", records...))
	cfg := b.config()
	if change != nil {
		change(&cfg)
	}
	if _, err := Run(t.Context(), cfg, []string{b.shelf.folder()}); err != nil {
		t.Fatal(err)
	}
	for c, err := range b.x.Captures(t.Context(), cdx.Span{Coll: "web"}) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, *c)
	}
	return out, b.problems
}

func response(status, headers, body string) string {
	return "HTTP/1.1 " + status + "\r\n" + headers + "\r\n" + body
}

// A capture says what its record says.
func TestWhatACaptureSays(t *testing.T) {
	t.Parallel()
	const uri = "http://example.com/dir/a"
	with := func(change func(c *cdx.Capture)) cdx.Capture {
		c := cdx.Capture{
			URL: uri, Key: "com,example)/dir/a", Time: 20140101000000, Status: 200, MIME: "text/css",
			Digest: "BPOD4P5MTLYWNIUJMOMVZ7XE27KZCFAB",
		}
		change(&c)
		return c
	}
	const empty = "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ" // SHA-1 of nothing
	css := "Content-Type: text/css\r\n"
	const chunked, inChunks = "Transfer-Encoding: chunked\r\n", "3\r\na{}\r\n0\r\n\r\n"
	redirected := func(status int, location, to string) (string, cdx.Capture) {
		return record("response", uri, response(fmt.Sprint(status, " X"), css+location, ""), overHTTP),
			with(func(c *cdx.Capture) { c.Status, c.Redirect, c.Digest = status, to, empty })
	}
	type row struct {
		record string
		want   cdx.Capture
	}
	rows := map[string]row{
		"response": {record("response", uri, response("200 OK", css, "a{}"), overHTTP), with(func(*cdx.Capture) {})},
		"type in capitals": {
			record("response", uri, response("200 OK", "Content-Type: TEXT/CSS ; charset=x\r\n", "a{}"), overHTTP),
			with(func(*cdx.Capture) {}),
		},
		"two types": {
			record("response", uri, response("200 OK", "Content-Type: text/css, text/html\r\n", "a{}"), overHTTP),
			with(func(*cdx.Capture) {}),
		},
		"no type": {
			record("response", uri, response("200 OK", "Content-Type: a b\r\n", "a{}"), overHTTP),
			with(func(c *cdx.Capture) { c.MIME = "" }),
		},
		"the longest type": {
			record("response", uri, response("200 OK", "Content-Type: a/"+strings.Repeat("b", 253)+"\r\n", "a{}"), overHTTP),
			with(func(c *cdx.Capture) { c.MIME = "a/" + strings.Repeat("b", 253) }),
		},
		"too long a type": {
			record("response", uri, response("200 OK", "Content-Type: a/"+strings.Repeat("b", 254)+"\r\n", "a{}"), overHTTP),
			with(func(c *cdx.Capture) { c.MIME = "" }),
		},
		"declared digest": {
			record("response", uri, response("200 OK", css, "a{}"), overHTTP, "WARC-Payload-Digest: sha1:BPOD4P5MTLYWNIUJMOMVZ7XE27KZCFAB"),
			with(func(*cdx.Capture) {}),
		},
		"digest of a sort that is not known": {
			record("response", uri, response("200 OK", css, "a{}"), overHTTP, "WARC-Payload-Digest: odd:x"),
			with(func(c *cdx.Capture) { c.Digest = "odd:x" }),
		},
		"digest of the body in chunks": {
			record("response", uri, response("200 OK", css+chunked, inChunks), overHTTP,
				"WARC-Payload-Digest: sha1:GKCHQTGH2WFP4P3SIDSE44OR7RRP73DD"),
			with(func(c *cdx.Capture) { c.Digest, c.Payload = "GKCHQTGH2WFP4P3SIDSE44OR7RRP73DD", c.Digest }),
		},
		"digest of the body without its chunks": {
			record("response", uri, response("200 OK", css+chunked, inChunks), overHTTP,
				"WARC-Payload-Digest: sha1:BPOD4P5MTLYWNIUJMOMVZ7XE27KZCFAB"),
			with(func(*cdx.Capture) {}),
		},
		"no digest of a body in chunks": {
			record("response", uri, response("200 OK", css+chunked, inChunks), overHTTP),
			with(func(c *cdx.Capture) { c.Digest, c.Payload = "GKCHQTGH2WFP4P3SIDSE44OR7RRP73DD", c.Digest }),
		},
		"no digest of a body said to be in chunks": {
			record("response", uri, response("200 OK", css+chunked, "a{}"), overHTTP), with(func(*cdx.Capture) {}),
		},
		"digest of another algorithm": {
			record("response", uri, response("200 OK", css, "a{}"), overHTTP,
				"WARC-Payload-Digest: sha256:5f546eb4606b5c2b7d2a449a5cc2bbb477ed5a246c7051ce871b12f2dbfc8419"),
			with(func(c *cdx.Capture) {
				c.Digest, c.Payload = "sha256:5f546eb4606b5c2b7d2a449a5cc2bbb477ed5a246c7051ce871b12f2dbfc8419", c.Digest
			}),
		},
		"digest of something else": {
			record("response", uri, response("200 OK", css, "a{}"), overHTTP,
				"WARC-Payload-Digest: sha256:0000000000000000000000000000000000000000000000000000000000000000"),
			with(func(c *cdx.Capture) {
				c.Digest = "sha256:0000000000000000000000000000000000000000000000000000000000000000"
			}),
		},
		"truncated": {
			record("response", uri, response("200 OK", css, "a{}"), overHTTP, "WARC-Truncated: length"),
			with(func(c *cdx.Capture) { c.Truncated = true }),
		},
		"resource":   {record("resource", uri, "a{}", "Content-Type: text/css"), with(func(c *cdx.Capture) { c.Kind = cdx.Resource })},
		"conversion": {record("conversion", uri, "a{}", "Content-Type: text/css"), with(func(c *cdx.Capture) { c.Kind = cdx.Conversion })},
		"metadata":   {record("metadata", uri, "a{}", "Content-Type: text/css"), with(func(c *cdx.Capture) { c.Kind = cdx.Metadata })},
		"response without HTTP": {record("response", "dns:example.com", "a{}", "Content-Type: text/dns"), cdx.Capture{
			URL: "dns:example.com", Key: "dns:example.com", Time: 20140101000000, MIME: "text/dns", Digest: "BPOD4P5MTLYWNIUJMOMVZ7XE27KZCFAB",
		}},
		"revisit": {
			record("revisit", uri, response("200 OK", css, ""), overHTTP, "WARC-Payload-Digest: sha1:BPOD4P5MTLYWNIUJMOMVZ7XE27KZCFAB",
				"WARC-Refers-To-Target-URI: <http://example.org/>", "WARC-Refers-To-Date: 2013-01-01T00:00:00Z",
				"WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"),
			with(func(c *cdx.Capture) {
				c.Kind, c.RefersToURI, c.RefersToTime = cdx.Revisit, "http://example.org/", 20130101000000
			}),
		},
		"revisit without its payload, as the standard wants it": {
			record("revisit", uri, response("200 OK", css, ""), overHTTP, "WARC-Payload-Digest: sha1:BPOD4P5MTLYWNIUJMOMVZ7XE27KZCFAB",
				"WARC-Refers-To-Target-URI: <http://example.com/old>", "WARC-Refers-To-Date: 2014-03-02T11:22:33Z", "WARC-Truncated: length",
				"WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"),
			with(func(c *cdx.Capture) {
				c.Kind, c.RefersToURI, c.RefersToTime = cdx.Revisit, "http://example.com/old", 20140302112233
			}),
		},
		"revisit of what was not modified": {
			record("revisit", uri, response("304 Not Modified", "", ""), overHTTP,
				"WARC-Profile: http://netpreserve.org/warc/1.1/revisit/server-not-modified", "WARC-Refers-To-Date: soon"),
			with(func(c *cdx.Capture) {
				c.Kind, c.NotModified, c.Status, c.MIME, c.Digest = cdx.Revisit, true, 304, "", ""
			}),
		},
	}
	for _, r := range []struct {
		status       int
		location, to string
	}{
		{299, "Location: b", ""},
		{300, "Location: b", "http://example.com/dir/b"},
		{301, "Location: //example.org/x y", "http://example.org/x%20y"},
		{399, "Location: /b", "http://example.com/b"},
		{400, "Location: b", ""},
		{302, "Location: http://[", ""},
		{302, "Location:", ""},
	} {
		written, want := redirected(r.status, r.location+"\r\n", r.to)
		rows[fmt.Sprint(r.status, " ", r.location)] = row{written, want}
	}
	for name, r := range rows {
		t.Run(name, func(t *testing.T) {
			got, problems := captures(t, func(c *Config) { c.Metadata = true }, r.record)
			if len(got) != 1 {
				t.Fatalf("%d captures, %q", len(got), problems)
			}
			r.want.Location, r.want.FileName = got[0].Location, "x.warc.gz"
			if got[0] != r.want {
				t.Errorf("got  %+v\nwant %+v", got[0], r.want)
			}
			if start := int64(len(file("x"))); got[0].Offset != start || got[0].Length != int64(len(pack(r.record))) {
				t.Errorf("it stands at %d with %d bytes", got[0].Offset, got[0].Length)
			}
		})
	}
	if got, _ := captures(t, nil, rows["metadata"].record, record("warcinfo", "http://example.com/", ""), record("nonsense", uri,
		"")); len(got) != 0 {
		t.Errorf("captures of what is none: %+v", got)
	}
}

func TestURIsThatAreNone(t *testing.T) {
	t.Parallel()
	for _, uri := range []string{"nothing", ":x", "/path:x", "a?b:c", "a#b:c", "a b:c"} {
		if checkURI(uri) == nil {
			t.Errorf("%q passes", uri)
		}
	}
	for _, uri := range []string{"http://example.com/", "urn:x", "dns:example.com", "mailto:a b"} {
		if err := checkURI(uri); err != nil {
			t.Errorf("%q: %v", uri, err)
		}
	}
}

// The answer to a POST gets the key of its request, whether that is before or after it.
func TestRequestsGiveTheirKeys(t *testing.T) {
	t.Parallel()
	const uri = "http://example.com/form"
	posted := record("request", uri, "POST /form HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\nq=1", overHTTP)
	concurrent := func(id string) string {
		return record("request", uri, "POST /form HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\nq=1", overHTTP,
			"WARC-Concurrent-To: <urn:test:"+id+">")
	}
	got := record("request", uri, "GET /form HTTP/1.1\r\n\r\n", overHTTP)
	head := record("request", uri, "HEAD /form HTTP/1.1\r\n\r\n", overHTTP)
	answer := record("response", uri, response("200 OK", "", "x"), overHTTP)
	elsewhere := record("response", uri, response("200 OK", "", "x"), overHTTP, "WARC-Concurrent-To: <urn:test:third>")
	others := func(n int) (out []string) {
		for i := range n {
			out = append(out, record("response", fmt.Sprintf("http://example.com/z%02d", i), response("200 OK", "", "x"), overHTTP))
		}
		return out
	}
	join := func(lists ...[]string) []string { return slices.Concat(lists...) }
	one := func(s ...string) []string { return s }
	for name, c := range map[string]struct {
		records []string
		key     string
	}{
		"request before":          {one(posted, answer), "com,example)/form?__wb_method=post&q=1"},
		"request behind":          {one(answer, posted), "com,example)/form?__wb_method=post&q=1"},
		"named before":            {one(concurrent(uri), answer), "com,example)/form?__wb_method=post&q=1"},
		"named behind":            {one(answer, concurrent(uri)), "com,example)/form?__wb_method=post&q=1"},
		"naming another":          {one(concurrent("else"), answer), "com,example)/form"},
		"naming another, behind":  {one(answer, concurrent("else")), "com,example)/form"},
		"each naming another":     {one(concurrent("else"), elsewhere), "com,example)/form"},
		"a GET":                   {one(got, answer), "com,example)/form"},
		"a HEAD":                  {one(head, answer), "com,example)/form?__wb_method=head"},
		"none":                    {one(answer), "com,example)/form"},
		"some records before":     {join(one(posted), others(pairReach-1), one(answer)), "com,example)/form?__wb_method=post&q=1"},
		"too many records before": {join(one(posted), others(pairReach), one(answer)), "com,example)/form"},
		"some records behind":     {join(one(answer), others(pairReach-1), one(posted)), "com,example)/form?__wb_method=post&q=1"},
		"too many records behind": {join(one(answer), others(pairReach), one(posted)), "com,example)/form"},
		"for another address": {
			join(one(posted), others(1), one(record("response", uri+"2", response("200 OK", "", "x"), overHTTP))),
			"com,example)/form2",
		},
	} {
		found, problems := captures(t, nil, c.records...)
		if len(found) == 0 || found[0].Key != c.key || len(problems) > 0 {
			t.Errorf("%s: %d captures, %q, want %q", name, len(found), found[0].Key, c.key)
		}
	}
}

// Whichever of request and response comes first and names the other, or if neither does, a POST's answer is no capture of the GET.
func TestEachRequestHasItsOwnAnswer(t *testing.T) {
	t.Parallel()
	const uri, get, post = "http://example.com/form", "com,example)/form", "com,example)/form?__wb_method=post&q=1"
	type half func(id, at, to string) string
	record := func(kind, block string) half {
		return func(id, at, to string) string {
			fields := []string{overHTTP, "WARC-Date: 2014-01-01T00:00:" + at + "Z"}
			if to != "" {
				fields = append(fields, "WARC-Concurrent-To: <urn:test:"+to+">")
			}
			return strings.Replace(record(kind, uri, block, fields...), "ID: <urn:test:"+uri+">", "ID: <urn:test:"+id+">", 1)
		}
	}
	requests := map[string]half{
		get:  record("request", "GET /form HTTP/1.1\r\n\r\n"),
		post: record("request", "POST /form HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\nq=1"),
	}
	answer := record("response", response("200 OK", "", "x"))
	for _, order := range [][]string{{get, post, post}, {post, get, post}, {post, post, get}, {get, get, post}} {
		for link := range 4 {
			for first := range 2 {
				for _, pace := range []int{0, 1} {
					var records, want, got []string
					for i, key := range order {
						q, a, at := fmt.Sprint("q", i), fmt.Sprint("a", i), fmt.Sprintf("%02d", i*pace)
						toRequest, toAnswer := "", ""
						if link&1 != 0 {
							toRequest = q
						}
						if link&2 != 0 {
							toAnswer = a
						}
						pair := []string{requests[key](q, at, toAnswer), answer(a, at, toRequest)}
						if first == 1 {
							slices.Reverse(pair)
						}
						records, want = append(records, pair...), append(want, key)
					}
					found, _ := captures(t, nil, records...)
					slices.SortFunc(found, func(a, b cdx.Capture) int { return int(a.Offset - b.Offset) })
					for _, c := range found {
						got = append(got, c.Key)
					}
					if !slices.Equal(got, want) {
						t.Errorf("%q, links %b, answers first %d, pace %d: %q", order, link, first, pace, got)
					}
				}
			}
		}
	}
}

// A captured answer without a request stays one of a GET if a POST follows.
func TestAnAnswerBeforeAnotherRequest(t *testing.T) {
	t.Parallel()
	const uri = "http://example.com/form"
	at := func(kind, block string, second int) string {
		return record(kind, uri, block, overHTTP, fmt.Sprintf("WARC-Date: 2014-01-01T00:00:0%dZ", second))
	}
	found, _ := captures(t, nil, at("response", response("200 OK", "", "x"), 1), at("request", "POST /form HTTP/1.1\r\n\r\n", 2),
		at("response", response("200 OK", "", "y"), 3))
	if len(found) != 2 || found[0].Key != "com,example)/form" || found[0].Time != 20140101000001 {
		t.Errorf("got %+v", found)
	}
}

// A metadata record beside a request leaves the request to its answer.
func TestMetadataTakesNoRequest(t *testing.T) {
	t.Parallel()
	const uri = "http://example.com/form"
	found, _ := captures(t, func(c *Config) { c.Metadata = true }, record("request", uri, "POST /form HTTP/1.1\r\n\r\n", overHTTP),
		record("metadata", uri, "via: x", "Content-Type: application/warc-fields"),
		record("response", uri, response("200 OK", "", "x"), overHTTP))
	if len(found) != 2 || found[0].Kind != cdx.Metadata || found[0].Key != "com,example)/form" ||
		found[1].Key != "com,example)/form?__wb_method=post" {
		t.Errorf("got %+v", found)
	}
}

// A request belongs to one answer only.
func TestARequestIsUsedOnce(t *testing.T) {
	t.Parallel()
	const uri = "http://example.com/form"
	posted := record("request", uri, "POST /form HTTP/1.1\r\n\r\n", overHTTP)
	answer := func(second string) string {
		return record("response", uri, response("200 OK", "", "x"), overHTTP, "WARC-Date: 2014-01-01T00:00:0"+second+"Z")
	}
	found, _ := captures(t, nil, posted, answer("1"), answer("2"))
	if len(found) != 2 || found[0].Key != "com,example)/form" || found[0].Time != 20140101000002 {
		t.Errorf("got %+v", found)
	}
}

// textsOf indexes pages and returns which text each has, numbered in order of appearance; 0 is none.
func textsOf(t *testing.T, change func(*Config), records ...string) (numbers []int) {
	t.Helper()
	known := map[uint64]int{0: 0}
	found, _ := captures(t, change, records...)
	for _, c := range found {
		n, ok := known[c.Text]
		if !ok {
			n = len(known)
			known[c.Text] = n
		}
		numbers = append(numbers, n)
	}
	return numbers
}

// Captures with the same text are recognized, however they came. Other mark-up may be another page.
func TestTextsOfPages(t *testing.T) {
	t.Parallel()
	html := "Content-Type: text/html\r\n"
	at := func(n int, content string, fields ...string) string {
		return record("response", fmt.Sprintf("http://example.com/%02d", n), content, append(fields, overHTTP)...)
	}
	const text = "<p>the quick brown fox jumps over the lazy dog"
	got := textsOf(t, nil,
		at(1, response("200 OK", html, text)),
		at(2, response("200 OK", html, text)), // the same body
		at(3, response("200 OK", html, "<body><div>"+strings.TrimPrefix(text, "<p>")+"</div>")),
		at(4, response("200 OK", html+"Content-Encoding: gzip\r\n", pack(text))),
		at(5, response("200 OK", html+"Content-Encoding: gzip\r\n", "no gzip")), // not compressed after all
		at(6, response("200 OK", html, text+" and more")),
		at(7, response("404 Not Found", html, text)),
		at(8, response("500 Oops", html, text)),
		at(9, response("203 OK", html, text)),
		at(10, response("410 Gone", html, text)),
		at(11, response("200 OK", "Content-Type: image/png\r\n", text)),
		at(12, response("200 OK", "Content-Type: application/xhtml+xml\r\n", text)),
		at(13, response("200 OK", "Content-Type: text/plain\r\n", strings.TrimPrefix(text, "<p>"))),
		at(14, response("200 OK", "", "<html>"+text)), // no type: recognized by its content
		at(15, response("200 OK", "", "\x00\x01\x02")),
		at(16, response("200 OK", html, "")),
		at(17, response("201 Created", html, text)),
		at(18, response("200 OK", html, text), "WARC-Payload-Digest: sha1:BPOD4P5MTLYWNIUJMOMVZ7XE27KZCFAB"), // a wrong one
		at(19, response("200 OK", html, text), "WARC-Payload-Digest: odd"),
		at(20, response("404 Not Found", html, "")), // an empty page is one only if it is said to be good
		at(21, "<html>"+text), // HTTP/0.9 has no status
		at(22, "HTTP/1.1 OK\r\n"+html+"\r\n"+text),
		record("response", "ftp://example.com/23", strings.TrimPrefix(text, "<p>"), "Content-Type: text/plain"),
		record("response", "ftp://example.com/24", "", "Content-Type: text/plain"),
		record("response", "dns:example.com", "20140101 A 192.0.2.1", "Content-Type: text/dns"),
	)
	if want := []int{1, 1, 2, 1, 3, 4, 1, 0, 1, 1, 0, 1, 5, 1, 0, 6, 0, 1, 1, 0, 1, 1, 5, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestTextsOfPDFs(t *testing.T) {
	t.Parallel()
	pdf := "Content-Type: application/pdf\r\n"
	at := func(n int, body string) string {
		return record("response", fmt.Sprintf("http://example.com/%02d", n), response("200 OK", pdf, body), overHTTP)
	}
	var asked []string
	read := func(c *Config) {
		c.Workers = 1
		c.PDF = func(_ context.Context, body []byte) (string, error) {
			asked = append(asked, string(body))
			switch {
			case bytes.Contains(body, []byte("broken")):
				return "a part of the text", errors.New("broken")
			case bytes.Contains(body, []byte("picture")):
				return " \n", nil
			}
			return "the text of a file", nil
		}
	}
	records := []string{at(1, "%PDF one"), at(2, "%PDF two"), at(3, "%PDF broken"), at(4, "%PDF picture"), at(5, "%PDF one"), at(6,
		"%PDF broken")}
	if got, want := textsOf(t, read, records...), []int{1, 1, 0, 0, 1, 0}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if want := []string{"%PDF one", "%PDF two", "%PDF broken", "%PDF picture"}; !slices.Equal(asked, want) {
		t.Errorf("read were %q, want each body once", asked)
	}
	if got := textsOf(t, nil, records...); slices.Max(got) != 0 {
		t.Errorf("without a reader of PDFs: %v", got)
	}
}

// A file that was sent as octets is what the end of its name says, and the same bytes under another name aren't.
func TestTextsOfFilesOfNoType(t *testing.T) {
	t.Parallel()
	at := func(n int, name, head string) string {
		return record("response", fmt.Sprintf("http://example.com/%02d%s", n, name), response("200 OK", head, "%PDF one"), overHTTP)
	}
	octets := "Content-Type: application/octet-stream\r\n"
	read := func(c *Config) {
		c.Workers = 1
		c.PDF = func(context.Context, []byte) (string, error) { return "the text of a file", nil }
	}
	records := []string{
		at(1, "", octets), at(2, ".pdf", octets), at(3, ".bin", octets), at(4, ".PDF?x", octets), at(5, ".pdf", ""), at(6, "", ""),
	}
	if got, want := textsOf(t, read, records...), []int{0, 1, 0, 1, 1, 0}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestPDFsThatNeedTooMuchAreSaid(t *testing.T) {
	t.Parallel()
	file := func(name string) string {
		message := response("200 OK", "Content-Type: application/pdf\r\n", "%PDF "+name)
		return record("response", "http://example.com/"+name, message, overHTTP)
	}
	read := func(c *Config) {
		c.PDF = func(_ context.Context, body []byte) (string, error) {
			if bytes.Contains(body, []byte("bomb")) {
				return "", fmt.Errorf("%w: signal: killed", sandbox.ErrLimits)
			}
			return "", errors.New("broken")
		}
	}
	found, problems := captures(t, read, file("bomb"), file("broken"))
	if len(found) != 2 || len(problems) != 1 || !strings.Contains(problems[0], "more time or memory") {
		t.Errorf("%d captures, problems %q", len(found), problems)
	}
}

// Office files have the text in them, whatever its mark-up and how the ZIP file was made; what can't be read has none.
func TestTextsOfOfficeFiles(t *testing.T) {
	t.Parallel()
	const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	at := func(n int, mime string, body []byte) string {
		head := "Content-Type: " + mime + "\r\n"
		return record("response", fmt.Sprintf("http://example.com/%02d", n), response("200 OK", head, string(body)), overHTTP)
	}
	mill := officetest.Document("Mills", "the mill stood")
	odt := officetest.Zip(map[string]string{"meta.xml": "<m><title>Mills</title></m>", "content.xml": "<c><p>the mill stood</p></c>"})
	got := textsOf(t, nil,
		at(1, docx, mill), at(2, docx, officetest.Document("Mills", "the mill <b/>stood")), at(3, docx, officetest.Document("Mills", "it fell")),
		at(4, docx, mill[:len(mill)/2]), at(5, "application/vnd.oasis.opendocument.text", odt), at(6, "application/zip", mill))
	if want := []int{1, 1, 2, 0, 1, 0}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The sketch that another file wrote is reused while it is in the index. Once it has been swept away, it is written
// again.
func TestASketchThatWasSweptIsMadeAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, testASketchThatWasSweptIsMadeAgain) // a file that goes takes a second
}

func testASketchThatWasSweptIsMadeAgain(t *testing.T) {
	s := shelves["bucket"](t)
	b := newBench(t, s)
	r := newRun(b.config())
	read := func(name string) cdx.Capture {
		t.Helper()
		s.put(name, file(name, page("a", "alpha beta gamma delta")))
		if err := r.runRounds(t.Context(), []string{s.folder() + "/" + name}); err != nil {
			t.Fatal(err)
		}
		for c, err := range b.x.Captures(t.Context(), cdx.Span{Coll: "web"}) {
			if err != nil {
				t.Fatal(err)
			}
			if c.FileName == name {
				return *c
			}
		}
		t.Fatalf("nothing of %s", name)
		return cdx.Capture{}
	}
	first := read("one.warc.gz")
	if second := read("two.warc.gz"); second.Text != first.Text || first.Text == 0 {
		t.Errorf("texts %d and %d of one body", first.Text, second.Text)
	}
	for _, f := range b.x.Files() {
		if err := b.x.RemoveFiles(t.Context(), f.ID); err != nil {
			t.Fatal(err)
		}
	}
	if is, err := b.x.Texts().Has(t.Context(), first.Text); is || err != nil {
		t.Fatalf("the sketch is there still: %v", err)
	}
	third := read("three.warc.gz")
	if is, err := b.x.Texts().Has(t.Context(), third.Text); !is || err != nil || third.Text != first.Text {
		t.Errorf("the file that has the text now has no sketch of it: %v", err)
	}
}

// A page is known by its beginning; a PDF must be read as a whole.
func TestHowMuchOfABodyIsRead(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 8<<20+1)
	var read []int
	captures(t, func(c *Config) {
		c.PDF = func(_ context.Context, body []byte) (string, error) {
			read = append(read, len(body))
			return "text", nil
		}
	}, record("response", "http://example.com/a", response("200 OK", "Content-Type: application/pdf\r\n", long), overHTTP))
	if !slices.Equal(read, []int{len(long)}) {
		t.Errorf("of a PDF of %d bytes %v were read", len(long), read)
	}
	for mime, want := range map[string]int{
		"application/pdf": 32 << 20, "application/vnd.oasis.opendocument.text": 32 << 20, "text/html": 8 << 20, "": 8 << 20,
	} {
		if got := limit(mime); got != want {
			t.Errorf("%q: %d bytes, want %d", mime, got, want)
		}
	}
	if got := readUpTo([]byte("ab"), strings.NewReader("cdef"), 3); string(got) != "abcde" {
		t.Errorf("got %q", got)
	}
}
