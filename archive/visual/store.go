package visual

import (
	"bufio"
	"bytes"
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

	"github.com/klauspost/compress/zstd"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/disk"
)

// A Store keeps pictures in a folder:
//
//	images/aa/HASH.webp                      images, once each
//	records/COLLECTION/aa/HASH/TS14-WIDTH    what is known of a picture; the hash is that of the key of its URI-R
//	records/COLLECTION/looks                 a line for each picture: look, datetime, width and URI-R
//
// All of it can be made again. It is safe for concurrent use, also by several processes.
type Store struct {
	dir   string
	saved atomic.Uint64
}

// NewStore returns the store in a folder, which is made when the first picture comes.
func NewStore(dir string) *Store { return &Store{dir: dir} }

// Saved counts what was saved in this process, for caches.
func (s *Store) Saved() uint64 { return s.saved.Load() }

// Bounds of what is read back.
const (
	maxRecord = 8 << 20
	maxLooks  = 64 << 20
)

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

func (s *Store) looks(coll string) string { return filepath.Join(s.dir, "records", coll, "looks") }

// suffixes are the ends of the names of images, by their types.
func suffix(kind string) string {
	switch kind {
	case "image/webp":
		return ".webp"
	case "image/jpeg":
		return ".jpg"
	}
	return ".png"
}

func (s *Store) image(f File) (string, error) {
	if len(f.Hash) != 2*sha256.Size || strings.Trim(f.Hash, "0123456789abcdef") != "" {
		return "", fmt.Errorf("a picture names the image %.80q, which is no hash", f.Hash)
	}
	return filepath.Join(s.dir, "images", f.Hash[:2], f.Hash+suffix(f.Type)), nil
}

// Put keeps an image, and returns where it is.
func (s *Store) Put(content []byte, kind string) (File, error) {
	sum := sha256.Sum256(content)
	f := File{Hash: hex.EncodeToString(sum[:]), Type: kind, Bytes: len(content)}
	path, err := s.image(f)
	if err != nil {
		return f, err
	}
	if at, err := os.Stat(path); err == nil && at.Size() == int64(len(content)) {
		return f, nil
	}
	return f, write(path, content)
}

func write(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return disk.WriteCached(path, func(w io.Writer) error { _, err := w.Write(content); return err })
}

// Save keeps what is known of a picture, whole or not at all. Its images have to be there.
func (s *Store) Save(at At, p *Picture) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	e, err := zstd.NewWriter(nil)
	if err != nil {
		return err
	}
	if err := write(s.record(at), e.EncodeAll(text, nil)); err != nil {
		return err
	}
	s.saved.Add(1)
	return s.note(at, p)
}

// note adds a picture to those among which others of the same look are sought.
func (s *Store) note(at At, p *Picture) error {
	if p.Look == 0 {
		return nil
	}
	f, err := os.OpenFile(s.looks(at.Coll), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "%016x %s %d %s\n", p.Look, at.Time, at.Width, p.URL)
	return errors.Join(err, f.Close())
}

// ErrNone says that there is no such picture.
var ErrNone = errors.New("there is no such picture")

// Load returns what is known of a picture. The error wraps [ErrNone] if there is none, or only one of another recipe.
func (s *Store) Load(at At) (*Picture, error) {
	packed, err := os.ReadFile(s.record(at))
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
		return nil, fmt.Errorf("%w: %s is damaged: %w", ErrNone, s.record(at), err)
	case p.Recipe != Recipe:
		return nil, ErrNone
	}
	return &p, nil
}

// Has reports whether there is a picture, or a note that says why not.
func (s *Store) Has(at At) bool {
	_, err := s.Load(at)
	return err == nil
}

// List returns which pictures there are of a URI-R, oldest first.
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

// A Look is a picture among those of a collection.
type Look struct {
	Hash  uint64
	Time  cdx.Timestamp
	Width int
	URL   string
}

// Alike returns the pictures of a collection that look nearly like one, at most so many.
func (s *Store) Alike(coll string, look uint64, most int) (out []Look, err error) {
	f, err := os.Open(s.looks(coll))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(io.LimitReader(f, maxLooks))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() && len(out) < most {
		if l, ok := parseLook(lines.Bytes()); ok && Alike(l.Hash, look) && !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out, lines.Err()
}

func parseLook(line []byte) (l Look, ok bool) {
	f := bytes.SplitN(line, []byte(" "), 4)
	if len(f) != 4 {
		return l, false
	}
	var errs [3]error
	l.Hash, errs[0] = strconv.ParseUint(string(f[0]), 16, 64)
	l.Time, errs[1] = cdx.ParseTimestamp(string(f[1]))
	l.Width, errs[2] = strconv.Atoi(string(f[2]))
	l.URL = string(f[3])
	return l, errors.Join(errs[:]...) == nil
}
