package warc

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

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
func Open(path string) (File, error) {
	outer, member, inside := CutMember(path)
	f, err := openDisk(outer)
	if err != nil || !inside {
		return f, err
	}
	section, err := openMember(f, outer, member)
	if err != nil {
		f.Close()
		return nil, err
	}
	return section, nil
}

// Stat returns size and time of change of the file that path names; for a member of a WACZ they are the WACZ's.
func Stat(path string) (size int64, changed time.Time, err error) {
	outer, _, _ := CutMember(path)
	info, err := os.Stat(outer)
	if err != nil {
		return 0, time.Time{}, err
	}
	return info.Size(), info.ModTime(), nil
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
func Members(waczPath string) ([]string, error) {
	f, err := openDisk(waczPath)
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

type diskFile struct {
	*os.File
	size int64
}

func (f diskFile) Size() int64 { return f.size }

func openDisk(path string) (File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: not a regular file", filepath.Base(path))
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return diskFile{f, info.Size()}, nil
}

// A section is a member of a WACZ, read in place; closing it closes the WACZ.
type section struct {
	*io.SectionReader
	io.Closer
}

func openMember(f File, outer, member string) (File, error) {
	z, err := zip.NewReader(f, f.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: not a readable WACZ: %w", filepath.Base(outer), err)
	}
	for _, e := range z.File {
		if e.Name == member {
			return sectionOf(f, outer, e)
		}
	}
	return nil, fmt.Errorf("%s: has no member %q: %w", filepath.Base(outer), member, os.ErrNotExist)
}

func sectionOf(f File, outer string, e *zip.File) (File, error) {
	if e.Method != zip.Store {
		return nil, fmt.Errorf("%s: member %q is deflated; only stored members can be read in place: %w",
			filepath.Base(outer), e.Name, errors.ErrUnsupported)
	}
	start, err := e.DataOffset()
	if err != nil {
		return nil, fmt.Errorf("%s: member %q: %w", filepath.Base(outer), e.Name, err)
	}
	return section{io.NewSectionReader(f, start, int64(e.CompressedSize64)), f}, nil
}
