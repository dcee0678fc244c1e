package main

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/varve-archive/varve/cmd/varve/config"
	"github.com/varve-archive/varve/cmd/varve/gathering"
	"github.com/varve-archive/varve/cmd/varve/workspace"
	"github.com/varve-archive/varve/gather/fetch"
)

type fetchCmd struct {
	Addresses    []string      `arg:"" name:"address" help:"URLs as they were on the web, or TimeMaps of archives."`
	Archive      []string      `help:"Archives to ask: what their TimeMaps or TimeGates begin with." placeholder:"URL" sep:"none"`
	From         string        `help:"Only what was captured then or later: 1 to 14 digits of YYYYMMDDhhmmss." placeholder:"TS"`
	To           string        `help:"Only what was captured until then." placeholder:"TS"`
	Warcs        string        `help:"Folder or s3://BUCKET/PREFIX for WARCs, else warcs/COLLECTION in --data." placeholder:"DIR" cfg:""`
	Delay        time.Duration `help:"Pause between two requests to an archive." default:"1s" placeholder:"TIME"`
	MaxBytes     config.Volume `help:"Longest body; what is longer is cut off." default:"1GB" placeholder:"SIZE"`
	AllowPrivate bool          `help:"Ask addresses too that aren't on the public Internet."`
	InsecureTLS  bool          `help:"Ask archives too with invalid certificates or old TLS." name:"insecure-tls"`
	UserAgent    string        `help:"What varve calls itself to archives, with a contact." placeholder:"TEXT"`
}

// Validate checks the flags; kong calls it after parsing.
func (c *fetchCmd) Validate() error {
	_, _, err := period(c.From, c.To)
	return errors.Join(err, gathering.CheckPlace(c.Warcs))
}

// waybackTimeMaps is where the TimeMaps of URLs are found if nothing else leads to them, unless --archive is given.
const waybackTimeMaps = "https://web.archive.org/web/timemap/link/"

// Run fetches mementos.
func (c *fetchCmd) Run(ctx context.Context, w *workspace.Workspace) error {
	from, to, err := period(c.From, c.To)
	if err != nil {
		return err
	}
	out, err := gathering.Open(ctx, w, c.Warcs, gathering.FetchName)
	if err != nil {
		return err
	}
	job := &gathering.Fetch{
		Output: out, UserAgent: cmp.Or(c.UserAgent, w.Agent()), AllowPrivate: c.AllowPrivate, InsecureTLS: c.InsecureTLS,
		MaxBytes: int64(c.MaxBytes), Delay: c.Delay,
		Question: fetch.Question{
			Addresses: c.Addresses, Archives: c.Archive, Otherwise: []string{waybackTimeMaps}, Selection: fetch.Selection{From: from, To: to},
		},
	}
	return job.Run(ctx)
}
