package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/internal/sentinel"
)

// suffixes are the names' endings of files that are indexed in folders.
func suffixes() []string {
	return []string{".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz", ".wacz"}
}

// A storedFile is a stored file that was found, or a member of a WACZ.
type storedFile struct {
	path    string // in the form that warc.Open takes
	source  string // what the file was unpacked from; "" if it is stored itself
	size    int64
	changed time.Time
	claim   *index.Claim // in a shared index; nil before it is claimed
}

// discover expands files, folders and patterns into stored files, sorted by name so that each run numbers files in the
// same order. It reports what can't be read.
func (r *run) discover(ctx context.Context, paths []string) []storedFile {
	d := discovery{run: r, seen: map[string]bool{}, at: map[string]int{}, indexed: r.catalogue().byPath}
	for _, p := range paths {
		for _, match := range r.expand(ctx, p) {
			d.walk(ctx, match)
		}
	}
	slices.SortFunc(d.files, func(a, b storedFile) int {
		return cmp.Or(strings.Compare(warc.Base(a.path), warc.Base(b.path)), strings.Compare(a.path, b.path))
	})
	return d.files
}

// Unusable returns the paths from which nothing could be indexed, with the reason: they don't exist, no file matches them, or they hold no
// file with a known suffix. storage nil means [warc.Local].
func Unusable(ctx context.Context, storage warc.Storage, paths []string) (bad []Problem) {
	if storage == nil {
		storage = warc.Local{}
	}
	for _, p := range paths {
		if reason := unusable(ctx, storage, p); reason != "" {
			bad = append(bad, Problem{File: p, Offset: -1, Reason: reason})
		}
	}
	return bad
}

func unusable(ctx context.Context, storage warc.Storage, path string) string {
	matches, err := find(ctx, storage, path)
	if err != nil {
		return reasonOf(path, err)
	}
	reason := "it holds nothing that is tried: " + strings.Join(suffixes(), ", ")
	for _, match := range matches {
		outer, _, _ := warc.CutMember(match)
		e, err := storage.Stat(ctx, outer)
		if err != nil {
			reason = reasonOf(match, err)
			continue
		}
		if !e.Folder {
			return ""
		}
		for e, err := range storage.List(ctx, match, hasSuffix) {
			switch {
			case err != nil:
				reason = reasonOf(match, err) // which names what is in the folder
			case !e.Folder:
				return ""
			}
		}
	}
	return reason
}

// errUnmatched says that a name leads to nothing.
const errUnmatched = sentinel.Error("no file matches this pattern")

// find returns the files and folders to which a name leads, at least one.
func find(ctx context.Context, storage warc.Storage, name string) ([]string, error) {
	matches, err := storage.Find(ctx, name)
	if err == nil && len(matches) == 0 {
		err = errUnmatched
	}
	return matches, err
}

// reportFile reports a file that can't be used at all. It is no fault of a file that the run was stopped.
func (r *run) reportFile(path string, err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	r.report(Problem{File: path, Offset: -1, Reason: reasonOf(path, err)})
}

// expand returns the paths for a name on the command line.
func (r *run) expand(ctx context.Context, name string) []string {
	matches, err := find(ctx, r.Storage, name)
	if err != nil {
		r.reportFile(name, err)
	}
	return matches
}

// A discovery collects files, each once.
type discovery struct {
	*run
	seen    map[string]bool
	indexed map[string]known // by path
	files   []storedFile
	at      map[string]int // the place of each in files, by path
}

// walk adds the file at path or, if it is a folder, the files in it that look like stored files.
func (d *discovery) walk(ctx context.Context, path string) {
	outer, _, _ := warc.CutMember(path)
	e, err := d.Storage.Stat(ctx, outer)
	if err != nil {
		d.reportFile(path, err)
		return
	}
	if !e.Folder {
		d.add(ctx, path, e)
		return
	}
	for e, err := range d.Storage.List(ctx, path, hasSuffix) {
		switch {
		case err != nil:
			d.reportFile(e.Path, err)
		case !e.Folder && !d.comes(e):
			d.add(ctx, e.Path, e)
		}
	}
}

// add adds the file at path, or the members of the WACZ there. e describes the whole file.
func (d *discovery) add(ctx context.Context, path string, e warc.Entry) {
	if d.Claims.has(path) { // checked before the index: a file whose claim was released is in it
		return
	}
	for _, f := range d.membersOf(ctx, path, e) {
		if d.seen[f.path] {
			continue
		}
		d.seen[f.path] = true
		f, ok := d.readable(ctx, f)
		if !ok {
			continue
		}
		if at, twice := d.at[f.path]; !twice {
			d.at[f.path], d.files = len(d.files), append(d.files, f)
		} else if f.source != "" { // the copy was found too
			d.files[at].source = f.source
		}
	}
}

// readable returns the file itself, or its unpacked copy. It reports a file that could not be unpacked.
func (d *discovery) readable(ctx context.Context, f storedFile) (storedFile, bool) {
	if d.Unpack == nil || d.indexed[f.path].unchanged(f) {
		return f, true
	}
	side, err := d.Unpack(ctx, f.path)
	if err != nil {
		d.reportFile(f.path, err)
		return f, false
	}
	if side == f.path {
		return f, true
	}
	e, err := d.Storage.Stat(ctx, side)
	if err != nil {
		d.reportFile(side, err)
		return f, false
	}
	return storedFile{path: side, source: f.path, size: e.Size, changed: e.ModTime}, true
}

func hasSuffix(path string) bool {
	lower := strings.ToLower(path)
	return slices.ContainsFunc(suffixes(), func(s string) bool { return strings.HasSuffix(lower, s) })
}

// membersOf returns the stored files at a path: the file there, which e describes, or the members of a WACZ.
func (r *run) membersOf(ctx context.Context, path string, e warc.Entry) (files []storedFile) {
	whole := storedFile{path: path, size: e.Size, changed: e.ModTime}
	if _, _, member := warc.CutMember(path); member {
		if f, err := warc.Open(ctx, r.Storage, path); err == nil { // otherwise it is reported when it is read
			whole.size = f.Size()
			f.Close()
		}
		return []storedFile{whole}
	} else if !strings.HasSuffix(strings.ToLower(path), ".wacz") {
		return []storedFile{whole}
	}
	members, err := warc.Members(ctx, r.Storage, path)
	if err != nil {
		r.reportFile(path, err)
	} else if len(members) == 0 {
		r.report(Problem{File: path, Offset: -1, Reason: "holds no WARC file"})
	}
	for _, m := range members {
		files = append(files, storedFile{path: path + "#" + m.Path, size: m.Size, changed: e.ModTime})
	}
	return files
}

// reasonOf returns the text of err without path, which the Problem already has.
func reasonOf(path string, err error) string {
	outer, _, _ := warc.CutMember(path)
	if pe, ok := errors.AsType[*fs.PathError](err); ok && (pe.Path == path || pe.Path == outer) {
		return fmt.Sprintf("can't be read: %v", pe.Err)
	}
	return err.Error()
}

// isFile reports whether there is a file at path; for a path into a WACZ, whether the WACZ is there.
func (r *run) isFile(ctx context.Context, path string) bool {
	outer, _, _ := warc.CutMember(path)
	e, err := r.Storage.Stat(ctx, outer)
	return err == nil && !e.Folder
}
