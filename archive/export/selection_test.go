package export

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
)

func TestSelections(t *testing.T) {
	at := func(file cdx.FileID, offset int64) *cdx.Capture {
		return &cdx.Capture{Key: "example,a)/", Time: 20200102000000, Location: cdx.Location{File: file, Offset: offset}}
	}
	one := Only("web", "http://a.example/", []*cdx.Capture{at(1, 5), nil, at(1, 5), at(1, 6), at(2, 5)})
	if len(one.only) != 3 || !one.has(at(1, 6)) || one.has(at(2, 6)) || one.String() != "http://a.example/ in the collection web" {
		t.Errorf("%s: %d captures", one.String(), len(one.only))
	}
	if none := Only("web", "", nil); none.has(at(1, 5)) {
		t.Error("nothing has a capture")
	}
	for _, tt := range []struct {
		key      string
		from, to cdx.Timestamp
		want     bool
	}{
		{"example,a)/", 0, 0, true},
		{"example,a)/", 20200102000000, 20200102000000, true},
		{"example,a)/", 20200102000001, 0, false},
		{"example,a)/", 0, 20200101235959, false},
		{"example,a)/b", 0, 0, false},
		{"example,0)/", 0, 0, false},
		{"org,", 0, 0, true},
	} {
		s := Selection{Coll: "web", From: tt.from, To: tt.to}
		s.spans = apart([]cdx.Span{{From: "org,"}, {From: "example,a)/", To: "example,a)/!"}})
		c := at(1, 5)
		if c.Key = tt.key; s.has(c) != tt.want {
			t.Errorf("%s from %d to %d: %v", tt.key, tt.from, tt.to, s.has(c))
		}
	}
	both := Selection{Coll: "web", From: 20200101000000, To: 20210101000000}
	if got := both.String(); got != "everything from 20200101000000 to 20210101000000 in the collection web" {
		t.Error(got)
	}
}

// A folder is selected with what is in it, and nothing that stands between them in the index.
func TestSelectionOfAFolder(t *testing.T) {
	s, err := Select("web", []string{"http://a.example/f/*", "http://a.example/f/x/"}, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]bool{
		"example,a)/f": true, "example,a)/f/x": true, "example,a)/f?y=1": true,
		"example,a)/f-2": false, "example,a)/f2": false, "example,a)/": false,
	} {
		if got := s.has(&cdx.Capture{Key: key}); got != want {
			t.Errorf("%s: %v", key, got)
		}
	}
}

func TestSpansAreApart(t *testing.T) {
	for given, want := range map[string]string{
		"a-c b-d": "a-d", "b-d a-c": "a-d", "a-d b-c": "a-d", "a-b b-c": "a-b b-c", "a- b-c": "a-", "a-b a-": "a-", "a-b c-": "a-b c-",
	} {
		var spans []cdx.Span
		for each := range strings.FieldsSeq(given) {
			from, to, _ := strings.Cut(each, "-")
			spans = append(spans, cdx.Span{From: from, To: to})
		}
		var got []string
		for _, s := range apart(spans) {
			got = append(got, s.From+"-"+s.To)
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s: %s, want %s", given, got, want)
		}
	}
}

// Which records belong to the exchange of the response "r", which names "m".
func TestExchanges(t *testing.T) {
	record := func(kind, id, uri string, date cdx.Timestamp, fields ...string) *warc.Record {
		r := &warc.Record{Type: kind, TargetURI: uri, Date: date, Header: warc.Fields{{Name: "WARC-Record-ID", Value: id}}}
		for i := 0; i < len(fields); i += 2 {
			r.Header = append(r.Header, warc.Field{Name: fields[i], Value: fields[i+1]})
		}
		return r
	}
	e := exchangeOf(record("response", "r", "u", 5, "WARC-Concurrent-To", "m"))
	for what, tt := range map[string]struct {
		of   exchange
		rec  *warc.Record
		want bool
	}{
		"a request that names it":               {e, record("request", "q", "x", 6, "WARC-Concurrent-To", "r"), true},
		"metadata about it":                     {e, record("metadata", "n", "x", 6, "WARC-Refers-To", "r"), true},
		"metadata that it names":                {e, record("metadata", "m", "x", 6), true},
		"other metadata":                        {e, record("metadata", "n", "u", 5), false},
		"a request of the same URI and second":  {e, record("request", "q", "u", 5), true},
		"… that names another":                  {e, record("request", "q", "u", 5, "WARC-Concurrent-To", "s"), false},
		"… of another second":                   {e, record("request", "q", "u", 6), false},
		"… of another URI":                      {e, record("request", "q", "v", 5), false},
		"a response":                            {e, record("response", "m", "u", 5), false},
		"without IDs, one that names nothing":   {exchange{uri: "u"}, record("metadata", "", "v", 5, "WARC-Refers-To", ""), false},
		"… and one that an empty name may mean": {exchange{uri: "u", concurrent: []string{""}}, record("metadata", "", "v", 5), false},
	} {
		if got := tt.of.has(tt.rec); got != tt.want {
			t.Errorf("%s: %v", what, got)
		}
	}
}

func TestLinesAreSorted(t *testing.T) {
	s, err := newSorted()
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for line := range strings.FieldsSeq("b d a e c e0 e f b") {
		if err := s.add([]byte(line + "\n")); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.late) != 4 {
		t.Errorf("%q are kept in memory", s.late)
	}
	var out strings.Builder
	err = s.writeTo(t.Context(), &out)
	if diff := cmp.Diff("a b b c d e e e0 f", strings.Join(strings.Fields(out.String()), " ")); diff != "" || err != nil {
		t.Error(err, diff)
	}
}
