package access

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// Access is what a reader may get of a capture.
type Access string

// From the most to the least.
const (
	Allow   Access = "allow"
	Block   Access = "block"   // it is listed, but not shown: 451 (RFC 7725) with a sentence
	Exclude Access = "exclude" // hidden as if it had never been archived
)

// A Rule says what readers may get of some captures. Zero fields limit nothing.
type Rule struct {
	URL      string
	Match    surt.Match    // [New] replaces "": by the meaning of the URL's wildcard, or a prefix
	From, To cdx.Timestamp // of the captures, inclusive; 0 leaves that side open
	Embargo  Embargo
	Group    string // only for readers of this group
	Access   Access
	Say      string // to the reader, for Block
	Line     int    // in the file, from 1; 0 if it is not from a file
}

// A Decision is what a reader gets of a capture.
type Decision struct {
	Access Access
	Rule   *Rule // the rule that decided, nil if none applies
}

// Rules is an immutable set of rules. The zero value allows everything.
type Rules struct {
	spans  []span   // by first key, larger ones first
	groups []string // groups that rules are for, sorted
	clocks bool     // a decision may change with time
	sum    string
	colls  map[string]*Rules // if collections have different rules, instead of spans
}

// A span is a range of keys with its rule.
type span struct {
	Rule
	first, end string // the end is exclusive, "" for none
	parent     int    // the smallest span around this one, -1 if there is none
	aside      bool   // another span of the same rule counts in its place
}

// New returns a set of rules. The error names the invalid rule.
func New(rules []Rule) (*Rules, error) {
	r := &Rules{}
	for i := range rules {
		s := span{Rule: rules[i], parent: -1}
		if err := s.check(); err != nil {
			return nil, fmt.Errorf("%s: %w", s.place(i), err)
		}
		r.spans = append(r.spans, s)
		r.spans = append(r.spans, s.asides()...)
	}
	return r.complete(), nil
}

// complete computes what is derived from the spans.
func (r *Rules) complete() *Rules {
	for i := range r.spans {
		r.clocks = r.clocks || r.spans[i].Embargo != Embargo{}
		if group := r.spans[i].Group; group != "" {
			r.groups = append(r.groups, group)
		}
	}
	slices.Sort(r.groups)
	r.groups = slices.Compact(r.groups)
	r.nest()
	r.sum = r.hash()
	return r
}

// place names a rule in an error.
func (s *span) place(i int) string {
	if s.Line > 0 {
		return fmt.Sprintf("line %d", s.Line)
	}
	return fmt.Sprintf("rule %d", i+1)
}

// check validates a rule and sets its keys.
func (s *span) check() (err error) {
	switch s.Access {
	case Allow, Block, Exclude:
	case "":
		return fmt.Errorf("access is missing: want allow, block or exclude")
	default:
		return fmt.Errorf("access: %.40q: want allow, block or exclude", string(s.Access))
	}
	if s.URL == "" {
		return fmt.Errorf("url is missing; url: '*' means every URL")
	}
	if s.To != 0 && s.From > s.To {
		return fmt.Errorf("captured: from %s is after to %s", s.From, s.To)
	}
	s.first, s.end, err = s.keys()
	return err
}

// keys returns the keys of a rule, and sets its match. Without a match the URL is a prefix, unless it has a wildcard that says otherwise.
func (s *span) keys() (first, end string, err error) {
	url, match := surt.Wildcards(strings.TrimSpace(s.URL), s.Match)
	if s.Match == "" && match == surt.Exact {
		match = surt.Prefix
	}
	s.Match = match
	return surt.Range(url, match)
}

// asides returns the other spans of a rule. A domain has its own ports: those of its subdomains are within the first span. A folder itself,
// whose key has no final slash, goes with its content.
func (s *span) asides() []span {
	if host := strings.TrimSuffix(s.first, ")"); s.Match == surt.Domain && !strings.Contains(host, ":") {
		ports := *s
		ports.aside, ports.first, ports.end = true, host+":", host+";"
		return []span{ports}
	}
	key, ok := strings.CutSuffix(s.first, "/")
	if !ok || strings.HasSuffix(key, ")") || s.end == s.first+"!" {
		return nil
	}
	itself, given, asked := *s, *s, *s
	itself.aside, given.aside, asked.aside = true, true, true
	itself.first, itself.end = key, key+"!"
	given.first, given.end = key+";", key+"<" // the folder with parameters, such as the session of a reader
	asked.first, asked.end = key+"?", key+"@" // the folder with a query
	return []span{itself, given, asked}
}

// nest sorts the spans and finds the parent of each. The keys of a span share a prefix, so two spans are nested or disjoint. Of equal spans
// the innermost decides first; it is for a group, or came first in the file.
func (r *Rules) nest() {
	slices.Reverse(r.spans)
	slices.SortStableFunc(r.spans, func(a, b span) int {
		return cmp.Or(strings.Compare(a.first, b.first), compareEnds(b.end, a.end), cmp.Compare(min(len(a.Group), 1), min(len(b.Group), 1)))
	})
	parent := -1
	for i := range r.spans {
		for parent >= 0 && !before(r.spans[i].first, r.spans[parent].end) {
			parent = r.spans[parent].parent
		}
		r.spans[i].parent = parent
		parent = i
	}
}

// before reports whether a key comes before an end.
func before(key, end string) bool { return end == "" || key < end }

func compareEnds(a, b string) int {
	if (a == "") != (b == "") {
		return cmp.Compare(len(b), len(a)) // "" is after all others
	}
	return strings.Compare(a, b)
}

// innermost returns the index of the smallest span with a key, -1 if there is none. The other spans with the key are its ancestors.
func (r *Rules) innermost(key string) int {
	i := sort.Search(len(r.spans), func(i int) bool { return r.spans[i].first > key }) - 1
	for i >= 0 && !before(key, r.spans[i].end) {
		i = r.spans[i].parent
	}
	return i
}

// For returns the rules that may apply to captures of a key, for a group of readers. Keys of requests other than GET ([surt.HasMethod])
// don't determine the URL: pass [surt.Of] of the capture's URL instead.
func (r *Rules) For(key, group string) Page {
	var p Page
	for i := r.innermost(key); i >= 0; i = r.spans[i].parent {
		s := &r.spans[i]
		if s.Group != "" && s.Group != group {
			continue
		}
		p.rules = append(p.rules, &s.Rule)
		if s.Always() {
			break
		}
	}
	return p
}

// HasRulesIn reports whether there are rules for keys in [first, end); end "" means no end.
func (r *Rules) HasRulesIn(first, end string) bool {
	if r.innermost(first) >= 0 {
		return true
	}
	i := sort.Search(len(r.spans), func(i int) bool { return r.spans[i].first >= first })
	return i < len(r.spans) && before(r.spans[i].first, end)
}

// Ranges returns the sorted, disjoint ranges of keys for which there are rules: first key and exclusive end, "" for none. They include keys
// of requests other than GET, which begin like the key of their URL.
func (r *Rules) Ranges() [][2]string {
	var all, out [][2]string
	for i := range r.spans {
		first, end := r.spans[i].first, r.spans[i].end
		if page, _, _ := strings.Cut(first, "?"); end == first+"!" {
			first, end = page, page+"@"
		}
		all = append(all, [2]string{first, end})
	}
	slices.SortFunc(all, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	for _, r := range all {
		switch last := len(out) - 1; {
		case last < 0 || !before(r[0], out[last][1]):
			out = append(out, r)
		case compareEnds(r[1], out[last][1]) > 0:
			out[last][1] = r[1]
		}
	}
	return out
}

// Sum returns a checksum that differs for sets with different decisions. It is "" for no rules.
func (r *Rules) Sum() string { return r.sum }

func (r *Rules) hash() string {
	if r.Empty() {
		return ""
	}
	h := sha256.New()
	for i := range r.spans {
		s := &r.spans[i]
		fmt.Fprintf(h, "%q %q %d %d %v %v %s %q %s\n", s.first, s.end, s.From, s.To, s.Embargo.Newer, s.Embargo.Older,
			s.Embargo.Until.Format(time.RFC3339), s.Group, s.Access)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Groups returns the groups that rules are for, sorted.
func (r *Rules) Groups() []string { return slices.Clone(r.groups) }

// HasGroup reports whether there are rules for a group.
func (r *Rules) HasGroup(group string) bool {
	_, found := slices.BinarySearch(r.groups, group)
	return found
}

// Empty reports whether there is no rule.
func (r *Rules) Empty() bool {
	for _, in := range r.colls {
		if !in.Empty() {
			return false
		}
	}
	return len(r.spans) == 0
}

// DependOnTime reports whether decisions change with time.
func (r *Rules) DependOnTime() bool { return r.clocks }

// All returns the rules, ordered by key.
func (r *Rules) All() []Rule {
	var out []Rule
	for i := range r.spans {
		if !r.spans[i].aside {
			out = append(out, r.spans[i].Rule)
		}
	}
	return out
}

// Len returns the number of rules.
func (r *Rules) Len() int {
	n := len(r.All())
	for _, in := range r.colls {
		n += in.Len()
	}
	return n
}

// A Page has the rules for the captures of one key and one group of readers.
type Page struct {
	rules []*Rule // the first that applies decides
}

// Open reports whether every capture is allowed, whenever it was made and whatever the clock says.
func (p Page) Open() bool {
	for _, r := range p.rules {
		if r.Access != Allow {
			return false
		}
		if r.Always() {
			return true
		}
	}
	return true
}

// Decide returns the decision about a capture of a time, now.
func (p Page) Decide(captured cdx.Timestamp, now time.Time) Decision {
	for _, r := range p.rules {
		if r.applies(captured, now) {
			return Decision{r.Access, r}
		}
	}
	return Decision{Access: Allow}
}

// Rules returns the rules, of which the first that applies decides.
func (p Page) Rules() []*Rule { return p.rules }

// Always reports whether the rule applies to every capture of its keys.
func (r *Rule) Always() bool { return r.From == 0 && r.To == 0 && r.Embargo == Embargo{} }

// applies reports whether the rule applies now to a capture of a time. Its keys and group are known to match.
func (r *Rule) applies(captured cdx.Timestamp, now time.Time) bool {
	return r.Passes(captured, now) == ""
}

// Passes returns the reason why the rule doesn't apply now to a capture of a time; "" if it applies.
func (r *Rule) Passes(captured cdx.Timestamp, now time.Time) string {
	switch {
	case captured < r.From:
		return "captured before " + r.From.String()
	case r.To != 0 && captured > r.To:
		return "captured after " + r.To.String()
	}
	return r.Embargo.passes(captured, now)
}
