package tikv

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	tikverr "github.com/tikv/client-go/v2/error"
	"github.com/tikv/client-go/v2/txnkv/transaction"

	"github.com/varve-archive/varve/cdx/index/store"
)

// conflicted reports whether a transaction has to be tried again because of another one.
func conflicted(err error) bool {
	var latch *tikverr.ErrWriteConflictInLatch
	var retry *tikverr.ErrRetryable
	var deadlock *tikverr.ErrDeadlock
	return tikverr.IsErrWriteConflict(err) || errors.As(err, &latch) || errors.As(err, &retry) || errors.As(err, &deadlock)
}

// failure says in the store's terms what went wrong.
func failure(ctx context.Context, err error) error {
	var large *tikverr.ErrEntryTooLarge
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case tikverr.IsErrNotFound(err):
		return store.ErrNoKey
	case conflicted(err):
		return err
	case errors.As(err, &large):
		return fmt.Errorf("%w: %w", store.ErrTooLarge, err)
	}
	// The client gives up in dozens of ways, and of many it keeps only the text: what is left is a cluster that can't answer now.
	return fmt.Errorf("%w: TiKV: %w", store.ErrUnavailable, err)
}

// within calls f with a context for one round trip, and turns its error into the store's.
func within(ctx context.Context, while time.Duration, f func(context.Context) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	bounded, cancel := context.WithTimeout(ctx, while)
	defer cancel()
	return failure(ctx, f(bounded))
}

// commitTime returns the timestamp of a commit, as the client tells it.
func commitTime(info string) uint64 {
	var told transaction.TxnInfo
	if json.Unmarshal([]byte(info), &told) != nil {
		return 0
	}
	return told.CommitTS
}
