package sandbox

import (
	"bytes"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/content/pdf/pdftest"
)

func TestCappedKeepsTheBeginning(t *testing.T) {
	c := capped{most: 5}
	for _, s := range []string{"abc", "def", "ghi"} {
		if n, err := c.Write([]byte(s)); n != 3 || err != nil {
			t.Errorf("%s: %d, %v", s, n, err)
		}
	}
	if c.String() != "abcde" {
		t.Error(c.String())
	}
}

// A process that its limits ended is told from one that met an invalid file.
func TestLimitsAreToldFromInvalidFiles(t *testing.T) {
	exited, killed := exec.Command("sh", "-c", "exit 1").Run(), exec.Command("sh", "-c", "kill -9 $$").Run()
	for _, tt := range []struct {
		name string
		err  error
		said string
		want bool
	}{
		{"an invalid file", exited, "broken PDF", false},
		{"killed", killed, "", true},
		{"too much memory", exited, tooMuchMemory + "\n", true},
		{"too much memory for the runtime", exited, "fatal error: out of memory", true},
		{"never begun", errors.New("no such file"), "", false},
	} {
		if got := atLimits(tt.err, []byte(tt.said)); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// A test binary, and a process that reads a PDF, start no other process.
func TestNoProcessStartsItselfForEver(t *testing.T) {
	if text, err := Read(t.Context(), nil); err == nil || errors.Is(err, ErrLimits) {
		t.Errorf("%q, %v", text, err)
	}
}

// The process that reads foreign files is told no secrets.
func TestTheProcessKnowsNoSecrets(t *testing.T) {
	t.Setenv("AWS_SECRET_ACCESS_KEY", "hidden")
	if variables := strings.Join(environment(), " "); !strings.Contains(variables, child+"=1") || strings.Contains(variables, "hidden") {
		t.Errorf("it gets %s", variables)
	}
}

func TestAFileIsReadUpToALimit(t *testing.T) {
	const content = "BT /F1 12 Tf (river) Tj ET"
	file := pdftest.Page([]byte(content), "")
	if text, err := textOf(bytes.NewReader(file), len(file)); err != nil || strings.TrimSpace(text) != "river" {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := textOf(bytes.NewReader(file), len(file)-1); err == nil {
		t.Errorf("one byte more: %q", text)
	}
}
