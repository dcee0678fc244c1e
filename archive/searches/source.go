package searches

import (
	"context"
	"fmt"
	"iter"
	"net/url"
	"strings"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/history"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// A Source reads a collection for building its search. It has its own cache of pages, so that a build doesn't evict what readers need.
// It implements [search.Archive].
type Source struct {
	archive *archive.Archive // as the readers of the search may see it
	staging *Staging
	fields  *fields.Set
	coll    string
	anew    bool // the existing search may show what the rules exclude
	pages   *lru.Cache[string, *timeline.Timeline]

	extractors sync.Pool // of *visible.Extractor, with a common memory
	targets    sync.Pool // of targets
}

// pagesAtOnce bounds the cached pages of a build. It works on one page per core, which are fewer.
const pagesAtOnce = 64

// targetsKnown bounds the links that each goroutine of a build remembers, enough for the menus of some hosts.
const targetsKnown = 1 << 13

// Source returns a source for building the search of a collection.
func (s *Searches) Source(coll string) *Source {
	pages, _ := lru.New[string, *timeline.Timeline](pagesAtOnce) // fails only for a size of 0
	b := &Source{archive: s.archive.ForSearch(), staging: s.Staging, fields: s.fields(coll), coll: coll, pages: pages}
	memory := sync.OnceValue(func() *visible.Memory { return new(visible.Memory) }) // takes some megabytes, so create it only when needed
	b.extractors.New = func() any { return &visible.Extractor{Memory: memory()} }
	b.targets.New = func() any { return targets{} }
	return b
}

func (b *Source) Versions(ctx context.Context, key string) ([]search.Version, error) {
	tl, err := b.timeline(ctx, key)
	if err != nil {
		return nil, err
	}
	return searchVersions(tl)
}

func (b *Source) Text(ctx context.Context, key string, v search.Version) (search.Text, error) {
	tl, err := b.timeline(ctx, key)
	if err != nil {
		return search.Text{}, err
	}
	e := b.extractors.Get().(*visible.Extractor)
	defer b.extractors.Put(e)
	var out search.Text
	template, _ := b.fields.For(key)
	err = archive.TryVersion(tl, v.First, v.Text, func(c *cdx.Capture) error {
		if template == nil {
			if p, ok := b.staging.get(c); ok {
				out = search.Text{Text: p.Text}
				if archive.IsHTML(c) {
					out.Links = b.resolved(c.URL, p.base, p.links)
				}
				return nil
			}
		}
		body, contentType, err := b.archive.PageBody(ctx, c)
		if err != nil {
			return err
		}
		t, err := b.archive.Extract(ctx, c, body, contentType, e)
		if err != nil {
			return err
		}
		out = search.Text{Text: searchText(&t)}
		if archive.IsHTML(c) {
			out.Links = b.linksOf(body, contentType, c.URL)
		}
		if template != nil && archive.IsHTML(c) {
			out.Fields = template.Pack(fields.Page{Body: body, ContentType: contentType, URL: c.URL})
		}
		return nil
	})
	return out, err
}

func searchText(t *visible.Text) history.Text {
	out := history.Text{Title: t.Title, Blocks: make([]string, len(t.Blocks)), Kinds: make([]history.Kind, len(t.Blocks))}
	for i := range t.Blocks {
		b := &t.Blocks[i]
		out.Blocks[i] = b.Text
		switch {
		case b.Region.Furniture():
			out.Kinds[i] = history.Furniture
		case b.Heading > 0:
			out.Kinds[i] = history.Heading
		}
	}
	return out
}

// linksOf reads the links of a page with the keys of their targets.
func (b *Source) linksOf(body []byte, contentType, uriR string) iter.Seq[search.Link] {
	return func(yield func(search.Link) bool) {
		base, links := visible.Links(body, contentType)
		b.resolved(uriR, base, links)(yield)
	}
}

// resolved yields links of a page with their keys. named is the address in the page's base element.
func (b *Source) resolved(uriR, named string, links []visible.Link) iter.Seq[search.Link] {
	return func(yield func(search.Link) bool) {
		base, err := url.Parse(uriR)
		if err != nil {
			return
		}
		if to, err := base.Parse(named); err == nil {
			base = to
		}
		known := b.targets.Get().(targets)
		defer b.targets.Put(known)
		for _, l := range links {
			if key := known.of(base, l.Href); key != "" && !yield(search.Link{Key: key, Text: l.Text}) {
				return
			}
		}
	}
}

// targets caches the keys of references, since pages of a host share many links.
type targets map[target]string

// A target is a reference on the pages of a host.
type target struct{ scheme, host, href string }

// of returns the key of a reference's target, "" if it isn't a web address. References relative to a path aren't cached.
func (t targets) of(base *url.URL, href string) string {
	if !strings.HasPrefix(href, "/") && !strings.Contains(href, "://") {
		return linkKey(base, href)
	}
	known := target{base.Scheme, base.Host, href}
	key, ok := t[known]
	if !ok {
		if len(t) >= targetsKnown {
			clear(t)
		}
		key = linkKey(base, href)
		t[known] = key
	}
	return key
}

func linkKey(base *url.URL, href string) string {
	to, err := base.Parse(href)
	if err != nil || to.Scheme != "http" && to.Scheme != "https" {
		return ""
	}
	return surt.Of(to.String())
}

func (b *Source) timeline(ctx context.Context, key string) (*timeline.Timeline, error) {
	if tl, ok := b.pages.Get(key); ok {
		return tl, nil
	}
	tl, err := b.archive.Timelines.Read(ctx, b.coll, key)
	if err != nil {
		return nil, err
	}
	b.pages.Add(key, tl)
	return tl, nil
}

// maxTouched is the number of touched pages from which on a build walks over all captures instead of looking pages up.
const maxTouched = 1 << 17

func (b *Source) Touched(ctx context.Context, state string) (search.Touched, error) {
	// All pages depend on access rules and templates.
	conditions := fmt.Sprintf("%s/%d/%x:", b.archive.Access.Rules().Sum(), b.archive.Access.Day(), b.fields.Sum())
	state, same := strings.CutPrefix(state, conditions)
	if same = same && !b.anew; !same {
		state = ""
	}
	t, err := b.archive.Index.Whole.Touched(ctx, b.coll, state, maxTouched)
	return search.Touched{Keys: t.Keys, All: t.All, Exposed: !same, State: conditions + t.State}, err
}
