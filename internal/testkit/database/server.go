// Package database starts real database servers for tests: PostgreSQL as Debian packages it, in a folder of the test.
package database

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// A Server is a PostgreSQL server of a test, on a free port of loopback. It ends with the test.
type Server struct {
	tb        testing.TB
	bin, data string
	port      int
	mu        sync.Mutex
	named     int // databases made so far
}

const (
	owner    = "varve"
	password = "a password with @ and /"
)

// Start starts a server. It skips the test if PostgreSQL isn't installed.
func Start(tb testing.TB) *Server {
	tb.Helper()
	installed, err := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if err != nil || len(installed) == 0 {
		tb.Skip("PostgreSQL isn't installed: \"make needs\" installs it")
	}
	s := &Server{tb: tb, bin: filepath.Dir(slices.MaxFunc(installed, func(a, b string) int { return len(a) - len(b) })), port: freePort(tb)}
	// Not in the test's own folder: the server runs as another user, who may not look into that.
	if s.data, err = os.MkdirTemp("", "varve-postgres-"); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { os.RemoveAll(s.data) })
	secret := filepath.Join(s.data, "password")
	if err := os.WriteFile(secret, []byte(password+"\n"), 0o644); err != nil {
		tb.Fatal(err)
	}
	if uid, gid, other := postgresUser(tb); other {
		for _, path := range []string{s.data, secret} {
			if err := os.Chown(path, uid, gid); err != nil {
				tb.Fatal(err)
			}
		}
	}
	s.run("initdb", "--pgdata="+s.folder(), "--username="+owner, "--pwfile="+secret, "--auth=scram-sha-256", "--no-sync", "--encoding=UTF8",
		"--locale=C")
	tb.Cleanup(func() { s.Stop() })
	s.Continue()
	return s
}

func (s *Server) folder() string { return filepath.Join(s.data, "data") }

// Stop ends the server at once, as if its process had been killed. It may be stopped already.
func (s *Server) Stop() {
	if _, err := os.Stat(filepath.Join(s.folder(), "postmaster.pid")); err == nil {
		s.run("pg_ctl", "stop", "--pgdata="+s.folder(), "--mode=immediate", "--wait", "--silent")
	}
}

// Continue starts a server that was stopped, on the same port.
func (s *Server) Continue() {
	s.tb.Helper()
	s.run("pg_ctl", "start", "--pgdata="+s.folder(), "--wait", "--silent", "--log="+filepath.Join(s.data, "log"),
		fmt.Sprintf("--options=-p %d -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c max_connections=200", s.port))
}

// Database makes an empty database and returns its URL.
func (s *Server) Database() string {
	s.tb.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.named++
	name := fmt.Sprintf("test%d", s.named)
	s.Do("postgres", "CREATE DATABASE "+name)
	return s.URL(owner, name)
}

// URL returns the URL of a database as a user.
func (s *Server) URL(as, name string) string {
	return fmt.Sprintf("postgres://%s:a%%20password%%20with%%20%%40%%20and%%20%%2F@127.0.0.1:%d/%s?sslmode=disable", as, s.port, name)
}

// Do runs a command in a database.
func (s *Server) Do(name, sql string) {
	s.tb.Helper()
	s.on(name, func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, sql)
		return err
	})
}

// Ask returns the number that a query in the database of a URL has as its only answer.
func (s *Server) Ask(name, sql string) (n int) {
	s.tb.Helper()
	s.on(name, func(ctx context.Context, conn *pgx.Conn) error { return conn.QueryRow(ctx, sql).Scan(&n) })
	return n
}

// on calls f with a connection to a database.
func (s *Server) on(name string, f func(context.Context, *pgx.Conn) error) {
	s.tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, s.URL(owner, name))
	if err != nil {
		s.tb.Fatal(err)
	}
	defer conn.Close(ctx)
	if err := f(ctx, conn); err != nil {
		s.tb.Fatal(err)
	}
}

// run runs one of PostgreSQL's commands. It refuses to be root, so root runs it as the user that its package makes.
func (s *Server) run(command string, args ...string) {
	s.tb.Helper()
	cmd := exec.Command(filepath.Join(s.bin, command), args...)
	cmd.Dir = s.data
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
	if uid, gid, other := postgresUser(s.tb); other {
		become(cmd, uid, gid)
	}
	out, err := os.CreateTemp(s.data, "out") // a pipe would stay open as long as the server
	if err != nil {
		s.tb.Fatal(err)
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Run(); err != nil {
		said, _ := os.ReadFile(out.Name())
		log, _ := os.ReadFile(filepath.Join(s.data, "log"))
		s.tb.Errorf("%s: %v\n%s\n%s", command, err, strings.TrimSpace(string(said)), log)
	}
}

// postgresUser returns the user who runs the server, if that has to be another one.
func postgresUser(tb testing.TB) (uid, gid int, other bool) {
	if os.Getuid() != 0 {
		return 0, 0, false
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		tb.Skip("PostgreSQL refuses to run as root, and there is no user postgres")
	}
	uid, err = strconv.Atoi(u.Uid)
	if err != nil {
		tb.Fatal(err)
	}
	if gid, err = strconv.Atoi(u.Gid); err != nil {
		tb.Fatal(err)
	}
	return uid, gid, true
}

func freePort(tb testing.TB) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
