package crawl_test

import (
	"bytes"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/cdx/index/storetest"
	"github.com/varve-archive/varve/crawl"
)

// processes returns those of the browser with a profile in a folder; tabs alone, or the browser itself.
func processes(t *testing.T, folder string, tabs bool) (found []int) {
	t.Helper()
	list, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range list {
		line, _ := os.ReadFile(file) // it may have ended
		args := bytes.Split(line, []byte{0})
		has := func(arg string) bool {
			return slices.ContainsFunc(args, func(a []byte) bool { return string(a) == arg })
		}
		tab := slices.ContainsFunc(args, func(a []byte) bool { return bytes.HasPrefix(a, []byte("--type=")) })
		if has("--user-data-dir="+filepath.Join(folder, "profile")) && (tabs && has("--type=renderer") || !tabs && !tab) {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			if err != nil {
				t.Fatal(err)
			}
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
			r := runOn(t, t.Context(), storetest.NewMemory(), t.TempDir(), set, func(c *crawl.Crawl) { c.Scratch(scratch) })
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
					const p = new RTCPeerConnection({iceServers: [{urls: "stun:%[2]s"}]}); p.createDataChannel("x"); p.createOffer().then(o => p.setLocalDescription(o));
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
	set.AllowPrivate, set.Scope, set.Robots = false, crawl.ScopeAny, crawl.RobotsIgnore
	set.Seeds = append(set.Seeds, "http://"+hidden.addr+"/")
	set.Actions = steps(t, "[{click: a, optional: true}, {wait: 500ms}]")
	loopback := func(a netip.Addr) bool { return a == netip.MustParseAddr("127.0.0.1") }
	r := runOn(t, t.Context(), storetest.NewMemory(), t.TempDir(), set, func(c *crawl.Crawl) { c.Public(loopback) })
	if n := hidden.taken(); n != 0 {
		t.Errorf("%d connections", n)
	}
	if r.State != crawl.Completed || r.Skipped["private"] < 10 || r.Pages != 1 {
		t.Errorf("%+v", r.Report)
	}
	t.Logf("%+v", r.Skipped)
}
