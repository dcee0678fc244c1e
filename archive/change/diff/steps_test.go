package diff

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/content/visible"
)

// describe returns a step in a few words: what is deleted and inserted, and the text around it.
func describe(s Step) string {
	where := ""
	if s.Title {
		where = "title: "
	}
	if s.Block {
		where += "block: "
	}
	return where + s.Before + "[-" + s.Deleted + "-]{+" + s.Inserted + "+}" + s.After
}

func TestSteps(t *testing.T) {
	for _, c := range []struct {
		name, older, newer string
		want               []string
	}{
		{"nothing", "<p>The mill stands.", "<p>The  mill\nstands.", nil},
		{"a word goes", "<p>The old mill stands.", "<p>The mill stands.", []string{"The [-old -]{++}mill stands."}},
		{"a word comes", "<p>The mill stands.", "<p>The old mill stands.", []string{"The [--]{+old +}mill stands."}},
		{"one for another", "<p>The old mill stands.", "<p>The new mill stands.", []string{"The [-old-]{+new+} mill stands."}},
		{
			"the last word goes, with the space before it", "<p>The mill stands here.", "<p>The mill stands.",
			[]string{"The mill stands[- here-]{++}."},
		},
		{"the last word comes", "<p>The mill stands", "<p>The mill stands here", []string{"The mill stands[--]{+ here+}"}},
		{"the first word goes", "<p>Today the mill stands.", "<p>the mill stands.", []string{"[-Today -]{++}the mill stands."}},
		{"the first word comes", "<p>the mill stands.", "<p>Today the mill stands.", []string{"[--]{+Today +}the mill stands."}},
		{"a mark without a space", "<p>The mill stands", "<p>The mill stands!", []string{"The mill stands[--]{+!+}"}},
		{"no spaces at all", "<p>東京都に住む", "<p>東京に住む", []string{"東京[-都-]{++}に住む"}},
		{
			"several in a block", "<p>One two three four five six seven.", "<p>One 2 three four 5 six seven.",
			[]string{"One [-two-]{+2+} three four five six seven.", "One two three four [-five-]{+5+} six seven."},
		},
		{"a block goes", "<p>One.<p>Two words.<p>Three.", "<p>One.<p>Three.", []string{"One.\n[-Two words.-]{++}\nThree."}},
		{"a block comes", "<p>One.<p>Three.", "<p>One.<p>Two words.<p>Three.", []string{"block: One.\n[--]{+Two words.+}Three."}},
		{"the first block comes", "<p>Three.", "<p>Two words.<p>Three.", []string{"block: [--]{+Two words.+}Three."}},
		{"the last block comes", "<p>One.", "<p>One.<p>Two words.", []string{"block: One.[--]{+Two words.+}"}},
		{"the last block goes", "<p>One.<p>Two words.", "<p>One.", []string{"One.\n[-Two words.-]{++}"}},
		{
			"a block for another", "<p>One.<p>Entirely different things.<p>Three.", "<p>One.<p>Nothing of that sort.<p>Three.",
			[]string{"One.\n[-Entirely different things.-]{+Nothing of that sort.+}\nThree."},
		},
		{
			"two blocks for one", "<p>One.<p>Entirely different things.<p>Three.", "<p>One.<p>Nothing of that sort.<p>Neither this.<p>Three.",
			[]string{
				"One.\n[-Entirely different things.-]{+Nothing of that sort.+}\nThree.",
				"block: One.\nEntirely different things.\n[--]{+Neither this.+}Three.",
			},
		},
		{
			"one block for two", "<p>One.<p>Entirely different things.<p>Neither this.<p>Three.", "<p>One.<p>Nothing of that sort.<p>Three.",
			[]string{
				"One.\n[-Entirely different things.-]{+Nothing of that sort.+}\nNeither this.\nThree.",
				"One.\nEntirely different things.\n[-Neither this.-]{++}\nThree.",
			},
		},
		{
			"a heading for a paragraph", "<p>One.<p>Entirely different things.<p>Three.", "<p>One.<h2>Nothing of that sort.</h2><p>Three.",
			[]string{
				"One.\n[-Entirely different things.-]{++}\nThree.",
				"block: One.\nEntirely different things.\n[--]{+Nothing of that sort.+}Three.",
			},
		},
		{
			"the title apart from the same words below", "<title>Old mill</title><h1>Old mill</h1><p>Text.",
			"<title>New mill</title><h1>Old mill</h1><p>Text.",
			[]string{"title: [-Old-]{+New+} mill"},
		},
		{"white space alone", "<p>The mill stands .", "<p>The mill stands.", nil},
		{"a title comes", "<p>Text.", "<title>Mill</title><p>Text.", []string{"title: block: [--]{+Mill+}"}},
		{"everything goes", "<p>One.<p>Two.", "", []string{"[-One.-]{++}\nTwo.", "One.\n[-Two.-]{++}"}},
		{"right to left", "<p>رود بزرگ آرام است", "<p>رود آرام است", []string{"رود [-بزرگ -]{++}آرام است"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := extract(c.older), extract(c.newer)
			var got []string
			for _, s := range Steps(&a, &b) {
				got = append(got, describe(s))
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
			stepsLead(t, &a, &b)
		})
	}
}

func TestStepsSayWhichBlockComes(t *testing.T) {
	a, b := extract("<h1>Mill</h1><p>Text."), extract("<h1>Mill</h1><h2>Water</h2><p>Text.")
	got := Steps(&a, &b)
	if len(got) != 1 || got[0].Heading != 2 || !got[0].Block || got[0].Op != Inserted {
		t.Errorf("%+v", got)
	}
}

// Characters beyond the basic plane count twice, as in scripts.
func TestStretchesCountAsScriptsDo(t *testing.T) {
	a, b := extract("<p>𝛼 and 🌊 of the river"), extract("<p>𝛼 and 🌊 of a river")
	got := Steps(&a, &b)
	if len(got) != 1 || got[0].Older != (TextRange{9, 12}) || got[0].Newer != (TextRange{9, 10}) {
		t.Errorf("%+v", got)
	}
}

func TestContextIsWholeCharacters(t *testing.T) {
	long := strings.Repeat("хвиля ", 40)
	a, b := extract("<p>"+long+"тут "+long), extract("<p>"+long+"там "+long)
	got := Steps(&a, &b)
	if len(got) != 1 || !strings.HasPrefix(long+long, strings.TrimSpace(got[0].After)) &&
		!strings.Contains(long, strings.TrimSpace(got[0].After)) {
		t.Fatalf("%+v", got)
	}
	for _, s := range []string{got[0].Before, got[0].After} {
		if len(s) > contextLen || len(s) < contextLen-4 || strings.ContainsRune(s, unicode.ReplacementChar) {
			t.Errorf("%q: %d bytes", s, len(s))
		}
	}
}

func extract(page string) visible.Text {
	var e visible.Extractor
	return e.Extract([]byte(page), "text/html; charset=utf-8")
}

// stepsLead checks what steps promise: applied one after the other they turn a into b.
func stepsLead(t *testing.T, a, b *visible.Text) {
	t.Helper()
	titleA, bodyA := splitTitle(a.Blocks)
	titleB, bodyB := splitTitle(b.Blocks)
	for _, c := range []struct {
		title        bool
		older, newer []visible.Block
	}{{true, titleA, titleB}, {false, bodyA, bodyB}} {
		older, newer := units(c.older), units(c.newer)
		var made []uint16
		at := 0
		for _, s := range Steps(a, b) {
			if s.Title != c.title {
				continue
			}
			if s.Older.From < at || s.Older.To > len(older) {
				t.Fatalf("%+v stands before the step before it, or beyond the end", s)
			}
			made = append(made, older[at:s.Older.From]...)
			if s.Newer.From != len(made) {
				t.Fatalf("%+v comes at %d", s, len(made))
			}
			made = append(made, units([]visible.Block{{Text: s.Inserted}})...)
			if gone := units([]visible.Block{{Text: s.Deleted}}); !same(gone, older[s.Older.From:s.Older.To]) {
				t.Fatalf("%+v takes away what does not stand there: %q", s, string(utf16.Decode(older[s.Older.From:s.Older.To])))
			}
			at = s.Older.To
		}
		if made = append(made, older[at:]...); !same(made, newer) {
			t.Fatalf("the steps make %q, want %q", string(utf16.Decode(made)), string(utf16.Decode(newer)))
		}
	}
}

func same(a, b []uint16) bool {
	return string(utf16.Decode(a)) == string(utf16.Decode(b))
}

// units returns a text as a Stretch counts it.
func units(blocks []visible.Block) []uint16 {
	text := strings.Join(blockTexts(blocks), "")
	return utf16.Encode([]rune(strings.NewReplacer(" ", "", "\n", "").Replace(text)))
}

func FuzzStepsMakeTheNewerTextOfTheOlder(f *testing.F) {
	for _, s := range []string{
		"<p>One two three.|<p>One three.", "<title>a</title>b|<title>b</title>a", "<p>a<p>b c|<p>a b<p>c", "x 🌊 y|x y 🌊",
		"<ul><li>a<li>b<li>c</ul>|<ul><li>c<li>a</ul>", "a\xffb|a\xfeb", "|a",
		"<h1>x</h1><svg><title>y</title></svg>|<svg><title>y</title></svg><h1>z</h1>",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, pages []byte) {
		older, newer, _ := bytes.Cut(pages, []byte("|"))
		a, b := extract(string(older)), extract(string(newer))
		stepsLead(t, &a, &b)
	})
}

func TestTouching(t *testing.T) {
	for _, c := range []struct {
		name, older, newer, word string
		want                     []string
	}{
		{"it goes", "<p>The tannery paid. Nobody else did.", "<p>The town paid. Nobody else could.", "tannery", []string{"tannery"}},
		{"it comes", "<p>The town paid. Nobody else did.", "<p>The tannery paid. Nobody else could.", "tannery", []string{"town"}},
		{"it stays while all around it changes", "<p>The old tannery paid much.", "<p>That tannery paid little.", "tannery", nil},
		{"only its letters' case changes", "<p>The tannery paid.", "<p>The Tannery paid.", "tannery", nil},
		{
			"in another place it comes", "<p>The tannery and the mill and the bridge.", "<p>The mill and the bridge and the tannery.", "tannery",
			[]string{"tannery and the ", ""},
		},
		{
			"a phrase loses a word", "<p>They said air pollution is rising.", "<p>They said pollution is rising.", "air pollution",
			[]string{"air "},
		},
		{
			"a phrase is parted", "<p>They said air pollution is rising.", "<p>They said air and water pollution is rising.", "air pollution",
			[]string{""},
		},
		{
			"a phrase is put together", "<p>They said air and water pollution is rising.", "<p>They said air pollution is rising.",
			"air pollution",
			[]string{"and water "},
		},
		{
			"in the title alone", "<title>A tannery</title><p>A tannery stood here.", "<title>A mill</title><p>A tannery stood there.", "tannery",
			[]string{"tannery"},
		},
		{"nowhere", "<p>One.", "<p>Two.", "tannery", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := extract(c.older), extract(c.newer)
			var got []string
			for _, s := range Touching(Steps(&a, &b), &a, &b, func(text string) [][2]int { return everywhere(text, c.word) }) {
				got = append(got, s.Deleted)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// everywhere finds a word in a text, ignoring case.
func everywhere(text, word string) [][2]int {
	var out [][2]int
	low := strings.ToLower(text)
	for at := 0; ; {
		i := strings.Index(low[at:], word)
		if i < 0 {
			return out
		}
		out = append(out, [2]int{at + i, at + i + len(word)})
		at += i + len(word)
	}
}
