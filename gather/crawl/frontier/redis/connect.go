package redis

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/internal/sleep"
)

const dialTime = 5 * time.Second

// silence keeps the library from writing to standard error, because errors are returned.
var silence = sync.OnceFunc(func() { redis.SetLogger(silent{}) })

type silent struct{}

// Printf implements the library's logger.
func (silent) Printf(context.Context, string, ...any) {}

// CheckURL returns an error for an invalid address of a frontier.
func CheckURL(address string) error {
	_, err := parse(address)
	return err
}

func parse(address string) (*redis.Options, error) {
	o, err := redis.ParseURL(address)
	if e, ok := errors.AsType[*url.Error](err); ok { // its message would include the address with the password
		err = e.Err
	}
	if err != nil {
		return nil, fmt.Errorf("--frontier: want redis://[USER:PASSWORD@]HOST:PORT/DB, rediss:// for TLS, or unix://PATH?db=DB: %w", err)
	}
	return o, nil
}

// connect connects to a server. where is its name for messages.
func connect(ctx context.Context, address string) (db *redis.Client, where string, err error) {
	silence()
	o, err := parse(address)
	if err != nil {
		return nil, "", err
	}
	o.MaxRetries, o.DialerRetries = -1, 1 // patiently repeats operations instead
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout = dialTime, 2*dialTime, 2*dialTime
	o.ContextTimeoutEnabled = true
	o.DisableIdentity = true
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	where = "the Redis at " + o.Addr
	db = redis.NewClient(o)
	if err := db.Ping(ctx).Err(); err != nil {
		return nil, "", errors.Join(explain(err, where), db.Close())
	}
	return db, where, nil
}

// explain turns an error into a message that says what to do.
func explain(err error, where string) error {
	var said redis.Error
	var network net.Error
	switch text := err.Error(); {
	case errors.As(err, &said) && hasPrefix(text, "WRONGPASS", "ERR invalid password", "ERR AUTH", "ERR Client sent AUTH"):
		return fmt.Errorf("%s refuses the user or password of --frontier (%w): write redis://USER:PASSWORD@HOST:PORT/DB", where, err)
	case errors.As(err, &said) && hasPrefix(text, "NOAUTH"):
		return fmt.Errorf("%s wants a password: write redis://:PASSWORD@HOST:PORT/DB", where)
	case errors.As(err, &said) && hasPrefix(text, "NOPERM"):
		return fmt.Errorf("%s does not let this user do what a frontier needs (%w): scripts, and keys that begin with \"varve:\"", where, err)
	case errors.As(err, &said) && hasPrefix(text, "OOM"):
		return fmt.Errorf("%w: %s has no memory left (%w): give it more (maxmemory), and the crawl goes on", frontier.ErrUnavailable, where, err)
	case errors.As(err, &said) && hasPrefix(text, "ERR DB index"):
		return fmt.Errorf("%s has no database of this number: %w", where, err)
	case errors.As(err, &said):
		return fmt.Errorf("%s: %w", where, err)
	case errors.As(err, &network), errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, redis.ErrPoolTimeout):
		return fmt.Errorf("%w: %s does not answer (%w): see that it is running and that this is its address", frontier.ErrUnavailable, where, err)
	}
	return fmt.Errorf("%s does not answer as Redis does (%w): see that this is its address and port", where, err)
}

func hasPrefix(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

// A connection repeats operations while Redis is away.
type connection struct{ *Frontier }

// check refuses a server that would evict keys, and warns of one that doesn't persist them.
func (f connection) check(ctx context.Context) error {
	info, err := f.db.InfoMap(ctx, "memory", "persistence").Result()
	if err != nil {
		if info, err = f.info(ctx); err != nil {
			return explain(err, f.where)
		}
	}
	if policy := info["Memory"]["maxmemory_policy"]; strings.HasPrefix(policy, "allkeys-") {
		return fmt.Errorf("%s throws keys away when its memory is full (maxmemory-policy %s), so parts of the crawl would be lost without "+
			"a word: set maxmemory-policy noeviction", f.where, policy)
	}
	if info["Persistence"]["aof_enabled"] == "0" {
		f.cfg.Say(f.where + " does not write down all that it is told (appendonly no): should it stop, what it forgets is asked for again, or " +
			"the whole crawl")
	}
	return nil
}

// info requests the sections one by one, as servers before Redis 7 require.
func (f connection) info(ctx context.Context) (map[string]map[string]string, error) {
	all := map[string]map[string]string{}
	for _, section := range []string{"memory", "persistence"} {
		one, err := f.db.InfoMap(ctx, section).Result()
		if err != nil {
			return nil, err
		}
		maps.Copy(all, one)
	}
	return all, nil
}

const (
	firstWait = 50 * time.Millisecond
	lastWait  = 2 * time.Second
)

// patiently repeats an operation while Redis is away.
func (f connection) patiently(ctx context.Context, op func() error) error {
	begun := time.Now()
	for wait := firstWait; ; wait = min(2*wait, lastWait) {
		err := op()
		switch {
		case err == nil:
			f.answers()
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case strings.Contains(err.Error(), "VARVEGONE"):
			return fmt.Errorf("%w: %s has lost the crawl %s: it was emptied, or started again without what it had (appendonly no). What was "+
				"captured is in the WARC files; started again, the crawl begins from its seeds", frontier.ErrUnavailable, f.where, f.cfg.Name)
		case strings.Contains(err.Error(), "VARVEANEW"):
			return fmt.Errorf("%w: the crawl %s on %s was begun anew by another process", frontier.ErrUnavailable, f.cfg.Name, f.where)
		case !passes(err):
			return explain(err, f.where)
		case time.Since(begun) > f.cfg.Patience || f.givenUp.Load():
			f.givenUp.Store(true)
			return fmt.Errorf("%w; it was tried for %s", explain(err, f.where), f.cfg.Patience)
		}
		f.missing(err)
		if err := sleep.For(ctx, wait); err != nil {
			return err
		}
	}
}

// passes reports whether an error is temporary: the server starts, stops or can't be reached.
func passes(err error) bool {
	if _, ok := errors.AsType[redis.Error](err); ok {
		return hasPrefix(err.Error(), "LOADING", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "READONLY", "BUSY", "MISCONF", "OOM",
			"ERR max number of clients", "NOREPLICAS", "UNBLOCKED")
	}
	return !errors.Is(err, redis.ErrClosed)
}

// missing reports once that Redis doesn't answer.
func (f connection) missing(err error) {
	if !f.away.Swap(true) {
		f.cfg.Say(fmt.Sprintf("%s does not answer (%v): trying again for %s", f.where, err, f.cfg.Patience))
	}
}

// answers reports that Redis answers again.
func (f connection) answers() {
	f.givenUp.Store(false)
	if f.away.Swap(false) {
		f.cfg.Say(f.where + " answers again")
	}
}
