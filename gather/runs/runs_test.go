package runs_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/varve-archive/varve/gather/runs"
	"github.com/varve-archive/varve/internal/disk"
)

// A process that is only there to be killed: it has a crawl that runs.
func TestMain(m *testing.M) {
	if dir := os.Getenv("RUNS_TEST_CRAWL"); dir != "" {
		mine, err := runs.Folder(dir).Begin(context.Background(), "river")
		if err == nil {
			err = mine.Write(runs.Run{Report: runs.Report{State: runs.Running, URL: "http://a.example/"}})
		}
		if err != nil {
			panic(err)
		}
		_, _ = os.Stdout.WriteString("running\n")
		_, _ = os.Stdin.Read(make([]byte, 1))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestAKilledCrawlHasStopped(t *testing.T) {
	dir := runs.Folder(filepath.Join(t.TempDir(), "crawls"))
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "RUNS_TEST_CRAWL="+string(dir))
	if _, err := cmd.StdinPipe(); err != nil { // it ends if this process does
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if r, err := dir.Get("river"); err != nil || r.State != runs.Running || r.URL == "" {
		t.Errorf("alive: %+v, %v", r, err)
	}
	if _, err := dir.Begin(t.Context(), "river"); !errors.Is(err, runs.ErrRunning) {
		t.Errorf("beside itself: %v", err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if r, err := dir.Get("river"); err != nil || r.State != runs.Stopped || r.URL != "" {
		t.Errorf("killed: %+v, %v", r, err)
	}
	if err := dir.Order(t.Context(), "river", runs.Pause); !errors.Is(err, runs.ErrNotRunning) {
		t.Errorf("an order: %v", err)
	}
	mine, err := dir.Begin(t.Context(), "river")
	if err != nil {
		t.Fatal(err)
	}
	if err := mine.End(); err != nil {
		t.Fatal(err)
	}
}

// Once an order was taken, the report has what it led to.
func TestOrders(t *testing.T) {
	dir := runs.Folder(filepath.Join(t.TempDir(), "crawls"))
	if all, err := dir.All(); err != nil || len(all) != 0 {
		t.Errorf("without a folder: %v, %v", all, err)
	}
	if err := dir.Order(t.Context(), "river", runs.Pause); !errors.Is(err, runs.ErrUnknown) {
		t.Errorf("to none: %v", err)
	}
	mine, err := dir.Begin(t.Context(), "river")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	state := runs.Running
	report := func() runs.Run {
		mu.Lock()
		defer mu.Unlock()
		return runs.Run{Report: runs.Report{Name: "river", State: state}}
	}
	if err := mine.Write(report()); err != nil {
		t.Fatal(err)
	}
	stop := mine.Keep(report, func(o runs.Order) {
		mu.Lock()
		defer mu.Unlock()
		state = map[runs.Order]runs.State{runs.Pause: runs.Paused, runs.Resume: runs.Running, runs.Stop: runs.Stopped}[o]
	})
	for _, step := range []struct {
		order runs.Order
		want  runs.State
	}{{"pause", runs.Paused}, {"resume", runs.Running}, {"stop", runs.Stopped}} {
		if err := dir.Order(t.Context(), "river", step.order); err != nil {
			t.Fatalf("%s: %v", step.order, err)
		}
		if r, err := dir.Get("river"); err != nil || r.State != step.want || time.Since(r.Written) > time.Hour {
			t.Errorf("%s: %+v, %v", step.order, r, err)
		}
	}
	stop()
	if err := dir.Order(t.Context(), "river", runs.Resume); !errors.Is(err, runs.ErrNotRunning) {
		t.Errorf("to one that has ended: %v", err)
	}
	if err := dir.Order(t.Context(), "river", "explode"); err == nil {
		t.Error("any word is an order")
	}
	if err := mine.End(); err != nil {
		t.Fatal(err)
	}
}

// An order that a crawl left to its successor is not obeyed.
func TestOrdersOfBeforeAreForgotten(t *testing.T) {
	dir := runs.Folder(t.TempDir())
	if err := os.MkdirAll(dir.Home("river"), 0o755); err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, name := range []string{"order", "order-taken", disk.HalfWritten + "1"} { // the last was never completed
		order := filepath.Join(dir.Home("river"), name)
		old := time.Now().Add(-48 * time.Hour)
		if err := errors.Join(os.WriteFile(order, []byte("stop"), 0o644), os.Chtimes(order, old, old)); err != nil {
			t.Fatal(err)
		}
		left = append(left, order)
	}
	mine, err := dir.Begin(t.Context(), "river")
	if err != nil {
		t.Fatal(err)
	}
	defer mine.End()
	for _, order := range left {
		if _, err := os.Stat(order); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is there: %v", order, err)
		}
	}
}

// A crawl is there from the moment at which its progress is kept.
func TestProgressIsWrittenAtOnce(t *testing.T) {
	dir := runs.Folder(t.TempDir())
	mine, err := dir.Begin(t.Context(), "river")
	if err != nil {
		t.Fatal(err)
	}
	mine.Keep(func() runs.Run { return runs.Run{Report: runs.Report{State: runs.New}} }, func(runs.Order) {})()
	if r, err := dir.Get("river"); err != nil || r.State != runs.New {
		t.Errorf("%+v, %v", r, err)
	}
	if err := mine.End(); err != nil {
		t.Fatal(err)
	}
}

// An order that isn't taken is withdrawn: the giver was told that it failed.
func TestOrdersThatNobodyTakes(t *testing.T) {
	dir := runs.Folder(t.TempDir())
	mine, err := dir.Begin(t.Context(), "river")
	if err != nil {
		t.Fatal(err)
	}
	if err := mine.Write(runs.Run{Report: runs.Report{State: runs.Running}}); err != nil {
		t.Fatal(err)
	}
	order := filepath.Join(dir.Home("river"), "order")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, step := range []struct {
		ctx  context.Context
		then func() error
		want error
	}{
		{ctx, func() error { cancel(); return nil }, runs.ErrSilent},
		{t.Context(), mine.End, runs.ErrNotRunning},
	} {
		given := make(chan error, 1)
		go func() { given <- dir.Order(step.ctx, "river", runs.Stop) }()
		for _, err := os.Stat(order); err != nil && len(given) == 0; _, err = os.Stat(order) {
			runtime.Gosched()
		}
		if err := errors.Join(step.then(), <-given); !errors.Is(err, step.want) {
			t.Errorf("%v, want %v", err, step.want)
		}
		if _, err := os.Stat(order); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%v: the order is there: %v", step.want, err)
		}
	}
}

func TestWhatIsComplete(t *testing.T) {
	for _, r := range []struct {
		is   runs.Report
		want bool
	}{{runs.Report{State: runs.Completed}, true}, {runs.Report{State: runs.Completed, Limit: "max_pages"}, false}, {runs.Report{}, false}} {
		if r.is.Complete() != r.want {
			t.Errorf("%+v is complete: %t", r.is, !r.want)
		}
	}
}

// Names that lead elsewhere are those of no crawl, and a damaged file hides no other crawl.
func TestNamesAndDamage(t *testing.T) {
	dir := runs.Folder(t.TempDir())
	for _, name := range []string{"", "..", ".", "../x", "a/b", `a\b`, "A", "-a", "a b", "a\x00"} {
		if _, err := dir.Get(name); !errors.Is(err, runs.ErrUnknown) {
			t.Errorf("%q: %v", name, err)
		}
		if _, err := dir.Begin(t.Context(), name); err == nil {
			t.Errorf("%q begins", name)
		}
	}
	for name, text := range map[string]string{"bad": "{", "good": `{"name":"other","state":"running","pages":3}`, "empty": "", "a b": "{}"} {
		if err := os.MkdirAll(dir.Home(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if name == "empty" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir.Home(name), "status.json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(dir.Home("file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	all, err := dir.All()
	if err == nil || strings.Contains(err.Error(), "file") || len(all) != 1 || all[0].Name != "good" || all[0].Pages != 3 ||
		all[0].State != runs.Stopped { // nobody has ever run it here
		t.Errorf("%+v, %v", all, err)
	}
}

func TestStatesThatHaveAProcess(t *testing.T) {
	for state, want := range map[runs.State]bool{
		runs.New: true, runs.Running: true, runs.Paused: true, runs.Completed: false, runs.Stopped: false, runs.Failed: false, "": false,
	} {
		if state.IsAlive() != want {
			t.Errorf("%q lives: %t", state, !want)
		}
	}
}

// What a crawl was doing when its process ended is over; what had ended stays as it is.
func TestACrawlWithoutAProcessDoesNothing(t *testing.T) {
	dir := runs.Folder(t.TempDir())
	for state, want := range map[runs.State]runs.State{
		runs.New: runs.Stopped, runs.Running: runs.Stopped, runs.Paused: runs.Stopped, runs.Completed: runs.Completed, runs.Failed: runs.Failed,
	} {
		mine, err := dir.Begin(t.Context(), "river")
		if err != nil {
			t.Fatal(err)
		}
		if err := mine.Write(runs.Run{Report: runs.Report{State: state, URL: "http://a.example/"}}); err != nil {
			t.Fatal(err)
		}
		if r, err := dir.Get("river"); err != nil || r.State != state || r.URL == "" {
			t.Errorf("%s: %s at %q, %v", state, r.State, r.URL, err)
		}
		if err := mine.End(); err != nil {
			t.Fatal(err)
		}
		if r, err := dir.Get("river"); err != nil || r.State != want || (r.URL == "") != (want != state) || r.Name != "river" {
			t.Errorf("%s, afterwards: %s at %q, %v", state, r.State, r.URL, err)
		}
	}
}
