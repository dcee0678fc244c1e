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

// An Output is the files that a command writes from the live web, to be indexed.
type Output struct {
	*workspace.Workspace
	name string  // prefix of the names of the files
	dir  string  // of WARC files; complete ones stay there unless they belong elsewhere
	to   *bucket // place of complete files; nil if that is dir
}

// Open returns an output for files with a name, at the given place or the default place of its collection.
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

// CheckPlace refuses a --warcs that can't be written to.
func CheckPlace(place string) error {
	if place == "" {
		return nil
	}
	return blobstore.Check(place)
}

// place returns the final place of the files.
func (o *Output) place() string {
	if o.to != nil {
		return o.to.at.String()
	}
	return o.dir
}

// mark returns the suffix of the names of files that are moved to a place shared with other machines.
func (o *Output) mark() string {
	if o.to == nil {
		return ""
	}
	return o.to.mark
}

// takeIn has the files in the folder indexed that are not indexed yet, including those of killed runs: by this process, or by the server
// that has the index open.
func (o *Output) takeIn(ctx context.Context) error {
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
	if done.Message != "" {
		o.Say(done.Message)
	}
	if done.Problems > 0 {
		return console.ErrPart
	}
	return nil
}

// files returns the paths of the complete files, here and in their final place.
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

// written returns the paths of all complete files with this name, including those that were moved.
func (o *Output) written(ctx context.Context) ([]string, error) {
	files, err := write.Finished(o.dir, o.name)
	if err != nil || o.to == nil {
		return files, err
	}
	moved, err := o.to.files(ctx)
	return append(files, moved...), err
}

// index indexes files here, or lets the server that has the index open do it.
func (o *Output) index(ctx context.Context, files []string) (control.Indexed, error) {
	x, err := o.Workspace.Open(ctx)
	if errors.Is(err, kv.ErrInUse) {
		return control.Client{Data: o.Data}.Index(ctx, o.Collection, files)
	} else if err != nil {
		return control.Indexed{}, err
	}
	done, err := Take(ctx, o.Workspace, x, o.Collection, files)
	return done, errors.Join(err, x.Close())
}

// Take indexes files.
func Take(ctx context.Context, w *workspace.Workspace, x *index.Index, coll string, files []string) (control.Indexed, error) {
	shown := w.Progress()
	done, err := ingest.Run(ctx, w.Ingest(x, coll, shown), files)
	shown.Stop()
	if err != nil {
		return control.Indexed{}, err
	}
	if done.Files.Load() == 0 && done.Problems.Load() == 0 {
		return control.Indexed{}, nil
	}
	return control.Indexed{Message: console.Summary(done), Problems: done.Problems.Load()}, nil
}
