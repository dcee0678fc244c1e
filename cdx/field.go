package cdx

import (
	"slices"
	"strings"
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
	fieldDupeCount
	fieldSkipCount
	fieldEndTimestamp
)

// fieldNames has the names of the wayback CDX server, of pywb and of OutbackCDX.
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
	"redirecturl":   fieldRedirect,
	"robotflags":    fieldRobotFlags,
	"offset":        fieldOffset,
	"filename":      fieldFileName,
	"range":         fieldRange,
	"change":        fieldChange,
	"orig.length":   fieldOrigLength,
	"orig.offset":   fieldOrigOffset,
	"orig.filename": fieldOrigFileName,
	"dupecount":     fieldDupeCount,
	"skipcount":     fieldSkipCount,
	"endtimestamp":  fieldEndTimestamp,
}

// A column is a field with the name under which it was requested.
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

// The columns of the wayback CDX server's answers, of a CDXJ line after its key and timestamp, of JSON objects, of CDX
// files with eleven columns, and those that resolveRevisits adds.
var (
	waybackColumns = columns("urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length")
	cdxjColumns    = columns("url", "mime", "status", "digest", "length", "offset", "filename", "redirect", "range", "change")
	objectColumns  = slices.Concat(columns("urlkey", "timestamp"), cdxjColumns)
	cdx11Columns   = columns("urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "redirect", "robotflags", "length",
		"offset", "filename")
	originColumns = columns("orig.length", "orig.offset", "orig.filename")
)

func has(cols []column, f field) bool {
	return slices.ContainsFunc(cols, func(c column) bool { return c.field == f })
}

// annotated reports whether a field is known by an [Annotator] only.
func (f field) annotated() bool { return f == fieldRange || f == fieldChange }

// ofOrigin reports whether a field says where the original of a revisit is.
func (f field) ofOrigin() bool {
	return f == fieldOrigLength || f == fieldOrigOffset || f == fieldOrigFileName
}

// fieldList lists the field names for error messages.
func fieldList() string {
	names := make([]string, 0, len(fieldNames))
	for name := range fieldNames {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
