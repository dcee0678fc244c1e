package crawl_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/crawl"
	"github.com/varve-archive/varve/crawl/browser"
)

// inBrowser are settings of a crawl with a browser, for a test beside others: it mostly waits.
func inBrowser(t *testing.T, s *site) crawl.Settings {
	t.Helper()
	t.Parallel()
	return withBrowser(t, s)
}

// withBrowser are settings of a crawl with a browser. It skips the test if there is none.
func withBrowser(t *testing.T, s *site) crawl.Settings {
	t.Helper()
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

// Sixty things come twelve at a time as the reader scrolls; each has a page of its own.
func TestInfiniteScroll(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			html(w, `<style>p { height: 120px }</style><div id=list></div><div id=end>…</div><script>
				let at = 0, busy = false;
				const more = async () => {
					if (busy || at >= 60) return;
					busy = true;
					const got = await (await fetch("/items?from=" + at)).json();
					for (const n of got) list.insertAdjacentHTML("beforeend", "<p><a href=/item/" + n + ">" + n + "</a></p>");
					at += got.length;
					busy = false;
				};
				new IntersectionObserver(seen => seen.some(e => e.isIntersecting) && more()).observe(end);
				addEventListener("scroll", () => scrollY + innerHeight > document.body.scrollHeight - 50 && more());
			</script>`)
		case "/items":
			from, _ := strconv.Atoi(r.URL.Query().Get("from"))
			var list []int
			for n := from; n < min(from+12, 60); n++ {
				list = append(list, n)
			}
			_ = json.NewEncoder(w).Encode(list)
		default:
			html(w, "%s", r.URL.Path)
		}
	})
	set := inBrowser(t, s)
	set.Actions = steps(t, "[{scroll: end}]")
	r := run(t, set)
	want := append(numbered("/item/%d", 0, 59), "/", "/items?from=0", "/items?from=12", "/items?from=24", "/items?from=36", "/items?from=48")
	wants(t, s, r, want...)
	if r.FailedSteps != 0 {
		t.Errorf("%d steps failed", r.FailedSteps)
	}
}

// steps reads a chain of actions as a crawl file has it.
func steps(t *testing.T, text string) []browser.Step {
	t.Helper()
	set, err := crawl.Parse([]byte("seeds: ['http://a.example/']\nbrowser: true\nactions: " + text))
	if err != nil {
		t.Fatal(err)
	}
	return set.Actions
}

// What a cookie wall covers is loaded once it has been clicked away; pages behind it remember that.
func TestCookieWall(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		_, err := r.Cookie("consent")
		switch {
		case r.URL.Path == "/content" && err != nil:
			w.WriteHeader(http.StatusForbidden)
		case r.URL.Path == "/content":
			fmt.Fprint(w, "<a href=/behind>there</a>")
		default:
			html(w, `<main id=main></main><div id=wall style="position:fixed;inset:0;background:#ccc"></div><script>
				const load = async () => { main.innerHTML = await (await fetch("/content")).text() };
				if (document.cookie.includes("consent")) { wall.remove(); load() } else {
					const root = wall.attachShadow({mode: "open"});
					root.innerHTML = "<button id=accept>Accept</button>";
					root.querySelector("button").onclick = e => { if (e.isTrusted) { document.cookie = "consent=yes"; wall.remove(); load() } };
				}</script>`)
		}
	})
	set := inBrowser(t, s)
	set.Threads = 1
	set.Actions = steps(t, "[{click: '#accept', optional: true, within: 200ms}, {until: 'main a'}]")
	r := run(t, set)
	if diff := cmp.Diff([]string{"/", "/behind", "/content"}, r.got); diff != "" || r.FailedSteps != 0 {
		t.Errorf("%d steps failed, written (-want +got)\n%s", r.FailedSteps, diff)
	}
}

// Behind a login, pages are crawled with its session, and neither the password nor the session is written.
func TestLogin(t *testing.T) {
	const password, session = `hush"hush & 1`, "s3ss10n-of-anna"
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		cookie, err := r.Cookie("sid")
		in := err == nil && cookie.Value == session
		switch {
		case r.URL.Path == "/in" && r.Method == http.MethodPost:
			if r.FormValue("who") == "anna" && r.FormValue("magic") == password && r.FormValue("lang") == "fa" {
				http.SetCookie(w, &http.Cookie{Name: "sid", Value: session, HttpOnly: true})
				http.Redirect(w, r, "/home", http.StatusSeeOther)
				return
			}
			html(w, "wrong")
		case r.URL.Path == "/":
			html(w, `<form action=/in method=post><input name=who><input type=password name=magic>
				<select name=lang><option>en<option value=fa>فارسی</select><button>in</button></form>`)
		case !in:
			w.WriteHeader(http.StatusForbidden)
		case r.URL.Path == "/home":
			html(w, "<h1 id=hello>Anna</h1><a href=/letters>letters</a>")
		default:
			html(w, "a letter")
		}
	})
	set := withBrowser(t, s)
	t.Setenv("VARVE_TEST_PASSWORD", password)
	set.Actions = steps(t, "[{fill: 'input[name=who]', with: anna, optional: true}, {fill: '//input[@type=\"password\"]', "+
		"with: $VARVE_TEST_PASSWORD, optional: true}, {select: select, option: فارسی, optional: true}, "+
		"{press: Enter}, {until: '#hello', optional: true}]")
	r := run(t, set)
	if diff := cmp.Diff([]string{"/", "/home", "/letters"}, r.got); diff != "" {
		t.Errorf("written (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int64{"200": 3}, r.Status); diff != "" {
		t.Errorf("status (-want +got)\n%s", diff)
	}
	for _, secret := range []string{password, url.QueryEscape(password), session} {
		if text := everything(t, r.dir); strings.Contains(text, secret) {
			t.Errorf("%q is written", secret)
		}
	}
}

// everything returns what the files of a crawl have, unpacked.
func everything(t *testing.T, dir string) string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	var all strings.Builder
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(&all, plain); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	return all.String()
}
