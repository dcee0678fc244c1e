package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/cmd/varve/workspace"
)

type checkCmd struct {
	Paths      []string `arg:"" optional:"" name:"path" help:"With --repair: files, folders or globs where moved files may be."`
	Repair     bool     `help:"First repair what can be: note where moved files are now, build a damaged search anew."`
	RemoveLost bool     `help:"With --repair: remove files from the index that are nowhere."`
}

// Validate checks the flags; kong calls it after parsing.
func (c *checkCmd) Validate() error {
	if !c.Repair && (c.RemoveLost || len(c.Paths) > 0) {
		return errors.New("paths and --remove-lost go with --repair")
	}
	return nil
}

// checkInterval is the number of records between two lines of progress.
const checkInterval = 10_000

// Run re-reads every record that the index of the collection points to.
func (c *checkCmd) Run(ctx context.Context, w *workspace.Workspace) (err error) {
	if bad, err := w.Usable(ctx, c.Paths); err != nil || bad {
		return errors.Join(err, console.ErrUsage)
	}
	x, err := w.OpenExisting(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	if c.Repair {
		if err := c.repair(ctx, w, x); err != nil {
			return err
		}
	}
	store := w.Records(x, nil)
	defer store.Close()
	return errors.Join(c.verifyIndex(ctx, w, x), c.verify(ctx, w, x, store))
}

// verifyIndex verifies the index and the searches, and reports damage.
func (c *checkCmd) verifyIndex(ctx context.Context, w *workspace.Workspace, x *index.Index) error {
	err := x.Verify(ctx)
	for _, coll := range x.Collections() {
		if damage := search.Verify(filepath.Join(w.SearchDir(), coll)); damage != nil {
			w.Sayf("%v: varve check --repair builds it anew", damage)
			err = errors.Join(err, console.ErrPart)
		}
	}
	return err
}

// verify reads the records of the collection and reports errors.
func (c *checkCmd) verify(ctx context.Context, w *workspace.Workspace, x *index.Index, store *warc.Store) error {
	out := bufio.NewWriter(w.Stdout)
	defer out.Flush()
	checked, bad := 0, 0
	var same console.Repeats
	say := func(of *cdx.Capture, reason string) {
		place := fmt.Sprintf("offset %d", of.Offset)
		if same.Add(reason, of.FileName, place) {
			fmt.Fprintln(out, console.OneLine(fmt.Sprintf("%s %s: %s (%s %s)", of.FileName, place, reason, of.Time, of.URL)))
		}
	}
	for capture, err := range x.Captures(ctx, cdx.Span{Coll: w.Collection}) {
		if err != nil {
			return err
		}
		findings, err := store.Verify(ctx, capture.Location)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			bad++
			say(capture, reasonOf(err))
		}
		for _, finding := range findings {
			say(capture, "warning: "+finding)
		}
		if checked++; checked%checkInterval == 0 {
			fmt.Fprintf(w.Stderr, "varve: %s checked, %d bad\n", console.Count(int64(checked), "record"), bad)
		}
	}
	for _, line := range same.Rest() {
		fmt.Fprintln(out, console.OneLine(line))
	}
	fmt.Fprintf(w.Stderr, "varve: %s checked, %d bad\n", console.Count(int64(checked), "record"), bad)
	if bad > 0 {
		return console.ErrPart
	}
	return nil
}

// reasonOf says what is wrong with a record, without its place.
func reasonOf(err error) string {
	if damage, ok := errors.AsType[*warc.Damage](err); ok {
		return damage.Reason
	}
	return err.Error()
}

// repair repairs what it can and reports it. It looks for the files of all collections.
func (c *checkCmd) repair(ctx context.Context, w *workspace.Workspace, x *index.Index) error {
	if w.ReadOnly {
		return fmt.Errorf("%s can't be written, so nothing can be repaired there", w.Data)
	}
	mounted := map[string]bool{} // by folder
	for id, path := range w.Locate(ctx, x, c.Paths) {
		f, _ := x.File(id)
		mounted[folderOf(w, f.Path)] = true
		w.Sayf("repaired: %s was at %s and is at %s", f.Name, f.Path, path)
		f.Path = path
		if _, err := x.PutFile(ctx, f); err != nil {
			return err
		}
	}
	if err := c.lost(ctx, w, x, mounted); err != nil {
		return err
	}
	for _, coll := range x.Collections() {
		if err := c.repairSearch(ctx, w, x, coll); err != nil {
			return err
		}
	}
	return nil
}

// folderOf returns the folder of a stored file.
func folderOf(w *workspace.Workspace, path string) string {
	outer, _, _ := warc.CutMember(path)
	return w.Storage.Beside(outer, ".")
}

// lost names missing files, and removes them from the index if requested. A folder that is missing or empty may be on a disk that isn't
// mounted, so its files are not lost; mounted has folders of which more is known.
func (c *checkCmd) lost(ctx context.Context, w *workspace.Workspace, x *index.Index, mounted map[string]bool) error {
	var gone []index.File
	for _, f := range x.Files() {
		if f.Path == "" { // an imported index named it
			continue
		}
		if !ingest.IsGone(ctx, w.Storage, f.Path) {
			continue
		}
		folder := folderOf(w, f.Path)
		if _, known := mounted[folder]; !known {
			mounted[folder] = !ingest.IsEmpty(ctx, w.Storage, folder)
		}
		switch {
		case !mounted[folder]:
			w.Sayf("%s is no longer at %s, and nothing else is found in its folder, as if a disk were not mounted: mend that, name a path "+
				"where it may be, or take it out with varve remove", f.Name, f.Path)
			continue
		case !c.RemoveLost:
			w.Sayf("%s is no longer at %s: name a path where it may be, or remove it with --remove-lost", f.Name, f.Path)
			continue
		}
		gone = append(gone, f)
	}
	if len(gone) == 0 {
		return nil
	}
	if err := x.RemoveFiles(ctx, index.IDs(gone)...); err != nil {
		return err
	}
	for _, f := range gone {
		w.Sayf("repaired: removed %s (%s), which is no longer at %s", f.Name, console.Count(f.Captures, "capture"), f.Path)
	}
	if _, _, err := x.Resolve(ctx); err != nil {
		return err
	}
	w.RevalidateVersions(ctx, x)
	return nil
}

// repairSearch rebuilds the search of a collection if it is damaged. A search with access rules must be rebuilt by a command that has
// these rules.
func (c *checkCmd) repairSearch(ctx context.Context, w *workspace.Workspace, x *index.Index, coll string) error {
	dir := filepath.Join(w.SearchDir(), coll)
	damage := search.Verify(dir)
	if damage == nil {
		return nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	said := "repaired: " + damage.Error() + ": it was removed"
	if rules, _ := os.ReadFile(dir + "@rules"); len(rules) > 0 {
		w.Say(said + ", and the next varve serve builds it anew under its access rules")
		return nil
	}
	w.Say(said + " and is built anew")
	_, err := (&searchBuild{Workspace: w, coll: coll}).run(ctx, x)
	return err
}
