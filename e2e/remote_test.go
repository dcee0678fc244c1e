package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/database"
	"github.com/varve-archive/varve/internal/testkit/s3test"
)

// WARCs in a bucket are indexed and replayed where they lie; nothing is copied but ranges, into the cache. What was removed
// or replaced is a 503 that names the other captures.
func TestWARCsInObjectStorage(t *testing.T) {
	s3test.OnEach(t, func(t *testing.T, o *s3test.Server) {
		o.Make("crawls")
		page := func(year int) string { return fmt.Sprintf("<title>Page</title><p>As it was in %d.", year) }
		for year := 2010; year < 2013; year++ {
			a := (&archive{}).page("http://page.example/", fmt.Sprint(year, "0101000000"), page(year))
			o.Put("crawls", fmt.Sprintf("%d/a-%d.warc.gz", year, year), a.bytes())
		}
		o.Put("crawls", "2010/readme.txt", []byte("no WARC"))
		data, cache := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "cache")
		flags := []string{"--data", data, "--s3-endpoint", o.URL, "--cache-dir", cache}
		said := varve(t, append([]string{"index", "s3://crawls/2010", "s3://crawls/201[1-9]/*.warc.gz"}, flags...)...)
		if !strings.Contains(said, "indexed 3 captures from 3 files") {
			t.Fatal(said)
		}
		s := start(t, append([]string{"serve", "s3://crawls"}, flags[2:]...)...)
		raw := func(year int) *answer {
			return s.get(t, fmt.Sprintf("/web/%d0101000000id_/http://page.example/", year))
		}
		for year := 2010; year < 2013; year++ {
			if a := raw(year); a.status != 200 || a.body != page(year) {
				t.Errorf("%d: %d %s", year, a.status, a.body)
			}
		}
		if kept, err := os.ReadDir(cache); err != nil || len(kept) == 0 {
			t.Errorf("nothing was kept in the cache: %v", err)
		}
		varve(t, append([]string{"check"}, flags...)...)

		o.Remove("crawls", "2011/a-2011.warc.gz")
		o.Put("crawls", "2012/a-2012.warc.gz", []byte("something else"))
		for _, year := range []int{2011, 2012} {
			eventually(t, "the server notices", func() bool { return raw(year).status == 503 })
			a := s.get(t, fmt.Sprintf("/web/%d0101000000/http://page.example/", year), "Accept: text/html")
			if a.status != 503 || !strings.Contains(a.body, "20100101000000") {
				t.Errorf("%d: %d, other captures are not named\n%s", year, a.status, a.body)
			}
		}
		if a := raw(2010); a.status != 200 {
			t.Errorf("what is there: %d", a.status)
		}
	})
}

// Names in buckets may have nearly any character.
func TestOddNamesInObjectStorage(t *testing.T) {
	s3test.OnEach(t, func(t *testing.T, o *s3test.Server) {
		o.Make("crawls")
		names := []string{
			"a b.warc.gz", "100%.warc.gz", "%41.warc.gz", "a+b.warc.gz", "é 日本.warc.gz", "a#b?c=d&e.warc.gz", "...a.warc.gz", "a'b\"c;d=e,f.warc.gz",
			"2010 [x]/a.warc.gz", "(~)!*/$@:.warc.gz",
		}
		for i, name := range names {
			a := (&archive{}).page(fmt.Sprintf("http://page%d.example/", i), "20100101000000", name)
			o.Put("crawls", "odd/"+name, a.bytes())
		}
		s := start(t, "serve", "--no-search", "--s3-endpoint", o.URL, "s3://crawls/odd")
		for i, name := range names {
			if a := s.get(t, fmt.Sprintf("/web/20100101000000id_/http://page%d.example/", i)); a.status != 200 || a.body != name {
				t.Errorf("%s: %d %.200s", name, a.status, a.body)
			}
		}
	})
}

// Processes on several machines share what is in a bucket: each file is read once, by one of them.
func TestProcessesShareABucket(t *testing.T) {
	o := s3test.MinIO(t).Make("crawls")
	const files = 12
	for i := range files {
		a := &archive{}
		for j := range 100 {
			a.page(fmt.Sprintf("http://site%d.example/%d", i, j), "20100101000000", fmt.Sprintf("<p>Page %d of %d", j, i))
		}
		o.Put("crawls", fmt.Sprintf("deep/%02d.warc.gz", i), a.bytes())
	}
	url := database.Start(t).Database()
	var both sync.WaitGroup
	for n := range 2 {
		both.Go(func() {
			out, err := exec.Command(binary, "index", "--index", url, "--data", filepath.Join(t.TempDir(), fmt.Sprint(n)), "--s3-endpoint", o.URL,
				"s3://crawls").CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	both.Wait()
	lines := strings.Split(strings.TrimSpace(varve(t, "cdx", "--index", url)), "\n")
	slices.Sort(lines)
	if all := len(lines); all != files*100 || len(slices.Compact(lines)) != all {
		t.Errorf("%d captures, want %d, each once", all, files*100)
	}
}

// While a storage is away answers are 503 or what they always are, and it is as if nothing had been when it is back.
func TestObjectStorageThatGoesAway(t *testing.T) {
	o := s3test.MinIO(t).Make("crawls")
	const pages = 40
	a := &archive{}
	body := func(i int) string { return fmt.Sprintf("<p>Page %d", i) }
	for i := range pages {
		a.page(fmt.Sprintf("http://page%d.example/", i), "20100101000000", body(i))
	}
	o.Put("crawls", "a.warc.gz", a.bytes())
	s := start(t, "serve", "--no-search", "--s3-endpoint", o.URL, "s3://crawls")
	ask := func(i int) *answer { return s.get(t, fmt.Sprintf("/web/20100101000000id_/http://page%d.example/", i)) }
	o.Kill()
	stop := make(chan struct{})
	var asking sync.WaitGroup
	var refused atomic.Int64
	for n := range 4 {
		asking.Go(func() {
			for i := n; ; i = (i + 4) % pages {
				select {
				case <-stop:
					return
				default:
				}
				switch a := ask(i); {
				case a.status == 503:
					refused.Add(1)
				case a.status != 200 || a.body != body(i):
					t.Errorf("page %d: %d %.100s", i, a.status, a.body)
				}
			}
		})
	}
	eventually(t, "answers are refused", func() bool { return refused.Load() > 0 })
	if a := s.get(t, "/-/healthz"); a.status != 200 {
		t.Errorf("the process is well: %d", a.status)
	}
	o.Run()
	eventually(t, "all is there again", func() bool {
		for i := range pages {
			if ask(i).status != 200 {
				return false
			}
		}
		return true
	})
	close(stop)
	asking.Wait()
}

// Whoever may not read is told so, and nothing is taken for gone.
func TestObjectStorageWithoutRights(t *testing.T) {
	o := s3test.MinIO(t).Make("crawls")
	o.Put("crawls", "a.warc.gz", (&archive{}).page("http://page.example/", "20100101000000", "here").bytes())
	data := filepath.Join(t.TempDir(), "data")
	flags := []string{"--data", data, "--s3-endpoint", o.URL}
	varve(t, append([]string{"index", "s3://crawls"}, flags...)...)
	refused(t, `no bucket "nowhere"`, append([]string{"index", "s3://nowhere/a"}, flags...)...)
	o.Be(s3test.User, "another-secret", "")
	refused(t, "AWS_SECRET_ACCESS_KEY", append([]string{"index", "s3://crawls"}, flags...)...)
	refused(t, "AWS_SECRET_ACCESS_KEY", append([]string{"index", "s3://crawls/a.warc.gz"}, flags...)...)
	o.BeLimited(`{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":["s3:GetObject","s3:ListBucket"],` +
		`"Resource":["arn:aws:s3:::*"]}]}`)
	varve(t, append([]string{"index", "s3://crawls"}, flags...)...) // reading is all it takes
	refused(t, "the rights of this user", append([]string{"backup", "s3://crawls/backups"}, flags...)...)
	refused(t, "the rights of this user", append([]string{"export", "--output", "s3://crawls/out.warc.gz"}, flags...)...)
	o.Be(s3test.User, s3test.Secret, "")
	if out := varve(t, append([]string{"cdx"}, flags...)...); strings.Count(out, "\n") != 1 {
		t.Errorf("indexed is %q", out)
	}
	if keys := o.Keys("crawls", ""); len(keys) != 1 {
		t.Errorf("there is %q", keys)
	}
}

// A WACZ on a web server is read by ranges.
func TestWARCsOnAWebServer(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "a.warc.gz"), (&archive{}).page("http://page.example/", "20100101000000", "from the web").bytes())
	ranges := 0
	files := http.FileServer(http.Dir(dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Range") == "" {
			t.Errorf("%s %s asks for all of it", r.Method, r.URL)
		}
		ranges++
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	s := start(t, "serve", server.URL+"/a.warc.gz", "--no-search")
	if a := s.get(t, "/web/20100101000000id_/http://page.example/"); a.status != 200 || a.body != "from the web" || ranges == 0 {
		t.Errorf("%d %s, %d ranges", a.status, a.body, ranges)
	}
}
