package visual

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/internal/disk"
)

// orphanAge is how long an image without a record is kept, since its record may still be written, and a record that isn't complete.
const orphanAge = time.Hour

// Sweep removes the pictures for which keep returns false, those of other recipes, and images without a picture. It returns the number of
// removed pictures.
func (s *Store) Sweep(ctx context.Context, keep func(At) (bool, error)) (gone int, err error) {
	colls, err := os.ReadDir(filepath.Join(s.dir, "records"))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	images := map[string]bool{} // the names of images to be kept
	for _, coll := range colls {
		n, err := s.sweepRecords(ctx, coll.Name(), images, keep)
		if gone += n; err != nil {
			return gone, err
		}
	}
	return gone, s.sweepImages(ctx, images)
}

// sweepRecords is Sweep for the records of a collection. It adds the images of remaining pictures to images.
func (s *Store) sweepRecords(ctx context.Context, coll string, images map[string]bool, keep func(At) (bool, error)) (gone int, err error) {
	stays := map[Look]bool{} // with Hash 0
	err = filepath.WalkDir(filepath.Join(s.dir, "records", coll), func(path string, e fs.DirEntry, err error) error {
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		if e.IsDir() || path == s.looks(coll) {
			return nil
		}
		p, err := load(path)
		if err != nil && !errors.Is(err, ErrNone) {
			return err
		}
		kept := false
		if p != nil {
			at := At{Coll: coll, Key: surt.Of(p.URL), Time: p.Time, Width: p.Width}
			if kept, err = keep(at); err != nil {
				return err
			}
		}
		switch {
		case !kept && strings.HasPrefix(e.Name(), disk.HalfWritten) && isNew(e): // another process saves a picture
			return nil
		case !kept:
			gone++
			return disk.Remove(path)
		}
		stays[Look{Time: p.Time, Width: p.Width, URL: p.URL}] = true
		images[p.Image.Hash], images[p.Thumb.Hash] = true, true
		return nil
	})
	if err == nil && gone > 0 {
		err = s.sweepLooks(coll, stays)
	}
	return gone, err
}

// sweepLooks rewrites the looks of a collection without those of removed pictures. A picture that another process saves meanwhile may be
// lost from the list; [Store.Alike] then doesn't find it.
func (s *Store) sweepLooks(coll string, stays map[Look]bool) error {
	var left bytes.Buffer
	err := s.eachLook(coll, func(line []byte, l Look) bool {
		if l.hash = 0; stays[l] {
			left.Write(line)
			left.WriteByte('\n')
		}
		return true
	})
	if err != nil {
		return err
	}
	return disk.WriteCached(s.looks(coll), func(w io.Writer) error { _, err := w.Write(left.Bytes()); return err })
}

func (s *Store) sweepImages(ctx context.Context, named map[string]bool) error {
	return filepath.WalkDir(filepath.Join(s.dir, "images"), func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		hash := e.Name()[:len(e.Name())-len(filepath.Ext(e.Name()))]
		if e.IsDir() || named[hash] {
			return nil
		}
		if isNew(e) {
			return nil
		}
		return disk.Remove(path)
	})
}

// isNew reports whether a file is too new to be removed, or was removed.
func isNew(e fs.DirEntry) bool {
	info, err := e.Info()
	return err != nil || time.Since(info.ModTime()) < orphanAge
}
