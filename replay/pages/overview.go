package pages

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
	"github.com/varve-archive/varve/replay/pages/views"
)

const (
	// shownEntries is the number of pages that a collection shows as a start.
	shownEntries = 8
	// mostYears bounds the bars of years. A crawler with a wrong clock may produce any year.
	mostYears = 80
)

// A collectionPage says what a collection has.
type collectionPage struct{ *Handler }

// card returns the facts about a collection for the list of collections: its figures, its counts if there are any, and a picture.
func (s collectionPage) card(ctx context.Context, coll string) (views.CollectionFacts, error) {
	f, err := s.facts(ctx, coll)
	if err != nil {
		return f, err
	}
	counted, _, err := s.counts.Of(ctx, coll, change.LevelContent, false)
	if err != nil || counted == nil {
		return f, err
	}
	s.addFacts(coll, &f, &counted.Overview)
	if s.Gallery == nil {
		return f, nil
	}
	entries, err := s.counts.Entries(ctx, coll, counted, shownEntries)
	if err != nil {
		return f, err
	}
	for _, n := range entries {
		page, err := s.counts.Now(ctx, counted, n)
		if err != nil || page == nil {
			return f, err
		}
		if f.Look, err = film.Latest(ctx, s.Archive, s.site.Local(coll), page.URL); err != nil || f.Look != nil {
			return f, err
		}
	}
	return f, nil
}

func (s collectionPage) addFacts(coll string, f *views.CollectionFacts, o *holdings.Overview) {
	f.Addresses, f.Pages, f.Versions, f.First, f.Last = o.Addresses, o.Pages, o.Versions, o.First, o.Last
	for _, y := range everyYear(o.Years) {
		digits := strconv.Itoa(y.Year)
		f.Years = append(f.Years, layout.YearBar{
			Year: y.Year, Captures: y.Captures, Changes: y.Versions,
			Href: s.addressList(coll, url.Values{"url": {"*"}, "since": {digits}, "until": {digits}}),
		})
	}
}

// everyYear adds the years between, and drops the oldest if there are too many.
func everyYear(years []holdings.Year) (out []holdings.Year) {
	for _, y := range years {
		if n := len(out); n > 0 && y.Year-out[n-1].Year > mostYears {
			out = nil
		}
		for n := len(out); n > 0 && out[n-1].Year+1 < y.Year; n = len(out) {
			out = append(out, holdings.Year{Year: out[n-1].Year + 1})
		}
		out = append(out, y)
	}
	return out[max(0, len(out)-mostYears):]
}

// addressList returns the address of a list of addresses.
func (s *Handler) addressList(coll string, params url.Values) string {
	return s.site.Local(coll).Home() + "?" + params.Encode()
}

// overview fills in the contents of a collection. Counts may be of an earlier state of the index; facts about single pages are current.
func (s collectionPage) overview(ctx context.Context, coll string, v *views.CollectionView) error {
	counted, counting, err := s.counts.Of(ctx, coll, change.LevelContent, false)
	if err != nil {
		return err
	}
	if counted == nil {
		v.Counting = &layout.Progress{Done: int(counting.Done), Total: int(counting.All)}
		return nil
	}
	o := &counted.Overview
	s.addFacts(coll, &v.Facts, o)
	entries, err := s.counts.Entries(ctx, coll, counted, shownEntries)
	if err != nil {
		return err
	}
	uris := s.site.Local(coll)
	asLast := func(l *holdings.Listed) string { return uris.Memento(l.Last, "", l.URL) }
	calendar := func(l *holdings.Listed) string { return uris.Calendar(l.URL) }
	for _, shelf := range []struct {
		to      *[]views.PageLink
		numbers []int
		href    func(*holdings.Listed) string
	}{
		{&v.Entries, entries, asLast},
		{&v.Changed, o.Changed, calendar},
		{&v.ChangedLast, o.Recent, calendar},
		{&v.LivedLong, o.Longest, calendar},
	} {
		if *shelf.to, err = s.pageLinks(ctx, counted, shelf.numbers, shelf.href); err != nil {
			return err
		}
	}
	s.hostsAndKinds(coll, v, o, uris)
	v.Looks, err = s.looks(ctx, uris, append(slices.Clone(v.Changed), v.Entries...))
	return err
}

// Limits of the pictures on the page of a collection.
const (
	shownLooks = 2 // pages
	shownStory = 6 // pictures of each
)

// looks returns pictures of the versions of the first pages in a list that have any.
func (s *Handler) looks(ctx context.Context, uris memento.URIs, pages []views.PageLink) (out []views.PageLook, err error) {
	if s.Gallery == nil {
		return nil, nil
	}
	seen := map[string]bool{}
	for _, p := range pages {
		if seen[p.URIR] || len(out) == shownLooks {
			continue
		}
		seen[p.URIR] = true
		reel, err := film.Find(ctx, s.Archive, uris, p.URIR)
		if err != nil {
			return nil, err
		}
		if story := reel.Story(shownStory); story != nil {
			out = append(out, views.PageLook{URIR: p.URIR, Href: uris.Calendar(p.URIR), Film: story})
		}
	}
	return out, nil
}

func (s collectionPage) hostsAndKinds(coll string, v *views.CollectionView, o *holdings.Overview, uris memento.URIs) {
	for _, h := range o.Hosts {
		v.Hosts = append(v.Hosts, views.HostRow{
			Host: h.Host, Href: uris.Home() + "*/http://" + h.Host + "/*", Pages: h.Pages, Captures: h.Captures, Versions: h.Versions,
		})
	}
	for _, k := range o.Sorts {
		v.Kinds = append(v.Kinds, views.KindRow{
			Sort: string(k.Sort), Href: s.addressList(coll, url.Values{"url": {"*"}, "type": {string(k.Sort)}}),
			Addresses: k.Addresses, Captures: k.Captures, Bytes: k.Bytes,
		})
	}
}

// pageLinks reads pages by their numbers in a count. It leaves out those that were removed since.
func (s collectionPage) pageLinks(
	ctx context.Context, counted *holdings.Counted, numbers []int, href func(*holdings.Listed) string,
) (out []views.PageLink, err error) {
	for _, n := range numbers {
		l, err := s.counts.Now(ctx, counted, n)
		if err != nil {
			return nil, err
		}
		if l != nil {
			out = append(out, views.PageLink{
				URIR: l.URL, Href: href(l), Captures: l.Captures, Versions: l.Versions, Changed: l.Changed, First: l.First, Last: l.Last,
			})
		}
	}
	return out, nil
}
