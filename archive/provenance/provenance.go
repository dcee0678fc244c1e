// Package provenance says where a capture is from: what its record says of itself, who wrote it, and whether its digests still match.
package provenance

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// A Provenance says where a capture is from: what its record says of itself, and whether that is still so.
type Provenance struct {
	Capture *cdx.Capture
	Type    string      // of the record, such as "response"
	Version string      // of its format: "WARC/1.1", or "ARC"
	Record  warc.Fields // its own header fields
	HTTP    warc.Fields // those of the archived message, nil if it isn't one
	Writer  warc.Fields // what the file says at its beginning of the program that wrote it (ISO 28500 §6.2), nil if nothing
	Body    string      // base name of the file that has the body of a revisit, "" for others
	Checked bool        // whether the record, and that with the body, was read to its end and compared with its digests
	Wrong   []string    // what doesn't match, or can't be checked, each in half a sentence
	Damage  error       // why the record can't be read to its end, or nil
}

const (
	// mostChecked bounds the records that are read to their end for a reader who waits.
	mostChecked = 64 << 20
	// mostWriter bounds what is read of a warcinfo record.
	mostWriter = 64 << 10
)

// A reader reads where a capture is from.
type reader struct{ archive *archive.Archive }

// Of reads where a capture is from. Errors are those of [archive.Archive.Open].
func Of(ctx context.Context, a *archive.Archive, c *cdx.Capture) (*Provenance, error) {
	r := &reader{a}
	p := &Provenance{Capture: c}
	if err := r.head(ctx, p); err != nil {
		return nil, err
	}
	if !r.maySeeOriginal(p) {
		p.Record = without(p.Record, "WARC-Refers-To-Target-URI", "WARC-Refers-To-Date", "WARC-Refers-To")
	} else if c.Kind == cdx.Revisit && !c.Unresolved() {
		if err := r.body(ctx, p); err != nil {
			return nil, err
		}
	}
	p.Writer = r.writer(ctx, c, p.Record.Get("WARC-Warcinfo-ID"))
	return p, ctx.Err()
}

// head reads the record of the capture, its head first.
func (r *reader) head(ctx context.Context, p *Provenance) error {
	rec, err := r.archive.Stored(ctx, p.Capture)
	if err != nil {
		return err
	}
	p.Type, p.Version, p.Record = rec.Type, rec.Version, slices.Clone(rec.Header)
	if rec.HTTP() {
		if m, err := warc.ParseHead(rec.Block); err == nil { // a broken head is damage, which the check finds
			p.HTTP = m.Header
		}
	}
	size := rec.ContentLength
	if err := rec.Close(); err != nil {
		return archive.Unreadable(p.Capture, err)
	}
	if size > mostChecked {
		return nil
	}
	if rec, err = r.archive.Stored(ctx, p.Capture); err != nil {
		return err
	}
	p.Checked = true
	p.Wrong, p.Damage = rec.Verify()
	if err := rec.Close(); err != nil {
		return archive.Unreadable(p.Capture, err)
	}
	return nil
}

// body reads the record that has the body of a revisit.
func (r *reader) body(ctx context.Context, p *Provenance) error {
	p.Body, _ = r.archive.Index.Whole.FileName(p.Capture.Origin.File)
	rec, err := r.archive.StoredBody(ctx, p.Capture)
	if err != nil {
		return err
	}
	defer rec.Close()
	if p.Checked = p.Checked && rec.ContentLength <= mostChecked; !p.Checked || p.Damage != nil {
		return nil
	}
	var wrong []string
	wrong, p.Damage = rec.Verify()
	for _, w := range wrong {
		p.Wrong = append(p.Wrong, "the record with its body: "+w)
	}
	return nil
}

// maySeeOriginal reports whether readers may know of the capture to which the head of a revisit refers. Rules of the
// collections of the revisit are asked: the original may be in no file that is known.
func (r *reader) maySeeOriginal(p *Provenance) bool {
	uri := p.Record.Get("WARC-Refers-To-Target-URI")
	if uri == "" {
		return true
	}
	original := cdx.Capture{Key: surt.Of(uri), URL: uri}
	original.File = p.Capture.File
	original.Time, _ = warc.ParseDate(p.Record.Get("WARC-Refers-To-Date")) // without one, rules for datetimes hold for it
	return r.archive.Index.Decide(&original).Access != access.Exclude
}

func without(fields warc.Fields, names ...string) warc.Fields {
	return slices.DeleteFunc(fields, func(f warc.Field) bool {
		return slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(f.Name, name) })
	})
}

// writer reads the warcinfo record at the beginning of the file of c, unless c says that another one is about it.
func (r *reader) writer(ctx context.Context, c *cdx.Capture, id string) warc.Fields {
	rec, err := r.archive.Records.Record(ctx, cdx.Location{File: c.File})
	if err != nil {
		return nil
	}
	defer rec.Close()
	if rec.Type != "warcinfo" || rec.Version == "ARC" || id != "" && id != rec.Header.Get("WARC-Record-ID") {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(rec.Block, mostWriter))
	if err != nil {
		return nil
	}
	return warc.ParseFields(string(text))
}
