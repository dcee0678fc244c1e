package main

import (
	"bytes"
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/similar"
	"github.com/varve-archive/varve/demo"
)

// demoIndex indexes the sample archive and returns the folder of the index.
func demoIndex(t *testing.T) string {
	t.Helper()
	dir, data := t.TempDir(), t.TempDir()
	if _, err := demo.Write(dir); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := varve(t, "index", "--data", data, dir); code == exitUsage {
		t.Fatal(stderr)
	}
	return data
}

// varve runs a command line.
func varve(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(context.Background(), args, &out, &errs)
	return code, out.String(), errs.String()
}

func TestSimilarAndDuplicatesAgree(t *testing.T) {
	data := demoIndex(t)
	line := regexp.MustCompile(`^/web/\d{14}/(\S+)\t/web/\d{14}/(\S+)\t([01]\.\d{3})\t(?:copy|mirror|article|picture)$`)
	code, out, stderr := varve(t, "duplicates", "--data", data, "--across", "--pairs", "--threshold", "0.4")
	if code != exitDone || out == "" {
		t.Fatalf("exit %d, %q, %s", code, out, stderr)
	}
	var pair []string
	for l := range strings.Lines(out) {
		m := line.FindStringSubmatch(strings.TrimSuffix(l, "\n"))
		if m == nil || m[3] < "0.400" {
			t.Fatalf("line %q", l)
		}
		if pair == nil {
			pair = m[1:]
		}
	}
	code, out, stderr = varve(t, "similar", "--data", data, "--json", "--at", "2000", pair[0])
	var list similar.List
	if err := json.Unmarshal([]byte(out), &list); err != nil || code != exitDone {
		t.Fatalf("exit %d, %v, %s", code, err, stderr)
	}
	if code, out, _ = varve(t, "similar", "--data", data, pair[0]); code != exitDone || !strings.HasPrefix(out, "SIMILARITY  DATETIME") {
		t.Errorf("exit %d, %q", code, out)
	}
}

func TestSimilarSaysWhatIsWrong(t *testing.T) {
	data := demoIndex(t)
	for _, c := range []struct{ args, want string }{
		{"similar http://nowhere.example/", "no captures"},
		{"similar --at 20149999 http://nowhere.example/", "no such date"},
		{"duplicates --threshold 2", "from 0 to 1"},
	} {
		if code, _, stderr := varve(t, append(strings.Fields(c.args), "--data", data)...); code == exitDone || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit %d, %q", c.args, code, stderr)
		}
	}
}
