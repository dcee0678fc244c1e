package change

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// schedule is a page with a table of rows under the agreement.
func schedule(rows ...string) string {
	table := "<table><tr>" + strings.Join(rows, "<tr>") + "</table>"
	return site("Rules", menu1, strings.Replace(agreement, "<h2>", table+"<h2>", 1), "")
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
	return site("Rules", menu1, strings.ReplaceAll(agreement, "</p>\n<p>", "</p>"+what+"<p>"), "")
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
		var all []Sample
		for range 6 {
			all = append(all, Sample{Pages: sketchesOf(states, s)})
		}
		if got := versionsOf(t, states, s, NewSite(append(all[:2:2], quietSamples(4)...))); got != test.want {
			t.Errorf("%s, on two pages of the site: %d versions, want %d", test.name, got, test.want)
		}
		elsewhere := pagesOf(s, row("shut", "6", "no", "9–16"), row("shut", "8", "yes", "10–17"))
		if got := versionsOf(t, elsewhere, s, NewSite(all)); got != 2 {
			t.Errorf("%s, on six pages: a change of another has %d versions, want 2", test.name, got)
		}
	}
}

func versionsOf(t *testing.T, states []State, s Source, site *Site) int {
	t.Helper()
	got, err := Ranges(LevelContent, states, s, site)
	if err != nil {
		t.Fatal(err)
	}
	return len(got)
}

func sketchesOf(states []State, s shelf) (out []*Sketch) {
	for i := range states {
		out = append(out, s[states[i].Text])
	}
	return out
}

// quietSamples are pages of a site on which nothing changes.
func quietSamples(n int) (out []Sample) {
	for i := range n {
		page := sketchOf(fmt.Sprintf("<p>Page %c has words of its own.", 'a'+i))
		out = append(out, Sample{Pages: []*Sketch{page, page}})
	}
	return out
}

// What two pages show once each way is no rotation, and numbers that change once on many pages are no clock.
func TestOneStepOfManyPagesIsNoEvidence(t *testing.T) {
	for _, test := range []struct {
		name  string
		pages []string
		block string
		want  bool
	}{
		{"a number that changed once on each of five pages", []string{"n1 n2", "n1 n2", "n1 n2", "n1 n2", "n1 n2"}, "n9", false},
		{"twice on each", []string{"n1 n2 n3", "n1 n2 n3"}, "n9", true},
		{"calm pages first", []string{"n1 n1", "n1 n1", "n1 n2 n3", "n1 n2 n3"}, "n9", false},
		{"calm pages last", []string{"n1 n2 n3", "n1 n2 n3", "n1 n1", "n1 n1"}, "n9", false},
		{"three blocks, each once", []string{"n1|n1|n1 n2|n1|n1 n2|n2|n1", "n1|n1|n1 n2|n1|n1 n2|n2|n1"}, "n9", false},
		{"open and shut on two pages each", []string{"s.a s.b", "s.a s.b", "s.b s.a", "s.b s.a"}, "s.a", false},
		{"one of five that take turns", []string{"s.a s.b", "s.a s.c", "s.d s.a", "s.e s.a"}, "s.a", true},
		{"what went and came back on two pages", []string{"s.a s.b s.a", "s.b s.a s.b"}, "s.a", false},
		{"and went again", []string{"s.a s.b s.a s.b", "s.b s.a s.b s.a"}, "s.a", true},
	} {
		for range 2 {
			f := newFlicker()
			for _, p := range test.pages {
				f.watch(lifeOf(p))
			}
			v, b := f.ofSite(), blockOf(test.block)
			if got := v.has(&b); got != test.want {
				t.Errorf("%s %q: %v, want %v", test.name, test.pages, got, test.want)
			}
			slices.Reverse(test.pages)
		}
	}
}
