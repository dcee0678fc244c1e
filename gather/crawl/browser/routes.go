package browser

import (
	"context"
	"strings"
)

// routesFactor is how many times longer than a page its routes may take together.
const routesFactor = 6

// A walk goes through the routes of a page: addresses that differ from its own in a fragment such as #/about or #!about, from which its
// scripts make pages.
type walk struct {
	tab   *tab
	known map[string]bool // links
	queue []string        // fragments that are to be opened
	left  int             // bytes that further links may have
}

// walkRoutes opens the routes of a page that is shown. What they ask for belongs to the visit, and their links to what the page shows.
func (t *tab) walkRoutes(shown *Shown) {
	if t.visit.Routes == nil || len(shown.Frames) == 0 || shown.Elsewhere {
		return
	}
	t.mu.Lock()
	t.acting = false // no step leads away any more
	t.mu.Unlock()
	ctx, cancel := context.WithTimeout(t.ctx, routesFactor*t.wait)
	defer cancel()
	w, page, before := &walk{tab: t, known: map[string]bool{}, left: t.limit}, &shown.Frames[0], t.documents()
	if _, ok := w.look(ctx); !ok { // these links are in the page's text
		return
	}
	for len(w.queue) > 0 && t.documents() == before {
		fragment := w.queue[0]
		w.queue = w.queue[1:]
		if t.call(ctx, t.main, nil, "turn", fragment) != nil {
			break
		}
		t.settle(ctx)
		links, ok := w.look(ctx)
		if !ok {
			break
		}
		page.Links = append(page.Links, links...)
	}
	shown.MoreRoutes = ctx.Err() != nil
}

// look queues the routes to which the page links now, and returns its other new links.
func (w *walk) look(ctx context.Context) (others []string, ok bool) {
	var seen struct {
		URL   string
		Links []string
	}
	if w.tab.call(ctx, w.tab.main, &seen, "leads", w.left) != nil {
		return nil, false
	}
	here, _, _ := strings.Cut(seen.URL, "#")
	w.known[seen.URL] = true
	for _, link := range seen.Links {
		if w.known[link] || len(link) > w.left {
			continue
		}
		w.known[link] = true
		w.left -= len(link)
		address, fragment, _ := strings.Cut(link, "#")
		switch {
		case address != here:
			others = append(others, link)
		case strings.HasPrefix(fragment, "/") || strings.HasPrefix(fragment, "!"):
			if w.tab.visit.Routes(link) {
				w.queue = append(w.queue, fragment)
			}
		}
	}
	return others, true
}
