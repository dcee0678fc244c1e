package memento

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func TestFormatLinks(t *testing.T) {
	tests := []struct {
		name string
		link Link
		want string
	}{
		// RFC 8288 §3
		{"a bare URI", Link{URI: "http://a.example/"}, `<http://a.example/>`},
		{"relation types share one attribute", Link{URI: "u", Rels: []string{"first", "last", "memento"}}, `<u>; rel="first last memento"`},
		{
			"a URI stays as it is",
			Link{URI: "http://a.example/x,y;z='%2C'?q=[1]&r={2}|\\^`#f"},
			"<http://a.example/x,y;z='%2C'?q=[1]&r={2}|\\^`#f>",
		},
		{"what would end it is encoded", Link{URI: "a b<c>\"\r\n\x7f€"}, `<a%20b%3Cc%3E%22%0D%0A%7F%E2%82%AC>`},
		{"a quote in a value is escaped", Link{URI: "u", Params: []Param{{"title", `say "a\b"`}}}, `<u>; title="say \"a\\b\""`},
		{"a line end in a value cannot split the header", Link{URI: "u", Type: "a\r\nSet-Cookie: b\x7f"}, `<u>; type="a  Set-Cookie: b "`},
		{
			"a name that is no token is left out",
			Link{URI: "u", Params: []Param{{"a b", "c"}, {"", "d"}, {"e9~", ""}, {"{f}", ""}}},
			`<u>; e9~=""`,
		},
		// RFC 7089 §2.2.4
		{
			"a memento has its datetime",
			Link{URI: "u", Rels: []string{"memento"}, Datetime: 20091027204954},
			`<u>; rel="memento"; datetime="Tue, 27 Oct 2009 20:49:54 GMT"`,
		},
		{
			"a TimeMap has its range",
			Link{URI: "u", Rels: []string{"timemap"}, Type: LinkFormat, From: 20000620180259, Until: 20091027204954},
			`<u>; rel="timemap"; type="application/link-format"; from="Tue, 20 Jun 2000 18:02:59 GMT"; until="Tue, 27 Oct 2009 20:49:54 GMT"`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := FormatLinks([]Link{tt.link}); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
	if got, want := FormatLinks([]Link{{URI: "a"}, {URI: "b"}}), "<a>, <b>"; got != want {
		t.Errorf("two links: got %s, want %s", got, want)
	}
}

func TestParseLinks(t *testing.T) {
	memento := []string{"memento"}
	tests := []struct {
		name, header string
		want         []Link
	}{
		{"nothing", "", nil},
		{"only commas", " , ,", nil},
		{"two links", `<a>; rel="original", <b>; rel="memento"`, []Link{{URI: "a", Rels: []string{"original"}}, {URI: "b", Rels: memento}}},
		{"commas and semicolons in a URI", `<http://a/x,y;z>; rel=memento,<b>`, []Link{{URI: "http://a/x,y;z", Rels: memento}, {URI: "b"}}},
		{
			"commas and semicolons in a value", `<a>; title="x, y; <z>"; rel="memento"`,
			[]Link{{URI: "a", Rels: memento, Params: []Param{{"title", "x, y; <z>"}}}},
		},
		{"escapes in a value", `<a>; title="\"x\\"`, []Link{{URI: "a", Params: []Param{{"title", `"x\`}}}}},
		{"unquoted values", `<a>;rel=first;type=text/html, <b>`, []Link{{URI: "a", Rels: []string{"first"}, Type: "text/html"}, {URI: "b"}}},
		{
			"an unquoted datetime with its comma", "<a>; datetime=Tue, 27 Oct 2009 20:49:54 GMT; rel=memento, " +
				"<b>; datetime=Tue, 27 Oct 2009 20:49:54 GMT, <c>",
			[]Link{{URI: "a", Rels: memento, Datetime: 20091027204954}, {URI: "b", Datetime: 20091027204954}, {URI: "c"}},
		},
		{
			"an unquoted range", "<a>; from=Tue, 20 Jun 2000 18:02:59 GMT; until=Tue, 27 Oct 2009 20:49:54 GMT; rel=memento<b>",
			[]Link{{URI: "a", Rels: memento, From: 20000620180259, Until: 20091027204954}, {URI: "b"}},
		},
		{
			"attributes in any case", `<a>; REL="Memento" ; Datetime = "Tue, 27 Oct 2009 20:49:54 GMT"`,
			[]Link{{URI: "a", Rels: memento, Datetime: 20091027204954}},
		},
		{
			"datetimes as JSON writes them", `<a>; datetime="2009-10-27T20:49:54Z"; from="2009-10-27T20:49:54"; until="2009"`,
			[]Link{{URI: "a", Datetime: 20091027204954, From: 20091027204954, Params: []Param{{"until", "2009"}}}},
		},
		{"a missing comma", "<a>; rel=\"memento\"\n<b>; rel=\"memento\"", []Link{{URI: "a", Rels: memento}, {URI: "b", Rels: memento}}},
		{"a missing semicolon", `<a> rel="memento" type="x"`, []Link{{URI: "a", Rels: memento, Type: "x"}}},
		{"a trailing comma", "<a>; rel=\"memento\",\n", []Link{{URI: "a", Rels: memento}}},
		{"a trailing semicolon", `<a>; rel="memento";, <b>`, []Link{{URI: "a", Rels: memento}, {URI: "b"}}},
		{"CR LF between attributes", "<a>\r\n ;rel=\"memento\"\r\n,<b>", []Link{{URI: "a", Rels: memento}, {URI: "b"}}},
		{"RFC 8288 §3.3: the first rel counts", `<a>; rel="first memento"; rel="last"`, []Link{{URI: "a", Rels: []string{"first", "memento"}}}},
		{
			"RFC 8288 §2.1.2: a relation type that is a URI keeps its case", `<a>; rel="http://Ex.org/R NEXT"`,
			[]Link{{URI: "a", Rels: []string{"http://Ex.org/R", "next"}}},
		},
		{
			"RFC 8288 §3: an attribute without value", `<a>; crossorigin; rel=memento`,
			[]Link{{URI: "a", Rels: memento, Params: []Param{{"crossorigin", ""}}}},
		},
		{
			"RFC 8288 §3.4.1: an extended value", `<a>; title*=UTF-8''letztes%20Kapitel`,
			[]Link{{URI: "a", Params: []Param{{"title*", "UTF-8''letztes%20Kapitel"}}}},
		},
		{
			"RFC 8288 §3.1 and §3.2: a relative target and an anchor are kept", `</a>; anchor="/b"; rel=memento`,
			[]Link{{URI: "/a", Rels: memento, Params: []Param{{"anchor", "/b"}}}},
		},
		{
			"RFC 8288 §3.4.2: an extension attribute is kept", `<a>; license="http://l.example/"; rel=memento`,
			[]Link{{URI: "a", Rels: memento, Params: []Param{{"license", "http://l.example/"}}}},
		},
		{"a datetime that cannot be read is kept", `<a>; datetime="once"`, []Link{{URI: "a", Params: []Param{{"datetime", "once"}}}}},
		{
			"the first datetime counts",
			`<a>; datetime="Tue, 27 Oct 2009 20:49:54 GMT"; datetime="Wed, 28 Oct 2009 20:49:54 GMT"`,
			[]Link{{URI: "a", Datetime: 20091027204954}},
		},
		{"rubbish before a link", `rubbish; "x" <a>`, []Link{{URI: "a"}}},
		{"controls among relation types", "<a>; rel=\"\x7fmemento\x01\"", []Link{{URI: "a", Rels: memento}}},
		{"rubbish among attributes", `<a>; =x; "y"; rel=memento`, []Link{{URI: "a", Rels: memento, Params: []Param{{"x", ""}, {"y", ""}}}}},
		{
			"a single link of pywb with its collection",
			`<http://h/w/2010/http://a/>; rel="memento"; datetime="Tue, 27 Oct 2009 20:49:54 GMT"; collection="w"`,
			[]Link{{URI: "http://h/w/2010/http://a/", Rels: memento, Datetime: 20091027204954, Params: []Param{{"collection", "w"}}}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseLinks(tt.header)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("ParseLinks(%q): -want +got\n%s", tt.header, diff)
			}
		})
	}
}

func TestParseLinksSaysWhereALinkIsBroken(t *testing.T) {
	tests := []struct{ name, header, want string }{
		{"no end of the URI", "<a>, <b", "link at byte 5 is cut off"},
		{"no end of a quoted value", `<a>, <b>; rel="memento`, "link at byte 5 is cut off"},
		{"a link without end", "<" + strings.Repeat("x", 1<<20), "link at byte 0 is over 1 MiB"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := ParseLinks(tt.header); err == nil || err.Error() != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
	if links, err := ParseLinks("<" + strings.Repeat("x", 1<<20-1) + ">"); len(links) != 1 || err != nil {
		t.Errorf("a link of 1 MiB: %v", err)
	}
	links, err := ParseLinks("<a>, <b")
	if len(links) != 1 || err == nil {
		t.Errorf("the link before the fault: got %v, %v", links, err)
	}
}

func TestScanLinksPassesOnReadErrors(t *testing.T) {
	broken := errors.New("broken")
	for _, s := range []string{"", "<a", "<a>", "<a>; rel", `<a>; rel="x`} {
		var err error
		for _, err = range ScanLinks(iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader(s)))) {
			if err != nil {
				break
			}
		}
		if len(s) > 0 && !errors.Is(err, iotest.ErrTimeout) {
			t.Errorf("%q: got %v", s, err)
		}
		for _, err = range ScanLinks(iotest.ErrReader(broken)) {
		}
		if !errors.Is(err, broken) {
			t.Errorf("got %v, want %v", err, broken)
		}
	}
}

// Wherever reading fails, if only once, the error is passed on.
func TestScanLinksPassesOnAPassingError(t *testing.T) {
	const header = `<a>; rel = x ;title="a\"b" ; anchor ;; datetime=Tue, 27 Oct 2009 20:49:54 GMT; type=y , <b>`
	for i := 1; i < len(header); i++ {
		r := iotest.TimeoutReader(io.MultiReader(strings.NewReader(header[:i]), strings.NewReader(header[i:])))
		var last error
		for _, last = range ScanLinks(r) {
		}
		if !errors.Is(last, iotest.ErrTimeout) {
			t.Errorf("after %q: got %v", header[:i], last)
		}
	}
}

// Links that are read, written and read again stay the same.
func FuzzLinks(f *testing.F) {
	for _, s := range []string{
		`<http://a.example/>; rel="original", <http://h/20091027204954/http://a/?x=1,2>; rel="first last memento"; ` +
			`datetime="Tue, 27 Oct 2009 20:49:54 GMT"`,
		`<a>;rel=first memento;title="\"x\\";from=Tue, 27 Oct 2009 20:49:54 GMT,<b c>`,
		"<\x00\xff>; a=\"\n\"; rel=\"A http://B\"", "<a>;=;\"", `<a>; type="b"; type="c"; datetime="x"; until=""`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		links, _ := ParseLinks(s)
		header := FormatLinks(links)
		if strings.ContainsAny(header, "\r\n\x00") {
			t.Fatalf("%q has controls", header)
		}
		again, err := ParseLinks(header)
		if err != nil || len(again) != len(links) {
			t.Fatalf("%q: read %d links again, not %d: %v", header, len(again), len(links), err)
		}
		if twice := FormatLinks(again); twice != header {
			t.Fatalf("not stable:\n%q\n%q", header, twice)
		}
	})
}
