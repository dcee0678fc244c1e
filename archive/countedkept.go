package archive

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/catalogue"
	"github.com/varve-archive/varve/internal/disk"
)

// keptFormat is the layout of a kept list: a line of JSON, the catalogue, and a checksum of both.
const keptFormat = 1

// keptHead is what a kept list says of itself. It is of use if its keptFor is that of who asks.
type keptHead struct {
	keptFor
	Mark       string // of the rules
	Generation uint64
	Overview   Overview
	Entries    []int // of the overview
}

type keptFor struct {
	Format             int
	Software, Index    string
	Coll, Level, Group string
}

// errKept is what is wrong with a kept list, whatever it is.
var errKept = errors.New("it is damaged")

// known returns the list that was counted last, by this process or by one before it.
func (s *Archive) known(ctx context.Context, key countKey) (*Counted, bool) {
	if c, ok := s.counted.lists.Get(key); ok || s.CountsDir == "" {
		return c, ok
	}
	s.counted.mu.Lock()
	defer s.counted.mu.Unlock()
	if s.counted.sought[key] {
		return s.counted.lists.Get(key)
	}
	s.counted.sought[key] = true
	c, err := s.recall(ctx, key)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			s.Log.Warn("what was counted before is of no use; the addresses are counted anew", "collection", key.coll, "error", err)
		}
		return nil, false
	}
	s.counted.lists.Add(key, c)
	return c, true
}

// keptFor returns what a list of now would say of itself.
func (s *Archive) keptFor(ctx context.Context, key countKey) (keptFor, error) {
	identity, err := s.Index.Whole.Identity(ctx)
	return keptFor{keptFormat, s.Software, identity, key.coll, key.level.String(), s.Index.Group}, err
}

// keptPath returns the file of a list. Groups may be called anything.
func (s *Archive) keptPath(key countKey) string {
	name := key.level.String()
	if s.Index.Group != "" {
		name += fmt.Sprintf("-%016x", xxh3.HashString(s.Index.Group))
	}
	return filepath.Join(s.CountsDir, key.coll, name)
}

// recall reads a list from the folder. What another version of the program counted, or of another index, is not there.
func (s *Archive) recall(ctx context.Context, key countKey) (*Counted, error) {
	want, err := s.keptFor(ctx, key)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(s.keptPath(key))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head, list, err := readKept(f, want)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	head.Overview.entries = head.Entries
	return &Counted{
		Catalogue: list, Overview: head.Overview, Generation: head.Generation, Number: s.counted.last.Add(1), key: key, mark: head.Mark,
	}, nil
}

// keptIsCurrent reports whether a list is kept and says of itself that it is of now. It isn't read: millions of addresses take
// hundreds of megabytes, which a server should not need before somebody asks.
func (s *Archive) keptIsCurrent(ctx context.Context, key countKey) bool {
	if _, loaded := s.counted.lists.Get(key); loaded || s.CountsDir == "" {
		return false
	}
	want, err := s.keptFor(ctx, key)
	if err != nil {
		return false
	}
	f, err := os.Open(s.keptPath(key))
	if err != nil {
		return false
	}
	defer f.Close()
	head, err := readKeptHead(bufio.NewReader(f), want)
	return err == nil && head.Generation == s.Index.Whole.Generation() && s.Access.Fits(head.Mark)
}

// readKeptHead reads what a list says of itself. If it is for others, the error is [fs.ErrNotExist].
func readKeptHead(r *bufio.Reader, want keptFor) (head keptHead, err error) {
	line, err := r.ReadBytes('\n')
	if err != nil || json.Unmarshal(line, &head) != nil {
		return head, errKept
	}
	if head.keptFor != want {
		return head, fs.ErrNotExist
	}
	return head, nil
}

// readKept reads a list if it is for the right ones and whole.
func readKept(f *os.File, want keptFor) (head keptHead, list *catalogue.Catalogue, err error) {
	info, err := f.Stat()
	if err != nil {
		return head, nil, err
	}
	size, sum := info.Size()-8, xxh3.New()
	if size < 0 {
		return head, nil, errKept
	}
	r := bufio.NewReaderSize(io.TeeReader(io.LimitReader(f, size), sum), 64<<10)
	if head, err = readKeptHead(r, want); err != nil {
		return head, nil, err
	}
	if list, err = catalogue.Read(r, size); err != nil {
		return head, nil, err
	}
	var end [8]byte
	if _, err = r.ReadByte(); err != io.EOF {
		return head, nil, errKept
	}
	if _, err = io.ReadFull(f, end[:]); err != nil || binary.LittleEndian.Uint64(end[:]) != sum.Sum64() {
		return head, nil, errKept
	}
	if !head.Overview.within(list.Len(), head.Entries) {
		return head, nil, errKept
	}
	return head, list, nil
}

// within reports whether the numbers of entries are below n.
func (o *Overview) within(n int, entries []int) bool {
	for _, list := range [][]int{o.Changed, o.Recent, o.Longest, entries} {
		if slices.ContainsFunc(list, func(i int) bool { return i < 0 || i >= n }) {
			return false
		}
	}
	return true
}

// keep writes a list into the folder, and reports whether it is there. Without it the next start counts anew, so that a failure is only
// logged.
func (s *Archive) keep(ctx context.Context, c *Counted) bool {
	if s.CountsDir == "" || s.ReadOnly {
		return false
	}
	of, err := s.keptFor(ctx, c.key)
	if err == nil {
		err = writeKept(s.keptPath(c.key), &keptHead{of, c.mark, c.Generation, c.Overview, c.Overview.entries}, c.Catalogue)
	}
	if err != nil && ctx.Err() == nil {
		s.Log.Warn("what was counted could not be kept; it is counted anew after the next start", "collection", c.key.coll, "error", err)
	}
	return err == nil
}

// writeKept writes a list.
func writeKept(path string, head *keptHead, list *catalogue.Catalogue) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return disk.WriteCached(path, func(w io.Writer) error {
		sum := xxh3.New()
		to := io.MultiWriter(w, sum)
		if err := json.NewEncoder(to).Encode(head); err != nil {
			return err
		}
		if err := list.Write(to); err != nil {
			return err
		}
		_, err := w.Write(binary.LittleEndian.AppendUint64(nil, sum.Sum64()))
		return err
	})
}

// forgetKept removes what was kept of collections that are no more, and what a process that was ended left half written.
func (s *Archive) forgetKept() {
	if s.CountsDir == "" || s.ReadOnly {
		return
	}
	folders, err := os.ReadDir(s.CountsDir)
	for _, d := range folders {
		path := filepath.Join(s.CountsDir, d.Name())
		if !s.Index.Has(d.Name()) {
			err = errors.Join(err, os.RemoveAll(path))
			continue
		}
		files, _ := os.ReadDir(path)
		for _, f := range files {
			if strings.HasPrefix(f.Name(), disk.HalfWritten) {
				err = errors.Join(err, os.Remove(filepath.Join(path, f.Name())))
			}
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.Log.Warn("the folder of counts could not be tidied", "folder", s.CountsDir, "error", err)
	}
}
