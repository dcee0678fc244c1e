package write

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"github.com/varve-archive/varve/warc"
)

// A Mended is a file that a process had no time to finish.
type Mended struct {
	Path    string // of the finished file; "" if there was no capture in it, and it was removed
	Was     string // how it was called
	Records int    // in it, with the one that says what it is
	Cut     int64  // bytes of a record that was not written to its end
}

// Mend finishes the files of a name in a folder that processes have left when they were killed: what follows the last
// whole record is cut off, and the file gets its name. Files that are being written are left alone. A folder that doesn't
// exist has none. It mends what it can; the error names what it can't.
func Mend(ctx context.Context, dir, name string) ([]Mended, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	left, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	ours := namesOf(name, suffix+open)
	var all []Mended
	var failed error
	for _, e := range left {
		if !ours.MatchString(e.Name()) || !e.Type().IsRegular() {
			continue
		}
		path := filepath.Join(dir, e.Name())
		m, err := mend(ctx, path)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("write: mending %s: %w", path, err))
		} else if m != nil {
			all = append(all, *m)
		}
	}
	return all, failed
}

// Finished returns the paths of the complete files of a name in a folder, in the order in which they were begun. A folder that doesn't
// exist has none.
func Finished(dir, name string) (paths []string, err error) {
	list, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	ours := namesOf(name, suffix)
	for _, e := range list {
		if ours.MatchString(e.Name()) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths, err
}

// namesOf matches the names of files that are called after a name, with any mark.
func namesOf(name, end string) *regexp.Regexp {
	return regexp.MustCompile("^" + regexp.QuoteMeta(name) + `-\d{14}-\d{5,}(-[A-Za-z0-9]{1,16})?` + regexp.QuoteMeta(end) + "$")
}

// SameWriter reports whether two complete files, given by paths, have the same mark ([Config.Mark]).
func SameWriter(a, b string) bool { return markOf(a) == markOf(b) }

var marked = regexp.MustCompile(`-\d{14}-\d{5,}(-[A-Za-z0-9]{1,16})?` + regexp.QuoteMeta(suffix) + "$")

func markOf(path string) string {
	if found := marked.FindStringSubmatch(path); found != nil {
		return found[1]
	}
	return ""
}

// mend finishes a file. It returns nil if there is nothing to do.
func mend(ctx context.Context, path string) (*Mended, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) { // another process was faster
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	if !mine(f) {
		return nil, nil
	}
	end, records, captures, err := whole(ctx, path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	m := &Mended{Was: path, Records: records, Cut: info.Size() - end}
	if captures == 0 {
		return m, os.Remove(path)
	}
	if m.Cut > 0 {
		err = f.Truncate(end)
	}
	if err = errors.Join(err, f.Sync()); err != nil {
		return nil, err
	}
	m.Path, err = named(path)
	return m, err
}

// whole returns where the last whole record of a file ends, and how many there are.
func whole(ctx context.Context, path string) (end int64, records, captures int, err error) {
	f, err := warc.Local{}.Open(ctx, path)
	if err != nil {
		return 0, 0, 0, err
	}
	defer f.Close()
	for rec, err := range warc.Scan(ctx, f, path, 0) {
		var damage *warc.Damage
		if errors.As(err, &damage) {
			continue
		} else if err != nil {
			return 0, 0, 0, err
		}
		if _, err := io.Copy(io.Discard, rec.Block); err != nil {
			continue // the scan yields this damage next
		}
		length, err := rec.Finish()
		if err != nil {
			continue
		}
		end = rec.Offset + length
		records++
		if rec.Type != "warcinfo" {
			captures++
		}
	}
	return end, records, captures, ctx.Err()
}
