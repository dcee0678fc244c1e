package main

import (
	"fmt"
	"slices"
	"strings"
)

// kinds are all ways to ask. Each path of the API's description has one or more; soak fails where one has none.
var kinds = slices.Concat(mementosKinds(), listsKinds(), pagesKinds(), othersKinds())

// get asks as most clients do.
func get(target string, header map[string]string, right func(*answer) string) *question {
	return &question{method: "GET", target: target, header: header, right: right}
}

// one returns one of a list, by chance.
func one[T any](m *mix, list ...T) T { return list[m.random.IntN(len(list))] }

func html() map[string]string { return map[string]string{"Accept": "text/html"} }

// form asks for the page, or for what programs get.
func (m *mix) form() map[string]string {
	if m.random.IntN(2) == 0 {
		return html()
	}
	return map[string]string{"Accept": "application/json"}
}

// any returns a capture: mostly one that is always there, else one that comes and goes.
func (m *mix) any() *capture {
	if m.random.IntN(10) < 6 {
		return one(m, m.core...)
	}
	if coming := m.ledger.passing(m.random); coming != nil {
		return coming
	}
	return m.core[0]
}

// page returns a capture of a page with text.
func (m *mix) page() *capture { return one(m, m.pages...) }

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

// ofURI asks about a capture, as [mix.filled] says.
func ofURI(format string, header map[string]string, want ...int) func(*mix) *question {
	return func(m *mix) *question { return m.filled(format, m.any(), header, want...) }
}

// page asks about one of which there are always versions with text.
func page(format string, want ...int) func(*mix) *question {
	return func(m *mix) *question { return m.filled(format, m.page(), m.form(), want...) }
}

// change asks about two captures of a page.
func change(format string, want ...int) func(*mix) *question {
	return func(m *mix) *question {
		a, b := m.two()
		return m.filled(strings.NewReplacer("{from}", a.ts(), "{to}", b.ts()).Replace(format), a, m.form(), want...)
	}
}

// filled asks for an address in which {ts} is the datetime of a capture, {uri} its URI-R, and {url} the same as an argument.
func (m *mix) filled(format string, c *capture, header map[string]string, want ...int) *question {
	target := strings.NewReplacer("{ts}", c.ts(), "{uri}", c.uri, "{url}", escaped(c.uri)).Replace(format)
	return get(target, header, m.about(c.uri, nil, want...))
}

// none asks for what isn't there.
func none(target string) func(*mix) *question {
	return func(*mix) *question { return get(target, nil, status(404)) }
}

// fixed asks for one of some paths that are always there.
func fixed(targets ...string) func(*mix) *question {
	return func(m *mix) *question {
		return get(one(m, targets...), m.form(), status(200))
	}
}
