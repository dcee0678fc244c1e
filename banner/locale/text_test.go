package locale

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var placeholder = regexp.MustCompile(`\{\d\}`)

// phrases returns every string of a language by its field.
func phrases(t *Language) map[string]string {
	found := map[string]string{}
	addPhrases(found, "", reflect.ValueOf(*t))
	return found
}

func addPhrases(found map[string]string, group string, v reflect.Value) {
	for i := range v.NumField() {
		if !v.Type().Field(i).IsExported() {
			continue
		}
		name := group + v.Type().Field(i).Name
		switch f := v.Field(i).Interface().(type) {
		case string:
			found[name] = f
		case Count:
			for j, form := range []string{f.One, f.Few, f.Many, f.Other} {
				if form != "" {
					found[name+"."+[]string{"One", "Few", "Many", "Other"}[j]] = form
				}
			}
		case [12]string:
			found[name] = strings.Join(f[:], "\x00")
		case [7]string:
			found[name] = strings.Join(f[:], "\x00")
		case Search, Proxy, Present, Info, Rooms, Overview, Uploads, Refusals, Recorder, Crawls:
			addPhrases(found, name+".", v.Field(i))
		}
	}
}

func TestEveryLanguageSaysEverything(t *testing.T) {
	want := phrases(&english)
	for _, l := range languages {
		got := phrases(l)
		for key, phrase := range want {
			if strings.HasSuffix(key, ".One") && l.Tag == "zh" {
				continue // Chinese has one form
			}
			if got[key] == "" || strings.Contains(got[key], "\x00\x00") {
				t.Errorf("%s: %s is missing", l.Tag, key)
			}
			if a, b := placeholders(phrase), placeholders(got[key]); !slices.Equal(a, b) {
				t.Errorf("%s: %s has the places %v, English %v", l.Tag, key, b, a)
			}
			if strings.Contains(got[key], "|") {
				t.Errorf("%s: %s holds a bar, which the script splits at", l.Tag, key)
			}
		}
	}
}

func placeholders(s string) []string {
	p := placeholder.FindAllString(s, -1)
	slices.Sort(p)
	return p
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
	if got := english.DateTime(0); got != "–" {
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
		if got := english.Drift(c.d); got != c.want {
			t.Errorf("drift(%v) = %q, want %q", c.d, got, c.want)
		}
	}
}

func TestFillLeavesWhatItFillsIn(t *testing.T) {
	if got := Fill("{1}, {0}: {1}", "{1}", "b"); got != "b, {1}: b" {
		t.Errorf("got %q", got)
	}
}
