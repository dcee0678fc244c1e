package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/varve-archive/varve/internal/sleep"
)

// A server is the varve that is tested, as a process of its own.
type server struct {
	url, proxy string // without a slash at the end
	data       string
	process    *os.Process
	ended      chan error
}

const (
	toStart = time.Minute
	toEnd   = 30 * time.Second
)

// start runs varve on a folder, and returns when the first pass over it is done.
func start(ctx context.Context, binary, folder, data, log string) (*server, error) {
	said, err := os.Create(log) // #nosec G304 -- in the folder that the caller named
	if err != nil {
		return nil, err
	}
	defer said.Close()
	cmd := exec.Command(binary, "serve", "--data", data, "--listen", "127.0.0.1:0", "--proxy", "127.0.0.1:0", folder) // #nosec G204
	cmd.Env = append(os.Environ(), "VARVE_LOG_FORMAT=json")
	cmd.Stderr = said
	cmd.SysProcAttr = endsWithUs()
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &server{data: data, process: cmd.Process, ended: make(chan error, 1)}
	told := make(chan [2]string, 1)
	go func() {
		told <- addresses(out)
		s.ended <- cmd.Wait()
	}()
	ctx, cancel := context.WithTimeout(ctx, toStart)
	defer cancel()
	late := func() error {
		return errors.Join(errors.New("it did not become ready, see "+filepath.Base(log)), s.stop())
	}
	select {
	case at := <-told:
		if s.url, s.proxy = at[0], at[1]; s.proxy == "" {
			return nil, late()
		}
	case <-ctx.Done():
		return nil, late()
	}
	for !s.ready(ctx) {
		if sleep.For(ctx, 100*time.Millisecond) != nil {
			return nil, late()
		}
	}
	return s, nil
}

// addresses returns those that the server says it listens on, its own and that of its proxy; "" for what it ends without saying.
func addresses(out io.Reader) (at [2]string) {
	n := 0
	for lines := bufio.NewScanner(out); n < len(at) && lines.Scan(); n++ {
		_, url, _ := strings.Cut(lines.Text(), " on ")
		at[n] = strings.TrimSuffix(url, "/")
	}
	return at
}

// ready reports whether the server is, and has counted the addresses once: until then a monitor says to come back later.
func (s *server) ready(ctx context.Context) bool {
	for _, path := range []string{"/-/readyz", "/web/monitor"} {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+path, nil)
		if err != nil {
			return false
		}
		a, err := http.DefaultClient.Do(req)
		if err != nil {
			return false
		}
		a.Body.Close()
		if a.StatusCode != http.StatusOK {
			return false
		}
	}
	return true
}

// stop ends the server as an operator would, and fails if it doesn't end cleanly.
func (s *server) stop() error {
	if err := s.process.Signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("it ended before it was told to: %w", errors.Join(err, <-s.ended))
	}
	select {
	case err := <-s.ended:
		return err
	case <-time.After(toEnd):
		return errors.Join(errors.New("it did not end when told to"), s.process.Kill())
	}
}
