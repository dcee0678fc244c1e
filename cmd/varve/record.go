package main

import (
	"context"

	"github.com/varve-archive/varve/cmd/varve/config"
	"github.com/varve-archive/varve/cmd/varve/gathering"
	"github.com/varve-archive/varve/cmd/varve/workspace"
)

type recordCmd struct {
	Listen       string        `help:"Address of the proxy." default:"127.0.0.1:8082" placeholder:"ADDR"`
	Warcs        string        `help:"Folder or s3://BUCKET/PREFIX for WARCs, else warcs/COLLECTION in --data." placeholder:"DIR" cfg:""`
	Secrets      bool          `help:"Write credentials, the values of cookies, and passwords of forms too."`
	AllowPrivate bool          `help:"Record addresses too that aren't on the public Internet."`
	InsecureTLS  bool          `help:"Record servers too with invalid certificates or old TLS." name:"insecure-tls"`
	MaxBytes     config.Volume `help:"Longest answer kept whole; of longer ones the record has the start." default:"1GB" placeholder:"SIZE"`
	Replay       string        `help:"Where links to recorded pages lead; the server that runs on --data without." placeholder:"URL"`
}

// Validate checks the flags; kong calls it after parsing.
func (c *recordCmd) Validate() error { return gathering.CheckPlace(c.Warcs) }

// Run records what browsers ask for through the proxy, until it is stopped.
func (c *recordCmd) Run(ctx context.Context, w *workspace.Workspace) error {
	out, err := gathering.Open(ctx, w, c.Warcs, gathering.RecordName)
	if err != nil {
		return err
	}
	job := &gathering.Record{
		Output: out, Listen: c.Listen, Secrets: c.Secrets, AllowPrivate: c.AllowPrivate, InsecureTLS: c.InsecureTLS,
		MaxBytes: int64(c.MaxBytes), Replay: c.Replay,
	}
	return job.Run(ctx)
}
