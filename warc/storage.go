package warc

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
	"strings"
	"time"
)

// A Storage is where stored files lie. [Local], the folders of this machine, is the one that varve ships; a bucket of an
// object store could be another. Everything that is known of stored files comes through it. A path is the storage's own
// way to name a file. Errors wrap [fs.ErrNotExist] where there is nothing of that name. It is safe for concurrent use.
type Storage interface {
	// Find returns the paths that a person means by name: one, or those that match it where it is a pattern. They are
	// complete, so that they lead to the same files for another process.
	Find(ctx context.Context, name string) ([]string, error)
	// Stat tells what path names, file or folder.
	Stat(ctx context.Context, path string) (Entry, error)
	// List yields the folders below a folder, however deep, and those files there whose paths are wanted.
	// What can't be looked at is an error, with its path in the entry, and doesn't stop the rest.
	List(ctx context.Context, folder string, wanted func(path string) bool) iter.Seq2[Entry, error]
	// Beside returns the path of what is called name, with slashes, as seen from the folder of path.
	Beside(path, name string) string
	// Open opens the file at path.
	Open(ctx context.Context, path string) (File, error)
}

// An Entry is what a [Storage] tells of a file, or of a folder.
type Entry struct {
	Path    string
	Folder  bool
	Size    int64
	ModTime time.Time
	Version string // another one for another content, if the storage has such a thing

	local fs.FileInfo // of files of this machine
}

// Same reports whether two entries, of one path, are of the same file, unchanged as far as can be told.
func (e Entry) Same(o Entry) bool {
	return e.Size == o.Size && e.ModTime.Equal(o.ModTime) && e.Version == o.Version && sameLocal(e.local, o.local)
}

// A File is a stored file open for reading at any offset by any number of goroutines.
// Size is that of the moment of opening, in bytes.
type File interface {
	io.ReaderAt
	io.Closer
	Size() int64
}

// Open opens a stored file. A path of the form "x.wacz#archive/data.warc.gz" means the member of a WACZ, which is
// read in place; that needs the member to be stored without further compression (WACZ 1.1.1 §4.1), a deflated
// one is refused.
func Open(ctx context.Context, s Storage, path string) (File, error) {
	outer, member, inside := CutMember(path)
	f, err := s.Open(ctx, outer)
	if err != nil || !inside {
		return f, err
	}
	section, err := openMember(ctx, s, f, outer, member)
	if err != nil {
		f.Close()
		return nil, err
	}
	return section, nil
}

// CutMember splits a path as [Open] takes it into that of the WACZ and that of the member inside it.
// Without a WACZ before a "#", inside is false and outer the whole path: "#" may stand in any file name.
func CutMember(path string) (outer, member string, inside bool) {
	const mark = ".wacz#"
	for i := 0; i+len(mark) <= len(path); i++ {
		if strings.EqualFold(path[i:i+len(mark)], mark) {
			return path[:i+len(mark)-1], path[i+len(mark):], true
		}
	}
	return path, "", false
}

// Base returns the name by which people know a stored file: the last element of its path, or of its path inside a WACZ.
func Base(path string) string {
	if _, member, inside := CutMember(path); inside {
		path = member
	}
	return filepath.Base(path)
}

// Members lists the paths, inside a WACZ, of its WARC and ARC files, in the archive's order.
// Each joined to the WACZ's path by "#" can be opened, see [Open].
func Members(ctx context.Context, s Storage, waczPath string) ([]string, error) {
	f, err := s.Open(ctx, waczPath)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := zip.NewReader(f, f.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: not a readable WACZ: %w", filepath.Base(waczPath), err)
	}
	var members []string
	for _, e := range z.File {
		if hasRecordSuffix(e.Name) {
			members = append(members, e.Name)
		}
	}
	return members, nil
}

// hasRecordSuffix reports whether a file's name says that it holds WARC or ARC records.
func hasRecordSuffix(name string) bool {
	name = strings.ToLower(name)
	for _, compression := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, compression)
	}
	return strings.HasSuffix(name, ".warc") || strings.HasSuffix(name, ".arc")
}

// A section is a member of a WACZ, read in place; closing it closes the WACZ.
type section struct {
	*io.SectionReader
	io.Closer
}

func openMember(ctx context.Context, s Storage, f File, outer, member string) (_ File, err error) {
	var d *directory
	if r, ok := s.(*remembering); ok {
		d, err = r.directory(ctx, outer, f)
	} else {
		d, err = readDirectory(f, outer)
	}
	if err != nil {
		return nil, err
	}
	return d.open(f, outer, member)
}
