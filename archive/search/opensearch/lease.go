package opensearch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/varve-archive/varve/internal/sentinel"
	"github.com/varve-archive/varve/internal/sleep"
)

// Several processes may feed an index, one at a time. The one that does holds a lease, which expires by itself if the process dies.
const (
	leaseIndex   = "varve-leases"
	leaseTime    = 30 * time.Second
	leaseRenewal = 8 * time.Second
)

// ErrLeased says that another process feeds the index now.
const ErrLeased = sentinel.Error("another process feeds the index of the search engine")

type lease struct {
	By    string `json:"by"`
	Until int64  `json:"until"` // in milliseconds since 1970
}

// A leasing takes and renews the lease of an index.
type leasing struct{ *Index }

// lease takes the lease and renews it until end is called. The returned context is cancelled if the lease is lost.
func (x leasing) lease(ctx context.Context) (_ context.Context, end func(), err error) {
	body := object{"settings": object{"index": object{"auto_expand_replicas": "0-1"}}, "mappings": object{"dynamic": false}}
	if err := x.send(ctx, http.MethodPut, "/"+leaseIndex, body, nil); err != nil && !hasStatus(err, http.StatusBadRequest) {
		return ctx, nil, err
	}
	if err := x.take(ctx, false); err != nil {
		return ctx, nil, err
	}
	held, cancel := context.WithCancelCause(ctx)
	until := time.Now().Add(leaseTime)
	stop := sleep.Repeat(held, leaseRenewal, func(renewing context.Context) {
		if err := x.take(renewing, true); err == nil {
			until = time.Now().Add(leaseTime)
		} else if errors.Is(err, ErrLeased) || time.Now().After(until) {
			cancel(err)
		}
	})
	return held, func() {
		lost := held.Err() != nil && ctx.Err() == nil
		cancel(nil)
		stop()
		if lost {
			return
		}
		after, cancel := context.WithTimeout(context.WithoutCancel(ctx), dialTime)
		defer cancel()
		_ = x.put(after, lease{x.by, 0}, "") // if this fails, the lease expires
	}, nil
}

// take takes the lease unless another process has it. mine says that this process has held it, so that a takeover by another counts as
// lost.
func (x leasing) take(ctx context.Context, mine bool) error {
	now, doc, err := x.current(ctx)
	if err != nil {
		return err
	}
	condition := "?op_type=create"
	if doc.Found {
		if now.By != x.by && (mine || time.Now().UnixMilli() < now.Until) {
			return fmt.Errorf("%w: %s", ErrLeased, now.By)
		}
		condition = fmt.Sprintf("?if_seq_no=%d&if_primary_term=%d", doc.SeqNo, doc.PrimaryTerm)
	}
	next := lease{x.by, time.Now().Add(leaseTime).UnixMilli()}
	err = x.put(ctx, next, condition)
	if hasStatus(err, http.StatusConflict) {
		if now, _, err := x.current(ctx); err == nil && now == next { // by an unanswered attempt
			return nil
		}
		return ErrLeased
	}
	return err
}

// current returns the lease that there is, and its document.
func (x leasing) current(ctx context.Context) (l lease, doc found, err error) {
	err = x.cluster.try(ctx, maxTries, http.MethodGet, "/"+leaseIndex+"/_doc/"+x.alias, nil, &doc)
	if err != nil && !hasStatus(err, http.StatusNotFound) {
		return l, doc, err
	}
	if !doc.Found {
		return l, doc, nil
	}
	return l, doc, json.Unmarshal(doc.Source, &l)
}

func (x leasing) put(ctx context.Context, l lease, condition string) error {
	return x.send(ctx, http.MethodPut, "/"+leaseIndex+"/_doc/"+x.alias+condition, l, nil)
}
