package header

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/varve-archive/varve/rewrite/ascii"
	"github.com/varve-archive/varve/rewrite/reference"
)

// ownCookies is the prefix of the names of the archive's own cookies. No page may set such a cookie.
const ownCookies = "varve-"

// scopeCookie limits a Set-Cookie value (RFC 6265 §4.1) to the archived origin behind prefix. The path is put inside the URI-M's
// path. The domain is dropped because it isn't varve's, and the expiry because it has passed: the cookie ends with the session. A
// cookie that had expired at the time of the capture is removed (RFC 6265 §5.2.1, §5.2.2). The result is "" for a cookie that a
// browser would not accept (one without a name, for another host, or bound to the whole host by its name) and for one named like
// the archive's own.
func scopeCookie(value string, b *reference.Base, prefix string, at time.Time) string {
	parts := strings.Split(value, ";")
	name, _, ok := strings.Cut(parts[0], "=")
	if name = strings.TrimSpace(name); !ok || name == "" || strings.HasPrefix(name, "__Host-") || b.Scheme() == "" || prefix == "" {
		return ""
	}
	if len(name) >= len(ownCookies) && strings.EqualFold(name[:len(ownCookies)], ownCookies) {
		return ""
	}
	host := b.Authority()
	path := cookieDefaultPath(b)
	out := []string{strings.TrimSpace(parts[0])}
	if expired(parts[1:], at) {
		out = append(out, "Max-Age=0")
	}
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
	path, ok = cookiePath(prefix+b.Origin(), path)
	if !ok {
		return ""
	}
	return strings.Join(out, "; ") + "; Path=" + path
}

// Unexpired returns Set-Cookie fields for their own origin as of the time at which they were sent: each cookie ends with the
// session, and those that had expired are removed.
func Unexpired(values []string, at time.Time) (fields []string) {
	for _, value := range values {
		for _, cookie := range splitCookies(value) {
			parts := strings.Split(strings.TrimSpace(cookie), ";")
			over := expired(parts[1:], at)
			parts = slices.DeleteFunc(parts, func(p string) bool {
				key, _, _ := strings.Cut(strings.TrimSpace(p), "=")
				return strings.EqualFold(key, "expires") || strings.EqualFold(key, "max-age")
			})
			if over {
				parts = append(parts, " Max-Age=0")
			}
			fields = append(fields, strings.Join(parts, ";"))
		}
	}
	return fields
}

// expired reports whether the attributes of a cookie remove it. Max-Age overrides Expires, and the last of each counts (RFC 6265
// §5.3).
func expired(attributes []string, at time.Time) bool {
	aged, over, ended := false, false, false
	for _, a := range attributes {
		key, val, _ := strings.Cut(a, "=")
		val = strings.Trim(strings.TrimSpace(val), `"`)
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "max-age":
			if seconds, err := strconv.ParseInt(val, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
				aged, over = true, seconds <= 0
			}
		case "expires":
			if t, ok := cookieDate(val); ok {
				ended = t.Before(at)
			}
		}
	}
	return over || !aged && ended
}

// cookieDate parses a date as browsers do in cookies (RFC 6265 §5.1.1): a time, a day, a month and a year with any separators.
func cookieDate(s string) (time.Time, bool) {
	var clock, day, year int
	var month time.Month
	parts := strings.FieldsFunc(s, func(c rune) bool {
		return c != ':' && (c >= utf8.RuneSelf || !ascii.IsAlnum(byte(c)))
	})
	found := 0
	for _, p := range parts {
		var h, m, sec int
		n, err := strconv.Atoi(p)
		switch {
		case found&1 == 0 && scanClock(p, &h, &m, &sec):
			found, clock = found|1, h*3600+m*60+sec
		case found&2 == 0 && err == nil && len(p) <= 2:
			found, day = found|2, n
		case found&4 == 0 && monthOf(p) != 0:
			found, month = found|4, monthOf(p)
		case found&8 == 0 && err == nil && (len(p) == 2 || len(p) == 4):
			found, year = found|8, n
		}
	}
	switch {
	case year >= 70 && year <= 99:
		year += 1900
	case year <= 69:
		year += 2000
	}
	ok := found == 15 && day >= 1 && day <= 31 && year >= 1601
	return time.Date(year, month, day, 0, 0, clock, 0, time.UTC), ok
}

func scanClock(s string, h, m, sec *int) bool {
	n, _ := fmt.Sscanf(s, "%d:%d:%d", h, m, sec)
	return n == 3 && *h <= 23 && *m <= 59 && *sec <= 59
}

// monthOf returns the month whose English name has the same first three letters as word, or 0.
func monthOf(word string) time.Month {
	for m := time.January; m <= time.December; m++ {
		if len(word) >= 3 && strings.EqualFold(word[:3], m.String()[:3]) {
			return m
		}
	}
	return 0
}

// splitCookies splits a value in which several Set-Cookie fields were joined by commas. A comma separates cookies if the name of a
// cookie (a token) and "=" follow; other commas belong to dates.
func splitCookies(value string) (cookies []string) {
	start := 0
	for i := range len(value) {
		if value[i] == ',' && beginsCookie(value[i+1:]) {
			cookies, start = append(cookies, value[start:i]), i+1
		}
	}
	return append(cookies, value[start:])
}

func beginsCookie(s string) bool {
	s = strings.TrimLeft(s, " \t")
	n := nameLen(s)
	return n > 0 && strings.HasPrefix(strings.TrimLeft(s[n:], " \t"), "=")
}

// cookiePath joins the path of a cookie. A semicolon would end the path, so it is cut before the segment that contains one. ok is
// false if the origin contains one.
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
func cookieDefaultPath(b *reference.Base) string {
	path := b.Folder()
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
