package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/websocket"
)

// A fox is Firefox on a stage. It is led by WebDriver BiDi (W3C), which Firefox speaks by itself.
type fox struct {
	*stage
	conn   *websocket.Conn
	window string // browsing context
	sent   int
}

// foxOrigin is the origin that the test names to Firefox, which lets nobody else lead it.
const foxOrigin = "http://localhost"

// quietFox keeps Firefox from asking hosts that no page names, and gives it a proxy.
func quietFox(proxy string) string {
	host, port, _ := strings.Cut(strings.TrimPrefix(proxy, "http://"), ":")
	prefs := map[string]any{
		"network.proxy.type": 1, "network.proxy.http": host, "network.proxy.ssl": host, "network.proxy.no_proxies_on": "",
		"network.proxy.http_port": json.Number(port), "network.proxy.ssl_port": json.Number(port),
		"network.captive-portal-service.enabled": false, "network.connectivity-service.enabled": false, "network.trr.mode": 5,
		"app.update.enabled": false, "app.normandy.enabled": false, "browser.safebrowsing.downloads.remote.enabled": false,
		"browser.safebrowsing.malware.enabled": false, "browser.safebrowsing.phishing.enabled": false, "extensions.update.enabled": false,
		"services.settings.server": "data:,", "toolkit.telemetry.enabled": false, "datareporting.policy.dataSubmissionEnabled": false,
		"browser.region.network.url": "", "browser.newtabpage.activity-stream.feeds.topsites": false, "dom.push.connection.enabled": false,
		"dom.disable_open_during_load": false, "media.gmp-manager.updateEnabled": false, "browser.shell.checkDefaultBrowser": false,
	}
	var b strings.Builder
	for name, value := range prefs {
		v, _ := json.Marshal(value)
		fmt.Fprintf(&b, "user_pref(%q, %s);\n", name, v)
	}
	return b.String()
}

// browseFox starts Firefox in front of a server.
func browseFox(t *testing.T, s *server) *fox {
	t.Helper()
	return browseFoxAt(t, "127.0.0.1", func(string) *server { return s })
}

// browseFoxAt starts Firefox in front of a server that is started with the address at which Firefox finds it: that of a name with a port.
func browseFoxAt(t *testing.T, name string, serve func(port string) *server) *fox {
	t.Helper()
	return browseFoxBehind(t, "", name, serve)
}

// browseFoxBehind is like browseFoxAt with a proxy; without its address, this is the trap.
func browseFoxBehind(t *testing.T, proxy, name string, serve func(port string) *server) *fox {
	t.Helper()
	if testing.Short() {
		t.Skip("Firefox takes its time: the long form of the tests tries it")
	}
	path, err := exec.LookPath("firefox-esr")
	if err != nil {
		t.Skip("no firefox-esr in the path: what Chromium's tests try is not tried in Firefox")
	}
	f := &fox{stage: &stage{requests: &requests{}}}
	front := httptest.NewUnstartedServer(nil)
	_, port, _ := net.SplitHostPort(front.Listener.Addr().String())
	front.Config.Handler = f.front(serve(port).url)
	front.Start()
	t.Cleanup(front.Close)
	f.url = "http://" + net.JoinHostPort(name, port)
	if proxy == "" {
		proxy = f.trap(t)
	}
	profile := t.TempDir()
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(quietFox(proxy)), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0",
		"--remote-allow-origins", foxOrigin,
		"about:blank")
	cmd.Env = append(os.Environ(), "HOME="+profile, "MOZ_CRASHREPORTER_DISABLE=1")
	says, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	f.conn = dialFox(t, bufio.NewScanner(says))
	t.Cleanup(func() { f.conn.Close() })
	f.command(t, "session.new", map[string]any{"capabilities": map[string]any{}}, nil)
	var tree struct{ Contexts []struct{ Context string } }
	f.command(t, "browsingContext.getTree", map[string]any{}, &tree)
	f.window = tree.Contexts[0].Context
	return f
}

// dialFox waits until Firefox says where it listens.
func dialFox(t *testing.T, says *bufio.Scanner) *websocket.Conn {
	t.Helper()
	for says.Scan() {
		if _, address, ok := strings.Cut(says.Text(), "WebDriver BiDi listening on "); ok {
			go func() {
				for says.Scan() { // it must be able to go on talking
				}
			}()
			conn, err := websocket.Dial(strings.TrimSpace(address)+"/session", "", foxOrigin)
			if err != nil {
				t.Fatal(err)
			}
			return conn
		}
	}
	t.Fatal("Firefox ended before it listened")
	return nil
}

// command sends a command and decodes its result into out, if out is not nil.
func (f *fox) command(t *testing.T, method string, params, out any) {
	t.Helper()
	if err := f.try(method, params, out); err != nil {
		t.Fatal(err)
	}
}

func (f *fox) try(method string, params, out any) error {
	f.sent++
	if err := websocket.JSON.Send(f.conn, map[string]any{"id": f.sent, "method": method, "params": params}); err != nil {
		return err
	}
	_ = f.conn.SetReadDeadline(time.Now().Add(patience))
	for {
		var answer struct {
			ID             int
			Error, Message string
			Result         json.RawMessage
		}
		switch err := websocket.JSON.Receive(f.conn, &answer); {
		case err != nil:
			return fmt.Errorf("%s: %w", method, err)
		case answer.ID != f.sent: // an event, or a late answer
		case answer.Error != "":
			return fmt.Errorf("%s: %s: %s", method, answer.Error, answer.Message)
		case out == nil:
			return nil
		default:
			return json.Unmarshal(answer.Result, out)
		}
	}
}

// open navigates to a target of varve and waits until the page is quiet.
func (f *fox) open(t *testing.T, target string) {
	t.Helper()
	f.navigate(t, f.url+target)
	f.settle()
}

// navigate goes to an address and waits until the page is complete.
func (f *fox) navigate(t *testing.T, address string) {
	t.Helper()
	f.command(t, "browsingContext.navigate", map[string]any{"context": f.window, "url": address, "wait": "complete"}, nil)
}

// resize gives the window a size.
func (f *fox) resize(t *testing.T, width, height int) {
	t.Helper()
	size := map[string]int{"width": width, "height": height}
	f.command(t, "browsingContext.setViewport", map[string]any{"context": f.window, "viewport": size}, nil)
}

// evaluate runs JavaScript in the page and awaits a promise.
func (f *fox) evaluate(t *testing.T, expression string) any {
	t.Helper()
	got, err := f.value(expression)
	if err != nil {
		t.Fatalf("%.200s: %v", expression, err)
	}
	return got
}

func (f *fox) value(expression string) (any, error) {
	var out struct {
		Type   string
		Result struct{ Value any }
	}
	err := f.try("script.evaluate", map[string]any{
		"expression": expression, "target": map[string]any{"context": f.window}, "awaitPromise": true,
	}, &out)
	if err == nil && out.Type != "success" {
		err = fmt.Errorf("%+v", out)
	}
	return out.Result.Value, err
}

// awaits waits until the page lacks nothing, as an expression says that lists what it lacks. A page that is being left or
// begins has errors.
func (f *fox) awaits(t *testing.T, lacks string) {
	t.Helper()
	var got any
	var err error
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if got, err = f.value(lacks); err == nil && got == "" {
			return
		}
	}
	t.Fatalf("the page lacks %v (%v)", got, err)
}

// windows returns the windows that are open.
func (f *fox) windows(t *testing.T) []string {
	t.Helper()
	var tree struct{ Contexts []struct{ Context string } }
	f.command(t, "browsingContext.getTree", map[string]any{"maxDepth": 0}, &tree)
	var out []string
	for _, c := range tree.Contexts {
		out = append(out, c.Context)
	}
	return out
}

// attempts opens pages that try something, many at a time, each in a window of its own. What leaves names itself.
func (f *fox) attempts(t *testing.T, targets []string) {
	t.Helper()
	var asked []string
	for some := range slices.Chunk(targets, 16) {
		for _, target := range some {
			var made struct{ Context string }
			f.command(t, "browsingContext.create", map[string]any{"type": "tab", "background": true}, &made)
			// A page that goes elsewhere meanwhile ends this in an error, which is none.
			_ = f.try("browsingContext.navigate", map[string]any{"context": made.Context, "url": f.url + target, "wait": "none"}, nil)
		}
		f.quiet(time.Second, 20*time.Second)
		asked = append(asked, f.contained(t)...)
		for _, w := range f.windows(t) {
			if w != f.window {
				_ = f.try("browsingContext.close", map[string]any{"context": w}, nil)
			}
		}
	}
	for _, target := range targets {
		if !slices.Contains(asked, target) {
			t.Errorf("%s was never opened", target)
		}
	}
}

// In Firefox pages and documents must stay in as they do in Chromium, wherever they are replayed. It finds names below localhost by itself.
func TestNothingLeavesInFirefox(t *testing.T) {
	t.Parallel()
	hasWombat(t)
	a := travelling()
	a.buf.Write(hostile().bytes())
	for way, begin := range map[string]func(t *testing.T) *fox{
		"on one origin":              func(t *testing.T) *fox { return browseFox(t, a.serve(t)) },
		"on a replay origin":         func(t *testing.T) *fox { return foxOnOrigins(t, a, "http://replay.localhost:") },
		"on an origin for each site": func(t *testing.T) *fox { return foxOnOrigins(t, a, "http://*.replay.localhost:") },
	} {
		t.Run(way, func(t *testing.T) {
			f := begin(t)
			targets := pagesAsDocuments()
			for folder, names := range kindsOfHostile(false) {
				for _, name := range names {
					targets = append(targets, at14("/"+folder+"/"+slug(name)))
				}
			}
			f.attempts(t, targets)
		})
	}
}

// foxOnOrigins starts Firefox in front of an archive whose pages are replayed on another origin than varve's.
func foxOnOrigins(t *testing.T, a *archive, replay string) *fox {
	t.Helper()
	const own = "archive.localhost"
	return browseFoxAt(t, own, func(port string) *server {
		return a.serve(t, "--public-url", "http://"+own+":"+port, "--replay-url", replay+port)
	})
}

// Pages are replayed on the other origin in Firefox, too, and read nothing of varve's.
func TestPagesReachNothingOfTheOtherOriginInFirefox(t *testing.T) {
	t.Parallel()
	hasWombat(t)
	for _, replay := range []string{"http://replay.localhost:", "http://*.replay.localhost:"} {
		a := (&archive{}).page("http://here.example/", day, "<!doctype html><title>here</title><p>text")
		f := foxOnOrigins(t, a, replay)
		f.open(t, "/web/")
		own, _ := f.evaluate(t, `document.title`).(string)
		f.evaluate(t, `localStorage.setItem("secret", "varve's own"); document.cookie = "secret=varve; path=/"`)
		f.open(t, "/web/"+day+"/http://here.example/")
		f.awaits(t, `document.querySelector("varve-banner[data-on]") && document.body.innerText.includes("text") ? "" : "the page or its banner"`)
		if got, _ := f.evaluate(t, `location.host`).(string); !strings.Contains(got, "replay.localhost") {
			t.Errorf("%s: the page is at %s", replay, got)
		}
		for name, statement := range reaching {
			value, err := f.value(strings.ReplaceAll(statement, publicOrigin, f.url))
			got, ok := value.(string) // a request and a frame get the archive's answer that it has no such page
			leaked := own == "" || strings.Contains(got, own) || strings.Contains(got, "secret") || strings.Contains(got, "varve's own")
			if err != nil || !ok || leaked {
				t.Errorf("%s: %s: got %.100q of %q (%v)", replay, name, value, own, err)
			}
		}
	}
}

// Readers with Firefox get the pages, the banner that works, and the view of what changed.
func TestReaderWalksThroughTheDemoInFirefox(t *testing.T) {
	t.Parallel()
	f := browseFox(t, demo(t))
	f.open(t, "/web/20160901092139/http://www.riverbend.example/")
	const whole = `(() => {
		const lacking = [...document.images].filter((i) => !i.naturalWidth).map((i) => i.src);
		if (!document.querySelector("varve-banner[data-on]")) lacking.push("the banner");
		if (!document.body.innerText.includes("Riverbend")) lacking.push("the text");
		return lacking.join(" ");
	})()`
	f.awaits(t, whole)
	f.evaluate(t, `document.querySelector("varve-banner").shadowRoot.querySelector('a[rel~="next"]').click()`)
	f.awaits(t, `location.pathname === "/web/20160901092139/http://www.riverbend.example/" ? "the way to the next version" : ""`)
	f.awaits(t, whole)
	f.contained(t)
}

// The trap must notice a page that does leave, in Firefox too.
func TestFirefoxsTrapCatchesRequests(t *testing.T) {
	t.Parallel()
	f := browseFox(t, demo(t))
	_ = f.try("browsingContext.navigate", map[string]any{"context": f.window, "url": "http://live.example/", "wait": "none"}, nil)
	f.quiet(2*time.Second, patience)
	if _, leaks := f.seen(); len(leaks) == 0 || !strings.Contains(leaks[0], "live.example") {
		t.Errorf("caught %q", leaks)
	}
}
