package memento

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// figure28 is the TimeMap printed in RFC 7089 §5, with its order, spacing and weekdays.
const figure28 = ` <http://a.example.org>;rel="original",
   <http://arxiv.example.net/timemap/http://a.example.org>
     ; rel="self";type="application/link-format"
     ; from="Tue, 20 Jun 2000 18:02:59 GMT"
     ; until="Wed, 09 Apr 2008 20:30:51 GMT",
   <http://arxiv.example.net/timegate/http://a.example.org>
     ; rel="timegate",
   <http://arxiv.example.net/web/20000620180259/http://a.example.org>
     ; rel="first memento";datetime="Tue, 20 Jun 2000 18:02:59 GMT"
     ; license="http://creativecommons.org/publicdomain/zero/1.0/",
   <http://arxiv.example.net/web/20091027204954/http://a.example.org>
      ; rel="last memento";datetime="Tue, 27 Oct 2009 20:49:54 GMT"
      ; license="http://creativecommons.org/publicdomain/zero/1.0/",
   <http://arxiv.example.net/web/20000621011731/http://a.example.org>
     ; rel="memento";datetime="Wed, 21 Jun 2000 01:17:31 GMT"
     ; license="http://creativecommons.org/publicdomain/zero/1.0/",
`

func TestReadTimeMap(t *testing.T) {
	tests := []struct {
		name, text string
		want       TimeMap
	}{
		{"RFC 7089 §5, with a trailing comma", figure28, TimeMap{
			Original: "http://a.example.org",
			TimeGate: "http://arxiv.example.net/timegate/http://a.example.org",
			Self:     "http://arxiv.example.net/timemap/http://a.example.org",
			From:     20000620180259, Until: 20080409203051,
			Mementos: []Memento{
				{"http://arxiv.example.net/web/20000620180259/http://a.example.org", 20000620180259},
				{"http://arxiv.example.net/web/20091027204954/http://a.example.org", 20091027204954},
				{"http://arxiv.example.net/web/20000621011731/http://a.example.org", 20000621011731},
			},
		}},
		{"RFC 7089 §5.1.1: an index of TimeMaps", `<http://a.example.org>;rel="original",
<http://arxiv.example.net/timemap/http://a.example.org>; rel="self";type="application/link-format",
<http://arxiv.example.net/timemap/1/http://a.example.org>; rel="timemap";type="application/link-format"
 ; from="Tue, 20 Jun 2000 18:02:59 GMT"; until="Wed, 09 Apr 2008 20:30:51 GMT",
<http://arxiv.example.net/timemap/2/http://a.example.org>; rel="timemap";type="application/link-format"`, TimeMap{
			Original: "http://a.example.org",
			Self:     "http://arxiv.example.net/timemap/http://a.example.org",
			Pages: []Page{
				{"http://arxiv.example.net/timemap/1/http://a.example.org", 20000620180259, 20080409203051},
				{"http://arxiv.example.net/timemap/2/http://a.example.org", 0, 0},
			},
		}},
		{
			"no comma between the pages before and after, and a byte order mark",
			"\xef\xbb\xbf<http://a/>; rel=\"original\"\n,<http://h/1>; rel=\"prev timemap\"<http://h/3>; " +
				"rel=\"next timemap\",\n<http://h/m>; rel=memento; datetime=\"Tue, 27 Oct 2009 20:49:54 GMT\",",
			TimeMap{
				Original: "http://a/", Pages: []Page{{URI: "http://h/1"}, {URI: "http://h/3"}},
				Mementos: []Memento{{"http://h/m", 20091027204954}},
			},
		},
		{
			"mementos without a datetime cannot be placed", `<u>; rel="memento", <v>; rel="memento"; datetime="never"`, TimeMap{},
		},
		{"an aggregator's JSON", `{"original_uri": "http://a/", "self": "http://g/json/http://a/", "timegate_uri": "http://g/g/http://a/",
"mementos": {"list": [{"datetime": "2009-10-27T20:49:54Z", "uri": "http://h/m"},
{"datetime": "2010-01-01T00:00:00", "uri": "http://i/m"}, {"datetime": "?", "uri": "x"}],
"first": {"datetime": "2009-10-27T20:49:54Z", "uri": "http://h/m"}}, "timemap_uri": {"link_format": "l", "json_format": "j"}}`, TimeMap{
			Original: "http://a/", Self: "http://g/json/http://a/", TimeGate: "http://g/g/http://a/",
			Mementos: []Memento{{"http://h/m", 20091027204954}, {"http://i/m", 20100101000000}},
		}},
		{"a JSON index with pages before and after", `{"original_uri": "http://a/", "timemap_uri": {"json_format": "j"},
"timemap_index": [{"uri": "p1", "from": "2009-10-27T20:49:54Z", "until": "2010-01-01T00:00:00Z"}, {"uri": "j"}],
"pages": {"next": {"uri": "p2"}, "prev": [{"uri": "p0"}]}}`, TimeMap{
			Original: "http://a/", Self: "j", Pages: []Page{{"p1", 20091027204954, 20100101000000}, {URI: "p0"}, {URI: "p2"}},
		}},
		{"MemGator's CDXJ", `!context ["http://tools.ietf.org/html/rfc7089"]
!id {"uri": "http://g/cdxj/http://a/"}
!keys ["memento_datetime_YYYYMMDDhhmmss"]
!meta {"original_uri": "http://a/"}
!meta {"timegate_uri": "http://g/g/http://a/"}
!meta rubbish
20091027204954 {"uri": "http://h/m", "rel": "first memento", "datetime": "Tue, 27 Oct 2009 20:49:54 GMT"}
rubbish
20091027204955 {
20100101000000 {"uri": "http://i/m"}`, TimeMap{
			Original: "http://a/", Self: "http://g/cdxj/http://a/", TimeGate: "http://g/g/http://a/",
			Mementos: []Memento{{"http://h/m", 20091027204954}, {"http://i/m", 20100101000000}},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ReadTimeMap(strings.NewReader(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&tt.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestReadTimeMapRefusesOtherFormats(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"nothing", "", "timemap: is empty"},
		{"a page", "Not found", "timemap: begins with 'N': neither link format, JSON nor CDXJ"},
		{"other JSON", `{"error": "none"}`, "timemap: JSON without original_uri"},
		{"JSON cut off", `{"original_uri": "http://a/", `, "timemap: unexpected EOF"},
		{"link format cut off", "<http://a/>; rel=\"original\",\n<http", "timemap: link at byte 29 is cut off"},
		{"a CDXJ line without end", "20091027204954 " + strings.Repeat("x", maxLinkLen), "timemap: line after memento 0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ReadTimeMap(strings.NewReader(tt.text))
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

// All formats must say the same about the same captures.
func TestTimeMapsReadBack(t *testing.T) {
	info := riverInfo()
	want := []Memento{}
	for c := range series(0, 500, riverR) {
		want = append(want, Memento{info.URIs.Memento(c.Time, "", c.URL), c.Time})
	}
	for _, w := range writers {
		var b bytes.Buffer
		if err := w.write(&b, series(0, 500, riverR), info); err != nil {
			t.Fatal(err)
		}
		m, err := ReadTimeMap(&b)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, m.Mementos); diff != "" {
			t.Errorf("%s: -want +got\n%s", w.format, diff)
		}
		if m.Original != info.Original || m.Self != info.uriT(w.format, 1) || m.TimeGate != info.URIs.TimeGate(info.Original) {
			t.Errorf("%s: got %q, %q, %q", w.format, m.Original, m.Self, m.TimeGate)
		}
	}
}

func FuzzReadTimeMap(f *testing.F) {
	for _, s := range []string{
		figure28, `{"original_uri": "http://a/", "mementos": {"list": [{"datetime": "2009-10-27T20:49:54Z", "uri": "u"}]}, ` +
			`"pages": {"next": {}}}`,
		"!id {\"uri\": \"u\"}\n20091027204954 {\"uri\": \"http://h/m\"}", " ,<", "\xef\xbb\xbf{",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m, err := ReadTimeMap(strings.NewReader(s))
		if m == nil && err == nil {
			t.Fatal("neither a TimeMap nor an error")
		}
		if m == nil {
			return
		}
		for _, e := range m.Mementos {
			if e.URI == "" || !e.Time.Valid() {
				t.Fatalf("a memento that cannot be placed: %v", e)
			}
		}
	})
}
