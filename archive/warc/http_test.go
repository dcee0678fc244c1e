package warc

import (
	"bufio"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseHead(t *testing.T) {
	for _, tt := range []struct {
		name, block string
		want        Message
		body        string
	}{
		{
			"a proper response", "HTTP/1.1 404 Not Found\r\nA: b\r\n\r\nbody",
			Message{Status: 404, Reason: "Not Found", Proto: "HTTP/1.1", Header: Fields{{"A", "b"}}, Size: 32},
			"body",
		},
		{
			"line ends of LF alone", "HTTP/1.0 200 OK\nA: b\n\nbody",
			Message{Status: 200, Reason: "OK", Proto: "HTTP/1.0", Header: Fields{{"A", "b"}}, Size: 22},
			"body",
		},
		{
			"line ends of CR CR LF", "HTTP/1.0 302 Found\r\r\nA: b\r\r\n\r\r\nbody",
			Message{Status: 302, Reason: "Found", Proto: "HTTP/1.0", Header: Fields{{"A", "b"}}, Size: 31},
			"body",
		},
		{
			"line ends before it", "\r\n\nHTTP/1.1 100 Continue\r\n\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n\r\nbody",
			Message{Status: 200, Reason: "OK", Proto: "HTTP/1.1", Header: Fields{{"A", "b"}}, Size: 55, Interim: 30},
			"body",
		},
		{"line ends before a text", "\r\n\r\nHTTPS, a text", Message{}, "\r\n\r\nHTTPS, a text"},
		{
			"a colon in the reason", "HTTP/1.1 200 All: well\r\nA: b\r\n\r\nx",
			Message{Status: 200, Reason: "All: well", Proto: "HTTP/1.1", Header: Fields{{"A", "b"}}, Size: 32},
			"x",
		},
		{"no reason", "HTTP/1.1 204\r\n\r\n", Message{Status: 204, Proto: "HTTP/1.1", Header: Fields{}, Size: 16}, ""},
		{"no reason, but its space", "HTTP/1.1 204 \r\n\r\n", Message{Status: 204, Proto: "HTTP/1.1", Header: Fields{}, Size: 17}, ""},
		{"a reason glued on", "HTTP/1.1 200OK\r\n\r\nx", Message{Status: 200, Reason: "OK", Proto: "HTTP/1.1", Header: Fields{}, Size: 18}, "x"},
		{"a reason in place of the status", "HTTP/1.1 OK\r\n\r\nx", Message{Reason: "OK", Proto: "HTTP/1.1", Header: Fields{}, Size: 15}, "x"},
		{
			"a status below 100 is none", "HTTP/1.1 099 OK\r\n\r\nx",
			Message{Reason: "099 OK", Proto: "HTTP/1.1", Header: Fields{}, Size: 19},
			"x",
		},
		{"the least status", "HTTP/1.1 100\r\n\r\nx", Message{Status: 100, Proto: "HTTP/1.1", Header: Fields{}, Size: 16}, "x"},
		{"the greatest", "HTTP/1.1 999\r\n\r\nx", Message{Status: 999, Proto: "HTTP/1.1", Header: Fields{}, Size: 16}, "x"},
		{
			"a status of four digits is none", "HTTP/1.1 2000 OK\r\n\r\nx",
			Message{Reason: "2000 OK", Proto: "HTTP/1.1", Header: Fields{}, Size: 20},
			"x",
		},
		{
			"several spaces", "HTTP/1.1   200   OK\r\n\r\nx",
			Message{Status: 200, Reason: "OK", Proto: "HTTP/1.1", Header: Fields{}, Size: 23},
			"x",
		},
		{
			"SHOUTcast", "ICY 200 OK\r\nicy-br: 128\r\n\r\nx",
			Message{Status: 200, Reason: "OK", Proto: "ICY", Header: Fields{{"icy-br", "128"}}, Size: 27},
			"x",
		},
		{"lower case", "http/1.1 200 ok\r\n\r\nx", Message{Status: 200, Reason: "ok", Proto: "http/1.1", Header: Fields{}, Size: 19}, "x"},
		{"HTTP/2 written as text", "HTTP/2 200\r\n\r\nx", Message{Status: 200, Proto: "HTTP/2", Header: Fields{}, Size: 14}, "x"},
		{
			"folded lines", "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\td\r\nE:\r\n f\r\n\r\nx",
			Message{Status: 200, Reason: "OK", Proto: "HTTP/1.1", Header: Fields{{"A", "b c d"}, {"E", "f"}}, Size: 41},
			"x",
		},
		{
			"a folded line that continues nothing", "HTTP/1.1 200 OK\r\n b\r\nA: b\r\n\r\nx",
			Message{Status: 200, Reason: "OK", Proto: "HTTP/1.1", Header: Fields{{"A", "b"}}, Size: 29},
			"x",
		},
		{
			"duplicates, spaces before the colon, lines that are no fields, odd bytes",
			"HTTP/1.1 200 OK\r\nA : b\r\na: c\r\nnonsense\r\nN\x00: \xff\x00\r\n\r\nx",
			Message{Status: 200, Reason: "OK", Proto: "HTTP/1.1", Header: Fields{{"A", "b"}, {"a", "c"}, {"N\x00", "\xff\x00"}}, Size: 50},
			"x",
		},
		{
			"no status line", "Content-Type: text/html\r\nContent-Length: -1\r\n\r\nx",
			Message{Header: Fields{{"Content-Type", "text/html"}, {"Content-Length", "-1"}}, Size: 47},
			"x",
		},
		{"no head at all", "<!DOCTYPE html>\n<p>x: y</p>", Message{}, "<!DOCTYPE html>\n<p>x: y</p>"},
		{"a picture", "\x89PNG\r\n\x1a\n", Message{}, "\x89PNG\r\n\x1a\n"},
		{"a URL is no field", "http://example.org/ moved", Message{}, "http://example.org/ moved"},
		{"nothing", "", Message{}, ""},
		{"an empty line is a body", "\r\n\r\nx", Message{}, "\r\n\r\nx"},
		{
			"no empty line at the end", "HTTP/1.1 200 OK\r\nA: b\r\n",
			Message{Status: 200, Reason: "OK", Proto: "HTTP/1.1", Header: Fields{{"A", "b"}}, Size: 23},
			"",
		},
		{
			"an empty line forgotten before markup", "HTTP/1.1 200 OK\r\nA: b\r\n<html>",
			Message{Status: 200, Reason: "OK", Proto: "HTTP/1.1", Header: Fields{{"A", "b"}}, Size: 23},
			"<html>",
		},
		{
			"a request", "POST /a b?c HTTP/1.1\r\nHost: x\r\n\r\nd=e",
			Message{Method: "POST", Target: "/a b?c", Proto: "HTTP/1.1", Header: Fields{{"Host", "x"}}, Size: 33},
			"d=e",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := bufio.NewReader(strings.NewReader(tt.block))
			m, err := ParseHead(r)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, m); diff != "" {
				t.Errorf("want (-), got (+):\n%s", diff)
			}
			if body := readAll(t, r); body != tt.body {
				t.Errorf("body is %q, want %q", body, tt.body)
			}
		})
	}
}

// The head of a record may have a mebibyte with the empty line that ends it.
func TestTheLongestHeadOfARecord(t *testing.T) {
	const last = "\r\n\r\n"
	for size, want := range map[int]error{1 << 20: nil, 1<<20 + 1: errHeadTooLong} {
		head := strings.Repeat("A: b\r\n", (size-len(last))/6-1)
		head += "C: " + strings.Repeat("c", size-len(last)-len(head)-3) + last
		got, err := appendHead(nil, bufio.NewReader(strings.NewReader(head)))
		if err != want || err == nil && len(got) != size-len("\r\n") {
			t.Errorf("%d bytes: %d, %v", size, len(got), err)
		}
	}
}

func TestParseHeadRefusesWhatIsTooLong(t *testing.T) {
	for name, head := range map[string]string{
		"one field":   "HTTP/1.1 200 OK\r\nA: " + strings.Repeat("a", 2<<20),
		"many fields": "HTTP/1.1 200 OK\r\n" + strings.Repeat("A: b\r\n", 1<<18),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := ParseHead(bufio.NewReader(strings.NewReader(head))); err != errHeadTooLong {
				t.Errorf("got %v", err)
			}
		})
	}
}
