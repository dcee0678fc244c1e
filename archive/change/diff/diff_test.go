package diff

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
)

func textOf(html string) *visible.Text {
	var e visible.Extractor
	t := e.Extract([]byte(html), "text/html; charset=utf-8")
	return &t
}

// marked writes a difference with [-deleted-] and {+inserted+}, a block a line.
func marked(diff []Block) string {
	var b strings.Builder
	for _, block := range diff {
		for _, e := range block.Edits {
			fmt.Fprintf(&b, map[Op]string{Equal: "%s", Inserted: "{+%s+}", Deleted: "[-%s-]", Moved: "{>%s<}", Left: "[<%s>]"}[e.Op], e.Text)
		}
		b.WriteString("|")
	}
	return b.String()
}

func TestDiff(t *testing.T) {
	long := strings.Repeat("word ", 9) + "word"
	for _, test := range []struct{ name, a, b, want string }{
		{
			"a refrain", "<p>lo la li lo la li lo la li lo", "<p>lu la li lu la li lu la li lu",
			"[-lo -]{+lu +}la li [-lo -]{+lu +}la li [-lo -]{+lu +}la li [-lo-]{+lu+}|",
		},
		{"no difference", "<p>a b<p>c", "<p>a b<p>c", "a b|c|"},
		{"a word", "<p>one two three", "<p>one 2 three", "one [-two -]{+2 +}three|"},
		{"a word at the end", "<p>one two", "<p>one two three", "one two {+three+}|"},
		{"a block that came", "<p>a<p>c", "<p>a<p>b<p>c", "a|{+b+}|c|"},
		{"a block that went", "<p>a<p>b<p>c", "<p>a<p>c", "a|[-b-]|c|"},
		{"blocks that have nothing in common", "<p>a b c", "<p>x y z", "[-a b c-]{+x y z+}|"},
		{"the second of two changed", "<p>q q q<p>a b c d", "<p>a b c e", "[-q q q-]|a b c [-d-]{+e+}|"},
		{"scripts without spaces", "<p>日本語です", "<p>日本酒です", "日本[-語-]{+酒+}です|"},
		{"case and punctuation", "<p>Yes we can.", "<p>Yes, We can.", "Yes[- we -]{+, We +}can.|"},
		{"the words at the end go", "<p>one two three", "<p>one two", "one two[- three-]|"},
		{"a space goes alone", "<p>one two three", "<p>one-two three", "one{+-+}[- -]two three|"},
		{"blocks for others", "<p>a b c<p>d e f<p>s", "<p>u v w<p>x y z<p>s", "[-a b c-]{+u v w+}|[-d e f-]{+x y z+}|s|"},
		{"two blocks for one", "<p>a b c<p>s", "<p>u v w<p>x y z<p>s", "[-a b c-]{+u v w+}|{+x y z+}|s|"},
		{"no heading stands for a paragraph", "<h2>a b c</h2><p>s", "<p>u v w<p>s", "{+u v w+}|[-a b c-]|s|"},
		{"no paragraph stands for a heading", "<p>a b c<p>s", "<h2>u v w</h2><p>s", "[-a b c-]|{+u v w+}|s|"},
		{
			"values of two rows that are exchanged", "<table><tr><td>x y<td>open<tr><td>z<td>shut</table>",
			"<table><tr><td>x y<td>shut<tr><td>z<td>open</table>", "x y|[-open-]{+shut+}|z|[-shut-]{+open+}|",
		},
		{
			"values that all grow", "<table><tr><td>1<td>x<td>10<tr><td>2<td>z<td>20</table>",
			"<table><tr><td>1<td>x<td>20<tr><td>2<td>z<td>30</table>", "1|x|[-10-]{+20+}|2|z|[-20-]{+30+}|",
		},
		{"terms whose values are exchanged", "<dl><dt>x<dd>open<dt>z<dd>5", "<dl><dt>x<dd>5<dt>z<dd>open", "x|[-open-]{+5+}|z|[-5-]{+open+}|"},
		{
			"prices below the names of products", "<h3>x</h3><p>5 kr<p>new<h3>z</h3><p>6 kr<p>new", "<h3>x</h3><p>6 kr<p>new<h3>z</h3><p>7 kr<p>new",
			"x|[-5 -]{+6 +}kr|new|z|[-6 -]{+7 +}kr|new|",
		},
		{"an entry that moved to another section", "<h3>x</h3><p>a b<h3>z</h3><p>c", "<h3>x</h3><h3>z</h3><p>c<p>a b", "x|[<a b>]|z|c|{>a b<}|"},
		{
			"a row that moved, with its values", "<table><tr><td>x<td>5<tr><td>z<td>5<tr><td>q<td>6</table>",
			"<table><tr><td>z<td>5<tr><td>q<td>6<tr><td>x<td>5</table>", "[<x>]|[<5>]|z|5|q|6|{>x<}|{>5<}|",
		},
		{
			"a row with another name", "<table><tr><td>x<td>5<td>6<tr><td>z<td>7</table>", "<table><tr><td>y<td>5<td>6<tr><td>z<td>7</table>",
			"[-x-]{+y+}|5|6|z|7|",
		},
		{
			"a row before numbered ones", "<table><tr><td>1<td>x<tr><td>2<td>z</table>",
			"<table><tr><td>1<td>y<tr><td>2<td>x<tr><td>3<td>z</table>", "1|{+y+}|{+2+}|x|[-2-]{+3+}|z|",
		},
		{"a list that became a table", "<ul><li>x<li>5</ul>", "<table><tr><td>x<td>5</table>", "x|5|"},
		{
			"long text that moved from one row to another", "<table><tr><td>x<td>" + long + "<tr><td>z<td>5</table>",
			"<table><tr><td>x<td>5<tr><td>z<td>" + long + "</table>", "x|[<" + long + ">]|{+5+}|z|{>" + long + "<}|[-5-]|",
		},
		{"a block that moved", "<p>one two<p>a<p>b<p>c", "<p>a<p>b<p>c<p>one two", "[<one two>]|a|b|c|{>one two<}|"},
		{
			"one moved, one came in its place", "<p>one two<p>a<p>b", "<p>six seven<p>a<p>b<p>one two",
			"[<one two>]|{+six seven+}|a|b|{>one two<}|",
		},
		{"a copy of one that stays", "<p>q<p>a", "<p>q<p>a<p>q", "q|a|{+q+}|"},
		{"of two alike one moved", "<p>q<p>q<p>a<p>b", "<p>q<p>a<p>b<p>q", "[<q>]|q|a|b|{>q<}|"},
		{
			"a paragraph that moved and changed a little",
			"<p>the old harbour opens at nine in summer, except on holidays<p>a<p>b<p>c",
			"<p>a<p>b<p>c<p>the old harbour opens at ten in summer, except on holidays",
			"[<the old harbour opens at >][-nine -][<in summer, except on holidays>]|a|b|c|" +
				"{>the old harbour opens at <}{+ten +}{>in summer, except on holidays<}|",
		},
		{
			"changed, and another came where it stood",
			"<p>the old harbour opens at nine in summer, except on holidays<p>a<p>b<p>c",
			"<p>six new boats<p>a<p>b<p>the old harbour opens at nine in winter, except on holidays<p>c",
			"[<the old harbour opens at nine in >][-summer-][<, except on holidays>]|{+six new boats+}|a|b|" +
				"{>the old harbour opens at nine in <}{+winter+}{>, except on holidays<}|c|",
		},
		{
			"too much of it changed to have moved",
			"<p>the old harbour opens at nine in summer, except on holidays<p>a<p>b<p>c",
			"<p>a<p>b<p>c<p>the new harbour closes at ten in summer, as it did before",
			"[-the old harbour opens at nine in summer, except on holidays-]|a|b|c|" +
				"{+the new harbour closes at ten in summer, as it did before+}|",
		},
		{
			"few words are alike by chance", "<p>one two three four five six seven<p>a<p>b<p>c", "<p>a<p>b<p>c<p>one two three four five six eight",
			"[-one two three four five six seven-]|a|b|c|{+one two three four five six eight+}|",
		},
		{
			"what changed at its place did not move",
			"<p>the old harbour opens at nine in summer, except on holidays<p>a<p>b<p>c",
			"<p>the old harbour opens at six in winter, but for holidays<p>a<p>b<p>c<p>the old harbour opens at nine in summer, except on Sundays",
			"the old harbour opens at [-nine -]{+six +}in [-summer-]{+winter+}, [-except on -]{+but for +}holidays|a|b|c|" +
				"{+the old harbour opens at nine in summer, except on Sundays+}|",
		},
		{"a title is not moved", "<title>one</title><p>a", "<p>a<p>one", "[-one-]|a|{+one+}|"},
		{"a paragraph that is split", "<p>One is. Two is. Three is.", "<p>One is.<p>Two is.<p>Three is.", "One is.|Two is.|Three is.|"},
		{"paragraphs that are joined", "<p>One is.<p>Two is.<p>Three is.", "<p>One is. Two is. Three is.", "One is. Two is. Three is.|"},
		{"joined where others were split", "<p>a b c<p>d e f<p>g h i j k l", "<p>a b c d e f<p>g h i<p>j k l", "a b c d e f|g h i|j k l|"},
		{
			"split, and a word changed", "<p>One is. Two was. Three is.", "<p>One is.<p>Two is.<p>Three is.",
			"One is.|Two [-was-]{+is+}.|Three is.|",
		},
		{
			"joined, and words went in between", "<p>One is here.<p>Two is gone.<p>Three is far.", "<p>One is here. Three is far.",
			"One is here. [-Two is gone. -]Three is far.|",
		},
		{
			"a short heading joined to a long text", "<h2>Intro</h2><p>a b c d e f g h i j", "<p>Intro a b c d e f g h i j",
			"Intro a b c d e f g h i j|",
		},
		{"a list becomes a line", "<ul><li>a<li>b<li>c<li>d<li>e<li>f<li>g</ul>", "<p>a b c d e f g", "a b c d e f g|"},
		{"a line becomes a list", "<p>a b c d e f g", "<ul><li>a<li>b<li>c<li>d<li>e<li>f<li>g</ul>", "a|b|c|d|e|f|g|"},
		{
			"a menu becomes a line, of which some is new", "<ul><li>Home<li>History<li>Birds<li>Events<li>Visit us<li>About</ul>",
			"<p>Gauge History Birds Events People About", "[-Home-]|{+Gauge +}History Birds Events [-Visit us -]{+People +}About|",
		},
		{
			"a word of a long text is no part of it", "<p>the<p>s", "<p>all of the other things that came here<p>s",
			"[-the-]{+all of the other things that came here+}|s|",
		},
		{
			"a cell of a table", "<table><tr><td>one<td>1<tr><td>two<td>2</table>", "<table><tr><td>one<td>1<tr><td>two<td>3</table>",
			"one|1|two|[-2-]{+3+}|",
		},
		{"everything came", "", "<p>a", "{+a+}|"},
		{"everything went", "<p>a", "", "[-a-]|"},
		{"nothing on either side", "", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, marked(Texts(textOf(test.a), textOf(test.b)))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCountsAreThoseOfTheEdits(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		want       Shown
		similarity float64
	}{
		{"nothing", "<p>one two", "<p>one two", Shown{Same: 2}, 1},
		{"each time counts, not each term", "<p>a three b three", "<p>a five b five", Shown{Added: 2, Deleted: 2, Same: 2}, 1. / 3},
		{"a block moved", "<p>one two<p>a<p>b<p>c", "<p>a<p>b<p>c<p>one two", Shown{Moved: 2, Same: 3}, 0.6},
		{
			"a block moved and changed", "<p>one two three four five six seven eight nine<p>a<p>b<p>c",
			"<p>a<p>b<p>c<p>one two three four five six seven eight ten",
			Shown{Added: 1, Deleted: 1, Moved: 8, Same: 3},
			3. / 13,
		},
		{
			"seven words of ten moved", "<p>one two three four five six seven eight nine ten<p>a<p>b<p>c",
			"<p>a<p>b<p>c<p>one two three four five six seven x y z",
			Shown{Added: 3, Deleted: 3, Moved: 7, Same: 3},
			3. / 16,
		},
		{
			"six of them", "<p>one two three four five six seven eight nine ten<p>a<p>b<p>c", "<p>a<p>b<p>c<p>one two three four five six w x y z",
			Shown{Added: 10, Deleted: 10, Same: 3},
			3. / 23,
		},
		{"marks alone", "<p>one two.", "<p>one two!", Shown{Same: 2}, sketch.NearlySame},
		{"split by mark-up alone", "<p>one. two.", "<p>one.<p>two.", Shown{Same: 2}, 1},
		{
			"a word of very many", "<p>" + strings.Repeat("a ", 5000), "<p>b " + strings.Repeat("a ", 5000),
			Shown{Added: 1, Same: 5000},
			sketch.NearlySame,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Count(Texts(textOf(c.a), textOf(c.b)))
			if s := got.Similarity(1); s != c.similarity {
				t.Errorf("similarity %v, want %v", s, c.similarity)
			}
			if got.differs = false; got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
	if s := (Shown{Added: 1, differs: true}).Similarity(0.4); s != 0.4 {
		t.Errorf("an estimate below 1 becomes %v", s)
	}
}

// What nobody sees is no difference, but what is shown is spelled as in the newer text.
func TestWordsAreShownWithTheirJoiners(t *testing.T) {
	for _, test := range []struct{ a, b, want string }{
		{"<p>او می\u200cروم خانه\u200cها", "<p>او می\u200cروم کتاب\u200cها", "او می\u200cروم [-خانه\u200cها-]{+کتاب\u200cها+}|"},
		{"<p>می\u200cروم a", "<p>میروم b", "میروم [-a-]{+b+}|"},
		{"<p>a 👩\u200d👧 c", "<p>a 👩\u200d👦 c", "a [-👩\u200d👧 -]{+👩\u200d👦 +}c|"},
		{"<p>a\u00adb \u200cc x", "<p>ab c\u200d y", "ab c\u200d [-x-]{+y+}|"},
	} {
		if got := marked(Words(textOf(test.a), textOf(test.b))); got != test.want {
			t.Errorf("%+q to %+q: %+q, want %+q", test.a, test.b, got, test.want)
		}
	}
}

// checkDiff checks that the difference of two texts has both of them, and each block at the places that it names.
func checkDiff(t *testing.T, x, y *visible.Text) {
	t.Helper()
	at := func(of *visible.Text) map[visible.Place]string {
		texts := map[visible.Place]string{}
		for _, b := range of.Blocks {
			texts[b.Place] = bare(b.Text)
		}
		delete(texts, visible.Place{})
		return texts
	}
	was, is := at(x), at(y)
	var allOlder, allNewer string
	for _, block := range Texts(x, y) {
		var older, newer string
		for _, e := range block.Edits {
			if e.Op.InOlder() {
				older += bare(e.Text)
			}
			if e.Op.InNewer() {
				newer += bare(e.Text)
			}
		}
		allOlder += older
		allNewer += newer
		if text, ok := was[block.Was]; ok && text != older {
			t.Errorf("%+v was %q", block, text)
		}
		if text, ok := is[block.Is]; ok && text != newer {
			t.Errorf("%+v is %q", block, text)
		}
	}
	if want := bare(y.String()); allNewer != want {
		t.Errorf("newer text: got %q, want %q", allNewer, want)
	}
	if want := bare(x.String()); allOlder != want {
		t.Errorf("older text: got %q, want %q", allOlder, want)
	}
}

// Pages that are cut up, mixed and edited at random.
func TestDifferencesHaveBothTexts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	words := func(n int) string {
		var b strings.Builder
		for range n {
			fmt.Fprintf(&b, " w%d", random.IntN(40))
		}
		return b.String()
	}
	page := func(items []string) *visible.Text {
		e := visible.Extractor{Layout: true} // gives items their places
		text := e.Extract([]byte("<title>"+words(2)+"</title><ul><li>"+strings.Join(items, "<li>")+"</ul>"), "text/html; charset=utf-8")
		return &text
	}
	for range 300 {
		var older, newer []string
		for range random.IntN(8) {
			older = append(older, words(1+random.IntN(14)))
		}
		for _, b := range older {
			switch random.IntN(8) {
			case 0: // it goes
			case 1:
				newer = append(newer, b, words(3))
			case 2:
				newer = append(newer, b+words(2))
			case 3:
				newer = append(newer, words(1)+b)
			case 4:
				newer = append(newer, b[:len(b)/2], b[len(b)/2:])
			case 5:
				newer = slices.Insert(newer, random.IntN(len(newer)+1), b)
			default:
				newer = append(newer, b)
			}
		}
		if random.IntN(4) == 0 {
			slices.Reverse(newer)
		}
		checkDiff(t, page(older), page(newer))
	}
}

func FuzzDiff(f *testing.F) {
	f.Add("a b. c", "a c. d")
	f.Add("<p>a<p>b<p>c", "<p>c<p>b x")
	f.Add("<p>one two three four five six seven eight nine<p>a<p>b<p>c", "<p>a<p>b<p>c<p>one two three four five six seven eight ten")
	f.Fuzz(func(t *testing.T, a, b string) { checkDiff(t, textOf(a), textOf(b)) })
}

func bare(s string) string { return strings.NewReplacer(" ", "", "\n", "").Replace(s) }

func ExampleDiff() {
	for _, block := range Texts(textOf("<p>Opening soon"), textOf("<p>Opening today")) {
		for _, e := range block.Edits {
			fmt.Printf("%s %q\n", e.Op, e.Text)
		}
	}
	// Output:
	// equal "Opening "
	// delete "soon"
	// insert "today"
}

// More words than fit below the surrogates have a code each, and a comparison that has no time left is still one of all words.
func TestCodesOfManyWords(t *testing.T) {
	d := newTokenDiff()
	words := make([]string, 60_000)
	for i := range words {
		words[i] = fmt.Sprint(i)
	}
	codes := d.encode(words)
	seen := map[rune]bool{}
	for i, c := range codes {
		if seen[c] || !utf8.ValidRune(c) {
			t.Fatalf("word %d has the code %x", i, c)
		}
		seen[c] = true
	}
	for _, pair := range [][2]string{{"abcdef", "abXdef"}, {"abc", ""}, {"", "abc"}, {"abc", "abc"}, {"xabc", "abcy"}, {"abcabd", "abdabc"}} {
		a, b := []rune(pair[0]), []rune(pair[1])
		for _, r := range roughRuns(a, b) {
			switch r.op {
			case Equal:
				if r.n == 0 || string(a[:r.n]) != string(b[:r.n]) {
					t.Fatalf("%q: %q is taken for %q", pair, string(b[:r.n]), string(a[:r.n]))
				}
				a, b = a[r.n:], b[r.n:]
			case Deleted:
				a = a[r.n:]
			default:
				b = b[r.n:]
			}
			if r.n == 0 {
				t.Errorf("%q: a run of nothing", pair)
			}
		}
		if len(a)+len(b) > 0 {
			t.Errorf("%q: %q and %q are left", pair, string(a), string(b))
		}
	}
}
