package main

import (
	"fmt"
	"net/http"
	"strings"
)

// othersKinds are ways to ask for what the server has of its own, through its proxy, and for what isn't there.
func othersKinds() []kind {
	return []kind{
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
		{"a delivery", "/-/uploads/{id}", 1, none("/-/uploads/none")},
		{"crawls", "/-/crawls", 1, fixed("/-/crawls")},
		{"a crawl", "/-/crawls/{name}", 1, none("/-/crawls/none")},
		{"documents of a crawl", "/-/crawls/{name}/documents", 1, none("/-/crawls/none/documents")},
		{"jobs", "/-/jobs", 1, fixed("/-/jobs")},
		{"a job", "/-/jobs/{id}", 1, none("/-/jobs/none")},
		{"settings", "/-/settings", 1, fixed("/-/settings")},
		{"what is followed", "/-/follow", 1, fixed("/-/follow")},
		{"sources that are followed", "/-/follow/{name}", 1, none("/-/follow/none")},
		{"assets", "/-/static/{file}", 4, func(m *mix) *question {
			if len(m.statics) == 0 {
				return get("/-/static/none.css", nil, status(404))
			}
			return get(one(m, m.statics...), nil, status(200))
		}},
		{"health", "/-/healthz", 1, fixed("/-/healthz")},
		{"readiness", "/-/readyz", 1, fixed("/-/readyz")},
		{"metrics", "/-/metrics", 1, fixed("/-/metrics")},
		{"description of the API", "/-/api/openapi.json", 1, fixed("/-/api/openapi.json")},
		{"what is gone", "", 15, (*mix).gone},
		{"what never was", "", 10, func(m *mix) *question {
			uri := fmt.Sprintf("http://never%d.example/p%d", m.random.IntN(50), m.random.IntN(50))
			targets := []string{"/web/", "/web/2005id_/", "/web/timemap/link/", "/web/changes/", "/web/*/", "/web/diff/", "/web/2005/"}
			return get(one(m, targets...)+uri, m.form(), status(404))
		}},
		{"rubbish", "", 8, func(m *mix) *question {
			targets := []string{
				"/nowhere/2005/http://x.example/", "/web/99999999999999/http://", "/web/2005zz_/%zz", "/-/no-such-page", "/-/static/../../etc/passwd",
				"/web/timemap/pdf/http://x.example/", "/web/diff?url=", "/web/search", "/%00", "/web/2005/javascript:alert(1)", "/web/%7f/",
				"/web/search?q=%22", "/web/search?q=" + strings.Repeat("(", 500), "/web/cdx?url=" + strings.Repeat("a", 5000),
				"/web/2005/http://" + strings.Repeat("a.", 2000) + "example/",
			}
			return get(one(m, targets...), m.form(), status(200, 302, 307, 400, 404, 414))
		}},
		{"other methods", "", 2, func(m *mix) *question {
			c := m.any()
			return &question{method: "DELETE", target: "/web/" + c.ts() + "/" + c.uri, right: status(405)}
		}},
		{"no HTTP", "", 2, func(m *mix) *question {
			said := []string{
				"\x16\x03\x01\x02\x00\x01", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
				"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
			}
			return &question{target: one(m, said...), manner: babbles, right: func(a *answer) string {
				if strings.Contains(string(a.body), " 200 ") {
					return "it is answered as if it were a request"
				}
				return ""
			}}
		}},
		{"proxy", "", 25, (*mix).proxied},
	}
}

// gone asks for what is there no more.
func (m *mix) gone() *question {
	gone := m.ledger.lastGone()
	if len(gone) == 0 {
		return m.timeGate()
	}
	c := one(m, gone...)
	switch m.random.IntN(4) {
	case 0:
		return &question{method: "GET", target: "/web/" + c.ts() + "id_/" + c.uri, right: m.about(c.uri, leads, 302)}
	case 1:
		return get("/web/timemap/link/"+c.uri, nil, m.timemap(c.uri))
	case 2:
		return m.filled("/web/changes/{uri}", c, nil, 200)
	}
	return &question{method: "GET", target: "/web/" + c.uri, right: m.about(c.uri, leads, 302)}
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
