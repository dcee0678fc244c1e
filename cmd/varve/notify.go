package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/varve-archive/varve/archive/index/badger"
	"github.com/varve-archive/varve/gather/notify"
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

// Run tells what changed until ctx ends. It reads the feeds of a server, and opens no index.
func (c *notifyCmd) Run(ctx context.Context, p *program) (err error) {
	s, err := c.settings(p)
	if err != nil {
		p.say(fmt.Sprintf("%s: %v", c.File, err))
		return errUsage
	}
	store, err := badger.Open(filepath.Join(p.Data, "notify", s.Name), p.log())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	n := &notify.Notifier{Settings: s, Store: store, UserAgent: crawlAgent(), Log: p.log()}
	switch {
	case c.Status:
		waiting, err := n.Waiting(ctx)
		return errors.Join(err, p.printJSON(notify.Counts{Waiting: waiting}))
	case c.Once:
		counts, err := n.Once(ctx)
		if err = errors.Join(err, p.printJSON(counts)); err == nil && counts.Failed+counts.GivenUp > 0 {
			err = errPart // which the log has named
		}
		return err
	}
	p.say(fmt.Sprintf("telling what changes in %s, every %s", s.Archive, s.Every))
	return n.Run(ctx)
}

// settings reads the file. Unless it names an archive, that is the collection of the server that has the index of --data open.
func (c *notifyCmd) settings(p *program) (*notify.Settings, error) {
	text, err := os.ReadFile(c.File)
	if err != nil {
		return nil, err
	}
	archive := ""
	if url := p.servingURL(); url != "" {
		archive = url + p.Collection + "/"
	}
	name := strings.TrimSuffix(filepath.Base(c.File), filepath.Ext(c.File))
	s, err := notify.Read(text, name, archive, os.Getenv)
	if err == nil && !collectionName.MatchString(s.Name) {
		err = fmt.Errorf("name: %q: want a–z, 0–9, _, . and -", s.Name)
	}
	return s, err
}
