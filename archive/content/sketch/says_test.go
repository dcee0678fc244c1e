package sketch

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/content/visible"
)

// Blocks with numbers that tell how often or how long ago, and blocks that say something by them.
func TestCountersAndAges(t *testing.T) {
	for text, want := range map[string]bool{
		"vor 3 Stunden":                      true,
		"vor 3 4 Stunden":                    true,
		"vor uns 3 Stunden":                  false,
		"3 Stunden":                          false,
		"3 ore fa":                           true,
		"fa 3 ore":                           false,
		"3 barche fa":                        false,
		"il y a 3 heures":                    true,
		"il y a 3 bateaux":                   false,
		"vor 2 Jahren":                       true,
		"an hour ago":                        true,
		"a few seconds ago":                  true,
		"Posted a month ago by Anna":         true,
		"a moment ago":                       true,
		"yesterday":                          true,
		"Posted yesterday":                   true,
		"vor einer Stunde":                   true,
		"vor ein paar Sekunden":              true,
		"vorgestern":                         true,
		"il y a une heure":                   true,
		"hace un día":                        true,
		"un giorno fa":                       true,
		"há uma semana":                      true,
		"een paar minuten geleden":           true,
		"godzinę temu":                       true,
		"час назад":                          true,
		"вчора":                              true,
		"昨天":                                 true,
		"어제":                                 true,
		"a boat for a day":                   false,
		"for an hour":                        false,
		"a day long ago":                     false,
		"long ago":                           false,
		"una hora":                           false,
		"hier klicken":                       false,
		"heute eine Woche":                   false,
		plainWords(9) + " an hour ago":       true,
		plainWords(10) + " an hour ago":      false,
		"12 comments and 7 shares total":     true,
		"12 comments sailing 7 shares total": false,
		"12 boats and 7 gulls total":         false,
		"1 comment":                          true,
		"1 Kommentar":                        true,
		"No Comments »":                      true,
		"Leave a comment":                    true,
		"Aucun commentaire":                  true,
		"Нет комментариев":                   true,
		"No comments on boats":               false,
		"No boats":                           false,
		"1 просмотр and 3 комментария": true,
		"Comment 1":             false,
		"Download 7 boats":      false,
		"1 view of the harbour": false,
		"2 tuntia sitten":       true,
		"πριν 3 ημέρες":         true,
		"2 giờ trước":           true,
		"před 2 hodinami":       true,
		"منذ 3 أيام":            true,
		"לפני 3 ימים":           true,
		"3 روز پیش":             true,
		"2週間前":                  true,
		"3ヶ月前":                  true,
		"2周前":                   true,
		"3주 전":                  true,
		"3개월전":                  true,
		"2 ชั่วโมงที่แล้ว": true,
		"By Anna, 7 views":                  true,
		"By Anna, who has views on 7 boats": false,
		plainWords(10) + " 7 helpful":       true,
		plainWords(11) + " 7 helpful":       false,
		"閲覧数 12":                            true,
		"v8.1":                              true,
		"Version 2.0.77 (1204)":             true,
		"8.1":                               false,
		"8.1 (1204)":                        false,
		"v8..1":                             false,
		"v2020.1":                           false,
		"v8":                                false,
		"v8.1 beta":                         false,
		"© Harbour 2019":                    true,
		"Copyright 2019":                    true,
		"The harbour has 7 boats and 12 gulls on it": false,
		"Visitors may bring up to 3 children.":       false,
		"Free entry for visitors under 18":           false,
		"Visitors 65 and over pay $12":               false,
		"Visit 5 museums with one ticket":            false,
		"Children under 12 may visit for free":       false,
		"Für Besucher unter 12 Jahren frei":          false,
		"Breakfast is served from 7 to 10":           false,
		"For queries call 030 1234567":               false,
		"The counter is open from 9 to 17":           false,
		"A helpful guide of 12 pages":                false,
		"They died out 66 million years ago.":        false,
		"7 boats that sailed long ago":               false,
		"345 visitors":                               true,
		"345 unique visitors":                        true,
		"You are visitor number 345":                 true,
		"Visitors since May 1999: 345":               true,
		"Visitors today: 345":                        true,
		"Besucher gesamt: 345":                       true,
		"Sie sind der 345. Besucher":                 true,
		"Hits: 345":                                  true,
		"34 queries in 0.1 s":                        true,
		"Served in 0.12 s":                           true,
		"Generated in 0.12 s":                        true,
		"Visitor counter 345":                        true,
		"Helpful (12)":                               true,
		"Was this helpful? Yes 12 No 3":              true,
		"12 people found this helpful":               true,
		"3 of 5 find that helpful, says Anna":        true,
		"5 min. ago":                                 true,
		"3d ago":                                     true,
		"5 дн. назад":                                true,
	} {
		if got := sketchOf("<p>" + text).Blocks[0].Stamp; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// However a page says how long ago something was, it says the same of it.
func TestAgesAreTheSame(t *testing.T) {
	t.Parallel()
	for first, others := range map[string][]string{
		"Posted 3 hours ago by Anna": {
			"Posted an hour ago by Anna", "Posted about 2 hours ago by Anna", "Posted over a year ago by Anna", "Posted almost 3 years ago by Anna",
			"Posted less than a minute ago by Anna", "Posted just now by Anna", "Posted yesterday by Anna",
		},
		"vor 3 Jahren":    {"vor etwa einer Stunde", "vor fast 2 Jahren", "gestern"},
		"il y a 3 heures": {"il y a environ 2 ans", "il y a presque une heure"},
	} {
		for _, other := range others {
			if a, b := sketchOf("<p>" + first).Blocks[0], sketchOf("<p>" + other).Blocks[0]; !b.Stamp || a.Mask != b.Mask {
				t.Errorf("%q is not like %q", other, first)
			}
		}
	}
	for _, other := range []string{"Posted about 3 hours by Anna", "Posted 3 boats an hour ago by Anna", "Posted now by Anna", "Just now"} {
		if a, b := sketchOf("<p>Posted 3 hours ago by Anna").Blocks[0], sketchOf("<p>" + other).Blocks[0]; a.Mask == b.Mask {
			t.Errorf("%q is like an age", other)
		}
	}
}

// What pages say of themselves, besides what they are about.
func TestWhatPagesSayOfThemselves(t *testing.T) {
	type said struct{ NotFound, Wall bool }
	long := "<p>" + prose(1, 300)
	for html, want := range map[string]said{
		"<title>Page not found</title>" + long:                                         {NotFound: true},
		"<h1>Error 404</h1>" + long:                                                    {NotFound: true},
		"<h1>Room 4040</h1>" + long:                                                    {},
		"<h1>Harbour</h1><p>Not found" + long:                                          {},
		"<h1>Boats</h1><p>The page was removed.":                                       {NotFound: true},
		"<h1>Boats</h1><p>The page is here.<p>A boat was removed.":                     {},
		"<h1>Boats</h1><p>A gull was removed, then the page was removed.":              {NotFound: true},
		"<h1>Boats</h1><p>A gull was removed.<p>That page was removed too.":            {NotFound: true},
		"<h1>Boats</h1><p>The page was removed." + "<p>" + strings.Repeat("sail ", 50): {},
		"<h1>" + strings.Repeat("sail ", 40) + "not found</h1>" + long:                 {},
		"<p>Something went wrong":                                                      {Wall: true},
		"<p>Harbour<p>Something went wrong":                                            {Wall: true},
		"<nav>Something went wrong</nav><main><p>Harbour library, open at dawn":        {},
		"<p>Something went wrong" + long:                                               {},
		"<p>Something went <p>wrong":                                                   {},
	} {
		s := sketchOf(html)
		if diff := cmp.Diff(want, said{s.NotFound, s.Wall}); diff != "" {
			t.Errorf("%.80s: %s", html, diff)
		}
	}
}

// The list of sayings has no comments and no phrase that is empty.
func TestSayingsAreRead(t *testing.T) {
	all, said := readAbsencePhrases("# page: a comment\nno colon\npage, site: gone , , removed\n:for sale\n")
	want := []absencePhrase{{[]string{"page", "site"}, []string{"gone", "removed"}}, {nil, []string{"for sale"}}}
	if diff := cmp.Diff(want, all, cmp.AllowUnexported(absencePhrase{})); diff != "" {
		t.Error(diff)
	}
	if !said.in("it is gone") || said.in("a comment") {
		t.Error("the set of phrases is another one")
	}
}

// Two texts say the same if their words are the same, in the same order.
func TestTextsThatSayTheSame(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		// Whether the words, the core, the first blocks without marks, and the words in order without punctuation are the same.
		same, core, said, order bool
	}{
		{"mark-up", "<p>one two", "<div><b>one</b> two", true, true, true, true},
		{"a word of the same length", "<p>one two", "<p>one twa", false, false, false, false},
		{"order", "<p>one two", "<p>two one", false, false, false, false},
		{"a bullet", "<p>one • two", "<p>one two", false, false, true, true},
		{"a bullet for a dash", "<p>one • two", "<p>one — two", false, false, true, true},
		{"an anchor sign", "<p>one¶ two", "<p>one two", false, false, true, true},
		{"an anchor sign behind a bullet", "<p>• one¶ two", "<p>one two", false, false, true, true},
		{"furniture", "<nav>x y</nav><main><p>one two", "<nav>z y</nav><main><p>one two", false, true, false, false},
		{"a clock", "<p>one two<p>It is 12:30:01", "<p>one two<p>It is 12:30:02", false, true, true, false},
	} {
		a, b := sketchOf(tt.a), sketchOf(tt.b)
		if got := a.SaysSame(b); got != tt.same {
			t.Errorf("%s: the same words: %v", tt.name, got)
		}
		if got := a.Core == b.Core; got != tt.core {
			t.Errorf("%s: the same core: %v", tt.name, got)
		}
		if got := a.Blocks[0].NormalHash == b.Blocks[0].NormalHash; got != tt.said {
			t.Errorf("%s: first blocks that say the same: %v", tt.name, got)
		}
		if got := a.Order == b.Order; got != tt.order {
			t.Errorf("%s: the same words in order: %v", tt.name, got)
		}
		if like := Compare(a, b).Similarity; like == 1 && !tt.same || like != 1 && tt.same {
			t.Errorf("%s: %v alike", tt.name, like)
		}
	}
}

// Beyond the last block that is kept, the rest counts still.
func TestTheLastBlockHasTheRest(t *testing.T) {
	page := func(last string) *Sketch { return sketchOf(strings.Repeat("<p>block 7", maxBlocks+3) + "<p>" + last) }
	a, b := page("one two"), page("one twa")
	end := a.Blocks[len(a.Blocks)-1]
	got := fmt.Sprint(len(a.Blocks), end.Fields, end.Size, end.Digits, a.SaysSame(b), a.SaysSame(page("one two")))
	if want := fmt.Sprint(maxBlocks, 4*2+2, 4*len("block 7")+len("one two"), false, false, true); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A stored sketch with a wrong bit is refused, or is one that could have been stored.
func TestSketchesWithAWrongBit(t *testing.T) {
	data := sketchOf("<title>t</title><p>• one two 1<p>c c c<nav>d<p>© x 2020").AppendBinary(nil)
	for at := range data {
		for bit := range 8 {
			data[at] ^= 1 << bit
			if s, err := Parse(data); err == nil {
				for _, b := range s.Blocks {
					if b.Region >= visible.Regions || b.Marks > b.Fields {
						t.Errorf("byte %d, bit %d: %+v", at, bit, b)
					}
				}
			}
			data[at] ^= 1 << bit
		}
	}
}

// Terms are counted whichever text has the last of them.
func TestTermsOfOneTextOnly(t *testing.T) {
	for seed := range 20 {
		a, b := "<p>common ground", "<p>common ground"
		for i := range seed {
			b += fmt.Sprintf(" w%dx%d", seed, i)
		}
		there, back := Compare(sketchOf(a), sketchOf(b)), Compare(sketchOf(b), sketchOf(a))
		if there.Added != seed || there.Deleted != 0 || back.Added != 0 || back.Deleted != seed {
			t.Errorf("%d words more: %+v, back %+v", seed, there, back)
		}
	}
}

// A currency beside a number names an amount of money.
func TestPrices(t *testing.T) {
	for text, want := range map[string]bool{
		"$20": true, "20 $": true, "from 20€ a day": true, "US$ 5": true, "\u00a35": true, "5\u202f₽": true,
		"EUR 20": true, "20 UAH": true, "2CHF": true,
		"$ and 20": false, "$HOME 20": false, "€": false, "EU 20": false, "20 EU": false, "EURO 2020": false, "20": false, "": false,
		"PLN": false, "RUB it 20 times": false,
		"12 zł": true, "1 234,50 Kč": true, "12 kr.": true, "Rs. 20": true, "Rp 20.000": true, "2 000 Ft": true, "12 ft": false, "20 руб.": true,
		"20\u00a0грн": true, "12 березня 2020 р.": false, "12元起": true, "1,200円（税込）": true, "3万円": true, "20 원": true, "۱۲۰۰۰ تومان": true,
		"12,–": true, "12.-": true, "12,-- Euro": true, "12.-14. März": false, "12, 13": false, "5,-x": false,
		"20 euro": true, "20 Euro": true, "12 euros a day": true, "euro 20": false,
		"20 rupees": true, "20 रुपये": true, "AED 20": true, "TOP 10": false, "ALL 20": false, "RM12": true, "Room 12": false,
		"zł": false, "20 złap": false, "20 lei": true, "20 leido": false, "é 20": false, "中20": false, "20 TL": true, "20,": false, "20.": false,
	} {
		if got := saysPrice(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

func TestFiguresInSentences(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"At least 12 people have died since the ferry sank here.":   true,
		"“At least 12 people have died since the ferry sank here!”": true,
		"At least 12 people have died since the ferry sank here":    false,
		"At least 12 people have died since the ferry sank.":        true,
		"At least 12 people died since it sank.":                    false, // seven words
		"At least 123,456 people have died since the ferry sank.":   true,
		"At least 123456 people have died since the ferry sank.":    true,
		"At least 1234567 people have died since the ferry sank.":   false, // as long as a token
		"At least a8f3 people have died since the ferry sank.":      false,
		"At least a8f people have died since the 2nd ferry sank.":   true,
		"At least 12 people have died here since 5 hours ago now.":  false,
		"At least 12 people had died in May when the ferry sank.":   false,
	} {
		s := Of(&visible.Text{Blocks: []visible.Block{{Text: text}}})
		if got := !s.Blocks[0].Digits; got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
