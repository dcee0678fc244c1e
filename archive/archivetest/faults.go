package archivetest

import (
	"slices"
	"testing"
)

// EachFault asks something of a shelf on which nothing is known yet, as often as that needs operations of the store, and has another one
// fail each time. Each fault must be reported, but for one in keeping what was learnt: without that, all is learnt again.
func EachFault(t *testing.T, records []Record, ask func(s *Shelf) error) {
	t.Helper()
	keeping := []string{"update", "get to update", "commit"}
	fresh := func(n int) ([]string, error) {
		s := Keep(t, records...)
		s.Store.FailAt(n)
		err := ask(s)
		return s.Store.Steps(), err
	}
	steps, err := fresh(0)
	if err != nil || len(steps) == 0 {
		t.Fatalf("without a fault, in %d steps: %v", len(steps), err)
	}
	for n := 1; n <= len(steps); n++ {
		if _, err := fresh(n); err == nil && !slices.Contains(keeping, steps[n-1]) {
			t.Errorf("no error when step %d of %d fails: %q", n, len(steps), steps[n-1])
		}
	}
}
