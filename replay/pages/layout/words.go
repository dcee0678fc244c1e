package layout

import (
	"strings"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
)

// Progress says how much of a job is done.
type Progress struct{ Done, Total int }

// In says how much is done; phrase has {0} for the part and {1} for the total.
func (p *Progress) In(t *locale.Language, phrase string) string {
	return locale.Fill(phrase, t.Number(p.Done), t.Number(p.Total))
}

// ShortAddress leaves out what most addresses have in common.
func ShortAddress(uriR string) string {
	_, rest, ok := strings.Cut(uriR, "://")
	if !ok {
		return uriR
	}
	return strings.TrimSuffix(strings.TrimPrefix(rest, "www."), "/")
}

// SortName names a kind of resource; "" is the kind that people read.
func SortName(t *locale.Language, sort string) string {
	r := &t.Browse
	return map[string]string{
		"": r.Reading, "any": r.AnyType, "page": r.Page, "document": r.Document, "image": r.Image, "media": r.Media,
		"style": r.Style, "script": r.Script, "font": r.Font, "data": r.Data, "other": r.Other,
	}[sort]
}

// StampOf returns the ts14, "" for no time.
func StampOf(ts cdx.Timestamp) string {
	if ts == 0 {
		return ""
	}
	return ts.String()
}

// TimeExample shows in a field how to write a datetime. It is the same in every language.
const TimeExample = "2014 / 20140131"

// URI shows a URI whose lines break behind the slashes of its path.
func URI(uri string) templ.Component {
	broken := strings.NewReplacer("://", "://", "/", "/<wbr>").Replace(templ.EscapeString(uri))
	return templ.Raw(`<bdi class="uri" dir="ltr">` + broken + "</bdi>")
}
