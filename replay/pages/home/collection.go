package home

import (
	"context"
	"net/url"
	"slices"
	"strconv"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/holdings"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/film"
	"github.com/varve-archive/varve/replay/pages/layout"
)

const (
	// shownEntries is the number of pages that a collection shows as a start.
	shownEntries = 8
	// maxYears bounds the bars of years. A crawler with a wrong clock may produce any year.
	maxYears = 80
)

// card returns the facts about a collection for the list of collections: its figures, its counts if there are any, and a picture.
func (h *Handler) card(ctx context.Context, coll string) (collectionFacts, error) {
	f, err := h.facts(ctx, coll)
	if err != nil {
		return f, err
	}
	counted, _, err := h.Counts.Of(ctx, coll, change.LevelContent, false)
	if err != nil || counted == nil {
		return f, err
	}
	h.addFacts(coll, &f, &counted.Overview)
	if h.Archive.Gallery == nil {
		return f, nil
	}
	entries, err := h.Counts.Entries(ctx, coll, counted, shownEntries)
	if err != nil {
		return f, err
	}
	for _, n := range entries {
		page, err := h.Counts.Now(ctx, counted, n)
		if err != nil || page == nil {
			return f, err
		}
		if f.Look, err = film.Latest(ctx, h.Archive, h.Site.Local(coll), page.URL); err != nil || f.Look != nil {
			return f, err
		}
	}
	return f, nil
}

func (h *Handler) addFacts(coll string, f *collectionFacts, o *holdings.Overview) {
	f.Addresses, f.Pages, f.Versions, f.First, f.Last = o.Addresses, o.Pages, o.Versions, o.First, o.Last
	for _, y := range everyYear(o.Years) {
		digits := strconv.Itoa(y.Year)
		f.Years = append(f.Years, layout.YearBar{
			Year: y.Year, Captures: y.Captures, Changes: y.Versions,
			Href: h.addressList(coll, url.Values{"url": {"*"}, "since": {digits}, "until": {digits}}),
		})
	}
}

// everyYear adds the years between, and drops the oldest if there are too many.
func everyYear(years []holdings.Year) (out []holdings.Year) {
	for _, y := range years {
		if n := len(out); n > 0 && y.Year-out[n-1].Year > maxYears {
			out = nil
		}
		for n := len(out); n > 0 && out[n-1].Year+1 < y.Year; n = len(out) {
			out = append(out, holdings.Year{Year: out[n-1].Year + 1})
		}
		out = append(out, y)
	}
	return out[max(0, len(out)-maxYears):]
}

func (h *Handler) addressList(coll string, params url.Values) string {
	return h.Site.Local(coll).Home() + "?" + params.Encode()
}

// overview fills in the contents of a collection. Counts may be of an earlier state of the index; facts about single pages are current.
func (h *Handler) overview(ctx context.Context, coll string, v *collectionView) error {
	counted, counting, err := h.Counts.Of(ctx, coll, change.LevelContent, false)
	if err != nil {
		return err
	}
	if counted == nil {
		v.Counting = &layout.Progress{Done: int(counting.Done), Total: int(counting.All)}
		return nil
	}
	o := &counted.Overview
	h.addFacts(coll, &v.Facts, o)
	entries, err := h.Counts.Entries(ctx, coll, counted, shownEntries)
	if err != nil {
		return err
	}
	uris := h.Site.Local(coll)
	asLast := func(l *holdings.ListedAddress) string { return uris.Memento(l.Last, "", l.URL) }
	calendar := func(l *holdings.ListedAddress) string { return uris.Calendar(l.URL) }
	for _, shelf := range []struct {
		to      *[]pageLink
		numbers []int
		href    func(*holdings.ListedAddress) string
	}{
		{&v.Entries, entries, asLast},
		{&v.Changed, o.Changed, calendar},
		{&v.ChangedLast, o.Recent, calendar},
		{&v.LivedLong, o.Longest, calendar},
	} {
		if *shelf.to, err = h.pageLinks(ctx, counted, shelf.numbers, shelf.href); err != nil {
			return err
		}
	}
	h.hostsAndKinds(coll, v, o, uris)
	v.Looks, err = h.looks(ctx, uris, append(slices.Clone(v.Changed), v.Entries...))
	return err
}

// Limits of the pictures on the page of a collection.
const (
	shownLooks = 2 // pages
	shownStory = 6 // pictures of each
)

// looks returns pictures of the versions of the first pages in a list that have any.
func (h *Handler) looks(ctx context.Context, uris memento.URIs, pages []pageLink) (out []pageLook, err error) {
	if h.Archive.Gallery == nil {
		return nil, nil
	}
	seen := map[string]bool{}
	for _, p := range pages {
		if seen[p.URL] || len(out) == shownLooks {
			continue
		}
		seen[p.URL] = true
		reel, err := film.Find(ctx, h.Archive, uris, p.URL)
		if err != nil {
			return nil, err
		}
		if story := reel.Story(shownStory); story != nil {
			out = append(out, pageLook{URIR: p.URL, Href: uris.Calendar(p.URL), Film: story})
		}
	}
	return out, nil
}

func (h *Handler) hostsAndKinds(coll string, v *collectionView, o *holdings.Overview, uris memento.URIs) {
	for _, host := range o.Hosts {
		v.Hosts = append(v.Hosts, hostRow{host, uris.Home() + "*/http://" + host.Host + "/*"})
	}
	for _, k := range o.Sorts {
		v.Kinds = append(v.Kinds, kindRow{k, h.addressList(coll, url.Values{"url": {"*"}, "type": {string(k.Sort)}})})
	}
}

// pageLinks reads pages by their numbers in a count. It leaves out those that were removed since.
func (h *Handler) pageLinks(
	ctx context.Context, counted *holdings.List, numbers []int, href func(*holdings.ListedAddress) string,
) (out []pageLink, err error) {
	for _, n := range numbers {
		l, err := h.Counts.Now(ctx, counted, n)
		if err != nil {
			return nil, err
		}
		if l != nil {
			out = append(out, pageLink{l, href(l)})
		}
	}
	return out, nil
}
