package respond

import (
	"context"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/rewrite/uses"
)

// A PagePart is a URI-R that a page embeds.
type PagePart struct {
	URIR    string
	Use     uses.Use
	Capture *cdx.Capture // that the page's replay shows; nil if it was never captured
}

// A PartsFunc finds the parts of the page at a capture, in order. rest describes what is left out.
type PartsFunc func(ctx context.Context, coll string, page *cdx.Capture) (parts []PagePart, rest MissingParts, err error)

// MissingParts is what is missing in the parts of a page, because a page may embed any number.
type MissingParts struct {
	LeftOut int // addresses, at least
	Unread  int // captured parts that might embed others, but were not read
}

// More reports whether there may be further parts.
func (u MissingParts) More() bool { return u.LeftOut > 0 || u.Unread > 0 }
