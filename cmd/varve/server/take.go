package server

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/blobstore"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/cmd/varve/control"
	"github.com/varve-archive/varve/cmd/varve/gathering"
	"github.com/varve-archive/varve/internal/plainname"
	"github.com/varve-archive/varve/internal/sleep"
)

const (
	// awaitTime is how long a server waits for what it watches to be indexed. Notices of changes come within a second or two.
	awaitTime  = 30 * time.Second
	awaitPause = 200 * time.Millisecond
)

// take takes files into the index for a command, or waits until those that lie where the server watches are there.
func (s *server) take(ctx context.Context, coll string, files []string) (control.Indexed, error) {
	if !plainname.Is(coll) {
		return control.Indexed{}, fmt.Errorf("%q is no collection", coll)
	}
	watched := func(file string) bool { return isWatched(s.at, coll, file) }
	if !slices.ContainsFunc(files, watched) {
		return gathering.Take(ctx, s.Workspace, s.index, coll, files)
	}
	fresh := missing(s.index, coll, files)
	if fresh == 0 {
		return control.Indexed{}, nil
	}
	ctx, stop := context.WithTimeout(ctx, awaitTime)
	defer stop()
	for {
		left := missing(s.index, coll, files)
		if left == 0 {
			return control.Indexed{Message: "the server has indexed " + console.Count(int64(fresh), "file")}, nil
		}
		if sleep.For(ctx, awaitPause) != nil {
			return control.Indexed{
				Message: "the server will index " + console.Count(int64(left), "file") + " when it looks next, within a minute",
			}, nil
		}
	}
}

// isWatched reports whether a file lies in a folder that a server watches for its collection.
func isWatched(at []Place, coll, file string) bool {
	return slices.ContainsFunc(at, func(a Place) bool {
		return a.Coll == coll && slices.ContainsFunc(a.Paths, func(folder string) bool {
			if blobstore.IsRemote(folder) || blobstore.IsRemote(file) {
				return strings.HasPrefix(file, strings.TrimRight(folder, "/")+"/")
			}
			inside, _ := liesIn(folder, file)
			return inside
		})
	})
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
