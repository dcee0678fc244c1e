package client_test

import (
	"net/netip"
	"testing"

	"github.com/varve-archive/varve/gather/client"
)

// No address of the blocks that are reserved is public, from the first to the last, and those beside them are.
func TestReservedBlocks(t *testing.T) {
	for _, block := range [][2]string{
		{"10.0.0.0", "10.255.255.255"},
		{"100.64.0.0", "100.127.255.255"},
		{"127.0.0.0", "127.255.255.255"},
		{"172.16.0.0", "172.31.255.255"},
		{"192.0.0.0", "192.0.0.255"},
		{"192.0.2.0", "192.0.2.255"},
		{"192.88.99.0", "192.88.99.255"},
		{"192.168.0.0", "192.168.255.255"},
		{"198.18.0.0", "198.19.255.255"},
		{"198.51.100.0", "198.51.100.255"},
		{"203.0.113.0", "203.0.113.255"},
		{"169.254.0.0", "169.254.255.255"},
		{"2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"},
		{"2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"},
		{"3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"},
	} {
		first, last := netip.MustParseAddr(block[0]), netip.MustParseAddr(block[1])
		if client.Public(first) || client.Public(last) {
			t.Errorf("%s to %s: an end of the block is public", first, last)
		}
		if before, after := first.Prev(), last.Next(); !client.Public(before) || !client.Public(after) {
			t.Errorf("%s or %s beside the block is not public", before, after)
		}
	}
	for _, address := range []string{"0.0.0.0", "224.0.0.0", "239.255.255.255", "240.0.0.0", "255.255.255.254", "2606:2800:220:1::1%eth0"} {
		if client.Public(netip.MustParseAddr(address)) {
			t.Errorf("%s is public", address)
		}
	}
}

// Hosts that lead home are known without a look-up.
func TestIsPrivate(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]bool{
		"127.0.0.1": true, "10.1.2.3": true, "::1": true, "[fe80::1]": true, "localhost": true, "A.localhost.": true, "8.8.8.8": false,
		"2606:4700::1111": false, "example.org": false, "localhost.example.org": false, "": false,
	} {
		if got := client.IsPrivate(host); got != want {
			t.Errorf("%q: %v, want %v", host, got, want)
		}
	}
}
