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
	n, err := p.notifier(s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.Store.Close()) }()
	switch {
	case c.Status:
		waiting, err := n.Waiting(ctx)
		return errors.Join(err, p.printJSON(notify.Counts{Waiting: waiting}))
	case c.Once:
		counts, err := n.Once(ctx)
		return allTold(counts, errors.Join(err, p.printJSON(counts)))
	}
	p.say(fmt.Sprintf("telling what changes in %s, every %s", s.Archive, s.Every))
	return n.Run(ctx)
}

// notifier opens the queue of those who are told. Its store is to be closed.
func (p *program) notifier(s *notify.Settings) (*notify.Notifier, error) {
	store, err := badger.Open(filepath.Join(p.Data, "notify", s.Name), p.log())
	if err != nil {
		return nil, err
	}
	return &notify.Notifier{Settings: s, Store: store, UserAgent: crawlAgent(), Log: p.log()}, nil
}

// allTold returns err, or errPart if something could not be delivered, which the log has named.
func allTold(c notify.Counts, err error) error {
	if err == nil && c.Failed+c.GivenUp > 0 {
		err = errPart
	}
	return err
}

// settings reads the file. Unless it names an archive, that is the collection of the server that has the index of --data open.
func (c *notifyCmd) settings(p *program) (*notify.Settings, error) {
	text, err := os.ReadFile(c.File)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(filepath.Base(c.File), filepath.Ext(c.File))
	s, err := notify.Read(text, name, p.servingCollection(), os.Getenv)
	if err == nil && !collectionName.MatchString(s.Name) {
		err = fmt.Errorf("name: %q: want a–z, 0–9, _, . and -", s.Name)
	}
	return s, err
}
