package requests_test

import (
	"fmt"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/requests"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// fuzzy returns "datetime URI-R" of what stands in for a URI-R, "" for nothing.
func fuzzy(t *testing.T, s *archive.Archive, key string, ts cdx.Timestamp) string {
	t.Helper()
	tl, c, err := requests.Fuzzy(t.Context(), s, "web", key, ts)
	if err != nil {
		t.Fatal(err)
	}
	if c == nil {
		return ""
	}
	if tl.Key != c.Key {
		t.Errorf("a capture of %s on the timeline of %s", c.Key, tl.Key)
	}
	return fmt.Sprintf("%s %s", c.Time, c.URL)
}

func TestFuzzyFindsTheSameUnderAnotherKey(t *testing.T) {
	at := func(date, path string) archivetest.Record {
		return archivetest.Record{Date: date, URI: "http://a.example/" + path, Body: "text"}
	}
	failed := func(date, path string, status int) archivetest.Record {
		r := at(date, path)
		r.Status = status
		return r
	}
	const asked, file = "http://a.example/api?id=1&_=9", "http://a.example/a.html?id=1&_=9"
	tests := []struct {
		name    string
		records []archivetest.Record
		uriR    string
		want    string
	}{
		{"under another cache buster", []archivetest.Record{at("2020", "api?id=1&_=5")}, asked, "20200101000000 http://a.example/api?id=1&_=5"},
		{"under none", []archivetest.Record{at("2020", "api?id=1")}, asked, "20200101000000 http://a.example/api?id=1"},
		{
			"under a session in the path",
			[]archivetest.Record{at("2020", "a;jsessionid=AB")},
			"http://a.example/a",
			"20200101000000 http://a.example/a;jsessionid=AB",
		},
		{
			"a file under another query",
			[]archivetest.Record{at("2020", "a.css?v=3")},
			"http://a.example/a.css",
			"20200101000000 http://a.example/a.css?v=3",
		},
		{"what is asked for differs", []archivetest.Record{at("2020", "api?id=2&_=5")}, asked, ""},
		{"another path", []archivetest.Record{at("2020", "api2?id=1&_=5")}, asked, ""},
		{"the key itself is no other", []archivetest.Record{at("2020", "api?id=1&_=9")}, asked, ""},
		{
			"the nearest in time",
			[]archivetest.Record{at("2018", "api?id=1&_=1"), at("2019", "api?id=1&_=2"), at("2025", "api?id=1&_=3")},
			asked,
			"20190101000000 http://a.example/api?id=1&_=2",
		},
		{
			"a success before a nearer failure",
			[]archivetest.Record{failed("20200101", "api?id=1&_=1", 404), at("2010", "api?id=1&_=2")},
			asked,
			"20100101000000 http://a.example/api?id=1&_=2",
		},
		{
			"a success before a nearer redirect",
			[]archivetest.Record{failed("20200101", "api?id=1&_=1", 300), failed("2010", "api?id=1&_=2", 299)},
			asked,
			"20100101000000 http://a.example/api?id=1&_=2",
		},
		{
			"a success before a nearer failure, whichever key comes first",
			[]archivetest.Record{at("2010", "api?id=1&_=1"), failed("20200101", "api?id=1&_=2", 404)},
			asked,
			"20100101000000 http://a.example/api?id=1&_=1",
		},
		{
			"a success before a nearer redirect, whichever key comes first",
			[]archivetest.Record{failed("2010", "api?id=1&_=1", 299), failed("20200101", "api?id=1&_=2", 300)},
			asked,
			"20100101000000 http://a.example/api?id=1&_=1",
		},
		{
			"a failure if there is nothing else",
			[]archivetest.Record{failed("2020", "api?id=1&_=1", 404)},
			asked,
			"20200101000000 http://a.example/api?id=1&_=1",
		},
		{
			"no redirect in a circle", []archivetest.Record{archivetest.Moved("2020", "http://a.example/api?id=1&_=1", asked)}, asked, "",
		},
		{
			"a redirect to elsewhere",
			[]archivetest.Record{archivetest.Moved("2020", "http://a.example/api?id=1&_=1", "/other")},
			asked,
			"20200101000000 http://a.example/api?id=1&_=1",
		},
		{
			"a revisit without its original is no answer",
			[]archivetest.Record{{Date: "2020", URI: "http://a.example/api?id=1&_=1", Type: "revisit"}, at("2010", "api?id=1&_=2")},
			asked,
			"20100101000000 http://a.example/api?id=1&_=2",
		},
		{"a file without arguments", []archivetest.Record{at("2020", "a.html")}, file, "20200101000000 http://a.example/a.html"},
		{
			"but only as a last resort",
			[]archivetest.Record{at("2020", "a.html"), at("2010", "a.html?id=1&_=5")},
			file,
			"20100101000000 http://a.example/a.html?id=1&_=5",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := open(t, tt.records...)
			if got := fuzzy(t, s, surt.Of(tt.uriR), cdx.Timestamp(20200101000000)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestFuzzyReadsWhatItFinds(t *testing.T) {
	const first, second = "http://a.example/api?_=1", "http://a.example/api?_=2"
	s, shelf := open(t,
		archivetest.Record{Date: "2020", URI: first, Body: "one"}, archivetest.Record{Date: "2010", URI: second, Body: "two"})
	key, ts := surt.Of("http://a.example/api"), cdx.Timestamp(20200101000000)
	if got := fuzzy(t, s, key, ts); got != "20200101000000 "+first {
		t.Errorf("got %q", got)
	}
	shelf.Break(t, "20200101000000", first)
	if got := fuzzy(t, s, key, ts); got != "20100101000000 "+second {
		t.Errorf("the nearest can't be read: got %q", got)
	}
	shelf.Break(t, "20100101000000", second)
	if got := fuzzy(t, s, key, ts); got != "" {
		t.Errorf("none can be read: got %q", got)
	}
}

// A page with very many cache busters must not make every miss slow.
func TestFuzzyLooksAtOneHundredKeysOfAPath(t *testing.T) {
	for before, found := range map[int]bool{99: true, 100: false} { // keys of the path that sort before the one that fits
		var records []archivetest.Record
		for i := range before {
			records = append(records, archivetest.Record{Date: "2020", URI: fmt.Sprintf("http://a.example/api?a=%03d", i), Body: "other"})
		}
		records = append(records, archivetest.Record{Date: "2020", URI: "http://a.example/api?id=1&rnd=5", Body: "it"})
		s, _ := open(t, records...)
		if got := fuzzy(t, s, surt.Of("http://a.example/api?id=1"), cdx.Timestamp(20200101000000)); (got != "") != found {
			t.Errorf("behind %d others: %q", before, got)
		}
	}
}

func TestFuzzyComparesWhatWasSent(t *testing.T) {
	sent := func(uri, method, body string) string {
		return surt.OfRequest(uri, method, []byte(body), "application/x-www-form-urlencoded")
	}
	shelf := archivetest.Keep(t, archivetest.Record{Date: "2020", URI: "http://a.example/api", Body: "got"})
	const api = "http://a.example/api"
	for i, body := range []string{"q=1&nonce=abc", "q=2&nonce=abc", "a=0&q=3&nonce=abc&z=1"} {
		shelf.Put(t, sent(api, "POST", body), api, cdx.Timestamp(20200101000000+i))
	}
	s := over(t, shelf)
	for key, want := range map[string]string{
		sent(api, "POST", "q=1&nonce=xyz"):         "20200101000000 " + api,
		sent(api, "POST", "q=2&nonce=xyz"):         "20200101000001 " + api,
		sent(api, "POST", "a=0&q=3&nonce=xyz&z=1"): "20200101000002 " + api,
		sent(api, "POST", "q=4&nonce=xyz"):         "",
		sent(api, "PUT", "q=1&nonce=xyz"):          "",
		surt.Of(api + "?_=1"):                      "20200101000000 " + api, // what was got, not what answered a POST
	} {
		if got := fuzzy(t, s, key, cdx.Timestamp(20200101000000)); got != want {
			t.Errorf("%s: got %q, want %q", key, got, want)
		}
	}
}

func TestFuzzyKnowsHostsOfBefore2008(t *testing.T) {
	at := func(uri string) archivetest.Record { return archivetest.Record{Date: "2007", URI: uri, Body: "text"} }
	s, _ := open(t,
		at("http://strasse.example/old"), at("http://strasse.example/both?v=1"), at("http://xn--strae-oqa.example/both?utm_source=x"),
		archivetest.Moved("2007", "http://strasse.example/moved", "http://straße.example/moved"))
	for uri, want := range map[string]string{
		"http://straße.example/old":         "20070101000000 http://strasse.example/old",
		"http://xn--strae-oqa.example/old":  "20070101000000 http://strasse.example/old",
		"http://xn--strae-oqa.example/both": "20070101000000 http://xn--strae-oqa.example/both?utm_source=x",
		"http://strasse.example/old":        "",
		"http://straße.example/moved":       "",
		"http://straße.example/never":       "",
	} {
		if got := fuzzy(t, s, surt.Of(uri), cdx.Timestamp(20070101000000)); got != want {
			t.Errorf("%s: got %q, want %q", uri, got, want)
		}
	}
}

// A failing index must not look like an archive without captures.
func TestAFailingIndexIsAnError(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"example,a)/page?_=1", "example,a)/page?b=1"} {
		archivetest.EachFault(t, archivetest.Days("http://a.example/page?_=2", "a page", "another"), func(s *archivetest.Shelf) error {
			_, _, err := requests.Fuzzy(t.Context(), over(t, s), "web", key, archivetest.At(0))
			return err
		})
	}
}
