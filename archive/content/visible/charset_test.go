package visible

import (
	"strings"
	"testing"

	"golang.org/x/net/html/charset"
)

// Pages of old sites say in no way which charset they are in.
func TestCharsetsThatNobodyDeclares(t *testing.T) {
	t.Parallel()
	const (
		japanese  = "港の事務所は、橋がいつ開くか、水がどのくらい深いかを船員に知らせます。"
		russian   = "Портовая контора сообщает морякам, когда открываются мосты и какова глубина воды."
		ukrainian = "Портова контора повідомляє морякам, коли відкриваються мости і яка глибина води."
		german    = "Das Hafenamt sagt Seglern, wann Brücken öffnen. Schöne Grüße, Übergröße."
	)
	for _, test := range []struct{ charset, head, text string }{
		{"shift_jis", "", japanese},
		{"euc-jp", "", japanese},
		{"windows-1251", "", russian},
		{"koi8-r", "", russian},
		{"koi8-u", "", ukrainian},
		{"windows-1251", "", ukrainian},
		{"ibm866", "", russian},
		{"gbk", "", "港口办公室告诉水手桥梁何时开放以及水有多深。"},
		{"big5", "", "港口辦公室告訴水手橋樑何時開放以及水有多深。"},
		{"euc-kr", "", "항구 사무소는 선원들에게 다리가 언제 열리는지 알려줍니다."},
		{"iso-8859-7", "", "Το γραφείο του λιμανιού λέει στους ναυτικούς πότε ανοίγουν οι γέφυρες."},
		{"windows-1255", "", "משרד הנמל אומר למלחים מתי הגשרים נפתחים וכמה עמוקים המים."},
		{"windows-874", "", "สำนักงานท่าเรือบอกกะลาสีว่าสะพานจะเปิดเมื่อไรและน้ำลึกแค่ไหน"},
		{"windows-1252", "", german},
		{"windows-1252", "", "one · two · three · four · five · six · seven · eight · nine · ten"},
		{"windows-1252", "<meta charset=latin1>", "ÉÊËÌÍÎÏÐÑÒÓÔ"},
		{"koi8-r", "<meta http-equiv=content-type content='text/html charset=koi8-r'>", "да"},
	} {
		e, _ := charset.Lookup(test.charset)
		body, err := e.NewEncoder().String("<html>" + test.head + strings.Repeat("<p>harbour</p>", 100) + "<p>" + test.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(UTF8([]byte(body), "text/html")); !strings.HasSuffix(got, "<p>"+test.text) {
			t.Errorf("%s: %s", test.charset, strings.TrimPrefix(got, "<html>"+test.head))
		}
	}
	cut := strings.Repeat(japanese+" ", 1000) // what is read of it ends within a character
	sjis, _ := charset.Lookup("shift_jis")
	body, _ := sjis.NewEncoder().String("<p>-" + cut)
	if got := string(UTF8([]byte(body), "text/html")); got != "<p>-"+cut {
		t.Errorf("a long page: %.40q", got)
	}
}

// So do tables and other texts, but for those that say it, or whose formats do.
func TestCharsetsOfFilesThatNobodyDeclares(t *testing.T) {
	t.Parallel()
	const table, cell = "мост;глубина\nГавань;семь\nМаяк;два\n", "<td>Гавань</td>"
	cyrillic, _ := charset.Lookup("windows-1251")
	body, err := cyrillic.NewEncoder().String(table)
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		mime, contentType, body string
		want                    bool
	}{
		"a table":              {"text/csv", "text/csv", body, true},
		"subtitles":            {"application/x-subrip", "application/x-subrip", body, true},
		"a table in UTF-8":     {"text/csv", "text/csv", table, true},
		"one cut off":          {"text/csv", "text/csv", table + "\xd0", true},
		"one that is declared": {"text/csv", "text/csv; charset=windows-1251", body, true},
		"declared otherwise":   {"text/csv", "text/csv; charset=koi8-r", body, false},
		"XML":                  {"text/xml", "text/xml", "<?xml version='1.0' encoding='windows-1251'?><a>" + body + "</a>", true},
		"one in Latin letters": {"text/csv", "text/csv", "caf\xe9;Gavan\n", false},
	} {
		got, err := FilePage(tt.mime, tt.contentType, []byte(tt.body))
		want := "Гавань"
		if strings.Contains(tt.mime, "csv") {
			want = cell
		}
		if err != nil || strings.Contains(string(got), want) != tt.want {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
}

// The cache of page beginnings must make no difference.
func FuzzCharsetIsTheOneThatIsDeclared(f *testing.F) {
	for _, page := range []string{
		"<meta charset=utf-8>a", "<title>T</title><meta http-equiv=content-type content='text/html; charset=windows-1251'>\xe0",
		"<!-- <meta charset=koi8-r> --><meta charset=utf-8>",
		"<meta charset=x><meta charset=koi8-r>", "<title><meta charset=koi8-r></title>",
		"<meta content='a>b; charset=koi8-r' http-equiv=content-type>", "charset>\xd0\xb6", "<script src=a charset=utf-8></script>\xd0\xb6",
	} {
		f.Add([]byte(page), "text/html")
		f.Add([]byte(page), "text/html; charset=iso-8859-2")
	}
	d := new(declared)
	f.Fuzz(func(t *testing.T, page []byte, contentType string) {
		_, want, certain := charset.DetermineEncoding(page, contentType)
		for _, again := range []string{"first", "again"} {
			if _, got, sure := d.determine(page, contentType); got != want || sure != certain {
				t.Errorf("%s %s (%v), want %s (%v)", again, got, sure, want, certain)
			}
		}
	})
}
