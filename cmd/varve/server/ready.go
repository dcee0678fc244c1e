package server

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/varve-archive/varve/archive/blobstore/s3"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/readiness"
	"github.com/varve-archive/varve/replay/metrics"
)

// needs are what the server can't answer without and what may be away while it runs: the database of its index, and the object storage of
// its WARCs. Folders are not looked at: one that hangs would hold up the look.
func (s *server) needs() []readiness.Need {
	var some map[string]string
	var known uint64 // the generation of the index that they are of
	needs := []readiness.Need{{Name: "the object storage", Check: func(ctx context.Context) error {
		if now := s.index.Generation(); some == nil || now != known {
			some, known = oneOfEachBucket(s.index.Files()), now
		}
		return storageAnswers(ctx, some, func(ctx context.Context, bucket, key string) error {
			_, err := s.S3.Stat(ctx, bucket, key)
			return err
		})
	}}}
	if s.index.Shared() {
		needs = append(needs, readiness.Need{
			Name: "the database of the index", Check: func(ctx context.Context) error { return databaseAnswers(ctx, s.index) },
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

// oneOfEachBucket returns a key for each bucket that has files of the index.
func oneOfEachBucket(files []index.File) map[string]string {
	some := map[string]string{}
	for i := range files {
		if strings.HasPrefix(files[i].Path, s3.Scheme) {
			bucket, key := s3.Split(files[i].Path)
			some[bucket] = key
		}
	}
	return some
}

// storageAnswers asks buckets for a key each until one answers: the others are of the same storage. Saying that there is no such key is an
// answer.
func storageAnswers(
	ctx context.Context, some map[string]string, stat func(ctx context.Context, bucket, key string) error,
) (err error) {
	for bucket, key := range some {
		if err = stat(ctx, bucket, key); err == nil || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
	}
	return err
}

// foundation says what the server stands on.
func (s *server) foundation() metrics.Foundation {
	f := metrics.Foundation{Needs: s.needed.Met, Ranges: s.Storage.Ranges, Storage: s.S3.Counts}
	if pooled, ok := s.Store.(kv.Pooled); ok {
		f.Pools = pooled.Pools
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
