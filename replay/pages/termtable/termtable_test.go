package termtable_test

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/replay/replaytest"
)

// A table has the count of each term on each page at each datetime: NA before the first capture and for pages without one, the status where
// it isn't 200.
func TestTermTable(t *testing.T) {
	t.Parallel()
	const mill, gone = "http://mill.example/", "http://gone.example/"
	at := func(date, uri string, status int, body string) replaytest.Record {
		return replaytest.Record{Date: date, URI: uri, Status: status, Body: body}
	}
	h := replaytest.Searchable(t, []string{replaytest.Write(t, []replaytest.Record{
		at("20150601000000", mill, 200, replaytest.Paragraphs("The mill grinds. Acid rain fell on the mill.")),
		at("20170601000000", mill, 200, replaytest.Paragraphs("The museum is open.")),
		at("20190601000000", mill, 404, "<h1>Not found</h1>"),
	})}).Handler()
	form := url.Values{
		"terms": {"mill\nacid rain\n", "=museum"}, "urls": {mill, gone}, "at": {"2014", "20160101", "2018", "2019"}, "output": {"csv"},
	}
	want := `url,at,datetime,status,term,count
http://mill.example/,20141231235959,,,mill,NA
http://mill.example/,20141231235959,,,acid rain,NA
http://mill.example/,20141231235959,,,museum,NA
http://mill.example/,20160101235959,20150601000000,200,mill,2
http://mill.example/,20160101235959,20150601000000,200,acid rain,1
http://mill.example/,20160101235959,20150601000000,200,museum,0
http://mill.example/,20181231235959,20170601000000,200,mill,0
http://mill.example/,20181231235959,20170601000000,200,acid rain,0
http://mill.example/,20181231235959,20170601000000,200,museum,1
http://mill.example/,20191231235959,20190601000000,404,mill,404
http://mill.example/,20191231235959,20190601000000,404,acid rain,404
http://mill.example/,20191231235959,20190601000000,404,museum,404
`
	for _, ts := range []string{"20141231235959", "20160101235959", "20181231235959", "20191231235959"} {
		for _, term := range []string{"mill", "acid rain", "museum"} {
			want += gone + "," + ts + ",,," + term + ",NA\n"
		}
	}
	got := replaytest.Get(t, h, "/web/terms/table?"+form.Encode()).Body.String()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("as CSV (-want +got):\n%s", diff)
	}
	post := httptest.NewRequest("POST", "http://varve.example/web/terms/table", strings.NewReader(form.Encode()))
	post.RequestURI = "/web/terms/table"
	post.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, post); w.Code != 200 || w.Body.String() != got {
		t.Errorf("posted: %d\n%s", w.Code, w.Body)
	}
	json := replaytest.Get(t, h, "/web/terms/table?terms=mill&at=2014&at=2016&urls="+mill).Body.String()
	if want := `{"at":["20141231235959","20161231235959"],"terms":["mill"],"rows":[
{"url":"http://mill.example/","at":"20141231235959","datetime":null,"status":null,"counts":{"mill":"NA"}},
{"url":"http://mill.example/","at":"20161231235959","datetime":"20150601000000","status":200,"counts":{"mill":2}}
]}
`; json != want {
		t.Errorf("as JSON (-want +got):\n%s", cmp.Diff(want, json))
	}
	for query, want := range map[string]string{
		"terms=mill&at=2014": "urls: want 1", "terms=mill&urls=" + mill: "at: want 1", "at=2014&urls=" + mill: "terms: want 1",
		"terms=mill&at=x&urls=" + mill: "at: ", "terms=mill&at=2014&urls=%20:": "no address", "terms=!&at=2014&urls=" + mill: "no word",
		"terms=mill&at=2014&output=xml&urls=" + mill: "want html, json or csv",
	} {
		if w := replaytest.Get(t, h, "/web/terms/table?"+query); w.Code != 400 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
		}
	}
}

// Browsers get a page: a form, which says what is wrong with it and leads to an address of its own, and the table with links to the
// captures.
func TestTermTablePage(t *testing.T) {
	t.Parallel()
	const mill = "http://mill.example/"
	h := replaytest.Searchable(t, []string{replaytest.Write(t, []replaytest.Record{
		{Date: "20150601000000", URI: mill, Status: 200, Body: replaytest.Paragraphs("The mill grinds. Acid rain fell on the mill.")},
		{Date: "20170601000000", URI: mill, Status: 200, Body: replaytest.Paragraphs("The museum is open.")},
		{Date: "20190601000000", URI: mill, Status: 404, Body: "<h1>Not found</h1>"},
	})}).Handler()
	page := func(method, query string, form url.Values) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, "http://varve.example/web/terms/table"+query, strings.NewReader(form.Encode()))
		r.RequestURI = "/web/terms/table" + query
		r.Header.Set("Accept", "text/html")
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	form := url.Values{"terms": {"mill\r\nacid rain"}, "urls": {mill}, "at": {"2014\n2016\n2018\n2020"}}
	sent := page("POST", "", form)
	_, query, _ := strings.Cut(sent.Header().Get("Location"), "/web/terms/table")
	if sent.Code != 303 || query == "" {
		t.Fatalf("a form that was sent: %d, Location %q", sent.Code, sent.Header().Get("Location"))
	}
	w := page("GET", query, nil)
	if !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") || w.Header().Get("Vary") == "" {
		t.Errorf("headers %v", w.Header())
	}
	for _, want := range []string{
		"mill\nacid rain</textarea>", "/web/20150601000000/" + mill, "/web/20190601000000/" + mill, "no capture until then", "status 404",
		`<span class="gone"><span class="sign">−2</span>`,
	} {
		if w.Code != 200 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d, %q is not on the page", query, w.Code, want)
		}
	}
	if w := page("GET", "", nil); w.Code != 200 || strings.Contains(w.Body.String(), "<table") {
		t.Errorf("the form alone: %d\n%s", w.Code, w.Body)
	}
	for query, wrong := range map[string]string{
		"?terms=mill&at=2014": "wrong-urls", "?terms=mill&at=2014%0Ax&urls=" + mill: "wrong-at", "?terms=!&at=2014&urls=" + mill: "wrong-terms",
	} {
		if w := page("GET", query, nil); w.Code != 400 || !strings.Contains(w.Body.String(), `id="`+wrong+`" role="alert"`) {
			t.Errorf("%s: %d, nothing is said at %s", query, w.Code, wrong)
		}
	}
	form.Set("at", strings.Repeat("2014\n2016\n", 100))
	form.Set("urls", strings.Repeat(mill+"\n", 100))
	w = page("POST", "", form)
	body := w.Body.String()
	if rows := strings.Count(body, "<tr>") - 1; w.Code != 200 || rows != 1000 || !strings.Contains(body, "first 1,000 of 20,000 rows") {
		t.Errorf("a long table: %d, %d rows", w.Code, rows)
	}
	form.Set("urls", strings.Repeat(mill+"\n", 101))
	if w := page("POST", "", form); w.Code != 400 || !strings.Contains(w.Body.String(), "wrong-form") {
		t.Errorf("more than a table has: %d", w.Code)
	}
}

// Whatever operation of the index's store fails, no answer is wrong.
func TestAnswersWhileTheStoreFails(t *testing.T) {
	t.Parallel()
	replaytest.NewFaults(t, replaytest.Remarkable()).Ask(
		"/web/terms/table?terms=lakes&at=2015&at=2016&urls="+replaytest.Site+"/edit",
		"/web/terms/table?output=csv&terms=ponds&at=2015&at=2016&urls="+replaytest.Site+"/edit",
	)
}
