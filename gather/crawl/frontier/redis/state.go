package redis

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/varve-archive/varve/gather/crawl/frontier"
)

// State implements [frontier.Frontier]. Before [Frontier.Join] it returns the state of any crawl with this name.
func (f *Frontier) State(ctx context.Context) (s frontier.State, err error) {
	fields, widens, alive, err := f.state(ctx)
	if err != nil {
		return s, err
	}
	s = frontier.State{Ended: fields["ended"], Widens: widens, Processes: len(alive), Totals: totalsOf(fields)}
	if at, err := strconv.ParseInt(fields["begun"], 10, 64); err == nil {
		s.Begun = time.UnixMicro(at)
	}
	return s, nil
}

func (f *Frontier) state(ctx context.Context) (fields map[string]string, widens, alive []string, err error) {
	answer, err := f.do(ctx, state)
	if err != nil {
		return nil, nil, nil, err
	}
	said := answer.([]any)
	flat := texts(said[0])
	fields = map[string]string{}
	for i := 0; i+1 < len(flat); i += 2 {
		fields[flat[i]] = flat[i+1]
	}
	if is, ok := fields["format"]; ok && is != format {
		return nil, nil, nil, f.otherFormat(is)
	}
	return fields, texts(said[1]), texts(said[2]), nil
}

func texts(v any) (list []string) {
	for _, each := range v.([]any) {
		list = append(list, each.(string))
	}
	return list
}

func totalsOf(fields map[string]string) frontier.Totals {
	t := frontier.Totals{Skipped: map[string]int64{}, Traps: map[string]int64{}, Status: map[string]int64{}}
	for name, text := range fields {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			continue
		}
		kind, of, _ := strings.Cut(name, ":")
		switch kind {
		case "pages":
			t.Pages = n
		case "docs":
			t.Docs = n
		case "parts":
			t.Parts = n
		case "bytes":
			t.Bytes = n
		case "failed":
			t.FailedSteps = n
		case "skip":
			t.Skipped[of] = n
		case "trap":
			t.Traps[of] = n
		case "status":
			t.Status[of] = n
		}
	}
	t.Seconds, _ = strconv.ParseFloat(fields["seconds"], 64) // 0 before the first process has ended
	return t
}

func (f *Frontier) Docs(ctx context.Context, each func(doc []byte) error) error {
	for after := "-"; ; {
		var keys []string
		var docs []any
		err := connection{f}.patiently(ctx, func() (err error) {
			keys, err = f.db.ZRangeArgs(ctx, redis.ZRangeArgs{
				Key: prefix(f.cfg.Name) + ":order", Start: after, Stop: "+", ByLex: true, Count: chunk,
			}).Result()
			if err != nil || len(keys) == 0 {
				return err
			}
			docs, err = f.db.HMGet(ctx, prefix(f.cfg.Name)+":docs", keys...).Result()
			return err
		})
		if err != nil || len(keys) == 0 {
			return err
		}
		for _, doc := range docs {
			if text, ok := doc.(string); ok {
				if err := each([]byte(text)); err != nil {
					return err
				}
			}
		}
		after = "(" + keys[len(keys)-1]
	}
}

// An unsettledAnswer is an answer whose file may not be on disk.
type unsettledAnswer struct {
	frontier.Written
	Owner string `json:"owner"`
}

func (f *Frontier) unsettledKey() string { return prefix(f.cfg.Name) + ":unsettled:" + f.cfg.Folder }

// Sync implements [frontier.Frontier]. Redis's own settings decide what survives a power loss of its machine.
func (f *Frontier) Sync(ctx context.Context, files func() error) error {
	f.mu.Lock()
	settled := f.unsettled // answers recorded during the sync may not be in the files
	f.unsettled = nil
	f.mu.Unlock()
	err := files()
	if err == nil {
		err = f.settled(ctx, settled)
	}
	if err != nil {
		f.mu.Lock()
		f.unsettled = append(settled, f.unsettled...)
		f.mu.Unlock()
	}
	return err
}

// settled removes answers that are on disk.
func (f *Frontier) settled(ctx context.Context, ids []string) error {
	for part := range slices.Chunk(ids, 10*chunk) {
		if err := (connection{f}).patiently(ctx, func() error { return f.db.HDel(ctx, f.unsettledKey(), part...).Err() }); err != nil {
			return err
		}
	}
	return nil
}

// Unsettled implements [frontier.Frontier]. The file of an answer shows best whether the process that wrote it is gone.
func (f *Frontier) Unsettled(ctx context.Context) (all []frontier.Written, err error) {
	seen := map[string]bool{} // a scan may return a key twice
	for cursor := uint64(0); ; {
		var fields []string
		err := connection{f}.patiently(ctx, func() (err error) {
			fields, cursor, err = f.db.HScan(ctx, f.unsettledKey(), cursor, "", chunk).Result()
			return err
		})
		if err != nil {
			return nil, err
		}
		for i := 0; i+1 < len(fields); i += 2 {
			var u unsettledAnswer
			if err := json.Unmarshal([]byte(fields[i+1]), &u); err != nil {
				return nil, err
			}
			if !seen[fields[i]] && u.Owner != f.owner {
				all = append(all, u.Written)
			}
			seen[fields[i]] = true
		}
		if cursor == 0 {
			return all, nil
		}
	}
}

func (f *Frontier) Settle(ctx context.Context, kept, all []frontier.Written) error {
	for _, w := range all {
		v, err := json.Marshal(w.Item)
		if err != nil {
			return err
		}
		_, err = f.do(ctx, lose, f.cfg.Folder, idOf(w.Item.Key), flag(w.Item.Kind == frontier.Page), w.Answer.Status, w.Answer.Bytes,
			w.Answer.Digest, class(w.Item), w.Item.Depth, w.Item.Host, v, w.Answer.Failed)
		if err != nil {
			return err
		}
	}
	ids := make([]string, len(kept))
	for i, w := range kept {
		ids[i] = idOf(w.Item.Key)
	}
	return f.settled(ctx, ids)
}

func (f *Frontier) Repeated(ctx context.Context) ([]string, error) {
	answer, err := f.do(ctx, repeated, f.cfg.Folder)
	if err != nil {
		return nil, err
	}
	return texts(answer), nil
}

func (f *Frontier) Mended(ctx context.Context, repeated, writing []string) error {
	args := []any{f.cfg.Folder, len(repeated)}
	for _, key := range repeated {
		args = append(args, idOf(key))
	}
	for _, mark := range writing {
		args = append(args, mark)
	}
	_, err := f.do(ctx, mended, args...)
	return err
}

// Crawls returns the names of the crawls on a server.
func Crawls(ctx context.Context, address string) (names []string, err error) {
	db, where, err := connect(ctx, address)
	if err != nil {
		return nil, err
	}
	names, err = db.SMembers(ctx, catalogue).Result()
	if err != nil {
		err = explain(err, where)
	}
	slices.Sort(names)
	return names, errors.Join(err, db.Close())
}
