package wordform_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/search/wordform"
)

// Forms that people type, beside those that pages have.
func TestForms(t *testing.T) {
	t.Parallel()
	f, err := wordform.NewFolder(wordform.Languages())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ page, typed string }{
		{"floods", "flooding"},
		{"flood", "floods"},
		{"universities", "university"},
		{"dog's", "dogs"},
		{"dog’s", "dog"},
		{"müller", "muller"},
		{"müller", "mueller"},
		{"straße", "strasse"},
		{"häuser", "haus"},
		{"größe", "groesse"},
		{"café", "cafe"},
		{"l'eau", "eau"},
		{"l’eau", "eau"},
		{"élèves", "eleve"},
		{"œuvre", "oeuvre"},
		{"nationaux", "national"},
		{"canción", "cancion"},
		{"niños", "nino"},
		{"dell'acqua", "acqua"},
		{"città", "citta"},
		{"ações", "acoes"},
		{"fietsen", "fiets"},
		{"smørrebrød", "smorrebrod"},
		{"łódź", "lodz"},
		{"ísland", "island"},
		{"þing", "thing"},
		{"ｗａｒｃ", "warc"},
		{"ﬁnal", "final"},
		{"soft\u00adware", "software"},
		{"naïve", "naive"},
		{"o’brien", "obrien"},
		{"книги", "книга"},
		{"ёлка", "елка"},
		{"город", "города"},
		{"άνθρωπος", "ανθρωπος"},
		{"λόγος", "λογοσ"},
		{"شَمْس", "شمس"},
		{"کتاب", "كتاب"},
		{"الكتاب", "كتاب"},
		{"שָׁלוֹם", "שלום"},
		{"학교에서", "학교"},
		{"학교를", "학교는"},
		{"ｶﾀｶﾅ", "カタカナ"},
		{"İstanbul", "istanbul"},
		{"kitaplar", "kitap"},
		{"házak", "ház"},
		{"orașul", "orasul"},
		{"cæsar", "caesar"},
		{"đuro", "duro"},
		{"ırmak", "irmak"},
		{"işik", "ışık"}, // of IŞIK
		{"зелёный", "зеленый"},
		{"чёрный", "черной"},
		{"толсто́й", "толстой"},
		{"украї́на", "україна"},
		{"слу́ўка", "слуўка"},
		{"צה\"ל", "צה״ל"},
		{"רש״י", "רשי"},
		{"u.s.a", "usa"},
		{"usa", "u.s.a"},
		{"node.js", "nodejs"},
		{"col·legi", "collegi"},
		{"h₂o", "h2o"},
		{"１２３", "123"},
		{"۱۳۹۵", "1395"},
		{"٢٠١٦", "2016"},
		{"१२३", "123"},
		{"1,234,567", "1234567"},
		{"1,234,567", "1.234.567"},
		{"1234567", "1,234,567"},
		{"۱۲۳٬۴۵۶", "123456"},
		{"1'234", "1234"},
		{"1,234,567.89", "1234567.89"},
		{"1.234,5", "1234,5"},
		{"1.234", "1234"},
		{"_floods_", "flood"},
		{"__init__", "init"},
		{"コンピューター", "コンピュータ"},
		{"ţară", "țară"},
		{"şi", "și"},
		{"istanbul'da", "istanbul"},
		{"हिन्दी", "हिंदी"},
		{"क़लम", "कलम"},
		{"talossa", "talo"},
	} {
		if len(wordform.New(f, list{c.page}, nil).Forms(c.typed)) == 0 {
			t.Errorf("%s is not found by %s", c.page, c.typed)
		}
	}
}

// A small number behind a word is that of a note. One that is typed belongs to the word.
func TestWordsWithNotes(t *testing.T) {
	t.Parallel()
	f, err := wordform.NewFolder([]string{"en"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		page, typed string
		want        bool
	}{
		{"lighthouse1", "lighthouse", true},
		{"lighthouses12", "lighthouse", true},
		{"müller3", "müller", true},
		{"müller3", "muller", true},
		{"lighthouse123", "lighthouse", false},
		{"lighthouse", "lighthouse1", false},
		{"lighthouse2", "lighthouse1", false},
		{"lighthouse1a", "lighthouse", false},
		{"deck4", "deck", true},
		{"mp3", "mp", false},
		{"12", "1", false},
	} {
		if got := len(wordform.New(f, list{c.page}, nil).Forms(c.typed)) > 0; got != c.want {
			t.Errorf("%s is found by %s: %t", c.page, c.typed, got)
		}
	}
}

// Umlauts are typed as two letters whatever the languages are, and the particles of Korean words need no other stemmer.
func TestFormsInOtherLanguages(t *testing.T) {
	t.Parallel()
	f, err := wordform.NewFolder([]string{"xx", "en", "en"}) // one has no stemmer
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		page, typed string
		want        bool
	}{
		{"floods", "flooding", true},
		{"müller", "mueller", true},
		{"århus", "aarhus", true},
		{"smørrebrød", "smoerrebroed", true},
		{"학교에서", "학교", true},
		{"나는", "나", false},   // of one letter nothing would be left to tell it by
		{"कल", "कुल", false}, // a vowel sign is a letter
	} {
		if got := len(wordform.New(f, list{c.page}, nil).Forms(c.typed)) > 0; got != c.want {
			t.Errorf("%s is found by %s: %t", c.page, c.typed, got)
		}
	}
}

// Each of many words is found by itself, however many keys the words before it have, and whether an earlier index had it.
func TestManyWords(t *testing.T) {
	t.Parallel()
	words := list{strings.Repeat("a-", 32)} // of so many parts that each language makes dozens of stems of it
	for n := range 120 {
		words = append(words, "bé"+string(rune('a'+n/20))+string(rune('a'+n%20)))
	}
	for _, codes := range [][]string{wordform.Languages(), nil} {
		f, err := wordform.NewFolder(codes)
		if err != nil {
			t.Fatal(err)
		}
		half := wordform.New(f, words[60:], nil)
		for _, x := range []*wordform.Index{wordform.New(f, words, nil), wordform.New(f, words, half)} {
			for n, word := range words {
				if !slices.Contains(x.Forms(word), n) {
					t.Errorf("%d languages: %s is not found", len(codes), word)
				}
			}
		}
	}
}

// Words begin as is typed whatever accents they have, unless some are typed.
func TestBeginnings(t *testing.T) {
	t.Parallel()
	words := list{
		"caf", "cafe", "cafe\u0323s", "cafés", "effort", "efﬁx", "naive", "naïve", "o'brien", "straße",
		"zucker", "zum", "zürich", "école", "þing",
		"زبان", "علي", "علی", "中文", "ﬃx", "ﾊﾟ",
	}
	for typed, want := range map[string]string{
		"zu": "zü", "zü": "", "zur": "zür", "caf": "", "cafe": "café", "ec": "éc", "na": "", "nai": "naï", "strass": "straß", "stras": "straß",
		"obr": "o'br", "eff": "efﬁ", "ff": "ﬃ", "th": "þ", "علی": "علي", "علي": "علی", "中": "", "x": "", "": "", "zuge": "",
	} {
		if got := strings.Join(wordform.Beginnings(words, typed), " "); got != want {
			t.Errorf("%s: %s, want %s", typed, got, want)
		}
	}
}

// Words that are none of each other's.
func TestOtherWords(t *testing.T) {
	t.Parallel()
	f, err := wordform.NewFolder([]string{"en", "de", "fr", "ru"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{
		{"flood", "floor"},
		{"river", "rival"},
		{"1999", "199"},
		{"x86", "x8"},
		{"1.5", "15"},
		{"3,14", "314"},
		{"10.12.2016", "10122016"},
		{"1,2345", "12345"},
		{"1.234,567.8", "1234567.8"},
		{"1,23.4", "123.4"},
		{"_", "__"},
		{"snake_case", "snakecase"},
		{"キー", "キ"},
		{"1,234,56", "123456"},
		{"v2.10.3", "v2103"},
		{"їжа", "іжа"},
		{"мой", "мои"},
		{"http:", "http"},
		{"weiß", "weite"},
		{"кот", "код"},
		{"dziesięciu", "dziesiêciu"},
		{"pâté", "pàte"},
	} {
		if len(wordform.New(f, list{c[0]}, nil).Forms(c[1])) > 0 {
			t.Errorf("%s is found by %s", c[0], c[1])
		}
	}
}

type list []string

func (l list) Len() int        { return len(l) }
func (l list) At(i int) string { return l[i] }

// An index made with the help of an earlier one is the same as one made anew.
func TestAnEarlierIndexHelps(t *testing.T) {
	t.Parallel()
	folder := func(codes ...string) *wordform.Folder {
		f, err := wordform.NewFolder(codes)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	old := list{"cafe", "flood", "floods", "zebra"}
	now := list{"café", "flood", "flooded", "floods", "flower", "zebras"}
	for _, codes := range [][]string{{"en"}, {"en", "de"}, {"de"}} {
		earlier := wordform.New(folder("en"), old, nil)
		if got := wordform.New(folder(codes...), list{}, earlier).Forms("flood"); len(got) > 0 {
			t.Errorf("%v: among no words there are %v", codes, got)
		}
		anew, helped := wordform.New(folder(codes...), now, nil), wordform.New(folder(codes...), now, earlier)
		for _, typed := range []string{"flooding", "cafe", "zebra", "flower", "river"} {
			if a, b := anew.Forms(typed), helped.Forms(typed); !slices.Equal(a, b) {
				t.Errorf("%v: %s: %v, with an earlier one %v", codes, typed, a, b)
			}
		}
	}
}

// Words that are too long to be words have no keys, nor have addresses.
func TestWhatHasKeys(t *testing.T) {
	folder, err := wordform.NewFolder([]string{"en"})
	if err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]bool{
		"flood": true, strings.Repeat("a", 64): true, strings.Repeat("a", 65): false, "7": true, "": false,
		"a_b": false, "a@b": false, "a.b": true, "a:b": false, "x1": true, "dog's": true,
	} {
		if written, _ := folder.Keys(word); (len(written) > 0) != want {
			t.Errorf("%q has %d keys", word, len(written))
		}
	}
}

func FuzzKeys(f *testing.F) {
	for _, s := range []string{"floods", "l’eau", "Straße", "학교에서", "\xff", "a\u0300\u0301", "\u0301", "İ"} {
		f.Add(s)
	}
	folder, err := wordform.NewFolder(wordform.Languages())
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, word string) {
		written, plain := folder.Keys(word)
		for _, k := range append(written, plain...) {
			if k == "" {
				t.Errorf("%q has an empty key", word)
			}
		}
	})
}

func ExampleIndex_Forms() {
	folder, _ := wordform.NewFolder([]string{"en"})
	words := list{"flood", "flooded", "floods", "floor", "flower"}
	x := wordform.New(folder, words, nil)
	for _, i := range x.Forms("flooding") {
		fmt.Println(words[i])
	}
	// Output:
	// flood
	// flooded
	// floods
}
