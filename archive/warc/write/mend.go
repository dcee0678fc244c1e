package write

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/internal/disk"
)

// A RepairedFile is a file that a process had left open.
type RepairedFile struct {
	Path    string // of the finished file; "" if it had no capture and was removed
	Was     string // its former name
	Records int    // number of records, including the warcinfo record
	Cut     int64  // bytes of an incomplete record that were cut off
}

// Mend completes the files of a name in a folder that killed processes have left open: it cuts off what follows the last whole record, and
// gives the file its final name. Files that are being written are left alone. A folder that doesn't exist has none. Errors name the files
// that can't be mended; the others are mended.
func Mend(ctx context.Context, dir, name string) ([]RepairedFile, error) {
	return Mending{Dir: dir, Name: name}.Run(ctx)
}

// A Mending is [Mend] with knowledge of responses that were also written elsewhere.
type Mending struct {
	Dir, Name string
	// Repeated is called with the path of each file, after incomplete records were cut off and before the file is renamed. It returns the
	// addresses whose responses are removed from the file, together with their requests and metadata. It may be nil.
	Repeated func(path string) (addresses []string, err error)
}

// Run mends the files.
func (m Mending) Run(ctx context.Context) ([]RepairedFile, error) {
	if err := checkName(m.Name); err != nil {
		return nil, err
	}
	left, err := entriesOf(m.Dir, m.Name, suffix+openSuffix)
	if err != nil {
		return nil, err
	}
	disk.RemoveAbandoned(m.Dir, mending, time.Now())
	var all []RepairedFile
	var failed error
	for _, e := range left {
		if !e.Type().IsRegular() {
			continue
		}
		path := filepath.Join(m.Dir, e.Name())
		mended, err := m.mend(ctx, path)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("write: mending %s: %w", path, err))
		} else if mended != nil {
			all = append(all, *mended)
		}
	}
	return all, failed
}

// Writing returns the marks of the incomplete files of a name in a folder. A folder that doesn't exist has none.
func Writing(dir, name string) (marks []string, err error) {
	list, err := entriesOf(dir, name, suffix+openSuffix)
	for _, e := range list {
		marks = append(marks, markOf(strings.TrimSuffix(e.Name(), openSuffix)))
	}
	return marks, err
}

// Finished returns the paths of the complete files of a name in a folder, in the order in which they were begun. A folder that doesn't
// exist has none.
func Finished(dir, name string) (paths []string, err error) {
	list, err := entriesOf(dir, name, suffix)
	for _, e := range list {
		paths = append(paths, filepath.Join(dir, e.Name()))
	}
	return paths, err
}

// entriesOf returns what has the name of a writer's file in a folder, in order.
func entriesOf(dir, name, end string) ([]os.DirEntry, error) {
	list, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	ours := namesOf(name, end)
	return slices.DeleteFunc(list, func(e os.DirEntry) bool { return !ours.MatchString(e.Name()) }), err
}

// IsFinished reports whether file can be the name of a complete file of a writer with this name.
func IsFinished(name, file string) bool { return namesOf(name, suffix).MatchString(file) }

// namesOf matches the names of files of a writer's name, with any mark.
func namesOf(name, end string) *regexp.Regexp {
	return regexp.MustCompile("^" + regexp.QuoteMeta(name) + `-\d{14}-\d{5,}(-[A-Za-z0-9]{1,16})?` + regexp.QuoteMeta(end) + "$")
}

// SameWriter reports whether two complete files, given by paths, have the same mark ([Config.Mark]).
func SameWriter(a, b string) bool { return markOf(a) == markOf(b) }

var markedName = regexp.MustCompile(`-\d{14}-\d{5,}(-[A-Za-z0-9]{1,16})?` + regexp.QuoteMeta(suffix) + "$")

func markOf(path string) string {
	if found := markedName.FindStringSubmatch(path); found != nil {
		return strings.TrimPrefix(found[1], "-")
	}
	return ""
}

// Rename gives a complete file the next serial number that is free in its folder, and returns its path.
func Rename(path string) (string, error) {
	at := serialNumber.FindStringSubmatchIndex(path)
	if at == nil {
		return "", fmt.Errorf("write: %s: it has no name of a complete file", path)
	}
	number, err := strconv.Atoi(path[at[2]:at[3]])
	for err == nil {
		number++
		next := fmt.Sprintf("%s%05d%s", path[:at[2]], number, path[at[3]:])
		if _, failed := os.Lstat(next + openSuffix); failed == nil {
			continue // that file is being written
		}
		if err = disk.MoveNew(path, next); err == nil {
			return next, nil
		}
		if errors.Is(err, os.ErrExist) {
			err = nil
		}
	}
	return "", fmt.Errorf("write: %w", err)
}

// serialNumber finds the serial number in the path of a complete file.
var serialNumber = regexp.MustCompile(`-\d{14}-(\d{5,9})(?:-[A-Za-z0-9]{1,16})?` + regexp.QuoteMeta(suffix) + "$")

// mend mends one file. It returns nil if there is nothing to do.
func (m Mending) mend(ctx context.Context, path string) (*RepairedFile, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) { // another process was faster
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer func() { f.Close() }()
	if !lockNamed(f) {
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
	is := &RepairedFile{Was: path, Records: records, Cut: info.Size() - end}
	if captures == 0 {
		return is, os.Remove(path)
	}
	if is.Cut > 0 {
		err = f.Truncate(end)
	}
	if err = errors.Join(err, f.Sync()); err != nil {
		return nil, err
	}
	if f, err = m.withoutRepeated(ctx, f); err != nil {
		return nil, err
	}
	is.Path, err = named(path)
	return is, err
}

// withoutRepeated removes repeated responses. It returns the file that then has the name.
func (m Mending) withoutRepeated(ctx context.Context, f *os.File) (*os.File, error) {
	if m.Repeated == nil {
		return f, nil
	}
	addresses, err := m.Repeated(f.Name())
	if err != nil {
		return f, err
	}
	return takeOut(ctx, f, addresses)
}

// whole returns the offset after the last whole record of a file, and the numbers of records and captures.
func whole(ctx context.Context, path string) (end int64, records, captures int, err error) {
	f, err := warc.Local{}.Open(ctx, path)
	if err != nil {
		return 0, 0, 0, err
	}
	defer f.Close()
	for rec, err := range warc.Scan(ctx, f, path, 0) {
		if _, ok := errors.AsType[*warc.Damage](err); ok {
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
