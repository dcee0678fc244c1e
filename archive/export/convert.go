package export

import (
	"context"
	"crypto/sha1"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
)

// Records that can't be copied get a new head, which names their source in WARC-Source-URI and WARC-Source-Range.

// fromARC writes an ARC record as WARC: its block byte for byte, and a head with the fields of its URL-record line.
func (a *recordsJob) fromARC(ctx context.Context, c *cdx.Capture, rec *warc.Record) error {
	head := headOf(c, "response")
	content := "application/http; msgtype=response"
	if !rec.HTTP() {
		head[0].Value, content = "resource", rec.Header.Get("Content-Type")
	}
	if ip, err := netip.ParseAddr(rec.Header.Get("WARC-IP-Address")); err == nil && !ip.IsUnspecified() {
		head = append(head, warc.Field{Name: "WARC-IP-Address", Value: ip.String()})
	}
	if content != "" {
		head = append(head, warc.Field{Name: "Content-Type", Value: oneLine(content)})
	}
	if _, err := rec.Finish(); err != nil {
		return archive.Unreadable(c, err)
	}
	head = append(head, source(c.FileName, rec.Offset, rec.Length)...)
	fresh, err := a.Archive.Stored(ctx, c)
	if err != nil {
		return err
	}
	defer fresh.Close()
	return a.write(c, head, fresh.ContentLength, fresh.Block)
}

// unnamed writes a revisit without the fields that name its original, and the other records of its exchange: its block byte for byte.
func (a *recordsJob) unnamed(ctx context.Context, c *cdx.Capture, rec *warc.Record) error {
	made := headOf(c, "revisit")
	head := made
	for _, f := range archive.WithoutOriginal(rec.Header) {
		if !made.Has(f.Name) && !strings.EqualFold(f.Name, "Content-Length") {
			head = append(head, warc.Field{Name: f.Name, Value: oneLine(f.Value)})
		}
	}
	fresh, err := a.Archive.Stored(ctx, c)
	if err != nil {
		return err
	}
	defer fresh.Close()
	if err := a.write(c, append(head, source(c.FileName, rec.Offset, rec.Length)...), fresh.ContentLength, fresh.Block); err != nil {
		return err
	}
	return a.writeConcurrent(ctx, c, rec)
}

// whole writes a revisit as the response that it represents.
func (a *recordsJob) whole(ctx context.Context, c *cdx.Capture) error {
	resp, err := a.Archive.Open(ctx, c)
	if err != nil {
		return err
	}
	message, fields := message(resp), source(c.FileName, c.Offset, c.Length)
	sum := sha1.New()
	n, err := io.Copy(sum, resp.Body)
	resp.Close()
	if err != nil {
		return archive.Unreadable(c, err)
	}
	digest := warc.DigestOf("sha1", sum).String()
	message += fmt.Sprintf("Content-Length: %d\r\n\r\n", n)
	head := append(headOf(c, "response"), warc.Field{Name: "Content-Type", Value: "application/http; msgtype=response"},
		warc.Field{Name: "WARC-Payload-Digest", Value: "sha1:" + digest})
	body, err := a.Archive.Reread(ctx, c, false)
	if err != nil {
		return err
	}
	defer body.Close()
	made := *c
	made.Kind, made.Digest, made.Origin = cdx.Response, digest, cdx.Location{}
	return a.write(&made, append(head, fields...), int64(len(message))+n, io.MultiReader(strings.NewReader(message), body))
}

// message returns the head of an HTTP message without transfer coding, up to the length of its body.
func message(r *archive.Response) string {
	var b strings.Builder
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", r.Status, http.StatusText(r.Status))
	for _, f := range r.Header {
		if !strings.EqualFold(f.Name, "Transfer-Encoding") && !strings.EqualFold(f.Name, "Content-Length") {
			fmt.Fprintf(&b, "%s: %s\r\n", f.Name, f.Value)
		}
	}
	return b.String()
}

// write writes a record with a new head, and reports its position.
func (a *recordsJob) write(c *cdx.Capture, head warc.Fields, n int64, block io.Reader) error {
	begin := a.out.offset
	if err := a.out.write(head, n, block); err != nil {
		return err
	}
	return a.reportPosition(c, begin)
}

// headOf returns the beginning of a record's head, from a capture. The first field is the type.
func headOf(c *cdx.Capture, kind string) warc.Fields {
	return warc.Fields{
		{Name: "WARC-Type", Value: kind},
		{Name: "WARC-Record-ID", Value: recordID(c.FileName, strconv.FormatInt(c.Offset, 10), c.URL)},
		{Name: "WARC-Date", Value: c.Time.Time().Format(time.RFC3339)},
		{Name: "WARC-Target-URI", Value: oneLine(c.URL)},
	}
}

// source returns the fields that name a record's source.
func source(file string, offset, length int64) warc.Fields {
	return warc.Fields{
		{Name: "WARC-Source-URI", Value: "filedesc://" + url.PathEscape(file)},
		{Name: "WARC-Source-Range", Value: fmt.Sprintf("bytes=%d-%d", offset, offset+max(length, 1)-1)},
	}
}
