package varve_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// The threat model names a test for each claim. A test that was renamed or removed takes its claim along.
func TestThreatModelNamesTests(t *testing.T) {
	page, err := os.ReadFile("docs/isolation.md")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("git", "grep", "-hoE", "^func (Test|Fuzz)[A-Za-z0-9_]+", "--", "*_test.go").Output()
	if err != nil || len(out) == 0 {
		t.Skipf("no list of tests outside a checkout: %v", err)
	}
	have := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		have[strings.TrimPrefix(strings.TrimSpace(line), "func ")] = true
	}
	named := regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9_]+)`").FindAllStringSubmatch(string(page), -1)
	if len(named) < 30 {
		t.Errorf("only %d tests are named", len(named))
	}
	for _, name := range named {
		if !have[name[1]] {
			t.Errorf("docs/isolation.md names %s, which is no test", name[1])
		}
	}
	checkClaims(t, string(page))
}

// checkClaims checks that each row of a table of claims names a test, and that no row stands apart from its table.
func checkClaims(t *testing.T, page string) {
	t.Helper()
	named := regexp.MustCompile("`(Test|Fuzz)[A-Za-z0-9_]+`")
	const outside, others, claims = 0, 1, 2
	table, rows := outside, 0
	for row := range strings.Lines(page) {
		switch {
		case !strings.HasPrefix(row, "|"):
			table = outside
		case strings.HasPrefix(row, "| claim | test |"):
			table = claims
		case table == outside:
			if table = others; named.MatchString(row) {
				t.Errorf("a claim outside of a table: %s", row)
			}
		case table == claims && !strings.HasPrefix(row, "|---"):
			if rows++; !named.MatchString(row) {
				t.Errorf("a claim without a test: %s", row)
			}
		}
	}
	if rows < 50 {
		t.Errorf("only %d claims are made", rows)
	}
}
