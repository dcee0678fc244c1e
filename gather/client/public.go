package client

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"syscall"

	"github.com/varve-archive/varve/internal/sentinel"
)

// ErrPrivate is wrapped by the error of an exchange with an address that isn't on the public Internet.
const ErrPrivate = sentinel.Error("the address is not on the public Internet, so it is not asked")

// notPublic are the IPv4 addresses that aren't globally reachable (IANA's registry of special-purpose addresses, RFC 6890).
var notPublic = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
	"192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
)

var (
	// globalUnicast contains all IPv6 addresses that are assigned to hosts of the Internet (RFC 4291 §2.4).
	globalUnicast = netip.MustParsePrefix("2000::/3")
	// notGlobal are exceptions among them: Teredo, benchmarks, ORCHID, documentation, 6to4.
	notGlobal = prefixes("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
	// nat64 addresses contain an IPv4 address, which a gateway translates to (RFC 6052).
	nat64 = netip.MustParsePrefix("64:ff9b::/96")
)

func prefixes(list ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(list))
	for i, s := range list {
		out[i] = netip.MustParsePrefix(s)
	}
	return out
}

// Public reports whether an address is on the public Internet: neither of this machine or its network, nor reserved.
func Public(a netip.Addr) bool {
	if !a.IsValid() || a.Zone() != "" {
		return false
	}
	if a = a.Unmap(); a.Is6() {
		if nat64.Contains(a) {
			b := a.As16()
			return Public(netip.AddrFrom4([4]byte(b[12:])))
		}
		return globalUnicast.Contains(a) && !within(notGlobal, a)
	}
	return !within(notPublic, a)
}

func within(list []netip.Prefix, a netip.Addr) bool {
	return slices.ContainsFunc(list, func(p netip.Prefix) bool { return p.Contains(a) })
}

// ownName reports whether a name always means this machine (RFC 6761 §6.3).
func ownName(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// IsPrivate reports, without a look-up, whether a host is known not to be on the public Internet: a private address, or a name of
// this machine.
func IsPrivate(host string) bool {
	a, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && !Public(a) || ownName(host)
}

// only refuses connections to addresses that aren't public. The dialer calls it for each resolved address just before it connects,
// so that later DNS answers don't matter.
func only(public func(netip.Addr) bool) func(string, string, syscall.RawConn) error {
	return func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return fmt.Errorf("%q: %w", address, err)
		}
		if !public(to.Addr()) {
			return fmt.Errorf("%s: %w", to.Addr(), ErrPrivate)
		}
		return nil
	}
}
