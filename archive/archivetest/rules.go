package archivetest

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/access"
)

// Rules reads access rules in YAML; without text there are none.
func Rules(tb testing.TB, text string) *access.Rules {
	tb.Helper()
	if text == "" {
		return &access.Rules{}
	}
	rules, err := access.Read(strings.NewReader(text))
	if err != nil {
		tb.Fatal(err)
	}
	return rules
}

// Policy returns a policy with access rules in YAML.
func Policy(tb testing.TB, text string) *access.Policy {
	tb.Helper()
	p := &access.Policy{}
	p.Put(Rules(tb, text))
	return p
}
