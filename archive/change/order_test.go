package change

import (
	"fmt"
	"strings"
	"testing"
)

// listed returns pages with a list in each of the given orders, one letter for an item.
func listed(before, format, after string, orders ...string) (pages []string) {
	for _, order := range orders {
		var b strings.Builder
		b.WriteString("<main><h1>Timber</h1><p>All of it is in the yard.</p>" + before)
		for _, item := range order {
			fmt.Fprintf(&b, format, item, item+100)
		}
		pages = append(pages, b.String()+after+"</main>")
	}
	return pages
}

func TestListsInAnotherOrder(t *testing.T) {
	t.Parallel()
	const li, row = "<li>wood <b>%c</b> for %d euro</li>", "<tr><td>wood %c<td>%d euro</tr>"
	const card = "<div class=card><h3>wood %c</h3></div>%.0s"
	many := []string{"abcde", "cedba", "bdaec", "eacdb", "dbeac", "abced"}
	for name, test := range map[string]struct {
		pages []string
		want  int // versions
	}{
		"items at every capture": {listed("<ul>", li, "</ul>", many...), 1},
		"rows at every capture":  {listed("<table>", row, "</table>", many...), 1},
		"cards at every capture": {listed("", card, "", many...), 1},
		"links":                  {listed("<ol>", "<li><a href=/%c>wood number %d</a>", "</ol>", many...), 1},
		"entries":                {listed("<dl>", "<dt>wood %c<dd>for %d euro", "</dl>", many...), 1},
		"items of paragraphs":    {listed("<ul>", "<li><p>wood %c</p><p>for %d euro</p></li>", "</ul>", many...), 1},
		"articles":               {listed("<section>", "<article><h2>wood %c</h2><p>for %d euro</p></article>", "</section>", many...), 1},
		"rows of containers":     {listed("<div>", "<div><span>wood %c</span> <span>%d euro</span></div>", "</div>", many...), 1},
		"cells of containers":    {listed("<div class=t>", "<div class=r><div>wood %c</div><div>%d euro</div></div>", "</div>", many...), 1},
		"two orders in turn":     {listed("<ul>", li, "</ul>", "abc", "acb", "abc", "acb", "abc"), 1},
		"once":                   {listed("<ul>", li, "</ul>", "abc", "abc", "abc", "acb", "acb", "acb"), 2},
		"now and then":           {listed("<ul>", li, "</ul>", "abc", "abc", "acb", "acb", "cab", "cab", "bac", "bac"), 4},
		"three times":            {listed("<ul>", li, "</ul>", "abc", "acb", "cab"), 3},
		"one more":               {listed("<ul>", li, "</ul>", "abcde", "cedba", "bdaec", "edcba", "fabcde", "bedcfa"), 2},
		"one less":               {listed("<table>", row, "</table>", "abcde", "cedba", "bdaec", "edcba", "dbca", "acdb"), 2},
		"it only grows":          {listed("<ul>", li, "</ul>", "a", "ba", "cba", "dcba"), 4},
		"two rows change their prices": {
			append(listed("<table>", row, "</table>", many...), strings.NewReplacer("a<td>197", "a<td>198", "b<td>198", "b<td>197").Replace(
				listed("<table>", row, "</table>", "cbade")[0])), 2,
		},
		"the text beside a list": {
			append(listed("<ul>", li, "</ul>", many...), listed("<ul>", li, "</ul><p>Closed on Mondays.", "bacde")...), 2,
		},
		"the title over the items": {
			append(listed("<title>Wood</title><ul>", li, "</ul>", many...), listed("<title>Timber</title><ul>", li, "</ul>", "bacde")...), 1,
		},
		"paragraphs beside a list, once": {
			append(listed("<p>One.<p>Two.<ul>", li, "</ul>", many...), listed("<p>Two.<p>One.<ul>", li, "</ul>", "bacde", "cabde")...), 2,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := shelf{}
			for i := range test.pages {
				test.pages[i] = strings.ReplaceAll(test.pages[i], " ", "_")
			}
			got, err := Ranges(LevelContent, history(s, test.pages...), s, nil)
			if err != nil || len(got) != test.want {
				t.Errorf("%d versions, want %d: %q %v", len(got), test.want, lines(got), err)
			}
		})
	}
}
