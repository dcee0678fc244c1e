package e2e

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// needsChromium skips a test where no browser is.
func needsChromium(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("no chromium in the path: the browser tests need one")
	}
}

// scripted serves a site that is nothing without its scripts: a list that grows as it is scrolled, and a page that sends something.
func scripted(w http.ResponseWriter, r *http.Request) {
	sent, _ := io.ReadAll(r.Body)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	switch r.URL.Path {
	case "/0":
		fmt.Fprint(w, `<!doctype html><title>list</title><link rel=icon href=data:,><style>p { height: 120px }</style>
			<div id=list></div><div id=end>…</div>
			<script>
			let at = 0, busy = false;
			const more = async () => {
				if (busy || at >= 60) return;
				busy = true;
				const got = await (await fetch("/items?from=" + at)).json();
				for (const n of got) list.insertAdjacentHTML("beforeend", "<p><a href=/item/" + n + ">The gauge " + n + "</a></p>");
				at += got.length;
				busy = false;
			};
			new IntersectionObserver(seen => seen.some(e => e.isIntersecting) && more()).observe(end);
			addEventListener("scroll", () => scrollY + innerHeight > document.body.scrollHeight - 50 && more());
			</script><a href=/level>level</a>`)
	case "/items":
		from, _ := strconv.Atoi(r.URL.Query().Get("from"))
		list := []int{}
		for n := from; n < min(from+20, 60); n++ {
			list = append(list, n)
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(list)
	case "/level":
		if r.Method != http.MethodPost {
			fmt.Fprint(w, `<!doctype html><title>level</title><link rel=icon href=data:,><p id=said></p><script>fetch("/level", {method: "POST",
				headers: {"Content-Type": "application/json"}, body: JSON.stringify({gauge: 7})})
				.then(r => r.text()).then(t => { said.textContent = t })</script>`)
			return
		}
		fmt.Fprintf(w, "two metres, %s", sent)
	default:
		fmt.Fprintf(w, "<!doctype html><link rel=icon href=data:,><h1>The gauge of %s</h1>", r.URL.Path)
	}
}

// What a browser saw of a site over HTTPS replays when the site is gone: a list that grows, and what a script sent.
func TestSiteCrawledInTheBrowserReplays_long(t *testing.T) {
	needsChromium(t)
	t.Parallel() // it mostly waits
	site := httptest.NewTLSServer(http.HandlerFunc(scripted))
	defer site.Close()
	trusted := filepath.Join(t.TempDir(), "ca.pem")
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: site.Certificate().Raw})
	if err := os.WriteFile(trusted, cert, 0o644); err != nil {
		t.Fatal(err)
	}
	server := start(t, "serve")
	file := filepath.Join(t.TempDir(), "crawl.yaml")
	text := "name: river\nseeds: ['" + site.URL + "/0']\nallow_private: true\ndelay: 0s\nper_host: 4\nsitemaps: false\nmax_pages: 70\n" +
		"browser: true\nactions: [{scroll: end}]\ntemplate: {fields: [{name: gauges, css: 'p a', all: true}]}\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), binary, "crawl", "--data", server.data, file)
	cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+trusted)
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, log.String())
	}
	if r := reportOf(t, out.String()); r.State != "completed" || r.Pages != 62 || r.Parts != 4 || r.Docs != 1 {
		t.Errorf("%+v: %s", r, log.String())
	}
	tried := exec.Command(binary, "crawl", "--data", server.data, "--try", site.URL+"/0", file)
	tried.Env = cmd.Env
	if got, err := tried.Output(); err != nil || strings.Count(string(got), "The gauge") != 60 {
		t.Errorf("tried: %s, %v", got, err)
	}
	site.Close()
	eventually(t, "what was captured is served", func() bool {
		return strings.Count(server.get(t, "/web/cdx?url="+site.URL+"/*").body, "\n") >= 66
	})
	g := browse(t, server)
	g.open(t, "/web/2/"+site.URL+"/0")
	for range 8 {
		evaluate[bool](t, g, `scrollTo(0, document.body.scrollHeight), true`)
		time.Sleep(100 * time.Millisecond)
	}
	g.until(t, `document.querySelectorAll("#list p").length === 60`)
	g.open(t, "/web/2/"+site.URL+"/level")
	g.until(t, `said.textContent === 'two metres, {"gauge":7}'`)
	g.open(t, "/web/2/"+site.URL+"/item/59")
	g.until(t, `document.body.innerText.includes("The gauge of /item/59")`)
}

// Killed or stopped at any moment, a crawl in the browser goes on, writes nothing twice, and leaves no browser and no profile behind.
func TestKilledBrowserCrawlGoesOn_long(t *testing.T) {
	needsChromium(t)
	t.Parallel() // it mostly waits
	const pages = 30
	s := &crawledSite{asked: map[string]int{}}
	var posts sync.Map
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked[r.URL.Path]++
		s.mu.Unlock()
		n := 0
		_, _ = fmt.Sscanf(r.URL.Path, "/%d", &n)
		switch {
		case r.URL.Path == "/robots.txt":
			http.NotFound(w, r)
		case r.Method == http.MethodPost:
			posts.Store(r.URL.Path, true)
		case strings.HasSuffix(r.URL.Path, ".json"):
			fmt.Fprint(w, n)
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, `<!doctype html><link rel=icon href=data:,><div id=list></div><script>
				fetch("/%d.json").then(r => r.text()).then(() => {
					for (const i of [0, 1, 2]) list.innerHTML += "<a href=/" + (%d * 3 + i) %% %d + ">x</a>" });
				fetch("/post%d", {method: "POST", body: "x"})</script>`, n, n, pages, n)
		}
	}))
	t.Cleanup(s.Close)
	data := filepath.Join(t.TempDir(), "data")
	file := s.file(t, "browser: true\nthreads: 2\n")
	scratch := filepath.Join(data, "crawls", "river", "browser")
	kills := 0
	for ; kills < 30; kills++ {
		var out, log bytes.Buffer
		cmd := exec.CommandContext(t.Context(), binary, "crawl", "--data", data, file)
		cmd.Stdout, cmd.Stderr = &out, &log
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		if !s.stillCrawled(t, 15+kills%4, ended, &log) {
			if r := reportOf(t, out.String()); r.State != "completed" || r.Pages != pages {
				t.Errorf("%+v", r)
			}
			break
		}
		if kills%3 == 2 { // in order
			_ = cmd.Process.Signal(syscall.SIGINT)
			if err := <-ended; cmd.ProcessState.ExitCode() != 130 || reportOf(t, out.String()).State != "stopped" {
				t.Errorf("stopped: %v, %s", err, log.String())
			}
			if _, err := os.Stat(scratch); err == nil {
				t.Error("a stopped crawl leaves the folder of its browser")
			}
		} else {
			_ = cmd.Process.Kill()
			<-ended
		}
		eventually(t, "no browser is left", func() bool { return !inUse(t, scratch) })
	}
	if kills < 3 {
		t.Errorf("it was killed %d times", kills)
	}
	want := map[string]int{}
	for n := range pages {
		want[fmt.Sprintf("/%d", n)], want[fmt.Sprintf("/%d.json", n)], want[fmt.Sprintf("/post%d", n)] = 1, 1, 1
	}
	if diff := cmp.Diff(want, answersIn(t, filepath.Join(data, "warcs", "web"))); diff != "" {
		t.Errorf("captured (-want +got)\n%s", diff)
	}
	if _, err := os.Stat(scratch); err == nil {
		t.Error("the folder of the browser is left")
	}
}

// inUse reports whether a process was started with a folder.
func inUse(t *testing.T, folder string) bool {
	t.Helper()
	list, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range list {
		if line, _ := os.ReadFile(path); bytes.Contains(line, []byte(folder)) {
			return true
		}
	}
	return false
}

// Without a browser the crawl says what is missing, and does nothing.
func TestBrowserCrawlWithoutBrowser(t *testing.T) {
	s := crawled(t, 1, 0)
	data := filepath.Join(t.TempDir(), "data")
	cmd := exec.Command(binary, "crawl", "--data", data, s.file(t, "browser: true\n"))
	cmd.Env = []string{"PATH=" + t.TempDir(), "HOME=" + t.TempDir()}
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "Debian's package is chromium") || s.pages() != 0 {
		t.Errorf("%v: %s", err, out)
	}
	_, stderr, code := invoke(t, "crawl", "--data", data, "--chromium", "/nowhere/chrome", s.file(t, "browser: true\n"))
	if code != 1 || !strings.Contains(stderr, "/nowhere/chrome") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}
