package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/varve-archive/varve/archive/blobstore/s3"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/internal/readiness"
	"github.com/varve-archive/varve/internal/testkit/s3test"
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

// A server is asked from its first pass until it is told to end, while it has what it needs.
func TestWhyAServerShouldNotBeAsked(t *testing.T) {
	told, tell := context.WithCancel(t.Context())
	tell()
	away := func(context.Context) error { return errors.New("away") }
	for _, tt := range []struct {
		told  context.Context
		ready bool
		needs []readiness.Need
		want  string
	}{
		{t.Context(), true, nil, "<nil>"},
		{t.Context(), false, nil, "the first pass over the files is not done yet"},
		{told, true, nil, "this server will end soon"},
		{t.Context(), true, []readiness.Need{{Name: "a", Check: away}}, "a can't be reached"},
		{t.Context(), true, []readiness.Need{{Name: "a", Check: away}, {Name: "b", Check: away}}, "a and b can't be reached"},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &server{needed: readiness.New(slog.New(slog.DiscardHandler), tt.needs...)}
			s.ready.Store(tt.ready)
			looking, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			s.needed.Keep(looking, time.Second)
			if got := fmt.Sprint(s.whyNot(tt.told)); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

// The storage is asked for files that the index has now.
func TestTheStorageThatIsNeeded(t *testing.T) {
	bucket := s3test.Wrapped(t, func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
	})
	s := open(t, t.TempDir(), nil)
	var err error
	if s.S3, err = s3.New(bucket.URL); err != nil {
		t.Fatal(err)
	}
	needs := s.needs()
	if len(needs) != 1 {
		t.Fatalf("in a folder it needs %d", len(needs))
	}
	if err := needs[0].Check(t.Context()); err != nil {
		t.Errorf("without files it needs it: %v", err)
	}
	if _, err := s.index.PutFile(t.Context(), index.File{Collection: "web", Path: "s3://b/a.warc"}); err != nil {
		t.Fatal(err)
	}
	if err := needs[0].Check(t.Context()); err == nil {
		t.Error("it answers nobody, and is not away")
	}
}
