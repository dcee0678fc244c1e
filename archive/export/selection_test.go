package export

import (
	"testing"

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
