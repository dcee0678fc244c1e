package memento

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/cdx"
)

const riverR = "http://river.example/level"

func capture(ts cdx.Timestamp) *cdx.Capture {
	return &cdx.Capture{Time: ts, URL: riverR, Status: 200}
}

// lines writes links one to a line, without what is the same in all tests.
func lines(links []Link) string {
	s := strings.ReplaceAll(FormatLinks(links), ", <", "\n<")
	return strings.ReplaceAll(s, "http://h/", "")
}

func TestMementoLinks(t *testing.T) {
	u := URIs{Base: "http://h", Coll: "web"}
	a, b, c, d, e := capture(20010101000000), capture(20020101000000), capture(20030101000000), capture(20040101000000),
		capture(20050101000000)
	head := func(from, until string) string {
		return `<http://river.example/level>; rel="original"
<web/http://river.example/level>; rel="timegate"
<web/timemap/link/http://river.example/level>; rel="timemap"; type="application/link-format"` +
			`; from="` + from + `"; until="` + until + "\"\n"
	}
	const (
		ma = `<web/20010101000000/http://river.example/level>; rel="%"; datetime="Mon, 01 Jan 2001 00:00:00 GMT"`
		mb = `<web/20020101000000/http://river.example/level>; rel="%"; datetime="Tue, 01 Jan 2002 00:00:00 GMT"`
		md = `<web/20040101000000/http://river.example/level>; rel="%"; datetime="Thu, 01 Jan 2004 00:00:00 GMT"`
		me = `<web/20050101000000/http://river.example/level>; rel="%"; datetime="Sat, 01 Jan 2005 00:00:00 GMT"`
	)
	mem := func(pattern, rels string) string { return strings.Replace(pattern, "%", rels, 1) }
	all := head("Mon, 01 Jan 2001 00:00:00 GMT", "Sat, 01 Jan 2005 00:00:00 GMT")
	one := head("Mon, 01 Jan 2001 00:00:00 GMT", "Mon, 01 Jan 2001 00:00:00 GMT")
	tests := []struct {
		name string
		n    Neighbourhood
		want string
	}{
		// RFC 7089 §4.2.1
		{
			"in the middle",
			Neighbourhood{Current: c, First: a, Prev: b, Next: d, Last: e},
			all + mem(ma, "first memento") + "\n" + mem(mb, "prev memento") + "\n" + mem(md, "next memento") + "\n" + mem(me, "last memento"),
		},
		{
			"at the first there is no prev",
			Neighbourhood{Current: a, First: a, Next: b, Last: e},
			all + mem(ma, "first memento") + "\n" + mem(mb, "next memento") + "\n" + mem(me, "last memento"),
		},
		{
			"at the last there is no next",
			Neighbourhood{Current: e, First: a, Prev: d, Last: e},
			all + mem(ma, "first memento") + "\n" + mem(md, "prev memento") + "\n" + mem(me, "last memento"),
		},
		{
			"beside the ends prev is first and next is last",
			Neighbourhood{Current: c, First: a, Prev: a, Next: e, Last: e},
			all + mem(ma, "first prev memento") + "\n" + mem(me, "next last memento"),
		},
		{"alone", Neighbourhood{Current: a, First: a, Last: a}, one + mem(ma, "first last memento")},
		{
			"another capture of the same second has no link of its own",
			Neighbourhood{Current: a, First: a, Prev: capture(a.Time), Last: a},
			one + mem(ma, "first last memento"),
		},
		// RFC 5829 §3.5, §3.6
		{
			"versions beside captures",
			Neighbourhood{Current: c, First: a, Prev: b, Next: d, Last: e, Predecessor: a, Successor: d},
			all + mem(ma, "first predecessor-version memento") + "\n" + mem(mb, "prev memento") + "\n" +
				mem(md, "next successor-version memento") + "\n" + mem(me, "last memento"),
		},
		{
			"a version of its own",
			Neighbourhood{Current: e, First: a, Prev: d, Last: e, Predecessor: b},
			all + mem(ma, "first memento") + "\n" + mem(md, "prev memento") + "\n" + mem(me, "last memento") + "\n" +
				mem(mb, "predecessor-version memento"),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := lines(u.MementoLinks(&tt.n)); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestOriginalLink(t *testing.T) {
	u := URIs{Base: "http://h", Coll: "web"}
	c := capture(20010101000000)
	if got := u.MementoLinks(&Neighbourhood{Current: c, First: c, Last: c})[0].URI; got != riverR {
		t.Errorf("URI-M: got %s", got)
	}
	n := Neighbourhood{Original: "https://www.river.example/level", First: c, Last: c}
	got := u.TimeGateLinks(&n)
	if got[0].URI != n.Original {
		t.Errorf("URI-G: got %s", got[0].URI)
	}
	if want := "http://h/web/20010101000000/" + riverR; got[2].URI != want {
		t.Errorf("a memento of it: got %s, want %s", got[2].URI, want)
	}
}

func TestTimeGateLinks(t *testing.T) {
	u := URIs{Base: "http://h", Coll: "web"}
	got := lines(u.TimeGateLinks(&Neighbourhood{Original: riverR, First: capture(20010101000000), Last: capture(20050101000000)}))
	want := `<http://river.example/level>; rel="original"
<web/timemap/link/http://river.example/level>; rel="timemap"; type="application/link-format"` +
		`; from="Mon, 01 Jan 2001 00:00:00 GMT"; until="Sat, 01 Jan 2005 00:00:00 GMT"
<web/20010101000000/http://river.example/level>; rel="first memento"; datetime="Mon, 01 Jan 2001 00:00:00 GMT"
<web/20050101000000/http://river.example/level>; rel="last memento"; datetime="Sat, 01 Jan 2005 00:00:00 GMT"`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	withSelected := func(c *cdx.Capture) string {
		return lines(u.TimeGateLinks(&Neighbourhood{Original: riverR, Current: c, First: capture(20010101000000), Last: capture(20050101000000)}))
	}
	for name, c := range map[string]*cdx.Capture{"first": capture(20010101000000), "last": capture(20050101000000)} {
		if got := withSelected(c); got != want {
			t.Errorf("the selected memento is the %s: got\n%s\nwant it on one link\n%s", name, got, want)
		}
	}
	want += `
<web/20030101000000/http://river.example/level>; rel="memento"; datetime="Wed, 01 Jan 2003 00:00:00 GMT"`
	if got := withSelected(capture(20030101000000)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, want := lines(u.TimeGateLinks(&Neighbourhood{Original: riverR})), `<http://river.example/level>; rel="original"`; got != want {
		t.Errorf("without captures: got %s, want %s", got, want)
	}
}

// RFC 7089 §4.5.7: what leads to a memento says what it is a memento of.
func TestDetourLinks(t *testing.T) {
	u := URIs{Base: "http://h", Coll: "web"}
	got := lines(u.DetourLinks(&Neighbourhood{
		Current: capture(20030101000000), First: capture(20010101000000),
		Last: capture(20050101000000),
	}))
	want := `<http://river.example/level>; rel="original"
<web/http://river.example/level>; rel="timegate"
<web/timemap/link/http://river.example/level>; rel="timemap"; type="application/link-format"; from="Mon, 01 Jan 2001 00:00:00 ` +
		`GMT"; until="Sat, 01 Jan 2005 00:00:00 GMT"`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// RFC 7089 §4.1.2: if URI-R = URI-G, one link has both relations.
func TestProxyLinks(t *testing.T) {
	u := URIs{Base: "http://h", Coll: "web"}
	c := capture(20010101000000)
	got := lines(u.ProxyLinks(&Neighbourhood{Current: c, First: c, Last: c}))
	want := `<http://river.example/level>; rel="original timegate"
<web/timemap/link/http://river.example/level>; rel="timemap"; type="application/link-format"` +
		`; from="Mon, 01 Jan 2001 00:00:00 GMT"; until="Mon, 01 Jan 2001 00:00:00 GMT"
<web/20010101000000/http://river.example/level>; rel="first last memento"; datetime="Mon, 01 Jan 2001 00:00:00 GMT"`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
