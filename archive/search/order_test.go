package search_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
)

// Pages as good as each other come in the order of their last captures, the newest first, and then of their addresses.
func TestOrderOfPages(t *testing.T) {
	t.Parallel()
	all := []search.Found{
		{Key: "a", Score: 1, Last: 2020, First: 2001, Versions: 2},
		{Key: "b", Score: 2, Last: 2019, First: 2003, Versions: 2},
		{Key: "c", Score: 1, Last: 2021, First: 2002, Versions: 1},
		{Key: "d", Score: 1, Last: 2020, First: 2000, Whole: true, Versions: 2},
		{Key: "e", Score: 1, Last: 2020, Still: true, Versions: 2},
	}
	for sort, want := range map[string]string{
		"": "d b c a e", "score": "d b c a e", "newest": "c a d e b", "oldest": "d a c b e", "first": "d a c b e", "-first": "b c a d e",
		"url": "a b c d e", "-url": "e d c b a", "versions": "c b a d e", "-versions": "b a d e c", "-still": "e b c a d", "still": "b c a d e",
	} {
		o, err := search.PageOrder(sort, nil)
		if err != nil {
			t.Fatal(sort, err)
		}
		pages := slices.Clone(all)
		for i := range pages {
			pages[i].PlaceBy(&o, fields.Column{})
		}
		slices.SortFunc(pages, func(a, b search.Found) int { return o.Compare(&a, &b) })
		var got []string
		for _, p := range pages {
			got = append(got, p.Key)
		}
		if keys := strings.Join(got, " "); keys != want {
			t.Errorf("%q: %s, want %s", sort, keys, want)
		}
	}
}

func TestOrderOfChanges(t *testing.T) {
	t.Parallel()
	change := func(key string, size, countBefore int, score float64, gone bool) search.Hit {
		h := search.Hit{Score: score, CountBefore: countBefore}
		h.Key, h.Deleted, h.Gone, h.After = key, size, gone, 2020
		return h
	}
	older, newer := change("a", 9, 2, 1, false), change("a", 9, 2, 1, false)
	older.Before, newer.Before = 2018, 2019
	if by := (&search.Request{}).CompareChanges(&newer, &older); by >= 0 {
		t.Errorf("of two changes of a page in one second, the one after the newer version is compared as %d", by)
	}
	later := change("c", 5, 0, 1, false)
	later.After = 2021
	all := []search.Hit{change("a", 9, 2, 1, false), change("b", 1, 1, 2, false), later, change("d", 7, 3, 9, true)}
	for sort, want := range map[string]string{
		"": "b c a d", "newest": "c d b a", "oldest": "d b a c", "size": "b c d a", "-size": "a d c b", "count_before": "c b a d",
		"-count_before": "d a b c", "-whole": "d b c a", "url": "a b c d",
	} {
		o, err := search.ChangeOrder(sort)
		if err != nil {
			t.Fatal(sort, err)
		}
		req := search.Request{Order: o, Kind: search.Deleted}
		hits := slices.Clone(all)
		slices.SortFunc(hits, func(a, b search.Hit) int { return req.CompareChanges(&a, &b) })
		var got []string
		for i := range hits {
			got = append(got, hits[i].Key)
		}
		if keys := strings.Join(got, " "); keys != want {
			t.Errorf("%q: %s, want %s", sort, keys, want)
		}
	}
}

func TestOrdersThatThereAreNot(t *testing.T) {
	t.Parallel()
	columns := []fields.Column{{Name: "price"}}
	for name, pages := range map[string]bool{
		"price": true, "-price": true, "before": false, "-size": false, "--url": false, "memento": true, "field": false,
	} {
		if _, err := search.PageOrder(name, columns); (err == nil) != pages {
			t.Errorf("pages by %s: %v", name, err)
		}
	}
	if _, err := search.ChangeOrder("nothing"); err == nil || !strings.HasSuffix(err.Error(),
		": url, title, before, after, count_before, count_after, size, whole") {
		t.Errorf("what there is instead: %v", err)
	}
	for name, changes := range map[string]bool{
		"before": true, "-size": true, "price": false, "first": false, "status": false, "whole": true, "url": true, "title": true,
	} {
		if _, err := search.ChangeOrder(name); (err == nil) != changes {
			t.Errorf("changes by %s: %v", name, err)
		}
	}
}
