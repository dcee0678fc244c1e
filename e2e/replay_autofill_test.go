package e2e

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A browser that fills in forms sends its vendor a query about every page with an input field. The pages of the
// sample archive have no such field, and the banner must not add one.
func TestBannerCausesNoAutofillQuery(t *testing.T) {
	t.Parallel()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium in the path: the browser tests need one")
	}
	s, g := demo(t), &stage{requests: &requests{}}
	page := s.get(t, "/web/2016/http://www.riverbend.example/").header.Get("Location")
	page = strings.TrimPrefix(page, s.url)
	out, err := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-default-apps", "--user-data-dir="+t.TempDir(), "--proxy-server="+g.trap(t),
		"--proxy-bypass-list=<-loopback>;"+strings.TrimPrefix(s.url, "http://"), "--virtual-time-budget=4000", "--dump-dom", s.url+page).Output()
	if err != nil || !strings.Contains(string(out), "</html>") {
		t.Fatalf("no page: %v %.200s", err, out)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if slices.ContainsFunc(g.byBrowser, func(l string) bool { return strings.Contains(l, "autofill") }) || len(g.leaks) > 0 {
		t.Errorf("asked %q, %q", g.byBrowser, g.leaks)
	}
}
