package versions

import (
	"slices"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
)

// ShownKind returns what a capture shows. An error page, or a wall at status 200, belongs to the version around it.
func ShownKind(tl *timeline.Timeline, c *cdx.Capture, ranges []change.Range, r int) banner.Kind {
	unshown := func(i int) bool { return tl.Captures[i].Location == c.Location }
	switch {
	case c.Failed() && !c.Truncated, r >= 0 && slices.ContainsFunc(ranges[r].Unshown, unshown):
		return banner.KindError
	case r >= 0:
		return KindOf(ranges[r].Kind)
	}
	return banner.KindPage
}

// KindOf returns the kind of a version as pages name it.
func KindOf(k change.Kind) banner.Kind {
	switch k {
	case change.Resource:
		return banner.KindResource
	case change.Redirect:
		return banner.KindRedirect
	case change.Missing:
		return banner.KindMissing
	case change.Error:
		return banner.KindError
	}
	return banner.KindPage
}

// DeltaOf returns the difference to the version before as pages name it.
func DeltaOf(d *sketch.Delta) banner.Delta {
	if d == nil {
		return banner.Delta{}
	}
	return banner.Delta{Added: d.Added, Deleted: d.Deleted, Pictures: d.Pictures, Known: true}
}
