package searchtest

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/cdx/surt"
)

// An Engine is an opened engine under test.
type Engine interface {
	answers.Engine
	// Bring updates the engine from an archive, or rebuilds it if anew is set. It returns how many pages can't be read.
	Bring(ctx context.Context, a search.Archive, anew bool) (failed int64, err error)
}

// Fields returns two template fields.
func Fields(tb testing.TB) *fields.Set {
	tb.Helper()
	set, err := fields.NewSet([]fields.Rule{{Fields: []fields.Field{
		{Name: "price", CSS: "b", Type: fields.Number}, {Name: "maker", CSS: "i"},
	}}})
	if err != nil {
		tb.Fatal(err)
	}
	return set
}

// Run runs the suite: the engine gives the known answers about a small archive, and the same answers as an index in memory about a large
// one.
func Run(t *testing.T, open func(t *testing.T, set *fields.Set) Engine) {
	t.Run("truth", func(t *testing.T) { truth(t, open(t, Fields(t))) })
	t.Run("updates", func(t *testing.T) { updates(t, open(t, Fields(t))) })
	t.Run("equal", func(t *testing.T) { equal(t, open(t, Fields(t))) })
}

func bring(t *testing.T, e Engine, a search.Archive, anew bool) {
	t.Helper()
	if failed, err := e.Bring(t.Context(), a, anew); err != nil || failed > 0 {
		t.Fatalf("%d pages failed: %v", failed, err)
	}
}

// Mills is a small archive.
func Mills() *Archive {
	a := NewArchive()
	price := func(p, m string) fields.Values { return fields.Values{"price": {p}, "maker": {m}} }
	a.Put("org,a)/mill",
		Version{Day: 1, Title: "The mill", Text: "Mills\nthe old water mill by the lake and the old water", Fields: price("10", "Ada Mill")},
		Version{Day: 3, Title: "The mill", Text: "Mills\nthe old mill by the lake and the old water", Fields: price("20", "Ada Mill")},
		Version{Day: 1005, Title: "The house", Text: "Mills\nthe new house by the lake", Fields: price("30", "Bob")})
	a.Put("org,a)/lake", Version{Day: 2, Title: "Lakes", Text: "a lake and no mill", MIME: "text/plain"},
		Version{Day: 4, Missing: true, Status: 404, Text: "not found"})
	a.Put("org,b,www)/", Version{
		Day: 2, Title: "Rivers", Text: "a river and a water wheel", Links: []search.Link{{Key: "org,a)/mill", Text: "the mill"}},
	})
	return a
}

func phrase(words string) search.Phrase { return strings.Fields(words) }

func clause(f search.Field, list ...string) search.Clause {
	c := search.Clause{Field: f}
	for _, words := range list {
		c.Any = append(c.Any, phrase(words))
	}
	return c
}

// truth compares answers with what the small archive is known to contain.
func truth(t *testing.T, e Engine) {
	type present = search.PresentRequest
	type changes = search.Request
	between := search.Range{From: 15, To: 30}
	type clauses = []search.Clause
	asks := func(list ...string) (q search.Query) {
		for _, words := range list {
			q.Phrases = append(q.Phrases, phrase(words))
		}
		return q
	}
	bring(t, e, Mills(), false)
	text := func(list ...string) search.Clause { return clause(search.FieldText, list...) }
	named := func(c search.Clause, name string) search.Clause {
		c.Field, c.Name = search.FieldNamed, name
		return c
	}
	for name, tt := range map[string]struct {
		req  present
		want string // keys, each with its number of matching versions
	}{
		"a word":                     {present{All: clauses{text("mill")}}, "org,a)/lake 1, org,a)/mill 2"},
		"a phrase":                   {present{All: clauses{text("water mill")}}, "org,a)/mill 1"},
		"words of a phrase":          {present{All: clauses{text("mill water")}}, ""},
		"one of several":             {present{All: clauses{text("river", "house")}}, "org,a)/mill 1, org,b,www)/ 1"},
		"without":                    {present{All: clauses{text("lake")}, None: clauses{text("mill")}}, "org,a)/mill 1"},
		"a title":                    {present{All: clauses{clause(search.FieldTitle, "house")}}, "org,a)/mill 1"},
		"an address":                 {present{All: clauses{clause(search.FieldURL, "lake")}}, "org,a)/lake 1"},
		"a domain":                   {present{All: clauses{text("a")}, Bounds: search.Bounds{From: "org,b", To: "org,c"}}, "org,b,www)/ 1"},
		"not on a host":              {present{All: clauses{text("a")}, Off: []surt.Keys{{From: "org,a", To: "org,b"}}}, "org,b,www)/ 1"},
		"one page":                   {present{All: clauses{text("lake")}, Page: "org,a)/lake"}, "org,a)/lake 1"},
		"since":                      {present{All: clauses{text("lake")}, Bounds: search.Bounds{Since: day(3)}}, "org,a)/mill 2"},
		"until":                      {present{All: clauses{text("lake")}, Bounds: search.Bounds{Until: day(2)}}, "org,a)/lake 1, org,a)/mill 1"},
		"at a moment":                {present{All: clauses{text("lake")}, At: day(3)}, "org,a)/lake 1, org,a)/mill 1"},
		"at another":                 {present{All: clauses{text("lake")}, At: day(2005)}, "org,a)/mill 1"},
		"a media type":               {present{All: clauses{text("lake")}, MIME: "text/plain"}, "org,a)/lake 1"},
		"a status":                   {present{All: clauses{text("lake")}, Status: 404}, ""},
		"what is missing":            {present{All: clauses{text("found")}}, ""},
		"a value":                    {present{All: clauses{named(text("bob"), "maker")}}, "org,a)/mill 1"},
		"a phrase in a value":        {present{All: clauses{named(text("ada mill"), "maker")}}, "org,a)/mill 2"},
		"a range of values":          {present{All: clauses{named(search.Clause{Numbers: &between}, "price")}}, "org,a)/mill 2"},
		"optional ones, all of them": {present{Optional: clauses{text("river"), text("wheel")}}, "org,b,www)/ 1"},
		"optional ones, some":        {present{Optional: clauses{text("river"), text("house")}}, "org,a)/mill 1, org,b,www)/ 1"},
		"groups": {present{
			Any: []clauses{{text("river"), text("house")}}, All: clauses{text("by")},
		}, "org,a)/mill 1"},
		"another form": {present{All: clauses{{Any: []search.Phrase{{"rivers"}}, Forms: []search.Phrase{{"river"}}}}}, "org,b,www)/ 1"},
	} {
		tt.req.Limit = 10
		a, err := e.Present(t.Context(), tt.req)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for _, h := range a.Hits {
			got = append(got, fmt.Sprint(h.Key, " ", h.Versions))
		}
		slices.Sort(got)
		if strings.Join(got, ", ") != tt.want || a.Total != len(got) {
			t.Errorf("%s: %d: %q, want %q", name, a.Total, got, tt.want)
		}
	}
	for name, tt := range map[string]struct {
		req  changes
		want string
	}{
		"a word went":         {changes{Query: asks("mill")}, "org,a)/lake 20200104, org,a)/mill 20210105"},
		"a word is fewer":     {changes{Query: asks("water"), Kind: search.SemiDeleted}, "org,a)/mill 20200103"},
		"a word came":         {changes{Query: asks("house"), Kind: search.Added}, "org,a)/mill 20210105"},
		"a phrase went":       {changes{Query: asks("water mill")}, "org,a)/mill 20200103"},
		"a phrase is fewer":   {changes{Query: asks("old water"), Kind: search.SemiDeleted}, "org,a)/mill 20200103"},
		"two at once":         {changes{Query: asks("mill", "water")}, "org,a)/mill 20210105"},
		"within time":         {changes{Query: asks("mill"), Bounds: search.Bounds{Since: day(1001)}}, "org,a)/mill 20210105"},
		"on a page":           {changes{Query: asks("mill"), Page: "org,a)/lake"}, "org,a)/lake 20200104"},
		"within an address":   {changes{Query: asks("mill"), Bounds: search.Bounds{From: "org,b", To: "org,c"}}, ""},
		"what is there still": {changes{Query: asks("lake"), Page: "org,a)/mill"}, ""},
	} {
		tt.req.Limit = 10
		a, err := e.Search(t.Context(), tt.req)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for _, h := range a.Hits {
			got = append(got, fmt.Sprint(h.Key, " ", h.After.String()[:8]))
		}
		slices.Sort(got)
		if strings.Join(got, ", ") != tt.want || a.Total != len(got) {
			t.Errorf("%s: %d: %q, want %q", name, a.Total, got, tt.want)
		}
	}
	orders(t, e)
	for word, want := range map[string]string{"mil": "mill", "mlil": "mill", "mlli": "", "laek": "lake"} { // a swap counts once
		var got []string
		for near, err := range e.Similar(t.Context(), search.FieldURL, word, 1, "") {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, near.Word)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("near %s: %q, want %q", word, got, want)
		}
	}
	if n, err := e.Inlinks(t.Context(), []string{"org,a)/mill", "org,a)/lake"}); err != nil || !slices.Equal(n, []int{1, 0}) {
		t.Errorf("links: %v, %v", n, err)
	}
}

// orders tests the orders of pages and changes by the names of columns.
func orders(t *testing.T, e Engine) {
	for name, want := range map[string]string{
		"url": "lake mill river", "-url": "river mill lake", "title": "lake river mill", "first": "mill lake river", "-last": "mill lake river",
		"newest": "mill lake river", "oldest": "mill lake river", "-versions": "mill lake river", "-mime": "lake river mill",
		"price": "mill lake river", "maker": "mill lake river", "still": "lake river mill", "-memento": "mill lake river",
		"score": "lake river mill", "status": "lake river mill", "lang": "lake river mill",
	} {
		order, err := search.PageOrder(name, e.Columns())
		if err != nil {
			t.Fatal(err)
		}
		a, err := e.Present(t.Context(), search.PresentRequest{
			All: []search.Clause{clause(search.FieldText, "lake", "river")}, Order: order, Limit: 10,
		})
		var got []string
		for i := 0; err == nil && i < len(a.Hits); i++ {
			got = append(got, map[string]string{"org,a)/mill": "mill", "org,a)/lake": "lake", "org,b,www)/": "river"}[a.Hits[i].Key])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("pages by %s: %q, want %q, %v", name, got, want, err)
		}
	}
	for name, want := range map[string]string{
		"url": "lake mill", "-url": "mill lake", "title": "lake mill", "before": "lake mill", "-after": "mill lake", "oldest": "lake mill",
		"newest": "mill lake", "-size": "mill lake", "-count_before": "lake mill", "count_after": "lake mill", "whole": "mill lake",
		"score": "mill lake",
	} {
		order, err := search.ChangeOrder(name)
		if err != nil {
			t.Fatal(err)
		}
		a, err := e.Search(t.Context(), search.Request{Query: search.Query{Phrases: []search.Phrase{{"mill"}}}, Order: order, Limit: 10})
		var got []string
		for i := 0; err == nil && i < len(a.Hits); i++ {
			got = append(got, strings.TrimPrefix(a.Hits[i].Key, "org,a)/"))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("changes by %s: %q, want %q, %v", name, got, want, err)
		}
	}
}

// updates tests that the engine follows an archive, and that a rebuild isn't visible before it ends.
func updates(t *testing.T, e Engine) {
	a := Mills()
	count := func(word string) int {
		t.Helper()
		found, err := e.Present(t.Context(), search.PresentRequest{All: []search.Clause{clause(search.FieldText, word)}, Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		return found.Total
	}
	if n := count("mill"); n != 0 {
		t.Errorf("before the first build %d pages have it", n)
	}
	bring(t, e, a, false)
	a.Put("org,a)/mill", Version{Day: 1, Text: "only a pond"})
	a.Put("org,a)/lake")
	a.Put("org,c)/", Version{Day: 9, Text: "another mill"})
	bring(t, e, a, false)
	for word, want := range map[string]int{"mill": 1, "pond": 1, "lake": 0, "wheel": 1, "house": 0} {
		if n := count(word); n != want {
			t.Errorf("after changes %d pages have %s, want %d", n, word, want)
		}
	}
	q := search.Query{Phrases: []search.Phrase{{"mill"}}}
	if found, err := e.Search(t.Context(), search.Request{Query: q, Limit: 9}); err != nil || found.Total != 0 {
		t.Errorf("a page that lost its versions has %d changes, %v", found.Total, err)
	}
	a.Broken["org,c)/"] = true
	a.Put("org,c)/", Version{Day: 9, Text: "a castle"})
	if failed, err := e.Bring(t.Context(), a, false); failed != 1 || err != nil {
		t.Errorf("%d failed, %v", failed, err)
	}
	delete(a.Broken, "org,c)/")
	bring(t, e, a, false)
	if count("castle") != 1 {
		t.Error("a page that could not be read is not tried again")
	}
	bring(t, e, a, true)
	if count("castle") != 1 || count("pond") != 1 || count("mill") != 0 {
		t.Error("built anew, it answers otherwise")
	}
}

// each returns all pages that match, and tests that they are those of an answer without a limit.
func each(t *testing.T, x answers.Engine, req search.PresentRequest) ([]search.Found, error) {
	t.Helper()
	req.Skip, req.Limit, req.Order = 0, 1000, search.Order{Sort: search.ByURL}
	all, err := x.Present(t.Context(), req)
	if err != nil {
		return nil, err
	}
	var out []search.Found
	for f, err := range x.Each(t.Context(), req) {
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b search.Found) int { return strings.Compare(a.Key, b.Key) })
	if d := cmp.Diff(all.Hits, out, cmpopts.IgnoreUnexported(search.Found{}), cmpopts.EquateApprox(0, 1e-9), cmpopts.EquateEmpty()); d != "" {
		t.Errorf("%+v: one by one (-answer +each):\n%s", req, d)
	}
	return out, nil
}

// equal compares an engine with an index in memory.
func equal(t *testing.T, e Engine) {
	r := rand.New(rand.NewPCG(3, 41))
	a := NewArchive()
	word := func() string { return fmt.Sprintf("w%d", r.IntN(40)) }
	for i := range 60 {
		var versions []Version
		var words []string
		for v := range 1 + r.IntN(5) {
			for range 1 + r.IntN(8) {
				words = append(words, word())
			}
			if len(words) > 6 && r.IntN(2) == 0 {
				words = words[r.IntN(5):]
			}
			versions = append(versions, Version{
				Day: 1 + 3*v + 1000*r.IntN(3)*v, Title: "a title of " + words[0], Text: strings.Join(words, " ") + "\nmill " + word(),
				Missing: r.IntN(9) == 0, Fields: fields.Values{"price": {fmt.Sprint(r.IntN(50))}, "maker": {word() + " " + word()}},
				Links: []search.Link{{Key: fmt.Sprintf("org,host%d)/w%d/%d", r.IntN(60)%9, r.IntN(7), r.IntN(60)), Text: word()}},
			})
		}
		slices.SortStableFunc(versions, func(a, b Version) int { return a.Day - b.Day })
		versions = slices.CompactFunc(versions, func(a, b Version) bool { return a.Day == b.Day })
		a.Put(fmt.Sprintf("org,host%d)/w%d/%d", i%9, i%7, i), versions...)
	}
	bring(t, e, a, false)
	want := &Index{Index: inMemory(t, Fields(t))}
	bring(t, want, a, false)
	same := func(what string, ask func(answers.Engine) (any, error)) {
		t.Helper()
		is, err1 := ask(want)
		got, err2 := ask(e)
		if d := cmp.Diff(is, got, cmpopts.IgnoreUnexported(search.Found{}, search.Hit{}), cmpopts.EquateApprox(0, 1e-9),
			cmpopts.EquateEmpty()); d != "" || err1 != nil || err2 != nil {
			t.Errorf("%s: %v, %v (-memory +engine):\n%s", what, err1, err2, d)
		}
	}
	keys := slices.Sorted(maps.Keys(a.pages))
	for i := range 12 {
		q := search.Query{Phrases: []search.Phrase{{word()}, {"mill", word()}, {word(), word()}}[i%3 : i%3+1]}
		for _, k := range []search.Kind{search.Deleted, search.SemiDeleted, search.Added} {
			same(fmt.Sprint(k, q), func(x answers.Engine) (any, error) {
				return x.Search(t.Context(), search.Request{Query: q, Kind: k, Skip: i % 3, Limit: 20})
			})
		}
		for by := range search.ByWhole + 1 {
			if i > 3 {
				break
			}
			order := search.Order{Sort: by, Falling: i%2 == 0, By: "price"}
			if by < search.ByBefore {
				one := clause(search.FieldText, word())
				same(fmt.Sprintf("%+v", order), func(x answers.Engine) (any, error) {
					return x.Present(t.Context(), search.PresentRequest{All: []search.Clause{one}, Order: order, Skip: i % 3, Limit: 30})
				})
			}
			if by <= search.ByTitle || by >= search.ByBefore {
				same(fmt.Sprintf("%+v", order), func(x answers.Engine) (any, error) {
					return x.Search(t.Context(), search.Request{Query: q, Kind: search.Kind(i % 3), Order: order, Limit: 20})
				})
			}
		}
		same("totals", func(x answers.Engine) (any, error) {
			n, _, err := x.Totals(t.Context(), search.Request{Query: q})
			return n, err
		})
		key := keys[r.IntN(len(keys))]
		same("turns", func(x answers.Engine) (any, error) {
			turns, indexed, err := x.Turns(t.Context(), a.page(key), q)
			return fmt.Sprint(turns, indexed), err
		})
		all := clause(search.FieldText, word())
		for _, req := range []search.PresentRequest{
			{All: []search.Clause{all}},
			{Optional: []search.Clause{all, clause(search.FieldText, word()), clause(search.FieldText, word())}},
			{All: []search.Clause{all}, Order: search.Order{Sort: search.ByLast, Falling: true}, Skip: 2},
			{All: []search.Clause{all}, Order: search.Order{Sort: search.ByFirst}},
			{All: []search.Clause{all}, Order: search.Order{Sort: search.ByField, By: "price", Falling: i%2 == 0}},
			{All: []search.Clause{all}, Order: search.Order{Sort: search.ByField, By: "maker"}},
			{All: []search.Clause{all}, Anchors: true, Inlinks: true},
			{All: []search.Clause{clause(search.FieldText, "w1", "w2", "w3 w4", word())}, None: []search.Clause{all}},
			{All: []search.Clause{all}, Bounds: search.Bounds{From: "org,host2", To: "org,host5", Since: day(4)}},
			{Optional: []search.Clause{{Any: []search.Phrase{{"none"}}, Forms: []search.Phrase{{word()}}}, all}},
		} {
			req.Limit = 30
			same(fmt.Sprintf("%+v", req), func(x answers.Engine) (any, error) { return x.Present(t.Context(), req) })
			if i > 3 {
				continue
			}
			same(fmt.Sprintf("each of %+v", req), func(x answers.Engine) (any, error) { return each(t, x, req) })
		}
	}
	for _, k := range []search.Kind{search.Deleted, search.Added} {
		same("terms", func(x answers.Engine) (any, error) {
			return x.Terms(t.Context(), search.TermsRequest{Kind: k, Limit: 100})
		})
		same("rising", func(x answers.Engine) (any, error) {
			return x.Rising(t.Context(), search.RisingRequest{
				Kind: k, Bounds: search.Bounds{Since: day(1001), Until: day(2300)}, Windows: 2, Limit: 9,
			})
		})
	}
	same("inlinks", func(x answers.Engine) (any, error) { return x.Inlinks(t.Context(), keys) })
	for what, of := range map[string]func(answers.Engine) iter.Seq2[search.Term, error]{
		"vocabulary": func(x answers.Engine) iter.Seq2[search.Term, error] {
			return x.Vocabulary(t.Context(), search.FieldText, "")
		},
		"a prefix": func(x answers.Engine) iter.Seq2[search.Term, error] {
			return x.Vocabulary(t.Context(), search.FieldText, "w1")
		},
		"near words": func(x answers.Engine) iter.Seq2[search.Term, error] {
			return x.Similar(t.Context(), search.FieldURL, "w1", 1, "")
		},
		"titles": func(x answers.Engine) iter.Seq2[search.Term, error] { return x.Titles(t.Context(), "a title") },
	} {
		same(what, func(x answers.Engine) (any, error) {
			var list []search.Term
			for term, err := range of(x) {
				if err != nil {
					return nil, err
				}
				list = append(list, term)
			}
			return list, nil
		})
	}
}
