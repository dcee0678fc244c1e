package sketch

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/content/hashing"
	"github.com/varve-archive/varve/archive/content/tokenize"
	"github.com/varve-archive/varve/archive/content/visible"
)

func sketchOf(html string) *Sketch {
	var e visible.Extractor
	t := e.Extract([]byte(html), "text/html; charset=utf-8")
	s := Of(&t)
	return &s
}

func TestSketchComesBackFromItsStoredForm(t *testing.T) {
	for _, html := range []string{
		"", "<p>a", "<title>Page not found</title><h1>404</h1>",
		`<title>` + strings.Repeat("ж", 200) + `</title><nav><ul><li>a<li>b 12:30:01</ul></nav><p>x y z x y x 2020`,
		strings.Repeat("<p>block", maxBlocks+50), manySlots(),
		"<main><p>The mill – drawn in 1920 – by its keeper, who knew it well.<img src=/a.jpg><img src=/b.jpg><p>• And the weir.</main>",
	} {
		s := sketchOf(html)
		text := new(visible.Extractor).Extract([]byte(html), "text/html; charset=utf-8")
		if stored, hash := Append(nil, &text); string(stored) != string(s.AppendBinary(nil)) || hash != s.MinHash {
			t.Errorf("%.40s: another sketch where it is stored at once", html)
		}
		got, err := Parse(s.AppendBinary(nil))
		if err != nil {
			t.Fatal(err)
		}
		if head, err := ParseHead(s.AppendBinary(nil)); err != nil || Similarity(&head, s) != 1 || head.MinHash != s.MinHash {
			t.Errorf("%.40s: another head (%v)", html, err)
		}
		if diff := cmp.Diff(*s, got, cmpopts.EquateEmpty()); diff != "" && len(s.Blocks) > 0 { // space of earlier texts is used again
			t.Errorf("%.40s: %s", html, diff)
		}
	}
}

// manySlots is a page with more kinds of elements than most pages have.
func manySlots() string {
	var page strings.Builder
	for range 2 {
		for i := range 700 {
			fmt.Fprintf(&page, "<p class=%c%c>word %d %d", 'a'+i%26, 'a'+i/26, i, i*i)
		}
	}
	return page.String()
}

func TestSketchOfAnotherFormatIsRefused(t *testing.T) {
	data := sketchOf("<p>a").AppendBinary(nil)
	for name, bad := range map[string][]byte{
		"nothing": nil, "cut off": data[:len(data)-1], "too long": append(data[:len(data):len(data)], 0),
		"another version": append([]byte{sketchVersion + 1}, data[1:]...),
	} {
		if _, err := Parse(bad); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func FuzzParseSketch(f *testing.F) {
	f.Add(sketchOf("<title>t</title><p>a b 1<p>c").AppendBinary(nil))
	f.Add([]byte{sketchVersion})
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse(data)
		if err != nil {
			return
		}
		if again, err := Parse(s.AppendBinary(nil)); err != nil || again.ID != s.ID || len(again.Terms) != len(s.Terms) {
			t.Errorf("does not come back: %v", err)
		}
	})
}

func TestMarkUpDoesNotChangeWords(t *testing.T) {
	a, b := sketchOf("<p>one two</p><p>three four"), sketchOf("<div>one</div> two<span> three</span><h2>four</h2>")
	if !a.SaysSame(b) || Compare(a, b).Similarity != 1 {
		t.Error("not the same")
	}
	if a.Core != b.Core {
		t.Error("different hashes of the content, which blocks make up")
	}
}

// A sketch depends on its page alone: whoever has an ID has the same sketch, whatever else was read before.
func TestEqualIDsAreEqualSketches(t *testing.T) {
	const words = "one two three four five six seven eight nine ten"
	pages := []string{
		"<p>" + words, "<p class=x>" + words, "<p data-n=7>" + words, "<div>" + words, "<h1>" + words, "<h2>" + words, "<h3>" + words,
		"<nav>" + words + "</nav>", "<footer>" + words + "</footer>", "<title>" + words + "</title>",
		"<p>one two<p>three four five six seven eight nine ten", "<nav>one two</nav><p>three four five six seven eight nine ten",
		"<p>one two three<p>four five six seven eight nine ten", "<!-- a comment --><p>" + words + "<script>x()</script>",
		"<p>" + words + "<input type=password>", "<p id=n1>" + words, "<p id=n2>" + words,
	}
	for i, x := range pages {
		for _, y := range pages[:i] {
			a, b := sketchOf(x), sketchOf(y)
			if same := bytes.Equal(a.AppendBinary(nil), b.AppendBinary(nil)); a.ID == b.ID && !same {
				t.Errorf("%s and %s have one ID and two sketches", x, y)
			}
			if !a.SaysSame(b) {
				t.Errorf("%s doesn't say the same as %s", x, y)
			}
		}
	}
	for _, same := range [][2]string{{pages[0], pages[2]}, {pages[0], pages[13]}, {pages[15], pages[16]}} {
		if a, b := sketchOf(same[0]), sketchOf(same[1]); a.ID != b.ID {
			t.Errorf("%s and %s have two IDs for what no reader sees", same[0], same[1])
		}
	}
}

func TestMasksHideWhatVariesByItself(t *testing.T) {
	for _, test := range []struct {
		name, a, b string
		same       bool
	}{
		{"numbers", "Visitor 12 today", "Visitor 1,304 today", true},
		{"dates with English names", "Made Tue, 5 Mar 2019 at 9:12 AM", "Made Sun, 12 October 2020 at 11:02 PM", true},
		{"dates with other names", "Am 5 березня 2019 р.", "Am 12 жовтня 2020 р.", true},
		{"tokens", "Ref 0f3a99c1", "Ref a81 b22", true},
		{"words", "Visitor 12 today", "Visitor 12 tonight", false},
		{"the order of words", "a 1 b", "b 1 a", false},
		{"runs of numbers", "Visitor 12 34 5 today", "Visitor 7 today", true},
		{"a word between dates in a row", "Am 5 березня 2019 р. 6 квітня 2020 р.", "Am 1 жовтня 2019 р. 2 травня 2020 р.", true},
		{"two words between numbers", "7 boats sail 8", "7 gulls sail 8", false},
		{"numbers that come and go", "Version 2 is out", "Version is out", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			a, b := sketchOf("<p>" + test.a).Blocks[0], sketchOf("<p>" + test.b).Blocks[0]
			if (a.Mask == b.Mask) != test.same {
				t.Errorf("same mask: %v, want %v", !test.same, test.same)
			}
			if a.Hash == b.Hash {
				t.Error("same hash")
			}
		})
	}
}

func TestStamps(t *testing.T) {
	for text, want := range map[string]bool{
		"Page generated 2023-01-17 04:27:25 UTC":                true,
		"You are visitor number 4476":                           true,
		"It is 14:05:59":                                        true,
		"By Anna | 171.633 Aufrufe":                             true,
		"Three views of the harbour, 2019":                      false,
		"Version 2.0 is out":                                    false,
		"Visitors are welcome":                                  false,
		"The ratio is 10:15 for 2:3" + strings.Repeat(" a", 30): false,
	} {
		if got := sketchOf("<p>" + text).Blocks[0].Stamp; got != want {
			t.Errorf("%.40q: %v, want %v", text, got, want)
		}
	}
}

func TestTermsAreWordsInLowerCase(t *testing.T) {
	var got []string
	text := "Don't STOP at example.org, 3.14 e\u0301tudes — 日本 Ёлка_1"
	tokenize.Terms(text, func(term tokenize.Term) bool {
		got = append(got, string(term.Norm))
		return true
	})
	want := []string{"don't", "stop", "at", "example.org", "3.14", "études", "日", "本", "ёлка_1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestCompareCountsTerms(t *testing.T) {
	d := Compare(sketchOf("<p>a a b c the end of it all"), sketchOf("<p>a b d e the end of it all"))
	if d.Added != 2 || d.Deleted != 1 || d.SemiDeleted != 1 {
		t.Errorf("got %+v, want 2 added, 1 deleted, 1 semi-deleted", d)
	}
}

func prose(seed, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString([]string{
			"river", "stone", "layer", "sediment", "flood", "clay", "sand", "bed", "core", "year",
			"ice",
		}[hashing.Mix(uint64(seed*1e6+i))%11] + " ")
	}
	return b.String()
}

func TestSimilarity(t *testing.T) {
	text := prose(1, 1000)
	for _, test := range []struct {
		name, a, b string
		min, max   float64
	}{
		{"equal", text, text, 1, 1},
		{"mark-up apart", text, "<b>" + text + "</b>", 1, 1},
		{"furniture apart", "<nav>" + prose(2, 200) + "</nav>" + text, "<nav>" + prose(3, 200) + "</nav>" + text, 1, 1},
		{"a clock apart", text + "<p>It is 12:30:01", text + "<p>It is 12:30:59", 1, 1},
		{"half of it", text, prose(1, 500), 0.38, 0.62},
		{"nothing in common", text, prose(4, 1000), 0, 0.1},
		{"no text", "", text, 0, 0},
		{"no text on either side", "", "", 1, 1},
		{"short texts that are equal but for a word", "<p>a b c d e f g h", "<p>a b c d e f g x", 0.4, 0.8},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := Similarity(sketchOf(test.a), sketchOf(test.b)); got < test.min || got > test.max {
				t.Errorf("got %v, want %v to %v", got, test.min, test.max)
			}
		})
	}
}

func TestAlikeTextsShareABand(t *testing.T) {
	a, b := sketchOf(prose(1, 1000)), sketchOf(prose(1, 1000)+prose(5, 40))
	if !shareBand(a.MinHash.Bands(), b.MinHash.Bands()) {
		t.Error("no band in common")
	}
	if shareBand(a.MinHash.Bands(), sketchOf(prose(7, 1000)).MinHash.Bands()) {
		t.Error("a band in common with an unrelated text")
	}
	if sketchOf("").MinHash.Bands() != nil {
		t.Error("bands of no text")
	}
}

// Whatever a sketch depends on is in its ID: the index keeps one sketch for each.
func TestAnIDNamesOneSketch(t *testing.T) {
	known := map[uint64]string{}
	for _, page := range []string{
		"<p>one two<p>three four", "<p>one<p>two three four", "<p>one two three four", "<nav><p>one two</nav><p>three four",
		"<p>one two<nav><p>three four</nav>", "<footer>one two</footer><p>three four", "<p class=a>one two<p>three four",
		"<h1>one two</h1><p>three four", "<h2>one two</h2><p>three four", "<h3>one two</h3><p>three four", "<title>one two</title><p>three four",
		"<link rel=canonical href=http://h.example/a><p>one two<p>three four",
		"<link rel=canonical href=http://h.example/b><p>one two<p>three four",
		"<p>one two<p>three<a href=x>four</a>", "<p>one two<p>three <a href=x>four</a>", "<ul><li>one two<li>three four</ul>",
	} {
		s := sketchOf(page)
		stored := *s
		stored.ID = 0
		as := string(stored.AppendBinary(nil))
		if before, ok := known[s.ID]; ok && before != as {
			t.Errorf("%s: the ID is that of another sketch", page)
		}
		known[s.ID] = as
	}
	again := sketchOf("<div id=n><p>one two</p>\n <!-- a note --><p data-x=1>three  four</div>")
	if again.ID != sketchOf("<div id=n><p>one two<p>three four").ID {
		t.Error("what makes no difference to the sketch makes another ID")
	}
}

func TestTheAddressIsKeptInTheSketch(t *testing.T) {
	page := `<link rel=canonical href="https://h.example/rules"><p>Rules`
	for page, named := range map[string]bool{page: true, `<p>Rules`: false} {
		s := sketchOf(page)
		got, err := Parse(s.AppendBinary(nil))
		if err != nil || got.Address != s.Address || (s.Address != visible.Unnamed) != named {
			t.Errorf("%s: %d, want %d (%v)", page, got.Address, s.Address, err)
		}
	}
	var e visible.Extractor
	for _, p := range []string{page, `<p>Rules`} {
		text := e.Extract([]byte(p), "text/html")
		if got := Of(&text).Address; (got != visible.Unnamed) != (p == page) {
			t.Errorf("an Extractor that read another page before: %d", got)
		}
	}
}

func TestASketchOfFormat2HasNoAddress(t *testing.T) {
	s := sketchOf(`<p>Rules of the harbour`)
	data := s.AppendBinary(nil)
	const before = 1 + 1 + 8 + 8                               // version, flags, ID and Core
	data = slices.Delete(data[:len(data)-1], before, before+8) // without Order and the number of pictures
	data[0] = secondVersion
	got, err := Parse(data)
	if err != nil || got.Address != visible.Unnamed || got.Older || got.ID != s.ID || len(got.Blocks) != len(s.Blocks) ||
		s.Order == 0 || got.Order != 0 {
		t.Errorf("%+v (%v)", got, err)
	}
}

func TestThePlacesCostNoText(t *testing.T) {
	page := []byte(`<title>Rules</title><ul class=nav><li>Home</ul><h1>Rules</h1>` + paragraphs(1, 300) + `<table><tr><td>a<td>b</table>`)
	e := visible.Extractor{Layout: true, Memory: new(visible.Memory)}
	for range 3 {
		with, without := e.Extract(page, "text/html"), new(visible.Extractor).Extract(page, "text/html")
		a, b := Of(&with), Of(&without)
		if a.ID != b.ID || len(a.Blocks) != len(b.Blocks) {
			t.Fatalf("%q is not %q", with.String(), without.String())
		}
		if with.Blocks[len(with.Blocks)-1].Place.Cell != 2 {
			t.Errorf("%+v", with.Blocks[len(with.Blocks)-1])
		}
	}
}

// Sketchers are used again, and what they read before must not show.
func TestNoPicturesAreNil(t *testing.T) {
	for range 20 {
		if with := sketchOf("<p>" + prose(1, 300) + "<img src=/a.jpg>" + prose(2, 300)); len(with.Pictures) != 1 {
			t.Fatalf("%d pictures", len(with.Pictures))
		}
		if without := sketchOf("<p>" + prose(1, 300)); without.Pictures != nil {
			t.Fatal("an empty list, where a page read first has none")
		}
	}
}

func TestExtractorsSideBySideShareAMemory(t *testing.T) {
	page := func(i int) []byte {
		return []byte("<title>T</title><ul>" + strings.Repeat("<li><a href=x>entry of all pages</a></li> ", 50) + "</ul><p>" +
			prose(i%20, 200) + "</p>" +
			strings.Repeat("<div class=footer>the same for all</div>\n", 40))
	}
	m := new(visible.Memory)
	var g sync.WaitGroup
	for range 4 {
		g.Go(func() {
			e := visible.Extractor{Memory: m}
			for i := range 200 {
				var fresh visible.Extractor
				want, got := fresh.Extract(page(i), "text/html"), e.Extract(page(i), "text/html")
				if diff := cmp.Diff(want.Blocks, got.Blocks); diff != "" {
					t.Errorf("page %d reads differently with a shared memory:\n%s", i, diff)
				}
				if diff := cmp.Diff(Of(&want), Of(&got)); diff != "" {
					t.Errorf("page %d has another sketch with a shared memory:\n%s", i, diff)
				}
			}
		})
	}
	g.Wait()
	if m.Recall(xxh3.HashString("entry of all pages")) == nil {
		t.Error("nothing was remembered")
	}
}

// A Memory must take no more memory than it says, however many different pages were read: what is remembered must not
// keep alive what is forgotten.
func TestMemoryTakesWhatItSays(t *testing.T) {
	if testing.Short() {
		t.Skip("filling a memory takes its time: the long form of the tests does it")
	}
	m := new(visible.Memory)
	e := visible.Extractor{Memory: m}
	r := rand.New(rand.NewPCG(1, 2))
	furniture := make([]string, 100)
	for i := range furniture {
		furniture[i] = "<ul class=nav><li>" + strings.ReplaceAll(prose(1_000_000+i, 200), " ", "</li><li>") + "</ul>"
	}
	const most = 3 * 28 << 20 // a Memory says 60 MB
	for i := range 24_000 {
		page := furniture[r.IntN(len(furniture))] + paragraphs(i, 300) + furniture[r.IntN(len(furniture))]
		text := e.Extract([]byte(page), "text/html; charset=utf-8")
		Append(nil, &text)
		e.Recycle(&text)
		if i%8000 == 7999 {
			var heap runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&heap)
			if heap.HeapAlloc > most {
				t.Fatalf("after %d pages %d bytes are held, want %d at most", i+1, heap.HeapAlloc, most)
			}
		}
	}
	runtime.KeepAlive(m)
}

// paragraphs returns n words that no other seed gives, in paragraphs.
func paragraphs(seed, n int) string {
	var b strings.Builder
	for i := range n {
		if i%30 == 0 {
			b.WriteString("</p>\n<p>")
		}
		fmt.Fprintf(&b, "%x ", hashing.Mix(uint64(seed*n+i))>>36)
	}
	return b.String()
}

func shareBand(a, b []uint32) bool {
	for i := range a {
		if i < len(b) && a[i] == b[i] {
			return true
		}
	}
	return false
}

// A film in a frame is stored as one. Formats before had none.
func TestFilmsAreStored(t *testing.T) {
	s := sketchOf("<p>" + prose(1, 300) + "<iframe src=//p.example/embed/a></iframe>" + prose(2, 300) + "<img src=/b.jpg>")
	data := s.AppendBinary(nil)
	for version, film := range map[byte]bool{sketchVersion: true, ninthVersion: false} {
		data[0] = version
		got, err := Parse(data)
		if err != nil || len(got.Pictures) != 2 || got.Pictures[0].Film != film || got.Pictures[1].Film {
			t.Errorf("version %d: %+v (%v)", version, got.Pictures, err)
		}
		if film && !slices.Equal(got.Pictures, s.Pictures) {
			t.Errorf("%+v was stored as %+v", s.Pictures, got.Pictures)
		}
	}
}

func TestWordsAreCounted(t *testing.T) {
	s := sketchOf("<title>Oats</title><p>Oats and rye, and oats again.<nav>Oats</nav>")
	for word, want := range map[string]int{"oats": 4, "and": 2, "rye": 1, "barley": 0} {
		if got := s.Count(word); got != want {
			t.Errorf("%s: %d times, want %d", word, got, want)
		}
	}
	has := slices.ContainsFunc(s.Terms, func(c TermCount) bool { return c.Hash == TermHash("OATS") })
	if !has || TermHash("a") == TermHash("b") {
		t.Error("a word in capitals is another")
	}
}

// A text is the same however its words are divided into blocks.
func TestATextIsAddedUpFromItsBlocks(t *testing.T) {
	sum := func(html string, whole bool) (h uint64) {
		s := sketchOf(html)
		for i := range s.Blocks {
			h = s.Blocks[i].AddTo(h, whole)
		}
		return h
	}
	for _, tt := range []struct {
		name, a, b  string
		whole, said bool // the same, with and without marks
	}{
		{"other blocks", "<p>a b<p>c", "<p>a<p>b c", true, true},
		{"another order", "<p>a b<p>c", "<p>c<p>a b", false, false},
		{"another word", "<p>a b<p>c", "<p>a b<p>d", false, false},
		{"a mark", "<p>• a b<p>c", "<p>a b<p>c", false, true},
		{"another time", "<p>a<p>It is 12:30:01", "<p>a<p>It is 12:30:02", true, true},
		{"no time", "<p>a<p>It is 12:30:01", "<p>a", false, false},
	} {
		if sum(tt.a, true) == sum(tt.b, true) != tt.whole || sum(tt.a, false) == sum(tt.b, false) != tt.said {
			t.Errorf("%s: want the same %v, without marks %v", tt.name, tt.whole, tt.said)
		}
	}
}

// Words tell what a number counts. A number without words is known by its element.
func TestKeysOfMasks(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		same       bool
	}{
		{"another number", "<p>Visitor 12", "<p>Visitor 13", true},
		{"another place", "<p>Visitor 12", "<p class=reads>Visitor 12", true},
		{"other words", "<p>Visitor 12", "<p>Reader 12", false},
		{"a number alone", "<p class=visits>12", "<p class=visits>13", true},
		{"a number alone, elsewhere", "<p class=visits>12", "<p class=reads>12", false},
	} {
		a, b := sketchOf(tt.a).Blocks, sketchOf(tt.b).Blocks
		if same := a[len(a)-1].MaskKey() == b[len(b)-1].MaskKey(); same != tt.same {
			t.Errorf("%s: the same key: %v", tt.name, same)
		}
	}
}
