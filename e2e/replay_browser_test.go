package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/varve-archive/varve/internal/testkit/chromium"
)

// A stage is a browser in front of a varve whose requests are all recorded. Requests to varve pass a proxy that
// records them. All others, to any host, end in a trap.
type stage struct {
	url string // of varve as seen by the browser
	ctx context.Context
	*requests
}

// requests are those of one browser, whatever the tab.
type requests struct {
	mu        sync.Mutex
	asked     []string // request targets that reached varve
	leaks     []string // first lines of requests that went elsewhere
	byBrowser []string // leaks that the browser causes by itself
}

// browse starts a browser in front of a server. flags are Chromium's, see [chromium.Page]; in them FRONT is the address of the proxy that
// records, TRAP that of the trap.
func browse(t *testing.T, s *server, flags ...string) *stage {
	t.Helper()
	return s.stage(t, chromium.Page, flags)
}

// browseAsReaders is like browse, with the browser that readers have in the long form of the tests.
func browseAsReaders(t *testing.T, s *server, flags ...string) *stage {
	t.Helper()
	return s.stage(t, chromium.Readers, flags)
}

// browseWhole is like browse, with the browser that readers have.
func browseWhole(t *testing.T, s *server, flags ...string) *stage {
	t.Helper()
	return s.stage(t, chromium.Whole, flags)
}

func (s *server) stage(t *testing.T, open func(testing.TB, ...string) context.Context, flags []string) *stage {
	t.Helper()
	g := &stage{requests: &requests{}}
	front := httptest.NewServer(g.front(s.url))
	t.Cleanup(front.Close)
	g.url = front.URL
	trap, there := g.trap(t), strings.TrimPrefix(g.url, "http://")
	flags = append([]string{
		"no-pings=false", "disable-popup-blocking", "proxy-server=" + trap, "proxy-bypass-list=<-loopback>;" + there,
	}, flags...)
	for i, f := range flags {
		flags[i] = strings.NewReplacer("FRONT", there, "TRAP", strings.TrimPrefix(trap, "http://")).Replace(f)
	}
	g.ctx = open(t, flags...)
	return g
}

// front forwards requests to varve, byte for byte, and records them.
func (g *stage) front(to string) http.Handler {
	host := strings.TrimPrefix(to, "http://")
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			g.mu.Lock()
			g.asked = append(g.asked, r.In.RequestURI)
			g.mu.Unlock()
			r.Out.URL = &url.URL{Scheme: "http", Host: host, Opaque: r.In.RequestURI}
			r.Out.Host = r.In.Host
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	}
}

// browserHosts are the hosts that browsers contact by itself, whatever page it shows.
var browserHosts = []string{
	"googleapis.com", "google.com", "gstatic.com", "gvt1.com", "googleusercontent.com",
	"mozilla.com", "mozilla.net",
}

// trap listens as a proxy and answers nothing. It returns its address.
func (g *stage) trap(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go g.caught(conn)
		}
	}()
	return "http://" + l.Addr().String()
}

func (g *stage) caught(conn net.Conn) {
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(2 * time.Second))
	line, _ := bufio.NewReader(io.LimitReader(conn, 4096)).ReadString('\n')
	_, target, _ := strings.Cut(strings.TrimSpace(line), " ")
	target, _, _ = strings.Cut(target, " ")
	if target == "" { // a speculative connection
		return
	}
	host := strings.TrimPrefix(strings.TrimPrefix(target, "http://"), "https://")
	host, _, _ = strings.Cut(host, "/")
	host, _, _ = strings.Cut(host, ":")
	if !slices.ContainsFunc(browserHosts, func(h string) bool { return host == h || strings.HasSuffix(host, "."+h) }) {
		g.mu.Lock()
		g.leaks = append(g.leaks, strings.TrimSpace(line))
		g.mu.Unlock()
	} else {
		g.mu.Lock()
		g.byBrowser = append(g.byBrowser, strings.TrimSpace(line))
		g.mu.Unlock()
	}
	_, _ = io.WriteString(conn, "HTTP/1.1 502 trap\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
}

// seen returns the requests since its last call: those to varve, and those to others.
func (g *stage) seen() (asked, leaks []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	asked, leaks, g.asked, g.leaks = g.asked, g.leaks, nil, nil
	return asked, leaks
}

// contained reports requests that left varve, or that left the collection for anything other than static files. It returns
// those to varve.
func (g *stage) contained(t *testing.T) (asked []string) {
	t.Helper()
	asked, leaks := g.seen()
	for _, l := range leaks {
		t.Errorf("left for the live web: %s", l)
	}
	for _, a := range asked {
		if !strings.HasPrefix(a, "/web/") && !strings.HasPrefix(a, "/-/static/") && a != "/favicon.ico" {
			t.Errorf("left the collection: %s", a)
		}
	}
	return asked
}

// open navigates to a target of varve and waits until the page is quiet.
func (g *stage) open(t *testing.T, target string) {
	t.Helper()
	g.navigate(t, g.url+target)
	g.settle()
}

// navigate goes to an address, of varve or not.
func (g *stage) navigate(t *testing.T, address string) {
	t.Helper()
	if err := g.goes(address); err != nil {
		t.Fatal(err)
	}
}

// settle waits until no request has arrived for a while, but not for ever.
func (g *stage) settle() { g.quiet(200*time.Millisecond, 5*time.Second) }

// quiet waits until no request has arrived for a time, and for most at the longest.
func (g *stage) quiet(quiet, most time.Duration) {
	count := func() int { g.mu.Lock(); defer g.mu.Unlock(); return len(g.asked) + len(g.leaks) }
	for last, since, end := count(), time.Now(),
		time.Now().Add(most); time.Since(since) < quiet && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if n := count(); n != last {
			last, since = n, time.Now()
		}
	}
}

// evaluate runs JavaScript in the page and awaits a promise.
func evaluate[T any](t *testing.T, g *stage, expression string) T {
	t.Helper()
	ctx, stop := context.WithTimeout(g.ctx, patience)
	defer stop()
	got, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%.200s: %v", expression, err)
	}
	return got
}

// until waits for an expression to become true, in this page or in the one that the browser is on its way to. It asks again
// and again from here: a promise would be lost with the page that it was made in.
func (g *stage) until(t *testing.T, expression string) {
	t.Helper()
	ctx, stop := context.WithTimeout(g.ctx, patience)
	defer stop()
	var err error
	for ; ctx.Err() == nil; time.Sleep(20 * time.Millisecond) {
		var got bool
		if got, err = chromedp.Run(ctx, chromedp.Evaluate[bool](`!!(`+expression+`)`)); err == nil && got {
			return
		}
	}
	t.Fatalf("%.200s: not true (%v)", expression, err)
}

// tabs returns more tabs of a stage's browser, in which the same requests are recorded. If they are apart, each has a store of cookies,
// caches and workers of its own. They are tabs of one window: windows take twice the processor's time.
func (g *stage) tabs(t *testing.T, n int, apart bool) []*stage {
	t.Helper()
	opts := []chromedp.ContextOption{chromedp.WithNewWindow(false)}
	if apart {
		opts = append(opts, chromedp.WithNewBrowserContext())
	}
	all := make([]*stage, n)
	for i := range all {
		ctx, stop := chromedp.NewContext(g.ctx, opts...)
		t.Cleanup(stop)
		all[i] = &stage{g.url, ctx, g.requests}
		all[i].focus(t)
		all[i].reset(t)
	}
	return all
}

// sideBySide calls f with each number below n, in as many goroutines as there are workers, and returns when all calls have. A test
// doesn't use t.FailNow in f.
func sideBySide(n, workers int, f func(worker, i int)) {
	var all sync.WaitGroup
	var next atomic.Int64
	for worker := range workers {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(worker, i)
			}
		})
	}
	all.Wait()
}

// goes is like navigate, and returns what is wrong.
func (g *stage) goes(address string) error {
	ctx, stop := context.WithTimeout(g.ctx, patience)
	defer stop()
	if err := chromedp.Do(ctx, chromedp.Navigate(address)); err != nil {
		return fmt.Errorf("%s: %w", address, err)
	}
	return nil
}

// reset leaves the page and closes the windows that it opened.
func (g *stage) reset(t *testing.T) {
	t.Helper()
	if err := chromedp.Do(g.ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Fatal(err)
	}
}

// focus shows a tab's page as the front one, whatever is open beside it: browsers keep media of the others waiting.
func (g *stage) focus(t *testing.T) {
	t.Helper()
	err := chromedp.Do(g.ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
		return err
	}))
	if err != nil {
		t.Fatal(err)
	}
}

// scripts enables or disables JavaScript.
func (g *stage) scripts(t *testing.T, on bool) {
	t.Helper()
	err := chromedp.Do(g.ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !on})
		return err
	}))
	if err != nil {
		t.Fatal(err)
	}
}

// picture saves a screenshot in the folder named by VARVE_PICTURES, for people to look at.
func (g *stage) picture(t *testing.T, name string) {
	t.Helper()
	dir := os.Getenv("VARVE_PICTURES")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(g.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// withoutWombat returns the path of a varve that was built without the npm step, once for all tests.
func withoutWombat(t *testing.T) string {
	t.Helper()
	path, err := buildWithoutWombat()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var buildWithoutWombat = sync.OnceValues(func() (string, error) {
	dist, err := filepath.Abs("../static/dist")
	if err != nil {
		return "", err
	}
	names, err := filepath.Glob(filepath.Join(dist, "*.js"))
	if err != nil {
		return "", err
	}
	gone := map[string]string{}
	for _, n := range names {
		gone[n] = ""
	}
	overlay, err := json.Marshal(map[string]any{"Replace": gone})
	if err != nil {
		return "", err
	}
	dir := filepath.Dir(binary)
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o644); err != nil {
		return "", err
	}
	path := filepath.Join(dir, "varve-without-wombat")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-overlay", filepath.Join(dir, "overlay.json"), "-o", path, "../cmd/varve")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building without wombat: %w\n%s", err, out)
	}
	return path, nil
})

// hasWombat skips the test if the binary lacks the client-side runtime, which is needed for what only browsers can
// do.
func hasWombat(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("../static/dist/wombat.js"); err != nil {
		t.Skip("built without the client-side runtime (make build includes it)")
	}
}

func at14(path string) string { return fmt.Sprintf("/web/%s/%s%s", day, host, path) }
