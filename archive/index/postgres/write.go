package postgres

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/varve-archive/varve/archive/index/kv"
)

const (
	largest = 16 << 20 // of a value in bytes; the database allows more, but not together with others in one answer
)

// Update implements [kv.Store]. It repeats the transaction as long as concurrent ones win, and for a while if the database is unreachable.
// Each transaction writes a token, which tells afterwards whether a commit without an answer was applied.
func (s *engine) Update(ctx context.Context, f func(kv.Txn) error) error {
	if s.readOnly {
		return kv.ErrReadOnly
	}
	s.updating.Lock()
	defer s.updating.Unlock()
	return patiently(ctx, func() error {
		token := []byte(rand.Text())
		err := s.try(ctx, token, f)
		if !errors.Is(err, errUnanswered) {
			return err
		}
		done := false
		checked := patiently(ctx, func() error {
			return s.View(ctx, func(snap kv.Snapshot) error {
				err := snap.Get(s.token, func(v []byte) error { done = bytes.Equal(v, token); return nil })
				if errors.Is(err, kv.ErrNoKey) {
					return nil
				}
				return err
			})
		})
		if done || checked != nil {
			return checked
		}
		return err
	})
}

// errUnanswered says that the connection was lost during a commit.
var errUnanswered = fmt.Errorf("%w: it went away during a commit", kv.ErrUnavailable)

// patiently repeats f as long as concurrent transactions win, and for a while if the database is unreachable.
func patiently(ctx context.Context, f func() error) error {
	return retry(ctx, conflicted, f)
}

// forget deletes this process's token.
func (s *engine) forget() {
	if s.write == nil || !s.updated.Load() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), connectTimeout)
	defer cancel()
	_, _ = s.write.Exec(ctx, s.sql.remove, [][]byte{s.token}, [][]byte{{}}) // a token that remains does no harm
}

// try runs f in one transaction, which also writes the token.
func (s *engine) try(ctx context.Context, token []byte, f func(kv.Txn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	u := &update{transaction: transaction{ctx: ctx, pool: s.read, sql: &s.sql, begin: beginUpdating}, writes: map[string][]byte{}}
	defer u.end(&s.ending)
	if err := f(u); err != nil {
		return err
	}
	u.writes[string(s.token)] = token
	s.updated.Store(true)
	return u.commit()
}

// An update reads from the database and collects its writes until the commit.
type update struct {
	transaction
	writes map[string][]byte // nil is a key to delete
}

// Get implements [kv.Txn].
func (u *update) Get(key []byte) (value []byte, err error) {
	if value, ok := u.writes[string(key)]; ok {
		if value == nil {
			return nil, kv.ErrNoKey
		}
		return value, nil
	}
	err = u.get(key, func(v []byte) error { value = bytes.Clone(v); return nil })
	return value, err
}

// Set implements [kv.Txn].
func (u *update) Set(key, value []byte) error {
	if len(value) > largest {
		return kv.ErrTooLarge
	}
	u.writes[string(key)] = append([]byte{}, value...)
	return nil
}

// Delete implements [kv.Txn].
func (u *update) Delete(key []byte) error {
	u.writes[string(key)] = nil
	return nil
}

// commit sends the writes and the commit in one round trip.
func (u *update) commit() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	ctx, cancel, told := within(u.ctx, readTimeout)
	defer cancel()
	if err := u.ctx.Err(); err != nil {
		return err
	}
	if u.conn == nil {
		conn, err := u.pool.Acquire(ctx)
		if err != nil {
			return told(err)
		}
		u.conn = conn
	}
	b := &pgx.Batch{}
	if u.conn.Conn().PgConn().TxStatus() == 'I' {
		b.Queue(u.begin)
	}
	put, gone := chunk{}, chunk{}
	for key, value := range u.writes {
		if value == nil {
			gone.add([]byte(key), nil)
			continue
		}
		put.add([]byte(key), value)
	}
	put.queue(b, u.sql.put, true)
	gone.queue(b, u.sql.remove, false)
	b.Queue(commit)
	err := u.conn.SendBatch(ctx, b).Close()
	if lost(err) {
		return fmt.Errorf("%w: %w", errUnanswered, err)
	}
	return told(err)
}

// A chunk is rows for one statement, by column.
type chunk struct{ heads, rests, hashes, values [][]byte }

func (c *chunk) add(key, value []byte) {
	head, rest := split(key)
	c.heads, c.rests = append(c.heads, head), append(c.rests, rest)
	c.hashes, c.values = append(c.hashes, hashOf(rest)), append(c.values, nonNil(value))
}

func (c *chunk) queue(b *pgx.Batch, sql string, whole bool) {
	switch {
	case len(c.heads) == 0:
	case whole:
		b.Queue(sql, c.heads, c.rests, c.hashes, c.values)
	default:
		b.Queue(sql, c.heads, c.hashes)
	}
}

// Batch implements [kv.Store].
func (s *engine) Batch(ctx context.Context) kv.Batch {
	return newBatch(ctx, largest, s.refused(), s.put)
}

// refused returns the error of writes to a read-only store, nil for others.
func (s *engine) refused() error {
	if s.readOnly {
		return kv.ErrReadOnly
	}
	return nil
}

// put writes a chunk. It is idempotent, so it is repeated for a while after a lost connection or a conflict: a restart of the database
// takes seconds.
func (s *engine) put(ctx context.Context, writes []write) error {
	put, gone := chunk{}, chunk{}
	for _, w := range writes {
		if w.Value == nil {
			gone.add(w.Key, nil)
			continue
		}
		put.add(w.Key, w.Value)
	}
	return patiently(ctx, func() error { return s.putOnce(ctx, put, gone) })
}

func (s *engine) putOnce(ctx context.Context, put, gone chunk) error {
	bounded, cancel, told := within(ctx, writeTimeout)
	defer cancel()
	b := &pgx.Batch{}
	put.queue(b, s.sql.put, true)
	gone.queue(b, s.sql.remove, false)
	err := s.write.AcquireFunc(bounded, func(conn *pgxpool.Conn) error { return conn.SendBatch(bounded, b).Close() })
	if lost(err) { // other pooled connections are probably dead too
		s.write.Reset()
	}
	return told(err)
}
