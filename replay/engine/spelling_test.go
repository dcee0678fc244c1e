package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

// A host with a character that IDNA2003 replaced has two spellings, in letters and in punycode. Captures recorded under
// either are found by both. The host of a third, with ss, may belong to somebody else and has a list of its own.
func TestBothSpellingsOfAHost(t *testing.T) {
	server, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{Date: "20100101000000", URI: "http://straße.example/p", Status: 200, Body: "in letters"},
		{Date: "20150101000000", URI: "http://strasse.example/p", Status: 200, Body: "somebody else"},
		{Date: "20200101000000", URI: "http://xn--strae-oqa.example/p", Status: 200, Body: "in punycode"},
	}))
	h := server.Handler()
	const timeGateDate = "Sat, 01 Mar 2014 00:00:00 GMT"
	for spelling, asked := range map[string]string{
		"letters": "http://straße.example/p", "escaped letters": "http://stra%C3%9Fe.example/p", "punycode": "http://xn--strae-oqa.example/p",
	} {
		inQuery := strings.ReplaceAll(asked, "%", "%25")
		t.Run(spelling, func(t *testing.T) {
			if w := replaytest.Get(t, h, "/web/"+asked, "Accept-Datetime", timeGateDate); w.Code != 302 ||
				!strings.Contains(w.Header().Get("Location"), "/web/20100101000000/") {
				t.Errorf("TimeGate: %d, %s", w.Code, w.Header().Get("Location"))
			}
			for ts, body := range map[string]string{"20100101000000": "in letters", "20200101000000": "in punycode"} {
				if w := replaytest.Get(t, h, "/web/"+ts+"id_/"+asked); w.Code != 200 || !strings.Contains(w.Body.String(), body) {
					t.Errorf("URI-M of %s: %d %s", ts, w.Code, w.Body)
				}
			}
			for path, times := range map[string]int{
				"/web/timemap/link/" + asked: 2, "/web/timemap/json/" + asked: 2, "/web/timemap/cdxj/" + asked: 2,
				"/web/changes/" + asked: 2, "/web/changes?url=" + inQuery: 2, "/web/cdx?url=" + inQuery: 2,
				"/web/cdx?limit=-2&url=" + inQuery: 2, "/web/cdx?closest=2014&url=" + inQuery: 2, "/web/cdx?url=" + inQuery + "*": 2,
				"/web/cdx?matchType=host&url=" + inQuery: 2, "/web/*/" + asked: 2,
			} {
				text := replaytest.Get(t, h, path).Body.String()
				found := 0
				for _, ts := range []string{"20100101000000", "20200101000000"} {
					if strings.Contains(text, ts) {
						found++
					}
				}
				if found != times || strings.Contains(text, "20150101") {
					t.Errorf("%s names %d captures:\n%.2000s", path, found, text)
				}
			}
			for ts, want := range map[string]string{"2011": "20100101000000", "2019": "20200101000000"} {
				text := replaytest.Get(t, h, "/-/available?timestamp="+ts+"&url="+inQuery).Body.String()
				if !strings.Contains(text, `"timestamp":"`+want+`"`) {
					t.Errorf("availability at %s: %s", ts, text)
				}
			}
		})
	}
	t.Run("lines have the keys of the field", func(t *testing.T) {
		got := replaytest.Get(t, h, "/web/cdx?fl=urlkey,timestamp&url=http://straße.example/p").Body.String()
		if got != "example,strasse)/p 20100101000000\nexample,xn--strae-oqa)/p 20200101000000\n" {
			t.Error(got)
		}
		got = replaytest.Get(t, h, "/web/cdx?fl=timestamp&filter=urlkey:example,strasse.*&url=http://straße.example/p").Body.String()
		if got != "20100101000000\n" {
			t.Error(got)
		}
	})
	t.Run("answers go on at a resume key", func(t *testing.T) {
		const query = "/web/cdx?fl=timestamp&limit=1&showResumeKey=true&url=http://straße.example/p"
		first := strings.Fields(replaytest.Get(t, h, query).Body.String())
		if len(first) != 2 || first[0] != "20100101000000" {
			t.Fatal(first)
		}
		if next := replaytest.Get(t, h, query+"&resumeKey="+first[1]).Body.String(); next != "20200101000000\n" {
			t.Error(next)
		}
	})
	t.Run("not what somebody else has", func(t *testing.T) {
		for _, path := range []string{"/web/timemap/link/http://strasse.example/p", "/web/cdx?url=http://strasse.example/p"} {
			w := replaytest.Get(t, h, path)
			if text := w.Body.String(); w.Code != http.StatusOK || !strings.Contains(text, "20150101000000") ||
				strings.Contains(text, "20100101") || strings.Contains(text, "20200101") {
				t.Errorf("%s: %d %s", path, w.Code, text)
			}
		}
	})
}
