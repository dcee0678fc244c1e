// Package proxied starts a browser that reaches the web through one handler and in no other way: a proxy on loopback, which speaks for all
// hosts with certificates of its own. What may be asked for, and what becomes of the answers, is the handler's business.
package proxied

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"

	"github.com/varve-archive/varve/gather/crawl/browser"
	"github.com/varve-archive/varve/internal/forward"
)

// A Browser is one with its proxy. Create it with [Start].
type Browser struct {
	*browser.Browser
	folder string
	stop   context.CancelFunc
	ended  chan error // of the proxy
}

// Start starts the proxy, and the browser behind it. The folder is for the profile and the certificates; it is removed in the end, or if
// the browser can't be started. Of cfg, Dir, Proxy and CA are filled in. Close it in the end.
func Start(ctx context.Context, through http.Handler, folder string, cfg browser.Config) (*Browser, error) {
	ca, err := forward.LoadAuthority(filepath.Join(folder, "ca"), false)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	b := &Browser{folder: folder, stop: stop, ended: make(chan error, 1)}
	go func() { b.ended <- forward.New(ca, through, cfg.Log).Serve(serving, l) }()
	cfg.Dir, cfg.Proxy, cfg.CA = filepath.Join(folder, "profile"), l.Addr().String(), ca.DER
	if b.Browser, err = browser.Start(ctx, cfg); err != nil {
		return nil, errors.Join(err, b.away())
	}
	return b, nil
}

// Close ends the browser, then the proxy, and removes what both left.
func (b *Browser) Close() error { return errors.Join(b.Browser.Close(), b.away()) }

// away ends the proxy and removes the folder.
func (b *Browser) away() error {
	b.stop()
	return errors.Join(<-b.ended, os.RemoveAll(b.folder))
}
