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
	"github.com/varve-archive/varve/internal/contenttype"
	"github.com/varve-archive/varve/internal/sentinel"
)

// Bounds for files. Real archives stay far below them.
const (
	maxGrowth    = 200      // ratio of the sizes of records and file
	freeGrowth   = 1 << 30  // bytes of records that any file may have
	slowest      = 10 << 20 // bytes of the file that must be read in a second
	maxDirectory = 64 << 20 // bytes that are read to list the members of a WACZ
	maxMembers   = 10_000   // files of records in a WACZ
	maxDamaged   = 10_000   // damaged places, each of which may cost as much as reading a head
	maxProblems  = 20       // damaged places that are listed
	maxPages     = 5        // pages that are listed
	maxURI       = 2_000    // bytes of the URI-R of a listed page
)

// A Report describes a file that is accepted.
type Report struct {
	Format  warc.Format
	Records int // complete ones
	// Damaged counts the damaged places; Problems lists the first of them.
	Damaged  int
	Problems []Problem
	Pages    []Page // the first pages, as entry points for readers
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

// A Refusal says in a sentence why a file is not accepted, for its sender: lower-case, without a full stop and without paths of this
// machine. Why identifies the reason and Args its values, for translations.
type Refusal struct {
	Reason string
	Why    string
	Args   []string
}

func (r *Refusal) Error() string { return r.Reason }

// refuse returns a refusal. Its arguments become Args, except for errors.
func refuse(why, format string, args ...any) error { return refusal(why, format, args...) }

func refusal(why, format string, args ...any) *Refusal {
	r := &Refusal{Reason: fmt.Sprintf(format, args...), Why: why}
	for _, a := range args {
		r.Args = append(r.Args, fmt.Sprint(a))
	}
	return r
}

// Check reads the file at path to its end, like an index would, and adds to read the bytes of the file that it has read. The type is
// determined by the content alone. If something can be read, damage is reported. A file of which nothing can be read, of an unsupported
// type, or which unpacks to far more than its size leads to a [*Refusal]. Other errors are those of the disk and of ctx.
func Check(ctx context.Context, path string, read *atomic.Int64) (*Report, error) {
	return check(ctx, path, read, freeGrowth)
}

// checkTime bounds the time for reading a file of a size. Growth is bounded where it is visible, but damaged records are skipped without
// counting bytes.
func checkTime(size int64) time.Duration {
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
	case extensionOf(format) == "":
		return nil, refuse("only-index", "it is an index (%s), and has no records itself", format)
	}
	c := checker{report: &Report{Format: format}, read: read, left: free + maxGrowth*f.Size(), path: path}
	limited, cancel := context.WithTimeout(ctx, checkTime(f.Size()))
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

type checker struct {
	path   string
	report *Report
	read   *atomic.Int64
	left   int64 // bytes of records that may still follow
}

// members checks the files of records in a WACZ of a size.
func (c *checker) members(ctx context.Context, size int64) error {
	budget := int64(maxDirectory)
	members, err := warc.Members(ctx, singleFile{path: c.path, budget: &budget}, wacz)
	switch {
	case errors.Is(err, errDirectory):
		return refuse("long-list", "the list of its members is longer than %d MB", maxDirectory>>20)
	case err != nil:
		return refuse("no-wacz", "it can't be read as a WACZ: %s", c.reason(err))
	case len(members) == 0:
		return refuse("no-warc", "this WACZ holds no WARC file")
	case len(members) > maxMembers:
		return refuse("many-members", "this WACZ holds %d files with records, more than %d", len(members), maxMembers)
	}
	storage := warc.Remembering(singleFile{path: c.path})
	for _, m := range members {
		name := m.Path
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

// records checks a file of records, or a member of a WACZ.
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

// damage notes damage. It returns any other error, which ends the check.
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

// page returns the page in a record, nil if it is none or enough are listed.
func (c *checker) page(rec *warc.Record) *Page {
	full := len(c.report.Pages) >= maxPages
	if rec.Type != "response" || !rec.HTTP() || len(rec.TargetURI) > maxURI || full && !surt.IsHome(rec.TargetURI) {
		return nil
	}
	m, err := warc.ParseHead(rec.Block)
	c.left -= int64(m.Size)
	if err != nil || m.Status != 200 || contenttype.Media(m.Header.Get("Content-Type")) != "text/html" {
		return nil
	}
	return &Page{URIR: strings.Clone(rec.TargetURI), Time: rec.Date}
}

// withPage adds a page to the list: each once, home pages first.
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

// reason returns the text of an error without the local name of the file.
func (c *checker) reason(err error) string {
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), filepath.Base(c.path)+": "), wacz+": ")
}

// wacz is the path by which a stranger is opened as a WACZ.
const wacz = "upload.wacz"

// A singleFile is a storage with a single file, at any path, because the name of an unchecked file says nothing.
// It implements [warc.Storage].
type singleFile struct {
	warc.Local
	path   string
	budget *int64 // bytes that may still be read; nil for no limit
}

const errDirectory = sentinel.Error("more is read than may be")

func (s singleFile) Stat(ctx context.Context, _ string) (warc.Entry, error) {
	return s.Local.Stat(ctx, s.path)
}

func (s singleFile) Open(ctx context.Context, _ string) (warc.File, error) {
	f, err := s.Local.Open(ctx, s.path)
	if err != nil || s.budget == nil {
		return f, err
	}
	return bounded{f, s.budget}, nil
}

// A bounded is a file with a limit for the bytes that are read.
type bounded struct {
	warc.File
	budget *int64
}

func (b bounded) ReadAt(p []byte, at int64) (int, error) {
	if *b.budget -= int64(len(p)); *b.budget < 0 {
		return 0, errDirectory
	}
	return b.File.ReadAt(p, at)
}
