package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/gallery"
	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/internal/disk"
	"github.com/varve-archive/varve/internal/loadlimit"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/render"
)

type renderCmd struct {
	URLs     []string `arg:"" optional:"" name:"url" help:"URLs, may have * at their end or *. before their host; all without one."`
	From     string   `help:"Only what was captured then or later: 1 to 14 digits of YYYYMMDDhhmmss." placeholder:"TS"`
	To       string   `help:"Only what was captured until then." placeholder:"TS"`
	Width    []int    `help:"Widths of the window in pixels, with commas between them." default:"1280" placeholder:"N"`
	Captures bool     `help:"Picture each capture, not only the first of each version."`
	Chromium string   `help:"Browser to picture with; without, the first Chromium in the path." placeholder:"PATH" cfg:""`
	Access   string   `help:"The access rules to picture under; without them everything." placeholder:"FILE" cfg:""`
}

// Widths that a window may have.
const (
	leastWidth = 200
	mostWidth  = 2560
)

// Validate checks the flags; kong calls it after parsing.
func (c *renderCmd) Validate() error {
	var wrong error
	for _, w := range c.Width {
		if w < leastWidth || w > mostWidth {
			wrong = fmt.Errorf("--width %d: want %d to %d", w, leastWidth, mostWidth)
		}
	}
	_, _, err := period(c.From, c.To)
	return errors.Join(wrong, err, (&rules{Access: c.Access}).Validate())
}

// picturesDir is where the pictures of pages are.
func (p *program) picturesDir() string { return filepath.Join(p.Data, "pictures") }

// Run pictures what is not pictured yet of the URLs.
func (c *renderCmd) Run(ctx context.Context, p *program) (err error) {
	x, err := p.openExisting(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	rules, err := p.policyOf(c.Access)
	if err != nil {
		return err
	}
	arch, err := p.archive(x, rules, nil)
	if err != nil {
		return err
	}
	plan := &gallery.Plan{Coll: p.Collection, URLs: c.URLs, Widths: c.Width, Captures: c.Captures}
	if plan.From, plan.To, err = period(c.From, c.To); err != nil {
		return err
	}
	var todo []gallery.Wanted
	have, err := arch.Gallery.Each(ctx, arch.Timelines, plan, func(w gallery.Wanted) bool {
		todo = append(todo, w)
		return ctx.Err() == nil
	})
	if err != nil {
		return err
	}
	if len(todo) == 0 {
		p.say(nothingToPicture(have))
		return ctx.Err()
	}
	studio, err := p.openStudio(ctx, arch, c.Chromium)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, studio.Close()) }()
	p.say(studio.estimate(len(todo), have))
	var done, total atomic.Int64
	total.Store(int64(len(todo)))
	shown := p.progress()
	shown.count(tally{doing: "picturing", noun: "pictures", done: &done, total: &total, more: studio.rate})
	for i := range todo {
		if err = studio.picture(ctx, &todo[i]); err != nil {
			break
		}
		done.Add(1)
	}
	shown.stop()
	if err != nil {
		return err
	}
	p.say(studio.summary())
	return nil
}

func nothingToPicture(have int) string {
	if have == 0 {
		return "there is no page to be pictured: nothing that was asked for has a version that everybody may see"
	}
	return counted(int64(have), "picture") + " are there already, none is missing"
}

// A studio makes pictures and keeps them.
type studio struct {
	*program
	archive  *archive.Archive
	renderer *render.Renderer
	release  func() error
	began    time.Time
	made     int
	notes    map[visual.Note]int
	bytes    int64
	known    pace // of the runs before
}

// A pace is what pictures cost.
type pace struct {
	Pictures int     `json:"pictures"`
	Seconds  float64 `json:"seconds"`
	Bytes    int64   `json:"bytes"`
}

// usualPace is what pictures cost where none were made yet (docs/pictures.md).
func usualPace() pace { return pace{Pictures: 1, Seconds: 2, Bytes: 150_000} }

func (p *program) paceFile() string { return filepath.Join(p.picturesDir(), "pace.json") }

// openStudio starts what makes pictures of an archive.
func (p *program) openStudio(ctx context.Context, a *archive.Archive, path string) (*studio, error) {
	server, err := replay.New(replay.Config{Archive: a, Log: p.log()})
	if err != nil {
		return nil, err
	}
	dir, release, err := disk.TempDir("varve-render-")
	if err != nil {
		return nil, err
	}
	r, err := render.Start(ctx, render.Config{
		Replay: server.Handler(), Chromium: path, Dir: filepath.Join(dir, "profile"), Log: p.log(),
	})
	if err != nil {
		return nil, errors.Join(err, release())
	}
	s := &studio{program: p, archive: a, renderer: r, release: release, began: time.Now(), notes: map[visual.Note]int{}, known: usualPace()}
	if text, err := os.ReadFile(p.paceFile()); err == nil {
		var before pace
		if json.Unmarshal(text, &before) == nil && before.Pictures > 0 && before.Seconds > 0 {
			s.known = before
		}
	}
	return s, nil
}

// Close ends the browser and remembers what pictures cost.
func (s *studio) Close() error {
	var err error
	if s.made >= 5 {
		now := pace{Pictures: s.made, Seconds: time.Since(s.began).Seconds(), Bytes: s.bytes}
		err = disk.WriteCached(s.paceFile(), func(w io.Writer) error { return json.NewEncoder(w).Encode(now) })
	}
	return errors.Join(err, s.renderer.Close(), s.release())
}

// estimate says what so many pictures will cost.
func (s *studio) estimate(n, have int) string {
	each := float64(n) / float64(s.known.Pictures)
	said := fmt.Sprintf("%s, about %s, %s", counted(int64(n), "picture"), roughly(time.Duration(each*s.known.Seconds*float64(time.Second))),
		humanize.Bytes(uint64(each*float64(s.known.Bytes))))
	if have > 0 {
		said += "; " + counted(int64(have), "picture") + " are there already"
	}
	return said
}

// roughly says how long something takes.
func roughly(d time.Duration) string {
	switch {
	case d < time.Minute:
		return counted(int64(max(1, d.Round(time.Second)/time.Second)), "second")
	case d < 2*time.Hour:
		return counted(int64(d.Round(time.Minute)/time.Minute), "minute")
	}
	return counted(int64(d.Round(time.Hour)/time.Hour), "hour")
}

// rate says how quick it is.
func (s *studio) rate() string {
	return fmt.Sprintf("%.0f a minute", float64(s.made)/time.Since(s.began).Minutes())
}

// summary says what was done.
func (s *studio) summary() string {
	said := fmt.Sprintf("pictured %s, %s, %s", counted(int64(s.made), "page"), s.rate(), humanize.Bytes(uint64(s.bytes)))
	failed := 0
	for note, n := range s.notes {
		if note != "" && note != visual.Cut {
			failed += n
		}
	}
	if failed > 0 {
		said += "; of " + counted(int64(failed), "page") + " there is only a note that says why"
	}
	return said
}

// enough is how much room a picture needs on the disk, and what works beside it.
const enough = 64 << 20

// picture makes and keeps a picture.
func (s *studio) picture(ctx context.Context, w *gallery.Wanted) error {
	if err := os.MkdirAll(s.picturesDir(), 0o755); err != nil {
		return err
	}
	if err := disk.CheckRoom(s.picturesDir(), enough); err != nil {
		return err
	}
	picture, image, err := s.renderer.Render(ctx, render.Target{Coll: w.Coll, URL: w.URL, Time: w.Time}, w.Width)
	if err != nil {
		return err
	}
	if len(image) > 0 {
		if err := s.archive.Pictures.Develop(picture, image, s.archive.Eye); err != nil {
			return err
		}
	}
	s.made++
	s.notes[picture.Note]++
	s.bytes += int64(picture.Image.Bytes + picture.Thumb.Bytes)
	return s.archive.Pictures.Save(w.At, picture)
}

// Bounds of picturing while a server is idle.
const (
	mostAtOnce  = 500             // pictures that one browser makes before it is ended
	betweenLook = 5 * time.Minute // after which it is looked for new versions
	spare       = 1 << 30         // bytes that stay free on the disk
)

// keepPicturing makes the pictures that are missing while nobody asks for anything, until ctx ends.
func (p *program) keepPicturing(ctx context.Context, a *archive.Archive, gate *loadlimit.Gate) {
	if p.readOnly {
		p.log().Warn("--render makes no pictures, since nothing is written here")
		return
	}
	var looked uint64
	for ctx.Err() == nil {
		if now := a.Index.Generation(); now != looked || looked == 0 {
			made, err := p.pictureMissing(ctx, a, gate)
			if err != nil && ctx.Err() == nil {
				p.log().Error("pictures can't be made for the moment", "error", err)
			}
			if err == nil && made < mostAtOnce {
				looked = now
			}
			if made == mostAtOnce {
				continue
			}
		}
		select {
		case <-time.After(betweenLook):
		case <-ctx.Done():
		}
	}
}

// pictureMissing makes some of the pictures that are missing, and returns how many.
func (p *program) pictureMissing(ctx context.Context, a *archive.Archive, gate *loadlimit.Gate) (made int, err error) {
	var todo []gallery.Wanted
	for _, coll := range a.Index.Collections() {
		_, err := a.Gallery.Each(ctx, a.Timelines, &gallery.Plan{Coll: coll, Widths: []int{gallery.Wide}}, func(w gallery.Wanted) bool {
			todo = append(todo, w)
			return len(todo) < mostAtOnce && ctx.Err() == nil
		})
		if err != nil {
			return 0, err
		}
	}
	if len(todo) == 0 {
		return 0, ctx.Err()
	}
	studio, err := p.openStudio(ctx, a, "")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, studio.Close()) }()
	took := time.Duration(0)
	for i := range todo {
		if err := gate.Pace(ctx, took); err != nil {
			return i, err
		}
		if err := disk.CheckRoom(p.Data, spare); err != nil {
			return i, err
		}
		began := time.Now()
		if err := studio.picture(ctx, &todo[i]); err != nil {
			return i, err
		}
		took = time.Since(began)
	}
	p.log().Info("pages were pictured", "pictures", studio.made, "bytes", studio.bytes)
	return len(todo), nil
}
