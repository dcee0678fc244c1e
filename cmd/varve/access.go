package main

import (
	"fmt"
	"time"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/access/rulesfile"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/cmd/varve/workspace"
	"github.com/varve-archive/varve/memento"
)

type accessCmd struct {
	Test  string `help:"The URI-R to ask about." required:"" placeholder:"URL"`
	At    string `help:"The datetime of the capture (1 to 14 digits); without it, of any." placeholder:"TS"`
	Group string `help:"The reader's group." placeholder:"NAME"`
	Rules string `name:"access" help:"The file of rules." required:"" placeholder:"FILE" cfg:""`
}

// Validate implements kong's interface.
func (c *accessCmd) Validate() error {
	_, err := rulesfile.Read(c.Rules)
	return err
}

// Run explains which rules apply to a URI-R.
func (c *accessCmd) Run(w *workspace.Workspace) error {
	found, err := rulesfile.Read(c.Rules)
	if err != nil {
		return err
	}
	key := surt.Of(memento.ParseURIR(c.Test))
	page := found.For(key, c.Group)
	fmt.Fprintf(w.Stdout, "key: %s\n", key)
	if c.At == "" {
		return c.explainAll(w, page)
	}
	at, err := cdx.ParseTimestamp(c.At)
	if err != nil {
		return err
	}
	now := time.Now()
	for _, r := range page.Rules() {
		why := r.Passes(at, now)
		if why == "" {
			fmt.Fprintf(w.Stdout, "%s, by line %d: %s\n", r.Access, r.Line, rulesfile.Describe(r))
			return nil
		}
		fmt.Fprintf(w.Stdout, "not line %d (%s): %s\n", r.Line, rulesfile.Describe(r), why)
	}
	fmt.Fprintln(w.Stdout, "allow: no rule applies")
	return nil
}

func (c *accessCmd) explainAll(w *workspace.Workspace, page access.Page) error {
	for _, r := range page.Rules() {
		fmt.Fprintf(w.Stdout, "%s, by line %d: %s\n", r.Access, r.Line, rulesfile.Describe(r))
		if r.Always() {
			return nil
		}
	}
	_, err := fmt.Fprintln(w.Stdout, "allow, if no rule applies")
	return err
}

// checkRules refuses a file of access rules that can't be read. path may be "".
func checkRules(path string) error {
	_, err := rulesfile.Policy(path)
	if err != nil {
		return fmt.Errorf("--access: %w", err)
	}
	return nil
}
