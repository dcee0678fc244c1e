package views

import (
	"strconv"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
)

// A TermTableView is the page that counts terms on pages at datetimes.
type TermTableView struct {
	Page
	Action string // of the form: terms, urls, at, and output for the same as data
	Form   *Form
	Terms  []string
	Rows   []TermTableRow // the datetimes of each page follow each other
	Total  int            // rows of the whole table
	Words  string         // the page of the terms
}

// A TermTableRow is a page at a datetime.
type TermTableRow struct {
	URIR    string
	At      cdx.Timestamp       // that was asked for
	Capture *banner.CaptureLink // the last one until then, nil if there is none
	Status  int                 // of the capture
	// Counts are how often each term stands there; nil without a capture, if its status isn't 200, or if its text can't be read.
	Counts []int
}

// none says why a row has no counts.
func (r *TermTableRow) none(t texts) string {
	switch {
	case r.Capture == nil:
		return t.Find.NoneThen
	case r.Status == 200:
		return t.Find.UnreadThen
	}
	return locale.Fill(t.Present.ByStatus, t.Digits(strconv.Itoa(r.Status)))
}

// pageOf is the page whose rows begin at a row, and how many there are; 0 where none begin.
func (v *TermTableView) pageOf(i int) (rows int) {
	if i > 0 && v.Rows[i-1].URIR == v.Rows[i].URIR {
		return 0
	}
	for rows = 1; i+rows < len(v.Rows) && v.Rows[i+rows].URIR == v.Rows[i].URIR; rows++ {
		continue
	}
	return rows
}

// since is how many more times a term stands there than in the row of the same page before that has counts.
func (v *TermTableView) since(i, term int) int {
	for before := i - 1; before >= 0 && v.Rows[before].URIR == v.Rows[i].URIR; before-- {
		if counts := v.Rows[before].Counts; counts != nil {
			return v.Rows[i].Counts[term] - counts[term]
		}
	}
	return 0
}
