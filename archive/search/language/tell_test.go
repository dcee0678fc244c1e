package language

import (
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/search/query"
)

func TestLanguagesAreNamed(t *testing.T) {
	t.Parallel()
	stop, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"the river is high and the mill is closed":             "en",
		"der Fluss ist hoch und die Mühle ist geschlossen":     "de",
		"річка висока і млин не працює, тому що він старий":    "uk",
		"رودخانه بلند است و آسیاب بسته است":                    "fa",
		"แม่น้ำสูงและโรงสีปิดแล้วในวันนี้":                     "th",
		"川の水が高くて、水車小屋はもう閉まっています":                               "ja",
		"記譜法 和音記譜法 概要 和音の演奏 通奏低音":                              "ja",
		"河水很高，磨坊已经关门了，人们都在等着":                                  "zh",
		"강물이 높고 방앗간은 문을 닫았습니다":                                 "ko",
		"הנהר גבוה והטחנה סגורה מאז השיטפון":                   "he",
		"მდინარე მაღალია და წისქვილი დაკეტილია":                "ka",
		"Nước sông dâng cao và cối xay đã đóng cửa từ hôm qua": "vi",
		"det er og en": "da", // all of it is in the Norwegian list too
		"":             "",
		"欢迎使用 Debian GNU/Linux 什么是 Debian GNU/Linux 安装程序":                                    "zh",
		"Debian GNU/Linux i na 설치하기 a i 데비안 문서 i 안내 a 최신":                                    "ko",
		"apt-get install a linux i na v Ο πυρήνας φορτώνεται":                                "el",
		"the word река is what people in the village call the river, and вода is water, дом": "en",
		"qqq xxx 17 25 zzz":        "",
		"hotel radio taxi kilo":    "", // as well French as Finnish
		strings.Repeat("1234 ", 9): "",
	} {
		if _, got := stop.Detect(query.Words(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestLanguages(t *testing.T) {
	t.Parallel()
	stop, err := New()
	if err != nil {
		t.Fatal(err)
	}
	guess := func(text string) Set {
		lang, _ := stop.Detect(query.Words(text))
		return lang
	}
	english := stop.lists["the"]
	filler := strings.Repeat(" qqq", 39)
	for _, test := range []struct {
		name, text string
		stops      string // a word of the language that English has as a word with a meaning
		in         bool
	}{
		{"German", "der Hund und die Katze sind nicht mit ihm gegangen", "und", true},
		{"English", "the dog and the cat did not go with him", "und", false},
		{"one stop word in twenty is enough", "und" + filler[:19*4], "und", true},
		{"one in forty is not", "und" + filler, "und", false},
		{"one in twenty-one is not", "und" + filler[:20*4], "und", false},
		{"what comes late isn't looked at", strings.Repeat("the of and ", 200) + strings.Repeat("und der die ", 600), "und", false},
		{"no words", "", "und", false},
	} {
		l := guess(test.text)
		if l&english != english {
			t.Errorf("%s: English stop words count everywhere", test.name)
		}
		if got := stop.lists[test.stops]&l&^english != 0; got != test.in {
			t.Errorf("%s: %q is a stop word: %v", test.name, test.stops, got)
		}
	}
}

func TestSignificantTerms(t *testing.T) {
	t.Parallel()
	stop, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for term, want := range map[string]bool{
		"river": true, "the": false, "2016": false, "x": false, "é": false, "xy": true, "b2": true, "2b": true,
		"河": true, "一": true, "": false,
		"⺀": false, "\u2e80\u2e80": false, // radicals are signs, not letters
	} {
		if got := stop.Significant(term, stop.lists["the"]); got != want {
			t.Errorf("%q: %v", term, got)
		}
	}
}

// The lists are found by their codes, and who names an unknown one learns which there are.
func TestStopWordsOfALanguage(t *testing.T) {
	t.Parallel()
	for code, word := range map[string]string{"ar": "من", "de": "und", "pl": "oraz", "zh": "的"} {
		if words, err := StopWords(code); err != nil || !slices.Contains(words, word) || slices.Contains(words, "river") {
			t.Errorf("%s: %q, %v", code, words, err)
		}
	}
	if words, err := StopWords("xx"); err == nil || len(words) > 0 || !strings.Contains(err.Error(), "there are ar, bg, ") {
		t.Errorf("%q, %v", words, err)
	}
}

func TestCommonWords(t *testing.T) {
	t.Parallel()
	common := Common()
	for word, want := range map[string]bool{"the": true, "und": true, "и": true, "river": false, "": false} {
		if common(word) != want {
			t.Errorf("%q is common: %t", word, !want)
		}
	}
}
