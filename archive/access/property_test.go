package access

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// The quick look-up must decide as a walk over all rules does, that prefers the one for the fewest keys.
func TestLookingUpIsWalking(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	uri := func() string {
		host := []string{"a.example", "b.a.example", "example", "c.b.a.example"}[r.IntN(4)]
		return "http://" + host + "/" + strings.Repeat("x/", r.IntN(3)) + []string{"", "y", "yz", "?q", "y?q=1"}[r.IntN(5)]
	}
	for range 2000 {
		rules := make([]Rule, 1+r.IntN(8))
		for i := range rules {
			match := []surt.Match{surt.Exact, surt.Prefix, surt.Prefix, surt.Host, surt.Domain}[r.IntN(5)]
			rules[i] = Rule{URL: uri(), Match: match, Access: []Access{Allow, Block, Exclude}[r.IntN(3)], Line: i + 1}
			if r.IntN(3) == 0 {
				rules[i].Group = "staff"
			}
			if r.IntN(3) == 0 {
				rules[i].From = 20100101000000
			}
		}
		set, err := New(rules)
		if err != nil {
			t.Fatal(err)
		}
		key, ts := surt.Of(uri()), []cdx.Timestamp{20050101000000, 20150101000000}[r.IntN(2)]
		group := []string{"", "staff"}[r.IntN(2)]
		got, want := set.For(key, group).Decide(ts, time.Now()), walk(set, key, group, ts)
		if got.Access != want.Access || (got.Rule == nil) != (want.Rule == nil) || got.Rule != nil && got.Rule.Line != want.Rule.Line {
			t.Fatalf("%s at %s for %q: %v, want %v, by\n%s", key, ts, group, said(got), said(want), listed(rules))
		}
		if got.Access != Allow && set.For(key, group).Open() {
			t.Fatalf("%s is said to be open, by\n%s", key, listed(rules))
		}
		if got.Rule != nil && !set.HasRulesIn(key, key+"!") {
			t.Fatalf("no rule is said to touch %s, by\n%s", key, listed(rules))
		}
	}
}

// walk compares each span with the best before it.
func walk(set *Rules, key, group string, ts cdx.Timestamp) Decision {
	var best *span
	for i := range set.spans {
		s := &set.spans[i]
		if key < s.first || !before(key, s.end) || s.Group != "" && s.Group != group || s.From != 0 && ts < s.From {
			continue
		}
		if best == nil || narrower(s, best) {
			best = s
		}
	}
	if best == nil {
		return Decision{Access: Allow}
	}
	return Decision{best.Access, &best.Rule}
}

func narrower(s, than *span) bool {
	if s.first != than.first || s.end != than.end {
		return s.first >= than.first && (than.end == "" || s.end != "" && s.end <= than.end)
	}
	if (s.Group != "") != (than.Group != "") {
		return s.Group != ""
	}
	return s.Line < than.Line
}

func said(d Decision) string {
	if d.Rule == nil {
		return string(d.Access)
	}
	return fmt.Sprintf("%s by %d", d.Access, d.Rule.Line)
}

func listed(rules []Rule) string {
	var b strings.Builder
	for _, r := range rules {
		fmt.Fprintf(&b, "%d %s %s group %q from %d: %s\n", r.Line, r.Match, r.URL, r.Group, r.From, r.Access)
	}
	return b.String()
}

func FuzzRead(f *testing.F) {
	f.Add("rules:\n- {url: \"http://a.example/\", match: host, captured: {from: 2010, to: 2011}, say: no, access: block}\n")
	f.Add("rules:\n- {url: '*', embargo: {newer: 6 months, older: 10 years, until: 2030-01-01}, group: staff, access: exclude}\n")
	f.Add("rules: [&a {url: a.example, access: allow}, *a, {<<: *a, url: b.example/x/}]\n")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		for i := range r.spans {
			if d := r.For(r.spans[i].first, r.spans[i].Group); len(d.Rules()) == 0 {
				t.Errorf("no rule for the first key of %+v", r.spans[i])
			}
		}
	})
}

func FuzzReadACLJ(f *testing.F) {
	f.Add(`com,example)/a### - {"access": "exclude", "url": "http://example.com/a"}` + "\ncom, - {\"access\":\"block\",\"user\":\"staff\"}")
	f.Fuzz(func(_ *testing.T, text string) {
		if r, err := ReadACLJ(strings.NewReader(text)); err == nil {
			r.For("com,example)/a", "staff").Open()
		}
	})
}
