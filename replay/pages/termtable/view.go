package termtable

import (
	"strconv"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// A tableView is the page that counts terms on pages at datetimes.
type tableView struct {
	layout.Page
	Action string // of the form: terms, urls, at, and output for the same as data
	Form   *layout.Form
	Terms  []string
	Rows   []tableRow // the datetimes of each page follow each other
	Total  int        // rows of the whole table
	Words  string     // the page of the terms
}

// A tableRow is a page at a datetime.
type tableRow struct {
	URIR    string
	At      cdx.Timestamp       // that was asked for
	Capture *banner.CaptureLink // the last one until then, nil if there is none
	Status  int                 // of the capture
	// Counts are the numbers of occurrences of each term; nil without a capture, if its status isn't 200, or if its text can't be read.
	Counts []int
}

// none says why a row has no counts.
func (r *tableRow) none(t *locale.Language) string {
	switch {
	case r.Capture == nil:
		return t.Find.NoneThen
	case r.Status == 200:
		return t.Find.UnreadThen
	}
	return locale.Fill(t.Present.ByStatus, t.Digits(strconv.Itoa(r.Status)))
}

// pageOf returns the number of rows of the page that begins at row i; 0 if no page begins there.
func (v *tableView) pageOf(i int) (rows int) {
	if i > 0 && v.Rows[i-1].URIR == v.Rows[i].URIR {
		return 0
	}
	for rows = 1; i+rows < len(v.Rows) && v.Rows[i+rows].URIR == v.Rows[i].URIR; rows++ {
		continue
	}
	return rows
}

// since returns the difference between a term's count and that in the previous row of the same page with counts.
func (v *tableView) since(i, term int) int {
	for before := i - 1; before >= 0 && v.Rows[before].URIR == v.Rows[i].URIR; before-- {
		if counts := v.Rows[before].Counts; counts != nil {
			return v.Rows[i].Counts[term] - counts[term]
		}
	}
	return 0
}
