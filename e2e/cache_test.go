package e2e

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// nginxConfig caches what the answers allow and for as long as they allow it. It adds no lifetime of its own and no key
// besides the address.
const nginxConfig = `daemon off;
worker_processes 1;
pid %[1]s/pid;
error_log stderr;
events {}
http {
	access_log off;
	client_body_temp_path %[1]s/body;
	proxy_temp_path %[1]s/proxy;
	fastcgi_temp_path %[1]s/fastcgi;
	uwsgi_temp_path %[1]s/uwsgi;
	scgi_temp_path %[1]s/scgi;
	proxy_cache_path %[1]s/cache keys_zone=held:1m;
	server {
		listen %[2]s;
		location / {
			proxy_pass %[3]s;
			proxy_http_version 1.1;
			proxy_cache held;
			proxy_cache_revalidate on;
			add_header X-Cache $upstream_cache_status always;
		}
	}
}
`

// behindNginx serves the sample archive through a caching proxy. direct is varve itself, under the same public address.
func behindNginx(t *testing.T) (cached, direct *server) {
	t.Helper()
	nginx, err := exec.LookPath("nginx")
	if err != nil {
		t.Skip("nginx is not installed: make test does so")
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	direct = start(t, "demo", "--public-url", "http://"+address)
	dir := t.TempDir()
	config, text := filepath.Join(dir, "nginx.conf"), fmt.Appendf(nil, nginxConfig, dir, address, direct.url)
	if os.Getuid() == 0 { // else its worker is another user, who may not write here
		text = append([]byte("user root;\n"), text...)
	}
	put(t, config, text)
	cmd := exec.Command(nginx, "-p", dir, "-e", "stderr", "-c", config)
	log := &output{}
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("%.2000s", log)
		}
	})
	cached = &server{url: "http://" + address}
	eventually(t, "nginx listens", func() bool {
		_, err := cached.try(http.MethodGet, "/-/healthz", "")
		return err == nil
	})
	return cached, direct
}

// holding says whether the cache itself answers the second request.
type holding int

const (
	never  holding = iota
	held           // each reader's
	either         // one reader's at a time: nginx keeps the variants of one Vary, and theirs differ
)

// Issue 20.2: a cache in front of varve holds mementos, and never gives one reader what was made for another. Each
// reader asks twice, with the others in between.
func TestCacheInFront(t *testing.T) {
	cached, direct := behindNginx(t)
	const page = "http://www.riverbend.example/history.html"
	const memento, raw = "/web/20161001092236/" + page, "/web/20161001092236id_/" + page
	english, german := "Accept-Language: en", "Accept-Language: de"
	html, json := "Accept: text/html", "Accept: application/json"
	tests := []struct {
		name, target string
		hold         holding
		readers      [][]string
	}{
		{"two languages", memento, held, [][]string{{html, english}, {html, german}}},
		{"banner on and off", memento, either, [][]string{
			{english}, {english, "Prefer: rewritten"}, {english, "Prefer: banner-only"}, {english, "Prefer: raw"},
		}},
		{"a page and a script's request for it", memento, either, [][]string{
			{english, "Sec-Fetch-Dest: document"}, {english, "Sec-Fetch-Dest: empty"},
		}},
		{"compressed and not", "/web/20160801092036/" + page, held, [][]string{
			{english, "Accept-Encoding: gzip"}, {english, "Accept-Encoding: zstd"}, {english, "Accept-Encoding: identity"},
		}},
		{"archived bytes, with their coding and without", raw, held, [][]string{{"Accept-Encoding: gzip"}, {"Accept-Encoding: identity"}, {}}},
		{"two datetimes", "/web/" + page, never, [][]string{
			{"Accept-Datetime: Sat, 15 Oct 2016 12:00:00 GMT"}, {"Accept-Datetime: Thu, 01 May 2008 12:00:00 GMT"}, {},
		}},
		{"HTML and JSON of what changed", "/web/diff/2012/2016/" + page, never, [][]string{{html, english}, {html, german}, {json}}},
		{"HTML and JSON of a search", "/web/search?q=river", never, [][]string{{html, english}, {html, german}, {json}}},
		{"a missing page in three forms", "/web/http://nowhere.example/", never, [][]string{
			{html, english}, {html, german}, {json}, {"Accept: */*"},
		}},
	}
	t.Run("validators and ranges", func(t *testing.T) { validators(t, cached, direct) })
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var want []*answer
			for _, reader := range tt.readers {
				want = append(want, direct.get(t, tt.target, reader...))
			}
			for round := range 2 {
				for i, reader := range tt.readers {
					got := cached.get(t, tt.target, reader...)
					if got.status != want[i].status || unpacked(t, got) != unpacked(t, want[i]) {
						t.Errorf("round %d, %v (%s): %d, another answer than varve's own", round, reader, got.header.Get("X-Cache"), got.status)
					}
					for _, name := range []string{"Content-Type", "Content-Encoding", "Location", "Memento-Datetime", "Preference-Applied"} {
						if got.header.Get(name) != want[i].header.Get(name) {
							t.Errorf("round %d, %v (%s): %s is %q, varve's own %q", round, reader, got.header.Get("X-Cache"), name,
								got.header.Get(name), want[i].header.Get(name))
						}
					}
					if hit := got.header.Get("X-Cache") == "HIT"; tt.hold != either && hit != (tt.hold == held && round > 0) {
						t.Errorf("round %d, %v: the cache says %s, Cache-Control %q, Vary %q", round, reader,
							got.header.Get("X-Cache"), got.header.Get("Cache-Control"), got.header.Get("Vary"))
					}
				}
			}
		})
	}
}

// validators checks that behind a cache readers still get 304 for what they have, and ranges of archived bytes.
func validators(t *testing.T, cached, direct *server) {
	const page = "http://www.riverbend.example/history.html"
	for _, target := range []string{"/web/20150901091436/" + page, "/web/20150901091436id_/" + page} {
		for _, coding := range []string{"gzip", "zstd", "identity"} {
			reader := []string{"Accept-Language: en", "Accept-Encoding: " + coding}
			want := direct.get(t, target, reader...).expect(t, 200)
			for range 2 {
				got := cached.get(t, target, reader...).expect(t, 200)
				tag := got.header.Get("ETag")
				if tag == "" || tag != want.header.Get("ETag") {
					t.Errorf("%s, %s: ETag %q, varve's own %q", target, coding, tag, want.header.Get("ETag"))
				}
				cached.get(t, target, append(reader, "If-None-Match: "+tag)...).expect(t, 304)
				cached.get(t, target, append(reader, `If-None-Match: "other"`)...).expect(t, 200)
			}
		}
	}
	const raw = "/web/20080301091927id_/" + page
	whole := direct.get(t, raw, "Accept-Encoding: identity").expect(t, 200).body
	for range 2 {
		part := cached.get(t, raw, "Accept-Encoding: identity", "Range: bytes=10-99").expect(t, 206, "Content-Encoding:")
		if part.body != whole[10:100] {
			t.Errorf("a range is %q, want %q", part.body, whole[10:100])
		}
	}
}
