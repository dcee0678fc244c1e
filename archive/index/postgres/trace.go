package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"go.opentelemetry.io/otel/attribute"

	"github.com/varve-archive/varve/internal/tracing"
)

// spans gives each round trip on behalf of a traced request a span. Keys and values are in none.
// It implements [pgx.QueryTracer] and [pgx.BatchTracer].
type spans struct{}

var _ pgx.BatchTracer = spans{}

// ending is the key of what ends a span in the context of its round trip.
type ending struct{}

func began(ctx context.Context, queries int) context.Context {
	ctx, end, ok := tracing.Child(ctx, "database", attribute.String("db.system.name", "postgresql"),
		attribute.Int("db.operation.batch.size", queries))
	if !ok {
		return ctx
	}
	return context.WithValue(ctx, ending{}, end)
}

func ended(ctx context.Context, err error) {
	if end, ok := ctx.Value(ending{}).(func(error)); ok {
		end(err)
	}
}

func (spans) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return began(ctx, 1)
}

func (spans) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, d pgx.TraceQueryEndData) {
	ended(ctx, d.Err)
}

func (spans) TraceBatchStart(ctx context.Context, _ *pgx.Conn, d pgx.TraceBatchStartData) context.Context {
	return began(ctx, d.Batch.Len())
}

func (spans) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

func (spans) TraceBatchEnd(ctx context.Context, _ *pgx.Conn, d pgx.TraceBatchEndData) {
	ended(ctx, d.Err)
}
