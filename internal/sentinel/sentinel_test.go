package sentinel_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/varve-archive/varve/internal/sentinel"
)

func TestIs(t *testing.T) {
	const busy, late = sentinel.Error("busy"), sentinel.Error("late")
	err := fmt.Errorf("a request: %w", busy)
	if !errors.Is(err, busy) || errors.Is(err, late) || err.Error() != "a request: busy" {
		t.Errorf("%v", err)
	}
}
