package respond

import (
	"cmp"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/internal/percent"
	"github.com/varve-archive/varve/internal/plainname"
	"github.com/varve-archive/varve/memento"
)

// A Kind is the kind of a path. docs/urls.md and /-/api/openapi.json list them.
type Kind uint8

// The kinds of paths, with an example each.
const (
	NoPath      Kind = iota // /UPPER/…, a path that means nothing
	Home                    // /
	Internal                // /-/healthz, /wayback/available?url=…
	Collection              // /web/
	TimeGate                // /web/http://example.org/
	Memento                 // /web/20140101000000id_/http://example.org/, /web/2014/http://example.org/
	TimeMap                 // /web/timemap/link/2/http://example.org/
	CDX                     // /web/cdx?url=example.org
	Changes                 // /web/changes/http://example.org/, /web/changes?url=…&level=text
	Diff                    // /web/diff/2014/2015/http://example.org/, /web/diff?url=…&from=2014&to=2015
	SlidingDiff             // /web/diff/http://example.org/, /web/diff?url=…&at=2014
	Animate                 // /web/animate/2014/2015/http://example.org/
	Landing                 // /web/landing/20140101000000/http://example.org/
	Similar                 // /web/similar/20140101000000/http://example.org/
	Duplicates              // /web/duplicates?across=1
	Info                    // /web/20140101000000/info?url=http://example.org/
	Inspect                 // /web/inspect/20140101000000/http://example.org/, /web/inspect?url=…&at=2014&css=h1
	Still                   // /web/still/20140101000000/http://example.org/
	Calendar                // /web/*/http://example.org/, /web/2017*/http://example.org/
	PrefixList              // /web/*/http://example.org/a/*
	Search                  // /web/search?q=…
	Terms                   // /web/terms?change=deleted
	TermTable               // /web/terms/table?terms=…&urls=…&at=…
	Suggest                 // /web/suggest?q=…
	OpenSearch              // /web/opensearch.xml
	Feed                    // /web/feed?url=…, /web/feed?q=…&change=…
	Monitor                 // /web/monitor?since=7d
	Thumb                   // /web/thumb/20140101000000/http://example.org/, /web/thumb?url=…&at=2014&size=full
	Visual                  // /web/visual?url=…&from=2014&to=2015

	kinds // how many there are
)

// String names a kind as its path does, in the singular.
func (k Kind) String() string {
	return [kinds]string{
		"none", "home", "internal", "collection", "timegate", "memento", "timemap", "cdx", "changes", "diff", "slider", "animate", "landing",
		"similar", "duplicates", "info", "inspect", "still", "calendar", "addresses", "search", "terms", "terms/table", "suggest", "opensearch",
		"feed", "monitor", "thumb", "visual",
	}[k]
}

// OfCollection reports whether a path is about a whole collection, so that there is no URI-R in it.
func (k Kind) OfCollection() bool {
	switch k {
	case Collection, CDX, Search, Terms, TermTable, Duplicates, Suggest, OpenSearch, Feed, Monitor:
		return true
	}
	return false
}

// A Path is a parsed request target. Everything after the fixed part is the URI-R, byte for byte.
type Path struct {
	Kind     Kind
	Coll     string
	From     string // 1–14 digits: the datetime, or the first one of a diff or a calendar; "" if the path has none
	To       string // the second datetime of a diff
	Mod      string // modifier with its underscore, "id_"
	Format   string // of a TimeMap
	Page     int    // of a TimeMap, from 1
	URIR     string
	Params   url.Values // of the endpoints that take parameters
	Internal string     // what follows /-/
}

// Grammar of what precedes a URI-R.
var (
	mementoPart = regexp.MustCompile(`^(\d{1,14})((?:[a-z]{1,6}_|\$[a-z0-9:.-]+)?)/`)
	modPart     = regexp.MustCompile(`^([a-z]{2}_)/`)
	starPart    = regexp.MustCompile(`^(\d{0,14})(?:-\d{0,14})?(?:\*|%2[aA])(\d{0,14})/`) // some clients escape the star
	tsPart      = regexp.MustCompile(`^(\d{1,14})/`)
	infoPart    = regexp.MustCompile(`^(\d{1,14})/info(?:\?|$)`)
	timeMapPart = regexp.MustCompile(`^([a-z]+)/(?:(\d{1,9})/)?`)
)

// ParsePath parses a raw request target, such as "/web/2014id_/http://example.org/a?b". It never fails: an unknown path has Kind NoPath,
// and an impossible URI-R is left empty.
//
//	/web/2014/http://example.org/     a scheme and two slashes
//	/web/2014/http:/example.org/      one slash collapsed by a proxy on the way: mended
//	/web/2014/http%3A//example.org/   an escaped colon, or escaped slashes too, or a URI-R encoded as a whole: decoded
//	/web/2014/example.org/a           no scheme: a dot or a port in the host means http://
//	/web/20130102.org/1               digits that are a host
func ParsePath(target string) Path {
	rest, ok := strings.CutPrefix(withoutHost(target), "/")
	if !ok {
		return Path{}
	}
	if rest == "" || rest[0] == '?' {
		return Path{Kind: Home, Params: query(rest)}
	}
	if after, ok := strings.CutPrefix(rest, "-/"); ok {
		path, _, _ := strings.Cut(after, "?")
		return Path{Kind: Internal, Internal: path, Params: query(after)}
	}
	if name, ok := foreignNames[strings.SplitN(rest, "?", 2)[0]]; ok {
		return Path{Kind: Internal, Internal: name, Params: query(rest)}
	}
	coll := rest
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		coll = rest[:i]
	}
	if !plainname.Is(coll) {
		return Path{}
	}
	p := Path{Coll: coll}
	rest = strings.TrimPrefix(rest[len(coll):], "/")
	if rest == "" || rest[0] == '?' {
		p.Kind, p.Params = Collection, query(rest)
		return p
	}
	p.inCollection(rest)
	return p
}

// withoutHost returns a target without the scheme and the host of its absolute form (RFC 9112 §3.2.2).
func withoutHost(target string) string {
	if i := strings.Index(target, "://"); i > 0 && !strings.Contains(target[:i], "/") {
		target = target[i+3:]
		target = target[max(strings.IndexByte(target, '/'), 0):]
	}
	return target
}

// foreignNames are paths at which clients of other archives look for what this server serves under /-/.
var foreignNames = map[string]string{
	"wayback/available": "available", "cdx/search/cdx": "cdx", "cdx/search/xd": "cdx", "collinfo.json": "collinfo.json",
}

func query(s string) url.Values {
	_, q, _ := strings.Cut(s, "?")
	v, _ := url.ParseQuery(q) // use what is readable and drop the rest
	return v
}

// inCollection parses what follows the collection's name.
func (p *Path) inCollection(rest string) {
	if path, _, _ := strings.Cut(rest, "?"); path == "opensearch.xml" {
		p.Kind = OpenSearch
		return
	} else if path == "terms/table" {
		p.Kind, p.Params = TermTable, query(rest)
		return
	}
	word := rest[:len(rest)-len(strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyz"))]
	after := rest[len(word):]
	endpoint := after == "" || after[0] == '?'
	switch kind, reserved := reservedWords[word]; {
	case reserved && endpoint:
		p.Kind, p.Params = kind, query(after)
		p.fromParams(word)
	case infoPart.MatchString(rest):
		p.Kind, p.Params = Info, query(rest)
		p.From, p.URIR = infoPart.FindStringSubmatch(rest)[1], memento.ParseURIR(p.Params.Get("url"))
	case reserved && after[0] == '/' && !kind.OfCollection():
		p.afterWord(kind, after[1:])
	default:
		p.plain(rest)
	}
}

// IsPattern reports whether a URI-R is a pattern for many addresses: those of a prefix, "…*", or of a domain, "*.…".
func IsPattern(uriR string) bool {
	return strings.HasSuffix(uriR, "*") || strings.HasPrefix(uriR, "*.")
}

var reservedWords = map[string]Kind{
	"timemap": TimeMap, "cdx": CDX, "changes": Changes, "diff": SlidingDiff, "animate": Animate,
	"landing": Landing, "similar": Similar, "search": Search, "terms": Terms, "suggest": Suggest,
	"inspect": Inspect, "still": Still, "duplicates": Duplicates,
	"feed": Feed, "monitor": Monitor, "visual": Visual, "thumb": Thumb,
}

// fromParams parses the form of an endpoint with parameters, ?url=….
func (p *Path) fromParams(word string) {
	if p.Kind.OfCollection() {
		return
	}
	p.URIR = memento.ParseURIR(p.Params.Get("url"))
	p.From, p.To = p.Params.Get("from"), p.Params.Get("to")
	switch {
	case word == "diff" && (p.From != "" || p.To != ""):
		p.Kind = Diff
	case word == "timemap":
		p.Format, p.Page = p.Params.Get("format"), 1
	case word == "landing" || word == "similar" || word == "inspect" || word == "still" || word == "thumb":
		p.From = p.Params.Get("at")
	}
}

func (p *Path) afterWord(kind Kind, rest string) {
	p.Kind = kind
	switch kind {
	case TimeMap:
		p.Page = 1
		if m := timeMapPart.FindStringSubmatch(rest); m != nil {
			p.Format, rest = m[1], rest[len(m[0]):]
			if m[2] != "" {
				p.Page, _ = strconv.Atoi(m[2])
			}
		}
	case SlidingDiff, Animate:
		if m := tsPart.FindStringSubmatch(rest); m != nil {
			if n := tsPart.FindStringSubmatch(rest[len(m[0]):]); n != nil {
				p.From, p.To, rest = m[1], n[1], rest[len(m[0])+len(n[0]):]
				if kind == SlidingDiff {
					p.Kind = Diff
				}
			}
		}
	case Landing, Similar, Inspect, Still, Thumb:
		if m := tsPart.FindStringSubmatch(rest); m != nil {
			p.From, rest = m[1], rest[len(m[0]):]
		}
	}
	p.URIR = memento.ParseURIR(rest)
}

// plain parses the forms without a word: URI-M, calendar, TimeGate.
func (p *Path) plain(rest string) {
	if m := mementoPart.FindStringSubmatch(rest); m != nil {
		if u := memento.ParseURIR(rest[len(m[0]):]); u != "" {
			p.Kind, p.From, p.Mod, p.URIR = Memento, m[1], m[2], u
			return
		}
	}
	if q, ok := strings.CutPrefix(rest, "*?"); ok { // as pywb's calendar names itself
		rest = "*/" + queried(query("?"+q))
	}
	if m := starPart.FindStringSubmatch(rest); m != nil {
		p.Kind, rest = Calendar, rest[len(m[0]):]
		if IsPattern(rest) {
			p.Kind, p.URIR = PrefixList, percent.UTF8(rest)
			return
		}
		p.URIR, p.From = memento.ParseURIR(rest), cmp.Or(m[1], m[2])
		return
	}
	p.Kind = TimeGate
	if m := modPart.FindStringSubmatch(rest); m != nil { // a modifier without a datetime: the newest
		p.Mod, rest = m[1], rest[len(m[0]):]
	}
	p.URIR = memento.ParseURIR(rest)
}

// queried returns the URI-R or the pattern that the parameters of pywb's calendar ask for.
func queried(params url.Values) string {
	uriR := params.Get("url")
	_, host, ok := strings.Cut(uriR, "://")
	if !ok {
		host = uriR
	}
	host, _, _ = strings.Cut(host, "/")
	switch match := surt.Match(params.Get("matchType")); {
	case uriR == "" || IsPattern(uriR):
		return uriR
	case match == surt.Prefix:
		return uriR + "*"
	case match == surt.Host:
		return host + "/*"
	case match == surt.Domain:
		return "*." + host
	}
	return uriR
}
