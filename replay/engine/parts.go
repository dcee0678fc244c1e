package engine

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/xmltext"
	"github.com/varve-archive/varve/replay/respond"
	"github.com/varve-archive/varve/rewrite"
	"github.com/varve-archive/varve/rewrite/uses"
)

const (
	maxParts      = 2000     // parts that are looked up for a page
	maxPartsBytes = 16 << 20 // bytes that are read for a page
	maxCounted    = 20_000   // addresses beyond maxParts that are counted
)

// Parts returns the resources that a page embeds, directly or by its frames, style sheets, scripts and redirects, each once, with the
// captures that its replay shows. Those that the page itself embeds come first, in its order. A capture that isn't a page has no parts.
// rest describes what is left out.
func (s *Handler) Parts(ctx context.Context, coll string, c *cdx.Capture) (parts []respond.PagePart, rest respond.MissingParts, err error) {
	f := partFinder{s: s, coll: coll, seen: map[string]bool{c.URL: true}, left: maxPartsBytes}
	f.queue = []container{{c, uses.Page, c.Time}}
	for n := 0; n < len(f.queue); n++ {
		if f.left <= 0 {
			f.rest.Unread += len(f.queue) - n
			break
		}
		unread, err := f.expand(ctx, f.queue[n])
		switch {
		case cmp.Or(ctx.Err(), err) != nil:
			return nil, rest, cmp.Or(ctx.Err(), err)
		case unread != nil && n == 0:
			return nil, rest, unread
		case unread != nil:
			f.rest.Unread++
		}
	}
	return f.parts, f.rest, nil
}

// A partFinder finds the parts of a page. It implements [rewrite.Resolver].
type partFinder struct {
	s     *Handler
	coll  string
	seen  map[string]bool
	parts []respond.PagePart
	queue []container
	left  int64 // bytes that may still be read
	rest  respond.MissingParts
}

// A container is a capture that may embed parts.
type container struct {
	*cdx.Capture
	use uses.Use
	at  cdx.Timestamp // datetime around which its parts are looked up
}

// expand reads a container, and queues the captures that it embeds. unread is why a part of it couldn't be read.
func (f *partFinder) expand(ctx context.Context, in container) (unread, err error) {
	known := len(f.parts)
	if timeline.IsRedirect(in.Capture) {
		f.add(in.Redirect, in.use)
	} else {
		unread = f.read(ctx, in)
	}
	var uris []string
	for i := known; i < len(f.parts); i++ {
		uris = append(uris, f.parts[i].URIR)
	}
	return unread, f.s.nearest(ctx, f.coll, in.at, uris, func(i int, found *cdx.Capture) {
		kept, use, at := *found, f.parts[known+i].Use, in.at
		f.parts[known+i].Capture = &kept
		switch use {
		case uses.Image:
			return
		case uses.Iframe, uses.Frame, uses.Page: // pages of their own
			at = kept.Time
		}
		f.queue = append(f.queue, container{&kept, use, at})
	})
}

// read adds the references in the body of a container.
func (f *partFinder) read(ctx context.Context, in container) error {
	a, err := f.s.Open(ctx, in.Capture)
	if err != nil {
		return err
	}
	defer a.Close()
	body, err := a.Readable()
	if err != nil { // browsers can't decode it either
		return nil
	}
	peek := bufio.NewReaderSize(body, 4096)
	start, _ := peek.Peek(rewrite.SniffLen)
	format := rewrite.Sniff(a.Header.Get("Content-Type"), in.use, start)
	if format == rewrite.FormatNone || in.use == uses.Page && format != rewrite.FormatHTML {
		return nil
	}
	limited := &io.LimitedReader{R: peek, N: f.left}
	o := rewrite.Options{Base: in.URL, Use: in.use, Resolve: f.note, Charset: xmltext.Charset(a.Header.Get("Content-Type"))}
	err = format.Rewrite(io.Discard, limited, o)
	if f.left = limited.N; err != nil {
		return fmt.Errorf("looking for the parts of %s: %w", in.URL, err)
	}
	if _, err := peek.Peek(1); f.left <= 0 && err == nil {
		f.rest.Unread++
	}
	return nil
}

func (f *partFinder) note(refs []uses.Ref) []string {
	for _, ref := range refs {
		if ref.Use != uses.Link && ref.Use != uses.Page {
			f.add(ref.URI, ref.Use)
		}
	}
	return make([]string, len(refs))
}

func (f *partFinder) add(uriR string, use uses.Use) {
	switch {
	case uriR == "" || f.seen[uriR]:
	case len(f.parts) == maxParts:
		if len(f.seen) < maxCounted {
			f.seen[uriR] = true
			f.rest.LeftOut++
		}
	default:
		f.seen[uriR] = true
		f.parts = append(f.parts, respond.PagePart{URIR: uriR, Use: use})
	}
}
