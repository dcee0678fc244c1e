package varve_test

import (
	"os"
	"os/exec"
	"path/filepath"
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

// Documents name only what there is: the targets of their links, and files and folders of the source.
func TestDocumentsNameWhatThereIs(t *testing.T) {
	out, err := exec.Command("git", "ls-files", "*.md").Output()
	if err != nil || len(out) == 0 {
		t.Skipf("no list of documents outside a checkout: %v", err)
	}
	link := regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
	source := regexp.MustCompile(
		"`((?:archive|banner|cdx|cmd|demo|gather|internal|memento|replay|rewrite|scripts|tools)/[a-z0-9/_]+(?:\\.go)?)`")
	links, sources := 0, 0
	for _, document := range strings.Fields(string(out)) {
		text, err := os.ReadFile(document)
		if document == "CHANGELOG.md" || err != nil {
			continue // it tells what was
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if links++; !exists(filepath.Join(filepath.Dir(document), m[1])) {
				t.Errorf("%s links to %s, which isn't there", document, m[1])
			}
		}
		for _, m := range source.FindAllStringSubmatch(string(text), -1) {
			if sources++; !exists(m[1]) {
				t.Errorf("%s names %s, which isn't there", document, m[1])
			}
		}
	}
	if links < 100 || sources < 30 {
		t.Errorf("only %d links and %d files were looked at", links, sources)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// ARCHITECTURE.md's drawing is true: a package imports only what stands on a lower line, and each that it names exists.
func TestTheDrawingIsTrue(t *testing.T) {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, drawing, _ := strings.Cut(string(text), "```\ncmd/varve ")
	drawing, _, _ = strings.Cut("cmd/varve "+drawing, "```")
	imports, line := importsOfOurs(t), map[string]int{}
	name := regexp.MustCompile(`^[a-z]+(?:/[a-z]+)*$`)
	for n, row := range strings.Split(drawing, "\n") {
		for _, word := range strings.Fields(row) {
			if _, ours := imports[word]; !ours || !name.MatchString(word) {
				break // what follows says what the packages are for
			}
			line[word] = n
		}
	}
	if len(line) < 35 {
		t.Errorf("only %d packages are drawn", len(line))
	}
	for pkg, at := range line {
		for _, other := range imports[pkg] {
			if below, drawn := line[other]; drawn && below <= at {
				t.Errorf("%s imports %s, which is drawn beside or above it", pkg, other)
			}
		}
	}
}

// What a newcomer reads first stays short.
func TestFirstDocumentsAreShort(t *testing.T) {
	for document, most := range map[string]int{"README.md": 120, "ARCHITECTURE.md": 250} {
		text, err := os.ReadFile(document)
		if n := strings.Count(string(text), "\n"); err != nil || n > most {
			t.Errorf("%s has %d lines, %d at most: %v", document, n, most, err)
		}
	}
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
