package upload

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/internal/sentinel"
)

// Bounds on what a file may make of itself when it is read. Real archives stay far below them.
const (
	maxGrowth    = 200      // how many times as large as the file its records may be
	freeGrowth   = 1 << 30  // what they may be however small the file is, in bytes
	slowest      = 10 << 20 // bytes of the file that are read in a second, at least
	maxDirectory = 64 << 20 // of a WACZ: bytes that are read to list its members
	maxMembers   = 10_000   // files with records in a WACZ
	maxDamaged   = 10_000   // damaged places: each may cost as much as a head of a record
	maxProblems  = 20       // damaged places that are named
	maxPages     = 5        // pages that are named to begin with
	maxURI       = 2_000    // bytes of the URI-R of such a page
)

// A Report is what was found in a file that can be taken.
type Report struct {
	Format  warc.Format
	Records int // read whole
	// Damaged counts the places that can't be read as records; Problems names the first of them.
	Damaged  int
	Problems []Problem
	Pages    []Page // the first pages in it, where a reader may begin
}

// A Problem is a damaged place in a file.
type Problem struct {
	Member string // of a WACZ, "" for other files
	Offset int64  // in bytes from the start of the file, or of its member
	Reason string // half a sentence
}

// A Page is a captured HTML page.
type Page struct {
	URIR string
	Time cdx.Timestamp
}

// A Refusal says why a file is not taken, in a sentence for who sent it: lower-case, without a full stop and without
// paths of this machine. Why names the reason, so that it can be said in other languages, with what Args have.
type Refusal struct {
	Reason string
	Why    string
	Args   []string
}

func (r *Refusal) Error() string { return r.Reason }

// refuse returns a refusal. Its first arguments may be said in other languages, too; those that are errors are not.
func refuse(why, format string, args ...any) error { return refusal(why, format, args...) }

func refusal(why, format string, args ...any) *Refusal {
	r := &Refusal{Reason: fmt.Sprintf(format, args...), Why: why}
	for _, a := range args {
		r.Args = append(r.Args, fmt.Sprint(a))
	}
	return r
}

// Check reads the file at path to its end, as an index would, and adds to read what it has read, in bytes of the file.
// Its type is told by its content alone. What is damaged in a file of which something can be read is reported; a file of
// which nothing can be read, which isn't of a type that is taken, or which unpacks to far more than it is, is an error
// that is a [*Refusal]. Other errors are those of the disk and of ctx.
func Check(ctx context.Context, path string, read *atomic.Int64) (*Report, error) {
	return check(ctx, path, read, freeGrowth)
}

// patience is how long a file of a size may take to be read. Growth is bounded where it can be seen; damaged records are skipped
// out of sight.
func patience(size int64) time.Duration {
	return 2*time.Minute + time.Duration(size/slowest)*time.Second
}

func check(ctx context.Context, path string, read *atomic.Int64, free int64) (*Report, error) {
	f, err := warc.Local{}.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.Size() == 0 {
		return nil, refuse("empty", "the file is empty")
	}
	format, err := warc.Detect(f, unnamed)
	switch {
	case errors.Is(err, warc.ErrNotRecordCompressed):
		return nil, refuse("one-stream", "it is compressed as one stream over several records, so none can be read at its place: "+
			"compress it record by record, or index it with varve index --unpack")
	case err != nil || format == warc.Unknown:
		return nil, refuse("no-archive", "it is neither WARC, ARC nor WACZ")
	case extensions(format) == "":
		return nil, refuse("only-index", "it is an index (%s), and has no records itself", format)
	}
	c := checker{report: &Report{Format: format}, read: read, left: free + maxGrowth*f.Size(), path: path}
	limited, cancel := context.WithTimeout(ctx, patience(f.Size()))
	defer cancel()
	if format == warc.WACZ {
		err = c.members(limited, f.Size())
	} else {
		err = c.records(limited, f, "")
	}
	switch {
	case limited.Err() != nil && ctx.Err() == nil:
		return nil, refuse("too-slow", "reading it takes longer than any archive of its size does")
	case err != nil:
		return nil, err
	case c.report.Records > 0:
		return c.report, nil
	case len(c.report.Problems) > 0:
		p := c.report.Problems[0]
		return nil, refuse("nothing-read", "no record in it can be read: damaged at byte %d: %s", p.Offset, p.Reason)
	}
	return nil, refuse("no-record", "there is no record in it")
}

// A checker reads one file.
type checker struct {
	path   string
	report *Report
	read   *atomic.Int64
	left   int64 // how many bytes of records may still come
}

// members checks the files with records in a WACZ of a size.
func (c *checker) members(ctx context.Context, size int64) error {
	budget := int64(maxDirectory)
	names, err := warc.Members(ctx, stranger{path: c.path, budget: &budget}, wacz)
	switch {
	case errors.Is(err, errDirectory):
		return refuse("long-list", "the list of its members is longer than %d MB", maxDirectory>>20)
	case err != nil:
		return refuse("no-wacz", "it can't be read as a WACZ: %s", c.reason(err))
	case len(names) == 0:
		return refuse("no-warc", "this WACZ holds no WARC file")
	case len(names) > maxMembers:
		return refuse("many-members", "this WACZ holds %d files with records, more than %d", len(names), maxMembers)
	}
	storage := warc.Remembering(stranger{path: c.path})
	for _, name := range names {
		f, err := warc.Open(ctx, storage, wacz+"#"+name)
		if errors.Is(err, errors.ErrUnsupported) {
			return refuse("deflated", "its member %q is deflated, so no record in it can be read at its place: "+
				"store it without compression, or index the file with varve index --unpack", name)
		} else if err != nil {
			return refuse("bad-member", "its member %q can't be read: %s", name, c.reason(err))
		}
		if size -= f.Size(); size < 0 {
			f.Close()
			return refuse("overlap", "its members lie over one another")
		}
		err = c.records(ctx, f, name)
		f.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// records reads a file with records, or a member of a WACZ.
func (c *checker) records(ctx context.Context, f warc.File, member string) error {
	if member != "" {
		format, err := warc.Detect(f, unnamed)
		if err != nil || !format.Records() {
			return refuse("bad-member", "its member %q is neither WARC nor ARC, or can't be read at offsets", member)
		}
	}
	begun, counted := c.read.Load(), int64(0)
	for rec, err := range warc.Scan(ctx, f, c.path, 0) {
		if err != nil {
			if err := c.damage(err, member); err != nil {
				return err
			}
			continue
		}
		if err := c.record(rec); err != nil {
			return err
		}
		if at := rec.Offset + rec.Length; at > counted {
			c.read.Add(at - counted)
			counted = at
		}
	}
	c.read.Store(begun + f.Size())
	return ctx.Err()
}

// damage notes a damaged place. It returns any other error, which ends the check.
func (c *checker) damage(err error, member string) error {
	var d *warc.Damage
	if !errors.As(err, &d) {
		return err
	}
	if errors.Is(err, warc.ErrNotRecordCompressed) && d.Offset == 0 {
		return refuse("one-stream", "it is compressed as one stream over several records, so none can be read at its place")
	}
	if c.report.Damaged++; c.report.Damaged > maxDamaged {
		return refuse("many-damaged", "it is damaged at more than %d places", maxDamaged)
	}
	if len(c.report.Problems) < maxProblems {
		c.report.Problems = append(c.report.Problems, Problem{Member: member, Offset: d.Offset, Reason: d.Reason})
	}
	return nil
}

// record reads a record to its end.
func (c *checker) record(rec *warc.Record) error {
	for _, field := range rec.Header {
		c.left -= int64(len(field.Name) + len(field.Value))
	}
	page := c.page(rec)
	n, err := io.Copy(io.Discard, io.LimitReader(rec.Block, max(c.left, 0)+1))
	if c.left -= n; c.left < 0 {
		return refuse("grows", "it unpacks to more than %d times its size", maxGrowth)
	}
	if err == nil {
		_, err = rec.Finish()
	}
	if err != nil {
		return nil // the scan yields this damage next
	}
	c.report.Records++
	if page != nil {
		c.report.Pages = withPage(c.report.Pages, *page)
	}
	return nil
}

// page returns the page that a record captured, nil if it is none or if enough are known.
func (c *checker) page(rec *warc.Record) *Page {
	full := len(c.report.Pages) >= maxPages
	if rec.Type != "response" || !rec.HTTP() || len(rec.TargetURI) > maxURI || full && !surt.IsHome(rec.TargetURI) {
		return nil
	}
	m, err := warc.ParseHead(rec.Block)
	c.left -= int64(m.Size)
	kind, _, _ := strings.Cut(strings.ToLower(m.Header.Get("Content-Type")), ";")
	if err != nil || m.Status != 200 || strings.TrimSpace(kind) != "text/html" {
		return nil
	}
	return &Page{URIR: strings.Clone(rec.TargetURI), Time: rec.Date}
}

// withPage adds a page to those that are named: each once, home pages first.
func withPage(pages []Page, p Page) []Page {
	if slices.ContainsFunc(pages, func(other Page) bool { return other.URIR == p.URIR }) {
		return pages
	}
	at := len(pages)
	if surt.IsHome(p.URIR) {
		for at > 0 && !surt.IsHome(pages[at-1].URIR) {
			at--
		}
	}
	pages = slices.Insert(pages, at, p)
	return pages[:min(len(pages), maxPages)]
}

// reason returns the text of an error without the name that the file has here.
func (c *checker) reason(err error) string {
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), filepath.Base(c.path)+": "), wacz+": ")
}

// wacz is the path at which a stranger is found as a WACZ.
const wacz = "upload.wacz"

// A stranger is a storage that has one file, at any path, because a file that is not checked has no name that says what it is.
type stranger struct {
	warc.Local
	path   string
	budget *int64 // bytes that may be read; nil is any number
}

const errDirectory = sentinel.Error("more is read than may be")

// Stat implements [warc.Storage].
func (s stranger) Stat(ctx context.Context, _ string) (warc.Entry, error) {
	return s.Local.Stat(ctx, s.path)
}

// Open implements [warc.Storage].
func (s stranger) Open(ctx context.Context, _ string) (warc.File, error) {
	f, err := s.Local.Open(ctx, s.path)
	if err != nil || s.budget == nil {
		return f, err
	}
	return bounded{f, s.budget}, nil
}

// A bounded file lets only so much be read.
type bounded struct {
	warc.File
	budget *int64
}

// ReadAt implements [io.ReaderAt].
func (b bounded) ReadAt(p []byte, at int64) (int, error) {
	if *b.budget -= int64(len(p)); *b.budget < 0 {
		return 0, errDirectory
	}
	return b.File.ReadAt(p, at)
}
