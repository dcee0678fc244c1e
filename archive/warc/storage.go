package warc

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
	"strings"
	"time"
)

// A Storage is a place for stored files, such as [Local], the folders of this machine, or a bucket of an object store. varve accesses
// stored files only through this interface. A path names a file in the storage's own form. If there is no such file, errors wrap
// [fs.ErrNotExist]. A Storage must be safe for concurrent use.
type Storage interface {
	// Find returns the paths for a name that a person gives: one path, or those that match if name is a pattern. Paths are absolute, so that
	// they mean the same files to another process.
	Find(ctx context.Context, name string) ([]string, error)
	// Stat describes the file or folder at path.
	Stat(ctx context.Context, path string) (Entry, error)
	// List yields all folders below a folder, at any depth, and the files in them for whose paths wanted returns true. Entries that can't be
	// read are yielded with an error and their path; the listing continues.
	List(ctx context.Context, folder string, wanted func(path string) bool) iter.Seq2[Entry, error]
	// Beside returns the path of name, relative to the folder that contains path. name uses slashes.
	Beside(path, name string) string
	// Open opens the file at path.
	Open(ctx context.Context, path string) (File, error)
}

// An Entry describes a file or a folder of a [Storage].
type Entry struct {
	Path    string
	Folder  bool
	Size    int64
	ModTime time.Time
	Version string // changes with the content; "" if the storage has no versions

	local fs.FileInfo // for files of this machine
}

// Same reports whether two entries for one path describe the same unchanged file, as far as can be told.
func (e Entry) Same(o Entry) bool {
	return e.Size == o.Size && e.ModTime.Equal(o.ModTime) && e.Version == o.Version && sameLocal(e.local, o.local)
}

// A File is a stored file, open for reading at any offset by any number of goroutines. Size is its size in bytes when
// it was opened.
type File interface {
	io.ReaderAt
	io.Closer
	Size() int64
}

// An Attributed file can be told on whose behalf it is read, for traces. The context ends nothing.
type Attributed interface {
	For(ctx context.Context) io.ReaderAt
}

// ReadFor returns what reads f on behalf of ctx.
func ReadFor(ctx context.Context, f File) io.ReaderAt {
	if a, ok := f.(Attributed); ok {
		return a.For(ctx)
	}
	return f
}

// Open opens a stored file. A path of the form "x.wacz#archive/data.warc.gz" names a member of a WACZ, which is read in place, and
// "all.wacz#x.wacz#archive/data.warc.gz" a member of a WACZ in another one. Members must be stored without further compression
// (WACZ 1.1.1 §4.1); Open refuses a deflated one.
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

// CutMember splits a path as [Open] takes it into the path of the WACZ and the path of the member inside it. Unless the
// part before "#" names a WACZ, inside is false and outer is the whole path: "#" is allowed in any file name.
func CutMember(path string) (outer, member string, inside bool) {
	const mark = ".wacz#"
	for i := 0; i+len(mark) <= len(path); i++ {
		if strings.EqualFold(path[i:i+len(mark)], mark) {
			return path[:i+len(mark)-1], path[i+len(mark):], true
		}
	}
	return path, "", false
}

// Base returns the name that people use for a stored file: the last element of its path, or of its path inside a WACZ.
func Base(path string) string {
	if _, member, inside := CutMember(path); inside {
		path = member
	}
	return filepath.Base(path)
}

// A Member is a WARC or ARC file inside a WACZ. To open it, join the WACZ's path and the member's with "#", see [Open].
type Member struct {
	Path string
	Size int64 // in bytes
}

// Members lists the WARC and ARC files inside a WACZ and the WACZ files in it, in the archive's order. If a WACZ in it can't be read, or
// two members have the same name, the error says so, and the others are listed.
func Members(ctx context.Context, s Storage, waczPath string) ([]Member, error) {
	f, err := s.Open(ctx, waczPath)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return members(f, waczPath, false)
}

// members lists the members of a WACZ. If it is inside another one, a WACZ in it isn't looked into.
func members(f File, waczPath string, inside bool) (out []Member, err error) {
	z, err := zip.NewReader(f, f.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: not a readable WACZ: %w", filepath.Base(waczPath), err)
	}
	var errs []error
	seen := map[string]bool{}
	for _, e := range z.File {
		twice := seen[e.Name]
		seen[e.Name] = true
		records, wacz := hasRecordSuffix(e.Name), !inside && strings.HasSuffix(strings.ToLower(e.Name), ".wacz")
		switch {
		case (records || wacz) && twice:
			errs = append(errs, fmt.Errorf("%s: has two members %q, of which only the first can be read", filepath.Base(waczPath), e.Name))
		case records:
			out = append(out, Member{e.Name, int64(e.CompressedSize64)})
		case wacz:
			inner, err := innerMembers(e, f, waczPath)
			for _, m := range inner {
				out = append(out, Member{e.Name + "#" + m.Path, m.Size})
			}
			errs = append(errs, err)
		}
	}
	return out, errors.Join(errs...)
}

// innerMembers lists the members of a WACZ inside the one at outer, which is open as f.
func innerMembers(e *zip.File, f File, outer string) ([]Member, error) {
	if e.Method != zip.Store {
		return nil, fmt.Errorf("%s: member %q is deflated: store it without compression, or index it by itself: %w",
			filepath.Base(outer), e.Name, errors.ErrUnsupported)
	}
	inner, err := inPlace(e, f, outer)
	if err != nil {
		return nil, err
	}
	out, err := members(inner, e.Name, true)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(outer), err)
	}
	return out, nil
}

// hasRecordSuffix reports whether a file's name has a suffix of WARC or ARC files.
func hasRecordSuffix(name string) bool {
	name = strings.ToLower(name)
	for _, compression := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, compression)
	}
	return strings.HasSuffix(name, ".warc") || strings.HasSuffix(name, ".arc")
}

// A section is a member of a WACZ, read in place. Closing it closes the WACZ. It implements [Attributed].
type section struct {
	*io.SectionReader
	whole File
}

func (s section) Close() error { return s.whole.Close() }

func (s section) For(ctx context.Context) io.ReaderAt {
	_, start, n := s.Outer()
	return io.NewSectionReader(ReadFor(ctx, s.whole), start, n)
}

// openMember opens a member of the WACZ at outer, which is open as f.
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
	inner, rest, nested := CutMember(member)
	if !nested || d.members[member] != nil {
		return d.open(f, outer, member)
	}
	wacz, err := d.open(f, outer, inner)
	if err != nil {
		return nil, err
	}
	return openMember(ctx, s, wacz, outer+"#"+inner, rest)
}
