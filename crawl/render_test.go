package crawl_test

import (
	"fmt"
	"net/http"
	"os/exec"
	"testing"

	"github.com/varve-archive/varve/crawl"
)

// inBrowser are settings of a crawl with a browser. It skips the test if there is none.
func inBrowser(t *testing.T, s *site) crawl.Settings {
	t.Helper()
	t.Parallel() // it mostly waits
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("no chromium in the path: the browser tests need one")
	}
	set := settings(s)
	set.Browser, set.Threads = true, 2
	return set
}

// html answers with a page.
func html(w http.ResponseWriter, format string, args ...any) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "<!doctype html><title>a page</title><link rel=icon href=data:,>"+format, args...)
}

func TestLinksThatOnlyAScriptMakes(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			html(w, `<div id=list></div><script src=/menu.js></script>`)
		case "/menu.js":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, `fetch("/menu.json").then(r => r.json()).then(all => { for (const a of all) list.innerHTML += "<a href=/" + "page/" + a + ">x</a>" })`)
		case "/menu.json":
			fmt.Fprint(w, `["a","b","c"]`)
		default:
			html(w, `<img src=/shared.png>`)
		}
	})
	r := run(t, inBrowser(t, s))
	wants(t, s, r, "/", "/menu.js", "/menu.json", "/page/a", "/page/b", "/page/c", "/shared.png")
}
