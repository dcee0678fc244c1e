package memento

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/cdx"
)

// The exchange printed in RFC 7089 §4.2.1, including its folded headers and its wrong weekday.
const (
	printedAccept = "Tue, 20 Mar 2001 20:35:00 GMT"
	printedLink   = `<http://a.example.org/>; rel="original",
    <http://arxiv.example.net/timemap/http://a.example.org/>
    ; rel="timemap"; type="application/link-format"
    ; from="Tue, 15 Sep 2000 11:28:26 GMT"
    ; until="Wed, 20 Jan 2010 09:34:33 GMT"`
	printedLocation = "http://arxiv.example.net/web/20010321203610/http://a.example.org/"
	printedDatetime = "Wed, 21 Mar 2001 20:36:10 GMT"
)

func TestExchangeOfTheRFC(t *testing.T) {
	want, err := ParseAcceptDatetime(printedAccept)
	if err != nil {
		t.Fatal(err)
	}
	const uriR = "http://a.example.org/"
	captures := []cdx.Capture{
		{Time: 20000915112826, URL: uriR}, {Time: 20010321203610, URL: uriR}, {Time: 20100120093433, URL: uriR},
	}
	nearest := captures[0]
	for _, c := range captures {
		if Nearer(want, c.Time, nearest.Time) {
			nearest = c
		}
	}
	archive := URIs{Base: "http://arxiv.example.net", Coll: "web"}
	if got := archive.Memento(nearest.Time, "", nearest.URL); got != printedLocation {
		t.Errorf("Location: got %s, want %s", got, printedLocation)
	}
	if got := FormatDatetime(nearest.Time); got != printedDatetime {
		t.Errorf("Memento-Datetime: got %s, want %s", got, printedDatetime)
	}
}

func TestLinksOfTheRFC(t *testing.T) {
	got, err := ParseLinks(printedLink)
	if err != nil {
		t.Fatal(err)
	}
	want := []Link{
		{URI: "http://a.example.org/", Rels: []string{"original"}},
		{
			URI: "http://arxiv.example.net/timemap/http://a.example.org/", Rels: []string{"timemap"}, Type: LinkFormat,
			From: 20000915112826, Until: 20100120093433,
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
