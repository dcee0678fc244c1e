package main

import (
	"fmt"
)

// pagesKinds are ways to ask for what people see.
func pagesKinds() []kind {
	return []kind{
		{"diff", "/{coll}/diff", 6, func(m *mix) *question {
			a, b := m.two()
			return get(fmt.Sprintf("/web/diff?url=%s&from=%s&to=%s&term=river", escaped(a.uri), a.ts(), b.ts()), m.form(), m.about(a.uri, nil, 200))
		}},
		{"diff, by path", "/{coll}/diff/{from}/{to}/{uri}", 6, func(m *mix) *question {
			a, b := m.two()
			return get(fmt.Sprintf("/web/diff/%s/%s/%s", a.ts(), b.ts(), a.uri), m.form(), m.about(a.uri, nil, 200))
		}},
		{"slider", "/{coll}/diff/{uri}", 6, page("/web/diff/%s", 200)},
		{"slider, at", "/{coll}/diff", 2, page("/web/diff?at=2005&url=%s", 200)},
		{"animation", "/{coll}/animate", 4, func(m *mix) *question {
			a, b := m.two()
			return get(fmt.Sprintf("/web/animate?url=%s&from=%s&to=%s", escaped(a.uri), a.ts(), b.ts()), html(), m.about(a.uri, nil, 200, 302))
		}},
		{"animation, by path", "/{coll}/animate/{from}/{to}/{uri}", 4, func(m *mix) *question {
			a, b := m.two()
			return get(fmt.Sprintf("/web/animate/%s/%s/%s", a.ts(), b.ts(), a.uri), html(), m.about(a.uri, nil, 200, 302))
		}},
		{"landing page", "/{coll}/landing/{ts}/{uri}", 10, func(m *mix) *question {
			c := m.any()
			return get("/web/landing/"+c.ts()+"/"+c.uri, m.form(), m.about(c.uri, nil, 200, 302))
		}},
		{"landing page, at", "/{coll}/landing", 4, ofURI("/web/landing?at=2005&url=%s", nil, 200, 302)},
		{"provenance", "/{coll}/{ts}/info", 8, func(m *mix) *question {
			c := m.any()
			return get("/web/"+c.ts()+"/info?url="+escaped(c.uri), m.form(), m.about(c.uri, nil, 200, 302))
		}},
		{"provenance, download", "/{coll}/{ts}/info", 2, func(m *mix) *question {
			c := m.page()
			return get("/web/"+c.ts()+"/info?download=warc&url="+escaped(c.uri), nil, m.about(c.uri, nil, 200, 302))
		}},
		{"inspector", "/{coll}/inspect", 4, func(m *mix) *question {
			c := m.page()
			more := []string{"&css=p", "&element=5&level=any", "&css=p&all=1&output=csv", ""}
			return get("/web/inspect?at="+c.ts()+"&url="+escaped(c.uri)+one(m, more...), m.form(), m.about(c.uri, nil, 200, 302))
		}},
		{"inspector, by path", "/{coll}/inspect/{ts}/{uri}", 2, func(m *mix) *question {
			c := m.page()
			return get("/web/inspect/"+c.ts()+"/"+c.uri, html(), m.about(c.uri, nil, 200, 302))
		}},
		{"still", "/{coll}/still/{ts}/{uri}", 2, func(m *mix) *question {
			c := m.page()
			return get("/web/still/"+c.ts()+"/"+c.uri, html(), m.about(c.uri, nil, 200))
		}},
		{"thumbnail", "/{coll}/thumb/{ts}/{uri}", 1, func(m *mix) *question { // of which there are none
			c := m.page()
			return get("/web/thumb/"+c.ts()+"/"+c.uri, nil, status(404))
		}},
		{"picture", "/{coll}/thumb", 1, page("/web/thumb?at=2005&size=full&url=%s", 404)},
		{"visual", "/{coll}/visual", 1, page("/web/visual?from=2004&to=2006&url=%s", 404)},
		{"similar pages", "/{coll}/similar/{ts}/{uri}", 4, func(m *mix) *question {
			c := m.page()
			return get("/web/similar/"+c.ts()+"/"+c.uri, nil, m.about(c.uri, nil, 200))
		}},
		{"similar pages, at", "/{coll}/similar", 2, page("/web/similar?at=2005&threshold=0.5&url=%s", 200)},
		{"duplicates", "/{coll}/duplicates", 1, func(m *mix) *question {
			return get("/web/duplicates?limit=20&across="+one(m, "1", "0"), m.form(), status(200))
		}},
		{"calendar", "/{coll}/*/{uri}", 8, ofURI("/web/*/%s", html(), 200)},
		{"calendar of many", "/{coll}/*/{uri}", 1, func(*mix) *question {
			return get("/web/*/"+manyURI, html(), status(200))
		}},
		{"addresses of a host", "/{coll}/*/{uri}", 4, func(m *mix) *question {
			return get(fmt.Sprintf("/web/*/http://core%d.example/*", m.random.IntN(hosts)), m.form(), status(200))
		}},
		{"calendar, in part", "/-/calendar", 4, ofURI("/-/calendar?url=%s", nil, 200)},
		{"search", "/{coll}/search", 15, func(m *mix) *question { return m.search("/web/search") }},
		{"search, everywhere", "/-/search", 5, func(m *mix) *question { return m.search("/-/search") }},
		{"suggestions", "/{coll}/suggest", 10, func(m *mix) *question { return m.suggest("/web/suggest") }},
		{"suggestions, everywhere", "/-/suggest", 5, func(m *mix) *question { return m.suggest("/-/suggest") }},
		{"terms", "/{coll}/terms", 1, fixed("/web/terms?change=deleted", "/web/terms?change=added")},
		{"table of terms", "/{coll}/terms/table", 1, ofURI("/web/terms/table?terms=river&at=2006&at=2015&urls=%s", nil, 200)},
		{"feed of a page", "/{coll}/feed", 2, ofURI("/web/feed?limit=5&url=%s", nil, 200)},
		{"feed of many pages", "/{coll}/feed", 1, fixed(
			"/web/feed?limit=5", "/web/feed?limit=5&url=core1.example*", "/web/feed?limit=5&q=river&change=added",
			"/web/feed?limit=5&watch=river:2,heron",
		)},
		{"monitor", "/{coll}/monitor", 1, fixed(
			"/web/monitor?since=2000", "/web/monitor?since=7d", "/web/monitor?since=2005&until=2006&rising=added",
		)},
		{"OpenSearch", "/{coll}/opensearch.xml", 1, fixed("/web/opensearch.xml")},
		{"home page", "/", 5, func(m *mix) *question {
			return get("/", m.form(), status(200))
		}},
		{"home page, an address", "/", 2, ofURI("/?url=%s", html(), 200, 302)},
		{"collection", "/{coll}/", 4, func(m *mix) *question {
			return get("/web/", m.form(), status(200))
		}},
		{"list of addresses", "/{coll}/", 3, fixed(
			"/web/?url=*", "/web/?url=*&type=any", "/web/?url=*&output=json&sort=-captures", "/web/?url=*&output=csv", "/web/?url=*&versions=2",
			"/web/?url=*&sort=-last", "/web/?url=*&sort=-size&level=text", "/web/?url=*&has=p1", "/web/?url=core1.example*",
		)},
	}
}

// search asks for words. What is found there is judged at the end: the search is built behind the index.
func (m *mix) search(path string) *question {
	queries := []string{
		"river", "heron+meadow", "%22river+meadow%22", "willo*", "harbor~", "river+site:core1.example", "title:page",
		m.page().marker, m.any().marker,
	}
	more := []string{
		"", "&change=deleted", "&change=added", "&change=semi-deleted", "&page=2", "&sort=newest", "&sort=-url",
		"&from=2005&to=2006",
	}
	q := one(m, queries...)
	if q == "" {
		q = "otter"
	}
	return get(path+"?q="+q+one(m, more...), m.form(), status(200))
}

func (m *mix) suggest(path string) *question {
	word := one(m, words...)
	typed := []string{word[:2], word, word + "+" + word[:1], "http://core", "core1.example/p", m.page().marker, "rivre"}
	return get(path+"?q="+one(m, typed...), nil, status(200))
}
