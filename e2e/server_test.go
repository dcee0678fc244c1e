package e2e

import (
	"bufio"
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience is the time after which a test gives up waiting.
const patience = 4 * time.Minute

// A server is a running varve.
type server struct {
	url  string // http://127.0.0.1:PORT
	data string // its --data folder
	cmd  *exec.Cmd
	log  *output
	over chan error // receives when the process has ended
}

// An output collects the output of a process while others read it.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

// launch starts varve with args, and waits for its address and the end of its first pass.
func launch(data string, args ...string) (*server, error) { return launchBinary(binary, data, args...) }

func launchBinary(path, data string, args ...string) (*server, error) {
	s := &server{data: data, log: &output{}, over: make(chan error, 1)}
	s.cmd = exec.Command(path, append(args, "--data", data, "--listen", "127.0.0.1:0")...)
	s.cmd.Stderr = s.log
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	said := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if url, ok := strings.CutPrefix(lines.Text(), "varve: listening on "); ok {
				said <- strings.TrimSuffix(url, "/")
			}
		}
		s.over <- s.cmd.Wait()
	}()
	select {
	case s.url = <-said:
	case err := <-s.over:
		return nil, fmt.Errorf("varve ended: %v\n%s", err, s.log)
	case <-time.After(patience):
		_ = s.cmd.Process.Kill()
		return nil, fmt.Errorf("varve does not listen\n%s", s.log)
	}
	return s, s.awaitReady()
}

func (s *server) awaitReady() error {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if s.ready() {
			return nil
		}
	}
	_ = s.cmd.Process.Kill()
	return fmt.Errorf("varve does not get ready\n%s", s.log)
}

// ready reports whether the first pass is over.
func (s *server) ready() bool {
	resp, err := http.Get(s.url + "/-/readyz")
	if err != nil {
		return false
	}
	resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// stop stops the server as an administrator would, and returns how it ended.
func (s *server) stop() error {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case err := <-s.over:
		return err
	case <-time.After(patience):
		_ = s.cmd.Process.Kill()
		return fmt.Errorf("varve does not stop on SIGTERM\n%s", s.log)
	}
}

// start starts varve for one test.
func start(t testing.TB, args ...string) *server {
	t.Helper()
	path := binary
	if own, ok := binaries.Load(t.Name()); ok {
		path = own.(string)
	}
	s, err := launchBinary(path, filepath.Join(t.TempDir(), "data"), args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.stop(); err != nil {
			t.Errorf("stopping varve: %v\n%s", err, s.log)
		}
		if strings.Contains(s.log.String(), "level=ERROR msg=panic") {
			t.Errorf("varve panicked:\n%s", s.log)
		}
	})
	return s
}

// binaries are those of tests that start another than all others, by the name of the test.
var binaries sync.Map

// starts makes a test start a binary of its own.
func starts(t *testing.T, path string) {
	binaries.Store(t.Name(), path)
	t.Cleanup(func() { binaries.Delete(t.Name()) })
}

// serve writes files into a folder and serves the folder, which is watched. It returns the folder too.
func serve(t testing.TB, files map[string][]byte, args ...string) (s *server, folder string) {
	t.Helper()
	folder = t.TempDir()
	for name, content := range files {
		put(t, filepath.Join(folder, name), content)
	}
	return start(t, append([]string{"serve", folder}, args...)...), folder
}

// put writes a file under another name first, so that a watcher sees only the complete file.
func put(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path+".part", content, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".part", path); err != nil {
		t.Fatal(err)
	}
}

// shared is the server of the sample archive, which most tests only read.
var shared struct {
	once sync.Once
	*server
	err error
	dir string
}

// demo returns the server of the sample archive. It runs until all tests have finished.
func demo(t testing.TB) *server {
	t.Helper()
	shared.once.Do(func() {
		if shared.dir, shared.err = os.MkdirTemp("", "varve-demo"); shared.err == nil {
			shared.server, shared.err = launch(shared.dir, "demo")
		}
	})
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.server
}

func stopShared() {
	if shared.server != nil {
		_ = shared.stop()
	}
	if shared.dir != "" {
		os.RemoveAll(shared.dir)
	}
}

// eventually calls ok again and again until it returns true.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("%s does not happen within %v", what, patience)
}
