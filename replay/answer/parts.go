package answer

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/replay/web"
	"github.com/varve-archive/varve/rewrite"
)

const (
	maxParts      = 2000     // that are looked for in a page
	maxPartsBytes = 16 << 20 // of a page that are looked through
)

// Parts returns what a page embeds, in the order in which it does, each once, with the captures that its replay shows. A
// capture that is no page has no parts. more says that there may be further ones.
func (s *Handler) Parts(ctx context.Context, coll string, c *cdx.Capture) (parts []web.PagePart, more bool, err error) {
	a, err := s.Open(ctx, c)
	if err != nil {
		return nil, false, err
	}
	defer a.Close()
	body, err := a.Decoded()
	if err != nil { // a coding that can't be undone: browsers see no page
		return nil, false, nil
	}
	peek := bufio.NewReaderSize(body, 4096)
	start, _ := peek.Peek(rewrite.SniffLen)
	if rewrite.Sniff(a.Header.Get("Content-Type"), rewrite.Link, start) != rewrite.FormatHTML {
		return nil, false, nil
	}
	f := partFinder{seen: map[string]bool{}}
	limited := &io.LimitedReader{R: peek, N: maxPartsBytes}
	o := rewrite.Options{Base: c.URL, Use: rewrite.Page, Resolve: f.note, Charset: web.Charset(a.Header.Get("Content-Type"))}
	if err := rewrite.FormatHTML.Rewrite(io.Discard, limited, o); err != nil {
		return nil, false, fmt.Errorf("looking for the parts of %s: %w", c.URL, err)
	}
	err = s.Index.Nearest(ctx, coll, c.Time, f.keys, func(i int, candidates iter.Seq2[*cdx.Capture, error]) {
		if found := archive.FirstUsable(c.Time, candidates); found != nil {
			kept := *found
			f.parts[i].Capture = &kept
		}
	})
	return f.parts, f.more || limited.N == 0, err
}

// A partFinder notes the URI-Rs of what a page embeds.
type partFinder struct {
	seen  map[string]bool
	parts []web.PagePart
	keys  []string
	more  bool
}

// note implements [rewrite.Resolver].
func (f *partFinder) note(refs []rewrite.Ref) []string {
	for _, ref := range refs {
		if ref.Use == rewrite.Link || ref.Use == rewrite.Page || f.seen[ref.URI] {
			continue
		}
		if len(f.parts) == maxParts {
			f.more = true
			break
		}
		f.seen[ref.URI] = true
		f.parts, f.keys = append(f.parts, web.PagePart{URIR: ref.URI, Use: ref.Use}), append(f.keys, surt.Of(ref.URI))
	}
	return make([]string, len(refs))
}
