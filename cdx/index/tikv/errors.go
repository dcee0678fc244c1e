package tikv

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	tikverr "github.com/tikv/client-go/v2/error"
	"github.com/tikv/client-go/v2/txnkv/transaction"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/varve-archive/varve/cdx/index/store"
)

// conflicted reports whether a transaction has to be tried again because of another one.
func conflicted(err error) bool {
	var latch *tikverr.ErrWriteConflictInLatch
	var retry *tikverr.ErrRetryable
	var deadlock *tikverr.ErrDeadlock
	return tikverr.IsErrWriteConflict(err) || errors.As(err, &latch) || errors.As(err, &retry) || errors.As(err, &deadlock)
}

// passing are errors of the client that pass away: of servers that are gone, busy, or have just got or lost a part of the keys.
var passing = []error{
	tikverr.ErrTiKVServerTimeout, tikverr.ErrTiKVServerBusy, tikverr.ErrTiKVStaleCommand, tikverr.ErrTiKVMaxTimestampNotSynced,
	tikverr.ErrResolveLockTimeout, tikverr.ErrLockWaitTimeout, tikverr.ErrRegionUnavailable, tikverr.ErrRegionDataNotReady,
	tikverr.ErrRegionNotInitialized, tikverr.ErrRegionRecoveryInProgress, tikverr.ErrResultUndetermined, tikverr.ErrBodyMissing,
	context.DeadlineExceeded,
}

// lost reports whether the cluster could not be reached, went away, or takes no more now.
func lost(err error) bool {
	for _, p := range passing {
		if errors.Is(err, p) {
			return true
		}
	}
	var timeout *tikverr.ErrPDServerTimeout
	var old *tikverr.ErrGCTooEarly // the cluster has thrown away what a long walk was reading: the next one reads what is there now
	var token *tikverr.ErrTokenLimit
	return errors.As(err, &timeout) || errors.As(err, &old) || errors.As(err, &token) || status.Code(rootOf(err)) == codes.Unavailable
}

// rootOf returns the error at the bottom. The client wraps those of its connections.
func rootOf(err error) error {
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return err
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
	case lost(err):
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	return fmt.Errorf("index: TiKV: %w", err)
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
