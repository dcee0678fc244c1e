package ways

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/replay/pages/search"
	"github.com/varve-archive/varve/replay/respond"
)

// A Finder finds what else a reader may want to see at an address.
type Finder struct {
	archive *archive.Archive
	box     *search.Handler
	site    *respond.Site
}

// New returns a finder over an archive with its search box, for a site.
func New(a *archive.Archive, box *search.Handler, site *respond.Site) *Finder {
	return &Finder{a, box, site}
}

// From returns suggestions for an address without captures, or a pattern without matches: other collections that have it, its folder,
// host and domain, a search for its words, and all addresses. Every suggestion has something to show, and none is the current page.
func (f *Finder) From(r *http.Request, p respond.Path) (out []Way) {
	ctx, uris := r.Context(), f.site.Local(p.Coll)
	if !respond.IsPattern(p.URIR) {
		having, _ := f.archive.Having(ctx, p.URIR) // what can't be looked up is left out
		for _, coll := range having {
			if coll != p.Coll {
				out = append(out, Way{Kind: InCollection, Href: f.site.Local(coll).Calendar(p.URIR), Text: f.site.Title(coll)})
			}
		}
	}
	for _, pattern := range f.around(ctx, p.Coll, p.URIR) {
		out = append(out, Way{Kind: Under, Href: uris.Home() + "*/" + pattern, Text: pattern})
	}
	if words := f.box.FromAddress(ctx, p.Coll, p.URIR); words != "" {
		out = append(out, Way{Kind: Search, Href: uris.Endpoint("search", url.Values{"q": {words}}.Encode()), Text: words})
	}
	if p.URIR != "*" {
		out = append(out, Way{Kind: All, Href: uris.Home() + "*/*"})
	}
	return out
}

// maxFolders bounds the folders of an address that are looked up. Addresses of real pages have fewer.
const maxFolders = 32

// around returns the patterns around an address that have captures of other addresses, the narrowest first: the nearest non-empty folder,
// its host, its domain.
func (f *Finder) around(ctx context.Context, coll, uriR string) (out []string) {
	u, err := url.Parse(strings.TrimSuffix(strings.Replace(uriR, "*.", "http://", 1), "*"))
	if isDomain := strings.HasPrefix(uriR, "*."); err != nil || u.Hostname() == "" || isDomain && u.Hostname() == domainOf(u) {
		return nil
	}
	add := func(pattern string) bool {
		found := pattern != uriR && f.hasOthers(ctx, coll, pattern, uriR)
		if found {
			out = append(out, pattern)
		}
		return found
	}
	host := u.Scheme + "://" + u.Host + "/"
	path := strings.Trim(u.EscapedPath(), "/")
	for range maxFolders {
		end := strings.LastIndexByte(path, '/')
		if end < 0 {
			break
		}
		path = path[:end]
		if add(host + path + "/*") {
			break
		}
	}
	add(host + "*")
	if domain := domainOf(u); domain != "" && strings.TrimPrefix(u.Hostname(), "www.") != domain {
		add("*." + domain)
	}
	return out
}

// domainOf returns the registrable domain, or "".
func domainOf(u *url.URL) string {
	domain, err := publicsuffix.EffectiveTLDPlusOne(strings.ToLower(u.Hostname()))
	if err != nil {
		return ""
	}
	return domain
}

// hasOthers reports whether addresses other than uriR match a pattern.
func (f *Finder) hasOthers(ctx context.Context, coll, pattern, uriR string) bool {
	ranges, err := surt.Ranges(pattern, "")
	if err != nil || ranges[0].From == "" {
		return false
	}
	own := surt.Of(uriR)
	for _, k := range ranges {
		for key, err := range f.archive.Index.Keys(ctx, coll, k.From, k.To) {
			if err != nil || key != own {
				return err == nil
			}
		}
	}
	return false
}
