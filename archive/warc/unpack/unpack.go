// Package unpack copies stored files whose compression prevents reading at offsets.
//
// Records are read at their offsets. So each must be compressed by itself, and a WACZ must store its WARCs without compressing them again.
// A file that was compressed as a whole, or a deflated member of a WACZ, is unpacked into a copy in a separate folder: see [Folder.Path].
// The original is never changed.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package unpack

import (
	"archive/zip"
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"syscall"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/blobstore"
	"github.com/varve-archive/varve/archive/warc"
)

// A Folder holds unpacked files. Those whose stored files no longer exist may be deleted.
type Folder struct {
	To      *blobstore.Store
	Storage warc.Storage                  // where the stored files are
	Began   func(name string, size int64) // called before a file is unpacked, with its packed size; may be nil
	Most    int64                         // limit of a copy in bytes, however small its packed file is; 0 for 1 GiB
}

// maxGrowth is the greatest ratio of the sizes of a copy and its packed file. Archived data doesn't compress so well, but a file made to
// fill a disk may compress to a thousandth.
const maxGrowth = 100

// maxWindow bounds the memory for a file in zstd: what the reference decoder accepts by default.
const maxWindow = 128 << 20

// Path returns the path of a file that has the same records as the stored file at path and can be read at offsets: path itself if possible,
// else a file in the folder. Path writes that file unless it exists and the stored file has not changed since. That takes as long as
// unpacking, and needs room on the disk. Errors name the stored file.
func (f *Folder) Path(ctx context.Context, path string) (string, error) {
	packed, err := f.packed(ctx, path)
	if packed == asIs {
		return path, err
	}
	outer, _, _ := warc.CutMember(path)
	of, err := f.Storage.Stat(ctx, outer)
	if err != nil {
		return "", err
	}
	name := sideName(path, packed)
	state := fmt.Sprintf("%s\n%d bytes of %s %s\n", path, of.Size, of.ModTime.UTC().Format(time.RFC3339Nano), of.Version)
	if have, _ := f.To.Read(ctx, name+source); string(have) == state {
		if _, err := f.To.Stat(ctx, name); err == nil {
			return f.To.Address(name), nil
		}
	}
	if f.Began != nil {
		f.Began(warc.Base(path), of.Size)
	}
	if err := f.write(ctx, path, packed, name, of.Size); err != nil {
		advice := ""
		if errors.Is(err, syscall.ENOSPC) {
			advice = ": make room on that disk and index the file again"
		}
		return "", fmt.Errorf("%s: unpacking it into %s: %w%s", warc.Base(path), f.To, err, advice)
	}
	return f.To.Address(name), f.To.Put(ctx, name+source, strings.NewReader(state))
}

// source is the suffix of a file that names the stored file of a copy, and its state.
const source = ".source"

// packing says how a stored file must be unpacked.
type packing int

const (
	asIs     packing = iota
	deflated         // a deflated member of a WACZ, which is readable itself
	whole            // records compressed as one stream
)

// packed returns how a file must be unpacked. Other faults are left to its scan.
func (f *Folder) packed(ctx context.Context, path string) (packing, error) {
	file, err := warc.Open(ctx, f.Storage, path)
	if err == nil {
		defer file.Close()
	}
	switch {
	case ctx.Err() != nil:
		return asIs, ctx.Err()
	case errors.Is(err, errors.ErrUnsupported):
		return deflated, nil
	case err != nil:
		return asIs, nil
	}
	if _, err := warc.Detect(file, path); errors.Is(err, warc.ErrNotRecordCompressed) {
		return whole, nil
	}
	return asIs, nil
}

// sideName returns the name of the copy of a stored file. It contains the file's name for people, and a hash to distinguish files with the
// same name.
func sideName(path string, p packing) string {
	name := warc.Base(path)
	if p == whole {
		name = strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
	}
	base, ext := name, ""
	for _, e := range []string{".warc.gz", ".warc.zst", ".arc.gz", ".warc", ".arc"} {
		if strings.HasSuffix(strings.ToLower(name), e) {
			base, ext = name[:len(name)-len(e)], name[len(name)-len(e):]
		}
	}
	return fmt.Sprintf("%s-%08x%s", base, uint32(xxh3.HashString(path)), ext)
}

// write unpacks a file, whose packed size is given.
func (f *Folder) write(ctx context.Context, path string, p packing, name string, size int64) error {
	in, err := f.open(ctx, path, p)
	if err != nil {
		return err
	}
	return errors.Join(f.To.Put(ctx, name, f.bounded(ctx, in, size)), in.Close())
}

// open opens a stored file for sequential reading, unpacked.
func (f *Folder) open(ctx context.Context, path string, p packing) (io.ReadCloser, error) {
	if p == deflated {
		return f.openMember(ctx, path)
	}
	file, err := warc.Open(ctx, f.Storage, path)
	if err != nil {
		return nil, err
	}
	packed := bufio.NewReaderSize(io.NewSectionReader(file, 0, file.Size()), 1<<20)
	magic, _ := packed.Peek(2)
	if string(magic) == "\x1f\x8b" {
		z, err := gzip.NewReader(packed)
		if err != nil {
			file.Close()
			return nil, err
		}
		return &reading{z, []io.Closer{file}}, nil
	}
	z, err := zstd.NewReader(packed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		file.Close()
		return nil, err
	}
	return &reading{z, []io.Closer{z.IOReadCloser(), file}}, nil
}

func (f *Folder) openMember(ctx context.Context, path string) (io.ReadCloser, error) {
	outer, member, _ := warc.CutMember(path)
	if inner, rest, ok := warc.CutMember(member); ok { // of a WACZ in a WACZ
		outer, member = outer+"#"+inner, rest
	}
	file, err := warc.Open(ctx, f.Storage, outer)
	if err != nil {
		return nil, err
	}
	z, err := zip.NewReader(file, file.Size())
	if err != nil {
		file.Close()
		return nil, err
	}
	in, err := z.Open(member)
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("member %q: %w", member, errors.Join(err, fs.ErrNotExist))
	}
	return &reading{in, []io.Closer{in, file}}, nil
}

// A reading closes what it reads from.
type reading struct {
	io.Reader
	closers []io.Closer
}

func (r *reading) Close() error {
	var errs []error
	for _, c := range r.closers {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// A stopping is a reader that fails when its context is done or it has read too much.
type stopping struct {
	ctx  context.Context
	r    io.Reader
	left int64 // bytes that it may still read
	most int64
}

// bounded returns a reader with the limit for a packed file of this size.
func (f *Folder) bounded(ctx context.Context, r io.Reader, packed int64) *stopping {
	most := max(cmp.Or(f.Most, 1<<30), maxGrowth*packed)
	return &stopping{ctx, r, most, most}
}

func (s *stopping) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := s.r.Read(p)
	if s.left -= int64(n); s.left < 0 {
		return 0, fmt.Errorf("it has more than %d bytes, which no archive packs so small", s.most)
	}
	return n, err
}
