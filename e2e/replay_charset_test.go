package e2e

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// undeclared are texts in charsets that nothing of their page declares.
var undeclared = []struct {
	name     string
	encoding encoding.Encoding
	text     string
}{
	{"Shift_JIS", japanese.ShiftJIS, "これは日本語のページです。川の水位は二メートル四十です。橋の上に人がいます。カタカナもあります。"},
	{"EUC-JP", japanese.EUCJP, "これは日本語のページです。川の水位は二メートル四十です。橋の上に人がいます。カタカナもあります。"},
	{"ISO-2022-JP", japanese.ISO2022JP, "これは日本語のページです。川の水位は二メートル四十です。"},
	{"GBK", simplifiedchinese.GBK, "这是一个中文网页。河水水位为两米四十。桥上有人。新闻中心首页联系我们。"},
	{"Big5", traditionalchinese.Big5, "這是一個中文網頁。河水水位為兩米四十。橋上有人。新聞中心首頁聯絡我們。"},
	{"EUC-KR", korean.EUCKR, "이것은 한국어 페이지입니다. 강의 수위는 이 미터 사십입니다. 다리 위에 사람이 있습니다."},
	{"windows-1251", charmap.Windows1251, "Это страница на русском языке. Уровень воды в реке два метра сорок. На мосту стоят люди."},
	{"KOI8-R", charmap.KOI8R, "Это страница на русском языке. Уровень воды в реке два метра сорок. На мосту стоят люди."},
	{"windows-1252", charmap.Windows1252, "Die Brücke über den Fluss ist schön. Où êtes-vous? Él mañana – “aquí”. Größe, Öl, Straße."},
	{"windows-1250", charmap.Windows1250, "Příliš žluťoučký kůň úpěl ďábelské ódy. Zażółć gęślą jaźń. Řeka má dva metry čtyřicet."},
	{"windows-1253", charmap.Windows1253, "Αυτή είναι μια σελίδα στα ελληνικά. Η στάθμη του ποταμού είναι δύο μέτρα και σαράντα."},
	{"windows-1254", charmap.Windows1254, "Bu sayfa Türkçe yazılmıştır. Nehrin seviyesi iki metre kırk. Köprünün üstünde insanlar var."},
	{"windows-1255", charmap.Windows1255, "זהו דף בעברית. מפלס הנהר הוא שני מטרים וארבעים. על הגשר עומדים אנשים."},
	{"windows-1256", charmap.Windows1256, "هذه صفحة باللغة العربية. منسوب النهر متران وأربعون. على الجسر ناس."},
	{"windows-874", charmap.Windows874, "นี่คือหน้าเว็บภาษาไทย ระดับน้ำในแม่น้ำสองเมตรสี่สิบ มีคนอยู่บนสะพาน"},
	{"UTF-8", encoding.Nop, "Die Brücke über den Fluss ist schön. これは日本語のページです。Это страница."},
}

// guessed reports whether browsers are known to go by the domain, which they don't see in an archive, though they recognize a page:
// the few letters of Turkish that are others in windows-1252 don't tell them enough on a host of another country.
func guessed(name string) bool {
	return strings.HasPrefix(name, "windows-1254, short") && !strings.HasSuffix(name, "replay.example")
}

// A page that declares no charset is shown in the one that a browser finds in it without varve's mark-up before it.
func TestUndeclaredCharsetsAreTheOnesBrowsersFind_long(t *testing.T) {
	t.Parallel() // it mostly waits
	a, live := &archive{}, http.NewServeMux()
	type page struct{ name, url string }
	var pages []page
	forms := map[string]string{"short": "<title>%s</title><p>%s</p>"}
	if !testing.Short() {
		forms["late"] = "<!doctype html><html><head><title>a</title><style>" + strings.Repeat("p { margin: 0 }\n", 200) +
			"</style></head><body><p>%s</p><p>%s</p></body></html>"
	}
	for _, host := range []string{"http://replay.example", "http://www.shop.example.jp", "http://news.example.ru"} {
		for i, u := range undeclared {
			text, err := u.encoding.NewEncoder().String(u.text)
			if err != nil {
				t.Fatal(u.name, err)
			}
			for form, markup := range forms {
				path := fmt.Sprintf("/%s/%d", form, i)
				body := fmt.Sprintf(markup, text, text)
				a.response(host+path, day, "200 OK", body, "Content-Type: text/html")
				pages = append(pages, page{u.name + ", " + form + ", " + host, host + path})
				live.HandleFunc("GET "+strings.TrimPrefix(host, "http://")+path, func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", "text/html")
					fmt.Fprint(w, body)
				})
			}
		}
	}
	origin := httptest.NewServer(live)
	defer origin.Close()
	const workers = 6
	original := browse(t, &server{url: origin.URL}, "proxy-server="+origin.URL).tabs(t, workers, false)
	replayed := browse(t, a.serve(t)).tabs(t, workers, false)
	read := func(g *stage, address string) (string, error) {
		if err := g.goes(address); err != nil {
			return "", err
		}
		return chromedp.Run(g.ctx, chromedp.Evaluate[string](
			`document.characterSet + " " + document.title + " " + [...document.querySelectorAll("p")].map((p) => p.textContent).join(" ")`))
	}
	sideBySide(len(pages), workers, func(worker, i int) {
		p := pages[i]
		want, err := read(original[worker], p.url)
		got, failed := read(replayed[worker], fmt.Sprintf("%s/web/%s/%s", replayed[worker].url, day, p.url))
		if err = errors.Join(err, failed); err != nil || got != want && !guessed(p.name) {
			t.Errorf("%s: %v\nreplayed: %.80s\nlive:     %.80s", p.name, err, got, want)
		}
	})
}
