package rewrite

import (
	"net/url"
	"strings"
)

// OwnCookies is how the names of the archive's own cookies begin. No page may set such a cookie.
const OwnCookies = "varve-"

// scopeCookie limits a Set-Cookie value (RFC 6265 §4.1) to the archived origin behind prefix. The path is put inside
// the URI-M's path. The domain is dropped, since it lies elsewhere, and so is the expiry, since it lies in the past:
// the cookie ends with the session. The result is "" for a cookie that a browser would not accept: one without a name,
// for another host, or bound to the whole host by its name; and for one named like the archive's own.
func scopeCookie(value string, b *base, prefix string) string {
	parts := strings.Split(value, ";")
	name, _, ok := strings.Cut(parts[0], "=")
	if name = strings.TrimSpace(name); !ok || name == "" || strings.HasPrefix(name, "__Host-") || b.scheme == "" || prefix == "" {
		return ""
	}
	if len(name) >= len(OwnCookies) && strings.EqualFold(name[:len(OwnCookies)], OwnCookies) {
		return ""
	}
	host := b.authority[len("//"):]
	path := cookieDefaultPath(b)
	out := []string{strings.TrimSpace(parts[0])}
	for _, p := range parts[1:] {
		key, val, _ := strings.Cut(p, "=")
		val = strings.TrimSpace(val)
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "path":
			if strings.HasPrefix(val, "/") {
				path = val
			}
		case "domain":
			if !domainMatch(host, strings.TrimPrefix(strings.ToLower(val), ".")) {
				return ""
			}
		case "samesite":
			if !strings.EqualFold(val, "none") { // None needs Secure
				out = append(out, strings.TrimSpace(p))
			}
		case "httponly", "priority":
			out = append(out, strings.TrimSpace(p))
		}
	}
	path, ok = cookiePath(prefix+b.scheme+"://"+host, path)
	if !ok {
		return ""
	}
	return strings.Join(out, "; ") + "; Path=" + path
}

// cookiePath joins the path of a cookie. A semicolon would end it, so it is cut before the segment with one. It is not
// ok if the origin has one.
func cookiePath(origin, path string) (string, bool) {
	if strings.IndexFunc(origin, notInCookies) >= 0 {
		return "", false
	}
	if i := strings.IndexFunc(path, notInCookies); i >= 0 {
		path = path[:strings.LastIndexByte(path[:i], '/')+1]
	}
	return origin + path, true
}

// notInCookies reports whether the attribute of a cookie must not contain c (RFC 6265 §4.1.1).
func notInCookies(c rune) bool { return c == ';' || c < ' ' || c >= 0x7f }

// cookieDefaultPath returns the path of a cookie without a path attribute (RFC 6265 §5.1.4).
func cookieDefaultPath(b *base) string {
	path := b.href[b.origin:b.dir]
	if len(path) > 1 {
		path = strings.TrimSuffix(path, "/")
	}
	return path
}

// domainMatch reports whether a host may set cookies for a domain (RFC 6265 §5.1.3).
func domainMatch(host, domain string) bool {
	if u, err := url.Parse("//" + host); err == nil {
		host = u.Hostname()
	}
	return domain == "" || host == domain || strings.HasSuffix(host, "."+domain)
}
