package jobs_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/gather/jobs"
	"github.com/varve-archive/varve/internal/disk"
)

func left(t *testing.T, f jobs.Folder, name string) jobs.Job {
	t.Helper()
	j, err := f.Leave(jobs.Job{Name: name, File: "seeds: [http://a.example/]", Seeds: []string{"http://a.example/"}})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// until waits until a job is in a state.
func until(t *testing.T, f jobs.Folder, id string, want jobs.State) jobs.Job {
	t.Helper()
	for t.Context().Err() == nil {
		j, err := f.Get(id)
		if err != nil {
			t.Fatal(err)
		}
		if j.State == want {
			return j
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s never was %s", id, want)
	return jobs.Job{}
}

// take takes jobs in the background until stop is called.
func take(t *testing.T, f jobs.Folder, do func(context.Context, jobs.Job) error) (stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.Take(ctx, do) }()
	return func() error { cancel(); return <-ended }
}

// What killed processes have not finished goes from all folders when jobs are taken.
func TestHalfWrittenJobsGo(t *testing.T) {
	t.Parallel()
	f := jobs.Folder(t.TempDir())
	ran := left(t, f, "one")
	for _, place := range []string{"waiting", "running", "over"} {
		path := filepath.Join(string(f), place, disk.HalfWritten+"1")
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chtimes(path, time.Time{}, time.Now().Add(-48*time.Hour))); err != nil {
			t.Fatal(err)
		}
	}
	stop := take(t, f, func(context.Context, jobs.Job) error { return nil })
	until(t, f, ran.ID, jobs.Done)
	if err := stop(); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if left, err := filepath.Glob(filepath.Join(string(f), "*", disk.HalfWritten+"*")); len(left) > 0 || err != nil {
		t.Errorf("%q are left, %v", left, err)
	}
}

func TestJobsAreTakenInOrder(t *testing.T) {
	t.Parallel()
	f := jobs.Folder(filepath.Join(t.TempDir(), "jobs"))
	if all, err := f.All(); len(all) != 0 || err != nil || f.Taken() {
		t.Fatalf("without a folder: %v, %v", all, err)
	}
	one, two, three := left(t, f, "one"), left(t, f, "two"), left(t, f, "three")
	if _, err := f.Cancel(two.ID); err != nil {
		t.Fatal(err)
	}
	order := make(chan string, 3)
	stop := take(t, f, func(_ context.Context, j jobs.Job) error {
		if !f.Taken() {
			t.Error("nobody seems to take jobs")
		}
		order <- j.Name + " " + string(j.State)
		if j.Name == "three" {
			return errors.New("no such host")
		}
		return nil
	})
	last := until(t, f, three.ID, jobs.Failed)
	if err := stop(); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(order)
	var said []string
	for s := range order {
		said = append(said, s)
	}
	if got := strings.Join(said, ", "); got != "one running, three running" {
		t.Errorf("taken: %s", got)
	}
	for state, id := range map[string]string{"done": one.ID, "canceled": two.ID, "failed": three.ID} { // what clients read
		if text, err := os.ReadFile(filepath.Join(string(f), "over", id+".json")); !strings.Contains(string(text), `"state":"`+state+`"`) {
			t.Errorf("want %s: %s, %v", state, text, err)
		}
	}
	if last.Error != "no such host" || last.Begun.IsZero() || last.Ended.IsZero() {
		t.Errorf("the last one: %+v", last)
	}
	all, err := f.All()
	if err != nil || len(all) != 3 || all[0].ID != three.ID || all[1].State != jobs.Canceled || all[1].Ended.IsZero() ||
		all[2].ID != one.ID || all[2].State != jobs.Done {
		t.Errorf("in the end: %+v, %v", all, err)
	}
	for id, want := range map[string]error{one.ID: jobs.ErrTaken, two.ID: jobs.ErrTaken, "../x": jobs.ErrUnknown, "": jobs.ErrUnknown} {
		if _, err := f.Cancel(id); !errors.Is(err, want) {
			t.Errorf("canceling %q: %v", id, err)
		}
	}
}

// The name of a job leads to no other file.
func TestOnlyJobsAreRead(t *testing.T) {
	t.Parallel()
	f := jobs.Folder(filepath.Join(t.TempDir(), "jobs"))
	left(t, f, "one")
	for _, at := range []string{"secret", "waiting/secret", "waiting/", "../secret"} {
		if err := os.WriteFile(filepath.Join(string(f), at+".json"), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range []string{"../secret", "secret", "../../secret", "", "../waiting/secret"} {
		if j, err := f.Get(id); !errors.Is(err, jobs.ErrUnknown) {
			t.Errorf("%q: %+v, %v", id, j, err)
		}
	}
	if all, err := f.All(); err != nil || len(all) != 1 {
		t.Errorf("%d jobs, %v", len(all), err)
	}
}

// IDs are times and six letters or digits.
func TestIsID(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{
		"20260301-120000.000000-az09az": true, "20260301-120000.000000-az09a": false, "20260301-120000.000000-az09azz": false,
		"20260301-120000.000000-az09a`": false, "20260301-120000.000000-az09a{": false, "20260301-120000.000000-az09a/": false,
		"20260301-120000.000000-az09a:": false, "20261301-120000.000000-az09az": false, "20260301-120000.000000": false,
		"20260301-120000.000000az09az": false,
	} {
		if jobs.IsID(id) != want {
			t.Errorf("%s: %t", id, !want)
		}
	}
}

// Where the file of a job lies decides its state, whatever it says; what a killed process left twice is over.
func TestFilesOfJobs(t *testing.T) {
	t.Parallel()
	f := jobs.Folder(t.TempDir())
	one := left(t, f, "one")
	for name, text := range map[string]string{
		"over/20260301-120000.000001-aaaaaa.json": `{"state": "done"}`, "over/20260301-120000.000002-aaaaaa.json": `{"state": "running"}`,
		"over/20260301-120000.000003-aaaaaa.json": `{"state": "waiting"}`, "over/20260301-120000.000004-aaaaaa.json": `{"state": "failed"}`,
		"running/20260301-120000.000004-aaaaaa.json": `{"state": "running"}`, "running/20260301-120000.000005-aaaaaa.json": `{"id": "x"}`,
		"waiting/20260301-120000.000006-aaaaaa": `{}`, "waiting/x.json": `{}`,
	} {
		if err := os.WriteFile(filepath.Join(string(f), filepath.FromSlash(name)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	states := func() (said []string) {
		all, err := f.All()
		if err != nil {
			t.Error(err)
		}
		for _, j := range all {
			said = append(said, strings.TrimPrefix(j.ID, "20260301-120000.00000")+" "+string(j.State))
		}
		return said
	}
	want := []string{one.ID + " waiting", "5-aaaaaa waiting", "4-aaaaaa failed", "3-aaaaaa canceled", "2-aaaaaa canceled", "1-aaaaaa done"}
	if diff := cmp.Diff(want, states()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	stop := take(t, f, func(context.Context, jobs.Job) error { return nil })
	until(t, f, one.ID, jobs.Done)
	_ = stop()
	want[0], want[1] = one.ID+" done", "5-aaaaaa done"
	if diff := cmp.Diff(want, states()); diff != "" {
		t.Errorf("taken, -want +got:\n%s", diff)
	}
	if rest, err := os.ReadDir(filepath.Join(string(f), "running")); err != nil || len(rest) > 0 {
		t.Errorf("still running: %v, %v", rest, err)
	}
}

// A job whose process ends before it is done waits again.
func TestAJobThatIsCutOffWaitsAgain(t *testing.T) {
	t.Parallel()
	f := jobs.Folder(t.TempDir())
	j := left(t, f, "one")
	stop := take(t, f, func(ctx context.Context, _ jobs.Job) error { <-ctx.Done(); return ctx.Err() })
	until(t, f, j.ID, jobs.Running)
	if _, err := f.Cancel(j.ID); !errors.Is(err, jobs.ErrTaken) {
		t.Errorf("canceling what runs: %v", err)
	}
	if err := stop(); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if j := until(t, f, j.ID, jobs.Waiting); j.Error != "" {
		t.Errorf("%+v", j)
	}
	// As a killed process leaves it.
	for _, again := range []bool{true, false} {
		if err := os.Rename(filepath.Join(string(f), "waiting", j.ID+".json"), filepath.Join(string(f), "running", j.ID+".json")); err != nil {
			t.Fatal(err)
		}
		until(t, f, j.ID, jobs.Waiting)
		if again {
			stop = take(t, f, func(ctx context.Context, _ jobs.Job) error { <-ctx.Done(); return ctx.Err() })
			until(t, f, j.ID, jobs.Running)
			_ = stop()
		}
	}
	if _, err := f.Cancel(j.ID); err != nil {
		t.Fatal(err)
	}
	until(t, f, j.ID, jobs.Canceled)
}

// A job that is cut off goes on with its crawl when it is taken again, and is done if that was complete already.
func TestAJobThatIsTakenAgainGoesOn(t *testing.T) {
	t.Parallel()
	f := jobs.Folder(t.TempDir())
	j := left(t, f, "one")
	j.New = true
	text, err := json.Marshal(j)
	if err = errors.Join(err, os.WriteFile(filepath.Join(string(f), "waiting", j.ID+".json"), text, 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, anew := range []bool{true, false, false} {
		stop := take(t, f, func(ctx context.Context, j jobs.Job) error {
			if j.New != anew {
				t.Errorf("it begins anew: %t", j.New)
			}
			<-ctx.Done()
			return ctx.Err()
		})
		until(t, f, j.ID, jobs.Running)
		_ = stop()
	}
	first := left(t, f, "two")
	stop := take(t, f, func(context.Context, jobs.Job) error { return jobs.ErrComplete })
	until(t, f, first.ID, jobs.Failed) // its crawl was complete before it was ordered
	until(t, f, j.ID, jobs.Done)
	_ = stop()
	last := left(t, f, "three")
	stop = take(t, f, func(ctx context.Context, _ jobs.Job) error { <-ctx.Done(); return nil })
	until(t, f, last.ID, jobs.Running)
	_ = stop()
	until(t, f, last.ID, jobs.Done) // it ended just then
}

// Only one process takes jobs; the next one waits until it has ended.
func TestOneProcessTakesJobs(t *testing.T) {
	t.Parallel()
	f := jobs.Folder(t.TempDir())
	begun, free := make(chan string, 2), make(chan struct{})
	first := take(t, f, func(context.Context, jobs.Job) error { begun <- "first"; <-free; return nil })
	left(t, f, "one")
	<-begun
	second := take(t, f, func(context.Context, jobs.Job) error { begun <- "second"; return nil })
	two := left(t, f, "two")
	if j, err := f.Get(two.ID); err != nil || j.State != jobs.Waiting {
		t.Errorf("%+v, %v", j, err)
	}
	ended := make(chan error, 1)
	go func() { ended <- first() }()
	close(free)
	<-ended
	until(t, f, two.ID, jobs.Done)
	_ = second()
}

// Several processes forget the same job: the server that cancels one, and the process that ends another.
func TestJobsAreForgottenSideBySide(t *testing.T) {
	t.Parallel()
	f := jobs.Folder(t.TempDir())
	for range 2 * jobs.MostOver / jobs.MostWaiting {
		var ids []string
		for range jobs.MostWaiting {
			ids = append(ids, left(t, f, "one").ID)
		}
		var all sync.WaitGroup
		for _, id := range ids {
			all.Go(func() {
				if _, err := f.Cancel(id); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
}

func TestJobsAreBounded(t *testing.T) {
	t.Parallel()
	f := jobs.Folder(t.TempDir())
	if _, err := f.Leave(jobs.Job{File: strings.Repeat("x", jobs.MaxFile+1)}); !errors.Is(err, jobs.ErrLong) {
		t.Errorf("a file of any size is taken: %v", err)
	}
	if _, err := f.Leave(jobs.Job{File: strings.Repeat("x", 64<<10)}); err != nil {
		t.Error(err)
	}
	for range 99 {
		left(t, f, "one")
	}
	if _, err := f.Leave(jobs.Job{}); !errors.Is(err, jobs.ErrFull) {
		t.Errorf("one more: %v", err)
	}
	all, err := f.All()
	if err != nil || len(all) != jobs.MostWaiting {
		t.Fatal(len(all), err)
	}
	for _, j := range all {
		if _, err := f.Cancel(j.ID); err != nil {
			t.Fatal(err)
		}
	}
	left(t, f, "two")
	if _, err := f.Cancel(left(t, f, "three").ID); err != nil {
		t.Fatal(err)
	}
	if all, err = f.All(); err != nil || len(all) != jobs.MostOver+1 || all[0].Name != "three" {
		t.Errorf("kept: %d, %v", len(all), err)
	}
	if err := os.WriteFile(filepath.Join(string(f), "waiting", all[0].ID+".json"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(string(f), "over", all[0].ID+".json")); err != nil {
		t.Fatal(err)
	}
	if rest, err := f.All(); err == nil || len(rest) != len(all)-1 {
		t.Errorf("with a file that is none: %d, %v", len(rest), err)
	}
}
