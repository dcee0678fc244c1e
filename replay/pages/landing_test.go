package pages_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/duplicates"
	"github.com/varve-archive/varve/archive/similar"
	"github.com/varve-archive/varve/replay/replaytest"
)

var navigation = []string{"Accept", "text/html", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document", "Sec-Fetch-Site", "none"}

// Readers who reach a captured redirect get its landing page.
func TestOnlyReadersGetLandingPagesForRedirects(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, replaytest.Moved()))
	h := s.Handler()
	const acid, target = "/web/20180101000001/" + replaytest.Site + "/acid", "/web/20180101000002/" + replaytest.Site + "/topics/acid-rain"
	const landing = "http://varve.example/web/landing/20180101000001/" + replaytest.Site + "/acid"
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
		{
			"a modifier", "/web/20180101000001mp_/" + replaytest.Site + "/acid", navigation, 301,
			"/web/20180101000002mp_/" + replaytest.Site + "/topics/acid-rain",
		},
		{
			"a reader who prefers it raw", acid, append([]string{"Prefer", "raw"}, navigation...), 301,
			"/web/20180101000002id_/" + replaytest.Site + "/topics/acid-rain",
		},
		{
			"a reader who is not to be asked for this site", acid,
			append([]string{"Cookie", "varve-go=x.example|rain.example.org"}, navigation...), 301, target,
		},
		{"a reader who is not to be asked at all", acid, append([]string{"Cookie", "varve-go=*"}, navigation...), 301, target},
		{
			"a reader who is not to be asked for another site", acid,
			append([]string{"Cookie", "varve-go=example.org"}, navigation...), 302, landing,
		},
		{
			"a redirect to the same SURT", "/web/20180101000014/" + replaytest.Site + "/secure", navigation, 301,
			"/web/20180101000015/https://rain.example.org/secure",
		},
		{
			"a target never captured", "/web/20180101000010/" + replaytest.Site + "/away", navigation, 302,
			"http://varve.example/web/landing/20180101000010/" + replaytest.Site + "/away",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := replaytest.Get(t, h, c.path, c.header...)
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

func TestLandingFacts(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, replaytest.Moved()))
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
			"the same page moved, another came later", "20180101000001", "/acid", "redirect", replaytest.Site + "/topics/acid-rain",
			web + "20180101000002/" + replaytest.Site + "/topics/acid-rain", 1.0, web + "20150101000001/" + replaytest.Site + "/acid",
			web + "20200101000000/" + replaytest.Site + "/acid", "parent folder " + replaytest.Site + "/",
		},
		{
			"sent to the home page, the text is elsewhere", "20180101000003", "/fog", "redirect", replaytest.Site + "/",
			web + "20180101000000/" + replaytest.Site + "/", 0.0, web + "20150101000003/" + replaytest.Site + "/fog", nil,
			"similar content " + replaytest.Site + "/acid",
		},
		{
			"a chain is followed to its end", "20180101000005", "/snow", "redirect", replaytest.Site + "/snow2",
			web + "20180101000006/" + replaytest.Site + "/snow2", 1.0, web + "20150101000005/" + replaytest.Site + "/snow", nil,
			"similar content https://rain.example.org/secure",
		},
		{
			"a circle ends nowhere", "20180101000008", "/round", "redirect", replaytest.Site + "/about",
			web + "20180101000009/" + replaytest.Site + "/about", nil, nil, nil, "parent folder " + replaytest.Site + "/",
		},
		{
			"a target never captured", "20180101000010", "/away", "redirect", "http://elsewhere.example.com/", nil, nil, nil,
			nil, "parent folder " + replaytest.Site + "/",
		},
		{
			"removed", "20180101000011", "/ice.html", "missing", nil, nil, nil,
			web + "20150101000011/" + replaytest.Site + "/ice.html", nil,
			"similar content " + replaytest.Site + "/winter/ice.html",
		},
		{
			"said to be removed", "20180101000013", "/soft.html", "soft404", nil, nil, nil,
			web + "20150101000013/" + replaytest.Site + "/soft.html", nil,
			"similar content " + replaytest.Site + "/winter/ice.html",
		},
		{
			"a moment between captures is that of the nearest", "2018", "/ice.html", "missing", nil, nil, nil,
			web + "20150101000011/" + replaytest.Site + "/ice.html", nil,
			"similar content " + replaytest.Site + "/winter/ice.html",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := replaytest.LandingOf(t, h, c.ts, replaytest.Site+c.path)
			first := ""
			if len(l.Alternatives) > 0 {
				first = l.Alternatives[0].Why + " " + l.Alternatives[0].OriginalURI
			}
			got := []any{
				l.Kind, replaytest.Value(l.Target), replaytest.Value(l.TargetMemento), replaytest.Value(l.Similarity),
				replaytest.Value(l.Before), replaytest.Value(l.After), first,
			}
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
	s, _ := replaytest.Serve(t, replaytest.Write(t, replaytest.Moved()))
	w := replaytest.Get(t, s.Handler(), "/web/landing/20150101000001/"+replaytest.Site+"/acid", "Accept", "application/json")
	if want := "http://varve.example/web/20150101000001/" + replaytest.Site + "/acid"; w.Code != 302 || w.Header().Get("Location") != want {
		t.Errorf("%d %s, want 302 %s", w.Code, w.Header().Get("Location"), want)
	}
}

func TestReadersGetALandingPageForTheNeverArchived(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, replaytest.Moved()))
	h := s.Handler()
	for _, c := range []struct{ path, near string }{
		{"/web/" + replaytest.Site + "/acid?print=1", "/web/20200101000000/" + replaytest.Site + "/acid"},
		{"/web/2018/" + replaytest.Site + "/ice.htm", "/web/20150101000011/" + replaytest.Site + "/ice.html"},
		{"/web/landing/2018/" + replaytest.Site + "/topics/acid-rian", "/web/20180101000002/" + replaytest.Site + "/topics/acid-rain"},
		{"/web/2018/" + replaytest.Site + "/winter/nothing/at/all", "/web/20180101000000/" + replaytest.Site + "/"},
	} {
		w := replaytest.Get(t, h, c.path, "Accept", "text/html")
		if body := w.Body.String(); w.Code != 404 || !strings.Contains(body, `href="`+c.near+`"`) ||
			!strings.Contains(body, "has not been archived") {
			t.Errorf("%s: %d without a link to %s:\n%s", c.path, w.Code, c.near, body)
		}
		w = replaytest.Get(t, h, c.path)
		if body := w.Body.String(); w.Code != 404 || strings.Count(body, "\n") != 1 ||
			!strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
			t.Errorf("%s: for others %d %q", c.path, w.Code, body)
		}
	}
}

func TestSimilarCaptures(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, replaytest.Moved()))
	h := s.Handler()
	var l similar.List
	w := replaytest.Get(t, h, "/web/similar/20150101000003/"+replaytest.Site+"/fog")
	if err := json.Unmarshal(w.Body.Bytes(), &l); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range l.Results {
		got = append(got, fmt.Sprintf("%.1f %s %s", r.Similarity, r.Datetime, r.OriginalURI))
	}
	want := "1.0 20200101000000 " + replaytest.Site + "/acid|1.0 20180101000004 http://mist.example.net/fog.html"
	if strings.Join(got, "|") != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if w := replaytest.Get(t, h, "/web/similar/2015/"+replaytest.Site+"/fog", "Accept",
		"text/html"); !strings.Contains(w.Body.String(), "mist.example.net") {
		t.Errorf("the page lacks a result: %d", w.Code)
	}
	for path, status := range map[string]int{
		"/web/similar/2015/" + replaytest.Site + "/none":                          404,
		"/web/similar?at=2015&threshold=2&url=" + replaytest.Site + "%2Ffog":      400,
		"/web/similar?at=2015&limit=0&url=" + replaytest.Site + "%2Ffog":          400,
		"/web/similar?at=x&url=" + replaytest.Site + "%2Ffog":                     400,
		"/web/similar?at=2015&threshold=0.9&limit=1&url=" + replaytest.Site + "/": 200,
	} {
		if w := replaytest.Get(t, h, path); w.Code != status {
			t.Errorf("%s: %d, want %d", path, w.Code, status)
		}
	}
}

func TestDuplicatesAreListedOnce(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, replaytest.Moved()))
	var got []string
	for d, err := range duplicates.Texts(t.Context(), s.Archive(), "web", duplicates.Near, false) {
		if err != nil {
			t.Fatal(err)
		}
		if d.A.Text != d.B.Text || d.Similarity != 1 {
			t.Errorf("%s and %s are not the same", d.A.URL, d.B.URL)
		}
		got = append(got, d.A.URL+" "+d.B.URL)
	}
	want := map[string]bool{
		replaytest.Site + "/acid " + replaytest.Site + "/topics/acid-rain": true,
		replaytest.Site + "/fog http://mist.example.net/fog.html":          true, replaytest.Site + "/fog " + replaytest.Site + "/acid": true,
		replaytest.Site + "/snow " + replaytest.Site + "/weather/snow": true, replaytest.Site + "/snow https://rain.example.org/secure": true,
		replaytest.Site + "/ice.html " + replaytest.Site + "/winter/ice.html": true,
		replaytest.Site + "/ice.html " + replaytest.Site + "/soft.html":       true,
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

// A page may name what can't be looked up. Where that leads says so, in a sentence.
func TestAddressesThatCannotBeLookedUp(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{
			Date: "20100101000000", URI: replaytest.Site + "/", Status: 200, Location: "",
			Body: `<a href="http://live.example:0x50/">a</a><img src="//live.example/` +
				strings.Repeat("x", 70<<10) + `">`,
		},
		{Date: "20100101000000", URI: replaytest.Site + "/moved", Status: 302, Location: "http://live.example:port/", Body: ""},
	}))
	const at = "/web/20100101000000"
	page := replaytest.Get(t, s.Handler(), at+"/"+replaytest.Site+"/").Body.String()
	for _, c := range []struct{ begins, ends, says string }{
		{`href="`, `"`, "an invalid address"}, {`<img src="`, `"`, "too long to look up"},
	} {
		body := page[strings.LastIndex(page, "<a href=\""+at):]
		_, link, _ := strings.Cut(body, c.begins)
		link, _, _ = strings.Cut(link, c.ends)
		w := replaytest.Get(t, s.Handler(), strings.Replace(link, "im_", "", 1), navigation...)
		if !strings.HasPrefix(link, at) || w.Code != 404 || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%s: %d, says nothing of %q", link, w.Code, c.says)
		}
	}
	w := replaytest.Get(t, s.Handler(), at+"/"+replaytest.Site+"/moved")
	if got, want := w.Header().Get("Location"), at+"/http://invalid/http://live.example:port/"; got != want {
		t.Errorf("a redirect leads to %s, want %s", got, want)
	}
}

// To an archived page the server's own address is one like any other.
func TestArchivedPagesDoNotLeadToTheServersOwn(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{Date: "20100101000000", URI: replaytest.Site + "/", Status: 302, Location: "http://varve.example/-/metrics", Body: ""},
		{
			Date: "20100101000000", URI: replaytest.Site + "/page", Status: 200, Location: "",
			Body: `<img src="http://varve.example/other/cdx?url=a">`,
		},
	}))
	const at = "/web/20100101000000"
	if got, want := replaytest.Get(t, s.Handler(), at+"/"+replaytest.Site+"/").Header().Get("Location"),
		at+"/http://varve.example/-/metrics"; got != want {
		t.Errorf("leads to %s, want %s", got, want)
	}
	page := replaytest.Get(t, s.Handler(), at+"/"+replaytest.Site+"/page").Body.String()
	if want := at + "im_/http://varve.example/other/cdx?url=a"; !strings.Contains(page, `"`+want+`"`) {
		t.Errorf("the page lacks %s", want)
	}
	if w := replaytest.Get(t, s.Handler(), "/-/metrics", "Referer", "http://varve.example"+at+"/"+replaytest.Site+"/",
		"Sec-Fetch-Dest", "empty"); w.Code != 403 {
		t.Errorf("a page got %d", w.Code)
	}
}
