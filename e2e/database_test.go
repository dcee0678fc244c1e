package e2e

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/internal/database"
)

// databaseArchive has a page with links and many captures, over several years.
func databaseArchive() []byte {
	a := &archive{}
	var links strings.Builder
	for i := range 40 {
		fmt.Fprintf(&links, `<a href="/linked/%d">%d</a>`, i, i)
	}
	for year := 2001; year < 2021; year++ {
		ts := fmt.Sprintf("%d0601000000", year)
		a.page("http://page.example/", ts, fmt.Sprintf("<title>Page</title><p>As it was in %d.</p>%s", year, &links))
		a.page(fmt.Sprintf("http://page.example/linked/%d", year-2001), ts, "<p>Linked")
	}
	return a.bytes()
}

// With the index in a database on another machine, a request waits for the network: a TimeGate, a memento and an exact CDX
// query for two round trips at most.
func TestRoundTripsToADatabase(t *testing.T) {
	const trip = 2 * time.Millisecond
	link, url := database.NewLink(t, database.Start(t).Database(), trip)
	s, _ := serve(t, map[string][]byte{"a.warc.gz": databaseArchive()}, "--index", url, "--no-search")
	for _, c := range []struct {
		what, target string
		status       int
		trips        int64
		fields       []string
	}{
		{"a TimeGate", "/web/http://page.example/", 302, 2, []string{"Accept-Datetime: Thu, 01 Jun 2006 00:00:00 GMT"}},
		{"a memento, raw", "/web/20060601000000id_/http://page.example/", 200, 2, nil},
		{"a TimeMap", "/web/timemap/link/http://page.example/", 200, 2, nil},
		{"an exact CDX query", "/web/cdx?url=http://page.example/", 200, 2, nil},
		{"a memento with its links", "/web/20060601000000/http://page.example/", 200, 4, nil},
	} {
		for _, visit := range []string{"first", "second"} {
			before := link.Trips()
			a := s.get(t, c.target, c.fields...)
			if a.status != c.status {
				t.Fatalf("%s: %d\n%s", c.what, a.status, a.body)
			}
			if n := link.Trips() - before; n > c.trips {
				t.Errorf("%s, %s time: %d round trips, want %d at most", c.what, visit, n, c.trips)
			} else {
				t.Logf("%s, %s time: %d round trips", c.what, visit, n)
			}
		}
	}
}

var _ = exec.Command
var _ = filepath.Join
