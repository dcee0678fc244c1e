package crawl

import (
	"net/netip"

	"github.com/varve-archive/varve/live"
)

// Public has a crawl take some addresses for public.
func (c *Crawl) Public(is func(netip.Addr) bool) {
	c.client = live.New(live.Config{UserAgent: c.set.UserAgent, MaxBytes: 1 << 30, Public: is})
}
