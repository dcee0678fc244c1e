package upload

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/internal/disk"
	"github.com/varve-archive/varve/internal/sentinel"
)

const (
	// room is the number of bytes to leave free on the disk, for the index of the files.
	room = 64 << 20
	// roomEvery is the number of bytes written between two checks of that.
	roomEvery = 32 << 20
	// maxNumber bounds the numbers that are tried for a name that exists.
	maxNumber = 10_000
)

// A Folder is where files are stored. An unchecked file has a name that begins with a dot and has no extension, so that nothing reads it.
// Several owners may use a folder; each cleans up only its own files.
type Folder struct {
	Dir   string
	Owner string // letters and digits
	// To is the place for checked files, nil for Dir.
	To Place
	// Storage has the files of the collection, nil for the folders of this machine.
	Storage warc.Storage

	mu sync.Mutex // held while a free name is chosen
}

// A Place stores files elsewhere, such as in a bucket.
type Place interface {
	// Address returns the path for indexing a file with this name.
	Address(name string) string
	// PutNew stores a file completely or not at all. If one with that name exists, the error wraps [fs.ErrExist].
	PutNew(ctx context.Context, name string, from io.Reader) error
}

func (f *Folder) prefix() string { return ".incoming-" + f.Owner + "-" }

// Clean removes the unchecked files that an earlier process of this owner has left.
func (f *Folder) Clean() error {
	all, err := os.ReadDir(f.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range all {
		if strings.HasPrefix(e.Name(), f.prefix()) && e.Type().IsRegular() {
			if err := os.Remove(filepath.Join(f.Dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// Prepare creates the folder if necessary and checks that files can be written to it.
func (f *Folder) Prepare() error {
	if err := os.MkdirAll(f.Dir, 0o755); err != nil {
		return err
	}
	try, err := f.create()
	if err != nil {
		return err
	}
	return errors.Join(try.Close(), os.Remove(try.Name()))
}

// create creates a file with a hidden, random name. It never opens an existing file.
func (f *Folder) create() (*os.File, error) { return os.CreateTemp(f.Dir, f.prefix()+"*") }

// An Incoming is a file that was received and has no name yet. It is on the disk, and must be kept or dropped.
type Incoming struct {
	Path   string
	Size   int64
	SHA256 string // lower-case hexadecimal

	folder *Folder
}

// ErrTooLarge says that a file exceeds the limit.
const ErrTooLarge = sentinel.Error("the file is too large")

// Receive writes a file to the disk, at most limit bytes, and adds the bytes written to received. After an error, such as [ErrTooLarge] or
// one that wraps [disk.ErrFull], nothing remains on the disk.
func (f *Folder) Receive(ctx context.Context, from io.Reader, limit int64, received *atomic.Int64) (p *Incoming, err error) {
	out, err := f.create()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = out.Close()
			_ = os.Remove(out.Name())
		}
	}()
	hash := sha256.New()
	to := &filling{ctx: ctx, out: out, also: hash, dir: f.Dir, written: received}
	size, err := io.Copy(to, io.LimitReader(from, limit+1))
	if size > limit {
		err = ErrTooLarge
	}
	if err == nil {
		err = out.Sync()
	}
	if err != nil {
		return nil, err
	}
	if err := out.Close(); err != nil {
		return nil, err
	}
	return &Incoming{Path: out.Name(), Size: size, SHA256: hex.EncodeToString(hash.Sum(nil)), folder: f}, nil
}

// A filling is a writer that leaves room on the disk free and fails when its context ends.
type filling struct {
	ctx     context.Context
	out     *os.File
	also    io.Writer
	dir     string
	left    int64 // bytes until the next check of the room
	written *atomic.Int64
}

func (f *filling) Write(p []byte) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	if f.left -= int64(len(p)); f.left <= 0 {
		if err := disk.CheckRoom(f.dir, uint64(room+roomEvery)); err != nil {
			return 0, err
		}
		f.left = roomEvery
	}
	n, err := f.out.Write(p)
	_, _ = f.also.Write(p[:n]) // a hash never fails
	f.written.Add(int64(n))
	return n, err
}

// unpacked inflates a gzip file into another file in the folder. It returns a [*Refusal] if the result is far larger than the file and free
// bytes, or if the file can't be inflated to its end.
func (p *Incoming) unpacked(ctx context.Context, free int64) (*Incoming, error) {
	in, err := os.Open(p.Path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	content, err := gzip.NewReader(bufio.NewReader(in))
	if err != nil {
		return nil, notUnpacked(err)
	}
	var written atomic.Int64
	inner, err := p.folder.Receive(ctx, content, free+maxGrowth*p.Size, &written)
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, ErrTooLarge):
		return nil, refuse("grows", "it unpacks to more than %d times its size", maxGrowth)
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.Is(err, io.ErrUnexpectedEOF),
		errors.As(err, &corrupt):
		return nil, notUnpacked(err)
	}
	return inner, err
}

// notUnpacked returns the refusal of a file whose compression is damaged or unsupported.
func notUnpacked(err error) error {
	return refuse("one-stream", "it is compressed as one stream over several records, and can't be unpacked: %v", err)
}

// Drop removes the file.
func (p *Incoming) Drop() error { return os.Remove(p.Path) }

// Keep gives the file its name in the folder, or one with a number if the name exists, and returns its path. It replaces nothing. Before
// each attempt claim is called with the path. It returns a function that releases the claim, or nil if the name can't be used. Keep
// releases all claims except that of the returned path.
func (p *Incoming) Keep(
	ctx context.Context, name string, claim func(path string) (release func()),
) (path string, release func(), err error) {
	if err := os.Chmod(p.Path, 0o644); err != nil {
		return "", nil, err
	}
	p.folder.mu.Lock()
	defer p.folder.mu.Unlock()
	for n := 1; n < maxNumber; n++ {
		try := name
		if n > 1 {
			try = numbered(name, strconv.Itoa(n))
		}
		path = p.folder.address(try)
		if release = claim(path); release == nil {
			continue
		}
		if err = p.moveTo(ctx, try); err == nil {
			return path, release, nil
		}
		release()
		if !errors.Is(err, fs.ErrExist) {
			return "", nil, err
		}
	}
	return "", nil, fmt.Errorf("%s: %d files have that name already", name, maxNumber)
}

// address returns the path for a file with this name.
func (f *Folder) address(name string) string {
	if f.To != nil {
		return f.To.Address(name)
	}
	return filepath.Join(f.Dir, name)
}

// moveTo moves the file to its place under a name, unless the name exists.
func (p *Incoming) moveTo(ctx context.Context, name string) error {
	if p.folder.To == nil {
		defer disk.SyncFolder(p.folder.Dir)
		return disk.MoveNew(p.Path, p.folder.address(name))
	}
	f, err := os.Open(p.Path)
	if err != nil {
		return err
	}
	err = p.folder.To.PutNew(ctx, name, f)
	_ = f.Close()
	if err != nil {
		return err
	}
	_ = os.Remove(p.Path) // otherwise the next process removes it
	return nil
}

// Same returns the first of paths with the same content, "" if there is none. It reads only files of the same size.
func (p *Incoming) Same(ctx context.Context, paths []string) (string, error) {
	storage := p.folder.Storage
	if storage == nil {
		storage = warc.Local{}
	}
	for _, path := range paths {
		if e, err := storage.Stat(ctx, path); err != nil || e.Folder || e.Size != p.Size {
			continue
		}
		sum, err := digest(ctx, storage, path)
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if err == nil && sum == p.SHA256 { // unreadable files don't prevent others from being accepted
			return path, nil
		}
	}
	return "", nil
}

func digest(ctx context.Context, storage warc.Storage, path string) (string, error) {
	f, err := storage.Open(ctx, path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, &until{ctx, io.NewSectionReader(f, 0, f.Size())}); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// An until is a reader that fails when its context ends.
type until struct {
	ctx context.Context
	r   io.Reader
}

func (u *until) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}
