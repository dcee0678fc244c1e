package cdx

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// ByDistance gives what a stable sort by distance would: on a tie the earlier second first, the captures of one second in order.
func TestByDistance(t *testing.T) {
	times := []Timestamp{20100101000000, 20100101000000, 20100101000002, 20100101000004, 20100101000004, 20100101000009}
	captures := make([]Capture, len(times))
	for i, ts := range times {
		captures[i] = Capture{Time: ts, Location: Location{Offset: int64(i)}}
	}
	for _, ts := range []Timestamp{
		20091231235959, 20100101000000, 20100101000001, 20100101000002, 20100101000003, 20100101000007, 20110101000000,
	} {
		want := slices.Clone(captures)
		slices.SortStableFunc(want, func(a, b Capture) int { return int(a.Time.Distance(ts) - b.Time.Distance(ts)) })
		for stop := 1; stop <= len(want); stop++ {
			var got, first []int64
			for c, err := range ByDistance(captures, ts) {
				if err != nil {
					t.Fatal(err)
				}
				if got = append(got, c.Offset); len(got) == stop {
					break
				}
			}
			for _, c := range want[:stop] {
				first = append(first, c.Offset)
			}
			if !slices.Equal(got, first) {
				t.Errorf("from %d: %v, want %v", ts, got, first)
			}
		}
	}
	for range ByDistance(nil, 20100101000000) {
		t.Error("a capture of none")
	}
}

func TestFailedCaptures(t *testing.T) {
	for status, want := range map[int]bool{
		0: false, 200: false, 404: false, 428: false, 429: true, 430: false, 499: false, 500: true, 599: true, 600: false,
	} {
		if got := (&Capture{Status: status}).Failed(); got != want {
			t.Errorf("%d: %v", status, got)
		}
	}
	if !(&Capture{Status: 200, Truncated: true}).Failed() {
		t.Error("a truncated capture is a failed one")
	}
	for _, c := range []Capture{{Kind: Revisit}, {Kind: Revisit, Origin: Location{File: 1}}, {Kind: Response}} {
		if got := c.Unresolved(); got != (c.Kind == Revisit && c.Origin == Location{}) {
			t.Errorf("%v: unresolved %v", c, got)
		}
	}
}

func TestWhatACaptureIs(t *testing.T) {
	for kind, want := range []string{"response", "revisit", "resource", "conversion", "metadata"} {
		if got := Kind(kind).String(); got != want {
			t.Errorf("%d: %s, want %s", kind, got, want)
		}
	}
	for _, tt := range []struct {
		status int
		mime   string
		want   bool
	}{
		{200, "image/png", true},
		{206, "image/png", true},
		{304, "image/png", false},
		{404, "image/png", false},
		{199, "image/png", false},
		{200, "text/html", false},
		{200, "application/image/x", false},
	} {
		if got := (&Capture{Status: tt.status, MIME: tt.mime}).IsPicture(); got != tt.want {
			t.Errorf("%d %s: a picture: %v", tt.status, tt.mime, got)
		}
	}
	if got := Timestamp(19991231235959).Year(); got != 1999 {
		t.Errorf("year %d", got)
	}
}

// Every character comes back from JSON as it was, wherever it stands.
func TestJSONStrings(t *testing.T) {
	for r := rune(0); r < 0x300; r++ {
		for _, s := range []string{string(r), "a" + string(r), string(r) + "b", "\"" + string(r) + "\\"} {
			var back string
			line := appendJSONString(nil, s)
			if err := json.Unmarshal(line, &back); err != nil || back != s {
				t.Errorf("%q: %s, %v", s, line, err)
			}
			if r >= ' ' && r < utf8.RuneSelf && r != '"' && r != '\\' && s[0] != '"' && string(line) != `"`+s+`"` {
				t.Errorf("%q: %s has escapes", s, line)
			}
		}
	}
}

// Programs that read lines may end one at any of these.
func TestJSONStringsAreOneLine(t *testing.T) {
	for _, s := range []string{"a\u0085b", "a\u2028b", "\u2029"} {
		var back string
		line := appendJSONString(nil, s)
		if err := json.Unmarshal(line, &back); err != nil || back != s || bytes.Contains(line, []byte(s)) {
			t.Errorf("%q: %q, %v", s, line, err)
		}
	}
}

// Bytes that are no UTF-8 are replaced, as by encoding/json.
func TestJSONStringsOfOtherBytes(t *testing.T) {
	for c := utf8.RuneSelf; c < 256; c++ {
		s := "a" + string([]byte{byte(c)}) + "b"
		if got := string(appendJSONString(nil, s)); got != "\"a\ufffdb\"" {
			t.Errorf("%q: %q", s, got)
		}
	}
}

// scanString returns what a JSON string of these bytes means, or leaves it to encoding/json.
func TestSimpleJSONValuesAreScanned(t *testing.T) {
	for c := range 256 {
		s := `"a` + string([]byte{byte(c)}) + `", more`
		value, rest, ok := scanString(s)
		simple := c >= ' ' && c <= '~' && c != '\\'
		want := "a" + string([]byte{byte(c)})
		if c == '"' {
			want = "a"
		}
		if ok != simple || ok && (value != want || !strings.HasSuffix(rest, ", more")) {
			t.Errorf("%#x: %q %q %v", c, value, rest, ok)
		}
	}
	for s, want := range map[string]string{"0,": "0", " 19}": "19", "9/": "9", "/": "", ":": "", "-1": "", "": ""} {
		if value, rest, ok := scanNumber(s); value != want || ok != (want != "") || strings.TrimLeft(s, " ") != value+rest {
			t.Errorf("%q: %q %q %v", s, value, rest, ok)
		}
	}
}

// A field of a line has no space in it, and no other byte changes.
func TestSpacesInFields(t *testing.T) {
	for c := range 256 {
		b := string([]byte{byte(c)})
		want := "a" + b
		if c <= ' ' || c == 0x7f {
			want = fmt.Sprintf("a%%%02x", c)
		}
		if got := string(escapeSpace([]byte("a"+b), 0)); got != want {
			t.Errorf("%#x: %q, want %q", c, got, want)
		}
	}
	for s, want := range map[string]string{
		"é\u3000x\u2028": "é%e3%80%80x%e2%80%a8", "\u00a0\u0085": "%c2%a0%c2%85", "日本\xff\xa0": "日本\xff\xa0", "\u200d": "\u200d",
	} {
		if got := string(escapeSpace([]byte(s), 0)); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
	r := row{Capture: &Capture{URL: "a b", Redirect: "c d", FileName: "e f", MIME: "g h", Digest: "i j"}}
	cols := []column{{field: fieldOriginal}, {field: fieldRedirect}, {field: fieldFileName}, {field: fieldMIME}, {field: fieldDigest}}
	if got := string(r.appendText(nil, cols)); got != "a%20b c%20d e%20f g%20h i%20j" {
		t.Errorf("a line with spaces in its fields: %s", got)
	}
	if got := string(escapeSpace([]byte("a b"), 2)); got != "a b" {
		t.Errorf("what stands before the field changed: %q", got)
	}
}

func TestTimesOfLines(t *testing.T) {
	for s, want := range map[string]Timestamp{
		"20100102030405":       20100102030405,
		"20100102030405678":    20100102030405, // milliseconds
		"201001020304051":      20100102030405,
		"2010-01-02T03:04:05Z": 20100102030405,
		"2010-01-02T03:04:05":  20100102030405,
		"2010-01-02Txx:04:05Z": 0,
		"20101302030405":       0,
		"2010010203040x5":      0,
		"":                     0,
	} {
		if got, err := parseLineTime(s); got != want || (err == nil) != (want != 0) {
			t.Errorf("%q: %d, %v", s, got, err)
		}
	}
}

// Each parameter that may be repeated has a bound, and the answer up to it is no error.
func TestBoundsOfQueries(t *testing.T) {
	query := func(parameters string) error {
		_, err := ParseQuery("url=http://a.example/&" + parameters)
		return err
	}
	filters := strings.Repeat("&filter=statuscode:200", 20)
	columns := strings.Repeat(",digest", 2*len(fieldNames))[1:]
	for _, test := range []struct {
		name, parameters string
		ok               bool
	}{
		{"filters", filters, true},
		{"a filter more", filters + "&filter=statuscode:200", false},
		{"collapses", strings.ReplaceAll(filters, "filter=statuscode:200", "collapse=digest"), true},
		{"a collapse more", strings.ReplaceAll(filters, "filter=statuscode:200", "collapse=digest") + "&collapse=digest", false},
		{"columns", "fl=" + columns, true},
		{"a column more", "fl=digest," + columns, false},
		{"the smallest page", "pageSize=1", true},
		{"no page", "pageSize=0", false},
		{"no offset", "offset=0", true},
		{"a negative offset", "offset=-1", false},
		{"the last captures", fmt.Sprint("matchType=prefix&limit=", -10_000), true},
		{"one more", fmt.Sprint("matchType=prefix&limit=", -10_001), false},
		{"one more of one address", fmt.Sprint("limit=", -10_001), true},
		{"a run by one character", "collapse=timestamp:1", true},
		{"a run by none", "collapse=timestamp:0", false},
		{"a run by what runs give", "collapse=endtimestamp", false},
		{"an empty form", "sort=closest&closest=&from=", true},
	} {
		if err := query(test.parameters); (err == nil) != test.ok {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	most := fmt.Sprintf("fl: want at most %d fields", 2*len(fieldNames))
	if err := query("fl=digest," + columns); err == nil || err.Error() != most {
		t.Errorf("a column more: %v, want %s", err, most)
	}
	if _, err := decodeResumeKey(strings.Repeat("A", maxResumeKey+1)); err == nil {
		t.Error("a resume key without end was read")
	}
	for _, size := range []byte{0, 1, 2, 9} { // of the file's name, before the key
		b := append(binary.AppendUvarint(nil, 20200101000000), 0, size, 'f', 'k')
		at, err := decodeResumeKey(base64.RawURLEncoding.EncodeToString(b))
		if (err == nil) != (size < 2) || err == nil && at.File+at.Key != "fk" {
			t.Errorf("a resume key with a file of %d bytes: %+v, %v", size, at, err)
		}
	}
}

// many is a source that has so many captures.
type many int64

func (many) Captures(context.Context, Span) iter.Seq2[*Capture, error] { return nil }

func (many) Closest(context.Context, string, string, Timestamp) iter.Seq2[*Capture, error] {
	return nil
}

func (n many) Count(context.Context, Span) (int64, error) {
	if n < 0 {
		return 0, errGone
	}
	return int64(n), nil
}

var errGone = errors.New("the index is gone")

func TestDuplicatesAreCountedAmongBoundedCaptures(t *testing.T) {
	for _, tt := range []struct {
		captures       many
		page, pageSize int
		counts         bool
		want           error
	}{
		{maxTally, -1, 10, true, nil},
		{maxTally + 1, -1, 10, true, errTally},
		{maxTally + 1, -1, 10, false, nil},
		{maxTally + 1, 0, maxTally, true, nil},
		{maxTally + 1, 0, maxTally + 1, true, errTally},
		{-1, -1, 10, true, errGone},
	} {
		s := &scan{api: NewAPI(tt.captures, nil), q: &Query{page: tt.page, pageSize: tt.pageSize}}
		if tt.counts {
			s.digests = &tally{}
		}
		if err := s.countable(t.Context()); !errors.Is(err, tt.want) || tt.want == nil && err != nil {
			t.Errorf("%+v: %v", tt, err)
		}
	}
	for n, want := range map[many]int64{0: 1, 1: 1, 10: 1, 11: 2, 20: 2, 21: 3} {
		got, err := (&scan{api: NewAPI(n, nil), q: &Query{pageSize: 10}}).pages(t.Context())
		if got != want || err != nil {
			t.Errorf("%d captures: %d pages, %v", n, got, err)
		}
	}
}

// Each full piece of an answer is sent at once; what is less waits for more.
func TestFullPiecesAreSentAtOnce(t *testing.T) {
	for size, want := range map[int]bool{flushSize - 1: false, flushSize: true} {
		w := httptest.NewRecorder()
		if n, err := (&countingWriter{w: w}).Write(make([]byte, size)); n != size || err != nil || w.Flushed != want {
			t.Errorf("%d of %d bytes, sent at once %t, %v", n, size, w.Flushed, err)
		}
	}
}
