package kv

import "context"

// Borrowed returns a read-only view of a store that the caller doesn't own: writes fail and closing it does nothing.
func Borrowed(s Store) Store { return borrowed{s} }

type borrowed struct{ of Store }

func (b borrowed) View(ctx context.Context, f func(Snapshot) error) error { return b.of.View(ctx, f) }
func (b borrowed) Update(context.Context, func(Txn) error) error          { return ErrReadOnly }
func (b borrowed) Batch(context.Context) Batch                            { return Refused{} }
func (b borrowed) Sync(context.Context) error                             { return nil }
func (b borrowed) Close() error                                           { return nil }

// Refused is a batch whose writes fail with [ErrReadOnly]. It implements [Batch].
type Refused struct{}

func (Refused) Set(_, _ []byte) error { return ErrReadOnly }

func (Refused) Delete([]byte) error { return ErrReadOnly }

func (Refused) Flush() error { return ErrReadOnly }

func (Refused) Cancel() {}
