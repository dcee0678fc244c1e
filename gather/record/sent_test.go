package record

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/internal/forward"
)

// A body whose secrets can't be found is left out whole.
func TestSent(t *testing.T) {
	const form, js = "application/x-www-form-urlencoded", "application/json; charset=utf-8"
	long := "a=" + strings.Repeat("x", maxForm-2)
	for _, tt := range []struct{ name, kind, coding, body, want string }{
		{"no form", "text/plain", "", "password=hush", "password=hush"},
		{"a form", form, "", "user=anna&password=hush", "user=anna&password="},
		{"… that is compressed", form, "gzip", "\x1f\x8bhush", ""},
		{"… as long as it may be", form, "", long, long},
		{"… a byte longer", form, "", long + "x", ""},
		{"JSON", js, "", `{"user": "anna", "pin": 1234}`, `{"user": "anna", "pin": ""}`},
		{"… that is compressed", js, "br", "\x0b\x02hush", ""},
		{"… with a secret that has parts", js, "", `{"token": {"id": "hush"}}`, ""},
		{"… of another kind", "application/ld+json", "", `{"secret": "hush"}`, `{"secret": ""}`},
		{"… of another kind, with parts", "application/ld+json", "", `{"secret": ["hush"]}`, ""},
		{"… as scripts send it that name no type", "text/plain;charset=UTF-8", "", ` {"password": "hush"}`, ` {"password": ""}`},
		{"… with parts", "text/plain", "", `[{"token": {"id": "hush"}}]`, ""},
		{"… of no type", "", "", `{"password": "hush"}`, `{"password": ""}`},
		{"… that is text by its type", "text/json", "", `{"password": "hush"}`, `{"password": ""}`},
		{"… in lines", "application/x-ndjson", "", "{}\n{\"password\": \"hush\"}", "{}\n{\"password\": \"\"}"},
		{"no JSON, though it begins so", "text/plain", "", "[password]", "[password]"},
		{"… with parts that are none", js, "", `{"a": {"b": 1}}`, `{"a": {"b": 1}}`},
		{"… in JSON of its own", js, "", `{"a": "{\"password\": \"hush\"}", "b": "2"}`, `{"a": "", "b": "2"}`},
		{"… in a query", js, "", `{"query": "mutation{login(userPassword: \"hush\"){id}}"}`, `{"query": ""}`},
		{
			"… that is not in the query", js, "", `{"query": "mutation($password: S!){login(password: $password){token}}"}`,
			`{"query": "mutation($password: S!){login(password: $password){token}}"}`,
		},
		{"a form with JSON", form, "", `a=%7B%22pin%22%3A1%7D&b=%7B%22x%22%3A1%7D`, `a=&b=%7B%22x%22%3A1%7D`},
		{
			"a form in parts with JSON", "multipart/form-data; boundary=b", "",
			"--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n{\"secret\":[\"hush\"]}\r\n--b--\r\n",
			"--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n--b--\r\n",
		},
		{"fields in other languages", form, "", "senha=hush&kennwort=hush&pw=hush&pwa=1", "senha=&kennwort=&pw=&pwa=1"},
		{"a form whose names look like JSON", form, "", `{"pin":[1]}=1`, `{"pin":[1]}=`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := http.Header{"Content-Type": {tt.kind}}
			if tt.coding != "" {
				h.Set("Content-Encoding", tt.coding)
			}
			if got := string(RedactBody([]byte(tt.body), h)); got != tt.want {
				t.Errorf("%.60q, want %.60q", got, tt.want)
			}
		})
	}
}

// What is written has no transfer coding any more, and says its length once.
func TestWithLength(t *testing.T) {
	const head = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\ncontent-length: 9\r\nTrailer: Expires\r\nAccept: */*\r\n\r\n"
	if got, want := string(withLength([]byte(head), 5)), "POST / HTTP/1.1\r\nAccept: */*\r\nContent-Length: 5\r\n\r\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Messages are written without what is secret, else byte for byte; the length of a form is that of what is left.
func TestWithoutSecrets(t *testing.T) {
	const ok, post, form = "HTTP/1.1 200 OK\r\n", "POST / HTTP/1.1\r\n", "Content-Type: application/x-www-form-urlencoded\r\n"
	long := "a=" + strings.Repeat("x", maxForm-len("a=&pin=1")) + "&pin="
	for _, tt := range []struct{ name, request, response, wantRequest, wantResponse, left string }{
		{"nothing", post + form + "\r\na=1&password=", ok + form + "\r\npassword=hush", "", "", ""},
		{"no form", post + "Content-Type: text/plain\r\n\r\npin: 1", ok + "\r\n", "", "", ""},
		{
			"JSON in chunks, named nothing", post + "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"pin\r\n4\r\n\":1}\r\n0\r\n\r\n", ok + "\r\n",
			post + "Content-Length: 10\r\n\r\n{\"pin\":\"\"}", "", "passwords",
		},
		{"a text longer than forms may be", post + "\r\n" + strings.Repeat("x", maxForm+9), ok + "\r\n", "", "", ""},
		{
			"a secret behind such a word", post + form + "\r\na=pwdpwd:1", ok + "\r\n",
			post + form[:len(form)-2] + "\r\nContent-Length: 2\r\n\r\na=", "", "passwords",
		},
		{"no value", post + form + "\r\npassword&pin=", ok + "\r\n", "", "", ""},
		{
			"a cookie, folded", "GET / HTTP/1.1\r\nCookie2: hush\r\n\thush\r\nA: b\r\n\tc\r\n\r\n", ok + "Set-Cookie: hush\n\n",
			"GET / HTTP/1.1\r\nA: b\r\n\tc\r\n\r\n", ok + "Set-Cookie: =\n\n", "cookie2, cookies",
		},
		{
			"a space before the colon", "GET / HTTP/1.1\r\n\r\n", ok + "Set-Cookie : a=hush; Path=/\r\nX-Api-Key\t: hush\r\nA : b\r\n\r\n", "",
			ok + "Set-Cookie : a=; Path=/\r\nA : b\r\n\r\n", "cookies, x-api-key",
		},
		{
			"fields of a site's own", "GET / HTTP/1.1\r\nX-Api-Key: hush\r\nX-CSRF-Token: hush\r\n hush\r\nX-Auth-User: hush\r\nA: b\r\n\r\n",
			"HTTP/1.1 401 No\r\nX-Access-Token: hush\r\nAccess-Control-Allow-Credentials: true\r\nWWW-Authenticate: Basic\r\n\r\n",
			"GET / HTTP/1.1\r\nA: b\r\n\r\n",
			"HTTP/1.1 401 No\r\nAccess-Control-Allow-Credentials: true\r\nWWW-Authenticate: Basic\r\n\r\n",
			"x-access-token, x-api-key, x-auth-user, x-csrf-token",
		},
		{
			"as long as may be", post + form + "\r\n" + long + "1", ok + "\r\n",
			post + form[:len(form)-2] + "\r\nContent-Length: 1048575\r\n\r\n" + long, "", "passwords",
		},
		{"a byte longer", post + form + "\r\n" + long + "12", ok + "\r\n", post + form + "Content-Length: 0\r\n\r\n", "", "the sent form"},
		{
			"a broken coding", post + form + "Transfer-Encoding: gzip\r\n\r\n\x1f\x8b\b\x00\x00\x00\x00\x00\x00\x00\xff", ok + "\r\n",
			post + form + "Content-Length: 0\r\n\r\n", "", "the sent form",
		},
		{
			"compressed", post + form + "Content-Encoding: gzip\r\n\r\npin=1", ok + "\r\n",
			post + form + "Content-Encoding: gzip\r\nContent-Length: 0\r\n\r\n", "", "the sent form",
		},
		{"a head without an end", post + "Authorization: hush", ok + "A: b", post, "", "authorization"},
	} {
		x := write.Exchange{Request: strings.NewReader(tt.request), Response: strings.NewReader(tt.response)}
		free, err := WithoutSecrets(&x)
		if err != nil {
			t.Fatal(err)
		}
		request, _ := io.ReadAll(x.Request)
		response, _ := io.ReadAll(x.Response)
		left := ""
		for _, f := range x.Metadata {
			left += f.Value
		}
		want := []string{cmp.Or(tt.wantRequest, tt.request), cmp.Or(tt.wantResponse, tt.response), tt.left}
		if got := []string{string(request), string(response), left}; !slices.Equal(got, want) {
			t.Errorf("%s: %.200q, want %.200q", tt.name, got, want)
		}
		free()
		_, _ = x.Request.Seek(0, io.SeekStart)
		if again, _ := io.ReadAll(x.Request); tt.wantRequest != "" && len(again) > 0 {
			t.Errorf("%s: the buffer is not freed", tt.name)
		}
	}
}

// What the recorder answers itself is no page that scripts of another could read.
func TestOwnAnswers(t *testing.T) {
	page := func(w http.ResponseWriter, r *http.Request, _ *List) { _, _ = io.WriteString(w, "page "+r.URL.Path) }
	r := New(Config{CA: &forward.Authority{PEM: []byte("PEM")}, Page: page, Log: slog.New(slog.DiscardHandler)})
	const refusal = "Cache-Control:[no-store] Content-Type:[text/plain; charset=utf-8] X-Content-Type-Options:[nosniff]] varve record: "
	for _, tt := range []struct{ method, uri, target, upgrade, want string }{
		{"GET", "/x", "", "", "200 map[Content-Type:[text/plain; charset=utf-8]] page /x"},
		{"HEAD", "http://varve.proxy/", "", "", "200 map[Content-Type:[text/plain; charset=utf-8]] page /"},
		{"POST", "http://varve.proxy/", "", "", "405 map[Allow:[GET, HEAD] " + refusal + "only GET and HEAD are answered here\n"},
		{"CONNECT", "a.example:443", "", "", "501 map[" + refusal + "this proxy does not open a tunnel inside a tunnel\n"},
		{"GET", "http://a.example/", "http://[", "", "400 map[" + refusal + "parse \"http://[\": missing ']' in host\n"},
		{"GET", "http://a.example/", "http://[", "WebSocket", "400 map[" + refusal + "parse \"http://[\": missing ']' in host\n"},
	} {
		w, req := httptest.NewRecorder(), httptest.NewRequest(tt.method, tt.uri, nil)
		req.RequestURI = cmp.Or(tt.target, req.RequestURI)
		if tt.upgrade != "" {
			req.Header.Set("Upgrade", tt.upgrade)
		}
		r.serve(w, req)
		if got := fmt.Sprintf("%d %v %s", w.Code, w.Header(), w.Body); got != tt.want {
			t.Errorf("%+v: got %s", tt, got)
		}
	}
}

// An answer passes as it is, but for what concerns one connection; a status that is none doesn't pass.
func TestShow(t *testing.T) {
	h := http.Header{"Content-Type": {"text/x"}, "Connection": {"X-Hop, close"}, "X-Hop": {"1"}, "Transfer-Encoding": {"x"}}
	for status, want := range map[int]string{200: "200 map[Content-Type:[text/x]] body", 404: "404 map[Content-Type:[text/x]] body"} {
		w := httptest.NewRecorder()
		whole := Show(w, &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader("body"))})
		if got := fmt.Sprintf("%d %v %s", w.Code, w.Header(), w.Body); !whole || got != want || !w.Flushed {
			t.Errorf("%d: %s", status, got)
		}
	}
	w := httptest.NewRecorder()
	Show(w, &http.Response{StatusCode: 204, Header: http.Header{"Content-Length": {"5"}, "X": {"1"}}, Body: http.NoBody})
	if got := fmt.Sprint(w.Code, w.Header()); got != "204 map[Content-Type:[] X:[1]]" { // a length would end HTTP/2 (RFC 9110 §8.6)
		t.Error(got)
	}
	w = httptest.NewRecorder()
	if Show(w, &http.Response{StatusCode: 199, Status: "199 No"}); w.Code != http.StatusBadGateway {
		t.Errorf("199 is shown as %d", w.Code)
	}
}

// The site is asked for the whole, by nobody but the browser, and for no more than was asked.
func TestOutgoing(t *testing.T) {
	const uri = "http://a.example/b?c"
	coded := func(accepted ...string) http.Header {
		return http.Header{"Accept-Encoding": accepted, "User-Agent": {""}}
	}
	for _, tt := range []struct {
		name       string
		length     int64
		head, want http.Header
	}{
		{"conditional", 0, http.Header{"If-Match": {"a"}, "If-Range": {"b"}, "Range": {"bytes = 0-"}}, http.Header{"User-Agent": {""}}},
		{"a part", 4, http.Header{"Range": {"bytes=1-"}, "User-Agent": {"b"}}, http.Header{"Range": {"bytes=1-"}, "User-Agent": {"b"}}},
		{"of this connection", 0, http.Header{"Connection": {"A, b", "C"}, "B": {"1"}, "C": {"1"}, "Te": {"1"}}, http.Header{"User-Agent": {""}}},
		{"codings", 0, coded("gzip, deflate, br, zstd, dcb, dcz"), coded("gzip, deflate, br, zstd")},
		{"codings in two lines", 0, coded("gzip;q=0.5, sdch", "DCB;q=1.0 , BR"), coded("gzip;q=0.5, BR")},
		{"no coding", 0, coded("identity;q=1, *;q=0"), coded("identity;q=1, *;q=0")},
		{"an unknown coding", 0, coded("dcz"), coded("")},
		{"nothing named", 0, coded(""), coded("")},
	} {
		req := &http.Request{Method: "PUT", Header: tt.head, Body: io.NopCloser(strings.NewReader("body")), ContentLength: tt.length}
		out, err := Outgoing(req, uri)
		if err != nil {
			t.Fatal(err)
		}
		if out.Method != "PUT" || out.URL.String() != uri || out.Host != "a.example" || out.ContentLength != tt.length ||
			!maps.EqualFunc(out.Header, tt.want, slices.Equal) || (out.Body == http.NoBody) != (tt.length == 0) {
			t.Errorf("%s: %+v", tt.name, out)
		}
	}
}

// All is counted, and the newest of it listed.
func TestList(t *testing.T) {
	var l List
	req := &http.Request{Method: "GET", Header: http.Header{"Accept": {"text/html"}}}
	for n := range 501 {
		page := &client.Exchange{Status: 200, Header: http.Header{"Content-Type": {"text/html"}}}
		l.add(req, page, fmt.Sprint("page ", n), write.Written{Bytes: 2, Revisit: n%2 == 0})
		l.fail(fmt.Sprint("failure ", n), io.EOF)
	}
	for _, method := range []string{"HEAD", "POST"} { // no link leads to these
		asked := &http.Request{Method: method, Header: req.Header}
		l.add(asked, &client.Exchange{Status: 200, Header: http.Header{"Content-Type": {"text/html"}}}, "no page", write.Written{})
	}
	totals, pages, failed := l.All()
	if totals != (Totals{Exchanges: 503, Revisits: 251, Failed: 501, Bytes: 1002}) || len(pages) != 500 || len(failed) != 500 ||
		pages[0] != (Page{URI: "page 1", Status: 200}) || failed[499] != (Failure{URI: "failure 500", Why: "EOF"}) {
		t.Errorf("%+v, %d pages from %v, %d failures up to %v", totals, len(pages), pages[0], len(failed), failed[len(failed)-1])
	}
}

// Every field that proves who asks is left out, with the lines that it is folded into.
func TestCredentialsAreLeftOut(t *testing.T) {
	for _, name := range []string{"Authorization", "proxy-authorization", "Cookie2"} {
		x := write.Exchange{
			Request:  strings.NewReader("GET / HTTP/1.1\r\n" + name + ": hush\r\n hush\r\nAccept: */*\r\n\r\n"),
			Response: strings.NewReader("HTTP/1.1 200 OK\r\n\r\n"),
		}
		free, err := WithoutSecrets(&x)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(x.Request)
		if err != nil || string(got) != "GET / HTTP/1.1\r\nAccept: */*\r\n\r\n" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if len(x.Metadata) != 1 || x.Metadata[0].Value != strings.ToLower(name) {
			t.Errorf("%s: left out is %v", name, x.Metadata)
		}
		free()
	}
}

func TestIsPage(t *testing.T) {
	for _, tt := range []struct {
		name, dest, accept, kind string
		status                   int
		want                     bool
	}{
		{"a page", "document", "text/html", "text/html; charset=utf-8", 200, true},
		{"XHTML", "document", "text/html", "Application/XHTML+xml", 200, true},
		{"a frame", "iframe", "text/html", "text/html", 200, false},
		{"what a script asked for", "empty", "text/html", "text/html", 200, false},
		{"a browser that doesn't say what for", "", "text/html,*/*", "text/html", 200, true},
		{"… and wants no page", "", "*/*", "text/html", 200, false},
		{"a picture", "document", "text/html", "image/png", 200, false},
		{"an error", "document", "text/html", "text/html", 404, false},
	} {
		req := &http.Request{Method: "GET", Header: http.Header{"Sec-Fetch-Dest": {tt.dest}, "Accept": {tt.accept}}}
		e := &client.Exchange{Status: tt.status, Header: http.Header{"Content-Type": {tt.kind}}}
		if got := isPage(req, e); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}
