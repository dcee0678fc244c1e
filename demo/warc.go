package demo

import (
	"crypto/sha1"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/nlnwa/gowarc"
)

// A warcWriter writes WARC/1.1 records (ISO 28500:2017), each as a separate gzip member.
type warcWriter struct {
	w io.Writer
	z *gzip.Writer
}

func newWARCWriter(w io.Writer) *warcWriter {
	return &warcWriter{w, gzip.NewWriter(nil)}
}

// A field is a named field of a WARC header.
type field struct {
	name, value string
}

const httpResponse = "application/http; msgtype=response"

func (w *warcWriter) info(t time.Time, file string) error {
	const block = "software: varve demo\r\nformat: WARC File Format 1.1\r\ndescription: The Riverbend River Observatory, an invented site\r\n"
	return w.record(gowarc.Warcinfo, t, "warcinfo "+file, []byte(block),
		field{gowarc.WarcFilename, file}, field{gowarc.ContentType, "application/warc-fields"})
}

func (w *warcWriter) response(t time.Time, uri string, message []byte, digest string) error {
	return w.record(gowarc.Response, t, "response "+uri, message,
		field{gowarc.WarcTargetURI, uri}, field{gowarc.ContentType, httpResponse}, field{gowarc.WarcPayloadDigest, digest})
}

// revisit writes a revisit record with an identical payload and the head of the response (ISO 28500 §6.7.2).
func (w *warcWriter) revisit(t time.Time, uri string, head []byte, before original) error {
	return w.record(gowarc.Revisit, t, "revisit "+uri, head,
		field{gowarc.WarcTargetURI, uri}, field{gowarc.ContentType, httpResponse},
		field{gowarc.WarcProfile, gowarc.ProfileIdenticalPayloadDigestV1_1},
		field{gowarc.WarcPayloadDigest, before.digest},
		field{gowarc.WarcRefersToTargetURI, uri}, field{gowarc.WarcRefersToDate, before.at.Format(time.RFC3339)})
}

// notModified writes a revisit record for the answer "not modified" (ISO 28500 §6.7.3).
func (w *warcWriter) notModified(t time.Time, uri string, before original) error {
	head := fmt.Sprintf("HTTP/1.1 304 Not Modified\r\nDate: %s\r\nServer: Apache\r\n\r\n", t.Format(http.TimeFormat))
	return w.record(gowarc.Revisit, t, "revisit "+uri, []byte(head),
		field{gowarc.WarcTargetURI, uri}, field{gowarc.ContentType, httpResponse},
		field{gowarc.WarcProfile, gowarc.ProfileServerNotModifiedV1_1},
		field{gowarc.WarcRefersToTargetURI, uri}, field{gowarc.WarcRefersToDate, before.at.Format(time.RFC3339)})
}

func (w *warcWriter) exchange(t time.Time, uri string, request, message []byte, digest string) error {
	err := w.record(gowarc.Response, t, "post "+uri, message,
		field{gowarc.WarcTargetURI, uri}, field{gowarc.ContentType, httpResponse}, field{gowarc.WarcPayloadDigest, digest})
	if err != nil {
		return err
	}
	return w.record(gowarc.Request, t, "request "+uri, request,
		field{gowarc.WarcTargetURI, uri}, field{gowarc.ContentType, "application/http; msgtype=request"},
		field{gowarc.WarcConcurrentTo, recordID(t, "post "+uri)})
}

// record writes one record. Its ID is derived from its time and content, so that the archive is the same each time.
func (w *warcWriter) record(kind gowarc.RecordType, t time.Time, what string, block []byte, fields ...field) error {
	// The digests are given, because gowarc would compute that of a chunked payload with its chunks, and give requests and heads without
	// a body the digest of nothing.
	b := gowarc.NewRecordBuilder(kind, gowarc.WithVersion(gowarc.V1_1), gowarc.WithFixDigest(false),
		gowarc.WithAddMissingDigest(false), gowarc.WithFixSyntaxErrors(false), gowarc.WithSpecViolationPolicy(gowarc.ErrIgnore))
	b.AddWarcHeader(gowarc.WarcRecordID, recordID(t, what))
	b.AddWarcHeader(gowarc.WarcDate, t.Format(time.RFC3339))
	for _, f := range fields {
		b.AddWarcHeader(f.name, f.value)
	}
	b.AddWarcHeader(gowarc.WarcBlockDigest, digest(block))
	if _, err := b.Write(block); err != nil {
		return err
	}
	record, _, err := b.Build()
	if err != nil {
		return fmt.Errorf("demo: %s: %w", what, err)
	}
	w.z.Reset(w.w)
	if _, _, err := gowarc.NewMarshaler().Marshal(w.z, record, 0); err != nil {
		return err
	}
	if err := record.Close(); err != nil {
		return err
	}
	return w.z.Close()
}

func recordID(t time.Time, what string) string {
	sum := sha1.Sum([]byte(t.Format(stamp) + " " + what))
	sum[6], sum[8] = sum[6]&0x0f|0x50, sum[8]&0x3f|0x80 // a UUID derived from a name (RFC 9562 §5.5)
	return fmt.Sprintf("<urn:uuid:%x-%x-%x-%x-%x>", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}
