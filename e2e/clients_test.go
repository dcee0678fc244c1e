package e2e

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

// waybackpy 3.0.6 (availability_api.py): GET /wayback/available with url and timestamp; archived_snapshots.closest has
// url and timestamp, and is absent if there is no capture. The Wayback Machine also supports callbacks.
func TestAvailability(t *testing.T) {
	s := demo(t)
	const uri = "http://www.riverbend.example/history.html"
	for _, path := range []string{"/wayback/available", "/-/available"} {
		for timestamp, want := range map[string]string{"20161015": "20161001092236", "": "20240901091736", "1999": "20080301091927"} {
			var got struct {
				URL       string
				Timestamp string
				Snapshots struct {
					Closest struct {
						Status, URL, Timestamp string
						Available              bool
					}
				} `json:"archived_snapshots"`
			}
			a := s.get(t, path+"?"+url.Values{"url": {uri}, "timestamp": {timestamp}}.Encode()).expect(t, 200, "Content-Type: application/json",
				"Access-Control-Allow-Origin: *")
			if err := json.Unmarshal([]byte(a.body), &got); err != nil {
				t.Fatal(err)
			}
			c := got.Snapshots.Closest
			if got.URL != uri || got.Timestamp != timestamp || c.Timestamp != want || c.Status != "200" || !c.Available ||
				!strings.HasPrefix(c.URL, s.url+"/web/"+want+"/http") {
				t.Errorf("%s at %q: got %s", path, timestamp, a.body)
			}
		}
		a := s.get(t, path+"?url=http://nowhere.example/&timestamp=2014").expect(t, 200)
		if !strings.Contains(a.body, `"archived_snapshots":{}`) {
			t.Errorf("nothing archived: got %s", a.body)
		}
		s.get(t, path+"?url="+uri+"&timestamp=yesterday", "Accept: application/json").expect(t, 400, "Content-Type: application/json")
		s.get(t, path+"?url="+uri+"&collection=none").expect(t, 404)
		if got := s.get(t, path+"?url="+uri+"&callback=found").expect(t, 200); !strings.HasPrefix(got.body, `/**/found({"url":`) ||
			!strings.HasPrefix(got.header.Get("Content-Type"), "application/javascript") {
			t.Errorf("a callback: got %s", got.body)
		}
		s.get(t, path+"?url="+uri+"&callback=alert(1)").expect(t, 400)
	}
}

// pywb 2 (collinfo.json): a list of objects with id, name, timegate and timemap. cdx_toolkit reads cdx-api of such a list.
func TestCollectionInfo(t *testing.T) {
	s := demo(t)
	var got []map[string]string
	if err := json.Unmarshal([]byte(s.get(t, "/collinfo.json").expect(t, 200, "Content-Type: application/json").body), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"id": "web", "name": "web", "timegate": s.url + "/web/", "timemap": s.url + "/web/timemap/link/",
		"cdx-api": s.url + "/web/cdx",
	}
	if len(got) != 1 || len(got[0]) != len(want) {
		t.Fatalf("got %v", got)
	}
	for name, value := range want {
		if got[0][name] != value {
			t.Errorf("%s: got %s, want %s", name, got[0][name], value)
		}
	}
	const page = "http://www.riverbend.example/history.html"
	s.get(t, strings.TrimPrefix(got[0]["timegate"], s.url)+page).expect(t, 302)
	s.get(t, strings.TrimPrefix(got[0]["timemap"], s.url)+page).expect(t, 200)
	s.get(t, strings.TrimPrefix(got[0]["cdx-api"], s.url)+"?url="+page).expect(t, 200)
}

// gau 2.2 (pkg/providers/wayback) and cdx_toolkit 0.9 ask for page after page until one is 400 or empty; gau looks at
// the status only.
func TestPageAfterPage(t *testing.T) {
	s := demo(t)
	all := s.get(t, "/web/cdx?url=*.riverbend.example&fl=original").expect(t, 200).body
	var got strings.Builder
	for page := 0; ; page++ {
		a := s.get(t, "/web/cdx?"+url.Values{
			"url": {"*.riverbend.example"}, "fl": {"original"}, "pageSize": {"50"},
			"page": {strconv.Itoa(page)},
		}.Encode())
		if a.status == http.StatusBadRequest {
			break
		}
		got.WriteString(a.expect(t, 200).body)
		if page > 1000 {
			t.Fatal("the pages don't end")
		}
	}
	if got.String() != all {
		t.Errorf("the pages hold %d lines of %d", strings.Count(got.String(), "\n"), strings.Count(all, "\n"))
	}
}

// waybackpy 3.0.6 (cdx_api.py): near asks for closest, sort=closest, limit=1 with showResumeKey, oldest and newest do so for
// the ends; snapshots takes all answers until one has no resume key: a blank line, then the key.
func TestWaybackpyNear(t *testing.T) {
	s := demo(t)
	const uri = "http://www.riverbend.example/history.html"
	for closest, want := range map[string]string{
		"19940101000000": "20080301091927", "20161015000000": "20161001092236",
		"20991231000000": "20240901091736",
	} {
		a := s.get(t, "/web/cdx?"+url.Values{
			"url": {uri}, "closest": {closest}, "sort": {"closest"}, "limit": {"1"}, "showResumeKey": {"true"},
			"gzip": {"true"},
		}.Encode()).expect(t, 200)
		lines := strings.Split(strings.TrimSpace(a.body), "\n")
		if fields := strings.Fields(lines[0]); len(lines) != 1 || len(fields) != 7 || fields[1] != want {
			t.Errorf("near %s: got %q, want a line of %s alone", closest, a.body, want)
		}
	}
	var got []string
	key := ""
	for {
		q := url.Values{"url": {uri}, "limit": {"3"}, "showResumeKey": {"true"}, "fl": {"timestamp"}}
		if key != "" {
			q.Set("resumeKey", key)
		}
		lines := strings.Split(strings.TrimRight(s.get(t, "/web/cdx?"+q.Encode()).expect(t, 200).body, "\n"), "\n")
		if n := len(lines); n < 3 || lines[n-2] != "" {
			got = append(got, lines...)
			break
		}
		got, key = append(got, lines[:len(lines)-2]...), lines[len(lines)-1]
	}
	if all := strings.Fields(s.get(t, "/web/cdx?fl=timestamp&url="+uri).body); strings.Join(got, " ") != strings.Join(all, " ") {
		t.Errorf("the resume keys lead to %v, all are %v", got, all)
	}
	last := s.get(t, "/web/cdx?url="+uri+"&limit=-1&fastLatest=true&showResumeKey=true&fl=timestamp").expect(t, 200) // edgi's wayback
	if strings.TrimSpace(last.body) != "20240901091736" {
		t.Errorf("the last: got %q", last.body)
	}
}

// gau 2.2 (pkg/providers/wayback): *.host/* at the Wayback Machine's path, how many pages, then each as JSON, whose first row it
// skips; it takes no more where a page has no row.
func TestGau(t *testing.T) {
	s := demo(t)
	const query = "/cdx/search/cdx?url=*.riverbend.example/*&output=json&collapse=urlkey&fl=original&pageSize=300&page="
	pages := 0
	if err := json.Unmarshal([]byte(s.get(t, query+"0&showNumPages=true").expect(t, 200).body), &pages); err != nil || pages < 2 {
		t.Fatalf("%d pages (%v)", pages, err)
	}
	found := map[string]bool{}
	for page := range pages {
		var rows [][]string
		if err := json.Unmarshal([]byte(s.get(t, query+strconv.Itoa(page)).expect(t, 200).body), &rows); err != nil || len(rows) < 2 {
			t.Fatalf("page %d: %v, %d rows", page, err, len(rows))
		}
		for _, row := range rows[1:] {
			found[row[0]] = true
		}
	}
	for uri := range strings.FieldsSeq(s.get(t, "/web/cdx?url=*.riverbend.example&fl=original&collapse=urlkey").expect(t, 200).body) {
		if !found[uri] {
			t.Errorf("%s is not found", uri)
		}
	}
}

// edgi's wayback 0.4 (_client.py, search): showResumeKey and resolveRevisits with every query, lines of exactly seven fields,
// after a blank line the key to go on with.
func TestEdgiSearch(t *testing.T) {
	s := demo(t)
	const uri = "http://www.riverbend.example/history.html"
	q := url.Values{"url": {uri}, "limit": {"4"}, "showResumeKey": {"true"}, "resolveRevisits": {"true"}}
	var got []string
	for more := true; more; {
		more = false
		lines := strings.Split(strings.TrimSuffix(s.get(t, "/cdx/search/cdx?"+q.Encode()).expect(t, 200).body, "\n"), "\n")
		for i, line := range lines {
			if line == "" {
				q.Set("resumeKey", lines[i+1])
				more = true
				break
			}
			fields := strings.Split(line, " ")
			if len(fields) != 7 || fields[3] != "text/html" {
				t.Fatalf("can't be read: %q", line)
			}
			got = append(got, fields[1])
		}
	}
	if all := strings.Fields(s.get(t, "/web/cdx?fl=timestamp&url="+uri).body); strings.Join(got, " ") != strings.Join(all, " ") {
		t.Errorf("found %v, all are %v", got, all)
	}
}

// The Wayback Machine has no collections: at its paths the only one is meant, or the usual one, or the one that is named.
func TestWaybackCDXPath(t *testing.T) {
	s := demo(t)
	const query = "?url=*.riverbend.example&output=json&limit=5"
	want := s.get(t, "/web/cdx"+query).expect(t, 200, "Content-Type: application/json").body
	for _, path := range []string{"/cdx/search/cdx", "/cdx/search/xd", "/-/cdx"} {
		if got := s.get(t, path+query).expect(t, 200, "Content-Type: application/json", "Access-Control-Allow-Origin: *"); got.body != want {
			t.Errorf("%s: got %s", path, got.body)
		}
		s.get(t, path+query+"&collection=web").expect(t, 200)
		s.get(t, path+query+"&collection=none").expect(t, 404, "Content-Type: application/json")
		s.get(t, path).expect(t, 400)
	}
	a := &archive{}
	a.page("http://other.example/", "20150101000000", "<p>other</p>")
	other, _ := serve(t, map[string][]byte{"a.warc.gz": a.bytes()}, "--collection", "river")
	if got := other.get(t, "/cdx/search/cdx?url=other.example&fl=timestamp").expect(t, 200); got.body != "20150101000000\n" {
		t.Errorf("the only collection: got %s", got.body)
	}
}

// waybackpack 0.6 (--uniques-only) asks for showDupeCount and keeps the rows whose dupecount is 0.
func TestWaybackpackUniques(t *testing.T) {
	s := demo(t)
	var rows [][]string
	a := s.get(t, "/web/cdx?url=http://www.riverbend.example/history.html&showDupeCount=true&output=json").expect(t, 200)
	if err := json.Unmarshal([]byte(a.body), &rows); err != nil {
		t.Fatal(err)
	}
	digests := map[string]bool{}
	for _, row := range rows[1:] {
		if first := !digests[row[5]]; first != (row[7] == "0") {
			t.Errorf("a digest that is new: %t, its dupecount is %s", first, row[7])
		}
		digests[row[5]] = true
	}
	if rows[0][7] != "dupecount" || len(digests) == len(rows)-1 {
		t.Errorf("nothing to count: %v", rows[0])
	}
}

// MemGator 1.0-rc8 (main.go) sends GET to a TimeGate, doesn't follow, and takes the memento with the nearest datetime from its
// Link header.
func TestMemGatorReadsLinks(t *testing.T) {
	s := demo(t)
	a := s.get(t, "/web/http://www.riverbend.example/history.html", "Accept-Datetime: Sat, 15 Oct 2016 12:00:00 GMT").expect(t, 302)
	found := false
	for _, l := range a.rels(t, "memento") {
		found = found || l.Datetime.String() == "20161001092236" && l.URI == a.header.Get("Location")
	}
	if !found {
		t.Errorf("the selected memento is not among %v", a.rels(t, "memento"))
	}
}

// Contract, for clients: a request of a page's script to the server's root is redirected to the page's collection and
// datetime.
func TestRescueByReferer(t *testing.T) {
	const page = "http://river.example/a/page.html"
	a := &archive{}
	a.page(page, "20150101000000", "<p>the page</p>")
	a.response("http://river.example/style.css?v=1", "20150101000003", "200 OK", "p{color:red}", "Content-Type: text/css")
	a.posted("http://river.example/api/list", "20150101000004", "application/x-www-form-urlencoded", "q=1", `{"list":1}`)
	s := a.serve(t)
	referer := "Referer: " + s.url + "/web/20150101000000/" + page
	lead := s.get(t, "/style.css?v=1", referer, "Sec-Fetch-Dest: style").expect(t, 307,
		"Location: /web/20150101000000cs_/http://river.example/style.css?v=1")
	lead = s.get(t, lead.header.Get("Location"), referer).expect(t, 302)
	s.get(t, lead.header.Get("Location"), referer).expect(t, 200)
	lead = s.send(t, http.MethodPost, "/api/list", "q=1", formBody, referer).expect(t, 307,
		"Location: /web/20150101000000/http://river.example/api/list")
	lead = s.send(t, http.MethodPost, lead.header.Get("Location"), "q=1", formBody, referer).expect(t, 307)
	if got := s.send(t, http.MethodPost, lead.header.Get("Location"), "q=1", formBody, referer).expect(t, 200); got.body != `{"list":1}` {
		t.Errorf("the POST gets %s", got.body)
	}
	s.get(t, "/UPPER/x.js", referer, "Sec-Fetch-Dest: script").expect(t, 307,
		"Location: /web/20150101000000js_/http://river.example/UPPER/x.js")
	for name, other := range map[string]string{
		"no Referer": "X: y", "a page of the server's own": "Referer: " + s.url + "/web/",
		"another server": "Referer: http://river.example/a/page.html", "a TimeGate": "Referer: " + s.url + "/web/" + page,
		"an address that is none": "Referer: " + s.url + "/web/2015/http://",
	} {
		t.Run(name, func(t *testing.T) {
			s.get(t, "/style.css?v=1", other).expect(t, 404, "Vary: Referer, Accept, Accept-Encoding")
		})
	}
	// What says that it is a page here gets nothing of a collection other than its own, even of one that does not exist.
	for name, other := range map[string]string{
		"no such collection": "/none/20150101000000/" + page, "no web page": "/web/2015/mailto:a@b.example",
	} {
		t.Run(name, func(t *testing.T) {
			for _, path := range []string{"/style.css?v=1", "/style.css"} {
				s.get(t, path, "Referer: "+s.url+other).expect(t, 403, "Vary: Referer, Accept, Accept-Encoding")
			}
		})
	}
	for name, other := range map[string]string{
		"a style sheet's picture": "/web/20150101000000cs_/http://river.example/style.css", "a frame": "/web/20150101000000if_/" + page,
		"bytes": "/web/20150101000000id_/" + page, "another port and scheme": "/web/20150101000000/https://river.example:8443/",
	} {
		t.Run(name, func(t *testing.T) {
			at := s.get(t, "/lost.png", "Referer: "+s.url+other, "Sec-Fetch-Dest: image").expect(t, 307, "Cache-Control: no-cache",
				"Access-Control-Allow-Origin: *").header
			if to, want := at.Get("Location"), "/web/20150101000000im_/http"; !strings.HasPrefix(to, want) || !strings.HasSuffix(to, "/lost.png") {
				t.Errorf("led to %s", to)
			}
			if got := at.Get("Vary"); got != "Referer, Sec-Fetch-Dest" {
				t.Errorf("Vary: %s", got)
			}
		})
	}
	// It leads to a URI-M, which answers by itself, whatever the Referer is: no redirect goes in a circle.
	lost := s.get(t, "/lost.png", referer).expect(t, 307).header.Get("Location")
	s.get(t, lost, referer).expect(t, 404)
	s.get(t, lost, "Referer: "+s.url+lost).expect(t, 404)
	for target := range strings.FieldsSeq("/web/ /-/static/page.css") {
		s.get(t, target, referer).expect(t, 200)
	}
	for target := range strings.FieldsSeq("/ /-/healthz /-/metrics /collinfo.json /wayback/available?url=x.example") { // for readers alone
		s.get(t, target, referer).expect(t, 403)
		s.get(t, target, referer, "Sec-Fetch-Dest: document", "Sec-Fetch-Mode: navigate").expect(t, 200)
	}
	s.get(t, "/web/style.css", referer).expect(t, 404) // a collection's own path: the TimeGate of http://style.css/
	s.get(t, "/web/20150101000000/"+page, referer).expect(t, 200)
}

// Behind a reverse proxy that gives varve a path, what a page's relative addresses climb to has that path in front.
func TestRescueBelowAPath(t *testing.T) {
	const public = "http://archive.example/old"
	a := &archive{}
	a.page("http://river.example/", "20150101000000", "<p>the page</p>")
	s := a.serve(t, "--public-url", public)
	for _, target := range []string{"/style.css", "/old/style.css"} {
		s.get(t, target, "Referer: "+public+"/web/20150101000000/http://river.example/").expect(t, 307,
			"Location: /old/web/20150101000000/http://river.example/style.css")
	}
}

// Issue 20.5: a client that asked for JSON reads of a failure in JSON too, others get a sentence.
func TestFailuresInJSON(t *testing.T) {
	s := demo(t)
	const uri = "http://www.riverbend.example/history.html"
	asJSON := "Accept: application/json"
	for _, tt := range []struct {
		target, accept string
		status         int
	}{
		{"/web/cdx?url=" + uri + "&output=json&page=x", "Accept: */*", 400},
		{"/web/cdx?url=" + uri + "&output=json&page=999", "Accept: */*", 400},
		{"/web/cdx?url=" + uri + "&output=ndjson&fl=url&closest=x", "Accept: */*", 400},
		{"/web/cdx?output=json", "Accept: */*", 400},
		{"/none/cdx?output=json&url=" + uri, "Accept: */*", 404},
		{"/web/cdx?url=" + uri + "&matchType=range", asJSON, 400},
		{"/wayback/available?url=" + uri + "&timestamp=x", "Accept: */*", 400},
		{"/-/available?url=" + uri + "&collection=none", "Accept: */*", 404},
		{"/web/timemap/json/http://nowhere.example/", "Accept: */*", 404},
		{"/web/timemap/json/7/" + uri, "Accept: */*", 404},
		{"/web/http://nowhere.example/", asJSON, 404},
		{"/web/2014/http://nowhere.example/", "Accept: application/ld+json", 404},
		{"/web/diff/2014/x/" + uri, asJSON, 400},
		{"/web/search?q=river&change=none", asJSON, 400},
		{"/nowhere/at/all", asJSON, 404},
	} {
		var got struct {
			Status int
			Error  string
		}
		a := s.get(t, tt.target, tt.accept).expect(t, tt.status, "Content-Type: application/json", "Access-Control-Allow-Origin: *")
		if err := json.Unmarshal([]byte(a.body), &got); err != nil || got.Status != tt.status || got.Error == "" {
			t.Errorf("%s: %v: %s", tt.target, err, a.body)
		}
		if head := s.ask(t, http.MethodHead, tt.target, tt.accept); head.status != tt.status || head.body != "" {
			t.Errorf("HEAD %s: %d %s", tt.target, head.status, head.body)
		}
	}
	s.ask(t, http.MethodDelete, "/collinfo.json").expect(t, 405, "Content-Type: application/json")
	s.get(t, "/web/cdx?url="+uri+"&page=x", "Accept: */*").expect(t, 400, "Content-Type: text/plain; charset=utf-8")
	s.get(t, "/web/http://nowhere.example/", "Accept: */*").expect(t, 404, "Content-Type: text/plain; charset=utf-8")
	s.get(t, "/web/timemap/json/http://nowhere.example/", "Accept: text/html, application/json").expect(t, 404,
		"Content-Type: text/html; charset=utf-8")
}
