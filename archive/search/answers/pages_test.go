package answers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/memento"
)

// collection builds the search of records.
func collection(t *testing.T, records ...archivetest.Record) *searches.Collection {
	t.Helper()
	return collectionWith(t, nil, records...)
}

// collectionWith builds the search of records with templates.
func collectionWith(t *testing.T, set *fields.Set, records ...archivetest.Record) *searches.Collection {
	t.Helper()
	shelf := archivetest.Keep(t, records...)
	a, err := archive.New(archive.Config{Index: shelf.Index, Records: shelf})
	if err != nil {
		t.Fatal(err)
	}
	s := searches.New(searches.Config{Archive: a, Dir: t.TempDir(), Fields: func(string) *fields.Set { return set }})
	t.Cleanup(func() { s.Close() })
	if _, err := s.Build(t.Context(), "web", false, nil); err != nil {
		t.Fatal(err)
	}
	of, err := s.Of("web")
	if err != nil {
		t.Fatal(err)
	}
	return of
}

// What is not on a site may be on one with a longer name, and in a folder of that name.
func TestPagesThatAreNotOnASite(t *testing.T) {
	of := collection(t,
		archivetest.On("2019", "http://b.example/one", "<p>wheel"), archivetest.On("2019", "http://www.b.example/two", "<p>wheel"),
		archivetest.On("2019", "http://mill.b.example/three", "<p>wheel"), archivetest.On("2020", "http://b-town.example/four", "<p>wheel"),
		archivetest.On("2021", "http://a.example/example/b/five", "<p>wheel"),
	)
	found, err := of.Pages(t.Context(), "", parsed(t, of.Collection, "wheel -site:b.example"), search.PresentRequest{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range found.Hits {
		got = append(got, f.Key)
	}
	slices.Sort(got)
	if !slices.Equal(got, []string{"example,a)/example/b/five", "example,b-town)/four"}) || found.Total != len(got) {
		t.Errorf("got %q, in all %d", got, found.Total)
	}
}

func TestPages(t *testing.T) {
	of := collection(t,
		archivetest.On("2019", "http://a.example/one", "<title>Mill</title><p>water turns the wheel"),
		archivetest.On("2020", "http://a.example/two", "<title>River</title><p>water, mill and bridge"),
		archivetest.On("2021", "http://b.example/dir/three", "<title>Bridge</title><p>the bridges of the town"),
		archivetest.On("2021", "http://www.b.example/four", "<title>Town</title><p>the old wheel"),
	)
	for _, tt := range []struct {
		typed  string
		bounds search.Bounds
		want   string
		note   string // what was left out of the question
	}{
		{"wheel", search.Bounds{}, "four one", ""},
		{"mill", search.Bounds{}, "one two", ""},
		{"bridge", search.Bounds{}, "three two", ""}, // also in another form
		{"water wheel", search.Bounds{}, "four one two", ""},
		{"+water +wheel", search.Bounds{}, "one", ""},
		{"water -mill", search.Bounds{}, "", ""},
		{"wheel -mill", search.Bounds{}, "four", ""},
		{"title:mill", search.Bounds{}, "one", ""},
		{"url:dir", search.Bounds{}, "three", ""},
		{"wheel site:b.example", search.Bounds{}, "four", ""},
		{"wheel -site:b.example", search.Bounds{}, "one", ""},
		{"wheel site:c.example", search.Bounds{}, "", ""},
		{`"old wheel"`, search.Bounds{}, "four", ""},
		{`"wheel old"`, search.Bounds{}, "", ""},
		{"whe*", search.Bounds{}, "four one", ""},
		{"whel~", search.Bounds{}, "four one", ""},
		{"url:thre*", search.Bounds{}, "three", ""},
		{"bridges", search.Bounds{}, "three two", ""},
		{"water -bridges", search.Bounds{}, "one two", ""},
		{"wheel -url:four", search.Bounds{}, "one", ""},
		{"url:www.b.example", search.Bounds{}, "four three", ""},
		{"url:b.example/dir/three", search.Bounds{}, "three", ""},
		{"url:https://www.b.example/dir/", search.Bounds{}, "three", ""},
		{"url:http://www.b.example", search.Bounds{}, "four three", ""},
		{"url:http://four", search.Bounds{}, "four", ""},
		{"url:b.example/one", search.Bounds{}, "", ""},
		{`"`, search.Bounds{}, "", ""},
		{"site:b.example", search.Bounds{}, "", ""},
		{"wheel -url:b.example/four", search.Bounds{}, "one", ""},
		{"old~", search.Bounds{}, "four", ""},
		{"(mill OR town) AND (wheel OR bridge)", search.Bounds{}, "four one three two", ""},
		{"(xyzzy OR town) AND wheel", search.Bounds{}, "four", ""},
		{"(xyzzy OR plugh) AND wheel", search.Bounds{}, "", ""},
		{"wheel site:b.example", search.Bounds{From: "example,a", To: "example,a-", Also: "example,b)/four"}, "four", ""},
		{"wheel site:a.example", search.Bounds{From: "example,a", To: "example,a-", Also: "example,b)/four"}, "one", ""},
		{"mill xyzzy", search.Bounds{}, "one two", "lost xyzzy"},
		{"+mill +xyzzy", search.Bounds{}, "", ""},
		{"xyzzy", search.Bounds{}, "", "lost xyzzy"},
		{"wheel", search.Bounds{Since: 20200101000000}, "four", ""},
		{"wheel", search.Bounds{Until: 20191231235959}, "one", ""},
		{"wheel", search.Bounds{From: "example,a", To: "example,a-"}, "one", ""},
		{"wheel site:b.example", search.Bounds{From: "example,a", To: "example,a-"}, "", ""},
	} {
		q, err := of.Parse(tt.typed)
		if err != nil {
			t.Fatal(tt.typed, err)
		}
		found, err := of.Pages(t.Context(), "", q, search.PresentRequest{Bounds: tt.bounds, Limit: 10})
		if err != nil {
			t.Fatal(tt.typed, err)
		}
		var got []string
		for _, f := range found.Hits {
			got = append(got, f.Key[strings.LastIndexByte(f.Key, '/')+1:])
		}
		slices.Sort(got)
		var notes []string
		for what, list := range map[string][]string{"lost": found.Lost, "bounded": found.Bounded} {
			if len(list) > 0 {
				notes = append(notes, what+" "+strings.Join(list, " "))
			}
		}
		if found.Relaxed {
			notes = append(notes, "relaxed")
		}
		slices.Sort(notes)
		if all := strings.Join(got, " "); all != tt.want || strings.Join(notes, ", ") != tt.note || found.Total != len(got) {
			t.Errorf("%s %+v: %s of %d (%s), want %s (%s)", tt.typed, tt.bounds, all, found.Total, strings.Join(notes, ", "), tt.want, tt.note)
		}
	}
}

// Of a very long question the most frequent words are left out, and named.
func TestLongQuestions(t *testing.T) {
	var words []string
	for i := range 49 {
		words = append(words, fmt.Sprint("w", i))
	}
	of := collection(t,
		archivetest.On("2019", "http://a.example/one", "<p>"+strings.Join(words, " ")), archivetest.On("2019", "http://a.example/two", "<p>w0"),
	)
	for n, want := range map[int]string{48: "[]", 49: "[w0]"} {
		q, err := of.Parse(strings.Join(words[:n], " "))
		if err != nil {
			t.Fatal(err)
		}
		found, err := of.Pages(t.Context(), "", q, search.PresentRequest{Limit: 10})
		if err != nil || fmt.Sprint(found.Bounded) != want {
			t.Errorf("%d words: without %q, %v; want %s", n, found.Bounded, err, want)
		}
	}
}

// In a sentence the words that say nothing are left out, unless it has no others.
func TestSentences(t *testing.T) {
	of := collection(t,
		archivetest.On("2019", "http://a.example/one",
			"<html lang=en><p>"+strings.Repeat("there is a wheel that the water of the river turns, and ", 9)),
	)
	for typed, want := range map[string]string{
		"where is the wheel of the river": "wheel river", "is the wheel of river": "is the wheel of river",
		"is the and of a that": "is the and of a that", "+is the wheel of a river that": "+is wheel river",
	} {
		q, err := of.Parse(typed)
		if err != nil {
			t.Fatal(err)
		}
		found, err := of.Pages(t.Context(), "", q, search.PresentRequest{Limit: 10})
		if err != nil || found.Asked.String() != want {
			t.Errorf("%s: asked for %s, %v; want %s", typed, found.Asked, err, want)
		}
	}
}

// Where a template reads rows each row is a result, and what an answer does not have the rest has.
func TestRowsAndTheRest(t *testing.T) {
	set, err := fields.NewSet([]fields.Rule{{Each: "li", Fields: []fields.Field{
		{Name: "item", CSS: "b"}, {Name: "price", CSS: "i", Type: fields.Number},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	list := func(name string, rows ...string) archivetest.Record {
		body := "<title>" + name + "</title><p>offers of " + name + "<ul>"
		for _, r := range rows {
			item, price, _ := strings.Cut(r, "=")
			body += "<li><b>" + item + "</b> <i>" + price + "</i>"
		}
		return archivetest.On("2020", "http://a.example/"+name, body+"</ul>")
	}
	records := []archivetest.Record{
		list("one", "oak chair=30", "oak table=90", "willow basket=5", "pine chair=12"),
		list("two", "iron lamp=15", "oak lamp=45"), list("three"),
	}
	rows, plain := collectionWith(t, set, records...), collection(t, records...)
	byPrice := search.Order{Sort: search.ByField, By: "price"}
	for _, tt := range []struct {
		of         *searches.Collection
		typed      string
		order      search.Order
		skip, most int
		want       string // total: hits; rest
	}{
		{rows, "oak", byPrice, 0, 10, "3: one/1 two/2 one/2;"},
		{rows, "oak", byPrice, 0, 2, "3: one/1 two/2; one/2"},
		{rows, "oak", byPrice, 2, 2, "3: one/2; one/1 two/2"},
		{rows, "oak", byPrice, 3, 2, "3:; one/1 one/2 two/2"},
		{rows, "oak", byPrice, 4, 2, "3:; one/1 one/2 two/2"},
		{rows, "oak", search.Order{Sort: search.ByField, By: "price", Falling: true}, 0, 1, "3: one/2; one/1 two/2"},
		{rows, "item:chair", byPrice, 0, 1, "2: one/4; one/1"},
		{rows, "item:chair -item:oak", byPrice, 0, 10, "1: one/4;"},
		{rows, "oak -item:table", byPrice, 0, 2, "2: one/1 two/2;"},
		{rows, "offers -item:chair", search.Order{}, 0, 1, "3: three; one two"},
		{rows, "item:chair item:table", byPrice, 0, 10, "0:;"},
		{rows, "offers item:chair item:table", byPrice, 0, 10, "0:;"},
		{rows, "oak", byPrice, 0, 0, "2:; one/1 one/2 two/2"},
		{rows, "xyzzy", byPrice, 0, 10, "0:;"},
		{plain, "oak", search.Order{Sort: search.ByURL}, 0, 10, "2: one two;"},
		{plain, "oak", search.Order{Sort: search.ByURL}, 0, 1, "2: one; two"},
		{plain, "offers", search.Order{Sort: search.ByURL}, 0, 1, "3: one; three two"},
	} {
		q, err := tt.of.Parse(tt.typed)
		if err != nil {
			t.Fatal(tt.typed, err)
		}
		a, err := tt.of.Pages(t.Context(), "", q, search.PresentRequest{Order: tt.order, Skip: tt.skip, Limit: tt.most})
		if err != nil {
			t.Fatal(tt.typed, err)
		}
		name := func(f *search.Found) string {
			n := f.Key[strings.LastIndexByte(f.Key, '/')+1:]
			if f.Row > 0 {
				n += fmt.Sprint("/", f.Row)
			}
			return n
		}
		said := fmt.Sprintf("%d:", a.Total)
		for i := range a.Hits {
			said += " " + name(&a.Hits[i])
		}
		var rest []string
		for f, err := range tt.of.Rest(t.Context(), a) {
			if err != nil {
				t.Fatal(tt.typed, err)
			}
			rest = append(rest, name(&f))
		}
		slices.Sort(rest)
		if said += strings.TrimSuffix("; "+strings.Join(rest, " "), " "); said != tt.want {
			t.Errorf("%s by %v, %d from %d on: %s, want %s", tt.typed, tt.order, tt.most, tt.skip, said, tt.want)
		}
	}
}

func TestTerms(t *testing.T) {
	const page = "http://a.example/page"
	of := collection(t,
		archivetest.On("20180101", page, "<p>mill and wheel"), archivetest.On("20190101", page, "<p>and wheel"),
		archivetest.On("20200101", page, "<p>and bridge"),
		archivetest.On("20200101", "http://b.example/", "<p>mill here"), archivetest.On("20210101", "http://b.example/", "<p>here"))
	list := func(q answers.TermsQuery) string {
		l, err := of.CountTerms(t.Context(), memento.URIs{Coll: "web"}, q)
		if err != nil {
			t.Fatal(err)
		}
		out := []string{fmt.Sprint(l.Change, " ", l.Changes)}
		for _, term := range l.Terms {
			out = append(out, fmt.Sprint(term.Term, " ", term.Changes))
		}
		return strings.Join(out, ", ")
	}
	for _, tt := range []struct {
		q    answers.TermsQuery
		want string
	}{
		{answers.TermsQuery{}, "deleted 3, mill 2, wheel 1"},
		{answers.TermsQuery{Limit: 1}, "deleted 3, mill 2"},
		{answers.TermsQuery{Change: "added"}, "added 3, bridge 1"},
		{answers.TermsQuery{Domain: "b.example"}, "deleted 1, mill 1"},
		{answers.TermsQuery{To: "2019"}, "deleted 1, mill 1"},
		{answers.TermsQuery{From: "2020"}, "deleted 2, mill 1, wheel 1"},
	} {
		if got := list(tt.q); got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.q, got, tt.want)
		}
	}
}

// Words of addresses and of values are found as they are written, in any script, and addresses as they are copied.
func TestWordsOfAddressesInEveryScript(t *testing.T) {
	set, err := fields.NewSet([]fields.Rule{{Fields: []fields.Field{{Name: "town", CSS: "b"}}}})
	if err != nil {
		t.Fatal(err)
	}
	of := collectionWith(t, set,
		archivetest.On("2019", "http://a.example/wiki/%E5%8C%97%E4%BA%AC", "<p>one <b>北京</b>"),
		archivetest.On("2019", "http://a.example/wiki/%E4%BA%AC%E9%83%BD", "<p>two <b>京都</b>"),
		archivetest.On("2019", "http://a.example/wiki/M%C3%BChle_am_Fluss", "<p>three <b>Mühle am Fluss</b>"),
		archivetest.On("2019", "http://a.example/wiki/%E0%B9%80%E0%B8%A1%E0%B8%B7%E0%B8%AD%E0%B8%87", "<p>four <b>เมือง</b>"),
		archivetest.On("2019", "http://река.рф/млин", "<p>five"),
	)
	for typed, want := range map[string]string{
		"url:北京": "one", "url:wiki/北京": "one", "url:京": "one two", "-url:京 url:wiki": "four three", "url:เมือง": "four",
		"url:http://a.example/wiki/%E5%8C%97%E4%BA%AC": "one", "url:wiki/M%C3%BChle_am_Fluss": "three", "url:Mühle": "three", "url:100%": "",
		"url:река": "five", "url:http://река.рф/млин": "five", "url:млин": "five", "url:www.река.рф": "five",
		"url:рф.река": "",
		"town:北京":     "one", "town:京": "one two", "town:เมือง": "four", "town:mühle": "three", `town:"Mühle am Fluss"`: "three",
	} {
		found, err := of.Pages(t.Context(), "", parsed(t, of.Collection, typed), search.PresentRequest{Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range found.Hits {
			at := f.Key[strings.LastIndexByte(f.Key, '/')+1:][:3]
			got = append(got, map[string]string{"%e5": "one", "%e4": "two", "m%c": "three", "%e0": "four", "%d0": "five"}[at])
		}
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %s", typed, got, want)
		}
	}
}
