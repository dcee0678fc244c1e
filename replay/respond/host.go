package respond

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// IsSafeFromRebinding reports whether the Host of a request can't be the target of DNS rebinding: it is an IP address, or localhost (RFC
// 6761 §6.3).
func IsSafeFromRebinding(host string) bool {
	if _, err := netip.ParseAddr(strings.Trim(hostname(host), "[]")); err == nil {
		return true
	}
	name := strings.TrimSuffix(hostname(host), ".")
	return name == "localhost" || strings.HasSuffix(name, ".localhost")
}

// hostname returns a Host without its port, in lower case.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(host)
}

// Named returns an error if a request reached a server on loopback under a name that somebody else may have pointed there (DNS
// rebinding): a site in the reader's browser would then share this server's origin and could read everything. Names without a dot can't
// belong to a site on the web; some servers in front send them instead of the original Host.
func (s *Site) Named(r *http.Request) error {
	name := strings.TrimSuffix(hostname(r.Host), ".")
	if IsSafeFromRebinding(r.Host) || !strings.Contains(name, ".") || s.onReplay(r) {
		return nil
	}
	for _, own := range [...]string{s.PublicURL, s.ReplayURL} {
		if u, err := url.Parse(own); err == nil && strings.EqualFold(strings.TrimSuffix(u.Hostname(), "."), name) {
			return nil
		}
	}
	return &Failure{Status: http.StatusMisdirectedRequest, Say: "this server listens on its own machine only and doesn't know the name " +
		"under which it was asked, which any site may have made to lead here: use localhost or the IP address, " +
		"or start it with --public-url http://NAME"}
}
