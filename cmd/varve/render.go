package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/varve-archive/varve/archive/access/rulesfile"
	"github.com/varve-archive/varve/archive/gallery"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/cmd/varve/studio"
	"github.com/varve-archive/varve/cmd/varve/workspace"
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

// Limits of the width of a window.
const (
	minWidth = 200
	maxWidth = 2560
)

// Validate checks the flags; kong calls it after parsing.
func (c *renderCmd) Validate() error {
	var wrong error
	for _, w := range c.Width {
		if w < minWidth || w > maxWidth {
			wrong = fmt.Errorf("--width %d: want %d to %d", w, minWidth, maxWidth)
		}
	}
	_, _, err := period(c.From, c.To)
	return errors.Join(wrong, err, checkRules(c.Access))
}

// Run pictures the versions of the URLs that have no picture yet.
func (c *renderCmd) Run(ctx context.Context, w *workspace.Workspace) (err error) {
	rules, err := rulesfile.Policy(c.Access)
	if err != nil {
		return err
	}
	arch, closeAll, err := w.OpenArchive(ctx, rules)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeAll()) }()
	plan := &gallery.Plan{Coll: w.Collection, URLs: c.URLs, Widths: c.Width, Captures: c.Captures}
	if plan.From, plan.To, err = period(c.From, c.To); err != nil {
		return err
	}
	var missing []gallery.Wanted
	have, err := arch.Gallery.Each(ctx, arch.Timelines, plan, func(picture gallery.Wanted) bool {
		missing = append(missing, picture)
		return ctx.Err() == nil
	})
	if err != nil {
		return err
	}
	if len(missing) == 0 {
		w.Say(nothingToPicture(have))
		return ctx.Err()
	}
	room, err := studio.Open(ctx, w, arch, c.Chromium)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, room.Close()) }()
	if err = studio.Sweep(ctx, w, arch); err != nil {
		return err
	}
	w.Say(room.Estimate(len(missing), have))
	var done, total atomic.Int64
	total.Store(int64(len(missing)))
	shown := w.Progress()
	shown.Count(console.Tally{Doing: "picturing", Noun: "pictures", Done: &done, Total: &total, More: room.Rate})
	for i := range missing {
		if err = room.Picture(ctx, &missing[i]); err != nil {
			break
		}
		done.Add(1)
	}
	shown.Stop()
	if err != nil {
		return err
	}
	w.Say(room.Summary())
	return nil
}

func nothingToPicture(have int) string {
	if have == 0 {
		return "there is no page to be pictured: nothing that was asked for has a version that everybody may see"
	}
	return console.Plural(int64(have), "picture is", "pictures are") + " there already, none is missing"
}
