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

// A Source is a collection as the builder of its search reads it. It reads the captures of a page once for
// all versions, in a cache of its own, so that a build does not displace what readers need.
type Source struct {
	archive *archive.Archive // as its search may show it
	staging *Staging
	fields  *fields.Set
	coll    string
	anew    bool // what was built before may show what the rules exclude
	pages   *lru.Cache[string, *timeline.Timeline]

	extractors  sync.Pool // of *visible.Extractor, with a common memory
	linkReaders sync.Pool // of *visible.LinkReader, likewise
	targets     sync.Pool // of targets
}

// pagesAtOnce bounds how many pages a build works on at the same time. It works on one per core, and there are fewer
// cores.
const pagesAtOnce = 64

// targetsKnown is how many links each goroutine of a build remembers: those of the menus of some hosts.
const targetsKnown = 1 << 13

// Source returns a collection as the builder of its search reads it.
func (s *Searches) Source(coll string) *Source {
	pages, _ := lru.New[string, *timeline.Timeline](pagesAtOnce) // fails only for a size of 0
	b := &Source{archive: s.archive.ForSearch(), staging: s.Staging, fields: s.fields(coll), coll: coll, pages: pages}
	memory := sync.OnceValue(func() *visible.Memory { return new(visible.Memory) }) // it takes some megabytes
	b.extractors.New = func() any { return &visible.Extractor{Memory: memory()} }
	links := sync.OnceValue(func() *visible.LinkMemory { return new(visible.LinkMemory) })
	b.linkReaders.New = func() any { return &visible.LinkReader{Memory: links()} }
	b.targets.New = func() any { return targets{} }
	return b
}

// Versions implements [search.Archive].
func (b *Source) Versions(ctx context.Context, key string) ([]search.Version, error) {
	tl, err := b.timeline(ctx, key)
	if err != nil {
		return nil, err
	}
	return searchVersions(tl)
}

// Text implements [search.Archive].
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

// searchText returns a text as the search takes it.
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

// linksOf reads the links of a page to others, with their keys.
func (b *Source) linksOf(body []byte, contentType, uriR string) iter.Seq[search.Link] {
	return func(yield func(search.Link) bool) {
		r := b.linkReaders.Get().(*visible.LinkReader)
		base, links := r.Read(body, contentType)
		b.linkReaders.Put(r)
		b.resolved(uriR, base, links)(yield)
	}
}

// resolved yields links of a page with their keys. named is what the page says that they are relative to.
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

// targets are the keys to which references lead. Pages of a host have many links in common.
type targets map[target]string

// A target is a reference from the pages of a host.
type target struct{ scheme, host, href string }

// of returns the key to which a reference leads, "" if that is none of the web. What is relative to a path is not remembered.
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
	to.Fragment, to.RawFragment = "", ""
	return surt.Of(to.String())
}

func (b *Source) timeline(ctx context.Context, key string) (*timeline.Timeline, error) {
	if tl, ok := b.pages.Get(key); ok {
		return tl, nil
	}
	tl, err := b.archive.Timelines.Read(ctx, b.coll, key)
	if err == nil {
		b.pages.Add(key, tl)
	}
	return tl, err
}

// mostTouched is how many pages a build looks up one by one. To walk over all captures costs less than to look up very many.
const mostTouched = 1 << 17

// conditions are what any page depends on: under other access rules, and with other templates, it may have other versions.
func (b *Source) conditions() string {
	return fmt.Sprintf("%s/%d/%x:", b.archive.Access.Rules().Sum(), b.archive.Access.Day(), b.fields.Sum())
}

// Touched implements [search.Archive].
func (b *Source) Touched(ctx context.Context, state string) (search.Touched, error) {
	conditions := b.conditions()
	state, same := strings.CutPrefix(state, conditions)
	if same = same && !b.anew; !same {
		state = ""
	}
	t, err := b.archive.Index.Whole.Touched(ctx, b.coll, state, mostTouched)
	return search.Touched{Keys: t.Keys, All: t.All, Doubtful: !same, State: conditions + t.State}, err
}
