package pages_test

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/varve-archive/varve/banner/locale"
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
		for _, path := range []string{
			"/web/*/" + uri, "/web/20110101*/" + uri, "/web/diff/" + uri, "/web/20110101000000/" + uri, "/web/timemap/html/" + uri,
			"/web/diff/20100101000000/20110101000000/" + uri, "/web/animate/20100101000000/20110101000000/" + uri,
			"/web/monitor?since=2000&url=" + uri, "/web/feed?url=" + uri,
		} {
			body := replaytest.Get(t, h, path, "Accept", "text/html", "Accept-Language", language).Body.String()
			if !strings.Contains(plain(html.UnescapeString(body)), want) {
				t.Errorf("%s in %s does not say %q", path, language, want)
			}
		}
	}
}

// Where versions are listed, drawn or compared, one that shows no page says so in words and has a shape of its own, in every language.
func TestEveryListSaysWhatIsNoPage(t *testing.T) {
	const uri = "http://ends.example.org/page"
	page := replaytest.PageOf("Mill", "the mill by the river grinds the corn of three villages")
	s, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{Date: "20100101000000", URI: uri, Status: 200, Body: page},
		{Date: "20110101000000", URI: uri, Status: 302, Location: "http://ends.example.org/", Body: ""},
		{Date: "20120101000000", URI: uri, Status: 200, Body: page},
		{Date: "20130101000000", URI: uri, Status: 403, Body: "<title>Forbidden</title>"},
		{Date: "20140101000000", URI: uri, Status: 200, Body: page},
		{Date: "20150101000000", URI: uri, Status: 404, Body: "<title>Not found</title>"},
	}))
	h := s.Handler()
	for _, language := range []string{"en", "de", "ru", "uk", "zh", "fa"} {
		words := locale.For(language)
		for _, kind := range []struct{ at, before, class, says string }{
			{"20110101000000", "20100101000000", "re", words.RedirectHome},
			{"20130101000000", "20120101000000", "er", words.LegendError},
			{"20150101000000", "20140101000000", "mi", locale.Fill(words.MissingSince, words.Plain(2015))},
		} {
			shape := regexp.MustCompile(`class="(tag|day c[ah]) ` + kind.class + `"`)
			for _, path := range []string{
				"/web/*/" + uri, "/web/" + kind.at[:8] + "*/" + uri, "/web/timemap/html/" + uri,
				"/web/diff/" + kind.before + "/" + kind.at + "/" + uri, "/web/diff?at=" + kind.before + "&url=" + uri,
			} {
				body := replaytest.Get(t, h, path, "Accept", "text/html", "Accept-Language", language).Body.String()
				if !strings.Contains(plain(body), kind.says) || !shape.MatchString(body) {
					t.Errorf("%s in %s does not say %q, or it has no shape", path, language, kind.says)
				}
			}
			line := replaytest.Get(t, h, "/web/diff?at="+kind.before+"&url="+uri, "Accept", "text/html", "Accept-Language", language).Body.String()
			if line = line[strings.Index(line, "<figcaption"):]; !strings.Contains(line, words.LegendError) || !strings.Contains(line, `class="en"`) {
				t.Errorf("the line of the slider in %s does not say what its shapes are", language)
			}
			arrow := replaytest.Get(t, h, "/web/"+kind.before+"/"+uri, "Accept", "text/html", "Accept-Language", language).Body.String()
			if !strings.Contains(plain(arrow), kind.says) || !strings.Contains(arrow, `class="go next no"`) {
				t.Errorf("the arrow to %s in %s does not warn", kind.at, language)
			}
		}
	}
}
