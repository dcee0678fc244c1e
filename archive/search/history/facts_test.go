package history

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/cdx"
)

func TestFactsAreReadBack(t *testing.T) {
	rows := []Row{
		{
			Version: Version{First: 20200101000000, Last: 20200102000000, Lang: "de", MIME: "text/html", Status: 200},
			Words:   300, Added: 9,
		},
		{Version: Version{First: 20200103000000, Last: 20200103000000, Missing: true, Status: 404}, Carried: true, Deleted: 7},
		{Version: Version{First: 20210103000000, Last: 20210103000001, Minor: true, Soft404: true, Status: 200}, Words: 1},
	}
	name := func(b []byte) string { return string(b) }
	packed := PackFacts("org,a)/", rows)
	key, got, err := ParseFacts(packed, make([]Row, 5), name)
	if diff := cmp.Diff(rows, got); key != "org,a)/" || err != nil || diff != "" {
		t.Errorf("%s, %v (-want +got):\n%s", key, err, diff)
	}
	for n := range packed {
		if _, _, err := ParseFacts(packed[:n], nil, name); err == nil {
			t.Errorf("%d of %d bytes are facts", n, len(packed))
		}
	}
	for n, want := range map[int]bool{MostFactRows: true, MostFactRows + 1: false} {
		many := make([]Row, n)
		for i := range many {
			many[i].First, many[i].Last = cdx.Timestamp(i+1), cdx.Timestamp(i+1)
		}
		if _, got, err := ParseFacts(PackFacts("", many), nil, name); (err == nil) != want || want && len(got) != n {
			t.Errorf("%d rows: %d, %v", n, len(got), err)
		}
	}
}
