package requests_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/varve-archive/varve/archive/archivetest"
	asked "github.com/varve-archive/varve/archive/fuzzy"
	"github.com/varve-archive/varve/archive/requests"
	"github.com/varve-archive/varve/cdx"
)

const (
	rpc            = "http://a.example/rpc"
	json, protobuf = "application/json", "application/x-protobuf"
)

// sending returns the record of a request, which the record before it answers.
func sending(date, uri, kind, body, fields string) archivetest.Record {
	return archivetest.Record{
		Date: date, URI: uri, Type: "request", Fields: "Content-Type: application/http; msgtype=request\n" + fields,
		Block: fmt.Sprintf("POST /rpc HTTP/1.1\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", kind, len(body), body),
	}
}

func TestOf(t *testing.T) {
	const date, body = "20200101000000", `{"q":1}`
	answer := archivetest.Record{Date: date, URI: rpc, Body: "answer"}
	for _, tt := range []struct {
		name   string
		behind archivetest.Record
		found  bool
	}{
		{"beside it", sending(date, rpc, json, body, "WARC-Concurrent-To: <urn:test:0>\n"), true},
		{"that names nothing", sending(date, rpc, json, body, ""), true},
		{"of another answer", sending(date, rpc, json, body, "WARC-Concurrent-To: <urn:test:7>\n"), false},
		{"of another address", sending(date, "http://a.example/other", json, body, "WARC-Concurrent-To: <urn:test:0>\n"), false},
		{"another answer", archivetest.Record{Date: date, URI: rpc, Body: "other"}, false},
	} {
		a, shelf := open(t, answer, tt.behind)
		var c *cdx.Capture
		for each := range shelf.Index.Captures(t.Context(), cdx.Span{Coll: "web"}) {
			if each.Offset == 0 {
				keep := *each
				c = &keep
			}
		}
		r, err := requests.Of(t.Context(), a, c)
		if err != nil || (r != nil) != tt.found {
			t.Errorf("%s: %+v, %v", tt.name, r, err)
		}
		if r != nil && (r.URIR != rpc || r.Method != "POST" || r.Type != json || string(r.Body) != body) {
			t.Errorf("%s: %+v", tt.name, r)
		}
	}
	a, shelf := open(t, answer)
	if r, err := requests.Of(t.Context(), a, shelf.Capture(t, date, rpc)); err == nil {
		t.Errorf("at the end of a file: %+v", r)
	}
}

func TestSent(t *testing.T) {
	const one, two = "6f1c7a30-1d2e-4b5f-8c9d-0a1b2c3d4e5f", "00000000-1111-4222-8333-444455556666"
	const three = "99999999-8888-4777-a666-555544443333"
	ask := func(q, nonce string) string { return fmt.Sprintf(`{"q":%q,"id":%q}`, q, nonce) }
	message := func(values ...string) string {
		var b []byte
		for i, v := range values {
			b = protowire.AppendString(protowire.AppendTag(b, protowire.Number(i+1), protowire.BytesType), v)
		}
		return string(b)
	}
	then := func(year int) string {
		return fmt.Sprintf(`{"q":"a","t":%d}`, time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli())
	}
	type sent struct{ date, body, answer string }
	for _, tt := range []struct {
		name  string
		kind  string
		have  []sent
		body  string
		want  string // the datetime of the answer
		exact bool
		lost  string // the datetime of an answer that can't be read
	}{
		{"nothing", json, nil, ask("a", one), "", false, ""},
		{"the same", json, []sent{{"2019", ask("a", one), "x"}, {"2020", ask("b", one), "y"}}, ask("a", one), "2019", true, ""},
		{"the same, the nearest", json, []sent{{"2015", ask("a", one), "x"}, {"2019", ask("a", one), "y"}}, ask("a", one), "2019", true, ""},
		{"something else", json, []sent{{"2019", ask("a", one), "x"}}, ask("b", one), "", false, ""},
		{"another id", json, []sent{{"2019", ask("a", one), "x"}}, ask("a", three), "", false, ""},
		{
			"a third nonce", protobuf,
			[]sent{{"2018", message("a", one), "x"}, {"2019", message("a", two), "x"}},
			message("a", three),
			"2019", false, "",
		},
		{
			"a third nonce, beside an id that is the same", protobuf,
			[]sent{{"2018", message("a", one, two), "x"}, {"2019", message("a", two, two), "x"}},
			message("a", three, two),
			"2019", false, "",
		},
		{
			"a third nonce, beside another id", protobuf,
			[]sent{{"2018", message("a", one, two), "x"}, {"2019", message("a", two, two), "x"}},
			message("a", three, three), "", false, "",
		},
		{"what was sent once may mean something", protobuf, []sent{{"2019", message("a", one), "x"}}, message("a", three), "", false, ""},
		{
			"what has two answers does", protobuf,
			[]sent{{"2018", message("a", one), "x"}, {"2019", message("a", two), "y"}},
			message("a", three), "", false, "",
		},
		{"the same, unreadable", json, []sent{{"2015", ask("a", one), "x"}, {"2019", ask("a", one), "y"}}, ask("a", one), "2015", true, "2019"},
		{"another time", json, []sent{{"2015", then(2015), "x"}, {"2019", then(2019), "y"}}, then(2026), "2019", false, ""},
		{"another time, unreadable", json, []sent{{"2015", then(2015), "x"}, {"2019", then(2019), "y"}}, then(2026), "2015", false, "2019"},
		{
			"a third nonce, unreadable", protobuf,
			[]sent{{"2018", message("a", one), "x"}, {"2019", message("a", two), "x"}},
			message("a", three), "", false, "2019",
		},
	} {
		var records []archivetest.Record
		for i, s := range tt.have {
			date := s.date + "0101000000"
			records = append(records, archivetest.Record{Date: date, URI: rpc, Body: s.answer},
				sending(date, rpc, tt.kind, s.body, fmt.Sprintf("WARC-Concurrent-To: <urn:test:%d>\n", 2*i)))
		}
		a, shelf := open(t, records...)
		if tt.lost != "" {
			shelf.Break(t, tt.lost+"0101000000", rpc)
		}
		r := &asked.Request{URIR: rpc, Method: "POST", Type: tt.kind, Body: []byte(tt.body)}
		_, c, exact, err := requests.Sent(t.Context(), a, "web", r, 20200101000000)
		got := ""
		if c != nil {
			got = strings.TrimSuffix(c.Time.String(), "0101000000")
		}
		if err != nil || got != tt.want || exact != tt.exact {
			t.Errorf("%s: %q, exact %t, %v; want %q, %t", tt.name, got, exact, err, tt.want, tt.exact)
		}
	}
}

// Where no request was archived, the key alone decides.
func TestSentWithoutArchivedRequests(t *testing.T) {
	const date = "20200101000000"
	r := &asked.Request{URIR: rpc, Method: "POST", Type: protobuf, Body: []byte("\x0a\x01a")}
	a, shelf := open(t, archivetest.Record{Date: date, URI: rpc, Body: "answer"})
	if _, c, _, err := requests.Sent(t.Context(), a, "web", r, 20200101000000); c != nil || err != nil {
		t.Errorf("nothing was sent: %v, %v", c, err)
	}
	shelf.Put(t, r.Key(), rpc, 20200101000000)
	tl, c, exact, err := requests.Sent(t.Context(), a, "web", r, 20200101000000)
	if err != nil || c == nil || c.Key != r.Key() || tl.Key != r.Key() || !exact {
		t.Errorf("%v, exact %v, %v", c, exact, err)
	}
	shelf.Break(t, date, rpc)
	if _, c, _, err := requests.Sent(t.Context(), a, "web", r, 20200101000000); c != nil || err != nil {
		t.Errorf("it can't be read: %v, %v", c, err)
	}
}
