package fuzzy

import (
	"regexp"
	"testing"
)

// What an answer repeats of its request is what was asked now, and nothing else of it changes.
func TestAnswersRepeatWhatWasAsked(t *testing.T) {
	const viewer = "https://www.facebook.com/ajax/pagelet/generic.php/PhotoViewerPagelet?data="
	const views = "https://public.tableau.com/views/a/b?:embed=y"
	for _, tt := range []struct{ name, captured, requested, text, want string }{
		{
			"a number, in all its spellings", viewer + `{"ssid":1234,"cursor":"A"}`, viewer + `{"cursor":"A","ssid":5678}`,
			`{"ssid":"1234","a":"{\"ssid\":1234}",'ssid': '1234'} &ssid=1234&quot;ssid&quot;:1234 {ssid:1234}`,
			`{"ssid":"5678","a":"{\"ssid\":5678}",'ssid': '5678'} &ssid=5678&quot;ssid&quot;:5678 {ssid:5678}`,
		},
		{
			"other names and other values", viewer + `{"ssid":1234,"cursor":"A"}`, viewer + `{"cursor":"A","ssid":5678}`,
			`{"id":1234,"xssid":1234,"ssid":12345,"ssid":1234.5,"ssid":"a1234","ssid2":1234} 1234`,
			`{"id":1234,"xssid":1234,"ssid":12345,"ssid":1234.5,"ssid":"a1234","ssid2":1234} 1234`,
		},
		{
			"an escaped address", viewer + "%7B%22ssid%22%3A1234%2C%22cursor%22%3A%22A%22%7D", viewer + `{"cursor":"A","ssid":5678}`,
			`{"ssid":1234}`, `{"ssid":5678}`,
		},
		{
			"what would end a string or a number", viewer + `{"ssid":1234,"cursor":"A"}`, viewer + `{"cursor":"A","ssid":"5\"+alert(1)"}`,
			`{"ssid":1234}`, `{"ssid":1234}`,
		},
		{"a word for a number", viewer + `{"ssid":1234}`, viewer + `{"ssid":"0x5"}`, `{"ssid":1234}`, `{"ssid":1234}`},
		{
			"several in a row", viewer + `{"ssid":1234}`, viewer + `{"ssid":5678}`,
			"ssid=1234,ssid=1234\nssid=1234", "ssid=5678,ssid=5678\nssid=5678",
		},
		{"nothing asked", viewer + `{"ssid":1234}`, viewer + `{"cursor":"A"}`, `{"ssid":1234}`, `{"ssid":1234}`},
		{"bytes", viewer + `{"ssid":1234}`, viewer + `{"ssid":5678}`, "\x00ssid=1234", "\x00ssid=1234"},
		{"another site", "https://a.example/?ssid=1", "https://a.example/?ssid=2", "ssid=1", "ssid=1"},
		{"another rule", viewer + `{"ssid":1234}`, "https://a.example/?ssid=2", "ssid=1234", "ssid=1234"},
		{"the place of a view in its page", views + "&:loadOrderID=0", views + "&:loadOrderID=3", `{"loadOrderID":0}`, `{"loadOrderID":3}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			echoes := Echoes(&Request{URIR: tt.captured}, &Request{URIR: tt.requested})
			if got := string(Rewrite([]byte(tt.text), echoes)); got != tt.want {
				t.Errorf("%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// What an answer repeats may be in the body of its request.
func TestAnswersRepeatWhatWasSent(t *testing.T) {
	const form, json = "application/x-www-form-urlencoded; charset=UTF-8", "application/json"
	for _, tt := range []struct{ name, kind, captured, requested, text, want string }{
		{"a form", form, "draw=1&start=0&length=10", "draw=12&start=0&length=10", `{"draw":1,"data":[1]}`, `{"draw":12,"data":[1]}`},
		{"JSON", json, `{"draw":1,"start":0,"length":10}`, `{"draw": 3, "start":0,"length":10}`, `{"draw": "1"}`, `{"draw": "3"}`},
		{
			"an older table", form, "sEcho=1&iDisplayStart=0&iDisplayLength=5", "iDisplayStart=0&sEcho=2&iDisplayLength=5",
			`{"sEcho":1,"aaData":[]}`, `{"sEcho":2,"aaData":[]}`,
		},
		{"an escaped form", form, "%64raw=1&start=0&length=10", "start=0&%64raw=4&length=10", `{"draw":1}`, `{"draw":4}`},
		{"another form", form, "draw=1", "draw=2", `{"draw":1}`, `{"draw":1}`},
		{"what is no number", form, "draw=1&start=0&length=10", "draw=1);alert(1&start=0&length=10", `{"draw":1}`, `{"draw":1}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			request := func(body string) *Request {
				return &Request{URIR: "https://a.example/data", Method: "POST", Type: tt.kind, Body: []byte(body)}
			}
			captured, requested := request(tt.captured), request(tt.requested)
			if echoes := len(Echoes(captured, requested)) > 0; echoes != Repeats(captured.Key()) && tt.text != tt.want {
				t.Errorf("repeats %v, and its key says otherwise", echoes)
			}
			if got := string(Rewrite([]byte(tt.text), Echoes(captured, requested))); got != tt.want {
				t.Errorf("%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

var words = regexp.MustCompile(`[A-Za-z0-9_-]+`)

// Whatever the addresses and the text are, only words become other words, so that no string, tag or number ends elsewhere.
func FuzzEchoesReplaceValuesOnly(f *testing.F) {
	f.Add("1234", "5678", `{"ssid":"1234"}`)
	f.Add("1", "x\"y", "ssid=1 ssid=1")
	f.Fuzz(func(t *testing.T, held, asked, text string) {
		const viewer = "https://www.facebook.com/ajax/pagelet/generic.php/PhotoViewerPagelet?data="
		echoes := Echoes(&Request{URIR: viewer + `{"ssid":` + held}, &Request{URIR: viewer + `{"ssid":` + asked})
		got := string(Rewrite([]byte(text), echoes))
		if len(echoes) == 0 && got != text {
			t.Fatalf("%q became %q though nothing is repeated", text, got)
		}
		if a, b := words.ReplaceAllString(text, "w"), words.ReplaceAllString(got, "w"); a != b {
			t.Fatalf("%q became %q", text, got)
		}
		for _, e := range echoes {
			if !mayReplace(e.Request) || !mayReplace(e.Held) {
				t.Fatalf("%+v", e)
			}
		}
	})
}
