package web

import (
	"context"

	"github.com/varve-archive/varve/cdx"
)

// A PagePart is a URI-R that a page embeds.
type PagePart struct {
	URIR    string
	Capture *cdx.Capture // that the page's replay shows; nil if it was never captured
}

// A PartsFunc finds what the page at a capture embeds, in the order in which it does. more says that there may be further
// parts.
type PartsFunc func(ctx context.Context, coll string, page *cdx.Capture) (parts []PagePart, more bool, err error)
