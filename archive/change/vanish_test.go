package change

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/change/site"
	"github.com/varve-archive/varve/archive/content/sketch"
)

// schedule is a page with a table of rows under the agreement.
func schedule(rows ...string) string {
	table := "<table><tr>" + strings.Join(rows, "<tr>") + "</table>"
	return pageOf("Rules", menu1, strings.Replace(agreement, "<h2>", table+"<h2>", 1), "")
}

// cells returns rows of a name and a value each.
func cells(values ...string) (rows []string) {
	names := []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
	for i, v := range values {
		rows = append(rows, "<th>"+names[i]+"<td>"+v)
	}
	return rows
}

func row(values ...string) string { return schedule(cells(values...)...) }

// between puts things between the paragraphs of the agreement.
func between(what string) string {
	return pageOf("Rules", menu1, strings.ReplaceAll(agreement, "</p>\n<p>", "</p>"+what+"<p>"), "")
}

func TestBlocksThatChangeTogetherAreAVersion(t *testing.T) {
	for _, test := range []struct {
		name  string
		pages []string
		want  int
	}{
		{
			"opening hours of five days",
			[]string{row("9–16", "9–16", "9–16", "9–16", "9–16"), row("10–17", "10–17", "10–17", "10–17", "10–17")},
			2,
		},
		{
			"opening hours, captured again",
			[]string{row("9–16", "9–16", "9–16"), row("10–17", "10–17", "10–17"), row("10–17", "10–17", "10–17")},
			2,
		},
		{"a price in three cells", []string{row("€ 6", "€ 6", "€ 6"), row("€ 8", "€ 8", "€ 8")}, 2},
		{"a bare number in three cells", []string{row("6", "6", "6"), row("8", "8", "8")}, 2},
		{"no becomes yes three times", []string{row("no", "no", "no", "yes"), row("yes", "yes", "yes", "yes")}, 2},
		{"and back again", []string{row("no", "no", "no"), row("yes", "yes", "yes"), row("no", "no", "no")}, 3},
		{"a column more", []string{row("open", "open", "open"), row("open<td>by night", "open<td>by night", "open<td>by night")}, 2},
		{"three equal paragraphs more", []string{between(""), between("<p>Closed in June.</p>")}, 2},
		{"three equal headings more", []string{between(""), between("<h3>Note</h3>")}, 2},
		{"three equal paragraphs less", []string{between("<p>Closed in June.</p>"), between("")}, 2},
		{"three cells less", []string{row("new", "new", "new", "old"), row("", "", "", "old")}, 2},
		{"more than four cells less", []string{row("new", "new", "new", "new", "new", "new"), row("", "", "", "", "", "")}, 2},
		{
			"one cell more each time",
			[]string{row("", "", ""), row("full", "", ""), row("full", "full", ""), row("full", "full", "full"), row("full", "full", "full")},
			4,
		},
		{
			"one price more each time",
			[]string{row("€ 6", "€ 6", "€ 6"), row("€ 8", "€ 6", "€ 6"), row("€ 8", "€ 8", "€ 6"), row("€ 8", "€ 8", "€ 8")},
			4,
		},
		{"one bare number more each time", []string{row("6", "6", "6"), row("8", "6", "6"), row("8", "8", "6"), row("8", "8", "8")}, 4},
		{"one heading that says what the menu says", []string{between(""), between("<h3>Boats</h3>")}, 2},
		{"the same, gone", []string{between("<h3>Boats</h3>"), between("")}, 2},
	} {
		s := shelf{}
		states := pagesOf(s, test.pages...)
		if got := versionsOf(t, states, s, nil); got != test.want {
			t.Errorf("%s: %d versions, want %d", test.name, got, test.want)
		}
		var all []site.Sample
		for range 6 {
			all = append(all, site.Sample{Pages: sketchesOf(states, s)})
		}
		if got := versionsOf(t, states, s, site.New(append(all[:2:2], quietSamples(4)...))); got != test.want {
			t.Errorf("%s, on two pages of the site: %d versions, want %d", test.name, got, test.want)
		}
		elsewhere := pagesOf(s, row("shut", "6", "no", "9–16"), row("shut", "8", "yes", "10–17"))
		if got := versionsOf(t, elsewhere, s, site.New(all)); got != 2 {
			t.Errorf("%s, on six pages: a change of another has %d versions, want 2", test.name, got)
		}
	}
}

func versionsOf(t *testing.T, states []State, s Source, site *site.Site) int {
	t.Helper()
	got, err := Ranges(LevelContent, states, s, site)
	if err != nil {
		t.Fatal(err)
	}
	return len(got)
}

func sketchesOf(states []State, s shelf) (out []*sketch.Sketch) {
	for i := range states {
		out = append(out, s[states[i].Text])
	}
	return out
}

// quietSamples are pages of a site on which nothing changes.
func quietSamples(n int) (out []site.Sample) {
	for i := range n {
		page := sketchOf(fmt.Sprintf("<p>Page %c has words of its own.", 'a'+i))
		out = append(out, site.Sample{Pages: []*sketch.Sketch{page, page}})
	}
	return out
}

func TestOlderSketchesAreCompared(t *testing.T) {
	page := rules(menu1, "<p>© 2021 Harbour – all hands</p>")
	now := sketchOf(page)
	was := *now
	was.Older, was.Blocks = true, slices.Clone(now.Blocks)
	for i := range was.Blocks {
		b := &was.Blocks[i]
		b.NormalHash, b.Marks, b.Joined = b.Hash, 0, false
	}
	for want, after := range map[int]string{1: rules(menu1, "<p>© 2021 Harbour – all hands</p>"+consent), 2: edited("14 days", "15 days")} {
		s := shelf{}
		states := pagesOf(s, page, after)
		s[now.ID] = &was
		if got, err := Ranges(LevelContent, states, s, nil); err != nil || len(got) != want {
			t.Errorf("want %d versions, got %q (%v)", want, lines(got), err)
		}
	}
}
