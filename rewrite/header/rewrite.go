package header

import (
	"cmp"
	"maps"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"time"

	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

// OriginalPrefix precedes the names of archived headers that are shown but must have no effect.
const OriginalPrefix = "X-Archive-Orig-"

// Front servers and browsers accept no larger header; a larger archived one is sent in part.
const (
	maxHeaderBytes  = 64 << 10
	maxHeaderFields = 500
)

// Options say how the header of an archived response is replayed.
type Options struct {
	Base    string        // URI-R of the response, the base of its relative URIs
	Use     uses.Use      // what it was requested for; with [uses.Raw] and [uses.RawRedirect] Link, Refresh and SourceMap are only shown
	Resolve uses.Resolver // must not be nil
	// CookiePrefix is the path that precedes a URI-R in the URI-M ("/web/20200101000000/"). Cookies are limited to the
	// archived origin behind it. If it is "", no cookies are set.
	CookiePrefix string
	// Time is when the response was archived. A cookie that had expired then is removed, not set.
	Time time.Time
	// ForScript says that a script of the page reads the answer: it also gets the validators, and the links to further pages of a
	// list.
	ForScript bool
	// Changed says that the body differs from the archived one: length, coding and checksums are then only shown.
	Changed bool
}

type treatment uint8

const (
	both      treatment = iota // passes and is shown: every unlisted header
	pass                       // means the same in replay
	show                       // shown under OriginalPrefix
	changed                    // describes the body's bytes: passes if they are sent unchanged, else shown
	validator                  // passes if a script reads the answer, else shown
	location                   // is rewritten
	refresh                    // is rewritten and shown
	sourceMap                  // is rewritten and shown
	links                      // preload links are rewritten; the whole header is shown
	cookie                     // is limited to the archived origin, and shown
)

// treatmentOf says what to do with an archived header, and why. Unlisted headers pass, because the page's own scripts may read
// them: the state of a router, the length of a list, the version of an interface. They are also shown under the prefix, where
// programs expect them because other archives put all headers there.
func treatmentOf(name string) treatment {
	switch name {
	case "Location":
		return location
	case "Refresh":
		return refresh
	case "Sourcemap", "X-Sourcemap":
		return sourceMap
	case "Link":
		return links
	case "Set-Cookie":
		return cookie
	case "Etag", "Last-Modified":
		return validator
	case "Content-Length", "Content-Encoding", "Content-Md5", "Digest", "Content-Digest", "Repr-Digest", "Accept-Ranges", "Content-Range",
		"Delta-Base", "Im": // about the bytes that are sent
		return changed
	case "Content-Type", "Content-Language", "Content-Disposition", "X-Content-Type-Options", "Content-Script-Type", "Content-Style-Type",
		"Default-Style", "X-Ua-Compatible": // what the body is, and how to show it
		return pass
	}
	if ofConnection(name) || ofAnswer(name) || ofOrigin(name) || ofLoading(name) || ofServer(name) {
		return show
	}
	return both
}

// ofConnection reports whether a header is about the connection to the archived server (RFC 9110 §7.6.1).
func ofConnection(name string) bool {
	switch name {
	case "Connection", "Keep-Alive", "Te", "Trailer", "Transfer-Encoding", "Upgrade":
		return true
	}
	return strings.HasPrefix(name, "Proxy-")
}

// ofAnswer reports whether a header describes varve's own answer (RFC 7089 §2.1, RFC 9110, RFC 9111).
func ofAnswer(name string) bool {
	switch name {
	case "Memento-Datetime", "Accept-Datetime", "Vary", "Date", "Age", "Cache-Control", "Expires", "Pragma", "Preference-Applied",
		"Server-Timing", "X-Robots-Tag", "Via", "Server", "Allow", "Retry-After", "Warning", "Status",
		"Content-Location": // would name a resource other than the URI-M as what was sent
		return true
	}
	return strings.HasPrefix(name, OriginalPrefix) // from replaying another archive: must not pass for ours
}

// ofOrigin reports whether a header would act on varve's origin as it did on the archived one, or say who may read varve's answers.
func ofOrigin(name string) bool {
	switch name {
	case "Strict-Transport-Security", "Public-Key-Pins", "Public-Key-Pins-Report-Only", "Expect-Ct", "Clear-Site-Data",
		"Service-Worker-Allowed", "Service-Worker-Navigation-Preload", "Alt-Svc", "Alt-Used", "Origin-Agent-Cluster", "Origin-Isolation",
		"Critical-Ch", "Origin-Trial", "Www-Authenticate", "Authentication-Info", "Authentication-Control", "Optional-Www-Authenticate",
		"Set-Login", "Set-Cookie2", "Cookie-Indices", "Variants", "Variant-Key", "Activate-Storage-Access", "Speculation-Rules",
		"No-Vary-Search", "Use-As-Dictionary", "Dictionary-Id", "Supports-Loading-Mode", "Timing-Allow-Origin", "Window-Target":
		return true
	}
	return beginsWith(name, "Access-Control-", "Accept-Ch", "Sec-", "Secure-Session-") // device bound sessions have both names
}

// ofLoading reports whether a header would stop replayed content from loading, change how it is shown, or send a request to the
// live web.
func ofLoading(name string) bool {
	switch name {
	case "X-Content-Security-Policy", "X-Webkit-Csp", "X-Frame-Options", "Permissions-Policy", "Permissions-Policy-Report-Only",
		"Feature-Policy", "Referrer-Policy", "X-Permitted-Cross-Domain-Policies", "X-Xss-Protection", "Connection-Allowlist",
		"Connection-Allowlist-Report-Only", "Require-Document-Policy", "Report-To", "Reporting-Endpoints", "Nel", "X-Dns-Prefetch-Control",
		"P3p", "Observe-Browsing-Topics", "Link-Template":
		return true
	}
	return beginsWith(name, "Content-Security-Policy", "Cross-Origin-", "Document-", "Integrity-Policy", "Attribution-Reporting-",
		"Ad-Auction-", "Shared-Storage-")
}

// ofServer reports whether servers in front of varve obey a header: to send one of their own files, to ask another address, to
// cache.
func ofServer(name string) bool {
	switch name {
	case "Cache-Tag", "X-Real-Ip", "Forwarded", "Xkey", "Ykey":
		return true
	}
	return strings.HasSuffix(name, "-Cache-Control") || strings.HasSuffix(name, "-Cache-Tag") ||
		beginsWith(name, "X-Accel-", "X-Sendfile", "X-Lighttpd-", "X-Litespeed-", "X-Reproxy-", "X-Forwarded-", "X-Original-", "X-Rewrite-",
			"X-Fastly-", "Fastly-", "Akamai-", "Surrogate-", "Edge-", "Cloudflare-", "Cdn-", "X-Amz-Website-", "X-Replace-", "X-Proxy-",
			"Esi-", "X-Esi")
}

func beginsWith(name string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// Rewrite returns the header with which an archived response is replayed. Headers that would act on varve's origin, on servers on
// the way, or on the reader's browser beyond the page come back under [OriginalPrefix]. The values of one name keep their order.
// Link contains only preload links; the caller puts it after its own links. A header has at most 500 fields and 64 KiB: those that
// are only shown are dropped first, in the order of their names.
func Rewrite(archived http.Header, o Options) http.Header {
	out := make(http.Header, len(archived)+4)
	hop := connectionNames(archived)
	b := reference.New(o.Base, nil)
	for name, values := range archived {
		name = textproto.CanonicalMIMEHeaderKey(name)
		if !validName(name) {
			continue
		}
		for _, value := range values {
			if hop[name] {
				out.Add(OriginalPrefix+name, cleanValue(value))
				continue
			}
			o.header(out, b, name, cleanValue(value))
		}
	}
	contain(out)
	return bounded(out)
}

// bounded drops fields until the header is within the limits.
func bounded(h http.Header) http.Header {
	fields, bytes := 0, 0
	for _, name := range inOrderOfNeed(h) {
		values := h[name]
		for i, value := range values {
			fields++
			bytes += len(name) + len(": \r\n") + len(value)
			if fields > maxHeaderFields || bytes > maxHeaderBytes {
				h[name] = values[:i]
				break
			}
		}
		if len(h[name]) == 0 {
			delete(h, name)
		}
	}
	return h
}

// inOrderOfNeed returns the names in a header: those needed to read the body first, those that are only shown last.
func inOrderOfNeed(h http.Header) []string {
	need := func(name string) int {
		switch {
		case strings.HasPrefix(name, OriginalPrefix):
			return 2
		case strings.HasPrefix(name, "Content-"), name == "Location":
			return 0
		}
		return 1
	}
	return slices.SortedFunc(maps.Keys(h), func(a, b string) int {
		return cmp.Or(need(a)-need(b), strings.Compare(a, b))
	})
}

// header adds the result for one value.
func (o *Options) header(out http.Header, b *reference.Base, name, value string) {
	raw := o.Use == uses.Raw || o.Use == uses.RawRedirect
	t := treatmentOf(name)
	if t == changed && !o.Changed || t == validator && o.ForScript {
		t = pass
	}
	switch t {
	case both:
		out.Add(name, value)
	case pass:
		out.Add(name, value)
		return
	case location:
		out.Add(name, o.uri(b, value, o.locationUse()))
		return
	case refresh, sourceMap, links:
		if raw {
			break
		}
		if v := o.rewritten(t, b, value); v != "" {
			out.Add(name, v)
		}
		if t == links && o.ForScript {
			for _, link := range listLinks(value) {
				out.Add(name, link)
			}
		}
	case cookie:
		for _, one := range splitCookies(value) {
			if c := scopeCookie(one, b, o.CookiePrefix, o.Time); c != "" {
				out.Add(name, c)
			}
		}
	}
	out.Add(OriginalPrefix+name, value)
}

func (o *Options) rewritten(t treatment, b *reference.Base, value string) string {
	switch t {
	case refresh:
		at, end := RefreshURL([]byte(value))
		return value[:at] + o.uri(b, value[at:end], o.locationUse()) + value[end:]
	case sourceMap:
		return o.uri(b, value, uses.Object)
	}
	return o.links(b, value)
}

// locationUse returns the use of a redirect's target: that of the redirect.
func (o *Options) locationUse() uses.Use {
	if o.Use == uses.RawRedirect {
		return uses.Raw
	}
	return o.Use
}

// uri returns what to write for one URI reference, or the reference itself if it is not an http URI.
func (o *Options) uri(b *reference.Base, ref string, use uses.Use) string {
	uri, fragment, ok := b.Lead(nil, []byte(ref))
	if !ok {
		return ref
	}
	answer := o.Resolve([]uses.Ref{{URI: string(uri), Use: use}})[0]
	if answer == "" {
		return ref
	}
	return answer + string(fragment)
}

// connectionNames returns the headers that Connection names; they too only concern the next server.
func connectionNames(h http.Header) map[string]bool {
	names := map[string]bool{}
	for _, value := range h.Values("Connection") {
		for name := range strings.SplitSeq(value, ",") {
			names[textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name))] = true
		}
	}
	return names
}

func validName(name string) bool { return name != "" && nameLen(name) == len(name) }

// nameLen returns how many bytes at the start of s can be those of a name, which is a token (RFC 9110 §5.6.2).
func nameLen(s string) int {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(`"(),/:;<=>?@[\]{}`, c) >= 0 {
			return i
		}
	}
	return len(s)
}

// cleanValue turns an archived value into one that HTTP can send (RFC 9110 §5.5).
func cleanValue(value string) string {
	clean := []byte(value) // by bytes: values needn't be UTF-8
	for i, c := range clean {
		if c < ' ' && c != '\t' || c == 0x7f {
			clean[i] = ' '
		}
	}
	return strings.TrimSpace(string(clean))
}
