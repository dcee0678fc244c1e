package rendition

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// A playerRule says which members of the texts that a site's player reads are lists of renditions. The rules are data; each
// has its source and examples, which the tests check: see players.yaml.
type playerRule struct {
	Name, Source string
	Match        string // a regular expression on URI-Rs
	Lists        []playerList
	Instead      []string
	Otherwise    []string
	Examples     []playerExample

	site      *regexp.Regexp
	otherwise []*regexp.Regexp
}

// A playerList is a member whose value is a list of renditions.
type playerList struct {
	Name, URI, Kind string
	begin           *regexp.Regexp
}

type playerExample struct {
	URI, Text, Stays string
	Captured         []string
}

//go:embed players.yaml
var players []byte

// playerRules are those of players.yaml. A test reads the file, so it can't be broken here.
var playerRules = sync.OnceValue(func() []playerRule {
	var rules []playerRule
	if err := yaml.Unmarshal(players, &rules); err != nil {
		panic(err)
	}
	for i := range rules {
		r := &rules[i]
		r.site = regexp.MustCompile(r.Match)
		for j := range r.Lists {
			r.Lists[j].begin = regexp.MustCompile(`"` + regexp.QuoteMeta(r.Lists[j].Name) + `"\s*:\s*\[`)
		}
		for _, name := range r.Otherwise {
			r.otherwise = append(r.otherwise, regexp.MustCompile(`"`+regexp.QuoteMeta(name)+`"\s*:`))
		}
	}
	return rules
})

func playerRuleOf(uri string) *playerRule {
	rules := playerRules()
	if i := slices.IndexFunc(rules, func(r playerRule) bool { return r.site.MatchString(uri) }); i >= 0 {
		return &rules[i]
	}
	return nil
}

// ForPlayer reports whether the texts under a URI-R are those of a site whose players' lists are known.
func ForPlayer(uri string) bool { return playerRuleOf(uri) != nil }

// maxElements bounds the renditions of one text; players list some dozens.
const maxElements = 500

// Player removes the renditions that were not captured from the lists in a text that a site's player reads, such as JSON,
// or a page or a script with JSON in it. base is its URI-R. Other texts are returned unchanged.
func Player(text []byte, base string, a Archive) []byte {
	rule := playerRuleOf(base)
	b, err := url.Parse(base)
	if rule == nil || err != nil {
		return text
	}
	var lists []elements
	n := 0
	for _, l := range rule.Lists {
		for _, at := range l.begin.FindAllIndex(text, -1) {
			found, ok := l.elements(text, at[1]-1, b)
			if n += len(found.choices); ok && n <= maxElements {
				lists = append(lists, found)
			}
		}
	}
	parts, any := rule.gone(lists, a)
	if any {
		parts = append(parts, rule.renamed(text, a)...)
	}
	return without(text, parts)
}

var inText = regexp.MustCompile(`https?://[^\s"'<>\\]+`)

// renamed puts a sign before the names of the members that tell of other ways to play a film, of which nothing was captured:
// a player that doesn't find them takes a list.
func (r *playerRule) renamed(text []byte, a Archive) (parts []part) {
	for _, begin := range r.otherwise {
		for _, at := range begin.FindAllIndex(text, maxElements) {
			var value json.RawMessage
			if json.NewDecoder(bytes.NewReader(text[at[1]:])).Decode(&value) != nil {
				continue
			}
			plain := html.UnescapeString(strings.NewReplacer(`\/`, `/`, `\u003C`, `<`, `\u003c`, `<`, `\u003E`, `>`, `\u003e`, `>`,
				`\u0026`, `&`, `\"`, `"`).Replace(string(value)))
			uris := inText.FindAllString(plain, maxElements)
			if len(uris) > 0 && !slices.Contains(a.Has(uris), true) {
				parts = append(parts, part{at[0] + 1, at[0] + 1, "_"})
			}
		}
	}
	return parts
}

// elements are the renditions of one list.
type elements struct {
	list    *playerList
	choices []choice
}

// elements reads the list that begins at a position. It is no list of renditions unless each element is an object with an
// address.
func (l *playerList) elements(text []byte, at int, base *url.URL) (elements, bool) {
	out := elements{list: l}
	d := json.NewDecoder(bytes.NewReader(text[at:]))
	if _, err := d.Token(); err != nil {
		return out, false
	}
	for d.More() {
		var raw json.RawMessage
		var members map[string]any
		if d.Decode(&raw) != nil || json.Unmarshal(raw, &members) != nil {
			return out, false
		}
		address, _ := members[l.URI].(string)
		kind, _ := members[l.Kind].(string)
		end := at + int(d.InputOffset())
		kind, _, _ = strings.Cut(kind, "/")
		c := choice{group: kind, start: end - len(raw), end: end, uri: resolve(base, address)}
		if address == "" || c.uri == "" || len(out.choices) == maxElements {
			return out, false
		}
		out.choices = append(out.choices, c)
	}
	_, err := d.Token()
	return out, err == nil && len(out.choices) > 0
}

// gone returns the parts of a text that go, and whether anything in a list was captured.
func (r *playerRule) gone(lists []elements, a Archive) (parts []part, any bool) {
	var all []choice
	for _, l := range lists {
		all = append(all, l.choices...)
	}
	extents := begun(all, a)
	alive := map[string]bool{} // the lists of which something was captured
	kinds := make([]map[string]bool, len(lists))
	for i, n := 0, 0; i < len(lists); i++ {
		kinds[i] = map[string]bool{}
		for _, c := range lists[i].choices {
			if extents[n] != nothing {
				alive[lists[i].list.Name], kinds[i][c.group] = true, true
			}
			n++
		}
	}
	for i, n := 0, 0; i < len(lists); i++ {
		l, name := lists[i], lists[i].list.Name
		dispensable := !alive[name] && len(alive) > 0 && slices.Contains(r.Instead, name)
		has := extents[n : n+len(l.choices)]
		n += len(l.choices)
		parts = append(parts, l.without(func(j int) bool {
			return dispensable || has[j] == nothing && kinds[i][l.choices[j].group]
		})...)
	}
	return parts, len(alive) > 0
}

// without returns the parts of the text that go with some elements: each with what separates it from the next one, or, at
// the end of the list, from the one before.
func (l *elements) without(goes func(i int) bool) (parts []part) {
	last := -1 // the last one that stays
	for i := range l.choices {
		if !goes(i) {
			last = i
		}
	}
	for i, c := range l.choices {
		switch {
		case !goes(i):
		case i < last:
			parts = append(parts, part{start: c.start, end: l.choices[i+1].start})
		case last >= 0 && i == last+1:
			parts = append(parts, part{start: l.choices[last].end, end: l.choices[len(l.choices)-1].end})
		case last < 0 && i == 0:
			parts = append(parts, part{start: c.start, end: l.choices[len(l.choices)-1].end})
		}
	}
	return parts
}
