package badger

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

const (
	toCompact  = "VARVE_COMPACT" // the folder that a process of this test compacts until it is killed
	manyKeys   = 20_000
	whileAlive = time.Minute // after which that process ends, if nobody kills it
)

func keyOf(i int) []byte   { return fmt.Appendf(nil, "key %06d", i) }
func valueOf(i int) []byte { return fmt.Appendf(nil, "value %d of many bytes %0200d", i, i) }

// write writes every so many of the keys, and closes the store, which makes a table of them.
func write(dir string, every int) error {
	s, err := Open(dir, nil)
	if err != nil {
		return err
	}
	b := s.Batch(context.Background())
	for i := 0; i < manyKeys && err == nil; i += every {
		err = b.Set(keyOf(i), valueOf(i))
	}
	return errors.Join(err, b.Flush(), s.Sync(context.Background()), s.Close())
}

// compactForever is what the process does that is killed: it adds tables that overlap, and compacts them.
func compactForever(t *testing.T, dir string) {
	for end := time.Now().Add(whileAlive); time.Now().Before(end); {
		for _, every := range []int{1, 2, 3} {
			if err := write(dir, every); err != nil {
				t.Fatal(err)
			}
		}
		if err := Compact(dir, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// A compaction that is killed at any moment loses nothing.
func TestKilledCompactionLosesNothing(t *testing.T) {
	if dir := os.Getenv(toCompact); dir != "" {
		compactForever(t, dir)
		return
	}
	kills := 4
	if n, err := strconv.Atoi(os.Getenv("VARVE_KILLS")); err == nil { // make kills
		kills = n
	}
	dir := filepath.Join(t.TempDir(), "index")
	if err := write(dir, 1); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := errors.Join(write(dir, 2), write(dir, 3), Compact(dir, nil)); err != nil {
		t.Fatal(err)
	}
	round := time.Since(began)
	for range kills {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestKilledCompactionLosesNothing$")
		cmd.Env = append(os.Environ(), toCompact+"="+dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(float64(round) * (0.1 + 2*rand.Float64())))
		_ = cmd.Process.Kill()
		if err := cmd.Wait(); err == nil || cmd.ProcessState.Exited() {
			t.Fatalf("it ended by itself: %v", err)
		}
		assertWhole(t, dir)
	}
}

func assertWhole(t *testing.T, dir string) {
	t.Helper()
	s := opened(t, dir)
	defer s.Close()
	if err := holdsAll(t, s); err != nil {
		t.Fatal(err)
	}
}
