// Package redis keeps the frontier of a crawl by several processes in a Redis (or Valkey) server.
//
// Each operation is one script (folder scripts), so that it is atomic. It reads a bounded number of keys, however many hosts and
// addresses there are: a sorted set has the hosts by the time at which they may be asked, and each host has its own queue.
//
// Items are leased. A process sends a heartbeat every few seconds; after [Config.Lease] without one, by Redis's clock, its items
// are handed out again. Before it writes an answer, a process checks that it still holds the item ([Frontier.Holds]). Between that
// check and the end of the item, other processes can't see its file. If the process dies there, the item waits for [Config.Grace],
// in which a process with access to the files may find the answer in them. After that it is requested again.
package redis

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/internal/sleep"
)

// format is the version of the data in Redis. Other versions are refused.
const format = "1"

// Config says which crawl a frontier belongs to.
type Config struct {
	URL  string // redis://[USER:PASSWORD@]HOST:PORT/DB, rediss://… by TLS, unix://[USER:PASSWORD@]PATH?db=DB
	Name string // of the crawl
	// Folder identifies the folder of the WARC files for as long as the folder exists. Processes that write into the same folder
	// share it.
	Folder  string
	Handing frontier.Config
	// Say tells people about problems: Redis is away, or may lose data. It may be nil.
	Say func(sentence string)

	Lease    time.Duration // after the last heartbeat; 0 is 30 seconds
	Grace    time.Duration // how long after that its answers may still be found; 0 is 30 seconds
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
	unsettled []string        // IDs of answers by this process whose file may not be on disk

	away    atomic.Bool // it has been reported that Redis doesn't answer
	givenUp atomic.Bool // Redis was away for too long; every operation fails at once
	stop    func()      // ends the heartbeat
}

// A turn is the lease of an item.
type turn struct {
	number  uint64
	crawl   time.Duration // Crawl-delay of the host at that time
	refused int           // answers in a row in which the host asked for a pause
	claimed bool          // see [frontier.Frontier.Claim]: no turn at the host, which is left alone only if it asks for that
}

// Open connects to Redis. The error says what to do.
func Open(ctx context.Context, cfg Config) (*Frontier, error) {
	if cfg.Say == nil {
		cfg.Say = func(string) {}
	}
	cfg.Lease, cfg.Grace = cmp.Or(cfg.Lease, 30*time.Second), cmp.Or(cfg.Grace, 30*time.Second)
	cfg.Patience = cmp.Or(cfg.Patience, time.Minute)
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

// Mark distinguishes the files of this process from those of others: eight hexadecimal digits.
func (f *Frontier) Mark() string { return f.owner[:8] }

// prefix begins the names of all keys of a crawl. The braces keep them on one machine in a cluster.
func prefix(name string) string { return "varve:crawl:{" + name + "}" }

// catalogue is the key of the set of crawls.
const catalogue = "varve:crawls"

// idOf returns the ID of an address in Redis, 22 characters for any address.
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

// script runs a script, and repeats it while Redis is away.
func (f *Frontier) script(ctx context.Context, o operation, args ...any) (answer any, err error) {
	err = connection{f}.patiently(ctx, func() error {
		answer, err = f.scripts[o].Run(ctx, f.db, []string{prefix(f.cfg.Name)}, args...).Result()
		return err
	})
	return answer, err
}

// Join implements [frontier.Frontier]. It sends heartbeats from now on, until [Frontier.End] or [Frontier.Close].
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

// mismatch compares the settings of a crawl with those of a process. said is the answer of the script: the settings, and the number
// of processes.
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

func (f *Frontier) live(ctx context.Context) {
	f.stop()
	// One attempt is enough: the next follows soon, and operations report errors.
	f.stop = sleep.Repeat(context.WithoutCancel(ctx), f.cfg.Lease/4, func(ctx context.Context) {
		f.mu.Lock()
		id := f.id
		f.mu.Unlock()
		_ = f.scripts[beat].Run(ctx, f.db, []string{prefix(f.cfg.Name)}, id, f.owner, micros(f.cfg.Lease)).Err()
	})
}

func (f *Frontier) End(ctx context.Context, how string, ran time.Duration) error {
	f.stop()
	_, err := f.do(ctx, end, f.owner, how, ran.Seconds())
	return err
}

// Close closes the connections. Without [Frontier.End] before it, others will take this process for dead.
func (f *Frontier) Close() error {
	f.stop()
	return f.db.Close()
}

// Restart implements [frontier.Frontier]. No other process may be at work.
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
