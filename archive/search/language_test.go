package search

import (
	"strings"
	"testing"
)

func TestLanguagesAreNamed(t *testing.T) {
	t.Parallel()
	stop, err := newStopWords()
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
		"河水很高，磨坊已经关门了，人们都在等着":                                  "zh",
		"강물이 높고 방앗간은 문을 닫았습니다":                                 "ko",
		"הנהר גבוה והטחנה סגורה מאז השיטפון":                   "he",
		"მდინარე მაღალია და წისქვილი დაკეტილია":                "ka",
		"Nước sông dâng cao và cối xay đã đóng cửa từ hôm qua": "vi",
		"":                         "",
		"qqq xxx 17 25 zzz":        "",
		strings.Repeat("1234 ", 9): "",
	} {
		if _, got := stop.tell(Words(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
