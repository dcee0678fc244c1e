package surt

import (
	"os"
	"regexp"
	"testing"
)

// The tables of docs/surt.md are the test cases for unusual forms.
func TestKeysOfThePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/surt.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile("(?m)^\\| `.*$").FindAllString(string(page), -1)
	row := regexp.MustCompile("^\\| `([^`]+)` \\| `([^`]+)` \\| (As the library\\b|The library (has|keeps) ).*\\. \\|$")
	if len(lines) < 40 {
		t.Errorf("only %d rows", len(lines))
	}
	for _, line := range lines {
		m := row.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("want URI, key, and what the library has: %s", line)
			continue
		}
		if got := URLKey(Of(m[1]), m[1]); got != m[2] {
			t.Errorf("the key of %q is %q, the page has %q", m[1], got, m[2])
		}
	}
}
