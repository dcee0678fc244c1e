package page_test

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/page"
	"github.com/varve-archive/varve/replay/replaytest"
)

// Without one file of the store, the search must still say what it knows, and that this is not everything.
func TestSearchReportsUnreadableChanges(t *testing.T) {
	far := "<p>" + strings.Repeat("other words ", 12) + "<p>acid rain apart and rain harms apart"
	file := replaytest.Write(t, []replaytest.Record{
		{
			Date: "20150101000000", URI: replaytest.Site + "/", Status: 200, Location: "",
			Body: "<title>Weather</title><p>here acid rain harms lakes" + far,
		},
		{
			Date: "20160101000000", URI: replaytest.Site + "/", Status: 200, Location: "",
			Body: "<title>Weather</title><p>here it harms ponds" + far,
		},
	})
	h := replaytest.Searchable(t, []string{file}).Handler()
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		q      string
		total  int
		untold int
	}{{"lakes", 1, 0}, {`"rain harms lakes"`, 1, 0}, {`"acid rain harms"`, 0, 1}} {
		w := replaytest.Get(t, h, "/web/search?q="+strings.ReplaceAll(c.q, " ", "+"))
		var list page.SearchList
		if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil || w.Code != http.StatusOK {
			t.Fatalf("%s: %d %v\n%s", c.q, w.Code, err, w.Body)
		}
		if list.Total != c.total || list.Untold != c.untold || c.untold > 0 != strings.Contains(list.Note, "could not be checked") {
			t.Errorf("%s: %d found, %d untold, note %q; want %+v", c.q, list.Total, list.Untold, list.Note, c)
		}
	}
	body := replaytest.Get(t, h, "/web/search?q=%22acid+rain+harms%22", "Accept", "text/html").Body.String()
	if !strings.Contains(body, "could not be checked") || strings.Contains(body, "stands in no version") {
		t.Errorf("the page does not say so, or says more than it knows:\n%s", body)
	}
}
