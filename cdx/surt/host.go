package surt

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// punycode maps hosts as browsers do (UTS #46, non-transitional), but accepts labels that aren't valid host names,
// because archives contain them.
var punycode = idna.New(idna.MapForLookup(), idna.StrictDomainName(false))

// maxIDN is the length in bytes above which a host isn't converted, because that takes time that grows with the square of the length. Names
// have at most 255 bytes (RFC 1035 §2.3.4).
const maxIDN = 1 << 10

// appendAuthority appends "org,example:8080)", or nothing if there is no host.
func appendAuthority(dst []byte, u uriParts) []byte {
	host, port := splitHostPort(u.authority)
	host = canonicalHost(host)
	if host == "" {
		return dst
	}
	dst = appendReversed(dst, host)
	if port != "" && port != defaultPort(u.scheme) {
		dst = append(dst, ':')
		dst = append(dst, port...)
	}
	return append(dst, ')')
}

// splitHostPort drops userinfo and the brackets of an IPv6 address. The port comes without leading zeros, "" if there
// is none. What isn't a port stays with the host.
func splitHostPort(authority string) (host, port string) {
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		authority = authority[i+1:]
	}
	host = authority
	if i := strings.LastIndexByte(authority, ':'); i >= 0 && strings.Trim(authority[i+1:], "0123456789") == "" {
		host, port = authority[:i], strings.TrimLeft(authority[i+1:], "0")
	}
	host = strings.TrimRight(host, ":")
	if len(host) > 1 && host[0] == '[' && host[len(host)-1] == ']' {
		host = host[1 : len(host)-1]
		if ip, err := netip.ParseAddr(host); err == nil && ip.Zone() == "" {
			host = ip.String()
		}
	}
	return host, port
}

func defaultPort(scheme string) string {
	switch {
	case strings.EqualFold(scheme, "http"):
		return "80"
	case strings.EqualFold(scheme, "https"):
		return "443"
	}
	return ""
}

// canonicalHost returns the host in the characters of a key, but neither reversed nor, if it was plain already, in
// lower case.
func canonicalHost(host string) string {
	if !isPlainHost(host) {
		host = repairHost(host)
	}
	if host != "" && host[0] >= '0' && host[0] <= '9' {
		if ip, ok := parseIPv4(host); ok {
			return ip
		}
	}
	return stripWWW(host)
}

// isPlainHost reports whether host consists of letters, digits, - and _ between single dots.
func isPlainHost(host string) bool {
	dot := true
	for i := range len(host) {
		c := host[i]
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_':
			dot = false
		case c == '.' && !dot:
			dot = true
		default:
			return false
		}
	}
	return !dot
}

// repairHost undoes percent-encoding, converts IDNs to punycode, drops empty labels and escapes the rest.
func repairHost(host string) string {
	raw := appendUnescaped(nil, host)
	if len(raw) <= maxIDN && slices.ContainsFunc(raw, func(c byte) bool { return c >= 0x80 }) {
		if ascii, err := punycode.ToASCII(strings.ToValidUTF8(string(raw), "")); err == nil {
			raw = []byte(ascii)
		}
	}
	labels := strings.FieldsFunc(string(raw), func(r rune) bool { return r == '.' })
	return string(escapeTail([]byte(strings.Join(labels, ".")), 0, &lowerCase))
}

// stripWWW removes one leading "www.", "www2." and so on.
func stripWWW(host string) string {
	if len(host) < 4 || !strings.EqualFold(host[:3], "www") {
		return host
	}
	rest := strings.TrimLeft(host[3:], "0123456789")
	if len(rest) > 1 && rest[0] == '.' {
		return rest[1:]
	}
	return host
}

// parseIPv4 reads an IPv4 address as inet_aton(3) does, decimal or octal, in one to four parts, and returns it dotted.
// It cuts a single number to its lower four bytes, because archives of old proxies contain such hosts.
func parseIPv4(host string) (string, bool) {
	parts := strings.Split(host, ".")
	if len(parts) > 4 {
		return "", false
	}
	var ip uint32
	for i, p := range parts {
		last := i == len(parts)-1
		n, ok := parseIPPart(p, len(parts) == 1)
		bits := 8
		if last {
			bits = 8 * (4 - i)
		}
		if !ok || n>>bits != 0 {
			return "", false
		}
		ip |= uint32(n << (32 - 8*i - bits))
	}
	return netip.AddrFrom4([4]byte{byte(ip >> 24), byte(ip >> 16), byte(ip >> 8), byte(ip)}).String(), true
}

func parseIPPart(p string, alone bool) (uint64, bool) {
	if p == "" || strings.Trim(p, "0123456789") != "" {
		return 0, false
	}
	if alone {
		var n uint32 // wraps around on purpose
		for i := range len(p) {
			n = n*10 + uint32(p[i]-'0')
		}
		return uint64(n), true
	}
	base := 10
	if p[0] == '0' {
		base = 8
	}
	n, err := strconv.ParseUint(p, base, 32)
	return n, err == nil
}

// appendReversed appends the labels of host in lower case, from last to first, separated by commas.
func appendReversed(dst []byte, host string) []byte {
	for end := len(host); ; {
		dot := strings.LastIndexByte(host[:end], '.')
		for i := dot + 1; i < end; i++ {
			c := host[i]
			if c >= 'A' && c <= 'Z' {
				c |= 0x20
			}
			dst = append(dst, c)
		}
		if dot < 0 {
			return dst
		}
		dst = append(dst, ',')
		end = dot
	}
}
