package latest

import (
	"github.com/varve-archive/varve/archive/change"
)

// Share returns the share of a page's own content that changed with a version, from 0 to 1, ignoring furniture. It is 1 for a version that
// is the first, or where the page disappeared, came back or became a redirect.
func (v *Version) Share() float64 {
	if d := v.Range.Change; d != nil && v.Before != nil && v.Before.Kind == v.Range.Kind {
		return 1 - d.Similarity
	}
	return 1
}

// Gone reports whether the page disappeared with this version.
func (v *Version) Gone() bool {
	return v.Before != nil && v.Before.Kind.Shown() && (v.Range.Kind == change.Missing || v.Range.Kind == change.Redirect)
}

const (
	// newWeight is the weight of a first version, which says only that a page was found.
	newWeight = 0.2
	// longTime is the time in seconds without a change that doubles the weight of the next.
	longTime = 365 * 24 * 60 * 60
)

// Importance rates a change: by the share of the content that changed, where deletions count twice as much as additions, multiplied by up
// to two if nothing had changed for a year.
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
