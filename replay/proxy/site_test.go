package proxy_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/proxy"
	"github.com/varve-archive/varve/replay/replaytest"
)

// href returns the first link in a page that begins with prefix.
func href(tb testing.TB, page, prefix string) string {
	tb.Helper()
	m := regexp.MustCompile(`href="(` + regexp.QuoteMeta(prefix) + `[^"]*)"`).FindStringSubmatch(page)
	if m == nil {
		tb.Fatalf("no link to %s… in %.2000s", prefix, page)
	}
	return m[1]
}

func TestProxySite(t *testing.T) {
	p := proxyOf(t, nil)
	for _, c := range []struct{ name, uri, want string }{
		{"explains and lets choose", "/", `<form class="search" method="post"`},
		{"offers the certificate", "/ca.pem", "BEGIN CERTIFICATE"},
		{"has the collection's page", "/web/", "riverbend"},
		{"has calendars", "/web/*/" + town, "riverbend"},
		{"has landing pages", "/web/landing/20170301092254/" + town + "water.html", "water.html"},
		{"has the files that its pages need", "/-/static/page.css", "{"},
		{"answers the banner's script", "/web/changes?url=" + url.QueryEscape(history), `"ranges"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, scheme := range []string{"http", "https"} {
				g := p.get(scheme+"://varve.proxy"+c.uri, "Accept", "text/html")
				if c.uri[len(c.uri)-1] != '/' && strings.Contains(c.uri, "changes") {
					g = p.get(scheme + "://varve.proxy" + c.uri)
				}
				if g.StatusCode != 200 || !strings.Contains(g.body, c.want) {
					t.Errorf("%s: %d %.300s", scheme, g.StatusCode, g.body)
				}
			}
		})
	}
	for path, status := range map[string]int{
		"/none/2016/" + town: 400, "/web/2016/": 404, "/-/healthz": 404, "/web/animate/2016/2017/" + town: 404,
	} {
		if g := p.get(proxySite + path); g.StatusCode != status {
			t.Errorf("%s: %d %.300s, want %d", path, g.StatusCode, g.body, status)
		}
	}
	if g := p.get(proxySite + "/ca.pem"); g.Header.Get("Content-Type") != "application/x-x509-ca-cert" {
		t.Errorf("the certificate is %s", g.Header.Get("Content-Type"))
	}
}

// Whoever names a collection in the credentials can't choose another.
func TestTheCollectionOfCredentialsIsFixed(t *testing.T) {
	p := proxyOver(t, replaytest.TwoCollections(t), nil)
	for user, choice := range map[string]bool{"": true, "first": false} {
		g := p.send(p.client(user), "GET", proxySite+"/", "", "Accept", "text/html")
		if g.StatusCode != 200 || strings.Contains(g.body, `<select name="collection">`) != choice {
			t.Errorf("user %q: %d %.2000s", user, g.StatusCode, g.body)
		}
	}
}

// A page of varve.proxy links to nothing that varve.proxy doesn't have, such as animations and calendars of all collections.
func TestPagesOfTheProxySiteLeadOn(t *testing.T) {
	p := proxyOver(t, replaytest.TwoCollections(t), nil)
	links := regexp.MustCompile(`href="(` + proxySite + `/[^"]*)"`)
	asked := map[string]int{}
	for _, path := range []string{
		"/first/*/" + replaytest.Shared, "/first/?level=text&url=" + replaytest.Shared, "/first/diff/" + replaytest.Shared,
		"/first/diff/2010/2014/" + replaytest.Shared, "/first/", "/first/?url=*", "/first/feed?url=" + replaytest.Shared,
	} {
		page := p.get(proxySite+path, "Accept", "text/html")
		for _, m := range links.FindAllStringSubmatch(page.body, -1) {
			uri := html.UnescapeString(m[1])
			if asked[uri]++; asked[uri] > 1 {
				continue
			}
			if g := p.get(uri, "Accept", "text/html", "Referer", proxySite+path); g.StatusCode >= 400 {
				t.Errorf("%s leads to %s: %d", path, uri, g.StatusCode)
			}
		}
	}
	if len(asked) < 20 {
		t.Errorf("%d links", len(asked))
	}
}

func TestProxySiteServesNoArchivedBytes(t *testing.T) {
	p := proxyOf(t, nil)
	for _, path := range []string{
		"/web/20160901092136id_/" + history, "/web/20160901092136mp_/" + history, "/web/20160901092136/" + history, "/web/" + history,
		"/web/animate/2015/2016/" + history, "/-/go/x/web/2016id_/" + history,
	} {
		g := p.get(proxySite+path, "Accept", "text/html")
		if strings.Contains(g.body, "settlers") || strings.Contains(g.body, "<h1>History") || g.Header.Get("Memento-Datetime") != "" {
			t.Errorf("%s: %d %.300s", path, g.StatusCode, g.body)
		}
	}
}

func TestDirectRequestsExplainTheProxy(t *testing.T) {
	p := proxyOf(t, nil)
	for path, want := range map[string]string{
		"/": "Set " + strings.TrimPrefix(p.url, "http://"), "/ca.pem": "BEGIN CERTIFICATE",
		"/web/": "this is the proxy itself",
	} {
		resp, err := http.Get(p.url + path)
		if err != nil {
			t.Fatal(err)
		}
		b := make([]byte, 20000)
		n, _ := resp.Body.Read(b)
		resp.Body.Close()
		if !strings.Contains(string(b[:n]), want) {
			t.Errorf("%s: %d %.300s", path, resp.StatusCode, b[:n])
		}
	}
}

// The banner's links must lead through varve.proxy back to the URI-R, at the datetime of the other capture.
func TestBannerLinksSetTheDatetime(t *testing.T) {
	p := proxyOf(t, nil)
	c := p.client("web:reader")
	p.choose(c, "2016-09-01T09:21:36", "")
	page := p.send(c, "GET", history, "", clearNavigation...)
	link := href(t, page.body, proxySite+"/-/go/")
	g := p.send(c, "GET", link, "", append([]string{"Referer", history}, clearNavigation...)...)
	if g.StatusCode != 302 || g.Header.Get("Location") != history {
		t.Fatalf("%s: %d to %s", link, g.StatusCode, g.Header.Get("Location"))
	}
	again := p.send(c, "GET", history, "", clearNavigation...)
	before, after := page.Header.Get("Memento-Datetime"), again.Header.Get("Memento-Datetime")
	if before == after || !strings.Contains(link, "/"+strings.Split(again.Header.Get("Content-Location"), "/")[4]+"/") {
		t.Errorf("from %s to %s by %s", before, after, link)
	}
}

// An archived page must not change the datetime without the reader's knowledge.
func TestArchivedPagesCannotSetTheDatetime(t *testing.T) {
	p := proxyOf(t, func(c *proxy.Config) { c.Datetime = 20160901092136 })
	c := p.client("web:reader")
	dated := func() string { return p.send(c, "GET", town, "").Header.Get("Memento-Datetime") }
	before := dated()
	signed := href(t, p.send(c, "GET", history, "", clearNavigation...).body, proxySite+"/-/go/")
	signature := strings.Split(strings.TrimPrefix(signed, proxySite+"/-/go/"), "/")[0]
	secure := strings.Replace(proxySite, "http", "https", 1)
	const to = "/web/20100301000000/" + town
	for _, c2 := range []struct {
		name, uri string
		header    []string
	}{
		{"a link", proxySite + to, append([]string{"Referer", town}, clearNavigation...)},
		{"a link that hides its page", proxySite + to, clearNavigation},
		{"an image", proxySite + to, []string{"Accept", "image/*"}},
		{"a made-up signature", proxySite + "/-/go/AAAAAAAAAAAAAAAAAAAAAA" + to, clearNavigation},
		{"no signature", proxySite + "/-/go/" + to, clearNavigation},
		{"the signature of another address", proxySite + "/-/go/" + signature + to, clearNavigation},
		{
			"a script's fetch over TLS", secure + to,
			[]string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "empty"},
		},
		{"a navigation nobody clicked", secure + to, navigationFrom("cross-site")},
		{
			"a frame someone clicked in", secure + to,
			[]string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe", "Sec-Fetch-User", "?1"},
		},
		{
			"the URL box with any address", proxySite + "/web/?url=" + town + "&at=20100301000000",
			append([]string{"Referer", town}, clearNavigation...),
		},
	} {
		t.Run(c2.name, func(t *testing.T) {
			g := p.send(c, "GET", c2.uri, "", c2.header...)
			if g.StatusCode == 302 && strings.HasPrefix(g.Header.Get("Location"), proxySite) {
				g = p.send(c, "GET", g.Header.Get("Location"), "", c2.header...)
			}
			if strings.Contains(strings.Join(c2.header, " "), "text/html") &&
				(g.StatusCode != 200 || !strings.Contains(g.body, "Go to another time?")) {
				t.Errorf("the reader is not asked: %d %.300s", g.StatusCode, g.body)
			}
			if got := dated(); got != before {
				t.Errorf("moved from %s to %s", before, got)
			}
		})
	}
	for name, form := range map[string]url.Values{
		"no token":               {"datetime": {"2010"}},
		"another client's token": {"datetime": {"2010"}, "token": {p.token(p.client("web:other"))}},
	} {
		g := p.send(c, "POST", proxySite+"/-/choose", form.Encode(), "Content-Type", "application/x-www-form-urlencoded")
		if g.StatusCode != 403 || dated() != before {
			t.Errorf("%s: %d, now at %s", name, g.StatusCode, dated())
		}
	}
}

// navigationFrom returns the headers of a navigation over TLS.
func navigationFrom(where string) []string {
	return []string{
		"Accept", "text/html", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document", "Sec-Fetch-Site", where,
		"Upgrade-Insecure-Requests", "1",
	}
}

func TestReadersSetTheDatetimeWithoutConfirmation(t *testing.T) {
	p := proxyOf(t, nil)
	const to = "/web/20100301000000/" + town
	for _, c := range []struct {
		name, scheme string
		header       []string
	}{
		{"from a page of varve.proxy", "http", append([]string{"Referer", proxySite + "/web/*/" + town}, clearNavigation...)},
		{"from such a page over TLS", "https", navigationFrom("same-origin")},
		{"by typing the address", "https", navigationFrom("none")},
		{"by clicking in an archived page", "https", append([]string{"Sec-Fetch-User", "?1"}, navigationFrom("cross-site")...)},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := p.client("web:" + c.name)
			g := p.send(client, "GET", c.scheme+"://varve.proxy"+to, "", c.header...)
			// In the scheme that the reader is using.
			if g.StatusCode != 302 || g.Header.Get("Location") != c.scheme+strings.TrimPrefix(town, "http") {
				t.Errorf("%d to %s", g.StatusCode, g.Header.Get("Location"))
			}
			if got := p.send(client, "GET", town, "").Header.Get("Memento-Datetime"); !strings.Contains(got, "2010") {
				t.Errorf("now at %s", got)
			}
		})
	}
}

func TestConfirmationSetsTheDatetime(t *testing.T) {
	p := proxyOf(t, nil)
	c := p.client("")
	asked := p.send(c, "GET", proxySite+"/web/20100301000000/"+town, "", clearNavigation...)
	form := url.Values{}
	for _, m := range regexp.MustCompile(`<input type="hidden" name="([a-z]+)" value="([^"]*)"`).FindAllStringSubmatch(asked.body, -1) {
		form.Set(m[1], m[2])
	}
	g := p.send(c, "POST", proxySite+"/-/choose", form.Encode(), "Content-Type", "application/x-www-form-urlencoded")
	if g.StatusCode != 303 || g.Header.Get("Location") != town {
		t.Fatalf("%d to %s", g.StatusCode, g.Header.Get("Location"))
	}
	if got := p.send(c, "GET", town, "").Header.Get("Memento-Datetime"); !strings.Contains(got, "2010") {
		t.Errorf("now at %s", got)
	}
}

func TestProxyCredentialsNameACollection(t *testing.T) {
	p := proxyOf(t, nil)
	if g := p.send(p.client("web:"), "GET", town, ""); g.StatusCode != 200 {
		t.Errorf("web: %d", g.StatusCode)
	}
	for _, scheme := range []string{"http", "https"} { // over TLS credentials come only with the CONNECT
		g := p.send(p.client("nowhere:x"), "GET", scheme+"://www.riverbend.example/", "")
		if g.StatusCode != 404 || !strings.Contains(g.body, `no collection "nowhere"`) {
			t.Errorf("%s: %d %s", scheme, g.StatusCode, g.body)
		}
	}
}

// Through the proxy the banner must lead to the search as well. It is at varve.proxy and shows nothing archived.
func TestProxyBannerLinksToTheSearch(t *testing.T) {
	p := proxyOver(t, replaytest.Searchable(t, []string{replaytest.Write(t, replaytest.Remarkable())}),
		func(c *proxy.Config) { c.Datetime = 20150101000000 })
	const search = "http://varve.proxy/web/search?change=deleted&amp;matchType=exact&amp;url=http%3A%2F%2Frain.example.org%2Fedit"
	if g := p.get(replaytest.Site+"/edit", clearNavigation...); !strings.Contains(g.body, `href="`+search+`"`) {
		t.Errorf("no link to the search in %s", g.body)
	}
	g := p.get(html.UnescapeString(search)+"&q=lakes", "Accept", "text/html")
	if g.StatusCode != http.StatusOK || !strings.Contains(g.body, "http://varve.proxy/web/diff?") || strings.Contains(g.body, "/web/animate") {
		t.Errorf("%d %s", g.StatusCode, g.body)
	}
}
