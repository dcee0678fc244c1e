package console

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"syscall"
	"testing"

	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/internal/disk"
)

func TestWhatIsSaid(t *testing.T) {
	for _, tt := range []struct {
		name   string
		json   bool
		level  string
		say    func(c *Console) error
		out    string
		err    string // what standard error ends with, behind the time
		silent bool
	}{
		{
			"a sentence", false, "info",
			func(c *Console) error { c.Sayf("%s done", Count(2, "page")); return nil }, "", "varve: 2 pages done\n", false,
		},
		{
			"a name that wants to be more", false, "info",
			func(c *Console) error { c.Sayf("%s: %s", "a\x1b[2J\nvarve: b\x9b\u0085", "ü日\uFFFD"); return nil },
			"", "varve: a\\x1b[2J\\nvarve: b\\x9b\\u0085: ü日\uFFFD\n", false,
		},
		{
			"a sentence for programs", true, "info", func(c *Console) error { c.Say("done"); return nil }, "",
			`"level":"INFO","msg":"done"}` + "\n", false,
		},
		{"data", false, "info", func(c *Console) error { return c.PrintJSON(map[string]string{"a": "<&>"}) }, `{"a":"<&>"}` + "\n", "", true},
		{"the log", false, "info", func(c *Console) error { c.Log().Info("x", "n", 1); return nil }, "", " level=INFO msg=x n=1\n", false},
		{"below its level", false, "warn", func(c *Console) error { c.Log().Info("x"); return nil }, "", "", true},
		{"at its level", true, "warn", func(c *Console) error { c.Log().Warn("x"); return nil }, "", `"level":"WARN","msg":"x"}` + "\n", false},
		{"no level", false, "loud", func(*Console) error { return nil }, "", "want debug, info, warn or error", true},
		{
			"a problem for programs", true, "info",
			func(c *Console) error {
				c.Progress().Problem(ingest.Problem{File: "/a", Offset: 7, Reason: "no record", Warning: true})
				return nil
			},
			"", `"level":"WARN","msg":"problem","file":"/a","offset":7,"reason":"no record","indexed":true}` + "\n", false,
		},
	} {
		var out, said bytes.Buffer
		c := Console{Stdout: &out, Stderr: &said, JSON: tt.json}
		if err := c.Level.UnmarshalText([]byte(tt.level)); err != nil {
			if !strings.HasSuffix(err.Error(), tt.err) || tt.err == "" {
				t.Errorf("%s: %v", tt.name, err)
			}
			continue
		}
		err := tt.say(&c)
		if err != nil || out.String() != tt.out || !strings.HasSuffix(said.String(), tt.err) || tt.silent != (said.Len() == 0) {
			t.Errorf("%s: %q and %q, %v", tt.name, &out, &said, err)
		}
	}
	if (Level{slog.LevelWarn}).Level() != slog.LevelWarn {
		t.Error("a level is another")
	}
}

func TestAdviceIsGivenOnAFullDisk(t *testing.T) {
	for err, want := range map[error]bool{
		fmt.Errorf("a: %w", disk.ErrFull): true, errors.New("db: " + syscall.ENOSPC.Error()): true, errors.New("no such file"): false,
	} {
		if got := Advice(err); (got != "") != want {
			t.Errorf("%v: %q", err, got)
		}
	}
}

func TestNumbersHaveTheirNouns(t *testing.T) {
	for n, want := range map[int64]string{0: "0 pages", 1: "1 page", 2: "2 pages", -1: "-1 pages"} {
		if got := Count(n, "page"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := Plural(1, "entry is", "entries are") + ", " + Plural(2, "entry is", "entries are"); got != "1 entry is, 2 entries are" {
		t.Error(got)
	}
}
