package crawl_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/gather/crawl"
	"github.com/varve-archive/varve/gather/robots"
)

// processes returns those of the browser with a profile in a folder: its tabs, or the browser itself.
func processes(t *testing.T, folder string, tabs bool) (found []int) {
	t.Helper()
	profile := "--user-data-dir=" + filepath.Join(folder, "profile")
	parents, renderers := map[int]int{}, []int{}
	whole := map[int]bool{} // Debian's Chromium is started by a shell script, which waits for it
	list, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range list {
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err != nil {
			t.Fatal(err)
		}
		line, _ := os.ReadFile(filepath.Join(dir, "cmdline")) // it may have ended
		stat, _ := os.ReadFile(filepath.Join(dir, "stat"))
		if _, rest, ok := strings.Cut(string(stat), ") "); ok {
			var state string
			var parent int
			_, _ = fmt.Sscan(rest, &state, &parent)
			parents[pid] = parent
		}
		switch args := string(line); { // those of tabs are written over, with spaces
		case strings.Contains(args, "--type=renderer"):
			renderers = append(renderers, pid)
		case !strings.Contains(args, "--type=") && strings.Contains(args, profile):
			whole[pid] = true
		}
	}
	if !tabs {
		return slices.Collect(maps.Keys(whole))
	}
	for _, pid := range renderers {
		up := pid
		for up > 1 && !whole[up] {
			up = parents[up]
		}
		if whole[up] {
			found = append(found, pid)
		}
	}
	return found
}

// A page under which its tab or the browser crashes is opened once more; if that happens each time, it is kept as it was served.
func TestCrashes(t *testing.T) {
	for name, tt := range map[string]struct {
		tabs    bool
		crashes int
		want    []string
	}{
		"a tab, once":            {true, 1, []string{"/", "/a.png", "/in", "/made"}},
		"the browser, once":      {false, 1, []string{"/", "/a.png", "/in", "/made"}},
		"a tab, again and again": {true, 100, []string{"/", "/a.png", "/in"}},
	} {
		t.Run(name, func(t *testing.T) {
			scratch := filepath.Join(t.TempDir(), "browser")
			var mu sync.Mutex
			crashes := 0
			s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
				switch r.URL.Path {
				case "/":
					html(w, `<a href=/in>x</a><img src=/a.png><script>document.write("<a href=/made>x</a>")</script>`)
				case "/a.png":
					mu.Lock()
					defer mu.Unlock()
					if crashes < tt.crashes {
						crashes++
						pids := processes(t, scratch, tt.tabs)
						if len(pids) == 0 {
							t.Error("no process to be killed")
						}
						for _, pid := range pids {
							_ = syscall.Kill(pid, syscall.SIGKILL)
						}
					}
					w.Header().Set("Cache-Control", "no-store")
					http.NotFound(w, r)
				default:
					html(w, "")
				}
			})
			set := inBrowser(t, s)
			set.Threads = 1
			r := runOn(t, t.Context(), kvtest.NewMemory(), t.TempDir(), set, func(c *crawl.Crawl) { c.Scratch(scratch) })
			if diff := cmp.Diff(tt.want, r.got); diff != "" {
				t.Errorf("written (-want +got)\n%s", diff)
			}
			if pids := processes(t, scratch, false); len(pids) > 0 {
				t.Errorf("browsers that are left: %v", pids)
			}
			if _, err := os.Stat(scratch); err == nil {
				t.Error("the folder of the browser is left")
			}
		})
	}
}

// Nothing reaches what is private: not by an element, a script, a redirect, a name, a window, a frame, a worker or a socket.
func TestBrowserAsksNothingPrivate(t *testing.T) {
	hidden := accepting(t, "127.0.0.2:0") // Linux has it without being told to
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		there := "http://" + hidden.addr
		switch r.URL.Path {
		case "/":
			html(w, `<img src=%[1]s/img><iframe src=%[1]s/frame></iframe><link rel=preconnect href=%[1]s><link rel=dns-prefetch href=%[1]s>
				<link rel=prefetch href=%[1]s/prefetch><link rel=stylesheet href=/to><a href=%[1]s/linked ping=%[1]s/ping>x</a>
				<script type=speculationrules>{"prefetch": [{"urls": ["%[1]s/rules"]}]}</script>
				<script>
					fetch("%[1]s/fetch", {mode: "no-cors"}); fetch("%[1]s/post", {method: "POST", mode: "no-cors", body: "x"});
					fetch("/to?fetch"); navigator.sendBeacon("%[1]s/beacon", "x"); new WebSocket("ws://%[2]s/socket"); new EventSource("%[1]s/events");
					new Worker(URL.createObjectURL(new Blob(["fetch('%[1]s/worker', {mode: 'no-cors'})"])));
					window.open("%[1]s/window"); document.body.append(Object.assign(document.createElement("iframe"), {src: "/to?frame"}));
					const p = new RTCPeerConnection({iceServers: [{urls: "stun:%[2]s"}]}); p.createDataChannel("x");
					p.createOffer().then(o => p.setLocalDescription(o));
					document.querySelector("a").click();
					setTimeout(() => { location = "%[1]s/location" }, 300);
				</script>`, there, hidden.addr)
		case "/to":
			http.Redirect(w, r, there+"/redirected?"+r.URL.RawQuery, http.StatusFound)
		default:
			http.NotFound(w, r)
		}
	})
	set := inBrowser(t, s)
	set.AllowPrivate, set.Scope, set.Robots = false, crawl.ScopeAny, robots.Ignore
	set.Seeds = append(set.Seeds, "http://"+hidden.addr+"/")
	set.Actions = steps(t, "[{click: a, optional: true}, {wait: 500ms}]")
	crawling := func(public func(netip.Addr) bool) result {
		return runOn(t, t.Context(), kvtest.NewMemory(), t.TempDir(), set, func(c *crawl.Crawl) { c.Public(public) })
	}
	r := crawling(func(a netip.Addr) bool { return a == netip.MustParseAddr("127.0.0.1") })
	if n := hidden.taken(); n != 0 {
		t.Errorf("%d connections", n)
	}
	if r.State != crawl.Completed || r.Skipped["private"] < 10 || r.Pages != 1 {
		t.Errorf("%+v", r.Report)
	}
	set.Walltime = 5 * time.Second
	if crawling(netip.Addr.IsValid); hidden.taken() < 10 { // else the page doesn't try
		t.Errorf("%d connections, where all are allowed", hidden.taken())
	}
}
