package change

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/cdx"
)

// A draft is a sketch with chosen numbers, on either side of a threshold.
type draft struct {
	words  int
	own    int // words that no other page has, in one block unless blocks says otherwise
	blocks int
	size   int // of each block, in bytes
	like   int // of 128 shingle minima, how many are those of the page
	kind   uint16
	wall   bool
	named  visible.Address
	enters bool
	status int // 200 unless another is given
	beside bool
}

// pageDraft is the page that the others are compared with.
var pageDraft = draft{words: 1000, own: 1000, blocks: 10, size: 100, like: 128}

// sketch makes a draft a sketch; drafts of one kind share the minima that are not the page's.
func (d draft) sketch(id uint64) *sketch.Sketch {
	s := &sketch.Sketch{ID: id, Core: id, Words: d.words, Wall: d.wall, Address: d.named, Enters: d.enters}
	for i := range max(d.blocks, 1) {
		fields := d.own / max(d.blocks, 1)
		hash := id<<8 + uint64(i)
		s.Blocks = append(s.Blocks, sketch.Block{Hash: hash, NormalHash: hash, Fields: uint32(fields), Size: uint32(d.size)})
	}
	for i := range s.MinHash {
		s.MinHash[i] = 1
		if i >= d.like {
			s.MinHash[i] = 100 + d.kind
		}
	}
	return s
}

// failedOf says, a letter a capture, which of them failed (x), are gone (g) or were shown (-).
func failedOf(t *testing.T, drafts ...draft) string {
	t.Helper()
	s := shelf{}
	var states []State
	for _, d := range drafts {
		k := d.sketch(uint64(slices.Index(drafts, d) + 1))
		s[k.ID] = k
		states = append(states, State{Time: 20200101000000, Status: max(d.status, 200), Text: k.ID, Beside: d.beside})
	}
	c, err := newComparer(LevelContent, &Window{States: states, To: len(states)}, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for i := range states {
		out.WriteString(map[bool]string{true: "x"}[c.failed[i]] + map[bool]string{true: "g"}[c.kinds[i] == Missing] +
			map[bool]string{true: "-"}[c.kinds[i] == Page])
	}
	return out.String()
}

func TestEdgesOfFailedCaptures(t *testing.T) {
	wall := func(own, page int) []draft {
		p := pageDraft
		p.own, p.blocks = page, 1
		return []draft{p, {words: own, own: own, wall: true, kind: 1}, p}
	}
	stranger := draft{words: 500, own: 100, size: 200, kind: 1, named: 7}
	like := func(n int) draft { d := stranger; d.like = n; return d }
	page := func(n int) draft { d := pageDraft; d.like = n; return d }
	words := func(n int) draft { d := stranger; d.words = n; return d }
	rows := func(n int) (all []draft) {
		all = append(all, pageDraft)
		for i := range n {
			d := stranger
			d.kind = uint16(i + 1)
			all = append(all, d)
		}
		return append(all, pageDraft)
	}
	nameless := func(of int) draft { d := stranger; d.named, d.like = visible.Unnamed, of; return d }
	labels := func(blocks, size int) draft { return draft{words: 100, own: 60, blocks: blocks, size: size, kind: 1} }
	prose := func(blocks int) draft { d := pageDraft; d.blocks = blocks; return d }
	front := func(words, like int) draft {
		return draft{words: words, own: 100, size: 200, kind: 1, named: visible.Front, like: like}
	}
	home, missing := pageDraft, pageDraft
	home.named, missing.status, missing.kind, missing.like = visible.Named, 404, 9, 0
	named := func(a visible.Address) draft { d := pageDraft; d.named = a; return d }
	asks := func(d draft) draft { d.enters = true; return d }
	empty := func(words int) draft { return draft{words: words, kind: 1} }
	beside := func(d draft) draft { d.beside = true; return d }
	walls, halfway := draft{words: 5, own: 5, wall: true, kind: 1}, page(64)
	other := draft{words: 500, own: 100, size: 200, named: 7} // like the half of halfway that isn't the page's
	for _, test := range []struct {
		name   string
		drafts []draft
		want   string
	}{
		{"a wall of a third of the page", wall(100, 300), "-x-"},
		{"a wall of more than a third", wall(101, 300), "---"},
		{"a wall beside thirty words", wall(5, 30), "-x-"},
		{"a wall beside fewer", wall(5, 29), "---"},
		{"another text that is like the page by 25 of 128", []draft{pageDraft, like(25), pageDraft}, "-x-"},
		{"by 26", []draft{pageDraft, like(26), pageDraft}, "---"},
		{"half as long", []draft{pageDraft, words(500), pageDraft}, "-x-"},
		{"longer than half", []draft{pageDraft, words(501), pageDraft}, "---"},
		{"a page that comes back with half of it", []draft{pageDraft, stranger, page(64)}, "-x-"},
		{"with less", []draft{pageDraft, stranger, page(63)}, "---"},
		{"four in a row", rows(4), "-xxxx-"},
		{"five in a row", rows(5), "-------"},
		{"two alike by 90 of 128 that say no address", []draft{pageDraft, nameless(0), pageDraft, nameless(0), pageDraft}, "-x-x-"},
		{"once", []draft{pageDraft, nameless(0), pageDraft}, "---"},
		{"six labels", []draft{pageDraft, labels(6, 99), pageDraft}, "-x-"},
		{"five labels", []draft{pageDraft, labels(5, 99), pageDraft}, "---"},
		{"six paragraphs", []draft{pageDraft, labels(6, 100), pageDraft}, "---"},
		{"labels beside five paragraphs", []draft{prose(5), labels(6, 10), prose(5)}, "-x-"},
		{"labels beside four", []draft{prose(4), labels(6, 10), prose(4)}, "---"},
		{"a missing page between walls", []draft{pageDraft, walls, missing, walls, pageDraft}, "-xgx-"},
		{"a missing page beside a text of another address", []draft{pageDraft, missing, stranger, pageDraft}, "-gx-"},
		{"what no URI-M shows, between walls", []draft{pageDraft, walls, beside(pageDraft), walls, pageDraft}, "-x-x-"},
		{"what no URI-M shows beside a text of another address", []draft{pageDraft, beside(missing), stranger, pageDraft}, "-gx-"},
		{"nothing own, half as long as the page", []draft{pageDraft, empty(500), pageDraft}, "-x-"},
		{"longer than half of it", []draft{pageDraft, empty(501), pageDraft}, "---"},
		{"a text like the page before only", []draft{halfway, other, pageDraft}, "---"},
		{"after only", []draft{pageDraft, other, halfway}, "---"},
		{"it asks for a login", []draft{pageDraft, asks(nameless(0)), pageDraft}, "-x-"},
		{"so does the page before", []draft{asks(pageDraft), asks(nameless(0)), pageDraft}, "---"},
		{"or after", []draft{pageDraft, asks(nameless(0)), asks(pageDraft)}, "---"},
		{"no address instead of one", []draft{home, nameless(0), home}, "---"},
		{"the address of the page before", []draft{named(7), stranger, pageDraft}, "---"},
		{"of the page after", []draft{pageDraft, stranger, named(7)}, "---"},
		{"one within others", []draft{
			pageDraft, nameless(0), {words: 250, own: 50, size: 200, kind: 2}, nameless(0), pageDraft,
		}, "-x-x-"},
		{"the front page for good", []draft{home, front(500, 0)}, "-g"},
		{"as long as the page", []draft{home, front(501, 0)}, "--"},
		{"like the page by 25 of 128", []draft{home, front(500, 25)}, "-g"},
		{"by 26, the front page", []draft{home, front(500, 26)}, "--"},
	} {
		if got := failedOf(t, test.drafts...); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// Data and answers without content are no page, where there is one.
func TestWhatIsNoPage(t *testing.T) {
	page, data, none := State{Status: 200, Text: 1}, State{Status: 200, Data: true}, State{Status: 204}
	missing, beside := State{Status: 404, Data: true}, State{Status: 204, Beside: true}
	other, said := State{Status: 200, Text: 2}, State{Status: 200, Text: 3, Data: true}
	unlike := func(kind uint16) draft { return draft{words: 500, own: 100, size: 200, kind: kind} }
	late := func(s State) State { s.Time = 1000000; return s } // a day and a second
	later := func(s State) State { s.Time = 2000000; return s }
	for _, test := range []struct {
		states []State
		want   string
	}{
		{[]State{page, data, page, none}, "[0-2/4 page 200] [1 3]"},
		{[]State{page, missing, page}, "[0-0/1 page 200] [] [1-1/1 missing 404] [] [2-2/1 page 200] []"},
		{[]State{page, beside, page}, "[0-2/3 page 200] []"},
		{[]State{none, none}, "[0-1/2 resource 204] []"},
		{[]State{page, said, page, other, said}, "[0-2/3 page 200] [1] [3-3/2 page 200] [4]"},
		{[]State{said, page}, "[0-0/1 error 200] [0] [1-1/1 page 200] []"},
		{[]State{said, said}, "[0-1/2 page 200] []"},
		{[]State{page, late(said)}, "[0-0/1 page 200] [] [1-1/1 page 200] []"},
		{[]State{page, late(said), later(page)}, "[0-2/3 page 200] [1]"},
		{[]State{page, late(other), later(page)}, "[0-0/1 page 200] [] [1-1/1 page 200] [] [2-2/1 page 200] []"},
		{[]State{said, late(other), later(said)}, "[0-0/1 page 200] [] [1-1/1 page 200] [] [2-2/1 page 200] []"},
		{[]State{said, late(page)}, "[0-0/1 page 200] [] [1-1/1 page 200] []"},
	} {
		for i := range test.states {
			test.states[i].Time += cdx.Timestamp(20200101000000 + i)
			if test.states[i].Beside {
				test.states[i].Time--
			}
		}
		all, err := Ranges(LevelContent, test.states, shelf{1: pageDraft.sketch(1), 2: unlike(1).sketch(2), 3: unlike(2).sketch(3)}, nil)
		var got []string
		for _, r := range all {
			got = append(got, fmt.Sprint(lines([]Range{r}), " ", r.Unshown))
		}
		if got := strings.Join(got, " "); got != test.want || err != nil {
			t.Errorf("%+v: %s, want %s (%v)", test.states, got, test.want, err)
		}
	}
}

// Two drafts of strangers that are alike by n of 128 minima come between captures of the page.
func TestStrangersThatReturnAreAlike(t *testing.T) {
	for n, want := range map[int]string{90: "-x-x-", 89: "-----"} {
		a, b := draft{words: 500, own: 100, size: 200, kind: 1}, draft{words: 500, own: 100, size: 200, kind: 2}
		s := shelf{}
		var states []State
		for i, d := range []draft{pageDraft, a, pageDraft, b, pageDraft} {
			k := d.sketch(uint64(i + 1))
			if i == 3 {
				for j := range n {
					k.MinHash[j] = 101
				}
			}
			s[k.ID] = k
			states = append(states, State{Time: 20200101000000, Status: 200, Text: k.ID})
		}
		c, err := newComparer(LevelContent, &Window{States: states, To: len(states)}, s, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for i := range states {
			got += map[bool]string{true: "x", false: "-"}[c.failed[i]]
		}
		if got != want {
			t.Errorf("alike by %d: %s, want %s", n, got, want)
		}
	}
}

func TestInterludesAreComparedWithSixteenOnEitherSide(t *testing.T) {
	for between, want := range map[int]string{15: "x", 16: "-"} {
		drafts := []draft{pageDraft}
		for i := range between + 2 {
			d := draft{words: 500, own: 100, size: 200, kind: uint16(i + 1)}
			if i == between+1 {
				d.kind = 1
			}
			drafts = append(drafts, d, pageDraft)
		}
		if got := failedOf(t, drafts...); got[1:2] != want || got[len(got)-2:len(got)-1] != want || strings.Count(got, "x") > 2 {
			t.Errorf("%d others between two alike: %s", between, got)
		}
	}
}
