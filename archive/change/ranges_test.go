package change

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/testkit/corpora"

	"github.com/varve-archive/varve/archive/change/site"
	"github.com/varve-archive/varve/archive/content/sketch"
)

// A shelf is a Source backed by a map.
type shelf map[uint64]*sketch.Sketch

func (s shelf) Sketch(id uint64) (*sketch.Sketch, error) {
	if id == 0 {
		return nil, errors.New("asked for no text")
	}
	return s[id], nil
}

func (s shelf) put(html string) uint64 {
	sketch := sketchOf(html)
	s[sketch.ID] = sketch
	return sketch.ID
}

// history builds states a day apart from a short notation, one word each: a page by its HTML, with underscores for spaces; 301>target;
// 404, 503 …; 404:page; file:digest; trunc:page. With & at its end or beginning a capture is of the second of the next or the last, whose
// URI-M shows the other one.
func history(s shelf, words ...string) []State {
	var out []State
	day := 0
	for _, w := range words {
		w = strings.ReplaceAll(w, "_", " ")
		before, after := strings.HasSuffix(w, "&"), strings.HasPrefix(w, "&")
		if w = strings.Trim(w, "&"); after {
			day--
		}
		st := State{Time: cdx.Timestamp(20200101000000 + day*1000000), Status: 200, Digest: w, Beside: before || after}
		if day++; before {
			day--
		}
		kind, rest, _ := strings.Cut(w, ":")
		code, target, redirect := strings.Cut(w, ">")
		switch {
		case kind == "file":
			st.Digest = rest
		case kind == "trunc":
			st.Text, st.Failed = s.put(rest), true
		case kind == "404" && rest != "":
			st.Status, st.Text = 404, s.put(rest)
		case redirect && code[0] == '3':
			fmt.Sscan(code, &st.Status)
			st.Redirect, st.ToSelf = target, target == "self"
		case len(w) == 3 && w[0] >= '3' && w[0] <= '5':
			fmt.Sscan(w, &st.Status)
			st.Failed = st.Status >= 500 || st.Status == 429
		default:
			st.Text = s.put(w)
		}
		out = append(out, st)
	}
	return out
}

// lines writes ranges as "first-last/captures kind status", days counted from 0.
func lines(rs []Range) []string {
	var out []string
	for _, r := range rs {
		l := fmt.Sprintf("%d-%d/%d %s %d", r.FirstIndex, r.LastIndex, r.Captures, r.Kind, r.Status)
		if r.Soft404 {
			l += " soft"
		}
		if r.Redirect != "" {
			l += " >" + r.Redirect
		}
		out = append(out, l)
	}
	return out
}

var (
	short = strings.Repeat("some_text_of_a_real_page_that_was_here_", 20)
	long  = strings.Repeat("much_text_of_a_real_page_that_was_here_", 60)
)

func TestRanges(t *testing.T) {
	for _, test := range []struct {
		name    string
		level   Level
		history string
		want    []string
	}{
		{"no captures", LevelContent, "", nil},
		{"one", LevelContent, "a", []string{"0-0/1 page 200"}},
		{"what was not modified begins no range", LevelAny, "304 a 304 a b 304", []string{"1-3/4 page 200", "4-4/2 page 200"}},
		{"nothing but 304", LevelContent, "304 304", []string{"0-1/2 resource 304"}},
		{"copies are one range", LevelContent, "a a a b b", []string{"0-2/3 page 200", "3-4/2 page 200"}},
		{"mark-up counts at level any", LevelAny, "a_b <b>a</b>_b a_b", []string{"0-0/1 page 200", "1-1/1 page 200", "2-2/1 page 200"}},
		{"mark-up does not count at level text", LevelText, "a_b <b>a</b>_b a_b", []string{"0-2/3 page 200"}},
		{"case and punctuation count", LevelText, "a_b A_b A,_b", []string{"0-0/1 page 200", "1-1/1 page 200", "2-2/1 page 200"}},
		{"furniture counts at level text", LevelText, "<nav>x</nav><p>a <nav>y</nav><p>a", []string{"0-0/1 page 200", "1-1/1 page 200"}},
		{"furniture does not count at level content", LevelContent, "<nav>x</nav><p>a <nav>y</nav><p>a", []string{"0-1/2 page 200"}},
		{
			"what is furniture of one text is no content of the other", LevelContent, "<nav>x</nav><p>a <p>x<p>a<nav>y</nav>",
			[]string{"0-1/2 page 200"},
		},
		{
			"a paragraph that says what the menu says goes", LevelContent, "<nav>x</nav><p>x<p>a <nav>x</nav><p>a<nav>z</nav>",
			[]string{"0-0/1 page 200", "1-1/1 page 200"},
		},
		{"a menu that says what a paragraph says comes", LevelContent, "<p>x<p>a <nav>x</nav><p>x<p>a", []string{"0-1/2 page 200"}},
		{
			"a clock on a page that is all furniture", LevelContent, "<nav>x</nav><p>It_is_12:00:01 <nav>x</nav><p>It_is_12:00:02",
			[]string{"0-1/2 page 200"},
		},
		{"a page that is all furniture", LevelContent, "<nav>x</nav> <nav>y</nav>", []string{"0-0/1 page 200", "1-1/1 page 200"}},
		{"a failure ends no range", LevelContent, "a 503 a 429 trunc:b a", []string{"0-5/6 page 200"}},
		{"a failure counts in the range before it", LevelContent, "a 503 b", []string{"0-0/2 page 200", "2-2/1 page 200"}},
		{"a failure at the end is not the last", LevelContent, "a a 503", []string{"0-1/3 page 200"}},
		{"leading failures are a range", LevelContent, "503 429 a 503", []string{"0-1/2 error 503", "2-2/2 page 200"}},
		{"a failure beside another that no URI-M shows", LevelContent, "503 &502 a", []string{"0-0/2 error 503", "2-2/1 page 200"}},
		{"what is cut off first", LevelText, "trunc:b a", []string{"0-0/1 error 200", "1-1/1 page 200"}},
		{"nothing but failures", LevelContent, "503 500", []string{"0-1/2 error 503"}},
		{
			"a redirect is a range by its target", LevelContent, "a 301>x 301>x 301>y a",
			[]string{"0-0/1 page 200", "1-2/2 redirect 301 >x", "3-3/1 redirect 301 >y", "4-4/1 page 200"},
		},
		{"a redirect of another status is another", LevelContent, "301>x 302>x", []string{"0-0/1 redirect 301 >x", "1-1/1 redirect 302 >x"}},
		{"a redirect to itself ends no range", LevelContent, "a 301>self a 301>self b 301>self", []string{"0-2/4 page 200", "4-4/2 page 200"}},
		{
			"leading redirects to itself are of the first version", LevelContent, "301>self 301>self a 301>self b",
			[]string{"2-2/4 page 200", "4-4/1 page 200"},
		},
		{
			"leading redirects to itself before failures", LevelContent, "301>self 503 301>self a",
			[]string{"1-2/3 error 503", "3-3/1 page 200"},
		},
		{
			"leading redirects to itself before one to elsewhere", LevelText, "301>self 301>x a",
			[]string{"1-1/2 redirect 301 >x", "2-2/1 page 200"},
		},
		{
			"a redirect to itself beside the page", LevelContent, "301>self& a 301>self& a 301>self& b",
			[]string{"1-3/4 page 200", "5-5/2 page 200"},
		},
		{"a missing page that no URI-M shows", LevelContent, "404& a 404& a 404& b &404", []string{"1-3/4 page 200", "5-5/3 page 200"}},
		{"a failure that no URI-M shows", LevelAny, "502& a a &502 a", []string{"1-4/5 page 200"}},
		{"another text that no URI-M shows", LevelText, "a &b b", []string{"0-0/2 page 200", "2-2/1 page 200"}},
		{"nothing that no URI-M shows", LevelContent, "a &file:1 a", []string{"0-2/3 page 200"}},
		{"nothing but redirects to itself", LevelContent, "301>self 301>self", []string{"0-1/2 redirect 301 >self"}},
		{"one of which no URI-M shows", LevelContent, "301>self& 301>self &301>self", []string{"1-1/3 redirect 301 >self"}},
		{"an error beside a redirect to itself", LevelContent, "301>self &404 a", []string{"2-2/3 page 200"}},
		{
			"missing is missing whatever it says", LevelAny, "a 404 404 410 a",
			[]string{"0-0/1 page 200", "1-2/2 missing 404", "3-3/1 missing 410", "4-4/1 page 200"},
		},
		{"a refusal", LevelContent, "403 a", []string{"0-0/1 error 403", "1-1/1 page 200"}},
		{"files go by their digest", LevelContent, "file:1 file:1 file:2", []string{"0-1/2 resource 200", "2-2/1 resource 200"}},
		{"a page becomes a file", LevelContent, "a file:1", []string{"0-0/1 page 200", "1-1/1 resource 200"}},
		{
			"a soft 404 by its title", LevelContent, long + " <title>Page_not_found</title><p>Sorry. " + long,
			[]string{"0-0/1 page 200", "1-1/1 missing 200 soft", "2-2/1 page 200"},
		},
		{
			"what no URI-M shows is no page before a soft 404", LevelText, "x_" + short + "& <title>Page_not_found</title>" + short,
			[]string{"1-1/2 missing 200 soft"},
		},
		{
			"nor is the text of an error", LevelText, "404:x_" + short + " <title>Page_not_found</title>" + short,
			[]string{"0-0/1 missing 404", "1-1/1 missing 200 soft"},
		},
		{
			"nor teaches it what changes by itself", LevelContent, "a<p>x 404:a<p>y a<p>x 404:a<p>y a<p>x a<p>y",
			[]string{
				"0-0/1 page 200", "1-1/1 missing 404", "2-2/1 page 200", "3-3/1 missing 404", "4-4/1 page 200", "5-5/1 page 200",
			},
		},
		{
			"a page that says so in its title and stays", LevelText, short + " <title>Page_not_found</title>" + short,
			[]string{"0-0/1 page 200", "1-1/1 page 200"},
		},
		{"a short page is no soft 404", LevelContent, long + " <title>Moved</title><p>Elsewhere.", []string{"0-0/1 page 200", "1-1/1 page 200"}},
		{"a clock to the second is no version", LevelContent, "a<p>It_is_12:00:01 a<p>It_is_12:00:02", []string{"0-1/2 page 200"}},
		{"a clock is one at level text", LevelText, "a<p>It_is_12:00:01 a<p>It_is_12:00:02", []string{"0-0/1 page 200", "1-1/1 page 200"}},
		{
			"a number that changes every time is no version", LevelContent, "a<p>n_1 a<p>n_2 a<p>n_3 a<p>n_4 b<p>n_5",
			[]string{"0-3/4 page 200", "4-4/1 page 200"},
		},
		{
			"a number that changes now and then is one", LevelContent, "a<p>n_1 a<p>n_1 a<p>n_1 a<p>n_2 a<p>n_2",
			[]string{"0-2/3 page 200", "3-4/2 page 200"},
		},
		{"words that rotate are no versions", LevelContent, "a<p>x a<p>y a<p>x a<p>y a<p>x b<p>y", []string{"0-4/5 page 200", "5-5/1 page 200"}},
		{
			"words that change each time are versions", LevelContent, "a<p>v a<p>w a<p>x a<p>y",
			[]string{"0-0/1 page 200", "1-1/1 page 200", "2-2/1 page 200", "3-3/1 page 200"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := shelf{}
			got, err := Ranges(test.level, history(s, strings.Fields(test.history)...), s, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, lines(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRangesSayWhenAndWhatChanged(t *testing.T) {
	s := shelf{}
	got, err := Ranges(LevelContent, history(s, "503", "a_a_b", "a_a_b", "503", "a_c", "404"), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r := got[0]; r.Until != got[1].First || r.Change != nil || r.Last != 20200101000000 {
		t.Errorf("the leading failure: %+v", r)
	}
	if r := got[1]; r.First != 20200102000000 || r.Last != 20200103000000 || r.Until != 20200105000000 || r.Change != nil {
		t.Errorf("the first version: %+v", r)
	}
	if d := got[2].Change; d == nil || d.Added != 1 || d.Deleted != 1 || d.SemiDeleted != 1 {
		t.Errorf("the second version changed by %+v", d)
	}
	if r := got[3]; r.Change != nil || r.Until != 0 {
		t.Errorf("what is missing has no text: %+v", r)
	}
	states := history(s, "a", "a")
	states[1].Status, states[1].Redirect = 201, "http://example.org/new"
	got, err = Ranges(LevelContent, states, s, nil)
	if err != nil || len(got) != 2 || got[1].Redirect != "" || got[1].Change.Similarity != 1 {
		t.Errorf("the same text with another status: %+v, %v", got, err)
	}
}

func TestRangesWithTextsThatNobodyKnows(t *testing.T) {
	s := shelf{}
	states := []State{
		{Time: 1, Status: 200, Text: 1},
		{Time: 2, Status: 200, Text: 1},
		{Time: 3, Status: 200, Text: 2},
		{Time: 4, Status: 200, Text: s.put("<p>known")},
		{Time: 5, Status: 200, Text: 2},
	}
	for _, level := range []Level{LevelText, LevelContent} {
		got, err := Ranges(level, states, s, nil)
		if err != nil || len(got) != 4 || slices.ContainsFunc(got, func(r Range) bool { return r.Change != nil }) {
			t.Errorf("%s: got %+v, %v", level, got, err)
		}
	}
}

type broken struct{}

func (broken) Sketch(uint64) (*sketch.Sketch, error) { return nil, errors.New("disk gone") }

func TestRangesPassOnTheErrorOfTheSource(t *testing.T) {
	if _, err := Ranges(LevelContent, []State{{Status: 200, Text: 1}}, broken{}, nil); err == nil {
		t.Error("no error")
	}
}

func TestWhatASiteKnows(t *testing.T) {
	s := shelf{}
	sample := func(pages ...string) site.Sample {
		var out site.Sample
		for _, p := range pages {
			out.Pages = append(out.Pages, s[s.put(strings.ReplaceAll(p, "_", " "))])
		}
		return out
	}
	var samples []site.Sample
	for _, name := range []string{"one", "two", "three", "four", "five"} {
		samples = append(samples,
			sample(name+"<p>menu_old<p>reader_no_1", name+"<p>menu_old<p>reader_no_7", name+"<p>menu_new<p>reader_no_9"))
	}
	samples = append(samples, sample(long, "<p>Sorry,_gone."), sample(long+"x", "<p>Sorry,_gone."))
	site := site.New(samples)
	for _, test := range []struct {
		name, history string
		want          []string
	}{
		{"a counter seen elsewhere", "x<p>reader_no_3 x<p>reader_no_4", []string{"0-1/2 page 200"}},
		{"a block that stands everywhere", "x<p>menu_old x<p>menu_new x", []string{"0-2/3 page 200"}},
		{"a change beside them", "x<p>menu_old<p>reader_no_3 y<p>menu_new<p>reader_no_4", []string{"0-0/1 page 200", "1-1/1 page 200"}},
		{
			"a wall beside fewer than thirty words that are on no other page",
			"<p>" + strings.ReplaceAll(plainWords(29), " ", "_") + "<p>menu_old <p>Just_a_moment... <p>" +
				strings.ReplaceAll(plainWords(29), " ", "_"),
			[]string{"0-0/1 page 200", "1-1/1 page 200", "2-2/1 page 200"},
		},
		{"a text that took the place of others", long + "z <p>Sorry,_gone.", []string{"0-0/1 page 200", "1-1/1 missing 200 soft"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := Ranges(LevelContent, history(s, strings.Fields(test.history)...), s, site)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, lines(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSoft404LikeTheSitesOwn(t *testing.T) {
	s := shelf{}
	missing := "<h1>Oh_dear</h1><p>We_looked_for_%s_all_over_the_place_and_have_nothing_like_it,_so_please_try_the_search" +
		"_or_the_front_page_instead"
	html := func(path string) string { return strings.ReplaceAll(fmt.Sprintf(missing, path), "_", " ") }
	site := site.New([]site.Sample{{Missing: []*sketch.Sketch{s[s.put(html("/a"))], s[s.put(html("/b"))]}}})
	got, err := Ranges(LevelContent, history(s, long, strings.ReplaceAll(html("/c"), " ", "_"), long), s, site)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"0-0/1 page 200", "1-1/1 missing 200 soft", "2-2/1 page 200"}, lines(got)); diff != "" {
		t.Error(diff)
	}
}

func ExampleRanges() {
	sketches := shelf{}
	states := history(sketches, "<p>Opening_soon", "<p>Opening_soon", "<p>Open", "404")
	ranges, _ := Ranges(LevelContent, states, sketches, nil)
	for _, r := range ranges {
		fmt.Println(r.First, r.Last, r.Captures, r.Kind)
	}
	// Output:
	// 20200101000000 20200102000000 2 page
	// 20200103000000 20200103000000 1 page
	// 20200104000000 20200104000000 1 missing
}

// Ten thousand captures of one page with a thousand texts, a clock and a menu.
func BenchmarkRanges(b *testing.B) {
	s := shelf{}
	var pages []uint64
	for i := range 1000 {
		var html strings.Builder
		html.WriteString("<nav>")
		for j := range 100 {
			fmt.Fprintf(&html, "<li>menu %s", prose(j, 3))
		}
		html.WriteString("</nav>")
		for j := range 200 {
			fmt.Fprintf(&html, "<p>%s", prose(j+i/5*(j%50/49), 20))
		}
		fmt.Fprintf(&html, "<p>made at %d", i)
		pages = append(pages, s.put(html.String()))
	}
	states := make([]State, 10000)
	for i := range states {
		states[i] = State{Time: cdx.Timestamp(20000101000000 + i), Status: 200, Text: pages[i/10], Digest: fmt.Sprint(i / 10)}
	}
	for _, level := range []Level{LevelText, LevelContent} {
		b.Run(level.String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Ranges(level, states, s, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkNewSite(b *testing.B) {
	for _, file := range corpora.TruthFiles(b) {
		c := readCorpus(b, file)
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.site(siteSample)
			}
		})
	}
}

// The title of a short page counts, but not the version in the name of the site.
func TestVersionsInTheNameOfTheSite(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, older, newer string
		versions           int
	}{
		{"a version", "Archives – Mailer 3.3.8 manual", "Archives – Mailer 3.3.10 manual", 1},
		{"none before", "Archives – Mailer manual", "Archives – Mailer (3.3.10) manual", 1},
		{"before the headline", "(2) Mailer: Archives", "(17) Mailer: Archives", 1},
		{"in the same word", "Archives-Mailer3.3", "Archives-Mailer3.4", 1},
		{"a name in the same word", "Archives-Mailer", "Archives-Postbox", 2},
		{"another name", "Archives – Mailer manual", "Archives – Postbox manual", 2},
		{"the page's own number", "Chapter 3 – Mailer manual", "Chapter 4 – Mailer manual", 2},
		{"the title is the headline", "Archives", "Archives 2", 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			page := func(title string) string {
				return "<title>" + title + "</title><h1>Archives<a>¶</a></h1><h2>…</h2><p>A few words.</p>"
			}
			s := shelf{}
			if got, err := Ranges(LevelContent, pagesOf(s, page(test.older), page(test.newer)), s, nil); err != nil || len(got) != test.versions {
				t.Errorf("%q, want %d versions (%v)", lines(got), test.versions, err)
			}
		})
	}
}

func TestEdgesOfTitles(t *testing.T) {
	for words, want := range map[int]int{29: 2, 30: 1} {
		s := shelf{}
		states := pagesOf(s, "<title>One</title><p>"+plainWords(words), "<title>Two</title><p>"+plainWords(words))
		if got, err := Ranges(LevelContent, states, s, nil); err != nil || len(got) != want {
			t.Errorf("a title over %d words: %q, want %d (%v)", words, lines(got), want, err)
		}
	}
}

// What no reader takes for another word makes no version; another word does.
func TestWordsAreComparedInTheirNormalForm(t *testing.T) {
	page := func(s string) string {
		return "<title>The mill</title><h1>The mill</h1><p>" + s +
			" The old mill at the river has been closed since the great flood of that year."
	}
	for _, test := range []struct {
		name, before, after string
		want                int
	}{
		{"composed", "Le cafe\u0301 est ferme\u0301.", "Le café est fermé.", 1},
		{"quotes", `He said "no", and didn't.`, "He said “no”, and didn’t.", 1},
		{"a dash", "Open 9–16 now.", "Open 9-16 now.", 1},
		{"soft hyphens", "A riverbank.", "A river\u00adbank.", 1},
		{"a joiner", "A riverbank.", "A river\u2060bank.", 1},
		{"NUL", "A riverbank.", "A river\x00bank.", 1},
		{"case", "Open at Dawn.", "Open at dawn.", 1},
		{"Greek capitals", "Ο δρομος των τοιχων ειναι κλειστος.", "Ο ΔΡΟΜΟΣ ΤΩΝ ΤΟΙΧΩΝ ΕΙΝΑΙ ΚΛΕΙΣΤΟΣ.", 1},
		{"German capitals", "Die Straße am Fluß ist zu.", "Die STRASSE am FLUSS ist zu.", 1},
		{"another Greek word in capitals", "Ο δρομος ειναι κλειστος.", "Ο ΔΡΟΜΟΣ ΕΙΝΑΙ ΑΝΟΙΧΤΟΣ.", 2},
		{"space before a mark", "Open at dawn, if it rains.", "Open at dawn , if it rains .", 1},
		{"space before a sign", "It rains on 5% of all days, for €20.", "It rains on 5 % of all days, for € 20.", 1},
		{"space in a number", "It rained on 1000 days.", "It rained on 1 000 days.", 2},
		{"space within a word", "Every one came on board.", "Everyone came on board.", 2},
		{"French quotes", "A « mill » at dawn.", "A “mill” at dawn.", 1},
		{"Arabic letters in Persian", "كتاب علي در كتابخانه است", "کتاب علی در کتابخانه است", 1},
		{"a stroke that stretches", "مـرحـبا بكم في الميناء", "مرحبا بكم في الميناء", 1},
		{"another Arabic letter", "السفينة على الماء", "السفينة علي الماء", 2},
		{"ligatures", "The oﬃce is the ﬁrst.", "The office is the first.", 1},
		{"decoded twice", "It’s a café für müde Gäste – 20 € à la carte.", "Itâ€™s a cafÃ© fÃ¼r mÃ¼de GÃ¤ste â€“ 20 â‚¬ Ã la carte.", 1},
		{"another word that was decoded twice", "Le café est fermé.", "Le cafÃ© est oubliÃ©.", 2},
		{"a sharp", "We teach C on Mondays.", "We teach C# on Mondays.", 2},
		{"yes and no", "Dogs: ✓", "Dogs: ✗", 2},
		{"a debt", "The balance is +300 today.", "The balance is -300 today.", 2},
		{"another minus", "It was −5 degrees.", "It was -5 degrees.", 1},
		{"another currency", "A room is £90.", "A room is ¥90.", 2},
		{"a star less", "Rated ★★☆ by guests.", "Rated ★☆☆ by guests.", 2},
		{"a fraction", "Add ½ litre.", "Add ¾ litre.", 2},
		{"a power", "A deck of 5 m².", "A deck of 5 m³.", 2},
		{"a Roman number", "Chapter Ⅳ is in force.", "Chapter Ⅴ is in force.", 2},
		{"numbers in circles", "① Sign ② Pay", "② Sign ① Pay", 2},
		{"a trend", "Fares: ↑", "Fares: ↓", 2},
		{"a light", "Status: 🟢", "Status: 🔴", 2},
		{"a flag", "Registered in 🇫🇷", "Registered in 🇩🇪", 2},
		{"at most and at least", "Age ≤ 12", "Age ≥ 12", 2},
		{"below and above", "Speed < 5 knots, x <3.", "Speed > 5 knots, x <3.", 2},
		{"a wide sign", "Rooms： ＄90, ＜5", "Rooms: $90, <5", 1},
		{"a wide sign alone", "Speed ＜ 5 knots.", "Speed < 5 knots.", 1},
		{"a composed sign", "Speed ≠ 5", "Speed =\u0338 5", 1},
		{"another separator", "Home > Ferries", "Home | Ferries", 1},
		{"another arrow", "Next →", "Next ➜", 1},
		{"another bullet", "• Open at dawn", "► Open at dawn", 1},
		{"another order", "Open at dawn, closed at dusk.", "Open at dusk, closed at dawn.", 2},
		{"another word in quotes", `He said "no".`, "He said “yes”.", 2},
		{"another composed word", "Le cafe\u0301 est ferme\u0301.", "Le café est ouvert.", 2},
	} {
		s := shelf{}
		if got := versionsOf(t, pagesOf(s, page(test.before), page(test.after)), s, nil); got != test.want {
			t.Errorf("%s: %d versions, want %d", test.name, got, test.want)
		}
	}
}

func TestNoContentIsAFailedCapture(t *testing.T) {
	page := "<title>The mill</title><p>The old mill at the river has been closed since the great flood of that year.</p>"
	for _, nothing := range []string{"", "\x00\x00\x00"} {
		s := shelf{}
		if got := versionsOf(t, pagesOf(s, page, nothing, page), s, nil); got != 1 {
			t.Errorf("%q between: %d versions", nothing, got)
		}
	}
}
