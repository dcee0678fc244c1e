package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/varve-archive/varve/archive/index/kv"
)

// Error codes of PostgreSQL (appendix A). Compatible engines use the same.
const (
	undefinedTable       = "42P01"
	duplicateTable       = "42P07"
	duplicateObject      = "42710"
	uniqueViolation      = "23505"
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
	noRight              = "42501"
	readOnlyTransaction  = "25006"
	wrongPassword        = "28P01"
	notAuthorized        = "28000"
	noDatabase           = "3D000"
)

// isCode reports whether err is an error of the database with one of these codes.
func isCode(err error, codes ...string) bool {
	var said *pgconn.PgError
	return errors.As(err, &said) && slices.Contains(codes, said.Code)
}

// conflicted reports whether a transaction has to be repeated because of a concurrent one.
func conflicted(err error) bool { return isCode(err, serializationFailure, deadlockDetected) }

// lost reports whether an error is temporary: the database can't be reached, closed the connection, or is overloaded.
func lost(err error) bool {
	if said, ok := errors.AsType[*pgconn.PgError](err); ok {
		class := said.Code[:min(2, len(said.Code))]
		return class == "08" || class == "53" || strings.HasPrefix(said.Code, "57P")
	}
	var network net.Error
	var connecting *pgconn.ConnectError
	return errors.As(err, &connecting) || errors.As(err, &network) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) ||
		errors.Is(err, net.ErrClosed) || pgconn.Timeout(err) || err != nil && strings.Contains(err.Error(), "conn closed")
}

// failure turns an error of the database into one of the store, with advice.
func failure(err error) error {
	switch {
	case err == nil:
		return nil
	case isCode(err, noRight, readOnlyTransaction):
		return fmt.Errorf("%w: %w: grant the user of the database SELECT, INSERT, UPDATE and DELETE on the table", kv.ErrReadOnly, err)
	case isCode(err, wrongPassword, notAuthorized):
		return fmt.Errorf("index: the database refuses the user: %w: check user and password in --index, PGPASSWORD or ~/.pgpass", err)
	case isCode(err, noDatabase):
		return fmt.Errorf("index: %w: make it with createdb, or name another in --index", err)
	case lost(err):
		return fmt.Errorf("%w: %w", kv.ErrUnavailable, err)
	}
	return fmt.Errorf("index: %w", err)
}

// within returns a context for one round trip that may take a while, and a function that converts its error.
func within(ctx context.Context, while time.Duration) (context.Context, context.CancelFunc, func(error) error) {
	bounded, cancel := context.WithTimeout(ctx, while)
	return bounded, cancel, func(err error) error {
		if err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
		return failure(err)
	}
}
