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

// maxValue is the size of the largest value in bytes; the database allows more, but not together with others in one answer.
const maxValue = 16 << 20

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

// An update reads from the database and collects its writes until the commit. It implements [kv.Txn].
type update struct {
	transaction
	writes map[string][]byte // nil is a key to delete
}

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

func (u *update) Set(key, value []byte) error {
	if len(value) > maxValue {
		return kv.ErrTooLarge
	}
	u.writes[string(key)] = append([]byte{}, value...)
	return nil
}

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
	var c chunk
	for key, value := range u.writes {
		c.add(write{[]byte(key), value})
	}
	c.queue(b, u.sql)
	b.Queue(commit)
	err := u.conn.SendBatch(ctx, b).Close()
	if lost(err) {
		return fmt.Errorf("%w: %w", errUnanswered, err)
	}
	return told(err)
}

// A chunk is rows to be written, by column, and keys to be deleted.
type chunk struct{ heads, rests, hashes, values, goneHeads, goneHashes [][]byte }

func (c *chunk) add(w write) {
	head, rest := split(w.Key)
	if w.Value == nil {
		c.goneHeads, c.goneHashes = append(c.goneHeads, head), append(c.goneHashes, hashOf(rest))
		return
	}
	c.heads, c.rests = append(c.heads, head), append(c.rests, rest)
	c.hashes, c.values = append(c.hashes, hashOf(rest)), append(c.values, w.Value)
}

func (c *chunk) queue(b *pgx.Batch, sql *statements) {
	if len(c.heads) > 0 {
		b.Queue(sql.put, c.heads, c.rests, c.hashes, c.values)
	}
	if len(c.goneHeads) > 0 {
		b.Queue(sql.remove, c.goneHeads, c.goneHashes)
	}
}

// put writes a chunk. It is idempotent, so it is repeated for a while after a lost connection or a conflict: a restart of the database
// takes seconds.
func (s *engine) put(ctx context.Context, writes []write) error {
	var c chunk
	for _, w := range writes {
		c.add(w)
	}
	return patiently(ctx, func() error { return s.putOnce(ctx, &c) })
}

func (s *engine) putOnce(ctx context.Context, c *chunk) error {
	bounded, cancel, told := within(ctx, writeTimeout)
	defer cancel()
	b := &pgx.Batch{}
	c.queue(b, &s.sql)
	err := s.write.AcquireFunc(bounded, func(conn *pgxpool.Conn) error { return conn.SendBatch(bounded, b).Close() })
	if lost(err) { // other pooled connections are probably dead too
		s.write.Reset()
	}
	return told(err)
}
