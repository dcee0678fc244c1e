package archive

import (
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
)

// MayNameOriginal reports whether readers may know about the capture that the record of a revisit refers to. The rules of the revisit's
// collections are applied, since the original may be in no indexed file.
func (s *Archive) MayNameOriginal(revisit *cdx.Capture, record warc.Fields) bool {
	named := cdx.Capture{RefersToURI: warc.TrimBrackets(record.Get("WARC-Refers-To-Target-URI"))}
	named.File = revisit.File
	named.RefersToTime, _ = warc.ParseDate(record.Get("WARC-Refers-To-Date")) // 0 if it has none
	return s.Index.MayNameOriginal(&named)
}

// WithoutOriginal removes the fields of a revisit's record that name the original.
func WithoutOriginal(record warc.Fields) warc.Fields {
	return slices.DeleteFunc(slices.Clone(record), func(f warc.Field) bool {
		return strings.HasPrefix(strings.ToLower(f.Name), "warc-refers-to")
	})
}
