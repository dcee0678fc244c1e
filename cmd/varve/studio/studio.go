// Package studio makes and stores pictures of an archive's pages: for varve render, and for a server while it is idle.
package studio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/gallery"
	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/cmd/varve/workspace"
	"github.com/varve-archive/varve/internal/disk"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/render"
)

// A Studio makes pictures and stores them.
type Studio struct {
	*workspace.Workspace
	archive  *archive.Archive
	renderer *render.Renderer
	release  func() error
	began    time.Time
	made     int
	notes    map[visual.Note]int
	bytes    int64
	known    pace // of earlier runs
}

// A pace is the cost of pictures.
type pace struct {
	Pictures int     `json:"pictures"`
	Seconds  float64 `json:"seconds"`
	Bytes    int64   `json:"bytes"`
}

// usualPace is the assumed cost of pictures before the first ones are made (docs/pictures.md).
func usualPace() pace { return pace{Pictures: 1, Seconds: 2, Bytes: 150_000} }

// knownPace returns the cost of pictures in an earlier run, the usual one if there was none.
func knownPace(w *workspace.Workspace) pace {
	var before pace
	text, err := os.ReadFile(paceFile(w))
	if err != nil || json.Unmarshal(text, &before) != nil || before.Pictures <= 0 || before.Seconds <= 0 {
		return usualPace()
	}
	return before
}

func paceFile(w *workspace.Workspace) string { return filepath.Join(w.PicturesDir(), "pace.json") }

// Open starts a studio for an archive. path is that of Chromium, "" for the first that is found. The caller must close it.
func Open(ctx context.Context, w *workspace.Workspace, a *archive.Archive, path string) (*Studio, error) {
	server, err := replay.New(replay.Config{Archive: a, Log: w.Log()})
	if err != nil {
		return nil, err
	}
	dir, release, err := disk.TempDir("varve-render-")
	if err != nil {
		return nil, err
	}
	r, err := render.Start(ctx, render.Config{
		Replay: server.Handler(), Chromium: path, Dir: filepath.Join(dir, "profile"), Log: w.Log(),
	})
	if err != nil {
		return nil, errors.Join(err, release())
	}
	return &Studio{
		Workspace: w, archive: a, renderer: r, release: release, began: time.Now(), notes: map[visual.Note]int{}, known: knownPace(w),
	}, nil
}

// Sweep removes pictures that will never be shown again. It reads the facts about every picture.
func Sweep(ctx context.Context, w *workspace.Workspace, a *archive.Archive) error {
	gone, err := a.Gallery.Sweep(ctx)
	if gone > 0 {
		w.Log().Info("pictures whose captures are gone, or that were made in an older way, were removed", "pictures", gone)
	}
	return err
}

// minMeasured is the number of pictures from which on their cost is stored: the first take longer.
const minMeasured = 5

// Close ends the browser and stores the cost of pictures.
func (s *Studio) Close() error { return errors.Join(s.storePace(), s.renderer.Close(), s.release()) }

// storePace stores the cost of the pictures that were made, if they are enough to tell.
func (s *Studio) storePace() error {
	if s.made < minMeasured {
		return nil
	}
	now := pace{Pictures: s.made, Seconds: time.Since(s.began).Seconds(), Bytes: s.bytes}
	return disk.WriteCached(paceFile(s.Workspace), func(w io.Writer) error { return json.NewEncoder(w).Encode(now) })
}

// Estimate describes the expected cost of n pictures.
func (s *Studio) Estimate(n, have int) string {
	each := float64(n) / float64(s.known.Pictures)
	long := time.Duration(each * s.known.Seconds * float64(time.Second))
	size := humanize.Bytes(uint64(each * float64(s.known.Bytes)))
	said := fmt.Sprintf("%s, about %s, %s", console.Count(int64(n), "picture"), roughly(long), size)
	if have > 0 {
		said += "; " + console.Plural(int64(have), "picture is", "pictures are") + " there already"
	}
	return said
}

func roughly(d time.Duration) string {
	switch {
	case d < time.Minute:
		return console.Count(int64(max(1, d.Round(time.Second)/time.Second)), "second")
	case d < 2*time.Hour:
		return console.Count(int64(d.Round(time.Minute)/time.Minute), "minute")
	}
	return console.Count(int64(d.Round(time.Hour)/time.Hour), "hour")
}

// Rate describes the speed.
func (s *Studio) Rate() string {
	return fmt.Sprintf("%.0f a minute", float64(s.made)/time.Since(s.began).Minutes())
}

// Summary describes what was done.
func (s *Studio) Summary() string {
	said := fmt.Sprintf("pictured %s, %s, %s", console.Count(int64(s.made), "page"), s.Rate(), humanize.Bytes(uint64(s.bytes)))
	failed := 0
	for note, n := range s.notes {
		if note != "" && note != visual.Cut {
			failed += n
		}
	}
	if failed > 0 {
		said += "; of " + console.Count(int64(failed), "page") + " there is only a note that says why"
	}
	return said
}

// pictureSpace is the disk space that a picture needs, together with what runs at the same time.
const pictureSpace = 64 << 20

// Picture makes and stores a picture.
func (s *Studio) Picture(ctx context.Context, w *gallery.Wanted) error {
	if err := os.MkdirAll(s.PicturesDir(), 0o755); err != nil {
		return err
	}
	if err := disk.CheckRoom(s.PicturesDir(), pictureSpace); err != nil {
		return err
	}
	picture, shot, err := s.renderer.Render(ctx, render.Target{Coll: w.Coll, URL: w.URL, Time: w.Time}, w.Width)
	if err != nil {
		return err
	}
	if shot != nil {
		if err := s.archive.Pictures.Develop(picture, shot); err != nil {
			return err
		}
	}
	s.made++
	s.notes[picture.Note]++
	s.bytes += int64(picture.Image.Bytes + picture.Thumb.Bytes)
	return s.archive.Pictures.Save(w.At, picture)
}
