package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/blobstore"
	"github.com/varve-archive/varve/archive/blobstore/s3"
	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/gather/crawl"
)

// An outside is a bucket to which files are moved once they are complete. Until then they are in a folder of this machine, where the next
// process finds those of one that was killed.
type outside struct {
	at   *blobstore.Store
	name string // begins the names of the files
	id   string // of the place, for the name of the folder
	mark string // tells files of this process from those of others

	moving sync.Mutex

	mu  sync.Mutex
	has map[string]bool // names of files that are known to be there
}

// outside opens a bucket. It fails if that can't be listed, so that nothing is captured in vain.
func (p *program) outside(ctx context.Context, place, name string) (*outside, error) {
	at, err := blobstore.Open(place, blobstore.Config{S3: p.s3})
	if err != nil {
		return nil, err
	}
	id := fmt.Sprintf("%08x", uint32(xxh3.HashString(strings.TrimRight(place, "/"))))
	o := &outside{at: at, name: name, id: id, mark: newMark(), has: map[string]bool{}}
	_, err = o.files(ctx)
	return o, err
}

// newMark returns letters and digits that tell files of this process from those of others: of other machines, which may have its host's
// name, and of one that ended within the same second.
func newMark() string { return strings.ToLower(rand.Text()[:12]) }

// files returns the addresses of the complete files. Those of other names are none of ours, other than in a folder of a collection.
func (o *outside) files(ctx context.Context) (all []string, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for f, err := range o.at.List(ctx, o.name+"-") {
		if err != nil {
			return nil, err
		}
		if write.IsFinished(o.name, f.Name) {
			o.has[f.Name] = true
			all = append(all, o.at.Address(f.Name))
		}
	}
	return all, nil
}

var _ crawl.Elsewhere = (*outside)(nil)

// Find implements [crawl.Elsewhere]. Other processes may have moved files there since it was listed.
func (o *outside) Find(ctx context.Context, name string) (string, error) {
	o.mu.Lock()
	has := o.has[name]
	o.mu.Unlock()
	if !has {
		if _, err := o.at.Stat(ctx, name); errors.Is(err, fs.ErrNotExist) {
			return "", nil
		} else if err != nil {
			return "", err
		}
		o.is(name)
	}
	return o.at.Address(name), nil
}

// is notes that a file is there.
func (o *outside) is(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.has[name] = true
}

// Names implements [crawl.Elsewhere].
func (o *outside) Names(ctx context.Context) (names []string, err error) {
	files, err := o.files(ctx)
	for _, f := range files {
		names = append(names, path.Base(f))
	}
	return names, err
}

// move moves a file there. One of that name with the same content is the file itself: a process was killed before it could remove it here.
func (o *outside) move(ctx context.Context, path string) error {
	if err := o.put(ctx, path); errors.Is(err, fs.ErrNotExist) && !exists(path) { // another process was faster
		return nil
	} else if err != nil {
		return err
	}
	o.is(filepath.Base(path))
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// put sees to it that a file is there.
func (o *outside) put(ctx context.Context, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	name := filepath.Base(path)
	err = o.at.PutNew(ctx, name, f)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	same, failed := o.same(ctx, name, f)
	switch {
	case failed != nil: // whether it is another file is not known
		return failed
	case !same:
		return err
	}
	return nil
}

// same reports whether a file there has the content of one here.
func (o *outside) same(ctx context.Context, name string, f *os.File) (bool, error) {
	there, err := o.at.Stat(ctx, name)
	if err != nil {
		return false, err
	}
	info, err := f.Stat()
	if err != nil || info.Size() != there.Size {
		return false, err
	}
	r, err := o.at.Open(ctx, name)
	if err != nil {
		return false, err
	}
	defer r.Close()
	here := io.NewSectionReader(f, 0, info.Size())
	a, b := make([]byte, 1<<20), make([]byte, 1<<20)
	for {
		n, err := io.ReadFull(r, a)
		m, _ := io.ReadFull(here, b)
		if !bytes.Equal(a[:n], b[:m]) {
			return false, nil
		}
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return true, nil
		case err != nil:
			return false, err
		}
	}
}

// move moves the complete files to where they belong. What can't be moved stays, for the next time, and keeps no other
// from being moved. settled says that nobody looks for them under the names that they have: then one whose name is taken gets another.
func (g *gathering) move(ctx context.Context, settled bool) error {
	if g.to == nil {
		return nil
	}
	g.to.moving.Lock()
	defer g.to.moving.Unlock()
	files, err := write.Finished(g.dir, g.name)
	if err != nil {
		return err
	}
	var stay []error
	for i, path := range files {
		err := g.to.move(ctx, path)
		if settled && errors.Is(err, fs.ErrExist) {
			err = g.moveRenamed(ctx, path)
		}
		if err == nil {
			continue
		}
		stay = append(stay, err)
		if ctx.Err() != nil || errors.Is(err, s3.ErrUnavailable) { // so would the others fail
			return g.stays(len(stay)+len(files)-i-1, stay)
		}
	}
	return g.stays(len(stay), stay)
}

// renamings is how many names are tried for a file whose name is taken.
const renamings = 20

// moveRenamed moves a file whose name another has there, under the next one that is free. It gets that name here first: so a process that
// is killed leaves one file, wherever it is, and never two. The index knows nothing of the file yet.
func (g *gathering) moveRenamed(ctx context.Context, path string) error {
	next, moved := path, fs.ErrExist
	for n := 0; n < renamings && errors.Is(moved, fs.ErrExist); n++ {
		renamed, err := write.Rename(next)
		if errors.Is(err, fs.ErrNotExist) && !exists(next) { // another process was faster
			return nil
		} else if err != nil {
			return err
		}
		next = renamed
		moved = g.to.move(ctx, next)
	}
	g.log().Warn("another file has the name of one that was captured, which is called otherwise now", "was", filepath.Base(path),
		"now", filepath.Base(next), "place", g.place())
	return moved
}

// stays says that n files could not be moved, nil if there are none.
func (g *gathering) stays(n int, why []error) error {
	if n == 0 {
		return nil
	}
	return fmt.Errorf("%s in %s until the same command can move them to %s: %w",
		plural(int64(n), "file stays", "files stay"), g.dir, g.place(), errors.Join(why...))
}

// moveEvery is how often files of a command that goes on are moved.
const moveEvery = 10 * time.Second

// keepMoving moves files as they become complete, until what it returns is called. Whether that works is said in the end, by takeIn.
func (g *gathering) keepMoving(ctx context.Context) (stop func()) {
	if g.to == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(moveEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
			if err := g.move(ctx, false); err != nil && ctx.Err() == nil {
				g.log().Warn("files can't be moved for the moment", "error", err)
			}
		}
	}()
	return func() { cancel(); <-done }
}

// besides are the endings of what a crawl writes beside its files, for people and other programs.
var besides = []string{".csv", ".jsonl", ".fields.yaml"}

// copyBeside copies what stands beside the files to where they belong. What was put aside there is moved.
func (g *gathering) copyBeside(ctx context.Context) error {
	if g.to == nil {
		return nil
	}
	aside, err := crawl.Aside(g.dir, g.name)
	if err != nil {
		return err
	}
	var failed []error
	for _, path := range aside {
		if err := g.to.move(ctx, path); err != nil {
			failed = append(failed, err)
		}
	}
	for _, ending := range besides {
		f, err := os.Open(filepath.Join(g.dir, g.name+ending))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = errors.Join(g.to.at.Put(ctx, g.name+ending, f), f.Close())
		}
		if err != nil {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}
