package chromium

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
)

// Config has the settings of a browser.
type Config struct {
	Path      string         // path of Chromium; "" for the first that is found, see [Find]
	Dir       string         // of its profile: created, and removed at the end
	Proxy     string         // host:port, through which everything goes
	Show      bool           // with a window
	UserAgent string         // "" for the browser's own
	Flags     map[string]any // additional flags; they override those that keep requests inside the proxy
	// Started is called with each new process before it is used. It may be nil.
	Started func(context.Context) error
	Log     *slog.Logger
}

// A Process is a Chromium process, which is restarted if it ends. It is safe for concurrent use.
type Process struct {
	cfg Config

	mu   sync.Mutex
	root context.Context // of the process; nil before the first
	stop func()
}

// names are the names of Chromium's binary, the one without windows first: it is the same engine in a smaller program.
var names = []string{"chromium-headless-shell", "chromium", "google-chrome", "google-chrome-stable", "chromium-browser", "chrome"}

// Find returns the path of a browser, given one or "". window says that it is to have a window, which needs a screen.
func Find(path string, window bool) (string, error) {
	names := names
	if window {
		if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
			return "", errors.New("there is no screen to show the browser on: neither DISPLAY nor WAYLAND_DISPLAY is set")
		}
		names = names[1:]
	}
	if path != "" {
		found, err := exec.LookPath(path)
		if err != nil {
			return "", fmt.Errorf("the browser %s: %w", path, err)
		}
		return found, nil
	}
	for _, name := range names {
		if found, err := exec.LookPath(name); err == nil {
			return found, nil
		}
	}
	return "", errors.New("there is no Chromium in the path: install it (Debian's package is chromium, or chromium-headless-shell, which is " +
		"smaller), or name it with --chromium")
}

// UserAgent returns the user agent of a crawler that opens pages in a browser: what the browser calls itself with a window, since sites and
// their scripts tell by it what they can use, and then the crawler's own name. That stands alone if the browser doesn't print its version.
func UserAgent(path, name string) string {
	var system string // as browsers of all its versions name it
	switch runtime.GOOS {
	case "linux":
		system = "X11; Linux x86_64"
	case "darwin":
		system = "Macintosh; Intel Mac OS X 10_15_7"
	default: // Windows: its browsers open a window when they are asked
		return name
	}
	printed, err := exec.Command(path, "--version").Output()
	if err != nil {
		return name
	}
	for word := range strings.FieldsSeq(string(printed)) {
		major, _, _ := strings.Cut(word, ".") // all that sites are told of a version
		if _, err := strconv.Atoi(major); err == nil {
			return fmt.Sprintf("Mozilla/5.0 (%s) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%s.0.0.0 Safari/537.36 %s", system, major, name)
		}
	}
	return name
}

// Start finds a browser and starts it. Close it when done.
func Start(ctx context.Context, cfg Config) (*Process, error) {
	var err error
	if cfg.Path, err = Find(cfg.Path, cfg.Show); err != nil {
		return nil, err
	}
	p := &Process{cfg: cfg}
	if os.Getuid() == 0 {
		cfg.Log.Warn("Chromium runs without its sandbox, since varve runs as root: run it as another user")
	}
	_, err = p.Context(ctx)
	return p, err
}

// flags keep the browser from sending requests of its own, or past the proxy.
func (p *Process) flags() []chromedp.ExecAllocatorOption {
	opts := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(p.cfg.Path), chromedp.DisableGPU,
		chromedp.ModifyCmdFunc(apart))
	flags := map[string]any{
		"user-data-dir":     p.cfg.Dir,
		"proxy-server":      "http://" + p.cfg.Proxy,
		"proxy-bypass-list": "<-loopback>", // otherwise requests to loopback bypass it
		// It resolves no names: the proxy does.
		"host-resolver-rules":             "MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
		"dns-prefetch-disable":            true,
		"disable-quic":                    true,
		"force-webrtc-ip-handling-policy": "disable_non_proxied_udp",
		"webrtc-ip-handling-policy":       "disable_non_proxied_udp",
		"disable-component-update":        true,
		"disable-domain-reliability":      true,
		"no-pings":                        true,
		"block-new-web-contents":          true, // the address of a new window is enough
		"deny-permission-prompts":         true,
		"disable-notifications":           true,
		"mute-audio":                      true,
		"hide-scrollbars":                 true,
		// All frames of a page have to be in one process: otherwise their requests and content can't be observed.
		"disable-site-isolation-trials": true,
		"disable-features": "SitePerProcess,IsolateOrigins,Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,HttpsUpgrades," +
			"HttpsFirstBalancedModeAutoEnable,AutofillServerCommunication,CertificateTransparencyComponentUpdater,Prerender2," +
			"LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests,BackForwardCache,WebRtcHideLocalIpsWithMdns",
	}
	if p.cfg.UserAgent != "" {
		flags["user-agent"] = p.cfg.UserAgent
	}
	if p.cfg.Show {
		flags["headless"], flags["hide-scrollbars"] = false, false
	}
	maps.Copy(flags, p.cfg.Flags)
	for name, value := range flags {
		opts = append(opts, chromedp.Flag(name, value))
	}
	return opts
}

// Context returns the context of the running process, which it starts if necessary.
func (p *Process) Context(ctx context.Context) (context.Context, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if p.root != nil && p.root.Err() == nil {
		return p.root, nil
	}
	if err := p.end(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(p.cfg.Dir, 0o700); err != nil {
		return nil, err
	}
	// The process must outlive the context for which it is started.
	allocator, free := chromedp.NewExecAllocator(context.WithoutCancel(ctx), p.flags()...)
	debug := func(format string, args ...any) {
		p.cfg.Log.Debug("chromedp: " + strings.TrimSpace(fmt.Sprintf(format, args...)))
	}
	root, stop := chromedp.NewContext(allocator, chromedp.WithErrorf(debug), chromedp.WithLogf(debug))
	p.root, p.stop = root, func() { stop(); free() }
	deny := browser.SetDownloadBehaviorParams{Behavior: browser.SetDownloadBehaviorBehaviorDeny}
	_, err := chromedp.CallBrowser(root, browser.SetDownloadBehavior, deny)
	if err == nil && p.cfg.Started != nil {
		err = p.cfg.Started(root)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("can't start %s: %w", p.cfg.Path, err), p.end())
	}
	return root, nil
}

// closeTime is the time that the browser gets for ending by itself.
const closeTime = 5 * time.Second

// end ends the process and removes its profile.
func (p *Process) end() error {
	if p.stop != nil {
		limited, cancel := context.WithTimeout(p.root, closeTime)
		if err := chromedp.Cancel(limited); err != nil {
			p.cfg.Log.Debug("the browser did not close by itself", "error", err)
		}
		cancel()
		p.stop()
		p.root, p.stop = nil, nil
	}
	err := os.RemoveAll(p.cfg.Dir)
	for range 20 { // child processes may still be writing
		if err == nil {
			return nil
		}
		time.Sleep(closeTime / 100)
		err = os.RemoveAll(p.cfg.Dir)
	}
	return err
}

// Close ends the browser and removes its profile.
func (p *Process) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.end()
}
