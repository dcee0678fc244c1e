// Package postgres keeps an index in one ordered table of a PostgreSQL database, or of a compatible engine (CockroachDB, YugabyteDB). Any
// number of processes on any number of machines may use it at the same time.
//
// # The table
//
// A row is a key and its value. PostgreSQL's B-trees take rows of up to a third of a page, and the index has keys of up to 60,100 bytes, so
// a key longer than [headLen] bytes continues in a second column. The primary key has the first column and a hash of the second, which can
// be too long for it; rows are ordered by both columns.
//
// # Round trips
//
// Requests mostly wait for the network. So a transaction begins in the same round trip as its first read, many keys are read at once, and
// ranges are read by pages. From the second page on, the next is fetched while the current one is read.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package postgres

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"os"
	"regexp"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/varve-archive/varve/archive/index/kv"
)

const (
	defaultTable   = "varve"
	connectTimeout = 5 * time.Second
	keepAlive      = 15 * time.Second
	// Time after which the database counts as unreachable in one round trip. A half-open connection never answers.
	readTimeout  = 10 * time.Second // for reads, which somebody waits for
	writeTimeout = time.Minute      // for a chunk of a batch, which takes longer
	// readers is the number of connections for reading, unless the URL has pool_max_conns. A cursor keeps its connection while its user looks
	// other things up, so there must be more connections than concurrent requests.
	readers = 24
	writers = 4
)

var (
	_ kv.Shared = (*engine)(nil)
	_ kv.Pooled = (*engine)(nil)
)

// engine implements [kv.Store] and [kv.Pooled].
type engine struct {
	table    string        // quoted
	read     *pgxpool.Pool // snapshots and updates
	write    *pgxpool.Pool // batches
	watch    *pgxpool.Pool // for Watch
	readOnly bool
	sql      statements
	token    []byte         // the key under which this process stores the token of its last update
	updated  atomic.Bool    // it has stored one
	updating sync.Mutex     // held during an update of this process
	ending   sync.WaitGroup // rollbacks in the background
}

// tableName matches the allowed table names, which need no quotes in any engine.
var tableName = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,62}$`)

// Open opens the store at a URL such as postgres://user:password@host:port/database. Its query may have the parameters of libpq (sslmode,
// sslrootcert, …), pool_max_conns, and table, the name of the table ("varve" by default). Passwords can be given by PGPASSWORD, ~/.pgpass
// or a service file.
//
// Temporary errors wrap [kv.ErrUnavailable]. If there is no table and it can't be created, the error wraps [kv.ErrNone]. If the user may
// not write, or the database is a standby, it wraps [kv.ErrReadOnly]; with mode ReadOnly only writes fail with that.
func Open(ctx context.Context, address string, mode kv.Mode) (_ kv.Shared, err error) {
	address, table, err := tableOf(address)
	if err != nil {
		return nil, err
	}
	s := &engine{table: pgx.Identifier{table}.Sanitize(), readOnly: mode == kv.ReadOnly, token: append([]byte{0}, rand.Text()...)}
	s.sql = statementsFor(s.table)
	defer func() {
		if err != nil {
			_ = s.Close()
		}
	}()
	if err := s.prepare(ctx, address, mode); err != nil {
		return nil, err
	}
	for _, p := range []struct {
		pool     **pgxpool.Pool
		most     int32
		settings map[string]string
	}{
		{&s.read, readers, map[string]string{"application_name": called("varve")}},
		{&s.write, writers, map[string]string{"application_name": called("varve index"), "synchronous_commit": "on"}},
		{&s.watch, 1, map[string]string{"application_name": called("varve watch")}},
	} {
		if *p.pool, err = s.pool(ctx, address, p.most, p.settings); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *engine) Pools() []kv.Pool {
	return []kv.Pool{poolOf("read", s.read.Stat()), poolOf("write", s.write.Stat()), poolOf("watch", s.watch.Stat())}
}

func poolOf(name string, s *pgxpool.Stat) kv.Pool {
	return kv.Pool{
		Name: name, Used: int(s.AcquiredConns()), Idle: int(s.IdleConns()), Limit: int(s.MaxConns()), Waits: s.EmptyAcquireCount(),
		Waited: s.EmptyAcquireWaitTime(),
	}
}

// called returns the name of this process's connections, which administrators see in the database.
func called(what string) string { return fmt.Sprintf("%s %d", what, os.Getpid()) }

// tableOf removes the table's name from a URL and returns both.
func tableOf(address string) (rest, table string, err error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", "", errors.New("index: the address of the database can't be read: want postgres://USER@HOST:PORT/DATABASE")
	}
	query := u.Query()
	if table = defaultTable; query.Has("table") {
		table = query.Get("table")
	}
	if !tableName.MatchString(table) {
		return "", "", fmt.Errorf("index: table=%.70q: a name begins with a–z or _ and has only a–z, 0–9 and _", table)
	}
	query.Del("table")
	u.RawQuery = query.Encode()
	return u.String(), table, nil
}

// pool returns a pool whose connections are opened on demand.
func (s *engine) pool(ctx context.Context, address string, most int32, settings map[string]string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("index: %w", err) // pgx hides the password
	}
	if u, err := url.Parse(address); err != nil || !u.Query().Has("pool_max_conns") || most < writers {
		config.MaxConns = most
	}
	dial(config.ConnConfig)
	config.ConnConfig.Tracer = spans{}
	maps.Copy(config.ConnConfig.RuntimeParams, settings)
	config.MinIdleConns = min(2, config.MaxConns-1)
	config.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return false } // a query finds dead connections
	if config.ConnConfig.DefaultQueryExecMode == pgx.QueryExecModeCacheDescribe {
		return pgxpool.NewWithConfig(ctx, config) // behind a pooler, statements prepared on one connection may be missing on another
	}
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		for _, sql := range s.sql.all() { // prepare now, so that no request waits a round trip for it
			if _, err := conn.Prepare(ctx, sql, sql); err != nil {
				return err
			}
		}
		return nil
	}
	return pgxpool.NewWithConfig(ctx, config)
}

// dial configures connections to notice quickly that the other side is gone.
func dial(conn *pgx.ConnConfig) {
	conn.ConnectTimeout = cmp.Or(conn.ConnectTimeout, connectTimeout)
	conn.DialFunc = (&net.Dialer{KeepAlive: keepAlive, Timeout: conn.ConnectTimeout}).DialContext
}

// prepare creates the table if necessary and allowed, and checks that the user has the rights that the mode needs.
func (s *engine) prepare(ctx context.Context, address string, mode kv.Mode) error {
	ctx, cancel, told := within(ctx, readTimeout)
	defer cancel()
	config, err := pgxpool.ParseConfig(address) // it understands pool_max_conns
	if err != nil {
		return fmt.Errorf("index: %w", err) // pgx hides the password
	}
	dial(config.ConnConfig)
	conn, err := pgx.ConnectConfig(ctx, config.ConnConfig)
	if err != nil {
		return told(err)
	}
	defer conn.Close(ctx)
	exists, writable := false, false
	err = conn.QueryRow(ctx, `SELECT count(t) > 0, coalesce(bool_and(has_table_privilege(t::oid, 'INSERT')), true)
		AND current_setting('transaction_read_only') = 'off' FROM (SELECT to_regclass($1) AS t) AS found WHERE t IS NOT NULL`,
		s.table).Scan(&exists, &writable)
	switch {
	case err != nil:
		return told(err)
	case !exists && mode != kv.Create:
		return fmt.Errorf("%w (table %s)", kv.ErrNone, s.table)
	case !writable && mode != kv.ReadOnly:
		return fmt.Errorf("%w: its user may only read, or the database follows another one", kv.ErrReadOnly)
	case exists:
		return nil
	}
	_, err = conn.Exec(ctx, "CREATE TABLE IF NOT EXISTS "+s.table+` (
		head bytea NOT NULL, -- of the key, `+fmt.Sprint(headLen)+` bytes at most
		rest bytea NOT NULL, -- of the key, empty for nearly all
		hash bytea NOT NULL, -- of rest, if there is any
		value bytea NOT NULL,
		PRIMARY KEY (head, hash))`)
	if isCode(err, uniqueViolation, duplicateTable, duplicateObject) { // another process has created it
		err = nil
	}
	return told(err)
}

func (s *engine) Close() error {
	s.ending.Wait()
	s.forget()
	for _, p := range []*pgxpool.Pool{s.read, s.write, s.watch} {
		if p != nil {
			p.Close()
		}
	}
	return nil
}

// Sync implements [kv.Store]. Everything that was written is durable already: what the database could still lose in a crash, a process that
// outlives the crash would take for written.
func (s *engine) Sync(ctx context.Context) error { return ctx.Err() }
