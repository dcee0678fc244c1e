package latest

import (
	"github.com/varve-archive/varve/archive/change"
)

// Share returns which part of a page's own content changed with a version, from 0 to 1: nothing of the furniture counts. What came
// first, went, came back or now leads elsewhere changed as a whole.
func (v *Version) Share() float64 {
	if d := v.Range.Change; d != nil && v.Before != nil && v.Before.Kind == v.Range.Kind {
		return 1 - d.Similarity
	}
	return 1
}

// Gone reports whether the page went with this version.
func (v *Version) Gone() bool {
	return v.Before != nil && v.Before.Kind.Shown() && (v.Range.Kind == change.Missing || v.Range.Kind == change.Redirect)
}

const (
	// newWeight is what a first version weighs: it tells that a page was found, not that anybody changed it.
	newWeight = 0.2
	// longTime is the number of seconds of rest from which on a change counts twice.
	longTime = 365 * 24 * 60 * 60
)

// Importance orders changes: by the share of the content, of which a deletion weighs twice what an addition does, and up to twice as
// much if nothing had changed for a year.
func (v *Version) Importance() float64 {
	if v.Before == nil {
		return newWeight * v.Share()
	}
	deleted := 0.0
	if d := v.Range.Change; v.Gone() {
		deleted = 1
	} else if d != nil && d.Added+d.Deleted > 0 {
		deleted = float64(d.Deleted) / float64(d.Added+d.Deleted)
	}
	rest := min(float64(v.Range.First.Distance(v.Before.First))/longTime, 1)
	return v.Share() * (1 + deleted) / 2 * (1 + rest)
}
