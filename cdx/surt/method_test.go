package surt

import (
	"fmt"
	"strings"
	"testing"
)

func TestMethodKey(t *testing.T) {
	const form = "application/x-www-form-urlencoded"
	multi := strings.ReplaceAll("--B\nContent-Disposition: form-data; name=\"a\"\n\n1 2\n--B\n"+
		"Content-Disposition: form-data; name=\"f\"; filename=\"x.bin\"\n\n\xff\n--B--\n", "\n", "\r\n")
	tests := []struct{ name, uri, method, body, contentType, want string }{
		{"GET is the plain key", "http://a.org/?b&a", "GET", "x=1", form, "org,a)/?a&b"},
		{"no method is the plain key", "http://a.org/", "", "", "", "org,a)/"},
		{"GET in small letters", "http://a.org/?b&a", "get", "x=1", form, "org,a)/?a&b"},
		{"POST in small letters", "http://a.org/", "post", "x=1", form, "org,a)/?__wb_method=post&x=1"},
		{"HEAD", "http://a.org/", "HEAD", "", "", "org,a)/?__wb_method=head"},
		{"OPTIONS has no body", "http://a.org/", "options", "x=1", form, "org,a)/?__wb_method=options"},
		{"a form", "http://httpbin.org/post", "POST", "foo=bar&test=abc", form, "org,httpbin)/post?__wb_method=post&foo=bar&test=abc"},
		{"a form beside a query", "http://httpbin.org/post?foo=bar", "POST", "data=^", form, "org,httpbin)/post?__wb_method=post&data=^&foo=bar"},
		{"a form behind a fragment", "http://httpbin.org/post#x", "POST", "a=1", form, "org,httpbin)/post?__wb_method=post&a=1"},
		{
			"a form, encoded", "http://httpbin.org/post", "POST", "a=1&c=3&b=%5B%5D", form + "; charset=utf-8",
			"org,httpbin)/post?__wb_method=post&a=1&b=[]&c=3",
		},
		{"a form with spaces", "http://a.org/", "POST", "q=a+b%20c", form, "org,a)/?__wb_method=post&q=a%20b%20c"},
		{"a form, badly encoded", "http://a.org/", "POST", "foo=bar&dir=%2", form, "org,a)/?__wb_method=post&dir=%252&foo=bar"},
		{"a form, badly encoded in either digit", "http://a.org/", "POST", "a=%4g%g4", form, "org,a)/?__wb_method=post&a=%254g%25g4"},
		{"a form that is no text", "http://a.org/", "POST", "\x816l`", form, "org,a)/?__wb_method=post&__wb_post_data=gtzsya=="},
		{"PUT", "http://a.org/", "PUT", "dir=%2Fbaz", form, "org,a)/?__wb_method=put&dir=/baz"},
		{"no body", "http://a.org/", "POST", "", form, "org,a)/?__wb_method=post"},
		{
			"JSON", "http://a.org/", "POST", `{"a": "b", "c": {"a": 2}, "d": ["e", "f"]}`, "application/json",
			"org,a)/?__wb_method=post&a=b&a.2_=2&d=e&d.2_=f",
		},
		{
			"JSON scalars as scripts print them", "http://a.org/", "POST", `{"a":true,"b":null,"c":1.0,"d":1e21,"e":0.1}`, "application/json",
			"org,a)/?__wb_method=post&a=true&b=null&c=1&d=1e+21&e=0.1",
		},
		{"lines of JSON", "http://a.org/", "POST", "{\"a\":1}\n{\"a\":2}\n", "application/json", "org,a)/?__wb_method=post&a=1&a.2_=2"},
		{"JSON that is none", "http://a.org/", "POST", `{"a":`, "application/json", "org,a)/?__wb_method=post"},
		{"plain text that is JSON", "http://a.org/", "POST", `{"a":1}`, "text/plain", "org,a)/?__wb_method=post&a=1"},
		{
			"plain text", "http://a.org/?id=123", "POST", "foo=bar&dir=%2Fbaz", "text/plain",
			"org,a)/?__wb_method=post&__wb_post_data=zm9vpwjhcizkaxi9jtjgymf6&id=123",
		},
		{
			"bytes", "http://a.org/", "POST", "foo=bar&dir=%2Fbaz", "application/octet-stream",
			"org,a)/?__wb_method=post&__wb_post_data=zm9vpwjhcizkaxi9jtjgymf6",
		},
		{"multipart", "http://a.org/", "POST", multi, "multipart/form-data; boundary=B", "org,a)/?__wb_method=post&a=1+2&f=%ff"},
		{
			"multipart without a boundary", "http://a.org/", "POST", "foo=bar&dir=%2Fbaz", "multipart/form-data",
			"org,a)/?__wb_method=post&__wb_post_data=zm9vpwjhcizkaxi9jtjgymf6",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := OfRequest(tt.uri, tt.method, []byte(tt.body), tt.contentType)
			if got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			if HasMethod(got) != (tt.method != "" && !strings.EqualFold(tt.method, "GET")) {
				t.Errorf("IsMethodKey(%q) = %v", got, HasMethod(got))
			}
		})
	}
}

func TestHasMethod(t *testing.T) {
	for key, want := range map[string]bool{
		"org,a)/?__wb_method=post": true, "org,a)/?1=2&__wb_method=post&x": true, "org,a)/": false, "org,a)/?a": false,
		"org,a)/?x__wb_method=post": false, "org,a)/__wb_method=post": false,
	} {
		if got := HasMethod(key); got != want {
			t.Errorf("%s: %t", key, got)
		}
	}
}

func TestMethodKeyIsBounded(t *testing.T) {
	big := strings.Repeat("a", 1<<20)
	for _, kind := range []string{"application/x-www-form-urlencoded", "application/octet-stream", "application/json"} {
		body := "x=" + big
		if kind == "application/json" {
			body = `{"x":"` + big + `"}`
		}
		key := OfRequest("http://a.org/", "POST", []byte(body), kind)
		if whole := OfWholeRequest("http://a.org/", "POST", []byte(body), kind); len(whole) <= len(key) || !strings.HasPrefix(whole, key) {
			t.Errorf("%s: the whole has %d bytes, its beginning %d", kind, len(whole), len(key))
		}
		if want := len("org,a)/?__wb_method=post&") + 4096; len(key) != want {
			t.Errorf("%s: key of %d bytes, want %d", kind, len(key), want)
		}
	}
	for n, want := range map[int]string{200: "&a=1", 201: ""} {
		nested := `{"a":` + strings.Repeat("[", n-1) + "1" + strings.Repeat("]", n-1) + "}"
		if got := OfRequest("http://a.org/", "POST", []byte(nested), "application/json"); got != "org,a)/?__wb_method=post"+want {
			t.Errorf("JSON of %d levels: %s", n, got)
		}
	}
	deep := strings.Repeat("[", 1<<16)
	if got := OfRequest("http://a.org/", "POST", []byte(deep), "application/json"); got != "org,a)/?__wb_method=post" {
		t.Errorf("deep JSON: got %.80q", got)
	}
}

func FuzzMethodKey(f *testing.F) {
	f.Add("http://a.org/", []byte(`{"a":[1,{"b":null}]}`), "application/json")
	f.Add("http://a.org/?x", []byte("a=%41&b=+"), "application/x-www-form-urlencoded")
	f.Add("a:b", []byte("--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--B--"), "multipart/form-data; boundary=B")
	f.Fuzz(func(t *testing.T, uri string, body []byte, contentType string) {
		key := OfRequest(uri, "POST", body, contentType)
		if strings.HasPrefix(strings.TrimSpace(uri), "filedesc") {
			return
		}
		if !HasMethod(key) {
			t.Fatalf("key %q doesn't say POST", key)
		}
	})
}

func ExampleOfRequest() {
	fmt.Println(OfRequest("http://example.org/search", "POST", []byte("q=moon"), "application/x-www-form-urlencoded"))
	// Output: org,example)/search?__wb_method=post&q=moon
}
