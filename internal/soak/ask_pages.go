package main

import (
	"cmp"
	"fmt"
)

// pagesKinds are ways to ask for what people see.
func pagesKinds() []kind {
	return []kind{
		{"diff", "/{coll}/diff", 6, change("/web/diff?url={url}&from={from}&to={to}&term=river", 200)},
		{"diff, by path", "/{coll}/diff/{from}/{to}/{uri}", 6, change("/web/diff/{from}/{to}/{uri}", 200)},
		{"slider", "/{coll}/diff/{uri}", 6, page("/web/diff/{uri}", 200)},
		{"slider, at", "/{coll}/diff", 2, page("/web/diff?at=2005&url={url}", 200)},
		{"animation", "/{coll}/animate", 4, change("/web/animate?url={url}&from={from}&to={to}", 200, 302)},
		{"animation, by path", "/{coll}/animate/{from}/{to}/{uri}", 4, change("/web/animate/{from}/{to}/{uri}", 200, 302)},
		{"landing page", "/{coll}/landing/{ts}/{uri}", 10, func(m *mix) *question {
			return m.filled("/web/landing/{ts}/{uri}", m.any(), m.form(), 200, 302)
		}},
		{"landing page, at", "/{coll}/landing", 4, ofURI("/web/landing?at=2005&url={url}", nil, 200, 302)},
		{"provenance", "/{coll}/{ts}/info", 8, func(m *mix) *question {
			return m.filled("/web/{ts}/info?url={url}", m.any(), m.form(), 200, 302)
		}},
		{"provenance, download", "/{coll}/{ts}/info", 2, page("/web/{ts}/info?download=warc&url={url}", 200, 302)},
		{"inspector", "/{coll}/inspect", 4, func(m *mix) *question {
			more := []string{"&css=p", "&element=5&level=any", "&css=p&all=1&output=csv", ""}
			return page("/web/inspect?at={ts}&url={url}"+one(m, more...), 200, 302)(m)
		}},
		{"inspector, by path", "/{coll}/inspect/{ts}/{uri}", 2, page("/web/inspect/{ts}/{uri}", 200, 302)},
		{"still", "/{coll}/still/{ts}/{uri}", 2, page("/web/still/{ts}/{uri}", 200)},
		{"thumbnail", "/{coll}/thumb/{ts}/{uri}", 1, func(m *mix) *question { // of which there are none
			c := m.page()
			return get("/web/thumb/"+c.ts()+"/"+c.uri, nil, status(404))
		}},
		{"picture", "/{coll}/thumb", 1, page("/web/thumb?at=2005&size=full&url={url}", 404)},
		{"visual", "/{coll}/visual", 1, page("/web/visual?from=2004&to=2006&url={url}", 404)},
		{"similar pages", "/{coll}/similar/{ts}/{uri}", 4, page("/web/similar/{ts}/{uri}", 200)},
		{"similar pages, at", "/{coll}/similar", 2, page("/web/similar?at=2005&threshold=0.5&url={url}", 200)},
		{"duplicates", "/{coll}/duplicates", 1, func(m *mix) *question {
			return get("/web/duplicates?limit=20&across="+one(m, "1", "0"), m.form(), status(200))
		}},
		{"calendar", "/{coll}/*/{uri}", 8, ofURI("/web/*/{uri}", html(), 200)},
		{"calendar of many", "/{coll}/*/{uri}", 1, fixed("/web/*/" + manyURI)},
		{"addresses of a host", "/{coll}/*/{uri}", 4, func(m *mix) *question {
			return get(fmt.Sprintf("/web/*/http://core%d.example/*", m.random.IntN(hosts)), m.form(), status(200))
		}},
		{"calendar, in part", "/-/calendar", 4, ofURI("/-/calendar?url={url}", nil, 200)},
		{"search", "/{coll}/search", 15, func(m *mix) *question { return m.search("/web/search") }},
		{"search, everywhere", "/-/search", 5, func(m *mix) *question { return m.search("/-/search") }},
		{"suggestions", "/{coll}/suggest", 10, func(m *mix) *question { return m.suggest("/web/suggest") }},
		{"suggestions, everywhere", "/-/suggest", 5, func(m *mix) *question { return m.suggest("/-/suggest") }},
		{"terms", "/{coll}/terms", 1, fixed("/web/terms?change=deleted", "/web/terms?change=added")},
		{"table of terms", "/{coll}/terms/table", 1, ofURI("/web/terms/table?terms=river&at=2006&at=2015&urls={url}", nil, 200)},
		{"feed of a page", "/{coll}/feed", 2, ofURI("/web/feed?limit=5&url={url}", nil, 200)},
		{"feed of many pages", "/{coll}/feed", 1, fixed(
			"/web/feed?limit=5", "/web/feed?limit=5&url=core1.example*", "/web/feed?limit=5&q=river&change=added",
			"/web/feed?limit=5&watch=river:2,heron",
		)},
		{"monitor", "/{coll}/monitor", 1, fixed(
			"/web/monitor?since=2000", "/web/monitor?since=7d", "/web/monitor?since=2005&until=2006&rising=added",
		)},
		{"OpenSearch", "/{coll}/opensearch.xml", 1, fixed("/web/opensearch.xml")},
		{"home page", "/", 5, fixed("/")},
		{"home page, an address", "/", 2, ofURI("/?url={url}", html(), 200, 302)},
		{"collection", "/{coll}/", 4, fixed("/web/")},
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
	q := cmp.Or(one(m, queries...), "otter")
	return get(path+"?q="+q+one(m, more...), m.form(), status(200))
}

func (m *mix) suggest(path string) *question {
	word := one(m, words...)
	typed := []string{word[:2], word, word + "+" + word[:1], "http://core", "core1.example/p", m.page().marker, "rivre"}
	return get(path+"?q="+one(m, typed...), nil, status(200))
}
