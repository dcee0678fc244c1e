package main

import (
	"os"
	"time"

	"github.com/varve-archive/varve/archive/content/pdf/sandbox"
	"github.com/varve-archive/varve/cmd/varve/workspace"
)

type pdfTextCmd struct {
	Memory uint64        `help:"Limit in bytes." default:"536870912"`
	Time   time.Duration `help:"Limit to the time at work." default:"20s"`
}

// Run reads a PDF on standard input and prints its text. varve itself runs this command, as a separate process with limits.
func (c *pdfTextCmd) Run(w *workspace.Workspace) error {
	return sandbox.Serve(os.Stdin, w.Stdout, c.Memory, c.Time)
}
