package crawl

import (
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/gather/crawl/browser"
	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

func TestTells(t *testing.T) {
	for _, tt := range []struct {
		secret, text string
		want         bool
	}{
		{"p@ss!", "http://a.example/?k=p%40ss!", true},
		{"p@ss!", "http://a.example/?k=p@ss%21", true},
		{"p@ss!", "http://a.example/p@ss!/x", true},
		{"p@ss!", "http://a.example/?next=%2Fin%3Fk%3Dp%2540ss!", true}, // an address in an address
		{"p@ss!", "http://a.example/?k=pass", false},
		{"p@ss!", "http://a.example/?k=P%40SS!", false},
		{"Secret!#1", "k=Secret!%231", true},
		{"Secret!#1", "k=Secret%21%231", true},
		{"Secret!#1", "k=Secret!", false},
		{"ab~1", "k=ab%7E1", true},
		{"ab~1", "k=ab%7e1", true},
		{"ab~1", "k=ab~1", true},
		{"a*b&c", "k=a*b%26c", true},
		{"a*b&c", "k=a%2Ab%26c", true},
		{"a*b&c", `{"k":"a*b\u0026c"}`, true},
		{"a*b&c", "k=a*b&d=c", false},
		{`a"b&c`, `{"k":"a\"b&c"}`, true},
		{`a"b&c`, `{"k":"a\u0022b\u0026c"}`, true},
		{`a"b&c`, `d=%7B%22k%22%3A%22a%5C%22b%26c%22%7D`, true}, // JSON in a form
		{`a"b c`, `d=%7B%22k%22:%22a%5C%22b+c%22%7D`, true},
		{"two words", "k=two+words", true},
		{"two words", "k=two%20words", true},
		{"two+words", "k=two%2Bwords", true},
		{"two+words", "k=two+words", true},
		{"50%41", "k=50%2541", true},
		{"50%41", "k=50%41", true},
		{`back\slash`, `{"k":"back\\slash"}`, true},
		{`back\u0041`, `{"k":"back\\u0041"}`, true},
		{"سِرّ سِرّ", "k=" + url.QueryEscape("سِرّ سِرّ"), true},
		{"سِرّ", `{"k":"\u0633\u0650\u0631\u0651"}`, true},
		{"key🔑", `{"k":"key\ud83d\udd11"}`, true},
		{"key🔑", `k=key%F0%9F%94%91`, true},
		{"a/b/c", `{"k":"a\/b\/c"}`, true},
		{"hush", "--x\r\nContent-Disposition: form-data; name=\"k\"\r\n\r\nhush\r\n--x--", true},
		{"hush", "k=hus%h", false},
		{"hush", `k=\u00zzhus`, false},
	} {
		c := &Crawl{tally: newTally(time.Time{}), set: &Settings{secrets: []string{"something else", tt.secret}}}
		if got := c.set.secrets.in(tt.text); got != tt.want {
			t.Errorf("%q in %q: %t", tt.secret, tt.text, got)
		}
	}
	if (secrets{}).in("") {
		t.Error("without a secret, something tells one")
	}
}

// A request that has a secret in it isn't written. The answer is, unless it is one to what was sent, which says nothing by itself.
func TestRequestsThatTellAreNotWritten(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, request string
		err           error
		written       bool
	}{
		{"nothing to tell", "GET /a HTTP/1.1\r\nHost: a.example\r\n\r\n", nil, true},
		{"a field", "GET /a HTTP/1.1\r\nHost: a.example\r\nX-Key: h%75sh\r\n\r\n", nil, false},
		{"what was sent", "POST /a HTTP/1.1\r\nHost: a.example\r\nContent-Length: 6\r\n\r\nk=hush", errTells, false},
		{"what is sent otherwise", "POST /a HTTP/1.1\r\nHost: a.example\r\nContent-Length: 6\r\n\r\nk=rush", nil, true},
	} {
		c := &Crawl{set: &Settings{secrets: []string{"hush"}}}
		x := &write.Exchange{
			URI: "http://a.example/a", Request: strings.NewReader(tt.request), Response: strings.NewReader("HTTP/1.1 204 None\r\n\r\n"),
		}
		free, err := c.withoutSecrets(x)
		if !errors.Is(err, tt.err) || err == nil && (x.Request != nil) != tt.written {
			t.Errorf("%s: written %t, %v", tt.name, x.Request != nil, err)
		}
		if err == nil {
			free()
		}
	}
}

// However a text is written that has a secret in it, it tells it.
func FuzzTells(f *testing.F) {
	for _, s := range []string{"hush", `a"b & c+d%41`, `\u0041\`, "key🔑<>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, secret string) {
		quoted, err := json.Marshal(secret)
		if err != nil || secret == "" || !utf8.ValidString(secret) {
			return
		}
		c := &Crawl{tally: newTally(time.Time{}), set: &Settings{secrets: []string{secret}}}
		for _, text := range []string{
			secret, url.QueryEscape(secret), url.PathEscape(secret), string(quoted), url.QueryEscape(string(quoted)),
			url.QueryEscape(url.QueryEscape(secret)),
		} {
			if !c.set.secrets.in("x=" + text + "&y") {
				t.Errorf("%q does not tell %q", text, secret)
			}
		}
	})
}

// What has a secret in its address is neither queued nor counted, whatever else speaks against it.
func TestAddressesThatTellAreNotInTheFrontier(t *testing.T) {
	const at = "http://a.example/"
	set := Defaults()
	set.Name, set.Seeds, set.Exclude, set.MaxDepth = "test", []string{at}, []string{"/left-out"}, 1
	if err := set.Check(); err != nil {
		t.Fatal(err)
	}
	set.secrets = []string{"hush"}
	c := &Crawl{tally: newTally(time.Time{}), set: &set, scope: newScope(&set)}
	for _, address := range []string{
		"/in?k=hush", "/left-out?k=hush", "http://b.example/?k=%68ush", "/a/hu%73h/" + strings.Repeat("x", 3000), "http://b.example/?hush=%zz",
	} {
		address, err := reference.Web(at, address)
		if err != nil {
			address = "http://b.example/?hush=%zz"
		}
		for depth := range 3 {
			for _, seed := range []bool{true, false} {
				item := itemOf(at, frontier.Item{Kind: frontier.Page, Depth: depth, Level: maxLevel, Seed: seed})
				found := frontier.Found{}
				f := &finder{crawl: c, item: item, now: time.Now(), found: &found}
				f.redirect(address, false)
				f.linked(address, 1)
				f.part(address, uses.Image)
				f.sitemap([]byte("<urlset><url><loc>"+address+"</loc></url></urlset>"), true)
				f.rendered(browser.Shown{Navigated: []string{address}, Frames: []browser.Frame{{
					URL: at, HTML: "<a href='" + address + "'>x</a><img src='" + address + "'><iframe src='" + address + "'></iframe>",
				}}}, 200, time.Now())
				if len(found.Items) > 0 || len(found.Skipped) > 0 || found.Widen != "" {
					t.Errorf("%s, depth %d: %+v", address, depth, found)
				}
			}
		}
		v := &visit{gateway: &gateway{crawl: c}}
		v.skip(address, skipExcluded)
		if len(v.skipped) > 0 {
			t.Errorf("%s: %+v", address, v.skipped)
		}
	}
}

// The folder of a browser is its owner's alone, and empty. One of its own it doesn't make a second time: somebody else could do so before.
func TestScratchFolders(t *testing.T) {
	given := filepath.Join(t.TempDir(), "crawl", "browser")
	if err := os.MkdirAll(filepath.Join(given, "ca"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", t.TempDir())
	for _, in := range []string{given, "", ""} {
		folder, err := scratch(in)
		if err != nil || in != "" && folder != in {
			t.Fatalf("%q: %q, %v", in, folder, err)
		}
		info, err := os.Stat(folder)
		left, listed := os.ReadDir(folder)
		if err != nil || listed != nil || info.Mode().Perm() != 0o700 || len(left) > 0 {
			t.Errorf("%q: %v, %v, %v, %d files", in, err, listed, info, len(left))
		}
	}
}
