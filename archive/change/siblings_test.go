package change

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// moreWalls are walls as the platforms, firewalls and frameworks of the web have them, in other languages and mark-up than [walls].
var moreWalls = map[string]string{
	"a login of Facebook": `<title>Facebook</title><h2>Log in to Facebook</h2><form><input><input type=password>` +
		`<button>Log in</button></form><p>Forgotten account?`,
	"the same in German": `<h2>Facebook</h2><p>Auf Facebook kannst du dich mit den Menschen in deinem Leben ` +
		`verbinden.</p><p>Passwort vergessen?`,
	"a login of Instagram": `<title>Instagram</title><p>Log in to see photos and videos from friends.</p><p>Don't ` +
		`have an account? Sign up`,
	"Instagram in French": `<title>Instagram</title><p>Connectez-vous pour voir les photos et vidéos de vos amis.</p>` +
		`<p>Vous n’avez pas de compte ? Inscrivez-vous`,
	"a login of LinkedIn": `<title>Sign Up | LinkedIn</title><h1>Make the most of your professional life</h1><p>` +
		`Already on LinkedIn? Sign in`,
	"LinkedIn in Spanish": `<title>LinkedIn</title><h1>Únete a LinkedIn</h1><p>Al hacer clic en «Aceptar y unirse», ` +
		`aceptas las condiciones.`,
	"a login of X": `<title>X</title><h1>Happening now</h1><p>Join today.</p><p>Already have an account?`,
	"X without scripts": `<h1>JavaScript is not available.</h1><p>We’ve detected that JavaScript is disabled in ` +
		`this browser. Please switch to a supported browser to continue using x.com.`,
	"Pinterest": `<title>Pinterest</title><h1>Welcome to Pinterest</h1><p>Find new ideas to try</p><p>` +
		`Continue with email`,
	"Quora": `<title>Quora</title><p>A place to share knowledge and better understand the world</p><p>` +
		`Continue with Google</p><p>Login`,
	"Reddit": `<p>You've been blocked by network security.</p><p>To continue, log in to your Reddit ` +
		`account or use your developer token`,
	"TikTok": `<title>TikTok</title><h2>Log in to follow creators, like videos, and view comments.</h2>` +
		`<p>Use QR code`,
	"VK":    `<title>ВКонтакте</title><p>Чтобы просматривать эту страницу, нужно зайти на сайт.`,
	"Weibo": `<title>Sina Visitor System</title>`,
	"Zhihu": `<title>知乎 - 有问题，就会有答案</title><p>验证码登录</p><p>密码登录`,
	"YouTube's consent": `<title>Before you continue to YouTube</title><h1>Bevor Sie zu YouTube weitergehen</h1><p>` +
		`Alle akzeptieren`,
	"Google's sorry": `<p>Our systems have detected unusual traffic from your computer network.`,
	"Cloudflare, another": `<title>Attention Required! | Cloudflare</title><h1>Sorry, you have been blocked</h1><p>` +
		`You are unable to access harbour.example`,
	"Cloudflare in Russian": `<title>Один момент…</title><p>Проверяем, человек ли вы. Это может занять несколько секунд.`,
	"Akamai": `<h1>Access Denied</h1><p>You don't have permission to access "/rules" on this server.<p>` +
		`Reference #18.2d3`,
	"Imperva":                  `<p>Request unsuccessful. Incapsula incident ID: 123-456`,
	"DataDome":                 `<title>harbour.example</title><p>Please enable JS and disable any ad blocker`,
	"PerimeterX":               `<h1>Press &amp; Hold to confirm you are a human (and not a bot).</h1>`,
	"AWS":                      `<title>Human Verification</title><h1>JavaScript is disabled</h1>`,
	"Sucuri":                   `<h1>Sucuri WebSite Firewall - Access Denied</h1><p>Block reason: Bot access attempt`,
	"Vercel":                   `<title>Vercel Security Checkpoint</title><p>We're verifying your browser`,
	"Turkish":                  `<h1>Erişim engellendi</h1><p>Bu sayfaya erişim izniniz yok.`,
	"Polish login":             `<h1>Zaloguj się</h1><p>Nie masz konta? Załóż je.`,
	"Portuguese browser check": `<h1>Um momento</h1><p>Verificando se a conexão do site é segura`,
	"Japanese login":           `<h1>ログイン</h1><p>会員登録がお済みでない方はこちら`,
	"Korean access":            `<h1>접근이 제한되었습니다</h1>`,
	"Arabic error":             `<h1>حدث خطأ ما</h1><p>يرجى المحاولة مرة أخرى لاحقًا`,
	"Hindi error":              `<h1>कुछ गलत हो गया</h1><p>कृपया बाद में पुनः प्रयास करें`,
	"Indonesian error":         `<h1>Terjadi kesalahan</h1><p>Silakan coba lagi nanti`,
	"Vietnamese error":         `<h1>Đã xảy ra lỗi</h1><p>Vui lòng thử lại sau`,
	"Czech error":              `<h1>Něco se pokazilo</h1><p>Zkuste to prosím později`,
	"Swedish error":            `<h1>Något gick fel</h1><p>Försök igen senare`,
	"a PHP error":              `<b>Fatal error</b>: Allowed memory size exhausted in <b>/srv/page.php</b> on line <b>12</b>`,
	"a PHP syntax error":       `<b>Parse error</b>: syntax error, unexpected '}' in <b>/srv/page.php</b> on line <b>3</b>`,
	"a PHP exception":          `PHP Fatal error: Uncaught Exception: no database in /srv/page.php:7`,
	"a redirect by a script":   `<title>Redirect</title><p>If your browser does not redirect you, <a href=/r>click here</a>.`,
	"a redirect in German":     `<p>Sie werden in Kürze zur neuen Seite weitergeleitet.`,
	"a redirect in Polish":     `<p>Za chwilę nastąpi przekierowanie`,
	"a redirect in Chinese":    `<p>页面正在跳转，请稍候`,
	"a redirect in Japanese":   `<p>自動的に移動しない場合はこちらをクリックしてください`,
	"a shell with a frame":     `<title>Rules of the harbour library</title><div id=__next></div><script src=a.js></script>`,
	"a shell that loads":       `<title>Rules</title><div id=root><div class=spinner>Loading…</div></div>`,
	"a shell with a menu":      `<title>Rules</title>` + menu1 + `<main></main><footer>Harbour library</footer>`,
	"a shell with a skeleton": `<title>Rules</title><div class=skeleton><span></span><span></span></div><footer><p>© ` +
		`2020 Harbour</p></footer>`,
	"a shell in Vue": `<title>Rules</title><div id=app><noscript>We're sorry but this app doesn't work properly ` +
		`without JavaScript enabled.</noscript></div>`,
	"consent of Quantcast": `<title>Rules</title><div id="qc-cmp2-container"><p>` + lastWord + `</div>`,
	"consent of Cookiebot": `<title>Rules</title><div id="CybotCookiebotDialog"><p>` + lastWord + `</div>`,
	"consent or pay": `<title>Rules</title><h1>Mit Werbung weiterlesen</h1><p>Besuchen Sie uns wie gewohnt mit ` +
		`Werbung und Tracking.<button>Einverstanden</button><button>Pur-Abo</button>`,
	"consent in Dutch": `<title>Rules</title><div class=c1><p>Wij en onze partners gebruiken cookies om inhoud te ` +
		`kiezen en te meten wat die doet.</p><button>Alles accepteren</button><button>Weigeren</button></div>`,
	"a critical error of WordPress": `<title>WordPress › Error</title><p>There has been a critical error on this website.</p><p>` +
		`<a href=/w>Learn more about troubleshooting WordPress.</a>`,
	"WordPress in German":   `<p>Es gab einen kritischen Fehler auf deiner Website.`,
	"WordPress in French":   `<p>Il y a eu une erreur critique sur ce site.`,
	"WordPress in Spanish":  `<p>Ha habido un error crítico en esta web.`,
	"WordPress in Russian":  `<p>На сайте возникла критическая ошибка.`,
	"WordPress in Japanese": `<p>このサイトで重大なエラーが発生しました。`,
	"WordPress in Polish":   `<p>Wystąpił krytyczny błąd w witrynie.`,
	"WordPress in Chinese":  `<p>此站点遇到了致命错误。`,
	"an upgrade":            `<title>Maintenance</title><p>Briefly unavailable for scheduled maintenance. Check back in a minute.`,
	"too much traffic":      `<h1>Bandwidth Limit Exceeded</h1><p>The server is temporarily unable to service your request.`,
	"too many processes":    `<h1>508</h1><h2>Resource Limit Is Reached</h2><p>The website is unable to serve your request.`,
	"a server in Europe":    `<h1>We’re sorry</h1><p>This content is not available in your region.`,
	"a law of Europe":       `<h1>451</h1><p>We recognize you are attempting to access this website from a country belonging to the EEA.`,
	"a waiting room":        `<h1>You are now in line</h1><p>When it is your turn, you will have 10 minutes to enter.`,
	"another one":           `<title>Queue</title><p>You are in a virtual queue. Your estimated wait time is 4 minutes.`,
	"a limit of articles":   `<h1>You’ve reached your limit of free articles.</h1><p>Subscribe for 1 crown a week.`,
	"a demand to subscribe": `<h1>Subscribe to continue reading</h1><button>Subscribe</button>`,
	"the server's own page": `<h1>Welcome to nginx!</h1><p>If you see this page, the nginx web server is successfully installed and ` +
		`working. Further configuration is required.`,
	"that of another server": `<title>Apache2 Debian Default Page: It works</title><p>This is the default welcome page used to test the ` +
		`correct operation of the Apache2 server after installation on Debian systems.`,
	"that of a host":         `<title>Default Web Site Page</title><h1>Sorry!</h1><p>If you own this website, ask your host.`,
	"an age gate in English": `<title>Rules</title><h1>Are you over 18?</h1><button>Yes</button><button>No</button>`,
	"an age gate":            `<title>Rules</title><h1>Sind Sie über 18?</h1><button>Ja</button><button>Nein</button>`,
}

// Each stands between two captures of a page, before the first of them, before one that says something else, and last.
func TestWallsOfManyKinds(t *testing.T) {
	page, later := rules(menu1, ""), edited("20 crowns", "25 crowns")
	for name, wall := range moreWalls {
		for _, test := range []struct{ pages, want []string }{
			{[]string{page, wall, page}, []string{"0-2/3 page 200"}},
			{[]string{wall, page, page}, []string{"0-0/1 error 200", "1-2/2 page 200"}},
			{[]string{page, wall, wall, later}, []string{"0-0/3 page 200", "3-3/1 page 200"}},
		} {
			s := shelf{}
			got, err := Ranges(LevelContent, pagesOf(s, test.pages...), s, nil)
			if err != nil || cmp.Diff(test.want, lines(got)) != "" {
				t.Errorf("%s: %q, want %q (%v)", name, lines(got), test.want, err)
			}
		}
	}
}

// Pages that speak of such things are pages, however short.
func TestPagesThatSpeakOfWalls(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"how to log in: use the name on your card and the word that the keeper gave you, and ask at the desk if either " +
			"is lost or has been changed",
		"the door was out of order on Monday; it was mended by the smith, and whoever was locked out is asked to come " +
			"again with the book in hand",
		"boats are seen by many: three hours ago a seal was on the jetty, and two days ago there were eleven of them, " +
			"asleep between the oars",
	} {
		before := "<h1>News</h1><p>" + text + "<p>Harbour library, at the desk and by letter, every day but Monday, from " +
			"nine to five and in winter to three."
		s := shelf{}
		pages := pagesOf(s, before, before+"<p>Guests are welcome.", before)
		if got, err := Ranges(LevelContent, pages, s, nil); err != nil || len(got) != 3 {
			t.Errorf("%s: %q, want three versions (%v)", text, lines(got), err)
		}
	}
}

// Numbers of a text are its own, though some of its words count other things elsewhere.
func TestNumbersThatSaySomething(t *testing.T) {
	t.Parallel()
	with := func(last string) string { return strings.TrimSuffix(agreement, "</div>") + "<p>" + last + "</div>" }
	for _, text := range []string{
		"The library is open for %d hours a day.", "A boat is lent for %d days.", "%d members voted for the rules.",
		"Payable within %d days of the loan.", "Visitors may bring %d children.", "Supper is served until %d o'clock.",
		"A helpful guide of %d pages.",
		"Die Frist beträgt %d Tage.", "Whoever is late by %d minutes rings twice.", "Le prêt dure %d jours.",
		"Срок %d дней со дня выдачи.",
	} {
		s := shelf{}
		pages := pagesOf(s, pageOf("Rules", "", with(fmt.Sprintf(text, 12)), ""),
			pageOf("Rules", "", with(fmt.Sprintf(text, 19)), ""))
		if got, err := Ranges(LevelContent, pages, s, nil); err != nil || len(got) != 2 {
			t.Errorf("%s: %q, want two versions (%v)", text, lines(got), err)
		}
	}
}

// A day that is named, and nothing else of a short text, may change by itself; other words beside it don't.
func TestWordsBesideAges(t *testing.T) {
	t.Parallel()
	for _, test := range [][2]string{
		{"Anna came yesterday", "Bert came yesterday"},
		{"Anna came an hour ago", "Anna left an hour ago"},
		{"Lent for a day", "Lent for a week"},
		{"One hour a week", "One day a week"},
		{"", "The mast broke yesterday"},
	} {
		s := shelf{}
		got, err := Ranges(LevelContent, pagesOf(s, rules("", "<p>"+test[0]), rules("", "<p>"+test[1])), s, nil)
		if err != nil || len(got) != 2 {
			t.Errorf("%q: %q, want two versions (%v)", test, lines(got), err)
		}
	}
}

// A number that changes in every capture may be a counter. A price and a figure in a sentence are none, however often they change.
func TestPricesAndFiguresAreNoCounters(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"<p>€ %d.99": 6, "<p>The dinghy costs $%d a week.": 6, "<p>%d €": 6, "<p>£%d": 6, "<p>CHF %d.–": 6, "<p>%d EUR": 6,
		"<table><tr><td>Dinghy<td>%d ₽<tr><td>Canoe<td>15 ₽</table>": 6, "<p>%d views": 1, "<p>Guests: %d": 1,

		"<p>At least %d people have died since the ferry sank off the island.":               6,
		"<p>Bei dem Unglück vor der Insel sind mindestens %d Menschen ums Leben gekommen.":   6,
		"<p>Our co-operative has %d,412 members and sails in 11 harbors of the north coast.": 6,
		"<p>这次海难中至少有%d人死亡，另有许多人失踪。":                                                          6,
		"<p>This page has been accessed %d times.":                                           1,
		"<p>You are the %dth of all visitors who came to see this page.":                     1,
		"<p>This page was last changed by the harbor master on %d March at noon.":            1,
		"<p>If you need help with this page, please write to us with the number 88293%d77.":  1,
		"<p>If you need help with this page, please write to us with the number a%df3.":      1,
		"<p>So many readers are here with you at this very moment: %d":                       1,
	} {
		s := shelf{}
		var pages []string
		for _, n := range []int{20, 22, 19, 25, 24, 27} {
			pages = append(pages, pageOf("Rules", "", strings.TrimSuffix(agreement, "</div>")+fmt.Sprintf(text, n)+"</div>", ""))
		}
		if got, err := Ranges(LevelContent, pagesOf(s, pages...), s, nil); err != nil || len(got) != want {
			t.Errorf("%s: %q, want %d versions (%v)", text, lines(got), want, err)
		}
	}
}

// moreNoises are two forms of what changes by itself, in or beside a text.
var moreNoises = map[string][2]string{
	"views":                     {`<p>171.633 Aufrufe`, `<p>171.902 Aufrufe`},
	"views before":              {`<p>Aufrufe: 171.633`, `<p>Aufrufe: 171.902`},
	"views, short":              {`<p>1,2 Mio. Aufrufe`, `<p>1,3 Mio. Aufrufe`},
	"views in Japanese":         {`<p>視聴回数 1,204 回`, `<p>視聴回数 1,377 回`},
	"views in Chinese":          {`<p>阅读 1204`, `<p>阅读 1377`},
	"views in Korean":           {`<p>조회수 1,204회`, `<p>조회수 1,377회`},
	"reads":                     {`<p>Read 1204 times`, `<p>Read 1377 times`},
	"times read in German":      {`<p>1.204 mal gelesen`, `<p>1.377 mal gelesen`},
	"readers in Spanish":        {`<p>Leído 1.204 veces`, `<p>Leído 1.377 veces`},
	"readers in Polish":         {`<p>Wyświetlenia: 1204`, `<p>Wyświetlenia: 1377`},
	"followers":                 {`<p>12.4K followers`, `<p>12.5K followers`},
	"subscribers":               {`<p>8.2M subscribers`, `<p>8.3M subscribers`},
	"subscribers in French":     {`<p>8 204 abonnés`, `<p>8 377 abonnés`},
	"subscribers in Russian":    {`<p>8 204 подписчика`, `<p>8 377 подписчиков`},
	"likes":                     {`<p>204 Likes · 12 shares`, `<p>208 Likes · 13 shares`},
	"likes in German":           {`<p>Gefällt 204 Mal`, `<p>Gefällt 208 Mal`},
	"comments in German":        {`<p>12 Kommentare`, `<p>15 Kommentare`},
	"comments, none":            {`<p>12 comments`, `<p>13 comments`},
	"the first comments":        {`<p>No comments »`, `<p>3 comments »`},
	"online":                    {`<p>Users online: 204`, `<p>Users online: 188`},
	"online in German":          {`<p>Besucher online: 204`, `<p>Besucher online: 188`},
	"visits today":              {`<p>Besucher heute: 204, gesamt: 100.204`, `<p>Besucher heute: 11, gesamt: 100.411`},
	"downloads":                 {`<p>Downloads: 1204`, `<p>Downloads: 1377`},
	"minutes ago":               {`<p>12 minutes ago`, `<p>3 hours ago`},
	"minutes ago in German":     {`<p>vor 12 Minuten`, `<p>vor 3 Stunden`},
	"hours ago in French":       {`<p>il y a 3 heures`, `<p>il y a 2 jours`},
	"hours ago in Spanish":      {`<p>hace 3 horas`, `<p>hace 2 días`},
	"hours ago in Italian":      {`<p>3 ore fa`, `<p>2 giorni fa`},
	"hours ago in Chinese":      {`<p>3小时前`, `<p>2天前`},
	"a day ago":                 {`<p>3 hours ago`, `<p>yesterday`},
	"posted a day ago":          {`<p>Posted by Anna just 3 hours ago`, `<p>Posted by Anna just yesterday`},
	"an hour ago":               {`<p>Anna joined an hour ago`, `<p>Anna joined 5 months ago`},
	"a few seconds ago":         {`<p>Edited a few seconds ago`, `<p>Edited a year ago`},
	"two days without a number": {`<p>yesterday`, `<p>an hour ago`},
	"a day ago in German":       {`<p>Gestern`, `<p>vor 2 Tagen`},
	"an hour ago in German":     {`<p>Bearbeitet vor einer Stunde`, `<p>Bearbeitet vor 3 Jahren`},
	"an hour ago in French":     {`<p>Publié il y a une heure`, `<p>Publié il y a 2 mois`},
	"a day ago in Spanish":      {`<p>Publicado ayer`, `<p>Publicado hace 2 días`},
	"a day ago in Italian":      {`<p>un giorno fa`, `<p>ieri`},
	"a day ago in Portuguese":   {`<p>ontem`, `<p>há 3 semanas`},
	"a day ago in Dutch":        {`<p>gisteren`, `<p>een week geleden`},
	"a day ago in Polish":       {`<p>wczoraj`, `<p>rok temu`},
	"a day ago in Russian":      {`<p>вчера`, `<p>месяц назад`},
	"a day ago in Ukrainian":    {`<p>годину тому`, `<p>3 дні тому`},
	"a day ago in Chinese":      {`<p>昨天`, `<p>3天前`},
	"a day ago in Japanese":     {`<p>昨日`, `<p>2週間前`},
	"a day ago in Korean":       {`<p>어제`, `<p>3일 전`},
	"days left":                 {`<span>Generated in 0.0231 seconds`, `<span>Generated in 0.0412 seconds`},
	"memory":                    {`<p>Page rendered in 0.23 s, 4 MB used`, `<p>Page rendered in 0.31 s, 5 MB used`},
	"probe":                     {`<span>mmMwWLliI0O&amp;1</span>`, ``},
	"probe of letters":          {`<span style="position:absolute;left:-9999px">abcdefghijklmnopqrstuvwxyz0123456789</span>`, ``},
	"probe hidden":              {`<span style="visibility:hidden">wwwwwwwwwwmmmmm</span>`, ``},
	"related": {`<aside><h2>Related</h2><ul><li><a href=/1>Sails for beginners</a><li><a href=/2>Oars of ` +
		`old</a></ul></aside>`, `<aside><h2>Related</h2><ul><li><a href=/3>Knots to know</a><li><a href=/1>Sails for ` +
		`beginners</a></ul></aside>`},
	"related, unnamed": {`<section class=x1><h2>Read more</h2><ul><li><a href=/1>Sails for beginners</a><li><a ` +
		`href=/2>Oars of old</a></ul></section>`, `<section class=x1><h2>Read more</h2><ul><li><a href=/3>Knots to know</a>` +
		`<li><a href=/1>Sails for beginners</a></ul></section>`},
	"most read in German": {`<div class=k2><h3>Meistgelesen</h3><ol><li><a href=/1>Segeln für Anfänger</a><li><a ` +
		`href=/2>Alte Ruder</a></ol></div>`, `<div class=k2><h3>Meistgelesen</h3><ol><li><a href=/3>Knoten lernen</a><li><a ` +
		`href=/1>Segeln für Anfänger</a></ol></div>`},
	"also in French": {`<div class=k2><h3>À lire aussi</h3><ul><li><a href=/1>Voiles</a><li><a href=/2>Rames</a>` +
		`</ul></div>`, `<div class=k2><h3>À lire aussi</h3><ul><li><a href=/3>Nœuds</a><li><a href=/1>Voiles</a></ul></div>`},
	"an advertisement": {`<div class="ad-slot"><p>Anzeige</p><p>Buy two sails</p></div>`, `<div class="ad-slot"><p>` +
		`Anzeige</p><p>Buy three oars</p></div>`},
}

// Beside a text, two forms of each are one version.
func TestNoiseOfManyKinds(t *testing.T) {
	for name, n := range moreNoises {
		s := shelf{}
		got, err := Ranges(LevelContent, pagesOf(s, rules("", n[0]), rules("", n[1])), s, nil)
		if err != nil || len(got) != 1 {
			t.Errorf("%s: %q, want one version (%v)", name, lines(got), err)
		}
	}
}

// A date that a server writes in its own time zone shifts by a day and back.
func TestDatesThatShiftByADay(t *testing.T) {
	for name, format := range map[string]string{
		"ISO":      `<p>Published: 2021-03-%02d</p>`,
		"English":  `<p>Last updated on March %d, 2021</p>`,
		"German":   `<p>Veröffentlicht am %d. März 2021</p>`,
		"numeric":  `<p>Posted %02d/03/2021 by the keeper</p>`,
		"Japanese": `<p>更新日：2021年3月%d日</p>`,
	} {
		page := func(day int) string { return rules(fmt.Sprintf(format, day), "") }
		s := shelf{}
		got, err := Ranges(LevelContent, pagesOf(s, page(14), page(15), page(14), page(15), page(14), page(14), page(15)), s, nil)
		if err != nil || len(got) != 1 {
			t.Errorf("%s: %q, want one version (%v)", name, lines(got), err)
		}
	}
}

// The date of the day is a clock, in whatever language it is written.
func TestTheDateOfTheDay(t *testing.T) {
	t.Parallel()
	for name, dates := range map[string][]string{
		"English":    {"Sunday, January 5, 2020", "Monday, February 10, 2020", "Tuesday, March 17, 2020", "Friday, April 24, 2020"},
		"German":     {"Sonntag, 5. Januar 2020", "Montag, 10. Februar 2020", "Dienstag, 17. März 2020", "Freitag, 24. April 2020"},
		"French":     {"dimanche 5 janvier 2020", "lundi 10 février 2020", "mardi 17 mars 2020", "vendredi 24 avril 2020"},
		"Spanish":    {"domingo, 5 de enero", "lunes, 10 de febrero", "martes, 17 de marzo", "viernes, 24 de abril"},
		"Italian":    {"domenica 5 gennaio 2020", "lunedì 10 febbraio 2020", "martedì 17 marzo 2020", "venerdì 24 aprile 2020"},
		"Portuguese": {"domingo, 5 de janeiro", "segunda-feira, 10 de fevereiro", "terça-feira, 17 de março", "sexta-feira, 24 de abril"},
		"Dutch":      {"zondag 5 januari 2020", "maandag 10 februari 2020", "dinsdag 17 maart 2020", "vrijdag 24 april 2020"},
		"Polish":     {"niedziela, 5 stycznia 2020", "poniedziałek, 10 lutego 2020", "wtorek, 17 marca 2020", "piątek, 24 kwietnia 2020"},
		"Russian":    {"воскресенье, 5 января 2020", "понедельник, 10 февраля 2020", "вторник, 17 марта 2020", "пятница, 24 апреля 2020"},
		"Ukrainian":  {"неділя, 5 січня 2020", "понеділок, 10 лютого 2020", "вівторок, 17 березня 2020", "п’ятниця, 24 квітня 2020"},
		"Turkish":    {"5 Ocak 2020 Pazar", "10 Şubat 2020 Pazartesi", "17 Mart 2020 Salı", "24 Nisan 2020 Cuma"},
		"Greek":      {"Κυριακή, 5 Ιανουαρίου 2020", "Δευτέρα, 10 Φεβρουαρίου 2020", "Τρίτη, 17 Μαρτίου 2020", "Παρασκευή, 24 Απριλίου 2020"},
		"Arabic":     {"الأحد 5 يناير 2020", "الاثنين 10 فبراير 2020", "الثلاثاء 17 مارس 2020", "الجمعة 24 أبريل 2020"},
		"Persian":    {"یکشنبه ۱۵ دی ۱۳۹۸", "دوشنبه ۲۱ بهمن ۱۳۹۸", "سه‌شنبه ۲۷ اسفند ۱۳۹۸", "جمعه ۵ اردیبهشت ۱۳۹۹"},
		"Chinese":    {"2020年1月5日 星期日", "2020年2月10日 星期一", "2020年3月17日 星期二", "2020年4月24日 星期五"},
		"Japanese":   {"令和2年1月5日(日)", "令和2年2月10日(月)", "令和2年3月17日(火)", "令和2年4月24日(金)"},
		"Korean":     {"2020년 1월 5일 일요일", "2020년 2월 10일 월요일", "2020년 3월 17일 화요일", "2020년 4월 24일 금요일"},
	} {
		s := shelf{}
		var pages []string
		for _, date := range dates {
			pages = append(pages, pageOf("Rules", "", strings.Replace(agreement, "</h1>", "</h1><div>"+date+"</div>", 1), ""))
		}
		if got, err := Ranges(LevelContent, pagesOf(s, pages...), s, nil); err != nil || len(got) != 1 {
			t.Errorf("%s: %q, want one version (%v)", name, lines(got), err)
		}
	}
}
