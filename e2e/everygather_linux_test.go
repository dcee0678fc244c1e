package e2e

import (
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A gathers is what commands that gather have in front of them when their disk fills.
type gathers struct {
	site           *crawledSite
	archive        *server // which has mementos to fetch
	crawl, sources string  // files for varve crawl and varve follow
}

func (g gathers) writings() map[string]writing {
	data := []string{"--data", "{}/data"}
	command := func(args ...string) []string { return slices.Concat(args, data) }
	return map[string]writing{
		"crawl":  {args: command("crawl", g.crawl), result: gathered},
		"follow": {args: command("follow", "--once", g.sources), result: gathered},
		"fetch": {
			args:   command("fetch", "--delay", "0s", "--allow-private", g.archive.url+"/web/timemap/link/http://full.example/a1"),
			result: gathered,
		},
		"record": {
			args:   command("record", "--allow-private", "--listen", "127.0.0.1:0"),
			serves: true, asked: g.browse, result: gathered,
		},
		"uploads": {
			args:   command("serve", "--no-search", "--listen", "127.0.0.1:0"),
			serves: true, asked: handIn, result: gathered,
		},
	}
}

// browse asks for some pages through a recorder.
func (g gathers) browse(t *testing.T, through string) {
	t.Helper()
	proxy, err := url.Parse(through)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy)}, Timeout: patience}
	defer browser.CloseIdleConnections()
	for i := range 4 {
		resp, err := browser.Get(fmt.Sprintf("%s/%d", g.site.URL, i))
		if err != nil {
			continue // the recorder may have ended
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
}

// handIn hands in some files, and waits for the end of each.
func handIn(t *testing.T, at string) {
	t.Helper()
	s := &server{url: at}
	for i := range 3 {
		page := somePage(fmt.Sprintf("http://new.example/%d", i)).bytes()
		a, err := s.try("POST", fmt.Sprintf("/-/uploads?name=%d.warc.gz", i), string(page))
		if err != nil || a.status != http.StatusAccepted {
			continue // as without room
		}
		for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			if a, err := s.try("GET", a.header.Get("Location"), ""); err != nil || strings.Contains(a.body, `"done":true`) {
				break
			}
		}
	}
}

// gathered lists what is in the index, each address once, as live answers have other datetimes each time. No file is damaged.
func gathered(t *testing.T, d *fillingDisk) string {
	t.Helper()
	data := filepath.Join(d.dir, "data")
	lines, stderr, code := invoke(t, "cdx", "--data", data)
	if code != 0 {
		t.Errorf("cdx: %d: %s", code, stderr)
	}
	if _, stderr, code := invoke(t, "check", "--data", data); code != 0 {
		t.Errorf("check: %d: %s", code, stderr)
	}
	var keys []string
	for line := range strings.Lines(lines) {
		key, _, _ := strings.Cut(line, " ")
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return strings.Join(slices.Compact(keys), "\n")
}

// aBackup is a place with a backup of two files.
func aBackup(t *testing.T) []string {
	t.Helper()
	data, kept := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "kept")
	for _, args := range [][]string{append([]string{"index", "--data", data}, someFiles(t)...), {"backup", "--data", data, kept}} {
		if _, stderr, code := invoke(t, args...); code != 0 {
			t.Fatalf("%v: %d: %s", args, code, stderr)
		}
	}
	return []string{kept}
}

// restored is what the backup on a disk restores.
func restored(t *testing.T, d *fillingDisk) string {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	if _, stderr, code := invoke(t, "restore", "--data", data, filepath.Join(d.dir, "kept")); code != 0 {
		t.Errorf("restore: %d: %s", code, stderr)
	}
	lines, _, _ := invoke(t, "cdx", "--data", data)
	return strings.ReplaceAll(lines, d.dir, "")
}

// exported is what an exported file says.
func exported(format string) func(t *testing.T, d *fillingDisk) string {
	return func(t *testing.T, d *fillingDisk) string {
		t.Helper()
		path := filepath.Join(d.dir, "out")
		if format == "cdxj" || format == "jsonl" {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Error(err)
			}
			return strings.ReplaceAll(string(b), d.dir, "")
		}
		named := filepath.Join(t.TempDir(), "out."+format)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		}
		put(t, named, b)
		data := filepath.Join(t.TempDir(), "data")
		if _, stderr, code := invoke(t, "index", "--data", data, named); code != 0 {
			t.Errorf("index: %d: %s", code, stderr)
		}
		lines, _, _ := invoke(t, "cdx", "--data", data)
		var keys []string
		for line := range strings.Lines(lines) {
			keys = append(keys, strings.Join(strings.Fields(line)[:2], " "))
		}
		return strings.Join(keys, "\n")
	}
}

// sourcesOf is a file for varve follow with a feed of a site's pages.
func sourcesOf(t *testing.T, site *crawledSite) string {
	t.Helper()
	feed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/rss+xml")
		fmt.Fprint(w, `<rss version="2.0"><channel><title>News</title>`)
		for i := range 4 {
			fmt.Fprintf(w, "<item><guid>%d</guid><link>%s/%d</link></item>", i, site.URL, i)
		}
		fmt.Fprint(w, "</channel></rss>")
	}))
	t.Cleanup(feed.Close)
	path := filepath.Join(t.TempDir(), "news.yaml")
	put(t, path, []byte("collection: web\nallow_private: true\ndelay: 0s\nsources:\n  - {feed: '"+feed.URL+"/feed'}\n"))
	return path
}

// pictured lists the pictures on a disk.
func pictured(t *testing.T, d *fillingDisk) string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(filepath.Join(d.dir, "data", "pictures"), func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			all = append(all, strings.TrimPrefix(path, d.dir))
		}
		return err
	})
	if err != nil || len(all) == 0 {
		t.Errorf("no picture was made: %v", err)
	}
	return strings.Join(all, "\n")
}
