package cdx

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/varve-archive/varve/cdx/surt"
)

// CDX11Header is the first line of a CDX file with eleven columns.
const CDX11Header = " CDX N b a m s k r M S V g"

// AppendCDXJ appends c as a CDXJ line without its line break: key, timestamp and a JSON object of strings (url, mime,
// status, digest, length, offset, filename and, if known, redirect, range, change). rng is the index of the validity
// range, -1 if unknown; change is "" if unknown.
func AppendCDXJ(dst []byte, c *Capture, rng int, change string) []byte {
	r := row{Capture: c, rng: rng, change: change}
	return r.appendCDXJ(dst, cdxjColumns)
}

// AppendCDX11 appends c as a line of a CDX file with eleven columns, without its line break.
func AppendCDX11(dst []byte, c *Capture) []byte {
	r := row{Capture: c, rng: -1}
	return r.appendText(dst, cdx11Columns)
}

// appendCDXJ appends the key, the timestamp and an object of the columns.
func (r *row) appendCDXJ(dst []byte, cols []column) []byte {
	dst = append(dst, surt.URLKey(r.Key, r.URL)...)
	dst = append(dst, ' ')
	dst = r.Time.Append(dst)
	dst = append(dst, ' ')
	return r.appendObject(dst, cols)
}

// A row is a capture with the additional values that its line may have.
type row struct {
	*Capture
	rng        int    // validity range; -1 if unknown
	change     string // "" if unknown
	unnamed    bool   // readers may not know of a revisit's original
	originFile string // base name of the file with a revisit's original; "" if unknown

	dupes   int       // earlier rows of the answer with the same digest
	skipped int       // captures between this row and the next
	end     Timestamp // of the last of them; the row's own if there are none
	before  Position  // of the capture before the row, whether or not that is a row; kept for resume keys

	asOriginal bool // a revisit is shown with the MIME type of its original
}

// appendField appends the value of f, or nothing if r has none.
func (r *row) appendField(dst []byte, f field) []byte {
	switch f {
	case fieldURLKey:
		return append(dst, surt.URLKey(r.Key, r.URL)...)
	case fieldTimestamp:
		return r.Time.Append(dst)
	case fieldOriginal:
		return append(dst, r.URL...)
	case fieldMIME:
		if r.Kind == Revisit && (!r.asOriginal || r.Unresolved() || r.MIME == "") {
			return append(dst, mimeRevisit...)
		}
		return append(dst, r.MIME...)
	case fieldStatus:
		return appendPositive(dst, int64(r.Status))
	case fieldDigest:
		return append(dst, r.Digest...)
	case fieldLength:
		return appendPositive(dst, r.Length)
	case fieldRedirect:
		return append(dst, r.Redirect...)
	case fieldOffset:
		return strconv.AppendInt(dst, r.Offset, 10)
	case fieldFileName:
		return append(dst, r.FileName...)
	case fieldRange:
		if r.rng >= 0 {
			return strconv.AppendInt(dst, int64(r.rng), 10)
		}
	case fieldChange:
		return append(dst, r.change...)
	case fieldOrigLength, fieldOrigOffset, fieldOrigFileName:
		return r.appendOrigin(dst, f)
	case fieldDupeCount:
		return strconv.AppendInt(dst, int64(r.dupes), 10)
	case fieldSkipCount:
		return strconv.AppendInt(dst, int64(r.skipped), 10)
	case fieldEndTimestamp:
		return r.end.Append(dst)
	}
	return dst
}

// mimeRevisit is what CDX files give as the MIME type of a revisit.
const mimeRevisit = "warc/revisit"

func (r *row) appendOrigin(dst []byte, f field) []byte {
	switch {
	case r.Kind != Revisit || r.Unresolved() || r.unnamed:
		return dst
	case f == fieldOrigLength:
		return appendPositive(dst, r.Origin.Length)
	case f == fieldOrigOffset:
		return strconv.AppendInt(dst, r.Origin.Offset, 10)
	}
	return append(dst, r.originFile...)
}

func appendPositive(dst []byte, n int64) []byte {
	if n <= 0 {
		return dst
	}
	return strconv.AppendInt(dst, n, 10)
}

// appendText appends the columns separated by spaces, with "-" for missing values. It percent-encodes white space and
// controls inside a value, which would end the column or the line.
func (r *row) appendText(dst []byte, cols []column) []byte {
	for i, c := range cols {
		if i > 0 {
			dst = append(dst, ' ')
		}
		start := len(dst)
		dst = r.appendField(dst, c.field)
		switch {
		case len(dst) == start:
			dst = append(dst, '-')
		case c.field == fieldOriginal || c.field == fieldRedirect || c.field == fieldFileName || c.field == fieldMIME || c.field == fieldDigest:
			dst = escapeSpace(dst, start)
		}
	}
	return dst
}

// escapeSpace percent-encodes the white space and controls in dst[start:]. Those beyond ASCII count too: many languages split lines and
// columns at them.
func escapeSpace(dst []byte, start int) []byte {
	for i := start; i < len(dst); i++ {
		if c := dst[i]; c <= ' ' || c >= 0x7f {
			return appendEscaped(dst[:i], string(dst[i:]))
		}
	}
	return dst
}

func appendEscaped(dst []byte, s string) []byte {
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			for _, c := range []byte(s[:size]) {
				dst = append(dst, '%', hexDigits[c>>4], hexDigits[c&15])
			}
		} else {
			dst = append(dst, s[:size]...)
		}
		s = s[size:]
	}
	return dst
}

// appendObject appends the columns as a JSON object of strings. It leaves out missing values.
func (r *row) appendObject(dst []byte, cols []column) []byte {
	dst = append(dst, '{')
	first := len(dst)
	for _, c := range cols {
		start := len(dst)
		if start > first {
			dst = append(dst, ", "...)
		}
		dst = appendJSONString(dst, c.name)
		dst = append(dst, ": "...)
		value := len(dst)
		if dst = r.appendField(append(dst, '"'), c.field); len(dst) == value+1 {
			dst = dst[:start]
			continue
		}
		dst = closeJSONString(dst, value+1)
	}
	return append(dst, '}')
}

// appendArray appends the columns as a JSON array of strings, with "-" for missing values.
func (r *row) appendArray(dst []byte, cols []column) []byte {
	dst = append(dst, '[')
	for i, c := range cols {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '"')
		start := len(dst)
		if dst = r.appendField(dst, c.field); len(dst) == start {
			dst = append(dst, '-')
		}
		dst = closeJSONString(dst, start)
	}
	return append(dst, ']')
}
