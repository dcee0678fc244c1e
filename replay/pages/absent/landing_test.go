package absent_test

import (
	"slices"
	"strings"
	"testing"

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
			varies := []string{"Sec-Fetch-Mode", "Sec-Fetch-Dest", "Cookie"}
			if slices.Contains(c.header, "Prefer") {
				varies = []string{"Prefer"}
			}
			for _, name := range varies {
				if !strings.Contains(w.Header().Get("Vary"), name) {
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

// A redirect can be compared with the page that was there before or after, so nothing is said where there never was one.
func TestOnlyWhatWasAPageIsCompared(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, replaytest.Moved()))
	for path, compared := range map[string]bool{
		"20180101000001/" + replaytest.Site + "/acid": true, "20180101000003/" + replaytest.Site + "/fog": true,
		"20180101000008/" + replaytest.Site + "/round": false,
	} {
		body := replaytest.Get(t, s.Handler(), "/web/landing/"+path, navigation...).Body.String()
		if !strings.Contains(body, "Where it leads") || strings.Contains(body, `class="alike"`) != compared {
			t.Errorf("%s: is it compared? want %v in %s", path, compared, body)
		}
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
