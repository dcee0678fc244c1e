package memento_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
)

func ExampleParseAcceptDatetime() {
	t, err := memento.ParseAcceptDatetime("Thu, 31 May 2007 20:35:00 GMT")
	fmt.Println(t, err)
	_, err = memento.ParseAcceptDatetime("yesterday")
	fmt.Println(err)
	// Output:
	// 20070531203500 <nil>
	// datetime "yesterday": want the form "Thu, 31 May 2007 20:35:00 GMT"
}

func ExampleParseLinks() {
	links, err := memento.ParseLinks(`<http://a.example/>; rel="original",
 <http://archive.example/web/20070531203500/http://a.example/>; rel="first last memento"; datetime="Thu, 31 May 2007 20:35:00 GMT"`)
	if err != nil {
		fmt.Println(err)
	}
	for _, l := range links {
		fmt.Println(l.Rels, l.URI)
	}
	// Output:
	// [original] http://a.example/
	// [first last memento] http://archive.example/web/20070531203500/http://a.example/
}

func ExampleURIs_MementoLinks() {
	archive := memento.URIs{Base: "http://archive.example", Coll: "web"}
	page := func(t cdx.Timestamp) *cdx.Capture { return &cdx.Capture{Time: t, URL: "http://a.example/"} }
	links := archive.MementoLinks(&memento.Neighbourhood{
		Current: page(20140127171238),
		First:   page(20070531203500), Prev: page(20140101000000), Last: page(20140127171238),
		Predecessor: page(20130601000000),
	})
	for _, l := range links {
		fmt.Println(strings.Join(l.Rels, " "), l.Datetime.String()[:4])
	}
	// Output:
	// original 0000
	// timegate 0000
	// timemap 0000
	// first memento 2007
	// prev memento 2014
	// last memento 2014
	// predecessor-version memento 2013
}

// A page was down at the wanted datetime, but up the evening before.
func ExamplePreferred() {
	captures := []cdx.Capture{
		{Time: 20140127120000, Status: 503},
		{Time: 20140126200624, Status: 200},
		{Time: 20140301000000, Status: 200},
	}
	nearest := func(yield func(*cdx.Capture, error) bool) {
		for i := range captures {
			if !yield(&captures[i], nil) {
				return
			}
		}
	}
	for c := range memento.Preferred(20140127120000, nearest) {
		fmt.Println(c.Time, c.Status)
	}
	// Output:
	// 20140126200624 200
	// 20140127120000 503
	// 20140301000000 200
}

func ExampleWriteLink() {
	captures := func(yield func(*cdx.Capture, error) bool) {
		yield(&cdx.Capture{Time: 20140127171238, URL: "http://a.example/"}, nil)
	}
	err := memento.WriteLink(os.Stdout, captures, &memento.TimeMapInfo{
		URIs:     memento.URIs{Base: "http://archive.example", Coll: "web"},
		Original: "http://a.example/",
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// <http://a.example/>; rel="original",
	// <http://archive.example/web/http://a.example/>; rel="timegate",
	// <http://archive.example/web/timemap/link/http://a.example/>; rel="self"; type="application/link-format",
	// <http://archive.example/web/20140127171238/http://a.example/>; rel="first last memento"; datetime="Mon, 27 Jan 2014 17:12:38 GMT"
}

func ExampleReadTimeMap() {
	m, err := memento.ReadTimeMap(strings.NewReader(`<http://a.example/>; rel="original",
<http://archive.example/20140127171238/http://a.example/>; rel="memento"; datetime="Mon, 27 Jan 2014 17:12:38 GMT"`))
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(m.Original, m.Mementos[0].Time)
	// Output: http://a.example/ 20140127171238
}
