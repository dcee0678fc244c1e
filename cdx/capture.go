package cdx

import (
	"cmp"
	"strings"
)

// Kind is the type of a capture's WARC record.
type Kind uint8

// The record types that are captures (ISO 28500 §6). ARC records count as responses.
const (
	Response Kind = iota
	Revisit
	Resource
	Conversion
	Metadata
)

// String returns the WARC-Type.
func (k Kind) String() string {
	return [...]string{"response", "revisit", "resource", "conversion", "metadata"}[k]
}

// FileID identifies an indexed file inside one index. 0 is no file.
type FileID uint32

// A Location is where a record is: length bytes (of the compressed member, if there is one) at offset in a file. Length
// 0 means unknown.
type Location struct {
	File   FileID
	Offset int64
	Length int64
}

// A Capture is one archived record of a URI-R, as the index lists it.
//
// A resolved revisit has the digest and text of the capture it refers to, and its status, MIME type and redirect target unless it has a
// head of its own. Its Kind stays Revisit, and Origin says where the body is.
type Capture struct {
	Key      string    // SURT, see [surt.Of]
	Time     Timestamp // WARC-Date, cut to the second
	URL      string    // WARC-Target-URI as written
	MIME     string    // lower case, without parameters; "" if unknown
	Status   int       // HTTP status; 0 if unknown. Records without one, such as resources, have 200
	Digest   string    // payload digest: bare base32 for SHA-1, else "algorithm:value"; "" if unknown
	Payload  string    // bare base32 SHA-1 of the body without transfer coding, where Digest is known not to be that; else ""
	Kind     Kind
	Redirect string // absolute target of a 3xx, "" if none

	Location          // of the record itself
	FileName string   // base name of its file; filled in when read from an index
	Origin   Location // Revisit: of the original record; File is 0 while it is unresolved

	RefersToURI  string    // Revisit: WARC-Refers-To-Target-URI, "" if absent
	RefersToTime Timestamp // Revisit: WARC-Refers-To-Date, 0 if absent
	NotModified  bool      // Revisit: profile server-not-modified
	OwnHead      bool      // Revisit: once it is resolved, whether status and type are its own

	Truncated bool   // WARC-Truncated, or cut off by the end of its file
	Text      uint64 // identifies the visible text; 0 if there is none (see package change)
}

// Failed reports whether the capture is a failed fetch: a 5xx, a 429, or cut off.
func (c *Capture) Failed() bool {
	return c.Status >= 500 && c.Status <= 599 || c.Status == 429 || c.Truncated
}

// IsPicture reports whether the response is a picture, by its status and media type.
func (c *Capture) IsPicture() bool { return c.Status/100 == 2 && strings.HasPrefix(c.MIME, "image/") }

// Unresolved reports whether the capture is a revisit whose original has not been found.
func (c *Capture) Unresolved() bool {
	return c.Kind == Revisit && c.Origin.File == 0
}

// Refer makes the revisit c refer to orig, which has the body. A revisit with a head of its own keeps status, type and redirect target
// (WARC 1.1 §6.7.2). One that says nothing of the answer, such as a server-not-modified one, has those of orig.
func (c *Capture) Refer(orig *Capture) {
	const notModified = 304 // RFC 9110 §15.4.5
	if c.Unresolved() {
		c.OwnHead = c.Status != 0 && c.Status != notModified && !c.NotModified
	}
	if !c.OwnHead {
		c.Status, c.MIME = orig.Status, orig.MIME
	}
	if c.Status == orig.Status { // a CDX line tells of a redirect that it is one, but not to where
		c.Redirect = cmp.Or(c.Redirect, orig.Redirect)
	}
	c.Origin, c.Text = orig.Location, orig.Text
	c.MIME, c.Digest = cmp.Or(c.MIME, orig.MIME), cmp.Or(orig.Digest, c.Digest)
	c.Payload = orig.Payload
	c.Truncated = c.Truncated || orig.Truncated
}
