// Package e2e tests varve as its users meet it: the built binary, over HTTP, in a browser, and by signals. It
// contains only tests. Each names the rule it checks: a section of an RFC, or a sentence about what users can rely
// on.
package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// binary is the varve under test, built once for all tests.
var binary string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "varve-e2e")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "varve")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", binary, "../cmd/varve")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building varve: %v\n%s", err, out)
		return 1
	}
	defer stopShared()
	return m.Run()
}
