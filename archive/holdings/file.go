package holdings

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
	"github.com/varve-archive/varve/internal/sentinel"
)

// listFormat is the layout of a stored list: a line of JSON, the catalogue, and a checksum of both.
const listFormat = 1

// listHead is the first line of a stored list. A list is used only if its scope is the current one.
type listHead struct {
	listScope
	Mark       string // of the rules
	Generation uint64
	Overview   Overview
	Entries    []int // of the overview
}

// A listScope says of what a list was counted, in which layout and by which software.
type listScope struct {
	Format             int
	Software, Index    string
	Coll, Level, Group string
}

// errDamagedList says that a stored list can't be read.
const errDamagedList = sentinel.Error("it is damaged")

// known returns the newest list, from memory or from the folder.
func (s *Counts) known(key countKey) (*List, bool) {
	if c, ok := s.counted.lists.Get(key); ok || s.Dir == "" {
		return c, ok
	}
	s.counted.mu.Lock()
	defer s.counted.mu.Unlock()
	if s.counted.sought[key] {
		return s.counted.lists.Get(key)
	}
	s.counted.sought[key] = true
	c, err := s.recall(key)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			s.archive.Log.Warn("what was counted before is of no use; the addresses are counted anew", "collection", key.coll, "error", err)
		}
		return nil, false
	}
	s.counted.lists.Add(key, c)
	return c, true
}

// scope returns the scope of a list that is counted now.
func (s *Counts) scope(key countKey) listScope {
	return listScope{listFormat, s.archive.Software, s.archive.Index.Whole.Identity(), key.coll, key.level.String(), s.archive.Index.Group}
}

// listPath returns the file of a list. Names of groups may contain any characters.
func (s *Counts) listPath(key countKey) string {
	name := key.level.String()
	if s.archive.Index.Group != "" {
		name += fmt.Sprintf("-%016x", xxh3.HashString(s.archive.Index.Group))
	}
	return filepath.Join(s.Dir, key.coll, name)
}

// recall reads a list from the folder. Lists of other versions of the program, or of another index, are ignored.
func (s *Counts) recall(key countKey) (*List, error) {
	f, err := os.Open(s.listPath(key))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head, list, err := readList(f, s.scope(key))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	head.Overview.entries = head.Entries
	return &List{
		Catalogue: list, Overview: head.Overview, Generation: head.Generation, Number: s.counted.last.Add(1), key: key, mark: head.Mark,
	}, nil
}

// storedIsCurrent reports whether an up-to-date list is stored, by its head. It doesn't read the list: millions of addresses take hundreds
// of megabytes, which a server shouldn't use before somebody asks.
func (s *Counts) storedIsCurrent(key countKey) bool {
	if _, loaded := s.counted.lists.Get(key); loaded || s.Dir == "" {
		return false
	}
	f, err := os.Open(s.listPath(key))
	if err != nil {
		return false
	}
	defer f.Close()
	head, err := readListHead(bufio.NewReader(f), s.scope(key))
	return err == nil && head.Generation == s.archive.Index.Whole.Generation() && s.archive.Access.Covers(head.Mark)
}

// readListHead reads the head of a list. The error is [fs.ErrNotExist] if its scope is another one.
func readListHead(r *bufio.Reader, want listScope) (head listHead, err error) {
	line, err := r.ReadBytes('\n')
	if err != nil || json.Unmarshal(line, &head) != nil {
		return head, errDamagedList
	}
	if head.listScope != want {
		return head, fs.ErrNotExist
	}
	return head, nil
}

// readList reads a list and checks that it is the right one and undamaged.
func readList(f *os.File, want listScope) (head listHead, list *catalogue.Catalogue, err error) {
	info, err := f.Stat()
	if err != nil {
		return head, nil, err
	}
	size, sum := info.Size()-8, xxh3.New()
	if size < 0 {
		return head, nil, errDamagedList
	}
	r := bufio.NewReaderSize(io.TeeReader(io.LimitReader(f, size), sum), 64<<10)
	if head, err = readListHead(r, want); err != nil {
		return head, nil, err
	}
	if list, err = catalogue.Read(r, size); err != nil {
		return head, nil, err
	}
	var end [8]byte
	if _, err = r.ReadByte(); err != io.EOF {
		return head, nil, errDamagedList
	}
	if _, err = io.ReadFull(f, end[:]); err != nil || binary.LittleEndian.Uint64(end[:]) != sum.Sum64() {
		return head, nil, errDamagedList
	}
	if !head.Overview.within(list.Len(), head.Entries) {
		return head, nil, errDamagedList
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

// storeList writes a list into the folder, and reports whether it could. A failure is only logged, because the next start then counts
// again.
func (s *Counts) storeList(ctx context.Context, c *List) bool {
	if s.Dir == "" || s.ReadOnly {
		return false
	}
	err := writeList(s.listPath(c.key), &listHead{s.scope(c.key), c.mark, c.Generation, c.Overview, c.Overview.entries}, c.Catalogue)
	if err != nil && ctx.Err() == nil {
		s.archive.Log.Warn("what was counted could not be stored; it is counted anew after the next start",
			"collection", c.key.coll, "error", err)
	}
	return err == nil
}

func writeList(path string, head *listHead, list *catalogue.Catalogue) error {
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

// removeOldLists removes the lists of removed collections, and incomplete files of killed processes.
func (s *Counts) removeOldLists() {
	if s.Dir == "" || s.ReadOnly {
		return
	}
	folders, err := os.ReadDir(s.Dir)
	for _, d := range folders {
		path := filepath.Join(s.Dir, d.Name())
		if !s.archive.Index.Has(d.Name()) {
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
		s.archive.Log.Warn("the folder of counts could not be tidied", "folder", s.Dir, "error", err)
	}
}
