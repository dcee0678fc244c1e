// Package postgres keeps an index in one ordered table of a PostgreSQL database, or of an engine that speaks its protocol
// (CockroachDB, YugabyteDB). Any number of processes on any number of machines may use it at the same time.
//
// # The table
//
// A row is a key and its value. PostgreSQL's B-trees take rows of up to a third of a page, and the index has keys of up to
// 60,100 bytes, so a key longer than [headLen] bytes continues in a column of its own. The primary key has a hash of what
// continues, since that may be as long as it likes; rows are ordered by the two columns.
//
// # Round trips
//
// What a request waits for is the network. A snapshot is a transaction that begins together with its first read, many
// keys are read at once, and ranges by the page; behind the second page the next one is fetched while the reader is busy
// with the last.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package postgres

import (
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
	// How long one round trip may take before the database counts as gone: a half-open connection never answers.
	readTimeout  = 10 * time.Second // readers wait
	writeTimeout = time.Minute      // a chunk of a batch takes a while
	// readers is how many connections read at the same time, unless the URL has pool_max_conns. A walk keeps its
	// connection while its reader looks other things up, so there have to be more than there are requests at work.
	readers = 24
	writers = 4
)

var (
	_ kv.Shared = (*engine)(nil)
	_ kv.Pooled = (*engine)(nil)
)

type engine struct {
	table    string        // quoted
	read     *pgxpool.Pool // snapshots and updates
	write    *pgxpool.Pool // batches, which are not durable before Sync
	watch    *pgxpool.Pool // looks at what others change
	readOnly bool
	sql      statements
	token    []byte         // the key under which this process says which update was its last
	updated  atomic.Bool    // it has said so
	updating sync.Mutex     // held while an update of this process runs
	ending   sync.WaitGroup // of transactions whose rollback nobody waits for
}

// tableName is what the table may be called: a name that needs no quotes, so that it is the same everywhere.
var tableName = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,62}$`)

// Open opens the store at a URL such as postgres://user:password@host:port/database, whose query may have what libpq knows
// (sslmode, sslrootcert, …), pool_max_conns, and table, the name of the table, "varve" without it. Passwords may be left to
// PGPASSWORD, ~/.pgpass or a service file.
//
// Errors that pass away wrap [kv.ErrUnavailable]. If there is no table and none may be made, the error wraps [kv.ErrNone]. If
// the user may not write, or the database is one that follows another, it wraps [kv.ErrReadOnly], unless the mode is
// ReadOnly; then changes fail so.
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
		{&s.write, writers, map[string]string{"application_name": called("varve index"), "synchronous_commit": "off"}},
		{&s.watch, 1, map[string]string{"application_name": called("varve watch")}},
	} {
		if *p.pool, err = s.pool(ctx, address, p.most, p.settings); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Pools implements [kv.Pooled].
func (s *engine) Pools() []kv.Pool {
	return []kv.Pool{poolOf("read", s.read.Stat()), poolOf("write", s.write.Stat()), poolOf("watch", s.watch.Stat())}
}

func poolOf(name string, s *pgxpool.Stat) kv.Pool {
	return kv.Pool{
		Name: name, Used: int(s.AcquiredConns()), Idle: int(s.IdleConns()), Limit: int(s.MaxConns()), Waits: s.EmptyAcquireCount(),
		Waited: s.EmptyAcquireWaitTime(),
	}
}

// called returns what the database calls a connection of this process, for those who look who is at work.
func called(what string) string { return fmt.Sprintf("%s %d", what, os.Getpid()) }

// tableOf takes the name of the table out of a URL.
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

// pool makes a pool of connections, which are opened when they are needed.
func (s *engine) pool(ctx context.Context, address string, most int32, settings map[string]string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("index: %w", err) // pgx leaves the password out
	}
	if u, err := url.Parse(address); err != nil || !u.Query().Has("pool_max_conns") || most < writers {
		config.MaxConns = most
	}
	dial(config.ConnConfig)
	config.ConnConfig.Tracer = spans{}
	maps.Copy(config.ConnConfig.RuntimeParams, settings)
	config.MinIdleConns = min(2, most-1)
	config.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return false } // who meets a dead connection asks again
	if config.ConnConfig.DefaultQueryExecMode == pgx.QueryExecModeCacheDescribe {
		return pgxpool.NewWithConfig(ctx, config) // behind a pooler a statement may be prepared on another connection
	}
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		for _, sql := range s.sql.all() { // later this would be a round trip for the first request that has the statement
			if _, err := conn.Prepare(ctx, sql, sql); err != nil {
				return err
			}
		}
		return nil
	}
	return pgxpool.NewWithConfig(ctx, config)
}

// dial makes connections notice soon that the other side is gone.
func dial(conn *pgx.ConnConfig) {
	if conn.ConnectTimeout == 0 {
		conn.ConnectTimeout = connectTimeout
	}
	conn.DialFunc = (&net.Dialer{KeepAlive: keepAlive, Timeout: conn.ConnectTimeout}).DialContext
}

// prepare makes the table if it may and has to, and finds out whether the user may do what the mode is for.
func (s *engine) prepare(ctx context.Context, address string, mode kv.Mode) error {
	ctx, cancel, told := within(ctx, readTimeout)
	defer cancel()
	config, err := pgxpool.ParseConfig(address) // which knows pool_max_conns
	if err != nil {
		return fmt.Errorf("index: %w", err) // pgx leaves the password out
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
	if isCode(err, uniqueViolation, duplicateTable, duplicateObject) { // another process made it meanwhile
		err = nil
	}
	return told(err)
}

// Close implements [kv.Store].
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

// Sync implements [kv.Store]. Whatever a commit that waits for the disk returns after is on the disk too, since the
// log is written in order. An update without writes of its own still writes its token.
func (s *engine) Sync(ctx context.Context) error {
	if err := ctx.Err(); err != nil || s.readOnly {
		return err
	}
	return s.Update(ctx, func(kv.Txn) error { return nil })
}
