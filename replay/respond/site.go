package respond

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/static"
)

// A Site knows the addresses of a server as its clients see them: its own origin and, if configured, the replay origin
// for archived pages. The latter keeps archived scripts away from what the server's own origin may do. It serves only
// mementos, animations of them and static files; the main origin serves everything else. The Host of a request tells
// the two apart (see docs/isolation.md).
type Site struct {
	PublicURL string // "" takes it from each request
	ReplayURL string // "" replays on the server's own origin

	prefix string // path of PublicURL
	Links  string // what precedes the server's own paths in pages; "" takes it from PublicURL

	// About returns how a collection is presented; if nil, or if its texts are empty, the collection is shown by name and without a
	// description.
	About func(coll string) About
}

// About is the title and the description of a collection.
type About struct{ Title, Description string }

// Title is the title of a collection, or its name.
func (s *Site) Title(coll string) string { return cmp.Or(s.about(coll).Title, coll) }

// Description is the description of a collection, or "".
func (s *Site) Description(coll string) string { return s.about(coll).Description }

func (s *Site) about(coll string) About {
	if s.About == nil {
		return About{}
	}
	return s.About(coll)
}

// NewSite checks the two addresses. The error begins with the name of the wrong one.
func NewSite(publicURL, replayURL string) (*Site, error) {
	for _, a := range [...]struct{ name, url string }{{"PublicURL", publicURL}, {"ReplayURL", replayURL}} {
		if err := checkOrigin(a.url); err != nil {
			return nil, fmt.Errorf("%s: %w", a.name, err)
		}
	}
	s := &Site{PublicURL: asSent(publicURL), ReplayURL: asSent(replayURL)}
	if err := checkOrigins(s.PublicURL, s.ReplayURL); err != nil {
		return nil, fmt.Errorf("ReplayURL: %w", err)
	}
	public, err := url.Parse(s.PublicURL)
	if err != nil {
		return nil, fmt.Errorf("PublicURL: %w", err)
	}
	s.prefix = public.Path
	return s, nil
}

// SiteAt is a server reached under another address. It has no separate origin for archived pages, and its pages link to
// whole addresses.
func SiteAt(url string) *Site { return &Site{PublicURL: url, Links: url} }

// Away reports whether the server's pages are shown at an address other than its own, at varve.proxy. That has the pages of collections,
// but nothing archived, and nothing of all collections together.
func (s *Site) Away() bool { return s.Links != "" }

// Base returns the server's public address as the client of r sees it, without a trailing slash.
func (s *Site) Base(r *http.Request) string {
	if base := s.replayBase(r); base != "" {
		return base
	}
	if s.PublicURL != "" {
		return s.PublicURL
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}

// Path returns what precedes the server's own paths: nothing, unless PublicURL has a path or the server's own pages are
// shown at other addresses.
func (s *Site) Path() string {
	if s.Links != "" {
		return s.Links
	}
	return s.prefix
}

// Within returns the path and the query of a request target without the path of PublicURL, which a server in front may have removed or not.
func (s *Site) Within(target string) string {
	target = withoutHost(target)
	rest, ok := strings.CutPrefix(target, s.Path())
	switch {
	case !ok || rest != "" && rest[0] != '/' && rest[0] != '?': // such as /webs, where the path is /web
		return target
	case rest == "" || rest[0] == '?':
		return "/" + rest
	}
	return rest
}

// Absolute returns the URIs of a collection with scheme and host, for headers and data.
func (s *Site) Absolute(r *http.Request, coll string) memento.URIs {
	return memento.URIs{Base: s.Base(r), Coll: coll}
}

// Local returns the URIs of a collection as paths, for links in pages.
func (s *Site) Local(coll string) memento.URIs {
	return memento.URIs{Base: s.Path(), Coll: coll}
}

// OwnMemento parses an address on the web that is a URI-M or URI-G of this archive, by its PublicURL. Captured pages may link to the
// archive that now has them.
func (s *Site) OwnMemento(uri string) (Path, bool) {
	_, public, ok := strings.Cut(s.PublicURL, "://")
	if !ok {
		return Path{}, false
	}
	scheme, rest, _ := strings.Cut(uri, "://")
	host, path, slash := strings.Cut(rest, "/")
	own, prefix, _ := strings.Cut(public, "/")
	if !slash || !strings.EqualFold(withoutSchemesPort(scheme, host), own) {
		return Path{}, false
	}
	if prefix != "" {
		if path, ok = strings.CutPrefix(path, prefix+"/"); !ok {
			return Path{}, false
		}
	}
	p := ParsePath("/" + path)
	return p, (p.Kind == Memento || p.Kind == TimeGate) && p.URIR != ""
}

func checkOrigin(s string) error {
	if s == "" {
		return nil
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("%q is not of the form https://host or https://host/path", s)
	}
	if parent := strings.TrimPrefix(u.Host, anyHost+"."); strings.Contains(parent, anyHost) || parent == "" {
		return fmt.Errorf("%q: one * may stand for the first part of the host of the replay origin", s)
	}
	return nil
}

// asSent returns an address that [checkOrigin] has accepted in the form in which clients send it: without the default port of its scheme
// and without a final slash.
func asSent(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	u.Host = withoutSchemesPort(u.Scheme, u.Host)
	return strings.TrimSuffix(u.String(), "/")
}

func withoutSchemesPort(scheme, host string) string {
	switch scheme {
	case "http":
		return strings.TrimSuffix(host, ":80")
	case "https":
		return strings.TrimSuffix(host, ":443")
	}
	return host
}

// onReplay reports whether r came to the replay origin.
func (s *Site) onReplay(r *http.Request) bool { return s.replayBase(r) != "" }

// Elsewhere redirects a request to the origin that answers it: the replay origin for archived pages, the server's own
// for all else. It reports whether it did. The banner's request for data that any origin may read is answered at
// either.
func (s *Site) Elsewhere(w http.ResponseWriter, r *http.Request, p Path) (done bool, err error) {
	if s.ReplayURL == "" || p.Kind == Internal && strings.HasPrefix(p.Internal, "static/") {
		return false, nil
	}
	there, replayed, data := s.replayHome(p), p.Kind == Memento || p.Kind == Animate, p.Kind == Changes && !IsBrowser(r)
	switch onReplay := s.onReplay(r); {
	case !onReplay && !replayed, onReplay && (replayed || data) && s.replayBase(r) == there:
		return false, nil
	case replayed:
	case s.PublicURL == "":
		return false, NotFound("this origin has archived pages only")
	default:
		there = s.PublicURL
	}
	AllowOrigins(w.Header())
	RedirectKeepingMethod(w, r, there+s.Within(r.RequestURI))
	return true, nil
}

// checkOrigins checks that the two origins differ and that one path holds for both.
func checkOrigins(public, replay string) error {
	if public == "" || replay == "" {
		return nil
	}
	p, err := url.Parse(public)
	if err != nil {
		return err
	}
	if strings.Contains(p.Host, anyHost) {
		return fmt.Errorf("the server's own origin is one: %q", public)
	}
	r, err := url.Parse(replay)
	if err != nil {
		return err
	}
	if strings.EqualFold(p.Host, r.Host) {
		return fmt.Errorf("%q is the server's own origin: it must be another host or port", replay)
	}
	if p.Path != r.Path {
		return fmt.Errorf("%q must have the same path as %q", replay, public)
	}
	return nil
}

func (s *Site) Assets() banner.Assets {
	at := func(name string) string { return s.Path() + static.URL(name) }
	return banner.Assets{
		BannerScript: at("banner.js"), FramesetScript: at("frameset.js"),
		PageStyle: at("page.css"), PageScript: at("page.js"), SliderScript: at("slider.js"),
		VisualScript: at("visual.js"),
		UploadScript: at("upload.js"), InspectScript: at("inspect.js"), CrawlScript: at("crawls.js"),
	}
}
