package inspect

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
)

// Time limits: for all versions of one answer, and for one page, on which a selector may take long.
const (
	maxReading = 8 * time.Second
	maxPage    = 2 * time.Second
	readTries  = 3 // captures of a version that are tried until one can be read
)

// A note is the reason why a version has no values.
type note uint8

const (
	noNote       note = iota
	isRedirect        // it leads elsewhere
	isMissing         // it says that there is no page
	isError           // a failed capture
	isNoPage          // not HTML, such as a picture
	isUnreadable      // its file can't be read now
	isBlocked         // an access rule hides it; the sentence is that of the rule
	isTooSlow         // reading it took too long
	isAhead           // the time was up; it and the versions after it have not been read
)

// String returns the note in data.
func (n note) String() string {
	return [...]string{"", "redirect", "missing", "error", "no page", "unreadable", "blocked", "too slow", "not read"}[n]
}

// A row is a version, with the values of its page.
type row struct {
	*change.Range
	capture *cdx.Capture // the capture that was read
	values  fields.Values
	rows    []fields.Row // where the template reads rows
	cut     bool         // there are more
	changes []rowChange
	note    note
	say     string   // sentence of an access rule
	changed []string // names of the fields that differ from the last version that was read
}

// A reading reads versions one after the other.
type reading struct {
	s        *Handler
	tl       *timeline.Timeline
	ranges   []change.Range
	template *fields.Template
	names    []string
	key      string             // field that identifies a row across versions
	known    map[string]content // by content, since crawls find many unchanged captures
	keeps    int                // rows in known
}

// A content is what a template reads from a page.
type content struct {
	values fields.Values
	rows   []fields.Row
	cut    bool
}

// Limits of the cache of a reading: pages, and rows of them.
const (
	knownPages = 200
	knownRows  = 20_000
)

// rows calls each with the versions between two datetimes, oldest first, until it returns false. If the time is up, or too many other
// requests read, the last one has the note isAhead. A version without a page has a note, and without a template all have one.
func (rd *reading) rows(ctx context.Context, from, to cdx.Timestamp, each func(*row) bool) error {
	until := time.Now().Add(maxReading)
	var last *row
	for i := range rd.ranges {
		r := &row{Range: &rd.ranges[i], capture: &rd.tl.Captures[rd.ranges[i].FirstIndex]}
		if from != 0 && r.Last < from || to != 0 && r.First > to {
			continue
		}
		if err := rd.inTurn(ctx, r, until); err != nil {
			return err
		}
		if r.note == isAhead {
			each(r)
			return nil
		}
		if r.note == noNote {
			rd.compare(last, r)
			last = r
		}
		if !each(r) {
			return nil
		}
	}
	return ctx.Err()
}

// compare records how a version differs from the one before.
func (rd *reading) compare(before, r *row) {
	switch {
	case rd.template.HasRows() && before != nil:
		r.changes = rowChanges(before.rows, r.rows, rd.key)
	case rd.template.HasRows():
		r.changes = rowChanges(nil, r.rows, rd.key)
	case before != nil:
		r.changed = rd.differing(before.values, r.values)
	}
}

// inTurn reads the values of a version while this reading has a slot. It holds none while values are sent, since a client may be slow.
func (rd *reading) inTurn(ctx context.Context, r *row, until time.Time) error {
	if time.Now().After(until) || rd.s.wait(ctx) != nil {
		r.note = isAhead
		return ctx.Err()
	}
	defer rd.s.done()
	return rd.read(ctx, r)
}

// differing returns the names of the fields whose values differ.
func (rd *reading) differing(a, b fields.Values) (out []string) {
	for _, name := range rd.names {
		if !slices.Equal(a[name], b[name]) {
			out = append(out, name)
		}
	}
	return out
}

// read reads the values of a version from the first of its captures that can be read.
func (rd *reading) read(ctx context.Context, r *row) error {
	switch {
	case r.Kind == change.Redirect:
		r.note = isRedirect
	case r.Kind == change.Missing:
		r.note = isMissing
	case r.Kind == change.Error:
		r.note = isError
	case !archive.IsHTML(r.capture):
		r.note = isNoPage
	}
	if r.note != noNote {
		return nil
	}
	tries := 0
	for i := r.FirstIndex; i <= r.LastIndex && tries < readTries; i++ {
		c := &rd.tl.Captures[i]
		if c.Text != rd.tl.Captures[r.FirstIndex].Text {
			continue
		}
		tries++
		if err := rd.readCapture(ctx, r, c); err != nil {
			return err
		}
		if r.note != isUnreadable {
			r.capture = c
			return nil
		}
	}
	return nil
}

// readCapture reads the values of a capture, or notes why there are none. The error is that of ctx.
func (rd *reading) readCapture(ctx context.Context, r *row, c *cdx.Capture) error {
	key := c.Digest + " " + c.URL
	r.note = noNote
	err := rd.s.open(ctx, c) // a rule may block this capture and not the one whose values are known
	var blocked *archive.BlockedError
	if v, ok := rd.known[key]; ok && c.Digest != "" && !errors.As(err, &blocked) {
		r.take(v)
		return nil
	}
	var d *fields.Document
	if err == nil {
		d, err = rd.s.parse(ctx, c)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &blocked):
		r.note, r.say = isBlocked, blocked.Error()
		return nil
	case err != nil:
		r.note = isUnreadable
		return nil
	}
	within, cancel := context.WithTimeout(ctx, maxPage)
	defer cancel()
	v, err := rd.contentOf(within, d)
	if err != nil {
		r.note = isTooSlow
		return ctx.Err()
	}
	r.take(v)
	if len(rd.known) < knownPages && rd.keeps+len(v.rows) <= knownRows {
		rd.known[key] = v
		rd.keeps += len(v.rows)
	}
	return nil
}

// contentOf reads a page: its rows, or its values if the template has no rows.
func (rd *reading) contentOf(ctx context.Context, d *fields.Document) (c content, err error) {
	if rd.template.HasRows() {
		c.rows, c.cut, err = rd.template.Rows(ctx, d)
	} else {
		c.values, err = rd.template.ReadFrom(ctx, d)
	}
	return c, err
}

func (r *row) take(c content) { r.values, r.rows, r.cut = c.values, c.rows, c.cut }

// document reads and parses the page of a capture.
func (s *Handler) document(ctx context.Context, c *cdx.Capture) (*fields.Document, error) {
	if err := s.open(ctx, c); err != nil {
		return nil, err
	}
	return s.parse(ctx, c)
}

// open reports whether the content of a capture may be shown: a capture without text may be blocked too.
func (s *Handler) open(ctx context.Context, c *cdx.Capture) error {
	a, err := s.archive.Open(ctx, c)
	if err != nil {
		return err
	}
	a.Close()
	return nil
}

// parse parses the page of a capture that may be shown.
func (s *Handler) parse(ctx context.Context, c *cdx.Capture) (*fields.Document, error) {
	body, contentType, err := s.archive.PageBody(ctx, c)
	if err != nil {
		return nil, err
	}
	return fields.Parse(fields.Page{Body: body, ContentType: contentType, URL: c.URL})
}
