package e2e

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/memento"
)

// RFC 7089 §2.2 and RFC 5829: each relation must occur once. Relations with the same target share one link.
func TestMementoHeaders(t *testing.T) {
	s := demo(t)
	link := func(ts, rel, datetime string) string {
		return `<` + s.url + `/web/` + ts + `/http://www.riverbend.example/history.html>; rel="` + rel + `"; datetime="` + datetime + `"`
	}
	a := s.get(t, "/web/20160901092136/http://www.riverbend.example/history.html")
	a.expect(t, http.StatusOK, "Memento-Datetime: Thu, 01 Sep 2016 09:21:36 GMT", "X-Robots-Tag: noindex",
		"Link: "+strings.Join([]string{
			`<http://www.riverbend.example/history.html>; rel="original"`,
			`<` + s.url + `/web/http://www.riverbend.example/history.html>; rel="timegate"`,
			`<` + s.url + `/web/timemap/link/http://www.riverbend.example/history.html>; rel="timemap"; type="application/link-format"; ` +
				`from="Sat, 01 Mar 2008 09:19:27 GMT"; until="Sun, 01 Sep 2024 09:17:36 GMT"`,
			link("20080301091927", "first memento", "Sat, 01 Mar 2008 09:19:27 GMT"),
			link("20160801092036", "prev predecessor-version memento", "Mon, 01 Aug 2016 09:20:36 GMT"),
			link("20161001092236", "next memento", "Sat, 01 Oct 2016 09:22:36 GMT"),
			strings.Replace(link("20240901091736", "last memento", "Sun, 01 Sep 2024 09:17:36 GMT"), "6/http:", "6/https:", 1),
			strings.Replace(link("20210901095636", "successor-version memento", "Wed, 01 Sep 2021 09:56:36 GMT"), "6/http:", "6/https:", 1),
		}, ", "))
	if a.has("Vary", "accept-datetime") {
		t.Error("a URI-M varies on accept-datetime")
	}
}

// RFC 7089 §4.5.6: a memento's datetime and original stay, in all its responses and in a mirror of the archive.
func TestDatetimeAndOriginalStick(t *testing.T) {
	a := &archive{}
	a.page("http://stick.example/?a", "20100101000000", "<p>first</p>")
	a.page("https://www.stick.example/?a", "20120101000000", "<p>second</p>")
	first := a.serve(t)
	mirror, _ := serve(t, map[string][]byte{"copy.warc.gz": a.bytes()})
	for _, s := range []*server{first, mirror} {
		for _, target := range []string{
			"20100101000000/http://stick.example/?a", "20100101000000id_/http://stick.example/?a", "20100101000000mp_/http://stick.example/?a",
			"20100101000000/https://www.stick.example/?a", // the memento's own URI-R, whatever it is asked for by
		} {
			for _, method := range []string{http.MethodGet, http.MethodHead} {
				got := s.ask(t, method, "/web/"+target, "Accept-Datetime: Sun, 01 Jan 2012 00:00:00 GMT")
				got.expect(t, http.StatusOK, "Memento-Datetime: Fri, 01 Jan 2010 00:00:00 GMT")
				if original := got.rel(t, "original").URI; original != "http://stick.example/?a" {
					t.Errorf("%s %s has the original %s", method, target, original)
				}
			}
		}
	}
}

func TestFirstAndLastMementoHaveNoNeighbour(t *testing.T) {
	a := &archive{}
	a.page("http://once.example/", "20100101000000", "once")
	s := a.serve(t)
	s.get(t, "/web/20100101000000/http://once.example/").expect(t, http.StatusOK,
		`Link: <http://once.example/>; rel="original", <`+s.url+`/web/http://once.example/>; rel="timegate", <`+s.url+
			`/web/timemap/link/http://once.example/>; rel="timemap"; type="application/link-format"; from="Fri, 01 Jan 2010 00:00:00 GMT"; `+
			`until="Fri, 01 Jan 2010 00:00:00 GMT", <`+
			s.url+`/web/20100101000000/http://once.example/>; rel="first last memento"; datetime="Fri, 01 Jan 2010 00:00:00 GMT"`)
	for rel, ts := range map[string]string{"prev": "20080301091930", "next": "20240901091739"} {
		if got := demo(t).get(t, "/web/"+ts+"/http://www.riverbend.example/").rels(t, rel); len(got) > 0 {
			t.Errorf("%s has %s %v", ts, rel, got)
		}
	}
}

// RFC 9110 §9.3.2: HEAD must return the header fields of GET and no body.
func TestHeadIsGetWithoutBody(t *testing.T) {
	s := demo(t)
	for _, target := range []string{
		"/", "/web/", "/web/http://www.riverbend.example/", "/web/20160901092139/http://www.riverbend.example/",
		"/web/20160901092139id_/http://www.riverbend.example/",
		"/web/20160901092139id_/http://www.riverbend.example/img/logo.png", "/web/timemap/link/http://www.riverbend.example/",
		"/web/timemap/json/http://www.riverbend.example/",
		"/web/cdx?url=www.riverbend.example", "/web/changes/http://www.riverbend.example/", "/web/*/http://www.riverbend.example/",
		"/web/http://nowhere.example/", "/-/healthz",
		"/web/landing/20170301092254/http://www.riverbend.example/water.html",
	} {
		t.Run(target, func(t *testing.T) {
			got, head := s.get(t, target), s.ask(t, http.MethodHead, target)
			if head.status != got.status || head.body != "" {
				t.Errorf("HEAD: %d with %d bytes, GET: %d", head.status, len(head.body), got.status)
			}
			for name := range got.header {
				if name == "Date" || name == "Content-Length" && head.header.Get(name) == "" {
					continue
				}
				if !slices.Equal(head.header[name], got.header[name]) {
					t.Errorf("%s: HEAD %q, GET %q", name, head.header[name], got.header[name])
				}
			}
		})
	}
}

// RFC 7089 §5, RFC 6690: every form of a TimeMap must list every capture.
func TestTimeMapsNameEveryCapture(t *testing.T) {
	s := demo(t)
	var captures []string
	for line := range strings.Lines(s.get(t, "/web/cdx?url=http://www.riverbend.example/events&fl=timestamp").body) {
		captures = append(captures, strings.TrimSpace(line))
	}
	if len(captures) != 43 {
		t.Fatalf("the sample archive has %d captures of /events", len(captures))
	}
	for format, mime := range map[string]string{
		"link": "application/link-format", "json": "application/json",
		"cdxj": "application/cdxj+ors",
	} {
		t.Run(format, func(t *testing.T) {
			a := s.get(t, "/web/timemap/"+format+"/http://www.riverbend.example/events")
			a.expect(t, http.StatusOK, "Content-Type: "+mime, "Memento-Datetime:")
			m, err := memento.ReadTimeMap(strings.NewReader(a.body))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range m.Mementos {
				got = append(got, c.Time.String())
				if !strings.HasPrefix(c.URI, s.url+"/web/"+c.Time.String()+"/http") {
					t.Errorf("%s is at %s", c.Time, c.URI)
				}
			}
			if !slices.Equal(got, captures) {
				t.Errorf("got %v\nwant %v", got, captures)
			}
		})
	}
	a := s.get(t, "/web/timemap/html/http://www.riverbend.example/events")
	for _, ts := range captures {
		if !strings.Contains(a.body, "/web/"+ts+"/http") {
			t.Errorf("the page lacks %s", ts)
		}
	}
	s.get(t, "/web/timemap/link/http://nowhere.example/").expect(t, http.StatusNotFound)
	s.get(t, "/web/timemap/yaml/http://www.riverbend.example/").expect(t, http.StatusBadRequest)
	s.get(t, "/web/timemap/link/2/http://www.riverbend.example/").expect(t, http.StatusNotFound)
}

// RFC 7089 §5, figure 28: original, timegate and self must precede the mementos.
func TestLinkTimeMapNamesItsPlace(t *testing.T) {
	s := demo(t)
	a := s.get(t, "/web/timemap/link/http://www.riverbend.example/events")
	links, err := memento.ParseLinks(a.body)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]string{}
	for _, l := range links {
		for _, rel := range l.Rels {
			if rel != "memento" {
				count[rel] += l.URI + " "
			}
		}
	}
	for rel, want := range map[string]string{
		"original": "http://www.riverbend.example/events ",
		"timegate": s.url + "/web/http://www.riverbend.example/events ",
		"self":     s.url + "/web/timemap/link/http://www.riverbend.example/events ",
		"first":    s.url + "/web/20080301091921/http://www.riverbend.example/events ",
		"last":     s.url + "/web/20240901091724/https://www.riverbend.example/events ",
	} {
		if count[rel] != want {
			t.Errorf("%s: got %q, want %q", rel, count[rel], want)
		}
	}
}

// RFC 7240: raw, rewritten and banner-only must work as in pywb; unknown preferences are ignored.
func TestPrefer(t *testing.T) {
	s := demo(t)
	const target = "/web/20160901092139/http://www.riverbend.example/"
	raw := s.get(t, "/web/20160901092139id_/http://www.riverbend.example/").body
	tests := []struct {
		name, prefer, applied string
		banner, rewritten     bool
	}{
		{"none", "", "", true, true},
		{"raw", "raw", "raw", false, false},
		{"rewritten", "rewritten", "rewritten", false, true},
		{"banner-only", "banner-only", "banner-only", true, false},
		{"unknown", "respond-async", "", true, true},
		{"unknown before known", "respond-async, raw", "raw", false, false},
		{"in other case, with a parameter", "RAW; x=1", "raw", false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := s.get(t, target, "Prefer: "+tt.prefer)
			a.expect(t, http.StatusOK, "Preference-Applied: "+tt.applied, "Memento-Datetime: Thu, 01 Sep 2016 09:21:39 GMT")
			if !a.has("Vary", "Prefer") {
				t.Errorf("Vary is %q", a.header.Values("Vary"))
			}
			if got := strings.Contains(a.body, "<varve-banner"); got != tt.banner {
				t.Errorf("banner: %v", got)
			}
			if got := strings.Contains(a.body, "/web/2016"); !tt.banner && got != tt.rewritten {
				t.Errorf("rewritten: %v", got)
			}
			if tt.applied == "raw" && a.body != raw {
				t.Error("raw differs from id_")
			}
		})
	}
}

// What each modifier must return.
func TestModifiers(t *testing.T) {
	s := demo(t)
	tests := []struct {
		mod               string
		status            int
		banner, rewritten bool
	}{
		{"", 200, true, true},
		{"id_", 200, false, false},
		{"mp_", 200, false, true},
		{"if_", 200, false, true},
		{"zz_", 400, false, false},
	}
	for _, tt := range tests {
		t.Run("modifier "+tt.mod, func(t *testing.T) {
			a := s.get(t, "/web/20160901092139"+tt.mod+"/http://www.riverbend.example/").expect(t, tt.status)
			if got := strings.Contains(a.body, "<varve-banner"); got != tt.banner {
				t.Errorf("banner: %v", got)
			}
			if got := strings.Contains(a.body, "/web/2016"); got != tt.rewritten {
				t.Errorf("rewritten: %v", got)
			}
		})
	}
	for mod, target := range map[string]string{"im_": "img/logo.png", "cs_": "style.css", "js_": "site.js", "oe_": "img/waves.svg"} {
		s.get(t, "/web/20160901092139"+mod+"/http://www.riverbend.example/"+target).expect(t, http.StatusFound)
	}
}

// A URI-R in a page must be rewritten to the exact URI-M, with the modifier for its use.
func TestPagesLinkToExactMementos(t *testing.T) {
	s := demo(t)
	body := s.get(t, "/web/20160901092139/http://www.riverbend.example/").body
	_, after, _ := strings.Cut(body, "</varve-banner>")
	for _, target := range hrefs(t, after) {
		if !strings.HasPrefix(target, "/web/") {
			continue
		}
		if a := s.get(t, target); a.status == http.StatusFound {
			t.Errorf("%s is not exact: it leads on to %s", target, a.header.Get("Location"))
		}
	}
}

// CDX API and JSON: no results must give an empty answer in the right form.
func TestCDXAnswers(t *testing.T) {
	s := demo(t)
	if a := s.get(t, "/web/cdx?url=nowhere.example").expect(t, 200); a.body != "" {
		t.Errorf("got %q", a.body)
	}
	if a := s.get(t, "/web/cdx?url=nowhere.example&output=json").expect(t, 200); strings.TrimSpace(a.body) != "[]" {
		t.Errorf("got %q", a.body)
	}
	var rows [][]string
	a := s.get(t, "/web/cdx?url=www.riverbend.example/events&output=json&limit=2")
	if err := json.Unmarshal([]byte(a.body), &rows); err != nil || len(rows) != 3 {
		t.Fatalf("%v: %s", err, a.body)
	}
	if strings.Join(rows[0], " ") != "urlkey timestamp original mimetype statuscode digest length" {
		t.Errorf("header row %v", rows[0])
	}
	if strings.Join(rows[1][:5], " ") != "example,riverbend)/events 20080301091921 http://www.riverbend.example/events text/html 200" {
		t.Errorf("first row %v", rows[1])
	}
	for _, bad := range []string{
		"/web/cdx", "/web/cdx?url=", "/web/cdx?url=a.example&limit=many", "/web/cdx?url=a.example&matchType=fuzzy",
		"/web/cdx?url=a.example&from=next", "/web/cdx?url=a.example&filter=nofield:x", "/web/cdx?url=a.example&filter=status:(",
		"/web/cdx?url=a.example&output=xml",
	} {
		if a := s.get(t, bad).expect(t, 400); strings.TrimSpace(a.body) == "" {
			t.Errorf("%s: no sentence", bad)
		}
	}
	s.get(t, "/web/cdx?url=nowhere.example&unheardof=1").expect(t, 200)
}
