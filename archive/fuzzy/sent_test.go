package fuzzy

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/cdx/surt"
)

func TestWhatBodiesMean(t *testing.T) {
	const form, json = "application/x-www-form-urlencoded", "application/json"
	tests := []struct {
		name, kind, a, b string
		same             bool
	}{
		{"a time stamp", json, `{"id":1,"timestamp":1410000000000}`, `{"id":1,"timestamp":1500000000000}`, true},
		{"a time as text", json, `{"id":1,"clientTime":"2014-09-06T10:00:00Z"}`, `{"id":1,"clientTime":"2026-01-01T00:00:00.123Z"}`, true},
		{"when a form was sent", form, "q=x&placed_at=2014-09-06T10%3A00%3A00Z", "q=x&placed_at=2026-01-01T00%3A00%3A00.123Z", true},
		{"when something else was", form, "q=x&delivered_at=2014-09-06T10%3A00%3A00Z", "q=x&delivered_at=2026-01-01T00%3A00%3A00Z", false},
		{"a day counts", json, `{"date":"2014-09-06"}`, `{"date":"2014-09-07"}`, false},
		{"the ends of a stretch of time count", json, `{"from":1410000000000}`, `{"from":1500000000000}`, false},
		{"an identifier counts", json, `{"id":1}`, `{"id":2}`, false},
		{"a field more counts", json, `{"id":1}`, `{"id":1,"page":2}`, false},
		{"a nonce", form, "action=list&_wpnonce=0a1b2c3d4e", "action=list&_wpnonce=ffffffffff", true},
		{"a nonce or none", form, "action=list&nonce=1", "action=list", true},
		{"a request id", json, `{"q":"x","requestId":"1b4e28ba-2fa1-11d2-883f-0016d3cca427"}`, `{"q":"x","request_id":"7"}`, true},
		{"a session's token", form, "q=x&csrf_token=abcdef", "q=x&csrf_token=fedcba", true},
		{"Rails' token", form, "q=x&authenticity_token=a%2Bb%3D%3D", "q=x&authenticity_token=c%2Fd%3D%3D", true},
		{"a cursor", json, `{"first":10,"after":"Y3Vyc29yOjE0MTAwMDAw"}`, `{"first":10,"after":"Y3Vyc29yOjE1MDAwMDAw"}`, true},
		{"a number is a place", json, `{"after":10}`, `{"after":20}`, false},
		{
			"GraphQL's variables", json,
			`{"operationName":"List","query":"query List {a}","variables":{"id":7,"now":1410000000}}`,
			`{"operationName":"List","query":"query List {a}","variables":{"id":7,"now":1500000000}}`, true,
		},
		{
			"another variable of GraphQL", json,
			`{"operationName":"List","query":"query List {a}","variables":{"id":7}}`,
			`{"operationName":"List","query":"query List {a}","variables":{"id":8}}`, false,
		},
		{
			"another query of GraphQL", json, `{"query":"{a}","variables":{"now":1410000000}}`, `{"query":"{b}","variables":{"now":1410000000}}`,
			false,
		},
		{"a name that comes again", json, `[{"ts":1410000000},{"ts":1410000001}]`, `[{"ts":1500000000},{"ts":1500000001}]`, true},
		{"bytes count", "application/octet-stream", "\x08\x01", "\x08\x02", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			key := func(body string) string {
				return surt.OfRequest("http://a.example/api.js", "POST", []byte(body), tt.kind)
			}
			a, b := Of(key(tt.a)), Of(key(tt.b))
			if (a == b) != tt.same {
				t.Errorf("%q and %q", a, b)
			}
			if begin := sentBegin(key(tt.b)); tt.same && !strings.HasPrefix(key(tt.a), begin) {
				t.Errorf("%q is not looked for among what begins with %q", key(tt.a), begin)
			}
			if get := Of(surt.Of("http://a.example/api.js")); a == get {
				t.Errorf("a POST means a GET: %q", a)
			}
		})
	}
	post, put := surt.OfRequest("http://a.example/", "POST", nil, ""), surt.OfRequest("http://a.example/", "PUT", nil, "")
	if Of(post) == Of(put) {
		t.Error("a POST means a PUT")
	}
}
