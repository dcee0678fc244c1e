package versions

import (
	"testing"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
)

func TestNotesOnVersions(t *testing.T) {
	const began, ended = cdx.Timestamp(20150101000000), cdx.Timestamp(20160101000000)
	for name, tt := range map[string]struct {
		r    change.Range
		want banner.Ending
	}{
		"a page":                {change.Range{First: began}, banner.Ending{Kind: banner.KindPage}},
		"one that alternates":   {change.Range{First: began, Alternates: true}, banner.Ending{Kind: banner.KindPage}},
		"gone since":            {change.Range{First: began, Kind: change.Missing}, banner.Ending{Kind: banner.KindMissing, Since: 2015}},
		"gone for a while":      {change.Range{First: began, Kind: change.Missing, Until: ended}, banner.Ending{Kind: banner.KindMissing}},
		"a soft 404":            {change.Range{Kind: change.Error, Soft404: true}, banner.Ending{Kind: banner.KindError, Soft404: true}},
		"an error":              {change.Range{Kind: change.Error}, banner.Ending{Kind: banner.KindError}},
		"another resource":      {change.Range{Kind: change.Resource}, banner.Ending{Kind: banner.KindResource}},
		"a redirect":            {moved("http://a.example/x"), banner.Ending{Kind: banner.KindRedirect}},
		"a redirect home":       {moved("http://a.example/"), banner.Ending{Kind: banner.KindRedirect, Home: true}},
		"… without a path":      {moved("http://a.example"), banner.Ending{Kind: banner.KindRedirect, Home: true}},
		"a redirect to a query": {moved("http://a.example/?a"), banner.Ending{Kind: banner.KindRedirect}},
		"a redirect nowhere":    {moved("/"), banner.Ending{Kind: banner.KindRedirect}},
		"… to no address":       {moved("http://["), banner.Ending{Kind: banner.KindRedirect}},
	} {
		if got := NoteOf(&tt.r); got.Ends != tt.want || (got.Alternates == began) != tt.r.Alternates {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

func moved(to string) change.Range { return change.Range{Kind: change.Redirect, Redirect: to} }

// A capture has the kind of its version, unless it shows an error within it.
func TestNotesOnCaptures(t *testing.T) {
	at := func(ts cdx.Timestamp, offset int64, status int) cdx.Capture {
		return cdx.Capture{Time: ts, Status: status, Location: cdx.Location{File: 1, Offset: offset}}
	}
	tl := &timeline.Timeline{Captures: []cdx.Capture{
		at(20150101000000, 1, 200), at(20150601000000, 2, 503), at(20150701000000, 3, 200), at(20160101000000, 4, 404),
	}}
	ranges := []change.Range{
		{First: 20150101000000, Last: 20150701000000, LastIndex: 2, Unshown: []int{2}},
		{First: 20160101000000, Kind: change.Missing, LastIndex: 3},
	}
	cut := tl.Captures[1]
	cut.Truncated = true
	for i, want := range []banner.Kind{banner.KindPage, banner.KindError, banner.KindError, banner.KindMissing} {
		if got := NoteAt(tl, ranges, &tl.Captures[i]).Ends.Kind; got != want {
			t.Errorf("capture %d: %v, want %v", i, got, want)
		}
	}
	if got := NoteAt(tl, ranges, &cut).Ends.Kind; got != banner.KindPage {
		t.Errorf("one that is cut off: %v", got)
	}
	if got := NoteAt(tl, nil, &tl.Captures[0]).Ends.Kind; got != banner.KindPage {
		t.Errorf("without versions: %v", got)
	}
}
