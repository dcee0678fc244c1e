package duplicates_test

import (
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
