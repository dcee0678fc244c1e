// Package screens compares replay with the original, screen for screen. Sites are served live, on loopback, and recorded
// while a browser reads them; then they go down, and the same browser reads them from the archive, in the same steps. It
// contains only tests.
package screens

import (
	"bufio"
	"context"
	"fmt"
	"image"
	"image/png"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/proxy"
	"github.com/varve-archive/varve/replay/replaytest"
)

// mostDiffering is the share of a screen's pixels that may differ, for what no two runs draw alike.
const mostDiffering = 0.02

// TestReplayIsTheOriginalScreenForScreen leaves out proxy mode with -short.
func TestReplayIsTheOriginalScreenForScreen(t *testing.T) {
	if _, err := os.Stat("node_modules"); err != nil {
		t.Skip("the packages that the sites are made of are not installed: run npm ci in e2e/screens, as make test does")
	}
	if _, err := os.Stat(filepath.Join("..", "..", "static", "dist", "wombat.js")); err != nil {
		t.Skip("built without the client-side runtime (make build includes it)")
	}
	all, f := sites(t), newFront(t)
	chromium, web := browser(t, f.URL), golive(t, all)

	f.lead(func(string) (net.Conn, error) { return net.Dial("tcp", web.Listener.Addr().String()) }, "")
	live := map[string]reading{}
	w := open(t, chromium)
	for _, s := range all {
		live[s.name] = w.read(t, s, s.start)
	}
	web.Close()

	begun := web.exchanges[0].at.UTC().Format("20060102150405")
	server, _ := replaytest.Serve(t, web.warc(t))
	varve := httptest.NewServer(server.Handler())
	t.Cleanup(varve.Close)
	f.left()
	f.lead(nil, varve.URL)
	table := &strings.Builder{}
	rows := tabwriter.NewWriter(table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(rows, "site\treplay\ttext alike\trequests answered\tconsole errors\tpixels that differ")
	w = open(t, chromium)
	for _, s := range all {
		t.Run(s.name+" rewritten", func(t *testing.T) {
			got := w.read(t, s, varve.URL+"/web/"+begun+"mp_/"+s.start)
			fmt.Fprintf(rows, "%s\trewritten\t%s\n", s.name, compare(t, s, live[s.name], got))
			none(t, "requests that left", f.left())
		})
	}
	if !testing.Short() {
		f.lead(through(t, server), "")
		w = open(t, chromium)
		for _, s := range all {
			t.Run(s.name+" by proxy", func(t *testing.T) {
				got := w.read(t, s, s.start)
				fmt.Fprintf(rows, "%s\tby proxy\t%s\n", s.name, compare(t, s, live[s.name], got))
				none(t, "requests that left", f.left())
			})
		}
	}
	_ = rows.Flush()
	t.Logf("\n%s", table)
}

// through starts proxy mode and returns what leads into it.
func through(t *testing.T, server *replay.Server) func(string) (net.Conn, error) {
	t.Helper()
	p, err := server.NewProxy(proxy.Config{
		Dir: filepath.Join(t.TempDir(), "proxy"), ServerURL: "http://archive.test/", Collection: "web", Banner: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	over := make(chan error, 1)
	go func() { over <- p.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-over; err != nil {
			t.Error(err)
		}
	})
	return func(authority string) (net.Conn, error) {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(c, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", authority, authority)
		// The client speaks first in TLS, so nothing of what follows can be in the buffer.
		answer, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || answer.StatusCode != http.StatusOK {
			c.Close()
			return nil, fmt.Errorf("no tunnel to %s: %v", authority, err)
		}
		return c, nil
	}
}

// compare reports what differs between two readings of a site, and returns the cells of the table.
func compare(t *testing.T, s site, live, got reading) string {
	t.Helper()
	alike, worst := 0, 0.0
	for n := range live.texts {
		if diff := cmp.Diff(live.texts[n], got.texts[n]); diff != "" {
			t.Errorf("step %d: the text differs (- live, + replay):\n%s", n, diff)
		} else {
			alike++
		}
		share := differing(live.shots[n], got.shots[n])
		if worst = max(worst, share); share > mostDiffering {
			t.Errorf("step %d: %.1f %% of the pixels differ", n, 100*share)
		}
		keep(t, s, n, "live", live.shots[n])
		keep(t, s, n, "replay", got.shots[n])
	}
	answered := 0
	for key, status := range live.asked {
		if got.asked[key] == status {
			answered++
		} else {
			t.Errorf("%s: %d, was %d", key, got.asked[key], status)
		}
	}
	for key, status := range got.asked {
		if _, was := live.asked[key]; !was {
			t.Errorf("%s: %d, and the live page never asked for it", key, status)
		}
	}
	errors := slices.DeleteFunc(slices.Clone(got.console), func(m string) bool { return slices.Contains(live.console, m) })
	none(t, "console errors", errors)
	return fmt.Sprintf("%d of %d\t%d of %d\t%d\t%.2f %%", alike, len(live.texts), answered, len(live.asked), len(errors), 100*worst)
}

func none(t *testing.T, what string, list []string) {
	t.Helper()
	if len(list) > 0 {
		t.Errorf("%s:\n%s", what, strings.Join(list, "\n"))
	}
}

// differing returns the share of pixels that differ by more than an eye would see.
func differing(a, b image.Image) float64 {
	if a.Bounds() != b.Bounds() {
		return 1
	}
	const seen = 0x1800
	n, box := 0, a.Bounds()
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			ra, ga, ba, _ := a.At(x, y).RGBA()
			rb, gb, bb, _ := b.At(x, y).RGBA()
			if apart(ra, rb) > seen || apart(ga, gb) > seen || apart(ba, bb) > seen {
				n++
			}
		}
	}
	return float64(n) / float64(box.Dx()*box.Dy())
}

func apart(a, b uint32) uint32 { return max(a, b) - min(a, b) }

// keep writes a screen into the folder named by VARVE_PICTURES, for people to look at.
func keep(t *testing.T, s site, step int, kind string, shot image.Image) {
	t.Helper()
	dir := os.Getenv("VARVE_PICTURES")
	if dir == "" {
		return
	}
	name := regexp.MustCompile(`[^a-z]+`).ReplaceAllString(strings.ToLower(fmt.Sprint(t.Name(), "-", kind)), "-")
	file, err := os.Create(filepath.Join(dir, fmt.Sprint(name, step, ".png")))
	if err == nil {
		err = png.Encode(file, shot)
		file.Close()
	}
	if err != nil {
		t.Error(err)
	}
}
