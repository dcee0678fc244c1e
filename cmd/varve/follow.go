package main

import (
	"context"
	"errors"
	"time"

	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/cmd/varve/gathering"
	"github.com/varve-archive/varve/cmd/varve/workspace"
	"github.com/varve-archive/varve/gather/follow"
	"github.com/varve-archive/varve/gather/follow/status"
)

type followCmd struct {
	File     string `arg:"" name:"file" help:"A file of sources (YAML)."`
	Once     bool   `help:"Do what is due now, and end."`
	Status   bool   `help:"Print how the sources are, and ask nobody."`
	JSON     bool   `name:"json" help:"With --status: as JSON."`
	TakeBack string `help:"Follow a source again that was set aside." placeholder:"URL"`
	Warcs    string `help:"Folder or s3://BUCKET/PREFIX for WARCs, else warcs/COLLECTION in --data." placeholder:"DIR" cfg:""`
	Chromium string `help:"Browser for sources that want one; without, the first Chromium in the path." placeholder:"PATH" cfg:""`
}

// Validate checks the flags; kong calls it after parsing.
func (c *followCmd) Validate() error {
	n := 0
	for _, on := range []bool{c.Once, c.Status, c.TakeBack != ""} {
		if on {
			n++
		}
	}
	switch {
	case n > 1:
		return errors.New("--once, --status and --take-back each go without the others")
	case c.JSON && !c.Status:
		return errors.New("--json goes with --status")
	}
	return gathering.CheckPlace(c.Warcs)
}

// Run follows the sources of a file.
func (c *followCmd) Run(ctx context.Context, w *workspace.Workspace) error {
	set, err := follow.Load(c.File)
	if err != nil {
		w.Say(err.Error())
		return console.ErrUsage
	}
	if set.Collection != "" {
		w.Collection = set.Collection
	}
	set.Collection = w.Collection
	if c.Status {
		return c.status(w, set)
	}
	out, err := gathering.Open(ctx, w, c.Warcs, set.Name)
	if err != nil {
		return err
	}
	return (&gathering.Follow{Output: out, Settings: set, Once: c.Once, TakeBack: c.TakeBack, Chromium: c.Chromium}).Run(ctx)
}

// staleStatusAge is the age up to which a status shows that its process is running. A process writes one every second, with thousands of
// sources less often.
const staleStatusAge = 2 * time.Minute

// status prints the state of the sources, including those that were never polled.
func (c *followCmd) status(w *workspace.Workspace, set follow.Settings) error {
	s, err := w.Follows().Get(set.Name)
	if errors.Is(err, status.ErrUnknown) {
		s = status.Status{Name: set.Name, Collection: set.Collection, Policy: string(set.Policy)}
		for i := range set.Sources {
			kind, address := set.Sources[i].Kind()
			s.Sources = append(s.Sources, status.Source{Kind: kind, URL: address})
		}
	} else if err != nil {
		return err
	}
	s.Running = s.Running && time.Since(s.Written) < staleStatusAge
	if c.JSON {
		return w.PrintJSON(s)
	}
	return s.Table(w.Stdout, time.Now())
}
