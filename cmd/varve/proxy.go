package main

import (
	"fmt"
	"net"
	"path/filepath"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay"
)

// newProxy makes what --proxy asks for, and listens for it; nil without --proxy. server is reached at url, unless there
// is a public address.
func (p *program) newProxy(c serving, server *replay.Server, url string) (*replay.Proxy, net.Listener, error) {
	if c.Proxy == "" {
		return nil, nil, nil
	}
	cfg := replay.ProxyConfig{
		Dir: filepath.Join(p.Data, "proxy"), ServerURL: url, Collection: p.Collection, Banner: c.ProxyBanner, Log: p.log(),
	}
	if c.PublicURL != "" {
		cfg.ServerURL = c.PublicURL
	}
	if c.ProxyDatetime != "" {
		ts, err := cdx.ParseTimestamp(c.ProxyDatetime)
		if err != nil {
			return nil, nil, fmt.Errorf("--proxy-datetime %q: want YYYYMMDDhhmmss or its beginning", c.ProxyDatetime)
		}
		cfg.Datetime = ts
	}
	proxy, err := replay.NewProxy(server, cfg)
	if err != nil {
		return nil, nil, err
	}
	listener, err := net.Listen("tcp", c.Proxy)
	if err != nil {
		return nil, nil, fmt.Errorf("can't listen on %s: %w (choose another with --proxy)", c.Proxy, err)
	}
	return proxy, listener, nil
}
