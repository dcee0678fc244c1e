package visible

import (
	"cmp"
	"strings"
	"testing"
	"unicode"
)

// White space is what Unicode calls so.
func TestSpacesOfAllScripts(t *testing.T) {
	for r := rune(0); r < 0x10000; r++ {
		if b := []byte(string(r)); spaceStart[b[0]] && (len(b) > 1 || unicode.IsSpace(r)) {
			if got, want := spaceLen(append(b, 'x')) == len(b), unicode.IsSpace(r); got != want {
				t.Errorf("%U: space %t", r, got)
			}
		} else if unicode.IsSpace(r) {
			t.Errorf("%U is not where spaces are looked for", r)
		}
	}
	for _, cut := range []string{"\xc2", "\xe2\x80", "\xe3"} {
		if got := spaceLen([]byte(cut)); got != 0 {
			t.Errorf("%q is a space of %d bytes", cut, got)
		}
	}
}

func TestCharacterReferencesOfAnyLength(t *testing.T) {
	zeros := func(n int) string { return "&#" + strings.Repeat("0", n) + "65" } // a capital A
	for src, want := range map[string]string{
		"&" + strings.Repeat("x", 38) + "&amp;":   "&" + strings.Repeat("x", 38) + "&",
		"&a-" + strings.Repeat("x", 36) + "&amp;": "&a-" + strings.Repeat("x", 36) + "&",
		"a&CounterClockwiseContourIntegral;b":     "a∳b", zeros(0) + ";b": "Ab", zeros(36) + ";b": "Ab", "&amp;&lt": "&<", "&": "&", "&;": "&;",
	} {
		if got := string(appendUnescaped(nil, []byte(src))); got != want {
			t.Errorf("%s: %q", src, got)
		}
	}
	if got := string(appendUnescaped(nil, []byte(zeros(37)+";b"))); got == "Ab" {
		t.Errorf("a reference of more than 40 bytes is read as a whole")
	}
}

func TestNamesAreDividedWhereTheyChange(t *testing.T) {
	for pair, want := range map[string]bool{
		"aB": true, "zZ": true, "aA": true, "`B": false, "{B": false, "a@": false, "a[": false, "ab": false, "AB": false, "Ab": false,
		"a1": true, "1a": true, "12": false,
	} {
		if got := nameBoundary(pair[0], pair[1]); got != want {
			t.Errorf("%s: %t", pair, got)
		}
	}
}

func TestZonesOfAPassage(t *testing.T) {
	r := recording{zones: 3, stackZones: []int{0, 2}}
	for zone, want := range map[int]int{3: 0, 5: 2, 2: ^1, 0: ^0, 1: ^0} {
		if got := r.zoneRef(zone); got != want {
			t.Errorf("zone %d is %d", zone, got)
		}
	}
}

func TestNoticesAreNotMostOfThePage(t *testing.T) {
	for _, tt := range []struct {
		name string
		zone weight
		want bool
	}{
		{"its share of text and prose", weight{size: 40_000, prose: 4000}, true},
		{"more text", weight{size: 40_001, prose: 4000}, false},
		{"more prose", weight{size: 40_000, prose: 4001}, false},
		{"a headline", weight{size: 100, prose: 4000, heads: 1}, false},
		{"all prose, but short", weight{size: 3000, prose: 10_000}, true},
		{"all prose, a byte longer", weight{size: 3001, prose: 10_000}, false},
	} {
		e := &outline{zones: []zone{{weight: weight{size: 100_000, prose: 10_000}}, {weight: tt.zone}}}
		if got := e.mayBeNotice(1); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

func TestMenusAndOffers(t *testing.T) {
	for _, tt := range []struct {
		name   string
		zone   weight
		behind bool
		want   bool
	}{
		{"three quarters are links", weight{size: 400, links: 300}, false, true},
		{"a byte less", weight{size: 400, links: 299}, false, false},
		{"links after the text", weight{size: 400, links: 400, blocks: 7}, true, false},
		{"a map after the text", weight{size: 400, links: 400, blocks: 8}, true, true},
		{"a few words with a link", weight{size: 200, links: 1}, true, true},
		{"a few words without", weight{size: 200}, true, false},
		{"a byte longer", weight{size: 201, links: 1}, true, false},
		{"half of it links", weight{size: 200, links: 100}, true, false},
		{"under a heading", weight{size: 200, links: 1, parts: 1}, true, false},
		{"under a headline", weight{size: 200, links: 1, heads: 1}, true, false},
		{"with prose", weight{size: 400, links: 400, prose: 1}, false, false},
	} {
		e := &outline{zones: []zone{{}, {}, {weight: tt.zone}}}
		if got := e.linkedZone(2, 1, tt.behind); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
		if e.linkedZone(2, 2, tt.behind) {
			t.Errorf("%s: the page's own container is a menu", tt.name)
		}
	}
}

func TestCookiesAndRemarksBesideThePage(t *testing.T) {
	dialog := weight{size: 100, blocks: 4, tells: 2}
	for _, tt := range []struct {
		name    string
		beside  weight
		page    weight
		main    int
		cookies bool
		remark  bool
	}{
		{"a dialog on cookies", dialog, weight{size: 800, blocks: 4}, 1, true, true},
		{"the page speaks of them too", dialog, weight{size: 800, blocks: 4, tells: 1}, 1, false, true},
		{"no container of its own", dialog, weight{size: 800}, 0, false, false},
		{"told once", weight{size: 100, blocks: 4, tells: 1}, weight{size: 800, blocks: 4}, 1, false, true},
		{"a quarter tells", weight{size: 100, blocks: 8, tells: 2}, weight{size: 800, blocks: 4}, 1, true, true},
		{"less than a quarter", weight{size: 100, blocks: 9, tells: 2}, weight{size: 800, blocks: 4}, 1, false, true},
		{"a page that is too short for it", weight{size: 100}, weight{size: 799}, 1, false, false},
		{"as long as a remark is", weight{size: 500}, weight{size: 9000}, 1, false, true},
		{"longer", weight{size: 501}, weight{size: 9000}, 1, false, false},
		{"under a heading and a headline", weight{size: 100, parts: 1, heads: 1}, weight{size: 800}, 1, false, false},
		{"under a heading", weight{size: 100, parts: 1}, weight{size: 800}, 1, false, false},
	} {
		e := &outline{zones: []zone{{weight: weight{blocks: 9}}, {weight: tt.page}, {weight: tt.beside}}}
		if got := e.ofCookies(&e.zones[2], tt.main); got != tt.cookies {
			t.Errorf("%s: of cookies %t", tt.name, got)
		}
		if got := e.remark(2, tt.main); got != tt.remark {
			t.Errorf("%s: a remark %t", tt.name, got)
		}
		if e.remark(1, 1) {
			t.Errorf("%s: the page is a remark on itself", tt.name)
		}
	}
}

func TestEdgesOfNotices(t *testing.T) {
	page := func(prose int) string { return "<div><h1>Rules</h1>" + p(prose/2, prose-prose/2) + "</div>" }
	dialog := func(prose int, button string) string {
		return div("<p>Cookie " + textOfSize(prose-7) + "</p><button>" + button + "</button>")
	}
	row := "<tr><td>harbour<td>tides<td>_hl</tr>"
	listed := func(cookies, others int) string {
		return "<div><table>" + times(cookies, row) + "</table>" + times(others, "<p>oar</p>") + "</div>"
	}
	lived := func(what string) string {
		return div("<table>" + times(4, "<tr><td>"+what+"<td>24 Monate</tr>") + "</table>")
	}
	for _, test := range []struct {
		name, page, want string
	}{
		{"a button of 48 bytes", page(4000) + dialog(300, textOfSize(41)+" accept"), "MMMNN"},
		{"a dialog of two fifths of the page", "<div>" + p(9000, 9000) + "</div>" + dialog(11900, "accept"), "MMNN"},
		{"of more", "<div>" + p(9000, 9000) + "</div>" + dialog(12100, "accept"), "MMML"},
		{"four cookies", page(4000) + listed(4, 0), "MMM" + times(12, "N")},
		{"among fourteen others", page(4000) + listed(4, 14), "MMM" + times(26, "N")},
		{"among fifteen", page(4000) + listed(4, 15), "MMM" + times(12, "N") + times(15, ".")},
		{"three cookies", page(4000) + listed(3, 0), "MMM" + times(9, ".")},
		{"lives of contracts", page(4000) + lived("harbour"), "MMM" + times(8, ".")},
		{"lives of cookies", page(4000) + lived("cookie"), "MMM" + times(8, "N")},
	} {
		if got := regionsOf(test.page); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	for _, test := range []struct {
		name, text string
		links      int
		want       hint
	}{
		{"48 bytes that ask", textOfSize(41) + " accept", 0, asks},
		{"49 bytes that ask", textOfSize(42) + " accept", 0, 0},
		{"120 bytes of which half are links", textOfSize(113) + " accept", 60, asks},
		{"fewer", textOfSize(113) + " accept", 59, 0},
		{"121 bytes", textOfSize(114) + " accept", 121, 0},
		{"a cookie in 32 bytes", "_" + strings.Repeat("x", 31), 0, lists | names},
		{"the life of one", "24 Monate", 0, lists},
		{"in 33", "_" + strings.Repeat("x", 32), 0, 0},
		{"Chinese that asks", "全部接受", 0, asks},
		{"Japanese that asks", "すべて拒否", 0, asks},
		{"Korean that asks", "모두 동의", 0, asks},
		{"Chinese to enter", "登录", 0, enters},
		{"Japanese to enter", "ログイン", 0, enters},
		{"Korean to enter", "로그인", 0, enters},
		{"Chinese that does neither", "船", 0, 0},
	} {
		var e Extractor
		if got := e.hintsOf([]byte(test.text), test.links); got != test.want {
			t.Errorf("%s: %b, want %b", test.name, got, test.want)
		}
	}
}

// textOf is a text of n bytes in words that say nothing of themselves.
func textOfSize(n int) string { return strings.Repeat("sailing ", n/8+1)[:n-1] + "x" }

// regionsOf reads a page and writes its blocks: M of the page's own text, N a notice, a dot beside it, a space for other furniture.
func regionsOf(page string) string {
	text := new(Extractor).Extract([]byte(page), "text/html")
	var out strings.Builder
	for _, b := range text.Blocks {
		out.WriteString(cmp.Or(map[Region]string{Main: "M", Notice: "N", Margin: ".", Label: "L"}[b.Region], " "))
	}
	return out.String()
}

func p(sizes ...int) (out string) {
	for _, n := range sizes {
		out += "<p>" + textOfSize(n) + "</p>"
	}
	return out
}

func div(of ...string) string { return "<div>" + strings.Join(of, "") + "</div>" }

func times(n int, s string) string { return strings.Repeat(s, n) }

func link(n int) string { return "<p><a href=x>" + textOfSize(n) + "</a></p>" }

func TestEdgesOfZones(t *testing.T) {
	cookies := func(of, all int) string {
		return div(times(of, "<p>A cookie is set here. "+textOfSize(100)+"</p>"), times(all-of, p(100)))
	}
	few := "<article><h1>Rules</h1><p>" + textOfSize(90) + "</article>"
	title, reversed := "<title>Rules – My site</title>", "<title>My site: Rules</title>"
	foot := "<footer><p>us</p></footer>"
	apart := func(class string, size int) string { return "<div class=" + class + ">" + p(size) + "</div>" }
	for _, test := range []struct{ name, page, want string }{
		{"500 bytes of prose have a container", div(p(250, 250)) + div(link(20)), "MM."},
		{"499 have none", div(p(250, 249)) + div(link(20)), "MMM"},
		{"prose has 100 bytes", div(p(400, 100)) + div(link(20)), "MM."},
		{"what has 99 is none", div(p(400, 99)) + div(link(20)), "MMM"},
		{"a tenth of the prose may stand beside", div(p(300, 300, 300)) + div(p(100), p(80)), "MMM." + "."},
		{"more is part of the page", div(p(300, 300, 300)) + div(p(101), p(80)), "MMM" + "MM"},
		{"a small section beside one like it", "<section>" + p(700, 700) + "</section><section>" + p(100) + "</section>", "MMM"},
		{"one without a name", `<section class="">` + p(700, 700) + "</section><section>" + p(100) + "</section>", "MMM"},
		{"one of another name", "<section class=x>" + p(700, 700) + "</section><section>" + p(100) + "</section>", "MM."},
		{"a few words of an article whose comments are long", "<main>" + few + div(p(700, 700)) + "</main>", "MMMM"},
		{"and whose side is prose too", div(p(130)) + "<main>" + few + div(p(700, 700)) + "</main>", "MMMMM"},
		{"a post shorter than a tenth of its comments", "<main>" + div("<h2>Rules</h2>", p(500), link(600)) + div(p(9000)) + "</main>", "MMMM"},
		{"and without a heading", "<main>" + div(p(100), link(600)) + div(p(9000)) + "</main>", "MMM"},
		{"and too short to be read", "<main>" + div("<h2>Rules</h2>", p(99), link(600)) + div(p(9000)) + "</main>", "...M"},
		{"and outside of a main element", div("<h2>Rules</h2>", p(500), link(600)) + div(p(9000)), "...M"},
		{"and behind them", "<main>" + div(p(9000)) + div("<h2>Rules</h2>", p(500), link(600)) + "</main>", "M..."},
		{"a list of a quarter of the text it follows", "<main>" + div(p(600, 200)) + div(times(10, p(20))) + "</main>", "MM" + times(10, "M")},
		{"a shorter one", "<main>" + div(p(600, 204)) + div(times(10, p(20))) + "</main>", "MM" + times(10, ".")},
		{"one of links", "<main>" + div(p(600, 200)) + div(times(10, link(20))) + "</main>", "MM" + times(10, ".")},
		{"one outside of the main element", "<main>" + p(600, 200) + "</main>" + div(times(10, p(20))), "MM" + times(10, ".")},
		{"seven short blocks with a link at the end", div(p(600), div(link(9), times(6, p(20)))), "M" + times(7, ".")},
		{"eight are no offer", div(p(600), div(link(9), times(7, p(20)))), "M" + times(8, "M")},
		{"paragraphs in containers of one class", apart("p", 400) + div(p(3000)) + apart("p", 300) + apart("q", 300), "MMM."},
		{"a paragraph with the headline in a header", "<header><h1>Rules</h1>" + p(100) + link(100) + "</header>" + div(p(900)), "MM M"},
		{"without a headline", "<header>" + p(100) + "</header>" + div(p(900)), " M"},
		{"and too short", "<header><h1>Rules</h1>" + p(99) + "</header>" + div(p(900)), "M M"},
		{"a header that never ends", "<header><h1>Rules</h1>" + p(80, 900, 300), "MMMM"},
		{"a menu that is most of the page", "<nav>" + p(80, 900, 300) + "</nav>" + div(p(700)), "   M"},
		{"a small article beside a section", "<section>" + p(700, 700) + "</section><article>" + p(100) + "</article>", "MM."},
		{"three parts in a hundred may stand around", div(p(1700, 1700), p(98)) + div(p(20)), "MMM."},
		{"a menu of three in four bytes before the text", div(p(600, 100), "x"), "MMM"},
		{"eight links behind the text are a site map", div(p(600), div(times(8, link(10))), p(20)), "M" + times(8, ".") + "M"},
		{"seven may be its sources", div(p(600), div(times(7, link(10))), p(20)), "M" + times(7, "M") + "M"},
		{"eight links behind the footer of a short page", p(200) + foot + div(times(8, link(10))), "M " + times(8, ".")},
		{"in two containers", p(200) + foot + div(div(times(4, link(10))), div(times(4, link(10)))), "M " + times(8, ".")},
		{"seven", p(200) + foot + div(times(7, link(10))), "M " + times(7, "M")},
		{"eight in no container", p(200) + foot + times(8, link(10)), "M " + times(8, "M")},
		{"before the footer", p(200) + div(times(8, link(10))) + foot, "M" + times(8, "M") + " "},
		{"a quarter of which is text", p(200) + foot + div(times(8, link(10)), p(27)), "M " + times(9, "M")},
		{"cookies explained in a quarter of the blocks", div(p(9000, 9000)) + cookies(2, 8), "MM" + times(8, ".")},
		{"in fewer", div(p(9000, 9000)) + cookies(2, 9), "MM" + times(9, "M")},
		{"cookies named once", div(p(9000, 9000)) + div("<h4>Baking</h4>", cookies(1, 1)), "MMMM"},
		{"a remark behind eight times its text", div(p(640, 640)) + div(p(100, 60)), "MM.."},
		{"behind less", div(p(639, 640)) + div(p(100, 60)), "MMMM"},
		{"a remark of 500 bytes", div(p(3000, 3000)) + div(p(500)), "MM."},
		{"of more", div(p(3000, 3000)) + div(p(501)), "MMM"},
		{"a headline before the text's container", div("<h1>Rules of it</h1>", link(20)) + div(p(600, 600)), "M.MM"},
		{"the site's name there", title + "<h1>My site</h1>" + div("<h1>Rules</h1>", p(600, 600)), "  MMM"},
		{"a headline that is repeated", "<h1>Rules</h1>" + div("<h1>Rules ¶</h1>", p(600, 600)), " MMM"},
		{"one of signs", "<h1>¶</h1>" + div("<h1>¶</h1>", p(600, 600)), "MMMM"},
		{"without another headline", title + "<h1>My site</h1>" + div("<h2>Rules</h2>", p(600, 600)), " MMMM"},
		{"the site's name where it begins the title", reversed + "<h1>My site</h1>" + div("<h1>Rules ¶</h1>", p(600, 600)), "  MMM"},
		{"a headline before parts", title + "<h1>Rules</h1>" + div("<h1>First</h1>", p(600, 600)), " MMMM"},
		{"behind the headline", title + "<h1>Rules</h1>" + div("<h1>Our site</h1>", p(600, 600)), " MMMM"},
		{"a part of its name", title + "<h1>site</h1>" + div("<h1>Rules</h1>", p(600, 600)), " MMMM"},
		{"all of the title", title + "<h1>Rules – My site</h1>" + div("<h1>Rules</h1>", p(600, 600)), " MMMM"},
		{"a heading there", div("<h2>Rules of it</h2>", link(20)) + div(p(600, 600)), "..MM"},
		{"a headline behind it", div(p(600, 600)) + div("<h1>Rules of it</h1>", link(20)), "MM.."},
		{"a remark with a heading", div(p(600, 600)) + div("<h3>Last</h3>", p(140)), "MMMM"},
	} {
		if got := regionsOf(test.page); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestNamesOfConsentPlatforms(t *testing.T) {
	t.Parallel()
	for names, want := range map[string]bool{
		"onetrust-consent-sdk": true, "CybotCookiebotDialog": true, "a sp_message_container_8123 b": true, "qc-cmp2-container": true,
		"": false, "message": false, "onetrust": false, "ot-sdk-cookie-policy": false, "cookie-list": false,
	} {
		if got := ofConsent([]byte(names)); got != want {
			t.Errorf("%q: %v", names, got)
		}
	}
}

// Words are looked for by some of their letters, wherever these stand in a text.
func TestWordsOfShortTexts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"a rookie": false,
		"cookie":   true, "Cookies!": true, "our cookie": true, "k cookie k": true, "cook": false, "ookie": false, "cooki": false, "cokie": false,
		"cooker": false, "look at pie": false, "мы: куки": true, "о куки": true, "k": false,
	} {
		if got := tellsOfCookies([]byte(text)); got != want {
			t.Errorf("%q tells of cookies: %v", text, got)
		}
	}
	for names, want := range map[string]bool{"": false, "icons": true, "list-Icons": true, "ICONS": true, "iconsness": false, "x-": false} {
		if got := saysAside([]byte(names)); got != want {
			t.Errorf("%q is beside the content: %v", names, got)
		}
	}
	for word, want := range map[string]string{
		"": "", "a": "a", "a#": "a", "a¶": "a", "C#": "C#", "Ab#": "Ab", "✓": "✓", "•": "",
		"#": "", "¶¶": "", "50%#": "50%", "€": "€", "…": "", "—#": "", "a…": "a…",
	} {
		if got := WithoutMarks(word); got != want {
			t.Errorf("%q without marks is %q", word, got)
		}
	}
}

func TestTextsThatMeasureFonts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"mmMwWLli": true, "mmMwWLliI0O&1": true, "mmMwWLliI0fiflO&1": true, "mmmmmmmmmmlli": true, "mmmmmmmmmmwwwwwww": true, "BESbswy": true,
		"giItT1WQy@!-/#": true, "wwmmllii": true, "wwwwwwwwwwmmmmm": true, "abcdefghijklmnopqrstuvwxyz0123456789": true,
		strings.Repeat("m", 7): true, strings.Repeat("m", 80): true, strings.Repeat("m", 6): false, strings.Repeat("m", 81): false,
		"": false, "mmm": false, "mmm, good": false, "Wwoodwind": false,
		"www.example.org": false, "abcdefgh": false, "million": false, "William": false, "BESIDES": false,
	} {
		if isProbe([]byte(text)) != want {
			t.Errorf("%q: want %v", text, want)
		}
	}
}
