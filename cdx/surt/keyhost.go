package surt

import (
	"slices"
	"strings"
)

// HostOf returns the host of a key in the usual order, with its port: that of "org,example,www)/a" is www.example.org. It
// returns "" for a key without a host.
func HostOf(key string) string {
	host, _, ok := strings.Cut(key, ")")
	if !ok {
		return ""
	}
	host, port, _ := strings.Cut(host, ":")
	labels := strings.Split(host, ",")
	slices.Reverse(labels)
	host = strings.Join(labels, ".")
	if port != "" {
		host += ":" + port
	}
	return host
}
