package runs

import (
	"errors"
	"os"
	"testing"
	"time"
)

// An order was taken once the crawl's report tells of it, not when the crawl has begun to read it.
func TestAnOrderThatIsBeingTakenIsWaitedFor(t *testing.T) {
	dir := Folder(t.TempDir())
	mine, err := dir.Begin(t.Context(), "river")
	if err != nil {
		t.Fatal(err)
	}
	defer mine.End()
	state := Running
	report := func() Run { return Run{Report: Report{State: state}} }
	if err := mine.Write(report()); err != nil {
		t.Fatal(err)
	}
	given := make(chan error, 1)
	go func() {
		err := dir.Order(t.Context(), "river", Pause)
		if r, reading := dir.Get("river"); err == nil && (reading != nil || r.State != Paused) {
			err = errors.Join(errors.New("it was called taken while the crawl was "+string(r.State)), reading)
		}
		given <- err
	}()
	obeyed := false
	for !obeyed {
		mine.take(report, func(Order) {
			select {
			case err := <-given:
				given <- err
			case <-time.After(3 * lookInterval):
			}
			state, obeyed = Paused, true
		})
	}
	if err := <-given; err != nil {
		t.Error(err)
	}
	for _, file := range []string{orderFile, takenFile} {
		if _, err := os.Stat(dir.file("river", file)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left: %v", file, err)
		}
	}
}
