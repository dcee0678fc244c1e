package cdx

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A field is one column of a CDX answer.
type field uint8

const (
	fieldUnknown field = iota
	fieldURLKey
	fieldTimestamp
	fieldOriginal
	fieldMIME
	fieldStatus
	fieldDigest
	fieldLength
	fieldRedirect
	fieldRobotFlags
	fieldOffset
	fieldFileName
	fieldRange
	fieldChange
	fieldOrigLength
	fieldOrigOffset
	fieldOrigFileName
)

// fieldNames has the wayback CDX server's names and pywb's.
var fieldNames = map[string]field{
	"urlkey":        fieldURLKey,
	"timestamp":     fieldTimestamp,
	"original":      fieldOriginal,
	"url":           fieldOriginal,
	"mimetype":      fieldMIME,
	"mime":          fieldMIME,
	"statuscode":    fieldStatus,
	"status":        fieldStatus,
	"digest":        fieldDigest,
	"length":        fieldLength,
	"redirect":      fieldRedirect,
	"robotflags":    fieldRobotFlags,
	"offset":        fieldOffset,
	"filename":      fieldFileName,
	"range":         fieldRange,
	"change":        fieldChange,
	"orig.length":   fieldOrigLength,
	"orig.offset":   fieldOrigOffset,
	"orig.filename": fieldOrigFileName,
}

// A column is a field under the name it was asked for.
type column struct {
	field field
	name  string
}

func columns(names ...string) []column {
	cols := make([]column, len(names))
	for i, name := range names {
		cols[i] = column{fieldNames[name], name}
	}
	return cols
}

// The columns of the wayback CDX server's answers, those of a CDXJ line behind its key and timestamp,
// and those that resolveRevisits adds.
var (
	waybackColumns = columns("urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length")
	cdxjColumns    = columns("url", "mime", "status", "digest", "length", "offset", "filename", "redirect", "range", "change")
	objectColumns  = slices.Concat(columns("urlkey", "timestamp"), cdxjColumns)
	cdx11Columns   = columns("urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "redirect", "robotflags", "length", "offset", "filename")
	originColumns  = columns("orig.length", "orig.offset", "orig.filename")
)

// needAnnotation reports whether any of the columns has to be asked of an [Annotator].
func needAnnotation(cols []column) bool {
	return slices.ContainsFunc(cols, func(c column) bool { return c.field == fieldRange || c.field == fieldChange })
}

// A row is a capture with what else its line can tell.
type row struct {
	*Capture
	rng        int    // validity range; -1 if unknown
	change     string // "" if unknown
	originFile string // base name of the file that has a revisit's original; "" if unknown
}

// appendField appends the value of f, or nothing where r has none.
func (r *row) appendField(dst []byte, f field) []byte {
	switch f {
	case fieldURLKey:
		return append(dst, r.Key...)
	case fieldTimestamp:
		return r.Time.Append(dst)
	case fieldOriginal:
		return append(dst, r.URL...)
	case fieldMIME:
		if r.Kind == Revisit {
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
	}
	return dst
}

// mimeRevisit is what CDX files have as the MIME type of a revisit.
const mimeRevisit = "warc/revisit"

func (r *row) appendOrigin(dst []byte, f field) []byte {
	switch {
	case r.Kind != Revisit || r.Unresolved():
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

// appendText appends the columns with spaces between them and "-" for what is missing. White space and
// controls inside a value are percent-encoded: they would end the column or the line.
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

func escapeSpace(dst []byte, start int) []byte {
	for i := start; i < len(dst); i++ {
		if dst[i] <= ' ' || dst[i] == 0x7f {
			rest := string(dst[i:])
			dst = dst[:i]
			for j := range len(rest) {
				if c := rest[j]; c <= ' ' || c == 0x7f {
					dst = append(dst, '%', hexDigits[c>>4], hexDigits[c&15])
				} else {
					dst = append(dst, c)
				}
			}
			return dst
		}
	}
	return dst
}

// appendObject appends the columns as a JSON object of strings, without those that are missing.
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

// appendArray appends the columns as a JSON array of strings, "-" for what is missing.
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

func appendJSONString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := len(dst)
	return closeJSONString(append(dst, s...), start)
}

// closeJSONString escapes dst[start:] as the inside of a JSON string and appends the closing quote.
func closeJSONString(dst []byte, start int) []byte {
	for i := start; i < len(dst); i++ {
		if c := dst[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			rest := string(dst[i:])
			return append(appendJSONRest(dst[:i], rest), '"')
		}
	}
	return append(dst, '"')
}

func appendJSONRest(dst []byte, s string) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		case c < utf8.RuneSelf:
			dst = append(dst, c)
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			dst = utf8.AppendRune(dst, r) // what is no UTF-8 becomes U+FFFD: JSON can't hold it
			i += size
			continue
		}
		i++
	}
	return dst
}

// fieldList says which fields there are, for error messages.
func fieldList() string {
	names := make([]string, 0, len(fieldNames))
	for name := range fieldNames {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
