// Package rulesfile keeps a policy up to date with a file of access rules: it reads the file, reads it again when it changes, and logs
// which rules began and ended.
//
// [Read] reads a file once. [Open] puts its rules into an [access.Policy], and [File.Watch] keeps them up to date.
package rulesfile

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/internal/sleep"
)

// Read reads a file of rules: pywb's if its name ends in .aclj, else YAML.
func Read(path string) (*access.Rules, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	read := access.Read
	if strings.HasSuffix(path, ".aclj") {
		read = access.ReadACLJ
	}
	found, err := read(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return found, nil
}

// Policy returns the rules of a file, nil if path is "".
func Policy(path string) (*access.Policy, error) {
	if path == "" {
		return nil, nil
	}
	found, err := Read(path)
	if err != nil {
		return nil, err
	}
	policy := &access.Policy{}
	policy.Put(found)
	return policy, nil
}

// A File is a file of the current rules.
type File struct {
	Policy *access.Policy

	path    string
	log     *slog.Logger
	taken   *takedowns  // nil if nothing may be written
	force   os.FileInfo // the version of the file that was last read, valid or not
	missing bool        // the file can't be read at the moment
}

// Open reads the rules of a file; without a path there are none. Rules that begin or end are appended to the file takedownsFile, unless
// that is "".
func Open(path, takedownsFile string, log *slog.Logger) (*File, error) {
	f := &File{path: path, Policy: &access.Policy{}, log: log}
	if takedownsFile != "" {
		f.taken = &takedowns{path: takedownsFile}
	}
	if path == "" {
		return f, nil
	}
	var err error
	if f.force, err = os.Stat(path); err != nil {
		return nil, err
	}
	found, err := Read(path)
	if err != nil {
		return nil, err
	}
	return f, f.put(found)
}

// put makes rules current, and logs what that changes. They are current even after an error.
func (f *File) put(found *access.Rules) error {
	f.Policy.Put(found)
	f.log.Info("access rules are in force", "file", f.path, "rules", found.Len())
	if f.taken == nil {
		f.log.Info("the log of takedowns is not written: nothing may be")
		return nil
	}
	if err := f.taken.note(time.Now(), found.All()); err != nil {
		return fmt.Errorf("the log of takedowns: %w", err)
	}
	return nil
}

// interval is the time between two checks of the file. A changed file is read when two checks found it the same, so that it isn't read
// while it is being written.
const interval = 500 * time.Millisecond

// Watch reads the file again when it changes, until ctx ends.
func (f *File) Watch(ctx context.Context) {
	if f.path == "" {
		return
	}
	var last os.FileInfo
	for range sleep.Every(ctx, interval) {
		now, err := os.Stat(f.path)
		if err != nil {
			if !f.missing {
				f.log.Error("the file of access rules can't be read: the rules in force stay", "file", f.path, "error", err)
			}
			f.missing, f.force = true, nil
			continue
		}
		f.missing = false
		if unchanged(last, now) && !unchanged(f.force, now) {
			f.force = now
			f.reload()
		}
		last = now
	}
}

func unchanged(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

func (f *File) reload() {
	found, err := Read(f.path)
	if err != nil {
		f.log.Error("the access rules can't be taken: those in force stay", "error", err)
	} else if err := f.put(found); err != nil {
		f.log.Error("the access rules are in force, but that can't be noted", "error", err)
	}
}

// Describe returns what a rule applies to.
func Describe(r *access.Rule) string {
	parts := []string{string(r.Match) + " " + r.URL}
	if r.From != 0 {
		parts = append(parts, "captured from "+r.From.String())
	}
	if r.To != 0 {
		parts = append(parts, "captured to "+r.To.String())
	}
	if e := r.Embargo.String(); e != "" {
		parts = append(parts, e)
	}
	if r.Group != "" {
		parts = append(parts, "for the group "+r.Group)
	}
	return strings.Join(parts, ", ")
}
