package duplicates_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/duplicates"
	"github.com/varve-archive/varve/replay/replaytest"
)

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

func TestDuplicatesAreAskedFor(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, replaytest.Moved()))
	for ask, want := range map[string]struct {
		total, groups, pairs int
	}{
		"":                       {4, 4, 0},
		"limit=2":                {4, 2, 0},
		"from=2":                 {4, 2, 0},
		"from=2&limit=1":         {4, 1, 0},
		"from=4":                 {4, 0, 0},
		"across=1":               {4, 4, 0},
		"across=0":               {4, 4, 0},
		"pairs=1":                {10, 0, 10},
		"pairs=1&from=8":         {10, 0, 2},
		"pairs=1&limit=10000":    {10, 0, 10},
		"threshold=1&pairs=true": {10, 0, 10},
	} {
		var got duplicates.List
		if err := json.Unmarshal(replaytest.Fetch(t, s.Handler(), "/web/duplicates?"+ask), &got); err != nil {
			t.Fatal(err)
		}
		if got.Total != want.total || len(got.Groups) != want.groups || len(got.Pairs) != want.pairs || got.Across != (ask == "across=1") {
			t.Errorf("%s: %d in all, %d groups, %d pairs, want %+v", ask, got.Total, len(got.Groups), len(got.Pairs), want)
		}
	}
	for _, ask := range []string{
		"across=x", "pairs=2x", "from=-1", "from=x", "from=9223372036854775807", "limit=0", "limit=-1", "limit=10001", "threshold=2",
	} {
		name, _, _ := strings.Cut(ask, "=")
		if w := replaytest.Get(t, s.Handler(), "/web/duplicates?"+ask); w.Code != 400 || !strings.HasPrefix(w.Body.String(), name) {
			t.Errorf("%s: %d %s", ask, w.Code, w.Body)
		}
	}
	for ask, want := range map[string][]string{
		"limit=1":                           {`/web/duplicates?from=1&amp;limit=1"`, `/web/duplicates?format=json"`},
		"from=1&limit=1":                    {`/web/duplicates?from=0&amp;limit=1"`, `/web/duplicates?from=2&amp;limit=1"`},
		"from=1&limit=1&across=1":           {`/web/duplicates?across=1&amp;from=0&amp;limit=1"`, `/web/duplicates?limit=1"`},
		"from=2&limit=3&threshold=0.5":      {`/web/duplicates?from=0&amp;limit=3&amp;threshold=0.5"`},
		"from=2":                            nil,
		"format=json&limit=1&threshold=0.5": {`"threshold":0.5`},
	} {
		shown := replaytest.Get(t, s.Handler(), "/web/duplicates?"+ask, "Accept", "text/html").Body.String()
		for _, link := range want {
			if !strings.Contains(shown, link) {
				t.Errorf("%s: no %s in %s", ask, link, shown)
			}
		}
		if leads := strings.Contains(shown, `rel="next"`); leads != strings.Contains(ask, "limit=1") && !strings.Contains(ask, "json") {
			t.Errorf("%s: leads on to more: %v", ask, leads)
		}
	}
}

// Whatever operation of the index's store fails, no answer is wrong.
func TestAnswersWhileTheStoreFails(t *testing.T) {
	t.Parallel()
	replaytest.NewFaults(t, replaytest.Moved()).Ask(
		"/web/duplicates?threshold=0.2", "/web/duplicates?across=1", "/web/duplicates?pairs=1",
	)
}

// A page leads as far as either groups or pictures go; data may be read from other sites.
func TestPagesOfGroupsAndPictures(t *testing.T) {
	t.Parallel()
	var list []replaytest.Verbatim
	for i := range 51 {
		for j := range 2 {
			list = append(list, replaytest.Verbatim{
				Date: fmt.Sprintf("2020010100%02d%02d", i, j), URI: fmt.Sprintf("http://a.example/%02d%d.png", i, j),
				Message: "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\x89PNG\r\n\x1a\n" + fmt.Sprint(i),
			})
		}
	}
	s, _ := replaytest.Serve(t, replaytest.Write(t, replaytest.Moved()), replaytest.WriteVerbatim(t, list))
	get := func(ask string, header ...string) *httptest.ResponseRecorder {
		return replaytest.Get(t, s.Handler(), "/web/duplicates?"+ask, header...)
	}
	for ask, want := range map[string]struct {
		pictures   int
		prev, next string
	}{
		"": {50, "", `from=50"`}, "limit=51": {51, "", ""}, "limit=49": {49, "", "from=49&amp;limit=49"},
		"from=50&limit=1": {1, "from=49&amp;limit=1", ""}, "from=3&limit=48": {48, "from=0&amp;limit=48", ""}, "from=50": {1, `from=0"`, ""},
	} {
		w := get(ask, "Accept", "text/html")
		page := w.Body.String()
		for rel, link := range map[string]string{"prev": want.prev, "next": want.next} {
			if strings.Contains(page, `rel="`+rel+`"`) != (link != "") || !strings.Contains(page, link) {
				t.Errorf("%s: %s should be %q", ask, rel, link)
			}
		}
		if got := strings.Count(page, `im_/http://a.example/`); got != want.pictures {
			t.Errorf("%s: %d pictures, want %d: %s", ask, got, want.pictures, page)
		}
		if w.Header().Get("Access-Control-Allow-Origin") != "" || !strings.Contains(strings.Join(w.Header().Values("Vary"), ","), "Accept") {
			t.Errorf("%s: %v", ask, w.Header())
		}
	}
	for _, header := range [][]string{nil, {"Accept", "text/html"}} {
		w := get("format=json&limit=2", header...)
		var got duplicates.List
		err := json.Unmarshal(w.Body.Bytes(), &got)
		if err != nil || got.Equal != 51 || len(got.Pictures) != 2 || got.Total != 4 || w.Header().Get("Access-Control-Allow-Origin") != "*" ||
			!strings.HasPrefix(got.Pictures[0].Captures[0].URIM, "http://varve.example/web/2020010100") {
			t.Errorf("as %v: %v, %+v, %v", header, err, got, w.Header())
		}
	}
}
