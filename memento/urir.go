package memento

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/varve-archive/varve/internal/percent"
)

var (
	escapedColon = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+-]{0,30}%3[aA]`)
	schemePart   = regexp.MustCompile(`^([a-zA-Z][a-zA-Z0-9+.-]{0,30}):`)
)

// ParseURIR repairs a URI-R from a path or a form: a missing scheme, collapsed or escaped slashes, bytes that are no UTF-8, which archives
// have percent-encoded. It returns "" if s can't be a URI.
func ParseURIR(s string) string {
	return percent.UTF8(withScheme(s))
}

func withScheme(s string) string {
	s = strings.TrimLeft(s, " ")
	if m := escapedColon.FindString(s); m != "" {
		if whole, err := url.PathUnescape(s); err == nil && !strings.ContainsAny(s, "/?") { // encoded as a whole
			s = whole
		} else {
			s = m[:len(m)-3] + ":" + unescapeSlashes(s[len(m):])
		}
	}
	m := schemePart.FindStringSubmatch(s)
	switch {
	case m != nil && isWeb(m[1]):
		rest := strings.TrimLeft(s[len(m[0]):], "/")
		if rest == "" || rest[0] == '?' {
			return ""
		}
		return m[1] + "://" + rest
	case m != nil && !isPort(s[len(m[0]):]):
		return s // urn:, screenshot:, dns: …
	}
	s = strings.TrimLeft(s, "/")
	host := s
	if i := strings.IndexAny(s, "/?"); i >= 0 {
		host = s[:i]
	}
	if !strings.ContainsAny(host, ".:") || strings.Trim(host, ".:") == "" {
		return ""
	}
	return "http://" + s
}

func isWeb(scheme string) bool {
	switch strings.ToLower(scheme) {
	case "http", "https", "ftp", "ws", "wss":
		return true
	}
	return false
}

// isPort distinguishes "example.org:8080/a" (a host with a port) from "urn:1".
func isPort(s string) bool {
	n := len(s) - len(strings.TrimLeft(s, "0123456789"))
	return n > 0 && n <= 5 && (len(s) == n || s[n] == '/' || s[n] == '?')
}

func unescapeSlashes(s string) string {
	slashes := ""
	for len(slashes) < 2 && len(s) >= 3 && strings.EqualFold(s[:3], "%2f") {
		slashes, s = slashes+"/", s[3:]
	}
	return slashes + s
}
