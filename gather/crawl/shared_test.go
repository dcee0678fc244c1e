package crawl_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/gather/crawl"
	"github.com/varve-archive/varve/gather/crawl/frontier/redis"
	"github.com/varve-archive/varve/internal/testkit/redistest"
)

// A crawl in the browser whose frontier is in Redis gets what one alone gets: also a stream without end, which holds nothing up.
func TestBrowserOnASharedFrontier(t *testing.T) {
	ended := make(chan struct{})
	defer close(ended)
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			html(w, `<a href=/in>x</a><img src=/a.png><script>new EventSource("/stream"); fetch("/say", {method: "POST", body: "a=1&token=x",
				headers: {"Content-Type": "application/x-www-form-urlencoded"}})</script>`)
		case "/stream":
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write([]byte("data: one\n\n"))
			w.(http.Flusher).Flush()
			select {
			case <-r.Context().Done():
			case <-ended:
			}
		default:
			html(w, "")
		}
	})
	set := inBrowser(t, s)
	set.Walltime = 5 * time.Minute
	if err := set.Check(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	folder, err := crawl.FolderID(dir)
	if err != nil {
		t.Fatal(err)
	}
	front, err := redis.Open(t.Context(), redis.Config{URL: redistest.Start(t).URL(), Name: "test", Folder: folder, Handing: set.Frontier()})
	if err != nil {
		t.Fatal(err)
	}
	defer front.Close()
	c, err := crawl.New(t.Context(), crawl.Config{
		Settings: set, Frontier: front, Dir: dir, Software: "varve/test", Agent: "varve/test",
		Mark: front.Mark(), Shared: true, PageTime: 6 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Run(t.Context())
	if err != nil || r.State != crawl.Completed || r.Limit != "" {
		t.Errorf("%+v, %v", r, err)
	}
	if diff := cmp.Diff([]string{"/", "/a.png", "/in", "/say", "/stream"}, written(t, dir)); diff != "" {
		t.Errorf("written (-want +got)\n%s", diff)
	}
}
