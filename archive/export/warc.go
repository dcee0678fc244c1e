package export

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
)

// WARC writes the selected records, each followed by the other records of its exchange, compressed record by record if packed is set.
// Records are copied byte for byte; those of ARC files are converted.
//
// The originals of revisits are written too, once, wherever they are from. If an original can't be written, because of access rules or
// because it is not listed, the revisit is written as the response that it represents. A revisit that names what readers may not know about
// is written without these fields.
func (j *Job) WARC(ctx context.Context, w io.Writer, packed bool) error {
	return j.records(ctx, newRecordWriter(w, packed), func(*cdx.Capture) error { return nil })
}

// records writes records to out and calls wrote for each capture, with its location in out.
func (j *Job) records(ctx context.Context, out *recordWriter, wrote func(*cdx.Capture) error) error {
	a := &recordsJob{Job: j, out: out, wrote: wrote, done: map[place]bool{}}
	if err := a.info(); err != nil {
		return err
	}
	for c, err := range j.captures(ctx) {
		if err == nil {
			err = j.problem(ctx, a.capture(ctx, c))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// A recordsJob is a job in progress that writes records.
type recordsJob struct {
	*Job
	out   *recordWriter
	wrote func(*cdx.Capture) error
	done  map[place]bool // originals that were already written
}

// A place is the position of a record.
type place struct {
	file   cdx.FileID
	offset int64
}

func placeOf(l cdx.Location) place { return place{l.File, l.Offset} }

func (a *recordsJob) info() error {
	said := fmt.Sprintf("software: %s\r\nformat: WARC File Format 1.1\r\nconformsTo: %s\r\ndescription: export of %s\r\n",
		a.Software, "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/", oneLine(a.Selection.String()))
	return a.out.write(warc.Fields{
		{Name: "WARC-Type", Value: "warcinfo"},
		{Name: "WARC-Record-ID", Value: recordID(said, a.Now.UTC().Format(time.RFC3339Nano))},
		{Name: "WARC-Date", Value: a.Now.UTC().Format(time.RFC3339)},
		{Name: "Content-Type", Value: "application/warc-fields"},
	}, int64(len(said)), strings.NewReader(said))
}

// oneLine replaces line ends in a value, so that it can't begin another field.
func oneLine(s string) string { return strings.NewReplacer("\r", " ", "\n", " ").Replace(s) }

// capture writes the record of a selected capture.
func (a *recordsJob) capture(ctx context.Context, c *cdx.Capture) error {
	if a.done[placeOf(c.Location)] {
		return nil
	}
	if c.Kind != cdx.Revisit || c.Unresolved() {
		return a.record(ctx, c)
	}
	if err := a.Archive.Allowed(c); err != nil {
		return err
	}
	origin, err := originOf(ctx, a.Archive, a.Coll, c)
	switch {
	case err != nil:
		return err
	case origin == nil:
		return a.whole(ctx, c)
	case !a.has(origin) && !a.done[placeOf(origin.Location)]:
		if err := a.record(ctx, origin); err != nil {
			return err // without it nothing can be said of the revisit
		}
		a.done[placeOf(origin.Location)] = true
	}
	return a.record(ctx, c)
}

// record copies the record of a capture, and the other records of its exchange.
func (a *recordsJob) record(ctx context.Context, c *cdx.Capture) error {
	rec, err := a.Archive.Stored(ctx, c)
	if err != nil {
		return err
	}
	defer rec.Close()
	if rec.Version == "ARC" {
		return a.fromARC(ctx, c, rec)
	}
	if _, err := rec.Finish(); err != nil {
		return archive.Unreadable(c, err)
	}
	if !a.Archive.MayNameOriginal(c, rec.Header) {
		return a.unnamed(ctx, c, rec)
	}
	begin := a.out.offset
	if err := a.out.copy(rec, func() (*warc.Record, error) { return a.Archive.Stored(ctx, c) }); err != nil {
		return err
	}
	if err := a.reportPosition(c, begin); err != nil {
		return err
	}
	return a.writeConcurrent(ctx, c, rec)
}

// reportPosition reports the position of a capture that was written.
func (a *recordsJob) reportPosition(c *cdx.Capture, begin int64) error {
	written := *c
	written.Location = cdx.Location{Offset: begin, Length: a.out.offset - begin}
	return a.wrote(&written)
}

// writeConcurrent writes the records of the same exchange.
func (a *recordsJob) writeConcurrent(ctx context.Context, c *cdx.Capture, rec *warc.Record) error {
	near, err := recordsBeside(ctx, a.Archive.Records, c, rec)
	if err != nil {
		return err
	}
	for _, loc := range near {
		open := func() (*warc.Record, error) { return a.Archive.Records.Record(ctx, loc) }
		rec, err := open()
		if err != nil {
			return err
		}
		if _, err = rec.Finish(); err == nil {
			err = a.out.copy(rec, open)
		}
		if err := rec.Close(); err != nil {
			return err
		}
		if err != nil {
			return err
		}
	}
	return nil
}
