// Package redis keeps the frontier of a crawl that several processes work on, in a Redis (or Valkey) server.
//
// Each operation is one script (folder scripts), so that it happens whole or not at all, and looks at a bounded number of keys, however
// many hosts and addresses there are: hosts that may be asked stand in a sorted set by the time when they may, each with a queue of its
// own.
//
// What is handed out is leased. A process says every few seconds that it is alive; one that doesn't is given up after [Config.Lease], by
// Redis's clock, and what it held is handed out again. Before it writes an answer a process makes sure that the item is still its own
// ([Frontier.Holds]). From then until it is done, nobody but Redis knows of the other's file: should the process die there, the item stays
// where it is for [Config.Grace], in which whoever has its files may find the answer in them. Only after that it is asked for again.
package redis

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"github.com/varve-archive/varve/gather/crawl/frontier"
)

// format is that of what is in Redis. Another one is refused.
const format = "1"

// Config says which crawl a frontier is of.
type Config struct {
	URL  string // redis://[USER:PASSWORD@]HOST:PORT/DB, rediss://… by TLS, unix://[USER:PASSWORD@]PATH?db=DB
	Name string // of the crawl
	// Folder tells the folder of the WARC files from those of other processes, for as long as it is there. Processes that write into
	// the same one have it in common.
	Folder  string
	Handing frontier.Config
	Log     *slog.Logger // may be nil
	// Say tells people what they should know: that Redis is away, that it keeps too little. It may be nil.
	Say func(sentence string)

	Lease    time.Duration // how long a silent process is believed to be alive; 0 is 30 seconds
	Grace    time.Duration // how long what it may have written is left in doubt after that; 0 is 30 seconds
	Patience time.Duration // how long Redis may be away; 0 is a minute
}

// A Frontier is the state of one crawl in Redis. It implements [frontier.Frontier].
type Frontier struct {
	cfg Config
	db  *redis.Client
	// scripts are the operations.
	scripts map[operation]*redis.Script
	where   string // the server, without a password
	owner   string // this process

	mu        sync.Mutex
	id        string          // of the crawl, once it is joined
	turn      uint64          // number of the last turn
	held      map[string]turn // by key
	unsettled []string        // ids of answers by this process whose file may not be on the disk
	away      bool            // it is said that Redis doesn't answer
	givenUp   bool            // it didn't for too long

	stop func() // ends the sign of life
}

// A turn is what an item was handed out with.
type turn struct {
	number  uint64
	crawl   time.Duration // Crawl-delay of the host, as it was known
	refused int           // answers in a row in which the host asked for a pause
}

// Open connects to Redis. The error says what to do.
func Open(ctx context.Context, cfg Config) (*Frontier, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Say == nil {
		cfg.Say = func(string) {}
	}
	for _, d := range []struct {
		value *time.Duration
		or    time.Duration
	}{{&cfg.Lease, 30 * time.Second}, {&cfg.Grace, 30 * time.Second}, {&cfg.Patience, time.Minute}} {
		if *d.value == 0 {
			*d.value = d.or
		}
	}
	db, where, err := connect(ctx, cfg.URL)
	if err != nil {
		return nil, err
	}
	scripts, err := loadScripts()
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	f := &Frontier{cfg: cfg, db: db, scripts: scripts, where: where, owner: uuid.NewString(), held: map[string]turn{}, stop: func() {}}
	if err := (connection{f}).check(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return f, nil
}

// Mark tells the files of this process from those of others: eight hexadecimal digits.
func (f *Frontier) Mark() string { return f.owner[:8] }

// prefix begins the names of all keys of a crawl. The braces have a cluster keep them on one machine.
func prefix(name string) string { return "varve:crawl:{" + name + "}" }

// catalogue is the key of the names of all crawls.
const catalogue = "varve:crawls"

// idOf returns how an address is known in Redis, 22 characters for any.
func idOf(key string) string {
	sum := sha256.Sum256([]byte(key))
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}

// do runs a script on the crawl. ARGV[1] is its id.
func (f *Frontier) do(ctx context.Context, o operation, args ...any) (answer any, err error) {
	f.mu.Lock()
	id := f.id
	f.mu.Unlock()
	return f.script(ctx, o, append([]any{id}, args...)...)
}

// script runs a script, again and again while Redis is away.
func (f *Frontier) script(ctx context.Context, o operation, args ...any) (answer any, err error) {
	err = connection{f}.patiently(ctx, func() error {
		answer, err = f.scripts[o].Run(ctx, f.db, []string{prefix(f.cfg.Name)}, args...).Result()
		return err
	})
	return answer, err
}

// Join implements [frontier.Frontier]. It gives signs of life from now on, until [Frontier.End] or [Frontier.Close].
func (f *Frontier) Join(ctx context.Context, s frontier.Setup) error {
	fixed, shared, err := encode(s)
	if err != nil {
		return err
	}
	args := []any{
		uuid.NewString(), f.owner, format, micros(f.cfg.Lease), fixed, shared,
		string(f.cfg.Handing.Order), max(f.cfg.Handing.Politeness.PerHost, 1), micros(f.cfg.Handing.Politeness.Between(0)), "", f.cfg.Folder,
	}
	for range 2 {
		answer, err := f.script(ctx, join, args...)
		if err != nil {
			return err
		}
		said := answer.([]any)
		switch said[0] {
		case "joined":
			f.mu.Lock()
			f.id = said[1].(string)
			f.mu.Unlock()
			f.live(ctx)
			return connection{f}.patiently(ctx, func() error { return f.db.SAdd(ctx, catalogue, f.cfg.Name).Err() })
		case "half":
			return fmt.Errorf("the crawl %s on %s was to be begun anew, and that was interrupted: do it again, with --new", f.cfg.Name, f.where)
		case "format":
			return f.otherFormat(said[1].(string))
		}
		if err := mismatch(said, s); err != nil {
			return err
		}
		args[9] = "force" // by what both know they are the same
	}
	return fmt.Errorf("the crawl %s on %s changes while it is joined: try again", f.cfg.Name, f.where)
}

func (f *Frontier) otherFormat(is string) error {
	return fmt.Errorf("the crawl %s on %s was begun by another version of varve (format %q, this one has %s): go on with that version, give "+
		"the crawl another name, or take another database of the server", f.cfg.Name, f.where, is, format)
}

func encode(s frontier.Setup) (fixed, shared string, err error) {
	a, err := json.Marshal(s.Fixed)
	if err != nil {
		return "", "", err
	}
	b, err := json.Marshal(s.Shared)
	return string(a), string(b), err
}

// mismatch compares what a crawl has with what a process wants. said is what the script says: the settings, and how many are at work.
func mismatch(said []any, s frontier.Setup) error {
	var fixed, shared []frontier.Setting
	for i, into := range []*[]frontier.Setting{&fixed, &shared} {
		if err := json.Unmarshal([]byte(said[i+1].(string)), into); err != nil {
			return err
		}
	}
	if e := frontier.Differs(fixed, s.Fixed); e != nil {
		return e
	}
	if e := frontier.Differs(shared, s.Shared); e != nil && said[3].(int64) > 0 {
		e.Others = true
		return e
	}
	return nil
}

// live says every few seconds that this process is alive.
func (f *Frontier) live(ctx context.Context) {
	f.stop()
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var wait sync.WaitGroup
	wait.Go(func() {
		tick := time.NewTicker(f.cfg.Lease / 4)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			// Once is enough: the next comes soon, and what is wrong is found out by whoever needs an answer.
			f.mu.Lock()
			id := f.id
			f.mu.Unlock()
			_ = f.scripts[beat].Run(ctx, f.db, []string{prefix(f.cfg.Name)}, id, f.owner, micros(f.cfg.Lease)).Err()
		}
	})
	f.stop = sync.OnceFunc(func() {
		cancel()
		wait.Wait()
	})
}

// End implements [frontier.Frontier].
func (f *Frontier) End(ctx context.Context, how string, ran time.Duration) error {
	f.stop()
	_, err := f.do(ctx, end, f.owner, how, ran.Seconds())
	return err
}

// Close ends the connections. Without [Frontier.End] before it, others will believe that this process has died.
func (f *Frontier) Close() error {
	f.stop()
	return f.db.Close()
}

// Restart implements [frontier.Frontier]. Nobody else may be at work.
func (f *Frontier) Restart(ctx context.Context) error {
	for {
		answer, err := f.script(ctx, restart, 500, f.owner)
		if err != nil {
			return err
		}
		switch n := answer.(int64); {
		case n == 0:
			return nil
		case n > 0:
			return fmt.Errorf("the crawl %s on %s can't begin anew while others are at work on it (%d): stop them; one that was killed is given up "+
				"after %s", f.cfg.Name, f.where, n, f.cfg.Lease)
		}
	}
}

func micros(d time.Duration) int64 { return d.Microseconds() }
