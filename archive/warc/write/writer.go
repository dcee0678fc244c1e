package write

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/nlnwa/gowarc"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/internal/disk"
	"github.com/varve-archive/varve/internal/filebuffer"
	"github.com/varve-archive/varve/internal/sentinel"
)

const (
	defaultSize  = 1 << 30   // as the standard recommends (ISO 28500 annex C.1)
	maxMemory    = 256 << 10 // bytes of a packed exchange that stay in memory; larger ones use a file
	minFreeSpace = 64 << 20  // bytes to leave free on the disk, for the index
	openSuffix   = ".open"
	suffix       = ".warc.gz"
)

// Config says where and how a [Writer] writes.
type Config struct {
	Dir  string // a folder, which is created if necessary
	Name string // prefix of the files' names: letters, digits, ".", "_" and "-"
	// Mark, unless "", is a suffix of the names, so that writers with the same Name in several folders write files with different names: at
	// most 16 letters and digits.
	Mark string
	// Size bounds a file in bytes, 0 for 1 GiB. Only a single exchange can exceed it.
	Size int64
	// Info are the fields of the warcinfo record at the beginning of each file, such as software and operator (ISO 28500 §6.2). format and
	// conformsTo are added.
	Info warc.Fields
	// Known returns an earlier capture with this payload; the exchange is then written as a revisit. It may be nil, and must be safe for
	// concurrent use.
	Known func(Payload) (Original, bool)
	// Finished is called with the path of each complete file, before writing continues. It may be nil.
	Finished func(path string)
}

// A Writer writes exchanges into files in a folder. It is safe for concurrent use.
type Writer struct {
	cfg     Config
	packers sync.Pool // of *gzip.Writer

	mu     sync.Mutex
	file   *file // nil before the first exchange and between two files
	closed bool
}

var markPattern = regexp.MustCompile(`^[A-Za-z0-9]{0,16}$`)

var namePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// New returns a writer. It creates the first file when there is something to write.
func New(cfg Config) (*Writer, error) {
	if err := checkName(cfg.Name); err != nil {
		return nil, err
	}
	if !markPattern.MatchString(cfg.Mark) {
		return nil, fmt.Errorf("write: mark %q: want letters and digits, at most 16", cfg.Mark)
	}
	if cfg.Size <= 0 {
		cfg.Size = defaultSize
	}
	if err := os.MkdirAll(cfg.Dir, 0o755); err != nil {
		return nil, err
	}
	w := &Writer{cfg: cfg}
	w.packers.New = func() any { return gzip.NewWriter(nil) }
	return w, nil
}

func checkName(name string) error {
	if !namePattern.MatchString(name) {
		return fmt.Errorf("write: name %q: want letters, digits, \".\", \"_\" and \"-\", at most 100, a letter or digit first", name)
	}
	return nil
}

// ErrClosed says that the writer is closed.
const ErrClosed = sentinel.Error("write: the writer is closed")

// Write writes an exchange. When it returns, the records are in the file even if the process is killed. After an error nothing of the
// exchange is in the file, and others can be written; the error wraps [disk.ErrFull] if there is too little room.
func (w *Writer) Write(e Exchange) (Written, error) {
	if err := e.check(); err != nil {
		return Written{}, fmt.Errorf("write: exchange with %q: %w", e.URI, err)
	}
	records, payload, err := w.records(e)
	if err != nil {
		return Written{}, fmt.Errorf("write: exchange with %s: %w", e.URI, err)
	}
	packed := &filebuffer.Buffer{Dir: w.cfg.Dir, Memory: maxMemory}
	defer packed.Close()
	if err := w.pack(records, packed); err != nil {
		return Written{}, fmt.Errorf("write: exchange with %s: %w", e.URI, err)
	}
	path, err := w.append(packed)
	if err != nil {
		return Written{}, err
	}
	return Written{Path: path, Payload: payload, Revisit: records[0].kind == gowarc.Revisit, Bytes: packed.Size()}, nil
}

// pack compresses records, each separately.
func (w *Writer) pack(records []record, to io.Writer) error {
	zip := w.packers.Get().(*gzip.Writer)
	defer w.packers.Put(zip)
	for i := range records {
		if err := records[i].pack(zip, to); err != nil {
			return err
		}
	}
	return nil
}

// append appends packed records to the file, all or none, and returns its path.
func (w *Writer) append(packed *filebuffer.Buffer) (path string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return "", ErrClosed
	}
	if err := disk.CheckRoom(w.cfg.Dir, uint64(minFreeSpace+packed.Size())); err != nil {
		return "", fmt.Errorf("write: %w", err)
	}
	if err := w.checkFile(); err != nil {
		return "", err
	}
	if w.file != nil && w.file.full(packed.Size(), w.cfg.Size) {
		if err := w.finish(); err != nil {
			return "", err
		}
	}
	if w.file == nil {
		if err := w.begin(); err != nil {
			return "", err
		}
	}
	return w.file.Name(), w.file.append(packed)
}

// ErrGone says that somebody has removed or renamed the file while it was written. The next exchange begins another.
const ErrGone = sentinel.Error("the file was removed or renamed while it was being written, so its captures aren't indexed")

// checkFile returns an error if the file has lost its name.
func (w *Writer) checkFile() error {
	f := w.file
	if f == nil || hasName(f.File) {
		return nil
	}
	w.file = nil
	return errors.Join(fmt.Errorf("write: %s: %w", f.Name(), ErrGone), f.Close())
}

// begin creates the next file, with its warcinfo record.
func (w *Writer) begin() error {
	f, err := create(w.cfg.Dir, w.cfg.Name, w.cfg.Mark)
	if err != nil {
		return err
	}
	info := append(warc.Fields{
		{Name: "format", Value: "WARC File Format 1.1"},
		{Name: "conformsTo", Value: "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"},
	}, w.cfg.Info...)
	block, size, digest := fieldsBlock(info)
	r := newRecord(gowarc.Warcinfo, time.Now(), gowarc.ApplicationWarcFields, block, size, digest)
	r.head = append(r.head, warc.Field{Name: gowarc.WarcFilename, Value: strings.TrimSuffix(filepath.Base(f.Name()), openSuffix)})
	packed := &filebuffer.Buffer{Dir: w.cfg.Dir, Memory: maxMemory}
	defer packed.Close()
	if err = w.pack([]record{r}, packed); err == nil {
		err = f.append(packed)
	}
	if err != nil {
		return errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	f.info = f.size
	w.file = f
	return nil
}

// finish completes the file: it is synced and renamed. If that fails, it remains open.
func (w *Writer) finish() error {
	if err := w.checkFile(); err != nil {
		return err
	}
	f := w.file
	w.file = nil
	if err := f.Sync(); err != nil {
		return errors.Join(fmt.Errorf("write: %w", err), f.Close())
	}
	path, err := named(f.Name())
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	if w.cfg.Finished != nil {
		w.cfg.Finished(path)
	}
	return nil
}

// Sync returns when everything written so far would survive a loss of power.
func (w *Writer) Sync() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.file == nil {
		return nil
	}
	if err := w.file.Sync(); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	return nil
}

// Roll completes the file, so that it can be indexed. The next exchange begins another.
func (w *Writer) Roll() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.file == nil {
		return nil
	}
	return w.finish()
}

// Leave closes the file without completing it, as if the process were killed, for [Mend]. The next exchange begins another.
func (w *Writer) Leave() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.file == nil {
		return nil
	}
	f := w.file
	w.file = nil
	err := f.Sync()
	unlock(f.File)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	return nil
}

// Close completes the file. Nothing can be written afterwards. It may be called more than once.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	if w.file == nil {
		return nil
	}
	return w.finish()
}
