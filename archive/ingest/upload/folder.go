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
	// room is what stays free on the disk, for the index of what was taken.
	room = 64 << 20
	// roomEvery is how many bytes are written between two looks at the room that is left.
	roomEvery = 32 << 20
	// maxNumber bounds the numbers that are tried behind a name that is taken.
	maxNumber = 10_000
)

// A Folder is where files are put. Until a file is checked it has a name that begins with a dot and has no extension, so
// that nothing looks at it. Owner distinguishes the folder's owners, of which there may be several: each cleans up after
// itself only.
type Folder struct {
	Dir   string
	Owner string // letters and digits
	// To is where files belong once they are checked, nil if that is Dir.
	To Place
	// Storage is where the files are that a collection has, nil for the folders of this machine.
	Storage warc.Storage

	mu sync.Mutex // held while a name is sought
}

// A Place keeps files elsewhere, such as in a bucket.
type Place interface {
	// Address returns the path of a file of a name, for those who index it.
	Address(name string) string
	// PutNew stores a file, whole or not at all. If one has that name already, the error wraps [fs.ErrExist].
	PutNew(ctx context.Context, name string, from io.Reader) error
}

func (f *Folder) prefix() string { return ".incoming-" + f.Owner + "-" }

// Clean removes what an owner that was killed has left in the folder, if there is one.
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

// Prepare makes the folder if there is none, and reports as an error that files can't be written to it.
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

// create makes a file that nothing looks at. Nobody else's file is opened, whatever is in the folder.
func (f *Folder) create() (*os.File, error) { return os.CreateTemp(f.Dir, f.prefix()+"*") }

// A Parcel is a file that has been received and has no name yet. It is on the disk, and must be kept or dropped.
type Parcel struct {
	Path   string
	Size   int64
	SHA256 string // lower-case hexadecimal

	folder *Folder
}

// ErrTooLarge is the error of a file with more bytes than may be received.
const ErrTooLarge = sentinel.Error("the file is too large")

// Receive writes what from has to the disk, at most limit bytes, and adds what it has written to received. When it
// returns, the file is on the disk, or an error, [ErrTooLarge] or one that wraps [disk.ErrFull] among them, and nothing.
func (f *Folder) Receive(ctx context.Context, from io.Reader, limit int64, received *atomic.Int64) (p *Parcel, err error) {
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
	if err == nil && size > limit {
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
	return &Parcel{Path: out.Name(), Size: size, SHA256: hex.EncodeToString(hash.Sum(nil)), folder: f}, nil
}

// A filling writes to a disk that keeps some room, until its context ends.
type filling struct {
	ctx     context.Context
	out     *os.File
	also    io.Writer
	dir     string
	left    int64 // bytes until the next look at the room
	written *atomic.Int64
}

// Write implements [io.Writer].
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
	_, _ = f.also.Write(p[:n]) // a hash takes everything
	f.written.Add(int64(n))
	return n, err
}

// unpacked returns what is in a file that was compressed with gzip, in the same folder. It is a [*Refusal] if that is far more than
// the file and free bytes, or if the file can't be unpacked to its end.
func (p *Parcel) unpacked(ctx context.Context, free int64) (*Parcel, error) {
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

// notUnpacked is the refusal of a file whose compression is damaged, or which is compressed in another way.
func notUnpacked(err error) error {
	return refuse("one-stream", "it is compressed as one stream over several records, and can't be unpacked: %v", err)
}

// Drop removes the file.
func (p *Parcel) Drop() error { return os.Remove(p.Path) }

// Keep gives the file its name in the folder, or one with a number if another has it, and returns its path. It replaces
// nothing. Before a name is given, claim is called with the path that the file would have. It returns what takes the claim
// back, and nil if the file may not have that name. Keep takes back the claims to all paths but the one that it returns.
func (p *Parcel) Keep(ctx context.Context, name string, claim func(path string) (release func())) (path string, release func(), err error) {
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

// address returns the path of a file of a name.
func (f *Folder) address(name string) string {
	if f.To != nil {
		return f.To.Address(name)
	}
	return filepath.Join(f.Dir, name)
}

// moveTo gives the file its name where it belongs, unless one has it.
func (p *Parcel) moveTo(ctx context.Context, name string) error {
	if p.folder.To == nil {
		defer syncFolder(p.folder.Dir)
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
	_ = os.Remove(p.Path) // else the next process does
	return nil
}

// syncFolder makes names last. Where folders can't be synced they do so by themselves.
func syncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// Same returns the first of some files that has the same content, "" if none has. Only those of the same size are read.
func (p *Parcel) Same(ctx context.Context, paths []string) (string, error) {
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
		if err == nil && sum == p.SHA256 { // what can't be read is no reason to take nothing
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

// An until reader ends when its context does.
type until struct {
	ctx context.Context
	r   io.Reader
}

// Read implements [io.Reader].
func (u *until) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}
