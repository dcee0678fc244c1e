package robots

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"
)

const again = 5 * time.Minute // until a file that can't be reached is asked for again

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func parse(t *testing.T, s string) *url.URL {
	t.Helper()
	u, err := url.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// asking returns a cache whose files are in a map, and counts what is asked for.
func asking(files map[string]File, from string) (*Cache, map[string]int) {
	asked := map[string]int{}
	return NewCache("varve", from, again, func(_ context.Context, url string, _ int64) (File, error) {
		asked[url]++
		return files[url], nil
	}), asked
}

const rules = `User-agent: *
Disallow: /

User-agent: Varve
Disallow: /private
Allow: /private/open
Disallow: /*.pdf$
Disallow: /find?q=
Crawl-delay: 2.5
Sitemap: http://a.example/map.xml
`

func TestRules(t *testing.T) {
	const file = "http://a.example/robots.txt"
	for name, tt := range map[string]struct {
		file    File
		allowed map[string]bool
	}{
		"its own group": {File{Status: 200, Body: []byte(rules)}, map[string]bool{
			"/": true, "": true, "/private": false, "/private/x": false, "/private/open": true, "/a.pdf": false, "/a.pdf?x": true,
			"/find?q=1": false, "/find": true, "/robots.txt": true,
		}},
		"the group of all": {File{Status: 200, Body: []byte("User-agent: *\nDisallow: /a\n\nUser-agent: other\nDisallow: /b\n")}, map[string]bool{
			"/a": false, "/b": true,
		}},
		"any question": {File{Status: 200, Body: []byte("User-agent: *\nDisallow: /*?\n")}, map[string]bool{
			"/a": true, "/a?": false, "/a?b": false,
		}},
		"nothing in it": {File{Status: 200}, map[string]bool{"/": true}},
		"rubbish":       {File{Status: 200, Body: []byte("\x00\xff<html>")}, map[string]bool{"/": true}},
		"lines that mean nothing": {
			File{Status: 200, Body: []byte("\xef\xbb\xbfDisallow: /all\rUser-Agent : * # all\r\nCrawl-delay: 10s\nCrawl-delay: 0,5\n" +
				"what\nHost: x\nDisallow: /x\n")},
			map[string]bool{"/": true, "/all": true, "/x": false},
		},
		"a mark of UTF-8": {File{Status: 200, Body: []byte("\xef\xbb\xbfUser-agent: *\nDisallow: /x")}, map[string]bool{"/x": false}},
		"UTF-16": {File{Status: 200, Body: []byte("\xff\xfeU\x00s\x00e\x00r\x00-\x00a\x00g\x00e\x00n\x00t\x00:\x00*\x00\n\x00" +
			"D\x00i\x00s\x00a\x00l\x00l\x00o\x00w\x00:\x00/\x00x\x00")}, map[string]bool{"/x": false, "/": true}},
		"a file that is cut off within a line": {
			File{Status: 200, Body: []byte(strings.Repeat("#", maxBody-len("\nUser-agent: *\nDisallow: /x\nDisallow: /")) +
				"\nUser-agent: *\nDisallow: /x\nDisallow: /y\n")},
			map[string]bool{"/": true, "/x": false},
		},
		"another success":      {File{Status: 299, Body: []byte("User-agent: *\nDisallow: /x")}, map[string]bool{"/x": false}},
		"there is none":        {File{Status: 404}, map[string]bool{"/": true}},
		"it may not be read":   {File{Status: 403}, map[string]bool{"/": true}},
		"the server is broken": {File{Status: 503}, map[string]bool{"/": false, "/robots.txt": true}},
		"asked too often":      {File{Status: 429}, map[string]bool{"/": false}},
		"no answer":            {File{}, map[string]bool{"/": false}},
	} {
		t.Run(name, func(t *testing.T) {
			c, asked := asking(map[string]File{file: tt.file}, "")
			for path, want := range tt.allowed {
				u := parse(t, "http://a.example"+path)
				got, err := c.For(t.Context(), u, now)
				if err != nil || got.Allow(u) != want {
					t.Errorf("%q: %t, %v", path, got.Allow(u), err)
				}
			}
			if asked[file] != 1 {
				t.Errorf("asked for %d times", asked[file])
			}
		})
	}
}

func TestDelayAndSitemaps(t *testing.T) {
	c, _ := asking(map[string]File{"https://a.example:8443/robots.txt": {Status: 200, Body: []byte(rules)}}, "")
	got, err := c.For(t.Context(), parse(t, "https://a.example:8443/x"), now)
	if err != nil || got.Delay != 2500*time.Millisecond || len(got.Sitemaps) != 1 || got.Sitemaps[0] != "http://a.example/map.xml" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestRedirects(t *testing.T) {
	files := map[string]File{
		"http://a.example/robots.txt":  {Status: 301, Location: "/other.txt"},
		"http://a.example/other.txt":   {Status: 302, Location: "http://b.example/robots.txt"},
		"http://b.example/robots.txt":  {Status: 200, Body: []byte("User-agent: *\nDisallow: /x")},
		"http://c.example/robots.txt":  {Status: 301, Location: "/robots.txt"},
		"http://d.example/robots.txt":  {Status: 301},
		"http://e.example/robots.txt":  {Status: 300, Location: "http://[", Body: []byte("User-agent: *\nDisallow: /")},
		"http://one.example/rules.txt": {Status: 200, Body: []byte("User-agent: *\nDisallow: /only")},
	}
	c, asked := asking(files, "")
	for address, want := range map[string]bool{
		"http://a.example/x": false, "http://c.example/x": true, "http://d.example/x": true, "http://e.example/x": true,
	} {
		u := parse(t, address)
		if got, err := c.For(t.Context(), u, now); err != nil || got.Allow(u) != want {
			t.Errorf("%s: %t, %v", address, got.Allow(u), err)
		}
	}
	if n, nowhere := asked["http://c.example/robots.txt"], asked["http://d.example/robots.txt"]; n != 6 || nowhere != 1 {
		t.Errorf("a circle is followed %d times, a redirect to nowhere %d times", n, nowhere)
	}
	c, asked = asking(files, "http://one.example/rules.txt")
	for address, want := range map[string]bool{"http://a.example/only": false, "http://b.example/only": false, "http://a.example/x": true} {
		u := parse(t, address)
		if got, err := c.For(t.Context(), u, now); err != nil || got.Allow(u) != want {
			t.Errorf("by another file, %s: %t, %v", address, got.Allow(u), err)
		}
	}
	if len(asked) != 1 {
		t.Errorf("asked for %v", asked)
	}
}

func TestHowLongRulesCount(t *testing.T) {
	files := map[string]File{"http://a.example/robots.txt": {Status: 500}}
	c, asked := asking(files, "")
	u := parse(t, "http://a.example/x")
	for _, step := range []struct {
		after time.Duration
		file  File
		asked int
		want  bool
	}{
		{0, File{Status: 500}, 1, false},
		{time.Minute, File{Status: 200}, 1, false},
		{time.Hour, File{Status: 200}, 2, true},
		{20 * time.Hour, File{Status: 500}, 2, true},
		{26 * time.Hour, File{Status: 500}, 3, false},
		{26*time.Hour + again, File{Status: 200}, 4, true}, // the pause is that of a first try again
	} {
		files["http://a.example/robots.txt"] = step.file
		got, err := c.For(t.Context(), u, now.Add(step.after))
		if err != nil || got.Allow(u) != step.want || asked["http://a.example/robots.txt"] != step.asked {
			t.Errorf("after %s: %t, asked %v, %v", step.after, got.Allow(u), asked, err)
		}
	}
}

// A host that doesn't answer is tried a few times soon, then left alone; one that takes too long is left alone at once.
func TestHowOftenAHostIsTried(t *testing.T) {
	for name, tt := range map[string]struct {
		late bool
		want []time.Duration // until the next try, of one try after the other; 0 for the end
	}{
		"no answer": {false, []time.Duration{again, 2 * again, 0}},
		"too late":  {true, []time.Duration{0}},
	} {
		t.Run(name, func(t *testing.T) {
			asked, refused := 0, errors.New("refused")
			c := NewCache("varve", "", again, func(context.Context, string, int64) (File, error) {
				asked++
				return File{Err: refused, Late: tt.late}, nil
			})
			u, at := parse(t, "http://a.example/x"), now
			for i, want := range tt.want {
				got, err := c.For(t.Context(), u, at)
				if err != nil || !errors.Is(got.Unreachable, refused) || got.Again != want || asked != i+1 {
					t.Fatalf("try %d: %+v, %v", asked, got, err)
				}
				at = at.Add(got.Again)
			}
			for _, after := range []time.Duration{time.Second, retryPause - time.Second} {
				if got, err := c.For(t.Context(), u, at.Add(after)); err != nil || got.Again != 0 || asked != len(tt.want) {
					t.Errorf("after %s: %+v, %v", after, got, err)
				}
			}
			if _, err := c.For(t.Context(), u, at.Add(retryPause)); err != nil || asked != len(tt.want)+1 {
				t.Errorf("asked %d times, %v", asked, err)
			}
		})
	}
}

// What crawlers are told to do about robots.txt: obey it, ignore it, or one file for all hosts.
func TestSettings(t *testing.T) {
	for text, valid := range map[string]bool{
		Obey: true, Ignore: true, "http://a.example/r.txt": true, "https://a.example": true,
		"": false, "obey!": false, "ftp://a.example/": false, "http:///r.txt": false, "//a.example/": false, "http://[": false,
	} {
		if IsSetting(text) != valid {
			t.Errorf("%q: %t", text, !valid)
		}
	}
	if By(Ignore, "varve", again, nil) != nil {
		t.Error("rules that are ignored are asked for")
	}
	for setting, want := range map[string]string{Obey: "http://a.example/robots.txt", "http://b.example/r.txt": "http://b.example/r.txt"} {
		asked := ""
		c := By(setting, "varve", again, func(_ context.Context, url string, most int64) (File, error) {
			asked = fmt.Sprint(url, " ", most)
			return File{Status: 404}, nil
		})
		if _, err := c.For(t.Context(), parse(t, "http://a.example/"), now); err != nil || asked != want+" 524288" {
			t.Errorf("%s: asked for %s, %v", setting, asked, err)
		}
	}
}

func TestAskingEnds(t *testing.T) {
	ended := errors.New("ended")
	c := NewCache("varve", "", again, func(context.Context, string, int64) (File, error) { return File{}, ended })
	if _, err := c.For(t.Context(), parse(t, "http://a.example/"), now); !errors.Is(err, ended) {
		t.Error(err)
	}
}

func FuzzRules(f *testing.F) {
	f.Add([]byte(rules), "/private")
	f.Add([]byte("User-agent: *\nDisallow: /a*b$\nCrawl-delay: -1"), "/ab?c")
	f.Fuzz(func(t *testing.T, body []byte, path string) {
		c := NewCache("varve", "", again, func(context.Context, string, int64) (File, error) { return File{Status: 200, Body: body}, nil })
		u := &url.URL{Scheme: "http", Host: "a.example", Path: path}
		got, err := c.For(t.Context(), u, now)
		if err != nil || got.Delay < 0 {
			t.Errorf("%+v, %v", got, err)
		}
		got.Allow(u)
	})
}
