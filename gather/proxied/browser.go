// Package proxied starts a browser that reaches the web only through one handler: a proxy on loopback, which has certificates of
// its own for all hosts. The handler decides what may be requested, and what happens to the answers.
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

// A Browser is a browser with its proxy. Create it with [Start].
type Browser struct {
	*browser.Browser
	folder string
	stop   context.CancelFunc
	ended  chan error // of the proxy
}

// Start starts the proxy, and the browser behind it. folder is for the profile and the certificates; it is removed at the end, or
// if the browser can't be started. Start sets Dir, Proxy and CA of cfg. The caller must close the browser.
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

// Close ends the browser, then the proxy, and removes the folder.
func (b *Browser) Close() error { return errors.Join(b.Browser.Close(), b.away()) }

// away ends the proxy and removes the folder.
func (b *Browser) away() error {
	b.stop()
	return errors.Join(<-b.ended, os.RemoveAll(b.folder))
}
