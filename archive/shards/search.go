package shards

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/internal/disk"
	"github.com/varve-archive/varve/internal/sentinel"
)

// ErrLost says that files of a state are missing in the place, or damaged. Then the shard has to be rebuilt, unless a newer state is
// published.
const ErrLost = sentinel.Error("files of a shard are lost")

// A Search is the search of a collection for a group of readers, "" for everybody. A process should have one of each.
type Search struct {
	room        *Room
	coll, group string
	dir         string
	moving      []sync.Mutex // by shard, held while the folder of a state is made
}

// RetryAfter is [Room.RetryAfter].
func (s *Search) RetryAfter(state *State) time.Duration { return s.room.RetryAfter(state) }

// Search returns a search.
func (r *Room) Search(coll, group string) *Search {
	dir := filepath.Join(r.Dir, "all", coll)
	if group != "" {
		dir = filepath.Join(r.Dir, "groups", url.PathEscape(group), coll)
	}
	return &Search{r, coll, group, dir, make([]sync.Mutex, r.Shards)}
}

func (s *Search) prefix() string         { return s.group + "\x00" }
func (s *Search) part(number int) string { return s.prefix() + strconv.Itoa(number) }

func (s *Search) folder(number int, id string) string {
	return filepath.Join(s.dir, strconv.Itoa(number), id)
}

// Published returns the published states, by number of the shard; nil for shards that were never built.
func (s *Search) Published(ctx context.Context) ([]*State, error) {
	out := make([]*State, s.room.Shards)
	for p, err := range s.room.Index.Parts().All(ctx, s.coll, s.prefix()) {
		if err != nil {
			return nil, err
		}
		number, err := strconv.Atoi(strings.TrimPrefix(p.Name, s.prefix()))
		if err != nil || number < 0 || number >= len(out) {
			return nil, fmt.Errorf("a shard is called %q", p.Name)
		}
		if out[number], err = parseState(p.Value); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// workFolder is the folder, beside the states, in which a shard is built; baseFile says which state the build began with.
const (
	workFolder = "work"
	baseFile   = "base"
)

// Tidy removes the folders of states that are not published, but not unfinished builds.
func (s *Search) Tidy(published []*State) error {
	for number, state := range published {
		entries, err := os.ReadDir(s.folder(number, ""))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, e := range entries {
			if name := e.Name(); name == workFolder || name == baseFile || name == state.ID() {
				continue
			}
			if err := os.RemoveAll(s.folder(number, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// Fetch returns the local folder of a state of a shard. It reuses files in the folder of an earlier state, unless that is nil. If files are
// lost, the error wraps [ErrLost].
func (s *Search) Fetch(ctx context.Context, number int, state, earlier *State) (dir string, err error) {
	s.moving[number].Lock()
	defer s.moving[number].Unlock()
	dir = s.folder(number, state.ID())
	if whole(dir, state) {
		return dir, nil
	}
	if err := disk.CheckRoom(s.room.Dir, uint64(state.Size())); err != nil {
		return "", err
	}
	half := dir + ".part"
	if err := errors.Join(os.RemoveAll(dir), os.RemoveAll(half)); err != nil {
		return "", err
	}
	defer os.RemoveAll(half)
	for _, f := range state.Files {
		to := filepath.Join(half, f.Name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return "", err
		}
		if had, ok := earlier.file(f.Name); ok && had.Sum == f.Sum && linked(s.folder(number, earlier.ID()), f, to) {
			continue
		}
		err := s.fetch(ctx, f, to)
		if errors.Is(err, ErrLost) && ctx.Err() == nil { // a broken connection looks the same
			err = s.fetch(ctx, f, to)
		}
		if errors.Is(err, ErrLost) {
			s.room.lost.Store(true)
		}
		if err != nil {
			return "", fmt.Errorf("shard %d: %s: %w", number, f.At, err)
		}
	}
	return dir, os.Rename(half, dir)
}

// whole reports whether a folder has all files of a state, by their lengths.
func whole(dir string, state *State) bool {
	for _, f := range state.Files {
		if info, err := os.Stat(filepath.Join(dir, f.Name)); err != nil || info.Size() != f.Size {
			return false
		}
	}
	return true
}

// linked links a file of a folder to another path, and reports whether it could.
func linked(dir string, f File, to string) bool {
	from := filepath.Join(dir, f.Name)
	info, err := os.Stat(from)
	return err == nil && info.Size() == f.Size && os.Link(from, to) == nil
}

// fetch copies a file from the place, and verifies it.
func (s *Search) fetch(ctx context.Context, f File, to string) (err error) {
	from, err := s.room.Place.Open(ctx, f.At)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	if err != nil {
		return err
	}
	defer from.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	h := sha256.New()
	_, err = io.Copy(io.MultiWriter(out, h), io.LimitReader(from, f.Size+1))
	if err == nil {
		err = out.Sync() // at a start, files are recognized by name and length only
	}
	if err := errors.Join(err, out.Close()); err != nil {
		return err
	}
	if sumOf(h) != f.Sum {
		return fmt.Errorf("%w: its content is another than was published", ErrLost)
	}
	return nil
}

func sumOf(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

// Drop removes the folder of a state that is no longer read.
func (s *Search) Drop(dir string) error { return os.RemoveAll(dir) }

// A Claim is the right to build a shard, until Release. Only one goroutine of a process may claim a shard.
type Claim struct {
	*index.PartClaim
	search *Search
	number int
	// Current is the published state, nil for none. It doesn't change while the claim is held.
	Current *State
}

// Claim claims a shard. If another process has it, the error is [index.ErrClaimed].
func (s *Search) Claim(ctx context.Context, number int) (*Claim, error) {
	held, err := s.room.Index.Parts().Claim(ctx, s.coll, s.part(number))
	if err != nil {
		return nil, err
	}
	c := &Claim{PartClaim: held, search: s, number: number}
	published, err := s.Published(ctx)
	if err != nil {
		c.Release()
		return nil, err
	}
	c.Current = published[number]
	return c, nil
}

// Work returns a folder for building the shard, with the files of the state base, which must be local; empty if base is nil. An unpublished
// build that began from the same state under the same conditions is continued, unless anew is set. conditions must identify everything that
// decides what a page has in the shard, except for the page: a build under other conditions may contain what must not be shown.
func (c *Claim) Work(base *State, conditions string, anew bool) (dir string, err error) {
	s := c.search
	dir, begun := s.folder(c.number, workFolder), s.folder(c.number, baseFile)
	mark := []byte(fmt.Sprint(search.Format, " ", base.ID(), " ", conditions))
	if had, err := os.ReadFile(begun); err == nil && string(had) == string(mark) && !anew {
		if _, err := os.Stat(dir); err == nil {
			return dir, nil
		}
	}
	if err := errors.Join(os.RemoveAll(begun), os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		return "", err
	}
	if base != nil {
		for _, f := range base.Files {
			if err := taken(s.folder(c.number, base.ID()), f, dir); err != nil {
				return "", err
			}
		}
	}
	return dir, os.WriteFile(begun, mark, 0o644)
}

// Spoilt marks the build in the folder of Work as unusable.
func (c *Claim) Spoilt() error { return os.RemoveAll(c.search.folder(c.number, baseFile)) }

// segment is the suffix of files that are never changed.
const segment = ".zap"

// taken adds a file of a state to the folder of a build. Segments are linked; other files are copied, because builds change them.
func taken(from string, f File, dir string) error {
	to := filepath.Join(dir, f.Name)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if filepath.Ext(f.Name) == segment && linked(from, f, to) {
		return nil
	}
	in, err := os.Open(filepath.Join(from, f.Name))
	if err != nil {
		return err
	}
	defer in.Close()
	return disk.WriteCached(to, func(w io.Writer) error {
		_, err := io.Copy(w, in)
		return err
	})
}

// Publish stores the new files of the folder of Work and publishes the state with the list of all files. The folder becomes that of the
// state. base is the argument of Work. It fails if the claim was lost.
func (c *Claim) Publish(ctx context.Context, state, base *State) error {
	s := c.search
	dir := s.folder(c.number, workFolder)
	names, err := search.Files(dir)
	if err != nil {
		return err
	}
	began := time.Now()
	for _, name := range names {
		f, err := c.put(ctx, dir, name, base)
		if err != nil {
			return err
		}
		state.Files = append(state.Files, f)
	}
	if time.Since(began) > keptFor/2 {
		return errors.New("publishing took so long that the first files may be gone")
	}
	s.moving[c.number].Lock() // otherwise follow would fetch files that are local
	defer s.moving[c.number].Unlock()
	if !c.published(state) {
		if err := c.announce(ctx, state); err != nil {
			return err
		}
	}
	to := s.folder(c.number, state.ID())
	if whole(to, state) {
		return os.RemoveAll(dir)
	}
	return errors.Join(os.RemoveAll(to), os.RemoveAll(s.folder(c.number, baseFile)), os.Rename(dir, to))
}

// published reports whether a state is the same as the published one.
func (c *Claim) published(state *State) bool {
	now := c.Current
	return now != nil && now.Format == search.Format && now.ID() == state.ID() && now.Rules == state.Rules && now.Pages == state.Pages &&
		now.Archive == state.Archive && now.Tried == state.Tried && now.Tries == state.Tries
}

// Advance publishes that a shard is up to date with a newer state of the archive, with the same files.
func (c *Claim) Advance(ctx context.Context, archive string) error {
	next := *c.Current
	if next.Tried != "" {
		next.Tried = archive
	} else {
		next.Archive = archive
	}
	return c.announce(ctx, &next)
}

func (c *Claim) announce(ctx context.Context, state *State) error {
	state.Format, state.By = search.Format, c.search.room.By
	value, err := json.Marshal(state)
	if err != nil {
		return err
	}
	return c.PartClaim.Publish(ctx, value)
}

// put stores a file, unless base has it.
func (c *Claim) put(ctx context.Context, dir, name string, base *State) (f File, err error) {
	path := filepath.Join(dir, name)
	info, err := os.Stat(path)
	if err != nil {
		return f, err
	}
	had, known := base.file(name)
	if known && filepath.Ext(name) == segment && had.Size == info.Size() {
		return had, nil // segments are numbered, and no number is used again
	}
	f = File{Name: name, Size: info.Size()}
	in, err := os.Open(path)
	if err != nil {
		return f, err
	}
	defer in.Close()
	h := sha256.New()
	if _, err := io.Copy(h, in); err != nil {
		return f, err
	}
	if f.Sum = sumOf(h); known && had.Sum == f.Sum {
		return had, nil
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return f, err
	}
	// The name is unique, so two processes that put the same content don't conflict with one that removes it.
	f.At = fmt.Sprintf("%s/%s/%s-%s", c.search.room.identity, c.search.coll, f.Sum, rand.Text()[:8])
	return f, c.search.room.Place.Put(ctx, f.At, in)
}
