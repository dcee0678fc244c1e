package studio

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/gallery"
	"github.com/varve-archive/varve/cmd/varve/workspace"
	"github.com/varve-archive/varve/internal/disk"
	"github.com/varve-archive/varve/internal/loadlimit"
	"github.com/varve-archive/varve/internal/sleep"
)

// Limits of picturing while a server is idle.
const (
	maxPictures   = 500             // pictures that one browser makes before it is ended
	checkInterval = 5 * time.Minute // interval between searches for new versions
	minFreeSpace  = 1 << 30         // bytes that stay free on the disk
)

// Keep makes missing pictures while the server has no requests, until ctx ends.
func Keep(ctx context.Context, w *workspace.Workspace, a *archive.Archive, gate *loadlimit.Gate) {
	if w.ReadOnly {
		w.Log().Warn("--render makes no pictures, since nothing is written here")
		return
	}
	repeat(ctx, a.Index.Generation, func() (made int, err error) { return pictureMissing(ctx, w, a, gate) },
		func() error { return Sweep(ctx, w, a) }, w.Log())
}

// repeat calls picture after each change of the index, until it makes fewer than [maxPictures], and then sweep. After a failure it does so
// again.
func repeat(
	ctx context.Context, generation func() uint64, picture func() (made int, err error), sweep func() error, log *slog.Logger,
) {
	for looked := uint64(0); ctx.Err() == nil; {
		if now := generation(); now != looked || looked == 0 {
			made, err := picture()
			if err == nil && made < maxPictures {
				looked, err = now, sweep()
			}
			if err != nil && ctx.Err() == nil {
				log.Error("pictures can't be made for the moment", "error", err)
			}
			if made == maxPictures {
				continue
			}
		}
		_ = sleep.For(ctx, checkInterval)
	}
}

// missingPictures returns missing pictures of all collections, most of them at most.
func missingPictures(ctx context.Context, a *archive.Archive, most int) (list []gallery.Wanted, err error) {
	for _, coll := range a.Index.Collections() {
		plan := gallery.Plan{Coll: coll, Widths: []int{gallery.Wide}}
		_, err := a.Gallery.Each(ctx, a.Timelines, &plan, func(picture gallery.Wanted) bool {
			list = append(list, picture)
			return len(list) < most && ctx.Err() == nil
		})
		if err != nil {
			return nil, err
		}
		if len(list) == most {
			break
		}
	}
	return list, ctx.Err()
}

// pictureMissing makes some of the missing pictures, and returns their number.
func pictureMissing(ctx context.Context, w *workspace.Workspace, a *archive.Archive, gate *loadlimit.Gate) (made int, err error) {
	missing, err := missingPictures(ctx, a, maxPictures)
	if err != nil || len(missing) == 0 {
		return 0, err
	}
	s, err := Open(ctx, w, a, "")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	var took time.Duration
	for i := range missing {
		if err := gate.Pace(ctx, took); err != nil {
			return i, err
		}
		if err := disk.CheckRoom(w.Data, minFreeSpace); err != nil {
			return i, err
		}
		began := time.Now()
		if err := s.Picture(ctx, &missing[i]); err != nil {
			return i, err
		}
		took = time.Since(began)
	}
	w.Log().Info("pages were pictured", "pictures", s.made, "bytes", s.bytes)
	return len(missing), nil
}
