package cdxtest_test

import (
	"slices"
	"testing"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/cdxtest"
)

func TestMemory(t *testing.T) {
	cdxtest.Run(t, cdxtest.Memory)
}

// The suite compares with Memory; what Memory answers is checked here by hand.
func TestMemoryOrder(t *testing.T) {
	src := cdxtest.Memory(cdxtest.Captures())
	var got []cdx.Position
	for c, err := range src.Captures(t.Context(), cdx.Span{Coll: cdxtest.Coll, From: "org,example)/a", Exact: true}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, cdx.PositionOf(c))
	}
	const key = "org,example)/a"
	want := []cdx.Position{
		{Key: key, Time: 20200101000000, File: "one.warc.gz", Offset: 10},
		{Key: key, Time: 20210101000000, File: "one.warc.gz", Offset: 30},
		{Key: key, Time: 20210101000000, File: "one.warc.gz", Offset: 900},
		{Key: key, Time: 20210101000000, File: "two.warc.gz", Offset: 20},
		{Key: key, Time: 20220101000000, File: "one.warc.gz", Offset: 40},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestMemoryClosest(t *testing.T) {
	src := cdxtest.Memory(cdxtest.Captures())
	const at = 20210702120000 // equally far from the second and the third
	var got []cdx.Timestamp
	for c, err := range src.Closest(t.Context(), cdxtest.Coll, "org,example)/", at) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, c.Time)
	}
	want := []cdx.Timestamp{20210101000000, 20210101000000, 20210101000000, 20220101000000, 20200101000000}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
