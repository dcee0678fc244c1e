package comparison_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/replay/replaytest"
)

var (
	markup  = regexp.MustCompile(`<mark>([^<]*)</mark>`)
	columns = regexp.MustCompile(`<p class="(gone|new|same|again|none)"[^>]*>(.*?)</p>`)
)

func TestDiffMarksTheTerm(t *testing.T) {
	const page = "http://air.example.org/"
	filler := make([]string, 12)
	for i := range filler {
		filler[i] = fmt.Sprintf("Paragraph %d about smog stays.", i)
	}
	before := append(append([]string{}, filler...), "Air pollution is a chronic problem.", "The end of air", "pollution is near.")
	after := append(append([]string{}, filler...), "Air quality is a chronic problem.", "The end of air", "quality is near.")
	s, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{Date: "20150101000000", URI: page, Status: 200, Location: "", Body: replaytest.Paragraphs(before...)},
		{Date: "20160101000000", URI: page, Status: 200, Location: "", Body: replaytest.Paragraphs(after...)},
	}))
	h := s.Handler()
	for _, c := range []struct {
		name, term string
		want       []string // the marked words, in page order
		says       string
	}{
		{
			"a word that went, where it stays too", "pollution",
			[]string{"pollution ", "pollution "},
			"pollution</bdi>”: 2 times before, 0 times after",
		},
		{
			"a phrase that begins in a word that stays or goes, and over the end of a block", `"air pollution"`,
			[]string{"Air ", "pollution ", "air", "pollution "},
			"air pollution</bdi>”: 2 times before, 0 times after",
		},
		{"the same on the other side", `"air quality"`, []string{"Air ", "quality ", "air", "quality "}, "0 times before, 2 times after"},
		{"several words", "chronic end", []string{"chronic", "chronic", "end", "end"}, "chronic</bdi>”: 1 time before, 1 time after"},
		{
			"what stands in folded blocks, near the change too", "smog",
			[]string{"smog", "smog", "smog", "smog"},
			"12 times before, 12 times after",
		},
		{"what is nowhere", "fog", nil, "0 times before, 0 times after"},
		{"nothing", " ", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			target := "/web/diff?url=" + url.QueryEscape(page) + "&from=2015&to=2016&term=" + url.QueryEscape(c.term)
			w := replaytest.Get(t, h, target, "Accept", "text/html")
			if w.Code != http.StatusOK {
				t.Fatalf("%d: %s", w.Code, w.Body)
			}
			var got []string
			shown := columns.FindAllString(w.Body.String(), -1) // what the view in one text repeats is left out
			for _, m := range markup.FindAllStringSubmatch(strings.Join(shown, ""), -1) {
				got = append(got, strings.TrimSpace(m[1]))
			}
			var want []string
			for _, m := range c.want {
				want = append(want, strings.TrimSpace(m))
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("marked (-want +got):\n%s\n%s", d, shown)
			}
			if found := strings.Contains(w.Body.String(), `id="found"`); found != (len(c.want) > 0 && c.term != "smog") ||
				found != strings.Contains(w.Body.String(), `href="#found"`) {
				t.Errorf("a place to go to is named: %v", found)
			}
			if !strings.Contains(w.Body.String(), c.says) || (c.says == "") == strings.Contains(w.Body.String(), `class="terms"`) {
				t.Errorf("the page does not say %q", c.says)
			}
		})
	}
	for _, bad := range []string{`"air`, "...", strings.Repeat("x", 10_000)} {
		w := replaytest.Get(t, h, "/web/diff?url="+url.QueryEscape(page)+"&from=2015&to=2016&term="+url.QueryEscape(bad), "Accept", "text/html")
		if w.Code != http.StatusBadRequest {
			t.Errorf("term %.20q: %d, want 400", bad, w.Code)
		}
	}
}

// Whatever operation of the index's store fails, no answer is wrong.
func TestAnswersWhileTheStoreFails(t *testing.T) {
	t.Parallel()
	replaytest.NewFaults(t, replaytest.Counted()).Ask(
		"/web/diff?url="+replaytest.CountedPage, "/web/diff?term=sacks&url="+replaytest.CountedPage,
		"/web/diff?from=2010&to=2014&url="+replaytest.CountedPage, "/web/diff?at=2011&level=text&url="+replaytest.CountedPage,
		"/web/animate/20100101000000/20140101000000/"+replaytest.CountedPage, "/web/animate?from=2010&to=2014&url="+replaytest.CountedPage,
	)
}
