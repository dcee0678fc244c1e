package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A short soak: all kinds of requests while files come and go, each answer held against what is in the store. That nothing leaks takes
// longer to tell (make soak).
func TestSoak_long(t *testing.T) {
	t.Parallel() // it mostly waits
	dir := t.TempDir()
	soak := filepath.Join(dir, "soak")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", soak, "../internal/soak").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	span := "15s"
	if testing.Short() {
		span = "5s"
	}
	out, err := exec.CommandContext(t.Context(), soak, "-for", span, "-rate", "60", "-out", dir, binary).CombinedOutput()
	if err != nil {
		wrong, _ := os.ReadFile(filepath.Join(dir, "failures.txt"))
		t.Errorf("%v\n%s\n%.5000s", err, out, wrong)
	}
}
