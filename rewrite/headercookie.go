package rewrite

import (
	"net/url"
	"strings"
)

// OwnCookies begins the names of the archive's own cookies. No page may set them.
const OwnCookies = "varve-"

// scopeCookie returns a Set-Cookie value (RFC 6265 §4.1) that holds for the archived origin behind prefix alone:
// its path stands in the URI-M's path, it has no domain and ends with the session, for its end lies in the
// past and its domain elsewhere. It is "" where a browser would not take it: a cookie without name,
// for another host, bound to the whole host by its name, or named like the archive's own.
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
			if !strings.EqualFold(val, "none") { // needs Secure
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

// cookiePath joins the path of a cookie: a semicolon would end it, so that it is cut before the segment that has one. It is not ok
// where that is the origin itself.
func cookiePath(origin, path string) (string, bool) {
	if strings.IndexFunc(origin, notInCookies) >= 0 {
		return "", false
	}
	if i := strings.IndexFunc(path, notInCookies); i >= 0 {
		path = path[:strings.LastIndexByte(path[:i], '/')+1]
	}
	return origin + path, true
}

// notInCookies holds of what an attribute of a cookie can't have (RFC 6265 §4.1.1).
func notInCookies(c rune) bool { return c == ';' || c < ' ' || c >= 0x7f }

// cookieDefaultPath is the path of a cookie that names none (RFC 6265 §5.1.4).
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
