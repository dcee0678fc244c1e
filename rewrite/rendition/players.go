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

// A playerRule says which members of the texts that a site's player reads are lists of renditions. The rules, with their sources
// and examples, are in players.yaml; tests check the examples.
type playerRule struct {
	Name, Source string
	Match        string // a regular expression on URI-Rs
	Lists        []playerList
	Instead      []string
	Otherwise    []string
	Manifests    []string
	Examples     []playerExample

	site      *regexp.Regexp
	otherwise []*regexp.Regexp
	manifests *regexp.Regexp
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

// playerRules are the rules in players.yaml. A test parses the file, so an error here can't happen.
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
		if len(r.Manifests) > 0 {
			r.manifests = manifestOf(r.Manifests)
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

// ForPlayer reports whether a URI-R belongs to a site whose player's lists are known.
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
	return rule.trim(rule.trimStrings(text, b, a), b, a)
}

// inString matches the beginning of a string that contains JSON.
var inString = regexp.MustCompile(`"\{\\"`)

// trimStrings trims the JSON in strings of a text, as in "player_response":"{\"streamingData\":…}".
func (r *playerRule) trimStrings(text []byte, base *url.URL, a Archive) []byte {
	var parts []part
	end, left := 0, maxPasses*len(text)
	for _, at := range inString.FindAllIndex(text, maxElements) {
		if at[0] < end || left <= 0 {
			continue
		}
		var inside string
		in := bytes.NewReader(text[at[0]:])
		d := json.NewDecoder(in)
		err := d.Decode(&inside)
		if left -= len(text) - at[0] - in.Len(); err != nil || !json.Valid([]byte(inside)) {
			continue
		}
		end = at[0] + int(d.InputOffset())
		trimmed := r.trim([]byte(inside), base, a)
		if string(trimmed) == inside {
			continue
		}
		var b bytes.Buffer
		e := json.NewEncoder(&b) // escapes <, > and &, so that the text can stand in a page
		if e.Encode(string(trimmed)) == nil {
			parts = append(parts, part{at[0], end, strings.TrimSuffix(b.String(), "\n")})
		}
	}
	return without(text, parts)
}

// trim removes the renditions that were not captured from the lists in a text.
func (r *playerRule) trim(text []byte, b *url.URL, a Archive) []byte {
	var lists []elements
	n, left := 0, maxPasses*len(text)
	for _, l := range r.Lists {
		for _, at := range l.begin.FindAllIndex(text, -1) {
			if left <= 0 {
				return text
			}
			found, ok := l.elements(text, at[1]-1, b, &left)
			if n += len(found.choices); ok && n <= maxElements {
				lists = append(lists, found)
			}
		}
	}
	parts, any := r.gone(lists, a)
	if any {
		parts = append(parts, r.renamed(text, a, left)...)
	}
	return without(text, append(parts, r.described(text, b, a)...))
}

// maxPasses bounds how often a text is read in total, since lists may be nested.
const maxPasses = 8

var inText = regexp.MustCompile(`https?://[^\s"'<>\\]+`)

// renamed puts "_" before the names of members that offer another way to play a video, if nothing of it was captured: a player that
// doesn't find them uses a list. It reads about left bytes at most.
func (r *playerRule) renamed(text []byte, a Archive, left int) (parts []part) {
	for _, begin := range r.otherwise {
		for _, at := range begin.FindAllIndex(text, maxElements) {
			var value json.RawMessage
			if left <= 0 {
				return parts
			}
			in := bytes.NewReader(text[at[1]:])
			err := json.NewDecoder(in).Decode(&value)
			if left -= len(text) - at[1] - in.Len(); err != nil {
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

// elements reads the list that begins at an offset, and subtracts from left how many bytes it read. It is a list of renditions only if
// each element is an object with an address.
func (l *playerList) elements(text []byte, at int, base *url.URL, left *int) (out elements, ok bool) {
	in := bytes.NewReader(text[at:])
	defer func() { *left -= len(text) - at - in.Len() }()
	out = elements{list: l}
	d := json.NewDecoder(in)
	_, _ = d.Token() // the bracket
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

// gone returns the parts of a text to remove, and whether anything in a list was captured.
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

// without returns the parts of the text to remove with some elements: each with the separator behind it or, at the end of the list,
// the one before it.
func (l *elements) without(goes func(i int) bool) (parts []part) {
	last := -1 // the last one that stays
	for i := range l.choices {
		if !goes(i) {
			last = i
		}
	}
	end := l.choices[len(l.choices)-1].end
	for i, c := range l.choices {
		switch {
		case !goes(i):
		case i < last:
			parts = append(parts, part{start: c.start, end: l.choices[i+1].start})
		case last >= 0:
			return append(parts, part{start: l.choices[last].end, end: end})
		default:
			return append(parts, part{start: c.start, end: end})
		}
	}
	return parts
}
