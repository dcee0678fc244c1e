package database

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// Pooler starts PgBouncer before an empty database and returns the URL of both. Each transaction is on whatever connection is free. It
// skips the test if PgBouncer isn't installed.
func (s *Server) Pooler() string {
	s.tb.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		s.tb.Skip("PgBouncer isn't installed: \"make needs\" installs it")
	}
	s.Database()
	port, settings := freePort(s.tb), filepath.Join(s.data, "pgbouncer.ini")
	err = os.WriteFile(settings, fmt.Appendf(nil, `[databases]
test%d = host=127.0.0.1 port=%d user=%s password='%s'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %d
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 5
ignore_startup_parameters = synchronous_commit
`, s.named, s.port, owner, password, port), 0o644)
	if err != nil {
		s.tb.Fatal(err)
	}
	cmd := exec.Command(program, settings)
	if uid, gid, other := postgresUser(s.tb); other { // it refuses to be root, too
		become(cmd, uid, gid)
	}
	if err := cmd.Start(); err != nil {
		s.tb.Fatal(err)
	}
	s.tb.Cleanup(func() { _, _ = cmd.Process.Kill(), cmd.Wait() })
	at := fmt.Sprintf("127.0.0.1:%d", port)
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", at)
		if err == nil {
			_ = conn.Close()
			return fmt.Sprintf("postgres://%s@%s/test%d?sslmode=disable", owner, at, s.named)
		}
		if time.Now().After(end) {
			s.tb.Fatalf("PgBouncer does not answer: %v", err)
		}
	}
}
