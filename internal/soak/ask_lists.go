package main

import (
	"fmt"
	"strings"
)

// listsKinds are ways to ask which captures there are, as programs do.
func listsKinds() []kind {
	return []kind{
		{"TimeMap", "/{coll}/timemap/{format}/{uri}", 30, func(m *mix) *question {
			c := m.any()
			formats := []string{"link", "json", "cdxj"}
			return get("/web/timemap/"+one(m, formats...)+"/"+c.uri, nil, m.timemap(c.uri))
		}},
		{"TimeMap, HTML", "/{coll}/timemap/{format}/{uri}", 4, ofURI("/web/timemap/html/{uri}", html(), 200)},
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
			return get("/web/cdx?fl=timestamp,original&matchType=host&url="+host, nil, m.lines(onHost(host), true))
		}},
		{"CDX, prefix and domain", "/{coll}/cdx", 10, func(m *mix) *question {
			host := m.host()
			targets := []string{"&matchType=domain&url=" + host, "&url=*." + host, "&url=" + host + "/*", "&matchType=prefix&url=" + host + "/p"}
			n := m.random.IntN(len(targets))
			of := onHost(host)
			return get("/web/cdx?fl=timestamp,original"+targets[n], nil, m.lines(of, n < 3))
		}},
		{"CDX, filtered", "/{coll}/cdx", 15, func(m *mix) *question {
			more := []string{
				"&filter=statuscode:200", "&filter=!mimetype:text/html", "&limit=5", "&limit=-3", "&sort=reverse", "&closest=2006&sort=closest",
				"&from=2005&to=2006", "&collapse=timestamp:6", "&page=0&pageSize=1", "&fastLatest=true&limit=-2", "&filter=~original:.*p1",
				"&collapseTime=8", "&omitSelfRedirects=true", "&reverse=true",
			}
			host := m.host()
			match := "&matchType=host"
			filter := one(m, more...)
			of := onHost(host)
			if strings.Contains(filter, "closest") {
				uri := m.any().uri
				host, match, of = escaped(uri), "", func(u string) bool { return u == uri }
			}
			return get("/web/cdx?fl=timestamp,original&url="+host+match+filter, nil, m.lines(of, false))
		}},
		{"CDX, other outputs", "/{coll}/cdx", 10, func(m *mix) *question {
			more := []string{
				"&output=json", "&output=ndjson", "&output=cdxj", "&showNumPages=true", "&showResumeKey=true&limit=3", "&resolveRevisits=true",
				"&showDupeCount=true", "&fl=timestamp,range,change", "&showSkipCount=true&lastSkipTimestamp=true&collapse=urlkey", "",
			}
			return get("/web/cdx?matchType=host&url="+m.host()+one(m, more...), nil, status(200))
		}},
		{"CDX of many, in part", "/{coll}/cdx", 1, func(m *mix) *question {
			return get(fmt.Sprintf("/web/cdx?url=%s&limit=2000&page=0&from=%d", manyURI, 2005+m.random.IntN(2)), nil, status(200))
		}},
		{"CDX, all", "/{coll}/cdx", 1, fixed("/web/cdx?url=*&output=json&collapse=urlkey")},
		{"CDX, wrong", "/{coll}/cdx", 3, func(m *mix) *question {
			wrong := []string{
				"", "url=", "url=http://x.example/&from=x", "url=a.example&matchType=none", "url=a.example&page=99", "url=a.example&filter=(:x",
			}
			return get("/web/cdx?"+one(m, wrong...), nil, status(400))
		}},
		{"changes", "/{coll}/changes", 10, func(m *mix) *question {
			more := []string{"", "&level=text", "&level=any", "&at=2005"}
			c := m.any()
			return get("/web/changes?url="+escaped(c.uri)+one(m, more...), nil, m.about(c.uri, nil, 200))
		}},
		{"changes, by path", "/{coll}/changes/{uri}", 4, ofURI("/web/changes/{uri}", nil, 200)},
		{"changes of many", "/{coll}/changes", 1, fixed("/web/changes?url=" + manyURI)},
		{"availability", "/-/available", 8, func(m *mix) *question {
			c := m.any()
			targets := []string{"/-/available?url=", "/wayback/available?timestamp=2005&url=", "/-/available?collection=web&url="}
			return get(one(m, targets...)+escaped(c.uri), nil, status(200))
		}},
		{"collections", "/collinfo.json", 1, fixed("/collinfo.json")},
	}
}
