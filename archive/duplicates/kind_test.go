package duplicates

import (
	"fmt"
	"slices"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
)

// Captures with one text, and those of an edge, are compared in both directions.
func TestTheFarthestKindOfAGroup(t *testing.T) {
	of := func(keys ...string) (captures []cdx.Capture) {
		for _, k := range keys {
			captures = append(captures, cdx.Capture{Key: k})
		}
		return captures
	}
	const one, two, other = "example,a)/1", "example,a)/2", "example,b)/1"
	for name, tt := range map[string]struct {
		texts [][]cdx.Capture
		whole bool
		want  Kind
	}{
		"one text":                        {[][]cdx.Capture{of(one, one)}, true, Version},
		"of two addresses":                {[][]cdx.Capture{of(one, two)}, true, Copy},
		"of two hosts":                    {[][]cdx.Capture{of(one, two, other)}, true, Mirror},
		"two texts":                       {[][]cdx.Capture{of(one), of(one)}, true, Version},
		"two texts of two addresses":      {[][]cdx.Capture{of(one), of(two)}, true, Copy},
		"two texts of two hosts":          {[][]cdx.Capture{of(one), of(other)}, true, Mirror},
		"with other furniture":            {[][]cdx.Capture{of(one), of(two)}, false, Article},
		"with it, of one address":         {[][]cdx.Capture{of(one), of(one)}, false, Version},
		"the second of the second text":   {[][]cdx.Capture{of(one, one), of(one, two)}, false, Article},
		"the second of the first of them": {[][]cdx.Capture{of(one, two), of(one, one)}, false, Article},
	} {
		g := Group{texts: tt.texts}
		if len(tt.texts) == 2 {
			g.edges = []edge{{a: 0, b: 1, whole: tt.whole}}
		}
		if got := g.farthest(); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

func TestTheShareOfFurniture(t *testing.T) {
	for _, tt := range []struct {
		a, b map[uint32]uint32
		want float64
	}{
		{nil, nil, 1},
		{map[uint32]uint32{1: 2}, nil, 0},
		{nil, map[uint32]uint32{1: 2}, 0},
		{map[uint32]uint32{1: 2}, map[uint32]uint32{1: 2}, 1},
		{map[uint32]uint32{1: 1, 2: 2}, map[uint32]uint32{1: 2, 3: 4}, 0.125},
	} {
		if got := alike(tt.a, tt.b); got != tt.want {
			t.Errorf("%v and %v: %f, want %f", tt.a, tt.b, got, tt.want)
		}
	}
}

// Blank pictures are at so many addresses that nobody can go through their pairs one by one.
func TestPairsFarBehind(t *testing.T) {
	const n = 50_000
	same := make([]cdx.Capture, n)
	for i := range same {
		same[i] = cdx.Capture{Key: fmt.Sprintf("example,a)/%05d", i)}
	}
	more := append([]cdx.Capture{{Key: "example,b)/"}}, same...)
	for name, tt := range map[string]struct {
		group Group
		total int
	}{
		"of one text":  {Group{texts: [][]cdx.Capture{same}}, n * (n - 1) / 2},
		"of two texts": {Group{texts: [][]cdx.Capture{same, more}, edges: []edge{{a: 0, b: 1}}, across: true}, n*(n-1)/2 + (n+1)*n/2 + n*n},
	} {
		f := &Found{Groups: []Group{tt.group}}
		list := f.ListPairs(memento.URIs{}, tt.total-2, 10)
		if list.Total != tt.total || len(list.Pairs) != 2 {
			t.Errorf("%s: %d pairs of %d, the last of %d", name, list.Total, tt.total, len(list.Pairs))
		}
	}
}

// The shares of hosts are bounded: a text of very many hosts makes no more than so many pairs of them, and those that are counted are
// counted to the end.
func TestSharesAreOfAtMostSoManyHosts(t *testing.T) {
	captures := func(path string, hosts int) (out []cdx.Capture) {
		for i := range hosts {
			out = append(out, cdx.Capture{Key: fmt.Sprintf("example,h%02d)/%s", i, path)})
		}
		return out
	}
	for _, tt := range []struct{ hosts, pairs int }{{1, 0}, {2, 1}, {14, 91}, {15, 100}, {20, 100}, {21, 100}} {
		counter := hostCounter{}
		counter.add(captures("1", tt.hosts))
		counter.add(captures("2", tt.hosts), captures("3", min(tt.hosts, 2)))
		if len(counter) != tt.pairs {
			t.Errorf("%d hosts: %d pairs, want %d", tt.hosts, len(counter), tt.pairs)
		}
		both := counter[[2]string{"h00.example", "h01.example"}]
		if tt.pairs > 0 && (len(both["h00.example"]) != 3 || len(both["h01.example"]) != 3) {
			t.Errorf("%d hosts: the first two have in common %v", tt.hosts, both)
		}
	}
}

// Of a text that very many hosts have, the hosts behind the first twenty are not counted, even if an earlier text made a pair of them.
func TestHostsBehindTheFirstAreNotCounted(t *testing.T) {
	var many []cdx.Capture
	for i := range maxAlikeHosts + 2 {
		many = append(many, cdx.Capture{Key: fmt.Sprintf("example,h%02d)/2", i)})
	}
	counter := hostCounter{}
	counter.add([]cdx.Capture{{Key: "example,h18)/1"}, {Key: "example,h19)/1"}}, nil)
	counter.add([]cdx.Capture{{Key: "example,h20)/1"}, {Key: "example,h21)/1"}})
	counter.add(many)
	for pair, want := range map[[2]string]int{{"h18.example", "h19.example"}: 2, {"h20.example", "h21.example"}: 1} {
		if got := len(counter[pair][pair[0]]); got != want {
			t.Errorf("%q: %d pages in common, want %d", pair, got, want)
		}
	}
}

// Wherever the list begins, the rest of the pairs follows.
func TestPairsAfterOthers(t *testing.T) {
	of := func(keys ...string) (captures []cdx.Capture) {
		for _, k := range keys {
			captures = append(captures, cdx.Capture{Key: k})
		}
		return captures
	}
	for _, across := range []bool{false, true} {
		g := Group{
			texts:  [][]cdx.Capture{of("a", "b", "c"), of("b", "d"), of("a")},
			edges:  []edge{{a: 0, b: 1}, {a: 2, b: 0}, {a: 1, b: 2}},
			across: across,
		}
		named := func(from int) (names []string) {
			for p := range g.pairsFrom(from) {
				names = append(names, p.A.Key+p.B.Key)
			}
			return names
		}
		all := named(0)
		want := []string{"ab", "ac", "bc", "bd", "ab", "ad", "bb", "bd", "cb", "cd", "aa", "ab", "ac", "ba", "da"}
		if across {
			want = []string{"ab", "ac", "bc", "bd", "ab", "ad", "bd", "cb", "cd", "ab", "ac", "ba", "da"}
		}
		if !slices.Equal(all, want) || g.pairs() != len(want) {
			t.Errorf("%d pairs %q, want %q", g.pairs(), all, want)
		}
		for most := 1; most <= len(all); most++ { // whoever wants no more gets no more
			n := 0
			for range g.pairsFrom(0) {
				if n++; n == most {
					break
				}
			}
			if n != most {
				t.Errorf("%d pairs, want %d", n, most)
			}
		}
		for from := range len(all) + 2 {
			if got := named(from); !slices.Equal(got, all[min(from, len(all)):]) {
				t.Errorf("after %d of %q: %q", from, all, got)
			}
		}
	}
}

// Captures in groups and pairs of texts are bounded together; what was found until then is told.
func TestSoManyCapturesAreFound(t *testing.T) {
	var records []archivetest.Record
	for i := range 4 {
		text := archivetest.Prose([]string{"acid rain harms the lakes", "snow fell on the hills"}[i/2])
		records = append(records, archivetest.On("2020", fmt.Sprintf("http://a.example/%d", i), text))
	}
	shelf := archivetest.Keep(t, records...)
	a, err := archive.New(archive.Config{Index: shelf.Index, Records: shelf})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		captures, edges int // that were found before
		texts           int
		cut             bool
	}{
		{0, 0, 2, false}, {MaxCaptures - 3, 0, 2, false}, {MaxCaptures - 2, 0, 1, true}, {MaxCaptures - 3, 1, 1, true}, {0, MaxCaptures, 0, true},
	} {
		f := finder{
			archive: a, query: Query{Coll: "web", Threshold: 0.9}, at: map[uint64]int{}, total: tt.captures, edges: make([]edge, tt.edges),
		}
		if err := f.texts(t.Context()); err != nil || len(f.shown) != tt.texts || f.cut != tt.cut {
			t.Errorf("after %d captures and %d pairs: %d texts, cut? %t, %v", tt.captures, tt.edges, len(f.shown), f.cut, err)
		}
	}
}
