package browser

import (
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
)

// Config says what is started.
type Config struct {
	Path      string // of Chromium; "" for the first that is found, see [Find]
	Dir       string // of its profile: made anew, and removed in the end
	Cookies   string // file that keeps the cookies between two starts, "" for none
	Proxy     string // host:port, through which everything goes
	CA        []byte // DER of the certificate that signs for the hosts behind the proxy
	UserAgent string
	// Patience is how long is waited until a page says that it is there; a third of it until it asks for nothing more.
	Patience time.Duration
	Log      *slog.Logger
}

// A Browser is a process of Chromium, which is started again if it ends. It is safe for concurrent use.
type Browser struct {
	cfg   Config
	trust string // the key of the CA, as Chromium wants it
	jar   jar

	mu   sync.Mutex
	root context.Context // of the process; nil before the first
	stop func()
}

// names are how Chromium is called, the one without windows first: it is the same engine, with less around it.
func names() []string {
	return []string{"chromium-headless-shell", "chromium", "google-chrome", "google-chrome-stable", "chromium-browser", "chrome"}
}

// Find returns the path of a browser, given one or "".
func Find(path string) (string, error) {
	if path != "" {
		found, err := exec.LookPath(path)
		if err != nil {
			return "", fmt.Errorf("the browser %s: %w", path, err)
		}
		return found, nil
	}
	for _, name := range names() {
		if found, err := exec.LookPath(name); err == nil {
			return found, nil
		}
	}
	return "", errors.New("there is no Chromium in the path: install it (Debian's package is chromium, or chromium-headless-shell, which is " +
		"smaller), or name it with --chromium")
}

// Start finds a browser and starts it. Close it in the end.
func Start(ctx context.Context, cfg Config) (*Browser, error) {
	var err error
	if cfg.Path, err = Find(cfg.Path); err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(cfg.CA)
	if err != nil {
		return nil, err
	}
	key := sha256.Sum256(cert.RawSubjectPublicKeyInfo)
	b := &Browser{cfg: cfg, trust: base64.StdEncoding.EncodeToString(key[:]), jar: jar{path: cfg.Cookies}}
	if os.Getuid() == 0 {
		cfg.Log.Warn("Chromium runs without its sandbox, since varve runs as root: crawl as another user")
	}
	_, err = b.process(ctx)
	return b, err
}

// flags keep the browser from asking for anything by itself, or past the proxy.
func (b *Browser) flags() []chromedp.ExecAllocatorOption {
	opts := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(b.cfg.Path), chromedp.DisableGPU,
		chromedp.ModifyCmdFunc(apart))
	for name, value := range map[string]any{
		"user-data-dir":     b.cfg.Dir,
		"user-agent":        b.cfg.UserAgent,
		"proxy-server":      "http://" + b.cfg.Proxy,
		"proxy-bypass-list": "<-loopback>", // else loopback goes past it
		// It resolves no names: the proxy does.
		"host-resolver-rules":                 "MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
		"dns-prefetch-disable":                true,
		"ignore-certificate-errors-spki-list": b.trust,
		"disable-quic":                        true,
		"force-webrtc-ip-handling-policy":     "disable_non_proxied_udp",
		"webrtc-ip-handling-policy":           "disable_non_proxied_udp",
		"disable-component-update":            true,
		"disable-domain-reliability":          true,
		"no-pings":                            true,
		"block-new-web-contents":              true, // of windows the address is enough
		"deny-permission-prompts":             true,
		"disable-notifications":               true,
		"autoplay-policy":                     "no-user-gesture-required", // so that videos are asked for
		"mute-audio":                          true,
		"hide-scrollbars":                     true,
		"disk-cache-size":                     "268435456",
		// All frames of a page are in one process, else their requests and content would be out of reach.
		"disable-site-isolation-trials": true,
		"disable-features": "SitePerProcess,IsolateOrigins,Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,HttpsUpgrades," +
			"HttpsFirstBalancedModeAutoEnable,AutofillServerCommunication,CertificateTransparencyComponentUpdater,Prerender2," +
			"LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests,BackForwardCache,WebRtcHideLocalIpsWithMdns",
	} {
		opts = append(opts, chromedp.Flag(name, value))
	}
	return opts
}

// process returns the context of the running process. It starts one if there is none, or if it has ended.
func (b *Browser) process(ctx context.Context) (context.Context, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if b.root != nil && b.root.Err() == nil {
		return b.root, nil
	}
	if err := b.end(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(b.cfg.Dir, 0o700); err != nil {
		return nil, err
	}
	// The process doesn't end with the context that it was first wanted in.
	allocator, free := chromedp.NewExecAllocator(context.WithoutCancel(ctx), b.flags()...)
	debug := func(format string, args ...any) {
		b.cfg.Log.Debug("chromedp: " + strings.TrimSpace(fmt.Sprintf(format, args...)))
	}
	root, stop := chromedp.NewContext(allocator, chromedp.WithErrorf(debug), chromedp.WithLogf(debug))
	b.root, b.stop = root, func() { stop(); free() }
	deny := browser.SetDownloadBehaviorParams{Behavior: browser.SetDownloadBehaviorBehaviorDeny}
	_, err := chromedp.CallBrowser(root, browser.SetDownloadBehavior, deny)
	if err == nil {
		err = b.jar.fill(root)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("can't start %s: %w", b.cfg.Path, err), b.end())
	}
	return root, nil
}

// closing is how long the browser may take to end by itself.
const closing = 5 * time.Second

// end ends the process and removes its profile.
func (b *Browser) end() error {
	if b.stop != nil {
		limited, cancel := context.WithTimeout(b.root, closing)
		if err := chromedp.Cancel(limited); err != nil {
			b.cfg.Log.Debug("the browser did not close by itself", "error", err)
		}
		cancel()
		b.stop()
		b.root, b.stop = nil, nil
	}
	err := os.RemoveAll(b.cfg.Dir)
	for range 20 { // what the browser started may still be writing
		if err == nil {
			return nil
		}
		time.Sleep(closing / 100)
		err = os.RemoveAll(b.cfg.Dir)
	}
	return err
}

// Close ends the browser and removes its profile.
func (b *Browser) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.end()
}
