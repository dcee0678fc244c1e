package crawl

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

// A finder decides about each address in an answer: it is queued, or left out for a reason.
type finder struct {
	crawl *Crawl
	item  frontier.Item // the item with this answer
	now   time.Time
	found *frontier.Found
}

func (f *finder) skip(key, reason string) {
	f.found.Skipped = append(f.found.Skipped, frontier.Skip{Key: key, Reason: reason})
}

// skipNow leaves an address out that may be queued later by another path.
func (f *finder) skipNow(key, reason, trap string) {
	f.found.Skipped = append(f.found.Skipped, frontier.Skip{Key: key, Reason: reason, Trap: trap, Now: true})
}

// redirect follows a redirect. The target may have the same key, as with https, www or a final slash. With a new cookie it may even
// be where the redirects came from.
func (f *finder) redirect(location string, cookie bool) {
	next := f.item
	next.Hops, next.Via, next.Tries, next.Cookie = f.item.Hops+1, f.item.URL, 0, f.item.Cookie || cookie
	if f.item.Hops == 0 {
		next.From = f.item.URL
	}
	address, err := reference.Web(f.item.URL, location)
	start := address == next.From && address != f.item.URL && next.Cookie
	back := start || address == f.item.URL || f.item.Hops > 0 && address == f.item.Via
	if err != nil || back && !cookie && !start || f.crawl.set.secrets.in(address) {
		return
	}
	if start { // once
		next.From = ""
	}
	next = itemOf(address, next)
	switch {
	case back:
		next.Key = ownKey(address) + " " + strconv.Itoa(next.Hops)
	case keyOf(f.item.URL) == next.Key:
		next.Key = ownKey(address)
	}
	switch {
	case next.Hops > maxHops:
		f.skipNow(next.Key, frontier.Trap, trapRedirects)
	case f.crawl.scope.excluded(address):
		f.skip(next.Key, skipExcluded)
	case f.item.Kind != frontier.Page:
		f.queue(next)
	case f.item.Seed:
		if !f.crawl.scope.within(address) {
			f.crawl.scope.widen(address)
			f.found.Widen = address
		}
		f.queue(next)
	default:
		f.page(next)
	}
}

// page queues a page if it belongs to the crawl. An address that contains a secret isn't recorded at all, not even as left out.
func (f *finder) page(next frontier.Item) {
	c := f.crawl
	switch {
	case c.set.secrets.in(next.URL):
	case !c.scope.within(next.URL) || !c.scope.included(next.URL):
		c.tally.found(next.Key, skipScope)
		f.skipNow(next.Key, skipScope, "") // a page may need it as a part, or a seed widen the scope
	case c.scope.excluded(next.URL):
		c.tally.found(next.Key, skipExcluded)
		f.skip(next.Key, skipExcluded)
	case c.set.MaxDepth > 0 && next.Depth > c.set.MaxDepth:
		c.tally.found(next.Key, skipDepth)
		f.skipNow(next.Key, skipDepth, "")
	default:
		c.tally.found(next.Key, "")
		next.Late = c.facets.late(next.Key)
		f.queue(next)
	}
}

// queue queues an item unless it is a trap.
func (f *finder) queue(next frontier.Item) {
	if f.crawl.set.secrets.in(next.URL) {
		return
	}
	if trap := trapOf(next.URL, next.Run, f.now); trap != "" {
		f.skipNow(next.Key, frontier.Trap, trap)
		return
	}
	f.found.Items = append(f.found.Items, next)
}

// linked queues a page that the item's page links to.
func (f *finder) linked(address string, jumps int) {
	f.page(itemOf(address, frontier.Item{
		Kind: frontier.Page, Depth: f.item.Depth + jumps, Via: f.item.URL, Run: runOf(address, f.item.Run),
	}))
}

// part queues a resource that a document needs.
func (f *finder) part(address string, use uses.Use) {
	next := itemOf(address, frontier.Item{
		Kind: frontier.Part, Depth: f.item.Depth, Level: f.item.Level + 1, Via: f.item.URL, Use: readAs(use),
	})
	most := maxLevel
	if use.IsModule() {
		most = maxChain
	}
	switch {
	case f.crawl.set.secrets.in(address):
	case f.crawl.scope.excluded(address):
		f.skip(next.Key, skipExcluded)
	case next.Level > most:
		f.skipNow(next.Key, skipDepth, "")
	default:
		f.queue(next)
	}
}

// maxLinks is the largest number of addresses taken from one document. More are a trap.
const (
	maxLinks  = 100_000
	trapLinks = "links"
)

// document finds the addresses in a page or a part.
func (f *finder) document(contentType string, body []byte, status int, t time.Time) {
	links, html := linksOf(f.item.URL, f.item.Via, contentType, body, useOf(f.item))
	if f.item.Kind != frontier.Page {
		html = false
	}
	further := map[string]bool{}
	if html {
		page := fields.Page{Body: body, ContentType: contentType, URL: f.item.URL}
		further = f.pagination(page)
		f.values(page, status, t)
		if status == 200 && !f.crawl.set.Browser && !f.crawl.set.secrets.in(f.item.URL) {
			f.crawl.tally.learn(f.item.URL, textOf(body, contentType))
		}
	}
	seen := map[link]bool{}
	for i, l := range links {
		if i == maxLinks {
			f.skipNow(f.item.Key+" "+trapLinks, frontier.Trap, trapLinks)
			break
		}
		if seen[l] {
			continue
		}
		seen[l] = true
		f.link(l, html, further)
	}
}

// pagination returns the addresses of a page's continuation.
func (f *finder) pagination(page fields.Page) map[string]bool {
	further := map[string]bool{}
	if len(f.crawl.set.Pagination) == 0 {
		return further
	}
	for _, addresses := range f.crawl.set.pagination.Read(page) {
		for _, a := range addresses {
			if address, err := reference.Web("", a); err == nil {
				further[address] = true
			}
		}
	}
	return further
}

func (f *finder) link(l link, page bool, further map[string]bool) {
	if !strings.HasPrefix(l.url, "http") { // of an FTP server
		return
	}
	address, err := reference.Web("", l.url)
	if err != nil {
		if !f.crawl.set.secrets.in(l.url) {
			f.skipNow(keyOf(l.url), skipMalformed, "")
		}
		return
	}
	switch roleOf(l.use) {
	case toPage:
		if !page || !further[address] && f.crawl.set.Links == LinksPagination {
			return
		}
		jumps := 1
		if further[address] {
			jumps = 0
		}
		f.linked(address, jumps)
	case toFrame:
		if page && f.crawl.scope.holds(address) {
			f.linked(address, 0)
		} else {
			f.part(address, l.use)
		}
	case toPart:
		f.part(address, l.use)
	}
}

func (f *finder) values(page fields.Page, status int, t time.Time) {
	template := f.crawl.set.template
	if template == nil || status != 200 {
		return
	}
	parsed, err := fields.Parse(page)
	if err != nil {
		return
	}
	rows, cut, _ := template.Rows(context.Background(), parsed)
	if cut {
		f.crawl.log.Warn("a page has too many rows, of which the first are taken", "url", f.item.URL, "rows", fields.MaxRows)
	}
	docs := make([]document, len(rows))
	for i, r := range rows {
		docs[i] = document{URL: f.item.URL, Datetime: t.UTC().Format(time.RFC3339), Row: r.Number, Values: r.Values}
	}
	fresh := f.crawl.tally.documents(docs)
	if f.crawl.set.Template.Unique {
		docs = fresh
	}
	switch {
	case len(docs) == 0:
	case template.HasRows():
		f.found.Doc, _ = json.Marshal(docs) // texts can always be written
	default:
		docs[0].Row = 0
		f.found.Doc, _ = json.Marshal(docs[0])
	}
	f.found.DocKey, f.found.Docs = f.item.Key, len(docs)
}

// sitemap queues the pages of a sitemap, or the sitemaps of an index.
func (f *finder) sitemap(body []byte, whole bool) {
	locs, index := readSitemap(f.item.URL, body, whole)
	for _, address := range locs {
		switch {
		case !index:
			f.page(itemOf(address, frontier.Item{Kind: frontier.Page, Depth: f.item.Depth + 1, Via: f.item.URL, Run: runOf(address, 0)}))
		case f.item.Level < maxMapLevel && !f.crawl.scope.excluded(address):
			f.queue(itemOf(address, frontier.Item{Kind: frontier.Sitemap, Level: f.item.Level + 1, Via: f.item.URL}))
		}
	}
}
