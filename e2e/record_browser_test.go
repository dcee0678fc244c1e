package e2e

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/varve-archive/varve/archive/warc"
)

// recorder starts varve record beside a server, and returns the address of its proxy and what stops it.
func recorder(t *testing.T, data string, more ...string) (address string, stop func()) {
	t.Helper()
	log := &output{}
	cmd := exec.Command(binary, append([]string{"record", "--data", data, "--listen", "127.0.0.1:0", "--allow-private"}, more...)...)
	cmd.Stderr = log
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	over := false
	stop = func() {
		if over {
			return
		}
		over = true
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_, _ = io.Copy(io.Discard, out)
		if err := cmd.Wait(); err != nil {
			t.Errorf("varve record ended: %v\n%s", err, log)
		}
	}
	t.Cleanup(stop)
	line, err := bufio.NewReader(out).ReadString('\n')
	_, rest, found := strings.Cut(line, "http://")
	if address, _, _ = strings.Cut(rest, "/"); err != nil || !found {
		t.Fatalf("varve record says %q, %v\n%s", line, err, log)
	}
	return address, stop
}

// A site in which scripts send, load and ask.
func sentTo(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent, _ := io.ReadAll(r.Body)
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			http.SetCookie(w, &http.Cookie{Name: "sid", Value: "hush-hush"})
			fmt.Fprint(w, `<!doctype html><title>weir</title><link rel=stylesheet href=/style.css><h1>The weir</h1><p id=said>
				<script>const headers = {"Content-Type": "application/json"};
					const post = (to, what) => fetch(to, {method: "POST", headers, body: JSON.stringify(what)});
					post("/login", {user: "anna", password: "hush-hush"}).then(() => post("/level", {gauge: 7}))
					.then(r => r.text()).then(t => { said.textContent = t; document.title = "told" })</script>`)
		case "/style.css":
			w.Header().Set("Content-Type", "text/css")
			fmt.Fprint(w, "h1 { color: rgb(0, 0, 255) }")
		case "/login":
			if !strings.Contains(string(sent), "hush-hush") {
				w.WriteHeader(http.StatusForbidden)
			}
		case "/level":
			fmt.Fprint(w, "two metres and ten")
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// A reader visits a site through the recorder, and opens what was recorded: as it was, from the archive alone.
func TestRecordedVisitReplays(t *testing.T) {
	t.Parallel() // it mostly waits
	site := sentTo(t)
	server := start(t, "serve")
	proxy, stop := recorder(t, server.data)
	g := behind(t, proxy, server)
	for range 2 { // what is known already is not written again
		g.navigate(t, site.URL+"/")
		g.until(t, `document.title === "told"`)
	}
	g.navigate(t, "http://varve.proxy/")
	g.until(t, `document.readyState === "complete"`)
	g.picture(t, "recorder")
	said := evaluate[string](t, g, "document.body.innerText")
	if !strings.Contains(said, site.URL+"/") || !strings.Contains(said, "known already") {
		t.Errorf("the recorder's page says %q", said)
	}
	link := evaluate[string](t, g, `document.querySelector("main li a, li a").href`)
	if !strings.HasPrefix(link, server.url+"/web/20") || !strings.HasSuffix(link, "/"+site.URL+"/") {
		t.Fatalf("the page is linked to as %s", link)
	}
	stop()
	site.Close()
	reader := browse(t, server)
	reader.open(t, strings.TrimPrefix(link, server.url))
	reader.until(t, `document.title === "told"`)
	got := evaluate[string](t, reader, `getComputedStyle(document.querySelector("h1")).color + ", " + said.textContent`)
	if got != "rgb(0, 0, 255), two metres and ten" {
		t.Errorf("replayed, the page has %s", got)
	}
	cdx := server.get(t, "/web/cdx?fl=original,mimetype&url="+site.URL+"/*").body
	if strings.Count(cdx, "warc/revisit") == 0 {
		t.Errorf("nothing was a revisit:\n%s", cdx)
	}
}

// Killed, the recorder has lost nothing that it had written, and the next one takes it in.
func TestKilledRecorderLosesNothing(t *testing.T) {
	t.Parallel()
	site := sentTo(t)
	server := start(t, "serve")
	cmd := exec.CommandContext(t.Context(), binary, "record", "--data", server.data, "--listen", "127.0.0.1:0", "--allow-private")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(line, "http://")
	address, _, _ := strings.Cut(rest, "/")
	browser := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: address})}}
	for i := range 20 {
		answer, err := browser.Get(fmt.Sprintf("%s/%d", site.URL, i))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
	}
	eventually(t, "all are written", func() bool { return written(t, server.data) == 20 })
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	_, stop := recorder(t, server.data)
	stop()
	eventually(t, "all are served", func() bool {
		return strings.Count(server.get(t, "/web/cdx?url="+site.URL+"/*").body, "\n") == 20
	})
}

// written counts the answers in files that are being written. The last record may not be whole.
func written(t *testing.T, data string) (n int) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(data, "warcs", "web", "*.open"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		f, err := warc.Local{}.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		for rec, err := range warc.Scan(t.Context(), f, path, 0) {
			if err == nil && rec.Type == "response" {
				n++
			}
		}
		f.Close()
	}
	return n
}
