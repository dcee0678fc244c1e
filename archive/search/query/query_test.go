package query_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/search/query"
)

func TestParse(t *testing.T) {
	for _, test := range []struct {
		name, typed, want string // as [query.Query.String] writes it
	}{
		{"words are optional", "  Air   POLLUTION ", `air pollution`},
		{"a phrase", `"Air pollution, chronic"`, `"air pollution chronic"`},
		{"typographic quotes within plain ones", `"he said “never again” to us" "«no»"`, `"he said never again to us" +no`},
		{"typographic quotes that plain ones close", `„air pollution" „acid rain"`, `"air pollution" "acid rain"`},
		{"typographic quotes", "“air pollution” «кислые дожди»", `"air pollution" "кислые дожди"`},
		{"a phrase between words", `smog"air pollution"2012`, `smog "air pollution" 2012`},
		{"text without white space is a phrase that is optional", "well-known", `well-known`},
		{"ideographs are words", "民主 自由", `民-主 自-由`},
		{"NFC and lower case", "Straße Cafe\u0301", "straße café"},
		{"a repeated word", "word WORD", "word"},
		{"without a word", "smog -fog", "smog -fog"},
		{"without a phrase", `smog -"thick fog"`, `smog -"thick fog"`},
		{"the beginning of a word", "smo* fog", "smo* fog"},
		{"the beginning of a word that ends in a vowel sign", "हिन्दी*", "हिन्दी*"},
		{"letters wrong", "smgo~", "smgo~"},
		{"in the title", `Title:smog title:"thick fog" -title:mist*`, `title:smog title:"thick fog" -title:mist*`},
		{"in the address", "url:news/2014", `url:"news 2014"`},
		{"on a site", "smog site:https://*.Example.org/a", "smog site:example.org"},
		{"not on a site", "smog -site:example.org", "smog -site:example.org"},

		{"a quote within a Hebrew word", `צה"ל וארה"ב`, `צה"ל וארה"ב`},
		{"another, in a phrase", `"פעל בארה"ב" +רש"י`, `"פעל בארה"ב" +רש"י`},
		{"a phrase behind a Hebrew word", `שלום "ארץ ישראל"`, `שלום "ארץ ישראל"`},
		{"a quote that nothing closes", `"air pollution`, "air pollution"},
		{"another", `air "thick fog" in"`, `air "thick fog" in`},
		{"a quote alone beside a word", `" smog`, "smog"},
		{"an empty phrase", `"" smog`, "smog"},
		{"a sign alone", "- smog * ~", "smog"},
		{"signs at the wrong end", "*smog ~fog mist+", "smog fog mist"},
		{"a sign behind several words", "well-known*", `well-known`},
		{"two signs", "smog** fog~~", "smog fog"},
		{"a distance", "fgo~2", `fgo-2`},
		{"a field without a word", "title: smog", "title smog"},
		{"an unknown field", "author:smith", "author:smith"},
		{"colons", "a:b:c", "a:b:c"},
		{"a word that has to be there", "+smog fog", "+smog fog"},
		{"the same, optional too", "smog +smog", "+smog"},
		{"a field that has to be there", "+title:smog", "title:smog"},
		{"and", "smog AND fog mist", "+smog +fog mist"},
		{"or", "smog OR fog mist", "(smog OR fog) mist"},
		{"and before or", "smog AND fog OR mist", "(smog OR mist) (fog OR mist)"},
		{"parentheses", "smog AND (fog OR mist)", "+smog (fog OR mist)"},
		{"words in parentheses are optional", "(smog fog) mist", "smog fog mist"},
		{"words in parentheses, demanded", "+(smog fog) mist", "+smog +fog mist"},
		{"fields and phrases in a group", `(title:smog OR "thick fog" OR mist*)`, `(title:smog OR "thick fog" OR mist*)`},
		{"not", "smog NOT fog", "smog -fog"},
		{"a group that must not be there", "smog -(fog OR mist)", "smog -fog -mist"},
		{"an exclusion excludes in a group too", "smog OR -fog mist", "+smog -fog mist"},
		{"groups in groups", "((smog OR (fog)) OR mist)", "(smog OR fog OR mist)"},
		{"parentheses that nothing closes", "(smog OR fog", "(smog OR fog)"},
		{"parentheses that nothing opens", "smog) OR fog", "(smog OR fog)"},
		{"as many parentheses as may be", strings.Repeat("(", 15) + "mist -(smog fog)", "mist -smog -fog"},
		{"one more", strings.Repeat("(", 16) + "mist -(smog fog)", "mist -smog fog"},
		{"parentheses within text", "f(x) smog", "f-x smog"},
		{"operators with nothing behind", "smog OR", "smog or"},
		{"operators alone", "AND OR", "and or"},
		{"small letters are words", "smog or fog and not mist", "smog or fog and not mist"},
		{"only exclusions are text", "-smog -fog", "smog fog"},
		{"exclusions on a site are text", "-smog site:example.org", "smog site:example.org"},
		{"a site that is none", "smog site:@", "smog"},
		{"a site without one", "smog site:", "smog site"},
		{"and, in parentheses with nothing behind", "(smog AND) fog", "smog and fog"},
		{"and, before a group", "smog AND(fog)", "+smog +fog"},
		{"or, with nothing before", "OR fog", "or fog"},
		{"a field in a phrase", `"title:smog"`, `"title:smog"`},
		{"not UTF-8", "a\x00b\xffc", `a-b c`},
	} {
		q, err := query.Parse(test.typed)
		if got := q.String(); err != nil || got != test.want {
			t.Errorf("%s: Parse(%q) = %s, %v; want %s", test.name, test.typed, got, err, test.want)
		}
	}
}

// Fields with names are those that are said to be there; one with a range takes what its range reads, else it is text.
func TestNamedFields(t *testing.T) {
	named := []query.Name{
		{Name: "author"}, {Name: "price", Range: func(typed string) (r query.Range, ok bool) { return r, typed == "1..2" }},
	}
	for typed, want := range map[string]string{
		"author:smith": "[author] smith", `-author:"Ann Smith" fog`: "[author] ann-smith not, [] fog",
		"price:1..2 fog": "[price] 1..2 ranged, [] fog",
		"price:cheap":    "[] price:cheap", "author: smith": "[] author, [] smith", "author:!": "[] author",
		"(author:a OR fog)": "[author] a, [] fog",
	} {
		q, err := query.Parse(typed, named...)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range q.Clauses {
			text := "[" + c.Name + "] " + strings.Join(c.Words, "-")
			if c.Not {
				text += " not"
			}
			if c.Numbers != nil {
				text += " ranged"
			}
			got = append(got, text)
		}
		if all := strings.Join(got, ", "); all != want {
			t.Errorf("%s: %s, want %s", typed, all, want)
		}
	}
	q, err := query.Parse("smog site:a.example -site:b.example")
	on, off := q.Sites()
	if got := fmt.Sprint(on, off, err); got != "[a.example] [b.example] <nil>" {
		t.Error(got)
	}
}

func TestParseRefuses(t *testing.T) {
	for typed, want := range map[string]error{
		"": query.ErrEmpty, " \t\n": query.ErrEmpty,
		strings.Repeat("x", 40_000): query.ErrLong, words(10_000): query.ErrLong, strings.Repeat("x", 5000): nil, words(1000): nil,
		strings.ReplaceAll(words(65), "w", "+w"): query.ErrLong, "(" + strings.Repeat("(", 1000) + "a": nil,
		strings.Repeat("-a~ ", 1000): nil, // the same each time
		words(16):                    nil, strings.ReplaceAll(words(16), " ", "* "): nil, strings.ReplaceAll(words(17), " ", "~ "): query.ErrLong,
		either(4, 8): nil, either(3, 11): query.ErrLong, either(8, 8): query.ErrLong, either(9, 9): query.ErrLong, either(30, 30): query.ErrLong,
	} {
		if _, err := query.Parse(typed); !errors.Is(err, want) {
			t.Errorf("Parse(%.20q): %v, want %v", typed, err, want)
		}
	}
}

// Signs are read as text, which finds nothing.
func TestParseWithoutWords(t *testing.T) {
	for _, typed := range []string{`"`, `""`, "… — !?", "*", "-", "((((", "site:example.org", "\xff !", "😀"} {
		q, err := query.Parse(typed + " ")
		if err != nil || !q.Wordless || len(q.Wanted()) != 1 || len(q.Clauses) != 1 {
			t.Errorf("%q: %+v, %v", typed, q, err)
		}
	}
	if q, err := query.Parse("-smog"); err != nil || q.Wordless {
		t.Errorf("%+v, %v", q, err)
	}
}

// either has n words of which all, or m words of which all have to occur.
func either(n, m int) string {
	all := strings.Fields(words(n + m))
	return strings.Join(all[:n], " AND ") + " OR " + strings.Join(all[n:], " AND ")
}

func words(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "w%d ", i)
	}
	return b.String()
}

func TestClauseAt(t *testing.T) {
	text := strings.Fields("the acid rain program of the arid lands raining")
	for typed, want := range map[string][]int{
		"rain": {2}, `"acid rain"`: {1}, "rain*": {2, 8}, "acid~": {1, 6}, "progarm~": {3}, "the": {0, 5}, "xx~": nil, `"rain acid"`: nil,
	} {
		q, err := query.Parse(typed)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for i := range text {
			if q.Clauses[0].At(text, i) > 0 {
				got = append(got, i)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s is at (-want +got):\n%s", typed, diff)
		}
	}
}

func TestClauseAtOtherWordings(t *testing.T) {
	c := query.Clause{Words: []string{"car"}, Or: [][]string{{"motor", "vehicle"}}}
	text := strings.Fields("a motor vehicle or a car motor")
	for i, want := range []int{0, 2, 0, 0, 0, 1, 0} {
		if got := c.At(text, i); got != want {
			t.Errorf("at %q: %d words, want %d", text[i], got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"flood", "flood", 0}, {"flood", "floods", 1}, {"flood", "food", 1}, {"flood", "blood", 1}, {"flood", "folod", 1}, // swapped
		{"flood", "folods", 2}, {"flood", "fields", 3}, {"flood", "f", 3}, {"кислий", "кисилй", 1}, {"民主", "民王", 1}, {"", "ab", 2},
	} {
		if got := query.Distance(test.a, test.b, 2); got != test.want {
			t.Errorf("Distance(%s, %s) = %d, want %d", test.a, test.b, got, test.want)
		}
		if got := query.Distance(test.b, test.a, 2); got != test.want {
			t.Errorf("Distance(%s, %s) = %d, want %d", test.b, test.a, got, test.want)
		}
	}
}

func TestPlaces(t *testing.T) {
	q, err := query.Parse(`"acid rain" rain* -acid url:epa`)
	if err != nil {
		t.Fatal(err)
	}
	text := "Acid, rain: rainfall at EPA"
	got := []string{}
	for _, p := range q.Places(text) {
		got = append(got, text[p.Start:p.End])
	}
	if diff := cmp.Diff([]string{"Acid, rain", "rainfall"}, got); diff != "" {
		t.Errorf("marked (-want +got):\n%s", diff)
	}
}

// A query that is written is the same when it is read.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`a "b c" -d e* f~ title:g url:h site:i.org`, `"a`, `-"a`, `title:"title:a"`, "-title:url:a*", "a:b",
		`"-a"`, "a AND (b OR +c) NOT d", "((a) b", "-(a OR b:c) )", "+title:a", "民主*", "ｱ~", "İ*", "a_b*",
		`url:"`, "\xa3", "-+title:a", "हिन्दी*",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		q, err := query.Parse(typed)
		if err != nil {
			return
		}
		again, err := query.Parse(q.String())
		if errors.Is(err, query.ErrLong) {
			return // lower case may be longer
		}
		if diff := cmp.Diff(q, again); diff != "" || err != nil {
			t.Errorf("%q is read as %q, which is read as (%v, -first +second):\n%s", typed, q, err, diff)
		}
		q.Places(typed)
	})
}

func Example() {
	q, _ := query.Parse(`"acid rain" title:program* -draft`)
	for _, c := range q.Clauses {
		fmt.Println(c.Not, c.Field == query.Title, c.Words)
	}
	fmt.Println(q)
	// Output:
	// false false [acid rain]
	// false true [program]
	// true false [draft]
	// "acid rain" title:program* -draft
}

// What finds nothing is asked again with less: what has to occur need not any more.
func TestRelaxed(t *testing.T) {
	for _, tt := range []struct {
		typed, want string
		all, ok     bool
	}{
		{"+smog fog", "smog fog", false, true},
		{`"acid rain" fog`, "acid-rain fog", false, true},
		{"(smog OR mist) fog", "smog mist fog", false, true},
		{"+smog fog -mist title:haze", "smog fog -mist title:haze", false, true},
		{"+smog fog", "smog fog", true, false},
		{"+smog +fog", "smog fog", false, false},
		{"smog fog", "smog fog", false, false},
		{"title:smog fog", "title:smog fog", false, false},
		{"-smog fog", "-smog fog", false, false},
	} {
		q, err := query.Parse(tt.typed)
		if err != nil {
			t.Fatal(err)
		}
		q.All = tt.all
		before := q.String()
		if got, ok := q.Relaxed(); got.String() != tt.want || ok != tt.ok || q.String() != before {
			t.Errorf("%s: %s, %v; want %s, %v", tt.typed, got, ok, tt.want, tt.ok)
		}
	}
}
