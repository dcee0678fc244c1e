package guard

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/varve-archive/varve/replay/respond"
)

func asked(at string, head ...string) *http.Request {
	r := httptest.NewRequest("POST", at, nil)
	for i := 0; i < len(head); i += 2 {
		r.Header.Set(head[i], head[i+1])
	}
	return r
}

// What any server in front may add says that a reader may be anywhere.
func TestOpen(t *testing.T) {
	local, public := &respond.Site{}, &respond.Site{PublicURL: "https://archive.example"}
	for _, tt := range []struct {
		name  string
		site  *respond.Site
		asked bool
		at    string
		head  []string
		want  bool
	}{
		{"this machine", local, false, "http://127.0.0.1:8080/", nil, true},
		{"by its name", local, false, "http://LocalHost.:8080/", nil, true},
		{"by a name below it", local, false, "http://varve.localhost/", nil, true},
		{"by IPv6", local, false, "http://[::1]:8080/", nil, true},
		{"by IPv6 without a port", local, false, "http://[::1]/", nil, true},
		{"by a name that only ends so", local, false, "http://notlocalhost/", nil, false},
		{"by another name", local, false, "http://evil.example/", nil, false},
		{"… though it is wanted", local, true, "http://evil.example/", nil, false},
		{"… that is the server's own", public, true, "http://archive.example/", nil, true},
		{"Forwarded", local, false, "http://127.0.0.1/", []string{"Forwarded", "for=192.0.2.1"}, false},
		{"Via", local, false, "http://127.0.0.1/", []string{"Via", "1.1 front"}, false},
		{"X-Forwarded-For", local, false, "http://127.0.0.1/", []string{"X-Forwarded-For", "192.0.2.1"}, false},
		{"X-Forwarded-Host", local, false, "http://127.0.0.1/", []string{"X-Forwarded-Host", "archive.example"}, false},
		{"X-Forwarded-Proto", local, false, "http://127.0.0.1/", []string{"X-Forwarded-Proto", "https"}, false},
		{"X-Real-IP", local, false, "http://127.0.0.1/", []string{"X-Real-IP", "192.0.2.1"}, false},
		{"… where it is wanted", local, true, "http://127.0.0.1/", []string{"X-Real-IP", "192.0.2.1"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := New(tt.site, Matter{}, tt.asked, NewKey()).Open(asked(tt.at, tt.head...)); (err == nil) != tt.want {
				t.Error(err)
			}
		})
	}
}

func TestMine(t *testing.T) {
	g := New(&respond.Site{}, Matter{}, false, NewKey())
	const here = "http://127.0.0.1:8080"
	for _, tt := range []struct {
		name string
		head []string
		want bool
	}{
		{"no browser", nil, true},
		{"an own page", []string{"Origin", here, "Sec-Fetch-Site", "same-origin", tokenHeader, g.secret}, true},
		{"… in a browser that doesn't say from where", []string{"Origin", here, tokenHeader, g.secret}, true},
		{"… without a token", []string{"Origin", here, "Sec-Fetch-Site", "same-origin"}, false},
		{"… with another", []string{"Origin", here, "Sec-Fetch-Site", "same-origin", tokenHeader, g.secret + "x"}, false},
		{"another origin of the site", []string{"Origin", here, "Sec-Fetch-Site", "same-site", tokenHeader, g.secret}, false},
		{"another site", []string{"Origin", here, "Sec-Fetch-Site", "cross-site", tokenHeader, g.secret}, false},
		{"typed by the reader", []string{"Origin", here, "Sec-Fetch-Site", "none", tokenHeader, g.secret}, false},
		{"another port", []string{"Origin", "http://127.0.0.1:8081", "Sec-Fetch-Site", "same-origin", tokenHeader, g.secret}, false},
		{"another scheme", []string{"Origin", "https://127.0.0.1:8080", tokenHeader, g.secret}, false},
		{"no origin", []string{"Sec-Fetch-Site", "same-origin", tokenHeader, g.secret}, false},
		{"only a referrer", []string{"Referer", here + "/", tokenHeader, g.secret}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := g.Mine(asked(here+"/-/x", tt.head...), ""); (err == nil) != tt.want {
				t.Error(err)
			}
		})
	}
	if err := g.Mine(asked(here+"/-/x", "Origin", here), g.secret); err != nil {
		t.Errorf("a form with its token: %v", err)
	}
}

func TestToken(t *testing.T) {
	local := New(&respond.Site{}, Matter{}, false, NewKey())
	apart := New(&respond.Site{ReplayURL: "http://replay.example"}, Matter{}, false, NewKey())
	for _, tt := range []struct {
		name       string
		guard      *Guard
		dest, mode string
		want       bool
	}{
		{"a window", local, "document", "navigate", true},
		{"a frame", local, "iframe", "navigate", false},
		{"a script", local, "empty", "cors", false},
		{"a script that says document", local, "document", "cors", false},
		{"a browser that says nothing", local, "", "", false},
		{"… where archived pages have an origin of their own", apart, "", "", true},
	} {
		if got := tt.guard.Token(asked("http://127.0.0.1/", "Sec-Fetch-Dest", tt.dest, "Sec-Fetch-Mode", tt.mode)); (got != "") != tt.want {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}

// A page's token is good for what the page does, on every server that shares the key, and for nothing else.
func TestTokensOfMatters(t *testing.T) {
	key := NewKey()
	token := func(do string, key Key) string { return New(&respond.Site{}, Matter{Do: do}, false, key).secret }
	steer := token("steer", key)
	if steer != token("steer", key) || steer == token("hand in", key) || steer == token("steer", NewKey()) {
		t.Error("tokens don't tell matters or keys apart")
	}
}
