package main

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// kinds are all ways to ask. Each path of the API's description has one or more; soak fails where one has none.
var kinds = []kind{
	{"TimeGate", "/{coll}/{uri}", 60, (*mix).timeGate},
	{"TimeGate, POST", "/{coll}/{uri}", 3, func(m *mix) *question {
		c := m.any()
		return &question{method: "POST", target: "/web/" + c.uri, body: []byte("a=b"), right: m.about(c.uri, nil, 307, 404)}
	}},
	{"memento", "/{coll}/{ts}/{uri}", 60, func(m *mix) *question {
		c := m.any()
		return &question{method: "GET", target: "/web/" + c.ts() + "/" + c.uri, header: html, right: m.replayed(c, false, nil)}
	}},
	{"memento, compressed", "/{coll}/{ts}/{uri}", 10, func(m *mix) *question {
		c := m.any()
		return &question{
			method: "GET", target: "/web/" + c.ts() + "/" + c.uri, header: map[string]string{"Accept": "text/html", "Accept-Encoding": "gzip"},
			right: m.about(c.uri, nil, c.status, 302),
		}
	}},
	{"memento, raw", "/{coll}/{ts}{mod}/{uri}", 80, func(m *mix) *question {
		c := m.any()
		return &question{method: "GET", target: "/web/" + c.ts() + "id_/" + c.uri, right: m.replayed(c, true, nil)}
	}},
	{"memento, in a frame", "/{coll}/{ts}{mod}/{uri}", 10, modified("if_")},
	{"memento, without banner", "/{coll}/{ts}{mod}/{uri}", 10, modified("mp_")},
	{"memento, other modifiers", "/{coll}/{ts}{mod}/{uri}", 10, func(m *mix) *question {
		mods := []string{"js_", "cs_", "im_", "oe_", "fw_"}
		return modified(mods[m.random.IntN(len(mods))])(m)
	}},
	{"memento near a datetime", "/{coll}/{ts}{mod}/{uri}", 20, func(m *mix) *question {
		c := m.any()
		ts := c.at.Add(time.Duration(apart*m.random.IntN(1e4)+7) * time.Second).Format(stamp)
		return &question{method: "GET", target: "/web/" + ts + "id_/" + c.uri, right: m.about(c.uri, func(a *answer, k *known) string {
			if k.led(a) == nil {
				return "where it leads"
			}
			return ""
		}, 302)}
	}},
	{"memento, navigated to", "/{coll}/{ts}/{uri}", 10, func(m *mix) *question {
		c := m.any()
		q := &question{method: "GET", target: "/web/" + c.ts() + "/" + c.uri, header: map[string]string{
			"Accept": "text/html", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document",
		}}
		if q.right = m.replayed(c, false, nil); c.location != "" {
			q.right = m.about(c.uri, nil, 302, c.status)
		}
		return q
	}},
	{"HEAD", "/{coll}/{ts}{mod}/{uri}", 10, func(m *mix) *question {
		c := m.any()
		return &question{method: "HEAD", target: "/web/" + c.ts() + "id_/" + c.uri, right: m.about(c.uri, nil, c.status, 302)}
	}},
	{"Range", "/{coll}/{ts}{mod}/{uri}", 8, func(m *mix) *question {
		from := m.random.IntN(largeSize - 1)
		to := min(largeSize-1, from+m.random.IntN(200_000))
		return &question{
			method: "GET", target: "/web/" + m.large.ts() + "id_/" + m.large.uri,
			header: map[string]string{"Range": fmt.Sprintf("bytes=%d-%d", from, to)}, right: m.replayed(m.large, true, m.large.body[from:to+1]),
		}
	}},
	{"Range, none", "/{coll}/{ts}{mod}/{uri}", 1, func(m *mix) *question {
		return &question{
			method: "GET", target: "/web/" + m.large.ts() + "id_/" + m.large.uri,
			header: map[string]string{"Range": fmt.Sprintf("bytes=%d-", largeSize)}, right: status(416),
		}
	}},
	{"large record", "/{coll}/{ts}{mod}/{uri}", 1, func(m *mix) *question {
		return &question{method: "GET", target: "/web/" + m.large.ts() + "id_/" + m.large.uri, right: m.replayed(m.large, true, nil)}
	}},
	{"slow reader", "/{coll}/{ts}{mod}/{uri}", 1, func(m *mix) *question {
		return &question{method: "GET", target: "/web/" + m.large.ts() + "id_/" + m.large.uri, manner: dawdles, right: status(200)}
	}},
	{"client that leaves", "/{coll}/{ts}{mod}/{uri}", 8, func(m *mix) *question {
		targets := []string{
			"/web/" + m.large.ts() + "id_/" + m.large.uri, "/web/timemap/link/" + manyURI, "/web/cdx?url=*", "/web/20070101/" + manyURI,
			"/web/changes/" + manyURI, "/web/search?q=river",
		}
		return &question{method: "GET", target: targets[m.random.IntN(len(targets))], manner: leaves, right: status(200, 302)}
	}},
	{"conditional", "/{coll}/{ts}{mod}/{uri}", 15, (*mix).conditional},
	{"POST", "/{coll}/{ts}{mod}/{uri}", 8, func(m *mix) *question {
		c := m.posts[m.random.IntN(len(m.posts))]
		return &question{
			method: "POST", target: "/web/" + c.ts() + "id_/" + c.uri, body: []byte(c.sent),
			header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, right: m.replayed(c, true, nil),
		}
	}},
	{"GET of a POST", "/{coll}/{ts}{mod}/{uri}", 2, func(m *mix) *question {
		c := m.posts[m.random.IntN(len(m.posts))]
		return &question{method: "GET", target: "/web/" + c.ts() + "id_/" + c.uri, right: status(404)}
	}},
	{"TimeMap", "/{coll}/timemap/{format}/{uri}", 30, func(m *mix) *question {
		c := m.any()
		formats := []string{"link", "json", "cdxj"}
		return &question{method: "GET", target: "/web/timemap/" + formats[m.random.IntN(len(formats))] + "/" + c.uri, right: m.timemap(c.uri)}
	}},
	{"TimeMap, HTML", "/{coll}/timemap/{format}/{uri}", 4, ofURI("/web/timemap/html/%s", html, 200)},
	{"TimeMap, its pages", "/{coll}/timemap/{format}/{page}/{uri}", 2, func(m *mix) *question {
		page := 1 + m.random.IntN(3)
		want := min(10_000, manyOf-(page-1)*10_000)
		return &question{
			method: "GET", target: fmt.Sprintf("/web/timemap/link/%d/%s", page, manyURI), right: func(a *answer) string {
				got := strings.Count(string(a.body), "; datetime=")
				if a.status != 200 || got != want {
					return fmt.Sprintf("%d mementos, want %d", got, want)
				}
				return ""
			},
		}
	}},
	{"CDX, exact", "/{coll}/cdx", 30, func(m *mix) *question {
		c := m.any()
		return &question{
			method: "GET", target: "/web/cdx?fl=timestamp,original&url=" + escaped(c.uri),
			right: m.lines(func(uri string) bool { return uri == c.uri }, true),
		}
	}},
	{"CDX, host", "/{coll}/cdx", 15, func(m *mix) *question {
		host := m.host()
		return &question{method: "GET", target: "/web/cdx?fl=timestamp,original&matchType=host&url=" + host, right: m.lines(onHost(host), true)}
	}},
	{"CDX, prefix and domain", "/{coll}/cdx", 10, func(m *mix) *question {
		host := m.host()
		targets := []string{"&matchType=domain&url=" + host, "&url=*." + host, "&url=" + host + "/*", "&matchType=prefix&url=" + host + "/p"}
		n := m.random.IntN(len(targets))
		of := onHost(host)
		return &question{
			method: "GET", target: "/web/cdx?fl=timestamp,original" + targets[n],
			right: m.lines(of, n < 3),
		}
	}},
	{"CDX, filtered", "/{coll}/cdx", 15, func(m *mix) *question {
		more := []string{
			"&filter=statuscode:200", "&filter=!mimetype:text/html", "&limit=5", "&limit=-3", "&sort=reverse", "&closest=2006&sort=closest",
			"&from=2005&to=2006", "&collapse=timestamp:6", "&page=0&pageSize=1", "&fastLatest=true&limit=-2", "&filter=~original:.*p1",
			"&collapseTime=8", "&omitSelfRedirects=true", "&reverse=true",
		}
		host := m.host()
		match := "&matchType=host"
		filter := more[m.random.IntN(len(more))]
		of := onHost(host)
		if strings.Contains(filter, "closest") {
			uri := m.any().uri
			host, match, of = escaped(uri), "", func(u string) bool { return u == uri }
		}
		return &question{method: "GET", target: "/web/cdx?fl=timestamp,original&url=" + host + match + filter, right: m.lines(of, false)}
	}},
	{"CDX, other outputs", "/{coll}/cdx", 10, func(m *mix) *question {
		more := []string{
			"&output=json", "&output=ndjson", "&output=cdxj", "&showNumPages=true", "&showResumeKey=true&limit=3", "&resolveRevisits=true",
			"&showDupeCount=true", "&fl=timestamp,range,change", "&showSkipCount=true&lastSkipTimestamp=true&collapse=urlkey", "",
		}
		return &question{
			method: "GET", target: "/web/cdx?matchType=host&url=" + m.host() + more[m.random.IntN(len(more))],
			right: status(200),
		}
	}},
	{"CDX, resumed", "/{coll}/cdx", 1, func(m *mix) *question {
		return &question{method: "GET", target: fmt.Sprintf("/web/cdx?url=%s&limit=2000&page=0&from=%d", manyURI, 2005+m.random.IntN(2)), right: status(200)}
	}},
	{"CDX, all", "/{coll}/cdx", 1, func(*mix) *question {
		return &question{method: "GET", target: "/web/cdx?url=*&output=json&collapse=urlkey", right: status(200)}
	}},
	{"CDX, wrong", "/{coll}/cdx", 3, func(m *mix) *question {
		wrong := []string{"", "url=", "url=http://x.example/&from=x", "url=a.example&matchType=none", "url=a.example&page=99", "url=a.example&filter=(:x"}
		return &question{method: "GET", target: "/web/cdx?" + wrong[m.random.IntN(len(wrong))], right: status(400)}
	}},
	{"changes", "/{coll}/changes", 10, func(m *mix) *question {
		more := []string{"", "&level=text", "&level=any", "&at=2005"}
		c := m.any()
		return &question{
			method: "GET", target: "/web/changes?url=" + escaped(c.uri) + more[m.random.IntN(len(more))], right: m.about(c.uri, nil, 200),
		}
	}},
	{"changes, by path", "/{coll}/changes/{uri}", 4, ofURI("/web/changes/%s", nil, 200)},
	{"changes of many", "/{coll}/changes", 1, func(*mix) *question {
		return &question{method: "GET", target: "/web/changes?url=" + manyURI, right: status(200)}
	}},
	{"diff", "/{coll}/diff", 6, func(m *mix) *question {
		a, b := m.two()
		return &question{
			method: "GET", target: fmt.Sprintf("/web/diff?url=%s&from=%s&to=%s&term=river", escaped(a.uri), a.ts(), b.ts()),
			header: m.form(), right: m.about(a.uri, nil, 200),
		}
	}},
	{"diff, by path", "/{coll}/diff/{from}/{to}/{uri}", 6, func(m *mix) *question {
		a, b := m.two()
		return &question{
			method: "GET", target: fmt.Sprintf("/web/diff/%s/%s/%s", a.ts(), b.ts(), a.uri), header: m.form(), right: m.about(a.uri, nil, 200),
		}
	}},
	{"slider", "/{coll}/diff/{uri}", 6, page("/web/diff/%s", 200)},
	{"slider, at", "/{coll}/diff", 2, page("/web/diff?at=2005&url=%s", 200)},
	{"animation", "/{coll}/animate", 4, func(m *mix) *question {
		a, b := m.two()
		return &question{
			method: "GET", target: fmt.Sprintf("/web/animate?url=%s&from=%s&to=%s", escaped(a.uri), a.ts(), b.ts()), header: html,
			right: m.about(a.uri, nil, 200, 302),
		}
	}},
	{"animation, by path", "/{coll}/animate/{from}/{to}/{uri}", 4, func(m *mix) *question {
		a, b := m.two()
		return &question{
			method: "GET", target: fmt.Sprintf("/web/animate/%s/%s/%s", a.ts(), b.ts(), a.uri), header: html, right: m.about(a.uri, nil, 200, 302),
		}
	}},
	{"landing page", "/{coll}/landing/{ts}/{uri}", 10, func(m *mix) *question {
		c := m.any()
		return &question{method: "GET", target: "/web/landing/" + c.ts() + "/" + c.uri, header: m.form(), right: m.about(c.uri, nil, 200, 302)}
	}},
	{"landing page, at", "/{coll}/landing", 4, ofURI("/web/landing?at=2005&url=%s", nil, 200, 302)},
	{"provenance", "/{coll}/{ts}/info", 8, func(m *mix) *question {
		c := m.any()
		return &question{method: "GET", target: "/web/" + c.ts() + "/info?url=" + escaped(c.uri), header: m.form(), right: m.about(c.uri, nil, 200, 302)}
	}},
	{"provenance, download", "/{coll}/{ts}/info", 2, func(m *mix) *question {
		c := m.page()
		return &question{method: "GET", target: "/web/" + c.ts() + "/info?download=warc&url=" + escaped(c.uri), right: m.about(c.uri, nil, 200, 302)}
	}},
	{"inspector", "/{coll}/inspect", 4, func(m *mix) *question {
		c := m.page()
		more := []string{"&css=p", "&element=5&level=any", "&css=p&all=1&output=csv", ""}
		return &question{
			method: "GET", target: "/web/inspect?at=" + c.ts() + "&url=" + escaped(c.uri) + more[m.random.IntN(len(more))], header: m.form(),
			right: m.about(c.uri, nil, 200, 302),
		}
	}},
	{"inspector, by path", "/{coll}/inspect/{ts}/{uri}", 2, func(m *mix) *question {
		c := m.page()
		return &question{method: "GET", target: "/web/inspect/" + c.ts() + "/" + c.uri, header: html, right: m.about(c.uri, nil, 200, 302)}
	}},
	{"still", "/{coll}/still/{ts}/{uri}", 2, func(m *mix) *question {
		c := m.page()
		return &question{method: "GET", target: "/web/still/" + c.ts() + "/" + c.uri, header: html, right: m.about(c.uri, nil, 200)}
	}},
	{"similar pages", "/{coll}/similar/{ts}/{uri}", 4, func(m *mix) *question {
		c := m.page()
		return &question{method: "GET", target: "/web/similar/" + c.ts() + "/" + c.uri, right: m.about(c.uri, nil, 200)}
	}},
	{"similar pages, at", "/{coll}/similar", 2, page("/web/similar?at=2005&threshold=0.5&url=%s", 200)},
	{"calendar", "/{coll}/*/{uri}", 8, ofURI("/web/*/%s", html, 200)},
	{"calendar of many", "/{coll}/*/{uri}", 1, func(*mix) *question {
		return &question{method: "GET", target: "/web/*/" + manyURI, header: html, right: status(200)}
	}},
	{"addresses of a host", "/{coll}/*/{uri}", 4, func(m *mix) *question {
		return &question{method: "GET", target: fmt.Sprintf("/web/*/http://core%d.example/*", m.random.IntN(hosts)), header: m.form(), right: status(200)}
	}},
	{"calendar, in part", "/-/calendar", 4, ofURI("/-/calendar?url=%s", nil, 200)},
	{"search", "/{coll}/search", 15, func(m *mix) *question { return m.search("/web/search") }},
	{"search, everywhere", "/-/search", 5, func(m *mix) *question { return m.search("/-/search") }},
	{"suggestions", "/{coll}/suggest", 10, func(m *mix) *question { return m.suggest("/web/suggest") }},
	{"suggestions, everywhere", "/-/suggest", 5, func(m *mix) *question { return m.suggest("/-/suggest") }},
	{"terms", "/{coll}/terms", 1, fixed("/web/terms?change=deleted", "/web/terms?change=added")},
	{"OpenSearch", "/{coll}/opensearch.xml", 1, fixed("/web/opensearch.xml")},
	{"home page", "/", 5, func(m *mix) *question {
		return &question{method: "GET", target: "/", header: m.form(), right: status(200)}
	}},
	{"home page, an address", "/", 2, ofURI("/?url=%s", html, 200, 302)},
	{"collection", "/{coll}/", 4, func(m *mix) *question {
		return &question{method: "GET", target: "/web/", header: m.form(), right: status(200)}
	}},
	{"list of addresses", "/{coll}/", 3, fixed(
		"/web/?url=*", "/web/?url=*&type=any", "/web/?url=*&output=json&sort=-captures", "/web/?url=*&output=csv", "/web/?url=*&versions=2",
		"/web/?url=*&sort=-last", "/web/?url=*&sort=-size&level=text", "/web/?url=*&has=p1", "/web/?url=core1.example*",
	)},
	{"availability", "/-/available", 8, func(m *mix) *question {
		c := m.any()
		targets := []string{"/-/available?url=", "/wayback/available?timestamp=2005&url=", "/-/available?collection=web&url="}
		return &question{method: "GET", target: targets[m.random.IntN(len(targets))] + escaped(c.uri), right: status(200)}
	}},
	{"collections", "/collinfo.json", 1, fixed("/collinfo.json")},
	{"uploads", "/-/uploads", 2, fixed("/-/uploads")},
	{"upload of rubbish", "/-/uploads", 1, func(m *mix) *question {
		return &question{
			method: "POST", target: fmt.Sprintf("/-/uploads?name=rubbish%d.warc.gz", m.random.IntN(5)), body: []byte("this is no WARC file"),
			right: func(a *answer) string {
				if busy(a) {
					return ""
				}
				return status(202)(a)
			},
		}
	}},
	{"a delivery", "/-/uploads/{id}", 1, func(*mix) *question {
		return &question{method: "GET", target: "/-/uploads/none", right: status(404)}
	}},
	{"crawls", "/-/crawls", 1, fixed("/-/crawls")},
	{"a crawl", "/-/crawls/{name}", 1, func(*mix) *question {
		return &question{method: "GET", target: "/-/crawls/none", right: status(404)}
	}},
	{"assets", "/-/static/{file}", 4, func(m *mix) *question {
		if len(m.statics) == 0 {
			return &question{method: "GET", target: "/-/static/none.css", right: status(404)}
		}
		return &question{method: "GET", target: m.statics[m.random.IntN(len(m.statics))], right: status(200)}
	}},
	{"health", "/-/healthz", 1, fixed("/-/healthz")},
	{"readiness", "/-/readyz", 1, fixed("/-/readyz")},
	{"metrics", "/-/metrics", 1, fixed("/-/metrics")},
	{"description of the API", "/-/api/openapi.json", 1, fixed("/-/api/openapi.json")},

	{"what is gone", "", 15, (*mix).gone},
	{"what never was", "", 10, func(m *mix) *question {
		uri := fmt.Sprintf("http://never%d.example/p%d", m.random.IntN(50), m.random.IntN(50))
		targets := []string{"/web/", "/web/2005id_/", "/web/timemap/link/", "/web/changes/", "/web/*/", "/web/diff/", "/web/2005/"}
		return &question{method: "GET", target: targets[m.random.IntN(len(targets))] + uri, header: m.form(), right: status(404)}
	}},
	{"rubbish", "", 8, func(m *mix) *question {
		targets := []string{
			"/nowhere/2005/http://x.example/", "/web/99999999999999/http://", "/web/2005zz_/%zz", "/-/no-such-page", "/-/static/../../etc/passwd",
			"/web/timemap/pdf/http://x.example/", "/web/diff?url=", "/web/search", "/%00", "/web/2005/javascript:alert(1)", "/web/%7f/",
			"/web/search?q=%22", "/web/search?q=" + strings.Repeat("(", 500), "/web/cdx?url=" + strings.Repeat("a", 5000),
			"/web/2005/http://" + strings.Repeat("a.", 2000) + "example/",
		}
		return &question{method: "GET", target: targets[m.random.IntN(len(targets))], header: m.form(), right: status(200, 302, 307, 400, 404, 414)}
	}},
	{"other methods", "", 2, func(m *mix) *question {
		c := m.any()
		return &question{method: "DELETE", target: "/web/" + c.ts() + "/" + c.uri, right: status(405)}
	}},
	{"no HTTP", "", 2, func(m *mix) *question {
		said := []string{"\x16\x03\x01\x02\x00\x01", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n"}
		return &question{target: said[m.random.IntN(len(said))], manner: babbles, right: func(a *answer) string {
			if strings.Contains(string(a.body), " 200 ") {
				return "it is answered as if it were a request"
			}
			return ""
		}}
	}},
	{"proxy", "", 25, (*mix).proxied},
}

var html = map[string]string{"Accept": "text/html"}

// form asks for the page, or for what programs get.
func (m *mix) form() map[string]string {
	if m.random.IntN(2) == 0 {
		return html
	}
	return map[string]string{"Accept": "application/json"}
}

// any returns a capture: mostly one that is always there, else one that comes and goes.
func (m *mix) any() *capture {
	if m.random.IntN(10) < 6 {
		return m.core[m.random.IntN(len(m.core))]
	}
	if coming := m.ledger.passing(m.random); coming != nil {
		return coming
	}
	return m.core[0]
}

// page returns a capture of a page with text.
func (m *mix) page() *capture { return m.pages[m.random.IntN(len(m.pages))] }

// two returns two captures of a page that is always there, the earlier first.
func (m *mix) two() (a, b *capture) {
	for {
		a, b = m.page(), m.page()
		for range 50 {
			if b = m.page(); b.uri == a.uri && b != a {
				break
			}
		}
		if b.uri == a.uri && a.at.Before(b.at) {
			return a, b
		}
	}
}

func (m *mix) host() string {
	if m.random.IntN(3) > 0 {
		return fmt.Sprintf("core%d.example", m.random.IntN(hosts))
	}
	_, rest, _ := strings.Cut(m.any().uri, "://")
	host, _, _ := strings.Cut(rest, "/")
	return host
}

// ofURI asks about a URI-R.
func ofURI(format string, header map[string]string, want ...int) func(*mix) *question {
	return func(m *mix) *question { return m.filled(format, m.any().uri, header, want...) }
}

// page asks about a URI-R of which there are always versions with text.
func page(format string, want ...int) func(*mix) *question {
	return func(m *mix) *question { return m.filled(format, m.page().uri, m.form(), want...) }
}

func (m *mix) filled(format, uri string, header map[string]string, want ...int) *question {
	in := uri
	if strings.Contains(format, "url=") {
		in = escaped(uri)
	}
	return &question{method: "GET", target: fmt.Sprintf(format, in), header: header, right: m.about(uri, nil, want...)}
}

// modified asks for a memento with a modifier.
func modified(mod string) func(*mix) *question {
	return func(m *mix) *question {
		c := m.any()
		return &question{method: "GET", target: "/web/" + c.ts() + mod + "/" + c.uri, header: html, right: m.replayed(c, false, nil)}
	}
}

// fixed asks for one of some paths that are always there.
func fixed(targets ...string) func(*mix) *question {
	return func(m *mix) *question {
		return &question{method: "GET", target: targets[m.random.IntN(len(targets))], header: m.form(), right: status(200)}
	}
}

func (m *mix) timeGate() *question {
	c := m.any()
	at := c.at.Add(time.Duration(m.random.IntN(2e6)-1e6) * time.Second).UTC()
	return &question{
		method: "GET", target: "/web/" + c.uri, header: map[string]string{"Accept-Datetime": at.Format(http.TimeFormat)},
		right: m.negotiated(c.uri, at.Format(stamp)),
	}
}

// conditional asks again for what it has, or for the first time.
func (m *mix) conditional() *question {
	c := m.core[m.random.IntN(len(m.core))]
	target := "/web/" + c.ts() + "id_/" + c.uri
	q := &question{method: "GET", target: target, header: map[string]string{}}
	tag, known := m.etags[target]
	if known {
		q.header["If-None-Match"] = tag
	}
	first := m.replayed(c, true, nil)
	q.right = func(a *answer) string {
		if known && c.status == 200 {
			return status(304)(a)
		}
		if tag := a.header.Get("ETag"); tag != "" {
			m.etags[target] = tag
		}
		return first(a)
	}
	return q
}

// gone asks for what is there no more.
func (m *mix) gone() *question {
	gone := m.ledger.lastGone()
	if len(gone) == 0 {
		return m.timeGate()
	}
	c := gone[m.random.IntN(len(gone))]
	switch m.random.IntN(4) {
	case 0:
		return &question{method: "GET", target: "/web/" + c.ts() + "id_/" + c.uri, right: m.about(c.uri, func(a *answer, k *known) string {
			if k.led(a) == nil {
				return "where it leads"
			}
			return ""
		}, 302)}
	case 1:
		return &question{method: "GET", target: "/web/timemap/link/" + c.uri, right: m.timemap(c.uri)}
	case 2:
		return m.filled("/web/changes/%s", c.uri, nil, 200)
	}
	return &question{method: "GET", target: "/web/" + c.uri, right: m.about(c.uri, func(a *answer, k *known) string {
		if k.led(a) == nil {
			return "where it leads"
		}
		return ""
	}, 302)}
}

// search asks for words. What is found there is judged at the end: the search is built behind the index.
func (m *mix) search(path string) *question {
	queries := []string{
		"river", "heron+meadow", "%22river+meadow%22", "willo*", "harbor~", "river+site:core1.example", "title:page", m.page().marker, m.any().marker,
	}
	more := []string{"", "&change=deleted", "&change=added", "&change=semi-deleted", "&page=2", "&sort=newest", "&from=2005&to=2006"}
	q := queries[m.random.IntN(len(queries))]
	if q == "" {
		q = "otter"
	}
	return &question{method: "GET", target: path + "?q=" + q + more[m.random.IntN(len(more))], header: m.form(), right: status(200)}
}

func (m *mix) suggest(path string) *question {
	word := words[m.random.IntN(len(words))]
	typed := []string{word[:2], word, word + "+" + word[:1], "http://core", "core1.example/p", m.page().marker, "rivre"}
	return &question{method: "GET", target: path + "?q=" + typed[m.random.IntN(len(typed))], right: status(200)}
}

// proxied asks the proxy for a page at its own address.
func (m *mix) proxied() *question {
	c := m.any()
	return &question{
		method: "GET", target: c.uri, header: map[string]string{"Accept": "text/html", "Accept-Datetime": c.at.UTC().Format(http.TimeFormat)},
		right: func(a *answer) string {
			k := m.ledger.ofURI(c.uri, a.began)
			at, err := http.ParseTime(a.header.Get("Memento-Datetime"))
			if err != nil {
				if a.status == 404 && len(k.sure) == 0 || busy(a) && !k.still() {
					return ""
				}
				return "the status: no memento"
			}
			got := k.at(at.Format(stamp))
			switch {
			case got == nil:
				return "a capture that isn't there"
			case k.isSure(c) && got != c:
				return "not the nearest, " + c.ts()
			case got.status != a.status:
				return fmt.Sprintf("the status, want %d", got.status)
			case got.marker != "" && !strings.Contains(string(a.body), got.marker):
				return "the page: it doesn't say " + got.marker
			}
			return ""
		},
	}
}
