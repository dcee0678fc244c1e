package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// objects is a server of object storage with one bucket, "crawls".
type objects struct {
	t       *testing.T
	backend *s3mem.Backend
	url     string
}

func newObjects(t *testing.T) *objects {
	t.Setenv("AWS_ACCESS_KEY_ID", "someone") // the programs that a test starts have them too
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	o := &objects{t: t, backend: s3mem.New()}
	if err := o.backend.CreateBucket("crawls"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(o.backend).Server())
	t.Cleanup(server.Close)
	o.url = server.URL
	return o
}

func (o *objects) put(name string, content []byte) {
	o.t.Helper()
	head := map[string]string{"Last-Modified": time.Now().UTC().Format(http.TimeFormat)}
	if _, err := o.backend.PutObject("crawls", name, head, bytes.NewReader(content), int64(len(content)), nil); err != nil {
		o.t.Fatal(err)
	}
}

func (o *objects) remove(name string) {
	o.t.Helper()
	if _, err := o.backend.DeleteObject("crawls", name); err != nil {
		o.t.Fatal(err)
	}
}

// WARCs in a bucket are indexed and replayed where they lie; nothing is copied but ranges, into the cache. What was removed
// or replaced is a 503 that names the other captures.
func TestWARCsInObjectStorage(t *testing.T) {
	o := newObjects(t)
	page := func(year int) string { return fmt.Sprintf("<title>Page</title><p>As it was in %d.", year) }
	for year := 2010; year < 2013; year++ {
		a := (&archive{}).page("http://page.example/", fmt.Sprint(year, "0101000000"), page(year))
		o.put(fmt.Sprintf("%d/a-%d.warc.gz", year, year), a.bytes())
	}
	o.put("2010/readme.txt", []byte("no WARC"))
	data, cache := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "cache")
	flags := []string{"--data", data, "--s3-endpoint", o.url, "--cache-dir", cache}
	args := append([]string{"index", "s3://crawls/2010", "s3://crawls/201[1-9]/*.warc.gz"}, flags...)
	out, err := exec.Command(binary, args...).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "indexed 3 captures from 3 files") {
		t.Fatalf("%v\n%s", err, out)
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
	if out, err := exec.Command(binary, append([]string{"check"}, flags...)...).CombinedOutput(); err != nil {
		t.Errorf("check: %v\n%s", err, out)
	}

	o.remove("2011/a-2011.warc.gz")
	o.put("2012/a-2012.warc.gz", []byte("something else"))
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
