package browser

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"github.com/varve-archive/varve/internal/sentinel"
	"github.com/varve-archive/varve/internal/sleep"
)

// Limits of a visit.
const (
	visitTime      = 5 * time.Minute        // in total
	idleTime       = 500 * time.Millisecond // without requests before a page counts as complete
	computeTime    = 5 * time.Second        // after which a page counts as complete though it computes
	workerStart    = 2 * time.Second        // of a worker
	maxNavigations = 1000                   // addresses that scripts navigated to
)

// The size of the window and the screen in CSS pixels: that of a common screen. Many sites send smaller ones to their pages for phones.
const (
	width  = 1280
	height = 1024
)

// LongestAddress is the longest address, in bytes, that is reported. No server accepts longer ones.
const LongestAddress = 16 << 10

// ErrCrashed says that the tab or the browser ended during a visit.
const ErrCrashed = sentinel.Error("the browser crashed")

// A Request is a request that a tab is about to make.
type Request struct {
	URL    string // without fragment
	Method string
	Kind   string // what the page wants it for, as the Chrome DevTools Protocol calls it: Document, Image, XHR, …
	// Navigation says that the tab itself navigates, not a frame in it. First marks the address of the visit, Redirect the target
	// of its redirect. Acting says that a step is being performed, or was performed, and probably led to this request.
	Navigation, First, Redirect, Acting bool
}

// A Guard decides about requests: it returns false to refuse one. It is called concurrently.
type Guard func(context.Context, Request) bool

// A Visit is a page to open.
type Visit struct {
	URL   string
	Steps []Step
	Guard Guard
	// Trusts reports whether fill may write into a page or frame. It gets the page's address, or the origin of a frame with a
	// slash. If it is nil, fill may write nowhere.
	Trusts func(address string) bool
	// Scrolls says that the page is scrolled through if there are no steps.
	Scrolls bool
	// Routes reports whether an address may be opened that differs from URL in a fragment such as #/about, from which scripts make another
	// page. If it is nil, none is.
	Routes func(address string) bool
}

// A Frame is a document in a page.
type Frame struct {
	URL   string // against which its links are resolved
	HTML  string // its present document, in UTF-8
	Links []string
}

// Shown is the state of a page at the end of a visit.
type Shown struct {
	Frames []Frame // the page, and what is in it; none if it isn't HTML or didn't answer
	// Elsewhere says that the steps led to another page than that of the visit, and that the frames belong to it.
	Elsewhere bool
	Navigated []string // addresses that scripts navigated to, opened in a window, or set as the page's address
	Failed    []Failure
	// MoreRoutes says that not all routes could be opened in time.
	MoreRoutes bool
}

// A Failure is a step that could not be performed.
type Failure struct {
	Number int // of the step, from 1
	Step   Step
	Err    error
}

func (f Failure) Error() string { return fmt.Sprintf("step %d (%s): %v", f.Number, &f.Step, f.Err) }

// A tab is where a visit happens.
type tab struct {
	visit  Visit
	ctx    context.Context // of the tab
	main   cdp.FrameID
	limit  int           // of the text of all documents, in bytes, roughly
	wait   time.Duration // see [Config]
	crash  context.CancelCauseFunc
	loaded chan struct{} // closed at the page's load event
	once   sync.Once

	mu       sync.Mutex
	begun    bool // the address of the visit was requested
	acting   bool
	status   int64                        // of the last document
	moved    int                          // documents that the tab has shown
	flying   map[network.RequestID]string // addresses of requests without an answer yet
	changed  time.Time                    // when flying last changed
	went     []string
	wentOnce map[string]bool
}

// Visit opens a page and returns its state after the steps. An error is that of the browser, [ErrCrashed], or of ctx; a page that
// doesn't answer is no error. limit bounds the text of all documents, in bytes, roughly.
func (b *Browser) Visit(ctx context.Context, v Visit, limit int) (shown Shown, err error) {
	root, err := b.Context(ctx)
	if err != nil {
		return shown, err
	}
	ctx, cancel := context.WithTimeout(ctx, visitTime)
	defer cancel()
	inTab, closeTab := chromedp.NewContext(root)
	defer closeTab()
	defer context.AfterFunc(ctx, closeTab)()
	crashed, crash := context.WithCancelCause(inTab)
	defer crash(nil)
	t := &tab{
		visit: v, ctx: crashed, limit: limit, wait: b.cfg.Patience, crash: crash, loaded: make(chan struct{}), changed: time.Now(),
		flying: map[network.RequestID]string{}, wentOnce: map[string]bool{},
	}
	if err = t.open(); err == nil {
		err = t.goThere(&shown)
	}
	shown.Navigated = t.navigations()
	if failed := b.jar.keep(t.ctx); failed != nil && t.ctx.Err() == nil {
		b.cfg.Log.Debug("the cookies of the browser can't be kept", "error", failed)
	}
	switch {
	case errors.Is(context.Cause(crashed), ErrCrashed), root.Err() != nil && ctx.Err() == nil:
		return shown, ErrCrashed
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return shown, nil // it was slow, and what there is counts
	case ctx.Err() != nil:
		return shown, ctx.Err()
	}
	return shown, err
}

// open creates the tab and sets it up.
func (t *tab) open() error {
	if err := chromedp.Do(t.ctx); err != nil {
		return err
	}
	t.main = cdp.FrameID(chromedp.FromContext(t.ctx).Target.TargetID)
	if err := chromedp.Listen(t.ctx, t.event); err != nil {
		return err
	}
	if _, err := chromedp.Call(t.ctx, fetch.Enable, fetch.EnableParams{}); err != nil {
		return err
	}
	// The visit would not see requests that a service worker answers from its cache.
	if _, err := chromedp.Call(t.ctx, network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: true}); err != nil {
		return err
	}
	focused := emulation.SetFocusEmulationEnabledParams{Enabled: true} // even if other tabs are in front
	if _, err := chromedp.Call(t.ctx, emulation.SetFocusEmulationEnabled, focused); err != nil {
		return err
	}
	common := emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: height, ScreenWidth: width, ScreenHeight: height, DeviceScaleFactor: 1,
	}
	_, err := chromedp.Call(t.ctx, emulation.SetDeviceMetricsOverride, common)
	return err
}

// goThere opens the page, performs the steps and reads the resulting document.
func (t *tab) goThere(shown *Shown) error {
	limited, cancel := context.WithTimeout(t.ctx, t.wait)
	defer cancel()
	res, err := chromedp.Call(limited, page.Navigate, page.NavigateParams{URL: t.visit.URL})
	if t.ctx.Err() != nil {
		return t.ctx.Err()
	}
	if err == nil && res.ErrorText != "" { // no answer, or none that a browser shows
		return nil
	}
	select { // also for a page whose head never ends
	case <-t.loaded:
	case <-limited.Done():
	case <-t.ctx.Done():
		return t.ctx.Err()
	}
	t.settle(t.ctx)
	before := t.documents()
	if t.isPage() {
		t.act(shown)
	}
	err = t.read(shown)
	shown.Elsewhere = t.documents() != before && len(shown.Frames) > 0 && shown.Frames[0].URL != t.visit.URL
	t.walkRoutes(shown)
	return err
}

// isPage reports whether the tab shows a page on which steps can be performed: HTML without an error status.
func (t *tab) isPage() bool {
	ctx, cancel := context.WithTimeout(t.ctx, t.wait)
	defer cancel()
	var c content
	err := t.call(ctx, t.main, &c, "content", 0)
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.status < 400 && (err != nil || isHTML(c.Type)) // if the type is unknown, the steps will fail with a reason
}

// event handles an event of the browser. It must not block.
func (t *tab) event(ev any) {
	switch ev := ev.(type) {
	case *fetch.EventRequestPaused:
		go t.paused(ev.RequestID, t.request(ev))
	case *network.EventRequestWillBeSent:
		if endless(ev.Type) {
			return
		}
		t.mu.Lock()
		t.flying[ev.RequestID], t.changed = ev.Request.URL, time.Now()
		t.mu.Unlock()
		if ev.Type == network.ResourceTypeScript && ev.DocumentURL == ev.Request.URL {
			time.AfterFunc(workerStart, func() { t.landed(ev.RequestID) }) // a shared worker is in no tab, so nothing says that it runs
		}
	case *network.EventResponseReceived:
		if ev.Type == network.ResourceTypeDocument && ev.FrameID == t.main {
			t.mu.Lock()
			t.status = ev.Response.Status
			t.mu.Unlock()
		}
		if ev.Type == network.ResourceTypeFetch || ev.Type == network.ResourceTypeXHR { // scripts may not read such an answer to its end
			t.landed(ev.RequestID)
		}
	case *network.EventDataReceived:
		t.came()
	case *network.EventLoadingFinished:
		t.landed(ev.RequestID)
	case *network.EventLoadingFailed:
		t.landed(ev.RequestID)
	case *target.EventAttachedToTarget: // a worker, whose script has been loaded
		t.runs(ev.TargetInfo.URL)
	case *page.EventLoadEventFired:
		t.once.Do(func() { close(t.loaded) })
	case *page.EventFrameStoppedLoading: // also one that tried to navigate away
		if ev.FrameID == t.main && t.documents() > 0 {
			t.once.Do(func() { close(t.loaded) })
		}
	case *page.EventFrameNavigated:
		if ev.Frame.ParentID == "" {
			t.mu.Lock()
			t.moved++
			t.mu.Unlock()
		}
	case *page.EventNavigatedWithinDocument:
		if ev.FrameID == t.main {
			t.note(ev.URL)
		}
	case *page.EventWindowOpen:
		t.note(ev.URL)
	case *page.EventJavascriptDialogOpening:
		go t.dismiss(ev.Type)
	case *inspector.EventTargetCrashed:
		t.crash(ErrCrashed)
	}
}

// endless reports whether answers to requests of a kind may never end.
func endless(kind network.ResourceType) bool {
	switch kind {
	case network.ResourceTypeEventSource, network.ResourceTypeWebSocket, network.ResourceTypeMedia, network.ResourceTypePing:
		return true
	}
	return false
}

// landed records that a request has its answer.
func (t *tab) landed(id network.RequestID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.flying[id]; ok {
		delete(t.flying, id)
		t.changed = time.Now()
	}
}

// runs records that a script was loaded.
func (t *tab) runs(address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.DeleteFunc(t.flying, func(_ network.RequestID, asked string) bool { return asked == address })
	t.changed = time.Now()
}

// came records that part of an answer has arrived.
func (t *tab) came() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.changed = time.Now()
}

// dismiss answers a dialog so that the page goes on.
func (t *tab) dismiss(kind page.DialogType) {
	leave := kind == page.DialogTypeBeforeunload
	_, _ = chromedp.Call(t.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: leave}) // the page may be gone
}

func (t *tab) request(ev *fetch.EventRequestPaused) Request {
	r := Request{URL: ev.Request.URL, Method: ev.Request.Method, Kind: string(ev.ResourceType)}
	if ev.ResourceType != network.ResourceTypeDocument || ev.FrameID != t.main {
		return r
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	r.Navigation, r.First, r.Acting = true, !t.begun, t.acting
	r.Redirect = !r.First && t.moved == 0
	t.begun = true
	return r
}

// paused continues or refuses a paused request.
func (t *tab) paused(id fetch.RequestID, r Request) {
	web := strings.HasPrefix(r.URL, "http:") || strings.HasPrefix(r.URL, "https:")
	refused := web && !t.visit.Guard(t.ctx, r)
	if r.Navigation && !r.First && !r.Redirect && r.Method == http.MethodGet {
		t.note(r.URL)
	}
	if refused { // an aborted navigation leaves the page in place
		_, _ = chromedp.Call(t.ctx, fetch.FailRequest, fetch.FailRequestParams{RequestID: id, ErrorReason: network.ErrorReasonAborted})
		return
	}
	_, _ = chromedp.Call(t.ctx, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: id})
}

// note records an address that a script navigated to.
func (t *tab) note(address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.went) < maxNavigations && len(address) <= LongestAddress && !t.wentOnce[address] {
		t.wentOnce[address] = true
		t.went = append(t.went, address)
	}
}

func (t *tab) navigations() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.went
}

// documents returns how many documents the tab has shown.
func (t *tab) documents() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.moved
}

// settle waits until the page has neither made requests nor computed for a while. While it computes, it can't say what it will request
// next.
func (t *tab) settle(ctx context.Context) {
	limited, cancel := context.WithTimeout(ctx, t.wait/3)
	defer cancel()
	begun := time.Now()
	for range sleep.Every(limited, idleTime/10) {
		t.mu.Lock()
		quiet := len(t.flying) == 0 && time.Since(t.changed) >= idleTime && time.Since(begun) >= idleTime/2
		t.mu.Unlock()
		if quiet && (time.Since(begun) >= computeTime || t.rests(limited)) {
			return
		}
	}
}

// rests reports whether no long task has run in the page for a while.
func (t *tab) rests(ctx context.Context) bool {
	rested := true
	frames, err := t.frames(ctx)
	if err == nil && len(frames) > 0 {
		err = t.call(ctx, frames[0].ID, &rested, "rested", idleTime.Milliseconds())
	}
	return err != nil || rested
}
