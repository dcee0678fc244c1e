package redis

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/gather/politeness"
)

// chunk is the number of addresses per script, which blocks other clients while it runs.
const chunk = 200

// Begin implements [frontier.Frontier], with the time of Redis.
func (f *Frontier) Begin(ctx context.Context, seeds []frontier.Item, _ time.Time) error {
	return f.found(ctx, frontier.Found{Items: seeds}, true)
}

func (f *Frontier) Found(ctx context.Context, found frontier.Found) error {
	return f.found(ctx, found, false)
}

func (f *Frontier) found(ctx context.Context, all frontier.Found, begins bool) error {
	for {
		items, skips := min(chunk, len(all.Items)), min(chunk, len(all.Skipped))
		args := []any{flag(begins), all.Widen, "", "", 0, items}
		if all.Doc != nil {
			args[2], args[3], args[4] = all.DocKey, all.Doc, all.Docs
		}
		for _, item := range all.Items[:items] {
			v, err := json.Marshal(item)
			if err != nil {
				return err
			}
			args = append(args, idOf(item.Key), class(item), item.Depth, item.Host, v)
		}
		for _, s := range all.Skipped[:skips] {
			args = append(args, idOf(s.Key), s.Reason, trapOf(s), flag(s.Now))
		}
		if _, err := f.do(ctx, found, args...); err != nil {
			return err
		}
		all = frontier.Found{Items: all.Items[items:], Skipped: all.Skipped[skips:]}
		if len(all.Items) == 0 && len(all.Skipped) == 0 {
			return nil
		}
	}
}

func flag(b bool) string {
	if b {
		return "1"
	}
	return ""
}

func trapOf(s frontier.Skip) string {
	if s.Reason != frontier.Trap {
		return ""
	}
	return s.Trap
}

// class returns the rank of an item in its host's queue: parts, pages, and last the pages that didn't answer.
func class(item frontier.Item) string {
	switch {
	case item.Kind != frontier.Page:
		return "0"
	case item.Tries > 0 || item.Late:
		return "2"
	}
	return "1"
}

// Pauses before Redis is asked again, because other processes can't wake this one.
const (
	turnNap = 20 * time.Millisecond  // for a turn at a host that others ask
	idleNap = 200 * time.Millisecond // for what others may find
)

func (f *Frontier) Next(ctx context.Context, l frontier.Limits) (h frontier.Assignment, err error) {
	f.mu.Lock()
	f.turn++ // a repeated call has the same turn, so that no item is handed out unnoticed
	number := f.turn
	f.mu.Unlock()
	answer, err := f.do(ctx, next, f.owner, number, micros(f.cfg.Lease), micros(f.cfg.Grace), l.Pages, l.Docs, l.Bytes,
		f.cfg.Folder)
	if err != nil {
		return h, err
	}
	said := answer.([]any)
	h = frontier.Assignment{
		OK: said[0] != "", Waits: said[3].(int64) > 0, Wait: time.Duration(integer(said[4])) * time.Microsecond, Held: int(said[5].(int64)),
		Limit: said[6].(string), Widens: int(said[7].(int64)), Deaths: int(said[8].(int64)),
	}
	if !h.OK {
		if h.Wait == 0 {
			h.Wait = f.pause(h.Held)
		}
		return h, nil
	}
	if err := json.Unmarshal([]byte(said[0].(string)), &h.Item); err != nil {
		return frontier.Assignment{}, err
	}
	f.mu.Lock()
	f.held[h.Item.Key] = turn{number: number, crawl: time.Duration(integer(said[1])) * time.Microsecond, refused: int(integer(said[2]))}
	f.mu.Unlock()
	return h, nil
}

// pause returns the default pause. It is short if other processes hold items, because they don't wake this one.
func (f *Frontier) pause(held int) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	if held > len(f.held) {
		return turnNap
	}
	return idleNap
}

func integer(v any) int64 {
	n, _ := strconv.ParseInt(v.(string), 10, 64) // the script writes only numbers
	return n
}

// holding returns the turn of an item; its number is 0 if this process doesn't hold it.
func (f *Frontier) holding(item frontier.Item) turn {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.held[item.Key]
}

func (f *Frontier) land(item frontier.Item) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.held, item.Key)
}

func (f *Frontier) Slow(ctx context.Context, item frontier.Item, delay time.Duration) error {
	if f.holding(item).crawl == delay {
		return nil
	}
	_, err := f.do(ctx, slow, item.Host, micros(f.cfg.Handing.Politeness.Between(delay)))
	return err
}

func (f *Frontier) Holds(ctx context.Context, item frontier.Item) (bool, error) {
	answer, err := f.do(ctx, holds, f.owner, f.holding(item).number, idOf(item.Key), micros(f.cfg.Lease))
	return answer == int64(1), err
}

// rest returns the pause of a host after an item, and how many answers in a row asked for one; 0 after a claimed item that didn't.
func (f *Frontier) rest(item frontier.Item) (pause int64, refused int) {
	at := f.holding(item)
	d, refused := f.cfg.Handing.Politeness.Pause(time.Now(), item.Turn, at.crawl, at.refused)
	if at.claimed && refused <= at.refused {
		return 0, 0
	}
	return micros(d), refused
}

func (f *Frontier) Done(ctx context.Context, item frontier.Item, a frontier.Answer) (bool, error) {
	seen, err := json.Marshal(a.Seen)
	if err != nil {
		return false, err
	}
	remembered, err := json.Marshal(unsettledAnswer{frontier.Written{Item: item, Answer: a}, f.owner})
	if err != nil {
		return false, err
	}
	pause, refused := f.rest(item)
	answer, err := f.do(ctx, done, f.owner, f.holding(item).number, idOf(item.Key), pause, refused, flag(item.Kind == frontier.Page),
		a.Status, a.Bytes, a.Skip.Reason, trapOf(a.Skip), a.Digest, seen, f.cfg.Folder, remembered, a.Failed)
	f.land(item)
	isNew := err == nil && answer == int64(1)
	if isNew && a.Status != 0 {
		f.mu.Lock()
		f.unsettled = append(f.unsettled, idOf(item.Key))
		f.mu.Unlock()
	}
	return isNew, err
}

func (f *Frontier) Again(ctx context.Context, item frontier.Item) error {
	pause, refused := f.rest(item)
	number := f.holding(item).number
	item.Tries++
	v, err := json.Marshal(item)
	if err != nil {
		return err
	}
	_, err = f.do(ctx, back, f.owner, number, idOf(item.Key), pause, refused, class(item), item.Depth, v)
	f.land(item)
	return err
}

func (f *Frontier) Back(ctx context.Context, item frontier.Item) error {
	number := f.holding(item).number
	if number == 0 {
		return nil
	}
	item.Turn = politeness.Answer{} // nothing was requested
	pause, refused := f.rest(item)
	_, err := f.do(ctx, back, f.owner, number, idOf(item.Key), pause, refused, "", "", "")
	f.land(item)
	return err
}

// get reads a field of a hash of the crawl.
func (f *Frontier) get(ctx context.Context, hash, field string, into any) (ok bool, err error) {
	var text string
	err = connection{f}.patiently(ctx, func() (err error) {
		text, err = f.db.HGet(ctx, prefix(f.cfg.Name)+":"+hash, field).Result()
		if ok = !errors.Is(err, redis.Nil); !ok {
			return nil
		}
		return err
	})
	if err != nil || !ok {
		return false, err
	}
	return true, json.Unmarshal([]byte(text), into)
}

func (f *Frontier) Queued(ctx context.Context, key string) (item frontier.Item, ok bool, err error) {
	ok, err = f.get(ctx, "items", idOf(key), &item)
	return item, ok, err
}

func (f *Frontier) Payload(ctx context.Context, digest string) (seen frontier.Seen, ok bool, err error) {
	ok, err = f.get(ctx, "payloads", digest, &seen)
	return seen, ok, err
}
