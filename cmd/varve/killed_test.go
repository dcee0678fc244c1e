package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// killsOf is how often a test kills: so often, less in the short form, as often as make kills says.
func killsOf(usual int) int {
	if n, err := strconv.Atoi(os.Getenv("VARVE_KILLS")); err == nil {
		return n
	}
	if testing.Short() {
		return 2
	}
	return usual
}

// manyPages is a site with a page that links forty others, and a feed of them, and is an archive that has a memento of each.
func manyPages(t *testing.T) *httptest.Server {
	t.Helper()
	const pages = 40
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		base := "http://" + r.Host
		w.Header().Set("Content-Type", "text/html")
		switch {
		case r.URL.Path == "/robots.txt":
			http.NotFound(w, r)
		case r.URL.Path == "/feed":
			w.Header().Set("Content-Type", "application/rss+xml")
			fmt.Fprint(w, `<rss version="2.0"><channel><title>News</title>`)
			for i := range pages {
				fmt.Fprintf(w, "<item><guid>%d</guid><link>/page/%d</link></item>", i, i)
			}
			fmt.Fprint(w, "</channel></rss>")
		case r.URL.Path == "/timemap":
			w.Header().Set("Content-Type", "application/link-format")
			fmt.Fprintf(w, "<%s/>; rel=\"original\"", base)
			for i := range pages {
				at := time.Date(2010, 1, 1+i, 0, 0, 0, 0, time.UTC)
				fmt.Fprintf(w, ",\n<%s/web/%sid_/%s/>; rel=\"memento\"; datetime=\"%s\"", base, at.Format("20060102150405"), base,
					at.Format(http.TimeFormat))
			}
		case strings.HasPrefix(r.URL.Path, "/web/"):
			at, err := time.Parse("20060102150405", r.URL.Path[5:19])
			if err != nil {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Memento-Datetime", at.Format(http.TimeFormat))
			fmt.Fprintf(w, "<title>%s</title><p>as it was", at)
		default:
			fmt.Fprintf(w, "<!doctype html><title>%s</title><p>words of %s", r.URL.Path, r.URL.Path)
			for i := range pages {
				fmt.Fprintf(w, "<a href=/page/%d>%d</a>", i, i)
			}
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// onceEach returns what is in an index as lines of addresses, and of datetimes where they are given. What is there twice is there twice,
// except what is asked for anew each time: the robots.txt and the feed.
func onceEach(t *testing.T, data string, dated bool) string {
	t.Helper()
	var all []string
	for line := range strings.Lines(done(t, "cdx", "--data", data)) {
		key, rest, _ := strings.Cut(line, " ")
		at, _, _ := strings.Cut(rest, " ")
		if !strings.Contains(key, "/robots.txt") && !strings.Contains(key, ")/feed") {
			all = append(all, key+map[bool]string{true: " " + at}[dated])
		}
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// Killed at any moment and begun again, a command ends as if it had not been: nothing is lost, nothing is there twice, nothing is damaged.
func TestKilledCommandsAreCompleted(t *testing.T) {
	site := manyPages(t)
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	kept, from := filepath.Join(dir, "kept"), filepath.Join(dir, "from")
	indexed(t, from, manyFiles(t, 4))
	done(t, "backup", "--data", from, kept)
	crawl := write("crawl.yaml", "name: site\nseeds: ['"+site.URL+"/']\nallow_private: true\ndelay: 0s\nsitemaps: false\n")
	follow := write("news.yaml", "collection: web\nallow_private: true\ndelay: 0s\nsources:\n  - {feed: '"+site.URL+"/feed'}\n")
	for name, tt := range map[string]struct {
		args  []string
		dated bool
	}{
		"crawl": {[]string{"crawl", crawl}, false},
		"fetch": {
			[]string{"fetch", "--allow-private", "--delay", "1ms", site.URL + "/timemap"}, true,
		},
		"restore": {[]string{"restore", kept}, true},
		"follow":  {[]string{"follow", "--once", follow}, false},
	} {
		t.Run(name, func(t *testing.T) {
			whole := filepath.Join(t.TempDir(), "whole")
			began := time.Now()
			done(t, append(tt.args, "--data", whole)...)
			took := time.Since(began)
			want := onceEach(t, whole, tt.dated)
			if strings.Count(want, "\n") < 30 {
				t.Fatalf("undisturbed it brings %q", want)
			}
			midway, killed := 0, ""
			for i := range killsOf(8) {
				if i%4 == 0 { // soon all is done, and nothing is left to disturb
					killed = filepath.Join(t.TempDir(), "killed"+strconv.Itoa(i))
				}
				if !killedAfter(t, time.Duration(float64(took)*rand.Float64()), append(tt.args, "--data", killed)...) {
					midway++
				}
				if i%4 == 3 || i == killsOf(8)-1 {
					assertCompleted(t, want, killed, tt.dated, tt.args)
				}
			}
			t.Logf("%d runs were killed before their end", midway)
		})
	}
}

// killedAfter runs a command and kills it after a while. It reports whether it had ended by then.
func killedAfter(t *testing.T, after time.Duration, args ...string) (ended bool) {
	t.Helper()
	cmd := exec.Command(asVarve(t), args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(after)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	return cmd.ProcessState.Exited()
}

// assertCompleted runs a command that was killed to its end.
func assertCompleted(t *testing.T, want, data string, dated bool, args []string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(data, "index")); args[0] != "restore" || err != nil { // a restoring moves it there last
		done(t, append(args, "--data", data)...)
	}
	if got := onceEach(t, data, dated); got != want {
		t.Errorf("%d captures, undisturbed there are %d:\n%s", strings.Count(got, "\n")+1, strings.Count(want, "\n")+1, got)
	}
	if args[0] != "restore" { // whose files are elsewhere
		done(t, "check", "--data", data)
	}
}

// A server that is killed while files come in has each whole or not at all, and no damage.
func TestKilledServersHaveWholeFiles(t *testing.T) {
	files := manyFiles(t, 1)
	bodies, err := filepath.Glob(filepath.Join(files, "*"))
	if err != nil || len(bodies) == 0 {
		t.Fatal(err)
	}
	body, err := os.ReadFile(bodies[0])
	if err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(t.TempDir(), "data")
	uploads, taken := filepath.Join(data, "uploads", "web"), 0
	for i := range killsOf(6) {
		cmd, at := listening(t, "serve", "--data", data, "--listen", "127.0.0.1:0")
		over := make(chan struct{})
		go func() {
			// On a busy machine no file might be stored before the server is killed.
			for end := time.Now().Add(time.Minute); i == 0 && !holdsFiles(uploads) && time.Now().Before(end); {
				time.Sleep(10 * time.Millisecond)
			}
			time.Sleep(time.Duration(rand.Float64() * float64(300*time.Millisecond)))
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			close(over)
		}()
		for n := range 50 {
			head := packed([]byte(warcRecord(fmt.Sprintf("http://new.example/%d/%d", i, n), "20200101000000", "new")))
			resp, err := http.Post(at+"-/uploads?collection=web&name=a.warc.gz", "application/octet-stream",
				bytes.NewReader(append(head, body...)))
			if err != nil {
				break
			}
			if resp.StatusCode == http.StatusAccepted {
				taken++
			}
			resp.Body.Close()
		}
		if taken == 0 {
			t.Fatal("no file was taken")
		}
		<-over
	}
	done(t, "index", "--data", data, uploads)
	done(t, "check", "--data", data)
	all := lines(t, data)
	there := byFile(all)
	t.Logf("%d files had come in, %d are there", taken, len(there))
	if len(there) == 0 || len(there) != strings.Count(all, "example,new)/") {
		t.Errorf("%d files, and %d of the records that each begins with", len(there), strings.Count(all, "example,new)/"))
	}
	for name, n := range there {
		if n*len(there) != strings.Count(all, "\n") {
			t.Errorf("%s: %d of its captures are there", name, n)
		}
	}
}

// holdsFiles reports whether a folder has WARC files.
func holdsFiles(folder string) bool {
	found, _ := filepath.Glob(filepath.Join(folder, "*.warc.gz"))
	return len(found) > 0
}

// A recorder that is killed leaves what it wrote, and no damage.
func TestKilledRecordersLoseNothing(t *testing.T) {
	site := manyPages(t)
	data := filepath.Join(t.TempDir(), "data")
	for i := range killsOf(6) {
		cmd, at := listening(t, "record", "--data", data, "--listen", "127.0.0.1:0", "--allow-private")
		through, err := url.Parse(at)
		if err != nil {
			t.Fatal(err)
		}
		browser := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(through)}}
		go func() {
			time.Sleep(time.Duration(rand.Float64() * float64(200*time.Millisecond)))
			_ = cmd.Process.Kill()
		}()
		for n := range 10_000 {
			resp, err := browser.Get(fmt.Sprintf("%s/page/%d-%d", site.URL, i, n))
			if err != nil {
				break
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
		browser.CloseIdleConnections()
		_ = cmd.Wait()
	}
	cmd, _ := listening(t, "record", "--data", data, "--listen", "127.0.0.1:0", "--allow-private") // it finishes the files
	_ = cmd.Process.Signal(os.Interrupt)
	_ = cmd.Wait()
	if left, _ := filepath.Glob(filepath.Join(data, "warcs", "web", "*.open")); len(left) > 0 {
		t.Errorf("left unfinished: %v", left)
	}
	done(t, "check", "--data", data)
	seen := map[string]int{}
	for line := range strings.Lines(lines(t, data)) {
		key, _, _ := strings.Cut(line, " ")
		if seen[key]++; seen[key] > 1 {
			t.Errorf("twice: %s", line)
		}
	}
	if len(seen) == 0 {
		t.Error("nothing was recorded")
	}
}

// A terminal that closes ends what runs in it as any other stop does; what was started with nohup goes on.
func TestATerminalThatCloses(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	cmd, _ := listening(t, "record", "--data", data, "--listen", "127.0.0.1:0", "--allow-private")
	if err := errors.Join(cmd.Process.Signal(syscall.SIGHUP), cmd.Wait()); err != nil {
		t.Errorf("a recorder: %v", err)
	}
	kept, at := started(t, exec.Command("nohup", asVarve(t), "record", "--data", data, "--listen", "127.0.0.1:0", "--allow-private"))
	if err := kept.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	answer, err := http.Get(at)
	if err != nil {
		t.Fatalf("under nohup: %v", err)
	}
	answer.Body.Close()
}

// listening starts a command that listens, and returns it with its address.
func listening(t *testing.T, args ...string) (cmd *exec.Cmd, at string) {
	t.Helper()
	return started(t, exec.Command(asVarve(t), args...))
}

func started(t *testing.T, cmd *exec.Cmd) (started *exec.Cmd, at string) {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	line := make([]byte, 300)
	n, err := out.Read(line)
	_, rest, ok := strings.Cut(string(line[:n]), "http://")
	if err != nil || !ok {
		t.Fatalf("%v says %q, %v", cmd, line[:n], err)
	}
	address, _, _ := strings.Cut(rest, "/")
	return cmd, "http://" + address + "/"
}
