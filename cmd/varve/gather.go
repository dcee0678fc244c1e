package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/blobstore"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/warc/write"
)

// warcsDir is where the files of captures go, in a folder for each collection.
func (p *program) warcsDir() string { return filepath.Join(p.Data, "warcs") }

// A gathering is what a command writes of the live web, for the index to take in.
type gathering struct {
	*program
	name string   // begins the names of the files
	dir  string   // of WARC files; complete ones stay there only if they don't belong elsewhere
	to   *outside // where complete files belong; nil if that is dir
}

// gather returns a gathering of files of a name, at a place or the one for its collection.
func (p *program) gather(ctx context.Context, place, name string) (*gathering, error) {
	g := &gathering{program: p, name: name, dir: place}
	switch {
	case place == "":
		g.dir = filepath.Join(p.warcsDir(), p.Collection)
	case blobstore.IsRemote(place):
		to, err := p.outside(ctx, place, name)
		if err != nil {
			return nil, err
		}
		g.to, g.dir = to, filepath.Join(p.Data, "outgoing", p.Collection, to.id)
	}
	return g, nil
}

// checkWarcs refuses a --warcs where nothing can be written.
func checkWarcs(place string) error {
	if place == "" {
		return nil
	}
	return blobstore.Check(place)
}

// place says where the files are in the end.
func (g *gathering) place() string {
	if g.to != nil {
		return g.to.at.String()
	}
	return g.dir
}

// mark ends the names of files that are moved to where those of other machines are.
func (g *gathering) mark() string {
	if g.to == nil {
		return ""
	}
	return g.to.mark
}

// takeIn has the files of the folder taken into the index that are not there yet, also those of runs that were killed before they came to
// it: by this process, or by the server that has the index open.
func (g *gathering) takeIn(ctx context.Context) error {
	moved := g.move(ctx, true)
	files, err := g.files(ctx)
	if err == nil {
		err = g.takeFiles(ctx, files)
	}
	return errors.Join(moved, err)
}

func (g *gathering) takeFiles(ctx context.Context, files []string) (err error) {
	if len(files) == 0 {
		return nil
	}
	done, err := g.indexThere(ctx, files)
	if errors.Is(err, errNoServer) {
		g.say(fmt.Sprintf("the index is in use by another varve%s, which takes no files from others: what was captured is in %s, and "+
			"varve index takes it in once the other has ended", g.serving(), g.place()))
		return nil
	} else if err != nil {
		return err
	}
	if done.Said != "" {
		g.say(done.Said)
	}
	if done.Problems > 0 {
		return errPart
	}
	return nil
}

// files returns the paths of the files that are complete, and where they belong.
func (g *gathering) files(ctx context.Context) ([]string, error) {
	if g.to != nil {
		return g.to.files(ctx)
	}
	dir, err := filepath.Abs(g.dir)
	if err != nil {
		return nil, err
	}
	list, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var paths []string
	for _, e := range list {
		if strings.HasSuffix(e.Name(), ".warc.gz") {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths, err
}

// written returns the paths of all complete files of the gathering's name, those that were moved too.
func (g *gathering) written(ctx context.Context) ([]string, error) {
	files, err := write.Finished(g.dir, g.name)
	if err != nil || g.to == nil {
		return files, err
	}
	moved, err := g.to.files(ctx)
	return append(files, moved...), err
}

// taken says what came of indexing.
type taken struct {
	Said     string `json:"said"` // a sentence, "" if there was nothing to do
	Problems int64  `json:"problems"`
}

// indexThere indexes files here, or asks the server to do it that has the index open.
func (g *gathering) indexThere(ctx context.Context, files []string) (taken, error) {
	x, err := g.open(ctx)
	if errors.Is(err, kv.ErrInUse) {
		return g.askToIndex(ctx, g.Collection, files)
	} else if err != nil {
		return taken{}, err
	}
	done, err := g.take(ctx, x, g.Collection, files)
	return done, errors.Join(err, x.Close())
}

// take takes files into an index.
func (p *program) take(ctx context.Context, x *index.Index, coll string, files []string) (taken, error) {
	bar := p.progress()
	done, err := ingest.Run(ctx, p.config(x, place{coll: coll}, bar), files)
	bar.stop()
	if err != nil {
		return taken{}, err
	}
	if done.Files.Load() == 0 && done.Problems.Load() == 0 {
		return taken{}, nil
	}
	return taken{Said: summary(done), Problems: done.Problems.Load()}, nil
}

const (
	// patience is how long a server waits for what it watches to be indexed. Notices of changes come within a second or two.
	patience   = 30 * time.Second
	betweenTwo = 200 * time.Millisecond
)

// takeOrAwait takes files into an index, or waits until those that lie where a server watches are there.
func (p *program) takeOrAwait(ctx context.Context, x *index.Index, at []place, coll string, files []string) (taken, error) {
	watched := func(file string) bool { return isWatched(at, coll, file) }
	if !slices.ContainsFunc(files, watched) {
		return p.take(ctx, x, coll, files)
	}
	fresh := missing(x, coll, files)
	if fresh == 0 {
		return taken{}, nil
	}
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	for {
		left := missing(x, coll, files)
		if left == 0 {
			return taken{Said: "the server has indexed " + counted(int64(fresh), "file")}, nil
		}
		select {
		case <-time.After(betweenTwo):
		case <-ctx.Done():
			return taken{Said: "the server will index " + counted(int64(left), "file") + " when it looks next, within a minute"}, nil
		}
	}
}

// isWatched reports whether a file lies in a folder that a server watches for its collection.
func isWatched(at []place, coll, file string) bool {
	for _, a := range at {
		for _, folder := range a.paths {
			if blobstore.IsRemote(folder) || blobstore.IsRemote(file) {
				if a.coll == coll && strings.HasPrefix(file, strings.TrimRight(folder, "/")+"/") {
					return true
				}
				continue
			}
			folder, err := filepath.Abs(folder)
			if err != nil || a.coll != coll {
				continue
			}
			if rel, err := filepath.Rel(folder, file); err == nil && filepath.IsLocal(rel) {
				return true
			}
		}
	}
	return false
}

// missing returns how many of some files are not in the index.
func missing(x *index.Index, coll string, files []string) int {
	wanted := map[string]bool{}
	for _, path := range files {
		wanted[path] = true
	}
	for _, f := range x.Files() {
		if f.Collection == coll && f.Done {
			delete(wanted, f.Path)
		}
	}
	return len(wanted)
}
