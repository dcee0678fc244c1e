package console

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/varve-archive/varve/archive/ingest"
)

func TestSummary(t *testing.T) {
	run := new(ingest.Progress)
	run.Captures.Store(3)
	run.Files.Store(2)
	run.Bytes.Store(1_540_000)
	if got := Summary(run); got != "indexed 3 captures from 2 files (1.5 MB)" {
		t.Error(got)
	}
	run.Problems.Store(1)
	run.Unresolved.Store(4)
	if got := Summary(run); !strings.HasSuffix(got, " (1.5 MB), 1 problem, 4 revisits without an original") {
		t.Error(got)
	}
}

func TestProgressLine(t *testing.T) {
	run := new(ingest.Progress)
	run.TotalFiles.Store(9)
	run.TotalBytes.Store(50_000_000)
	for done, want := range map[int64]string{
		0:          "varve: indexing: 0 of 9 files, 0 of 50 MB, 0 captures, 0.0 MB/s, ? left\n",
		10_000_000: "varve: indexing: 0 of 9 files, 10 of 50 MB, 0 captures, 2.0 MB/s, 20s left\n",
		50_000_000: "varve: indexing: 0 of 9 files, 50 of 50 MB, 0 captures, 10.0 MB/s, 0s left\n",
	} {
		var out bytes.Buffer
		run.Bytes.Store(done)
		(&Progress{out: &out}).line(run, 5*time.Second)
		if out.String() != want {
			t.Errorf("%d bytes: %q", done, &out)
		}
	}
	run.TotalFiles.Store(1)
	run.Captures.Store(1)
	var out bytes.Buffer
	(&Progress{out: &out}).line(run, 5*time.Second)
	if !strings.Contains(out.String(), "0 of 1 file, ") || !strings.Contains(out.String(), " 1 capture, ") {
		t.Errorf("of one file: %q", &out)
	}
}

// Where nobody looks at a terminal, progress is a line every few seconds, until it is stopped.
func TestProgressComesInLines(t *testing.T) {
	counted := func(more func() string) func(*Progress, *ingest.Progress) {
		return func(p *Progress, run *ingest.Progress) {
			p.Count(Tally{Doing: "exporting", Noun: "captures", Done: &run.Captures, Total: &run.TotalFiles, More: more})
		}
	}
	for _, tt := range []struct {
		name  string
		files int64
		show  func(*Progress, *ingest.Progress)
		want  string
	}{
		{"an amount that is unknown", 0, (*Progress).Start, ""},
		{"files", 9, (*Progress).Start, "varve: indexing: 0 of 9 files, 10 of 50 MB, 3 captures, 2.0 MB/s, 20s left\n" +
			"varve: indexing: 0 of 9 files, 10 of 50 MB, 3 captures, 1.0 MB/s, 40s left\n"},
		{"items", 9, counted(nil), strings.Repeat("varve: exporting: 3 of 9 captures\n", 2)},
		{"with more", 9, counted(func() string { return "and more" }), strings.Repeat("varve: exporting: 3 of 9 captures, and more\n", 2)},
	} {
		synctest.Test(t, func(t *testing.T) {
			var out bytes.Buffer
			p, run := (&Console{Stderr: &out}).Progress(), new(ingest.Progress)
			run.TotalFiles.Store(tt.files)
			run.TotalBytes.Store(50_000_000)
			run.Bytes.Store(10_000_000)
			run.Captures.Store(3)
			tt.show(p, run)
			time.Sleep(2*LineInterval + time.Second)
			p.Stop()
			time.Sleep(time.Minute)
			if out.String() != tt.want {
				t.Errorf("%s: %s", tt.name, &out)
			}
		})
	}
}
