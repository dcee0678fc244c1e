package index_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/cdxtest"
)

// Captures before the requested page are skipped, and pages counted, by keys alone. Reading each capture would take
// several times as long.
func TestPagesBeforeTheOneAskedForAreNotRead(t *testing.T) {
	t.Parallel()
	x, reads := indextest.Counting(t)
	indextest.Fill(t, x, cdxtest.Coll, cdxtest.Captures())
	api := cdx.NewAPI(x, nil)
	for _, c := range []struct {
		query  string
		lines  int
		values int64
	}{
		{"url=many.org&showNumPages=true&pageSize=10", 1, 0},
		{"url=many.org&page=25&pageSize=10", 10, 12},
		{"url=many.org&page=25&pageSize=10&sort=reverse", 10, 12},
		{"url=*.org&page=2&pageSize=100", 100, 104},
	} {
		reads.Reset()
		q, err := cdx.ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := api.Write(context.Background(), &out, cdxtest.Coll, q); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(out.String(), "\n"); n != c.lines || reads.Values.Load() > c.values {
			t.Errorf("%s: %d lines, %d captures read; want %d and at most %d", c.query, n, reads.Values.Load(), c.lines, c.values)
		}
	}
}
