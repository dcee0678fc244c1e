package crawl

import (
	"net/netip"
	"time"

	"github.com/varve-archive/varve/gather/client"
)

// Public has a crawl take some addresses for public.
func (c *Crawl) Public(is func(netip.Addr) bool) {
	c.client = client.New(client.Config{UserAgent: c.set.UserAgent, MaxBytes: 1 << 30, Public: is})
}

// PageTime has a crawl wait for pages only so long.
func (c *Crawl) PageTime(d time.Duration) { c.cfg.PageTime = d }

// Scratch says where a crawl has its browser.
func (c *Crawl) Scratch(folder string) { c.cfg.Scratch = folder }

// Cookies says where a crawl keeps the cookies of its browser.
func (c *Crawl) Cookies(path string) { c.cfg.Cookies = path }
