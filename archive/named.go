package archive

import (
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// MayNameOriginal reports whether readers may know about the capture that the record of a revisit refers to. The rules of the revisit's
// collections are applied, since the original may be in no indexed file.
func (s *Archive) MayNameOriginal(revisit *cdx.Capture, record warc.Fields) bool {
	uri := warc.TrimBrackets(record.Get("WARC-Refers-To-Target-URI"))
	if uri == "" {
		return true
	}
	original := cdx.Capture{Key: surt.Of(uri), URL: uri}
	original.File = revisit.File
	var err error
	if original.Time, err = warc.ParseDate(record.Get("WARC-Refers-To-Date")); err != nil { // any rule may apply
		rules := s.Access.Rules().In(s.CollectionOf(revisit)).For(original.Key, s.Index.Group)
		return !slices.ContainsFunc(rules.Rules(), func(rule *access.Rule) bool { return rule.Access == access.Exclude })
	}
	return s.Index.Decide(&original).Access != access.Exclude
}

// WithoutOriginal removes the fields of a revisit's record that name the original.
func WithoutOriginal(record warc.Fields) warc.Fields {
	return slices.DeleteFunc(slices.Clone(record), func(f warc.Field) bool {
		return strings.HasPrefix(strings.ToLower(f.Name), "warc-refers-to")
	})
}
