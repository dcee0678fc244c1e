package archive

import (
	"time"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// Excludes reports whether access rules hide any capture of a URI-R at a time, whether there is one or not.
func (s *Archive) Excludes(coll, uriR string, at time.Time) bool {
	return s.decide(coll, uriR, at) == access.Exclude
}

// Shows reports whether access rules let readers see what a URI-R held at a time: they neither exclude nor block it.
func (s *Archive) Shows(coll, uriR string, at time.Time) bool {
	return s.decide(coll, uriR, at) == access.Allow
}

func (s *Archive) decide(coll, uriR string, at time.Time) access.Access {
	if s.Access.Open() {
		return access.Allow
	}
	return s.Access.Rules().In(coll).For(surt.Of(uriR), s.Index.Group).Decide(cdx.FromTime(at), s.Access.Time()).Access
}

// CollectionOf returns the collection of a capture, "" if its file was removed.
func (s *Archive) CollectionOf(c *cdx.Capture) string {
	f, _ := s.Index.Whole.File(c.File)
	return f.Collection
}
