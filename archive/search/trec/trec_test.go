package trec_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/search/trec"
)

func TestReadTopics(t *testing.T) {
	want := []trec.Topic{{ID: "301", Query: "river floods"}, {ID: "302", Query: "paper mills closing"}}
	for name, text := range map[string]string{
		"as TREC writes them": "<top>\n\n<num> Number: 301\n<title> river floods\n\n<desc> Description:\nWhich pages?\n</top>\n" +
			"<top>\n<num> Number: 302\n<title> Topic: paper mills\nclosing\n<narr> Narrative:\nAny.\n</top>\n",
		"closed": "<top>\n<num>301</num>\n<title>river floods</title>\n</top>\n" +
			"<top>\n<num>302</num>\n<title>paper mills closing</title>\n</top>\n",
		"one on a line":  "301\triver floods\n\n302:paper mills closing\n",
		"with a comment": "301: river floods \n302 \t paper mills closing",
	} {
		got, err := trec.ReadTopics(strings.NewReader(text))
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
	for _, bad := range []string{"river", "1:", "1:a\n1:b", "<top>\n<num>1\n</top>", "<top>\n<num>1\n<title>a"} {
		if got, err := trec.ReadTopics(strings.NewReader(bad)); err == nil {
			t.Errorf("%q is read as %v", bad, got)
		}
	}
}

func TestReadJudgments(t *testing.T) {
	got, err := trec.ReadJudgments(strings.NewReader(
		"301 0 http://a.example/ 1\n301\t0\thttp://b.example/\t0\n\n302 Q0 http://a.example/ 2\n"))
	want := trec.Judgments{"301": {"http://a.example/": 1, "http://b.example/": 0}, "302": {"http://a.example/": 2}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for _, bad := range []string{"301 0 a", "301 0 a b", "a b c d e"} {
		if _, err := trec.ReadJudgments(strings.NewReader(bad)); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// Worked by hand: of five relevant documents, four are at ranks 1, 3, 6 and 10, one is not found.
func TestMeasure(t *testing.T) {
	ranked := strings.Fields("a x b x2 x3 c x4 x5 x6 d")
	s, ok := trec.Measure(ranked, map[string]int{"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "x": 0, "x2": -1})
	log := func(rank float64) float64 { return 1 / math.Log2(rank+1) }
	found, ideal := log(1)+log(3)+log(6)+log(10), log(1)+log(2)+log(3)+log(4)+log(5)
	want := [7]float64{0.4, 0.4, 0.2, 0.4, (1 + 2./3 + 3./6 + 4./10) / 5, found / ideal, found / ideal}
	for i, v := range s.Values() {
		if !ok || math.Abs(v-want[i]) > 1e-12 {
			t.Errorf("%s is %f, want %f", trec.Names()[i], v, want[i])
		}
	}
}

func TestGradesDecideNDCG(t *testing.T) {
	grades := map[string]int{"good": 3, "fair": 1}
	best, _ := trec.Measure([]string{"good", "fair"}, grades)
	worse, _ := trec.Measure([]string{"fair", "good"}, grades)
	if best.NDCG != 1 || worse.NDCG >= 1 || worse.AP != 1 {
		t.Errorf("%+v, %+v", best, worse)
	}
	if _, ok := trec.Measure([]string{"a"}, map[string]int{"a": 0}); ok {
		t.Error("a topic without a relevant document is measured")
	}
	if s, ok := trec.Measure(nil, grades); !ok || s != (trec.Scores{}) {
		t.Errorf("nothing found: %+v, %v", s, ok)
	}
}

func TestMean(t *testing.T) {
	mean := trec.Mean([]trec.Scores{{P5: 1, AP: 0.5}, {P5: 0, AP: 1}})
	if mean != (trec.Scores{P5: 0.5, AP: 0.75}) || trec.Mean(nil) != (trec.Scores{}) {
		t.Errorf("%+v", mean)
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"1:a", "<top>\n<num> Number: 1\n<title> a\n</top>", "1 0 a 1", "<title>", "</top>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, _ = trec.ReadJudgments(strings.NewReader(text))
		list, err := trec.ReadTopics(strings.NewReader(text))
		for _, topic := range list {
			if err == nil && (topic.ID == "" || topic.Query == "") {
				t.Errorf("%q gives the topic %+v", text, topic)
			}
		}
	})
}

func Example() {
	s, _ := trec.Measure([]string{"a", "b", "c"}, map[string]int{"a": 1, "c": 1})
	fmt.Printf("AP %.2f, R-precision %.2f\n", s.AP, s.RPrecision)
	// Output: AP 0.83, R-precision 0.50
}
