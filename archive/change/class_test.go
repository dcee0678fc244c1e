package change

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/change/site"
)

// agreement is a page's own text, in a container that says nothing of itself.
const agreement = `<div class="k3f9"><h1>Rules of the harbour library</h1>
<p>The library lends boats, books and instruments to everybody who lives within sight of the water, and to their guests for as
long as they stay.</p>
<p>A boat is lent for 14 days and costs 20 crowns a week. Whoever brings it back late pays 3 crowns for each day, and tells the
keeper why.</p>
<h2>What we ask of you</h2>
<p>Keep the sails dry, the pages clean and the strings loose. What breaks is mended together, on the first Saturday of the
month, and never in anger.</p>
<p>Children may sail alone from the age of ten, if two grown members have seen them come about in a fresh wind and say so in writing.</p>
<h2>What we promise</h2>
<p>We keep your name, your address and what you have borrowed until it is back, and not a day longer. Nobody else learns of it,
whoever asks.</p>
<p>The rules change only by vote at the assembly in spring. Until then they hold as they stand here, for members, guests and
the keeper alike.</p>
<p>Questions are answered at the desk, by letter, and on the jetty when the flag is up. Complaints go to the assembly, which
hears them standing.</p>
</div>`

// longer is one of which a form is a small part.
var longer = strings.Replace(agreement, "</div>", strings.Repeat("<p>"+lastWord, 4)+"</div>", 1)

// around puts things before and behind the agreement, on a page that gives them no names.
func rules(before, behind string) string { return pageOf("Rules", before, agreement, behind) }

func pageOf(title, before, text, behind string) string {
	return "<!doctype html><html><head><title>" + title + "</title></head><body><div id=app>" + before + text + behind + "</div></body></html>"
}

// edited is the agreement with one thing said in another way.
func edited(old, new string) string {
	return pageOf("Rules", "", strings.Replace(agreement, old, new, 1), "")
}

const (
	consent = `<div class="css-1x2"><div><h2>Your privacy</h2><p>We and our 31 partners keep cookies on your device to choose what ` +
		`you see and to
measure what it does.</p><div><h3>Measurement</h3><p>These cookies count visits and tell us which pages are read most, so that
we can make the
others better as well.</p></div><button>Accept all</button><button>Reject all</button></div></div>`
	einwilligung = `<div class="q8"><p>Wir und unsere 208 Partner speichern Cookies auf Ihrem Gerät, um Inhalte auszuwählen und zu ` +
		`messen, was sie
bewirken. Ihre Wahl können Sie jederzeit ändern.</p><a href=#>Alle akzeptieren</a> <a href=#>Nur notwendige</a></div>`
	consentement = `<div class="q8"><p>Nos partenaires et nous déposons des cookies sur votre appareil pour choisir des contenus ` +
		`et mesurer leur
effet, comme vous le souhaitez.</p><button>Tout accepter</button> <button>Tout refuser</button></div>`
	tongyi = `<div class="q8"><p>我们和合作伙伴会在您的设备上存储 cookie，以便为您选择合适的内容，并衡量其效果，您可以随时更改选择。</p><button>接受</button></div>`
	qabul  = `<div class="q8"><p>ما و همکارانمان کوکی‌ها را روی دستگاه شما ذخیره می‌کنیم تا محتوای مناسب را برای شما انتخاب ` +
		`کنیم.</p><button>قبول</button></div>`
	menu1 = `<div class="css-9"><ul><li><a href=/>Home</a><li><a href=/b>Boats</a><li><a href=/k>Books</a></ul></div>`
	menu2 = `<div class="css-7"><ul><li><a href=/>Home</a><li><a href=/b>Boats</a><li><a href=/b1>Dinghies</a><li><a ` +
		`href=/b2>Canoes</a><li><a href=/k>Books</a></ul></div>`
	offer        = `<div class="css-5"><p>Only today: two weeks for the price of one!</p><a href=/o>Get it</a></div>`
	oops         = `<div class="css-6"><h1>Oops</h1><p>That did not work, we are sorry.</p><button>Fine</button></div>`
	aboutCookies = `<div class="css-3"><div><h3>Settings</h3><p>A cookie is a small text that the browser keeps for a site and hands back ` +
		`whenever it asks for a page there.</p><h4>Needed cookies</h4><p>Without them nobody could borrow a boat, because the desk would not ` +
		`know who is asking for one.</p><h4>Cookies that count</h4><p>They stay for a year and tell us how many people look at the tides ` +
		`before they come down to the water.</p></div></div>`
	reset = `<div class="css-2"><form><label>E-mail</label><p>We send a letter with a link to that address, and whoever follows it ` +
		`within the hour may choose another word to enter with.</p><button>Send</button></form></div>`
	lastWord   = `Whoever reads this far is asked to ring the bell twice, once for the boats that are out and once for those that are in.`
	cookieList = `<div class="css-4"><table><tr><td>_hl</td><td>harbour</td><td>2 ` +
		`years</td></tr><tr><td>_hs</td><td>harbour</td><td>Session</td></tr>
<tr><td>_tide</td><td>tides</td><td>1 day</td></tr></table></div>`
	cookieList2 = `<div class="css-4"><table><tr><td>_hl</td><td>harbour</td><td>1 ` +
		`year</td></tr><tr><td>_hs</td><td>harbour</td><td>Session</td></tr>
<tr><td>_moon</td><td>moons</td><td>3 months</td></tr></table></div>`
)

var classTests = []struct {
	name    string
	pages   []string
	content int // versions at level content
	text    int // at level text
}{
	{"a frame that nobody closes in a noscript", []string{rules("", ""), rules("<noscript><iframe src=t /></noscript>", "")}, 1, 1},
	{"a word changes behind such a frame", []string{
		rules("<noscript><iframe src=t /></noscript>", ""), "<noscript><iframe src=t /></noscript>" + edited("14 days", "15 days"),
	}, 2, 2},

	{"the title goes to the end of the body", []string{
		rules("", ""),
		"<!doctype html><body><div id=app>" + agreement + "</div><title>Rules</title></body>",
	}, 1, 2},
	{"the title is another", []string{pageOf("Rules", "", agreement, ""), pageOf("(2) Rules | Harbour", "", agreement, "")}, 1, 2},
	{
		"the title is another on a page of few words",
		[]string{pageOf("Closed", "", "<p>See you in spring.", ""), pageOf("Open", "", "<p>See you in spring.", "")},
		2, 2,
	},
	{"the title of a drawing", []string{rules("<svg><title>Harbour</title></svg>", ""), rules("<svg><title>Home</title></svg>", "")}, 1, 2},

	{"a consent dialog", []string{rules("", consent), rules("", "")}, 1, 2},
	{"consent dialogs in other languages", []string{
		rules("", consent), rules(einwilligung, ""), rules(consentement, ""), rules("", tongyi), rules("", qabul),
	}, 1, 5},
	{"a consent dialog longer than the text", []string{
		rules("", `<div role="dialog" class="x9">`+strings.Repeat(consent, 12)+`</div>`), rules("", ""),
	}, 1, 2},
	{"a modal one", []string{rules("", `<div aria-modal="true">`+strings.Repeat(consent, 12)+`</div>`), rules("", "")}, 1, 2},
	{"one in an element of its own", []string{rules("", `<dialog>`+strings.Repeat(consent, 12)+`</dialog>`), rules("", "")}, 1, 2},
	{"one of a platform that has names for it", []string{
		rules(`<div id="onetrust-consent-sdk"><div>`+strings.Repeat("<p>"+lastWord+"</p>", 40)+`</div></div>`, ""), rules("", ""),
		rules(`<section class="x usercentrics-root">`+strings.Repeat("<p>"+lastWord+"</p>", 40)+`</section>`, ""),
	}, 1, 3},
	{"a dialog that holds the text", []string{
		pageOf("Rules", "", `<div role="dialog">`+agreement+`</div>`, ""),
		pageOf("Rules", "", `<div role="dialog">`+strings.Replace(agreement, "20 crowns", "25 crowns", 1)+`</div>`, ""),
	}, 2, 2},
	{"the cookies of a page about them", []string{
		pageOf("Cookies", "", "<main>"+agreement+cookieList+"</main>", ""), pageOf("Cookies", "", "<main>"+agreement+cookieList2+"</main>", ""),
	}, 2, 2},
	{"in a container that has a name", []string{
		pageOf("Cookies", "", `<main>`+agreement+`<div class="cookie-list">`+cookieList+`</div></main>`, ""),
		pageOf("Cookies", "", `<main>`+agreement+`<div class="cookie-list">`+cookieList2+`</div></main>`, ""),
	}, 2, 2},
	{"the cookies of a page about rules", []string{
		pageOf("Rules", "", "<main>"+agreement+cookieList+"</main>", ""), pageOf("Rules", "", "<main>"+agreement+cookieList2+"</main>", ""),
	}, 1, 2},
	{"the cookies of a dialog on a page about them", []string{
		pageOf("Cookies", "", "<main>"+agreement+"</main>", `<div role="dialog">`+cookieList+"</div>"),
		pageOf("Cookies", "", "<main>"+agreement+"</main>", `<div role="dialog">`+cookieList2+"</div>"),
	}, 1, 2},
	{"a text to measure fonts by", []string{rules("", "<span>mmMwWLli</span>"), rules("", "")}, 1, 2},
	{"a menu opens", []string{rules(menu1, ""), rules(menu2, ""), rules("", "")}, 1, 3},
	{"a promotion", []string{rules(offer, ""), rules("", "")}, 1, 2},
	{"a sign-up form", []string{rules("", "<div class=c2><form><label>E-mail</label><p>Please enter your "+
		"address.</p><button>Join</button></form></div>"), rules("", "")}, 1, 2},
	{"the headline of a dialog behind the text", []string{rules("", oops), rules("", "")}, 1, 2},
	{
		"a headline behind the text with more to say",
		[]string{
			rules("", "<div class=z><h1>Guests</h1><p>"+strings.Repeat("Guests are asked to sign the book. ", 20)+"</p></div>"),
			rules("", ""),
		},
		2, 2,
	},
	{"cookies explained beside the text", []string{rules("", aboutCookies), rules("", "")}, 1, 2},
	{
		"cookies explained on a page about cookies",
		[]string{pageOf("Cookies", "", aboutCookies, ""), pageOf("Cookies", "", strings.Replace(aboutCookies, "a year", "a week", 1), "")},
		2, 2,
	},
	{"a form that says what it does", []string{
		pageOf("Rules", "", longer, reset), pageOf("Rules", "", longer, strings.Replace(reset, "letter", "note", 1)),
		pageOf("Rules", "", longer, ""),
	}, 1, 3},
	{
		"a last paragraph in a container of its own, with a heading",
		[]string{rules("", "<div class=u><h2>Last</h2><p>"+lastWord+"</p></div>"), rules("", "")},
		2, 2,
	},
	{"a modal", []string{rules("", "<div class='modal fade'><h3>Hello</h3><p>"+lastWord+"</p></div>"), rules("", "")}, 1, 2},
	{"a dialog by its role", []string{rules("<div role=dialog><h3>Hello</h3><p>"+lastWord+"</p></div>", ""), rules("", "")}, 1, 2},
	{
		"all of the page in a modal", []string{
			pageOf("Rules", "", "<div class=modal role=dialog>"+agreement+"</div>", ""),
			pageOf("Rules", "", "<div class=modal role=dialog>"+strings.Replace(agreement, "14 days", "15 days", 1)+"</div>", ""),
		}, 2, 2,
	},
	{"the cookies in use", []string{rules("", cookieList), rules("", cookieList2)}, 1, 2},
	{"what a button says", []string{rules("", "<button>Close</button>"), rules("", "<button>Schließen</button>")}, 1, 2},
	{"languages to choose from", []string{
		rules("<div class=l1><a>English</a> <a>Deutsch</a></div>", ""),
		rules("<div class=l2><a>English</a> <a>فارسی</a></div>", ""),
	}, 1, 2},

	{"a year", []string{rules("", "<p>© 2021 Harbour"), rules("", "<p>© 2022 Harbour")}, 1, 2},
	{"the version of the site", []string{rules("", "<p>v2.0.77"), rules("", "<p>v2.1.3")}, 1, 2},
	{"votes", []string{rules("", "<p>4 out of 9 found this helpful"), rules("", "<p>6 out of 12 found this helpful")}, 1, 2},
	{"a number in the text", []string{rules("", ""), edited("20 crowns", "25 crowns")}, 2, 2},

	{"characters without width", []string{rules("", ""), edited("harbour", "har\u200bbour"), edited("What we", "\ufeffWhat we")}, 1, 3},
	{"the anchors of headings", []string{
		rules("", ""), edited("promise", "promise<a href=#p>#</a>"),
		edited("promise", "promise <a href=#p>¶</a>"),
	}, 1, 3},
	{"strokes between blocks", []string{rules("", ""), edited("<h2>", "<p>—</p><h2>")}, 1, 2},
	{"options", []string{
		rules("<select><option>Boat<option>Book</select>", ""),
		rules("<select><option>Boat<option>Oar<option>Book</select>", ""),
	}, 1, 2},

	{"a line that comes and goes", []string{
		edited("<h2>", "<p>The flag is up.</p><h2>"), rules("", ""),
		edited("<h2>", "<p>The flag is up.</p><h2>"), rules("", ""),
	}, 1, 4},
	{"a line that went and came back once", []string{
		edited("<h2>", "<p>The flag is up.</p><h2>"), rules("", ""),
		edited("<h2>", "<p>The flag is up.</p><h2>"),
	}, 3, 3},
	{
		"a paragraph that went and came back once",
		[]string{rules("", ""), edited("Keep the sails dry, the pages clean and the strings loose.", ""), rules("", "")},
		3, 3,
	},
	{"two texts that take turns", []string{
		rules("", ""), edited("lends boats", "lends no boats"), rules("", ""),
		edited("lends boats", "lends no boats"),
	}, 4, 4},
}

func TestClassesOfNoise(t *testing.T) {
	for _, test := range classTests {
		t.Run(test.name, func(t *testing.T) {
			s := shelf{}
			states := pagesOf(s, test.pages...)
			for level, want := range map[Level]int{LevelContent: test.content, LevelText: test.text} {
				got, err := Ranges(level, states, s, nil)
				if err != nil || len(got) != want {
					t.Errorf("level %s: %d versions, want %d: %q (%v)", level, len(got), want, lines(got), err)
				}
			}
		})
	}
}

// pagesOf builds captures of pages, a day apart.
func pagesOf(s shelf, pages ...string) []State {
	words := make([]string, len(pages))
	for i, p := range pages {
		words[i] = strings.ReplaceAll(p, "_", "&#95;")
	}
	return history(s, words...)
}

// walls are pages at status 200 that are not the page.
var walls = []string{
	``, `<title>Harbour</title><div id=root></div>`, consent, menu1 + consent,
	`<h1>Something went wrong</h1><p>We are looking into it.`, `<p>Redirecting to the new rules …`,
	`<p>Just a moment...<p>Verifying you are human.`,
	`<p>You need to enable JavaScript to run this app.`, `<form><h2>Log in</h2><label>Name</label><label>Password</label></form>`,
	`<h1>Access denied</h1><p>Reference 18.4f2`, `<p>Please wait`, `<p>Ein Fehler ist aufgetreten. Bitte später erneut versuchen.`,
	`<p>Bitte aktivieren Sie JavaScript.`, `<p>Une erreur est survenue...`, `<p>Vous allez être redirigé.`, `<p>Algo salió mal.`,
	`<p>Habilita JavaScript`,
	`<p>Si è verificato un errore.`, `<p>Ocorreu um erro.`, `<p>Er is iets misgegaan.`, `<p>Coś poszło nie tak.`, `<p>Произошла ошибка.`,
	`<p>Сталася помилка.`, `<p>خطایی رخ داد`, `<p>出错了，请稍后再试`, `<p>エラーが発生しました`, `<p>Загрузка`, `<p>登录`,
	`<p>You’ve been blocked by network security.`, `<h1>Robot or human?</h1>`, `<p>If you are not redirected automatically, follow the link.`,
	`<p>upstream connect error or disconnect/reset before headers`, `<p>Error establishing a database connection`, `<p>We'll be back soon!`,
	`<p>The requested URL was rejected. Please consult with your administrator.`, `<p>This content isn't available right now`,
	`<p>This service is not available in your country.`, `<h1>Before you continue</h1>`, `<p>Rate limit reached`,
	`<p>Moved Permanently. The document has moved <a href=/r>here</a>.`,
	`<meta http-equiv="refresh" content="0; url=/r"><p>Our rules, one moment.`, `<META content='3;URL="/r"' HTTP-EQUIV=Refresh><p>Come along`,
	`<title>Rules</title>`, `<title>Rules</title><div role=dialog>` + consent + `</div>`, `<div id=didomi-host><p>` + lastWord + `</div>`,
	`<h1>Join LinkedIn</h1><p>` + lastWord + `<p>New to LinkedIn? Agree &amp; Join`, `<p>You must log in to continue.`,
}

func TestWallsEndNothing(t *testing.T) {
	page, later := rules(menu1, ""), edited("20 crowns", "25 crowns")
	for _, wall := range walls {
		for _, test := range []struct {
			pages []string
			want  []string
		}{
			{[]string{page, wall, page}, []string{"0-2/3 page 200"}},
			{[]string{page, wall, wall, later}, []string{"0-0/3 page 200", "3-3/1 page 200"}},
		} {
			s := shelf{}
			got, err := Ranges(LevelContent, pagesOf(s, test.pages...), s, nil)
			if err != nil || cmp.Diff(test.want, lines(got)) != "" {
				t.Errorf("%q: %q, want %q (%v)", wall, lines(got), test.want, err)
			}
		}
	}
}

var failedTests = []struct {
	name  string
	pages []string
	want  []string
}{
	{"an error before anything was shown", []string{`<p>Something went wrong`, rules("", "")}, []string{"0-0/1 error 200", "1-1/1 page 200"}},
	{"a shell before anything was shown", []string{`<title>Rules</title>`, rules("", "")}, []string{"0-0/1 error 200", "1-1/1 page 200"}},
	{"a page that leads on after a while", []string{
		rules("", ""), `<meta http-equiv=refresh content="300;url=/"><p>Eggs and boats.`, rules("", ""),
	}, []string{"0-0/1 page 200", "1-1/1 page 200", "2-2/1 page 200"}},
	{"an error after all", []string{rules("", ""), `<p>Something went wrong`}, []string{"0-0/2 page 200"}},
	{"an error is all there is", []string{`<p>Something went wrong`, `<p>Something went wrong`}, []string{"0-1/2 page 200"}},
	{"a picture is all there is", []string{`<img src=a.png>`, `<img src=b.png>`}, []string{"0-0/1 page 200", "1-1/1 page 200"}},
	{
		"frames are all there is",
		[]string{`<frameset><frame src=menu.html><frame src=a.html></frameset>`, `<frameset><frame src=menu.html><frame src=b.html></frameset>`},
		[]string{"0-0/1 page 200", "1-1/1 page 200"},
	},
	{"nothing is all there is", []string{`<p>`, `<p> </p>`}, []string{"0-1/2 error 200"}},
	{"a text that stays empty", []string{rules("", ""), `<div></div>`}, []string{"0-0/1 page 200", "1-1/1 page 200"}},
	{
		"a text that was taken down for a while",
		[]string{rules("", ""), `<p>The assembly has withdrawn its rules.`, rules("", "")},
		[]string{"0-0/1 page 200", "1-1/1 page 200", "2-2/1 page 200"},
	},
	{
		"another page in its place, twice in a row",
		[]string{rules("", ""), homePage, homePage, rules("", "")},
		[]string{"0-0/1 page 200", "1-2/2 page 200", "3-3/1 page 200"},
	},
	{
		"another page that is shown in its place again and again",
		[]string{rules("", ""), homePage, rules("", ""), homePage, rules("", "")},
		[]string{"0-4/5 page 200"},
	},
	{"a door in its place", []string{rules("", ""), door, rules("", "")}, []string{"0-2/3 page 200"}},
	{
		"a door beside it, and another text for once",
		[]string{rules(enter, ""), door, rules(enter, "")},
		[]string{"0-0/1 page 200", "1-1/1 page 200", "2-2/1 page 200"},
	},
	{
		"a page about an error",
		[]string{rules("", ""), edited("The library lends", "If something went wrong, the library lends"), rules("", "")},
		[]string{"0-0/1 page 200", "1-1/1 page 200", "2-2/1 page 200"},
	},
}

const (
	enter = `<a href=/in>Log in</a>`
	door  = `<title>Harbour</title>` + enter + `<h1>Meet those who sail</h1><p>Boats, books and a fresh wind are waiting for you, ` +
		`every day of the year.</p>
<p>Members meet on the jetty at six, in summer and in winter, and sail together to the islands, where there is a fire, a pot of
soup and somebody
who plays. Guests are welcome on Sundays. They bring a blanket, and stay in the boat until they are told what to do and why.</p>`
)

const homePage = `<title>Harbour</title><h1>Sail with us</h1><p>Boats, books and a fresh wind every day.</p><p>Come to the
jetty, or write to us. Whoever brings a friend sails
for half, and whoever brings two is asked to supper by the keeper, who cooks on Thursdays.</p>`

func TestFailedCaptures(t *testing.T) {
	for _, test := range failedTests {
		t.Run(test.name, func(t *testing.T) {
			s := shelf{}
			got, err := Ranges(LevelContent, pagesOf(s, test.pages...), s, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, lines(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRangesSayWhichCapturesDidNotShowThePage(t *testing.T) {
	s := shelf{}
	sorry := `<p>Something went wrong`
	got, err := Ranges(LevelContent, pagesOf(s, sorry, rules("", ""), sorry, rules("", ""), sorry), s, nil)
	if err != nil || len(got) != 2 || !slices.Equal(got[0].Unshown, []int{0}) || !slices.Equal(got[1].Unshown, []int{2, 4}) {
		t.Errorf("%+v (%v)", got, err)
	}
}

func TestWhatASiteShowsOnOtherPagesTooIsNoneOfAPage(t *testing.T) {
	s := shelf{}
	page := pagesOf(s, rules("", ""), homePage, rules("", ""))
	var samples []site.Sample
	for _, text := range []string{agreement, strings.ReplaceAll(agreement, "boat", "kite")} {
		var sample site.Sample
		for _, st := range pagesOf(s, pageOf("A", "", text, ""), homePage) {
			sample.Pages = append(sample.Pages, s[st.Text])
		}
		samples = append(samples, sample)
	}
	got, err := Ranges(LevelContent, page, s, site.New(samples))
	if err != nil || len(got) != 1 {
		t.Errorf("%q (%v)", lines(got), err)
	}
}
