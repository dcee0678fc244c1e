package e2e

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// snapshot is what a folder holds: names, rights, times and contents.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(&all, path, info.Mode(), info.ModTime().UnixNano())
		if d.IsDir() {
			return nil
		}
		content, err := os.ReadFile(path)
		fmt.Fprintf(&all, "%x\n", sha256.Sum256(content))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// mounted runs varve where a folder is mounted so that nobody, root included, can write to it.
func mounted(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	const remount = `mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"`
	inside := func(command ...string) *exec.Cmd {
		cmd := exec.Command("sh", append([]string{"-c", remount, dir}, command...)...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
		if uid := os.Geteuid(); uid != 0 {
			cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
			cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: uid, Size: 1}}
		}
		return cmd
	}
	if out, err := inside("true").CombinedOutput(); err != nil {
		t.Skipf("nothing can be mounted here: %v: %s", err, out)
	}
	return inside(append([]string{binary}, args...)...)
}

// Data that nobody may write is served as it is: by the rights of its files, by its mount, or because it is asked for. Two
// servers serve it at once. Nothing is written to it, and nothing is indexed.
func TestServingReadOnlyData(t *testing.T) {
	for name, on := range map[string]struct {
		command func(t *testing.T, data string, args ...string) *exec.Cmd
		says    string
	}{
		"files that may not be written": {func(t *testing.T, data string, args ...string) *exec.Cmd {
			freeze(t, data)
			return stranger(t, args...)
		}, "can't be written (permission denied)"},
		"a mount": {mounted, "can't be written (read-only file system)"},
		"the flag": {func(t *testing.T, _ string, args ...string) *exec.Cmd {
			return exec.Command(binary, append(args, "--read-only")...)
		}, "--read-only"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			warcs, data := readable(t)
			put(t, filepath.Join(warcs, "new.warc.gz"), (&archive{}).page(host+"/new", day, "<p>new").bytes())
			args := []string{"serve", "--data", data, "--listen", "127.0.0.1:0", warcs}
			first := on.command(t, data, args...)
			before := snapshot(t, data)
			servers := []*server{launchAs(t, first), launchAs(t, on.command(t, data, args...))}
			for _, s := range servers {
				if log := s.log.String(); strings.Count(log, "\n") != 1 || !strings.Contains(log, on.says+": what is indexed is served") {
					t.Errorf("it says: %s", log)
				}
				servesRiver(t, s)
				s.get(t, at14("/new")).expect(t, 404)
			}
			for _, s := range servers {
				if err := s.stop(); err != nil {
					t.Errorf("%v: %s", err, s.log)
				}
				s.over <- nil
			}
			if after := snapshot(t, data); after != before {
				t.Errorf("the data was\n%s, and is\n%s", before, after)
			}
		})
	}
}

// servesRiver checks that a server answers every kind of question about the archive of readable.
func servesRiver(t *testing.T, s *server) {
	t.Helper()
	for target, has := range map[string]string{
		at14("/"):                           "the river rose",
		"/web/timemap/link/" + host + "/":   "20150101000000",
		"/web/cdx?url=" + host + "/":        "20150101000000",
		"/web/changes/" + host + "/":        "20150101000000",
		"/web/search?q=river":               host,
		"/web/search?q=rose&change=deleted": host,
		"/web/terms?change=deleted":         "rose",
		"/web/suggest?q=riv":                "river",
		"/-/search?q=river":                 host,
		"/web/":                             "",
		"/-/metrics":                        "varve_",
		"/web/diff/" + day + "/20150101000000/" + host + "/": "rose",
	} {
		if a := s.get(t, target).expect(t, 200); !strings.Contains(a.body, has) {
			t.Errorf("%s: %.300s", target, a.body)
		}
	}
}

// Commands that only ask read data that they may not write.
func TestAskingReadOnlyData(t *testing.T) {
	_, data := readable(t)
	freeze(t, data)
	for has, args := range map[string][]string{
		"20150101000000": {"cdx"},
		"a.warc.gz":      {"files"},
		host + "/":       {"search", "river"},
		"2015":           {"changes", host + "/"},
		"rose":           {"terms"},
		"2 records":      {"check"},
	} {
		stdout, stderr, code := invokeStranger(t, append(args, "--data", data)...)
		if code != 0 || !strings.Contains(stdout+stderr, has) || strings.Contains(stderr, "ERROR") {
			t.Errorf("%v: exit %d: %s%s", args, code, stdout, stderr)
		}
	}
}

// What a killed server left undone can't be done where nothing may be written. The sentence says what to do, and doing it
// helps.
func TestReadOnlyDataThatWasNotClosed(t *testing.T) {
	warcs, data := readable(t)
	s, err := launch(data, "serve", warcs)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-s.over
	stdout, stderr, code := invoke(t, "serve", "--read-only", "--data", data, "--listen", "127.0.0.1:0")
	if code != 1 || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, data) ||
		!strings.Contains(stderr, `run "varve files" once`) {
		t.Errorf("exit %d, %q, %s", code, stdout, stderr)
	}
	if _, stderr, code := invoke(t, "files", "--data", data); code != 0 {
		t.Fatal(stderr)
	}
	servesRiver(t, readOnly(t, data))
}

// readOnly starts a server on data that is only read.
func readOnly(t *testing.T, data string, args ...string) *server {
	t.Helper()
	return launchAs(t, exec.Command(binary, append([]string{"serve", "--read-only", "--data", data, "--listen", "127.0.0.1:0"}, args...)...))
}

// Without an index there is nothing to serve.
func TestReadOnlyDataWithoutAnIndex(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	_, stderr, code := invoke(t, "serve", "--read-only", "--data", data, "--listen", "127.0.0.1:0")
	if code != 1 || !strings.Contains(stderr, "there is no index in "+data) {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if _, err := os.Stat(data); err == nil {
		t.Error("the folder was made")
	}
}

// Files that are mounted elsewhere than where they were indexed are found under the paths.
func TestReadOnlyDataAndMovedFiles(t *testing.T) {
	warcs, data := readable(t)
	elsewhere := filepath.Join(t.TempDir(), "cd")
	if err := os.Rename(warcs, elsewhere); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(elsewhere, "sub.warc.gz"), (&archive{}).page(host+"/", day, "<p>another file").bytes())
	readOnly(t, data).get(t, at14("/")).expect(t, 503)
	s := readOnly(t, data, elsewhere)
	servesRiver(t, s)
	if log := s.log.String(); !strings.Contains(log, "1 file found at another place") {
		t.Errorf("it says: %s", log)
	}
}

// A search that was not built, or under other access rules, can't be built where nothing may be written: a sentence says so, and
// all else is served.
func TestReadOnlyDataAndTheSearch(t *testing.T) {
	warcs, built := readable(t)
	dir := filepath.Dir(warcs)
	bare := filepath.Join(dir, "bare")
	if _, stderr, code := invoke(t, "index", "--data", bare, warcs); code != 0 {
		t.Fatal(stderr)
	}
	rules, embargo := filepath.Join(dir, "rules.yaml"), filepath.Join(dir, "embargo.yaml")
	put(t, rules, []byte("rules:\n  - url: "+host+"/hidden\n    access: exclude\n"))
	put(t, embargo, []byte("rules:\n  - url: "+host+"/hidden\n    access: exclude\n    embargo: {newer: 1 year}\n"))
	for name, c := range map[string]struct {
		data, says string
		args       []string
	}{
		"never built":             {bare, "no search was built", nil},
		"built without the rules": {built, "under other access rules", []string{"--access", rules}},
		"an embargo":              {built, "under other access rules", []string{"--access", embargo}},
	} {
		t.Run(name, func(t *testing.T) {
			s := readOnly(t, c.data, c.args...)
			if log := s.log.String(); !strings.Contains(log, "collection web: the search does not answer: ") || !strings.Contains(log, c.says) {
				t.Errorf("it says: %s", log)
			}
			for _, target := range []string{"/web/search?q=river", "/-/search?q=river", "/web/terms", "/web/suggest?q=r"} {
				if a := s.get(t, target).expect(t, 404); !strings.Contains(a.body, c.says) {
					t.Errorf("%s: %s", target, a.body)
				}
			}
			for _, target := range []string{at14("/"), "/", "/web/", "/-/metrics", "/web/diff/" + day + "/20150101000000/" + host + "/"} {
				s.get(t, target).expect(t, 200)
			}
			if _, err := os.Stat(filepath.Join(c.data, "takedowns.jsonl")); err == nil {
				t.Error("the log of takedowns was written")
			}
		})
	}
}

// A search that lacks what was indexed later answers, and a line at start says what it lacks.
func TestReadOnlyDataAndAnOldSearch(t *testing.T) {
	warcs, data := readable(t)
	put(t, filepath.Join(warcs, "new.warc.gz"), (&archive{}).page(host+"/new", day, "<p>new").bytes())
	if _, stderr, code := invoke(t, "index", "--data", data, warcs); code != 0 {
		t.Fatal(stderr)
	}
	s := readOnly(t, data)
	servesRiver(t, s)
	if log := s.log.String(); !strings.Contains(log, "the search does not have all that is indexed") {
		t.Errorf("it says: %s", log)
	}
}

// The proxy works with the CA that is there, and makes none.
func TestReadOnlyDataAndTheProxy(t *testing.T) {
	_, data := readable(t)
	stdout, stderr, code := invoke(t, "serve", "--read-only", "--data", data, "--listen", "127.0.0.1:0", "--proxy", "127.0.0.1:0")
	if code != 1 || stdout != "" || !strings.Contains(stderr, "there is no CA in "+filepath.Join(data, "proxy")) {
		t.Errorf("exit %d, %q: %s", code, stdout, stderr)
	}
	s, err := launch(data, "serve", "--proxy", "127.0.0.1:0") // makes the CA
	if err != nil {
		t.Fatal(err)
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	before := snapshot(t, data)
	cmd := exec.Command(binary, "serve", "--read-only", "--data", data, "--listen", "127.0.0.1:0", "--proxy", "127.0.0.1:0")
	launchAs(t, cmd)
	address := ""
	eventually(t, "it names the proxy", func() bool {
		_, rest, ok := strings.Cut(cmd.Stdout.(*output).String(), "proxy on ")
		address = strings.TrimSpace(rest)
		return ok && strings.HasSuffix(rest, "\n")
	})
	through, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := (&http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(through)}}).Get(host + "/")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 200 || resp.Header.Get("Memento-Datetime") == "" {
		t.Errorf("%s %v", resp.Status, resp.Header)
	}
	if after := snapshot(t, data); after != before {
		t.Errorf("the data was\n%s, and is\n%s", before, after)
	}
}

// The file systems of CDs refuse to sync a folder, as Badger does with one that it only reads.
func TestReadOnlyDataThatCannotBeSynced(t *testing.T) {
	_, data := readable(t)
	cd := &fillingDisk{dir: data, unsynced: true}
	cd.invoke(t, "version") // which skips the test where there is no such disk
	cmd, watch := cd.command(t, "serve", "--read-only", "--data", data, "--listen", "127.0.0.1:0")
	temporary := t.TempDir()
	cmd.Env = append(cmd.Env, "TMPDIR="+temporary)
	before := snapshot(t, data)
	s := launchAs(t, cmd, watch)
	servesRiver(t, s)
	if cd.writes.Load() == 0 {
		t.Error("nothing was refused")
	}
	if err := s.stop(); err != nil {
		t.Errorf("%v: %s", err, s.log)
	}
	s.over <- nil
	if after := snapshot(t, data); after != before {
		t.Errorf("the data was\n%s, and is\n%s", before, after)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("it leaves %v, %v", left, err)
	}
}
