package change

import (
	"strings"
	"testing"
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
	named  Address
}

// pageDraft is the page that the others are compared with.
var pageDraft = draft{words: 1000, own: 1000, blocks: 10, size: 100, like: 128}

// sketch makes a draft a sketch; drafts of one kind share the minima that are not the page's.
func (d draft) sketch(id uint64) *Sketch {
	s := &Sketch{ID: id, Core: id, Words: d.words, Wall: d.wall, Address: d.named}
	for i := range max(d.blocks, 1) {
		fields := d.own / max(d.blocks, 1)
		s.Blocks = append(s.Blocks, BlockSketch{Hash: id<<8 + uint64(i), Said: id<<8 + uint64(i), Fields: uint32(fields), Size: uint32(d.size)})
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
	for i, d := range drafts {
		k := d.sketch(uint64(i + 1))
		s[k.ID] = k
		states = append(states, State{Time: 20200101000000, Status: 200, Text: k.ID})
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
	nameless := func(of int) draft { d := stranger; d.named, d.like = Unnamed, of; return d }
	labels := func(blocks, size int) draft { return draft{words: 100, own: 60, blocks: blocks, size: size, kind: 1} }
	prose := func(blocks int) draft { d := pageDraft; d.blocks = blocks; return d }
	front := func(words, like int) draft {
		return draft{words: words, own: 100, size: 200, kind: 1, named: Front, like: like}
	}
	home := pageDraft
	home.named = 9
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

// alternating has two drafts of strangers that are alike by n of 128 minima, between captures of the page.
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

// watched returns what a flicker finds volatile in a life of one page, written as one letter a block.
func watched(life string, fields map[rune]uint32) volatile {
	f := newFlicker()
	var captures []*Sketch
	for i, page := range strings.Fields(life) {
		s := &Sketch{ID: uint64(i + 1)}
		for _, r := range page {
			n := max(fields[r], 1)
			s.Words += int(n)
			s.Blocks = append(s.Blocks, BlockSketch{Hash: uint64(r), Said: uint64(r), Slot: uint32(r), Fields: n})
		}
		captures = append(captures, s)
	}
	f.watch(captures)
	return f.ofPage()
}

func TestEdgesOfVariants(t *testing.T) {
	long := map[rune]uint32{'T': 1000, 'v': 30, 'w': 31, 'p': 222, 'P': 224}
	for _, test := range []struct {
		name, life string
		block      rune
		want       bool
	}{
		{"came, went and came", "T Tv T Tv", 'v', true},
		{"went and came", "Tv T Tv", 'v', false},
		{"thirty words", "T Tv T Tv T", 'v', true},
		{"more", "T Tw T Tw T", 'w', false},
		{"with a tenth of the text", "T Tvq T Tvq T", 'v', true},
		{"with little else", "Tp Tv Tp Tv Tp", 'v', false},
	} {
		v := watched(test.life, long)
		if got := v.has(&BlockSketch{Hash: uint64(test.block), Said: uint64(test.block)}); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
	// 111 words of 1,000 and 1,111 are more than a tenth of both, 210 of 1,000 and 1,210 are less than that of 2,210.
	for words, want := range map[uint32]bool{20: true, 25: false} {
		v := watched("T Tv T Tv T", map[rune]uint32{'T': 100 - words/2, 'v': words})
		if got := v.has(&BlockSketch{Hash: 'v', Said: 'v'}); got != want {
			t.Errorf("%d words of %d that come and go: %v, want %v", words, 100-words/2, got, want)
		}
	}
}

func TestEdgesOfAddresses(t *testing.T) {
	page := func(before, within int) string {
		return strings.Repeat("<p>canonical</p>", before) + "<link rel=canonical " + strings.Repeat("x", within) +
			" href=https://h.example/rules>"
	}
	for _, test := range []struct {
		name string
		page string
		want bool
	}{
		{"the fourth", page(3, 1), true},
		{"the fifth", page(4, 1), false},
		{"a long element", page(0, 4000), true},
		{"a longer one", page(0, 4100), false},
		{"at 30 KB", strings.Repeat(" ", 30<<10) + page(0, 1), true},
		{"at 32 KB", strings.Repeat(" ", 32<<10) + page(0, 1), false},
	} {
		if got := addressOf([]byte(test.page)) != Unnamed; got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// textOf is a text of n bytes in words that say nothing of themselves.
func textOfSize(n int) string { return strings.Repeat("sailing ", n/8+1)[:n-1] + "x" }

// regionsOf reads a page and writes its blocks: M of the page's own text, N a notice, a dot beside it.
func regionsOf(page string) string {
	text := new(Extractor).Extract([]byte(page), "text/html")
	var out strings.Builder
	for _, b := range text.Blocks {
		out.WriteString(map[Region]string{Main: "M", Notice: "N", Margin: ".", Label: "L"}[b.Region])
	}
	return out.String()
}

func p(sizes ...int) (out string) {
	for _, n := range sizes {
		out += "<p>" + textOfSize(n) + "</p>"
	}
	return out
}

func div(of ...string) string { return "<div>" + strings.Join(of, "") + "</div>" }

func times(n int, s string) string { return strings.Repeat(s, n) }

func link(n int) string { return "<p><a href=x>" + textOfSize(n) + "</a></p>" }

func TestEdgesOfZones(t *testing.T) {
	cookies := func(of, all int) string {
		return div(times(of, "<p>A cookie is set here. "+textOfSize(100)+"</p>"), times(all-of, p(100)))
	}
	for _, test := range []struct{ name, page, want string }{
		{"500 bytes of prose have a container", div(p(250, 250)) + div(link(20)), "MM."},
		{"499 have none", div(p(250, 249)) + div(link(20)), "MMM"},
		{"prose has 100 bytes", div(p(400, 100)) + div(link(20)), "MM."},
		{"what has 99 is none", div(p(400, 99)) + div(link(20)), "MMM"},
		{"a tenth of the prose may stand beside", div(p(300, 300, 300)) + div(p(100), p(80)), "MMM." + "."},
		{"more is part of the page", div(p(300, 300, 300)) + div(p(101), p(80)), "MMM" + "MM"},
		{"three parts in a hundred may stand around", div(p(1700, 1700), p(98)) + div(p(20)), "MMM."},
		{"a menu of three in four bytes before the text", div(p(600, 100), "x"), "MMM"},
		{"eight links behind the text are a site map", div(p(600), div(times(8, link(10))), p(20)), "M" + times(8, ".") + "M"},
		{"seven may be its sources", div(p(600), div(times(7, link(10))), p(20)), "M" + times(7, "M") + "M"},
		{"cookies explained in a quarter of the blocks", div(p(9000, 9000)) + cookies(2, 8), "MM" + times(8, ".")},
		{"in fewer", div(p(9000, 9000)) + cookies(2, 9), "MM" + times(9, "M")},
		{"cookies named once", div(p(9000, 9000)) + div("<h4>Baking</h4>", cookies(1, 1)), "MMMM"},
		{"a remark behind eight times its text", div(p(640, 640)) + div(p(100, 60)), "MM.."},
		{"behind less", div(p(639, 640)) + div(p(100, 60)), "MMMM"},
		{"a remark of 500 bytes", div(p(3000, 3000)) + div(p(500)), "MM."},
		{"of more", div(p(3000, 3000)) + div(p(501)), "MMM"},
		{"a remark with a heading", div(p(600, 600)) + div("<h3>Last</h3>", p(140)), "MMMM"},
	} {
		if got := regionsOf(test.page); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}
