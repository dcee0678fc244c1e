package ingest

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/varve-archive/varve/archive/warc"
)

// A shelf is a storage whose files a test can change. Names are relative to its one folder.
type shelf interface {
	warc.Storage
	folder() string
	put(name, content string)
	remove(name string)
}

// shelves are the storages that ingest is tested on.
var shelves = map[string]func(t *testing.T) shelf{
	"local":  func(t *testing.T) shelf { return &localShelf{t: t, dir: t.TempDir()} },
	"bucket": func(t *testing.T) shelf { return &bucket{t: t, objects: map[string]object{}} },
}

// onEachShelf runs a test with each, on a clock of its own: a file that goes from an index takes a second.
func onEachShelf(t *testing.T, test func(t *testing.T, s shelf)) {
	for name, make := range shelves {
		t.Run(name, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { test(t, make(t)) }) })
	}
}

// A clock gives every file written to a shelf a different time.
type clock struct{ minutes int }

func (c *clock) tick() time.Time {
	c.minutes++
	return time.Date(2020, 1, 1, 0, c.minutes, 0, 0, time.UTC)
}

type localShelf struct {
	warc.Local
	clock
	t   *testing.T
	dir string
}

func (s *localShelf) folder() string { return s.dir }

func (s *localShelf) put(name, content string) {
	s.t.Helper()
	file := filepath.Join(s.dir, filepath.FromSlash(name))
	now := s.tick()
	for _, err := range []error{
		os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(content), 0o644), os.Chtimes(file, now, now),
	} {
		if err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *localShelf) remove(name string) {
	s.t.Helper()
	if err := os.RemoveAll(filepath.Join(s.dir, filepath.FromSlash(name))); err != nil {
		s.t.Fatal(err)
	}
}

// A bucket is a storage like an object store: it has no folders but in names, and its paths exist on no disk.
type bucket struct {
	clock
	t       *testing.T
	objects map[string]object // by path
}

type object struct {
	content string
	changed time.Time
}

const bucketRoot = "mem://bucket"

func (b *bucket) folder() string { return bucketRoot }
func (b *bucket) put(name, content string) {
	b.objects[bucketRoot+"/"+name] = object{content, b.tick()}
}
func (b *bucket) remove(name string) { delete(b.objects, bucketRoot+"/"+name) }

func (b *bucket) paths() []string { return slices.Sorted(maps.Keys(b.objects)) }

func (b *bucket) Find(_ context.Context, name string) ([]string, error) {
	if !strings.ContainsAny(name, "*?[") {
		return []string{name}, nil
	}
	var out []string
	for _, p := range b.paths() {
		ok, err := path.Match(name, p)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, p)
		}
	}
	return out, nil
}

func (b *bucket) Stat(_ context.Context, p string) (warc.Entry, error) {
	if o, ok := b.objects[p]; ok {
		return warc.Entry{Path: p, Size: int64(len(o.content)), ModTime: o.changed}, nil
	}
	if p == bucketRoot || slices.ContainsFunc(b.paths(), func(o string) bool { return strings.HasPrefix(o, p+"/") }) {
		return warc.Entry{Path: p, Folder: true}, nil
	}
	return warc.Entry{}, fmt.Errorf("%s: %w", p, fs.ErrNotExist)
}

func (b *bucket) List(ctx context.Context, folder string, wanted func(string) bool) iter.Seq2[warc.Entry, error] {
	return func(yield func(warc.Entry, error) bool) {
		for _, p := range b.paths() {
			if strings.HasPrefix(p, folder+"/") && wanted(p) {
				if !yield(b.Stat(ctx, p)) {
					return
				}
			}
		}
	}
}

func (b *bucket) Beside(p, name string) string {
	if strings.Contains(name, "://") {
		return name
	}
	scheme, rest, _ := strings.Cut(p, "://")
	return scheme + "://" + path.Join(path.Dir(rest), name)
}

func (b *bucket) Open(_ context.Context, p string) (warc.File, error) {
	o, ok := b.objects[p]
	if !ok {
		return nil, fmt.Errorf("%s: %w", p, fs.ErrNotExist)
	}
	return bytesFile{bytes.NewReader([]byte(o.content))}, nil
}

type bytesFile struct{ *bytes.Reader }

func (bytesFile) Close() error { return nil }
