package fuzzy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/cdx/surt"
)

// keyOf returns the key of an example: a URL or, for rules with Sent, a URL and the words to put into the body.
func (r *siteRule) keyOf(example string) string {
	if !r.Sent {
		return surt.Of(example)
	}
	words := strings.Fields(example)
	body := fmt.Sprintf(r.Body, words[1], words[len(words)-1], words[1]+words[0])
	return surt.OfRequest(words[0], "POST", []byte(body), "application/json")
}

// Every rule names its source and holds for its examples.
func TestRulesForSites(t *testing.T) {
	names := map[string]bool{}
	for i := range siteRules() {
		r := &siteRules()[i]
		t.Run(r.Name, func(t *testing.T) {
			if r.Name == "" || names[r.Name] || r.Source == "" || len(r.Same) == 0 || len(r.Other) == 0 {
				t.Error("a rule has a name of its own, a source, and examples of what is the same and what is not")
			}
			names[r.Name] = true
			for _, pair := range r.Same {
				a, b := r.keyOf(pair[0]), r.keyOf(pair[1])
				if got := siteRuleOf(a); got != r {
					t.Errorf("%s: decided by %v", pair[0], got)
				}
				if a == b || Of(a) != Of(b) {
					t.Errorf("%s means %s, %s means %s", pair[0], Of(a), pair[1], Of(b))
				}
				if !within(Spans(a), b) || !within(Spans(b), a) {
					t.Errorf("%s is not looked for where %s is: %v", pair[0], pair[1], Spans(b))
				}
			}
			for _, pair := range r.Other {
				if a, b := r.keyOf(pair[0]), r.keyOf(pair[1]); Of(a) == Of(b) {
					t.Errorf("%s and %s both mean %s", pair[0], pair[1], Of(a))
				}
			}
		})
	}
}

func within(spans []Span, key string) bool {
	return slices.ContainsFunc(spans, func(s Span) bool { return s.From <= key && key < s.To && s.Most > 0 })
}

func TestBrokenRulesAreRefused(t *testing.T) {
	for _, text := range []string{"- match: '('", "- need: 7: 8", "name: alone"} {
		if _, err := parseSiteRules([]byte(text)); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}
