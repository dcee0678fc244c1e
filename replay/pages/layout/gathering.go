package layout

import (
	"fmt"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
)

// Steering says whether a page can control crawls.
type Steering struct {
	Possible bool   // the server takes orders
	Token    string // without it this page can't give orders
}

// A Address is an address of the live web. Href leads to its replay, and may be "".
type Address struct{ URIR, Href string }

// ClockTime formats seconds as a clock does: 1:02:03.
func ClockTime(t *locale.Language, seconds float64) string {
	s := int(seconds)
	if s < 3600 {
		return t.Digits(fmt.Sprintf("%d:%02d", s/60, s%60))
	}
	return t.Digits(fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60))
}

// OfLimit formats a number and its maximum; a maximum of 0 is no limit.
func OfLimit(t *locale.Language, n, most int) string {
	if most == 0 {
		return t.Number(n)
	}
	return locale.Fill(t.Crawls.OfMost, t.Number(n), t.Number(most))
}

// A DropZone is where files can be uploaded. If a page doesn't allow it, Token is "", and the page says why.
type DropZone struct {
	Action      string // takes the form
	Token       string
	Coll        string        // the collection to which files go, unless another of Collections is chosen
	Collections []banner.Link // Href is the name, Text what people call it; none leaves the choice out
	Limit       int64         // bytes of a file
}
