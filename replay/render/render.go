package render

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/archive/visual/model"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/chromium"
	"github.com/varve-archive/varve/internal/sentinel"
)

// Limits of one picture.
const (
	pictureTime = 60 * time.Second       // for all of it, see [Config]
	idleTime    = 400 * time.Millisecond // without requests before a page counts as complete
	scrollSteps = 12                     // in which the page is scrolled through
	maxHeight   = 10_000                 // of the picture, in pixels
	maxBlocks   = 800
	maxMemory   = 1500 << 20 // of the browser, in bytes
	quality     = 80         // of WebP
	phoneWidth  = 600        // widths below it are those of phones
)

// loading is the time limit for the load event, settling that for requests to cease.
func (t *tab) loading() time.Duration  { return t.wait / 3 }
func (t *tab) settling() time.Duration { return t.wait / 10 }

// Config configures a [Renderer]. Replay is required.
type Config struct {
	Replay   http.Handler // answers /{coll}/{ts14}mp_/{URI-R}
	Chromium string       // path, "" for the first that is found
	Dir      string       // of the browser's profile: created at the start and removed at the end
	// Patience is the time limit for one picture; 0 is a minute.
	Patience time.Duration
	// Memory is the browser's memory limit for a page, in bytes; 0 is 1.5 GB. It is enforced on Linux only.
	Memory int64
	Log    *slog.Logger
}

// A Renderer makes one picture at a time. Create one with [Start].
type Renderer struct {
	browser *chromium.Process
	inside  *inside
	server  *http.Server
	host    string
	wait    time.Duration
	memory  int64
	mu      sync.Mutex
}

// Start starts a browser that can reach only the replay. The caller must close it.
func Start(ctx context.Context, cfg Config) (*Renderer, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	host := l.Addr().String()
	r := &Renderer{
		host: host, wait: cmp.Or(cfg.Patience, pictureTime), memory: cmp.Or(cfg.Memory, maxMemory),
		inside: &inside{replay: cfg.Replay, host: host},
	}
	r.server = &http.Server{Handler: r.inside, ReadHeaderTimeout: pictureTime, ErrorLog: slog.NewLogLogger(cfg.Log.Handler(), slog.LevelDebug)}
	go func() { _ = r.server.Serve(l) }() // it ends when it is closed
	r.browser, err = chromium.Start(ctx, chromium.Config{
		Path: cfg.Chromium, Dir: cfg.Dir, Proxy: host, Log: cfg.Log, Flags: map[string]any{
			"blink-settings":                         "imageAnimationPolicy=2,lazyLoadEnabled=false", // moving images show how they begin
			"force-color-profile":                    "srgb",
			"font-render-hinting":                    "none",
			"disable-lcd-text":                       true,
			"disable-smooth-scrolling":               true,
			"disk-cache-size":                        "1", // what is shown is asked for, and so remembered as a part
			"js-flags":                               "--max-old-space-size=512",
			"autoplay-policy":                        "user-gesture-required",
			"force-prefers-reduced-motion":           true,
			"disable-client-side-phishing-detection": true,
		},
	})
	if err != nil {
		return nil, errors.Join(err, r.server.Close())
	}
	return r, nil
}

// Close ends the browser and its listener.
func (r *Renderer) Close() error { return errors.Join(r.browser.Close(), r.server.Close()) }

// A Target is a memento to be pictured.
type Target struct {
	Coll string
	URL  string
	Time cdx.Timestamp
}

// Render pictures a memento in a window of a width, and returns the facts about it and its image. A failure of the page becomes a note
// without an image. An error is one of the browser itself, or of ctx.
func (r *Renderer) Render(ctx context.Context, of Target, width int) (*visual.Picture, *visual.Shot, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := &visual.Picture{Recipe: visual.Recipe, URL: of.URL, Time: of.Time, Width: width}
	root, err := r.browser.Context(ctx)
	if err != nil {
		return nil, nil, err
	}
	limited, cancel := context.WithTimeoutCause(ctx, r.wait, errHung)
	defer cancel()
	inTab, closeTab := chromedp.NewContext(root)
	defer closeTab()
	tabContext, end := context.WithCancelCause(inTab)
	defer end(nil)
	defer context.AfterFunc(limited, func() { end(context.Cause(limited)) })()
	path := "/" + of.Coll + "/" + of.Time.String() + "mp_/" + of.URL
	v := newVisit(path)
	r.inside.visit(v)
	defer r.inside.visit(nil)
	t := &tab{ctx: tabContext, wait: r.wait, host: r.host, visit: v, width: width, end: end, picture: p, loaded: make(chan struct{})}
	defer t.watch(r.browser, r.memory)()
	shot, err := t.take(of)
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if cause := context.Cause(tabContext); cause != nil {
		err = cause
	} else if root.Err() != nil {
		err = errCrashed
	}
	return r.judge(p, v, shot, err)
}

// Reasons to give up a page.
const (
	errHung    = sentinel.Error("the page did not come to rest")
	errCrashed = sentinel.Error("the browser crashed")
	errLarge   = sentinel.Error("the page took too much memory")
	errSilent  = sentinel.Error("the archive did not answer with the page")
)

// judge turns an error of a page into a note. It ends a browser that may still be busy with the page. A page with more parts than can be
// remembered has no picture, since access rules could not be applied to it later. Pages ask for parts until their last screenshot.
func (r *Renderer) judge(p *visual.Picture, v *visit, shot *visual.Shot, err error) (*visual.Picture, *visual.Shot, error) {
	var crowded bool
	p.Parts, crowded = v.result()
	switch {
	case err == nil && crowded:
		p.Note = visual.Crowded
		return p, nil, nil
	case err == nil:
		return p, shot, nil
	case errors.Is(err, errSilent):
		p.Note = visual.Silent
		return p, nil, nil
	case errors.Is(err, errCrashed):
		p.Note = visual.Crashed
	case errors.Is(err, errLarge):
		p.Note = visual.Large
	case errors.Is(err, errHung), errors.Is(err, context.DeadlineExceeded):
		p.Note = visual.Hung
	default:
		return nil, nil, errors.Join(fmt.Errorf("picturing %s of %s: %w", p.URL, p.Time, err), r.browser.Close())
	}
	p.Blocks = nil
	return p, nil, r.browser.Close() // the next picture starts another
}

// A tab shows a page to be pictured.
type tab struct {
	ctx     context.Context
	wait    time.Duration // see [Config]
	host    string
	visit   *visit
	width   int
	end     context.CancelCauseFunc
	picture *visual.Picture
	loaded  chan struct{}
	once    sync.Once
	mu      sync.Mutex
	errs    int
	page    network.RequestID // of the document, "" before it is requested
}

// watch ends a page that takes too much memory, until stop is called.
func (t *tab) watch(b *chromium.Process, most int64) (stop func()) {
	ctx, cancel := context.WithCancel(t.ctx)
	go func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if b.Memory() > most {
					t.end(errLarge)
				}
			}
		}
	}()
	return cancel
}

// take opens the page and returns its picture.
func (t *tab) take(of Target) (*visual.Shot, error) {
	if err := t.open(of); err != nil {
		return nil, err
	}
	if err := t.load("http://" + t.host + t.visit.page); err != nil {
		return nil, err
	}
	height, err := t.scrollThrough()
	if err != nil {
		return nil, err
	}
	if err := t.read(height); err != nil {
		return nil, err
	}
	return t.capture(height)
}

// open creates the tab and sets it up.
func (t *tab) open(of Target) error {
	if err := chromedp.Do(t.ctx); err != nil {
		return err
	}
	if err := chromedp.Listen(t.ctx, t.event); err != nil {
		return err
	}
	seed := fnv.New32a()
	_, _ = seed.Write([]byte(of.URL))
	before := fmt.Sprintf("(%s)(%d, %d)", expression(beforeScript), of.Time.Unix()*1000, seed.Sum32())
	first := page.AddScriptToEvaluateOnNewDocumentParams{Source: before}
	if _, err := chromedp.Call(t.ctx, page.AddScriptToEvaluateOnNewDocument, first); err != nil {
		return err
	}
	if _, err := chromedp.Call(t.ctx, network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: true}); err != nil {
		return err
	}
	if _, err := chromedp.Call(t.ctx, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true}); err != nil {
		return err
	}
	documents := fetch.EnableParams{Patterns: []*fetch.RequestPattern{{ResourceType: network.ResourceTypeDocument}}}
	if _, err := chromedp.Call(t.ctx, fetch.Enable, documents); err != nil {
		return err
	}
	width, height := int64(t.width), int64(windowHeight(t.width))
	metrics := emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: height, ScreenWidth: width, ScreenHeight: height, DeviceScaleFactor: 1, Mobile: t.width < phoneWidth,
	}
	_, err := chromedp.Call(t.ctx, emulation.SetDeviceMetricsOverride, metrics)
	return err
}

// windowHeight returns the height of a window: portrait for the width of a phone, landscape otherwise.
func windowHeight(width int) int {
	if width < phoneWidth {
		return width * 2
	}
	return width * 3 / 4
}

// event handles an event of the browser. It must not block.
func (t *tab) event(ev any) {
	switch ev := ev.(type) {
	case *fetch.EventRequestPaused:
		go t.paused(ev)
	case *page.EventLoadEventFired:
		t.once.Do(func() { close(t.loaded) })
	case *page.EventJavascriptDialogOpening:
		go func() {
			leave := ev.Type == page.DialogTypeBeforeunload
			_, _ = chromedp.Call(t.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: leave}) // the page may be gone
		}()
	case *runtime.EventExceptionThrown:
		t.mu.Lock()
		t.errs++
		t.mu.Unlock()
	case *runtime.EventConsoleAPICalled:
		if ev.Type == runtime.ConsoleAPICalledTypeError {
			t.mu.Lock()
			t.errs++
			t.mu.Unlock()
		}
	case *inspector.EventTargetCrashed:
		t.end(errCrashed)
	}
}

// paused lets a request for a document pass, unless the window would leave the page: an aborted navigation leaves the page in place.
func (t *tab) paused(ev *fetch.EventRequestPaused) {
	t.mu.Lock()
	if ev.FrameID == t.frame() && t.page == "" {
		t.page = ev.NetworkID
	}
	stays := ev.FrameID != t.frame() || ev.NetworkID == t.page
	t.mu.Unlock()
	if !stays { // the tab may be gone
		_, _ = chromedp.Call(t.ctx, fetch.FailRequest, fetch.FailRequestParams{RequestID: ev.RequestID, ErrorReason: network.ErrorReasonAborted})
		return
	}
	_, _ = chromedp.Call(t.ctx, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: ev.RequestID})
}

// load opens the page and waits for its load event.
func (t *tab) load(address string) error {
	limited, cancel := context.WithTimeout(t.ctx, t.loading())
	defer cancel()
	res, err := chromedp.Call(limited, page.Navigate, page.NavigateParams{URL: address})
	switch {
	case t.ctx.Err() != nil:
		return context.Cause(t.ctx)
	case err == nil && res.ErrorText != "":
		return errSilent
	}
	select { // also for a page whose head never ends
	case <-t.loaded:
	case <-limited.Done():
	}
	if t.ctx.Err() != nil {
		return context.Cause(t.ctx)
	}
	t.settle()
	t.visit.mu.Lock()
	defer t.visit.mu.Unlock()
	if !t.visit.shown || t.visit.status >= http.StatusBadRequest {
		return errSilent
	}
	return nil
}

// settle waits until the page makes no requests for a while.
func (t *tab) settle() {
	limited, cancel := context.WithTimeout(t.ctx, t.settling())
	defer cancel()
	tick := time.NewTicker(idleTime / 8)
	defer tick.Stop()
	for began := time.Now(); ; {
		if time.Since(began) >= idleTime/2 && t.visit.isIdle(idleTime) {
			return
		}
		select {
		case <-tick.C:
		case <-limited.Done():
			return
		}
	}
}

// scrollThrough scrolls through the page, so that lazy content loads, and returns the height to picture.
func (t *tab) scrollThrough() (height int, err error) {
	if height, err = t.height(); err != nil {
		return 0, err
	}
	window := windowHeight(t.width)
	if height > window {
		step := max(window, height/scrollSteps)
		for top := step; top < height; top += step {
			if err := t.call(nil, "scroll", top); err != nil {
				return 0, err
			}
			if err := rest(t.ctx, idleTime/8); err != nil {
				return 0, err
			}
		}
		if err := t.call(nil, "scroll", 0); err != nil {
			return 0, err
		}
		t.settle()
	}
	if err := t.call(nil, "still"); err != nil {
		return 0, err
	}
	return t.height()
}

func (t *tab) height() (int, error) {
	var h float64
	if err := t.call(&h, "height"); err != nil {
		return 0, err
	}
	t.picture.PageHeight = int(min(h, 1e9))
	return max(1, min(t.picture.PageHeight, maxHeight)), nil
}

func rest(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// read fills in the facts about the page.
func (t *tab) read(height int) error {
	var got struct {
		Title    string
		Height   float64
		Href     string
		Blocks   []scripted
		Embedded []struct {
			URL  string
			Area float64
		}
	}
	if err := t.call(&got, "page", height, maxBlocks); err != nil {
		return err
	}
	p := t.picture
	p.Title, p.Blocks = got.Title, blocks(got.Blocks, t.width, height)
	shares := map[string]float64{}
	for _, e := range got.Embedded {
		shares[pathOf(e.URL, t.host)] += e.Area / float64(t.width*height)
	}
	p.Asked, p.Lacked, p.Damage = t.visit.damage(shares)
	t.mu.Lock()
	p.Errors = t.errs
	t.mu.Unlock()
	if p.PageHeight > height {
		p.Note = visual.Cut
	}
	return nil
}

// capture returns the picture of the page.
func (t *tab) capture(height int) (*visual.Shot, error) {
	s := &visual.Shot{}
	var err error
	if s.Exact, err = t.image(page.CaptureScreenshotFormatPng, height); err != nil {
		return nil, err
	}
	if s.Kept, err = t.image(page.CaptureScreenshotFormatWebp, height); err != nil {
		return nil, err
	}
	var overlays int
	if err := t.evaluate(&overlays, model.OverlaysScript); err != nil {
		return nil, err
	}
	if overlays > 0 {
		if s.Bare, err = t.image(page.CaptureScreenshotFormatPng, height); err != nil {
			return nil, err
		}
	}
	s.Boxes, err = t.boxes()
	return s, err
}

// image returns the page down to a height.
func (t *tab) image(format page.CaptureScreenshotFormat, height int) ([]byte, error) {
	yes, grade := true, int64(quality)
	params := page.CaptureScreenshotParams{
		Format: format, CaptureBeyondViewport: &yes,
		Clip: &page.Viewport{Width: float64(t.width), Height: float64(height), Scale: 1},
	}
	if format == page.CaptureScreenshotFormatPng {
		params.OptimizeForSpeed = &yes // it isn't stored
	} else {
		params.Quality = &grade
	}
	res, err := chromedp.Call(t.ctx, page.CaptureScreenshot, params)
	if err != nil {
		return nil, err
	}
	return res.Data, nil
}

func (t *tab) frame() cdp.FrameID { return cdp.FrameID(chromedp.FromContext(t.ctx).Target.TargetID) }
