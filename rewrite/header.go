package rewrite

import (
	"net/http"
	"net/textproto"
	"strings"
	"time"
)

// OriginalPrefix precedes the names of archived headers that are shown but must have no effect.
const OriginalPrefix = "X-Archive-Orig-"

// HeaderOptions say how the header of an archived response is replayed.
type HeaderOptions struct {
	Base    string   // URI-R of the response, the base of its relative URIs
	Use     Use      // what it was requested for; with [Raw] and [RawRedirect] Link, Refresh and SourceMap are only shown
	Resolve Resolver // must not be nil
	// CookiePrefix is the path that precedes a URI-R in the URI-M ("/web/20200101000000/"). Cookies are limited to the
	// archived origin behind it. If it is "", no cookies are set.
	CookiePrefix string
	// Time is when the response was archived. A cookie that had expired then is removed, not set.
	Time time.Time
	// PassUnknown lets unlisted headers pass: for answers to a client at the URI-R's own address.
	PassUnknown bool
	// Changed says that the body differs from the archived one: its length, coding and checksums are then only shown.
	Changed bool
}

type treatment uint8

const (
	unknown   treatment = iota // comes back with OriginalPrefix, unless HeaderOptions.PassUnknown says otherwise
	show                       // comes back with OriginalPrefix
	pass                       // means the same in replay
	drop                       // was about the connection, not the resource
	changed                    // is about the body's bytes: pass if they are sent, else show
	location                   // is rewritten
	refresh                    // is rewritten and shown
	sourceMap                  // is rewritten and shown
	links                      // links that load ahead are rewritten, the whole is shown
	cookie                     // is limited to the archived origin, and shown
)

// treatments says what to do with archived headers, and why. Unlisted ones are only shown: nobody can list what headers
// mean to browsers, caches and servers in front of varve, now and in years to come. X-Accel-Redirect and X-Sendfile,
// for example, make a front server send one of its own files.
var treatments = map[string]treatment{
	// About the connection to the archived server (RFC 9110 §7.6.1).
	"Connection": drop, "Keep-Alive": drop, "Proxy-Authenticate": drop, "Proxy-Authorization": drop, "Proxy-Connection": drop,
	"Te": drop, "Trailer": drop, "Transfer-Encoding": drop, "Upgrade": drop,

	// URIs.
	"Location": location, "Refresh": refresh, "Sourcemap": sourceMap, "X-Sourcemap": sourceMap, "Link": links, "Set-Cookie": cookie,

	// About the bytes that are sent.
	"Content-Length": changed, "Content-Encoding": changed, "Content-Md5": changed, "Digest": changed, "Content-Digest": changed,
	"Repr-Digest": changed, "Accept-Ranges": changed, "Content-Range": changed,

	// What the body is, and how to show it.
	"Content-Type": pass, "Content-Language": pass, "Content-Disposition": pass, "X-Content-Type-Options": pass,
	"Content-Script-Type": pass, "Content-Style-Type": pass, "Default-Style": pass, "X-Ua-Compatible": pass,

	// Data that the page's own scripts read along with the body: the length of a list, and where it continues.
	"X-Total": pass, "X-Total-Count": pass, "X-Total-Pages": pass, "X-Page": pass, "X-Per-Page": pass, "X-Next-Page": pass,
	"X-Prev-Page": pass, "X-Wp-Total": pass, "X-Wp-Totalpages": pass,

	"Content-Location": show, // would name a resource other than the URI-M as what was sent
	"Set-Cookie2":      show,

	// Varve's own answer says the same about itself (RFC 7089 §2.1, RFC 9110, RFC 9111).
	"Memento-Datetime": show, "Accept-Datetime": show, "Vary": show, "Date": show, "Age": show, "Cache-Control": show,
	"Expires": show, "Pragma": show, "Etag": show, "Last-Modified": show, "Preference-Applied": show, "Server-Timing": show,
	"X-Robots-Tag": show, "Via": show, "Server": show, "Allow": show, "Retry-After": show, "Warning": show, "Surrogate-Control": show,

	// Would act on varve's origin, as they did on the archived one.
	"Strict-Transport-Security": show, "Public-Key-Pins": show, "Public-Key-Pins-Report-Only": show, "Expect-Ct": show,
	"Clear-Site-Data": show, "Service-Worker-Allowed": show, "Alt-Svc": show, "Origin-Agent-Cluster": show, "Accept-Ch": show,
	"Critical-Ch": show, "Origin-Trial": show, "Www-Authenticate": show, "Authentication-Info": show, "Set-Login": show,
	"Activate-Storage-Access": show, "Sec-Session-Registration": show, "Speculation-Rules": show, "No-Vary-Search": show,
	"Use-As-Dictionary": show, "Supports-Loading-Mode": show,

	// Would keep replayed content from loading, or show it differently.
	"Content-Security-Policy": show, "Content-Security-Policy-Report-Only": show, "X-Content-Security-Policy": show, "X-Webkit-Csp": show,
	"X-Frame-Options": show, "Permissions-Policy": show, "Feature-Policy": show, "Document-Policy": show, "Referrer-Policy": show,
	"Cross-Origin-Opener-Policy": show, "Cross-Origin-Opener-Policy-Report-Only": show, "Cross-Origin-Embedder-Policy": show,
	"Cross-Origin-Embedder-Policy-Report-Only": show, "Cross-Origin-Resource-Policy": show, "X-Permitted-Cross-Domain-Policies": show,
	"Timing-Allow-Origin": show, "Integrity-Policy": show, "X-Xss-Protection": show, "Require-Document-Policy": show,

	// Would make requests to the live web.
	"Report-To": show, "Reporting-Endpoints": show, "Nel": show, "X-Dns-Prefetch-Control": show, "P3p": show,

	// Varve decides who may read its answers.
	"Access-Control-Allow-Origin": show, "Access-Control-Allow-Credentials": show, "Access-Control-Allow-Headers": show,
	"Access-Control-Allow-Methods": show, "Access-Control-Expose-Headers": show, "Access-Control-Max-Age": show,
	"Access-Control-Allow-Private-Network": show,
}

// Header returns the header with which an archived response is replayed. Headers that are not known to keep their
// meaning in replay come back under [OriginalPrefix]. The values of one name keep their order. A Link contains only
// what loads ahead; the caller puts it after its own links.
func Header(archived http.Header, o HeaderOptions) http.Header {
	out := make(http.Header, len(archived)+4)
	hop := connectionNames(archived)
	b := newBase(o.Base, nil)
	for name, values := range archived {
		name = textproto.CanonicalMIMEHeaderKey(name)
		if hop[name] || !validHeaderName(name) {
			continue
		}
		for _, value := range values {
			o.header(out, b, name, cleanValue(value))
		}
	}
	contain(out)
	return out
}

// header adds the result for one value.
func (o *HeaderOptions) header(out http.Header, b *base, name, value string) {
	raw := o.Use == Raw || o.Use == RawRedirect
	t := treatments[name]
	switch {
	case t == drop:
		return
	case strings.HasPrefix(name, OriginalPrefix): // of an archive that was archived: must not pass for ours
		t = show
	case t == changed && !o.Changed, t == unknown && o.PassUnknown:
		t = pass
	}
	switch t {
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
	case cookie:
		for _, one := range splitCookies(value) {
			if c := scopeCookie(one, b, o.CookiePrefix, o.Time); c != "" {
				out.Add(name, c)
			}
		}
	}
	out.Add(OriginalPrefix+name, value)
}

func (o *HeaderOptions) rewritten(t treatment, b *base, value string) string {
	switch t {
	case refresh:
		if at, end := refreshURL([]byte(value)); at < end {
			return value[:at] + o.uri(b, value[at:end], o.locationUse()) + value[end:]
		}
		return value
	case sourceMap:
		return o.uri(b, value, Object)
	}
	return o.links(b, value)
}

// locationUse returns the use of a redirect's target: that of the redirect.
func (o *HeaderOptions) locationUse() Use {
	if o.Use == RawRedirect {
		return Raw
	}
	return o.Use
}

// uri returns what to write for one URI reference, or the reference itself if it is not an http URI.
func (o *HeaderOptions) uri(b *base, ref string, use Use) string {
	uri, fragment, ok := b.lead(nil, []byte(ref))
	if !ok {
		return ref
	}
	answer := o.Resolve([]Ref{{string(uri), use}})[0]
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

func validHeaderName(name string) bool {
	for i := range len(name) {
		if c := name[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(`"(),/:;<=>?@[\]{}`, c) >= 0 {
			return false
		}
	}
	return name != ""
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
