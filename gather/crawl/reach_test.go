package crawl_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/gather/crawl"
	"github.com/varve-archive/varve/gather/crawl/frontier/local"
	"github.com/varve-archive/varve/gather/robots"
)

// refusing returns an address at which there is no server: a client has its port, so that no server of another test gets it.
func refusing(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return "http://" + client.LocalAddr().String()
}

// hanging returns the address of a server that never answers.
func hanging(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return "http://" + l.Addr().String()
}

// A host that doesn't answer costs what is on it, and no more: the crawl is complete, and says which host it was.
func TestAHostThatDoesNotAnswer(t *testing.T) {
	busy := newSite(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	for name, dead := range map[string]string{
		"it refuses":           refusing(t),
		"nobody knows it":      "http://no-such-host.invalid",
		"it is busy":           busy.URL,
		"it says nothing":      hanging(t),
		"nobody is at its TLS": strings.Replace(refusing(t), "http:", "https:", 1),
	} {
		for what, change := range map[string]func(*crawl.Settings) string{
			"a picture": func(*crawl.Settings) string { return fmt.Sprintf("<img src=%q>", dead+"/a.png") },
			"a seed":    func(s *crawl.Settings) string { s.Seeds = append([]string{dead + "/"}, s.Seeds...); return "" },
			"a picture, without robots.txt": func(s *crawl.Settings) string {
				s.Robots = robots.Ignore
				return fmt.Sprintf("<img src=%q>", dead+"/a.png")
			},
		} {
			if what == "a picture, without robots.txt" && name == "it is busy" {
				continue // that is an answer
			}
			t.Run(name+"/"+what, func(t *testing.T) {
				t.Parallel()
				var mark string
				s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path == "/robots.txt" {
						w.WriteHeader(http.StatusNotFound)
						return
					}
					page(w, "/next")
					fmt.Fprint(w, mark)
				})
				set := settings(s)
				mark = change(&set)
				said := &bytes.Buffer{}
				r := runSaying(t, set, said)
				if diff := cmp.Diff(map[string]int64{"unreachable": 1}, r.Skipped); diff != "" || r.State != crawl.Completed {
					t.Errorf("%s %s", r.State, diff)
				}
				if r.Pages != 2 {
					t.Errorf("%d pages", r.Pages)
				}
				u, err := url.Parse(dead)
				if err != nil {
					t.Fatal(err)
				}
				if n := strings.Count(said.String(), "host="+u.Host); n != 1 {
					t.Errorf("it is named %d times:\n%s", n, said)
				}
			})
		}
	}
}

// runSaying runs a crawl whose warnings go to said.
func runSaying(t *testing.T, s crawl.Settings, said *bytes.Buffer) crawl.Report {
	t.Helper()
	front, err := local.Open(t.Context(), kvtest.NewMemory(), s.Frontier())
	if err != nil {
		t.Fatal(err)
	}
	c, err := crawl.New(t.Context(), crawl.Config{
		Settings: s, Frontier: front, Dir: t.TempDir(), Software: "varve/test", Agent: "varve/test (+http://a.example)",
		Patience: 20 * time.Millisecond, HeadTime: 2 * time.Second,
		Log: slog.New(slog.NewTextHandler(said, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// All that a page has of a host that doesn't answer is left out by the same few tries.
func TestManyThingsOfAHostThatDoesNotAnswer(t *testing.T) {
	dead := refusing(t)
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		page(w)
		for i := range 20 {
			fmt.Fprintf(w, "<img src=%q>", fmt.Sprintf("%s/%d.png", dead, i))
		}
	})
	said := &bytes.Buffer{}
	if r := runSaying(t, settings(s), said); r.Skipped["unreachable"] != 20 || strings.Count(said.String(), "\n") != 1 {
		t.Errorf("%v\n%s", r.Skipped, said)
	}
}

// A host that takes connections and says nothing costs a few time-outs, not one for each of its addresses, whoever ignores robots.txt.
func TestAHostThatHangsIsLeftAlone(t *testing.T) {
	t.Parallel()
	asked := atomic.Int64{}
	dead := newSite(t, func(_ http.ResponseWriter, r *http.Request) { asked.Add(1); <-r.Context().Done() })
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		page(w)
		for i := range 50 {
			fmt.Fprintf(w, "<img src=%q>", fmt.Sprintf("%s/%d.png", dead.URL, i))
		}
	})
	set := settings(s)
	set.Robots, set.PerHost = robots.Ignore, 1
	if r := runSaying(t, set, &bytes.Buffer{}); r.Skipped["unreachable"] != 50 || asked.Load() > 3 {
		t.Errorf("%v, asked %d times", r.Skipped, asked.Load())
	}
}
