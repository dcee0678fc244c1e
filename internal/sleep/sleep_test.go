package sleep_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/varve-archive/varve/internal/sleep"
)

func TestFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		if err := sleep.For(t.Context(), time.Minute); err != nil || time.Since(began) != time.Minute {
			t.Errorf("%v after %s", err, time.Since(began))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := sleep.For(ctx, time.Minute); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Minute+time.Second {
			t.Errorf("%v after %s", err, time.Since(began))
		}
	})
}

func TestEvery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3500*time.Millisecond)
		defer cancel()
		n := 0
		for range sleep.Every(ctx, time.Second) {
			n++
		}
		for range sleep.Every(t.Context(), time.Second) {
			break
		}
		if n != 3 {
			t.Errorf("%d times in 3.5 seconds", n)
		}
	})
}

func TestRepeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		stop := sleep.Repeat(t.Context(), time.Second, func(ctx context.Context) {
			if n++; n == 3 {
				<-ctx.Done() // it is told to stop, and waited for
				n += 10
			}
		})
		time.Sleep(time.Minute)
		stop()
		if n != 13 {
			t.Errorf("n is %d", n)
		}
	})
}
