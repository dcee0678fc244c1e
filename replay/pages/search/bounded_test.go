package search_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/replay/replaytest"
)

// Where word* stands for more words than one search looks up, answers say so, in whatever form they are asked for.
func TestAnswersSayThatWordsWereLeftOut(t *testing.T) {
	var words strings.Builder
	for i := range 1100 {
		fmt.Fprintf(&words, "w%04d ", i)
	}
	h := replaytest.Searchable(t, []string{replaytest.Write(t, []replaytest.Record{{
		Date: "20150101000000", URI: replaytest.Site + "/", Status: 200, Body: "<title>Numbers</title><p>" + words.String(),
	}})}).Handler()
	for _, test := range []struct {
		q    string
		want []string
	}{{"w*", []string{"w*"}}, {"w*+w*+w00*", []string{"w*"}}, {"w0*", nil}, {"numbers+-w00*", nil}, {"w0001~", nil}} {
		for _, path := range []string{"/web/search", "/-/search"} {
			w := replaytest.Get(t, h, path+"?q="+test.q)
			var list struct {
				Note    string
				Bounded []string
			}
			if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil {
				t.Fatalf("%s: %d %v\n%s", test.q, w.Code, err, w.Body)
			}
			if d := cmp.Diff(test.want, list.Bounded); d != "" || strings.Contains(list.Note, "type more letters") != (test.want != nil) {
				t.Errorf("%s: %s, note %q (-want +got):\n%s", path, test.q, list.Note, d)
			}
		}
		page := replaytest.Get(t, h, "/web/search?q="+test.q, "Accept", "text/html").Body.String()
		if strings.Contains(page, "Not all words were looked up") != (test.want != nil) {
			t.Errorf("%s: the page says otherwise", test.q)
		}
		tabs := replaytest.Get(t, h, "/web/search?change=added&q="+test.q, "Accept", "text/html").Body.String()
		_, first, _ := strings.Cut(tabs, `<nav class="tabs"`)
		if first, _, _ = strings.Cut(first, "</a>"); strings.Contains(first, "<span>") != (test.want == nil) {
			t.Errorf("%s: the tab of present pages counts them only if all were looked up: %s", test.q, first)
		}
		csv := replaytest.Get(t, h, "/web/search?output=csv&q="+test.q)
		if got := csv.Header().Get("X-Varve-Bounded"); (got != "") != (test.want != nil) {
			t.Errorf("%s: X-Varve-Bounded %q", test.q, got)
		}
	}
}
