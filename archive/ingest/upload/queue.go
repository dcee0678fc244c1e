package upload

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/varve-archive/varve/internal/disk"
	"github.com/varve-archive/varve/internal/sentinel"
)

// Bounds of a queue.
const (
	maxReceiving  = 4    // files received at once
	maxWaiting    = 64   // files that were received and aren't done
	maxDeliveries = 1000 // deliveries that are remembered; the oldest are dropped first
)

// A Storage stores and indexes the files of collections.
type Storage interface {
	// Folder returns the folder for new files of a collection. The error says why there is none.
	Folder(coll string) (*Folder, error)
	// Files returns the paths of a collection's files, including all of this size.
	Files(coll string, size int64) []string
	// Claim keeps others from indexing the file that will be at path, until release is called. It returns nil if a file of the collection
	// already has that name.
	Claim(coll, path string) (release func())
	// Index indexes the file at path and reports its progress.
	Index(ctx context.Context, coll, path string, told Indexing) error
}

// An Indexing receives the progress of a [Storage] that indexes a file.
type Indexing struct {
	Began  func(done, total, captures *atomic.Int64) // bytes done, bytes in all, captures found
	Report func(Problem)                             // may be called from several goroutines
}

// A Queue processes uploaded files for a storage. Create it with [NewQueue] and run [Queue.Run].
type Queue struct {
	storage Storage
	log     *slog.Logger
	limit   int64

	// Unpack says that files compressed as one stream are unpacked and their content is kept. Otherwise they are refused.
	Unpack bool

	receiving chan struct{}
	work      chan *File

	mu         sync.Mutex
	deliveries map[string]*Delivery
	order      []string // identifiers, the oldest first
	waiting    int
}

// NewQueue returns a queue for files of up to limit bytes.
func NewQueue(storage Storage, limit int64, log *slog.Logger) *Queue {
	return &Queue{
		storage: storage, limit: limit, log: log, receiving: make(chan struct{}, maxReceiving), work: make(chan *File, maxWaiting),
		deliveries: map[string]*Delivery{},
	}
}

// Limit returns the largest size of a file in bytes.
func (d *Queue) Limit() int64 { return d.limit }

// ErrBusy says that the queue is full at the moment.
const ErrBusy = sentinel.Error("too many files are being taken at once; come back soon")

// A Delivery is a group of files that were uploaded together, for one collection.
type Delivery struct {
	ID   string // unguessable
	Coll string

	queue *Queue
	mu    sync.Mutex
	files []*File
}

// Open begins a delivery for a collection.
func (d *Queue) Open(coll string) *Delivery {
	v := &Delivery{ID: rand.Text(), Coll: coll, queue: d}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.deliveries[v.ID] = v
	if d.order = append(d.order, v.ID); len(d.order) > maxDeliveries {
		delete(d.deliveries, d.order[0])
		d.order = d.order[1:]
	}
	return v
}

// Delivery returns the delivery with an identifier, nil if there is none.
func (d *Queue) Delivery(id string) *Delivery {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.deliveries[id]
}

// Status returns the status of each file of the delivery.
func (v *Delivery) Status() []Status {
	v.mu.Lock()
	files := slices.Clone(v.files)
	v.mu.Unlock()
	all := make([]Status, len(files))
	for i, f := range files {
		all[i] = f.Status()
	}
	return all
}

// Receive receives one file that was sent under the name said, and queues it. After an error the file wasn't received; its status says so
// too. size is the size in bytes that the sender states, -1 if unknown. Receive returns [ErrBusy] before reading anything.
func (v *Delivery) Receive(ctx context.Context, said string, size int64, from io.Reader) error {
	d := v.queue
	select {
	case d.receiving <- struct{}{}:
		defer func() { <-d.receiving }()
	default:
		return ErrBusy
	}
	if !d.enter() {
		return ErrBusy
	}
	f := &File{coll: v.Coll}
	f.status = Status{GivenName: said, State: Receiving, Size: max(size, 0)}
	v.mu.Lock()
	v.files = append(v.files, f)
	v.mu.Unlock()
	if err := d.receive(ctx, f, size, from); err != nil {
		d.leave()
		f.end(Refused, d.reason(err, said))
		return err
	}
	f.to(Waiting)
	d.work <- f // never blocks: it has room for all files that were admitted
	return nil
}

func (d *Queue) receive(ctx context.Context, f *File, size int64, from io.Reader) error {
	if size > d.limit {
		return ErrTooLarge
	}
	folder, err := d.storage.Folder(f.coll)
	if err != nil {
		return err
	}
	if err := disk.CheckRoom(folder.Dir, uint64(max(size, 0)+room)); err != nil {
		return err
	}
	incoming, err := folder.Receive(ctx, from, d.limit, &f.received)
	if err != nil {
		return err
	}
	f.set(func(s *Status) { s.Size = incoming.Size })
	f.incoming = incoming
	return nil
}

func (d *Queue) enter() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.waiting >= maxWaiting {
		return false
	}
	d.waiting++
	return true
}

func (d *Queue) leave() {
	d.mu.Lock()
	d.waiting--
	d.mu.Unlock()
}

// Run checks, keeps and indexes received files, one after the other, until ctx ends. Files that aren't kept by then are dropped.
func (d *Queue) Run(ctx context.Context) {
	for {
		select {
		case f := <-d.work:
			d.do(ctx, f)
			continue
		default:
		}
		select {
		case f := <-d.work:
			d.do(ctx, f)
		case <-ctx.Done():
			return
		}
	}
}

// do processes a received file.
func (d *Queue) do(ctx context.Context, f *File) {
	defer d.leave()
	said := f.Status().GivenName
	path, release, err := d.keep(ctx, f)
	if err != nil {
		_ = f.incoming.Drop()
		f.end(Refused, d.reason(err, said))
		return
	}
	if path == "" { // the collection already has it
		_ = f.incoming.Drop()
		f.to(Done)
		return
	}
	defer release()
	f.set(func(s *Status) { s.State, s.Stored, s.Damaged, s.Problems = AtIndex, filepath.Base(path), 0, nil })
	d.log.Info("a file was taken", "collection", f.coll, "file", path, "sha256", f.incoming.SHA256)
	if err := d.storage.Index(ctx, f.coll, path, Indexing{Began: f.began, Report: f.report}); err != nil {
		if ctx.Err() == nil {
			d.log.Error("a file that was taken could not be indexed", "file", path, "error", err)
		}
		f.end(Failed, refusal("later", "it is stored, and could not be indexed; that is tried again when the server starts"))
		return
	}
	f.to(Done)
}

// keep checks a file and gives it a name. path is "" if the collection already has the file.
func (d *Queue) keep(ctx context.Context, f *File) (path string, release func(), err error) {
	f.to(Checking)
	if has, err := d.has(ctx, f); has || err != nil {
		return "", nil, err
	}
	report, err := Check(ctx, f.incoming.Path, &f.checked)
	var refused *Refusal
	if d.Unpack && errors.As(err, &refused) && refused.Why == "one-stream" {
		if err := d.unpack(ctx, f); err != nil {
			return "", nil, err
		}
		if has, err := d.has(ctx, f); has || err != nil {
			return "", nil, err
		}
		report, err = Check(ctx, f.incoming.Path, &f.checked)
	}
	if err != nil {
		return "", nil, err
	}
	f.set(func(s *Status) {
		s.Damaged, s.Problems, s.Pages = report.Damaged, report.Problems, report.Pages
	})
	claim := func(path string) func() { return d.storage.Claim(f.coll, path) }
	return f.incoming.Keep(ctx, Name(f.Status().GivenName, report.Format), claim)
}

// has reports whether the collection has the content of a file already.
func (d *Queue) has(ctx context.Context, f *File) (bool, error) {
	same, err := f.incoming.Same(ctx, d.storage.Files(f.coll, f.incoming.Size))
	if same != "" {
		f.set(func(s *Status) { s.SameAs = filepath.Base(same) })
	}
	return same != "", err
}

// unpack replaces a file by its unpacked content.
func (d *Queue) unpack(ctx context.Context, f *File) error {
	inner, err := f.incoming.unpacked(ctx, freeGrowth)
	if err != nil {
		return err
	}
	_ = f.incoming.Drop()
	f.incoming = inner
	f.checked.Store(0)
	f.set(func(s *Status) { s.Size = inner.Size })
	return nil
}

// reason returns the sender's reason why a file is not accepted. Internal errors go to the log.
func (d *Queue) reason(err error, said string) *Refusal {
	var known *Refusal
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, ErrTooLarge):
		return refusal("larger", "it is larger than this server takes: %d MB", d.limit/1_000_000)
	case IsFull(err):
		d.log.Error("a file could not be taken: make room on the disk", "said", said, "error", err)
		return refusal("disk-full", "the server's disk is full")
	case errors.Is(err, context.Canceled):
		return refusal("stopped", "the server was stopped")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return refusal("not-whole", "it did not arrive whole")
	}
	d.log.Error("a file could not be taken", "said", said, "error", err)
	return refusal("not-written", "it could not be received whole, or not be written; the server's log says what happened")
}
