// Package remote reads stored files in place: in S3-compatible object storage (s3://BUCKET/KEY), on web servers that support ranges
// (http:// and https://), and in folders of this machine.
//
// Nothing is copied as a whole. A record is read with one range request of its length; a scan reads ahead in growing pieces. Ranges are
// cached in memory, and on disk if there is a folder for them, each up to a limit. Range requests are conditional on the object being
// unchanged since it was opened (If-Match), so a replaced object leads to an error, never to wrong bytes.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package remote

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"strings"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"

	"github.com/varve-archive/varve/archive/blobstore/s3"
	"github.com/varve-archive/varve/archive/warc"
)

// A Config says how remote files are read and cached. The zero value reads from Amazon S3 and caches ranges in memory only.
type Config struct {
	S3        *s3.Client // for s3://; nil uses Amazon's
	CacheDir  string     // folder for ranges that were read; "" keeps none on disk
	CacheSize int64      // limit of the folder in bytes
}

const (
	statTime  = 5 * time.Second // time for which an object's description is reused; reading a range verifies it
	statCount = 10_000
)

// ErrChanged says that an object has changed since it was opened.
const ErrChanged = s3.ErrChanged

// A Storage is a [warc.Storage] for paths of all kinds. It is safe for concurrent use.
type Storage struct {
	warc.Local
	cache   *cache
	buckets *buckets
	web     *web
	stats   *expirable.LRU[string, described]
}

// A described is the description of an object, or the error of asking for it.
type described struct {
	warc.Entry
	err error
}

// New returns a Storage. It fails if the folder of the cache can't be used.
func New(c Config) (*Storage, error) {
	if c.S3 == nil {
		amazon, err := s3.New("")
		if err != nil {
			return nil, err
		}
		c.S3 = amazon
	}
	kept, err := newCache(c.CacheDir, c.CacheSize)
	if err != nil {
		return nil, err
	}
	stats := expirable.NewLRU[string, described](statCount, nil, statTime)
	return &Storage{cache: kept, buckets: &buckets{c.S3}, web: newWeb(), stats: stats}, nil
}

// Ranges returns how many ranges were found in the cache, and how many weren't.
func (s *Storage) Ranges() (hits, misses int64) { return s.cache.hits.Load(), s.cache.misses.Load() }

// A source is a kind of remote storage.
type source interface {
	// stat describes the object at a path. Its Version makes ranges conditional.
	stat(ctx context.Context, path string) (warc.Entry, error)
	// list yields the objects whose paths begin with a prefix.
	list(ctx context.Context, prefix string) iter.Seq2[warc.Entry, error]
	// read fills p with the bytes of an object from an offset on. The object has all of them.
	read(ctx context.Context, e warc.Entry, p []byte, offset int64) error
}

// source returns the source for a path, nil for folders of this machine.
func (s *Storage) source(path string) (source, error) {
	scheme, _, found := strings.Cut(path, "://")
	switch {
	case !found:
		return nil, nil
	case scheme == "s3":
		return s.buckets, nil
	case scheme == "http" || scheme == "https":
		return s.web, nil
	}
	return nil, fmt.Errorf("%s:// is not known: there are s3://, https:// and paths of this machine", scheme)
}

// isRemote reports whether a path belongs to another machine.
func isRemote(path string) bool { return strings.Contains(path, "://") }

// Find implements [warc.Storage]. Patterns are those of [path.Match], and may cover several folders. A name with pattern characters is
// taken literally if there is such an object or folder.
func (s *Storage) Find(ctx context.Context, name string) ([]string, error) {
	src, err := s.source(name)
	switch {
	case err != nil:
		return nil, err
	case src == nil:
		return s.Local.Find(ctx, name)
	}
	if _, onWeb := src.(*web); onWeb || !strings.ContainsAny(name, "*?[") {
		return []string{strings.TrimRight(name, "/")}, nil
	}
	if _, err := s.Stat(ctx, name); err == nil {
		return []string{strings.TrimRight(name, "/")}, nil
	}
	return match(src.list(ctx, name[:strings.IndexAny(name, "*?[")]), name)
}

// Stat implements [warc.Storage]. A path that isn't an object but has objects below it is a folder.
func (s *Storage) Stat(ctx context.Context, path string) (warc.Entry, error) {
	src, err := s.source(path)
	if err != nil {
		return warc.Entry{Path: path}, err
	}
	if src == nil {
		return s.Local.Stat(ctx, path)
	}
	if known, ok := s.stats.Get(path); ok {
		return known.Entry, known.err
	}
	e, err := src.stat(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		for _, inside := range src.list(ctx, strings.TrimRight(path, "/")+"/") {
			e, err = warc.Entry{Path: path, Folder: inside == nil}, inside // it may exist even if it can't be listed
			break
		}
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		s.stats.Add(path, described{e, err})
	}
	return e, err
}

// List implements [warc.Storage]. Buckets have no real folders, so it yields only files.
func (s *Storage) List(ctx context.Context, folder string, wanted func(path string) bool) iter.Seq2[warc.Entry, error] {
	src, err := s.source(folder)
	if err == nil && src == nil {
		return s.Local.List(ctx, folder, wanted)
	}
	return func(yield func(warc.Entry, error) bool) {
		if err != nil {
			yield(warc.Entry{Path: folder}, err)
			return
		}
		for e, err := range src.list(ctx, strings.TrimRight(folder, "/")+"/") {
			if (err != nil || wanted(e.Path)) && !yield(e, err) {
				return
			}
		}
	}
}

func (s *Storage) Beside(path, name string) string {
	if isRemote(name) {
		return name
	}
	if !isRemote(path) {
		return s.Local.Beside(path, name)
	}
	return join(path[:strings.LastIndexByte(path, '/')], name)
}

func (s *Storage) Open(ctx context.Context, path string) (warc.File, error) {
	src, err := s.source(path)
	if err != nil {
		return nil, err
	}
	if src == nil {
		return s.Local.Open(ctx, path)
	}
	e, err := s.Stat(ctx, path)
	switch {
	case err != nil:
		return nil, err
	case e.Folder:
		return nil, fmt.Errorf("%s: not a file but a folder", path)
	}
	return &file{entry: e, source: src, cache: s.cache, forget: func() { s.stats.Remove(path) }}, nil
}
