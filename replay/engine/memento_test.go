package engine_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
	"github.com/varve-archive/varve/replay/respond"
	"github.com/varve-archive/varve/static"
)

const (
	plainText = "Content-Type: text/plain\r\n"
	aPage     = "Content-Type: text/html; charset=utf-8\r\n"
)

func TestStatusesAreTheCapturedOnes(t *testing.T) {
	var list []replaytest.Verbatim
	statuses := map[int]int{200: 200, 204: 204, 404: 404, 410: 410, 503: 503, 599: 599, 600: 600, 999: 999}
	for captured := range statuses {
		list = append(list, replaytest.Verbatim{
			Date: "20150101000000", URI: fmt.Sprintf("http://a.example/%d", captured), Message: message(captured, plainText, "text"),
		})
	}
	s, _ := serves(t, list)
	for captured, want := range statuses {
		for _, mod := range []string{"id_", "mp_"} {
			w := ask(s, "GET", fmt.Sprintf("/web/20150101000000%s/http://a.example/%d", mod, captured))
			if w.Code != want {
				t.Errorf("%d%s: %d", captured, mod, w.Code)
			}
			if tagged := w.Header().Get("ETag") != ""; tagged != (captured == 200) {
				t.Errorf("%d%s has an ETag: %t", captured, mod, tagged)
			}
		}
	}
}

// Browsers show nothing for a 304 (RFC 9110 §15.4.5). Crawlers that have a cache write such responses.
func TestA304YieldsToWhatCanBeShown(t *testing.T) {
	at := func(date, uri string, status int) replaytest.Verbatim {
		return replaytest.Verbatim{Date: date, URI: uri, Message: message(status, aPage, "")}
	}
	const u, alone, day, page = "http://a.example/", "http://a.example/alone", "20160103000000", "/web/20160101000000"
	s, _ := serves(t, []replaytest.Verbatim{at("20160101000000", u, 200), at(day, u, 304), at("20160109000000", u, 200), at(day, alone, 304)})
	for path, want := range map[string]string{
		"/web/http://a.example/": "302 http://varve.example/web/20160109000000/" + u, "/web/20160104/" + u: "302 " + page + "/" + u,
		"/web/" + day + "/" + u: "302 " + page + "/" + u, "/web/" + day + "js_/" + u: "302 " + page + "js_/" + u,
		"/web/" + day + "id_/" + u: "304 ", "/web/" + day + "/" + alone: "304 ",
	} {
		w := ask(s, "GET", path)
		if got := fmt.Sprintf("%d %s", w.Code, w.Header().Get("Location")); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// RFC 7089 §4.2.1, §4.5.3 and §4.5.7, and RFC 9110 §15.4.8 for other methods.
func TestNegotiationInTime(t *testing.T) {
	page := func(date string) replaytest.Verbatim {
		return replaytest.Verbatim{Date: date, URI: "http://a.example/", Message: message(200, aPage, "<p>"+date)}
	}
	s, _ := serves(t, []replaytest.Verbatim{page("20140101000000"), page("20160101000000"), page("20180101000000")})
	const u, gate = "http://a.example/", "/web/http://a.example/"
	const old, middle, newest = "/web/20140101000000/" + u, "/web/20160101000000/" + u, "/web/20180101000000/" + u
	for _, tt := range []struct {
		name, method, path, datetime string
		status                       int
		to                           string
	}{
		{"no datetime: the newest", "GET", gate, "", 302, newest},
		{"a datetime", "GET", gate, "Fri, 01 Jan 2016 00:00:10 GMT", 302, middle},
		{"before the first", "GET", gate, "Sat, 01 Jan 2000 00:00:00 GMT", 302, old},
		{"behind the last", "HEAD", gate, "Sat, 01 Jan 2039 00:00:00 GMT", 302, newest},
		{"a malformed datetime", "GET", gate, "2016", 400, ""},
		{"with a modifier", "GET", "/web/id_/" + u, "", 302, "/web/20180101000000id_/" + u},
		{"a URI-M between captures", "GET", "/web/20151201000000im_/" + u, "", 302, "/web/20160101000000im_/" + u},
		{"a short datetime", "GET", "/web/2016/" + u, "", 302, middle},
		{"a URI-M", "GET", "/web/20160101000000id_/" + u, "", 200, ""},
		{"a month that is none", "GET", "/web/20161301000000/" + u, "", 302, middle},
		{"the newest", "GET", "/web/99999999999999/" + u, "", 302, newest},
		{"a year with zeros", "GET", "/web/20160000000000/" + u, "", 302, middle},
		{"a modifier that is none", "GET", "/web/20160101000000xx_/" + u, "", 400, ""},
		{"an extended modifier", "GET", "/web/20160101000000$br:x/" + u, "", 200, ""},
		{"nothing captured", "GET", "/web/http://b.example/", "", 404, ""},
		{"nothing captured, at a datetime", "GET", "/web/2016/http://b.example/", "", 404, ""},
		{"POST, of which nothing was captured", "POST", gate, "", 404, ""},
		{"PUT, of which nothing was captured", "PUT", "/web/2016/" + u, "", 404, ""},
		{"a method that nothing answers", "DELETE", gate, "", 405, ""},
		{"a method that nothing answers, at a datetime", "DELETE", "/web/2016/" + u, "", 405, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var header []string
			if tt.datetime != "" {
				header = []string{"Accept-Datetime", tt.datetime}
			}
			w := ask(s, tt.method, tt.path, header...)
			h := w.Header()
			if w.Code != tt.status || strings.TrimPrefix(h.Get("Location"), "http://varve.example") != tt.to {
				t.Fatalf("%d, Location: %s", w.Code, h.Get("Location"))
			}
			if tt.status == 302 && (!strings.Contains(h.Get("Link"), `rel="original"`) || h.Get("Access-Control-Allow-Origin") != "*") {
				t.Errorf("%v", h)
			}
			if tt.path == gate && tt.status == 302 {
				for _, rel := range []string{`rel="first`, `last memento"`} {
					if !strings.Contains(h.Get("Link"), rel) {
						t.Errorf("Link: %s", h.Get("Link"))
					}
				}
				if h.Get("Vary") != "accept-datetime" {
					t.Errorf("Vary: %s", h.Get("Vary"))
				}
			}
		})
	}
}

func TestFormsAreAnsweredByTheirCaptures(t *testing.T) {
	const gate, memento, form = "/web/http://a.example/form", "/web/20150101000000/http://a.example/form", "q=1&_=1420070400000"
	s, _ := replaytest.Serve(t, posted(t, "2015-01-01T00:00:00Z", "http://a.example/form", "POST", form, "sent"))
	for _, tt := range []struct {
		name, path, form string
		status           int
		to, fuzzy        string
	}{
		{"the TimeGate", gate, form, 307, memento, ""},
		{"the TimeGate, another cache buster", gate, form + "9", 307, memento, ""},
		{"the memento", memento, form, 200, "", ""},
		{"the memento, another cache buster", memento, form + "9", 200, "", "http://a.example/form"},
		{"another datetime", "/web/2014/http://a.example/form", form, 307, memento, ""},
		{"another form", memento, "q=2", 404, "", ""},
		{"another form at the TimeGate", gate, "q=2", 404, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, r := httptest.NewRecorder(), httptest.NewRequest("POST", "http://varve.example"+tt.path, strings.NewReader(tt.form))
			r.RequestURI = tt.path
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			s.Handler().ServeHTTP(w, r)
			to := strings.TrimPrefix(w.Header().Get("Location"), "http://varve.example")
			if w.Code != tt.status || to != tt.to || w.Header().Get(respond.FuzzyHeader) != tt.fuzzy ||
				tt.status == 200 && w.Body.String() != "sent" {
				t.Errorf("%d %v\n%s", w.Code, w.Header(), w.Body)
			}
		})
	}
	if w := ask(s.Handler(), "GET", memento); w.Code != 404 {
		t.Errorf("a GET is answered by a form: %d", w.Code)
	}
}

func TestARedirectElsewhereShowsItsLandingPageToReadersOnly(t *testing.T) {
	s, _ := serves(t, []replaytest.Verbatim{
		{Date: "20150101000000", URI: "http://a.example/", Message: message(302, "Location: http://b.example/x\r\n", "")},
		{Date: "20150101000000", URI: "http://a.example/same", Message: message(302, "Location: http://www.a.example/same\r\n", "")},
		{Date: "20160101000000", URI: "http://a.example/same", Message: message(200, aPage, "<p>here")},
	})
	reader := []string{"Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}
	const landing, captured = "http://varve.example/web/landing/20150101000000/http://a.example/", "/web/20150101000000/http://b.example/x"
	for _, tt := range []struct {
		name, method, path string
		header             []string
		to                 string
		varies             bool
	}{
		{"a reader", "GET", "/web/20150101000000/http://a.example/", reader, landing, true},
		{"a reader, by HEAD", "HEAD", "/web/20150101000000/http://a.example/", reader, landing, true},
		{"a program", "GET", "/web/20150101000000/http://a.example/", nil, captured, true},
		{"a page", "GET", "/web/20150101000000mp_/http://a.example/", reader, "/web/20150101000000mp_/http://b.example/x", false},
		{"who prefers the archived bytes", "GET", "/web/20150101000000/http://a.example/", append(reader, "Prefer", "raw"), "", false},
		{
			"who doesn't want to be asked", "GET", "/web/20150101000000/http://a.example/",
			append(reader, "Cookie", "varve-go=a.example"), captured, true,
		},
		{
			"who doesn't want to be asked elsewhere", "GET", "/web/20150101000000/http://a.example/",
			append(reader, "Cookie", "varve-go=c.example"), landing, true,
		},
		{
			"to the same resource", "GET", "/web/20150101000000/http://a.example/same", reader, "/web/20160101000000/http://a.example/same", false,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := ask(s, tt.method, tt.path, tt.header...)
			if w.Code != 302 || tt.to != "" && w.Header().Get("Location") != tt.to {
				t.Errorf("%d, Location: %s", w.Code, w.Header().Get("Location"))
			}
			if strings.Contains(w.Header().Get("Vary"), "Sec-Fetch-Mode") != tt.varies {
				t.Errorf("Vary: %s", w.Header().Get("Vary"))
			}
		})
	}
}

// A coding is undone only for clients that say that they don't take it.
func TestArchivedBytesInTheirCoding(t *testing.T) {
	const text = "the text"
	coded := gzipped(t, text)
	s, _ := serves(t, []replaytest.Verbatim{
		{Date: "20150101000000", URI: "http://a.example/", Message: message(200, plainText+"Content-Encoding: gzip\r\n", coded)},
		{Date: "20150101000000", URI: "http://a.example/odd", Message: message(200, plainText+"Content-Encoding: rot13\r\n", "gur grkg")},
		{Date: "20150101000000", URI: "http://a.example/plain", Message: message(200, plainText, text)},
	})
	for _, tt := range []struct {
		name, path   string
		accept       []string
		body, coding string
		original     string
		varies       bool
	}{
		{"says nothing", "", nil, coded, "gzip", "", true},
		{"takes it", "", []string{"Accept-Encoding", "br, gzip"}, coded, "gzip", "", true},
		{"takes none", "", []string{"Accept-Encoding", ""}, text, "", "gzip", true},
		{"takes another", "", []string{"Accept-Encoding", "br"}, text, "", "gzip", true},
		{"a word that is no coding", "odd", []string{"Accept-Encoding", "br"}, "gur grkg", "", "rot13", true},
		{"no coding", "plain", []string{"Accept-Encoding", "gzip"}, text, "", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := ask(s, "GET", "/web/20150101000000id_/http://a.example/"+tt.path, tt.accept...)
			h := w.Header()
			if w.Code != 200 || w.Body.String() != tt.body || h.Get("Content-Encoding") != tt.coding ||
				h.Get("X-Archive-Orig-Content-Encoding") != tt.original {
				t.Errorf("%d %q %v", w.Code, w.Body, h)
			}
			if strings.Contains(h.Get("Vary"), "Accept-Encoding") != tt.varies {
				t.Errorf("Vary: %s", h.Get("Vary"))
			}
			if tag := h.Get("ETag"); strings.HasPrefix(tag, "W/") || strings.HasSuffix(tag, `-`+tt.coding+`"`) != (tt.coding != "") {
				t.Errorf("ETag: %s", tag)
			}
		})
	}
}

func TestPreferencesOfAMemento(t *testing.T) {
	s, _ := serves(t, []replaytest.Verbatim{
		{Date: "20150101000000", URI: "http://a.example/", Message: message(200, aPage, "<html><head></head><body><a href=/x>x</a>")},
		{Date: "20150101000000", URI: "http://a.example/text", Message: message(200, plainText, "see http://a.example/")},
	})
	const path = "/web/20150101000000%s/http://a.example/"
	for _, tt := range []struct {
		name, mod, prefer   string
		applied             string
		banner, links, head bool // links are rewritten, the head has scripts
	}{
		{"nothing", "", "", "", true, true, true},
		{"unknown", "", "respond-async", "", true, true, true},
		{"raw", "", "raw", "raw", false, false, false},
		{"rewritten", "", "rewritten", "rewritten", false, true, true},
		{"the banner only", "", "banner-only", "banner-only", true, false, false},
		{"a modifier goes before it", "mp_", "raw", "", false, true, true},
		{"the banner only, by modifier", "bn_", "", "", true, false, false},
		{"raw, by modifier", "id_", "", "", false, false, false},
		{"in a frame", "if_", "", "", false, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := ask(s, "GET", fmt.Sprintf(path, tt.mod), "Prefer", tt.prefer)
			h, body := w.Header(), w.Body.String()
			if h.Get("Preference-Applied") != tt.applied || strings.Contains(h.Get("Vary"), "Prefer") != (tt.mod == "") {
				t.Errorf("Preference-Applied: %s, Vary: %s", h.Get("Preference-Applied"), h.Get("Vary"))
			}
			for what, is := range map[string]bool{
				"<varve-banner": tt.banner, "/web/20150101000000": tt.links || tt.banner, "inside.js": tt.head, respond.HeadEnd: tt.head,
				`href=/x>`: !tt.links,
			} {
				if strings.Contains(body, what) != is {
					t.Errorf("has %s: want %t\n%s", what, is, body)
				}
			}
			if strings.Contains(h.Get("Vary"), "Accept-Language") != tt.banner {
				t.Errorf("Vary: %s", h.Get("Vary"))
			}
		})
	}
	w := ask(s, "GET", "/web/20150101000000bn_/http://a.example/text")
	if w.Body.String() != "see http://a.example/" || strings.Contains(w.Header().Get("Vary"), "Accept-Language") {
		t.Errorf("what is no page gets no banner: %s", w.Body)
	}
}

func TestTheBannersScriptIsLoadedOnce(t *testing.T) {
	s, _ := serves(t, []replaytest.Verbatim{{
		Date: "20150101000000", URI: "http://a.example/", Message: message(200, aPage, "<html><head></head><body><p>a page</body></html>"),
	}})
	for mod, want := range map[string]int{"": 1, "bn_": 1, "mp_": 0} {
		w := ask(s, "GET", "/web/20150101000000"+mod+"/http://a.example/")
		if got := strings.Count(w.Body.String(), static.URL("banner.js")); got != want {
			t.Errorf("%q: %d times\n%s", mod, got, w.Body)
		}
	}
}

// A link in a frame leads to a URI-M without modifier.
func TestFramesHaveNoBanner(t *testing.T) {
	s, _ := serves(t, []replaytest.Verbatim{{
		Date: "20150101000000", URI: "http://a.example/", Message: message(200, aPage, "<title>t</title><a href=/>a page</a>"),
	}})
	for range 2 { // the second answers may come from a cache
		for dest, framed := range map[string]bool{"frame": true, "iframe": true, "object": true, "document": false, "": false} {
			w := ask(s, "GET", "/web/20150101000000/http://a.example/", "Sec-Fetch-Dest", dest)
			body := w.Body.String()
			if strings.Contains(body, "<varve-banner") == framed || strings.Contains(body, static.URL("banner.js")) == framed ||
				!strings.Contains(body, static.URL("inside.js")) || !strings.Contains(body, "href=/web/") {
				t.Errorf("%q: %s", dest, body)
			}
			if !strings.Contains(w.Header().Get("Vary"), "Sec-Fetch-Dest") {
				t.Errorf("%q: Vary: %s", dest, w.Header().Get("Vary"))
			}
		}
	}
	w := ask(s, "GET", "/web/20150101000000/http://a.example/", "Sec-Fetch-Dest", "frame", "Prefer", "banner-only")
	if !strings.Contains(w.Body.String(), "<varve-banner") {
		t.Error("a frame doesn't get what it prefers")
	}
}

// Browsers show no element beside a frameset: the banner is text that a script shows.
func TestFramesetsHaveTheBannerAsText(t *testing.T) {
	const frames = "<frameset cols='1,2'><frame src=http://a.example/gone><frame src=http://a.example/></frameset>"
	s, _ := serves(t, []replaytest.Verbatim{{
		Date: "20150101000000", URI: "http://a.example/", Message: message(200, aPage, "<html><head><title>t</title></head>"+frames),
	}})
	for mod, want := range map[string]string{
		"":    `</head><!-- BEGIN WAYBACK TOOLBAR INSERT --><noframes>.*</noframes>[F]<!-- END WAYBACK TOOLBAR INSERT --><frameset`,
		"bn_": `</head><!-- BEGIN WAYBACK TOOLBAR INSERT --><noframes>.*</noframes>[B][F]<!-- END WAYBACK TOOLBAR INSERT --><frameset`,
		"mp_": `</head><frameset`, "fr_": `</head><frameset`,
	} {
		for _, name := range []string{"banner.js", "frameset.js"} {
			sign := "[" + strings.ToUpper(name[:1]) + "]"
			want = strings.Replace(want, sign, regexp.QuoteMeta(`<script src="`+static.URL(name)+`"></script>`), 1)
		}
		body := ask(s, "GET", "/web/20150101000000"+mod+"/http://a.example/", "Accept-Language", "en").Body.String()
		if !regexp.MustCompile("(?s)" + want).MatchString(body) {
			t.Errorf("%q: %s", mod, body)
		}
		if mod == "" && (strings.Count(body, "<varve-banner>") != 1 || !strings.Contains(body, "missing here: 1 frame (1 of 2 parts)")) {
			t.Errorf("the banner: %s", body)
		}
	}
}

func TestArchivedLinksFollowThoseOfTheMemento(t *testing.T) {
	s, _ := serves(t, []replaytest.Verbatim{
		{Date: "20150101000000", URI: "http://a.example/", Message: message(200, aPage+"Link: </a.css>; rel=preload; as=style\r\n", "<p>x")},
		{Date: "20150101000000", URI: "http://a.example/none", Message: message(200, aPage, "<p>x")},
	})
	for path, want := range map[string]int{"": 1, "none": 0} {
		h := ask(s, "GET", "/web/20150101000000/http://a.example/"+path).Header()
		link := h.Get("Link")
		if len(h.Values("Link")) != 1 || !strings.Contains(link, `rel="original"`) || strings.Count(link, "/a.css>") != want ||
			strings.HasSuffix(link, ", ") {
			t.Errorf("%q: Link: %s", path, h.Values("Link"))
		}
	}
}

func TestCharsetOfAPageIsSaidInTheHeader(t *testing.T) {
	const page = "<html><head>%s</head><body>text</body></html>"
	const meta = "<meta charset=windows-1252>"
	for _, tt := range []struct {
		name, declared, head string
		kind, original       string
	}{
		{"the header says it", "text/html; charset=utf-8", meta, "text/html; charset=utf-8", ""},
		{"the page says it", "text/html", meta, "text/html; charset=windows-1252", "text/html"},
		{"nobody says it", "text/html", "", "text/html", ""},
		{"a page without a type", "", meta, "text/html; charset=windows-1252", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			head := ""
			if tt.declared != "" {
				head = "Content-Type: " + tt.declared + "\r\n"
			}
			s, _ := serves(t, []replaytest.Verbatim{
				{Date: "20150101000000", URI: "http://a.example/", Message: message(200, head, fmt.Sprintf(page, tt.head))},
			})
			h := ask(s, "GET", "/web/20150101000000/http://a.example/").Header()
			if h.Get("Content-Type") != tt.kind || h.Get("X-Archive-Orig-Content-Type") != tt.original {
				t.Errorf("%q, was %q", h.Get("Content-Type"), h.Get("X-Archive-Orig-Content-Type"))
			}
		})
	}
}

func TestTheBannerLinksTheLandingPageLeft(t *testing.T) {
	page := func(uri string) replaytest.Verbatim {
		return replaytest.Verbatim{Date: "20150101000000", URI: uri, Message: message(200, aPage, "<body><p>text")}
	}
	s, _ := serves(t, []replaytest.Verbatim{page("http://a.example/"), page("http://b.example/")})
	const landing = "/web/landing/20150101000000/http://b.example/"
	for _, tt := range []struct {
		name, path, referer string
		want                bool
	}{
		{"from another page's", "/web/20150101000000/http://a.example/", "http://varve.example" + landing, true},
		{"from the page's own", "/web/20150101000000/http://b.example/", "http://varve.example" + landing, false},
		{"from elsewhere", "/web/20150101000000/http://a.example/", "http://other.example" + landing, false},
	} {
		w := ask(s, "GET", tt.path, "Referer", tt.referer)
		if strings.Contains(w.Body.String(), `href="`+landing+`"`) != tt.want || strings.Contains(w.Header().Get("Vary"), "Referer") != tt.want {
			t.Errorf("%s: Vary: %s\n%s", tt.name, w.Header().Get("Vary"), w.Body)
		}
	}
}

// What a client names by If-Match is what it gets, or nothing (RFC 9110 §13.1.1).
func TestMementosMeetConditions(t *testing.T) {
	s, _ := serves(t, []replaytest.Verbatim{
		{Date: "20150101000000", URI: "http://a.example/", Message: message(200, aPage+"X-A: b\r\nSet-Cookie: a=b\r\n", "<body><p>a page")},
		{Date: "20150101000000", URI: "http://a.example/text", Message: message(200, plainText+"X-A: b\r\nContent-Encoding: gzip\r\n", "text")},
	})
	const raw, page = "/web/20150101000000id_/http://a.example/text", "/web/20150101000000/http://a.example/"
	tag := ask(s, "GET", raw).Header().Get("ETag")
	for _, tt := range []struct {
		path, name, value string
		want              int
	}{
		{raw, "If-Match", tag, 200},
		{raw, "If-Match", `"x"`, 412},
		{page, "If-Match", "*", 200},
		{page, "If-Match", `"x"`, 412},
		{page, "If-Unmodified-Since", "Thu, 01 Jan 2015 00:00:00 GMT", 200},
		{page, "If-Unmodified-Since", "Wed, 31 Dec 2014 23:59:59 GMT", 412},
	} {
		for _, again := range []bool{false, true} { // an answer may be cached
			w := ask(s, "GET", tt.path, tt.name, tt.value)
			h := w.Header()
			about := h.Get("Content-Encoding") + h.Get("ETag") + h.Get("Memento-Datetime") + h.Get("X-A") + h.Get("X-Archive-Orig-X-A")
			if w.Code != tt.want || (tt.want == 412) != (about == "") || w.Body.Len() == 0 {
				t.Errorf("%s with %s: %s (again: %t): %d %v %q", tt.path, tt.name, tt.value, again, w.Code, h, w.Body)
			}
			ask(s, "GET", tt.path)
		}
	}
}

// The banner says that the record of a page is cut off, and only then.
func TestTheBannerTellsOfCutOffPages(t *testing.T) {
	t.Parallel()
	const whole = "<body><p>a page"
	s, _ := serves(t, []replaytest.Verbatim{
		{Date: "20150101000000", URI: "http://a.example/", Message: message(200, aPage+fmt.Sprintf("Content-Length: %d\r\n", len(whole)), whole)},
		{Date: "20160101000000", URI: "http://a.example/", Message: message(200, aPage+"Content-Length: 5000\r\n", whole)},
	})
	for date, want := range map[string]bool{"20150101000000": false, "20160101000000": true} {
		w := ask(s, "GET", "/web/"+date+"/http://a.example/")
		if got := strings.Contains(w.Body.String(), "This record is cut off"); w.Code != 200 || got != want {
			t.Errorf("%s: %d, is it said? %t", date, w.Code, got)
		}
	}
}

func TestRewrittenPagesAreKept(t *testing.T) {
	s, r := serves(t, []replaytest.Verbatim{
		{Date: "20150101000000", URI: "http://a.example/", Message: message(200, aPage, "<body><p>a page")},
		{Date: "20150101000000", URI: "http://a.example/text", Message: message(200, plainText, "text")},
	})
	const page = "/web/20150101000000/http://a.example/"
	first := ask(s, "GET", page)
	for _, tt := range []struct {
		name, path string
		header     []string
		opened     bool
	}{
		{"again", page, nil, false},
		{"in another language", page, []string{"Accept-Language", "de"}, true},
		{"in that language again", page, []string{"Accept-Language", "de"}, false},
		{"without the banner", "/web/20150101000000mp_/http://a.example/", nil, true},
		{"as preferred", page, []string{"Prefer", "rewritten"}, true},
		{"for a range", page, []string{"Range", "bytes=0-3"}, true},
		{"archived bytes", "/web/20150101000000id_/http://a.example/", nil, true},
		{"archived bytes again", "/web/20150101000000id_/http://a.example/", nil, true},
		{"archived bytes by preference, again and again", page, []string{"Prefer", "raw"}, true},
		{"from a landing page", page, []string{"Referer", "http://varve.example/web/landing/20150101000000/http://b.example/"}, true},
		{"from another page", page, []string{"Referer", "http://varve.example/web/20150101000000/http://b.example/"}, false},
		{"what isn't rewritten", "/web/20150101000000/http://a.example/text", nil, true},
		{"what isn't rewritten, again", "/web/20150101000000/http://a.example/text", nil, true},
		{"and the first once more", page, nil, false},
	} {
		r.opened.Store(0)
		w := ask(s, "GET", tt.path, tt.header...)
		if w.Code != 200 || (r.opened.Load() > 0) != tt.opened {
			t.Errorf("%s: %d, records opened: %d", tt.name, w.Code, r.opened.Load())
		}
		same := w.Body.String() == first.Body.String() && w.Header().Get("Link") == first.Header().Get("Link")
		if tt.path == page && tt.header == nil && !same {
			t.Errorf("%s: it isn't the same as before", tt.name)
		}
	}
	tag := first.Header().Get("ETag")
	if w := ask(s, "HEAD", page, "If-None-Match", tag); tag == "" || w.Code != http.StatusNotModified {
		t.Errorf("If-None-Match: %s: %d", tag, w.Code)
	}
	if w := ask(s, "HEAD", page); w.Code != 200 || w.Body.Len() > 0 || w.Header().Get("ETag") != tag {
		t.Errorf("HEAD: %d with %d bytes, %v", w.Code, w.Body.Len(), w.Header())
	}
}

func TestWhatCantBeReadNamesOtherCaptures(t *testing.T) {
	for _, n := range []int{2, 23} {
		namesOthers(t, n)
	}
}

// namesOthers checks that one of n captures that can't be read leads to the newest 20 of all.
func namesOthers(t *testing.T, n int) {
	t.Helper()
	var list []replaytest.Verbatim
	for i := range n {
		list = append(list, replaytest.Verbatim{
			Date: fmt.Sprintf("%d0101000000", 1990+i), URI: "http://a.example/", Message: message(200, aPage, "<p>x"),
		})
	}
	s, r := serves(t, list)
	r.broken.Store(true)
	w := ask(s, "GET", "/web/19900101000000id_/http://a.example/")
	links := strings.Split(w.Header().Get("Link"), ", <")
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || len(links) != min(n, 20) {
		t.Fatalf("%d, Retry-After: %s, %d links", w.Code, w.Header().Get("Retry-After"), len(links))
	}
	for i, link := range links {
		if want := fmt.Sprintf("http://varve.example/web/%d0101000000id_/http://a.example/>", 1990+n-1-i); !strings.Contains(link, want) {
			t.Errorf("link %d: %s", i, link)
		}
	}
	page := ask(s, "GET", "/web/19900101000000/http://a.example/", "Accept", "text/html").Body.String()
	if newest := fmt.Sprintf("/web/%d0101000000/http://a.example/", 1990+n-1); !strings.Contains(page, newest) {
		t.Errorf("of %d the page doesn't name %s:\n%s", n, newest, page)
	}
}

// Who asks for the bytes of a capture sees that some lack.
func TestAnAnswerThatBreaksOffEndsTheConnection(t *testing.T) {
	whole := gzipped(t, strings.Repeat("<p>a long page", 9999))
	s, _ := serves(t, []replaytest.Verbatim{
		{Date: "20150101000000", URI: "http://a.example/", Message: message(200, aPage+"Content-Encoding: gzip\r\n", whole[:len(whole)/2])},
	})
	defer func() {
		if p := recover(); p != http.ErrAbortHandler {
			t.Errorf("panicked with %v", p)
		}
	}()
	w := ask(s, "GET", "/web/20150101000000id_/http://a.example/", "Accept-Encoding", "identity")
	t.Errorf("half a page is sent as a whole: %d", w.Code)
}
