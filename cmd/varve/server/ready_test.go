package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/indextest"
)

// Storage is away if none of the buckets that have files answers.
func TestStorageAnswers(t *testing.T) {
	t.Parallel()
	files := []index.File{{Path: "/warcs/a.warc.gz"}, {Path: "s3://old/a.warc.gz"}, {Path: "s3://new/b.warc.gz"}, {Path: "s3://old/c.warc.gz"}}
	away := errors.New("connection refused")
	for name, c := range map[string]struct {
		files []index.File
		says  map[string]error // by bucket and key; else it is asked for what it need not be
		want  error
	}{
		"no buckets":                  {files[:1], nil, nil},
		"all answer":                  {files, map[string]error{"old/c.warc.gz": nil, "new/b.warc.gz": nil}, nil},
		"one is away":                 {files, map[string]error{"old/c.warc.gz": away, "new/b.warc.gz": nil}, nil},
		"one has lost its file":       {files[:2], map[string]error{"old/a.warc.gz": fmt.Errorf("s3: %w", fs.ErrNotExist)}, nil},
		"all are away":                {files, map[string]error{"old/c.warc.gz": away, "new/b.warc.gz": away}, away},
		"the only one is not allowed": {files[:2], map[string]error{"old/a.warc.gz": fs.ErrPermission}, fs.ErrPermission},
	} {
		err := storageAnswers(t.Context(), oneOfEachBucket(c.files), func(_ context.Context, bucket, key string) error {
			err, known := c.says[bucket+"/"+key]
			if !known {
				t.Errorf("%s: %s/%s is asked for", name, bucket, key)
			}
			return err
		})
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// An index answers until it is closed.
func TestDatabaseAnswers(t *testing.T) {
	t.Parallel()
	x := indextest.Open(t, filepath.Join(t.TempDir(), "index"))
	if err := databaseAnswers(t.Context(), x); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := databaseAnswers(ctx, x); err == nil {
		t.Error("it answers a look that was given up")
	}
}
