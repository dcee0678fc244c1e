package search_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/search"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		q     string
		want  []search.Phrase
		plain bool
		err   error
	}{
		{q: "pollution", want: []search.Phrase{{"pollution"}}},
		{q: "  Air   POLLUTION ", want: []search.Phrase{{"air"}, {"pollution"}}},
		{q: `"Air pollution, chronic"`, want: []search.Phrase{{"air", "pollution", "chronic"}}},
		{q: `smog "air pollution" 2012`, want: []search.Phrase{{"smog"}, {"air", "pollution"}, {"2012"}}},
		{q: `smog"air pollution"2012`, want: []search.Phrase{{"smog"}, {"air", "pollution"}, {"2012"}}},
		{q: `"he said “never again” to us"`, want: []search.Phrase{{"he", "said", "never", "again", "to", "us"}}},
		{q: "“air pollution” «кислые дожди»", want: []search.Phrase{{"air", "pollution"}, {"кислые", "дожди"}}},
		{q: "well-known", want: []search.Phrase{{"well", "known"}}},
		{q: "don't 3.14", want: []search.Phrase{{"don't"}, {"3.14"}}},
		{q: "民主 自由", want: []search.Phrase{{"民", "主"}, {"自", "由"}}},
		{q: "Straße Cafe\u0301", want: []search.Phrase{{"straße"}, {"café"}}},
		{q: "word word", want: []search.Phrase{{"word"}}},
		{q: `"" smog`, want: []search.Phrase{{"smog"}}},
		{q: "smog ***", want: []search.Phrase{{"smog"}}},
		{q: "title:smog", want: []search.Phrase{{"title:smog"}}, plain: true}, // one word in UAX #29
		{q: "+smog -fog", want: []search.Phrase{{"smog"}, {"fog"}}, plain: true},
		{q: "smo* fgo~2", want: []search.Phrase{{"smo"}, {"fgo", "2"}}, plain: true},
		{q: "smog OR fog", want: []search.Phrase{{"smog"}, {"or"}, {"fog"}}, plain: true},
		{q: "at 12:30", want: []search.Phrase{{"at"}, {"12", "30"}}},
		{q: "a\x00b\xffc", want: []search.Phrase{{"a", "b"}, {"c"}}},
		{q: "", err: search.ErrEmpty},
		{q: " \t\n", err: search.ErrEmpty},
		{q: `"`, err: search.ErrQuote},
		{q: `"air pollution`, err: search.ErrQuote},
		{q: `air "pollution" in"`, err: search.ErrQuote},
		{q: `""`, err: search.ErrNoWord},
		{q: "… — !?", err: search.ErrNoWord},
		{q: strings.Repeat("x", 10_000), err: search.ErrLong},
		{q: manyWords(65), err: search.ErrLong},
	} {
		got, err := search.Parse(test.q)
		if !errors.Is(err, test.err) || (err == nil) != (test.err == nil) {
			t.Errorf("Parse(%.40q): error %v, want %v", test.q, err, test.err)
			continue
		}
		if err != nil {
			continue
		}
		if diff := cmp.Diff(test.want, got.Phrases); diff != "" || got.Plain != test.plain {
			t.Errorf("Parse(%q): plain %v, want %v; phrases (-want +got):\n%s", test.q, got.Plain, test.plain, diff)
		}
	}
}

func manyWords(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "w%d ", i)
	}
	return b.String()
}

func TestPhraseCount(t *testing.T) {
	t.Parallel()
	words := search.Words("A rose is a rose is a rose. Is a rose a rose?")
	for phrase, want := range map[string]int{
		"rose": 5, "a rose": 5, "rose is a rose": 3, "is a": 3, "rose rose": 0, "a rose a rose": 1, "fog": 0,
		"a rose is a rose is a rose is a rose a rose and": 0,
	} {
		if got := search.Phrase(search.Words(phrase)).Count(words); got != want {
			t.Errorf("%q stands %d times in it, want %d", phrase, got, want)
		}
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	q, err := search.Parse(`"air pollution" "pollution in" smog`)
	if err != nil {
		t.Fatal(err)
	}
	text := "Smog: air  pollution in the Air. Pollution?"
	var got []string
	for _, p := range q.Places(text) {
		got = append(got, text[p.Start:p.End])
	}
	if diff := cmp.Diff([]string{"Smog", "air  pollution in", "Air. Pollution"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func ExampleParse() {
	q, err := search.Parse(`smog "acid rain"`)
	if err != nil {
		fmt.Println(err)
	}
	words := search.Words("Acid rain and smog; acid rain above all.")
	for _, p := range q.Phrases {
		fmt.Println(p, p.Count(words))
	}
	// Output:
	// smog 1
	// acid rain 2
}

func TestPhrasesOfAQuery(t *testing.T) {
	t.Parallel()
	q, err := search.Parse(`mill "by the weir"`)
	if err != nil || len(q.Phrases) != 2 {
		t.Fatal(q, err)
	}
	if one, two := q.Phrases[0].Typed(), q.Phrases[1].Typed(); one != "mill" || two != `"by the weir"` {
		t.Errorf("%s, %s", one, two)
	}
	for text, want := range map[string]int{
		"": 0, "a mill by the weir": 2, "mill mill": 2, "by the by the weir": 1, "by the": 0, "by the weir by the weir mill": 3,
	} {
		if got := q.Count(strings.Fields(text)); got != want {
			t.Errorf("%q: %d times, want %d", text, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, q := range []string{"smog", `"air pollution" -fog`, "民主", `"`, "a\x00\xff", "title:(a OR b)~2"} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, q string) {
		got, err := search.Parse(q)
		if err != nil {
			return
		}
		for _, p := range got.Phrases {
			if len(p) == 0 {
				t.Fatalf("Parse(%q) has an empty phrase", q)
			}
			if p.Count(p) != 1 {
				t.Fatalf("Parse(%q): %q is not met by itself", q, p)
			}
		}
		for _, p := range got.Places(q) {
			if p.Start >= p.End || p.End > len(q) {
				t.Fatalf("Places(%q): %v", q, p)
			}
		}
	})
}
