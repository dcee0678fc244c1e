package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/varve-archive/varve/internal/testkit/database"
)

// databaseArchive has two pages of one site with links and many captures, over several years.
func databaseArchive() []byte {
	a := &archive{}
	var links strings.Builder
	for i := range 40 {
		fmt.Fprintf(&links, `<a href="/linked/%d">%d</a>`, i, i)
	}
	for year := 2001; year < 2021; year++ {
		ts := fmt.Sprintf("%d0601000000", year)
		a.page("http://page.example/", ts, fmt.Sprintf("<title>Page</title><p>As it was in %d.</p>%s", year, &links))
		a.page("http://page.example/other", ts, fmt.Sprintf("<title>Other</title><p>Written in %d.</p>%s", year, &links))
		a.page(fmt.Sprintf("http://page.example/linked/%d", year-2001), ts, "<p>Linked")
	}
	return a.bytes()
}

// With the index in a database on another machine, a request waits for the network. A TimeGate, a memento and an exact CDX
// query wait for two round trips at most, a page with its links for a few. What a site has in common, by which versions are
// told from noise, is learnt with the first page of a site and known for the others. The server that learns it keeps it in the index.
func TestRoundTripsToADatabase(t *testing.T) {
	link, url := database.NewLink(t, database.Start(t).Database(), 2*time.Millisecond)
	s, _ := serve(t, map[string][]byte{"a.warc.gz": databaseArchive()}, "--index", url, "--no-search")
	var wg sync.WaitGroup
	for i := range 16 { // open connections: that takes round trips of its own, once
		wg.Go(func() { s.get(t, fmt.Sprintf("/web/timemap/link/http://page.example/linked/%d", i)) })
	}
	wg.Wait()
	for _, c := range []struct {
		what, target string
		status       int
		trips        int64
		fields       []string
	}{
		{"a TimeGate", "/web/http://page.example/", 302, 2, []string{"Accept-Datetime: Thu, 01 Jun 2006 00:00:00 GMT"}},
		{"the first memento of a site", "/web/20060601000000id_/http://page.example/", 200, 10, nil},
		{"a memento", "/web/20060601000000id_/http://page.example/other", 200, 2, nil},
		{"a memento with its links", "/web/20070601000000/http://page.example/other", 200, 2, nil},
		{"an exact CDX query", "/web/cdx?url=http://page.example/", 200, 2, nil},
		{"a TimeMap", "/web/timemap/link/http://page.example/", 200, 5, nil},
	} {
		before := quiet(t, link) // what the server keeps behind the answer before this one is not this one's
		a := s.get(t, c.target, c.fields...)
		if a.status != c.status {
			t.Fatalf("%s: %d\n%s", c.what, a.status, a.body)
		}
		n := link.Trips() - before
		if t.Logf("%s: %d round trips", c.what, n); n > c.trips {
			t.Errorf("%s: %d round trips, want %d at most", c.what, n, c.trips)
		}
	}
}

const sites = 6

// sitesArchive has sites of eight pages with twenty captures each.
func sitesArchive() *archive {
	a := &archive{}
	for site := range sites {
		for year := 2001; year < 2021; year++ {
			for page := range 8 {
				a.page(fmt.Sprintf("http://site%d.example/%d", site, page), fmt.Sprintf("%d0601000000", year),
					fmt.Sprintf("<title>Page</title><ul><li>Home<li>Contact</ul><p>As page %d was in %d.", page, year))
			}
		}
	}
	return a
}

// Whoever indexes learns the sites, so that not even the first memento of one waits for more than two round trips.
func TestRoundTripsAfterIndexing(t *testing.T) {
	link, url := database.NewLink(t, database.Start(t).Database(), 0)
	folder := t.TempDir()
	put(t, filepath.Join(folder, "a.warc.gz"), sitesArchive().bytes())
	cmd := exec.Command(binary, "index", folder, "--index", url, "--data", filepath.Join(t.TempDir(), "data"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s := start(t, "serve", "--index", url, "--no-search")
	var wg sync.WaitGroup
	for i := range 16 { // opens connections
		wg.Go(func() { s.get(t, fmt.Sprintf("/web/cdx?url=http://other.example/%d", i)) })
	}
	wg.Wait()
	least := int64(1000) // the server looks for changes meanwhile
	for site := range sites {
		before := quiet(t, link)
		if a := s.get(t, fmt.Sprintf("/web/20060601000000id_/http://site%d.example/3", site)); a.status != 200 {
			t.Fatalf("%d\n%s", a.status, a.body)
		}
		least = min(least, link.Trips()-before)
	}
	if t.Logf("the first memento of a site: %d round trips", least); least > 2 {
		t.Errorf("the first memento of a site: %d round trips, want 2 at most", least)
	}
}

// What one server has learnt of a site no other learns again, nor does any after files of other sites came.
func TestRoundTripsOfSitesThatAreKnown(t *testing.T) {
	db := database.Start(t)
	direct := db.Database()
	a := sitesArchive()
	linkOne, urlOne := database.NewLink(t, direct, 0)
	linkTwo, urlTwo := database.NewLink(t, direct, 0)
	one, folder := serve(t, map[string][]byte{"a.warc.gz": a.bytes()}, "--index", urlOne, "--no-search")
	two := start(t, "serve", "--index", urlTwo, "--no-search")
	memento := func(s *server, link *database.Link, site, page int) int64 {
		t.Helper()
		before := link.Trips()
		if a := s.get(t, fmt.Sprintf("/web/20060601000000id_/http://site%d.example/%d", site, page)); a.status != 200 {
			t.Fatalf("%d\n%s", a.status, a.body)
		}
		return link.Trips() - before
	}
	eventually(t, "both show the file", func() bool {
		known := func(s *server) bool { return s.get(t, "/web/timemap/link/http://site0.example/7").status == 200 }
		return known(one) && known(two)
	})
	first := int64(1000)
	for site := range sites {
		first = min(first, memento(one, linkOne, site, 0))
	}
	t.Logf("the server that learns a site: %d round trips", first)
	check := func(what string, s *server, link *database.Link, page int) {
		t.Helper()
		if _, err := settled(link); err != nil { // it counts addresses
			t.Error(err)
		}
		least := int64(1000) // the server looks for changes meanwhile
		for site := range sites {
			least = min(least, memento(s, link, site, page))
		}
		if t.Logf("%s: %d round trips", what, least); least > 3 {
			t.Errorf("%s: %d round trips, want 3 at most", what, least)
		}
	}
	check("the first memento of a site by another server", two, linkTwo, 1)
	put(t, filepath.Join(folder, "b.warc.gz"), (&archive{}).page("http://other.example/", "20110101000000", "<p>other").bytes())
	for _, s := range []*server{one, two} {
		eventually(t, "a server shows the new file", func() bool {
			return s.get(t, "/web/20110101000000id_/http://other.example/").status == 200
		})
	}
	check("after a file of another site came, by the server that indexed it", one, linkOne, 2)
	check("by the other server", two, linkTwo, 2)
}

// A database that is away is a 503 that says when to come back, never a wrong answer, and the server goes on by itself when
// it is back: after it was started anew, after all connections were cut, and after a network that swallowed everything.
func TestADatabaseThatGoesAway_long(t *testing.T) {
	t.Parallel()
	db := database.Start(t)
	link, url := database.NewLink(t, db.Database(), 0)
	s, _ := serve(t, map[string][]byte{"a.warc.gz": databaseArchive()}, "--index", url, "--no-search")
	n := 0
	ask := func() *answer { // another address each time, or it is known
		n++
		return s.get(t, fmt.Sprintf("/web/cdx?url=http://page.example/linked/%d&n=%d", n%20, n))
	}
	well := func() bool { a := ask(); return a.status == 200 && strings.Contains(a.body, "page)/linked/") }
	if !well() {
		t.Fatal("it doesn't answer at all")
	}
	for _, c := range []struct {
		what       string
		away, back func()
	}{
		{"stopped", db.Stop, db.Continue},
		{"silent", func() { link.Die(true) }, func() { link.Die(false) }},
	} {
		c.away()
		a := ask()
		tells := strings.Contains(a.body, "postgres://") || strings.Contains(a.body, "127.0.0.1")
		if a.status != 503 || a.header.Get("Retry-After") == "" || tells {
			t.Errorf("%s: %d, Retry-After %q\n%s", c.what, a.status, a.header.Get("Retry-After"), a.body)
		}
		if status := s.get(t, "/-/healthz").status; status != 200 {
			t.Errorf("%s: the server itself says %d", c.what, status)
		}
		if c.what == "stopped" {
			eventually(t, "it says that it isn't ready", func() bool {
				a := s.get(t, "/-/readyz")
				return a.status == 503 && strings.Contains(a.body, "the database of the index can't be reached")
			})
		}
		c.back()
		eventually(t, "the server answers again after the database was "+c.what, well)
	}
	eventually(t, "it is ready again", func() bool { return s.get(t, "/-/readyz").status == 200 })
	link.Cut()
	if a := ask(); a.status != 200 {
		t.Errorf("after connections were cut: %d\n%s", a.status, a.body)
	}
}

// Processes that index into one database share the work, and servers show what others indexed. What one was at that is killed
// is done by the others, and a database that is started anew meanwhile stops none of them.
func TestProcessesShareADatabase(t *testing.T) {
	t.Parallel()
	const files = 24
	db := database.Start(t)
	url := db.Database()
	folder := t.TempDir()
	for i := range files {
		a := &archive{}
		for j := range 200 {
			a.page(fmt.Sprintf("http://site%d.example/%d", i, j), "20100101000000", fmt.Sprintf("<p>Page %d of %d", j, i))
		}
		put(t, filepath.Join(folder, fmt.Sprintf("%02d.warc.gz", i)), a.bytes())
	}
	index := func(n int) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), binary, "index", "--index", url, "--data", filepath.Join(t.TempDir(), fmt.Sprint(n)), folder)
		cmd.Stderr = &bytes.Buffer{}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	connected := func() int {
		return db.Ask("test1", "SELECT count(DISTINCT application_name) FROM pg_stat_activity WHERE application_name LIKE 'varve index %'")
	}
	killed := index(0)
	eventually(t, "a process claims files", func() bool {
		return db.Ask("test1", "SELECT count(to_regclass('varve'))") == 1 &&
			db.Ask("test1", "SELECT count(*) FROM varve WHERE head >= 'w' AND head < 'x'") > 0
	})
	_ = killed.Process.Kill()
	_ = killed.Wait()
	eventually(t, "the database notices", func() bool { return connected() == 0 })
	var wg sync.WaitGroup
	var ended atomic.Int64
	for n := range 2 {
		cmd := index(n + 1)
		wg.Go(func() {
			if err := cmd.Wait(); err != nil {
				t.Errorf("%v\n%s", err, cmd.Stderr)
			}
			ended.Add(1)
		})
	}
	eventually(t, "both others are at work", func() bool { return connected() == 2 || ended.Load() > 0 })
	db.Stop()
	db.Continue()
	wg.Wait()

	one, two := start(t, "serve", "--index", url, "--no-search", folder), start(t, "serve", "--index", url, "--no-search")
	for name, s := range map[string]*server{"one": one, "two": two} {
		lines := strings.Split(strings.TrimSpace(s.get(t, "/web/cdx?url=*&output=cdxj&fl=urlkey,timestamp,filename").body), "\n")
		seen := map[string]bool{}
		for _, line := range lines {
			if seen[line] {
				t.Errorf("%s: twice: %s", name, line)
			}
			seen[line] = true
		}
		if len(lines) != files*200 {
			t.Errorf("%s: %d captures, want %d", name, len(lines), files*200)
		}
		if a := s.get(t, "/web/20100101000000id_/http://site7.example/13"); a.status != 200 || a.body != "<p>Page 13 of 7" {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	put(t, filepath.Join(folder, "new.warc.gz"), (&archive{}).page("http://new.example/", "20110101000000", "new").bytes())
	eventually(t, "a server shows what another one indexed", func() bool {
		return two.get(t, "/web/20110101000000id_/http://new.example/").body == "new"
	})
}

// Mistakes in --index end with a sentence that says what to do, and show no password.
func TestMistakesInTheAddressOfADatabase(t *testing.T) {
	t.Parallel()
	db := database.Start(t)
	url := db.Database()
	db.Do("postgres", "CREATE USER reader PASSWORD 'a password with @ and /'")
	folder := t.TempDir()
	put(t, filepath.Join(folder, "a.warc.gz"), databaseArchive())
	for what, c := range map[string]struct{ command, url, says string }{
		"no such engine":       {"index", "mysql://user:secret@host/db", "there is postgres://"},
		"a folder":             {"index", "/some/where", "folders go with --data"},
		"nobody listens":       {"index", "postgres://user:secret@127.0.0.1:1/db", "can't be reached"},
		"a wrong password":     {"index", strings.Replace(url, "password", "secret", 1), "check user and password"},
		"no such database":     {"index", strings.Replace(url, "/test1", "/nothing", 1), "createdb"},
		"a table's wrong name": {"index", url + "&table=A-B", "table="},
		"nothing there yet":    {"cdx", url, "make one with varve index"},
	} {
		args := []string{c.command, "--index", c.url, "--data", filepath.Join(t.TempDir(), "data")}
		if c.command == "index" {
			args = append(args, folder)
		}
		out, err := exec.Command(binary, args...).CombinedOutput()
		said := string(out)
		if err == nil || !strings.Contains(said, c.says) || strings.Contains(said, "secret") || strings.Contains(said, "panic") {
			t.Errorf("%s: %v\n%s", what, err, out)
		}
	}
	s, _ := serve(t, map[string][]byte{"a.warc.gz": databaseArchive()}, "--index", url, "--no-search")
	db.Do("test1", "GRANT SELECT ON varve TO reader")
	reader := start(t, "serve", "--index", strings.Replace(url, "//varve:", "//reader:", 1), "--no-search")
	for name, who := range map[string]*server{"owner": s, "reader": reader} {
		if a := who.get(t, "/web/20060601000000id_/http://page.example/"); a.status != 200 {
			t.Errorf("%s: %d", name, a.status)
		}
	}
	if !strings.Contains(reader.log.String(), "can't be written") {
		t.Errorf("the reader doesn't say that it only reads:\n%s", reader.log)
	}
}

// A page with very many captures waits for no more round trips than others: where its versions begin is known, and what is around a
// capture is read alone. Whoever indexes more keeps it so.
func TestRoundTripsOfALongPage(t *testing.T) {
	link, url := database.NewLink(t, database.Start(t).Database(), 0)
	long := func(from, to int) []byte {
		a := &archive{}
		for i := from; i < to; i++ {
			ts := time.Date(2001, 1, 1, i, 0, 0, 0, time.UTC).Format("20060102150405")
			a.page("http://page.example/", ts, fmt.Sprintf("<title>Page</title><p>The version number %d stands here.", i/3))
		}
		return a.bytes()
	}
	folder := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command(binary, append(args, "--index", url, "--data", filepath.Join(folder, "data"))...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("varve %v: %v\n%s", args, err, out)
		}
	}
	put(t, filepath.Join(folder, "a.warc"), long(0, 4000))
	run("index", folder)
	run("changes", "http://page.example/") // keeps them
	put(t, filepath.Join(folder, "b.warc"), long(4001, 4005))
	run("index", folder)
	s := start(t, "serve", "--index", url, "--no-search")
	s.get(t, "/web/cdx?url=http://other.example/") // opens a connection
	for _, c := range []struct {
		what, target string
		trips        int64
	}{
		{"a nearest capture", "/web/200103%02d023000/http://page.example/", 2},
		{"a memento", "/web/200103%02d020000id_/http://page.example/", 2},
		{"a memento with its banner", "/web/200104%02d020000/http://page.example/", 5},
	} {
		least := int64(1000) // the server counts addresses meanwhile, and looks for changes
		for day := 1; day < 8; day++ {
			before := link.Trips()
			if a := s.get(t, fmt.Sprintf(c.target, day)); a.status >= 400 {
				t.Fatalf("%s: %d\n%s", c.what, a.status, a.body)
			}
			least = min(least, link.Trips()-before)
		}
		if t.Logf("%s: %d round trips", c.what, least); least > c.trips {
			t.Errorf("%s: %d round trips, want %d at most", c.what, least, c.trips)
		}
	}
}

// quiet waits until a server that has just begun has done what it does behind requests, and returns how many round trips there were.
func quiet(t *testing.T, link *database.Link) int64 {
	t.Helper()
	trips, err := settled(link)
	if err != nil {
		t.Fatal(err)
	}
	return trips
}

// settled is quiet for goroutines of a test.
func settled(link *database.Link) (int64, error) {
	last := int64(-1)
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(350 * time.Millisecond) {
		before := last
		if last = link.Trips(); before == last {
			return last, nil
		}
	}
	return 0, fmt.Errorf("the server does something else for %v", patience)
}

// What is asked for the first time waits for two round trips at most, however many captures the URI-R has. Each question is asked of
// several URI-Rs, because the server looks for changes meanwhile.
func TestRoundTripsByTheNumberOfCaptures_long(t *testing.T) {
	t.Parallel()
	const pages = 3
	sizes := []int{20, 300, 4000}
	url := database.Start(t).Database()
	a := &archive{}
	at := func(i int) string { return time.Date(2001, 1, 1, i, 0, 0, 0, time.UTC).Format("20060102150405") }
	for _, n := range append(sizes, 19) {
		for page := range pages {
			for i := range n {
				text := fmt.Sprintf("<title>Page</title><p>The version number %d stands here.", i/3)
				a.page(fmt.Sprintf("http://page.example/%d/%d", n, page), at(i), text)
			}
		}
	}
	folder := t.TempDir()
	put(t, filepath.Join(folder, "a.warc"), a.bytes())
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command(binary, append(args, "--index", url, "--data", filepath.Join(folder, "data"))...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("varve %v: %v\n%s", args, err, out)
		}
	}
	run("index", folder)
	for page := range pages {
		run("changes", fmt.Sprintf("http://page.example/4000/%d", page)) // keeps them
	}
	questions := []struct {
		what, target string // with the number of captures and of the page
		header       string
		trips        int64 // at most
	}{
		{"a TimeGate", "/web/http://page.example/%d/%d", "Accept-Datetime: Thu, 11 Jan 2001 00:30:00 GMT", 2},
		{"a TimeGate for the newest", "/web/http://page.example/%d/%d", "Accept: */*", 2},
		{"a raw memento", "/web/20010101020000id_/http://page.example/%d/%d", "Accept: */*", 2},
		{"a rewritten memento", "/web/20010101020000mp_/http://page.example/%d/%d", "Accept: */*", 2},
		{"a memento with its banner", "/web/20010101020000/http://page.example/%d/%d", "Accept: text/html", 5},
		{"a few lines of CDX", "/web/cdx?url=http://page.example/%d/%d&limit=10", "Accept: */*", 2},
		{"all lines of CDX", "/web/cdx?url=http://page.example/%d/%d", "Accept: */*", 2},
		{"lines of CDX around a datetime", "/web/cdx?url=http://page.example/%d/%d&closest=20010101020000&limit=10", "Accept: */*", 2},
		{"the last lines of CDX", "/web/cdx?url=http://page.example/%d/%d&limit=-10", "Accept: */*", 2},
	}
	links, servers := make([]*database.Link, len(questions)), make([]*server, len(questions))
	for i := range questions {
		var behind string
		links[i], behind = database.NewLink(t, url, 2*time.Millisecond)
		servers[i] = start(t, "serve", "--index", behind, "--no-search") // knows nothing yet
		for page := range pages {                                        // but the site, and there are connections
			servers[i].get(t, fmt.Sprintf("/web/20010101020000id_/http://page.example/19/%d", page))
		}
	}
	sideBySide(len(questions), 5, func(_, i int) { // they wait for their servers to be quiet
		c := questions[i]
		for _, n := range sizes {
			if c.what == "all lines of CDX" && n == 4000 { // they are streamed, page by page
				continue
			}
			least := int64(1000)
			for page := range pages {
				before, err := settled(links[i])
				if err != nil {
					t.Error(err)
					return
				}
				a, err := servers[i].try(http.MethodGet, fmt.Sprintf(c.target, n, page), "", c.header)
				if err != nil || a.status >= 400 {
					t.Errorf("%s: %v, %+v", c.what, err, a)
					return
				}
				least = min(least, links[i].Trips()-before)
			}
			if t.Logf("%s of %d captures: %d round trips", c.what, n, least); least > c.trips {
				t.Errorf("%s of %d captures: %d round trips, want %d at most", c.what, n, least, c.trips)
			}
		}
	})
}
