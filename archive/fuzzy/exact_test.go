package fuzzy

import (
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/cdx/surt"
)

// What is left of a key is the key of a request without what varies, so that such a request is found by it.
func TestWhatIsLeftOfAKey(t *testing.T) {
	const form = "application/x-www-form-urlencoded"
	post := func(uri, body string) string { return surt.OfRequest(uri, "POST", []byte(body), form) }
	for _, tt := range []struct{ name, varying, plain string }{
		{"no query", surt.Of("http://a.example/f"), surt.Of("http://a.example/f")},
		{"several arguments", surt.Of("http://a.example/f?a=1&b=2&c=3"), surt.Of("http://a.example/f?a=1&b=2&c=3")},
		{"one less in front", surt.Of("http://a.example/f?_=1410000000000&b=2&c=3"), surt.Of("http://a.example/f?b=2&c=3")},
		{"between", surt.Of("http://a.example/f?a=1&cb=77&e=3"), surt.Of("http://a.example/f?a=1&e=3")},
		{"behind", surt.Of("http://a.example/f?a=1&utm_source=x"), surt.Of("http://a.example/f?a=1")},
		{"all of them", surt.Of("http://a.example/f?utm_source=x"), surt.Of("http://a.example/f")},
		{"a session in the path", surt.Of("http://a.example/f;jsessionid=0A1B2C?a=1"), surt.Of("http://a.example/f?a=1")},
		{"fields of a body", post("http://a.example/f?x=1", "q=y&timestamp=1410000000000"), post("http://a.example/f?x=1", "q=y")},
		{"a file", surt.Of("http://a.example/f.css?v=1&w=2"), surt.Of("http://a.example/f.css")},
		{"a part of a file", surt.Of("http://a.example/f.mp4?range=0-99&v=1"), surt.Of("http://a.example/f.mp4?range=0-99")},
	} {
		if got := Of(tt.varying); got != tt.plain || Of(got) != got {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.plain)
		}
		found := false
		for _, s := range Spans(tt.varying) {
			found = found || s.From <= tt.plain && tt.plain < s.To && s.Most > 0
		}
		if !found {
			t.Errorf("%s: %q is not within %+v", tt.name, tt.plain, Spans(tt.varying))
		}
	}
}

// Requests that are sent are looked for up to the first field that varies; others to the path are left out.
func TestWhereSentRequestsAre(t *testing.T) {
	key := func(body string) string {
		return surt.OfRequest("http://a.example/f", "POST", []byte(body), "application/x-www-form-urlencoded")
	}
	within := func(key string, spans []Span) bool {
		for _, s := range spans {
			if s.From <= key && key < s.To {
				return true
			}
		}
		return false
	}
	spans := Spans(key("a=1&nonce=2&z=3"))
	for body, want := range map[string]bool{
		"a=1&nonce=9&z=3": true, "a=1&nonce=2&z=4": true, "a=1&z=3": true, "a=2&nonce=2&z=3": false, "nonce=2": false,
	} {
		if got := within(key(body), spans); got != want {
			t.Errorf("%s is within %+v: %v", body, spans, got)
		}
	}
	if all := Spans(key("a=1")); !within(key("a=1"), all) || within(key("a=2"), all) {
		t.Errorf("nothing varies: %+v", all)
	}
}

func TestKeysOfRequests(t *testing.T) {
	const uri, kind = "http://a.example/?x=1", "application/x-www-form-urlencoded"
	plain := surt.Of(uri)
	for method, isPlain := range map[string]bool{"": true, "GET": true, "HEAD": true, "POST": false, "PUT": false} {
		r := &Request{URIR: uri, Method: method, Type: kind, Body: []byte("a=1")}
		if key := r.Key(); (key == plain) != isPlain || strings.Contains(key, "a=1") == isPlain {
			t.Errorf("%q: %s", method, key)
		}
	}
}

// The addresses of requests are compared without what varies in them, and bodies of named fields without what varies there.
func TestComparingAddressesAndFields(t *testing.T) {
	const form = "application/x-www-form-urlencoded"
	now := time.Date(2014, 9, 6, 10, 0, 0, 0, time.UTC)
	raw := message(text(3, strings.Repeat("x", 10_000)))
	sent := func(body string) *Request { return &Request{"http://a.example/", "POST", form, []byte(body)} }
	for _, tt := range []struct {
		name  string
		a, b  Request
		alike bool
	}{
		{
			"bytes",
			Request{"http://a.example/?_=1410000000000", "POST", protobuf, raw},
			Request{"http://a.example/?_=1500000000000", "POST", protobuf, raw},
			true,
		},
		{"elsewhere", Request{"http://a.example/a", "POST", protobuf, raw}, Request{"http://a.example/b", "POST", protobuf, raw}, false},
		{"put", Request{"http://a.example/", "POST", protobuf, raw}, Request{"http://a.example/", "PUT", protobuf, raw}, false},
		{"fields", *sent("a=1&nonce=1"), *sent("a=1&nonce=2"), true},
		{"other fields", *sent("a=1&nonce=1"), *sent("a=2&nonce=1"), false},
	} {
		c := Compare(&tt.a)
		if got := c.Alike(&tt.b, now); got != tt.alike || !c.Alike(&tt.a, now) || c.Exact(&tt.b) || !c.Exact(&tt.a) {
			t.Errorf("%s: alike %v", tt.name, got)
		}
		if values, only := c.Random(&tt.b, now); only || len(values) > 0 {
			t.Errorf("%s: differs only in random values %q", tt.name, values)
		}
	}
}

// The clock of a page may be a quarter of an hour wrong.
func TestClocksMayBeWrong(t *testing.T) {
	captured := time.Date(2014, 9, 6, 10, 0, 0, 0, time.UTC)
	b := bytesOf(message(varint(1, uint64(captured.Add(1e6*time.Hour/1e2).Unix())), text(2, "x")))
	for wrong, want := range map[time.Duration]bool{
		0: true, 15 * time.Minute: true, -15 * time.Minute: true, 15*time.Minute + time.Second: false, -15*time.Minute - time.Second: false,
	} {
		other := message(varint(1, uint64(captured.Add(wrong).Unix())), text(2, "x"))
		if got := b.SameAs(other, captured); got != want {
			t.Errorf("by %s: %v", wrong, got)
		}
	}
}

// Of a key that is another request's, or isn't well formed, nothing is taken for a time.
func TestKeysThatAreOfNoSuchBody(t *testing.T) {
	captured := time.Date(2014, 9, 6, 10, 0, 0, 0, time.UTC)
	then, now := uint64(captured.UnixMilli()), uint64(captured.AddDate(9, 0, 0).UnixMilli())
	key := func(uri string, body []byte) string { return surt.OfRequest(uri, "POST", body, protobuf) }
	const uri = "http://a.example/api?x=1&zz=2"
	body, held := message(varint(1, 7), varint(2, now)), message(varint(1, 7), varint(2, then))
	b := BytesOf(key(uri, body), body)
	for name, tt := range map[string]struct {
		key  string
		like Likeness
	}{
		"itself":             {key(uri, body), Same},
		"at another time":    {key(uri, held), Same},
		"another path":       {key("http://a.example/other?x=1&zz=2", held), Different},
		"another argument":   {key("http://a.example/api?x=1&zz=3", held), Different},
		"an argument less":   {key("http://a.example/api?x=1", held), Different},
		"a field more":       {key(uri, message(varint(1, 7), varint(2, then), varint(3, 1))), Different},
		"a field less":       {key(uri, message(varint(2, then))), Different},
		"another kind":       {surt.Of("http://a.example/api?x=1&zz=2"), Different},
		"no base64":          {strings.Replace(key(uri, held), "post_data=", "post_data=!", 1), Different},
		"a time of no crawl": {key(uri, message(varint(1, 7), varint(2, then-1e9))), Different},
	} {
		if got := b.Like(tt.key, captured); got != tt.like {
			t.Errorf("%s: %v, want %v", name, got, tt.like)
		}
	}
	for name, other := range map[string][]byte{
		"two fields in the place of a time": append(message(varint(1, 7), varint(2, 1)), message(varint(3, 1), text(4, "xyz"))[:5]...),
		"half a number":                     append(held[:len(held)-1:len(held)-1], held[len(held)-1]|0x80),
	} {
		if len(other) != len(body) {
			t.Fatalf("%s: %d bytes of %d", name, len(other), len(body))
		}
		if b.SameAs(other, captured) {
			t.Errorf("%s is taken for a time", name)
		}
	}
	for name, broken := range map[string][]byte{
		"a tag that ends early":   append(message(varint(2, now)), 0xff),
		"a value that ends early": append(message(varint(2, now)), 0x10, 0xff),
	} {
		if BytesOf(key(uri, broken), broken) != nil {
			t.Errorf("%s: it is taken for a message", name)
		}
	}
}
