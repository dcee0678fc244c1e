package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/internal/database"
	"github.com/varve-archive/varve/internal/s3test"
)

// varve runs the program to its end, and returns all that it said.
func varve(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command(binary, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("varve %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// refused runs the program, which is to fail with a sentence.
func refused(t *testing.T, says string, args ...string) {
	t.Helper()
	out, err := exec.Command(binary, args...).CombinedOutput()
	if err == nil || !strings.Contains(string(out), says) {
		t.Errorf("varve %s: %v, want %q\n%s", strings.Join(args, " "), err, says, out)
	}
}

// A backup in a bucket is restored into a folder, and into a database that is empty.
func TestBackupsInABucket(t *testing.T) {
	s3test.OnEach(t, func(t *testing.T, s *s3test.Server) {
		s.Make("kept")
		dir := t.TempDir()
		folder := func(name string) string { return filepath.Join(dir, name) }
		if err := os.Mkdir(folder("warcs"), 0o755); err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			a := (&archive{}).page(fmt.Sprintf("http://page%d.example/", i), "20100101000000", "page")
			put(t, folder(fmt.Sprintf("warcs/%d.warc.gz", i)), a.bytes())
		}
		varve(t, "index", "--data", folder("one"), folder("warcs"))
		want := varve(t, "cdx", "--data", folder("one"))
		backup := []string{"backup", "--data", folder("one"), "--s3-endpoint", s.URL, "s3://kept/of varve/100%"}
		if said := varve(t, backup...); !strings.Contains(said, "1 of them new") {
			t.Error(said)
		}
		if said := varve(t, backup...); !strings.Contains(said, "0 of them new") {
			t.Error(said)
		}
		restore := func(more ...string) []string {
			return append([]string{"restore", "--s3-endpoint", s.URL, "s3://kept/of varve/100%"}, more...)
		}
		varve(t, restore("--data", folder("two"))...)
		if got := varve(t, "cdx", "--data", folder("two")); got != want {
			t.Errorf("restored into a folder:\n%s\nwant\n%s", got, want)
		}
		url := database.Start(t).Database()
		varve(t, restore("--data", folder("three"), "--index", url)...)
		if got := varve(t, "cdx", "--index", url, "--data", folder("three")); got != want {
			t.Errorf("restored into a database:\n%s\nwant\n%s", got, want)
		}
		refused(t, "it has entries already", restore("--data", folder("three"), "--index", url)...)
		refused(t, "no backup", "restore", "--s3-endpoint", s.URL, "--data", folder("four"), "--index", url+"&table=four", "s3://kept/other")
		varve(t, "index", "--index", url+"&table=four", "--data", folder("four"), folder("warcs")) // nothing was begun there
		refused(t, `has no bucket "nowhere"`, "backup", "--data", folder("one"), "--s3-endpoint", s.URL, "s3://nowhere/x")
	})
}
