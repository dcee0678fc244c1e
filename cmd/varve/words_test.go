package main

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/ingest"
)

// A server that only this machine reaches keeps archived bytes from other origins.
func TestPrivate(t *testing.T) {
	for _, tt := range []struct {
		listen, public string
		want           bool
	}{
		{"127.0.0.1:8080", "", true},
		{"127.1.2.3:0", "", true},
		{"[::1]:8080", "", true},
		{"localhost:8080", "", true},
		{"0.0.0.0:8080", "", false},
		{"[::]:8080", "", false},
		{":8080", "", false},
		{"192.0.2.1:8080", "", false},
		{"varve.example:8080", "", false},
		{"127.0.0.1:8080", "https://varve.example", false}, // behind a reverse proxy
		{"localhost", "", false},                           // no port: it will not listen
	} {
		if got := (serving{Listen: tt.listen, PublicURL: tt.public}).private(); got != tt.want {
			t.Errorf("%s %s: %t", tt.listen, tt.public, got)
		}
	}
}

func TestSummary(t *testing.T) {
	run := new(ingest.Progress)
	run.Captures.Store(3)
	run.Files.Store(2)
	run.Bytes.Store(1_540_000)
	if got := summary(run); got != "indexed 3 captures from 2 files (1.5 MB)" {
		t.Error(got)
	}
	run.Problems.Store(1)
	run.Unresolved.Store(4)
	if got := summary(run); !strings.HasSuffix(got, " (1.5 MB), 1 problem, 4 revisits without an original") {
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
		(&progress{out: &out}).line(run, 5*time.Second)
		if out.String() != want {
			t.Errorf("%d bytes: %q", done, &out)
		}
	}
}

func TestThresholds(t *testing.T) {
	for threshold, allowed := range map[float64]bool{0: true, 1: true, 0.5: true, -0.01: false, 1.01: false, math.NaN(): false} {
		p := &program{}
		p.Data = t.TempDir()
		err := (&duplicatesCmd{Threshold: threshold}).Run(t.Context(), p)
		if refused := err != nil && strings.HasPrefix(err.Error(), "--threshold"); refused == allowed {
			t.Errorf("%v: %v", threshold, err)
		}
	}
}

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
