package follow

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/gather/follow/feed"
	"github.com/varve-archive/varve/internal/sleep"
	"github.com/varve-archive/varve/internal/xhtml"
	"github.com/varve-archive/varve/internal/xmltext"
	"github.com/varve-archive/varve/rewrite"
	"github.com/varve-archive/varve/rewrite/uses"
)

const (
	maxParts    = 300 // of a page, with those of its parts
	maxLevel    = 3   // nesting of parts: style sheets that import others, frames in frames
	maxChain    = 20  // nesting of modules that import others
	partIsFresh = 7 * 24 * time.Hour
	maxRest     = 2 * time.Minute // longest pause of a host after which a part is still requested
)

// A part is a resource that a document needs.
type part struct {
	url   string
	use   uses.Use
	level int
	via   string
}

// parts captures the resources that a page needs and that were not captured lately. It skips those that fail; the error is that of
// ctx, or fatal.
func (f *web) parts(ctx context.Context, address, contentType string, body []byte) error {
	queue := partsOf(part{url: address, use: uses.Page}, contentType, body)
	seen := map[string]bool{address: true}
	for ; len(queue) > 0 && len(seen) <= maxParts; queue = queue[1:] {
		p := queue[0]
		if seen[p.url] {
			continue
		}
		seen[p.url] = true
		contentType, body, err := f.part(ctx, p)
		if ctx.Err() != nil || f.problem() != nil || errors.Is(err, errBudget) {
			return err
		}
		if err == nil && (p.level < maxLevel || p.use.IsModule() && p.level < maxChain) {
			queue = append(queue, partsOf(p, contentType, body)...)
		}
	}
	return nil
}

// part captures one part. The body is nil if it was captured lately.
func (f *web) part(ctx context.Context, p part) (contentType string, body []byte, err error) {
	var at time.Time
	k := addressKey(keyPart, p.url)
	if ok, err := kv.GetJSON(ctx, f.store, k, &at); err != nil {
		return "", nil, f.fatal(err)
	} else if ok && f.now().Sub(at) < partIsFresh {
		return "", nil, nil
	}
	all, err := f.get(ctx, f.pages, p.url, nil)
	var rest *restError
	for tries := 0; errors.As(err, &rest) && rest.wait <= maxRest && tries < 3; tries++ {
		if err := sleep.For(ctx, rest.wait); err != nil {
			return "", nil, err
		}
		all, err = f.get(ctx, f.pages, p.url, nil)
	}
	if err != nil {
		return "", nil, err
	}
	defer all.close()
	e := all.last()
	if isPassing(e.Status) {
		return "", nil, f.refusal(e)
	}
	f.writing.RLock()
	defer f.writing.RUnlock()
	if err := f.writeAll(ctx, all, p.via); err != nil {
		return "", nil, err
	}
	if body, err = e.Body(maxPage); err != nil || e.Status >= 400 {
		body = nil
	}
	if isCut(e) { // the next page that needs it asks for all of it
		return e.ContentType(), body, nil
	}
	return e.ContentType(), body, f.fatal(f.put(ctx, k, f.now()))
}

// partsOf returns the resources that a document needs, as a browser would find them.
func partsOf(of part, contentType string, body []byte) (list []part) {
	contentType, body = xhtml.AsHTML(contentType, body)
	format := rewrite.Sniff(contentType, of.use, body[:min(len(body), rewrite.SniffLen)])
	switch format {
	case rewrite.FormatHTML, rewrite.FormatCSS, rewrite.FormatJS, rewrite.FormatManifest:
	default:
		return nil
	}
	collect := func(refs []uses.Ref) []string {
		for _, r := range refs {
			switch r.Use {
			case uses.Link, uses.Page, uses.Raw, uses.Download, uses.WebSocket:
				continue
			}
			if a, err := feed.Resolve(of.url, r.URI); err == nil && len(list) < maxParts {
				list = append(list, part{a, r.Use, of.level + 1, of.url})
			}
		}
		return make([]string, len(refs))
	}
	_ = format.Rewrite(io.Discard, bytes.NewReader(body), rewrite.Options{
		Base: of.url, Use: of.use, Charset: xmltext.Charset(contentType), Resolve: collect,
	})
	return list
}
