package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/cmd/varve/server"
	"github.com/varve-archive/varve/cmd/varve/workspace"
)

type serveCmd struct {
	Paths []string `arg:"" optional:"" name:"path" help:"Files, folders or globs; folders are watched."`
	server.Flags
	PathIndex []string `help:"Path indexes of OpenWayback or pywb, for the files that CDX lines name." placeholder:"FILE" cfg:""`
	Pywb      string   `help:"Folder of a pywb installation, to be served as it is; nothing is written there." placeholder:"DIR" cfg:""`
	Metadata  bool     `help:"Index metadata records too." cfg:""`
	Unpack    string   `help:"Folder or bucket to unpack files into that are compressed as a whole; no refuses them." placeholder:"DIR" cfg:""`
	ReadOnly  bool     `help:"Write and index nothing, serve what is indexed; needless if the index can't be written." cfg:""`
}

// Validate checks the flags; kong calls it after parsing.
func (c *serveCmd) Validate() error {
	if c.Pywb != "" && c.Access != "" {
		return errors.New("--pywb has access rules of its own: --access can't be given beside it")
	}
	return c.Flags.Validate()
}

// Run indexes and serves until ctx ends.
func (c *serveCmd) Run(ctx context.Context, w *workspace.Workspace) error {
	unpack, err := w.Unpacker(c.Unpack)
	if err != nil {
		return fmt.Errorf("--unpack: %w", err)
	}
	w.ReadOnly = c.ReadOnly
	if bad, err := w.Usable(ctx, c.Paths); err != nil {
		return err
	} else if bad {
		return console.ErrPart
	}
	where, err := pathIndexes(w, c.PathIndex)
	if err != nil {
		return err
	}
	return server.Run(ctx, w, server.Config{
		Flags: c.Flags, Places: []server.Place{{Coll: w.Collection, Paths: c.Paths, Where: where}}, Pywb: c.Pywb, Metadata: c.Metadata,
		Unpack: unpack, Answer: answer,
	})
}
