package cdx

// Kind tells which sort of WARC record a capture was.
type Kind uint8

// The record types that make a capture (ISO 28500 §6). ARC records are responses.
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

// FileID names an indexed file inside one index. 0 is no file.
type FileID uint32

// A Location is where a record stands: length bytes (of the compressed member, where there is one)
// at offset in a file. Length 0 means that it is not known.
type Location struct {
	File   FileID
	Offset int64
	Length int64
}

// A Capture is one archived record of a URI-R, as the index lists it.
//
// A resolved revisit has the status, MIME type, digest, redirect target and text of the capture it
// refers to; Kind stays Revisit and Origin says where the body stands.
type Capture struct {
	Key      string    // SURT, see [surt.Of]
	Time     Timestamp // WARC-Date, cut to the second
	URL      string    // WARC-Target-URI as written
	MIME     string    // lower-case, without parameters; "" if unknown
	Status   int       // HTTP status; 0 for none (a resource record is listed as 200 by its Status being set so)
	Digest   string    // payload digest: bare base32 for SHA-1, else "algorithm:value"; "" if unknown
	Kind     Kind
	Redirect string // absolute target of a 3xx, "" if none

	Location          // where the record itself stands
	FileName string   // base name of its file; filled in when read from an index
	Origin   Location // Revisit: where the original record stands; File 0 while it is unresolved

	RefersToURI  string    // Revisit: WARC-Refers-To-Target-URI, "" if absent
	RefersToTime Timestamp // Revisit: WARC-Refers-To-Date, 0 if absent
	NotModified  bool      // Revisit: profile server-not-modified

	Truncated bool   // WARC-Truncated, or cut off by the end of its file
	Text      uint64 // identifies the visible text; 0 where there is none (see package change)
}

// Failed reports whether the capture is a failed fetch: a 5xx, a 429, or cut off.
func (c *Capture) Failed() bool {
	return c.Status >= 500 && c.Status <= 599 || c.Status == 429 || c.Truncated
}

// Unresolved reports whether the capture is a revisit whose original has not been found.
func (c *Capture) Unresolved() bool {
	return c.Kind == Revisit && c.Origin.File == 0
}

// Refer makes the revisit c one of orig: it takes over the status, type, digest and text, and the redirect target unless it has its own.
func (c *Capture) Refer(orig *Capture) {
	c.Origin = orig.Location
	c.Status, c.MIME, c.Text = orig.Status, orig.MIME, orig.Text
	if c.Redirect == "" {
		c.Redirect = orig.Redirect
	}
	if orig.Digest != "" {
		c.Digest = orig.Digest
	}
	c.Truncated = c.Truncated || orig.Truncated
}
