package engine_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/replaytest"
	"github.com/varve-archive/varve/static"
)

// servesScripts serves a page and a script at one origin for all, and at origins per site.
func servesScripts(t *testing.T) (one, perSite http.Handler) {
	t.Helper()
	if !static.HasWombat() {
		t.Skip("there is no client-side runtime: run make build")
	}
	_, x := replaytest.Serve(t, replaytest.WriteVerbatim(t, []replaytest.Verbatim{
		{Date: "20150101000001", URI: "http://a.example:81/?a&b", Message: message(200, aPage, "<html><head></head><body><a href=x>a page</a>")},
		{Date: "20150101000001", URI: "http://a.example/w.js", Message: message(200, "Content-Type: text/javascript\r\n", "work()")},
	}))
	return replaytest.Configured(t, x, nil), replaytest.Configured(t, x, func(cfg *replay.Config) {
		cfg.PublicURL, cfg.ReplayURL = "http://archive.test", "http://*.replay.test"
	})
}

// home returns the host at which an address of the server is replayed.
func home(t *testing.T, h http.Handler, path string) string {
	t.Helper()
	u, err := url.Parse(replaytest.At(h, "GET", "archive.test", path, "").Header().Get("Location"))
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

// Where browsers understand no path, references have the scheme and the host by which the server is known.
func TestReferencesWithTheServersAddress(t *testing.T) {
	t.Parallel()
	_, x := replaytest.Serve(t, replaytest.WriteVerbatim(t, []replaytest.Verbatim{
		{Date: "20150101000001", URI: "http://a.example/x.xsl", Message: message(200, "Content-Type: text/xml\r\n", `<x:import href="i.xsl"/>`)},
	}))
	for public, base := range map[string]string{"": "http://varve.example", "https://archive.test/under": "https://archive.test/under"} {
		h := replaytest.Configured(t, x, func(cfg *replay.Config) { cfg.PublicURL = public })
		got := replaytest.At(h, "GET", "varve.example", "/web/20150101000001oe_/http://a.example/x.xsl", "").Body.String()
		if want := `<x:import href="` + base + `/web/20150101000001oe_/http://a.example/i.xsl"/>`; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// The script of a worker begins with the statement that guards it, in the form that its kind of script allows.
func TestScriptsOfWorkersAreGuarded(t *testing.T) {
	t.Parallel()
	one, perSite := servesScripts(t)
	const script, rest = "/http://a.example/w.js", `"time":"20150101000001","url":"http://a.example/w.js","script":`
	for _, tt := range []struct {
		mod           string
		h             http.Handler
		host          string
		begins, apart string
		module, none  bool
	}{
		{"wkr_", one, "varve.example", `self._varveWorker||(self._varveWorker={"prefix":"http://varve.example/web/",`, "", false, false},
		{
			"wkr_", perSite, home(t, perSite, "/web/20150101000001wkr_"+script), "self._varveWorker||(self._varveWorker={",
			`"apart":"http://*.replay.test/web/",`, false, false,
		},
		{"wkrm_", one, "varve.example", `import"data:text/javascript,self._varveWorker%7C%7C%28self._varveWorker=%7B`, "", true, false},
		{"js_", one, "varve.example", "work()", "", false, true},
	} {
		base := "http://" + tt.host
		got := replaytest.At(tt.h, "GET", tt.host, "/web/20150101000001"+tt.mod+script, "").Body.String()
		start := `"` + base + static.URL("workerstart.js") + `"`
		want := rest + start + "},importScripts(" + start + "));"
		if tt.module {
			want = url.PathEscape(rest+start+"})") + `";import` + start + ";"
		}
		if !strings.HasPrefix(got, tt.begins) || strings.Contains(got, tt.apart+want) == tt.none || !strings.HasSuffix(got, "work()") ||
			strings.Contains(got, `"apart"`) != (tt.apart != "") {
			t.Errorf("%s at %s: %s", tt.mod, tt.host, got)
		}
	}
}

// A page tells the scripts in its head where it is from, and where others are.
func TestPagesTellWhereTheyAre(t *testing.T) {
	t.Parallel()
	one, perSite := servesScripts(t)
	const path = "/web/20150101000001if_/http://a.example:81/?a&b"
	for host, h := range map[string]http.Handler{"varve.example": one, home(t, perSite, path): perSite} {
		several := host != "varve.example"
		body := replaytest.At(h, "GET", host, path, "").Body.String()
		base, apart := "http://"+host, ""
		if several {
			apart = "http://*.replay.test/web/"
		}
		if want := `data-prefix="` + base + `/web/" data-apart="` + apart + `" data-to="` + base +
			`/web/20150101000001if_/" data-url="http://a.example:81/?a&amp;b"></script>`; !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
		if strings.Contains(body, "labels.js") != several {
			t.Errorf("the labels of origins at %s: %s", host, body)
		}
		_, info, _ := strings.Cut(body, "<script>window.wbinfo=")
		info, _, _ = strings.Cut(info, "</script>")
		got := map[string]any{}
		if err := json.Unmarshal([]byte(info), &got); err != nil {
			t.Fatal(err, body)
		}
		for name, want := range map[string]any{
			"prefix": base + "/web/", "timestamp": "20150101000001", "request_ts": "20150101000001", "wombat_ts": "20150101000001",
			"wombat_sec": 1420070401.0, "wombat_scheme": "http", "wombat_host": "a.example:81", "mod": "if_", "static_prefix": base + static.Prefix,
			"url": "http://a.example:81/?a&b", "top_url": base + "/web/20150101000001/http://a.example:81/?a&b", "top_host": base, "coll": "web",
			"is_framed": false, "is_live": false,
		} {
			if got[name] != want {
				t.Errorf("%s of %s: %v, want %v", name, host, got[name], want)
			}
		}
		if is, _ := got["apart"].(string); is != apart {
			t.Errorf("apart of %s: %s", host, is)
		}
	}
}

// Where scripts run, they find addresses as the page spelled them. Elsewhere nothing is said of the spelling.
func TestScriptsFindAddressesAsTheyWereSpelled(t *testing.T) {
	t.Parallel()
	one, _ := servesScripts(t)
	for _, tt := range []struct {
		header          []string
		spelled, varies bool
	}{
		{nil, false, true},
		{[]string{"Upgrade-Insecure-Requests", "1"}, true, true},
		{[]string{"Upgrade-Insecure-Requests", "0"}, false, true},
		{[]string{"Sec-Fetch-Dest", "document"}, true, false},
		{[]string{"Sec-Fetch-Dest", "iframe"}, true, false},
		{[]string{"Sec-Fetch-Dest", "image", "Upgrade-Insecure-Requests", "1"}, false, false},
	} {
		w := ask(one, "GET", "/web/20150101000001if_/http://a.example:81/?a&b", tt.header...)
		if strings.Contains(w.Body.String(), "/~x~") != tt.spelled ||
			tt.varies && !strings.Contains(w.Header().Get("Vary"), "Upgrade-Insecure-Requests") {
			t.Errorf("%v: Vary: %s\n%s", tt.header, w.Header().Get("Vary"), w.Body)
		}
	}
}

// The empty document for a service worker to fill goes to navigations within a replayed site only, under the policy of its pages.
func TestShells(t *testing.T) {
	t.Parallel()
	one, _ := servesScripts(t)
	const at, page = "/web/20150101000001mp_/http://a.example:81/none", "http://varve.example/web/20150101000001/http://a.example:81/?a&b"
	for _, tt := range []struct {
		method, path, dest, referer string
		shell                       bool
	}{
		{"GET", at, "document", page, true},
		{"GET", at, "iframe", page, true},
		{"GET", at, "image", page, false},
		{"GET", at, "", page, false},
		{"HEAD", at, "document", page, false},
		{"GET", at, "document", "", false},
		{"GET", at, "document", "http://varve.example/web/20150101000001/http://b.example/", false},
		{"GET", strings.Replace(at, "mp_", "id_", 1), "document", page, false},
	} {
		w := ask(one, tt.method, tt.path, "Sec-Fetch-Dest", tt.dest, "Referer", tt.referer, "Accept", "text/html")
		h := w.Header()
		shell := strings.HasPrefix(w.Body.String(), "<!doctype html><title></title><script") && strings.Contains(w.Body.String(), "inside.js") &&
			strings.Contains(w.Body.String(), `<script>_varveShell()</script><noscript>`)
		if w.Code != 404 || shell != tt.shell || strings.Contains(h.Get("Content-Security-Policy"), "/web/ ") != tt.shell {
			t.Errorf("%+v: %d %v\n%s", tt, w.Code, h, w.Body)
		}
		if tt.shell && (h.Get("Cache-Control") != "no-cache" || h.Get("X-Robots-Tag") != "noindex" ||
			h.Get("Content-Type") != "text/html; charset=utf-8" || !strings.Contains(h.Get("Link"), `rel="original"`)) {
			t.Errorf("%+v: %v", tt, h)
		}
	}
}
