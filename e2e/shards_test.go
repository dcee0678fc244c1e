package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/internal/testkit/database"
)

const (
	shardHosts = 64 // of the archive whose search is shared
	shardPages = 8  // of each host
)

// shardArchive has pages of many hosts, each with two versions: "heron" is in the first, and in the second a word of the round.
func shardArchive(round string, years ...int) []byte {
	a := &archive{}
	r := rand.New(rand.NewPCG(1, 2))
	for host := range shardHosts {
		for page := range shardPages {
			for i, year := range years {
				word := "heron"
				if i > 0 {
					word = round
				}
				var text strings.Builder
				for range 150 {
					fmt.Fprintf(&text, "w%d ", r.IntN(20_000))
				}
				a.page(fmt.Sprintf("http://host%d.example/%d", host, page), fmt.Sprintf("%d0601000000", year),
					fmt.Sprintf("<title>Page %d</title><p>Here is a %s. %s", page, word, &text))
			}
		}
	}
	return a.bytes()
}

var builtShard = regexp.MustCompile(`msg="change-text search" collection=web shard=(\d+)`)

// builtShards returns how many shards a server has built.
func builtShards(s *server) int { return len(builtShard.FindAllString(s.log.String(), -1)) }

// builds returns what a server says of the shards it builds, and of what kept it from that.
func builds(s *server) string {
	var said []string
	for line := range strings.Lines(s.log.String()) {
		if builtShard.MatchString(line) || strings.Contains(line, "level=WARN") {
			said = append(said, line)
		}
	}
	return strings.Join(said, "")
}

// changesTo returns how many changes did something to a word, 0 if the server doesn't know yet that there is a collection.
func changesTo(t *testing.T, s *server, word, change string) int {
	t.Helper()
	var f found
	a := s.get(t, "/web/search?q="+word+"&change="+change)
	if a.status == 200 {
		if err := json.Unmarshal([]byte(a.body), &f); err != nil {
			t.Fatal(err)
		}
	}
	return f.Total
}

// inPeace waits for something for which a server has to be asked. A server that is asked all the time builds slowly.
func inPeace(t *testing.T, what string, ok func() bool) {
	t.Helper()
	last := time.Now()
	eventually(t, what, func() bool {
		if time.Since(last) < time.Second {
			return false
		}
		last = time.Now()
		return ok()
	})
}

// metric returns a line of a server's metrics.
func metric(t *testing.T, s *server, name string) string {
	t.Helper()
	for line := range strings.Lines(s.get(t, "/-/metrics").body) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Servers of one index build its search together, in shards, each once. One that is killed is replaced by the other, and one that
// joins builds nothing.
func TestServersShareTheSearchOfADatabase(t *testing.T) {
	t.Parallel()
	url, place := database.Start(t).Database(), filepath.Join(t.TempDir(), "place")
	files := t.TempDir()
	flags := []string{"serve", "--index", url, "--search-store", place}
	varve := func(args ...string) (string, error) {
		out, err := exec.Command(binary, append(args, "--data", filepath.Join(t.TempDir(), "data"))...).CombinedOutput()
		return string(out), err
	}
	index := func(name string, content []byte) {
		t.Helper()
		path := filepath.Join(files, name)
		put(t, path, content)
		if out, err := varve("index", "--index", url, path); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	one := start(t, flags...)
	dying, err := launch(filepath.Join(t.TempDir(), "data"), flags...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = dying.cmd.Process.Kill() })
	index("a.warc.gz", shardArchive("otter", 2010, 2012))
	const all = shardHosts * shardPages
	for _, s := range []*server{one, dying} {
		inPeace(t, "a server answers from all shards", func() bool { return changesTo(t, s, "heron", "deleted") == all })
		for _, name := range []string{`varve_search_shards_shown{collection="web"}`, `varve_search_shards{collection="web"}`} {
			if n := metric(t, s, name); n != "16" {
				t.Errorf("%s is %q", name, n)
			}
		}
	}
	eventually(t, "all shards are logged", func() bool { return builtShards(one)+builtShards(dying) >= 16 })
	if a, b := builtShards(one), builtShards(dying); a == 0 || b == 0 || a+b != 16 {
		t.Errorf("one built %d shards, the other %d, of 16", a, b)
	}

	before := builtShards(dying)
	index("b.warc.gz", shardArchive("beaver", 2014, 2016))
	eventually(t, "both are at work", func() bool { return builtShards(dying) > before })
	_ = dying.cmd.Process.Kill()
	<-dying.over
	inPeace(t, "the other takes over", func() bool { return changesTo(t, one, "beaver", "added") == all })
	done := builtShards(dying) + builtShards(one)
	if done < 31 || done > 32 { // the killed one may have published its last without saying so
		t.Errorf("%d shards were built in two rounds, want 32:\n%s\n%s", done, builds(dying), builds(one))
	}

	for what, s := range map[string]*server{"who joins": start(t, flags...), "who only reads": start(t, append(flags, "--read-only")...)} {
		inPeace(t, what+" answers from all shards", func() bool { return changesTo(t, s, "beaver", "added") == all })
		if n := builtShards(s); n > 0 {
			t.Errorf("%s builds %d shards", what, n)
		}
	}
	said, err := varve("search", "--index", url, "--search-store", place, "otter")
	if err != nil || !strings.Contains(said, "http://host") {
		t.Errorf("varve search: %v\n%s", err, said)
	}
	for what, c := range map[string]struct {
		args []string
		says string
	}{
		"without --index":  {[]string{"serve", "--search-store", place}, "it goes with --index"},
		"another folder":   {append(flags[:3:3], "--search-store", t.TempDir()), "is it the right one, and mounted?"},
		"no such protocol": {append(flags[:3:3], "--search-store", "ftp://host/x"), "s3://BUCKET/PREFIX"},
	} {
		out, err := varve(append(c.args, "--listen", "127.0.0.1:0")...)
		if err == nil || !strings.Contains(out, c.says) {
			t.Errorf("%s: %v\n%s", what, err, out)
		}
	}
}

// A restored copy beside its original builds a search of its own in the same place, without being told, and both answer.
func TestARestoredCopySharesThePlaceOfTheSearch(t *testing.T) {
	t.Parallel()
	db, dir := database.Start(t).Database(), t.TempDir()
	place, kept := filepath.Join(dir, "place"), filepath.Join(dir, "backups")
	index := func(table string, more ...string) string {
		return varve(t, append([]string{
			"index", "--search", "--index", db + "&table=" + table, "--search-store", place, "--data", filepath.Join(dir, table),
		}, more...)...)
	}
	search := func(table, word string) bool {
		said := varve(t, "search", "--index", db+"&table="+table, "--search-store", place, "--data", filepath.Join(dir, "who asks"), word)
		return strings.Contains(said, "http://a.example")
	}
	one, two := filepath.Join(dir, "one.warc.gz"), filepath.Join(dir, "two.warc.gz")
	put(t, one, (&archive{}).page("http://a.example/", "20100101000000", "<p>Here is a heron.").bytes())
	put(t, two, (&archive{}).page("http://a.example/", "20120101000000", "<p>Here is an otter.").bytes())
	index("original", one)
	varve(t, "backup", "--index", db+"&table=original", "--data", filepath.Join(dir, "original"), kept)
	varve(t, "restore", "--index", db+"&table=copied", "--data", filepath.Join(dir, "copied"), kept)
	index("copied", two)
	for table, want := range map[string]bool{"original": false, "copied": true} {
		if heron, otter := search(table, "heron"), search(table, "otter"); !heron || otter != want {
			t.Errorf("%s: heron %v, otter %v", table, heron, otter)
		}
	}
	if folders, err := filepath.Glob(filepath.Join(place, "*")); err != nil || len(folders) != 2 {
		t.Errorf("in the place there is %q, %v", folders, err)
	}
}
