package replay_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/cdx"
)

// A record is one response of an archive written for a test.
type record struct {
	date, uri string // date is a ts14
	status    int
	location  string
	body      string
}

// write writes records as a WARC file.
func write(tb testing.TB, records []record) string {
	tb.Helper()
	var b strings.Builder
	for i, r := range records {
		ts, err := cdx.ParseTimestamp(r.date)
		if err != nil {
			tb.Fatal(err)
		}
		head := fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: text/html; charset=utf-8\r\n", r.status, http.StatusText(r.status))
		if r.location != "" {
			head += "Location: " + r.location + "\r\n"
		}
		block := head + "\r\n" + r.body
		fmt.Fprintf(&b, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>\r\n"+
			"WARC-Date: %s\r\nWARC-Target-URI: %s\r\n"+
			"Content-Type: application/http; msgtype=response\r\n"+
			"Content-Length: %d\r\n\r\n%s\r\n\r\n", i, ts.Time().Format(time.RFC3339), r.uri, len(block), block)
	}
	path := filepath.Join(tb.TempDir(), "landing.warc")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

// pageOf returns a page of about 120 words made from seed, in the frame of its site.
func pageOf(title, seed string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!doctype html><title>%s</title><nav><a href=/>Home</a> <a href=/news>News</a></nav><main><h1>%s</h1>", title, title)
	words := strings.Fields(seed)
	for p := range 4 {
		b.WriteString("<p>")
		for i := range 30 {
			fmt.Fprintf(&b, "%s%c%c ", words[(p*7+i*i+p*i)%len(words)], 'a'+rune((i*3+p)%26), 'a'+rune((i+p*5)%26))
		}
		b.WriteString("</p>")
	}
	return b.String() + "</main><footer>Imprint and contact</footer>"
}

const site = "http://rain.example.org"

// cases is an archive with one example of each case of a landing page.
func cases() []record {
	acid := pageOf("Acid rain", "acid rain harms lakes forests fish soils and stone")
	fog := pageOf("Fog", "fog is a cloud that touches ground near cold water")
	snow := pageOf("Snow", "snow falls in crystals when air is below freezing point")
	ice := pageOf("Ice", "ice covers rivers in winter and melts in spring floods")
	home := pageOf("Home", "welcome to the weather pages of our small institute")
	gone := "<title>Not found</title><h1>404 Not found</h1>"
	at := func(date, path string, status int, location, body string) record {
		return record{date, site + path, status, location, body}
	}
	return []record{
		at("20150101000000", "/", 200, "", home), at("20180101000000", "/", 200, "", home),
		// The same page, moved.
		at("20150101000001", "/acid", 200, "", acid), at("20180101000001", "/acid", 301, "/topics/acid-rain", ""),
		at("20180101000002", "/topics/acid-rain", 200, "", acid), at("20200101000000", "/acid", 200, "", fog),
		// Redirected to the home page, while the text lives on elsewhere.
		at("20150101000003", "/fog", 200, "", fog), at("20180101000003", "/fog", 302, "/", ""),
		{"20180101000004", "http://mist.example.net/fog.html", 200, "", fog},
		// A chain, a loop, and a target that was never captured.
		at("20150101000005", "/snow", 200, "", snow), at("20180101000005", "/snow", 301, "/snow2", ""),
		at("20180101000006", "/snow2", 302, "https://rain.example.org/weather/snow", ""), at("20180101000007", "/weather/snow", 200, "", snow),
		at("20180101000008", "/round", 302, "/about", ""), at("20180101000009", "/about", 302, "/round", ""),
		at("20180101000010", "/away", 301, "http://elsewhere.example.com/", ""),
		// Removed, with and without a true 404.
		at("20150101000011", "/ice.html", 200, "", ice), at("20180101000011", "/ice.html", 404, "", gone),
		at("20180101000012", "/winter/ice.html", 200, "", ice),
		at("20150101000013", "/soft.html", 200, "", ice), at("20180101000013", "/soft.html", 200, "", gone),
		// A redirect to another spelling of the same address.
		at("20180101000014", "/secure", 301, "https://rain.example.org/secure", ""),
		{"20180101000015", "https://rain.example.org/secure", 200, "", snow},
	}
}

func get(tb testing.TB, h http.Handler, path string, header ...string) *httptest.ResponseRecorder {
	tb.Helper()
	r := httptest.NewRequest(http.MethodGet, "http://varve.example"+path, nil)
	r.RequestURI = path
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

var navigation = []string{"Accept", "text/html", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document", "Sec-Fetch-Site", "none"}

// Redirect captures: readers get a landing page, other clients the captured redirect.
func TestOnlyReadersGetLandingPagesForRedirects(t *testing.T) {
	s, _ := serverOf(t, write(t, cases()))
	h := s.Handler()
	const acid, target = "/web/20180101000001/" + site + "/acid", "/web/20180101000002/" + site + "/topics/acid-rain"
	const landing = "http://varve.example/web/landing/20180101000001/" + site + "/acid"
	for _, c := range []struct {
		name, path string
		header     []string
		status     int
		location   string
	}{
		{"a browser's navigation", acid, navigation, 302, landing},
		{"a browser without Fetch Metadata", acid, []string{"Accept", "text/html,*/*", "Upgrade-Insecure-Requests", "1"}, 302, landing},
		{"a client that merely likes HTML", acid, []string{"Accept", "text/html"}, 301, target},
		{"a client that says nothing", acid, nil, 301, target},
		{
			"a frame", acid,
			[]string{"Accept", "text/html", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe", "Upgrade-Insecure-Requests", "1"},
			301, target,
		},
		{"a script's fetch", acid, []string{"Sec-Fetch-Mode", "cors", "Sec-Fetch-Dest", "empty"}, 301, target},
		{"a modifier", "/web/20180101000001mp_/" + site + "/acid", navigation, 301, "/web/20180101000002mp_/" + site + "/topics/acid-rain"},
		{
			"a reader who prefers it raw", acid, append([]string{"Prefer", "raw"}, navigation...), 301,
			"/web/20180101000002id_/" + site + "/topics/acid-rain",
		},
		{
			"a reader who wants no landing pages of this site", acid,
			append([]string{"Cookie", "varve-go=x.example|rain.example.org"}, navigation...), 301, target,
		},
		{"a reader who is not to be asked at all", acid, append([]string{"Cookie", "varve-go=*"}, navigation...), 301, target},
		{
			"a reader who wants no landing pages of another site", acid,
			append([]string{"Cookie", "varve-go=example.org"}, navigation...), 302, landing,
		},
		{
			"a redirect to the same SURT", "/web/20180101000014/" + site + "/secure", navigation, 301,
			"/web/20180101000015/https://rain.example.org/secure",
		},
		{
			"a target never captured", "/web/20180101000010/" + site + "/away", navigation, 302,
			"http://varve.example/web/landing/20180101000010/" + site + "/away",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := get(t, h, c.path, c.header...)
			if w.Code != c.status || w.Header().Get("Location") != c.location {
				t.Errorf("%d %s, want %d %s", w.Code, w.Header().Get("Location"), c.status, c.location)
			}
			if c.path != acid {
				return
			}
			for _, name := range []string{"Sec-Fetch-Mode", "Sec-Fetch-Dest", "Cookie"} {
				if plain := c.status == 301 && len(c.header) > 8 && c.header[0] == "Prefer"; !plain && !strings.Contains(w.Header().Get("Vary"), name) {
					t.Errorf("Vary: %s lacks %s", w.Header().Get("Vary"), name)
				}
			}
			if c.status == 301 && w.Header().Get("Memento-Datetime") == "" {
				t.Error("the captured answer is no memento")
			}
		})
	}
}

func landingOf(t *testing.T, h http.Handler, ts, uriR string) archive.LandingFacts {
	t.Helper()
	var l archive.LandingFacts
	w := get(t, h, "/web/landing/"+ts+"/"+uriR, "Accept", "application/json")
	if err := json.Unmarshal(w.Body.Bytes(), &l); err != nil {
		t.Fatalf("%d %s: %v", w.Code, w.Body, err)
	}
	return l
}

func value[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}

func TestLandingFacts(t *testing.T) {
	s, _ := serverOf(t, write(t, cases()))
	h := s.Handler()
	const web = "http://varve.example/web/"
	for _, c := range []struct {
		name, ts, path  string
		kind            string
		target, memento any
		similarity      any
		before, after   any
		first           string // of the alternatives, as "why URI-R"
	}{
		{
			"the same page moved, another came later", "20180101000001", "/acid", "redirect", site + "/topics/acid-rain",
			web + "20180101000002/" + site + "/topics/acid-rain", 1.0, web + "20150101000001/" + site + "/acid",
			web + "20200101000000/" + site + "/acid", "parent folder " + site + "/",
		},
		{
			"sent to the home page, the text is elsewhere", "20180101000003", "/fog", "redirect", site + "/",
			web + "20180101000000/" + site + "/", 0.0, web + "20150101000003/" + site + "/fog", nil, "similar content " + site + "/acid",
		},
		{
			"a chain is followed to its end", "20180101000005", "/snow", "redirect", site + "/snow2",
			web + "20180101000006/" + site + "/snow2", 1.0, web + "20150101000005/" + site + "/snow", nil,
			"similar content https://rain.example.org/secure",
		},
		{
			"a circle ends nowhere", "20180101000008", "/round", "redirect", site + "/about",
			web + "20180101000009/" + site + "/about", nil, nil, nil, "parent folder " + site + "/",
		},
		{
			"a target never captured", "20180101000010", "/away", "redirect", "http://elsewhere.example.com/", nil, nil, nil,
			nil, "parent folder " + site + "/",
		},
		{
			"removed", "20180101000011", "/ice.html", "missing", nil, nil, nil, web + "20150101000011/" + site + "/ice.html",
			nil, "similar content " + site + "/winter/ice.html",
		},
		{
			"a soft 404", "20180101000013", "/soft.html", "soft404", nil, nil, nil,
			web + "20150101000013/" + site + "/soft.html", nil, "similar content " + site + "/winter/ice.html",
		},
		{
			"a moment between captures is that of the nearest", "2018", "/ice.html", "missing", nil, nil, nil,
			web + "20150101000011/" + site + "/ice.html", nil, "similar content " + site + "/winter/ice.html",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := landingOf(t, h, c.ts, site+c.path)
			first := ""
			if len(l.Alternatives) > 0 {
				first = l.Alternatives[0].Why + " " + l.Alternatives[0].OriginalURI
			}
			got := []any{l.Kind, value(l.Target), value(l.TargetMemento), value(l.Similarity), value(l.Before), value(l.After), first}
			want := []any{c.kind, c.target, c.memento, c.similarity, c.before, c.after, c.first}
			for i := range want {
				if got[i] != want[i] {
					t.Errorf("field %d: got %v, want %v\n%+v", i, got[i], want[i], l)
				}
			}
		})
	}
}

func TestLandingOfAPageIsThePage(t *testing.T) {
	s, _ := serverOf(t, write(t, cases()))
	w := get(t, s.Handler(), "/web/landing/20150101000001/"+site+"/acid", "Accept", "application/json")
	if want := "http://varve.example/web/20150101000001/" + site + "/acid"; w.Code != 302 || w.Header().Get("Location") != want {
		t.Errorf("%d %s, want 302 %s", w.Code, w.Header().Get("Location"), want)
	}
}

func TestReadersGetALandingPageForTheNeverArchived(t *testing.T) {
	s, _ := serverOf(t, write(t, cases()))
	h := s.Handler()
	for _, c := range []struct{ path, near string }{
		{"/web/" + site + "/acid?print=1", "/web/20200101000000/" + site + "/acid"},
		{"/web/2018/" + site + "/ice.htm", "/web/20150101000011/" + site + "/ice.html"},
		{"/web/landing/2018/" + site + "/topics/acid-rian", "/web/20180101000002/" + site + "/topics/acid-rain"},
		{"/web/2018/" + site + "/winter/nothing/at/all", "/web/20180101000000/" + site + "/"},
	} {
		w := get(t, h, c.path, "Accept", "text/html")
		if body := w.Body.String(); w.Code != 404 || !strings.Contains(body, `href="`+c.near+`"`) ||
			!strings.Contains(body, "has not been archived") {
			t.Errorf("%s: %d without a link to %s:\n%s", c.path, w.Code, c.near, body)
		}
		w = get(t, h, c.path)
		if body := w.Body.String(); w.Code != 404 || strings.Count(body, "\n") != 1 ||
			!strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
			t.Errorf("%s: for others %d %q", c.path, w.Code, body)
		}
	}
}

func TestBannerOffersTheLandingPage(t *testing.T) {
	s, _ := serverOf(t, write(t, cases()))
	h := s.Handler()
	for path, want := range map[string]string{
		"20180101000011/" + site + "/ice.html":  `href="/web/landing/20180101000011/` + site + `/ice.html"`,
		"20180101000013/" + site + "/soft.html": `href="/web/landing/20180101000013/` + site + `/soft.html"`,
	} {
		if w := get(t, h, "/web/"+path, "Accept", "text/html"); !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d without %s", path, w.Code, want)
		}
	}
	const acid = "/web/20180101000002/" + site + "/topics/acid-rain"
	from := "/web/landing/20180101000001/" + site + "/acid"
	for range 2 { // the second answer may come from a cache
		if w := get(t, h, acid); strings.Contains(w.Body.String(), from) || strings.Contains(w.Header().Get("Vary"), "Referer") {
			t.Error("a reader who came from nowhere is told a way")
		}
		w := get(t, h, acid, "Referer", "http://varve.example"+from)
		if !strings.Contains(w.Body.String(), `href="`+from+`"`) || !strings.Contains(w.Header().Get("Vary"), "Referer") {
			t.Error("the banner does not say where the reader came from")
		}
		if w := get(t, h, acid, "Referer", "http://evil.example"+from); strings.Contains(w.Body.String(), from) {
			t.Error("another host's referrer is believed")
		}
	}
}

func TestSimilarCaptures(t *testing.T) {
	s, _ := serverOf(t, write(t, cases()))
	h := s.Handler()
	var l archive.SimilarList
	w := get(t, h, "/web/similar/20150101000003/"+site+"/fog")
	if err := json.Unmarshal(w.Body.Bytes(), &l); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range l.Results {
		got = append(got, fmt.Sprintf("%.1f %s %s", r.Similarity, r.Datetime, r.OriginalURI))
	}
	want := "1.0 20200101000000 " + site + "/acid|1.0 20180101000004 http://mist.example.net/fog.html"
	if strings.Join(got, "|") != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if w := get(t, h, "/web/similar/2015/"+site+"/fog", "Accept", "text/html"); !strings.Contains(w.Body.String(), "mist.example.net") {
		t.Errorf("the page lacks a result: %d", w.Code)
	}
	for path, status := range map[string]int{
		"/web/similar/2015/" + site + "/none":                          404,
		"/web/similar?at=2015&threshold=2&url=" + site + "%2Ffog":      400,
		"/web/similar?at=2015&limit=0&url=" + site + "%2Ffog":          400,
		"/web/similar?at=x&url=" + site + "%2Ffog":                     400,
		"/web/similar?at=2015&threshold=0.9&limit=1&url=" + site + "/": 200,
	} {
		if w := get(t, h, path); w.Code != status {
			t.Errorf("%s: %d, want %d", path, w.Code, status)
		}
	}
}

func TestDuplicatesAreListedOnce(t *testing.T) {
	s, _ := serverOf(t, write(t, cases()))
	var got []string
	for d, err := range s.Archive().Duplicates(t.Context(), "web", archive.NearDuplicate, false) {
		if err != nil {
			t.Fatal(err)
		}
		if d.A.Text != d.B.Text || d.Similarity != 1 {
			t.Errorf("%s and %s are not the same", d.A.URL, d.B.URL)
		}
		got = append(got, d.A.URL+" "+d.B.URL)
	}
	want := map[string]bool{
		site + "/acid " + site + "/topics/acid-rain": true, site + "/fog http://mist.example.net/fog.html": true,
		site + "/fog " + site + "/acid":          true,
		site + "/snow " + site + "/weather/snow": true, site + "/snow https://rain.example.org/secure": true,
		site + "/ice.html " + site + "/winter/ice.html": true, site + "/ice.html " + site + "/soft.html": true,
	}
	for _, pair := range got {
		if !want[pair] {
			t.Errorf("%s is not to be there, or twice", pair)
		}
		delete(want, pair)
	}
	for pair := range want {
		t.Errorf("%s is missing", pair)
	}
}
