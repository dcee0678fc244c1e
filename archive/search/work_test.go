package search_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/search"
)

// longPages returns pages with long histories. All have "rain" and "falls", every
// second one after the other.
func longPages(n int) *fake {
	r := rand.New(rand.NewPCG(17, 17))
	f := &fake{pages: map[string][]string{}}
	for page := range n {
		words := []string{"rain", "falls"}
		if page%2 == 1 {
			words = []string{"falls", "rain"}
		}
		for range 2000 {
			words = append(words, fmt.Sprintf("w%d", r.IntN(1_000_000)))
		}
		f.pages[fmt.Sprintf("org,example)/%02d", page)] = []string{strings.Join(words, " ")}
	}
	return f
}

// What a bound on the work leaves out is counted, and is the same however many cores there are.
func TestBoundedWork(t *testing.T) {
	const pages = 40
	f := longPages(pages)
	x := open(t, "")
	update(t, x, f)
	request := search.PresentRequest{All: clauses([]search.Phrase{{"rain", "falls"}}), Limit: pages}
	ask := func(work int64) *search.PresentAnswer {
		t.Helper()
		req := request
		req.Work = work
		a, err := x.Present(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	if a := ask(0); a.Total != pages/2 || a.Untold != 0 {
		t.Errorf("without a bound: %d found, %d untold", a.Total, a.Untold)
	}
	if a := ask(1 << 30); a.Total != pages/2 || a.Untold != 0 {
		t.Errorf("with room for all: %d found, %d untold", a.Total, a.Untold)
	}
	least, some := ask(1), ask(200<<10)
	if least.Untold == 0 || least.Untold <= some.Untold || some.Untold == 0 || some.Total <= least.Total || some.Total+some.Untold < pages/2 {
		t.Errorf("with hardly any work: %d found, %d untold; with some: %d and %d", least.Total, least.Untold, some.Total, some.Untold)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(7))
	if d := cmp.Diff(summaryOf(some), summaryOf(ask(200<<10))); d != "" {
		t.Errorf("on several cores:\n%s", d)
	}
	q, _ := search.Parse(`"rain falls"`)
	if n, untold, err := x.Totals(t.Context(), search.Request{Query: q, Work: 300 << 10}); err != nil || untold == 0 || n[search.Added] == 0 {
		t.Errorf("totals with some work: %v, %d untold, %v", n, untold, err)
	}
}

// A page that never changed has lost nothing, and nothing of it is read to know that.
func TestPagesOfOneVersionHaveLostNothing(t *testing.T) {
	t.Parallel()
	f := longPages(40)
	f.pages["org,example)/changed"] = []string{"here rain falls", "here it falls"}
	x := open(t, "")
	update(t, x, f)
	q, _ := search.Parse(`"rain falls"`)
	a, err := x.Search(t.Context(), search.Request{Query: q, Kind: search.Deleted, Limit: 3, Work: 1})
	if err != nil || a.Total != 1 || a.Untold != 0 {
		t.Errorf("%+v, %v", a, err)
	}
}
