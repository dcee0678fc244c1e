package e2e

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
)

// negotiable serves one URI-R whose captures have critical distances: first exactly two hours, then a day with a
// failure, a redirect and a missing page.
func negotiable(t *testing.T) *server {
	const uri = "http://negotiate.example/"
	a := &archive{}
	a.page(uri, "20100101100000", "<p>ten</p>")
	a.page(uri, "20100101120000", "<p>noon</p>")
	a.response(uri, "20120301090000", "503 Service Unavailable", "down", "Content-Type: text/plain")
	a.page(uri, "20120301200000", "<p>up again</p>")
	a.response(uri, "20140101000000", "302 Found", "", "Location: http://elsewhere.example/")
	a.response(uri, "20150101000000", "404 Not Found", "<p>gone</p>", "Content-Type: text/html")
	a.response(uri, "20180101000000", "500 Internal Server Error", "oh", "Content-Type: text/plain")
	a.page(uri, "20200101000000", "<p>newest</p>")
	return a.serve(t)
}

// RFC 7089 §4.2.1 (pattern 2.1: URI-R ≠ URI-G ≠ URI-M, 302) and the special cases of §4.5.
func TestTimeGate(t *testing.T) {
	s := negotiable(t)
	const gate = "/web/http://negotiate.example/"
	tests := []struct{ name, accept, want string }{
		{"exactly on a capture", "Fri, 01 Jan 2010 12:00:00 GMT", "20100101120000"},
		{"§4.5.3 before the first", "Mon, 01 Jan 1990 00:00:00 GMT", "20100101100000"},
		{"§4.5.3 after the last", "Fri, 01 Jan 2100 00:00:00 GMT", "20200101000000"},
		{"a tie goes to the earlier", "Fri, 01 Jan 2010 11:00:00 GMT", "20100101100000"},
		{"a second past the tie goes to the later", "Fri, 01 Jan 2010 11:00:01 GMT", "20100101120000"},
		{"a failed capture yields to a good one within a day", "Thu, 01 Mar 2012 09:00:00 GMT", "20120301200000"},
		{"a failed capture alone for years is an answer", "Mon, 01 Jan 2018 00:00:00 GMT", "20180101000000"},
		{"§4.5.4 a 3xx is a memento like others", "Wed, 01 Jan 2014 00:00:05 GMT", "20140101000000"},
		{"§4.5.5 a 404 is a memento like others", "Thu, 01 Jan 2015 00:00:05 GMT", "20150101000000"},
		{"§4.2.1 absent: the newest", "", "20200101000000"},
	}
	for _, tt := range tests {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			t.Run(tt.name+" "+method, func(t *testing.T) {
				var fields []string
				if tt.accept != "" {
					fields = append(fields, "Accept-Datetime: "+tt.accept)
				}
				a := s.ask(t, method, gate, fields...)
				a.expect(t, http.StatusFound,
					"Location: "+s.url+"/web/"+tt.want+"/http://negotiate.example/",
					"Vary: accept-datetime", // §2.1.2
					"Memento-Datetime:",     // §4.2.1: not on a URI-G
					`Link: <http://negotiate.example/>; rel="original", `+
						`<`+s.url+`/web/timemap/link/http://negotiate.example/>; rel="timemap"; type="application/link-format"; `+
						`from="Fri, 01 Jan 2010 10:00:00 GMT"; until="Wed, 01 Jan 2020 00:00:00 GMT", `+
						`<`+s.url+`/web/20100101100000/http://negotiate.example/>; rel="first memento"; datetime="Fri, 01 Jan 2010 10:00:00 GMT", `+
						`<`+s.url+`/web/20200101000000/http://negotiate.example/>; rel="last memento"; datetime="Wed, 01 Jan 2020 00:00:00 GMT"`+
						selected(s, tt.want))
				if chosen := a.rels(t, "memento"); !slices.ContainsFunc(chosen,
					func(l memento.Link) bool { return l.URI == a.header.Get("Location") && l.Datetime.String() == tt.want }) {
					t.Errorf("the selected memento is not in %v", chosen)
				}
				if a.body != "" {
					t.Errorf("a redirect has a body: %q", a.body)
				}
			})
		}
	}
}

// selected returns the link of the selected memento, unless that is the first or the last: MemGator and others read
// nothing but the Link header.
func selected(s *server, ts string) string {
	if ts == "20100101100000" || ts == "20200101000000" {
		return ""
	}
	t, _ := cdx.ParseTimestamp(ts)
	return `, <` + s.url + `/web/` + ts + `/http://negotiate.example/>; rel="memento"; datetime="` + memento.FormatDatetime(t) + `"`
}

// RFC 7089 §4.5.3: an Accept-Datetime that violates §2.1.1 must be answered with 400.
func TestMalformedAcceptDatetime(t *testing.T) {
	s := demo(t)
	for name, value := range map[string]string{
		"ISO 8601":       "2014-01-01T00:00:00Z",
		"a word":         "yesterday",
		"ts14":           "20140101000000",
		"no such day":    "Fri, 31 Feb 2014 00:00:00 GMT",
		"another zone":   "Wed, 01 Jan 2014 00:00:00 CET",
		"an element":     "<script>alert(1)</script>",
		"hour 24":        "Wed, 01 Jan 2014 24:00:00 GMT",
		"two datetimes":  "Wed, 01 Jan 2014 00:00:00 GMT, Thu, 02 Jan 2014 00:00:00 GMT",
		"trailing words": "Wed, 01 Jan 2014 00:00:00 GMT or so",
	} {
		t.Run(name, func(t *testing.T) {
			a := s.get(t, "/web/http://www.riverbend.example/", "Accept-Datetime: "+value)
			a.expect(t, http.StatusBadRequest, "Content-Type: text/plain; charset=utf-8", "Memento-Datetime:",
				"Vary: accept-datetime, Accept, Accept-Encoding")
			if strings.Count(strings.TrimSpace(a.body), "\n") > 0 {
				t.Errorf("more than a line: %q", a.body)
			}
		})
	}
}

// A TimeGate without a capture must answer 404 with Link: original.
func TestTimeGateWithoutCapture(t *testing.T) {
	s := demo(t)
	a := s.get(t, "/web/http://nowhere.example/a,b?c=%2F")
	a.expect(t, http.StatusNotFound, `Link: <http://nowhere.example/a,b?c=%2F>; rel="original"`, "Content-Type: text/plain; charset=utf-8",
		"Access-Control-Allow-Origin: *", "Memento-Datetime:")
	a = s.get(t, "/web/http://nowhere.example/", "Accept: text/html")
	a.expect(t, http.StatusNotFound, `Link: <http://nowhere.example/>; rel="original"`)
	if !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
		t.Errorf("a browser gets %s", a.header.Get("Content-Type"))
	}
}

// CORS: any origin may read Memento answers, and may send the headers for negotiation.
func TestPreflight(t *testing.T) {
	s := start(t, "demo", "--cors=*")
	a := s.ask(t, http.MethodOptions, "/web/http://www.riverbend.example/",
		"Origin: https://reader.example", "Access-Control-Request-Method: GET", "Access-Control-Request-Headers: accept-datetime, prefer",
		"Access-Control-Request-Private-Network: true")
	a.expect(t, http.StatusNoContent, "Access-Control-Allow-Origin: *", "Access-Control-Allow-Private-Network: true")
	for _, name := range []string{"Accept-Datetime", "Prefer", "Range"} {
		if !a.has("Access-Control-Allow-Headers", name) {
			t.Errorf("%s may not be sent: %v", name, a.header)
		}
	}
	for _, target := range []string{
		"/web/http://www.riverbend.example/", "/web/20160901092139/http://www.riverbend.example/",
		"/web/timemap/link/http://www.riverbend.example/", "/web/cdx?url=www.riverbend.example", "/web/changes/http://www.riverbend.example/",
	} {
		a := s.get(t, target, "Origin: https://reader.example")
		if a.header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s can't be read by other origins", target)
		}
		for _, name := range []string{"Link", "Memento-Datetime", "Location", "Vary"} {
			if !a.has("Access-Control-Expose-Headers", name) {
				t.Errorf("%s: %s is not exposed", target, name)
			}
		}
	}
}

// Short datetimes are padded down, and must lead to the exact URI-M with the same modifier.
func TestInexactMementoLeadsToTheNearest(t *testing.T) {
	s := negotiable(t)
	tests := []struct{ name, ask, want string }{
		{"a year", "2010", "20100101100000"},
		{"a year whose first second is nearer the one before", "2012", "20120301200000"},
		{"modifier is kept", "2020id_", "20200101000000id_"},
		{"image modifier is kept", "20100101110000im_", "20100101100000im_"},
		{"one digit", "1", "20100101100000"},
		{"fourteen digits", "20300101000000", "20200101000000"},
		{"a failed one yields", "20120301090001", "20120301200000"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := s.get(t, "/web/"+tt.ask+"/http://negotiate.example/")
			a.expect(t, http.StatusFound, "Memento-Datetime:")
			if got := strings.TrimPrefix(a.header.Get("Location"), s.url); got != "/web/"+tt.want+"/http://negotiate.example/" {
				t.Errorf("leads to %s, want %s", got, tt.want)
			}
			// §4.5.7
			if a.has("Vary", "accept-datetime") {
				t.Error("an inexact URI-M varies on accept-datetime")
			}
			if original, gate, list := a.rel(t, "original"), a.rel(t, "timegate"),
				a.rel(t, "timemap"); original.URI != "http://negotiate.example/" ||
				gate.URI != s.url+"/web/http://negotiate.example/" || list.URI != s.url+"/web/timemap/link/http://negotiate.example/" {
				t.Errorf("links to %v, %v and %v", original, gate, list)
			}
		})
	}
	s.get(t, "/web/20120301090000/http://negotiate.example/").expect(t, http.StatusServiceUnavailable,
		"Memento-Datetime: Thu, 01 Mar 2012 09:00:00 GMT")
}

// The URI-R must be taken byte for byte from the raw request target.
func TestURIForms(t *testing.T) {
	a := &archive{}
	for i, uri := range []string{
		"http://forms.example/search?q=a%2Fb&x=1,2", "http://forms.example/a%2Fb", "http://forms.example/a%2Cb", "http://forms.example/a,b",
		"http://forms.example/with%20space", "http://forms.example/caf%C3%A9", "http://forms.example:8080/port", "https://forms.example/secure",
		"http://forms.example/web/2010/http://other.example/",
	} {
		a.response(uri, "2010010100000"+string(rune('0'+i)), "200 OK", "it is "+uri, "Content-Type: text/plain")
	}
	s := a.serve(t)
	tests := []struct{ name, ask, want string }{
		{"a query with an escaped slash", "http://forms.example/search?q=a%2Fb&x=1,2", "http://forms.example/search?q=a%2Fb&x=1,2"},
		{"an escaped slash in the path", "http://forms.example/a%2Fb", "http://forms.example/a%2Fb"},
		{"a space", "http://forms.example/with%20space", "http://forms.example/with%20space"},
		{"unicode escaped", "http://forms.example/caf%C3%A9", "http://forms.example/caf%C3%A9"},
		{"a collapsed slash", "http:/forms.example/a,b", "http://forms.example/a,b"},
		{"a collapsed slash of https", "https:/forms.example/secure", "https://forms.example/secure"},
		{"no scheme", "forms.example/caf%C3%A9", "http://forms.example/caf%C3%A9"},
		{"no scheme, with a port", "forms.example:8080/port", "http://forms.example:8080/port"},
		{"a port", "http://forms.example:8080/port", "http://forms.example:8080/port"},
		{"escaped colon and slashes", "http%3A%2F%2Fforms.example/a,b", "http://forms.example/a,b"},
		{"upper case host and scheme", "HTTP://FORMS.example/caf%C3%A9", "http://forms.example/caf%C3%A9"},
		{
			"an address of an archive inside", "http://forms.example/web/2010/http://other.example/",
			"http://forms.example/web/2010/http://other.example/",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := s.get(t, "/web/"+tt.ask)
			a.expect(t, http.StatusFound)
			if got := a.header.Get("Location"); !strings.HasSuffix(got, "/"+tt.want) {
				t.Fatalf("leads to %s", got)
			}
			a = s.get(t, strings.TrimPrefix(a.header.Get("Location"), s.url))
			a.expect(t, http.StatusOK)
			if got := a.rel(t, "original").URI; got != tt.want {
				t.Errorf("original is %s", got)
			}
			if a.body != "it is "+tt.want {
				t.Errorf("body %q", a.body)
			}
		})
	}
}

// On loopback no site that a reader visits may read what is archived, unless the server is told so.
func TestBytesOnLoopbackAreNobodyElses(t *testing.T) {
	s := demo(t)
	const page = "/web/20160901092139/http://www.riverbend.example/"
	for _, target := range []string{page, strings.Replace(page, "/http", "id_/http", 1)} {
		s.get(t, target, "Origin: https://reader.example").expect(t, http.StatusOK, "Access-Control-Allow-Origin:")
	}
	s.ask(t, http.MethodOptions, page, "Origin: https://reader.example", "Access-Control-Request-Private-Network: true").
		expect(t, http.StatusNoContent, "Access-Control-Allow-Private-Network:")
}
