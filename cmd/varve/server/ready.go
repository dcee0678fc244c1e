package server

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/varve-archive/varve/archive/blobstore/s3"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/postgres"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/readiness"
	"github.com/varve-archive/varve/replay/metrics"
)

// needs are what the server can't answer without and what may be away while it runs: the database of its index, and the object storage of
// its WARCs. Folders are not looked at: one that hangs would hold up the look.
func (s *server) needs() []readiness.Need {
	needs := []readiness.Need{{Name: "the object storage", Look: func(ctx context.Context) error {
		return storageAnswers(ctx, s.index.Files(), func(ctx context.Context, bucket, key string) error {
			_, err := s.S3.Stat(ctx, bucket, key)
			return err
		})
	}}}
	if s.index.Shared() {
		needs = append(needs, readiness.Need{
			Name: "the database of the index", Look: func(ctx context.Context) error { return databaseAnswers(ctx, s.index) },
		})
	}
	return needs
}

// databaseAnswers asks for captures of a key that nothing has.
func databaseAnswers(ctx context.Context, x *index.Index) error {
	for _, err := range x.Captures(ctx, cdx.Span{From: "!", Exact: true}) {
		return err
	}
	return nil
}

// storageAnswers asks each bucket for the newest file that the index has of it. Storage that says that there is no such file answers, and
// so does one of several buckets for all.
func storageAnswers(ctx context.Context, files []index.File, stat func(ctx context.Context, bucket, key string) error) (err error) {
	newest := map[string]string{}
	for i := range files {
		if strings.HasPrefix(files[i].Path, s3.Scheme) {
			bucket, key := s3.Split(files[i].Path)
			newest[bucket] = key
		}
	}
	for bucket, key := range newest {
		if err = stat(ctx, bucket, key); err == nil || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
	}
	return err
}

// foundation says what the server stands on.
func (s *server) foundation() metrics.Foundation {
	f := metrics.Foundation{
		Needs: s.needed.Met, Ranges: s.Storage.Ranges, Storage: func() metrics.StorageCounts { return metrics.StorageCounts(s.S3.Counts()) },
	}
	if pooled, ok := s.Store.(postgres.Pooled); ok {
		f.Pools = func() (pools []metrics.Pool) {
			for _, p := range pooled.Pools() {
				pools = append(pools, metrics.Pool{
					Name: p.Name, Used: int(p.AcquiredConns()), Idle: int(p.IdleConns()), Limit: int(p.MaxConns()), Waits: p.EmptyAcquireCount(),
					Waited: p.EmptyAcquireWaitTime(),
				})
			}
			return pools
		}
	}
	return f
}

// whyNot says why the server should not be asked, nil if it should. told ends when the server is told to end.
func (s *server) whyNot(told context.Context) error {
	if told.Err() != nil {
		return errors.New("this server will end soon")
	}
	if !s.ready.Load() {
		return errors.New("the first pass over the files is not done yet")
	}
	if missing := s.needed.Missing(); len(missing) > 0 {
		return errors.New(strings.Join(missing, " and ") + " can't be reached")
	}
	return nil
}
