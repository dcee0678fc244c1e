package main

import (
	"fmt"
	"net"
	"path/filepath"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/proxy"
)

// newProxy makes what --proxy asks for, and listens for it; nil without --proxy. server is reached at url, unless there
// is a public address.
func (p *program) newProxy(c serving, server *replay.Server, url string) (*proxy.Proxy, net.Listener, error) {
	if c.Proxy == "" {
		return nil, nil, nil
	}
	cfg := proxy.Config{
		Dir: filepath.Join(p.Data, "proxy"), ServerURL: url, Collection: p.Collection, Banner: c.ProxyBanner, Log: p.log(),
	}
	if c.PublicURL != "" {
		cfg.ServerURL = c.PublicURL
	}
	var err error
	if cfg.Datetime, err = c.proxyDatetime(); err != nil {
		return nil, nil, err
	}
	proxy, err := server.NewProxy(cfg)
	if err != nil {
		return nil, nil, err
	}
	listener, err := net.Listen("tcp", onLoopback(c.Proxy))
	if err != nil {
		return nil, nil, fmt.Errorf("can't listen on %s: %w (choose another with --proxy)", c.Proxy, err)
	}
	return proxy, listener, nil
}

// Validate is called when the command line is read.
func (c serving) Validate() error {
	_, err := c.proxyDatetime()
	return err
}

// proxyDatetime is 0 where --proxy-datetime isn't given.
func (c serving) proxyDatetime() (cdx.Timestamp, error) {
	if c.ProxyDatetime == "" {
		return 0, nil
	}
	ts, err := cdx.ParseTimestamp(c.ProxyDatetime)
	if err != nil {
		return 0, fmt.Errorf("--proxy-datetime %q: want YYYYMMDDhhmmss or its beginning", c.ProxyDatetime)
	}
	return ts, nil
}

// onLoopback keeps a proxy that is given a port alone from answering strangers: who wants that says 0.0.0.0.
func onLoopback(addr string) string {
	if host, port, err := net.SplitHostPort(addr); err == nil && host == "" {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return addr
}
