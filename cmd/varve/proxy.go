package main

import (
	"errors"
	"fmt"
	"net"
	"path/filepath"

	"github.com/varve-archive/varve/archive/blobstore"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/proxy"
)

// newProxy returns the proxy that --proxy asks for, and its listener; nil without --proxy. url is the address of the
// server, which a public address overrides.
func (p *program) newProxy(c serving, server *replay.Server, url string) (*proxy.Proxy, net.Listener, error) {
	if c.Proxy == "" {
		return nil, nil, nil
	}
	cfg := proxy.Config{
		Dir: filepath.Join(p.Data, "proxy"), ServerURL: url, Collection: p.Collection, Banner: c.ProxyBanner, Log: p.log(),
		ReadOnly: p.readOnly,
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

// Validate checks the flags; kong calls it after parsing.
func (c serving) Validate() error {
	_, err := c.proxyDatetime()
	if c.UploadTo != "" && blobstore.Check(c.UploadTo) != nil {
		err = errors.Join(err, fmt.Errorf("--upload-to: %w", blobstore.Check(c.UploadTo)))
	}
	return err
}

// proxyDatetime returns the value of --proxy-datetime, 0 without it.
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

// onLoopback completes an address without a host, so that a proxy given only a port does not answer strangers.
// 0.0.0.0 listens to everyone.
func onLoopback(addr string) string {
	if host, port, err := net.SplitHostPort(addr); err == nil && host == "" {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return addr
}
