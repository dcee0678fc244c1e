package search_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/replay/replaytest"
)

// Words are optional: pages with all come first, others say what they lack. Signs demand, exclude and group.
func TestWordsAreOptional(t *testing.T) {
	t.Parallel()
	page := func(name, body string) replaytest.Record {
		return replaytest.Record{Date: "20200101000000", URI: "http://" + name + ".example/", Status: 200, Body: replaytest.Paragraphs(body)}
	}
	h := replaytest.Searchable(t, []string{replaytest.Write(t, []replaytest.Record{
		page("both", "The university of Freiburg is old"), page("one", "Freiburg lies at the Dreisam"),
		page("other", "A university has students"), page("forms", "Universities have students in Müllheim"), page("none", "The river runs"),
	})}).Handler()
	for _, test := range []struct {
		name, q, more, want string
		relaxed             bool
	}{
		{"the source's example", "university of freiburg", "", "both one -university,of other -of,freiburg forms -of,freiburg", false},
		{"all of them", "university freiburg", "&match=all", "both", false},
		{"demands", "+freiburg university", "", "both one -university", false},
		{"and", "freiburg AND university", "", "both", false},
		{"or", "dreisam OR students", "", "one other forms", false},
		{"parentheses", "(dreisam OR students) freiburg", "", "one other -freiburg forms -freiburg", false},
		{"exclusions", "freiburg -old", "", "one", false},
		{"another form stands behind", "universities", "", "forms other both", false},
		{"without marks", "mullheim", "", "forms", false},
		{"as typed in German", "muellheim", "", "forms", false},
		{"a phrase is exact", `"universities of freiburg"`, "", "", false},
		{
			"demands that nothing meets beside optional words", `"universities of freiburg" students`, "",
			"other -universities-of-freiburg forms -universities-of-freiburg", true,
		},
		{"a word that is nowhere", "tannery freiburg", "", "one -tannery both -tannery", false},
		{
			"a sentence", "Is there anything about the old university of the town that is called Freiburg?", "",
			"both -anything,town,called one -anything,town,called,old,university other -anything,town,called,old,freiburg " +
				"forms -anything,town,called,old,freiburg", false,
		},
	} {
		w := replaytest.Get(t, h, "/web/search?q="+url.QueryEscape(test.q)+test.more)
		var list struct {
			Total   int
			Relaxed bool
			Results []struct {
				OriginalURI string `json:"original_uri"`
				Missing     []string
			}
		}
		if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil {
			t.Fatalf("%s: %d %v\n%s", test.name, w.Code, err, w.Body)
		}
		var got []string
		for _, r := range list.Results {
			line := strings.TrimSuffix(strings.TrimPrefix(r.OriginalURI, "http://"), ".example/")
			if len(r.Missing) > 0 {
				line += " -" + strings.Join(r.Missing, ",")
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(test.want, strings.Join(got, " ")); diff != "" || list.Relaxed != test.relaxed {
			t.Errorf("%s: %s, relaxed %t (-want +got)\n%s", test.name, test.q, list.Relaxed, diff)
		}
	}
	if w := replaytest.Get(t, h, "/web/search?q=a&match=some"); w.Code != 400 {
		t.Errorf("match=some: %d", w.Code)
	}
	html := replaytest.Get(t, h, "/web/search?q=tannery+freiburg+university", "Accept", "text/html").Body.String()
	if strings.Count(html, "“tannery”") != 1 || !strings.Contains(html, "without “university”") {
		t.Errorf("the page doesn't say once what no page has, and what some lack:\n%s", html)
	}
	for q, want := range map[string]bool{`"universities of freiburg" students`: true, "students": false} {
		html := replaytest.Get(t, h, "/web/search?q="+url.QueryEscape(q), "Accept", "text/html").Body.String()
		if strings.Contains(html, "No page meets all the requirements") != want || !strings.Contains(html, "/web/opensearch.xml") {
			t.Errorf("%s: the page tells that nothing meets it: %t", q, !want)
		}
	}
	for more, leadsTo := range map[string]string{"": "Only pages with all words", "&match=all": "Pages with some of the words too"} {
		html := replaytest.Get(t, h, "/web/search?q=freiburg+university"+more, "Accept", "text/html").Body.String()
		if !strings.Contains(html, leadsTo) {
			t.Errorf("freiburg university%s: no link to %q in\n%s", more, leadsTo, html)
		}
	}
}

// Phrases that overlap in a snippet have one mark; others have one each, from the first word to the last.
func TestMarksDoNotOverlap(t *testing.T) {
	t.Parallel()
	h := replaytest.Searchable(t, []string{replaytest.Write(t, []replaytest.Record{
		{Date: "20200101000000", URI: "http://a.example/", Status: 200, Body: "<p>The old mill wheel turns, and the mill runs"},
	})}).Handler()
	for q, want := range map[string][][2]int{`"old mill" "mill wheel" runs`: {{4, 18}, {39, 43}}, "the": {{0, 3}, {30, 33}}} {
		w := replaytest.Get(t, h, "/web/search?q="+url.QueryEscape(q))
		var list struct {
			Results []struct {
				Snippets []struct {
					Text  string
					Marks [][2]int
				}
			}
		}
		if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil || len(list.Results) != 1 || len(list.Results[0].Snippets) != 1 {
			t.Fatalf("%s: %d %v\n%s", q, w.Code, err, w.Body)
		}
		got := list.Results[0].Snippets[0]
		if d := cmp.Diff(want, got.Marks); d != "" || got.Text != "The old mill wheel turns, and the mill runs" {
			t.Errorf("%s: %q (-want +got)\n%s", q, got.Text, d)
		}
	}
}

// A page that has a word in many places shows the first three.
func TestAResultHasFewSnippets(t *testing.T) {
	t.Parallel()
	body := "<p>" + strings.Repeat("lantern "+strings.Repeat("other words ", 30), 5)
	h := replaytest.Searchable(t, []string{replaytest.Write(t, []replaytest.Record{
		{Date: "20200101000000", URI: "http://a.example/", Status: 200, Body: body},
	})}).Handler()
	var list struct{ Results []struct{ Snippets []any } }
	w := replaytest.Get(t, h, "/web/search?q=lantern")
	if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil || len(list.Results) != 1 || len(list.Results[0].Snippets) != 3 {
		t.Errorf("%d %v\n%s", w.Code, err, w.Body)
	}
}
