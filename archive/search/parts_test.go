package search_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/history"
	"github.com/varve-archive/varve/cdx"
)

// A stumbling archive can't read the versions of a page from a datetime on.
type stumbling struct {
	*fake
	key  string
	from cdx.Timestamp
}

func (s *stumbling) Text(ctx context.Context, key string, v search.Version) (search.Text, error) {
	if key == s.key && s.from != 0 && v.First >= s.from {
		return search.Text{}, errors.New("the disk is away")
	}
	return s.fake.Text(ctx, key, v)
}

// present lists the pages that had a word in any version.
func present(t *testing.T, x *search.Index, word string) []string {
	t.Helper()
	a, err := x.Present(t.Context(), search.PresentRequest{All: clauses([]search.Phrase{{word}}), Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, h := range a.Hits {
		out = append(out, fmt.Sprintf("%s ×%d", h.Key, h.Versions))
	}
	slices.Sort(out)
	return out
}

// A page whose history has many parts is written in many steps. Until the last of them it must be as before, and what a
// stopped run left must not stay.
func TestAHistoryOfManyPartsAppearsAtOnce(t *testing.T) {
	t.Parallel()
	const key = "org,example)/long"
	long := make([]string, 40)
	for i := range long {
		long[i] = fmt.Sprintf("word number%d here stays", i)
	}
	f := &fake{pages: map[string][]string{key: long, "org,example)/short": {"word here"}}}
	s := &stumbling{fake: f, key: key, from: year(35)}
	x := open(t, t.TempDir())
	x.Limits = history.Limits{Bytes: 40, Lists: 1 << 20}
	run := func() *search.Progress {
		t.Helper()
		var p search.Progress
		if err := x.Update(t.Context(), s, &p, slog.New(slog.DiscardHandler)); err != nil {
			t.Fatal(err)
		}
		return &p
	}
	check := func(when string, want ...string) {
		t.Helper()
		if d := cmp.Diff(want, present(t, x, "word")); d != "" {
			t.Errorf("%s (-want +got):\n%s", when, d)
		}
		deleted := found(t, x, search.Deleted, "number3")
		terms, err := x.Terms(t.Context(), search.TermsRequest{Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		if whole := len(want) == 2; (len(deleted) == 1) != whole || (len(terms.Terms) > 15) != whole {
			t.Errorf("%s: changes %v, %d terms", when, deleted, len(terms.Terms))
		}
	}
	if p := run(); p.Failed.Load() != 1 {
		t.Errorf("%d pages failed", p.Failed.Load())
	}
	check("after the first run, stopped in the middle of a page", "org,example)/short ×1")
	s.from = 0
	run()
	check("after the second run", key+" ×40", "org,example)/short ×1")
	f.pages[key] = append(slices.Clone(long), "word more")
	s.from = year(36)
	run()
	check("after a run that could not read what was added", key+" ×40", "org,example)/short ×1")
	f.pages[key] = long[:20]
	s.from = 0
	run()
	check("after the history became shorter", key+" ×20", "org,example)/short ×1")
	delete(f.pages, key)
	run()
	check("after the page was removed", "org,example)/short ×1")
	a, err := x.Present(t.Context(), search.PresentRequest{All: clauses([]search.Phrase{{"word"}}), Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	if a.Statistics.Documents != 1 || a.Statistics.MeanWords != 2 {
		t.Errorf("statistics after all that: %+v, want one document of two words", a.Statistics)
	}
}

func TestFieldsOfPresent(t *testing.T) {
	t.Parallel()
	x, f := open(t, ""), &fake{pages: map[string][]string{
		"org,example)/river/old_mill.html": {"the mill is closed"},
		"org,example)/town":                {"the river is high"},
	}, title: "River News"}
	update(t, x, f)
	for _, test := range []struct {
		field search.Field
		word  string
		want  []string
	}{
		{search.FieldText, "river", []string{"org,example)/town ×1"}},
		{search.FieldURL, "river", []string{"org,example)/river/old_mill.html ×1"}},
		{search.FieldURL, "mill", []string{"org,example)/river/old_mill.html ×1"}},
		{search.FieldTitle, "river", []string{"org,example)/river/old_mill.html ×1", "org,example)/town ×1"}},
		{search.FieldTitle, "mill", []string{}},
	} {
		a, err := x.Present(t.Context(), search.PresentRequest{
			All: []search.Clause{{Field: test.field, Any: []search.Phrase{{test.word}}}}, Limit: 10,
		})
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, h := range a.Hits {
			got = append(got, fmt.Sprintf("%s ×%d", h.Key, h.Versions))
		}
		slices.Sort(got)
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%s in field %d (-want +got):\n%s", test.word, test.field, d)
		}
	}
	var titles []string
	for term, err := range x.Titles(t.Context(), "river n") {
		if err != nil {
			t.Fatal(err)
		}
		titles = append(titles, fmt.Sprintf("%s ×%d", term.Word, term.Documents))
	}
	if want := []string{"River News ×2"}; !slices.Equal(titles, want) {
		t.Errorf("titles %q, want %q", titles, want)
	}
	words := func(prefix string) (out []string) {
		for term, err := range x.Vocabulary(t.Context(), search.FieldText, prefix) {
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, fmt.Sprintf("%s ×%d", term.Word, term.Documents))
		}
		return out
	}
	if got, want := words(""), []string{"closed ×1", "high ×1", "is ×2", "mill ×1", "river ×1", "the ×2"}; !slices.Equal(got, want) {
		t.Errorf("vocabulary %q, want %q", got, want)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	var failed error
	for _, failed = range x.Vocabulary(ended, search.FieldText, "") {
	}
	if !errors.Is(failed, context.Canceled) {
		t.Errorf("a request that has ended got a whole vocabulary: %v", failed)
	}
	if got, want := words("r"), []string{"river ×1"}; !slices.Equal(got, want) {
		t.Errorf("vocabulary from r %q, want %q", got, want)
	}
	var similar []string
	for term, err := range x.Similar(t.Context(), search.FieldText, "rivre", 2, "") {
		if err != nil {
			t.Fatal(err)
		}
		similar = append(similar, term.Word)
	}
	if want := "river"; strings.Join(similar, " ") != want {
		t.Errorf("similar %q, want %q", similar, want)
	}
}

// Orders, facets and the chart of an answer.
func TestOrdersAndFacetsOfPresent(t *testing.T) {
	t.Parallel()
	x, f := open(t, ""), &fake{pages: map[string][]string{
		"org,example)/a": {"word", "word word word", "other"},
		"org,example)/b": {"other", "word and much more that is no match at all", "word"},
		"com,example)/c": {"word word"},
	}}
	update(t, x, f)
	list := func(req search.PresentRequest) (*search.PresentAnswer, []string) {
		req.All = clauses([]search.Phrase{{"word"}})
		a, err := x.Present(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		var keys []string
		for _, h := range a.Hits {
			keys = append(keys, h.Key[len(h.Key)-1:])
		}
		return a, keys
	}
	for _, test := range []struct {
		name string
		req  search.PresentRequest
		want string
	}{
		{"by score", search.PresentRequest{Limit: 9}, "a c b"},
		{"newest first", search.PresentRequest{Limit: 9, Order: search.Order{Sort: search.ByLast, Falling: true}}, "b a c"},
		{"oldest first", search.PresentRequest{Limit: 9, Order: search.Order{Sort: search.ByFirst}}, "a c b"},
		{"a page of results", search.PresentRequest{Limit: 1, Skip: 1, Order: search.Order{Sort: search.ByLast, Falling: true}}, "a"},
		{"one page", search.PresentRequest{Limit: 9, Page: "org,example)/b"}, "b"},
		{"another language", search.PresentRequest{Limit: 9, Lang: "th"}, ""},
		{"by a score of one's own", search.PresentRequest{Limit: 9, Score: func(_ *search.Statistics, m *search.Match) float64 {
			return float64(m.Words)
		}}, "b a c"},
	} {
		if _, got := list(test.req); strings.Join(got, " ") != test.want {
			t.Errorf("%s: %v, want %s", test.name, got, test.want)
		}
	}
	a, _ := list(search.PresentRequest{})
	got := fmt.Sprint(a.Total, a.Hosts, a.Years, a.Chart)
	want := "3 [{example.org 2} {example.com 1}] [{2001 2} {2002 2} {2003 1}] [{2001 2} {2002 2} {2003 1}]"
	if got != want {
		t.Errorf("total, hosts, years, chart: %s, want %s", got, want)
	}
}

// A typed archive has pages of several types and languages; see [TestPagesAreCountedByTypeAndLanguage].
type typed struct{ *fake }

func (f typed) Versions(ctx context.Context, key string) ([]search.Version, error) {
	list, err := f.fake.Versions(ctx, key)
	for i := range list {
		list[i].MIME = map[bool]string{true: "application/pdf", false: "text/html"}[strings.HasSuffix(key, ".pdf")]
	}
	return list, err
}

func (f typed) Text(ctx context.Context, key string, v search.Version) (search.Text, error) {
	text, err := f.fake.Text(ctx, key, v)
	text.Lang = map[bool]string{true: "de", false: "en"}[strings.Contains(f.at(key, v.First), "regen")]
	return text, err
}

// Each page counts once by its type and once by each language in which one of its matching versions was, also if its history has parts.
func TestPagesAreCountedByTypeAndLanguage(t *testing.T) {
	t.Parallel()
	f := typed{&fake{pages: map[string][]string{
		"org,example)/a": {"rain a", "rain b", "rain regen"}, "org,example)/b": {"rain", "rain again"}, "org,example)/c": {"regen"},
		"org,example)/d.pdf": {"rain regen"}, "org,example)/e": {"snow"},
	}}}
	for _, limits := range []history.Limits{history.DefaultLimits, {}} {
		x := open(t, "")
		x.Limits = limits
		update(t, x, f)
		a, err := x.Present(t.Context(), search.PresentRequest{All: clauses([]search.Phrase{{"rain"}})})
		if err != nil {
			t.Fatal(err)
		}
		got, want := fmt.Sprint(a.Total, a.MIMEs, a.Langs), "3 [{text/html 2} {application/pdf 1}] [{de 2} {en 2}]"
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
		languages, err := x.Languages(t.Context())
		if err != nil || limits != (history.Limits{}) && fmt.Sprint(languages) != "[{en 5} {de 3}]" {
			t.Errorf("languages of all versions: %v, %v", languages, err)
		}
	}
}
