package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

const formBody = "Content-Type: application/x-www-form-urlencoded"

// posted writes an answer to a POST, with the request that it answers.
func (a *archive) posted(uri, ts, kind, sent, body string) *archive {
	a.response(uri, ts, "200 OK", body, "Content-Type: application/json")
	id := fmt.Sprintf("<urn:uuid:00000000-0000-4000-8000-%012d>", a.n)
	path := uri[strings.Index(uri[8:], "/")+8:]
	request := "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Type: " + kind +
		fmt.Sprintf("\r\nContent-Length: %d\r\n\r\n", len(sent)) + sent
	return a.record("request", uri, ts, request, "Content-Type: application/http; msgtype=request", "WARC-Concurrent-To: "+id)
}

// A table drops an answer that does not count as its request did. The bodies of both are long: keys have their beginning only.
func TestAnswersRepeatWhatWasSent(t *testing.T) {
	const uri, moment = "http://shop.example/rows", "20150101000000"
	columns := strings.Repeat("&columns%5B0%5D%5Bsearch%5D%5Bvalue%5D=", 120)
	a := &archive{}
	a.posted(uri, moment, "application/x-www-form-urlencoded", "draw=1&start=0&length=10"+columns, `{"draw":1,"data":[["first rows"]]}`)
	a.posted(uri, moment, "application/x-www-form-urlencoded", "draw=2&start=10&length=10", `{"draw":2,"data":[["next rows"]]}`)
	a.posted(uri+"/json", moment, "application/json", `{"draw":1,"start":0,"length":10}`, `{"draw":1,"data":[["rows"]]}`)
	s := a.serve(t)
	for _, tt := range []struct{ path, kind, sent, want string }{
		{"", formBody, "draw=1&start=0&length=10" + columns, `{"draw":1,"data":[["first rows"]]}`},
		{"", formBody, "draw=7&start=10&length=10", `{"draw":7,"data":[["next rows"]]}`},
		{"", formBody, "draw=8&start=0&length=10" + columns, `{"draw":8,"data":[["first rows"]]}`},
		{"", formBody, "draw=8&start=20&length=10", ""},
		{"/json", "Content-Type: application/json", `{"draw":5,"start":0,"length":10}`, `{"draw":5,"data":[["rows"]]}`},
	} {
		got := s.send(t, http.MethodPost, "/web/"+moment+"mp_/"+uri+tt.path, tt.sent, tt.kind)
		if tt.want == "" && got.status != http.StatusNotFound || tt.want != "" && got.body != tt.want {
			t.Errorf("%.60s: %d %.100s, want %s", tt.sent, got.status, got.body, tt.want)
		}
	}
}

// Contract, HTTP table: 307 keeps methods other than GET and HEAD, at an inexact URI-M and at the TimeGate, and the
// request that follows is answered. A method that nothing answers gets 405 with Allow.
func TestMethodsAreKept(t *testing.T) {
	const uri = "http://shop.example/search"
	a := &archive{}
	a.page(uri, "20150101000000", "<p>the form</p>")
	a.posted(uri, "20150101000005", "application/x-www-form-urlencoded", "q=boats", `{"found":"early boats"}`)
	a.posted(uri, "20170101000000", "application/x-www-form-urlencoded", "q=boats", `{"found":"late boats"}`)
	s := a.serve(t)
	for _, tt := range []struct{ name, target, want string }{
		{"an inexact URI-M", "/web/2015/" + uri, "early boats"},
		{"the page's own datetime", "/web/20150101000000mp_/" + uri, "early boats"},
		{"another", "/web/20180101000000mp_/" + uri, "late boats"},
		{"the TimeGate", "/web/" + uri, "late boats"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lead := s.send(t, http.MethodPost, tt.target, "q=boats", formBody).expect(t, http.StatusTemporaryRedirect,
				"Access-Control-Allow-Origin: *", "Memento-Datetime:")
			lead.rel(t, "original")
			at := strings.TrimPrefix(lead.header.Get("Location"), s.url)
			if got := s.send(t, http.MethodPost, at, "q=boats", formBody).expect(t, 200); !strings.Contains(got.body, tt.want) {
				t.Errorf("%s answers %s, want %s", at, got.body, tt.want)
			}
			s.send(t, http.MethodPost, tt.target, "q=trains", formBody).expect(t, http.StatusNotFound)
			s.send(t, http.MethodPut, tt.target, "q=boats", formBody).expect(t, http.StatusNotFound)
			for _, method := range []string{http.MethodDelete, http.MethodPatch, "PROPFIND"} {
				s.send(t, method, tt.target, "").expect(t, http.StatusMethodNotAllowed, "Allow: GET, HEAD, POST, PUT, OPTIONS")
			}
		})
	}
	s.ask(t, http.MethodDelete, "/web/20150101000000/"+uri).expect(t, http.StatusMethodNotAllowed, "Allow: GET, HEAD, POST, PUT, OPTIONS")
	for _, target := range []string{
		"/", "/web/", "/web/timemap/link/" + uri, "/web/changes/" + uri, "/web/*/" + uri, "/web/cdx?url=" + uri,
		"/-/healthz",
	} {
		for _, method := range []string{http.MethodPost, http.MethodDelete} {
			s.send(t, method, target, "").expect(t, http.StatusMethodNotAllowed, "Allow: GET, HEAD, OPTIONS")
		}
	}
}

// Contract, words: a POST whose body was never captured is answered by the nearest capture whose key differs only in
// values that vary.
func TestPostsThatVary(t *testing.T) {
	const api = "http://shop.example/graphql"
	const query = `{"operationName":"Boats","query":"query Boats { boats }","variables":{"harbour":%d,"now":%d},"requestId":"%s"}`
	a := &archive{}
	a.page("http://shop.example/", "20150101000000", "<p>the page</p>")
	for i := range 150 { // as many as a busy page sends, so that the right one is not among the first
		a.posted(api, "20150101000005", "application/json", fmt.Sprintf(query, i, 1420070400+i, "aaaa"), fmt.Sprintf(`{"harbour":"early %d"}`, i))
	}
	a.posted(api, "20170101000000", "application/json", fmt.Sprintf(query, 7, 1483228800, "bbbb"), `{"harbour":"late 7"}`)
	s := a.serve(t)
	for _, tt := range []struct {
		name, target string
		harbour      int
		want         string
	}{
		{"a nearest early one", "/web/20150101000000mp_/" + api, 7, "early 7"},
		{"another variable", "/web/20150101000000mp_/" + api, 149, "early 149"},
		{"a nearest late one", "/web/20180101000000mp_/" + api, 7, "late 7"},
		{"without a modifier", "/web/20150101000000/" + api, 7, "early 7"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sent := fmt.Sprintf(query, tt.harbour, 1800000000, "cccc")
			got := s.send(t, http.MethodPost, tt.target, sent, "Content-Type: application/json").expect(t, 200, "X-Varve-Fuzzy: "+api)
			if !strings.Contains(got.body, `"`+tt.want+`"`) {
				t.Errorf("got %s, want %s", got.body, tt.want)
			}
		})
	}
	sent := fmt.Sprintf(query, 7, 1800000000, "cccc")
	lead := s.send(t, http.MethodPost, "/web/"+api, sent, "Content-Type: application/json").expect(t, http.StatusTemporaryRedirect)
	if got := s.send(t, http.MethodPost, strings.TrimPrefix(lead.header.Get("Location"), s.url), sent,
		"Content-Type: application/json").expect(t, 200); !strings.Contains(got.body, "late 7") {
		t.Errorf("through the TimeGate: got %s", got.body)
	}
	for _, no := range []string{fmt.Sprintf(query, 500, 1800000000, "cccc"), `{"query":"query Trains { trains }"}`} {
		s.send(t, http.MethodPost, "/web/20150101000000mp_/"+api, no, "Content-Type: application/json").expect(t, http.StatusNotFound)
	}
	s.get(t, "/web/20150101000000mp_/"+api).expect(t, http.StatusNotFound)
}

// The same for messages of protocol buffers, whose fields have no names: those that held the time of a capture vary.
func TestMessagesThatVary(t *testing.T) {
	const api, kind = "http://shop.example/rpc", "application/x-protobuf"
	message := func(id uint64, words string, at int64) string {
		b := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), id)
		b = protowire.AppendString(protowire.AppendTag(b, 2, protowire.BytesType), words)
		return string(protowire.AppendVarint(protowire.AppendTag(b, 3, protowire.VarintType), uint64(at)))
	}
	for _, plain := range []bool{false, true} {
		a := &archive{plain: plain}
		a.page("http://shop.example/", "20150101000000", "<p>the page</p>")
		for i, words := range []string{"b", "bo", "boa"} { // at each place in base64
			a.posted(api, "20150101000005", kind, message(uint64(i), words, 1420070405123), fmt.Sprintf("early %d", i))
			a.posted(api, "20170101000000", kind, message(uint64(i), words, 1483228800456), fmt.Sprintf("late %d", i))
		}
		s := a.serve(t)
		for i, words := range []string{"b", "bo", "boa"} {
			sent := message(uint64(i), words, 1767225600789)
			for target, want := range map[string]string{"/web/20150101000000mp_/" + api: "early ", "/web/20180101000000mp_/" + api: "late "} {
				got := s.send(t, http.MethodPost, target, sent, "Content-Type: "+kind).expect(t, 200, "X-Varve-Fuzzy: "+api)
				if got.body != want+fmt.Sprint(i) {
					t.Errorf("%s, %d: got %s", target, i, got.body)
				}
			}
			for _, no := range []string{message(uint64(i+1), words, 1767225600789), message(uint64(i), words[1:]+"x", 1767225600789)} {
				s.send(t, http.MethodPost, "/web/20150101000000mp_/"+api, no, "Content-Type: "+kind).expect(t, http.StatusNotFound)
			}
		}
	}
}
