package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/varve-archive/varve/demo"
)

// asVarve returns this test binary under the name varve, as testscript's main provides it.
func asVarve(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("varve")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// manyFiles copies the sample archive often enough that indexing takes a while.
func manyFiles(t *testing.T, copies int) string {
	t.Helper()
	once, dir := t.TempDir(), t.TempDir()
	files, err := demo.Write(once)
	if err != nil {
		t.Fatal(err)
	}
	for i := range copies {
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			// A copy counts as another file only if its beginning differs, so each one gets a record before the others.
			head := packed([]byte(warcRecord(fmt.Sprintf("http://copy.example/%d/%s", i, filepath.Base(f)), "20200101000000", "copy")))
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%02d-%s", i, filepath.Base(f))), append(head, b...), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

func lines(t *testing.T, data string) string {
	t.Helper()
	return done(t, "cdx", "--data", data)
}

// done runs a command that must succeed and returns what it printed. A process that was killed between fork and exec of
// another leaves that with the lock of the index for a moment.
func done(t *testing.T, args ...string) string {
	t.Helper()
	for try := range 100 {
		var stdout, stderr bytes.Buffer
		code := run(context.Background(), args, &stdout, &stderr)
		if code == exitDone {
			return stdout.String()
		}
		if try == 99 || !strings.Contains(stderr.String(), "in use by another varve") {
			t.Fatalf("%v: %d: %s", args, code, &stderr)
		}
		time.Sleep(50 * time.Millisecond)
	}
	return ""
}

func indexed(t *testing.T, data, dir string) {
	t.Helper()
	done(t, "index", "--data", data, dir)
}

// It is safe to stop at any moment and to run again: nothing is lost or duplicated. After several kills, a complete run
// must give the same index as an undisturbed run.
func TestKilledIndexingIsCompleted(t *testing.T) {
	dir := manyFiles(t, 8)
	whole, killed := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "killed")
	begin := time.Now()
	indexed(t, whole, dir)
	took := time.Since(begin)
	want := lines(t, whole)
	varve, midway, kills := asVarve(t), 0, 3*killsOf(7) // of each of three commands
	for i := range kills {
		if i > 0 && i%9 == 0 { // soon all is done, and nothing is left to disturb
			indexed(t, killed, dir)
			if got := lines(t, killed); got != want {
				t.Fatalf("%d lines after %d kills, an undisturbed run has %d", strings.Count(got, "\n"), i, strings.Count(want, "\n"))
			}
			if err := os.RemoveAll(killed); err != nil {
				t.Fatal(err)
			}
		}
		args := []string{"index", "--data", killed, dir}
		switch i % 3 {
		case 1: // the search is built too
			args = append(args, "--search")
		case 2: // it watches, serves, and builds the search
			args = []string{"serve", "--data", killed, "--listen", "127.0.0.1:0", dir}
		}
		cmd := exec.Command(varve, args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(float64(took) * (0.05 + 0.4*rand.Float64())))
		_ = cmd.Process.Kill()
		if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != 0 {
			midway++
		}
		if i%3 == 1 || i == kills-1 {
			assertNoHalfFile(t, killed, want)
		}
	}
	t.Logf("%d of %d runs were killed before their end", midway, kills)
	indexed(t, killed, dir)
	if got := lines(t, killed); got != want {
		t.Errorf("%d lines, an undisturbed run has %d", strings.Count(got, "\n"), strings.Count(want, "\n"))
	}
	indexed(t, killed, dir)
	if got := lines(t, killed); got != want {
		t.Error("another run made another index")
	}
}

// assertNoHalfFile checks that the index lists either all captures of a file or none.
func assertNoHalfFile(t *testing.T, data, want string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(data, "index")); err != nil {
		return // killed before the index existed
	}
	have, all := byFile(lines(t, data)), byFile(want)
	for name, n := range have {
		if n != all[name] {
			t.Errorf("%s: %d of its %d captures can be seen", name, n, all[name])
		}
	}
}

func byFile(cdxj string) map[string]int {
	n := map[string]int{}
	for line := range strings.Lines(cdxj) {
		_, name, _ := strings.Cut(line, `"filename": "`)
		name, _, _ = strings.Cut(name, `"`)
		n[name]++
	}
	return n
}

// A full disk must lead to a message in a sentence. A limit on the size of files stands in for the full disk. The shell
// sets it, because it would apply to the test as well.
func TestFullDisk(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("ulimit -f is tried on Linux only")
	}
	dir, data := manyFiles(t, 2), filepath.Join(t.TempDir(), "data")
	var stdout, stderr bytes.Buffer
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	cmd := exec.CommandContext(ctx, "sh", "-c", `trap "" XFSZ; ulimit -f 40; exec "$0" index --data "$1" "$2"`, asVarve(t), data, dir)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGKILL) }
	_ = cmd.Run()
	said := stderr.String()
	if code := cmd.ProcessState.ExitCode(); code != exitPart {
		t.Errorf("exit %d: %.2000s", code, said)
	}
	if !strings.Contains(said, "file too large") && !strings.Contains(said, "no space left") {
		t.Errorf("no sentence says why: %.2000s", said)
	}
	if strings.Contains(said, "goroutine") || strings.Contains(said, "panic") || stdout.Len() > 0 {
		t.Errorf("it crashed: %.2000s %s", said, &stdout)
	}
	indexed(t, data, dir) // with room again, the next run completes the work
	whole := filepath.Join(t.TempDir(), "whole")
	indexed(t, whole, dir)
	if lines(t, data) != lines(t, whole) {
		t.Error("completed, the index differs from an undisturbed one")
	}
}

// A backup that is killed leaves the earlier ones as they were, and the next one completes what it began. The index is
// that of a server meanwhile.
func TestKilledBackupsLeaveTheOthers(t *testing.T) {
	dir, data, kept := manyFiles(t, 4), filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "kept")
	indexed(t, data, dir)
	want := lines(t, data)
	begin := time.Now()
	done(t, "backup", "--data", data, kept)
	took := time.Since(begin)
	server := exec.Command(asVarve(t), "serve", "--data", data, "--listen", "127.0.0.1:0")
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Wait() }()
	defer func() { _ = server.Process.Signal(syscall.SIGTERM) }()
	socket := filepath.Join(data, "control", "socket")
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(socket); err == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the server has no socket")
		}
	}
	if folder, err := os.Stat(filepath.Dir(socket)); err != nil {
		t.Error(err)
	} else if folder.Mode().Perm() != 0o700 {
		t.Errorf("others may come to the socket: %v", folder.Mode())
	}
	for i := range killsOf(6) {
		other := filepath.Join(kept, "..", fmt.Sprintf("kept%d", i%2)) // once with, once without an earlier backup
		if i%2 == 0 {
			other = kept
		}
		cmd := exec.Command(asVarve(t), "backup", "--data", data, other)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(float64(took) * rand.Float64()))
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		again := filepath.Join(t.TempDir(), "again")
		done(t, "restore", "--data", again, kept)
		if got := lines(t, again); got != want {
			t.Fatalf("%d lines were restored, want %d", strings.Count(got, "\n"), strings.Count(want, "\n"))
		}
	}
	done(t, "backup", "--data", data, kept)
	again := filepath.Join(t.TempDir(), "again")
	done(t, "restore", "--data", again, kept)
	if got := lines(t, again); got != want {
		t.Error("the last backup is not whole")
	}
}
