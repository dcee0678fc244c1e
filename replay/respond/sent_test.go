package respond

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/cdx"
)

// A request with a body gets what the same request got, or one that differs only in what varies; then the header names that one.
func TestWhatRequestsWithBodiesGet(t *testing.T) {
	const asked, form, json, bytes = "http://a.example/rpc", "application/x-www-form-urlencoded", "application/json", "application/x-protobuf"
	long := func(q string, ms int64) string {
		return fmt.Sprintf(`{"pad":"%s","q":%q,"t":%d}`, strings.Repeat("x", 16<<10), q, ms)
	}
	const then, now = 1420070400000, 1767225600000 // 2015, 2026
	var records []archivetest.Record
	for _, r := range [][3]string{
		{"2015", json, long("a", then)},
		{"2016", bytes, "\x0a\x246f1c7a30-1d2e-4b5f-8c9d-0a1b2c3d4e5f"},
		{"2017", bytes, "\x0a\x2400000000-1111-4222-8333-444455556666"},
		{"2018", form, "sEcho=1&iDisplayStart=0&iDisplayLength=5"},
	} {
		date, answer := r[0]+"0101000000", "answer"
		records = append(records, archivetest.On(date, asked, answer), archivetest.Record{
			Date: date, URI: asked, Type: "request", Fields: "Content-Type: application/http; msgtype=request\n",
			Block: fmt.Sprintf("POST /rpc HTTP/1.1\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", r[1], len(r[2]), r[2]),
		})
	}
	shelf := archivetest.Keep(t, append(records, archivetest.On("2019", "http://a.example/api?id=1&_=5", "answer"))...)
	a, err := archive.New(archive.Config{Index: shelf.Index, Records: shelf})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, method, uriR, kind, body, sent, fuzzy, equivalent string }{
		{"reads", "GET", asked, "", "", "no", "", ""},
		{"reads with a body", "GET", asked, json, long("a", then), "no", "", ""},
		{"reads with another cache buster", "GET", "http://a.example/api?id=1&_=9", "", "", "no", "", "2019"},
		{"a short body", "POST", asked, json, `{"q":"b"}`, "no", "", ""},
		{"a long one that was sent", "POST", asked, json, long("a", then), "2015", "", ""},
		{"at another time", "POST", asked, json, long("a", now), "2015", asked, ""},
		{"another long one", "PUT", asked, json, long("b", then), "", "", ""},
		{"a third nonce", "POST", asked, bytes, "\x0a\x2499999999-8888-4777-a666-555544443333", "no", "", "2017"},
		{"a form", "POST", asked, form, "sEcho=7&iDisplayStart=0&iDisplayLength=5", "no", "", "2018"},
	} {
		year := func(c *cdx.Capture) string {
			if c == nil {
				return ""
			}
			return c.Time.String()[:4]
		}
		w, r := httptest.NewRecorder(), httptest.NewRequest(tt.method, "/", strings.NewReader(tt.body))
		r.Header.Set("Content-Type", tt.kind)
		found, err := FindPosted(w, r, a, "web", tt.uriR, 20200101000000)
		if err != nil || found == nil && tt.sent != "no" || found != nil && tt.sent != year(found.Capture) ||
			w.Header().Get(FuzzyHeader) != tt.fuzzy {
			t.Errorf("%s: %+v, %v, %v", tt.name, found, w.Header(), err)
		}
		key, err := RequestKey(r, tt.uriR)
		if err != nil {
			t.Fatal(err)
		}
		tl, c, err := Equivalent(r, a, "web", tt.uriR, key, 20200101000000)
		if err != nil || year(c) != tt.equivalent || c != nil && tl.Key != c.Key {
			t.Errorf("%s: equivalent is %v, %v", tt.name, c, err)
		}
	}
	broken := httptest.NewRequest(http.MethodPost, "/", iotest.ErrReader(errors.New("gone")))
	if _, err := FindPosted(httptest.NewRecorder(), broken, a, "web", asked, 2020); AsFailure(err).Status != http.StatusBadRequest {
		t.Errorf("a body that ends early: %v", err)
	}
	if _, _, err := Equivalent(broken, a, "web", asked, asked+"?__wb_method=post&a=b", 2020); AsFailure(err).Status != http.StatusBadRequest {
		t.Errorf("a body that ends early: %v", err)
	}
	if _, err := Echoes(http.Header{FuzzyHeader: {asked}}, broken, a, &cdx.Capture{}, asked); AsFailure(err).Status != http.StatusBadRequest {
		t.Errorf("a body that ends early: %v", err)
	}
	left, leave := context.WithCancel(t.Context())
	leave()
	given := httptest.NewRequestWithContext(left, http.MethodPost, "/", strings.NewReader("a=b"))
	if _, c, err := Equivalent(given, a, "web", asked, asked+"?__wb_method=post&a=b", 2020); c != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("a client that has left: %v, %v", c, err)
	}

	const table = "http://a.example/data?iDisplayStart=0&iDisplayLength=5&sEcho="
	held := shelf.Capture(t, "20180101000000", asked)
	for _, tt := range []struct{ name, fuzzy, method, kind, uriR, body, want string }{
		{"what was asked for itself", "", "POST", form, asked, "sEcho=7&iDisplayStart=0&iDisplayLength=5", `{"sEcho":1}`},
		{"what repeats its request", held.URL, "POST", form, asked, "sEcho=7&iDisplayStart=0&iDisplayLength=5", `{"sEcho":7}`},
		{"what doesn't", held.URL, "POST", json, asked, `{"q":1}`, `{"sEcho":1}`},
		{"what repeats an address", table + "1", "GET", "", table + "8", "", `{"sEcho":8}`},
	} {
		c, r := *held, httptest.NewRequest(tt.method, "/", strings.NewReader(tt.body))
		c.URL = cmp.Or(tt.fuzzy, c.URL)
		r.Header.Set("Content-Type", tt.kind)
		echoes, err := Echoes(http.Header{FuzzyHeader: {tt.fuzzy}}, r, a, &c, tt.uriR)
		if err != nil {
			t.Fatal(err)
		}
		whole, text, err := Echo(strings.NewReader(`{"sEcho":1}`), echoes)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(whole)
		if err != nil || string(got) != tt.want || (text != nil) != !strings.Contains(tt.want, ":1}") || text != nil && string(text) != tt.want {
			t.Errorf("%s: %s, %q, %v", tt.name, got, text, err)
		}
	}
}
