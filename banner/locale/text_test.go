package locale

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// phrases returns every text of a language by its field.
func phrases(found map[string]string, name string, v reflect.Value) map[string]string {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				phrases(found, name+"."+f.Name, v.Field(i))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			phrases(found, fmt.Sprint(name, ".", i), v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			phrases(found, name+"."+key.String(), v.MapIndex(key))
		}
	case reflect.String:
		found[name] = v.String()
	}
	return found
}

func TestEveryLanguageSaysEverything(t *testing.T) {
	want := phrases(map[string]string{}, "", reflect.ValueOf(*For("en")))
	for _, tag := range Tags() {
		got := phrases(map[string]string{}, "", reflect.ValueOf(*For(tag)))
		for key, phrase := range want {
			if phrase == "" || tag == "zh" && strings.HasSuffix(key, ".One") {
				continue // a plural form that the language does not have
			}
			if got[key] == "" {
				t.Errorf("%s: %s is missing", tag, key)
			}
			if a, b := places(phrase), places(got[key]); a != b {
				t.Errorf("%s: %s has the places %v, English %v", tag, key, b, a)
			}
			if strings.Contains(got[key], "|") {
				t.Errorf("%s: %s holds a bar, which the script splits at", tag, key)
			}
		}
	}
}

func TestLanguageIsChosenFromAcceptLanguage(t *testing.T) {
	for _, c := range []struct{ name, header, want string }{
		{"no header is English", "", "en"},
		{"a language spoken", "uk", "uk"},
		{"a region of it", "de-AT,de;q=0.9", "de"},
		{"the first that is spoken", "sw,fa;q=0.8,en;q=0.5", "fa"},
		{"the weights decide, not the order", "en;q=0.3,ru;q=0.9", "ru"},
		{"simplified and traditional Chinese", "zh-TW", "zh"},
		{"none spoken", "sw,yo", "en"},
		{"rubbish", ";;;q=q=<>", "en"},
		{"a language that nobody registered", "xx-YY,uk;q=0.5", "uk"},
		{"a broken weight", "de;q=abc,uk", "uk"},
		{"a very long header", strings.Repeat("sw,", 5000) + "uk", "en"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Choose(c.header); got != c.want {
				t.Errorf("Choose(%.40q) = %s, want %s", c.header, got, c.want)
			}
		})
	}
}

func FuzzLanguage(f *testing.F) {
	for _, s := range []string{"", "uk", "de-AT,de;q=0.9", "*", "x-private", ";;;q=q=<>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, header string) {
		if tag := Choose(header); For(tag).Tag != tag {
			t.Errorf("Choose(%q) = %q, which is not spoken", header, tag)
		}
	})
}

func TestDatesAreWrittenOut(t *testing.T) {
	for tag, want := range map[string]string{
		"en": "8 February 2017, 11:42 UTC", "de": "8. Februar 2017, 11:42 UTC", "uk": "8 лютого 2017, 11:42 UTC",
		"ru": "8 февраля 2017, 11:42 UTC", "zh": "2017年2月8日 11:42 UTC", "fa": "۸ فوریهٔ ۲۰۱۷، ۱۱:۴۲ UTC",
	} {
		if got := For(tag).DateTime(20170208114209); got != want {
			t.Errorf("%s: %q, want %q", tag, got, want)
		}
	}
	if got := For("en").DateTime(0); got != "–" {
		t.Errorf("no time is written %q", got)
	}
}

func TestNumbersTakeTheirNouns(t *testing.T) {
	for _, c := range []struct {
		tag  string
		n    int
		want string
	}{
		{"en", 1, "1 capture"},
		{"en", 0, "0 captures"},
		{"en", 1234567, "1,234,567 captures"},
		{"uk", 1, "1 копія"},
		{"uk", 3, "3 копії"},
		{"uk", 11, "11 копій"},
		{"uk", 21, "21 копія"},
		{"uk", 1005, "1\u00a0005 копій"},
		{"ru", 2, "2 копии"},
		{"ru", 12, "12 копий"},
		{"ru", 101, "101 копия"},
		{"de", 2000, "2.000 Aufnahmen"},
		{"zh", 2, "2 次抓取"},
		{"fa", 1200, "۱٬۲۰۰ ضبط"},
	} {
		l := For(c.tag)
		if got := l.Count(l.Captures, c.n); got != c.want {
			t.Errorf("%s: %q, want %q", c.tag, got, c.want)
		}
	}
}

func TestDriftIsSaidInTheLargestUnit(t *testing.T) {
	const day = 24 * time.Hour
	for _, c := range []struct {
		d    time.Duration
		want string
	}{
		{0, ""},
		{30 * time.Second, ""},
		{90 * time.Minute, "parts of the page are up to 90 minutes later"},
		{-26 * time.Hour, "parts of the page are up to 26 hours earlier"},
		{75 * day, "parts of the page are up to 75 days later"},
		{-800 * day, "parts of the page are up to 2 years earlier"},
	} {
		if got := For("en").Drift(c.d); got != c.want {
			t.Errorf("drift(%v) = %q, want %q", c.d, got, c.want)
		}
	}
}

func TestFillLeavesWhatItFillsIn(t *testing.T) {
	if got := Fill("{1}, {0}: {1}", "{1}", "b"); got != "b, {1}: b" {
		t.Errorf("got %q", got)
	}
}
