package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const pkg = "github.com/varve-archive/varve/"

// begun puts the events of one go test around its output.
func begun(arguments, output string, code int) string {
	return fmt.Sprintf(`{"Action":"begin","Output":"%s"}`+"\n%s"+`{"Action":"exit","Output":"%d"}`+"\n", arguments, output, code)
}

func TestSecondChances(t *testing.T) {
	many := make([]string, 0, most+2)
	for i := range most + 1 {
		many = append(many, fmt.Sprintf("fail cdx Test%d", i))
	}
	fine := begun("./...", stream("pass cdx TestA", "pass cdx"), 0)
	tests := []struct {
		name   string
		first  string
		again  string // the arguments of the second run
		second string
		want   string // the end of what is told
		failed int
	}{
		{"nothing failed", fine, "", "", "1 passed, 0 failed, 0 skipped\n", 0},
		{
			"a test and its part pass the second time",
			begun("-short -timeout 10m . ./e2e ./...", stream("fail e2e TestA/x(1)", "fail e2e TestA", "pass e2e TestB", "fail e2e"), 1),
			"-short -timeout 10m -json -count=1 -run ^(TestA)$ " + pkg + "e2e",
			stream("pass e2e TestA/x(1)", "pass e2e TestA", "pass e2e"),
			"\nfailed at first, then run once more:\n  passed  e2e TestA\n\n3 passed, 0 failed, 0 skipped\n", 0,
		},
		{
			"it fails again",
			begun("./...", stream("fail e2e TestA", "fail e2e TestB", "fail e2e"), 1),
			"-json -count=1 -run ^(TestA|TestB)$ " + pkg + "e2e", stream("pass e2e TestA", "fail e2e TestB", "fail e2e"),
			"\nfailed at first, then run once more:\n  passed  e2e TestA\n  failed  e2e TestB\n\n1 passed, 1 failed, 0 skipped\n", 1,
		},
		{
			"it does not run the second time",
			begun("./...", stream("fail e2e TestA", "fail e2e"), 1), "-json -count=1 -run ^(TestA)$ " + pkg + "e2e", stream("pass e2e"),
			"\nfailed at first, then run once more:\n  failed  e2e TestA\n\n0 passed, 1 failed, 0 skipped\n", 1,
		},
		{
			"a test failed in one way passes in that way",
			begun("-race ./cdx", stream("fail cdx TestA", "fail cdx"), 1) + fine,
			"-race -json -count=1 -run ^(TestA)$ " + pkg + "cdx", stream("pass cdx TestA", "pass cdx"),
			"\nfailed at first, then run once more:\n  passed  cdx TestA\n\n1 passed, 0 failed, 0 skipped\n", 0,
		},
		{
			"too many failed", begun("./...", stream(append(many, "fail cdx")...), 1), "", "",
			fmt.Sprintf("\n0 passed, %d failed, 0 skipped\n", most+1), most + 1,
		},
		{
			"a race is a fault",
			begun("-race ./...", stream("output cdx TestA | WARNING: DATA RACE", "fail cdx TestA", "fail cdx"), 1), "", "",
			"\n0 passed, 1 failed, 0 skipped\n", 1,
		},
		{
			"a panic is a fault, and nothing beside it is tried again",
			begun("./...", stream("fail e2e TestB", "fail e2e", "output cdx TestA | panic: no", "output cdx | FAIL", "fail cdx"), 1), "", "",
			"\n0 passed, 2 failed, 0 skipped\n", 2,
		},
		{"a package does not build", begun("./...", stream("fail cdx"), 1), "", "", "\n0 passed, 1 failed, 0 skipped\n", 1},
		{"go test itself fails", fine + begun("-C tools", "", 2), "", "", "\n1 passed, 1 failed, 0 skipped\n", 1},
		{"nothing says how it was run", stream("fail cdx TestA", "fail cdx"), "", "", "\n0 passed, 1 failed, 0 skipped\n", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			c := newTally(&out)
			if err := c.read(strings.NewReader(tt.first)); err != nil {
				t.Fatal(err)
			}
			var again []string
			for _, r := range c.secondChances() {
				again = append(again, r.arguments()...)
			}
			if got := strings.Join(again, " "); got != tt.again {
				t.Errorf("runs again with %q, want %q", got, tt.again)
			}
			if err := c.read(strings.NewReader(tt.second)); err != nil {
				t.Fatal(err)
			}
			if failed := c.close(); failed != tt.failed || !strings.HasSuffix(out.String(), tt.want) {
				t.Errorf("%d failed, want %d; told:\n%s\nwant at its end:\n%s", failed, tt.failed, out.String(), tt.want)
			}
		})
	}
}

// Each package is run again by itself, with the flags of its own go test.
func TestRetriesKeepTheirFlags(t *testing.T) {
	c := newTally(&strings.Builder{})
	in := begun("-race ./cdx", stream("fail cdx TestA", "fail cdx"), 1) +
		begun("-C tools ./...", stream("fail tools/x TestB", "fail tools/x"), 1)
	if err := c.read(strings.NewReader(in)); err != nil {
		t.Fatal(err)
	}
	var flags []string
	for _, r := range c.secondChances() {
		flags = append(flags, r.flags...)
	}
	if want := []string{"-race", "-C", "tools"}; !slices.Equal(flags, want) {
		t.Errorf("%q, want %q", flags, want)
	}
}
