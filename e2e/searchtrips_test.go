package e2e

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/varve-archive/varve/internal/testkit/database"
)

// Whatever a search finds, what it shows of the pages takes few round trips to the database of the index.
func TestRoundTripsOfASearch(t *testing.T) {
	t.Parallel()
	a := &archive{}
	for page := range 30 {
		for year := 2001; year < 2011; year++ {
			text := fmt.Sprintf("<title>Page %d</title><p>The tannery of %d stood by the river for all to see.", page, page)
			if year > 2005 {
				text = fmt.Sprintf("<title>Page %d</title><p>Nothing of it stood by the river for anybody to see.", page)
			}
			a.page(fmt.Sprintf("http://site%d.example/%d", page%7, page), fmt.Sprintf("%d0601000000", year), text)
		}
	}
	db := database.Start(t).Database()
	folder, data := t.TempDir(), filepath.Join(t.TempDir(), "data")
	put(t, filepath.Join(folder, "a.warc.gz"), a.bytes())
	if out, err := exec.Command(binary, "index", "--search", folder, "--index", db, "--data", data).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	link, url := database.NewLink(t, db, 2*time.Millisecond)
	for _, target := range []string{
		"/web/search?q=stood", "/web/search?q=stood&output=json", "/web/search?q=river&output=csv", "/web/search?q=tannery+river",
		"/web/search?q=anybody&sort=newest", "/web/search?q=tannery&change=deleted", "/web/search?q=nothing&change=added",
		"/web/search?q=tannery&change=deleted&output=json", "/-/search?q=see",
	} {
		s, err := launch(data, "serve", "--index", url) // anew: nothing is cached yet
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for i := range 16 { // opens connections
			wg.Go(func() { s.get(t, fmt.Sprintf("/web/cdx?url=http://other.example/%d", i)) })
		}
		wg.Wait()
		before := quiet(t, link)
		if a := s.get(t, target); a.status != 200 || !strings.Contains(a.body, "site1.example") {
			t.Errorf("%s: %d\n%s", target, a.status, a.body)
		}
		n := link.Trips() - before
		if t.Logf("%s: %d round trips", target, n); n > 6 {
			t.Errorf("%s: %d round trips, want 6 at most", target, n)
		}
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	}
}
