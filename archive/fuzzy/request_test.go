package fuzzy

import (
	"strings"
	"testing"
	"time"
)

func TestRequestsWhoseKeysAreNotAll(t *testing.T) {
	const json, form, bytes = "application/json", "application/x-www-form-urlencoded", "application/octet-stream"
	for _, tt := range []struct {
		name, kind, body string
		long             bool
	}{
		{"no body", json, "", false},
		{"a short one", json, `{"id":1}`, false},
		{"fields that fit", form, "a=" + strings.Repeat("x", 4000), false},
		{"fields that don't", form, "a=" + strings.Repeat("x", 5000), true},
		{"JSON that is cut before its end", json, `{"a":"` + strings.Repeat("x", 16<<10) + `"}`, true},
		{"bytes that fit", bytes, strings.Repeat("x", 3000), false},
		{"bytes that don't", bytes, strings.Repeat("x", 3100), true},
		{"no JSON at all", json, strings.Repeat("x", 5000), false}, // its key says nothing of it, nor would a longer one
	} {
		r := &Request{URIR: "http://a.example/", Method: "POST", Type: tt.kind, Body: []byte(tt.body)}
		if r.Long() != tt.long {
			t.Errorf("%s: long %t", tt.name, r.Long())
		}
	}
}

func TestComparingRequests(t *testing.T) {
	captured, asked := time.Date(2014, 9, 6, 10, 0, 0, 0, time.UTC), time.Date(2026, 1, 2, 11, 30, 0, 0, time.UTC)
	then, now := uint64(captured.UnixMilli()), uint64(asked.UnixMilli())
	long := text(3, strings.Repeat("x", 10_000))
	const uuid, another = "1b4e28ba-2fa1-41d2-883f-0016d3cca427", "6fa459ea-ee8a-4ca4-894e-db77e160355e"
	request := func(uri string, body []byte) *Request {
		return &Request{URIR: uri, Method: "POST", Type: protobuf, Body: body}
	}
	const at = "http://a.example/api?x=1"
	for _, tt := range []struct {
		name                 string
		a, b                 *Request
		exact, alike, random bool
	}{
		{"the same", request(at, message(varint(1, then), long)), request(at, message(varint(1, then), long)), true, true, false},
		{"at another time", request(at, message(varint(1, then), long)), request(at, message(varint(1, now), long)), false, true, false},
		{
			"other words", request(at, message(varint(1, then), long)), request(at, message(varint(1, now), long, text(4, "y"))), false,
			false, false,
		},
		{"at another address", request("http://a.example/api?x=2", message(long)), request(at, message(long)), false, false, false},
		{"with another value that looks random", request(at, message(text(1, uuid), long)), request(at, message(text(1, another),
			long)), false, false, true},
		{
			"which is none there", request(at, message(text(1, uuid[:35]+"x"), long)), request(at, message(text(1, another), long)),
			false, false, false,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := Compare(tt.b)
			_, random := c.Random(tt.a, captured)
			if c.Exact(tt.a) != tt.exact || c.Alike(tt.a, captured) != tt.alike || random != tt.random {
				t.Errorf("exact %t, alike %t, random %t", c.Exact(tt.a), c.Alike(tt.a, captured), random)
			}
		})
	}
}

// Some pages send gRPC in base64.
func TestBodiesInBase64(t *testing.T) {
	for _, tt := range []struct{ kind, body, want string }{
		{"application/grpc-web-text", "YWJj", "abc"},
		{"Application/gRPC-Web-Text+proto", "YWJj", "abc"},
		{"application/grpc-web", "YWJj", "YWJj"},
		{"application/grpc-web-text", "no base64", "no base64"},
	} {
		if got := string((&Request{Type: tt.kind, Body: []byte(tt.body)}).plain()); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.kind, got, tt.want)
		}
	}
}

// Around a request are all others to its path, whatever they send.
func TestWhatIsAroundARequest(t *testing.T) {
	r := &Request{URIR: "http://a.example/x?q=1", Method: "POST", Body: []byte("a=1"), Type: "application/x-www-form-urlencoded"}
	around := r.Around()
	for _, key := range []string{"example,a)/x?__wb_method=post&b=2", "example,a)/x?"} {
		if key < around.From || key >= around.To {
			t.Errorf("%s is not within %+v", key, around)
		}
	}
	for _, key := range []string{"example,a)/x", "example,a)/xy?b", "example,a)/x/y?b"} {
		if key >= around.From && key < around.To {
			t.Errorf("%s is within %+v", key, around)
		}
	}
}
