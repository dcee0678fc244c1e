package rulesfile_test

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/access/rulesfile"
	"github.com/varve-archive/varve/internal/testkit/logbuffer"
)

const (
	block   = "rules: [{url: a.example, access: block, say: by order}]\n"
	exclude = "rules: [{url: a.example, access: exclude}]\n"
	wrong   = "rules: [{url: a.example, access: hide}]\n"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		file, text string
		rules      int
		wrong      string
	}{
		{"rules.yaml", block, 1, ""},
		{"rules.yaml", "rules: []", 0, ""},
		{"rules.yaml", " \n", 0, "rules.yaml: it has no rules"},
		{"rules.yaml", "# to be written\n", 0, "rules.yaml: it has no rules"},
		{"rules.yaml", "rules:\n", 0, "rules.yaml: it has no rules"},
		{"rules.yaml", "---\nrules: []\n---\n" + block, 0, "rules.yaml: line 3: a second document"},
		{"rules.yaml", wrong, 0, "rules.yaml: line 1: access"},
		{"rules.aclj", "example,a)/ - {\"access\": \"block\"}\n", 1, ""},
		{"rules.aclj", "# none yet\n", 0, ""},
		{"rules.aclj", "\n", 0, ""},
		{"rules.aclj", block, 0, "rules.aclj: line 1"},
	} {
		path := filepath.Join(t.TempDir(), tt.file)
		write(t, path, tt.text)
		got, err := rulesfile.Read(path)
		if tt.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), tt.wrong) {
				t.Errorf("%s of %q: %v, want %s", tt.file, tt.text, err, tt.wrong)
			}
			continue
		}
		if err != nil || got.Len() != tt.rules {
			t.Errorf("%s of %q: %v, %v", tt.file, tt.text, got, err)
		}
		if p, err := rulesfile.Policy(path); err != nil || p.Rules().Len() != tt.rules {
			t.Errorf("policy of %q: %v, %v", tt.text, p, err)
		}
	}
	if p, err := rulesfile.Policy(""); p != nil || err != nil {
		t.Errorf("no file: %v, %v", p, err)
	}
	missing := filepath.Join(t.TempDir(), "rules.yaml")
	if _, err := rulesfile.Policy(missing); !os.IsNotExist(err) {
		t.Errorf("policy of a missing file: %v", err)
	}
	if _, err := rulesfile.Open(missing, "", slog.New(slog.DiscardHandler)); !os.IsNotExist(err) {
		t.Errorf("a missing file opened: %v", err)
	}
}

// Whoever reads the log learns when which rule began and ended, whatever happened between two starts.
func TestTheLogOfTakedowns(t *testing.T) {
	rules, log := filepath.Join(t.TempDir(), "rules.yaml"), filepath.Join(t.TempDir(), "takedowns.jsonl")
	const blocks = `"rule":"prefix a.example","access":"block","say":"by order"}`
	const begins, ends = `"change":"begins",`, `"change":"ends",`
	long := strings.Repeat("a<b", 30_000)
	two := "rules: [{url: c.example, access: exclude}, {url: b.example, access: block, say: '" + long + "'}, "
	moreB, moreC := `"rule":"prefix b.example","access":"block","say":"`+long+`"}`, `"rule":"prefix c.example","access":"exclude"}`
	for _, tt := range []struct{ name, text, adds string }{
		{"begun", block, `"change":"begins",` + blocks},
		{"the same", block, ""},
		{"stricter", exclude, `"change":"begins","rule":"prefix a.example","access":"exclude"} "change":"ends",` + blocks},
		{"back", block, `"change":"begins",` + blocks + ` "change":"ends","rule":"prefix a.example","access":"exclude"}`},
		{"two more", two + block[len("rules: ["):], begins + moreB + " " + begins + moreC},
		{"none", "rules: []", ends + blocks + " " + ends + moreB + " " + ends + moreC},
	} {
		before, _ := os.ReadFile(log)
		write(t, rules, tt.text)
		f, err := rulesfile.Open(rules, log, slog.New(slog.DiscardHandler))
		if err != nil || f.Policy.Rules().Empty() != (tt.name == "none") {
			t.Errorf("%s: %v", tt.name, err)
		}
		after, _ := os.ReadFile(log)
		var added []string
		for line := range strings.Lines(string(bytes.TrimPrefix(after, before))) {
			time, change, _ := strings.Cut(strings.TrimSpace(line), `Z",`)
			if !strings.HasPrefix(time, `{"time":"2`) {
				t.Errorf("%s: %s", tt.name, line)
			}
			added = append(added, change)
		}
		if got := strings.Join(added, " "); got != tt.adds {
			t.Errorf("%s: added %s, want %s", tt.name, got, tt.adds)
		}
	}
	write(t, rules, block)
	whole := func(text string) string {
		write(t, log, text)
		if _, err := rulesfile.Open(rules, log, slog.New(slog.DiscardHandler)); err != nil {
			t.Errorf("after %q: %v", text, err)
		}
		got, _ := os.ReadFile(log)
		return string(got)
	}
	first := whole("")
	_, want, _ := strings.Cut(first, `Z",`)
	if _, got, _ := strings.Cut(whole(first[:len(first)-20]), `Z",`); got != want {
		t.Errorf("after the end of a line was not written: %q, want %q", got, want)
	}
	write(t, log, "{}\nwho?\n")
	if _, err := rulesfile.Open(rules, log, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a damaged log: %v", err)
	}
}

func TestWatch(t *testing.T) {
	path, log := filepath.Join(t.TempDir(), "rules.yaml"), new(logbuffer.Buffer)
	write(t, path, block)
	synctest.Test(t, func(t *testing.T) {
		f, err := rulesfile.Open(path, "", log.Logger())
		if err != nil {
			t.Fatal(err)
		}
		ctx, end := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { f.Watch(ctx); close(done) }()
		inForce := func(when, want string, says int, what string) {
			t.Helper()
			time.Sleep(3 * time.Second)
			synctest.Wait()
			got := ""
			for _, r := range f.Policy.Rules().All() {
				got += string(r.Access)
			}
			if got != want {
				t.Errorf("%s: %q in force, want %q", when, got, want)
			}
			if n := strings.Count(log.String(), what); n != says {
				t.Errorf("%s: said %d times %q, want %d:\n%s", when, n, what, says, log)
			}
		}
		inForce("unchanged", "block", 1, "are in force")
		write(t, path, exclude)
		inForce("changed", "exclude", 2, "are in force")
		write(t, path, "rules: [")
		time.Sleep(600 * time.Millisecond)
		write(t, path, exclude)
		inForce("half of it for a moment", "exclude", 0, "can't be taken")
		write(t, path, wrong)
		inForce("wrong", "exclude", 1, "can't be taken")
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		inForce("gone", "exclude", 1, "can't be read")
		write(t, path, "rules: []")
		inForce("back", "", 4, "are in force")
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		inForce("gone again", "", 2, "can't be read")
		at := time.Now()
		for i, same := range []struct {
			name, at, access string
			later            time.Duration
		}{
			{"back again", path, "block", 0},
			{"of the same size", path, "allow", time.Hour},
			{"of the same time", path, "exclude", time.Hour},
			{"another file of the same size and time", path + ".new", "exclude", time.Hour},
		} {
			write(t, same.at, strings.Replace(block, "block", same.access, 1))
			if err := os.Chtimes(same.at, at, at.Add(same.later)); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(same.at, path); err != nil {
				t.Fatal(err)
			}
			inForce(same.name, same.access, 5+i, "are in force")
		}
		end()
		<-done
	})
}

func TestWithoutAFileNothingIsWatched(t *testing.T) {
	f, err := rulesfile.Open("", filepath.Join(t.TempDir(), "log"), slog.New(slog.DiscardHandler))
	if err != nil || !f.Policy.Open() {
		t.Error(err)
	}
	f.Watch(t.Context()) // returns at once
}

func TestDescribe(t *testing.T) {
	for want, text := range map[string]string{
		"prefix a.example": "{url: a.example, access: block}",
		"exact a.example/x, captured from 20100101000000, captured to 20101231235959": "{url: a.example/x, match: exact, " +
			"captured: {from: 2010, to: 2010}, access: block}",
		"prefix *, newer than 1 year, for the group staff": `{url: "*", embargo: {newer: 1 year}, group: staff, access: allow}`,
	} {
		rules, err := access.Read(strings.NewReader("rules: [" + text + "]"))
		if err != nil {
			t.Fatal(err)
		}
		if got := rulesfile.Describe(&rules.All()[0]); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
