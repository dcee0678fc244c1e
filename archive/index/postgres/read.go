package postgres

import (
	"context"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/varve-archive/varve/archive/index/kv"
)

const (
	beginReading  = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
	beginUpdating = "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE"
	commit        = "COMMIT"
)

func (s *engine) View(ctx context.Context, f func(kv.Snapshot) error) error {
	return s.viewOn(ctx, s.read, f)
}

// viewOn is View on a connection of the given pool.
func (s *engine) viewOn(ctx context.Context, pool *pgxpool.Pool, f func(kv.Snapshot) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	snap := &snapshot{transaction: transaction{ctx: ctx, pool: pool, sql: &s.sql, begin: beginReading}}
	defer snap.end(&s.ending)
	return f(snap)
}

// A transaction begins with its first query, in the same round trip. Cursors that read ahead use it from other goroutines.
type transaction struct {
	ctx   context.Context
	pool  *pgxpool.Pool
	sql   *statements
	begin string

	mu    sync.Mutex
	conn  *pgxpool.Conn // nil before the first query
	ended error         // what ended it
}

// A question is a query with a function that receives each row. The row's values are valid until the function returns.
type question struct {
	sql  string
	args []any
	each func(values [][]byte) error
}

// query runs queries in one round trip.
func (t *transaction) query(questions ...question) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.ctx.Err(); err != nil || len(questions) == 0 {
		return err
	}
	if t.ended != nil {
		return t.ended
	}
	if t.conn != nil {
		return t.ask(questions)
	}
	err := t.first(questions)
	if lost(err) && t.conn == nil && t.ctx.Err() == nil { // the database may have restarted, which breaks all pooled connections
		t.pool.Reset()
		err = t.first(questions)
	}
	return err
}

// first runs the first queries of the transaction. If it fails before any row was received, the connection is dropped and the queries may
// be repeated.
func (t *transaction) first(questions []question) (err error) {
	ctx, cancel, told := within(t.ctx, readTimeout)
	defer cancel()
	if t.conn, err = t.pool.Acquire(ctx); err != nil {
		t.conn = nil
		return told(err)
	}
	begun := false
	watched := make([]question, len(questions))
	for i, q := range questions {
		watched[i] = question{q.sql, q.args, func(values [][]byte) error { begun = true; return q.each(values) }}
	}
	err = t.ask(watched)
	if lost(err) && !begun {
		t.conn.Release()
		t.conn = nil
	}
	return err
}

// callersError is an error of a function that the caller passed to the store. It is returned unchanged.
type callersError struct{ error }

// ask sends queries, after the beginning of the transaction if that wasn't sent.
func (t *transaction) ask(questions []question) error {
	ctx, cancel, told := within(t.ctx, readTimeout)
	defer cancel()
	batch := &pgx.Batch{}
	if t.conn.Conn().PgConn().TxStatus() == 'I' {
		batch.Queue(t.begin)
	}
	for _, q := range questions {
		batch.Queue(q.sql, q.args...).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				if err := q.each(rows.RawValues()); err != nil {
					return callersError{err}
				}
			}
			return rows.Err()
		})
	}
	err := t.conn.SendBatch(ctx, batch).Close()
	if own, ok := err.(callersError); ok {
		return own.error
	}
	return told(err)
}

// end ends a read-only transaction in the background.
func (t *transaction) end(ending *sync.WaitGroup) {
	t.mu.Lock()
	defer t.mu.Unlock()
	conn := t.conn
	if t.ended, t.conn = pgx.ErrTxClosed, nil; conn == nil {
		return
	}
	ending.Go(func() { release(conn) })
}

// release returns a connection to the pool outside of any transaction, or closes it if it doesn't answer.
func release(conn *pgxpool.Conn) {
	defer conn.Release()
	if conn.Conn().PgConn().TxStatus() == 'I' {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), readTimeout)
	defer cancel()
	_, _ = conn.Conn().PgConn().Exec(ctx, "ROLLBACK").ReadAll() // the pool closes connections that are in a transaction
}

// get calls f with the value of key, or returns [kv.ErrNoKey].
func (t *transaction) get(key []byte, f func([]byte) error) error {
	found := false
	head, rest := split(key)
	err := t.query(question{t.sql.get, []any{head, hashOf(rest)}, func(v [][]byte) error { found = true; return f(v[0]) }})
	if err == nil && !found {
		return kv.ErrNoKey
	}
	return err
}

// snapshot implements [kv.Snapshot].
type snapshot struct {
	transaction
	prefetched prefetched
}

func (s *snapshot) Prefetch(keys [][]byte, ranges []kv.PrefetchRange) {
	s.prefetched = prefetched{keys: keys, ranges: ranges}
}

func (s *snapshot) Get(key []byte, f func([]byte) error) error {
	found := false
	known, err := s.prefetched.getMany(s.ctx, s, [][]byte{key}, func(_ int, v []byte) error { found = true; return f(v) })
	switch {
	case !known:
		return s.get(key, f)
	case err == nil && !found:
		return kv.ErrNoKey
	}
	return err
}

func (s *snapshot) GetMany(keys [][]byte, f func(i int, value []byte) error) error {
	if known, err := s.prefetched.getMany(s.ctx, s, keys, f); known {
		return err
	}
	return s.query(s.many(keys, f))
}

// many returns the query for the values of keys.
func (s *snapshot) many(keys [][]byte, f func(i int, value []byte) error) question {
	heads, hashes := make([][]byte, len(keys)), make([][]byte, len(keys))
	for i, key := range keys {
		head, rest := split(key)
		heads[i], hashes[i] = head, hashOf(rest)
	}
	return question{s.sql.getMany, []any{heads, hashes}, func(v [][]byte) error { return f(int(number(v[0]))-1, v[1]) }}
}

// fetchTogether runs all queries in one round trip: it calls give with the value of each key that exists, and fills each page with the
// first rows of a range. give's value is valid until it returns.
func (s *snapshot) fetchTogether(keys [][]byte, give func(i int, value []byte), pages []wanted) error {
	var all []question
	if len(keys) > 0 {
		all = append(all, s.many(keys, func(i int, value []byte) error { give(i, value); return nil }))
	}
	for _, p := range pages {
		all = append(all, s.page(p.page, p.Range, p.From, p.To, p.N))
	}
	return s.query(all...)
}

// number decodes an integer in the binary format.
func number(b []byte) (n uint64) {
	for _, c := range b {
		n = n<<8 | uint64(c)
	}
	return n
}
