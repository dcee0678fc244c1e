package fuzzy

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/varve-archive/varve/cdx/surt"
)

// A siteRule says which parts of the addresses of one site count. The rules are data, each with its source and with examples that are
// tested: see sites.yaml.
type siteRule struct {
	Name   string
	Source string             // where the rule comes from
	Match  pattern            // of keys
	To     string             // replacement of the match, with $1 for its groups; "" leaves the key unchanged
	Under  []string           // prefixes of keys with the same meaning, if To joins hosts or paths
	Sent   bool               // the rule is for requests with a body; otherwise for those without
	Need   []string           // arguments that an address must have for the rule to apply
	Args   *[]string          // the only further arguments that count
	Vary   []string           // or the ones that don't count; a trailing "*" makes one a prefix
	Parts  map[string]pattern // the part of an argument's value that counts
	Echo   map[string]pattern // by name in the response: the expression whose group finds the repeated value in the query
	Same   [][2]string        // examples: pairs of URLs with the same meaning
	Other  [][2]string        // pairs of URLs with different meanings
	Body   string             // the body of requests in the examples, with %s for the second part of each; for rules with Sent
}

// A pattern is a regular expression in the file.
type pattern struct{ *regexp.Regexp }

func (p *pattern) UnmarshalYAML(n *yaml.Node) (err error) {
	p.Regexp, err = regexp.Compile(n.Value)
	return err
}

//go:embed sites.yaml
var sites []byte

// siteRules parses sites.yaml. A test ensures that it is valid.
var siteRules = sync.OnceValue(func() []siteRule {
	rules, err := parseSiteRules(sites)
	if err != nil {
		panic(err)
	}
	return rules
})

func parseSiteRules(text []byte) ([]siteRule, error) {
	var rules []siteRule
	if err := yaml.Unmarshal(text, &rules); err != nil {
		return nil, fmt.Errorf("rules for sites: %w", err)
	}
	return rules, nil
}

// siteRuleOf returns the first rule that applies to a key, nil if none does.
func siteRuleOf(key string) *siteRule {
	rules := siteRules()
	for i := range rules {
		if r := &rules[i]; r.applies(key) {
			return r
		}
	}
	return nil
}

func (r *siteRule) applies(key string) bool {
	if !r.Match.MatchString(key) || r.Sent != surt.HasMethod(key) {
		return false
	}
	_, query, _ := strings.Cut(key, "?")
	for _, name := range r.Need {
		if !strings.HasPrefix(query, name+"=") && !strings.Contains(query, "&"+name+"=") {
			return false
		}
	}
	return true
}

// rename replaces the varying names in a key by one.
func (r *siteRule) rename(key string) string {
	if r.To == "" {
		return key
	}
	return r.Match.ReplaceAllString(key, r.To)
}

func (r *siteRule) counts(name, _ string) bool {
	switch {
	case name == "__wb_method" || slices.Contains(r.Need, name):
		return true
	case r.Args != nil:
		return slices.Contains(*r.Args, name)
	}
	return !slices.ContainsFunc(r.Vary, func(pattern string) bool {
		begin, open := strings.CutSuffix(pattern, "*")
		return name == begin || open && strings.HasPrefix(name, begin)
	})
}

// reduced reduces the arguments' values to the parts that count.
func (r *siteRule) reduced(query string) string {
	if len(r.Parts) == 0 {
		return query
	}
	args := strings.Split(query, "&")
	for i, arg := range args {
		name, value, _ := strings.Cut(arg, "=")
		if p, ok := r.Parts[name]; ok {
			if found := p.FindAllString(value, -1); len(found) > 0 {
				args[i] = name + "=" + strings.Join(found, ",")
			}
		}
	}
	return strings.Join(args, "&")
}

// decides reports whether the rule says which arguments count, instead of the rules for all sites.
func (r *siteRule) decides() bool { return r.Args != nil || len(r.Vary) > 0 }
