package change

import (
	"strings"
	"testing"
)

// What two places of a page say may change places: each word is there as often as before, and yet the page says something else.
func TestWordsThatChangePlacesAreAChange(t *testing.T) {
	rest := "<p>" + strings.Repeat("The mill at the river has been closed since the great flood of that year, and nobody knows when it will open. ", 40)
	for name, test := range map[string][2]string{
		"hours":    {"<tr><td>Monday<td>open 9 to 17<tr><td>Tuesday<td>open 8 to 12", "<tr><td>Monday<td>open 8 to 12<tr><td>Tuesday<td>open 9 to 17"},
		"in rows":  {"<li>Monday 9 to 17<li>Tuesday 8 to 12", "<li>Monday 8 to 12<li>Tuesday 9 to 17"},
		"names":    {"<li>Chair: Anna Olsen<li>Clerk: Jana Nilsen", "<li>Chair: Jana Nilsen<li>Clerk: Anna Olsen"},
		"in one":   {"<p>Anna beats Lara in the final", "<p>Lara beats Anna in the final"},
		"results":  {"<p>Rovers 3, United 1", "<p>Rovers 1, United 3"},
		"far away": {"<p>Anna won.<p>" + rest + "<p>Lara lost.", "<p>Lara won.<p>" + rest + "<p>Anna lost."},
	} {
		s := shelf{}
		got, err := Ranges(LevelContent, pagesOf(s, "<main><table>"+test[0]+"</table>"+rest, "<main><table>"+test[1]+"</table>"+rest), s, nil)
		if err != nil || len(got) != 2 {
			t.Errorf("%s: %q (%v)", name, lines(got), err)
		}
	}
}
