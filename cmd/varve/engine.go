package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/badger"
	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/index/postgres"
)

// An engine keeps an index on other machines.
type engine struct {
	open func(context.Context, string, kv.Mode) (kv.Store, error)
	name string // how to name another index
}

// engineOf returns the engine that --index names.
func (p *program) engineOf() (engine, error) {
	scheme, _, found := strings.Cut(p.Index, "://")
	switch {
	case !found:
		return engine{}, fmt.Errorf("--index %q: want a URL, %s; folders go with --data", p.Index, postgresForm)
	case scheme == "postgres" || scheme == "postgresql":
		return engine{openPostgres, "table=NAME in the URL"}, nil
	}
	return engine{}, fmt.Errorf("--index %s://: no such engine; there is %s", scheme, postgresForm)
}

const postgresForm = "postgres://USER@HOST/DATABASE"

func openPostgres(ctx context.Context, url string, mode kv.Mode) (kv.Store, error) {
	return postgres.Open(ctx, url, mode)
}

// checkIndex refuses an --index that names no engine.
func (p *program) checkIndex() error {
	if p.Index == "" {
		return nil
	}
	_, err := p.engineOf()
	return err
}

// indexDir is the folder of the index.
func (p *program) indexDir() string { return filepath.Join(p.Data, "index") }

// indexPlace says where the index is, without any password.
func (p *program) indexPlace() string {
	if p.Index == "" {
		return "folder " + p.indexDir()
	}
	if u, err := url.Parse(p.Index); err == nil {
		return u.Redacted()
	}
	return "the database"
}

// open opens the index to read and write it.
func (p *program) open(ctx context.Context) (*index.Index, error) {
	return p.openFor(ctx, kv.Create)
}

// openTries is how often an index in a database that answered at first is read again before giving up.
const openTries = 10

// openFor opens the index.
func (p *program) openFor(ctx context.Context, mode kv.Mode) (*index.Index, error) {
	s, err := p.openStore(ctx, mode)
	if err != nil {
		return nil, err
	}
	x, err := index.New(ctx, s)
	for try := 0; errors.Is(err, kv.ErrUnavailable) && try < openTries && ctx.Err() == nil; try++ { // it was there a moment ago
		time.Sleep(time.Second)
		x, err = index.New(ctx, s)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w (%s)", err, p.indexPlace()), s.Close())
	}
	return x, nil
}

// openStore opens what the index is kept in.
func (p *program) openStore(ctx context.Context, mode kv.Mode) (kv.Store, error) {
	switch {
	case p.Index != "":
		if err := os.MkdirAll(p.Data, 0o755); err != nil && mode == kv.Create { // what is not in the index is there
			return nil, err
		}
		e, err := p.engineOf()
		if err != nil {
			return nil, err
		}
		s, err := e.open(ctx, p.Index, mode)
		if errors.Is(err, kv.ErrNone) {
			return nil, fmt.Errorf("%w: make one with varve index --index URL PATH, or name another with %s", err, e.name)
		} else if err != nil {
			return nil, fmt.Errorf("%w (%s)", err, p.indexPlace())
		}
		return s, nil
	case mode == kv.ReadOnly:
		return badger.OpenReadOnly(p.indexDir(), p.log())
	case p.fills:
		return badger.OpenToFill(p.indexDir(), p.log())
	}
	return badger.Open(p.indexDir(), p.log())
}

// exists returns an error if the folder has no index. Whether a database has one turns out when it is opened.
func (p *program) exists() error {
	if p.Index != "" {
		return nil
	}
	if _, err := os.Stat(p.indexDir()); errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("there is no index in %s: make one with varve index PATH, or name its folder with --data", p.Data)
	}
	return nil
}

// openExisting opens the index for a command that only reads. It does not create one.
func (p *program) openExisting(ctx context.Context) (*index.Index, error) {
	if err := p.exists(); err != nil {
		return nil, err
	}
	x, _, err := p.openToRead(ctx, kv.Existing)
	return x, err
}

// openToServe opens the index for a server, which makes one if there is none.
func (p *program) openToServe(ctx context.Context) (x *index.Index, why string, err error) {
	return p.openToRead(ctx, kv.Create)
}

// openToRead opens the index for what can do without writing to it. If nothing may be written, or can be, why says why, and
// p.readOnly is set from then on.
func (p *program) openToRead(ctx context.Context, mode kv.Mode) (x *index.Index, why string, err error) {
	why = "--read-only"
	if !p.readOnly {
		if x, err = p.openFor(ctx, mode); !errors.Is(err, kv.ErrReadOnly) {
			return x, "", err
		}
		why = p.unwritable(err)
	}
	if missing := p.exists(); missing != nil {
		return nil, "", cmp.Or(err, missing)
	}
	p.readOnly = true
	x, err = p.openFor(ctx, kv.ReadOnly)
	if errors.Is(err, kv.ErrUnfinished) || errors.Is(err, kv.ErrReadOnly) {
		err = fmt.Errorf("%w: run \"varve files\" once with --data where that folder can be written, or with a copy of it", err)
	}
	return x, why, err
}

// unwritable says what can't be written, given the error of the try.
func (p *program) unwritable(err error) string {
	if p.Index != "" {
		return p.indexPlace() + " can't be written"
	}
	why := p.Data + " can't be written"
	var place *fs.PathError
	if errors.As(err, &place) {
		why += " (" + place.Err.Error() + ")"
	}
	return why
}
