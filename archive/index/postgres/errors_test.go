package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/varve-archive/varve/archive/index/kv"
)

// The codes are those of PostgreSQL (appendix A).
func TestErrorsOfADatabase(t *testing.T) {
	t.Parallel()
	said := func(code string) error { return fmt.Errorf("asking: %w", &pgconn.PgError{Code: code, Message: "no"}) }
	for _, tt := range []struct {
		err   error
		is    error // nil for none of the store's
		says  string
		again bool // the transaction is repeated
	}{
		{said("42501"), kv.ErrReadOnly, "grant the user", false},
		{said("25006"), kv.ErrReadOnly, "grant the user", false},
		{said("28P01"), nil, "check user and password", false},
		{said("28000"), nil, "check user and password", false},
		{said("3D000"), nil, "createdb", false},
		{said("40001"), nil, "index: asking", true},
		{said("40P01"), nil, "index: asking", true},
		{said("08006"), kv.ErrUnavailable, "asking", false},
		{said("53300"), kv.ErrUnavailable, "asking", false},
		{said("57P01"), kv.ErrUnavailable, "asking", false},
		{said("57014"), nil, "index: asking", false}, // a query that was canceled
		{said("4"), nil, "index: asking", false},
		{&net.OpError{Op: "dial", Err: errors.New("refused")}, kv.ErrUnavailable, "refused", false},
		{io.ErrUnexpectedEOF, kv.ErrUnavailable, "EOF", false},
		{io.EOF, kv.ErrUnavailable, "EOF", false},
		{net.ErrClosed, kv.ErrUnavailable, "closed", false},
		{errors.New("conn closed"), kv.ErrUnavailable, "closed", false},
		{errors.New("odd"), nil, "index: odd", false},
	} {
		got := failure(tt.err)
		for _, is := range []error{kv.ErrReadOnly, kv.ErrUnavailable} {
			if errors.Is(got, is) != (tt.is == is) {
				t.Errorf("%v: %v", tt.err, got)
			}
		}
		if !errors.Is(got, tt.err) || !strings.Contains(got.Error(), tt.says) || conflicted(tt.err) != tt.again {
			t.Errorf("%v: %v, is repeated: %t", tt.err, got, conflicted(tt.err))
		}
	}
	if err := failure(nil); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, done, told := within(ctx, 1)
	defer done()
	cancel()
	if err := told(said("57014")); !errors.Is(err, context.Canceled) || told(nil) != nil {
		t.Errorf("of a caller who has gone: %v", err)
	}
}
