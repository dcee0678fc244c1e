package redis

import (
	"context"
	"encoding/json"

	"github.com/varve-archive/varve/gather/crawl/frontier"
)

func (f *Frontier) Claim(ctx context.Context, item frontier.Item) (claimed frontier.Item, ok bool, err error) {
	v, err := json.Marshal(item)
	if err != nil {
		return claimed, false, err
	}
	f.mu.Lock()
	f.turn++
	number := f.turn
	f.mu.Unlock()
	answer, err := f.do(ctx, claim, f.owner, number, idOf(item.Key), class(item), item.Depth, item.Host, v, f.cfg.Folder)
	if err != nil || answer == "" {
		return claimed, false, err
	}
	said := answer.([]any)
	if err := json.Unmarshal([]byte(said[0].(string)), &claimed); err != nil {
		return claimed, false, err
	}
	f.mu.Lock()
	f.held[claimed.Key] = turn{number: number, refused: int(said[1].(int64)), claimed: true}
	f.mu.Unlock()
	return claimed, true, nil
}

func (f *Frontier) Knows(ctx context.Context, key string) (knows bool, err error) {
	err = connection{f}.patiently(ctx, func() (err error) {
		knows, err = f.db.SIsMember(ctx, prefix(f.cfg.Name)+":known", idOf(key)).Result()
		return err
	})
	return knows, err
}

func (f *Frontier) Count(ctx context.Context, item frontier.Item, a frontier.Answer) error {
	seen, err := json.Marshal(a.Seen)
	if err != nil {
		return err
	}
	_, err = f.do(ctx, count, idOf(item.Key), flag(item.Kind == frontier.Page), a.Status, a.Bytes, a.Digest, seen)
	return err
}
