package comparison_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/pages/comparison"
	"github.com/varve-archive/varve/replay/replaytest"
)

// wanderingTexts returns n different texts of few words, in which words and phrases come and go all the time.
func wanderingTexts(n int) []string {
	r := rand.New(rand.NewPCG(8, 5))
	words := strings.Fields("acid rain falls on the old lake and fog falls on rain")
	texts := make([]string, n)
	for i := range texts {
		var b strings.Builder
		for range 14 {
			b.WriteString(words[r.IntN(len(words))] + " ")
		}
		fmt.Fprintf(&b, "number%d", i)
		texts[i] = b.String()
	}
	return texts
}

func monthly(i int) string {
	return time.Date(1990, time.Month(1+i), 1, 0, 0, 0, 0, time.UTC).Format("20060102150405")
}

// The nearest changes of a word or phrase must be those found by counting in all texts.
func TestSlidingDiffFindsEachChangeOfATerm(t *testing.T) {
	texts := wanderingTexts(60)
	var life []replaytest.Record
	for i, text := range texts {
		life = append(life, replaytest.Record{
			Date: monthly(i), URI: slidingPage, Status: 200, Location: "",
			Body: "<title>t</title><p>" + strings.Replace(text, " on ", "<p>on ", 1),
		})
	}
	long := `"` + strings.Join(strings.Fields(texts[20])[:11], " ") + `"`
	_, x := replaytest.Serve(t, replaytest.Write(t, life))
	reading, _ := countedOver(t, x, "")
	indexed, _ := countedOver(t, x, t.TempDir())
	for _, q := range []string{
		"rain", "FOG", `"acid rain"`, `"rain falls on"`, `"the old lake and"`, "lake fog", `lake "falls on"`,
		"number7", `"rain number17"`, "nowhere", `"rain nowhere"`, "t", long,
	} {
		findsEachChange(t, "by reading texts", reading, texts, q)
		findsEachChange(t, "by the index", indexed, texts, q)
	}
}

// findsEachChange compares the changes to which the answers lead, pair by pair, with counting in all texts.
func findsEachChange(t *testing.T, how string, h http.Handler, texts []string, q string) {
	t.Helper()
	query, err := search.Parse(q)
	if err != nil {
		t.Fatal(err)
	}
	counts := func(i int) (out []int) {
		for _, p := range query.Phrases {
			out = append(out, p.Count(search.Words("t "+texts[i])))
		}
		return out
	}
	var want []int
	for i := range len(texts) - 1 {
		if !cmp.Equal(counts(i), counts(i+1)) {
			want = append(want, i)
		}
	}
	if got := follow(t, h, q, func(a *comparison.SlidingTerm) (*string, *string) { return a.Next, a.NextUnseen }, "0"); !cmp.Equal(got, want) {
		t.Errorf("%s, %s, onwards: %s", q, how, cmp.Diff(want, got))
	}
	back := follow(t, h, q, func(a *comparison.SlidingTerm) (*string, *string) { return a.Previous, a.PreviousUnseen }, "58")
	slices.Reverse(back)
	if !cmp.Equal(back, want) {
		t.Errorf("%s, %s, backwards: %s", q, how, cmp.Diff(want, back))
	}
}

// follow goes from a pair to the changes of a term and returns them. The pair itself comes first if it is one.
func follow(t *testing.T, h http.Handler, q string, step func(*comparison.SlidingTerm) (to, further *string), from string) (found []int) {
	t.Helper()
	at := slidingURI("term", q, "index", from)
	for range 200 {
		a := replaytest.Sliding(t, h, at)
		for _, c := range a.Term.Counts {
			if c.Before != c.After {
				found = append(found, a.Index)
				break
			}
		}
		to, further := step(a.Term)
		if to == nil {
			to = further
		}
		if to == nil {
			return found
		}
		at = target(t, to)
	}
	t.Fatal("there is no end to it")
	return nil
}

// countedRecords counts the records that are opened.
type countedRecords struct {
	archive.Records
	opened atomic.Int64
}

func (c *countedRecords) Record(ctx context.Context, loc cdx.Location) (*warc.Record, error) {
	c.opened.Add(1)
	return c.Records.Record(ctx, loc)
}

// countedOver returns a server, with a change-text search in searchDir unless that is "".
func countedOver(tb testing.TB, x *index.Index, searchDir string) (http.Handler, *countedRecords) {
	tb.Helper()
	store := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	tb.Cleanup(func() { store.Close() })
	c := &countedRecords{Records: store}
	s, err := replay.New(replaytest.Over(tb, archive.Config{Index: x, Records: c}, searches.Config{Dir: searchDir}))
	if err != nil {
		tb.Fatal(err)
	}
	if searchDir != "" {
		if _, err := s.Searches().Build(context.Background(), "web", false, nil); err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() { _ = s.Searches().Close() })
	}
	return s.Handler(), c
}

// manyVersions is a page of n versions with one capture each. "smog" is in a hundredth of them, "pollution" in all.
func manyVersions(n int) []replaytest.Record {
	var life []replaytest.Record
	for i := range n {
		day := time.Date(1996, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(i) * 48 * time.Hour)
		words := "Clean air"
		if i%100 == 50 {
			words = "Smog"
		}
		body := replaytest.Paragraphs(fmt.Sprintf("%s on day %d.", words, i), "Air pollution is near.")
		life = append(life, replaytest.Record{Date: day.Format("20060102150405"), URI: slidingPage, Status: 200, Location: "", Body: body})
	}
	return life
}

func TestSlidingDiffOfThousandsOfVersions(t *testing.T) {
	const versions = 5000
	_, x := replaytest.Serve(t, replaytest.Write(t, manyVersions(versions)))
	t.Run("reading texts", func(t *testing.T) { costsWhatFewDo(t, x, versions) })
	t.Run("asking the search", func(t *testing.T) { findsHoweverFar(t, x) })
}

// The cost of a pair must not grow with the versions: neither the size of the page nor the number of records read.
func costsWhatFewDo(t *testing.T, x *index.Index, versions int) {
	h, records := countedOver(t, x, "")
	for _, c := range []struct {
		name    string
		params  []string
		index   int
		records int64 // upper bound
		says    string
	}{
		{"the newest", nil, versions - 2, 2, "<b>5,000 by text</b>"},
		{"the first", []string{"at", "1996"}, 0, 2, "<b>Change 1 of 4,999</b>"},
		{"in the middle", []string{"index", "2500"}, 2500, 2, "<b>Change 2,501 of 4,999</b>"},
		{"a word, from its newest change on", []string{"term", "smog"}, 4950, 2 + 3*2, "earlier change of"},
		{"a word that never changes", []string{"term", "pollution", "index", "2500"}, 2500, 2, "look further on"},
		{"a word that is nowhere", []string{"term", "nowhere", "index", "2500"}, 2500, 2, "look further on"},
		{"a phrase that never changes", []string{"term", `"air pollution"`, "index", "2500"}, 2500, 2 + 2*41, "look further on"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := records.opened.Load()
			w := replaytest.Get(t, h, slidingURI(append(c.params, "level", "text")...), "Accept", "text/html")
			if n := records.opened.Load() - before; n > c.records {
				t.Errorf("%d records are opened, want at most %d", n, c.records)
			}
			if n := w.Body.Len(); n > 24_000 {
				t.Errorf("the page has %d bytes", n)
			}
			if !strings.Contains(w.Body.String(), c.says) {
				t.Errorf("the page does not say %q", c.says)
			}
			if a := replaytest.Sliding(t, h, slidingURI(append(c.params, "level", "text")...)); a.Index != c.index || a.Versions != versions {
				t.Errorf("pair %d of %d versions, want %d", a.Index, a.Versions, c.index)
			}
		})
	}
}

// The index of the change-text search must know all changes of a word or phrase, however far away.
func findsHoweverFar(t *testing.T, x *index.Index) {
	h, records := countedOver(t, x, t.TempDir())
	before := records.opened.Load()
	for _, c := range []struct {
		term, index string
		prev, next  int // the pairs, -1 for none
	}{
		{"smog", "2500", 2450, 2549},
		{`"smog on day"`, "2500", 2450, 2549},
		{"pollution", "2500", -1, -1},
		{`"air pollution is near"`, "2500", -1, -1},
		{"nowhere", "2500", -1, -1},
		{"4711", "100", -1, 4710},
	} {
		a := replaytest.Sliding(t, h, slidingURI("term", c.term, "index", c.index, "level", "text"))
		for _, step := range []struct {
			to   *string
			want int
		}{{a.Term.Previous, c.prev}, {a.Term.Next, c.next}} {
			got := -1
			if step.to != nil {
				got = replaytest.Sliding(t, h, target(t, step.to)).Index
			}
			if got != step.want || a.Term.PreviousUnseen != nil || a.Term.NextUnseen != nil {
				t.Errorf("%s from pair %s: %d, want %d", c.term, c.index, got, step.want)
			}
		}
	}
	w := replaytest.Get(t, h, slidingURI("term", "smog", "level", "text"), "Accept", "text/html")
	if dots := strings.Count(w.Body.String(), " 2h0"); dots != 50 || w.Body.Len() > 24_000 {
		t.Errorf("%d dots on a page of %d bytes, want 50", dots, w.Body.Len())
	}
	if n := records.opened.Load() - before; n > 13*2 {
		t.Errorf("%d records are opened for 13 pairs", n)
	}
}

// What access rules block is passed over in the search for a word's changes, as what can't be read is.
func TestSlidingDiffPassesOverBlockedVersions(t *testing.T) {
	t.Parallel()
	var life []replaytest.Record
	for year, text := range map[int]string{
		2013: "salmon and trout", 2014: "trout in the mill", 2015: "salmon in the harbour", 2016: "carp in the harbour", 2017: "carp in winter",
	} {
		life = append(life, replaytest.Record{Date: fmt.Sprint(year, "0101000000"), URI: slidingPage, Status: 200, Body: "<p>" + text})
	}
	_, x := replaytest.Serve(t, replaytest.Write(t, life))
	store := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	t.Cleanup(func() { store.Close() })
	rules := &access.Policy{}
	s, err := replay.New(replay.Config{Archive: replaytest.Archive(t, archive.Config{Index: x, Records: store, Access: rules})})
	if err != nil {
		t.Fatal(err)
	}
	for _, term := range []string{"salmon", "trout"} { // so that all counts are cached
		for _, at := range []string{"0", "1", "2", "3"} {
			replaytest.Sliding(t, s.Handler(), slidingURI("term", term, "index", at))
		}
	}
	rules.Put(archivetest.Rules(t, `rules: [{url: "`+slidingPage+`", access: block, captured: {from: 2014, to: 2014}, say: "By order."}]`))
	w := replaytest.Get(t, s.Handler(), slidingURI("index", "1"), "Accept", "text/html")
	for _, want := range []string{
		`<section id="pair"`, `id="slider"`, `rel="prev"`, `rel="next"`, "This page may not be shown", ">By order.<",
	} {
		if w.Code != http.StatusUnavailableForLegalReasons || !strings.Contains(w.Body.String(), want) {
			t.Errorf("the page of a blocked version: %d, without %s: %s", w.Code, want, w.Body)
		}
	}
	if body := w.Body.String(); strings.Contains(body, "trout") || strings.Contains(body, "can&#39;t be read") ||
		strings.Contains(body, "a page with text") {
		t.Errorf("the page of a blocked version tells %s", body)
	}
	data := replaytest.Get(t, s.Handler(), slidingURI("index", "1"))
	if data.Code != http.StatusUnavailableForLegalReasons || strings.TrimSpace(data.Body.String()) != "By order" {
		t.Errorf("as data: %d %s", data.Code, data.Body)
	}
	for term, from := range map[string]string{"salmon": "2015", "trout": "2016", "winter": "2016"} {
		a := replaytest.Sliding(t, s.Handler(), slidingURI("term", term))
		if got := a.From.Datetime[:4]; got != from || a.Term.Previous != nil {
			t.Errorf("%s: the newest change is after %s, the one before it %v", term, got, replaytest.Value(a.Term.Previous))
		}
	}
}
