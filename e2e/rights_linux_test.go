package e2e

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A stranger runs varve as a user who owns nothing: nobody, if the tests are root's.
func stranger(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Minute) // the test's own ends before it cleans up
	t.Cleanup(stop)
	cmd := exec.CommandContext(ctx, binary, args...)
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		admit(t, filepath.Dir(binary))
	}
	cmd.Dir = "/"
	return cmd
}

// admit lets everyone into a temporary folder and those above it.
func admit(t *testing.T, dir string) {
	t.Helper()
	for ; dir != filepath.Clean(os.TempDir()) && dir != "/"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// invokeStranger runs a command to its end.
func invokeStranger(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := stranger(t, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// freeze takes the right to write from a folder and all in it. It is given back when the test ends.
func freeze(t *testing.T, dir string) {
	t.Helper()
	set := func(folder, file fs.FileMode) {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir():
				return os.Chmod(path, folder)
			}
			return os.Chmod(path, file)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	set(0o555, 0o444)
	t.Cleanup(func() { set(0o755, 0o644) })
}

// readable writes an archive with two pages, indexes it with a search, and returns its folder and the data's.
func readable(t *testing.T) (warcs, data string) {
	t.Helper()
	dir := t.TempDir()
	admit(t, dir)
	warcs, data = filepath.Join(dir, "warcs"), filepath.Join(dir, "data")
	if err := os.Mkdir(warcs, 0o755); err != nil {
		t.Fatal(err)
	}
	a := &archive{}
	a.page(host+"/", day, "<title>one</title><p>the river rose").page(host+"/", "20150101000000", "<title>two</title><p>the river fell")
	put(t, filepath.Join(warcs, "a.warc.gz"), a.bytes())
	if _, stderr, code := invoke(t, "index", "--search", "--data", data, warcs); code != 0 {
		t.Fatal(stderr)
	}
	return warcs, data
}

// Commands that have to write where they may not say which folder it is and what to do.
func TestReadOnlyData(t *testing.T) {
	_, data := readable(t)
	freeze(t, data)
	for name, args := range map[string][]string{
		"indexing":            {"index", "/"},
		"building the search": {"index", "--search"},
		"removing":            {"remove", "a.warc.gz"},
		"the demo":            {"demo", "--listen", "127.0.0.1:0"},
	} {
		t.Run(name, func(t *testing.T) {
			stdout, stderr, code := invokeStranger(t, append(args, "--data", data)...)
			if code != 1 || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, data) ||
				!strings.Contains(stderr, "the right to") {
				t.Errorf("exit %d, %q, %s", code, stdout, stderr)
			}
		})
	}
}

// What may not be read of a folder is named, once; all else is indexed and served.
func TestUnreadableFiles(t *testing.T) {
	warcs, _ := readable(t)
	dir := filepath.Dir(warcs)
	secret, vault := filepath.Join(warcs, "secret.warc.gz"), filepath.Join(warcs, "vault")
	put(t, secret, (&archive{}).page(host+"/secret", day, "x").bytes())
	if err := os.Mkdir(vault, 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(vault, "b.warc.gz"), (&archive{}).page(host+"/vault", day, "x").bytes())
	data := filepath.Join(dir, "others")
	if err := errors.Join(os.Mkdir(data, 0o755), os.Chmod(data, 0o777), os.Chmod(secret, 0), os.Chmod(vault, 0)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = os.Chmod(secret, 0o644), os.Chmod(vault, 0o755) })
	_, stderr, code := invokeStranger(t, "index", "--data", data, warcs)
	for _, path := range []string{"secret.warc.gz", vault} {
		if code != 1 || strings.Count(stderr, path) != 1 || strings.Count(stderr, "permission denied") != 2 {
			t.Errorf("indexing: exit %d: %s", code, stderr)
		}
	}
	if lines, _, _ := invokeStranger(t, "cdx", "--data", data); strings.Count(lines, "\n") != 2 {
		t.Errorf("indexed: %s", lines)
	}
	s := launchStranger(t, "serve", "--data", data, "--listen", "127.0.0.1:0", warcs)
	s.get(t, "/web/"+day+"id_/"+host+"/").expect(t, 200)
	s.get(t, "/web/"+day+"id_/"+host+"/secret").expect(t, 404)
	if log := s.log.String(); !strings.Contains(log, "secret.warc.gz") || !strings.Contains(log, vault) {
		t.Errorf("serving: %s", log)
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	s.over <- nil
	if err := os.Chmod(filepath.Join(warcs, "a.warc.gz"), 0); err != nil { // what was readable when it was indexed
		t.Fatal(err)
	}
	s = launchStranger(t, "serve", "--data", data, "--listen", "127.0.0.1:0")
	s.get(t, "/web/"+day+"id_/"+host+"/").expect(t, 503)
}

// launchStranger starts a server as another user and waits until it is ready.
func launchStranger(t *testing.T, args ...string) *server {
	t.Helper()
	return launchAs(t, stranger(t, args...))
}

// launchAs starts a server by a command, calls what is to be called once it has started, and waits until it is ready.
func launchAs(t *testing.T, cmd *exec.Cmd, started ...func()) *server {
	t.Helper()
	s, said := &server{cmd: cmd, log: &output{}, over: make(chan error, 1)}, &output{}
	cmd.Stdout, cmd.Stderr = said, s.log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, f := range started {
		f()
	}
	go func() { s.over <- cmd.Wait() }()
	t.Cleanup(func() {
		if err := s.stop(); err != nil {
			t.Errorf("%v: %s", err, s.log)
		}
	})
	eventually(t, "it is ready", func() bool {
		if _, rest, ok := strings.Cut(said.String(), "listening on "); ok && s.url == "" {
			s.url = strings.TrimSuffix(strings.SplitN(rest, "\n", 2)[0], "/")
		}
		return s.url != "" && s.ready()
	})
	return s
}

// A CA whose key may not be read, or may be read by others and not be changed, is refused in a sentence that names the key.
func TestKeysThatCannotBeKept(t *testing.T) {
	_, data := readable(t)
	ca := filepath.Join(data, "proxy")
	s, err := launch(data, "serve", "--proxy", "127.0.0.1:0") // makes the CA
	if err != nil {
		t.Fatal(err)
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	if err := filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error { // all else may be written
		if d.IsDir() {
			return errors.Join(err, os.Chmod(path, 0o777))
		}
		return errors.Join(err, os.Chmod(path, 0o666))
	}); err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(ca, "ca.key")
	for name, mode := range map[string]fs.FileMode{"unreadable": 0o000, "readable by all": 0o644} {
		t.Run(name, func(t *testing.T) {
			if mode != 0 && os.Geteuid() != 0 {
				t.Skip("only root can give a file to another user")
			}
			if err := os.Chmod(key, mode); err != nil {
				t.Fatal(err)
			}
			stdout, stderr, code := invokeStranger(t, "serve", "--data", data, "--listen", "127.0.0.1:0", "--proxy", "127.0.0.1:0")
			if code != 1 || stdout != "" || !strings.Contains(stderr, key) || strings.Contains(stderr, "remove") || !strings.Contains(stderr,
				"right") {
				t.Errorf("exit %d, %q: %s", code, stdout, stderr)
			}
		})
	}
}
