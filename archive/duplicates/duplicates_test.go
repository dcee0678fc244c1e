package duplicates_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/duplicates"
	"github.com/varve-archive/varve/memento"
)

const (
	acid = "Acid rain damages forests and lakes far away from the chimneys that caused it, and it takes decades until fish return to " +
		"the water."
	snow = "Snow fell on the hills for nine days without a break, and the railway over the pass was closed until the end of the month."
)

// page returns a page with an article in the furniture of a site.
func page(site, article string) string {
	return "<!doctype html><title>" + article[:9] + "</title><nav>Home " + site + " news, " + site + " weather, " + site +
		" shop</nav><main><p>" + article + "</p></main><footer>All rights with " + site + " of " + site + " street</footer>"
}

func found(t *testing.T, q duplicates.Query, records ...archivetest.Record) *duplicates.Found {
	t.Helper()
	for i := range records {
		records[i].Date = fmt.Sprintf("2020010100%02d00", i)
	}
	a, _ := open(t, records...)
	q.Coll = "web"
	f, err := duplicates.Find(t.Context(), a, q)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func groups(f *duplicates.Found) (out []string) {
	for _, g := range append(f.List(memento.URIs{Coll: "web"}, 0, 100).Groups, f.List(memento.URIs{Coll: "web"}, 0, 100).Pictures...) {
		var urls []string
		for _, c := range g.Captures {
			urls = append(urls, strings.TrimPrefix(c.OriginalURI, "http://"))
		}
		if !slices.IsSortedFunc(g.Captures, func(a, b duplicates.CaptureItem) int { return strings.Compare(a.Datetime, b.Datetime) }) {
			out = append(out, "not in the order of time")
		}
		slices.Sort(urls)
		line := g.Kind + ": " + strings.Join(urls, " ")
		for _, h := range g.Hosts {
			line += fmt.Sprintf(" (%s %d/%d, %s %d/%d)", h[0].Host, h[0].Alike, h[0].Of, h[1].Host, h[1].Alike, h[1].Of)
		}
		out = append(out, line)
	}
	return out
}

func TestGroups(t *testing.T) {
	t.Parallel()
	at := func(uri, body string) archivetest.Record { return archivetest.Record{URI: "http://" + uri, Body: body} }
	changed := strings.Replace(acid, "decades", "many years", 1)
	for name, tt := range map[string]struct {
		across  bool
		records []archivetest.Record
		want    []string
	}{
		"nothing is alike": {false, []archivetest.Record{at("a.example/1", page("a", acid)), at("a.example/2", page("a", snow))}, nil},
		"a mirror, with the hosts' share": {false, []archivetest.Record{
			at("a.example/1", page("a", acid)), at("b.example/1", page("a", acid)), at("b.example/2", page("a", snow)),
		}, []string{"mirror: a.example/1 b.example/1 (a.example 1/1, b.example 1/2)"}},
		"a mirror beside a missing page": {false, []archivetest.Record{
			at("a.example/1", page("a", acid)), at("b.example/1", page("a", acid)), {URI: "http://b.example/2", Status: 404, Body: page("a", snow)},
		}, []string{"mirror: a.example/1 b.example/1 (a.example 1/1, b.example 1/1)"}},
		"nothing around either": {
			false,
			[]archivetest.Record{at("a.example/1", "<p>"+acid+snow), at("b.example/1", "<p>"+changed+snow)},
			[]string{"mirror: a.example/1 b.example/1 (a.example 1/1, b.example 1/1)"},
		},
		"a large group before a small one": {false, []archivetest.Record{
			at("a.example/1", page("a", acid)), at("a.example/2", page("a", acid)),
			at("a.example/3", page("a", snow)), at("a.example/4", page("a", snow)), at("a.example/5", page("a", snow)),
		}, []string{"copy: a.example/3 a.example/4 a.example/5", "copy: a.example/1 a.example/2"}},
		"a large one of the other text": {false, []archivetest.Record{
			at("a.example/1", page("a", snow)), at("a.example/2", page("a", snow)),
			at("a.example/3", page("a", acid)), at("a.example/4", page("a", acid)), at("a.example/5", page("a", acid)),
		}, []string{"copy: a.example/3 a.example/4 a.example/5", "copy: a.example/1 a.example/2"}},
		"a mirror that was stored as a revisit": {false, []archivetest.Record{
			at("a.example/1", page("a", acid)),
			{URI: "http://b.example/1", Type: "revisit", Body: page("a", acid)},
			{URI: "http://a.example/1", Type: "revisit", Body: page("a", acid)},
		}, []string{"mirror: a.example/1 b.example/1 (a.example 1/1, b.example 1/1)"}},
		"a copy on the host": {
			false,
			[]archivetest.Record{at("a.example/1", page("a", acid)), at("a.example/print", page("a", acid))},
			[]string{"copy: a.example/1 a.example/print"},
		},
		"the article elsewhere": {
			false,
			[]archivetest.Record{at("a.example/1", page("alder", acid)), at("b.example/1", page("birch", acid))},
			[]string{"article: a.example/1 b.example/1"},
		},
		"two versions": {
			false,
			[]archivetest.Record{at("a.example/1", page("a", acid)), at("a.example/1", page("a", changed))},
			[]string{"version: a.example/1 a.example/1"},
		},
		"no versions across": {true, []archivetest.Record{at("a.example/1", page("a", acid)), at("a.example/1", page("a", changed))}, nil},
		"similar mirrors are one group": {false, []archivetest.Record{
			at("a.example/1", page("a", acid)), at("b.example/1", page("a", acid)), at("c.example/1", page("a", changed)),
		}, []string{"mirror: a.example/1 b.example/1 c.example/1 (a.example 1/1, b.example 1/1) (a.example 1/1, c.example 1/1) " +
			"(b.example 1/1, c.example 1/1)"}},
		"mirrors of a host by two others": {false, []archivetest.Record{
			at("a.example/1", page("a", acid)), at("b.example/1", page("a", acid)),
			at("a.example/2", page("a", snow)), at("c.example/2", page("a", snow)), at("a.example/3", page("a", snow)),
		}, []string{
			"mirror: a.example/2 a.example/3 c.example/2 (a.example 2/3, c.example 1/1)",
			"mirror: a.example/1 b.example/1 (a.example 1/3, b.example 1/1)",
		}},
		"a picture whose bytes were sent as text too": {false, []archivetest.Record{
			{URI: "http://a.example/x.png", Body: "\x89PNG\r\n\x1a\n1", Head: "Content-Type: image/png\n"},
			{URI: "http://b.example/x.png", Body: "\x89PNG\r\n\x1a\n1", Head: "Content-Type: text/plain\n"},
		}, nil},
		"equal pictures": {false, []archivetest.Record{
			{URI: "http://a.example/x.png", Body: "\x89PNG\r\n\x1a\n1", Head: "Content-Type: image/png\n"},
			{URI: "http://b.example/y.png", Body: "\x89PNG\r\n\x1a\n1", Head: "Content-Type: image/png\n"},
			{URI: "http://b.example/z.png", Body: "\x89PNG\r\n\x1a\n2", Head: "Content-Type: image/png\n"},
		}, []string{"picture: a.example/x.png b.example/y.png"}},
		"equal pictures that were stored as revisits": {false, []archivetest.Record{
			{URI: "http://a.example/x.png", Body: "\x89PNG\r\n\x1a\n1", Head: "Content-Type: image/png\n"},
			{URI: "http://b.example/y.png", Type: "revisit", Body: "\x89PNG\r\n\x1a\n1", Head: "Content-Type: image/png\n"},
			{URI: "http://c.example/z.png", Type: "revisit", Body: "\x89PNG\r\n\x1a\n1", Head: "Content-Type: image/png\n"},
			{URI: "http://a.example/x.png", Type: "revisit", Body: "\x89PNG\r\n\x1a\n1", Head: "Content-Type: image/png\n"},
		}, []string{"picture: a.example/x.png b.example/y.png c.example/z.png"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, groups(found(t, duplicates.Query{Threshold: 0.6, Across: tt.across}, tt.records...))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Of n pages with one text there are n(n-1)/2 pairs, each once, wherever the list begins and ends.
func TestAllPairs(t *testing.T) {
	t.Parallel()
	var records []archivetest.Record
	for i := range 6 {
		records = append(records, archivetest.Record{URI: fmt.Sprintf("http://a.example/%d", i), Body: page("a", acid)})
	}
	like := page("a", strings.Replace(acid, "decades", "many years", 1))
	records = append(records, archivetest.Record{URI: "http://a.example/like", Body: like})
	f := found(t, duplicates.Query{Threshold: 0.6}, records...)
	uris := memento.URIs{Coll: "web"}
	all := f.ListPairs(uris, 0, 1000)
	if all.Total != 15+6 || len(all.Pairs) != all.Total {
		t.Fatalf("%d pairs of %d", len(all.Pairs), all.Total)
	}
	seen := map[string]bool{}
	for _, p := range all.Pairs {
		seen[p.Captures[0].URIM+" "+p.Captures[1].URIM] = true
	}
	if len(seen) != all.Total {
		t.Errorf("%d different pairs", len(seen))
	}
	part := f.ListPairs(uris, 13, 4)
	if diff := cmp.Diff(all.Pairs[13:17], part.Pairs); diff != "" || part.Total != all.Total {
		t.Error(diff)
	}
}

// Equal pictures are as similar as can be, in their group and as pairs.
func TestEqualPicturesAreWhollySimilar(t *testing.T) {
	t.Parallel()
	f := found(t, duplicates.Query{Threshold: 0.6}, several()...)
	groups, pairs := f.List(memento.URIs{Coll: "web"}, 0, 100).Pictures, f.ListPairs(memento.URIs{Coll: "web"}, 0, 100).Pairs
	for _, g := range groups {
		if g.Similarity != 1 {
			t.Errorf("a group of similarity %v", g.Similarity)
		}
	}
	for _, p := range pairs {
		if p.Kind == "picture" && p.Similarity != 1 {
			t.Errorf("a pair of similarity %v", p.Similarity)
		}
	}
	if len(groups) != 2 {
		t.Errorf("%d groups", len(groups))
	}
}

// Texts that differ in numbers alone are as alike as texts that differ can be.
func TestTextsThatDifferAreNotEqual(t *testing.T) {
	t.Parallel()
	found := found(t, duplicates.Query{Threshold: 0.6},
		archivetest.Record{URI: "http://a.example/1", Body: page("a", acid+" Item 10.")},
		archivetest.Record{URI: "http://b.example/2", Body: page("a", acid+" Item 32.")})
	if len(found.Groups) != 1 || found.Groups[0].Similarity >= 1 {
		t.Errorf("%+v", found.Groups)
	}
}
