package warc

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Remembering returns s with a cache of the directories of the WACZ files that were opened last. Reading a directory takes longer the more
// members it has, and would otherwise be repeated for each member.
func Remembering(s Storage) Storage {
	if r, ok := s.(*remembering); ok {
		return r
	}
	r := &remembering{Storage: s}
	r.kept, _ = simplelru.NewLRU[string, *directory](maxDirectories, nil) // fails only for a size of 0
	return r
}

// maxDirectories bounds the cached directories.
const maxDirectories = 8

type remembering struct {
	Storage
	mu   sync.Mutex
	kept *simplelru.LRU[string, *directory]
}

// A directory is a WACZ's list of its members.
type directory struct {
	entry   Entry // of the WACZ, or of the one around it, when it was read
	members map[string]*zip.File

	mu sync.Mutex
	in swapped
}

// swapped is a reader that can be replaced, so that a cached directory reads members from any opening of its file.
type swapped struct{ io.ReaderAt }

// directory returns the directory of the WACZ at path, which is open as f.
func (r *remembering) directory(ctx context.Context, path string, f File) (*directory, error) {
	outer, _, _ := CutMember(path)
	e, err := r.Stat(ctx, outer)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	d, ok := r.kept.Get(path)
	r.mu.Unlock()
	if ok && d.entry.Same(e) {
		return d, nil
	}
	if d, err = readDirectory(f, path); err != nil {
		return nil, err
	}
	d.entry = e
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept.Add(path, d)
	return d, nil
}

func readDirectory(f File, path string) (*directory, error) {
	d := &directory{in: swapped{f}}
	z, err := zip.NewReader(&d.in, f.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: not a readable WACZ: %w", filepath.Base(path), err)
	}
	d.members = make(map[string]*zip.File, len(z.File))
	for _, e := range z.File {
		if _, twice := d.members[e.Name]; !twice {
			d.members[e.Name] = e
		}
	}
	return d, nil
}

// open returns a member, read in place from f.
func (d *directory) open(f File, outer, member string) (File, error) {
	e := d.members[member]
	if e == nil {
		return nil, fmt.Errorf("%s: has no member %q: %w", filepath.Base(outer), member, fs.ErrNotExist)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.in.ReaderAt = f
	return inPlace(e, f, outer)
}

// inPlace returns a member of the WACZ at outer, read from f.
func inPlace(e *zip.File, f File, outer string) (File, error) {
	if e.Method != zip.Store {
		return nil, fmt.Errorf("%s: member %q is deflated; only stored members can be read in place "+
			"(varve index --unpack DIR writes it once more, unpacked): %w",
			filepath.Base(outer), e.Name, errors.ErrUnsupported)
	}
	start, err := e.DataOffset()
	if err != nil {
		return nil, fmt.Errorf("%s: member %q: %w", filepath.Base(outer), e.Name, err)
	}
	return section{io.NewSectionReader(f, start, int64(e.CompressedSize64)), f}, nil
}
