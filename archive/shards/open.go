package shards

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/internal/disk"
)

// usual is the number of shards of a new index: more than most archives have servers, so that all can take part, and few enough that each
// question can look into all.
const usual = 16

// A Config says where searches are. All fields up to By are required.
type Config struct {
	Index *index.Index // shared with the other servers
	Place Place
	Dir   string // for this process's files
	By    string // name of this process in published states
	// ReadOnly publishes nothing, and uses a temporary folder.
	ReadOnly bool
	// Retry is the time until unreadable pages are tried again for the first time; 0 is five minutes.
	Retry time.Duration
	// Anew says that the searches are rebuilt, so that the place may be a new one.
	Anew bool
}

// A Room has the searches of an index. Close it when done.
type Room struct {
	Config
	Shards   int // of each search
	identity string
	lock     *flock.Flock // of Dir; nil if Dir is this process's alone
	release  func() error // removes Dir in that case
	lost     atomic.Bool
}

// Lost reports whether files of published states were found lost since the last call.
func (r *Room) Lost() bool { return r.lost.Swap(false) }

// Open opens the searches of an index. If the place lacks what the index says, that is an error: a folder may not be mounted.
func Open(ctx context.Context, c Config) (*Room, error) {
	r := &Room{Config: c, identity: c.Index.Identity()}
	var err error
	r.Shards, err = c.Index.Parts().Shards(ctx, usual)
	if errors.Is(err, kv.ErrReadOnly) && c.ReadOnly {
		r.Shards, err = usual, nil // nothing was published yet; the first to publish uses the same number
	}
	if err != nil {
		return nil, err
	}
	if err := r.mark(ctx); err != nil {
		return nil, err
	}
	return r, r.settle()
}

// Folder returns the name of the folder in the place that has this index's searches only.
func (r *Room) Folder() string { return r.identity }

func (r *Room) mark(ctx context.Context) error {
	name := r.identity + "/" + marker
	f, err := r.Place.Open(ctx, name)
	if err == nil {
		return f.Close()
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the place of the search can't be read: %w", err)
	}
	for _, err := range r.Index.Parts().All(ctx, "", "") {
		if err != nil {
			return err
		}
		if r.Anew {
			break
		}
		return errors.New("the place of the search has nothing of this index, which was searched before: is it the right one, and mounted? " +
			"If what was there is lost, \"varve index --search --rebuild\" begins anew there")
	}
	if r.ReadOnly {
		return nil
	}
	if err := r.putMarker(ctx); err != nil {
		return fmt.Errorf("the place of the search can't be written: %w", err)
	}
	return nil
}

const markerText = "The search of a shared index of varve is here. Its files are removed by varve.\n" +
	"This file is written each hour by servers that may write: where it is old, at most servers that only read use that index.\n"

func (r *Room) putMarker(ctx context.Context) error {
	return r.Place.Put(ctx, r.identity+"/"+marker, strings.NewReader(markerText))
}

// settle claims the folder for this process, or creates a temporary one if another process has it.
func (r *Room) settle() error {
	if !r.ReadOnly {
		if err := os.MkdirAll(r.Dir, 0o755); err != nil {
			return err
		}
		lock := flock.New(filepath.Join(r.Dir, "lock"))
		ours, err := lock.TryLock()
		if err != nil {
			return err
		}
		if ours {
			r.lock = lock
			return nil
		}
		_ = lock.Close()
	}
	var err error
	r.Dir, r.release, err = disk.TempDir("varve-search-")
	return err
}

// Close releases the folder. It may be called on nil.
func (r *Room) Close() error {
	if r == nil {
		return nil
	}
	if r.lock != nil {
		return r.lock.Close()
	}
	return r.release()
}
