package visual

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/varve-archive/varve/archive/visual/model"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/disk"
	"github.com/varve-archive/varve/internal/sentinel"
)

// A Store keeps pictures in a folder:
//
//	images/aa/HASH.webp                      images, once each
//	records/COLLECTION/aa/HASH/TS14-WIDTH    the description of a picture; the hash is that of the key of its URI-R
//	records/COLLECTION/looks                 a line for each picture: hash of its look, datetime, width and URI-R
//
// All of it can be made again. A Store is safe for concurrent use, also by several processes.
type Store struct {
	dir   string
	model *model.Model
	saved atomic.Uint64
}

// NewStore returns the store in a folder, which is created with the first picture.
func NewStore(dir string) *Store { return &Store{dir: dir, model: model.Load()} }

// Saved counts the pictures saved by this process, for invalidating caches.
func (s *Store) Saved() uint64 { return s.saved.Load() }

// maxRecord bounds the bytes of a description that are read.
const maxRecord = 8 << 20

// An At names a picture. Key is that of the index.
type At struct {
	Coll, Key string
	Time      cdx.Timestamp
	Width     int
}

func (s *Store) folder(coll, key string) string {
	sum := sha256.Sum256([]byte(key))
	name := hex.EncodeToString(sum[:16])
	return filepath.Join(s.dir, "records", coll, name[:2], name)
}

func (s *Store) record(at At) string {
	return filepath.Join(s.folder(at.Coll, at.Key), fmt.Sprintf("%s-%d", at.Time, at.Width))
}

// suffix returns the suffix of an image's name for a media type.
func suffix(kind string) string {
	if kind == "image/jpeg" {
		return ".jpg"
	}
	return ".webp"
}

func (s *Store) image(f File) (string, error) {
	if len(f.Hash) != 2*sha256.Size || strings.Trim(f.Hash, "0123456789abcdef") != "" {
		return "", fmt.Errorf("a picture names the image %.80q, which is no hash", f.Hash)
	}
	return filepath.Join(s.dir, "images", f.Hash[:2], f.Hash+suffix(f.Type)), nil
}

// Put stores an image.
func (s *Store) Put(content []byte, kind string) (File, error) {
	sum := sha256.Sum256(content)
	f := File{Hash: hex.EncodeToString(sum[:]), Type: kind, Bytes: len(content)}
	path, err := s.image(f)
	if err != nil {
		return f, err
	}
	if at, err := os.Stat(path); err == nil && at.Size() == int64(len(content)) {
		now := time.Now()
		return f, os.Chtimes(path, now, now) // see [Store.Sweep]
	}
	return f, write(path, content)
}

func write(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return disk.WriteCached(path, func(w io.Writer) error { _, err := w.Write(content); return err })
}

// Save stores the description of a picture, completely or not at all. Its images must have been stored.
func (s *Store) Save(at At, p *Picture) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	e, err := zstd.NewWriter(nil)
	if err != nil {
		return err
	}
	if err := s.note(at, p); err != nil { // first, because a picture with a record is not made again
		return err
	}
	if err := write(s.record(at), e.EncodeAll(text, nil)); err != nil {
		return err
	}
	s.saved.Add(1)
	return nil
}

// ErrNone says that a picture doesn't exist.
const ErrNone = sentinel.Error("there is no such picture")

// Load returns the description of a picture. The error wraps [ErrNone] if there is none, or only one of another recipe.
func (s *Store) Load(at At) (*Picture, error) { return load(s.record(at)) }

func load(path string) (*Picture, error) {
	packed, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, err
	}
	d, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxRecord), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	text, err := d.DecodeAll(packed, nil)
	var p Picture
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %s is damaged: %w", ErrNone, path, err)
	case p.Recipe != Recipe:
		return nil, ErrNone
	}
	return &p, nil
}

// Has reports whether there is a picture, or a note why there is none.
func (s *Store) Has(at At) bool {
	_, err := s.Load(at)
	return err == nil
}

// List returns the pictures of a URI-R, oldest first.
func (s *Store) List(coll, key string) ([]At, error) {
	found, err := os.ReadDir(s.folder(coll, key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []At
	for _, e := range found {
		day, wide, ok := strings.Cut(e.Name(), "-")
		ts, bad := cdx.ParseTimestamp(day)
		if n, wrong := strconv.Atoi(wide); ok && bad == nil && wrong == nil && len(day) == 14 {
			out = append(out, At{coll, key, ts, n})
		}
	}
	slices.SortFunc(out, func(a, b At) int { return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.Width, b.Width)) })
	return out, err
}

// Open opens an image.
func (s *Store) Open(f File) (*os.File, error) {
	path, err := s.image(f)
	if err != nil {
		return nil, err
	}
	return os.Open(path)
}
