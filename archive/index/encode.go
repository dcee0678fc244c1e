package index

import (
	"encoding/base32"
	"encoding/binary"
	"slices"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/packed"
	"github.com/varve-archive/varve/internal/sentinel"
)

// The value of a capture is a word of flags, followed by the fields that the flags announce: numbers as uvarints, strings after their
// length. Key, time, file and offset are in the key.
const (
	flagKindMask   = 0x07
	flagTruncated  = 1 << 3
	flagUnmodified = 1 << 4
	flagOrigin     = 1 << 5
	flagText       = 1 << 6
	flagRefersTo   = 1 << 7
	flagSHA1       = 1 << 8 // digest is 20 bytes of SHA-1, else a string
	flagRedirect   = 1 << 9
	flagKnownMIME  = 1 << 10 // MIME type is a number in knownMIME, else a string
	flagOwnHead    = 1 << 11
	flagPayload    = 1 << 12 // 20 bytes of SHA-1, at the end
)

// knownMIME shortens the commonest types. Positions are part of the index format: append only.
var knownMIME = [...]string{
	"text/html", "text/css", "application/javascript", "text/javascript", "application/x-javascript",
	"image/jpeg", "image/png", "image/gif", "image/webp", "image/svg+xml", "image/x-icon", "image/vnd.microsoft.icon",
	"application/json", "application/xml", "text/xml", "application/rss+xml", "application/atom+xml",
	"application/pdf", "text/plain", "application/xhtml+xml", "font/woff2", "font/woff", "application/font-woff",
	"application/octet-stream", "video/mp4", "audio/mpeg", "text/dns", "application/manifest+json", "unk", "warc/revisit",
}

// encodeCapture appends the value of c.
func encodeCapture(b []byte, c *cdx.Capture) []byte {
	sha1, isSHA1 := decodeSHA1(c.Digest)
	mime := slices.Index(knownMIME[:], c.MIME)
	b = binary.AppendUvarint(b, captureFlags(c, isSHA1, mime >= 0))
	b = binary.AppendUvarint(b, uint64(c.Length))
	b = binary.AppendUvarint(b, uint64(c.Status))
	if mime >= 0 {
		b = append(b, byte(mime))
	} else {
		b = packed.AppendText(b, c.MIME)
	}
	if isSHA1 {
		b = append(b, sha1[:]...)
	} else {
		b = packed.AppendText(b, c.Digest)
	}
	b = packed.AppendText(b, c.URL)
	if c.Text != 0 {
		b = binary.LittleEndian.AppendUint64(b, c.Text)
	}
	if c.Redirect != "" {
		b = packed.AppendText(b, c.Redirect)
	}
	if c.Origin.File != 0 {
		b = binary.AppendUvarint(b, uint64(c.Origin.File))
		b = binary.AppendUvarint(b, uint64(c.Origin.Offset))
		b = binary.AppendUvarint(b, uint64(c.Origin.Length))
	}
	if c.RefersToURI != "" || c.RefersToTime != 0 {
		b = packed.AppendText(b, c.RefersToURI)
		b = binary.AppendUvarint(b, uint64(c.RefersToTime))
	}
	if sum, ok := decodeSHA1(c.Payload); ok {
		b = append(b, sum[:]...)
	}
	return b
}

func captureFlags(c *cdx.Capture, sha1, known bool) uint64 {
	f := uint64(c.Kind)
	for _, x := range [...]struct {
		on   bool
		flag uint64
	}{
		{c.Truncated, flagTruncated},
		{c.NotModified, flagUnmodified},
		{c.Origin.File != 0, flagOrigin},
		{c.OwnHead, flagOwnHead},
		{c.Payload != "", flagPayload},
		{c.Text != 0, flagText},
		{c.RefersToURI != "" || c.RefersToTime != 0, flagRefersTo},
		{sha1, flagSHA1},
		{c.Redirect != "", flagRedirect},
		{known, flagKnownMIME},
	} {
		if x.on {
			f |= x.flag
		}
	}
	return f
}

const errShortValue = sentinel.Error("index: the index has a damaged capture entry; rebuild it from the WARC files")

// A decoder reads a value from front to back.
type decoder struct{ packed.Reader }

// decodeCapture fills c from the value v, except Key, Time, File, Offset and FileName.
func decodeCapture(v []byte, c *cdx.Capture) error {
	d := decoder{packed.Reader{Rest: v}}
	flags := d.Uint()
	c.Kind = cdx.Kind(flags & flagKindMask)
	c.Truncated = flags&flagTruncated != 0
	c.NotModified = flags&flagUnmodified != 0
	c.OwnHead = flags&flagOwnHead != 0
	c.Length = int64(d.Uint())
	c.Status = int(d.Uint())
	c.MIME = d.mime(flags)
	if flags&flagSHA1 != 0 {
		c.Digest = encodeSHA1(d.Bytes(20))
	} else {
		c.Digest = string(d.Text())
	}
	if d.repeats(c.URL) { // same URI-R as in the previous capture: reuse the string
		d.Text()
	} else {
		c.URL = string(d.Text())
	}
	c.Text, c.Redirect, c.Origin, c.RefersToURI, c.RefersToTime, c.Payload = 0, "", cdx.Location{}, "", 0, ""
	d.optional(flags, c)
	if d.Failed || c.Kind > cdx.Metadata {
		return errShortValue
	}
	return nil
}

func (d *decoder) repeats(s string) bool {
	ahead := d.Reader
	return string(ahead.Text()) == s
}

func (d *decoder) mime(flags uint64) string {
	if flags&flagKnownMIME == 0 {
		return string(d.Text())
	}
	if n := d.Byte(); int(n) < len(knownMIME) {
		return knownMIME[n]
	}
	d.Fail()
	return ""
}

func (d *decoder) optional(flags uint64, c *cdx.Capture) {
	if flags&flagText != 0 {
		c.Text = d.Fixed64()
	}
	if flags&flagRedirect != 0 {
		c.Redirect = string(d.Text())
	}
	if flags&flagOrigin != 0 {
		c.Origin = cdx.Location{File: cdx.FileID(d.Uint()), Offset: int64(d.Uint()), Length: int64(d.Uint())}
	}
	if flags&flagRefersTo != 0 {
		c.RefersToURI = string(d.Text())
		c.RefersToTime = cdx.Timestamp(d.Uint())
	}
	if flags&flagPayload != 0 {
		c.Payload = encodeSHA1(d.Bytes(20))
	}
}

func decodeSHA1(digest string) (sum [20]byte, ok bool) {
	if len(digest) != 32 {
		return sum, false
	}
	_, err := base32.StdEncoding.Decode(sum[:], []byte(digest))
	return sum, err == nil && encodeSHA1(sum[:]) == digest
}

func encodeSHA1(sum []byte) string {
	if len(sum) != 20 {
		return ""
	}
	var out [32]byte
	base32.StdEncoding.Encode(out[:], sum)
	return string(out[:])
}
