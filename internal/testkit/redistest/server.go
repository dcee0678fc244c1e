// Package redistest runs a Redis server for tests.
package redistest

import (
	"fmt"
	"net"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a server may take to start.
const patience = 30 * time.Second

// A Server is a Redis server on loopback, with a folder of its own. It ends with the test.
type Server struct {
	tb   testing.TB
	addr string
	args []string

	mu  sync.Mutex
	cmd *exec.Cmd // nil while it is stopped
}

// Start starts a server that writes down all that it is told. args are further settings, such as "--requirepass", "secret".
func Start(tb testing.TB, args ...string) *Server {
	tb.Helper()
	s := &Server{tb: tb, addr: freeAddress(tb)}
	host, port, _ := net.SplitHostPort(s.addr)
	s.args = append([]string{
		"--bind", host, "--port", port, "--dir", tb.TempDir(), "--appendonly", "yes", "--appendfsync", "always", "--save", "",
	}, args...)
	tb.Cleanup(s.Kill)
	s.Run()
	return s
}

// freeAddress returns an address on loopback that nobody has.
func freeAddress(tb testing.TB) string {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// URL returns how a database of the server is called.
func (s *Server) URL() string { return "redis://" + s.addr + "/0" }

// Addr returns the address of the server.
func (s *Server) Addr() string { return s.addr }

// Run starts the server again, with what it has written down.
func (s *Server) Run() {
	s.tb.Helper()
	cmd := exec.Command("redis-server", s.args...)
	if err := cmd.Start(); err != nil {
		s.tb.Fatalf("%v: scripts/testneeds.sh installs it", err)
	}
	s.mu.Lock()
	s.cmd = cmd
	s.mu.Unlock()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if s.ready() {
			return
		}
	}
	s.tb.Fatalf("the Redis server at %s does not start", s.addr)
}

// ready reports whether the server answers; one that is loading what it has, or wants a password, does.
func (s *Server) ready() bool {
	c, err := net.Dial("tcp", s.addr)
	if err != nil {
		return false
	}
	defer c.Close()
	fmt.Fprint(c, "PING\r\n")
	answer := make([]byte, 64)
	n, err := c.Read(answer)
	return err == nil && !strings.HasPrefix(string(answer[:n]), "-LOADING")
}

// Do has the server do something, such as FLUSHALL.
func (s *Server) Do(command string) {
	s.tb.Helper()
	c, err := net.Dial("tcp", s.addr)
	if err != nil {
		s.tb.Fatal(err)
	}
	defer c.Close()
	fmt.Fprint(c, command+"\r\n")
	answer := make([]byte, 64)
	if n, err := c.Read(answer); err != nil || answer[0] == '-' {
		s.tb.Fatalf("%s: %s, %v", command, answer[:n], err)
	}
}

// Kill ends the server at once, as a crash would.
func (s *Server) Kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait() // it was killed
	s.cmd = nil
}
