package pages_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

// Where versions are listed or compared, the second of two wordings that take turns says so, in every language.
func TestEveryListSaysThatWordingsAlternate(t *testing.T) {
	const uri = "http://turns.example.org/"
	wordings := []string{
		"The mill is open on working days from nine to five, on Saturdays from ten to two, and closed on Sundays and on " +
			"all holidays of the county, when the miller and the whole family are away at the market in the next town.",
		"Visitors are asked to come by the lower gate, because the bridge over the river is being repaired by the council, " +
			"which promises that carts and coaches will be able to cross again before the harvest of this year is brought in.",
	}
	const rest = "<p>The mill stands by the river and has ground the corn of three villages since the days of the old abbey."
	var records []replaytest.Record
	for i := range 8 {
		records = append(records, replaytest.Record{
			Date: fmt.Sprintf("201%d0101000000", i), URI: uri, Status: 200, Location: "",
			Body: "<title>Mill</title><h1>Mill</h1>" + strings.Repeat(rest, 6) + "<p>" + wordings[i%2],
		})
	}
	s, _ := replaytest.Serve(t, replaytest.Write(t, records))
	h := s.Handler()
	if says := replaytest.Get(t, h, "/web/changes/"+uri).Body.String(); !strings.Contains(says, `"alternating_since":"20110101000000"`) {
		t.Fatalf("nothing alternates: %s", says)
	}
	for language, want := range map[string]string{
		"en": "alternating since", "de": "im Wechsel seit", "ru": "чередуется с", "uk": "чергується з", "zh": "起交替出现", "fa": "به‌تناوب",
	} {
		for _, path := range []string{"/web/*/" + uri, "/web/diff/" + uri, "/web/20110101000000/" + uri} {
			body := replaytest.Get(t, h, path, "Accept", "text/html", "Accept-Language", language).Body.String()
			if !strings.Contains(plain(body), want) {
				t.Errorf("%s in %s does not say %q", path, language, want)
			}
		}
	}
}
