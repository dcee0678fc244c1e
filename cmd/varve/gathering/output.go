package gathering

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/varve-archive/varve/archive/blobstore"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/cmd/varve/control"
	"github.com/varve-archive/varve/cmd/varve/workspace"
)

// An Output is what a command writes of the live web, for the index to take in.
type Output struct {
	*workspace.Workspace
	name string  // begins the names of the files
	dir  string  // of WARC files; complete ones stay there only if they don't belong elsewhere
	to   *bucket // where complete files belong; nil if that is dir
}

// Open returns an output for files of a name, at a place or the one for its collection.
func Open(ctx context.Context, w *workspace.Workspace, place, name string) (*Output, error) {
	o := &Output{Workspace: w, name: name, dir: place}
	switch {
	case place == "":
		o.dir = filepath.Join(w.WarcsDir(), w.Collection)
	case blobstore.IsRemote(place):
		to, err := openBucket(ctx, w.S3, place, name)
		if err != nil {
			return nil, err
		}
		o.to, o.dir = to, filepath.Join(w.Data, "outgoing", w.Collection, to.id)
	}
	return o, nil
}

// CheckPlace refuses a --warcs where nothing can be written.
func CheckPlace(place string) error {
	if place == "" {
		return nil
	}
	return blobstore.Check(place)
}

// place says where the files are in the end.
func (o *Output) place() string {
	if o.to != nil {
		return o.to.at.String()
	}
	return o.dir
}

// mark ends the names of files that are moved to where those of other machines are.
func (o *Output) mark() string {
	if o.to == nil {
		return ""
	}
	return o.to.mark
}

// TakeIn has the files of the folder taken into the index that are not there yet, also those of runs that were killed before they came to
// it: by this process, or by the server that has the index open.
func (o *Output) TakeIn(ctx context.Context) error {
	moved := o.move(ctx, true)
	files, err := o.files(ctx)
	if err == nil {
		err = o.takeFiles(ctx, files)
	}
	return errors.Join(moved, err)
}

func (o *Output) takeFiles(ctx context.Context, files []string) (err error) {
	if len(files) == 0 {
		return nil
	}
	done, err := o.index(ctx, files)
	if errors.Is(err, control.ErrNoServer) {
		o.Sayf("the index is in use by another varve%s, which takes no files from others: what was captured is in %s, and "+
			"varve index takes it in once the other has ended", o.Serving(), o.place())
		return nil
	} else if err != nil {
		return err
	}
	if done.Said != "" {
		o.Say(done.Said)
	}
	if done.Problems > 0 {
		return console.ErrPart
	}
	return nil
}

// files returns the paths of the files that are complete, and where they belong.
func (o *Output) files(ctx context.Context) ([]string, error) {
	if o.to != nil {
		return o.to.files(ctx)
	}
	dir, err := filepath.Abs(o.dir)
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
func (o *Output) written(ctx context.Context) ([]string, error) {
	files, err := write.Finished(o.dir, o.name)
	if err != nil || o.to == nil {
		return files, err
	}
	moved, err := o.to.files(ctx)
	return append(files, moved...), err
}

// index indexes files here, or has it done by the server that has the index open.
func (o *Output) index(ctx context.Context, files []string) (control.Taken, error) {
	x, err := o.Workspace.Open(ctx)
	if errors.Is(err, kv.ErrInUse) {
		return control.Client{Data: o.Data}.Index(ctx, o.Collection, files)
	} else if err != nil {
		return control.Taken{}, err
	}
	done, err := Take(ctx, o.Workspace, x, o.Collection, files)
	return done, errors.Join(err, x.Close())
}

// Take takes files into an index.
func Take(ctx context.Context, w *workspace.Workspace, x *index.Index, coll string, files []string) (control.Taken, error) {
	shown := w.Progress()
	done, err := ingest.Run(ctx, w.Ingest(x, coll, shown), files)
	shown.Stop()
	if err != nil {
		return control.Taken{}, err
	}
	if done.Files.Load() == 0 && done.Problems.Load() == 0 {
		return control.Taken{}, nil
	}
	return control.Taken{Said: console.Summary(done), Problems: done.Problems.Load()}, nil
}
