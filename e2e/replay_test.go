package e2e

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

const (
	day  = "20100101000000"
	host = "http://replay.example"
)

// raw and shown return the targets of a capture of the day.
func raw(path string) string   { return "/web/" + day + "id_/" + host + path }
func shown(path string) string { return "/web/" + day + "/" + host + path }

// RFC 9110 §14: range requests for a 200 capture.
func TestRanges(t *testing.T) {
	const body = "0123456789abcdefghij"
	packed := gzipped(body)
	a := &archive{}
	a.response(host+"/film", day, "200 OK", body, "Content-Type: video/mp4")
	a.response(host+"/packed", day, "200 OK", packed, "Content-Type: video/mp4", "Content-Encoding: gzip")
	a.verbatim(host+"/chunked", day, "HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nTransfer-Encoding: "+
		"chunked\r\n\r\na\r\n0123456789\r\na\r\nabcdefghij\r\n0\r\n\r\n")
	a.page(host+"/page", day, "<p>"+body)
	a.response(host+"/moved", day, "302 Found", body, "Location: /film")
	a.response(host+"/empty", day, "200 OK", "", "Content-Type: video/mp4")
	s := a.serve(t)
	tests := []struct {
		name, target, spec string
		status             int
		contentRange, body string
	}{
		{"from the start", shown("/film"), "bytes=0-", 206, "bytes 0-19/20", body},
		{"a part", shown("/film"), "bytes=3-5", 206, "bytes 3-5/20", "345"},
		{"one byte", shown("/film"), "bytes=19-19", 206, "bytes 19-19/20", "j"},
		{"the last bytes", shown("/film"), "bytes=-4", 206, "bytes 16-19/20", "ghij"},
		{"more last bytes than there are", shown("/film"), "bytes=-400", 206, "bytes 0-19/20", body},
		{"past the end is cut (§14.1.2)", shown("/film"), "bytes=18-1000", 206, "bytes 18-19/20", "ij"},
		{"behind the end", shown("/film"), "bytes=20-", 416, "bytes */20", ""},
		{"no last bytes", shown("/film"), "bytes=-0", 416, "bytes */20", ""},
		{"backwards is ignored", shown("/film"), "bytes=5-3", 200, "", body},
		{"another unit is ignored", shown("/film"), "lines=1-2", 200, "", body},
		{"no number is ignored", shown("/film"), "bytes=a-b", 200, "", body},
		{"archived bytes", raw("/film"), "bytes=3-5", 206, "bytes 3-5/20", "345"},
		{"of content-coded bytes, as archived", raw("/packed"), "bytes=0-1", 206, fmt.Sprintf("bytes 0-1/%d", len(packed)), packed[:2]},
		{"of a body whose length must be measured", raw("/chunked"), "bytes=8-11", 206, "bytes 8-11/20", "89ab"},
		{"last bytes of a body that must be measured", raw("/chunked"), "bytes=-2", 206, "bytes 18-19/20", "ij"},
		{"of an archived page", raw("/page"), "bytes=0-2", 206, "bytes 0-2/23", "<p>"},
		{"of a redirect is ignored", raw("/moved"), "bytes=0-2", 302, "", body},
		{"of nothing", shown("/empty"), "bytes=0-", 416, "bytes */0", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := s.get(t, tt.target, "Range: "+tt.spec).expect(t, tt.status, "Content-Range: "+tt.contentRange,
				"Memento-Datetime: Fri, 01 Jan 2010 00:00:00 GMT")
			if a.body != tt.body {
				t.Errorf("body %q", a.body)
			}
		})
	}
	t.Run("a rewritten page comes whole", func(t *testing.T) {
		a := s.get(t, shown("/page"), "Range: bytes=0-2").expect(t, 200, "Content-Range:")
		if !strings.Contains(a.body, body) || !strings.Contains(a.body, "<varve-banner") {
			t.Errorf("body %.100q", a.body)
		}
	})
	t.Run("If-Range names a validator that no answer has (RFC 9110 §13.1.5)", func(t *testing.T) {
		a := s.get(t, shown("/film"), "Range: bytes=3-5", `If-Range: "an-etag"`).expect(t, 200, "Content-Range:")
		if a.body != body {
			t.Errorf("body %q", a.body)
		}
	})
}

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(s))
	_ = w.Close()
	return b.String()
}

func coded(t *testing.T, coding, s string) string {
	t.Helper()
	var b bytes.Buffer
	switch coding {
	case "gzip", "x-gzip":
		return gzipped(s)
	case "deflate":
		w := zlib.NewWriter(&b)
		_, _ = w.Write([]byte(s))
		_ = w.Close()
	case "raw deflate":
		w, _ := flate.NewWriter(&b, 6)
		_, _ = w.Write([]byte(s))
		_ = w.Close()
	case "br":
		w := brotli.NewWriter(&b)
		_, _ = w.Write([]byte(s))
		_ = w.Close()
	case "zstd":
		w, _ := zstd.NewWriter(&b)
		_, _ = w.Write([]byte(s))
		_ = w.Close()
	}
	return b.String()
}

// id_ must remove the transfer coding, and the Content-Encoding only if it isn't accepted. A rewritten page is decoded.
func TestContentCodings(t *testing.T) {
	const text = `<!doctype html><title>t</title><p>the river rises <a href="/film">film</a>`
	tests := []struct{ name, coding, body, want string }{
		{"gzip", "gzip", coded(t, "gzip", text), "the river rises"},
		{"x-gzip", "x-gzip", coded(t, "gzip", text), "the river rises"},
		{"deflate", "deflate", coded(t, "deflate", text), "the river rises"},
		{"deflate without zlib's head", "deflate", coded(t, "raw deflate", text), "the river rises"},
		{"br", "br", coded(t, "br", text), "the river rises"},
		{"zstd", "zstd", coded(t, "zstd", text), "the river rises"},
		{"two, one over the other", "deflate, gzip", coded(t, "gzip", coded(t, "deflate", text)), "the river rises"},
		{"upper case", "GZIP", coded(t, "gzip", text), "the river rises"},
		{"identity", "identity", text, "the river rises"},
		{"says gzip and isn't", "gzip", text, "the river rises"},
		{"says br and isn't", "br", text, "the river rises"},
		{"says deflate and is gzip", "deflate", coded(t, "gzip", text), "the river rises"},
	}
	a := &archive{}
	for i, tt := range tests {
		a.page(fmt.Sprintf("%s/%d", host, i), day, tt.body, "Content-Encoding: "+tt.coding)
	}
	s := a.serve(t)
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := fmt.Sprintf("/%d", i)
			if got := s.get(t, raw(path)).expect(t, 200, "Content-Encoding: "+tt.coding); got.body != tt.body {
				t.Errorf("id_: %q", got.body)
			}
			if got := s.get(t, raw(path), "Accept-Encoding: plain"); !strings.Contains(got.body, tt.want) {
				t.Errorf("id_ without the coding: %q", got.body)
			}
			got := s.get(t, shown(path)).expect(t, 200)
			if !strings.Contains(got.body, tt.want) || !strings.Contains(got.body, "<varve-banner") {
				t.Errorf("page: %.200q", got.body)
			}
		})
	}
}

// RFC 9112 §7.1, and what occurs in real stores.
func TestTransferCodings(t *testing.T) {
	head := "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
	tests := []struct{ name, message, want string }{
		{"chunked", head + "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n", "hello world"},
		{"chunk extensions", head + "5;a=b\r\nhello\r\n0\r\n\r\n", "hello"},
		{"trailers", head + "5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n", "hello"},
		{"says chunked and isn't", head + "hello world", "hello world"},
		{"chunk size with spaces", head + "5  \r\nhello\r\n0\r\n\r\n", "hello"},
		{"without the last chunk", head + "5\r\nhello\r\n", "hello"},
		{"cut off within a chunk", head + "a\r\nhello", "hello"},
		{"garbage after the first chunk", head + "5\r\nhello\r\nnonsense", "hello"},
	}
	a := &archive{}
	for i, tt := range tests {
		a.verbatim(fmt.Sprintf("%s/%d", host, i), day, tt.message)
	}
	s := a.serve(t)
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := s.get(t, raw(fmt.Sprintf("/%d", i))).expect(t, 200, "Transfer-Encoding:")
			if !strings.HasPrefix(got.body, tt.want) {
				t.Errorf("body %q", got.body)
			}
		})
	}
}

// Status codes must be the captured ones. One that HTTP can't send becomes 502.
func TestStatuses(t *testing.T) {
	a := &archive{}
	for _, status := range []int{200, 201, 203, 204, 206, 300, 304, 400, 401, 403, 404, 410, 418, 451, 500, 599, 600, 999, 100} {
		a.response(fmt.Sprintf("%s/%d", host, status), day, fmt.Sprintf("%d Said So", status), "x", "Content-Type: text/plain")
	}
	s := a.serve(t)
	for status, want := range map[int]int{
		200: 200, 201: 201, 203: 203, 204: 204, 206: 206, 300: 300, 304: 304, 400: 400, 401: 401, 403: 403,
		404: 404, 410: 410, 418: 418, 451: 451, 500: 500, 599: 599, 600: 600, 999: 999, 100: 502,
	} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			got := s.get(t, raw(fmt.Sprintf("/%d", status)))
			got.expect(t, want)
			if want == 502 && !strings.Contains(got.body, fmt.Sprint(status)) {
				t.Errorf("no sentence names %d: %q", status, got.body)
			}
		})
	}
}

// Archived headers that would act on varve's origin must be renamed, on id_ as well.
func TestArchivedHeaders(t *testing.T) {
	renamed := map[string]string{
		"Content-Security-Policy": "default-src 'none'", "Strict-Transport-Security": "max-age=31536000", "Clear-Site-Data": `"*"`,
		"Memento-Datetime": "Thu, 01 Jan 1970 00:00:00 GMT", "Content-Location": "/other", "Vary": "Cookie", "X-Frame-Options": "DENY",
		"Access-Control-Allow-Origin": "http://only.example", "Last-Modified": "Thu, 01 Jan 2009 00:00:00 GMT", "Service-Worker-Allowed": "/",
		"X-Accel-Redirect": "/-/metrics",
	}
	var head []string
	for name, value := range renamed {
		head = append(head, name+": "+value)
	}
	head = append(head, "X-Custom: passes", "X-Total-Count: 7", "Link: </next>; rel=next",
		"Set-Cookie: sid=1; Path=/; Domain=replay.example", "Refresh: 5; url=/film")
	a := &archive{}
	a.page(host+"/", day, "<p>hi", head...)
	s := a.serve(t, "--cors=*")
	for _, target := range []string{shown("/"), raw("/")} {
		got := s.get(t, target).expect(t, 200, "X-Custom: passes", "X-Archive-Orig-X-Custom: passes", "X-Accel-Redirect:", "X-Total-Count: 7",
			"Memento-Datetime: Fri, 01 Jan 2010 00:00:00 GMT", "Strict-Transport-Security:", "Clear-Site-Data:", "X-Frame-Options:",
			"Access-Control-Allow-Origin: *", "Service-Worker-Allowed:")
		for name, value := range renamed {
			if orig := got.header.Get("X-Archive-Orig-" + name); orig != value {
				t.Errorf("%s: X-Archive-Orig-%s: %q", target, name, orig)
			}
		}
		if len(got.rels(t, "next")) > 0 {
			t.Errorf("%s: the archived rel=next passes for a memento's: %s", target, got.header.Get("Link"))
		}
		for _, cookie := range got.header.Values("Set-Cookie") {
			if !strings.Contains(cookie, "/web/"+day) || strings.Contains(strings.ToLower(cookie), "domain=") {
				t.Errorf("%s: the cookie reaches beyond its page: %s", target, cookie)
			}
		}
		if refresh := got.header.Get("Refresh"); refresh != "" && !strings.Contains(refresh, "/web/"+day) {
			t.Errorf("%s: Refresh: %s", target, refresh)
		}
	}
}

// Location must be rewritten, on id_ to id_.
func TestLocationIsRewritten(t *testing.T) {
	a := &archive{}
	a.response(host+"/old", day, "301 Moved Permanently", "", "Location: /new?a=1#top")
	a.page(host+"/new?a=1", "20100102000000", "new")
	a.response(host+"/away", day, "302 Found", "", "Location: https://away.example/")
	s := a.serve(t)
	for target, want := range map[string]string{
		shown("/old"): "/web/20100102000000/" + host + "/new?a=1#top", raw("/old"): "/web/20100102000000id_/" + host + "/new?a=1#top",
		shown("/away"): "/web/" + day + "/https://away.example/", raw("/away"): "/web/" + day + "id_/https://away.example/",
	} {
		got := s.get(t, target)
		if to := strings.TrimPrefix(got.header.Get("Location"), s.url); to != want || got.header.Get("Memento-Datetime") == "" {
			t.Errorf("%s: %d to %s, want %s", target, got.status, to, want)
		}
	}
}

// Browsers must get a landing page for a redirect. A redirect within one SURT must never loop.
func TestRedirects(t *testing.T) {
	a := &archive{}
	a.page("http://self.example/", "20100101000000", "first")
	a.response("http://self.example/", "20110101000000", "301 Moved Permanently", "", "Location: https://self.example/")
	a.response("https://self.example/", "20120101000000", "301 Moved Permanently", "", "Location: http://www.self.example/")
	a.response("http://loop.example/", "20110101000000", "301 Moved Permanently", "", "Location: https://loop.example/")
	a.response("https://loop.example/", "20120101000000", "301 Moved Permanently", "", "Location: http://loop.example/")
	a.response("http://old.example/", "20110101000000", "301 Moved Permanently", "", "Location: http://new.example/")
	s := a.serve(t)
	for _, ts := range []string{"20110101000000", "20120101000000"} {
		got := s.get(t, "/web/"+ts+"/http://self.example/").expect(t, 301)
		if to := got.header.Get("Location"); !strings.HasSuffix(to, "/web/20100101000000/http://self.example/") {
			t.Errorf("%s leads to %s", ts, to)
		}
	}
	for _, target := range []string{
		"/web/20110101000000/http://loop.example/", "/web/http://loop.example/",
		"/web/2011/https://loop.example/",
	} {
		seen := map[string]bool{}
		for next := target; ; {
			if seen[next] {
				t.Errorf("%s comes back to %s", target, next)
				break
			}
			seen[next] = true
			got := s.get(t, next)
			if got.status < 300 || got.status > 399 {
				break
			}
			next = strings.TrimPrefix(got.header.Get("Location"), s.url)
		}
	}
	browser := []string{"Accept: text/html", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"}
	got := s.get(t, "/web/20110101000000/http://old.example/", browser...).expect(t, 302)
	if to := got.header.Get("Location"); !strings.Contains(to, "/web/landing/20110101000000/http://old.example/") {
		t.Errorf("a browser is led to %s", to)
	}
	got = s.get(t, "/web/20110101000000/http://old.example/", "Accept: text/html", "Upgrade-Insecure-Requests: 1").expect(t, 302)
	if to := got.header.Get("Location"); !strings.Contains(to, "/web/landing/") {
		t.Errorf("a browser on plain HTTP is led to %s", to)
	}
	got = s.get(t, "/web/20110101000000/http://old.example/", "Accept: text/html", "Sec-Fetch-Mode: navigate",
		"Sec-Fetch-Dest: iframe").expect(t, 301)
	if to := got.header.Get("Location"); strings.Contains(to, "landing") {
		t.Errorf("a frame is led to %s", to)
	}
}

// POST captures must never answer a GET. They must answer a POST with the same body.
func TestPostedCaptures(t *testing.T) {
	s := demo(t)
	const form = "name=A.+Reader&email=reader%40river.example"
	const kind = "Content-Type: application/x-www-form-urlencoded"
	line := s.get(t, "/web/cdx?url=https://www.riverbend.example/newsletter&matchType=prefix"+
		"&filter=urlkey:.*__wb_method=post.*&fl=timestamp,original").body
	ts, _, _ := strings.Cut(line, " ")
	if len(ts) != 14 {
		t.Fatalf("the sample archive has no POST capture: %q", line)
	}
	target := "/web/" + ts + "/https://www.riverbend.example/newsletter"
	if a := s.send(t, http.MethodPost, target, form, kind).expect(t, 200); !strings.Contains(a.body,
		"The next letter leaves when the ice does") {
		t.Errorf("got %.300q", a.body)
	}
	if a := s.send(t, http.MethodPost, target, "name=Somebody", kind); a.status == 200 && strings.Contains(a.body, "The next letter leaves") {
		t.Error("another form gets the same answer")
	}
	if a := s.get(t, target); strings.Contains(a.body, "The next letter leaves") {
		t.Error("a GET gets the answer to a POST")
	}
}

// Charsets may be declared in the header, by a BOM, in meta, or not at all. Rewriting must preserve the text.
func TestCharsets(t *testing.T) {
	const russian, japaneseText, chinese = "Вода стоит высоко", "川の水位が高い", "河水很高"
	encode := func(e encoding.Encoding, s string) string {
		out, err := e.NewEncoder().String(s)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	utf16le := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	page := func(text, meta string) string {
		return "<!doctype html><html><head>" + meta + "<title>" + text + `</title></head><body><p>` + text +
			`</p><a href="/film">x</a></body></html>`
	}
	tests := []struct {
		name, contentType, meta, text string
		enc                           encoding.Encoding
		said                          string // the charset that is added to the header: what a browser finds in the page
	}{
		{"utf-8 in the header", "text/html; charset=utf-8", "", russian, unicode.UTF8, ""},
		{"windows-1251 in the header", "text/html; charset=windows-1251", "", russian, charmap.Windows1251, ""},
		{
			"windows-1251 in the page", "text/html", `<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">`, russian,
			charmap.Windows1251, "; charset=windows-1251",
		},
		{"Shift_JIS in the page", "text/html", `<meta charset="Shift_JIS">`, japaneseText, japanese.ShiftJIS, "; charset=shift_jis"},
		{"EUC-JP in the header", "text/html; charset=euc-jp", "", japaneseText, japanese.EUCJP, ""},
		{"GBK in the page", "text/html", `<meta charset=gb2312>`, chinese, simplifiedchinese.GBK, "; charset=gbk"},
		{"utf-16 by its mark", "text/html", "", russian, utf16le, "; charset=utf-16le"},
		{"utf-16 in header and mark", "text/html; charset=utf-16", "", chinese, utf16le, ""},
		{"utf-8 undeclared", "text/html", "", chinese, unicode.UTF8, ""},
		{"windows-1251 undeclared", "text/html", "", russian, charmap.Windows1251, ""},
	}
	a := &archive{}
	for i, tt := range tests {
		a.response(fmt.Sprintf("%s/%d", host, i), day, "200 OK", encode(tt.enc, page(tt.text, tt.meta)), "Content-Type: "+tt.contentType)
	}
	s := a.serve(t)
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := s.get(t, shown(fmt.Sprintf("/%d", i))).expect(t, 200, "Content-Type: "+tt.contentType+tt.said)
			text, err := tt.enc.NewDecoder().String(got.body)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Count(text, tt.text) < 2 || !strings.Contains(text, "<varve-banner") ||
				!strings.Contains(text, `href="/web/`+day+`/`+host+`/film"`) {
				_, after, _ := strings.Cut(text, "</varve-banner>")
				t.Errorf("page: %.300s", after)
			}
		})
	}
}
