package follow_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/gather/follow"
)

// One request to a page of last-updated sites finds those that were: by their times, or else by what has come up.
func TestListsOfSites(t *testing.T) {
	t.Parallel()
	row := func(name, when string) string {
		return fmt.Sprintf(`<li class=blog><a href=/%s>%s</a><time datetime="%s">x</time>`, name, name, when)
	}
	change := func(name, when string) string {
		return fmt.Sprintf(`<weblog name=%q url="HOST/%s" when=%q/>`, name, name, when)
	}
	site := func(name, when string) string {
		return fmt.Sprintf("<url><loc>HOST/%s</loc><lastmod>%s</lastmod></url>", name, when)
	}
	xml := func(root, attrs string, rows ...string) string {
		return "<" + root + attrs + ">" + strings.Join(rows, "") + "</" + root + ">"
	}
	for name, tt := range map[string]struct{ source, contentType, before, after string }{
		"by times": {
			`{list: HOST/list, each: li.blog, link: a, time: time}`, "text/html",
			row("one", "2024-05-01T10:00:00Z") + row("two", "2024-05-01T09:00:00Z"),
			row("one", "2024-05-01T10:00:00Z") + row("two", "2024-05-01T11:00:00Z"),
		},
		"by order": {
			`{list: HOST/list, each: li.blog, link: a}`, "text/html",
			row("one", "") + row("two", "") + row("three", ""), row("two", "") + row("one", ""),
		},
		"changes.xml": {
			`{list: HOST/list}`, "text/xml",
			xml("weblogUpdates", ` updated="Wed, 01 May 2024 11:00:00 GMT"`, change("one", "60"), change("two", "120")),
			xml("weblogUpdates", ` updated="Wed, 01 May 2024 12:00:00 GMT"`, change("two", "10"), change("one", "3660")),
		},
		"a sitemap": {
			`{list: HOST/list}`, "text/xml", xml("urlset", "", site("one", "2024-05-01"), site("two", "2024-05-01")),
			xml("urlset", "", site("one", "2024-05-01"), site("two", "2024-05-02")),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newWeb(t)
			s.serve("/list", tt.contentType, tt.before)
			for _, site := range []string{"one", "two", "three"} {
				s.html("/"+site, "Before.")
			}
			g := newFollowing(t, s, "sources:\n  - "+tt.source+"\n")
			g.once()
			s.requests()
			s.serve("/list", tt.contentType, tt.after)
			s.html("/two", "It says something else now.")
			s.pass(25 * time.Hour)
			st := g.once()
			g.want("asked", s.requests(), []string{"GET /list", "GET /two"})
			if st.Changed != 1 {
				t.Errorf("%+v", st)
			}
		})
	}
}

// Of an index of sitemaps, those are read that have changed; one that fails is read the next time.
func TestAnIndexOfSitemaps(t *testing.T) {
	t.Parallel()
	index := func(days ...string) string {
		text := "<sitemapindex>"
		for i, day := range days {
			text += fmt.Sprintf("<sitemap><loc>HOST/map%d.xml</loc><lastmod>%s</lastmod></sitemap>", i+1, day)
		}
		return text + "</sitemapindex>"
	}
	site := func(name, day string) string {
		return fmt.Sprintf("<urlset><url><loc>HOST/%s</loc><lastmod>%s</lastmod></url></urlset>", name, day)
	}
	s := newWeb(t)
	s.serve("/index.xml", "text/xml", index("2024-05-01", "2024-05-01", "2024-05-01"))
	s.serve("/map1.xml", "text/xml", site("one", "2024-05-01"))
	s.serve("/map2.xml", "text/xml", site("two", "2024-05-01"))
	for _, name := range []string{"one", "two", "three"} {
		s.html("/"+name, "Before.")
	}
	g := newFollowing(t, s, "sources:\n  - {list: HOST/index.xml}\n")
	g.once()
	g.want("asked first", s.requests(), []string{"GET /index.xml", "GET /map1.xml", "GET /map2.xml", "GET /map3.xml", "GET /one", "GET /two"})
	s.serve("/map3.xml", "text/xml", site("three", "2024-05-01"))
	s.pass(25 * time.Hour)
	g.once()
	g.want("asked for what failed", s.requests(), []string{"GET /index.xml", "GET /map3.xml", "GET /three"})
	s.pass(25 * time.Hour)
	g.once()
	g.want("asked for the same", s.requests(), []string{"GET /index.xml"})
	s.serve("/index.xml", "text/xml", index("2024-05-01", "2024-05-02", "2024-05-01"))
	s.serve("/map2.xml", "text/xml", site("two", "2024-05-02"))
	s.html("/two", "It says something else now.")
	s.pass(25 * time.Hour)
	st := g.once()
	g.want("asked for what changed", s.requests(), []string{"GET /index.xml", "GET /map2.xml", "GET /two"})
	if st.Changed != 1 || st.Sources[0].Format != "sitemap index" {
		t.Errorf("%+v", st)
	}
}

// Of an index with many sitemaps, each poll reads some that are not known, until all are. Those without a time are read again and again,
// each in its turn, whether or not it answers.
func TestALongIndexOfSitemaps(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		lastmod string
		want    []int // requests of each poll
		least   int   // requests for each sitemap
	}{
		"with times":      {"<lastmod>2024-05-01</lastmod>", []int{51, 3, 1}, 1},
		"without times":   {"", []int{51, 51, 51, 51}, 2},
		"without answers": {"", []int{51, 51, 51, 51}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newWeb(t)
			index, asked := "<sitemapindex>", map[string]int{}
			for i := range 52 {
				path := fmt.Sprintf("/map%d.xml", i)
				index += "<sitemap><loc>HOST" + path + "</loc>" + tt.lastmod + "</sitemap>"
				if name != "without answers" {
					s.serve(path, "text/xml", "<urlset></urlset>")
				}
				asked["GET "+path] = 0
			}
			s.serve("/index.xml", "text/xml", index+"</sitemapindex>")
			g := newFollowing(t, s, "sources:\n  - {list: HOST/index.xml}\n")
			for _, want := range tt.want {
				g.once()
				got := s.requests()
				if len(got) != want {
					t.Errorf("%d requests, want %d", len(got), want)
				}
				for _, request := range got {
					asked[request]++
				}
				s.pass(25 * time.Hour)
			}
			for request, n := range asked {
				if n < tt.least {
					t.Errorf("%s: %d times", request, n)
				}
			}
		})
	}
}

// When a pattern no longer matches a page somebody is told, and what is known stays.
func TestAPatternThatNoLongerMatches(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	s.serve("/list", "text/html", `<li class=blog><a href=/one>one</a>`)
	s.html("/one", "One.")
	g := newFollowing(t, s, "sources:\n  - {list: HOST/list, each: li.blog}\n")
	g.once()
	s.serve("/list", "text/html", `<div class=site><a href=/one>one</a></div>`)
	s.pass(25 * time.Hour)
	st := g.once()
	want := `the page has changed: the pattern matches nothing: no element is like "li.blog"; it found 1 sites before`
	if got := st.Sources[0].Problem; got != want {
		t.Error(got)
	}
	s.serve("/list", "text/html", `<li class=blog><a href=/one>one</a>`)
	s.pass(25 * time.Hour)
	if st := g.once(); st.Sources[0].Problem != "" || st.Sources[0].Entries != 1 {
		t.Errorf("%+v", st.Sources[0])
	}
}

// A feed that floods with more of the same is set aside, and taken back; one with many entries that differ is not.
func TestFloods(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	s.feed("/same", "x=y")
	s.feed("/other", "x=y")
	g := newFollowing(t, s, "budget: 12\nsources:\n  - {feed: HOST/same}\n  - {feed: HOST/other}\n")
	g.once()
	same, other := []string{}, []string{}
	for i := range 1200 {
		same = append(same, fmt.Sprintf("offer-%d=Buy the best and cheapest watches of the world now, only today and here, number %d", i, i))
		text := ""
		for j := range 12 {
			text += " "
			for n := (i*7919+j*104729)%5003 + 26; n > 0; n /= 26 {
				text += string(rune('a' + n%26))
			}
		}
		other = append(other, fmt.Sprintf("news-%d=%s", i, text))
	}
	s.feed("/same", same...)
	s.feed("/other", other...)
	s.pass(25 * time.Hour)
	st := g.once()
	if !strings.Contains(st.Sources[0].Aside, "1200 new entries") || st.Sources[1].Aside != "" || st.Waiting == 0 {
		t.Errorf("%+v", st.Sources)
	}
	asks := func() (same bool) {
		s.requests()
		s.pass(25 * time.Hour)
		g.once()
		for _, r := range s.requests() {
			same = same || r == "GET /same"
		}
		return same
	}
	if asks() {
		t.Error("a source that is set aside is asked")
	}
	f := g.open()
	for path, want := range map[string]string{"/other": "is not set aside", "/none": "is none of the sources"} {
		if err := f.TakeBack(t.Context(), s.URL+path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is taken back: %v", path, err)
		}
	}
	if err := f.TakeBack(t.Context(), s.URL+"/same"); err != nil {
		t.Error(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if !asks() {
		t.Error("a source that was taken back is not asked")
	}
}

// A feed that has never had anything is asked once a week, and is there when it has.
func TestEmptyFeedsAreNotForgotten(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	s.feed("/feed")
	g := newFollowing(t, s, oneFeed)
	asked := 0
	for range 60 {
		g.once()
		asked += len(s.requests())
		s.pass(24 * time.Hour)
	}
	if asked < 14 || asked > 30 {
		t.Errorf("%d requests in 60 days", asked)
	}
	s.feed("/feed", "one")
	s.html("/one", "At last.")
	s.pass(7 * 24 * time.Hour)
	if st := g.once(); st.New != 1 {
		t.Errorf("%+v", st)
	}
}

// What a feed asks of those who poll it holds.
func TestHints(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	hours := ""
	now := s.clock().UTC()
	for h := range 24 {
		if (h-now.Hour()+24)%24 < 6 {
			hours += fmt.Sprintf("<hour>%d</hour>", h)
		}
	}
	s.serve("/ttl", "text/xml", `<rss version="2.0"><channel><ttl>2880</ttl></channel></rss>`)
	s.serve("/hours", "text/xml", `<rss version="2.0"><channel><skipHours>`+hours+`</skipHours></channel></rss>`)
	g := newFollowing(t, s, "policy: fixed\nevery: 1h\nsources:\n  - {feed: HOST/ttl}\n  - {feed: HOST/hours}\n")
	st := g.once()
	if wait := st.Sources[0].Next.Sub(now); wait < 48*time.Hour {
		t.Errorf("in spite of its ttl it is asked in %s", wait)
	}
	if want := now.Truncate(time.Hour).Add(6 * time.Hour); !st.Sources[1].Next.Equal(want) {
		t.Errorf("next %s, want %s", st.Sources[1].Next, want)
	}
}

// Each policy does what it says.
func TestPolicies(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	s.feed("/feed", "one")
	s.html("/one", "One.")
	for name, want := range map[string][]time.Duration{
		"fixed": {40 * time.Minute, 40 * time.Minute}, "halving": {20 * time.Minute, 22 * time.Minute},
	} {
		g := newFollowing(t, s, "every: 40m\npolicy: "+name+"\n"+oneFeed)
		for _, w := range want {
			st := g.once()
			if got := st.Sources[0].Next.Sub(st.Sources[0].Asked); got != w {
				t.Errorf("%s: next in %s, want %s", name, got, w)
			}
			s.pass(w)
		}
	}
	own := newFollowing(t, s, "sources:\n  - {feed: HOST/feed, every: 3h}\n")
	if st := own.once(); st.Sources[0].Next.Sub(st.Sources[0].Asked) != 3*time.Hour {
		t.Errorf("%+v", st.Sources[0])
	}
}

func TestOPML(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("subs.opml", `<?xml version="1.0" encoding="ISO-8859-1"?><opml>
		<body xmlUrl="http://c.example/"><outline text="News"><outline type="rss" xmlUrl="http://a.example/feed"/>
		<outline text="none"/></outline><outline xmlUrl="http://b.example/feed"/><outline xmlurl="http://a.example/feed"/></body></opml>`)
	set, err := follow.Load(write("all.yaml", "sources:\n  - {opml: subs.opml, comments: true}\n"))
	if err != nil || len(set.Sources) != 2 || set.Sources[1].Feed != "http://b.example/feed" || !set.Sources[0].Comments {
		t.Errorf("%+v, %v", set.Sources, err)
	}
	write("old.opml", `<opml><body><outline xmlUrl="feed://a.example/feed"/><outline xmlUrl="FEED:https://b.example/feed"/></body></opml>`)
	set, err = follow.Load(write("old.yaml", "sources:\n  - {opml: old.opml}\n  - {feed: 'feed:http://c.example/feed'}\n"))
	var got []string
	for _, source := range set.Sources {
		got = append(got, source.Feed)
	}
	if want := []string{"http://a.example/feed", "https://b.example/feed", "http://c.example/feed"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, want %q (%v)", got, want, err)
	}
	write("sloppy.opml", `<opml><body><outline><outline xmlUrl="http://a.example/feed"><br></body></opml>`)
	set, err = follow.Load(write("sloppy.yaml", "sources:\n  - {opml: sloppy.opml}\n"))
	if err != nil || len(set.Sources) != 1 {
		t.Errorf("elements that don't end: %+v, %v", set.Sources, err)
	}
	write("cut.opml", `<opml><body><outline xmlUrl="http://a.example/feed"/>`)
	_, err = follow.Load(write("cut.yaml", "sources:\n  - {opml: cut.opml}\n"))
	if err == nil || !strings.Contains(err.Error(), "unexpected EOF") {
		t.Errorf("half of a file: %v", err)
	}
	_, err = follow.Load(write("web.yaml", "sources:\n  - {opml: 'http://a.example/subs.opml'}\n"))
	if err == nil || !strings.Contains(err.Error(), "line 2: opml: \"http://a.example/subs.opml\": want a file of this machine") {
		t.Errorf("a file of the web: %v", err)
	}
	write("bad.opml", "<opml><body>")
	_, err = follow.Load(write("bad.yaml", "sources:\n  - {opml: bad.opml}\n"))
	if err == nil || !strings.Contains(err.Error(), "line 2: opml: bad.opml") {
		t.Error(err)
	}
}

// What never ends, or is larger than it says, ends in a sentence, and the next source is asked.
func TestHostileSources(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	s.answer("/endless", func(w http.ResponseWriter, r *http.Request) {
		block := []byte("<rss><channel>" + strings.Repeat("<item>", 10_000))
		for r.Context().Err() == nil {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	})
	packed := bomb(t, 64<<20)
	s.answer("/bomb", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(packed)
	})
	s.answer("/loop", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/loop", http.StatusFound) })
	s.answer("/chunks", func(w http.ResponseWriter, _ *http.Request) {
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<rss>\r\nthen\r\n")
		_ = c.Close()
	})
	s.answer("/coded", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "compress")
		_, _ = w.Write([]byte("<rss></rss>"))
	})
	s.serve("/deep", "text/xml", "<rss>"+strings.Repeat("<a>", 1<<18))
	s.html("/page", "This is a page.")
	s.feed("/good", "one")
	s.html("/one", "One.")
	var file strings.Builder
	for _, name := range []string{"endless", "bomb", "loop", "chunks", "coded", "deep", "page", "good"} {
		fmt.Fprintf(&file, "  - {feed: HOST/%s}\n", name)
	}
	g := newFollowing(t, s, "sources:\n"+file.String())
	st := g.once()
	for i, want := range []string{
		"the answer was cut off: it is too long", "it is longer than 16 MB", "it redirects more than 5 times",
		"the answer was cut off: its body is malformed", "the answer can't be decoded", "more than 100 elements",
		"this is a page, no feed", "",
	} {
		if got := st.Sources[i].Problem; !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", st.Sources[i].URL, got, want)
		}
	}
	if st.New != 1 {
		t.Errorf("%+v", st)
	}
}
