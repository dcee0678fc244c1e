package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/cmd/varve/gathering"
	"github.com/varve-archive/varve/cmd/varve/workspace"
	"github.com/varve-archive/varve/gather/notify"
	"github.com/varve-archive/varve/internal/plainname"
)

type notifyCmd struct {
	File   string `arg:"" help:"YAML file that says who is told what."`
	Once   bool   `help:"Look once, make the deliveries that are due, and exit."`
	Status bool   `help:"Print how many deliveries wait, and exit."`
}

// Validate checks the flags; kong calls it after parsing.
func (c *notifyCmd) Validate() error {
	if c.Once && c.Status {
		return errors.New("--once and --status can't be given together")
	}
	return nil
}

// Run sends notifications of changes until ctx ends. It reads the feeds of a server, and opens no index.
func (c *notifyCmd) Run(ctx context.Context, w *workspace.Workspace) (err error) {
	s, err := c.settings(w)
	if err != nil {
		w.Sayf("%s: %v", c.File, err)
		return console.ErrUsage
	}
	n, err := gathering.Notifier(w, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.Store.Close()) }()
	switch {
	case c.Status:
		waiting, err := n.Waiting(ctx)
		return errors.Join(err, w.PrintJSON(notify.Counts{Waiting: waiting}))
	case c.Once:
		counts, err := n.Once(ctx)
		return gathering.AllDelivered(counts, errors.Join(err, w.PrintJSON(counts)))
	}
	w.Sayf("telling what changes in %s, every %s", s.Archive, s.Every)
	return n.Run(ctx)
}

// settings reads the file. The default archive is the collection on the server that has the index of --data open.
func (c *notifyCmd) settings(w *workspace.Workspace) (*notify.Settings, error) {
	text, err := os.ReadFile(c.File)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(filepath.Base(c.File), filepath.Ext(c.File))
	s, err := notify.Read(text, name, w.ServingCollection(), os.Getenv)
	if err == nil && !plainname.Is(s.Name) {
		err = fmt.Errorf("name: %q: want a–z, 0–9, _, . and -", s.Name)
	}
	return s, err
}
