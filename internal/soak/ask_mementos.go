package main

import (
	"fmt"
	"net/http"
	"time"
)

// mementosKinds are ways to ask for captures and for the nearest one.
func mementosKinds() []kind {
	return []kind{
		{"TimeGate", "/{coll}/{uri}", 60, (*mix).timeGate},
		{"TimeGate, POST", "/{coll}/{uri}", 3, func(m *mix) *question {
			c := m.any()
			return &question{method: "POST", target: "/web/" + c.uri, body: []byte("a=b"), right: m.about(c.uri, nil, 307, 404)}
		}},
		{"memento", "/{coll}/{ts}/{uri}", 60, modified("")},
		{"memento, compressed", "/{coll}/{ts}/{uri}", 10, func(m *mix) *question {
			c := m.any()
			packed := map[string]string{"Accept": "text/html", "Accept-Encoding": "gzip"}
			return get("/web/"+c.ts()+"/"+c.uri, packed, m.about(c.uri, nil, c.status, 302))
		}},
		{"memento, raw", "/{coll}/{ts}{mod}/{uri}", 80, func(m *mix) *question {
			c := m.any()
			return get("/web/"+c.ts()+"id_/"+c.uri, nil, m.replayed(c, true, nil))
		}},
		{"memento, in a frame", "/{coll}/{ts}{mod}/{uri}", 10, modified("if_")},
		{"memento, without banner", "/{coll}/{ts}{mod}/{uri}", 10, modified("mp_")},
		{"memento, other modifiers", "/{coll}/{ts}{mod}/{uri}", 10, func(m *mix) *question {
			mods := []string{"js_", "cs_", "im_", "oe_", "fw_"}
			return modified(one(m, mods...))(m)
		}},
		{"memento near a datetime", "/{coll}/{ts}{mod}/{uri}", 20, func(m *mix) *question {
			c := m.any()
			ts := c.at.Add(time.Duration(apart*m.random.IntN(1e4)+7) * time.Second).Format(stamp)
			return &question{method: "GET", target: "/web/" + ts + "id_/" + c.uri, right: m.about(c.uri, leads, 302)}
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
			part := map[string]string{"Range": fmt.Sprintf("bytes=%d-%d", from, to)}
			return get("/web/"+m.large.ts()+"id_/"+m.large.uri, part, m.replayed(m.large, true, m.large.body[from:to+1]))
		}},
		{"Range, none", "/{coll}/{ts}{mod}/{uri}", 1, func(m *mix) *question {
			return get("/web/"+m.large.ts()+"id_/"+m.large.uri, map[string]string{"Range": fmt.Sprintf("bytes=%d-", largeSize)}, status(416))
		}},
		{"large record", "/{coll}/{ts}{mod}/{uri}", 1, func(m *mix) *question {
			return get("/web/"+m.large.ts()+"id_/"+m.large.uri, nil, m.replayed(m.large, true, nil))
		}},
		{"slow reader", "/{coll}/{ts}{mod}/{uri}", 1, func(m *mix) *question {
			return &question{method: "GET", target: "/web/" + m.large.ts() + "id_/" + m.large.uri, manner: dawdles, right: status(200)}
		}},
		{"client that leaves", "/{coll}/{ts}{mod}/{uri}", 8, func(m *mix) *question {
			targets := []string{
				"/web/" + m.large.ts() + "id_/" + m.large.uri, "/web/timemap/link/" + manyURI, "/web/cdx?url=*", "/web/20070101/" + manyURI,
				"/web/changes/" + manyURI, "/web/search?q=river",
			}
			return &question{method: "GET", target: one(m, targets...), manner: leaves, right: status(200, 302)}
		}},
		{"conditional", "/{coll}/{ts}{mod}/{uri}", 15, (*mix).conditional},
		{"POST", "/{coll}/{ts}{mod}/{uri}", 8, func(m *mix) *question {
			c := one(m, m.posts...)
			return &question{
				method: "POST", target: "/web/" + c.ts() + "id_/" + c.uri, body: []byte(c.sent),
				header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, right: m.replayed(c, true, nil),
			}
		}},
		{"GET of a POST", "/{coll}/{ts}{mod}/{uri}", 2, func(m *mix) *question {
			c := one(m, m.posts...)
			return get("/web/"+c.ts()+"id_/"+c.uri, nil, status(404))
		}},
	}
}

func modified(mod string) func(*mix) *question {
	return func(m *mix) *question {
		c := m.any()
		return get("/web/"+c.ts()+mod+"/"+c.uri, html(), m.replayed(c, false, nil))
	}
}

func (m *mix) timeGate() *question {
	c := m.any()
	at := c.at.Add(time.Duration(m.random.IntN(2e6)-1e6) * time.Second).UTC()
	return get("/web/"+c.uri, map[string]string{"Accept-Datetime": at.Format(http.TimeFormat)}, m.negotiated(c.uri, at.Format(stamp)))
}

// conditional asks again for what it has, or for the first time.
func (m *mix) conditional() *question {
	c := one(m, m.core...)
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
