package feed_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/atom"
	"github.com/varve-archive/varve/internal/testkit/logbuffer"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/replaytest"
)

const site = "http://mill.example/"

// mills is an archive whose pages change in ways that can be told apart.
func mills(t *testing.T) http.Handler {
	t.Helper()
	page := func(date, path, title, words string) replaytest.Record {
		return replaytest.Record{
			Date: date, URI: site + path, Status: 200,
			Body: "<!doctype html><title>" + title + "</title><nav><a href=/>Home</a></nav><main><h1>" + title + "</h1>" +
				"<p>The river rises in the hills and drives a wheel here.</p><p>" + words + "</p></main>",
		}
	}
	return replaytest.Searchable(t, []string{replaytest.Write(t, []replaytest.Record{
		page("20150101000000", "", "Mills", "The tannery stands beside the weir."),
		page("20150201000000", "", "Mills", "The tannery stands beside the weir."),
		page("20160101000000", "", "Mills", "A museum <b>&amp;</b> a café &lt;script&gt; stand beside the weir."),
		page("20170101000000", "", "Mills", "A museum stands beside the weir and beside the lock."),
		page("20150101000000", "a", "A", "Nothing much is to be said of it."),
		page("20160601000000", "a", "A", "Nothing much is to be said of it, but for the tannery."),
		page("20170101000000", "b", "B", "Another page of the mill, with hours and prices."),
		page("20140101000000", "gone", "Gone", "A page that goes, with the tannery."),
		{Date: "20160301000000", URI: site + "gone", Status: 404, Body: "<title>Not found</title>"},
		{Date: "20160301000000", URI: "http://other.example/", Status: 200, Body: "<title>Other</title><p>Elsewhere."},
		{Date: "20160301000000", URI: site + "pic.png", Status: 200, Body: "no picture"},
	})}).Handler()
}

func read(t *testing.T, h http.Handler, path string) *atom.Page {
	t.Helper()
	w := replaytest.Get(t, h, path)
	if w.Code != 200 || w.Header().Get("Content-Type") != "application/atom+xml; charset=utf-8" {
		t.Fatalf("%s: %d %s\n%s", path, w.Code, w.Header(), w.Body)
	}
	page, err := atom.Read(strings.NewReader(w.Body.String()), 1<<20)
	if err != nil {
		t.Fatalf("%s: %v\n%s", path, err, w.Body)
	}
	return page
}

// told returns the entries of a feed as ts14 and path.
func told(p *atom.Page) (out []string) {
	for i := range p.Entries {
		uriM := p.Entries[i].Link("alternate")
		out = append(out, p.Entries[i].Updated.Format("20060102")+" "+uriM[strings.Index(uriM, "http://mill.example/")+len(site):])
	}
	return out
}

func TestFeedsTellVersionsNewestFirst(t *testing.T) {
	t.Parallel()
	h := mills(t)
	for _, tt := range []struct {
		name, path string
		want       []string
	}{
		{"a page", "/web/feed?url=" + site, []string{"20170101 ", "20160101 ", "20150101 "}},
		{"a host", "/web/feed?url=" + site + "&matchType=host", []string{
			"20170101 ", "20170101 b", "20160601 a", "20160301 gone", "20160301 pic.png", "20160101 ", "20150101 ", "20150101 a", "20140101 gone",
		}},
		{"a prefix", "/web/feed?url=" + site + "a*", []string{"20160601 a", "20150101 a"}},
		{"a folder, with its own page", "/web/feed?url=" + site + "a/*", []string{"20160601 a", "20150101 a"}},
		{"since a day", "/web/feed?url=" + site + "&matchType=host&since=20160501", []string{"20170101 ", "20170101 b", "20160601 a"}},
		{"until a day", "/web/feed?url=" + site + "&matchType=host&until=2014", []string{"20140101 gone"}},
		{"few", "/web/feed?url=" + site + "&matchType=host&limit=2", []string{"20170101 ", "20170101 b"}},
		{"a query", "/web/feed?q=tannery&change=deleted&url=mill.example&matchType=domain", []string{"20160301 gone", "20160101 "}},
		{"a query of one page", "/web/feed?q=tannery&change=deleted&url=" + site, []string{"20160101 "}},
		{"what was added", "/web/feed?q=tannery&change=added&domain=mill.example", []string{"20160601 a", "20150101 ", "20140101 gone"}},
		{"a query of addresses", "/web/feed?q=tannery&change=added&url=" + site + "a*", []string{"20160601 a"}},
		{"a query of a folder", "/web/feed?q=tannery&change=added&url=" + site + "a/*", []string{"20160601 a"}},
		{"a query of a folder elsewhere", "/web/feed?q=tannery&change=added&domain=other.example&url=" + site + "a/*", nil},
		{"of addresses within a domain", "/web/feed?q=tannery&change=added&domain=mill.example&url=" + site + "a*", []string{"20160601 a"}},
		{"of a domain within addresses", "/web/feed?q=tannery&change=added&domain=mill.example&url=example&matchType=domain", []string{
			"20160601 a", "20150101 ", "20140101 gone",
		}},
		{"before", "/web/feed?url=" + site + "&before=2016", []string{"20160101 ", "20150101 "}},
		{"before, and until before that", "/web/feed?url=" + site + "&until=2015&before=2016", []string{"20150101 "}},
		{"until, and before that", "/web/feed?url=" + site + "&until=2016&before=2015", []string{"20150101 "}},
		{"watched words", "/web/feed?watch=museum:2,lock&threshold=0.1", []string{"20170101 ", "20160101 "}},
		{"watched words, however little changed", "/web/feed?watch=museum&threshold=0", []string{"20160101 "}},
		{"watched words, if all changed", "/web/feed?watch=museum&threshold=1", nil},
		{"since days ago", "/web/feed?url=" + site + "&since=36500d", []string{"20170101 ", "20160101 ", "20150101 "}},
		{"nothing since", "/web/feed?url=" + site + "&since=1d", nil},
	} {
		if got := told(read(t, h, tt.path)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q\nwant %q", tt.name, got, tt.want)
		}
	}
}

func TestAnEntryLeadsOnAndSaysWhatChanged(t *testing.T) {
	t.Parallel()
	h := mills(t)
	p := read(t, h, "/web/feed?url="+site)
	e := &p.Entries[1]
	var related []string
	for _, l := range e.Links {
		if l.Rel == "related" {
			related = append(related, l.Href)
		}
	}
	if e.Title != "Mills" || e.Link("alternate") != "http://varve.example/web/20160101000000/"+site || !slices.Equal(related, []string{
		"http://varve.example/web/diff/20150201000000/20160101000000/" + site,
		"http://varve.example/web/animate/20150201000000/20160101000000/" + site,
	}) {
		t.Errorf("%+v", e)
	}
	for _, want := range []string{"<del>", "tannery", "<ins>", "museum", "&amp; a café &lt;script&gt;", " words deleted", " words added"} {
		if !strings.Contains(e.Summary.Body, want) {
			t.Errorf("no %q in %s", want, e.Summary.Body)
		}
	}
	for _, m := range regexp.MustCompile(`</?([a-z]+)[^>]*>`).FindAllStringSubmatch(e.Summary.Body, -1) {
		if m[1] != "p" && m[1] != "del" && m[1] != "ins" {
			t.Errorf("%s in %s", m[0], e.Summary.Body)
		}
	}
	// RFC 4151 §2.1: authority, a date, then what is specific. It has nothing of the server in it.
	if !regexp.MustCompile(`^tag:[a-z.]+,\d{4}:[!-~]+$`).MatchString(e.ID) || strings.Contains(e.ID, "varve.example") {
		t.Errorf("id %s", e.ID)
	}
	if first := p.Entries[2]; !strings.Contains(first.Summary.Body, "first version") || first.Link("related") != "" {
		t.Errorf("%+v", first)
	}
}

// What changed is told at the level of the feed, and with the words that were searched.
func TestAnEntryLeadsToWhatChanged(t *testing.T) {
	t.Parallel()
	h := mills(t)
	const diff = "http://varve.example/web/diff?from=20150201000000&level=text"
	for path, want := range map[string]string{
		"q=tannery&change=deleted": diff + "&term=tannery&to=20160101000000&url=http%3A%2F%2Fmill.example%2F",
		"level=text&until=2016":    diff + "&to=20160101000000&url=http%3A%2F%2Fmill.example%2F",
	} {
		if got := read(t, h, "/web/feed?url="+site+"&"+path).Entries[0].Link("related"); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// RFC 5005 §3: a document names the one that follows it.
func TestPagesOfAFeedHaveEachVersionOnce(t *testing.T) {
	t.Parallel()
	h := mills(t)
	for _, start := range []string{
		"/web/feed?limit=2", "/web/feed?limit=1&url=" + site + "&matchType=host",
		"/web/feed?limit=1&q=tannery&change=added", "/web/feed?limit=3&q=tannery&change=added",
	} {
		all := read(t, h, regexp.MustCompile(`limit=\d`).ReplaceAllString(start, "limit=100"))
		var got, want []string
		for i := range all.Entries {
			want = append(want, all.Entries[i].ID)
		}
		for path := start; path != ""; {
			p := read(t, h, path)
			for i := range p.Entries {
				got = append(got, p.Entries[i].ID)
			}
			if len(p.Entries) == 0 {
				t.Errorf("%s has nothing", path)
			}
			path = strings.TrimPrefix(p.Next(), "http://varve.example")
			if len(got) > 50 {
				break
			}
		}
		if !slices.Equal(got, want) || len(want) < 3 {
			t.Errorf("%s: pages have %d entries, the whole %d\n%q\n%q", start, len(got), len(want), got, want)
		}
	}
}

// Pages of a feed that leaves versions of one moment out have each of the others once.
func TestPagesOfAWatchHaveEachVersionOnce(t *testing.T) {
	t.Parallel()
	var records []replaytest.Record
	for _, name := range strings.Fields("hill tannery1 lock tannery2 weir") {
		records = append(records, replaytest.Record{
			Date: "20170101000000", URI: site + name, Status: 200, Body: "<title>Mill</title><p>Here is a " + strings.TrimRight(name, "12"),
		})
	}
	h := replaytest.Searchable(t, []string{replaytest.Write(t, records)}).Handler()
	var got []string
	for path := "/web/feed?limit=1&threshold=0&watch=tannery"; path != "" && len(got) < 5; {
		p := read(t, h, path)
		got = append(got, told(p)...)
		path = strings.TrimPrefix(p.Next(), "http://varve.example")
	}
	slices.Sort(got)
	if want := []string{"20170101 tannery1", "20170101 tannery2"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// The pages to which a monitor leads show versions at its level.
func TestAMonitorKeepsItsLevel(t *testing.T) {
	t.Parallel()
	h := mills(t)
	const ask = "/web/monitor?since=2016&level=text&url=" + site
	page, data := replaytest.Get(t, h, ask, "Accept", "text/html").Body.String(), replaytest.Get(t, h, ask).Body.String()
	const diff = "/web/diff?from=20150201000000&%slevel=text&%sto=20160101000000&%surl=http%%3A%%2F%%2Fmill.example%%2F"
	for _, want := range []string{fmt.Sprintf(diff, "amp;", "amp;", "amp;"), "/web/?level=text&amp;url=http%3A%2F%2Fmill.example%2F"} {
		if !strings.Contains(page, `href="`+want+`"`) {
			t.Errorf("no link to %s in %s", want, page)
		}
	}
	if want := fmt.Sprintf(diff, "", "", ""); !strings.Contains(data, `"diff":"http://varve.example`+want+`"`) {
		t.Errorf("no %s in %s", want, data)
	}
}

// A feed leads to the page that shows the same to readers.
func TestWhichPageAFeedBelongsTo(t *testing.T) {
	t.Parallel()
	h := mills(t)
	for path, want := range map[string]string{
		"/web/feed?limit=2":                              "/web/monitor",
		"/web/feed?url=" + site:                          "/web/*/" + site,
		"/web/feed?level=text&url=" + site:               "/web/?level=text&amp;url=http%3A%2F%2Fmill.example%2F",
		"/web/feed?q=weir":                               "/web/search?change=deleted&amp;q=weir",
		"/web/feed?q=weir&domain=mill.example":           "/web/search?change=deleted&amp;domain=mill.example&amp;q=weir",
		"/web/feed?q=weir&change=added&url=mill*":        "/web/search?change=added&amp;q=weir&amp;url=mill%2A",
		"/web/feed?q=weir&change=added&url=mill.example": "/web/search?change=added&amp;matchType=exact&amp;q=weir&amp;url=mill.example",
	} {
		feed, _, _ := strings.Cut(replaytest.Get(t, h, path).Body.String(), "<entry>")
		if !strings.Contains(feed, `rel="alternate" href="http://varve.example`+want+`"`) {
			t.Errorf("%s: no %s in %s", path, want, feed)
		}
	}
}

func TestAFeedThatIsTheSameIsNotSent(t *testing.T) {
	t.Parallel()
	h := mills(t)
	path := "/web/feed?url=" + site
	w := replaytest.Get(t, h, path)
	tag, modified := w.Header().Get("ETag"), w.Header().Get("Last-Modified")
	if tag == "" || modified != "Sun, 01 Jan 2017 00:00:00 GMT" || !strings.Contains(w.Header().Get("Vary"), "Accept-Language") {
		t.Fatalf("%v", w.Header())
	}
	if h := w.Header(); h.Get("Content-Type") != "application/atom+xml; charset=utf-8" || h.Get("Content-Language") != "en" ||
		h.Get("Cache-Control") != "no-cache" || h.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("%v", h)
	}
	at, err := http.ParseTime(modified)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		header []string
		status int
	}{
		{"the same tag", []string{"If-None-Match", tag}, 304},
		{"another tag", []string{"If-None-Match", `"x"`, "If-Modified-Since", modified}, 200},
		{"the same time", []string{"If-Modified-Since", modified}, 304},
		{"an earlier time", []string{"If-Modified-Since", at.Add(-time.Second).Format(http.TimeFormat)}, 200},
		{"no time", []string{"If-Modified-Since", "yesterday"}, 200},
		{"another language", []string{"If-None-Match", tag, "Accept-Language", "fa"}, 200},
	} {
		if w := replaytest.Get(t, h, path, tt.header...); w.Code != tt.status || tt.status == 304 && w.Body.Len() > 0 {
			t.Errorf("%s: %d", tt.name, w.Code)
		}
	}
}

// An entry without the change that its record would tell is sent without validators, so that a client gets the whole entry later.
func TestAFeedOfUnreadableRecordsIsNotValidated(t *testing.T) {
	t.Parallel()
	file := replaytest.Write(t, []replaytest.Record{
		{Date: "20150101000000", URI: site, Status: 200, Body: "<p>The tannery stands."},
		{Date: "20160101000000", URI: site, Status: 200, Body: "<p>The museum stands."},
	})
	s, _ := replaytest.Serve(t, file)
	path := "/web/feed?url=" + site
	ask := func(when string, tells bool, header ...string) http.Header {
		t.Helper()
		w := replaytest.Get(t, s.Handler(), path, header...)
		if w.Code != 200 || strings.Contains(w.Body.String(), "tannery") != tells {
			t.Errorf("%s: %d %s", when, w.Code, w.Body)
		}
		return w.Header()
	}
	if err := os.Rename(file, file+".away"); err != nil {
		t.Fatal(err)
	}
	if h := ask("unreadable", false); h.Get("ETag") != "" || h.Get("Last-Modified") != "" {
		t.Errorf("unreadable, it can be validated: %v", h)
	}
	if err := os.Rename(file+".away", file); err != nil {
		t.Fatal(err)
	}
	whole := ask("readable", true)
	if err := os.Rename(file, file+".away"); err != nil {
		t.Fatal(err)
	}
	if w := replaytest.Get(t, s.Handler(), path, "If-None-Match", whole.Get("ETag")); w.Code != http.StatusNotModified {
		t.Errorf("a client with the whole feed: %d", w.Code)
	}
}

func TestFeedsRefuseWhatMakesNoSense(t *testing.T) {
	t.Parallel()
	h := mills(t)
	for path, want := range map[string]string{
		"/web/feed?url=http://never.example/":                      "404 the collection web has no capture",
		"/web/feed?url=x":                                          "400 url is no address",
		"/web/feed?matchType=host":                                 "400 matchType needs a url",
		"/web/feed?url=" + site + "&matchType=some":                "400 matchType",
		"/web/feed?since=yesterday":                                "400 since",
		"/web/feed?since=0d":                                       "400 since",
		"/web/feed?since=-1d":                                      "400 since",
		"/web/feed?since=36501d":                                   "400 since",
		"/web/feed?since=1dh":                                      "400 since",
		"/web/feed?limit=1000":                                     "400 limit",
		"/web/feed?q=":                                             "400 ",
		"/web/feed?q=tannery&change=present":                       "400 change",
		"/web/feed?watch=a,b:x":                                    "400 watch",
		"/web/feed?watch=two+words":                                "400 watch",
		"/web/feed?watch=tannery&threshold=2":                      "400 threshold",
		"/web/feed?type=image":                                     "400 type",
		"/web/feed?level=pixels":                                   "400 level",
		"/web/monitor?q=tannery":                                   "400 a monitor tells of all changes",
		"/web/monitor?since=tomorrow":                              "400 since",
		"/web/feed?q=tannery&watch=tannery":                        "400 q and watch",
		"/web/feed?url=" + site + "&skip=-1&before=20160101000000": "400 skip",
	} {
		w := replaytest.Get(t, h, path)
		if got := strconv.Itoa(w.Code) + " " + w.Body.String(); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %d %s, want %s", path, w.Code, w.Body, want)
		}
	}
}

func TestAMonitorPutsWhatMattersFirst(t *testing.T) {
	t.Parallel()
	h := mills(t)
	w := replaytest.Get(t, h, "/web/monitor?since=20160101&url="+site+"&matchType=host")
	var got struct {
		Since   string
		Total   int
		Changes []struct {
			OriginalURI    string `json:"original_uri"`
			Title, Kind    string
			URIM           string `json:"uri_m"`
			Diff           *string
			Added, Deleted int
			Share          float64
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 {
		t.Fatalf("%d %v %s", w.Code, err, w.Body)
	}
	if got.Since != "20160101000000" || got.Total != 6 || len(got.Changes) != 6 {
		t.Fatalf("%+v", got)
	}
	if first := got.Changes[0]; first.OriginalURI != site+"gone" || first.Kind != "missing" || first.Share != 1 || first.Title != "Gone" {
		t.Errorf("what went does not come first: %+v", first)
	}
	if last := got.Changes[5]; last.Diff != nil {
		t.Errorf("what is new does not come last: %+v", last)
	}
	for _, c := range got.Changes[1:4] {
		if c.Diff == nil || c.Added+c.Deleted == 0 || c.Share <= 0 || c.Share > 1 {
			t.Errorf("%+v", c)
		}
	}
	page := replaytest.Get(t, h, "/web/monitor?since=20160101", "Accept", "text/html").Body.String()
	for _, want := range []string{
		"since 1 January 2016", `href="/web/20160301000000/` + site + `gone"`, `type="application/atom+xml"`, "of the content", "new here",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in %s", want, page)
		}
	}
	asFeed := replaytest.Get(t, h, "/web/monitor?since=20160101", "Accept", "application/atom+xml")
	if !strings.Contains(asFeed.Body.String(), "<entry>") || !strings.Contains(asFeed.Header().Get("Vary"), "Accept") {
		t.Errorf("%v %s", asFeed.Header(), asFeed.Body)
	}
	empty := replaytest.Get(t, h, "/web/monitor", "Accept", "text/html").Body.String()
	week := replaytest.Get(t, h, "/web/monitor?since=7d", "Accept", "text/html").Body.String()
	if strings.Count(week, `aria-current="page"`) != 1 || !strings.Contains(week, `since=7d" aria-current="page"`) {
		t.Errorf("the period that is shown isn't marked: %s", week)
	}
	if !strings.Contains(week, `name="since" value=""`) || !strings.Contains(page, `name="since" value="20160101"`) {
		t.Errorf("a day that was asked for isn't in the field, or a period is: %s", page)
	}
	for _, typed := range []string{"45d", "12h"} {
		body := replaytest.Get(t, h, "/web/monitor?since="+typed, "Accept", "text/html").Body.String()
		if !strings.Contains(body, `name="since" value="`+typed+`"`) {
			t.Errorf("%s isn't in the field", typed)
		}
	}
	if !strings.Contains(empty, "0 changes since") || !strings.Contains(empty, "/web/monitor?since=20161202") {
		t.Errorf("an empty page leads nowhere: %s", empty)
	}
}

// Redirects and errors are told as such, in a feed, in a monitor and on its page.
func TestWhatVersionsShow(t *testing.T) {
	t.Parallel()
	server, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{Date: "20150101000000", URI: site + "moved", Status: 200, Body: replaytest.PageOf("Moved", "tannery weir")},
		{Date: "20160101000000", URI: site + "moved", Status: 301, Location: site + "elsewhere"},
		{Date: "20160201000000", URI: site + "broken", Status: 500, Body: replaytest.PageOf("Broken", "broken")},
		{Date: "20150401000000", URI: site + "named", Status: 200, Body: "<title>Old name</title><p>A page."},
		{Date: "20150501000000", URI: site + "named", Status: 200, Body: "<title>New name</title><p>A page."},
	}))
	h := server.Handler()
	var said []string
	for _, e := range read(t, h, "/web/feed?since=2016").Entries {
		said = append(said, e.Title+": "+e.Summary.Body)
	}
	if diff := cmp.Diff([]string{
		"http://mill.example/broken: <p>This capture shows an error page. · first version</p>", "Moved: <p>This capture is a redirect.</p>",
	}, said); diff != "" {
		t.Error(diff)
	}
	if e := read(t, h, "/web/feed?limit=1&url="+site+"named").Entries[0]; e.Title != "New name" {
		t.Errorf("a page with a new title is told as %q", e.Title)
	}
	var monitor struct {
		Until   string
		Changes []struct{ Kind string }
	}
	if err := json.Unmarshal(replaytest.Fetch(t, h, "/web/monitor?since=2016&until=2017"), &monitor); err != nil ||
		monitor.Until != "20171231235959" || len(monitor.Changes) != 2 ||
		monitor.Changes[0].Kind != "redirect" || monitor.Changes[1].Kind != "error" {
		t.Errorf("%+v, %v", monitor, err)
	}
	page := replaytest.Get(t, h, "/web/monitor?since=2016&until=2017", "Accept", "text/html").Body.String()
	if !strings.Contains(page, `href="/web/monitor?since=7d"`) { // a period lasts until now
		t.Error(page)
	}
	if strings.Count(page, "This capture is a redirect.") != 1 || strings.Count(page, "This capture shows an error page.") != 1 {
		t.Error(page)
	}
	if w := replaytest.Get(t, h, "/web/monitor?output=json", "Accept", "text/html"); !json.Valid(w.Body.Bytes()) {
		t.Errorf("%s", w.Body)
	}
}

// Each change has its figures, as data and on the page.
func TestFiguresOfAMonitor(t *testing.T) {
	t.Parallel()
	h := mills(t)
	const query = "since=20151231&until=2017&url=mill.example&matchType=domain"
	var monitor struct {
		Changes []struct {
			Kind, Datetime, Diff string
			Added, Deleted       int
			Share                float64
			OriginalURI          string `json:"original_uri"`
		}
	}
	if err := json.Unmarshal(replaytest.Fetch(t, h, "/web/monitor?"+query), &monitor); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range monitor.Changes {
		got = append(got, strings.ReplaceAll(fmt.Sprint(c), "http://example.com/web", ""))
	}
	tags, diffs := regexp.MustCompile(`<[^>]*>`), regexp.MustCompile(`href="/web(/diff/[^"]*)"`)
	page := replaytest.Get(t, h, "/web/monitor?"+query, "Accept", "text/html").Body.String()
	_, page, _ = strings.Cut(page, `<ol class="places">`)
	page, _, _ = strings.Cut(page, "</ol>")
	for _, row := range strings.SplitAfter(page, "</li>") {
		text := strings.Join(strings.Fields(tags.ReplaceAllString(row, " ")), " ")
		for _, m := range diffs.FindAllStringSubmatch(row, -1) {
			text += " " + m[1]
		}
		got = append(got, text)
	}
	if diff := cmp.Diff([]string{
		"{missing 20160301000000 /diff/20140101000000/20160301000000/http://mill.example/gone 2 17 1 http://mill.example/gone}",
		"{page 20170101000000 /diff/20160101000000/20170101000000/http://mill.example/ 2 3 0.563 http://mill.example/}",
		"{page 20160101000000 /diff/20150201000000/20160101000000/http://mill.example/ 4 2 0.586 http://mill.example/}",
		"{page 20160601000000 /diff/20150101000000/20160601000000/http://mill.example/a 3 0 0.234 http://mill.example/a}",
		"{page 20170101000000  0 0 1 http://mill.example/b}",
		"{page 20160301000000  0 0 1 http://mill.example/pic.png}",
		"Gone Here the page was missing. http://mill.example/gone 1 March 2016, 00:00 UTC · unchanged for 2 years before · calendar",
		"Mills http://mill.example/ 1 January 2017, 00:00 UTC · +2 −3 different words · 56% of the content · unchanged for 366 days before · " +
			"what changed · calendar /diff/20160101000000/20170101000000/http://mill.example/",
		"Mills http://mill.example/ 1 January 2016, 00:00 UTC · +4 −2 different words · 58% of the content · unchanged for 365 days before · " +
			"what changed · calendar /diff/20150201000000/20160101000000/http://mill.example/",
		"A http://mill.example/a 1 June 2016, 00:00 UTC · +3 different words · 23% of the content · unchanged for 517 days before · " +
			"what changed · calendar /diff/20150101000000/20160601000000/http://mill.example/a",
		"B new here http://mill.example/b 1 January 2017, 00:00 UTC · calendar",
		"http://mill.example/pic.png new here http://mill.example/pic.png 1 March 2016, 00:00 UTC · calendar",
		"",
	}, got); diff != "" {
		t.Error(diff)
	}
	if few := replaytest.Get(t, h, "/web/monitor?limit=2&"+query).Body.String(); strings.Count(few, `"kind"`) != 2 ||
		!strings.Contains(few, `"total":6`) {
		t.Error(few)
	}
	if body := read(t, h, "/web/feed?since=20160301&until=20160301&url="+site+"gone").Entries[0].Summary.Body; !strings.HasPrefix(body,
		"<p>Here the page was missing. · 21 words deleted · 2 words added</p><p>") {
		t.Error(body)
	}
}

// WebSub §4: a subscriber finds the hub and the topic in the header, and in the feed.
func TestAFeedNamesItsHub(t *testing.T) {
	t.Parallel()
	_, x := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{{Date: "20150101000000", URI: site, Status: 200, Body: "<p>A mill."}}))
	lost := warc.NewStore(func(cdx.FileID) (string, bool) { return "", false })
	var log logbuffer.Buffer
	server, err := replay.New(replay.Config{
		Archive: replaytest.Archive(t, archive.Config{Index: x, Records: lost, Log: log.Logger()}), Hub: "https://hub.example/",
	})
	if err != nil {
		t.Fatal(err)
	}
	w := replaytest.Get(t, server.Handler(), "/web/feed?url="+site)
	want := []string{`<https://hub.example/>; rel="hub"`, `<http://varve.example/web/feed?url=http%3A%2F%2Fmill.example%2F>; rel="self"`}
	if got := w.Header().Values("Link"); !slices.Equal(got, want) ||
		!strings.Contains(w.Body.String(), `<link rel="hub" href="https://hub.example/">`) {
		t.Errorf("%q %s", got, w.Body)
	}
	// The record can't be opened: the version is told of all the same, and the log says so.
	if p := read(t, server.Handler(), "/web/feed?url="+site); len(p.Entries) != 1 || strings.Contains(p.Entries[0].Summary.Body, "mill") ||
		!strings.Contains(log.String(), "can't be read back") {
		t.Errorf("%+v\n%s", p, &log)
	}
}

func TestWhatRisesAgainstItsOwnPast(t *testing.T) {
	t.Parallel()
	var records []replaytest.Record
	for i, p := range strings.Fields("alder birch cedar dogwood") {
		about := replaytest.PageOf(p, strings.Repeat(p+" ", i+3)+"grows beside mill number "+strconv.Itoa(i))
		for date, words := range map[string]string{
			"20150101000000": "", "20150601000000": "A boat under the " + p + " passes.", "20150701000000": "Nobody near the " + p + " passes.",
			"20160601000000": "A boat passes the " + p + ", and a flood comes.",
		} {
			records = append(records, replaytest.Record{
				Date: date, URI: site + p, Status: 200, Body: strings.Replace(about, "</main>", "<p>"+words+"</p></main>", 1),
			})
		}
	}
	h := replaytest.Searchable(t, []string{replaytest.Write(t, records)}).Handler()
	var got struct {
		Rising []struct {
			Term     string
			Changes  int
			Expected float64
			Search   string
		}
	}
	path := "/web/monitor?since=2016&until=2016&rising=added"
	if err := json.Unmarshal(replaytest.Fetch(t, h, path), &got); err != nil {
		t.Fatal(err)
	}
	terms := map[string]int{}
	for i, r := range got.Rising {
		terms[r.Term] = i + 1
		if r.Changes != 4 || r.Expected <= 0 || r.Expected >= 4 || !strings.Contains(r.Search, "change=added") {
			t.Errorf("%+v", r)
		}
	}
	if terms["flood"] == 0 || terms["boat"] != 0 && terms["boat"] < terms["flood"] {
		t.Errorf("%+v", got.Rising)
	}
	text := replaytest.Get(t, h, path, "Accept", "text/html").Body.String()
	if !strings.Contains(text, "Words on the rise") || !strings.Contains(text, "flood</bdi>") {
		t.Errorf("%s", text)
	}
	if w := replaytest.Get(t, h, "/web/monitor?rising=up"); w.Code != 400 {
		t.Errorf("%d", w.Code)
	}
}

// What rules keep back is told of as the calendar lists it: without its words, and not at all to who watches for words.
func TestFeedsKeepBackWhatIsBlocked(t *testing.T) {
	t.Parallel()
	_, x := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{Date: "20150101000000", URI: site, Status: 200, Body: "<title>Secret mill</title><p>The tannery stands."},
		{Date: "20160101000000", URI: site, Status: 200, Body: "<title>Secret mill</title><p>The museum stands."},
	}))
	policy := archivetest.Policy(t, `rules: [{url: "http://mill.example/", match: host, captured: {to: 2015}, access: block}]`)
	store := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	t.Cleanup(func() { store.Close() })
	server, err := replay.New(replay.Config{Archive: replaytest.Archive(t, archive.Config{Index: x, Records: store, Access: policy})})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/web/feed?url=" + site, "/web/feed", "/web/monitor?since=2010&until=2020"} {
		body := string(replaytest.Fetch(t, server.Handler(), path))
		if !strings.Contains(body, "20160101000000/"+site) || strings.Contains(body, "ecret") || strings.Contains(body, "tannery") {
			t.Errorf("%s: %s", path, body)
		}
	}
	if p := read(t, server.Handler(), "/web/feed?watch=tannery,museum"); len(p.Entries) != 0 {
		t.Errorf("%+v", p.Entries)
	}
}

// Pages, results and the banner name a feed that is there; a page about nothing names none.
func TestPagesOfferTheirFeed(t *testing.T) {
	t.Parallel()
	h := mills(t)
	link := regexp.MustCompile(`<link rel="alternate" type="application/atom\+xml"[^>]* href="([^"]*)"`)
	for path, want := range map[string]string{
		"/web/":                        "/web/feed",
		"/web/*/" + site:               "/web/feed?url=http%3A%2F%2Fmill.example%2F",
		"/web/*/" + site + "*":         "/web/feed?url=http%3A%2F%2Fmill.example%2F%2A",
		"/web/search?q=tannery":        "/web/feed?change=added&q=tannery",
		"/web/terms":                   "/web/feed",
		"/web/*/http://never.example/": "",
		"/web/nothing":                 "",
		"/web/search?q=tannery&change=deleted&url=mill.example": "/web/feed?change=deleted&matchType=prefix&q=tannery&url=mill.example",
	} {
		w := replaytest.Get(t, h, path, "Accept", "text/html")
		got := ""
		if m := link.FindStringSubmatch(w.Body.String()); m != nil {
			got = strings.ReplaceAll(m[1], "&amp;", "&")
			read(t, h, got)
		}
		if got != want {
			t.Errorf("%s (%d) offers %q, want %q", path, w.Code, got, want)
		}
	}
	page := replaytest.Get(t, h, "/web/20150101000000/"+site, "Accept", "text/html", "Sec-Fetch-Dest", "document").Body.String()
	if !strings.Contains(page, `href="http://varve.example/web/feed?url=http%3A%2F%2Fmill.example%2F"`) &&
		!strings.Contains(page, `href="/web/feed?url=http%3A%2F%2Fmill.example%2F"`) {
		t.Error("the banner offers no feed")
	}
}

// Whatever operation of the index's store fails, no answer is wrong.
func TestAnswersWhileTheStoreFails(t *testing.T) {
	t.Parallel()
	replaytest.NewFaults(t, replaytest.Remarkable()).Ask(
		"/web/feed", "/web/feed?q=lakes&change=added", "/web/feed?level=text&url="+replaytest.Site+"/edit", "/web/feed?watch=lakes,ponds",
		"/web/monitor?since=2014&until=2020", "/web/monitor?since=2016&until=2016&rising=deleted",
	)
}
