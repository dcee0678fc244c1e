// Package provenance describes the origin of a capture: what its record says about it, which program wrote it, and whether its digests
// match.
package provenance

import (
	"context"
	"io"
	"slices"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
)

// A Provenance describes the origin of a capture.
type Provenance struct {
	Capture *cdx.Capture
	Type    string      // of the record, such as "response"
	Version string      // format of the record: "WARC/1.1", or "ARC"
	Record  warc.Fields // header of the record
	HTTP    warc.Fields // header of the archived message, nil if there is none
	Writer  warc.Fields // fields of the file's warcinfo record (ISO 28500 §6.2), nil if there is none
	Body    string      // base name of the file with the body of a revisit, else ""
	Checked bool        // the record, and the one with the body, were read to the end and compared with their digests
	Wrong   []string    // what doesn't match or can't be checked, each in half a sentence
	Damage  error       // why the record can't be read to its end, or nil
}

const (
	// maxChecked bounds the size of records that are checked while a reader waits.
	maxChecked = 64 << 20
	// maxWriter bounds the bytes of a warcinfo record that are read.
	maxWriter = 64 << 10
)

// A reader reads the provenance of captures.
type reader struct{ archive *archive.Archive }

// Of returns the provenance of a capture. Errors are those of [archive.Archive.Open].
func Of(ctx context.Context, a *archive.Archive, c *cdx.Capture) (*Provenance, error) {
	r := &reader{a}
	p := &Provenance{Capture: c}
	if err := r.head(ctx, p); err != nil {
		return nil, err
	}
	if !a.MayNameOriginal(c, p.Record) {
		p.Record = archive.WithoutOriginal(p.Record)
	} else if c.Kind == cdx.Revisit && !c.Unresolved() {
		if err := r.body(ctx, p); err != nil {
			return nil, err
		}
	}
	p.Writer = r.writer(ctx, c, p.Record.Get("WARC-Warcinfo-ID"))
	return p, ctx.Err()
}

// head reads the record of the capture.
func (r *reader) head(ctx context.Context, p *Provenance) error {
	rec, err := r.archive.Stored(ctx, p.Capture)
	if err != nil {
		return err
	}
	p.Type, p.Version, p.Record = rec.Type, rec.Version, slices.Clone(rec.Header)
	if rec.HTTP() {
		if m, err := warc.ParseHead(rec.Block); err == nil { // a broken head is reported by the check
			p.HTTP = m.Header
		}
	}
	size := rec.ContentLength
	if err := rec.Close(); err != nil {
		return archive.Unreadable(p.Capture, err)
	}
	if size > maxChecked {
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

// body reads the record with the body of a revisit.
func (r *reader) body(ctx context.Context, p *Provenance) error {
	p.Body, _ = r.archive.Index.Whole.FileName(p.Capture.Origin.File)
	rec, err := r.archive.StoredBody(ctx, p.Capture)
	if err != nil {
		return err
	}
	defer rec.Close()
	if p.Checked = p.Checked && rec.ContentLength <= maxChecked; !p.Checked || p.Damage != nil {
		return nil
	}
	var wrong []string
	wrong, p.Damage = rec.Verify()
	for _, w := range wrong {
		p.Wrong = append(p.Wrong, "the record with its body: "+w)
	}
	return nil
}

// writer reads the warcinfo record at the beginning of the file of c, unless the record names another one.
func (r *reader) writer(ctx context.Context, c *cdx.Capture, id string) warc.Fields {
	rec, err := r.archive.Records.Record(ctx, cdx.Location{File: c.File})
	if err != nil {
		return nil
	}
	defer rec.Close()
	if rec.Type != "warcinfo" || rec.Version == "ARC" || id != "" && id != rec.Header.Get("WARC-Record-ID") {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(rec.Block, maxWriter))
	if err != nil {
		return nil
	}
	return warc.ParseFields(string(text))
}
