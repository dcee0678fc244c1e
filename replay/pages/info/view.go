package info

import (
	"time"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// A partView is a resource that a page embeds, or the target of a redirect.
type partView struct {
	URIR    string
	Capture *banner.CaptureLink // nil if it was never captured
	Apart   time.Duration       // how much later than the page it was captured
}

// A pageView says where a capture is from.
type pageView struct {
	layout.Page
	Capture        banner.CaptureLink
	Title          string
	Status         int
	MIME, Digest   string
	Type, Format   string // of the record
	File, Body     string // Body: the file that has the body of a revisit
	Offset, Length int64
	Checked        bool     // whether the record was read to its end
	Wrong          []string // digests that don't match
	Damage         string   // why it can't be read to its end
	Record, HTTP   warc.Fields
	Writer         warc.Fields
	Hops           []partView // of a redirect
	Parts          []partView
	Embeds         banner.Embeds // counts Parts
	Lost, Errors   int           // percentage of the page's resources that isn't archived, and number of script errors, from its picture
	LeftOut        int           // further parts that are not in Parts, at least
	Unread         int           // parts that were not searched for further ones
	Cite           cited
	Raw, Calendar  string
	Inspect        string // values from all versions of the page, "" if it is none
	WARC, WACZ     string // the record, and the page with its parts; "" if they can't be had
}

// verdict says whether a record matches its digests.
func (v *pageView) verdict(t *locale.Language) string {
	switch {
	case v.Damage != "":
		return t.Info.Damaged
	case !v.Checked:
		return t.Info.Unchecked
	case len(v.Wrong) > 0:
		return t.Info.Differs
	}
	return t.Info.Whole
}

// others are the forms of a citation besides the plain text.
func (c *cited) others(t *locale.Language) warc.Fields {
	return warc.Fields{
		{Name: t.Info.RobustLink, Value: c.RobustLink},
		{Name: t.Overview.Embed, Value: c.Embed},
		{Name: "BibTeX", Value: c.BibTeX},
		{Name: "CSL-JSON", Value: c.CSL},
	}
}
