package change

import (
	"strings"
	"testing"
)

// plainWords are n words without a special meaning.
func plainWords(n int) string { return strings.TrimSpace(strings.Repeat("sailing ", n)) }

func TestEdgesOfStamps(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       bool
	}{
		{"24 words with a counter", plainWords(22) + " visitors 7", true},
		{"25 words with a counter", plainWords(23) + " visitors 7", false},
		{"12 words with a year", plainWords(10) + " © x 2020", true},
		{"13 words with a year", plainWords(11) + " © x 2020", false},
		{"12 words with votes", plainWords(10) + " helpful 7", true},
		{"13 words with votes", plainWords(11) + " helpful 7", false},
		{"3 words with comments", "sailing 7 comments", true},
		{"4 words with comments", "sailing sailing 7 comments", false},
		{"a version in 4 words", "Version build release 7.1", true},
		{"a version in 5 words", "Version build release version 7.1", false},
	} {
		s := sketchOf("<p>" + test.text)
		if got := s.Blocks[0].Stamp; got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestEdgesOfWalls(t *testing.T) {
	fill := func(with string, bytes int) string { return with + strings.Repeat(" x", bytes)[:bytes-len(with)] }
	for _, test := range []struct {
		name, text string
		want       bool
	}{
		{"an error in 1,000 bytes", fill("something went wrong", 1000), true},
		{"in more", fill("something went wrong", 1001), false},
		{"a door in 300 bytes", fill("please wait", 300), true},
		{"in more", fill("please wait", 301), false},
	} {
		if got := saysWall(test.text); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestEdgesOfTitles(t *testing.T) {
	for words, want := range map[int]int{29: 2, 30: 1} {
		s := shelf{}
		states := pagesOf(s, "<title>One</title><p>"+plainWords(words), "<title>Two</title><p>"+plainWords(words))
		if got, err := Ranges(LevelContent, states, s, nil); err != nil || len(got) != want {
			t.Errorf("a title over %d words: %q, want %d (%v)", words, lines(got), want, err)
		}
	}
}

func TestEdgesOfNotices(t *testing.T) {
	page := func(prose int) string { return "<div><h1>Rules</h1>" + p(prose/2, prose-prose/2) + "</div>" }
	dialog := func(prose int, button string) string {
		return div("<p>Cookie " + textOfSize(prose-7) + "</p><button>" + button + "</button>")
	}
	row := "<tr><td>harbour<td>tides<td>_hl</tr>"
	listed := func(cookies, others int) string {
		return "<div><table>" + times(cookies, row) + "</table>" + times(others, "<p>oar</p>") + "</div>"
	}
	for _, test := range []struct {
		name, page, want string
	}{
		{"a button of 48 bytes", page(4000) + dialog(300, textOfSize(41)+" accept"), "MMMNN"},
		{"a dialog of two fifths of the page", "<div>" + p(9000, 9000) + "</div>" + dialog(11900, "accept"), "MMNN"},
		{"of more", "<div>" + p(9000, 9000) + "</div>" + dialog(12100, "accept"), "MMML"},
		{"four cookies", page(4000) + listed(4, 0), "MMM" + times(12, "N")},
		{"three cookies", page(4000) + listed(3, 0), "MMM" + times(9, ".")},
	} {
		if got := regionsOf(test.page); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	for _, test := range []struct {
		name, text string
		links      int
		want       hint
	}{
		{"48 bytes that ask", textOfSize(41) + " accept", 0, asks},
		{"49 bytes that ask", textOfSize(42) + " accept", 0, 0},
		{"120 bytes of which half are links", textOfSize(113) + " accept", 60, asks},
		{"fewer", textOfSize(113) + " accept", 59, 0},
		{"121 bytes", textOfSize(114) + " accept", 121, 0},
		{"a cookie in 32 bytes", "_" + strings.Repeat("x", 31), 0, lists},
		{"in 33", "_" + strings.Repeat("x", 32), 0, 0},
	} {
		var e Extractor
		if got := e.hintsOf([]byte(test.text), test.links); got != test.want {
			t.Errorf("%s: %b, want %b", test.name, got, test.want)
		}
	}
}
