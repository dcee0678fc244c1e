package record

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/warc/write"
)

// Whatever else a message has in it, its credentials and cookies are not written, and nothing but secrets is taken out of a body.
func FuzzSecrets(f *testing.F) {
	f.Add("Accept: */*", "text/plain", "body")
	f.Add("X-Folded: a\r\n b", "application/x-www-form-urlencoded", "a=1&password=2&=&%zz=3")
	f.Add("Transfer-Encoding: chunked", "application/json", "3\r\n{\"p\r\n0\r\n\r\n")
	f.Add("Content-Length: 3", "multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\n1\r\n--b--")
	const secret = "hush-hush-1729"
	f.Fuzz(func(t *testing.T, fields, kind, body string) {
		if strings.Contains(fields+kind+body, secret) || fields == "" {
			t.Skip()
		}
		request := fmt.Sprintf("POST / HTTP/1.1\r\nAuthorization: %s\r\nCookie: a=%s; b=%s\r\nContent-Type: %s\r\n%s\r\nCookie: %s\r\n\r\n%s",
			secret, secret, secret, strings.NewReplacer("\r", "", "\n", "").Replace(kind), fields, secret, body)
		answer := "HTTP/1.1 200 OK\r\nSet-Cookie: s=" + secret + "\r\n\r\n" + body
		x := write.Exchange{Request: strings.NewReader(request), Response: strings.NewReader(answer)}
		s, err := withoutSecrets(&x)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		sent, _ := io.ReadAll(x.Request)
		got, _ := io.ReadAll(x.Response)
		if !strings.HasSuffix(string(got), "\r\n\r\n"+body) {
			t.Errorf("the answer has become %q", got)
		}
		head := strings.TrimSuffix(request, "\r\n\r\n"+body)
		if strings.Contains(string(sent)+string(got), secret) && !hasEmptyLine(head) {
			t.Errorf("%q has a secret in it, from %q", sent, request)
		}
	})
}

// hasEmptyLine reports whether a head ends before its last line.
func hasEmptyLine(head string) bool {
	for line := range strings.SplitSeq(head, "\n") {
		if strings.Trim(line, "\r") == "" {
			return true
		}
	}
	return false
}

// A broken message can't be read.
type broken struct{ io.ReadSeeker }

func (broken) Seek(int64, int) (int64, error) { return 0, errors.New("the disk is gone") }

func TestBodiesThatHideSecrets(t *testing.T) {
	const plain = "Accept: */*\r\n"
	for _, tt := range []struct {
		head, kind, body string
		hides            bool
	}{
		{plain, "application/json", `{"password": "x"}`, false}, // taken out
		{plain, "application/json", `{"login": {"password": "x"}}`, false},
		{plain, "application/json", `{"password": ["x"]}`, true},
		{plain, "application/json", `[{"name": "user", "value": "a"}]`, false},
		{plain, "application/json", `[{"name": "user", "value": "a"}, {"name": "pass_word", "value": "x"}]`, false},
		{plain, "application/json", `[{"name": "user", "value": "a"}, {"name": "password", "value": "x"}]`, true},
		{plain, "application/json", `[{"value": "x", "Key" : "accessToken"}]`, true},
		{plain, "application/json", `{"action": "getToken"}`, false},
		{plain, "text/html", `{"name": "password", "value": "x"}`, false},
		{"Content-Encoding: gzip\r\n", "text/html", "", true},
	} {
		if got := hides([]byte(tt.body), []byte(tt.head), tt.kind); got != tt.hides {
			t.Errorf("%s %s: %v", tt.kind, tt.body, got)
		}
	}
}

// What can't be searched for secrets is not written.
func TestMessagesThatCannotBeRead(t *testing.T) {
	whole := strings.NewReader("HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\n\r\n")
	for _, x := range []write.Exchange{{Request: broken{}, Response: whole}, {Request: whole, Response: broken{}}} {
		if free, err := WithoutSecrets(&x); err == nil || free != nil {
			t.Errorf("%v", err)
		}
	}
}
