package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/badger"
	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/index/postgres"
	"github.com/varve-archive/varve/internal/sleep"
)

// OtherTable says how to name another index in a database.
const OtherTable = "table=NAME in the URL"

// checkDatabase refuses an unknown kind of --index.
func (s *Settings) checkDatabase() error {
	const form = "postgres://USER@HOST/DATABASE"
	scheme, _, found := strings.Cut(s.Database, "://")
	switch {
	case s.Database == "", scheme == "postgres", scheme == "postgresql":
		return nil
	case !found:
		return fmt.Errorf("--index %q: want a URL, %s; folders go with --data", s.Database, form)
	}
	return fmt.Errorf("--index %s://: no such engine; there is %s", scheme, form)
}

// IndexPlace returns the place of the index without any password.
func (w *Workspace) IndexPlace() string {
	if w.Database == "" {
		return "folder " + w.IndexDir()
	}
	if u, err := url.Parse(w.Database); err == nil {
		return u.Redacted()
	}
	return "the database"
}

// Open opens the index to read and write it.
func (w *Workspace) Open(ctx context.Context) (*index.Index, error) {
	return w.openFor(ctx, kv.Create)
}

// openTries is the number of attempts to read an index in a database that answered before.
const openTries = 10

func (w *Workspace) openFor(ctx context.Context, mode kv.Mode) (*index.Index, error) {
	s, err := w.OpenStore(ctx, mode)
	if err != nil {
		return nil, err
	}
	var x *index.Index
	err = tried(ctx, func() (err error) {
		x, err = index.New(ctx, s)
		return err
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w (%s)", err, w.IndexPlace()), s.Close())
	}
	return x, nil
}

// tried calls read until a database answers that answered a moment ago.
func tried(ctx context.Context, read func() error) (err error) {
	for try := range openTries {
		if try > 0 && sleep.For(ctx, time.Second) != nil {
			return err
		}
		if err = read(); !errors.Is(err, kv.ErrUnavailable) {
			return err
		}
	}
	return err
}

// OpenStore opens the store of the index.
func (w *Workspace) OpenStore(ctx context.Context, mode kv.Mode) (_ kv.Store, err error) {
	w.Store, err = w.openStore(ctx, mode)
	return w.Store, err
}

func (w *Workspace) openStore(ctx context.Context, mode kv.Mode) (kv.Store, error) {
	switch {
	case w.lent != nil:
		return kv.Borrowed(w.lent.store), nil
	case w.Database != "":
		if err := os.MkdirAll(w.Data, 0o755); err != nil && mode == kv.Create { // for the files beside the index
			return nil, err
		}
		s, err := postgres.Open(ctx, w.Database, mode)
		if errors.Is(err, kv.ErrNone) {
			return nil, fmt.Errorf("%w: make one with varve index --index URL PATH, or name another with %s", err, OtherTable)
		} else if err != nil {
			return nil, fmt.Errorf("%w (%s)", err, w.IndexPlace())
		}
		return s, nil
	case mode == kv.ReadOnly:
		return badger.OpenReadOnly(w.IndexDir(), w.Log())
	case w.Fills:
		return badger.OpenToFill(w.IndexDir(), w.Log())
	}
	return badger.Open(w.IndexDir(), w.Log())
}

// Exists returns an error if the folder has no index. For a database this is only known when it is opened.
func (w *Workspace) Exists() error {
	if w.Database != "" {
		return nil
	}
	if _, err := os.Stat(w.IndexDir()); errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("there is no index in %s: make one with varve index PATH, or name its folder with --data", w.Data)
	}
	return nil
}

// OpenExisting opens the index for a command that only reads. It does not create one.
func (w *Workspace) OpenExisting(ctx context.Context) (*index.Index, error) {
	if err := w.Exists(); err != nil {
		return nil, err
	}
	x, _, err := w.openToRead(ctx, kv.Existing)
	return x, err
}

// OpenToServe opens the index for a server, and creates one if there is none.
func (w *Workspace) OpenToServe(ctx context.Context) (x *index.Index, why string, err error) {
	return w.openToRead(ctx, kv.Create)
}

// openToRead opens the index for a command that may work without writing. If writing isn't allowed or possible, why is the reason, and
// w.ReadOnly is set.
func (w *Workspace) openToRead(ctx context.Context, mode kv.Mode) (x *index.Index, why string, err error) {
	why = "--read-only"
	if !w.ReadOnly {
		if x, err = w.openFor(ctx, mode); !errors.Is(err, kv.ErrReadOnly) {
			return x, "", err
		}
		why = w.unwritable(err)
	}
	if missing := w.Exists(); missing != nil {
		return nil, "", cmp.Or(err, missing)
	}
	w.ReadOnly = true
	x, err = w.openFor(ctx, kv.ReadOnly)
	if errors.Is(err, kv.ErrUnfinished) || errors.Is(err, kv.ErrReadOnly) {
		err = fmt.Errorf("%w: run \"varve files\" once with --data where that folder can be written, or with a copy of it", err)
	}
	return x, why, err
}

// unwritable describes what can't be written, given the error of the attempt.
func (w *Workspace) unwritable(err error) string {
	if w.Database != "" {
		return w.IndexPlace() + " can't be written"
	}
	why := w.Data + " can't be written"
	if place, ok := errors.AsType[*fs.PathError](err); ok {
		why += " (" + place.Err.Error() + ")"
	}
	return why
}

// Compacted closes the index, compacts it and opens it again. A database compacts itself. The index is nil if it can't be opened again.
func (w *Workspace) Compacted(ctx context.Context, x *index.Index) (*index.Index, error) {
	if w.Database != "" {
		return x, nil
	}
	if err := x.Close(); err != nil {
		return nil, err
	}
	w.Log().Info("merging the tables of the index")
	if err := badger.Compact(w.IndexDir(), w.Log()); err != nil {
		w.Log().Warn("the tables of the index were not merged; all is there, but answers take longer until a server has done it", "error", err)
	}
	w.Fills = false
	return w.Open(ctx)
}
