package edit

import (
	"bytes"
	"strings"
	"testing"

	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

// answer leads each URI into an archive, but for those on a.example/stay.
func answer(refs []uses.Ref) []string {
	out := make([]string, len(refs))
	for i, r := range refs {
		if !strings.HasPrefix(r.URI, "http://a.example/stay") {
			out[i] = "/2020/" + r.URI
		}
	}
	return out
}

// The document of each row is 0123456789.
func TestChanges(t *testing.T) {
	base := reference.New("http://a.example/", nil)
	for _, tt := range []struct {
		name   string
		change func(e *List)
		want   string
	}{
		{"none", func(*List) {}, "0123456789"},
		{"a reference", func(e *List) { e.Reference(2, 5, []byte("b"), base, uses.Link, Verbatim) }, "01/2020/http://a.example/b56789"},
		{
			"with a fragment, escaped",
			func(e *List) { e.Reference(2, 5, []byte("b?x&y#z&"), base, uses.Link, InAttr) }, "01/2020/http://a.example/b?x&amp;y#z&amp;56789",
		},
		{"one that stays", func(e *List) { e.Reference(2, 5, []byte("stay"), base, uses.Link, Verbatim) }, "0123456789"},
		{"one that is none", func(e *List) { e.Reference(2, 5, []byte("data:,x"), base, uses.Link, Verbatim) }, "0123456789"},
		{"a prefix", func(e *List) { e.Prefix(2, 5, []byte("b/"), base, uses.Link, Verbatim) }, "01/2020/http://a.example/b/56789"},
		{"a prefix without a slash", func(e *List) { e.Prefix(2, 5, []byte("b"), base, uses.Link, Verbatim) }, "0123456789"},
		{"a prefix that is none", func(e *List) { e.Prefix(2, 5, []byte("data:,x/"), base, uses.Link, Verbatim) }, "0123456789"},
		{"a mention", func(e *List) { e.Mention(2, 5, []byte("b"), base, uses.Link, Verbatim) }, "01/2020/http://a.example/b56789"},
		{"a mention that is invalid", func(e *List) { e.Mention(2, 5, []byte("http://["), base, uses.Link, Verbatim) }, "0123456789"},
		{"texts", func(e *List) { e.Insert(0, "<", InAttr); e.Replace(2, 8, "x", Verbatim) }, "&lt;01x89"},
		{"if anything leads into the archive: nothing", func(e *List) { e.ReplaceIfActive(2, 5, "x", Verbatim) }, "0123456789"},
		{
			"if anything leads into the archive: a reference that stays",
			func(e *List) { e.Neutralise(2, Verbatim); e.Reference(3, 4, []byte("stay"), base, uses.Link, Verbatim) }, "0123456789",
		},
		{
			"if anything leads into the archive: a reference",
			func(e *List) { e.Neutralise(2, Verbatim); e.Reference(3, 4, []byte("b"), base, uses.Link, Verbatim) },
			"01_2/2020/http://a.example/b456789",
		},
		{"in any case", func(e *List) { e.NeutraliseAnyway(2) }, "01_23456789"},
		{"a place never filled", func(e *List) { e.Reserve(2, 5) }, "0156789"},
		{
			"a place filled later",
			func(e *List) {
				text, place := e.Keep("x"), e.Reserve(2, 5)
				e.Insert(7, "y", Verbatim)
				at, end := e.Reserved(place)
				e.Fill(place, at+1, end+1, text)
			},
			"012x6y789",
		},
		{
			"what was dropped",
			func(e *List) { m := e.Mark(); e.Insert(2, "x", Verbatim); e.Rollback(m); e.Insert(3, "y", Verbatim) }, "012y3456789",
		},
		{"late", func(e *List) { e.InsertLate(2, func() []byte { return []byte("<é>") }) }, "01<&#233;>23456789"},
		{"late, of nothing", func(e *List) { e.InsertLate(2, nil) }, "0123456789"},
		{
			"late, and dropped",
			func(e *List) {
				m := e.Mark()
				e.InsertLate(2, func() []byte { return []byte("x") })
				e.Rollback(m)
				e.Insert(3, "y", Verbatim)
			},
			"012y3456789",
		},
		{
			"late, before what was dropped",
			func(e *List) {
				e.InsertLate(2, func() []byte { return []byte("x") })
				m := e.Mark()
				e.Insert(3, "y", Verbatim)
				e.Rollback(m)
			},
			"01x23456789",
		},
		{"markup", func(e *List) { e.InsertMarkup(2, []byte("<b>\u007f\u0080日")) }, "01<b>\u007f&#128;&#26085;23456789"},
		{
			"in base64",
			func(e *List) {
				e.Recode(2, 5, []byte("abc"), func([]byte) { e.Insert(1, "x", Verbatim); e.Replace(2, 3, "y", Verbatim) })
			},
			"01YXhieQ==56789", // axby
		},
		{"in base64, without any", func(e *List) { e.Recode(2, 5, []byte("abc"), func([]byte) {}) }, "0123456789"},
		{
			"in base64, a reference that stays",
			func(e *List) {
				e.Recode(2, 5, []byte("abc"), func([]byte) { e.Reserve(0, 0); e.Reference(1, 2, []byte("stay"), base, uses.Link, Verbatim) })
			},
			"0123456789",
		},
		{
			"in a part",
			func(e *List) { m := e.Mark(); e.Replace(1, 2, "<", InCSS); e.Shift(m, 3, InAttr) }, `0123\3c 56789`,
		},
		{
			"in a decoded part",
			func(e *List) {
				Part{Text: []byte("a&b"), Pos: []int32{1, 2, 7, 8}}.Within(e, InAttr, func([]byte) { e.Replace(1, 2, "<", Verbatim) })
			},
			"01&lt;789",
		},
		{
			"in a part as it is",
			func(e *List) {
				Part{Text: []byte("abc"), At: 4}.Within(e, Verbatim, func([]byte) { e.Replace(1, 2, "x", Verbatim) })
			},
			"01234x6789",
		},
		{
			"an attribute",
			func(e *List) { e.Attribute([]byte("b?x&amp;y"), 0, 9, base, uses.Link, InAttr) }, "/2020/http://a.example/b?x&amp;y9",
		},
		{
			"part of one with a NUL", func(e *List) { e.Attribute([]byte("--b\x00"), 2, 4, base, uses.Link, InAttr) },
			"01/2020/http://a.example/b%EF%BF%BD456789",
		},
	} {
		var e List
		var out bytes.Buffer
		tt.change(&e)
		if err := e.Splice(&out, []byte("0123456789"), answer); err != nil || out.String() != tt.want {
			t.Errorf("%s: %s, %v; want %s", tt.name, &out, err, tt.want)
		}
		out.Reset()
		if e.Reset(); e.Active || e.Origin != "" || e.Memory() == 0 {
			t.Errorf("%s: %v, %q, %d after Reset", tt.name, e.Active, e.Origin, e.Memory())
		}
		if err := e.Splice(&out, []byte("next"), answer); err != nil || out.String() != "next" {
			t.Errorf("after %s: %s, %v", tt.name, &out, err)
		}
	}
}

// Scripts that need the spelling of a reference get it, but not where none can read it.
func TestSpellingIsKept(t *testing.T) {
	base := reference.New("http://a.example/", nil)
	spliced := func(origin string, change func(e *List)) string {
		e := List{Origin: origin}
		var out bytes.Buffer
		change(&e)
		if err := e.Splice(&out, []byte("x"), answer); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	note := func(e *List) { e.Reference(0, 1, []byte("b#f"), base, uses.Link, Verbatim) }
	const plain, spelt = "/2020/http://a.example/b#f", "/~b%23f~26/../2020/http://a.example/b#f"
	for _, tt := range []struct {
		name, origin string
		change       func(e *List)
		want         string
	}{
		{"no origin", "", note, plain},
		{"an origin", "http://a.example", note, spelt},
		{"plainly", "http://a.example", func(e *List) { e.Plainly(func() { note(e) }) }, plain},
		{"after what is plain", "http://a.example", func(e *List) { e.Plainly(func() {}); note(e) }, spelt},
	} {
		if got := spliced(tt.origin, tt.change); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
