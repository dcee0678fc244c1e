package answers_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/archive/search/rank"
	"github.com/varve-archive/varve/memento"
)

// An engine has words, gives the answers that it was given, and notes what it is asked.
type engine struct {
	answers.Engine
	words   map[string]int // of texts, with their documents
	broken  error
	set     *fields.Set
	counted int
	// meanwhile is called while terms are counted.
	meanwhile func()
	answers   []search.PresentAnswer
	asked     []search.PresentRequest
}

func (e *engine) Fields() *fields.Set { return e.set }

func (e *engine) Columns() []fields.Column {
	return []fields.Column{{Name: "price", Type: fields.Number}, {Name: "item", Type: fields.Text}}
}

func (e *engine) Languages(context.Context) ([]search.Count, error) {
	return []search.Count{{Name: "de", Count: 2}, {Name: "fr", Count: 1}, {Name: "en", Count: 97}}, nil
}

func (e *engine) Vocabulary(_ context.Context, f search.Field, prefix string) iter.Seq2[search.Term, error] {
	return func(yield func(search.Term, error) bool) {
		if e.broken != nil {
			yield(search.Term{}, e.broken)
			return
		}
		words := e.words
		if f == search.FieldURL {
			words = map[string]int{"three": 1, "threes": 1}
		}
		list := make([]string, 0, len(words))
		for w := range words {
			list = append(list, w)
		}
		slices.Sort(list)
		for _, w := range list {
			if strings.HasPrefix(w, prefix) && !yield(search.Term{Word: w, Documents: words[w]}, nil) {
				return
			}
		}
	}
}

func (e *engine) Similar(_ context.Context, f search.Field, word string, most int, _ string) iter.Seq2[search.Term, error] {
	return func(yield func(search.Term, error) bool) { yield(search.Term{Word: fmt.Sprint(f, word, most)}, nil) }
}

func (e *engine) Terms(context.Context, search.TermsRequest) (*search.TermsAnswer, error) {
	if e.meanwhile != nil {
		e.meanwhile()
	}
	e.counted++
	return &search.TermsAnswer{Years: []search.Count{{Name: "2020", Count: e.counted}}}, e.broken
}

func (e *engine) Titles(context.Context, string) iter.Seq2[search.Term, error] {
	return func(func(search.Term, error) bool) {}
}

func (e *engine) Present(_ context.Context, req search.PresentRequest) (*search.PresentAnswer, error) {
	e.asked = append(e.asked, req)
	if len(e.answers) == 0 {
		return &search.PresentAnswer{Total: 1}, nil
	}
	a := e.answers[0]
	e.answers = e.answers[1:]
	return &a, nil
}

// said returns what a request asks for.
func said(req search.PresentRequest) string {
	clauses := func(list []search.Clause) string {
		var out []string
		for _, c := range list {
			s := []string{"", "title:", "url:", c.Name + ":"}[c.Field]
			if c.Numbers != nil {
				s += fmt.Sprint(*c.Numbers)
			}
			out = append(out, s+phrases(c.Any)+strings.Replace("~"+phrases(c.Forms), "~[]", "", 1))
		}
		return strings.Join(out, " ")
	}
	var out []string
	say := func(what, list string) {
		if list != "" {
			out = append(out, what+" "+list)
		}
	}
	say("all", clauses(req.All))
	for _, group := range req.Any {
		say("any", clauses(group))
	}
	say("optional", clauses(req.Optional))
	say("none", clauses(req.None))
	for _, off := range req.Off {
		say("off", off.From+" "+off.To)
	}
	if req.Bounds != (search.Bounds{}) {
		say("in", strings.Join([]string{req.From, req.To, req.Also}, " "))
	}
	if req.Whole || !req.Anchors || req.Inlinks || req.Work != 256<<20 {
		out = append(out, fmt.Sprint("whole ", req.Whole, ", anchors ", req.Anchors, ", inlinks ", req.Inlinks, ", work ", req.Work))
	}
	return strings.Join(out, "; ")
}

func phrases(list []search.Phrase) string {
	var out []string
	for _, p := range list {
		out = append(out, strings.Join(p, " "))
	}
	if len(out) > 9 {
		return fmt.Sprint(len(out))
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// rankings are the usual one, one that uses what costs more, and one that knows synonyms.
func rankings(t *testing.T) map[string]*rank.Ranking {
	synonyms, err := rank.ReadSynonyms(strings.NewReader("wheel, water wheel"))
	if err != nil {
		t.Fatal(err)
	}
	dear, err1 := rank.New(rank.Settings{Add: "inlinks", Boost: "len(title)"}, rank.Synonyms{}, nil)
	also, err2 := rank.New(rank.Settings{Only: []string{"text"}}, synonyms, nil)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	return map[string]*rank.Ranking{"dear": dear, "also": also}
}

// What is typed asks the engine for clauses of words that the collection has, within bounds.
func TestWhatAnEngineIsAsked(t *testing.T) {
	t.Parallel()
	words := map[string]int{
		"old": 4, "mill": 9, "mills": 3, "milled": 5, "inn": 5, "wheel": 7, "common": 3<<20 - 1, "commons": 1, "commoner": 1, "der": 8, "les": 8,
		"email": 2, "e": 3, "mail": 3, "covid": 2, "19": 6, "f16": 1, "1,500": 1, "größe": 4, "große": 1, "grosz": 2,
	}
	long, endless := "gulls"+strings.Repeat("ü", 57), "gulls"+strings.Repeat("x", 200) // of the latter an index has the beginning alone
	words[long] = 1
	for i := range 1001 {
		words[fmt.Sprintf("x%04d", i)] = 1
	}
	rankings := rankings(t)
	for _, tt := range []struct {
		typed, ranking string
		all            bool // words are required without a sign
		in             search.Bounds
		want           string
		bounded        string
	}{
		{typed: "mill", want: "optional [mill]~[milled, mills]"},
		{typed: "+mill wheel", want: "all [mill]~[milled, mills]; optional [wheel]"},
		{typed: `"old mill" -inn`, want: "all [old mill]; none [inn]"},
		{typed: "(mill OR xyzzy OR inn) AND (old OR wheel)", want: "any [mill]~[milled, mills] [xyzzy] [inn]; any [old] [wheel]"},
		{typed: "mill OR xyzzy", want: "any [mill]~[milled, mills] [xyzzy]"},
		{typed: "title:mills -title:inn", want: "all title:[mills]~[mill, milled]; none title:[inn]"},
		{typed: "mill -xyzzy", want: "optional [mill]~[milled, mills]; none [xyzzy]"},
		{typed: "mill -xy*", want: "optional [mill]~[milled, mills]"},
		{typed: "mi*", want: "all [mill, milled, mills]"},
		{typed: "gros*", want: "all [größe, grosz, große]"},
		{typed: "grö*", want: "all [größe]"},
		{typed: "old -gros*", want: "optional [old]; none [grosz]"},
		{typed: "milk~", want: "all [mill]"},
		{typed: "milling", want: "optional [milling]~[mill, milled, mills]"},
		{typed: "old -mill", want: "optional [old]; none [mill]"},
		{typed: "e-mail", want: "optional [e mail]~[email]"},
		{typed: `"e mail" +e-mail`, want: "all [e mail]"},
		{typed: "old-mill", want: "optional [old mill]"},
		{typed: "covid19", want: "optional [covid19, covid 19]"},
		{typed: "title:19covid", want: "all title:[19covid, 19 covid]"},
		{typed: "covid21 19", want: "optional [19]"},
		{typed: "f-16", want: "optional [f 16]~[f16]"},
		{typed: "1500 -1.500", want: "optional [1500]~[1,500]; none [1.500]"},
		{typed: "old inn", all: true, want: "all [old] [inn]"},
		{typed: "old xyzzy", all: true, want: "all [old] [xyzzy]"},
		{typed: "xyzzy"},
		{typed: "mill " + long, want: "optional [mill]~[milled, mills] [" + long + "]"},
		{typed: "gulls*", want: "all [" + long + "]"},
		{typed: endless, want: "optional [" + endless + "]"},
		{typed: "im~", want: "all [im]"},
		{typed: "+xyzzy~ mill"},
		{typed: "commo*", want: "all [common, commoner]", bounded: "commo*"},
		{typed: "commo* mil*", want: "all [common] [mill, milled, mills]", bounded: "commo*"},
		{typed: "x*", want: "all 1000", bounded: "x*"},
		{typed: "url:thre*", want: "all url:[three, threes]"},
		{typed: "url:thre~", want: "all url:[2thre1]"},
		{typed: "url:at~", want: "all url:[2at1]"},
		{typed: "url:https://www.b.example/x", want: "all url:[https www b example x, www b example x, example b x, x example b]"},
		{typed: "url:www", want: "all url:[www]"},
		{typed: "price:10..20 -price:3..", want: "all price:{10 20}[]; none price:{3 +Inf}[]"},
		{typed: "item:mill mill", want: "all item:[mill]; optional [mill]~[milled, mills]"},
		{
			typed: "mill site:a.example -site:c.example",
			want:  "optional [mill]~[milled, mills]; off example,c) example,c-; in example,a) example,a- ",
		},
		{
			typed: "old site:a.example", in: search.Bounds{From: "example,a)/d", To: "example,a)/e"},
			want: "optional [old]; in example,a)/d example,a)/e ",
		},
		{typed: "old site:a.example", in: search.Bounds{From: "example,a)", To: "example,a-"}, want: "optional [old]; in example,a) example,a- "},
		{
			typed: "old site:a.example", in: search.Bounds{From: "example,b", To: "example,c", Also: "example,a)"},
			want: "optional [old]; in example,b example,a- example,a)",
		},
		{typed: "old site:a.example", in: search.Bounds{From: "example,b", To: "example,c", Also: "example,a-"}},
		{typed: "old site:a.example", in: search.Bounds{From: "example,a-", To: "example,c"}},
		{typed: "old site:a.example", in: search.Bounds{From: "example,b", To: "example,c"}},
		{typed: "old inn wheel mill der", want: "optional [old] [inn] [wheel] [mill]~[milled, mills] [der]"},
		{typed: "old inn wheel mill der les", want: "optional [old] [inn] [wheel] [mill]~[milled, mills] [les]"}, // two percent are German
		{typed: "+der old inn wheel mill mi les", want: "all [der]; optional [old] [inn] [wheel] [mill]~[milled, mills] [les]"},
		{typed: "mill", ranking: "dear", want: "optional [mill]~[milled, mills]; whole true, anchors true, inlinks true, work 268435456"},
		{typed: "wheel", ranking: "also", want: "optional [wheel, water wheel]; whole false, anchors false, inlinks false, work 268435456"},
	} {
		x := &engine{words: words}
		s := answers.New(x, func() *answers.Settings { return &answers.Settings{Rankings: rankings} })
		q := parsed(t, s, tt.typed)
		q.All = tt.all
		a, err := s.Pages(t.Context(), tt.ranking, q, search.PresentRequest{Bounds: tt.in})
		if err != nil {
			t.Fatal(tt.typed, err)
		}
		var got []string
		for _, req := range x.asked {
			got = append(got, said(req))
		}
		if diff := cmp.Diff([]string{tt.want, tt.bounded}, []string{strings.Join(got, " | "), strings.Join(a.Bounded, " ")}); diff != "" {
			t.Errorf("%s %s: %s", tt.typed, tt.ranking, diff)
		}
	}
}

// If nothing has all that must be there, the same is asked with optional words, unless the engine has not looked at all pages.
func TestQuestionsThatAreRelaxed(t *testing.T) {
	t.Parallel()
	none, some := search.PresentAnswer{}, search.PresentAnswer{Total: 2, Whole: 1}
	for _, tt := range []struct {
		typed   string
		answers []search.PresentAnswer
		want    string // what is asked, and the answer
	}{
		{"+mill wheel", []search.PresentAnswer{some}, "all [mill]; optional [wheel] = 2 whole 1"},
		{"+mill wheel", []search.PresentAnswer{{Untold: 1}}, "all [mill]; optional [wheel] = 0 whole 0"},
		{"+mill wheel", []search.PresentAnswer{none, some}, "all [mill]; optional [wheel] | optional [mill] [wheel] = 2 whole 1 relaxed"},
		{"+mill wheel", []search.PresentAnswer{none, none}, "all [mill]; optional [wheel] | optional [mill] [wheel] = 0 whole 0"},
		{"+mill", []search.PresentAnswer{none}, "all [mill] = 0 whole 0"},
		{"mill xyzzy", []search.PresentAnswer{some}, "optional [mill] = 2 whole 0 lost xyzzy"},
		{
			`"der wheel" der mill inn wheel old north`, []search.PresentAnswer{none, some}, // a phrase is no stop word
			"all [der wheel]; optional [mill] [inn] [wheel] [old] [north] | " +
				"optional [der wheel] [mill] [inn] [wheel] [old] [north] = 2 whole 1 relaxed",
		},
	} {
		x := &engine{words: map[string]int{"mill": 9, "wheel": 7, "inn": 3, "der": 8, "old": 1, "north": 1}, answers: tt.answers}
		s := answers.New(x, nil)
		a, err := s.Pages(t.Context(), "", parsed(t, s, tt.typed), search.PresentRequest{})
		if err != nil {
			t.Fatal(tt.typed, err)
		}
		var asked []string
		for _, req := range x.asked {
			asked = append(asked, said(req))
		}
		got := fmt.Sprint(strings.Join(asked, " | "), " = ", a.Total, " whole ", a.Whole)
		if a.Relaxed {
			got += " relaxed"
		}
		if missing := a.Missing(&search.Found{}); len(missing) > 0 {
			got += " lost " + strings.Join(missing, " ")
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.typed, got, tt.want)
		}
	}
}

// What a page lacks is named as it was typed. What can't be read is an error, and is read again when it is asked for again.
func TestWhatIsMissingAndWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	x := &engine{words: map[string]int{"mill": 9, "wheel": 7}, broken: errors.New("broken")}
	s := answers.New(x, nil)
	q := parsed(t, s, "wheel xyzzy +mill")
	for _, broken := range []error{x.broken, nil} {
		x.broken = broken
		a, err := s.Pages(t.Context(), "", q, search.PresentRequest{Work: 5})
		_, completing := s.Complete(t.Context(), "whe", 3)
		_, _, correcting := s.Correct(t.Context(), q)
		_, phrases := s.CorrectPhrases(t.Context(), search.Query{})
		for _, err := range []error{err, completing, correcting, phrases, s.ReadWords(t.Context())} {
			if !errors.Is(err, broken) {
				t.Errorf("%v, want %v", err, broken)
			}
		}
		if broken == nil {
			found := search.Found{Best: search.Match{Missing: []int{1, 0}}}
			if diff := cmp.Diff([]string{"xyzzy", "wheel", "+mill"}, a.Missing(&found)); diff != "" || x.asked[0].Work != 5 {
				t.Error(diff, x.asked[0].Work)
			}
		}
	}
	x.words = map[string]int{"other": 1}
	for _, want := range []string{"othr", "other"} {
		got, _, err := s.Correct(t.Context(), parsed(t, s, "othr"))
		typed := search.Query{Phrases: []search.Phrase{{"othr"}}}
		if phrases, err2 := s.CorrectPhrases(t.Context(), typed); got.String() != want || (phrases == "other") != (want == "other") ||
			errors.Join(err, err2) != nil || typed.Phrases[0][0] != "othr" {
			t.Errorf("%s, %s of %s, want %s", got, phrases, typed.Phrases, want)
		}
		s.Forget()
	}
	x.words = nil // the search is about to be built
	s.Forget()
	for _, want := range []string{"othr", "other"} {
		if got, _, err := s.Correct(t.Context(), parsed(t, s, "othr")); err != nil || got.String() != want {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
		x.words = map[string]int{"other": 1}
	}
}

// What was counted of terms is kept until the search changes, unless it changed meanwhile, or is changing.
func TestWhichCountsOfTermsAreKept(t *testing.T) {
	t.Parallel()
	x := &engine{}
	s := answers.New(x, nil)
	count := func() (n int, err error) {
		list, err := s.CountTerms(t.Context(), memento.URIs{Coll: "web"}, answers.TermsQuery{})
		if err != nil {
			return 0, err
		}
		return list.Changes, nil
	}
	for i, tt := range []struct {
		before, meanwhile func()
		want              int
	}{
		{nil, nil, 1},
		{nil, nil, 1},
		{s.Forget, nil, 2},
		{nil, nil, 2},
		{s.ForgetTerms, s.ForgetTerms, 3},
		{nil, nil, 4},
		{func() { s.ForgetTerms(); s.Progress.Running.Store(true) }, nil, 5},
		{nil, nil, 6},
		{func() { s.Progress.Running.Store(false); x.broken = errors.New("broken") }, nil, 0},
		{func() { x.broken = nil }, nil, 8},
	} {
		if tt.before != nil {
			tt.before()
		}
		x.meanwhile = tt.meanwhile
		if n, err := count(); n != tt.want || !errors.Is(err, x.broken) {
			t.Errorf("%d: count %d, %v; want %d", i, n, err, tt.want)
		}
	}
	behind := false
	s.Behind = func(context.Context) (bool, error) { return behind, x.broken }
	s.Progress.Pages.Store(9)
	for _, behind = range []bool{true, false} {
		if got, err := s.State(t.Context()); err != nil || got != (answers.State{Pages: 9, Building: behind}) {
			t.Errorf("%+v %v", got, err)
		}
	}
}

// Of very many pages only the rows of the first thousand are read; the others are untold.
func TestRowsOfVeryManyPages(t *testing.T) {
	t.Parallel()
	set, err := fields.NewSet([]fields.Rule{{Each: "li", Fields: []fields.Field{{Name: "item", CSS: "b"}}}})
	if err != nil {
		t.Fatal(err)
	}
	found := search.PresentAnswer{Total: 1003, Untold: 2, Hits: make([]search.Found, 1000)}
	for i := range found.Hits {
		found.Hits[i].Whole = i < 7
	}
	x := &engine{words: map[string]int{"mill": 9}, set: set, answers: []search.PresentAnswer{found}}
	s := answers.New(x, nil)
	a, err := s.Pages(t.Context(), "", parsed(t, s, "mill"), search.PresentRequest{Skip: 3, Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(x.asked[0].Skip, x.asked[0].Limit, ": ", a.Total, a.Whole, a.Ordered, a.Untold, len(a.Hits))
	if want := "0 1000: 1000 7 1000 5 10"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func parsed(t *testing.T, s *answers.Collection, typed string) query.Query {
	t.Helper()
	q, err := s.Parse(typed)
	if err != nil {
		t.Fatal(typed, err)
	}
	return q
}
