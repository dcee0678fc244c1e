package ingest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/varve-archive/varve/warc"
)

// suffixes are the names that are tried in folders.
var suffixes = []string{".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz", ".wacz"}

// A found is a stored file on disk, or one inside a WACZ.
type found struct {
	path    string // absolute, as warc.Open takes it
	size    int64
	changed time.Time
}

// discover expands files, folders and globs into the stored files they mean, sorted by name so that
// a run gives out file numbers in the same order each time. What can't be looked at is reported.
func discover(paths []string, report func(Problem)) []found {
	seen := map[string]bool{}
	var out []found
	add := func(path string) {
		for _, p := range inside(path, report) {
			if seen[p] {
				continue
			}
			seen[p] = true
			size, changed, err := warc.Stat(p)
			if err != nil {
				report(Problem{File: p, Offset: -1, Reason: reasonOf(err)})
				continue
			}
			out = append(out, found{path: p, size: size, changed: changed})
		}
	}
	for _, p := range paths {
		for _, match := range expand(p, report) {
			walk(match, add, report)
		}
	}
	slices.SortFunc(out, func(a, b found) int {
		if d := strings.Compare(warc.Base(a.path), warc.Base(b.path)); d != 0 {
			return d
		}
		return strings.Compare(a.path, b.path)
	})
	return out
}

// expand returns the absolute paths that p names, itself or, where there is no such file, as a glob.
func expand(p string, report func(Problem)) []string {
	abs, err := filepath.Abs(p)
	if err != nil {
		report(Problem{File: p, Offset: -1, Reason: err.Error()})
		return nil
	}
	outer, _, _ := warc.CutMember(abs)
	if _, err := os.Lstat(outer); err == nil || !strings.ContainsAny(p, "*?[") {
		return []string{abs}
	}
	matches, err := filepath.Glob(abs)
	if err != nil || len(matches) == 0 {
		report(Problem{File: p, Offset: -1, Reason: "no file matches this pattern"})
	}
	return matches
}

func walk(path string, add func(string), report func(Problem)) {
	info, err := os.Stat(outerOf(path))
	if err != nil {
		report(Problem{File: path, Offset: -1, Reason: reasonOf(err)})
		return
	}
	if !info.IsDir() {
		add(path)
		return
	}
	_ = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			report(Problem{File: p, Offset: -1, Reason: reasonOf(err)})
		case !d.IsDir() && hasSuffix(p):
			if target, err := os.Stat(p); err != nil || target.Mode().IsRegular() {
				add(p)
			}
		}
		return nil
	})
}

func outerOf(path string) string {
	outer, _, _ := warc.CutMember(path)
	return outer
}

func hasSuffix(path string) bool {
	lower := strings.ToLower(path)
	return slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(lower, s) })
}

// inside returns the stored files that a path holds: itself, or the members of a WACZ.
func inside(path string, report func(Problem)) []string {
	if _, _, member := warc.CutMember(path); member || !strings.HasSuffix(strings.ToLower(path), ".wacz") {
		return []string{path}
	}
	members, err := warc.Members(path)
	if err != nil {
		report(Problem{File: path, Offset: -1, Reason: reasonOf(err)})
		return nil
	}
	if len(members) == 0 {
		report(Problem{File: path, Offset: -1, Reason: "holds no WARC file"})
	}
	for i, m := range members {
		members[i] = path + "#" + m
	}
	return members
}

// reasonOf says err without the path, which a Problem has already.
func reasonOf(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return fmt.Sprintf("can't be read: %v", pe.Err)
	}
	return err.Error()
}
