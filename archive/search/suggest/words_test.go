package suggest_test

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/archive/search/suggest"
)

// vocabulary makes Words of words with their numbers of documents.
func vocabulary(t testing.TB, counts map[string]int) *suggest.Words {
	t.Helper()
	w, err := suggest.New(sorted(counts))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func sorted(counts map[string]int) iter.Seq2[suggest.Word, error] {
	return func(yield func(suggest.Word, error) bool) {
		words := make([]string, 0, len(counts))
		for w := range counts {
			words = append(words, w)
		}
		slices.Sort(words)
		for _, w := range words {
			if !yield(suggest.Word{Text: w, Documents: counts[w]}, nil) {
				return
			}
		}
	}
}

func small(t testing.TB) *suggest.Words {
	return vocabulary(t, map[string]int{
		"flood": 5, "floods": 7, "flooding": 2, "flow": 9, "blood": 5, "from": 90, "form": 80, "paper": 3, "river": 12, "riverbend": 4,
		"повінь": 6, "повені": 2, "رودخانه": 5, "河": 3, "河流": 1, "น้ำ": 2,
	})
}

func TestComplete(t *testing.T) {
	w := small(t)
	for _, test := range []struct {
		prefix string
		n      int
		want   string
	}{
		{"fl", 10, "flow floods flood flooding"},
		{"fl", 2, "flow floods"},
		{"flood", 10, "floods flood flooding"},
		{"пов", 5, "повінь повені"},
		{"رود", 5, "رودخانه"},
		{"河", 5, "河 河流"},
		{"x", 5, ""},
		{"", 5, ""},
		{"fl", 0, ""},
		{"zz", 3, ""},
	} {
		var got []string
		for _, c := range w.Complete(test.prefix, test.n) {
			got = append(got, c.Text)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%q is completed to %q, want %q", test.prefix, got, test.want)
		}
	}
}

func TestNearest(t *testing.T) {
	w := small(t)
	for _, test := range []struct {
		word string
		most int
		want string
	}{
		{"flood", 1, "flood=0 floods=1 blood=1"},
		{"folod", 1, "flood=1"}, // two letters swapped
		{"folod", 2, "flood=1 flow=2 floods=2 blood=2"},
		{"fro", 1, "from=1"},
		{"frm", 1, "from=1 form=1"},
		{"повнь", 1, "повінь=1"},
		{"xyz", 2, ""},
		{"flood", 0, ""},
		{strings.Repeat("flood", 100), 2, ""},
	} {
		var got []string
		for _, n := range w.Near(test.word, test.most) {
			got = append(got, fmt.Sprintf("%s=%d", n.Text, n.Wrong))
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("near %.20q within %d: %s, want %s", test.word, test.most, s, test.want)
		}
	}
}

// Near finds what looking at every word finds.
func TestNearIsWhatLookingAtEveryWordFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	counts := map[string]int{}
	for len(counts) < 3000 {
		counts[letters(r)] = 1 + r.IntN(50)
	}
	w := vocabulary(t, counts)
	for range 300 {
		word := letters(r)
		for most := 1; most <= 2; most++ {
			want := map[string]int{}
			for other := range counts {
				if d := query.Distance(word, other, most); d <= most {
					want[other] = d
				}
			}
			got := map[string]int{}
			for _, n := range w.Near(word, most) {
				got[n.Text] = n.Wrong
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("near %q within %d (-want +got):\n%s", word, most, diff)
			}
		}
	}
}

func letters(r *rand.Rand) string {
	alphabet := []rune("abcdeжі河")
	out := make([]rune, 1+r.IntN(7))
	for i := range out {
		out[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(out)
}

func TestCorrect(t *testing.T) {
	w := small(t)
	for typed, want := range map[string]string{
		"folod":                  "flood",
		"rivre paper":            "river paper",
		`"rivre papre" -flod`:    `"river paper" -flod`,
		"title:flodo url:flodo":  "title:flood url:flodo",
		"papr*":                  "",
		"river":                  "",
		"xy":                     "", // too short
		"completely different":   "",
		"повинь site:example.ua": "повінь site:example.ua",
	} {
		q, err := query.Parse(typed)
		if err != nil {
			t.Fatal(err)
		}
		better, ok := w.Correct(q)
		if got := better.String(); ok != (want != "") || ok && got != want {
			t.Errorf("%s is corrected to %s (%v), want %s", typed, got, ok, want)
		}
		if again, _ := query.Parse(typed); again.String() != q.String() {
			t.Errorf("%s became %s", typed, q)
		}
	}
}

// However many words of a query nobody wrote, near ones are looked for in place of a few.
func TestFewWordsAreCorrected(t *testing.T) {
	corrector, corrected := small(t).Corrector(), 0
	for range 100 {
		if corrector.Instead("river") != "" {
			t.Error("a word that is there is corrected")
		}
		if corrector.Instead("rivre") != "" {
			corrected++
		}
	}
	if corrected == 0 || corrected > 20 {
		t.Errorf("%d words were corrected", corrected)
	}
}

func TestNewReportsErrors(t *testing.T) {
	broken := errors.New("broken")
	_, err := suggest.New(func(yield func(suggest.Word, error) bool) { yield(suggest.Word{}, broken) })
	if !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
}

func TestNoWords(t *testing.T) {
	w := vocabulary(t, nil)
	if got := w.Near("flood", 2); len(got)+len(w.Complete("f", 3))+w.Documents("flood")+w.Len() > 0 {
		t.Error("words out of nothing")
	}
}

func Example() {
	w, _ := suggest.New(func(yield func(suggest.Word, error) bool) {
		_ = yield(suggest.Word{Text: "flood", Documents: 3}, nil) && yield(suggest.Word{Text: "flow", Documents: 8}, nil)
	})
	fmt.Println(w.Complete("fl", 5))
	q, _ := query.Parse("folod")
	better, _ := w.Correct(q)
	fmt.Println(better)
	// Output:
	// [{flow 8} {flood 3}]
	// flood
}

// million is a vocabulary of a million words that are built like words: of syllables, with the frequencies of Zipf.
func million(b *testing.B) *suggest.Words {
	r := rand.New(rand.NewPCG(3, 5))
	counts := map[string]int{}
	for rank := 1; len(counts) < 1_000_000; rank++ {
		var s strings.Builder
		for range 2 + r.IntN(3) {
			s.WriteByte("bcdfghjklmnprstvwz"[r.IntN(18)])
			s.WriteByte("aeiou"[r.IntN(5)])
			if r.IntN(3) == 0 {
				s.WriteByte("nrstl"[r.IntN(5)])
			}
		}
		counts[s.String()] = 1 + 1_000_000/rank
	}
	return vocabulary(b, counts)
}

func BenchmarkMillionWords(b *testing.B) {
	w := million(b)
	for _, prefix := range []string{"b", "ba", "bano"} {
		b.Run("complete/"+prefix, func(b *testing.B) {
			for b.Loop() {
				w.Complete(prefix, 10)
			}
		})
	}
	for _, word := range []string{"banor", "rivorbend", "tarosinela"} {
		for most := 1; most <= 2; most++ {
			b.Run(fmt.Sprintf("near/%s/%d", word, most), func(b *testing.B) {
				for b.Loop() {
					w.Near(word, most)
				}
			})
		}
	}
}
