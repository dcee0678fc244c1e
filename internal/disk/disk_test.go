package disk

import (
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheckRoom(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	left := roomIn(dir)
	if left == 0 {
		t.Fatal("this disk is full")
	}
	for _, test := range []struct {
		name, dir string
		need      uint64
		full      bool
	}{
		{"little", dir, 1, false},
		{"more than any disk has", dir, math.MaxUint64, left != unknownRoom},
		{"in memory", "", math.MaxUint64, false},
		{"where the system doesn't tell", filepath.Join(dir, "nowhere"), math.MaxUint64, false},
	} {
		err := CheckRoom(test.dir, test.need)
		if errors.Is(err, ErrFull) != test.full || err != nil && !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	if left != unknownRoom && left >= 1<<60 {
		t.Errorf("%d bytes are free in %s", left, dir)
	}
}
