package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/access/rulesfile"
	"github.com/varve-archive/varve/archive/blobstore"
	"github.com/varve-archive/varve/archive/export"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/cmd/varve/workspace"
	"github.com/varve-archive/varve/internal/disk"
)

type exportCmd struct {
	URLs   []string `arg:"" optional:"" name:"url" help:"URLs, may have * at their end or *. before their host; all without one."`
	From   string   `help:"Only what was captured then or later: 1 to 14 digits of YYYYMMDDhhmmss." placeholder:"TS"`
	To     string   `help:"Only what was captured until then." placeholder:"TS"`
	Format string   `help:"warc, wacz, cdxj, or jsonl: a line for each version, with its text." enum:"warc,wacz,cdxj,jsonl" default:"warc"`
	Output string   `help:"File or s3://…; standard output without. A WARC is compressed unless its name ends in .warc." placeholder:"FILE"`
	Force  bool     `help:"Overwrite the file of --output."`
	Access string   `help:"The access rules to export under; without them everything." placeholder:"FILE" cfg:""`
}

// Validate checks the flags; kong calls it after parsing.
func (c *exportCmd) Validate() error {
	_, err := c.selection("")
	if c.Output != "" && blobstore.IsRemote(c.Output) {
		_, _, wrong := cutAddress(c.Output)
		err = errors.Join(err, wrong)
	}
	return errors.Join(err, checkRules(c.Access))
}

func (c *exportCmd) selection(coll string) (s export.Selection, err error) {
	from, to, err := period(c.From, c.To)
	if err != nil {
		return s, err
	}
	return export.Select(coll, c.URLs, from, to)
}

// period reads --from and --to; 0 stands for one that isn't given.
func period(from, to string) (first, last cdx.Timestamp, err error) {
	if from != "" {
		if first, err = cdx.ParseTimestamp(from); err != nil {
			return 0, 0, fmt.Errorf("--from: %w", err)
		}
	}
	if to != "" {
		if last, err = cdx.ParseTimestampEnd(to); err != nil {
			return 0, 0, fmt.Errorf("--to: %w", err)
		}
	}
	return first, last, nil
}

// Run exports the captures of the URLs.
func (c *exportCmd) Run(ctx context.Context, w *workspace.Workspace) (err error) {
	if c.Output == "" && c.binary() && console.IsTerminal(w.Stdout) {
		return errors.New("this is nothing for a terminal: name a file with --output, or redirect standard output")
	}
	if err := c.checkOutput(); err != nil {
		return err
	}
	rules, err := rulesfile.Policy(c.Access)
	if err != nil {
		return err
	}
	arch, closeAll, err := w.OpenArchive(ctx, rules)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeAll()) }()
	job := &export.Job{
		Archive: arch, Software: "varve " + w.Version, Now: time.Now(), Report: func(err error) { w.Say(err.Error()) },
	}
	if job.Selection, err = c.selection(w.Collection); err != nil {
		return err
	}
	shown := w.Progress()
	shown.Count(console.Tally{Doing: "exporting", Noun: "captures", Done: &job.Progress.Captures, Total: &job.Progress.Total})
	err = c.write(ctx, w, func(out io.Writer) error { return c.run(ctx, job, out) })
	shown.Stop()
	if err != nil {
		return err
	}
	return c.done(w, &job.Progress)
}

// checkOutput returns an error if a file would be overwritten without --force.
func (c *exportCmd) checkOutput() error {
	if c.Output == "" || c.Force || blobstore.IsRemote(c.Output) {
		return nil
	}
	if at, err := os.Stat(c.Output); err == nil && at.Mode().IsRegular() && at.Size() > 0 {
		return fmt.Errorf("%s is there already: name another file with --output, or overwrite it with --force", c.Output)
	}
	return nil
}

// binary reports whether the format isn't text.
func (c *exportCmd) binary() bool { return c.Format == "warc" || c.Format == "wacz" }

func (c *exportCmd) run(ctx context.Context, job *export.Job, w io.Writer) error {
	switch c.Format {
	case "wacz":
		return job.WACZ(ctx, w)
	case "cdxj":
		return job.CDXJ(ctx, w)
	case "jsonl":
		return job.JSONL(ctx, w)
	}
	return job.WARC(ctx, w, !strings.HasSuffix(strings.ToLower(c.Output), ".warc"))
}

func (c *exportCmd) done(w *workspace.Workspace, done *export.Progress) error {
	left := done.Held.Load() + done.Problems.Load()
	said := "exported " + console.Count(max(0, done.Captures.Load()-left), "capture")
	if c.Output != "" {
		said += " to " + c.Output
	}
	if n := done.Held.Load(); n > 0 {
		said += ", " + console.Count(n, "capture") + " kept back by access rules"
	}
	if n := done.Problems.Load(); n > 0 {
		w.Say(said + ", " + console.Count(n, "record") + " left out")
		return console.ErrPart
	}
	w.Say(said)
	return nil
}

// write calls f with a writer for the output. A file appears under its name when it is complete.
func (c *exportCmd) write(ctx context.Context, w *workspace.Workspace, f func(io.Writer) error) error {
	if c.Output == "" {
		return buffered(w.Stdout, f)
	}
	if blobstore.IsRemote(c.Output) {
		return putWhole(ctx, w, c.Output, f)
	}
	return writeWhole(c.Output, f)
}

func buffered(w io.Writer, f func(io.Writer) error) error {
	out := bufio.NewWriterSize(w, 1<<18)
	if err := f(out); err != nil {
		return err
	}
	return out.Flush()
}

// cutAddress splits the address of an object into its place and its name.
func cutAddress(address string) (place, name string, err error) {
	i := strings.LastIndexByte(address, '/')
	place, name = address[:i], address[i+1:]
	if name == "" || strings.HasSuffix(place, ":/") {
		return "", "", fmt.Errorf("%q: want s3://BUCKET/KEY", address)
	}
	return place, name, blobstore.Check(place)
}

// putWhole stores what f writes as an object, atomically.
func putWhole(ctx context.Context, ws *workspace.Workspace, address string, f func(io.Writer) error) error {
	place, name, err := cutAddress(address)
	if err != nil {
		return err
	}
	at, err := blobstore.Open(place, blobstore.Config{S3: ws.S3})
	if err != nil {
		return err
	}
	r, w := io.Pipe()
	written := make(chan struct{})
	go func() {
		defer close(written)
		_ = w.CloseWithError(buffered(w, f)) // then putting fails too
	}()
	err = at.Put(ctx, name, r)
	_ = r.CloseWithError(err) // then f stops writing
	<-written
	return err
}

const openSuffix = ".open"

// writeWhole writes a file under another name and renames it when it is on disk. If that fails, nothing is left of it.
func writeWhole(path string, f func(io.Writer) error) (err error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file", path)
	}
	out, err := os.Create(path + openSuffix)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			out.Close()
			os.Remove(out.Name())
		}
	}()
	if err := buffered(out, f); err != nil {
		return err
	}
	if err := errors.Join(out.Sync(), out.Close()); err != nil {
		return err
	}
	if err := os.Rename(out.Name(), path); err != nil {
		return err
	}
	disk.SyncFolder(filepath.Dir(path))
	return nil
}
